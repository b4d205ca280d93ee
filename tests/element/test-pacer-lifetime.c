/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Streams that block, end, fail and leave while gccsender paces. "Before" in a
 * comment is what an attack on an earlier version saw. */

#include <gst/gst.h>
#include <gst/rtp/rtp.h>
#include <string.h>

#include "element-test.h"

#define PAYLOAD 1000u
#define MAX_EVENTS 64

/* --- a gccsender between the test's own pads --- */

typedef struct {
  GstElement *sender;
  GMutex lock;
  GCond changed;
  /* what arrived: "1:7 " is packet 7 of stream 1, "0:eos " an event */
  GString *seen;
} Call;

/* A stream: @in pushes to @sinkpad of the element, and what leaves the element
 * comes to @out. While @is_blocked downstream takes its time for packets, while
 * @holds_events for custom events. With @flushes_in_chain the next packet makes
 * downstream flush the stream. @thread brought the last packet there. */
typedef struct {
  Call *call;
  guint number;
  GstPad *in;
  GstPad *sinkpad;
  GstPad *out;
  gboolean is_blocked;
  gboolean is_in_chain;
  gboolean holds_events;
  gboolean is_in_event;
  gboolean flushes_in_chain;
  GThread *thread;
  GstFlowReturn flow;
} Stream;

static guint16
seqnum_of (GstBuffer *buffer)
{
  guint16 seqnum;

  g_assert_cmpuint (
      gst_buffer_extract (buffer, 2, &seqnum, sizeof seqnum), ==, 2);

  return GUINT16_FROM_BE (seqnum);
}

static void
push_segment_into (GstPad *pad)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (pad, gst_event_new_segment (&segment));
}

static void
flush (Stream *self)
{
  gst_pad_push_event (self->in, gst_event_new_flush_start ());
  gst_pad_push_event (self->in, gst_event_new_flush_stop (TRUE));
  push_segment_into (self->in);
}

static GstFlowReturn
chain (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  Stream *self = gst_pad_get_element_private (pad);
  gboolean flushes;
  GstFlowReturn flow;

  (void) parent;
  g_mutex_lock (&self->call->lock);
  flushes = self->flushes_in_chain;
  self->flushes_in_chain = FALSE;
  g_mutex_unlock (&self->call->lock);
  if (flushes)
    flush (self);
  g_mutex_lock (&self->call->lock);
  self->is_in_chain = TRUE;
  while (self->is_blocked)
    g_cond_wait (&self->call->changed, &self->call->lock);
  self->is_in_chain = FALSE;
  self->thread = g_thread_self ();
  g_string_append_printf (
      self->call->seen, "%u:%u ", self->number, seqnum_of (buffer));
  flow = self->flow;
  g_mutex_unlock (&self->call->lock);
  gst_buffer_unref (buffer);

  return flow;
}

static gboolean
take_event (GstPad *pad, GstObject *parent, GstEvent *event)
{
  Stream *self = gst_pad_get_element_private (pad);

  (void) parent;
  g_mutex_lock (&self->call->lock);
  self->is_in_event = GST_EVENT_TYPE (event) == GST_EVENT_CUSTOM_DOWNSTREAM;
  while (self->is_in_event && self->holds_events)
    g_cond_wait (&self->call->changed, &self->call->lock);
  self->is_in_event = FALSE;
  g_string_append_printf (
      self->call->seen, "%u:%s ", self->number, GST_EVENT_TYPE_NAME (event));
  g_mutex_unlock (&self->call->lock);
  gst_event_unref (event);

  return TRUE;
}

static gboolean
take_query (GstPad *pad, GstObject *parent, GstQuery *query)
{
  (void) pad;
  (void) parent;

  return GST_QUERY_TYPE (query) == GST_QUERY_DRAIN;
}

static void
call_start (Call *self, gdouble pacing_factor)
{
  self->sender = gst_object_ref_sink (
      gst_element_factory_make ("gccsender", NULL));
  self->seen = g_string_new (NULL);
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  g_object_set (self->sender, "start-bitrate", 2000000, "pacing-factor",
      pacing_factor, "max-pacing-delay", 50, NULL);
  g_assert_cmpint (gst_element_set_state (self->sender, GST_STATE_PLAYING), ==,
      GST_STATE_CHANGE_SUCCESS);
}

static void
call_stop (Call *self)
{
  gst_element_set_state (self->sender, GST_STATE_NULL);
  gst_object_unref (self->sender);
  g_string_free (self->seen, TRUE);
  g_cond_clear (&self->changed);
  g_mutex_clear (&self->lock);
}

static void
push_caps (Stream *self, const gchar *text)
{
  GstCaps *caps = gst_caps_from_string (text);

  gst_pad_push_event (self->in, gst_event_new_caps (caps));
  gst_caps_unref (caps);
}

static void
push_segment (Stream *self)
{
  push_segment_into (self->in);
}

static void
push_custom (Stream *self)
{
  gst_pad_push_event (self->in,
      gst_event_new_custom (
          GST_EVENT_CUSTOM_DOWNSTREAM, gst_structure_new_empty ("anything")));
}

static GstFlowReturn
push (Stream *self, guint16 seqnum)
{
  return gst_pad_push (self->in, test_rtp_packet (seqnum, 0, PAYLOAD));
}

static void
stream_start (Stream *self, Call *call, guint number)
{
  gchar *src_name = number == 0 ? g_strdup ("src")
                                : g_strdup_printf ("src_%u", number);
  gchar *sink_name = g_strdup_printf ("sink_%u", number);
  GstPad *srcpad;

  *self = (Stream){ .call = call, .number = number };
  self->sinkpad = number == 0
      ? gst_element_get_static_pad (call->sender, "sink")
      : gst_element_request_pad_simple (call->sender, sink_name);
  srcpad = gst_element_get_static_pad (call->sender, src_name);
  self->in = gst_pad_new ("in", GST_PAD_SRC);
  self->out = gst_pad_new ("out", GST_PAD_SINK);
  gst_pad_set_element_private (self->out, self);
  gst_pad_set_chain_function (self->out, chain);
  gst_pad_set_event_function (self->out, take_event);
  gst_pad_set_query_function (self->out, take_query);
  gst_pad_set_active (self->in, TRUE);
  gst_pad_set_active (self->out, TRUE);
  g_assert_cmpint (gst_pad_link (srcpad, self->out), ==, GST_PAD_LINK_OK);
  g_assert_cmpint (gst_pad_link (self->in, self->sinkpad), ==, GST_PAD_LINK_OK);
  gst_pad_push_event (self->in, gst_event_new_stream_start ("stream"));
  push_caps (self, TEST_RTP_CAPS);
  push_segment (self);
  gst_object_unref (srcpad);
  g_free (sink_name);
  g_free (src_name);
}

static void
stream_release (Stream *self)
{
  gst_element_release_request_pad (self->call->sender, self->sinkpad);
  gst_clear_object (&self->sinkpad);
}

static void
stream_stop (Stream *self)
{
  gst_clear_object (&self->sinkpad);
  gst_pad_set_active (self->in, FALSE);
  gst_pad_set_active (self->out, FALSE);
  gst_object_unref (self->in);
  gst_object_unref (self->out);
}

static void
set_flag (Stream *self, gboolean *flag, gboolean value)
{
  g_mutex_lock (&self->call->lock);
  *flag = value;
  g_cond_broadcast (&self->call->changed);
  g_mutex_unlock (&self->call->lock);
}

static void
set_blocked (Stream *self, gboolean is_blocked)
{
  set_flag (self, &self->is_blocked, is_blocked);
}

static void
set_flow (Stream *self, GstFlowReturn flow)
{
  g_mutex_lock (&self->call->lock);
  self->flow = flow;
  g_mutex_unlock (&self->call->lock);
}

static gboolean
get_flag (Stream *self, const gboolean *flag)
{
  gboolean value;

  g_mutex_lock (&self->call->lock);
  value = *flag;
  g_mutex_unlock (&self->call->lock);

  return value;
}

static gboolean
is_in_chain (gpointer stream)
{
  return get_flag (stream, &((Stream *) stream)->is_in_chain);
}

static gboolean
is_in_event (gpointer stream)
{
  return get_flag (stream, &((Stream *) stream)->is_in_event);
}

/* The pacer's thread pushes the packet: it comes while that thread pushes an
 * event, and cannot pass by itself. */
static void
push_by_thread (Stream *self, guint16 seqnum)
{
  set_flag (self, &self->holds_events, TRUE);
  push_custom (self);
  test_wait_until (is_in_event, self);
  g_assert_cmpint (push (self, seqnum), ==, GST_FLOW_OK);
  set_flag (self, &self->holds_events, FALSE);
}

/* The pacer's thread is downstream, and stays there. */
static void
block_with_packet (Stream *self, guint16 seqnum)
{
  set_blocked (self, TRUE);
  push_by_thread (self, seqnum);
  test_wait_until (is_in_chain, self);
}

static gboolean
has_seen (Call *self, const gchar *what)
{
  gboolean has;

  g_mutex_lock (&self->lock);
  has = strstr (self->seen->str, what) != NULL;
  g_mutex_unlock (&self->lock);

  return has;
}

typedef struct {
  Call *call;
  const gchar *what;
} Expected;

static gboolean
has_come (gpointer expected)
{
  return has_seen (
      ((Expected *) expected)->call, ((Expected *) expected)->what);
}

static void
wait_for (Call *self, const gchar *what)
{
  Expected expected = { self, what };

  test_wait_until (has_come, &expected);
}

static void
forget_seen (Call *self)
{
  g_mutex_lock (&self->lock);
  g_string_truncate (self->seen, 0);
  g_mutex_unlock (&self->lock);
}

/* --- what would hang the test fails it --- */

typedef struct {
  void (*call) (gpointer data);
  gpointer data;
  gint done;
} Job;

static gpointer
run_job (gpointer data)
{
  Job *self = data;

  self->call (self->data);
  g_atomic_int_set (&self->done, TRUE);

  return NULL;
}

static gboolean
is_done (gpointer job)
{
  return g_atomic_int_get (&((Job *) job)->done);
}

static void
check_returns (void (*call) (gpointer data), gpointer data)
{
  Job job = { .call = call, .data = data };
  GThread *thread = g_thread_new ("job", run_job, &job);

  test_wait_until (is_done, &job);
  g_thread_join (thread);
}

/* --- packets that pass --- */

static void
query_drain (gpointer data)
{
  Stream *self = data;
  GstQuery *query = gst_query_new_drain ();

  g_assert_true (gst_pad_peer_query (self->in, query));
  gst_query_unref (query);
}

typedef struct {
  Stream *stream;
  guint16 seqnum;
  GThread *thread;
} Passing;

static gpointer
push_one (gpointer data)
{
  Passing *self = data;

  return GINT_TO_POINTER (push (self->stream, self->seqnum));
}

/* In a thread of its own, which stays downstream. */
static void
pass (Passing *self)
{
  set_blocked (self->stream, TRUE);
  self->thread = g_thread_new ("passes", push_one, self);
  test_wait_until (is_in_chain, self->stream);
}

static GstFlowReturn
end_passing (Passing *self)
{
  set_blocked (self->stream, FALSE);

  return GPOINTER_TO_INT (g_thread_join (self->thread));
}

static void
test_a_packet_that_is_due_spares_the_pacers_thread (void)
{
  Call call = { 0 };
  Stream stream;

  call_start (&call, 100.);
  stream_start (&stream, &call, 0);
  wait_for (&call, "0:segment ");
  query_drain (&stream);
  g_assert_cmpint (push (&stream, 1), ==, GST_FLOW_OK);
  g_assert_true (has_seen (&call, "0:1 "));
  g_assert_true (stream.thread == g_thread_self ());
  /* so long that the pace allows for the next */
  g_usleep (1000);
  set_flow (&stream, GST_FLOW_EOS);
  g_assert_cmpint (push (&stream, 2), ==, GST_FLOW_EOS);

  call_stop (&call);
  stream_stop (&stream);
}

/* Before: what came of all other streams left after it. */
static void
test_other_streams_go_on_while_a_packet_passes (void)
{
  Call call = { 0 };
  Stream passes, goes_on;
  Passing passing = { .stream = &passes, .seqnum = 1 };

  call_start (&call, 100.);
  stream_start (&passes, &call, 0);
  stream_start (&goes_on, &call, 1);
  query_drain (&passes);
  query_drain (&goes_on);
  pass (&passing);
  g_assert_cmpint (push (&goes_on, 10), ==, GST_FLOW_OK);
  push_custom (&goes_on);
  g_assert_cmpint (push (&goes_on, 11), ==, GST_FLOW_OK);
  wait_for (&call, "1:10 1:custom-downstream 1:11 ");
  g_assert_false (has_seen (&call, "0:1 "));
  g_assert_cmpint (end_passing (&passing), ==, GST_FLOW_OK);
  g_assert_true (has_seen (&call, "0:1 "));

  call_stop (&call);
  stream_stop (&passes);
  stream_stop (&goes_on);
}

static void
test_a_stream_is_flushed_while_its_packet_passes (void)
{
  Call call = { 0 };
  Stream stream;
  Passing passing = { .stream = &stream, .seqnum = 1 };

  call_start (&call, 100.);
  stream_start (&stream, &call, 0);
  query_drain (&stream);
  pass (&passing);
  gst_pad_push_event (stream.in, gst_event_new_flush_start ());
  g_assert_cmpint (end_passing (&passing), ==, GST_FLOW_FLUSHING);
  gst_pad_push_event (stream.in, gst_event_new_flush_stop (TRUE));
  push_segment (&stream);
  g_assert_cmpint (push (&stream, 2), ==, GST_FLOW_OK);
  wait_for (&call, "0:flush-start 0:1 0:flush-stop 0:segment 0:2 ");

  call_stop (&call);
  stream_stop (&stream);
}

/* --- streams that block --- */

static void
release (gpointer stream)
{
  stream_release (stream);
}

#define N_STREAMS 8

static void
push_on (Stream *streams, guint16 seqnum)
{
  for (guint i = 1; i < N_STREAMS; i++) {
    push_custom (&streams[i]);
    g_assert_cmpint (push (&streams[i], seqnum), ==, GST_FLOW_OK);
  }
}

static void
wait_for_all (Call *call, guint16 seqnum)
{
  for (guint i = 1; i < N_STREAMS; i++) {
    gchar *what = g_strdup_printf ("%u:%u ", i, seqnum);

    wait_for (call, what);
    g_free (what);
  }
}

/* One after the other is blocked until only the last stream flows, all the time
 * the same. Before: one thread pushed for all, and stayed with the first. */
static void
test_a_stream_that_blocks_holds_up_no_other (void)
{
  Call call = { 0 };
  Stream streams[N_STREAMS];

  call_start (&call, 100.);
  for (guint i = 0; i < N_STREAMS; i++)
    stream_start (&streams[i], &call, i);
  block_with_packet (&streams[0], 1);
  push (&streams[0], 2);
  push_on (streams, 10);
  wait_for_all (&call, 10);
  for (guint i = 1; i < N_STREAMS - 1; i++)
    block_with_packet (&streams[i], 20);
  g_assert_cmpint (push (&streams[N_STREAMS - 1], 30), ==, GST_FLOW_OK);
  wait_for (&call, "7:30 ");
  gst_pad_push_event (streams[N_STREAMS - 1].in, gst_event_new_eos ());
  wait_for (&call, "7:eos ");
  g_assert_false (has_seen (&call, "0:1 "));
  for (guint i = 0; i < N_STREAMS; i++)
    set_blocked (&streams[i], FALSE);
  wait_for (&call, "0:2 ");

  call_stop (&call);
  for (guint i = 0; i < N_STREAMS; i++)
    stream_stop (&streams[i]);
}

/* A flush, the end and the release of other streams meanwhile. */
static void
test_streams_are_flushed_and_leave_while_one_blocks (void)
{
  Call call = { 0 };
  Stream blocked, flushed, removed;

  call_start (&call, 100.);
  stream_start (&blocked, &call, 0);
  stream_start (&flushed, &call, 1);
  stream_start (&removed, &call, 2);
  block_with_packet (&blocked, 1);
  gst_pad_push_event (flushed.in, gst_event_new_flush_start ());
  gst_pad_push_event (flushed.in, gst_event_new_flush_stop (TRUE));
  push_segment (&flushed);
  push (&flushed, 2);
  wait_for (&call, "1:2 ");
  push (&removed, 3);
  wait_for (&call, "2:3 ");
  check_returns (release, &removed);
  push (&flushed, 4);
  wait_for (&call, "1:4 ");
  g_assert_false (has_seen (&call, "0:1 "));
  set_blocked (&blocked, FALSE);

  stream_stop (&removed);
  call_stop (&call);
  stream_stop (&blocked);
  stream_stop (&flushed);
}

/* From the thread that is downstream, as an element does that seeks. Before: it
 * waited for itself. */
static void
flush_from_downstream (gpointer data)
{
  Stream *self = data;

  set_flag (self, &self->flushes_in_chain, TRUE);
  push (self, 1);
}

static void
test_downstream_may_flush_its_own_stream (void)
{
  Call call = { 0 };
  Stream stream;

  call_start (&call, 100.);
  stream_start (&stream, &call, 0);
  query_drain (&stream);
  check_returns (flush_from_downstream, &stream);
  g_assert_cmpint (push (&stream, 2), ==, GST_FLOW_OK);
  wait_for (&call, "0:flush-start 0:flush-stop 0:1 0:segment 0:2 ");

  call_stop (&call);
  stream_stop (&stream);
}

/* --- streams that leave --- */

static void
note_finalized (gpointer flag, GObject *object)
{
  (void) object;
  g_atomic_int_inc ((gint *) flag);
}

static gboolean
is_set (gpointer flag)
{
  return g_atomic_int_get ((gint *) flag) > 0;
}

typedef struct {
  Stream *stream;
  GstPad *sinkpad;
} Released;

static gboolean
is_flushing (gpointer pad)
{
  return GST_PAD_IS_FLUSHING (pad);
}

static gpointer
unblock_when_released (gpointer data)
{
  Released *self = data;

  test_wait_until (is_flushing, self->sinkpad);
  set_blocked (self->stream, FALSE);

  return NULL;
}

/* Ends the push once the release has begun. */
static void
release_and_unblock (Stream *self)
{
  Released released = { self, gst_object_ref (self->sinkpad) };
  GThread *thread = g_thread_new ("unblocks", unblock_when_released, &released);

  stream_release (self);
  g_thread_join (thread);
  gst_object_unref (released.sinkpad);
}

/* Before: events of the removed stream stayed queued, with a pointer to its
 * pad, which was used after it was freed (seen with AddressSanitizer). */
static void
test_a_removed_stream_takes_all_of_its_along (void)
{
  Call call = { 0 };
  Stream blocked, removed;
  gint n_finalized = 0;

  call_start (&call, 100.);
  stream_start (&blocked, &call, 0);
  stream_start (&removed, &call, 1);
  wait_for (&call, "1:segment");
  block_with_packet (&blocked, 1);
  block_with_packet (&removed, 10);
  push_custom (&removed);
  push_caps (&removed, TEST_RTP_CAPS ",a=(int)1");
  push (&removed, 11);
  push (&blocked, 2);
  push_custom (&blocked);
  push (&blocked, 3);
  g_object_weak_ref (G_OBJECT (removed.sinkpad), note_finalized, &n_finalized);

  forget_seen (&call);
  release_and_unblock (&removed);
  test_wait_until (is_set, &n_finalized);
  g_assert_cmpuint (
      test_stats_uint64 (call.sender, "queued-bytes"), ==, 2 * PAYLOAD);
  set_blocked (&blocked, FALSE);
  wait_for (&call, "1:10 0:1 0:2 0:custom-downstream 0:3 ");

  stream_stop (&removed);
  call_stop (&call);
  stream_stop (&blocked);
}

/* Before: releasing the pad waited for the push, and where the thread that
 * releases is the one downstream waits for, for ever. */
static void
test_a_stream_leaves_while_it_is_being_pushed (void)
{
  Call call = { 0 };
  Stream stays, removed;
  gint n_finalized = 0;

  call_start (&call, 100.);
  stream_start (&stays, &call, 0);
  stream_start (&removed, &call, 1);
  block_with_packet (&removed, 10);
  push (&removed, 11);
  push_custom (&removed);
  push (&stays, 1);
  g_object_weak_ref (G_OBJECT (removed.sinkpad), note_finalized, &n_finalized);

  check_returns (release, &removed);
  /* what is being pushed still holds its pad */
  g_assert_cmpint (g_atomic_int_get (&n_finalized), ==, 0);
  set_blocked (&removed, FALSE);
  wait_for (&call, "0:1 ");
  test_wait_until (is_set, &n_finalized);
  g_assert_true (has_seen (&call, "1:10 "));
  g_assert_false (has_seen (&call, "1:11 "));

  call_stop (&call);
  stream_stop (&removed);
  stream_stop (&stays);
}

/* Before: the pad downstream was released next, in the middle of the push, and
 * rtpsession waited for it with the lock that the push waited for. */
static void
test_a_release_waits_for_what_is_being_pushed (void)
{
  Call call = { 0 };
  Stream stays, removed;

  call_start (&call, 100.);
  stream_start (&stays, &call, 0);
  stream_start (&removed, &call, 1);
  block_with_packet (&removed, 10);
  release_and_unblock (&removed);
  g_assert_true (has_seen (&call, "1:10 "));

  call_stop (&call);
  stream_stop (&removed);
  stream_stop (&stays);
}

static gpointer
push_until_refused (gpointer stream)
{
  GstFlowReturn flow;

  for (guint16 seqnum = 100; (flow = push (stream, seqnum)) == GST_FLOW_OK;)
    seqnum++;

  return GINT_TO_POINTER (flow);
}

/* The stream stays closed from then on. Before, it was opened again while its
 * sink pad was still active (read, not seen). */
static void
test_a_thread_that_waits_to_push_is_let_go (void)
{
  Call call = { 0 };
  Stream stays, removed;
  GThread *thread;

  call_start (&call, 100.);
  stream_start (&stays, &call, 0);
  stream_start (&removed, &call, 1);
  block_with_packet (&removed, 1);
  thread = g_thread_new ("pushes", push_until_refused, &removed);
  check_returns (release, &removed);
  g_assert_cmpint (GPOINTER_TO_INT (g_thread_join (thread)), <, GST_FLOW_OK);
  g_assert_cmpuint (test_stats_uint64 (call.sender, "queued-bytes"), ==, 0);
  set_blocked (&removed, FALSE);

  stream_stop (&removed);
  call_stop (&call);
  stream_stop (&stays);
}

typedef struct {
  Stream *stream;
  gint stop;
} Pusher;

static gpointer
push_until_told (gpointer data)
{
  Pusher *self = data;

  for (guint16 i = 0; !g_atomic_int_get (&self->stop); i++) {
    push (self->stream, i);
    if (i % 8 == 0)
      push_custom (self->stream);
  }

  return NULL;
}

/* For the sanitizers. */
static void
test_streams_come_and_go (void)
{
  Call call = { 0 };
  Stream stays, passes;
  Pusher pusher = { .stream = &stays };
  GThread *thread;

  call_start (&call, 100.);
  stream_start (&stays, &call, 0);
  thread = g_thread_new ("stays", push_until_told, &pusher);
  for (guint round = 1; round <= 50; round++) {
    Pusher other = { .stream = &passes };
    GThread *other_thread;

    stream_start (&passes, &call, round);
    other_thread = g_thread_new ("passes", push_until_told, &other);
    if (round % 2 == 0)
      g_usleep (500);
    gst_element_release_request_pad (call.sender, passes.sinkpad);
    g_atomic_int_set (&other.stop, TRUE);
    g_thread_join (other_thread);
    /* Nothing of it is on its way any more. */
    gst_pad_set_active (passes.out, FALSE);
    stream_stop (&passes);
  }
  g_atomic_int_set (&pusher.stop, TRUE);
  g_thread_join (thread);

  call_stop (&call);
  stream_stop (&stays);
}

/* --- what downstream answers --- */

static void
push_until (Stream *self, GstFlowReturn flow)
{
  guint n = 0;

  while (push (self, 1) != flow) {
    g_usleep (100);
    g_assert_cmpuint (n++, <, 100000);
  }
}

static void
unlink_out (Stream *self)
{
  GstPad *srcpad = gst_pad_get_peer (self->out);

  g_assert_true (gst_pad_unlink (srcpad, self->out));
  push_until (self, GST_FLOW_NOT_LINKED);
  forget_seen (self->call);
  gst_object_unref (srcpad);
}

static void
relink_out (Stream *self, GstPadLinkCheck check)
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
  Call call = { 0 };
  Stream stream;

  call_start (&call, 100.);
  stream_start (&stream, &call, 0);
  unlink_out (&stream);
  while (test_stats_uint64 (call.sender, "queued-bytes") > 0)
    g_usleep (100);
  relink_out (&stream, GST_PAD_LINK_CHECK_DEFAULT);
  g_assert_cmpint (push (&stream, 7), ==, GST_FLOW_OK);
  wait_for (&call, "0:7 ");

  call_stop (&call);
  stream_stop (&stream);
}

/* As many applications link: no event tells of it. */
static void
test_a_quiet_link_is_found_too (void)
{
  Call call = { 0 };
  Stream stream;

  call_start (&call, 100.);
  stream_start (&stream, &call, 0);
  unlink_out (&stream);
  relink_out (
      &stream, GST_PAD_LINK_CHECK_DEFAULT | GST_PAD_LINK_CHECK_NO_RECONFIGURE);
  push_until (&stream, GST_FLOW_OK);
  wait_for (&call, "0:1 ");

  call_stop (&call);
  stream_stop (&stream);
}

static void
test_an_error_stays_until_a_flush (void)
{
  Call call = { 0 };
  Stream stream;

  call_start (&call, 100.);
  stream_start (&stream, &call, 0);
  set_flow (&stream, GST_FLOW_ERROR);
  push_until (&stream, GST_FLOW_ERROR);
  set_flow (&stream, GST_FLOW_OK);
  gst_pad_push_event (stream.out, gst_event_new_reconfigure ());
  for (guint i = 0; i < 10; i++)
    g_assert_cmpint (push (&stream, 2), ==, GST_FLOW_ERROR);
  gst_pad_push_event (stream.in, gst_event_new_flush_start ());
  gst_pad_push_event (stream.in, gst_event_new_flush_stop (TRUE));
  push_segment (&stream);
  g_assert_cmpint (push (&stream, 3), ==, GST_FLOW_OK);
  wait_for (&call, "0:3 ");

  call_stop (&call);
  stream_stop (&stream);
}

/* --- events and queries --- */

/* Before: CAPS that waited were dropped with the packets. */
static void
test_caps_outlive_a_flush (void)
{
  Call call = { 0 };
  Stream stream;
  GstCaps *caps, *expected = gst_caps_from_string (TEST_RTP_CAPS ",a=(int)1");

  call_start (&call, 100.);
  stream_start (&stream, &call, 0);
  block_with_packet (&stream, 1);
  push_caps (&stream, TEST_RTP_CAPS ",a=(int)1");
  push (&stream, 2);
  push_custom (&stream);
  gst_pad_push_event (stream.in, gst_event_new_flush_start ());
  set_blocked (&stream, FALSE);
  gst_pad_push_event (stream.in, gst_event_new_flush_stop (TRUE));
  push_segment (&stream);
  push (&stream, 3);
  wait_for (&call, "0:flush-start 0:1 0:flush-stop 0:caps 0:segment 0:3 ");
  caps = gst_pad_get_current_caps (stream.out);
  g_assert_true (gst_caps_is_equal (caps, expected));

  gst_caps_unref (expected);
  gst_caps_unref (caps);
  call_stop (&call);
  stream_stop (&stream);
}

/* Before: the query waited until the other stream's packets had left. */
static void
test_a_query_of_an_idle_stream_waits_for_none (void)
{
  Call call = { 0 };
  Stream blocked, idle;

  call_start (&call, 100.);
  stream_start (&blocked, &call, 0);
  stream_start (&idle, &call, 1);
  wait_for (&call, "1:segment");
  block_with_packet (&blocked, 1);
  push (&blocked, 2);
  push_custom (&blocked);
  check_returns (query_drain, &idle);
  set_blocked (&blocked, FALSE);
  check_returns (query_drain, &blocked);
  g_assert_true (has_seen (&call, "0:1 0:2 0:custom-downstream "));

  call_stop (&call);
  stream_stop (&blocked);
  stream_stop (&idle);
}

typedef struct {
  Stream *stream;
  gint n_pushed;
} Events;

static gpointer
push_events (gpointer data)
{
  Events *self = data;

  for (guint i = 0; i < 1000; i++) {
    push_custom (self->stream);
    g_atomic_int_inc (&self->n_pushed);
  }
  push_caps (self->stream, TEST_RTP_CAPS ",a=(int)2");
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
  Call call = { 0 };
  Stream stream;
  Events events = { .stream = &stream };
  GThread *thread;

  call_start (&call, 100.);
  stream_start (&stream, &call, 0);
  block_with_packet (&stream, 1);
  thread = g_thread_new ("events", push_events, &events);
  test_wait_until (has_filled_up, &events);
  /* time for the others, were it not to wait */
  g_usleep (20000);
  g_assert_cmpint (g_atomic_int_get (&events.n_pushed), ==, MAX_EVENTS);
  set_blocked (&stream, FALSE);
  g_thread_join (thread);
  wait_for (&call, "0:caps 0:eos ");

  call_stop (&call);
  stream_stop (&stream);
}

/* --- states --- */

static GstPadProbeReturn
block (GstPad *pad, GstPadProbeInfo *info, gpointer flag)
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
start_blocked (Call *call, Stream *stream, gint *is_blocked)
{
  GstPad *srcpad;

  call_start (call, 100.);
  stream_start (stream, call, 0);
  query_drain (stream);
  srcpad = gst_element_get_static_pad (call->sender, "src");
  gst_pad_add_probe (srcpad,
      GST_PAD_PROBE_TYPE_BLOCK | GST_PAD_PROBE_TYPE_BUFFER, block, is_blocked,
      NULL);
  gst_object_unref (srcpad);
}

/* Before: the pacer's thread was waited for before its pad was deactivated,
 * which alone ends such a push. */
static void
test_a_blocked_source_pad_does_not_hold_up_null (void)
{
  Call call = { 0 };
  Stream stream;
  gint is_blocked = FALSE;

  start_blocked (&call, &stream, &is_blocked);
  push_by_thread (&stream, 1);
  test_wait_until (is_set, &is_blocked);
  push (&stream, 2);
  check_returns (set_to_null, call.sender);
  g_assert_false (has_seen (&call, "0:1 "));

  call_stop (&call);
  stream_stop (&stream);
}

static void
test_a_packet_that_passes_does_not_hold_up_null (void)
{
  Call call = { 0 };
  Stream stream;
  Passing passing = { .stream = &stream, .seqnum = 1 };
  gint is_blocked = FALSE;

  start_blocked (&call, &stream, &is_blocked);
  passing.thread = g_thread_new ("passes", push_one, &passing);
  test_wait_until (is_set, &is_blocked);
  check_returns (set_to_null, call.sender);
  g_assert_false (has_seen (&call, "0:1 "));
  g_assert_cmpint (
      GPOINTER_TO_INT (g_thread_join (passing.thread)), <, GST_FLOW_OK);

  call_stop (&call);
  stream_stop (&stream);
}

/* A thread has the name of its task, shortened to 15 characters. */
static gboolean
has_no_pacer (gpointer user_data)
{
  GDir *tasks = g_dir_open ("/proc/self/task", 0, NULL);
  gboolean found = FALSE;
  const gchar *task;

  (void) user_data;
  g_thread_pool_stop_unused_threads ();
  while ((task = g_dir_read_name (tasks)) != NULL) {
    gchar *path = g_build_filename ("/proc/self/task", task, "comm", NULL);
    gchar *name = NULL;

    if (g_file_get_contents (path, &name, NULL, NULL) &&
        strstr (name, ":pacer") != NULL)
      found = TRUE;
    g_free (name);
    g_free (path);
  }
  g_dir_close (tasks);

  return !found;
}

static gboolean
has_pacer (gpointer user_data)
{
  return !has_no_pacer (user_data);
}

static gboolean
refuse_once_pacing (GstPad *pad, GstObject *parent)
{
  (void) pad;
  (void) parent;
  test_wait_until (has_pacer, NULL);

  return FALSE;
}

/* Before: the thread ran on, and a second one after the next start. */
static void
test_a_start_that_fails_leaves_no_thread (void)
{
  GstElement *sender = gst_element_factory_make ("gccsender", "s");
  GstPad *pad = gst_pad_new ("bad", GST_PAD_SRC);

  if (!g_file_test ("/proc/self/task", G_FILE_TEST_IS_DIR)) {
    g_test_skip ("needs /proc");
    gst_object_unref (pad);
    gst_object_unref (sender);
    return;
  }

  g_object_set (sender, "pacing-factor", 2., NULL);
  gst_pad_set_activate_function (pad, refuse_once_pacing);
  gst_element_add_pad (sender, pad);
  test_wait_until (has_no_pacer, NULL);
  g_assert_cmpint (gst_element_set_state (sender, GST_STATE_PAUSED), ==,
      GST_STATE_CHANGE_FAILURE);
  test_wait_until (has_no_pacer, NULL);

  gst_element_set_state (sender, GST_STATE_NULL);
  gst_object_unref (sender);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);

#define ADD(name) g_test_add_func ("/pacer-lifetime/" #name, test_##name)
  ADD (a_packet_that_is_due_spares_the_pacers_thread);
  ADD (other_streams_go_on_while_a_packet_passes);
  ADD (a_stream_is_flushed_while_its_packet_passes);
  ADD (a_stream_that_blocks_holds_up_no_other);
  ADD (streams_are_flushed_and_leave_while_one_blocks);
  ADD (downstream_may_flush_its_own_stream);
  ADD (a_removed_stream_takes_all_of_its_along);
  ADD (a_stream_leaves_while_it_is_being_pushed);
  ADD (a_release_waits_for_what_is_being_pushed);
  ADD (a_thread_that_waits_to_push_is_let_go);
  ADD (streams_come_and_go);
  ADD (a_stream_that_is_linked_again_flows);
  ADD (a_quiet_link_is_found_too);
  ADD (an_error_stays_until_a_flush);
  ADD (caps_outlive_a_flush);
  ADD (a_query_of_an_idle_stream_waits_for_none);
  ADD (events_of_a_blocked_stream_are_bounded);
  ADD (a_blocked_source_pad_does_not_hold_up_null);
  ADD (a_packet_that_passes_does_not_hold_up_null);
  ADD (a_start_that_fails_leaves_no_thread);
#undef ADD

  return g_test_run ();
}
