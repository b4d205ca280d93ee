/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/* The RTP header extension that carries the time at which a packet was sent: an
 * unsigned 24-bit integer, big endian, in units of 2^-18 s. It wraps every
 * 64 s. */
#define GCC_ABS_SEND_TIME_URI \
  "http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time"
#define GCC_ABS_SEND_TIME_LENGTH 3

/* The value of the extension at @time, rounded to the nearest. Seconds since
 * 1970 give the same as the middle bits of an NTP timestamp (since 1900),
 * because the two epochs are a multiple of 64 s apart. */
GCC_API guint32 gcc_abs_send_time_from_time (GccTime time);

/* 0 <= result < 64 s; only the lower 24 bits of @value count. */
GCC_API GccTime gcc_abs_send_time_to_time (guint32 value);

G_END_DECLS
