/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gst.h>
#include <gst/video/video-event.h>

#include "element-test.h"

#define RATE 1200000u
#define FRAME_RATE 30
#define KEY_BYTES 25000u
#define PACKET_BYTES 1000u
#define N_VIEWERS 3

/* One packet in a hundred is lost, and there are a hundred and fifty a second. Of each
 * loss each viewer hears at another time. */
#define LOSS_EVERY 20

/* An encoder of RATE with a key frame where one was requested, and a gccsender. */
typedef struct {
  GstHarness *h;
  GstElement *sender;
  guint16 seqnum;
  guint n_frames;
  guint n_requests;
} Call;

static Call
new_call (const gchar *settings, GstElement *encoder)
{
  gchar *line = g_strdup_printf ("gccsender %s max-bitrate=%u", settings, RATE);
  Call call = { .h = gst_harness_new_parse (line) };

  call.sender = gst_harness_find_element (call.h, "gccsender");
  test_use_testclock (call.h);
  gst_element_set_state (call.h->element, GST_STATE_READY);
  g_object_set (call.sender, "encoder", encoder, NULL);
  gst_element_set_state (call.h->element, GST_STATE_PLAYING);
  gst_harness_set_src_caps_str (call.h, TEST_RTP_CAPS);
  g_object_set (call.sender, "min-bitrate", RATE, NULL);
  g_free (line);

  return call;
}

static void
call_end (Call *self)
{
  gst_object_unref (self->sender);
  gst_harness_teardown (self->h);
}

static GstElement *
new_encoder (void)
{
  return gst_object_ref_sink (test_parse ("vp8enc"));
}

/* --- what the encoder does --- */

/* Requests that have come to the encoder since. */
static guint
take_requests (Call *self)
{
  GstEvent *event;
  guint n = 0;

  while ((event = gst_harness_try_pull_upstream_event (self->h)) != NULL) {
    n += gst_video_event_is_force_key_unit (event);
    gst_event_unref (event);
  }
  self->n_requests += n;

  return n;
}

static void
send_frame (Call *self, guint bytes)
{
  for (guint left = bytes; left > 0; left -= MIN (left, PACKET_BYTES)) {
    gst_harness_push (self->h,
        test_rtp_packet (
            self->seqnum++, self->n_frames * 3000u, MIN (left, PACKET_BYTES)));
    gst_buffer_unref (gst_harness_pull (self->h));
  }
  self->n_frames++;
}

static void
ask (Call *self)
{
  gst_harness_push_upstream_event (self->h,
      gst_video_event_new_upstream_force_key_unit (
          GST_CLOCK_TIME_NONE, FALSE, 0));
}

static void
pass_time (Call *self, GstClockTime duration)
{
  gst_harness_set_time (self->h,
      gst_clock_get_time (GST_ELEMENT_CLOCK (self->h->element)) + duration);
}

/* --- tests --- */

typedef struct {
  gdouble key_share;
  guint longest_wait;
} Result;

/* A minute in which each of three viewers asks for a key frame at each loss. What key
 * frames take the others lack. */
static Result
play_with_losses (Call *self)
{
  Result result = { 0 };
  gint64 budget = 0;
  guint64 sent = 0, keys = 0;
  guint waits = 0;

  for (guint i = 0; i < 60 * FRAME_RATE; i++) {
    gboolean is_key = take_requests (self) > 0 || i == 0;
    guint bytes;

    budget += RATE / 8 / FRAME_RATE;
    bytes = is_key ? KEY_BYTES : (guint) CLAMP (budget, 500, 6000);
    send_frame (self, bytes);
    budget -= bytes;
    sent += bytes;
    keys += is_key ? bytes : 0;
    waits = is_key || waits == 0 ? 0 : waits + 1;
    result.longest_wait = MAX (result.longest_wait, waits);
    for (guint viewer = 0; viewer < N_VIEWERS; viewer++) {
      pass_time (self, GST_SECOND / FRAME_RATE / N_VIEWERS);
      if ((i + 2 * viewer) % LOSS_EVERY == 0) {
        ask (self);
        waits = MAX (waits, 1);
      }
    }
  }
  result.key_share = (gdouble) keys / (gdouble) sent;

  return result;
}

/* Guards against: a call that is all key frames, since each loss makes three. */
static void
test_key_frames_on_request_take_a_fifth_at_most (void)
{
  GstElement *encoder = new_encoder ();
  Call call = new_call ("", encoder);
  Result result = play_with_losses (&call);

  g_assert_cmpfloat (result.key_share, <=, 0.2);
  g_assert_cmpfloat (result.key_share, >, 0.15);
  g_assert_cmpuint (result.longest_wait, <=, FRAME_RATE);
  call_end (&call);
  gst_object_unref (encoder);
}

/* As it was published. */
static void
test_with_a_published_profile_each_request_passes (void)
{
  GstElement *encoder = new_encoder ();
  Call call = new_call ("profile=goog-2026", encoder);

  send_frame (&call, KEY_BYTES);
  for (guint i = 0; i < 10; i++)
    ask (&call);
  g_assert_cmpuint (take_requests (&call), ==, 10);
  call_end (&call);
  gst_object_unref (encoder);
}

static void
test_one_who_joins_gets_a_key_frame_within_a_second (void)
{
  GstElement *encoder = new_encoder ();
  Call call = new_call ("", encoder);
  guint n = 0;

  send_frame (&call, 20 * KEY_BYTES);
  ask (&call);
  g_assert_cmpuint (take_requests (&call), ==, 1);
  pass_time (&call, 10 * GST_MSECOND);
  send_frame (&call, 20 * KEY_BYTES);
  pass_time (&call, 10 * GST_MSECOND);
  ask (&call);
  for (; n < FRAME_RATE && take_requests (&call) == 0; n++) {
    pass_time (&call, GST_SECOND / FRAME_RATE);
    send_frame (&call, 1000);
  }
  g_assert_cmpuint (n, >=, FRAME_RATE * 8 / 10);
  g_assert_cmpuint (call.n_requests, ==, 2);
  call_end (&call);
  gst_object_unref (encoder);
}

/* Guards against: a key frame for each viewer whose request comes before the key frame
 * has left. */
static void
test_viewers_who_ask_at_once_get_one_key_frame (void)
{
  GstElement *encoder = new_encoder ();
  Call call = new_call ("", encoder);

  send_frame (&call, KEY_BYTES);
  for (guint i = 0; i < N_VIEWERS; i++) {
    pass_time (&call, 5 * GST_MSECOND);
    ask (&call);
  }
  for (guint i = 0; i < 3 * FRAME_RATE; i++) {
    pass_time (&call, GST_SECOND / FRAME_RATE);
    send_frame (&call, i == 0 ? KEY_BYTES : 4000);
  }
  take_requests (&call);
  g_assert_cmpuint (call.n_requests, ==, 1);
  call_end (&call);
  gst_object_unref (encoder);
}

/* Guards against: calls behind a tee, each of which lets as many requests pass as if
 * the encoder were its own. */
static void
test_calls_of_one_encoder_share_its_key_frames (void)
{
  GstElement *encoder = new_encoder ();
  Call first = new_call ("", encoder);
  Call second = new_call ("", encoder);

  test_use_clock (first.sender, GST_ELEMENT_CLOCK (second.h->element));
  send_frame (&first, KEY_BYTES);
  send_frame (&second, KEY_BYTES);
  pass_time (&second, GST_SECOND);
  ask (&first);
  ask (&second);
  g_assert_cmpuint (take_requests (&first), ==, 1);
  g_assert_cmpuint (take_requests (&second), ==, 0);
  call_end (&first);
  call_end (&second);
  gst_object_unref (encoder);
}

/* A recorder asks for a key frame at a certain time. */
static void
test_a_request_for_a_time_passes (void)
{
  GstElement *encoder = new_encoder ();
  Call call = new_call ("", encoder);

  send_frame (&call, KEY_BYTES);
  for (guint i = 1; i <= 3; i++)
    gst_harness_push_upstream_event (call.h,
        gst_video_event_new_upstream_force_key_unit (i * GST_SECOND, FALSE, i));
  g_assert_cmpuint (take_requests (&call), ==, 3);
  call_end (&call);
  gst_object_unref (encoder);
}

/* --- several encoders --- */

#define ENCODER(name, ssrc) \
  "videotestsrc is-live=true ! video/x-raw,width=64,height=64 ! " \
  "vp8enc name=" name " deadline=1 ! rtpvp8pay ssrc=" ssrc " ! f. "

/* As of simulcast in webrtcbin: the second funnel gets two streams on one pad, whose
 * caps name none. */
#define FUNNELS \
  "rtpfunnel name=f ! rtpfunnel ! gccsender name=sender ! " \
  "fakesink name=sink async=false sync=false " ENCODER ("first", "111") \
      ENCODER ("second", "222")

static GstPadProbeReturn
count_request (GstPad *pad, GstPadProbeInfo *info, gpointer n)
{
  (void) pad;
  if (gst_video_event_is_force_key_unit (gst_pad_probe_info_get_event (info)))
    g_atomic_int_inc ((gint *) n);

  return GST_PAD_PROBE_OK;
}

static void
watch_encoder (GstElement *pipeline, const gchar *name, gint *n)
{
  GstPad *pad = gst_element_get_static_pad (
      test_get_element (pipeline, name), "src");

  gst_pad_add_probe (
      pad, GST_PAD_PROBE_TYPE_EVENT_UPSTREAM, count_request, n, NULL);
  gst_object_unref (pad);
}

static gboolean
has_come (gpointer n_frames)
{
  return g_atomic_int_get ((gint *) n_frames) > 10;
}

static GstPadProbeReturn
count_packet (GstPad *pad, GstPadProbeInfo *info, gpointer n)
{
  (void) pad;
  (void) info;
  g_atomic_int_inc ((gint *) n);

  return GST_PAD_PROBE_OK;
}

static void
test_a_request_reaches_its_encoder_by_two_funnels (void)
{
  GstElement *pipeline = test_parse (FUNNELS);
  gint n_first = 0, n_second = 0, n_packets = 0;
  GstEvent *event = gst_video_event_new_upstream_force_key_unit (
      GST_CLOCK_TIME_NONE, FALSE, 0);
  GstPad *sink = gst_element_get_static_pad (
      test_get_element (pipeline, "sink"), "sink");

  watch_encoder (pipeline, "first", &n_first);
  watch_encoder (pipeline, "second", &n_second);
  gst_pad_add_probe (sink,
      GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST, count_packet,
      &n_packets, NULL);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  test_wait_until (has_come, &n_packets);
  gst_structure_set (
      gst_event_writable_structure (event), "ssrc", G_TYPE_UINT, 222, NULL);
  g_assert_true (gst_pad_push_event (sink, event));
  g_assert_cmpint (g_atomic_int_get (&n_first), ==, 0);
  g_assert_cmpint (g_atomic_int_get (&n_second), ==, 1);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (sink);
  gst_object_unref (pipeline);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

#define ADD(name) g_test_add_func ("/key-frames/" #name, test_##name)
  ADD (key_frames_on_request_take_a_fifth_at_most);
  ADD (with_a_published_profile_each_request_passes);
  ADD (one_who_joins_gets_a_key_frame_within_a_second);
  ADD (viewers_who_ask_at_once_get_one_key_frame);
  ADD (calls_of_one_encoder_share_its_key_frames);
  ADD (a_request_for_a_time_passes);
  ADD (a_request_reaches_its_encoder_by_two_funnels);
#undef ADD

  return g_test_run ();
}
