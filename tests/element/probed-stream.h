/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Packets of media, and of the probes between them, on a clock that the test moves. */

#pragma once

#include "element-test.h"

G_BEGIN_DECLS

#define EXTENSION_ID 5
#define TWCC_URI \
  "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"
#define CAPS TEST_RTP_CAPS ",extmap-" G_STRINGIFY (EXTENSION_ID) "=" TWCC_URI

/* 3 and 6 times the start rate, for 15 ms and 5 packets at least: B.6. The default
 * probes with 5000 bytes, or for 40 ms. */
#define START_RATE 300000u
#define FIRST_PROBE (3. * START_RATE)
#define SECOND_PROBE (6. * START_RATE)
#define SENDER_WITH(properties) \
  "gccsender name=sender profile=goog-2026 start-bitrate=300000 " \
  "max-bitrate=2000000 " properties " "
/* Packets are numbered where a session is downstream. */
#define SESSION \
  "! session.send_rtp_sink rtpsession name=session " \
  "session.send_rtp_src ! identity"
#define SENDER SENDER_WITH ("") SESSION

#define PAYLOAD 1000u
/* IPv4 and UDP, which the library counts */
#define OVERHEAD 28u
/* What leaves together is worth 2 ms, and a packet that is due in 1 ms may leave
 * now. */
#define TOLERANCE (3.1 * GST_MSECOND)

typedef struct {
  guint8 payload_type;
  guint32 ssrc;
  guint16 seq;
  guint32 timestamp;
  gboolean marker;
  gboolean has_extension;
  guint payload;
  guint size;
} ProbedPacket;

GstBuffer *probed_make_packet (
    guint32 ssrc, guint16 seq, guint32 timestamp, gboolean marker);
GstBufferList *probed_make_frame (
    guint32 ssrc, guint16 first, guint n_packets, gboolean ends);
void probed_push_frame (GstHarness *h, guint16 first, guint n_packets);
GstHarness *probed_start_with_caps (const gchar *line, const gchar *caps);
GstHarness *probed_start (const gchar *line);
gdouble probed_get_time (GstHarness *h);
/* The next packet, moving the clock as far as that takes. */
ProbedPacket probed_next_packet (GstHarness *h);
void probed_assert_padding (GstHarness *h, guint32 ssrc);
guint64 probed_get_count (GstHarness *h, const gchar *field);
/* The pacer's thread has time to begin to wait for when padding is due, and does
 * not. */
void probed_assert_no_padding (GstHarness *h);

G_END_DECLS
