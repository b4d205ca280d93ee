/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccReceivedRateParams:
 * @window: T, the time that R(t) is averaged over; whole ms, at most
 *   %GCC_RECEIVED_RATE_MAX_WINDOW
 * @grows: whether the window starts with the first packet, and R(t) is unknown
 *   before the second; else it is always averaged over the whole window
 */
typedef struct {
  GccTime window;
  gboolean grows;
} GccReceivedRateParams;

#define GCC_RECEIVED_RATE_MAX_WINDOW GCC_SECOND

/* One bucket for each ms of the longest window, both ends included. */
#define GCC_RECEIVED_RATE_MAX_BUCKETS \
  (GCC_RECEIVED_RATE_MAX_WINDOW / GCC_MSECOND + 1)

/* The packets that arrived in one ms. */
typedef struct {
  gint64 ms;
  guint32 bytes;
  guint32 packets;
} GccReceivedRateBucket;

/**
 * GccReceivedRate:
 *
 * R(t), the rate of the payload received in the last T. All streams of a
 * session share one. Fields are private.
 */
typedef struct {
  const GccReceivedRateParams *params;
  guint n_buckets;
  gboolean has_samples;
  gint64 oldest_ms;
  /* a ring, in the order of their ms; a ms without packets has none */
  guint first_bucket;
  guint n_used;
  guint64 bytes;
  guint n_packets;
  /* where the window ends */
  gint64 followed_ms;
  /* the last answer, for as long as nothing else arrives */
  gint64 told_ms;
  GccRate told;
  GccReceivedRateBucket buckets[GCC_RECEIVED_RATE_MAX_BUCKETS];
} GccReceivedRate;

void gcc_received_rate_init (
    GccReceivedRate *self, const GccReceivedRateParams *params);
void gcc_received_rate_reset (GccReceivedRate *self);

/* Counts a packet of @size bytes of payload. */
void gcc_received_rate_update (GccReceivedRate *self, gsize size, GccTime now);

/* R(@now) in bit/s. While it is unknown, %GCC_RATE_NONE in profiles whose
 * window grows, and 0 in the others. */
GccRate gcc_received_rate_get (GccReceivedRate *self, GccTime now);

/* Whether gcc_received_rate_get() is a rate: for less work. */
gboolean gcc_received_rate_is_known (GccReceivedRate *self, GccTime now);

G_END_DECLS
