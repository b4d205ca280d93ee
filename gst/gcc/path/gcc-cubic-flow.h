/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/path/gcc-cubic.h>

G_BEGIN_DECLS

/* Number of intervals between losses in the mean. */
#define GCC_CUBIC_FLOW_INTERVALS 6

/**
 * GccCubicFlowParams:
 * @max_step: greatest change of the rate in a second, as a share of the rate
 * @cubic: TCP's own numbers
 */
typedef struct {
  gdouble max_step;
  GccCubicParams cubic;
} GccCubicFlowParams;

/**
 * GccCubicFlow:
 * @rate: the rate, bit/s; 0 before _begin
 *
 * The mean rate of a CUBIC flow (RFC 9438) with the present losses and round
 * trip. The other fields are private.
 */
typedef struct {
  const GccCubicFlowParams *params;
  GccTime last_loss;
  gdouble mean_rtt;
  gdouble rate;
  guint next_interval;
  gdouble intervals[GCC_CUBIC_FLOW_INTERVALS];
} GccCubicFlow;

void gcc_cubic_flow_init (GccCubicFlow *self, const GccCubicFlowParams *params);

/* Starts at @rate, bit/s, as if it were the right rate. */
void gcc_cubic_flow_begin (
    GccCubicFlow *self, gdouble rate, GccTime round_trip, GccTime now);

/**
 * gcc_cubic_flow_update:
 * @n_losses: number of losses since the last update; those within a round trip
 *   count as one
 * @passed: time since the last update
 */
void gcc_cubic_flow_update (GccCubicFlow *self, guint n_losses,
    GccTime round_trip, GccTime passed, GccTime now);

G_END_DECLS
