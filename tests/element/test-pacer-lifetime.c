/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Streams that leave and states that change while gccsender paces. "Before" in a
 * comment is what an attack on an earlier version saw. */

#include <gst/gst.h>
#include <gst/rtp/rtp.h>
#include <string.h>

#include "element-test.h"
#include "pad-call.h"

/* --- streams that leave --- */

static void
note_finalized (gpointer flag, GObject *object)
{
  (void) object;
  g_atomic_int_inc ((gint *) flag);
}

typedef struct {
  PadStream *stream;
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
  pad_stream_set_blocked (self->stream, FALSE);

  return NULL;
}

/* Ends the push once the release has begun. */
static void
release_and_unblock (PadStream *self)
{
  Released released = { self, gst_object_ref (self->sinkpad) };
  GThread *thread = g_thread_new ("unblocks", unblock_when_released, &released);

  pad_stream_release (self);
  g_thread_join (thread);
  gst_object_unref (released.sinkpad);
}

/* Before: events of the removed stream stayed queued, with a pointer to its
 * pad, which was used after it was freed (seen with AddressSanitizer). */
static void
test_a_removed_stream_takes_all_of_its_along (void)
{
  PadCall call;
  PadStream blocked, removed;
  gint n_finalized = 0;

  pad_call_start (&call, &blocked, &removed);
  pad_call_wait_for (&call, "1:segment");
  pad_stream_block_with_packet (&blocked, 1);
  pad_stream_block_with_packet (&removed, 10);
  pad_stream_push_custom (&removed);
  pad_stream_push_caps (&removed, TEST_RTP_CAPS ",a=(int)1");
  pad_stream_push (&removed, 11);
  pad_stream_push (&blocked, 2);
  pad_stream_push_custom (&blocked);
  pad_stream_push (&blocked, 3);
  g_object_weak_ref (G_OBJECT (removed.sinkpad), note_finalized, &n_finalized);

  pad_call_forget_seen (&call);
  release_and_unblock (&removed);
  test_wait_until (test_is_set, &n_finalized);
  g_assert_cmpuint (
      test_stats_uint64 (call.sender, "queued-bytes"), ==, 2 * PAYLOAD);
  pad_stream_set_blocked (&blocked, FALSE);
  pad_call_wait_for (&call, "1:10 0:1 0:2 0:custom-downstream 0:3 ");

  pad_stream_stop (&removed);
  pad_call_stop (&call);
  pad_stream_stop (&blocked);
}

/* Before: releasing the pad waited for the push, and where the thread that
 * releases is the one downstream waits for, for ever. */
static void
test_a_stream_leaves_while_it_is_being_pushed (void)
{
  PadCall call;
  PadStream stays, removed;
  gint n_finalized = 0;

  pad_call_start (&call, &stays, &removed);
  pad_stream_block_with_packet (&removed, 10);
  pad_stream_push (&removed, 11);
  pad_stream_push_custom (&removed);
  pad_stream_push (&stays, 1);
  g_object_weak_ref (G_OBJECT (removed.sinkpad), note_finalized, &n_finalized);

  test_check_returns (pad_stream_release, &removed);
  /* what is being pushed still holds its pad */
  g_assert_cmpint (g_atomic_int_get (&n_finalized), ==, 0);
  pad_stream_set_blocked (&removed, FALSE);
  pad_call_wait_for (&call, "0:1 ");
  test_wait_until (test_is_set, &n_finalized);
  g_assert_true (pad_call_has_seen (&call, "1:10 "));
  g_assert_false (pad_call_has_seen (&call, "1:11 "));

  pad_call_stop (&call);
  pad_stream_stop (&removed);
  pad_stream_stop (&stays);
}

/* Before: the pad downstream was released next, in the middle of the push, and
 * rtpsession waited for it with the lock that the push waited for. */
static void
test_a_release_waits_for_what_is_being_pushed (void)
{
  PadCall call;
  PadStream stays, removed;

  pad_call_start (&call, &stays, &removed);
  pad_stream_block_with_packet (&removed, 10);
  release_and_unblock (&removed);
  g_assert_true (pad_call_has_seen (&call, "1:10 "));

  pad_call_stop (&call);
  pad_stream_stop (&removed);
  pad_stream_stop (&stays);
}

static gpointer
push_until_refused (gpointer stream)
{
  GstFlowReturn flow;

  for (guint16 seqnum = 100;
       (flow = pad_stream_push (stream, seqnum)) == GST_FLOW_OK;)
    seqnum++;

  return GINT_TO_POINTER (flow);
}

/* The stream stays closed from then on. Before, it was opened again while its
 * sink pad was still active (read, not seen). */
static void
test_a_thread_that_waits_to_push_is_let_go (void)
{
  PadCall call;
  PadStream stays, removed;
  GThread *thread;

  pad_call_start (&call, &stays, &removed);
  pad_stream_block_with_packet (&removed, 1);
  thread = g_thread_new ("pushes", push_until_refused, &removed);
  test_check_returns (pad_stream_release, &removed);
  g_assert_cmpint (GPOINTER_TO_INT (g_thread_join (thread)), <, GST_FLOW_OK);
  g_assert_cmpuint (test_stats_uint64 (call.sender, "queued-bytes"), ==, 0);
  pad_stream_set_blocked (&removed, FALSE);

  pad_stream_stop (&removed);
  pad_call_stop (&call);
  pad_stream_stop (&stays);
}

typedef struct {
  PadStream *stream;
  gint stop;
} Pusher;

static gpointer
push_until_told (gpointer data)
{
  Pusher *self = data;

  for (guint16 i = 0; !g_atomic_int_get (&self->stop); i++) {
    pad_stream_push (self->stream, i);
    if (i % 8 == 0)
      pad_stream_push_custom (self->stream);
  }

  return NULL;
}

/* For the sanitizers. */
static void
test_streams_come_and_go (void)
{
  PadCall call;
  PadStream stays, passes;
  Pusher pusher = { .stream = &stays };
  GThread *thread;

  pad_call_start (&call, &stays, NULL);
  thread = g_thread_new ("stays", push_until_told, &pusher);
  for (guint round = 1; round <= 50; round++) {
    Pusher other = { .stream = &passes };
    GThread *other_thread;

    pad_stream_start (&passes, &call, round);
    other_thread = g_thread_new ("passes", push_until_told, &other);
    if (round % 2 == 0)
      g_usleep (500);
    gst_element_release_request_pad (call.sender, passes.sinkpad);
    g_atomic_int_set (&other.stop, TRUE);
    g_thread_join (other_thread);
    /* Nothing of it is on its way any more. */
    gst_pad_set_active (passes.out, FALSE);
    pad_stream_stop (&passes);
  }
  g_atomic_int_set (&pusher.stop, TRUE);
  g_thread_join (thread);

  pad_call_stop (&call);
  pad_stream_stop (&stays);
}

/* --- states --- */

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

  test_stop (sender);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

#define ADD(name) g_test_add_func ("/pacer-lifetime/" #name, test_##name)
  ADD (a_removed_stream_takes_all_of_its_along);
  ADD (a_stream_leaves_while_it_is_being_pushed);
  ADD (a_release_waits_for_what_is_being_pushed);
  ADD (a_thread_that_waits_to_push_is_let_go);
  ADD (streams_come_and_go);
  ADD (a_start_that_fails_leaves_no_thread);
#undef ADD

  return g_test_run ();
}
