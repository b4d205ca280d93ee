/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* What gccsender sends to probe a path, on a clock that the test moves. "Else"
 * in a comment is what an attack does where nothing guards against it. */

#include <gst/check/gsttestclock.h>
#include <gst/gst.h>
#include <gst/rtp/rtp.h>

#include "element-test.h"

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
} Packet;

/* --- packets --- */

static GstBuffer *
make_packet (guint32 ssrc, guint16 seq, guint32 timestamp, gboolean marker)
{
  const guint8 number[2] = { 0 };
  GstBuffer *buffer = test_rtp_packet (seq, timestamp, PAYLOAD);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  g_assert_true (gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp));
  gst_rtp_buffer_set_ssrc (&rtp, ssrc);
  gst_rtp_buffer_set_marker (&rtp, marker);
  g_assert_true (gst_rtp_buffer_add_extension_onebyte_header (
      &rtp, EXTENSION_ID, number, sizeof number));
  gst_rtp_buffer_unmap (&rtp);

  return buffer;
}

static GstBufferList *
make_frame (guint32 ssrc, guint16 first, guint n_packets, gboolean ends)
{
  GstBufferList *list = gst_buffer_list_new ();

  for (guint i = 0; i < n_packets; i++)
    gst_buffer_list_add (list,
        make_packet (ssrc, (guint16) (first + i), 3000u * first,
            ends && i == n_packets - 1));

  return list;
}

static void
push_frame (GstHarness *h, guint16 first, guint n_packets)
{
  g_assert_cmpint (gst_pad_push_list (h->srcpad,
                       make_frame (TEST_SSRC, first, n_packets, TRUE)),
      ==, GST_FLOW_OK);
}

static Packet
read_packet (GstBuffer *buffer)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  gpointer data;
  guint size;
  Packet packet;

  g_assert_true (gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp));
  packet = (Packet){
    .payload_type = gst_rtp_buffer_get_payload_type (&rtp),
    .ssrc = gst_rtp_buffer_get_ssrc (&rtp),
    .seq = gst_rtp_buffer_get_seq (&rtp),
    .timestamp = gst_rtp_buffer_get_timestamp (&rtp),
    .marker = gst_rtp_buffer_get_marker (&rtp),
    .has_extension = gst_rtp_buffer_get_extension_onebyte_header (
        &rtp, EXTENSION_ID, 0, &data, &size),
    .payload = gst_rtp_buffer_get_payload_len (&rtp),
    .size = (guint) gst_buffer_get_size (buffer),
  };
  gst_rtp_buffer_unmap (&rtp);

  return packet;
}

/* --- time --- */

static GstHarness *
start_with_caps (const gchar *line, const gchar *caps)
{
  GstHarness *h = gst_harness_new_parse (line);

  test_use_testclock (h);
  gst_harness_set_src_caps_str (h, caps);

  return h;
}

static GstHarness *
start (const gchar *line)
{
  return start_with_caps (line, CAPS);
}

static gdouble
now (GstHarness *h)
{
  GstTestClock *clock = gst_harness_get_testclock (h);
  GstClockTime time = gst_clock_get_time (GST_CLOCK (clock));

  gst_object_unref (clock);

  return (gdouble) time;
}

/* The next packet, moving the clock as far as that takes. */
static Packet
next_packet (GstHarness *h)
{
  GstBuffer *buffer;
  Packet packet;

  while ((buffer = gst_harness_try_pull (h)) == NULL) {
    if (test_has_timer (h))
      gst_harness_crank_single_clock_wait (h);
    else
      g_usleep (100);
  }
  packet = read_packet (buffer);
  gst_buffer_unref (buffer);

  return packet;
}

static void
assert_is_padding (const Packet *packet, guint16 seq, guint32 timestamp)
{
  g_assert_cmpuint (packet->payload, ==, 0);
  g_assert_cmpuint (packet->ssrc, ==, TEST_SSRC);
  g_assert_cmpuint (packet->payload_type, ==, 96);
  g_assert_cmpuint (packet->seq, ==, seq);
  g_assert_cmpuint (packet->timestamp, ==, timestamp);
  g_assert_false (packet->marker);
  g_assert_true (packet->has_extension);
}

static void
assert_is_padding_of (GstHarness *h, guint32 ssrc)
{
  Packet packet = next_packet (h);

  g_assert_cmpuint (packet.payload, ==, 0);
  g_assert_cmpuint (packet.ssrc, ==, ssrc);
}

/* --- clusters --- */

/* A cluster as it should leave: by bytes that have left, it is @rate. */
typedef struct {
  gdouble rate;
  gdouble began;
  gdouble bytes;
  gdouble min_bytes;
  guint n_packets;
  guint n_padding;
} Cluster;

static gboolean
cluster_is_complete (const Cluster *self)
{
  gdouble least = MAX (self->rate * .015 / 8., self->min_bytes);

  return self->n_packets >= 5 && self->bytes >= (guint) least;
}

static void
cluster_take (Cluster *self, const Packet *packet, gdouble time)
{
  gdouble due;

  if (self->n_packets == 0)
    self->began = time;
  due = self->began + self->bytes * 8. / self->rate * GST_SECOND;
  g_assert_cmpfloat_with_epsilon (time, due, TOLERANCE);
  self->n_packets++;
  self->bytes += packet->size + OVERHEAD;
  if (packet->payload == 0)
    self->n_padding++;
}

/* Both of the start, of what media there is. */
static guint
take_first_probes (GstHarness *h, gdouble min_bytes)
{
  Cluster clusters[] = {
    { .rate = FIRST_PROBE,
        .min_bytes = MIN (FIRST_PROBE * .04 / 8., min_bytes) },
    { .rate = SECOND_PROBE, .min_bytes = min_bytes },
  };

  for (guint i = 0; i < G_N_ELEMENTS (clusters); i++) {
    while (!cluster_is_complete (&clusters[i])) {
      Packet packet = next_packet (h);

      cluster_take (&clusters[i], &packet, now (h));
    }
  }

  return clusters[0].n_padding + clusters[1].n_padding;
}

static guint64
get_count (GstHarness *h, const gchar *field)
{
  GstElement *sender = gst_harness_find_element (h, "gccsender");
  guint64 n = test_stats_uint64 (sender, field);

  gst_object_unref (sender);

  return n;
}

/* --- media is enough --- */

static void
test_the_first_key_frame_is_the_first_probe (void)
{
  GstHarness *h = start (SENDER);
  gdouble time;

  push_frame (h, 0, 15);
  g_assert_cmpuint (take_first_probes (h, 0.), ==, 0);
  /* And the rest by the pace, 2.5 times the start rate, once that has paid for
   * the probes. */
  next_packet (h);
  time = now (h);
  next_packet (h);
  g_assert_cmpfloat_with_epsilon (
      now (h) - time, 8. * PAYLOAD / (2.5 * START_RATE) * GST_SECOND, 2000.);
  g_assert_cmpuint (get_count (h, "padding-packets"), ==, 0);

  gst_harness_teardown (h);
}

static void
test_no_probing_no_probes (void)
{
  GstHarness *h = start (SENDER_WITH ("probing=false") SESSION);
  gdouble begin = now (h);

  push_frame (h, 0, 4);
  for (guint i = 0; i < 4; i++) {
    g_assert_cmpuint (next_packet (h).payload, ==, PAYLOAD);
    g_assert_cmpfloat_with_epsilon (now (h) - begin,
        i * 8. * PAYLOAD / (2.5 * START_RATE) * GST_SECOND, 4000.);
  }
  push_frame (h, 4, 1);
  g_assert_cmpuint (next_packet (h).seq, ==, 4);
  g_assert_cmpuint (get_count (h, "padding-packets"), ==, 0);

  gst_harness_teardown (h);
}

/* --- padding in the stream of the media --- */

static void
test_padding_fills_a_short_cluster (void)
{
  GstHarness *h = start (SENDER);
  GstElement *sender = gst_harness_find_element (h, "gccsender");
  Cluster clusters[] = { { .rate = FIRST_PROBE }, { .rate = SECOND_PROBE } };
  guint64 bytes = 0;
  guint16 seq = 10;
  guint n = 0;

  push_frame (h, 10, 2);
  for (guint i = 0; i < G_N_ELEMENTS (clusters); i++) {
    while (!cluster_is_complete (&clusters[i])) {
      Packet packet = next_packet (h);

      cluster_take (&clusters[i], &packet, now (h));
      if (seq >= 12) {
        assert_is_padding (&packet, seq, 30000);
        bytes += packet.size;
      }
      seq++;
    }
  }
  n = clusters[0].n_padding + clusters[1].n_padding;
  g_assert_cmpuint (n, >=, 5);
  g_assert_cmpuint (test_stats_uint64 (sender, "padding-packets"), ==, n);
  g_assert_cmpuint (test_stats_uint64 (sender, "padding-bytes"), ==, bytes);

  /* What comes next makes room for it. */
  push_frame (h, 12, 2);
  g_assert_cmpuint (next_packet (h).seq, ==, 12 + n);
  g_assert_cmpuint (next_packet (h).seq, ==, 13 + n);

  gst_object_unref (sender);
  gst_harness_teardown (h);
}

/* Else a frame waited for 23 ms after a probe that had nothing to do with it. */
static void
test_a_frame_after_a_probe_leaves_at_once (void)
{
  GstHarness *h = start ("gccsender name=sender start-bitrate=300000 "
                         "max-bitrate=2000000 " SESSION);
  gdouble time;

  push_frame (h, 10, 2);
  g_assert_cmpuint (take_first_probes (h, 5000.), >, 0);
  time = now (h);
  push_frame (h, 12, 2);
  g_assert_cmpuint (next_packet (h).payload, ==, PAYLOAD);
  g_assert_cmpfloat (now (h), ==, time);

  gst_harness_teardown (h);
}

/* The pacer's thread has time to begin to wait for when padding is due, and does
 * not. */
static void
assert_no_padding_comes (GstHarness *h)
{
  g_usleep (20000);
  g_assert_false (test_has_timer (h));
  g_assert_cmpuint (gst_harness_buffers_in_queue (h), ==, 0);
}

/* Else a decoder gets a packet without payload in the middle of a frame. */
static void
test_padding_waits_for_the_end_of_a_frame (void)
{
  GstHarness *h = start (SENDER);
  guint16 n;

  push_frame (h, 0, 1);
  next_packet (h);
  g_assert_cmpuint (next_packet (h).payload, ==, 0);
  g_assert_cmpint (gst_harness_push (h, make_packet (TEST_SSRC, 1, 0, FALSE)),
      ==, GST_FLOW_OK);
  while (next_packet (h).payload == 0)
    continue;
  assert_no_padding_comes (h);
  n = (guint16) get_count (h, "padding-packets");
  g_assert_cmpint (gst_harness_push (h, make_packet (TEST_SSRC, 2, 0, TRUE)),
      ==, GST_FLOW_OK);
  g_assert_cmpuint (next_packet (h).seq, ==, 2 + n);
  g_assert_cmpuint (next_packet (h).payload, ==, 0);

  gst_harness_teardown (h);
}

static void
push_request (GstHarness *h, guint ssrc, guint seq)
{
  gst_harness_push_upstream_event (h,
      gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          gst_structure_new ("GstRTPRetransmissionRequest", "seqnum",
              G_TYPE_UINT, seq, "ssrc", G_TYPE_UINT, ssrc, NULL)));
}

/* The number that the next request upstream is for; -1: there is none. */
static gint
pull_request (GstHarness *h)
{
  GstEvent *event;
  gint number = -1;

  while (number < 0 && (event = gst_harness_try_pull_upstream_event (h))) {
    guint seq;

    if (gst_event_has_name (event, "GstRTPRetransmissionRequest")) {
      g_assert_true (gst_structure_get_uint (
          gst_event_get_structure (event), "seqnum", &seq));
      number = (gint) seq;
    }
    gst_event_unref (event);
  }

  return number;
}

/* Else another packet than the one that was lost is sent again, and the decoder
 * waits for a key frame. Through the wrap of the sequence numbers. */
static void
test_a_nack_after_padding_asks_for_the_right_packet (void)
{
  GstHarness *h = start (SENDER);
  guint16 first = 65533;
  guint n;

  push_frame (h, first, 2);
  n = take_first_probes (h, 0.);
  push_frame (h, (guint16) (first + 2), 3);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpuint (next_packet (h).seq, ==, (guint16) (first + 2 + n + i));

  push_request (h, TEST_SSRC, first + 1);
  g_assert_cmpint (pull_request (h), ==, first + 1);
  for (guint i = 0; i < 3; i++) {
    push_request (h, TEST_SSRC, (guint16) (first + 2 + n + i));
    g_assert_cmpint (pull_request (h), ==, (guint16) (first + 2 + i));
  }
  /* of another stream */
  push_request (h, TEST_SSRC + 1, 4711);
  g_assert_cmpint (pull_request (h), ==, 4711);
  /* of padding, which nobody needs */
  for (guint i = 0; i < n; i++)
    push_request (h, TEST_SSRC, (guint16) (first + 2 + i));
  g_assert_cmpint (pull_request (h), ==, -1);

  gst_harness_teardown (h);
}

static void
test_new_caps_do_not_change_the_numbers (void)
{
  GstHarness *h = start (SENDER);
  guint n;

  push_frame (h, 0, 2);
  n = take_first_probes (h, 0.);
  gst_harness_set_src_caps_str (h, CAPS ",a=(int)1");
  push_frame (h, 2, 1);
  g_assert_cmpuint (next_packet (h).seq, ==, 2 + n);

  gst_harness_teardown (h);
}

static void
push_segment (GstHarness *h)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (h, gst_event_new_segment (&segment));
}

/* A flush in the middle of a cluster: no padding follows a frame of before. */
static void
test_a_flush_ends_padding_and_keeps_the_numbers (void)
{
  GstHarness *h = start (SENDER);
  guint16 seq;

  push_frame (h, 0, 1);
  next_packet (h);
  g_assert_cmpuint (next_packet (h).payload, ==, 0);
  gst_harness_push_event (h, gst_event_new_flush_start ());
  gst_harness_push_event (h, gst_event_new_flush_stop (TRUE));
  seq = (guint16) (get_count (h, "padding-packets") + 1);
  /* What had left before. */
  for (guint i = gst_harness_buffers_in_queue (h); i > 0; i--)
    g_assert_cmpuint (next_packet (h).payload, ==, 0);
  push_segment (h);
  g_assert_cmpint (
      gst_pad_push_list (h->srcpad, make_frame (TEST_SSRC, 1, 2, FALSE)), ==,
      GST_FLOW_OK);
  g_assert_cmpuint (next_packet (h).seq, ==, seq);
  g_assert_cmpuint (next_packet (h).seq, ==, seq + 1);

  gst_harness_teardown (h);
}

/* As if only gccsender was started anew: the receiver has not forgotten. */
static void
test_numbers_outlive_a_restart_in_mid_probe (void)
{
  GstHarness *h = start (SENDER);
  guint n = 0;

  push_frame (h, 0, 1);
  next_packet (h);
  g_assert_cmpuint (next_packet (h).payload, ==, 0);
  gst_element_set_state (h->element, GST_STATE_NULL);
  n = 1 + gst_harness_buffers_in_queue (h);
  while (gst_harness_buffers_in_queue (h) > 0)
    next_packet (h);
  gst_element_set_state (h->element, GST_STATE_PLAYING);
  g_assert_cmpuint (get_count (h, "padding-packets"), ==, 0);
  gst_harness_set_src_caps_str (h, TEST_RTP_CAPS);
  push_frame (h, 1, 1);
  g_assert_cmpuint (next_packet (h).seq, ==, 1 + n);

  gst_harness_teardown (h);
}

/* --- not everywhere --- */

static void
check_has_no_padding (const gchar *line, const gchar *caps)
{
  GstHarness *h = start_with_caps (line, caps);

  push_frame (h, 0, 1);
  g_assert_cmpuint (next_packet (h).payload, ==, PAYLOAD);
  assert_no_padding_comes (h);
  push_frame (h, 1, 1);
  g_assert_cmpuint (next_packet (h).payload, ==, PAYLOAD);
  g_assert_cmpuint (get_count (h, "padding-packets"), ==, 0);

  gst_harness_teardown (h);
}

static void
test_audio_is_not_padded (void)
{
  check_has_no_padding (SENDER,
      "application/x-rtp,media=audio,encoding-name=OPUS,clock-rate=48000,"
      "payload=96,extmap-5=" TWCC_URI);
}

static void
test_the_log_tells_of_probes (void)
{
  GstHarness *h;
  GstElement *sender;
  gchar *log, *given_up;

  test_log_start ("gccsender");
  h = start_with_caps (SENDER,
      "application/x-rtp,media=audio,encoding-name=OPUS,clock-rate=48000,"
      "payload=96,extmap-5=" TWCC_URI);
  sender = gst_harness_find_element (h, "gccsender");
  push_frame (h, 0, 1);
  g_assert_cmpuint (next_packet (h).payload, ==, PAYLOAD);
  /* who sets a limit has the target applied */
  g_object_set (sender, "min-bitrate", 60000, NULL);
  gst_harness_set_time (h, (GstClockTime) now (h) + GST_SECOND);
  g_object_set (sender, "min-bitrate", 50000, NULL);
  log = test_log_stop ();
  given_up = strstr (log, "probe given up: late");
  g_assert_nonnull (given_up);
  g_assert_nonnull (strstr (log, "probe asked: number 2, 1800000 bit/s"));
  g_assert_true (strstr (log, "probe asked") < given_up);
  g_free (log);
  gst_object_unref (sender);
  gst_harness_teardown (h);
}

/* Else the count waits for a report or feedback, of which none come. */
static void
test_stats_tell_of_probes_that_were_given_up (void)
{
  GstHarness *h = start_with_caps (SENDER,
      "application/x-rtp,media=audio,encoding-name=OPUS,clock-rate=48000,"
      "payload=96,extmap-5=" TWCC_URI);

  push_frame (h, 0, 1);
  g_assert_cmpuint (next_packet (h).payload, ==, PAYLOAD);
  g_assert_cmpuint (get_count (h, "probes-abandoned"), ==, 0);
  gst_harness_set_time (h, (GstClockTime) now (h) + GST_SECOND);
  g_assert_cmpuint (get_count (h, "probes-abandoned"), ==, 1);

  gst_harness_teardown (h);
}

/* It may be. */
static void
test_what_may_be_audio_is_not_padded (void)
{
  check_has_no_padding (
      SENDER, "application/x-rtp,clock-rate=90000,extmap-5=" TWCC_URI);
}

#define BARE_CAPS "application/x-rtp,extmap-5=" TWCC_URI

static GstCaps *
tell_media (GstElement *session, guint payload_type, gpointer media)
{
  (void) session;

  return gst_caps_new_simple ("application/x-rtp", "media", G_TYPE_STRING,
      media, "clock-rate", G_TYPE_INT, 90000, "payload", G_TYPE_INT,
      (gint) payload_type, NULL);
}

/* As in webrtcbin: caps that tell nothing, and a session that knows. */
static GstHarness *
start_bare (gpointer media)
{
  GstHarness *h = gst_harness_new_parse (SENDER);
  GstElement *session = gst_harness_find_element (h, "rtpsession");

  g_signal_connect (session, "request-pt-map", G_CALLBACK (tell_media), media);
  gst_object_unref (session);
  test_use_testclock (h);
  gst_harness_set_src_caps_str (h, BARE_CAPS);

  return h;
}

static void
test_what_the_session_tells_to_be_video_is_padded (void)
{
  GstHarness *h = start_bare ("video");

  push_frame (h, 10, 2);
  for (guint16 seq = 10; seq < 12; seq++)
    g_assert_cmpuint (next_packet (h).seq, ==, seq);
  assert_is_padding_of (h, TEST_SSRC);

  gst_harness_teardown (h);
}

static void
test_what_the_session_tells_to_be_audio_is_not_padded (void)
{
  GstHarness *h = start_bare ("audio");

  push_frame (h, 10, 2);
  for (guint16 seq = 10; seq < 12; seq++)
    g_assert_cmpuint (next_packet (h).seq, ==, seq);
  gst_harness_set_time (h, (GstClockTime) now (h) + GST_SECOND);
  g_assert_cmpuint (get_count (h, "probes-abandoned"), ==, 1);
  g_assert_cmpuint (get_count (h, "padding-packets"), ==, 0);

  gst_harness_teardown (h);
}

/* Else a receiver restores other packets than were lost. */
static void
test_streams_with_fec_are_not_padded (void)
{
  check_has_no_padding ("rtpulpfecenc pt=100 ! " SENDER, CAPS);
}

typedef struct {
  GstHarness *h;
  guint16 seq;
} Unnumbered;

static void
push_unnumbered (Unnumbered *self)
{
  GstBuffer *packet = test_rtp_packet (self->seq, self->seq * 3600u, PAYLOAD);
  const guint8 marker = 0x80 | 96;

  self->seq++;
  gst_buffer_fill (packet, 1, &marker, 1);
  g_assert_cmpint (gst_harness_push (self->h, packet), ==, GST_FLOW_OK);
}

/* The rest of the first clusters may still leave. */
static gboolean
has_stopped_padding (gpointer user_data)
{
  Unnumbered *self = user_data;
  guint n_padding = 0;

  for (guint i = 0; i < 10; i++) {
    push_unnumbered (self);
    while (next_packet (self->h).payload == 0)
      g_assert_cmpuint (n_padding++, <, 1000);
  }

  return n_padding == 0;
}

static gboolean
has_begun_padding (gpointer user_data)
{
  Unnumbered *self = user_data;

  return get_count (self->h, "padding-packets") > 0;
}

/* Else padding that does not count would be sent without end. */
static void
test_a_stream_whose_packets_are_not_numbered_ends_its_padding (void)
{
  Unnumbered stream = { start (SENDER), 0 };

  push_unnumbered (&stream);
  g_assert_cmpuint (next_packet (stream.h).payload, ==, PAYLOAD);
  test_wait_until (has_begun_padding, &stream);
  test_wait_until (has_stopped_padding, &stream);
  push_frame (stream.h, stream.seq, 1);
  g_assert_cmpuint (next_packet (stream.h).payload, ==, PAYLOAD);

  gst_harness_teardown (stream.h);
}

/* --- retransmissions --- */

#define RTX_SENDER \
  "rtprtxsend payload-type-map=application/x-rtp-pt-map,96=(uint)97 ! " SENDER

static void
test_retransmissions_fill_a_short_cluster (void)
{
  GstHarness *h = start (RTX_SENDER);
  Cluster cluster = { .rate = FIRST_PROBE };
  guint n_sent_again = 0;

  push_frame (h, 0, 2);
  while (!cluster_is_complete (&cluster)) {
    Packet packet = next_packet (h);

    cluster_take (&cluster, &packet, now (h));
    g_assert_cmpuint (packet.payload, >=, PAYLOAD);
    if (packet.payload_type == 97) {
      g_assert_cmpuint (packet.ssrc, !=, TEST_SSRC);
      n_sent_again++;
    }
  }
  g_assert_cmpuint (n_sent_again, ==, 3);
  g_assert_cmpuint (get_count (h, "padding-packets"), >=, n_sent_again);
  /* Numbers stay. */
  push_frame (h, 2, 1);
  for (;;) {
    Packet packet = next_packet (h);

    if (packet.payload_type == 97)
      continue;
    g_assert_cmpuint (packet.seq, ==, 2);
    break;
  }

  gst_harness_teardown (h);
}

/* --- what gets in the way --- */

typedef struct {
  GMutex lock;
  GCond changed;
  gboolean is_blocked;
  gint n_waiting;
} Gate;

static GstPadProbeReturn
pass_gate (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Gate *self = user_data;

  (void) pad;
  (void) info;
  g_mutex_lock (&self->lock);
  g_atomic_int_inc (&self->n_waiting);
  while (self->is_blocked)
    g_cond_wait (&self->changed, &self->lock);
  g_mutex_unlock (&self->lock);

  return GST_PAD_PROBE_OK;
}

static gboolean
has_come (gpointer gate)
{
  return g_atomic_int_get (&((Gate *) gate)->n_waiting) > 0;
}

static void
open_gate (Gate *self)
{
  g_mutex_lock (&self->lock);
  self->is_blocked = FALSE;
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->lock);
}

/* Else what was not sent in time leaves in one burst, and tells nothing. */
static void
test_a_cluster_does_not_wait_for_downstream (void)
{
  GstHarness *h = start (SENDER);
  Gate gate = { .is_blocked = TRUE };
  Cluster second = { .rate = SECOND_PROBE };

  g_mutex_init (&gate.lock);
  g_cond_init (&gate.changed);
  gst_pad_add_probe (
      h->sinkpad, GST_PAD_PROBE_TYPE_BUFFER, pass_gate, &gate, NULL);
  push_frame (h, 0, 1);
  test_wait_until (has_come, &gate);
  gst_harness_set_time (h, (GstClockTime) now (h) + GST_SECOND);
  open_gate (&gate);
  g_assert_cmpuint (next_packet (h).seq, ==, 0);
  while (!cluster_is_complete (&second)) {
    Packet packet = next_packet (h);

    cluster_take (&second, &packet, now (h));
  }
  push_frame (h, 1, 1);
  g_assert_cmpuint (next_packet (h).payload, ==, PAYLOAD);
  g_assert_cmpuint (get_count (h, "padding-packets"), ==, second.n_padding);

  g_cond_clear (&gate.changed);
  g_mutex_clear (&gate.lock);
  gst_harness_teardown (h);
}

/* A second stream, over the same session. */
typedef struct {
  GstElement *sender;
  GstPad *in;
  GstPad *sinkpad;
} Stream;

#define TWO_STREAMS SENDER_WITH ("") "! f. rtpfunnel name=f " SESSION
#define OTHER_SSRC (TEST_SSRC + 1)

static void
stream_start (Stream *self, GstHarness *h)
{
  GstElement *funnel = gst_harness_find_element (h, "rtpfunnel");
  GstCaps *caps = gst_caps_from_string (CAPS);
  GstSegment segment;

  self->sender = gst_harness_find_element (h, "gccsender");
  self->sinkpad = gst_element_request_pad_simple (self->sender, "sink_1");
  self->in = gst_pad_new ("in", GST_PAD_SRC);
  gst_pad_set_active (self->in, TRUE);
  g_assert_cmpint (gst_pad_link (self->in, self->sinkpad), ==, GST_PAD_LINK_OK);
  g_assert_true (
      gst_element_link_pads (self->sender, "src_1", funnel, "sink_%u"));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (self->in, gst_event_new_stream_start ("other"));
  gst_caps_set_simple (caps, "ssrc", G_TYPE_UINT, OTHER_SSRC, NULL);
  gst_pad_push_event (self->in, gst_event_new_caps (caps));
  gst_pad_push_event (self->in, gst_event_new_segment (&segment));
  gst_caps_unref (caps);
  gst_object_unref (funnel);
}

static void
stream_push_frame (Stream *self, guint16 first)
{
  g_assert_cmpint (
      gst_pad_push_list (self->in, make_frame (OTHER_SSRC, first, 1, TRUE)), ==,
      GST_FLOW_OK);
}

static void
stream_release (Stream *self)
{
  gst_element_release_request_pad (self->sender, self->sinkpad);
}

static void
stream_clear (Stream *self)
{
  gst_pad_set_active (self->in, FALSE);
  gst_object_unref (self->in);
  gst_object_unref (self->sinkpad);
  gst_object_unref (self->sender);
}

/* The next packet with media; all before it pad the stream of @ssrc. */
static Packet
next_media (GstHarness *h, guint32 ssrc)
{
  Packet packet = next_packet (h);

  for (; packet.payload == 0; packet = next_packet (h))
    g_assert_cmpuint (packet.ssrc, ==, ssrc);

  return packet;
}

/* How much padding comes between the frames depends on the threads: while one
 * pushes a frame of the other stream the clock may go on to the end of the
 * cluster. */
static void
test_one_stream_of_two_is_padded (void)
{
  GstHarness *h = start (TWO_STREAMS);
  Stream other;
  Packet packet;

  stream_start (&other, h);
  push_frame (h, 0, 1);
  next_packet (h);
  assert_is_padding_of (h, TEST_SSRC);
  for (guint16 i = 0; i < 3; i++) {
    stream_push_frame (&other, i);
    packet = next_media (h, TEST_SSRC);
    g_assert_cmpuint (packet.ssrc, ==, OTHER_SSRC);
    g_assert_cmpuint (packet.seq, ==, i);
  }
  push_frame (h, 1, 1);
  packet = next_media (h, TEST_SSRC);
  g_assert_cmpuint (packet.seq, ==, 1 + get_count (h, "padding-packets"));

  gst_harness_teardown (h);
  stream_clear (&other);
}

/* The pacer's thread may still let go of the last packet. */
static gboolean
nobody_else_has (gpointer pad)
{
  return g_atomic_int_get (&G_OBJECT (pad)->ref_count) == 1;
}

/* Else padding is pushed to a pad that is gone. */
static void
test_a_padded_stream_may_leave (void)
{
  GstHarness *h = start (TWO_STREAMS);
  Stream other;
  Packet packet;

  stream_start (&other, h);
  stream_push_frame (&other, 0);
  g_assert_cmpuint (next_packet (h).seq, ==, 0);
  assert_is_padding_of (h, OTHER_SSRC);
  stream_release (&other);
  test_wait_until (nobody_else_has, other.sinkpad);
  /* The other one goes on, and is padded now. */
  push_frame (h, 0, 1);
  packet = next_media (h, OTHER_SSRC);
  g_assert_cmpuint (packet.ssrc, ==, TEST_SSRC);
  g_assert_cmpuint (packet.seq, ==, 0);
  assert_is_padding_of (h, TEST_SSRC);

  gst_harness_teardown (h);
  stream_clear (&other);
}

/* --- switched on by caps --- */

static GstClockTime
get_latency (GstHarness *h, GstClockTime *max)
{
  GstQuery *query = gst_query_new_latency ();
  GstClockTime min;
  gboolean live;

  g_assert_true (gst_pad_peer_query (h->sinkpad, query));
  gst_query_parse_latency (query, &live, &min, max);
  gst_query_unref (query);

  return min;
}

/* A sink that synchronises would hold every packet for as long, and send all of
 * a frame at once. */
static void
test_a_queue_is_no_latency_to_wait_for (void)
{
  GstHarness *h = gst_harness_new_parse (
      SENDER_WITH ("max-pacing-delay=100") SESSION);
  GstElement *sender = gst_harness_find_element (h, "gccsender");
  GstBus *bus = gst_bus_new ();
  GstMessage *message;
  GstClockTime max;

  gst_element_set_bus (sender, bus);
  gst_harness_set_upstream_latency (h, 10 * GST_MSECOND);
  g_assert_cmpuint (get_latency (h, &max), ==, 10 * GST_MSECOND);
  gst_harness_set_src_caps_str (h, CAPS);
  g_assert_cmpuint (get_latency (h, &max), ==, 10 * GST_MSECOND);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_LATENCY);
  g_assert_nonnull (message);

  gst_message_unref (message);
  gst_element_set_bus (sender, NULL);
  gst_object_unref (bus);
  gst_object_unref (sender);
  gst_harness_teardown (h);
}

static GstPadProbeReturn
note_list (GstPad *pad, GstPadProbeInfo *info, gpointer thread)
{
  (void) pad;
  (void) info;
  *(GThread **) thread = g_thread_self ();

  return GST_PAD_PROBE_OK;
}

/* As a list, in the thread that brings it. */
static void
check_passes_straight_through (const gchar *line, const gchar *caps)
{
  GstHarness *h = gst_harness_new_parse (line);
  GstElement *sender = gst_harness_find_element (h, "gccsender");
  GstPad *srcpad = gst_element_get_static_pad (sender, "src");
  GThread *thread = NULL;

  gst_harness_set_src_caps_str (h, caps);
  gst_pad_add_probe (
      srcpad, GST_PAD_PROBE_TYPE_BUFFER_LIST, note_list, &thread, NULL);
  push_frame (h, 0, 3);
  g_assert_true (thread == g_thread_self ());

  gst_object_unref (srcpad);
  gst_object_unref (sender);
  gst_harness_teardown (h);
}

static void
test_without_numbers_lists_pass_straight_through (void)
{
  check_passes_straight_through (SENDER, TEST_RTP_CAPS);
  check_passes_straight_through (SENDER_WITH ("feedback=remb") SESSION, CAPS);
}

static void
test_pacing_stays_off_where_it_was_disabled (void)
{
  check_passes_straight_through (SENDER_WITH ("pacing-factor=0") SESSION, CAPS);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);

#define ADD(name) g_test_add_func ("/probing/" #name, test_##name)
  ADD (the_first_key_frame_is_the_first_probe);
  ADD (no_probing_no_probes);
  ADD (padding_fills_a_short_cluster);
  ADD (a_frame_after_a_probe_leaves_at_once);
  ADD (padding_waits_for_the_end_of_a_frame);
  ADD (a_nack_after_padding_asks_for_the_right_packet);
  ADD (new_caps_do_not_change_the_numbers);
  ADD (a_flush_ends_padding_and_keeps_the_numbers);
  ADD (numbers_outlive_a_restart_in_mid_probe);
  ADD (audio_is_not_padded);
  ADD (stats_tell_of_probes_that_were_given_up);
  ADD (the_log_tells_of_probes);
  ADD (what_may_be_audio_is_not_padded);
  ADD (what_the_session_tells_to_be_video_is_padded);
  ADD (what_the_session_tells_to_be_audio_is_not_padded);
  ADD (streams_with_fec_are_not_padded);
  ADD (a_stream_whose_packets_are_not_numbered_ends_its_padding);
  ADD (retransmissions_fill_a_short_cluster);
  ADD (a_cluster_does_not_wait_for_downstream);
  ADD (one_stream_of_two_is_padded);
  ADD (a_padded_stream_may_leave);
  ADD (a_queue_is_no_latency_to_wait_for);
  ADD (without_numbers_lists_pass_straight_through);
  ADD (pacing_stays_off_where_it_was_disabled);
#undef ADD

  return g_test_run ();
}
