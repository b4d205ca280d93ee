/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/* The RTP header extension that tells when a packet was sent: an unsigned 24
 * bit number, big endian, of 2^-18 s. It wraps after 64 s. */
#define GCC_ABS_SEND_TIME_URI \
  "http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time"
#define GCC_ABS_SEND_TIME_LENGTH 3

/* What the extension says at @time, to the nearest. Seconds since 1970 give
 * what the middle of an NTP time stamp (since 1900) would: what is between is a
 * multiple of 64 s. */
guint32 gcc_abs_send_time_from_time (GccTime time);

/* From 0 to 64 s, without; @value beyond 24 bit is masked. */
GccTime gcc_abs_send_time_to_time (guint32 value);

G_END_DECLS
