/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/* Greatest #GccCongestionWindowParams.n_feedbacks. */
#define GCC_CONGESTION_WINDOW_FEEDBACKS 64

/**
 * GccCongestionWindowParams:
 * @n_feedbacks: feedbacks of which the shortest round trip counts, up to
 *   %GCC_CONGESTION_WINDOW_FEEDBACKS
 * @queue: time that packets may queue on the path
 * @min_window: least window, bytes
 * @min_rate: pushing back does not go below this rate, bit/s
 * @drops_frames: whether the push back is a share of frames to drop; else it
 *   lowers the rate
 * @very_full: bytes in flight over the window above which @very_full_factor is
 *   applied
 * @full: ... above which @full_factor is applied
 * @idle: ... below which nothing is pushed back
 * @very_full_factor: factor of the share of the rate that passes, each time
 * @full_factor: the same while the window is full
 * @recovery_factor: the same in between
 */
typedef struct {
  guint n_feedbacks;
  GccTime queue;
  gint64 min_window;
  GccRate min_rate;
  gboolean drops_frames;
  gdouble very_full;
  gdouble full;
  gdouble idle;
  gdouble very_full_factor;
  gdouble full_factor;
  gdouble recovery_factor;
} GccCongestionWindowParams;

/**
 * GccCongestionWindow:
 * @window: the window, bytes; 0 while it is not known
 *
 * The number of bytes that may be on the path. When they are exceeded the pacer
 * sends no media, and the encoder's rate is pushed back. The window bounds the
 * queue while no feedback arrives. The other fields are private.
 */
typedef struct {
  const GccCongestionWindowParams *params;
  guint next;
  guint n_round_trips;
  GccTime round_trips[GCC_CONGESTION_WINDOW_FEEDBACKS];
  gint64 window;
  gdouble share;
} GccCongestionWindow;

void gcc_congestion_window_init (
    GccCongestionWindow *self, const GccCongestionWindowParams *params);

/* One feedback: @max_round_trip is the longest time from a packet to it. */
void gcc_congestion_window_feed_feedback (
    GccCongestionWindow *self, GccTime max_round_trip);

/* Sets the estimate of the path, bit/s, which the window follows. */
void gcc_congestion_window_set_rate (GccCongestionWindow *self, GccRate rate);

/* Sets the window directly, bytes; 0 is unknown. */
void gcc_congestion_window_set_window (GccCongestionWindow *self, gint64 bytes);

/* Whether no media should leave the pacer. @in_flight: bytes that were sent, and that no
 * feedback has covered */
gboolean gcc_congestion_window_is_full (
    const GccCongestionWindow *self, gint64 in_flight);

/**
 * gcc_congestion_window_push_back:
 * @in_flight: as above
 * @target: of the encoder, bit/s
 * @dropped_share: (out): share of the frames to drop, 0 to 1
 *
 * To be called once per update.
 *
 * Returns: the rate for the encoder, bit/s
 */
GccRate gcc_congestion_window_push_back (GccCongestionWindow *self,
    gint64 in_flight, GccRate target, gdouble *dropped_share);

G_END_DECLS
