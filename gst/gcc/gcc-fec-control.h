/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-sent-rates.h>
#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccFecControlParams:
 * @loss_window: length of a window of the loss that FEC is for
 * @loss_windows: the greatest loss of that many windows counts
 * @deviations: of the losses that are to be expected in a frame, which FEC is
 *   to repair beyond them
 * @max_percentage: FEC packets per hundred media packets, at most
 * @nack_only_rtt: below this RTT retransmission does it alone, without FEC
 * @small_frame_rtt: below this RTT small frames get no FEC
 * @small_frame_pixels: of pictures that the first two of @small_frame_bytes are
 *   for; the third is for larger ones
 * @small_frame_bytes: payload of a frame that counts as small
 */
typedef struct {
  GccTime loss_window;
  guint loss_windows;
  gdouble deviations;
  guint max_percentage;
  GccTime nack_only_rtt;
  GccTime small_frame_rtt;
  guint small_frame_pixels[2];
  guint small_frame_bytes[3];
} GccFecControlParams;

#define GCC_FEC_CONTROL_MAX_WINDOWS 10

/**
 * GccFecControl:
 *
 * How much forward error correction the media needs: by the loss of the last
 * seconds, the RTT and the size of frames, as the 2013 generation decided it.
 * Fields are private.
 */
typedef struct {
  const GccFecControlParams *params;
  gboolean has_window;
  GccTime window_start;
  guint newest;
  gdouble max_loss[GCC_FEC_CONTROL_MAX_WINDOWS];
} GccFecControl;

void gcc_fec_control_init (
    GccFecControl *self, const GccFecControlParams *params);

/* Takes the fraction lost (0 to 1) of a report. */
void gcc_fec_control_feed_loss (
    GccFecControl *self, gdouble fraction_lost, GccTime now);

/**
 * gcc_fec_control_get_percentage:
 * @frames: what the video's frames are like
 * @pixels: width × height; 0: not known
 * @rtt: round-trip time; negative: not known
 *
 * Returns: FEC packets to be added, in percent of the media packets; 0: FEC is
 * off, because nothing is lost, because a retransmission arrives in time, or
 * because frames are so small that FEC would double them
 */
guint gcc_fec_control_get_percentage (GccFecControl *self,
    const GccSentFrames *frames, guint pixels, GccTime rtt, GccTime now);

G_END_DECLS
