/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/path/gcc-cubic.h>

G_BEGIN_DECLS

/* Intervals between losses that are averaged. */
#define GCC_CUBIC_FLOW_INTERVALS 6

/**
 * GccCubicFlowParams:
 * @max_share: of what there was when nobody else was there, that is taken at most
 * @capacity_decay: what is left of that each time that less is told
 * @max_step: most that the rate changes by in a second, as a share of it
 * @cubic: TCP's own numbers
 */
typedef struct {
  gdouble max_share;
  gdouble capacity_decay;
  gdouble max_step;
  GccCubicParams cubic;
} GccCubicFlowParams;

/**
 * GccCubicFlow:
 *
 * What a CUBIC flow (RFC 9438) would have on average with the losses and the
 * round trip that there are. Fields are private.
 */
typedef struct {
  const GccCubicFlowParams *params;
  GccRate capacity;
  GccTime last_loss;
  gdouble mean_rtt;
  gdouble rate;
  gdouble losses;
  guint next_interval;
  gdouble intervals[GCC_CUBIC_FLOW_INTERVALS];
} GccCubicFlow;

void gcc_cubic_flow_init (GccCubicFlow *self, const GccCubicFlowParams *params);

/* @rate, bit/s, is what the link takes, or less: nobody else is there.
 * %GCC_RATE_NONE tells nothing. */
void gcc_cubic_flow_feed_alone (GccCubicFlow *self, GccRate rate);

/* CUBIC loses @losses times as often as who tells of losses: above 0; 1 after
 * _init. */
void gcc_cubic_flow_set_losses (GccCubicFlow *self, gdouble losses);

/* Starts at @rate, bit/s, as if that were right. */
void gcc_cubic_flow_begin (
    GccCubicFlow *self, gdouble rate, GccTime round_trip, GccTime now);

/**
 * gcc_cubic_flow_update:
 * @n_losses: times that packets were lost; within a round trip that is one loss
 * @passed: since the last update
 */
void gcc_cubic_flow_update (GccCubicFlow *self, guint n_losses,
    GccTime round_trip, GccTime passed, GccTime now);

/* bit/s; 0 before it begins. */
gdouble gcc_cubic_flow_get_rate (const GccCubicFlow *self);

G_END_DECLS
