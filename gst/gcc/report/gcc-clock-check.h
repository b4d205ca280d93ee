/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccClockCheck:
 *
 * Whether the clock rate that is said of RTP timestamps can be right: how fast
 * they advance, beside the time at which they arrive. What is wrong is so in
 * each second and by one factor; a pause, a burst or a queue is not. Fields are
 * private. {0} is a valid start.
 */
typedef struct {
  gboolean has_window;
  guint32 ssrc;
  guint clock_rate;
  guint32 timestamp;
  GccTime since;
  GccTime last;
  guint n_alike;
  gdouble factor;
} GccClockCheck;

/*
 * gcc_clock_check_feed:
 * @timestamp: in units of 1 / @clock_rate s
 * @clock_rate: Hz, not 0
 *
 * A packet has arrived.
 *
 * Returns: by which factor @timestamp advances too fast (above 1) or too slowly
 *   (below), once that has been one, and above 1.5 or below 1 / 1.5, for ten
 *   seconds; 0. otherwise
 */
gdouble gcc_clock_check_feed (GccClockCheck *self, guint32 ssrc,
    guint32 timestamp, guint clock_rate, GccTime arrival);

/* Of the usual clock rates the one nearest to @factor * @clock_rate, Hz. */
guint gcc_clock_check_guess (gdouble factor, guint clock_rate);

G_END_DECLS
