/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccRttBackoffParams:
 * @max_rtt: round-trip time above which the rate falls
 * @decrease: factor of the rate
 * @interval: time between decreases
 * @min_rate: the rate does not fall below this, bit/s
 */
typedef struct {
  GccTime max_rtt;
  gdouble decrease;
  GccTime interval;
  GccRate min_rate;
} GccRttBackoffParams;

/**
 * GccRttBackoff:
 *
 * Lowers the rate while the round trip is too long, or while packets go out and
 * no feedback comes back. Fields are private.
 */
typedef struct {
  const GccRttBackoffParams *params;
  GccTime rtt;
  GccTime last_feedback;
  GccTime last_sent;
  GccTime last_decrease;
} GccRttBackoff;

void gcc_rtt_backoff_init (
    GccRttBackoff *self, const GccRttBackoffParams *params);

/* A feedback has come; @rtt is its propagation round trip. */
void gcc_rtt_backoff_feed_feedback (
    GccRttBackoff *self, GccTime rtt, GccTime now);

/* A packet has been sent. */
void gcc_rtt_backoff_feed_sent (GccRttBackoff *self, GccTime now);

/* A lower bound of the round trip: that of the last feedback, plus the time for
 * which packets have been sent since. Time without packets does not count. */
GccTime gcc_rtt_backoff_get_rtt (const GccRttBackoff *self);

/* Whether nothing else should set the rate. */
gboolean gcc_rtt_backoff_is_active (const GccRttBackoff *self);

/* Whether that is so because no feedback comes: most of the round trip is the
 * wait for it. */
gboolean gcc_rtt_backoff_is_unanswered (const GccRttBackoff *self);

/* @rate after the back-off, bit/s. */
GccRate gcc_rtt_backoff_update (GccRttBackoff *self, GccRate rate, GccTime now);

G_END_DECLS
