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
 * @min_window: bytes
 * @min_rate: pushing back does not go below this rate, bit/s
 * @drops_frames: whether what is pushed back is told as a share of frames to be
 *   dropped; else it lowers the rate
 * @very_full: bytes in flight over the window above which @very_full_factor is
 *   applied
 * @full: ... above which @full_factor is applied
 * @idle: ... below which nothing is pushed back
 * @very_full_factor: of the share of the rate that is let through, each time
 * @full_factor: likewise
 * @recovery_factor: likewise, in between
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
 *
 * How much may be on the path: beyond it the pacer sends no media, and the
 * encoder is pushed back. It bounds the queue while feedback does not come.
 * Fields are private.
 */
typedef struct {
  const GccCongestionWindowParams *params;
  guint next;
  guint n_round_trips;
  GccTime round_trips[GCC_CONGESTION_WINDOW_FEEDBACKS];
  gint64 window;
  gint64 in_flight;
  gdouble share;
} GccCongestionWindow;

void gcc_congestion_window_init (
    GccCongestionWindow *self, const GccCongestionWindowParams *params);

/* One feedback: @max_round_trip is the longest time from a packet to it. */
void gcc_congestion_window_feed_feedback (
    GccCongestionWindow *self, GccTime max_round_trip);

/* The window follows the rate that the path is thought to take, bit/s. */
void gcc_congestion_window_set_rate (GccCongestionWindow *self, GccRate rate);

/* Makes the window known by other means, bytes; 0 is unknown. */
void gcc_congestion_window_set_window (GccCongestionWindow *self, gint64 bytes);

/* Bytes sent and not fed back. */
void gcc_congestion_window_set_in_flight (
    GccCongestionWindow *self, gint64 bytes);

/* Bytes, 0 while it is not known. */
gint64 gcc_congestion_window_get_window (const GccCongestionWindow *self);

/* Whether no media should leave the pacer. */
gboolean gcc_congestion_window_is_full (const GccCongestionWindow *self);

/**
 * gcc_congestion_window_push_back:
 * @target: of the encoder, bit/s
 * @dropped_share: (out): share of the frames to drop, 0 to 1
 *
 * To be asked once an update.
 *
 * Returns: the rate for the encoder, bit/s
 */
GccRate gcc_congestion_window_push_back (
    GccCongestionWindow *self, GccRate target, gdouble *dropped_share);

G_END_DECLS
