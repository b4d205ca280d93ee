/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Two gccsenders beside each other, before one session: the numbers and the guard
 * are the session's. */

#include <gst/gst.h>
#include <string.h>

#include "transport-path.h"

#define SECOND_SSRC 0x22222222u
#define SECOND_CAPS \
  "application/x-rtp,media=video,encoding-name=VP8,clock-rate=90000," \
  "payload=96,ssrc=(uint)572662306" EXTMAP (5)

#define SENDER(name) \
  "gccsender name=" name " start-bitrate=1000000 min-bitrate=100000 " \
  "max-bitrate=2000000 pacing-factor=0 manage=sink+session+fec "
#define TWO_SENDERS \
  SENDER ("second") \
  "! funnel name=f ! session.send_rtp_sink " \
  "rtpsession name=session session.send_rtp_src ! identity " SENDER ( \
      "sender") "! f."

typedef struct {
  Path path; /* of the first one */
  GstElement *second;
  GstPad *source;
  guint16 seq;
} Call;

static void
open_source (Call *self)
{
  GstPad *sink = gst_element_get_static_pad (self->second, "sink");

  self->source = test_open_source (sink, SECOND_CAPS);
  gst_object_unref (sink);
}

static void
call_start (Call *self)
{
  test_tolerate_race_of_rtpsession ();
  *self = (Call){ .seq = 0 };
  path_start_line (&self->path, TWO_SENDERS, NEGOTIATED);
  self->second = gst_bin_get_by_name (GST_BIN (self->path.bin), "second");
  open_source (self);
}

static void
call_stop (Call *self)
{
  gst_pad_set_active (self->source, FALSE);
  path_stop (&self->path);
  gst_object_unref (self->source);
  gst_object_unref (self->second);
}

static GstBuffer *
make_second (Call *self)
{
  GstBuffer *buffer = test_rtp_packet (
      self->seq++, (guint32) (self->path.now / GST_MSECOND * 90), PAYLOAD_SIZE);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  g_assert_true (gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp));
  gst_rtp_buffer_set_ssrc (&rtp, SECOND_SSRC);
  gst_rtp_buffer_unmap (&rtp);

  return path_make_room (buffer, ID);
}

static void
send_second (Call *self)
{
  g_assert_cmpint (
      gst_pad_push (self->source, make_second (self)), ==, GST_FLOW_OK);
  path_take_departures (&self->path);
}

/* Both send one each 10 ms, and the other end reports each 50 ms. */
static void
run (Call *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    path_pass_time (&self->path, 10 * GST_MSECOND);
    path_send_packet (&self->path);
    send_second (self);
    if (i % 5 == 4)
      path_tell (&self->path);
  }
}

static void
assert_numbers_follow (const Path *path)
{
  for (guint i = 0; i < path->departures->len; i++)
    g_assert_cmpuint (path_get_departure (path, i)->number, ==, (guint16) i);
}

/* --- tests --- */

/* What a gccsender reaches that is alone. */
static guint
reach_alone (void)
{
  Path path;
  guint reached;

  path_start (&path, "max-bitrate=2000000", NEGOTIATED);
  for (guint i = 0; i < 1000; i++) {
    path_pass_time (&path, 10 * GST_MSECOND);
    path_send_packet (&path);
    if (i % 5 == 4)
      path_tell (&path);
  }
  reached = test_get_uint (path.sender, "target-bitrate");
  path_stop (&path);

  return reached;
}

/* Guards: 632 of 1305 numbers were given twice, one element had the feedback for
 * both, and the other blamed the other end. */
static void
test_each_number_is_given_once_and_both_get_feedback (void)
{
  guint alone = reach_alone ();
  Call call;

  call_start (&call);
  run (&call, 1000);
  assert_numbers_follow (&call.path);
  for (guint i = 0; i < 2; i++) {
    GstElement *sender = i == 0 ? call.path.sender : call.second;
    guint reached = test_get_uint (sender, "target-bitrate");

    g_test_message ("%u alone, %u beside", alone, reached);
    g_assert_cmpuint (reached, >=, alone / 100 * 95);
    g_assert_cmpuint (test_stats_uint64 (sender, "feedbacks"), >=, 199);
    g_assert_cmpuint (test_stats_uint64 (sender, "feedbacks-ignored"), ==, 0);
    g_assert_cmpuint (test_stats_uint64 (sender, "feedbacks-lost"), ==, 0);
    g_assert_true (test_stats_say (sender, "feedback", "transport-cc"));
  }
  g_assert_cmpuint (test_count_warnings (call.path.bus), ==, 0);
  call_stop (&call);
}

static gdouble
get_loss (GstElement *sender)
{
  GstStructure *stats;
  gdouble loss = -1.;

  g_object_get (sender, "stats", &stats, NULL);
  g_assert_true (gst_structure_get_double (stats, "packet-loss-pct", &loss));
  gst_structure_free (stats);

  return loss;
}

/* Of the second one all are lost. */
static void
test_losses_of_the_other_are_none_of_ours (void)
{
  Call call;
  guint before;

  call_start (&call);
  run (&call, 300);
  before = test_get_uint (call.path.sender, "target-bitrate");
  for (guint i = 0; i < 300; i++) {
    path_pass_time (&call.path, 10 * GST_MSECOND);
    path_send_packet (&call.path);
    call.path.loss_percent = 100;
    send_second (&call);
    call.path.loss_percent = 0;
    if (i % 5 == 4)
      path_tell (&call.path);
  }
  g_assert_cmpfloat (get_loss (call.path.sender), ==, 0.);
  g_assert_cmpfloat (get_loss (call.second), >, 50.);
  g_assert_cmpuint (
      test_get_uint (call.path.sender, "target-bitrate"), >=, before);
  g_assert_cmpuint (test_get_uint (call.second, "target-bitrate"), <, before);
  call_stop (&call);
}

/* Feedback is about the other's packets alone, for longer than the numbers take
 * to come round. */
static void
test_who_pauses_knows_its_numbers_afterwards (void)
{
  Call call;

  call_start (&call);
  run (&call, 100);
  for (guint i = 0; i < 70000; i++) {
    if (i % 10 == 0)
      path_pass_time (&call.path, 10 * GST_MSECOND);
    send_second (&call);
    if (i % 50 == 49)
      path_tell (&call.path);
  }
  g_assert_cmpuint (
      test_stats_uint64 (call.path.sender, "feedbacks-ignored"), ==, 0);
  run (&call, 100);
  assert_numbers_follow (&call.path);
  g_assert_cmpuint (
      test_stats_uint64 (call.path.sender, "feedbacks"), >=, 2 * 19);
  g_assert_cmpuint (
      test_stats_uint64 (call.path.sender, "feedbacks-ignored"), ==, 0);
  call_stop (&call);
}

/* The receiver goes on to expect the next number. */
static void
test_who_leaves_and_returns_continues_the_numbers (void)
{
  guint64 before;
  Call call;

  call_start (&call);
  run (&call, 100);
  gst_element_set_state (call.second, GST_STATE_NULL);
  for (guint i = 0; i < 100; i++) {
    path_pass_time (&call.path, 10 * GST_MSECOND);
    path_send_packet (&call.path);
    if (i % 5 == 4)
      path_tell (&call.path);
  }
  before = test_stats_uint64 (call.path.sender, "feedbacks");
  g_assert_cmpuint (before, >=, 39);

  gst_pad_set_active (call.source, FALSE);
  gst_object_unref (call.source);
  gst_element_set_state (call.second, GST_STATE_PLAYING);
  {
    GstPad *sink = gst_element_get_static_pad (call.second, "sink");
    GstPad *peer = gst_pad_get_peer (sink);

    if (peer != NULL)
      gst_pad_unlink (peer, sink);
    gst_clear_object (&peer);
    gst_object_unref (sink);
  }
  open_source (&call);
  run (&call, 100);
  assert_numbers_follow (&call.path);
  g_assert_cmpuint (test_stats_uint64 (call.second, "feedbacks"), >=, 19);
  g_assert_cmpuint (
      test_stats_uint64 (call.path.sender, "feedbacks"), >=, before + 19);
  call_stop (&call);
}

#define N_IN_THREAD 3000u

static gpointer
push_many (gpointer data)
{
  Call *self = data;

  for (guint i = 0; i < N_IN_THREAD; i++)
    gst_pad_push (self->source, make_second (self));

  return NULL;
}

static void
test_two_threads_get_different_numbers (void)
{
  g_autofree gboolean *is_taken = g_new0 (gboolean, 2 * N_IN_THREAD);
  guint n_overtaken = 0;
  guint16 highest = 0;
  GThread *thread;
  Call call;

  call_start (&call);
  thread = g_thread_new ("second", push_many, &call);
  for (guint i = 0; i < N_IN_THREAD; i++)
    path_push (&call.path, path_make_room (path_make_packet (&call.path), ID));
  g_thread_join (thread);
  path_take_departures (&call.path);
  g_assert_cmpuint (call.path.departures->len, ==, 2 * N_IN_THREAD);
  for (guint i = 0; i < 2 * N_IN_THREAD; i++) {
    guint16 number = path_get_departure (&call.path, i)->number;

    n_overtaken += number < highest;
    highest = MAX (highest, number);

    g_assert_cmpuint (number, <, 2 * N_IN_THREAD);
    g_assert_false (is_taken[number]);
    is_taken[number] = TRUE;
  }
  g_test_message ("%u of %u are overtaken", n_overtaken, 2 * N_IN_THREAD);
  call_stop (&call);
}

/* The element has joined the session, which nobody else holds any more. */
static void
test_the_session_may_go_first (void)
{
  GstElement *session;
  Call call;

  call_start (&call);
  run (&call, 20);
  session = gst_bin_get_by_name (GST_BIN (call.path.bin), "session");
  gst_element_set_state (session, GST_STATE_NULL);
  gst_bin_remove (GST_BIN (call.path.bin), session);
  gst_object_unref (session);
  gst_pad_push (call.source, make_second (&call));
  gst_harness_push (
      call.path.harness, path_make_room (path_make_packet (&call.path), ID));
  call_stop (&call);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

#define ADD(name) g_test_add_func ("/side-by-side/" #name, test_##name)
  ADD (each_number_is_given_once_and_both_get_feedback);
  ADD (losses_of_the_other_are_none_of_ours);
  ADD (who_pauses_knows_its_numbers_afterwards);
  ADD (who_leaves_and_returns_continues_the_numbers);
  ADD (two_threads_get_different_numbers);
  ADD (the_session_may_go_first);

  return g_test_run ();
}
