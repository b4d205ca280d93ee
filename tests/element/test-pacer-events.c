/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* What downstream answers, events and queries while gccsender paces. "Before" in a
 * comment is what an attack on an earlier version saw. */

#include <gst/gst.h>
#include <gst/rtp/rtp.h>

#include "element-test.h"
#include "pad-call.h"

#define MAX_EVENTS 64

/* --- what downstream answers --- */

static void
push_until (PadStream *self, GstFlowReturn flow)
{
  guint n = 0;

  while (pad_stream_push (self, 1) != flow) {
    g_usleep (100);
    g_assert_cmpuint (n++, <, 100000);
  }
}

static void
unlink_out (PadStream *self)
{
  GstPad *srcpad = gst_pad_get_peer (self->out);

  g_assert_true (gst_pad_unlink (srcpad, self->out));
  push_until (self, GST_FLOW_NOT_LINKED);
  pad_call_forget_seen (self->call);
  gst_object_unref (srcpad);
}

static void
relink_out (PadStream *self, GstPadLinkCheck check)
{
  GstPad *srcpad = gst_element_get_static_pad (self->call->sender, "src");

  g_assert_cmpint (
      gst_pad_link_full (srcpad, self->out, check), ==, GST_PAD_LINK_OK);
  gst_object_unref (srcpad);
}

/* Before: NOT_LINKED was answered for ever. */
static void
test_a_stream_that_is_linked_again_flows (void)
{
  PadCall call;
  PadStream stream;

  pad_call_start (&call, &stream, NULL);
  unlink_out (&stream);
  while (test_stats_uint64 (call.sender, "queued-bytes") > 0)
    g_usleep (100);
  relink_out (&stream, GST_PAD_LINK_CHECK_DEFAULT);
  g_assert_cmpint (pad_stream_push (&stream, 7), ==, GST_FLOW_OK);
  pad_call_wait_for (&call, "0:7 ");

  pad_call_stop (&call);
  pad_stream_stop (&stream);
}

/* Many applications link so, without an event. */
static void
test_a_quiet_link_is_found_too (void)
{
  PadCall call;
  PadStream stream;

  pad_call_start (&call, &stream, NULL);
  unlink_out (&stream);
  relink_out (
      &stream, GST_PAD_LINK_CHECK_DEFAULT | GST_PAD_LINK_CHECK_NO_RECONFIGURE);
  push_until (&stream, GST_FLOW_OK);
  pad_call_wait_for (&call, "0:1 ");

  pad_call_stop (&call);
  pad_stream_stop (&stream);
}

static void
test_an_error_stays_until_a_flush (void)
{
  PadCall call;
  PadStream stream;

  pad_call_start (&call, &stream, NULL);
  pad_stream_set_flow (&stream, GST_FLOW_ERROR);
  push_until (&stream, GST_FLOW_ERROR);
  pad_stream_set_flow (&stream, GST_FLOW_OK);
  gst_pad_push_event (stream.out, gst_event_new_reconfigure ());
  for (guint i = 0; i < 10; i++)
    g_assert_cmpint (pad_stream_push (&stream, 2), ==, GST_FLOW_ERROR);
  gst_pad_push_event (stream.in, gst_event_new_flush_start ());
  gst_pad_push_event (stream.in, gst_event_new_flush_stop (TRUE));
  pad_stream_push_segment (&stream);
  g_assert_cmpint (pad_stream_push (&stream, 3), ==, GST_FLOW_OK);
  pad_call_wait_for (&call, "0:3 ");

  pad_call_stop (&call);
  pad_stream_stop (&stream);
}

/* --- events and queries --- */

/* Before: CAPS that waited were dropped with the packets. */
static void
test_caps_outlive_a_flush (void)
{
  PadCall call;
  PadStream stream;
  GstCaps *caps, *expected = gst_caps_from_string (TEST_RTP_CAPS ",a=(int)1");

  pad_call_start (&call, &stream, NULL);
  pad_stream_block_with_packet (&stream, 1);
  pad_stream_push_caps (&stream, TEST_RTP_CAPS ",a=(int)1");
  pad_stream_push (&stream, 2);
  pad_stream_push_custom (&stream);
  gst_pad_push_event (stream.in, gst_event_new_flush_start ());
  pad_stream_set_blocked (&stream, FALSE);
  gst_pad_push_event (stream.in, gst_event_new_flush_stop (TRUE));
  pad_stream_push_segment (&stream);
  pad_stream_push (&stream, 3);
  pad_call_wait_for (
      &call, "0:flush-start 0:1 0:flush-stop 0:caps 0:segment 0:3 ");
  caps = gst_pad_get_current_caps (stream.out);
  g_assert_true (gst_caps_is_equal (caps, expected));

  gst_caps_unref (expected);
  gst_caps_unref (caps);
  pad_call_stop (&call);
  pad_stream_stop (&stream);
}

/* Before: the query waited until the other stream's packets had left. */
static void
test_a_query_of_an_idle_stream_waits_for_none (void)
{
  PadCall call;
  PadStream blocked, idle;

  pad_call_start (&call, &blocked, &idle);
  pad_call_wait_for (&call, "1:segment");
  pad_stream_block_with_packet (&blocked, 1);
  pad_stream_push (&blocked, 2);
  pad_stream_push_custom (&blocked);
  test_check_returns (pad_stream_query_drain, &idle);
  pad_stream_set_blocked (&blocked, FALSE);
  test_check_returns (pad_stream_query_drain, &blocked);
  g_assert_true (pad_call_has_seen (&call, "0:1 0:2 0:custom-downstream "));

  pad_call_stop (&call);
  pad_stream_stop (&blocked);
  pad_stream_stop (&idle);
}

typedef struct {
  PadStream *stream;
  gint n_pushed;
} Events;

static gpointer
push_events (gpointer data)
{
  Events *self = data;

  for (guint i = 0; i < 1000; i++) {
    pad_stream_push_custom (self->stream);
    g_atomic_int_inc (&self->n_pushed);
  }
  pad_stream_push_caps (self->stream, TEST_RTP_CAPS ",a=(int)2");
  gst_pad_push_event (self->stream->in, gst_event_new_eos ());

  return NULL;
}

static gboolean
has_filled_up (gpointer data)
{
  return g_atomic_int_get (&((Events *) data)->n_pushed) >= MAX_EVENTS;
}

/* Before: all of them were queued, without bound. */
static void
test_events_of_a_blocked_stream_are_bounded (void)
{
  PadCall call;
  PadStream stream;
  Events events = { .stream = &stream };
  GThread *thread;

  pad_call_start (&call, &stream, NULL);
  pad_stream_block_with_packet (&stream, 1);
  thread = g_thread_new ("events", push_events, &events);
  test_wait_until (has_filled_up, &events);
  /* time for the others, were it not to wait */
  g_usleep (20000);
  g_assert_cmpint (g_atomic_int_get (&events.n_pushed), ==, MAX_EVENTS);
  pad_stream_set_blocked (&stream, FALSE);
  g_thread_join (thread);
  pad_call_wait_for (&call, "0:caps 0:eos ");

  pad_call_stop (&call);
  pad_stream_stop (&stream);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

#define ADD(name) g_test_add_func ("/pacer-events/" #name, test_##name)
  ADD (a_stream_that_is_linked_again_flows);
  ADD (a_quiet_link_is_found_too);
  ADD (an_error_stays_until_a_flush);
  ADD (caps_outlive_a_flush);
  ADD (a_query_of_an_idle_stream_waits_for_none);
  ADD (events_of_a_blocked_stream_are_bounded);
#undef ADD

  return g_test_run ();
}
