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
 * Checks the declared clock rate of RTP timestamps: compares how fast they
 * advance with the time at which they arrive. A wrong rate is off by the same
 * factor in each second; a pause, a burst or a queue is not. Fields are
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
 * Returns: the factor by which @timestamp advances too fast (above 1) or too
 * slowly (below 1), once it has been the same, and above 1.5 or below 1 / 1.5,
 * for ten seconds; 0. otherwise
 */
gdouble gcc_clock_check_feed (GccClockCheck *self, guint32 ssrc,
    guint32 timestamp, guint clock_rate, GccTime arrival);

/* The usual clock rate that is nearest to @factor * @clock_rate, Hz. */
guint gcc_clock_check_guess (gdouble factor, guint clock_rate);

G_END_DECLS
