/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Streams that pass and streams that block while gccsender paces. "Before" in a
 * comment is what an attack on an earlier version saw. */

#include <gst/gst.h>
#include <gst/rtp/rtp.h>

#include "element-test.h"
#include "pad-call.h"

/* --- packets that pass --- */

typedef struct {
  PadStream *stream;
  guint16 seqnum;
  GThread *thread;
} Passing;

static gpointer
push_one (gpointer data)
{
  Passing *self = data;

  return GINT_TO_POINTER (pad_stream_push (self->stream, self->seqnum));
}

/* In a thread of its own, which stays downstream. */
static void
pass (Passing *self)
{
  pad_stream_set_blocked (self->stream, TRUE);
  self->thread = g_thread_new ("passes", push_one, self);
  test_wait_until (pad_stream_is_in_chain, self->stream);
}

static GstFlowReturn
end_passing (Passing *self)
{
  pad_stream_set_blocked (self->stream, FALSE);

  return GPOINTER_TO_INT (g_thread_join (self->thread));
}

static void
test_a_packet_that_is_due_spares_the_pacers_thread (void)
{
  PadCall call;
  PadStream stream;

  pad_call_start (&call, &stream, NULL);
  pad_call_wait_for (&call, "0:segment ");
  pad_stream_query_drain (&stream);
  g_assert_cmpint (pad_stream_push (&stream, 1), ==, GST_FLOW_OK);
  g_assert_true (pad_call_has_seen (&call, "0:1 "));
  g_assert_true (stream.thread == g_thread_self ());
  /* so long that the pace allows for the next */
  g_usleep (1000);
  pad_stream_set_flow (&stream, GST_FLOW_EOS);
  g_assert_cmpint (pad_stream_push (&stream, 2), ==, GST_FLOW_EOS);

  pad_call_stop (&call);
  pad_stream_stop (&stream);
}

/* Before: what came of all other streams left after it. */
static void
test_other_streams_go_on_while_a_packet_passes (void)
{
  PadCall call;
  PadStream passes, goes_on;
  Passing passing = { .stream = &passes, .seqnum = 1 };

  pad_call_start (&call, &passes, &goes_on);
  pad_stream_query_drain (&passes);
  pad_stream_query_drain (&goes_on);
  pass (&passing);
  g_assert_cmpint (pad_stream_push (&goes_on, 10), ==, GST_FLOW_OK);
  pad_stream_push_custom (&goes_on);
  g_assert_cmpint (pad_stream_push (&goes_on, 11), ==, GST_FLOW_OK);
  pad_call_wait_for (&call, "1:10 1:custom-downstream 1:11 ");
  g_assert_false (pad_call_has_seen (&call, "0:1 "));
  g_assert_cmpint (end_passing (&passing), ==, GST_FLOW_OK);
  g_assert_true (pad_call_has_seen (&call, "0:1 "));

  pad_call_stop (&call);
  pad_stream_stop (&passes);
  pad_stream_stop (&goes_on);
}

static void
test_a_stream_is_flushed_while_its_packet_passes (void)
{
  PadCall call;
  PadStream stream;
  Passing passing = { .stream = &stream, .seqnum = 1 };

  pad_call_start (&call, &stream, NULL);
  pad_stream_query_drain (&stream);
  pass (&passing);
  gst_pad_push_event (stream.in, gst_event_new_flush_start ());
  g_assert_cmpint (end_passing (&passing), ==, GST_FLOW_FLUSHING);
  gst_pad_push_event (stream.in, gst_event_new_flush_stop (TRUE));
  pad_stream_push_segment (&stream);
  g_assert_cmpint (pad_stream_push (&stream, 2), ==, GST_FLOW_OK);
  pad_call_wait_for (&call, "0:flush-start 0:1 0:flush-stop 0:segment 0:2 ");

  pad_call_stop (&call);
  pad_stream_stop (&stream);
}

/* --- streams that block --- */

#define N_STREAMS 8

static void
push_on (PadStream *streams, guint16 seqnum)
{
  for (guint i = 1; i < N_STREAMS; i++) {
    pad_stream_push_custom (&streams[i]);
    g_assert_cmpint (pad_stream_push (&streams[i], seqnum), ==, GST_FLOW_OK);
  }
}

static void
wait_for_all (PadCall *call, guint16 seqnum)
{
  for (guint i = 1; i < N_STREAMS; i++) {
    gchar *what = g_strdup_printf ("%u:%u ", i, seqnum);

    pad_call_wait_for (call, what);
    g_free (what);
  }
}

/* One after the other is blocked until only the last stream flows, all the time
 * the same. Before: one thread pushed for all, and stayed with the first. */
static void
test_a_stream_that_blocks_holds_up_no_other (void)
{
  PadCall call;
  PadStream streams[N_STREAMS];

  pad_call_start (&call, NULL, NULL);
  for (guint i = 0; i < N_STREAMS; i++)
    pad_stream_start (&streams[i], &call, i);
  pad_stream_block_with_packet (&streams[0], 1);
  pad_stream_push (&streams[0], 2);
  push_on (streams, 10);
  wait_for_all (&call, 10);
  for (guint i = 1; i < N_STREAMS - 1; i++)
    pad_stream_block_with_packet (&streams[i], 20);
  g_assert_cmpint (
      pad_stream_push (&streams[N_STREAMS - 1], 30), ==, GST_FLOW_OK);
  pad_call_wait_for (&call, "7:30 ");
  gst_pad_push_event (streams[N_STREAMS - 1].in, gst_event_new_eos ());
  pad_call_wait_for (&call, "7:eos ");
  g_assert_false (pad_call_has_seen (&call, "0:1 "));
  for (guint i = 0; i < N_STREAMS; i++)
    pad_stream_set_blocked (&streams[i], FALSE);
  pad_call_wait_for (&call, "0:2 ");

  pad_call_stop (&call);
  for (guint i = 0; i < N_STREAMS; i++)
    pad_stream_stop (&streams[i]);
}

/* A flush, the end and the release of other streams meanwhile. */
static void
test_streams_are_flushed_and_leave_while_one_blocks (void)
{
  PadCall call;
  PadStream blocked, flushed, removed;

  pad_call_start (&call, &blocked, &flushed);
  pad_stream_start (&removed, &call, 2);
  pad_stream_block_with_packet (&blocked, 1);
  gst_pad_push_event (flushed.in, gst_event_new_flush_start ());
  gst_pad_push_event (flushed.in, gst_event_new_flush_stop (TRUE));
  pad_stream_push_segment (&flushed);
  pad_stream_push (&flushed, 2);
  pad_call_wait_for (&call, "1:2 ");
  pad_stream_push (&removed, 3);
  pad_call_wait_for (&call, "2:3 ");
  test_check_returns (pad_stream_release, &removed);
  pad_stream_push (&flushed, 4);
  pad_call_wait_for (&call, "1:4 ");
  g_assert_false (pad_call_has_seen (&call, "0:1 "));
  pad_stream_set_blocked (&blocked, FALSE);

  pad_stream_stop (&removed);
  pad_call_stop (&call);
  pad_stream_stop (&blocked);
  pad_stream_stop (&flushed);
}

/* From the thread that is downstream, as an element does that seeks. Before: it
 * waited for itself. */
static void
flush_from_downstream (gpointer data)
{
  PadStream *self = data;

  pad_stream_set_flag (self, &self->flushes_in_chain, TRUE);
  pad_stream_push (self, 1);
}

static void
test_downstream_may_flush_its_own_stream (void)
{
  PadCall call;
  PadStream stream;

  pad_call_start (&call, &stream, NULL);
  pad_stream_query_drain (&stream);
  test_check_returns (flush_from_downstream, &stream);
  g_assert_cmpint (pad_stream_push (&stream, 2), ==, GST_FLOW_OK);
  pad_call_wait_for (&call, "0:flush-start 0:flush-stop 0:1 0:segment 0:2 ");

  pad_call_stop (&call);
  pad_stream_stop (&stream);
}

/* --- states --- */

static GstPadProbeReturn
block_pad (GstPad *pad, GstPadProbeInfo *info, gpointer flag)
{
  (void) pad;
  (void) info;
  g_atomic_int_set ((gint *) flag, TRUE);

  return GST_PAD_PROBE_OK;
}

static void
set_to_null (gpointer sender)
{
  gst_element_set_state (sender, GST_STATE_NULL);
}

static void
start_blocked (PadCall *call, PadStream *stream, gint *is_blocked)
{
  GstPad *srcpad;

  pad_call_start (call, stream, NULL);
  pad_stream_query_drain (stream);
  srcpad = gst_element_get_static_pad (call->sender, "src");
  gst_pad_add_probe (srcpad,
      GST_PAD_PROBE_TYPE_BLOCK | GST_PAD_PROBE_TYPE_BUFFER, block_pad,
      is_blocked, NULL);
  gst_object_unref (srcpad);
}

/* Before: the pacer's thread was waited for before its pad was deactivated,
 * which alone ends such a push. */
static void
test_a_blocked_source_pad_does_not_hold_up_null (void)
{
  PadCall call;
  PadStream stream;
  gint is_blocked = FALSE;

  start_blocked (&call, &stream, &is_blocked);
  pad_stream_push_by_thread (&stream, 1);
  test_wait_until (test_is_set, &is_blocked);
  pad_stream_push (&stream, 2);
  test_check_returns (set_to_null, call.sender);
  g_assert_false (pad_call_has_seen (&call, "0:1 "));

  pad_call_stop (&call);
  pad_stream_stop (&stream);
}

static void
test_a_packet_that_passes_does_not_hold_up_null (void)
{
  PadCall call;
  PadStream stream;
  Passing passing = { .stream = &stream, .seqnum = 1 };
  gint is_blocked = FALSE;

  start_blocked (&call, &stream, &is_blocked);
  passing.thread = g_thread_new ("passes", push_one, &passing);
  test_wait_until (test_is_set, &is_blocked);
  test_check_returns (set_to_null, call.sender);
  g_assert_false (pad_call_has_seen (&call, "0:1 "));
  g_assert_cmpint (
      GPOINTER_TO_INT (g_thread_join (passing.thread)), <, GST_FLOW_OK);

  pad_call_stop (&call);
  pad_stream_stop (&stream);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

#define ADD(name) g_test_add_func ("/pacer-blocking/" #name, test_##name)
  ADD (a_packet_that_is_due_spares_the_pacers_thread);
  ADD (other_streams_go_on_while_a_packet_passes);
  ADD (a_stream_is_flushed_while_its_packet_passes);
  ADD (a_stream_that_blocks_holds_up_no_other);
  ADD (streams_are_flushed_and_leave_while_one_blocks);
  ADD (downstream_may_flush_its_own_stream);
  ADD (a_blocked_source_pad_does_not_hold_up_null);
  ADD (a_packet_that_passes_does_not_hold_up_null);
#undef ADD

  return g_test_run ();
}
