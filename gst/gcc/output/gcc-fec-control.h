/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/output/gcc-sent-rates.h>

G_BEGIN_DECLS

/**
 * GccFecControlParams:
 * @loss_window: length of a window in which loss is measured
 * @loss_windows: number of windows of which the greatest loss is used
 * @deviations: standard deviations that FEC is to repair beyond the expected
 *   number of losses in a frame
 * @max_incomplete: share of the frames that may stay incomplete, 0 to 1; 0: the
 *   deviations decide
 * @max_percentage: most FEC packets per hundred media packets
 * @nack_only_rtt: RTT below which retransmission is used alone, without FEC
 * @buffer: time that the receiver waits for a packet: where retransmission mends
 *   losses within it there is no FEC; 0: @nack_only_rtt alone decides
 * @small_frame_rtt: RTT below which small frames get no FEC
 * @small_frame_pixels: picture sizes up to which the first and the second of
 *   @small_frame_bytes apply; the third applies to larger pictures
 * @small_frame_bytes: payload of a frame that counts as small
 */
typedef struct {
  GccTime loss_window;
  guint loss_windows;
  gdouble deviations;
  gdouble max_incomplete;
  guint max_percentage;
  GccTime nack_only_rtt;
  GccTime buffer;
  GccTime small_frame_rtt;
  guint small_frame_pixels[2];
  guint small_frame_bytes[3];
} GccFecControlParams;

#define GCC_FEC_CONTROL_MAX_WINDOWS 10

/**
 * GccFecControl:
 *
 * Decides how much forward error correction the media needs, from the loss of
 * the last seconds, the RTT and the size of frames, as the 2013 generation did;
 * or from the frames that may stay incomplete. Fields are private.
 */
typedef struct {
  const GccFecControlParams *params;
  gboolean has_window;
  GccTime window_start;
  guint newest;
  gdouble max_loss[GCC_FEC_CONTROL_MAX_WINDOWS];
  gdouble mean_loss;
} GccFecControl;

void gcc_fec_control_init (
    GccFecControl *self, const GccFecControlParams *params);

/* Adds the fraction lost (0 to 1) of a report. */
void gcc_fec_control_feed_loss (
    GccFecControl *self, gdouble fraction_lost, GccTime now);

/**
 * gcc_fec_control_get_percentage:
 * @frames: the video's frames
 * @pixels: width × height; 0: not known
 * @rtt: round-trip time; negative: not known
 * @is_repaired: whether losses are retransmitted
 *
 * Returns: FEC packets to be added, in percent of the media packets; 0 turns
 *   FEC off, because nothing is lost, because retransmissions arrive in time,
 *   or because frames are so small that FEC would double them
 */
guint gcc_fec_control_get_percentage (GccFecControl *self,
    const GccSentFrames *frames, guint pixels, GccTime rtt,
    gboolean is_repaired, GccTime now);

G_END_DECLS
