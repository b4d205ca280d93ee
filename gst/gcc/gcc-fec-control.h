/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-profile.h>
#include <gst/gcc/gcc-sent-rates.h>
#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

#define GCC_FEC_CONTROL_MAX_WINDOWS 10

/**
 * GccFecControl:
 *
 * How much forward error correction the media needs: by the loss of the last
 * seconds, the RTT and the size of frames, as the 2013 generation decided it.
 * Fields are private.
 */
typedef struct {
  const GccProtectionParams *params;
  gboolean has_window;
  GccTime window_start;
  guint newest;
  gdouble max_loss[GCC_FEC_CONTROL_MAX_WINDOWS];
} GccFecControl;

void gcc_fec_control_init (GccFecControl *self, const GccProfile *profile);

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
