/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gst.h>
#include <gst/rtp/rtp.h>

#include "element-test.h"
#include "probed-stream.h"

/* --- time --- */

static void
assert_is_padding (const ProbedPacket *packet, guint16 seq, guint32 timestamp)
{
  g_assert_cmpuint (packet->payload, ==, 0);
  g_assert_cmpuint (packet->ssrc, ==, TEST_SSRC);
  g_assert_cmpuint (packet->payload_type, ==, 96);
  g_assert_cmpuint (packet->seq, ==, seq);
  g_assert_cmpuint (packet->timestamp, ==, timestamp);
  g_assert_false (packet->marker);
  g_assert_true (packet->has_extension);
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
cluster_take (Cluster *self, const ProbedPacket *packet, gdouble time)
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
      ProbedPacket packet = probed_next_packet (h);

      cluster_take (&clusters[i], &packet, probed_get_time (h));
    }
  }

  return clusters[0].n_padding + clusters[1].n_padding;
}

/* --- media is enough --- */

static void
test_the_first_key_frame_is_the_first_probe (void)
{
  GstHarness *h = probed_start (SENDER);
  gdouble time;

  probed_push_frame (h, 0, 15);
  g_assert_cmpuint (take_first_probes (h, 0.), ==, 0);
  /* And the rest by the pace, 2.5 times the start rate, once that has paid for
   * the probes. */
  probed_next_packet (h);
  time = probed_get_time (h);
  probed_next_packet (h);
  g_assert_cmpfloat_with_epsilon (probed_get_time (h) - time,
      8. * PAYLOAD / (2.5 * START_RATE) * GST_SECOND, 2000.);
  g_assert_cmpuint (probed_get_count (h, "padding-packets"), ==, 0);

  gst_harness_teardown (h);
}

static void
test_no_probing_no_probes (void)
{
  GstHarness *h = probed_start (SENDER_WITH ("probing=false") SESSION);
  gdouble begin = probed_get_time (h);

  probed_push_frame (h, 0, 4);
  for (guint i = 0; i < 4; i++) {
    g_assert_cmpuint (probed_next_packet (h).payload, ==, PAYLOAD);
    g_assert_cmpfloat_with_epsilon (probed_get_time (h) - begin,
        i * 8. * PAYLOAD / (2.5 * START_RATE) * GST_SECOND, 4000.);
  }
  probed_push_frame (h, 4, 1);
  g_assert_cmpuint (probed_next_packet (h).seq, ==, 4);
  g_assert_cmpuint (probed_get_count (h, "padding-packets"), ==, 0);

  gst_harness_teardown (h);
}

/* --- padding in the stream of the media --- */

static void
test_padding_fills_a_short_cluster (void)
{
  GstHarness *h = probed_start (SENDER);
  GstElement *sender = gst_harness_find_element (h, "gccsender");
  Cluster clusters[] = { { .rate = FIRST_PROBE }, { .rate = SECOND_PROBE } };
  guint64 bytes = 0;
  guint16 seq = 10;
  guint n = 0;

  probed_push_frame (h, 10, 2);
  for (guint i = 0; i < G_N_ELEMENTS (clusters); i++) {
    while (!cluster_is_complete (&clusters[i])) {
      ProbedPacket packet = probed_next_packet (h);

      cluster_take (&clusters[i], &packet, probed_get_time (h));
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
  probed_push_frame (h, 12, 2);
  g_assert_cmpuint (probed_next_packet (h).seq, ==, 12 + n);
  g_assert_cmpuint (probed_next_packet (h).seq, ==, 13 + n);

  gst_object_unref (sender);
  gst_harness_teardown (h);
}

/* Else a frame waited for 23 ms after a probe that had nothing to do with it. */
static void
test_a_frame_after_a_probe_leaves_at_once (void)
{
  GstHarness *h = probed_start ("gccsender name=sender start-bitrate=300000 "
                                "max-bitrate=2000000 " SESSION);
  gdouble time;

  probed_push_frame (h, 10, 2);
  g_assert_cmpuint (take_first_probes (h, 5000.), >, 0);
  time = probed_get_time (h);
  probed_push_frame (h, 12, 2);
  g_assert_cmpuint (probed_next_packet (h).payload, ==, PAYLOAD);
  g_assert_cmpfloat (probed_get_time (h), ==, time);

  gst_harness_teardown (h);
}

/* Else a decoder gets a packet without payload in the middle of a frame. */
static void
test_padding_waits_for_the_end_of_a_frame (void)
{
  GstHarness *h = probed_start (SENDER);
  guint16 n;

  probed_push_frame (h, 0, 1);
  probed_next_packet (h);
  g_assert_cmpuint (probed_next_packet (h).payload, ==, 0);
  g_assert_cmpint (
      gst_harness_push (h, probed_make_packet (TEST_SSRC, 1, 0, FALSE)), ==,
      GST_FLOW_OK);
  while (probed_next_packet (h).payload == 0)
    continue;
  probed_assert_no_padding (h);
  n = (guint16) probed_get_count (h, "padding-packets");
  g_assert_cmpint (
      gst_harness_push (h, probed_make_packet (TEST_SSRC, 2, 0, TRUE)), ==,
      GST_FLOW_OK);
  g_assert_cmpuint (probed_next_packet (h).seq, ==, 2 + n);
  g_assert_cmpuint (probed_next_packet (h).payload, ==, 0);

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
  GstHarness *h = probed_start (SENDER);
  guint16 first = 65533;
  guint n;

  probed_push_frame (h, first, 2);
  n = take_first_probes (h, 0.);
  probed_push_frame (h, (guint16) (first + 2), 3);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpuint (
        probed_next_packet (h).seq, ==, (guint16) (first + 2 + n + i));

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
  GstHarness *h = probed_start (SENDER);
  guint n;

  probed_push_frame (h, 0, 2);
  n = take_first_probes (h, 0.);
  gst_harness_set_src_caps_str (h, CAPS ",a=(int)1");
  probed_push_frame (h, 2, 1);
  g_assert_cmpuint (probed_next_packet (h).seq, ==, 2 + n);

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
  GstHarness *h = probed_start (SENDER);
  guint16 seq;

  probed_push_frame (h, 0, 1);
  probed_next_packet (h);
  g_assert_cmpuint (probed_next_packet (h).payload, ==, 0);
  gst_harness_push_event (h, gst_event_new_flush_start ());
  gst_harness_push_event (h, gst_event_new_flush_stop (TRUE));
  seq = (guint16) (probed_get_count (h, "padding-packets") + 1);
  /* What had left before. */
  for (guint i = gst_harness_buffers_in_queue (h); i > 0; i--)
    g_assert_cmpuint (probed_next_packet (h).payload, ==, 0);
  push_segment (h);
  g_assert_cmpint (
      gst_pad_push_list (h->srcpad, probed_make_frame (TEST_SSRC, 1, 2, FALSE)),
      ==, GST_FLOW_OK);
  g_assert_cmpuint (probed_next_packet (h).seq, ==, seq);
  g_assert_cmpuint (probed_next_packet (h).seq, ==, seq + 1);

  gst_harness_teardown (h);
}

/* As if only gccsender was started anew: the receiver has not forgotten. */
static void
test_numbers_outlive_a_restart_in_mid_probe (void)
{
  GstHarness *h = probed_start (SENDER);
  guint n = 0;

  probed_push_frame (h, 0, 1);
  probed_next_packet (h);
  g_assert_cmpuint (probed_next_packet (h).payload, ==, 0);
  gst_element_set_state (h->element, GST_STATE_NULL);
  n = 1 + gst_harness_buffers_in_queue (h);
  while (gst_harness_buffers_in_queue (h) > 0)
    probed_next_packet (h);
  gst_element_set_state (h->element, GST_STATE_PLAYING);
  g_assert_cmpuint (probed_get_count (h, "padding-packets"), ==, 0);
  gst_harness_set_src_caps_str (h, TEST_RTP_CAPS);
  probed_push_frame (h, 1, 1);
  g_assert_cmpuint (probed_next_packet (h).seq, ==, 1 + n);

  gst_harness_teardown (h);
}

/* --- retransmissions --- */

#define RTX_SENDER \
  "rtprtxsend payload-type-map=application/x-rtp-pt-map,96=(uint)97 ! " SENDER

static void
test_retransmissions_fill_a_short_cluster (void)
{
  GstHarness *h = probed_start (RTX_SENDER);
  Cluster cluster = { .rate = FIRST_PROBE };
  guint n_sent_again = 0;

  probed_push_frame (h, 0, 2);
  while (!cluster_is_complete (&cluster)) {
    ProbedPacket packet = probed_next_packet (h);

    cluster_take (&cluster, &packet, probed_get_time (h));
    g_assert_cmpuint (packet.payload, >=, PAYLOAD);
    if (packet.payload_type == 97) {
      g_assert_cmpuint (packet.ssrc, !=, TEST_SSRC);
      n_sent_again++;
    }
  }
  g_assert_cmpuint (n_sent_again, ==, 3);
  g_assert_cmpuint (probed_get_count (h, "padding-packets"), >=, n_sent_again);
  /* Numbers stay. */
  probed_push_frame (h, 2, 1);
  for (;;) {
    ProbedPacket packet = probed_next_packet (h);

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
  GstHarness *h = probed_start (SENDER);
  Gate gate = { .is_blocked = TRUE };
  Cluster second = { .rate = SECOND_PROBE };

  g_mutex_init (&gate.lock);
  g_cond_init (&gate.changed);
  gst_pad_add_probe (
      h->sinkpad, GST_PAD_PROBE_TYPE_BUFFER, pass_gate, &gate, NULL);
  probed_push_frame (h, 0, 1);
  test_wait_until (has_come, &gate);
  gst_harness_set_time (h, (GstClockTime) probed_get_time (h) + GST_SECOND);
  open_gate (&gate);
  g_assert_cmpuint (probed_next_packet (h).seq, ==, 0);
  while (!cluster_is_complete (&second)) {
    ProbedPacket packet = probed_next_packet (h);

    cluster_take (&second, &packet, probed_get_time (h));
  }
  probed_push_frame (h, 1, 1);
  g_assert_cmpuint (probed_next_packet (h).payload, ==, PAYLOAD);
  g_assert_cmpuint (
      probed_get_count (h, "padding-packets"), ==, second.n_padding);

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
#define OTHER_CAPS \
  "application/x-rtp,media=video,encoding-name=VP8,clock-rate=90000," \
  "payload=96,ssrc=(uint)287454021,extmap-" G_STRINGIFY ( \
      EXTENSION_ID) "=" TWCC_URI

static void
stream_start (Stream *self, GstHarness *h)
{
  GstElement *funnel = gst_harness_find_element (h, "rtpfunnel");

  self->sender = gst_harness_find_element (h, "gccsender");
  self->sinkpad = gst_element_request_pad_simple (self->sender, "sink_1");
  g_assert_true (
      gst_element_link_pads (self->sender, "src_1", funnel, "sink_%u"));
  self->in = test_open_source (self->sinkpad, OTHER_CAPS);
  gst_object_unref (funnel);
}

static void
stream_push_frame (Stream *self, guint16 first)
{
  g_assert_cmpint (gst_pad_push_list (self->in,
                       probed_make_frame (OTHER_SSRC, first, 1, TRUE)),
      ==, GST_FLOW_OK);
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
static ProbedPacket
next_media (GstHarness *h, guint32 ssrc)
{
  ProbedPacket packet = probed_next_packet (h);

  for (; packet.payload == 0; packet = probed_next_packet (h))
    g_assert_cmpuint (packet.ssrc, ==, ssrc);

  return packet;
}

/* How much padding comes between the frames depends on the threads: while one
 * pushes a frame of the other stream the clock may go on to the end of the
 * cluster. */
static void
test_one_stream_of_two_is_padded (void)
{
  GstHarness *h = probed_start (TWO_STREAMS);
  Stream other;
  ProbedPacket packet;

  stream_start (&other, h);
  probed_push_frame (h, 0, 1);
  probed_next_packet (h);
  probed_assert_padding (h, TEST_SSRC);
  for (guint16 i = 0; i < 3; i++) {
    stream_push_frame (&other, i);
    packet = next_media (h, TEST_SSRC);
    g_assert_cmpuint (packet.ssrc, ==, OTHER_SSRC);
    g_assert_cmpuint (packet.seq, ==, i);
  }
  probed_push_frame (h, 1, 1);
  packet = next_media (h, TEST_SSRC);
  g_assert_cmpuint (
      packet.seq, ==, 1 + probed_get_count (h, "padding-packets"));

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
  GstHarness *h = probed_start (TWO_STREAMS);
  Stream other;
  ProbedPacket packet;

  stream_start (&other, h);
  stream_push_frame (&other, 0);
  g_assert_cmpuint (probed_next_packet (h).seq, ==, 0);
  probed_assert_padding (h, OTHER_SSRC);
  stream_release (&other);
  test_wait_until (nobody_else_has, other.sinkpad);
  /* The other one goes on, and is padded now. */
  probed_push_frame (h, 0, 1);
  packet = next_media (h, OTHER_SSRC);
  g_assert_cmpuint (packet.ssrc, ==, TEST_SSRC);
  g_assert_cmpuint (packet.seq, ==, 0);
  probed_assert_padding (h, TEST_SSRC);

  gst_harness_teardown (h);
  stream_clear (&other);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

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
  ADD (retransmissions_fill_a_short_cluster);
  ADD (a_cluster_does_not_wait_for_downstream);
  ADD (one_stream_of_two_is_padded);
  ADD (a_padded_stream_may_leave);
#undef ADD

  return g_test_run ();
}
