/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-sent-packet.h>
#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccSentRatesParams:
 * @window: time over which r_FEC, r_RTX and the rates of the media are measured
 */
typedef struct {
  GccTime window;
} GccSentRatesParams;

/* Number of parts that the window is divided into. */
#define GCC_SENT_RATES_PARTS 20

/* Bytes of each kind, video packets, video frames and bytes of padding. */
#define GCC_SENT_RATES_N_COUNTERS (GCC_SENT_N_KINDS + 3)

/**
 * GccSentRates:
 *
 * The rates of the last #GccSentRatesParams.window, by kind: r_FEC, r_RTX and
 * the rates of the media. Fields are private.
 */
typedef struct {
  GccTime part;
  gboolean has_parts;
  guint newest;
  GccTime newest_start;
  /* The newest part is incomplete. The same fraction of the oldest part has
   * left the window. */
  guint64 counters[GCC_SENT_RATES_PARTS + 1][GCC_SENT_RATES_N_COUNTERS];
  guint64 sums[GCC_SENT_RATES_N_COUNTERS];
} GccSentRates;

/**
 * GccSentFrames:
 * @per_second: video frames per second
 * @bytes: mean payload of a frame, bytes; 0 without frames
 * @packets: mean number of packets of a frame; 0 without frames
 */
typedef struct {
  gdouble per_second;
  gdouble bytes;
  gdouble packets;
} GccSentFrames;

void gcc_sent_rates_init (GccSentRates *self, const GccSentRatesParams *params);

/* Counts a packet of @bytes of RTP payload; @ends_frame is its marker bit. */
void gcc_sent_rates_feed (GccSentRates *self, GccSentKind kind, gsize bytes,
    gboolean ends_frame, GccTime now);

/* Counts a packet of @bytes of padding, among %GCC_SENT_RTX: both take rate
 * from video. */
void gcc_sent_rates_feed_padding (GccSentRates *self, gsize bytes, GccTime now);

/* The rate over the whole window, bit/s; 0 if nothing was sent. */
GccRate gcc_sent_rates_get (GccSentRates *self, GccSentKind kind, GccTime now);

/* The part of the rate of %GCC_SENT_RTX that is padding, bit/s. */
GccRate gcc_sent_rates_get_padding (GccSentRates *self, GccTime now);

GccSentFrames gcc_sent_rates_get_frames (GccSentRates *self, GccTime now);

G_END_DECLS
