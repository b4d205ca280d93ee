/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * GccSentKind:
 * @GCC_SENT_VIDEO: media whose rate is controlled through its encoder
 * @GCC_SENT_AUDIO: media that is counted, but not controlled
 * @GCC_SENT_FEC: forward error correction (RFC 5109, RFC 8627)
 * @GCC_SENT_RTX: retransmissions (RFC 4588)
 *
 * The part of the sending rate in which a packet counts.
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
 * @kind: the part of the rate in which it counts
 * @ssrc: RTP synchronisation source
 * @seq: RTP sequence number
 * @payload_size: RTP payload, bytes; a packet without payload counts in no rate,
 *   but uses a sequence number
 * @ends_frame: the marker bit
 * @size: size of the RTP packet with its headers, bytes
 * @is_numbered: whether it has a transport-wide sequence number
 * @transport_seq: that number
 * @is_padding: whether it carries no media, and is sent to probe the path
 *
 * A packet that is sent.
 */
typedef struct {
  GccSentKind kind;
  guint32 ssrc;
  guint16 seq;
  gsize payload_size;
  gboolean ends_frame;
  gsize size;
  gboolean is_numbered;
  guint16 transport_seq;
  gboolean is_padding;
} GccSentPacket;

G_END_DECLS
