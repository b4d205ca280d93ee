/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * GccSentKind:
 * @GCC_SENT_VIDEO: media that an encoder's bitrate decides
 * @GCC_SENT_AUDIO: media that is counted and left alone
 * @GCC_SENT_FEC: forward error correction (RFC 5109, RFC 8627)
 * @GCC_SENT_RTX: retransmissions (RFC 4588)
 *
 * What a packet that leaves is part of the sending rate for.
 */
typedef enum {
  GCC_SENT_VIDEO,
  GCC_SENT_AUDIO,
  GCC_SENT_FEC,
  GCC_SENT_RTX,
} GccSentKind;

#define GCC_SENT_N_KINDS 4

/**
 * GccSentPacket:
 * @kind: what it is part of
 * @ssrc: RTP synchronisation source
 * @seq: RTP sequence number
 * @bytes: of RTP payload; a packet without any is of no rate, but takes a
 * number
 * @ends_frame: the marker bit
 *
 * A packet that leaves.
 */
typedef struct {
  GccSentKind kind;
  guint32 ssrc;
  guint16 seq;
  gsize bytes;
  gboolean ends_frame;
} GccSentPacket;

G_END_DECLS
