/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Several gccreceivers in a session, and one that is replaced. */

#include <gst/gst.h>
#include <gst/rtp/rtp.h>

#include "element-test.h"
#include "numbered-call.h"

/* A second source and gccreceiver before the session of @self; which source
 * push() feeds is up to the test. */
static GstElement *
add_second (NumberedCall *self, GstElement **source)
{
  GstElement *second = gst_element_factory_make ("gccreceiver", NULL);
  GstElement *funnel = gst_element_factory_make ("funnel", NULL);
  GstPad *srcpad = gst_element_get_static_pad (self->gcc, "src");
  GstPad *session_pad = gst_pad_get_peer (srcpad);
  GstPad *funnel_pad = gst_element_get_static_pad (funnel, "src");
  GstCaps *caps = gst_caps_from_string (NUMBERED_CAPS);

  *source = gst_element_factory_make ("appsrc", NULL);
  g_object_set (*source, "is-live", TRUE, "do-timestamp", TRUE, "format",
      GST_FORMAT_TIME, "caps", caps, NULL);
  gst_util_set_object_arg (G_OBJECT (second), "feedback", "transport-cc");
  gst_bin_add_many (GST_BIN (self->pipeline), funnel, second, *source, NULL);
  gst_pad_unlink (srcpad, session_pad);
  g_assert_true (gst_element_link (self->gcc, funnel));
  g_assert_true (gst_element_link_many (*source, second, funnel, NULL));
  g_assert_cmpint (gst_pad_link (funnel_pad, session_pad), ==, GST_PAD_LINK_OK);

  gst_caps_unref (caps);
  gst_object_unref (funnel_pad);
  gst_object_unref (session_pad);
  gst_object_unref (srcpad);

  return second;
}

/* Audio and video, each with an element of its own, bundled into one session:
 * what one resets when it leaves, the other still needs. */
static void
test_two_elements_share_a_session (void)
{
  GstElement *first_source, *second_source, *second;
  NumberedCall call;

  test_tolerate_race_of_rtpsession ();
  numbered_call_start_with (
      &call, "feedback=transport-cc", "rtp-profile=avpf", NUMBERED_CAPS);
  second = add_second (&call, &second_source);
  numbered_call_play (&call);

  /* the second sets it */
  first_source = call.media;
  call.media = second_source;
  call.has_markers = FALSE;
  test_wait_until (numbered_call_interval_is_set, &call);
  numbered_call_wait_for_more (&call, &call.n_feedbacks, 10);

  /* the first needs it, too */
  call.media = first_source;
  numbered_call_wait_for_more (&call, &call.n_feedbacks, 10);
  gst_element_set_locked_state (second, TRUE);
  gst_element_set_locked_state (second_source, TRUE);
  gst_element_set_state (second_source, GST_STATE_NULL);
  gst_element_set_state (second, GST_STATE_NULL);
  test_wait_until (numbered_call_interval_is_set, &call);
  numbered_call_wait_for_more (&call, &call.n_feedbacks, 10);

  gst_element_set_state (call.pipeline, GST_STATE_NULL);
  g_assert_cmpuint (
      numbered_call_get_interval (&call), ==, GST_CLOCK_TIME_NONE);
  numbered_call_stop (&call);
}

typedef struct {
  NumberedCall *call;
  gint is_done;
} Media;

static gpointer
push_until_done (gpointer data)
{
  Media *self = data;

  while (!g_atomic_int_get (&self->is_done)) {
    numbered_call_push (self->call);
    g_usleep (1000);
  }

  return NULL;
}

static GstPadProbeReturn
block (GstPad *pad, GstPadProbeInfo *info, gpointer is_blocked)
{
  (void) pad;
  (void) info;
  g_atomic_int_set ((gint *) is_blocked, TRUE);

  return GST_PAD_PROBE_OK;
}

/* Takes the element out of the running call, and leaves a new one there. */
static void
replace_element (NumberedCall *self)
{
  GstPad *source = gst_element_get_static_pad (self->media, "src");
  GstPad *srcpad = gst_element_get_static_pad (self->gcc, "src");
  GstPad *session_pad = gst_pad_get_peer (srcpad);
  gint is_blocked = FALSE;
  gulong id = gst_pad_add_probe (
      source, GST_PAD_PROBE_TYPE_BLOCK_DOWNSTREAM, block, &is_blocked, NULL);

  test_wait_until (test_is_set, &is_blocked);
  gst_element_unlink (self->media, self->gcc);
  gst_pad_unlink (srcpad, session_pad);
  gst_element_set_state (self->gcc, GST_STATE_NULL);
  g_assert_cmpuint (numbered_call_get_interval (self), ==, GST_CLOCK_TIME_NONE);
  g_assert_cmpfloat (
      numbered_call_get_bandwidth (self), ==, numbered_call_own_bandwidth);
  gst_bin_remove (GST_BIN (self->pipeline), self->gcc);
  gst_object_unref (self->gcc);
  gst_object_unref (srcpad);

  self->gcc = test_make ("gccreceiver");
  gst_util_set_object_arg (G_OBJECT (self->gcc), "feedback", "transport-cc");
  gst_bin_add (GST_BIN (self->pipeline), self->gcc);
  srcpad = gst_element_get_static_pad (self->gcc, "src");
  g_assert_cmpint (gst_pad_link (srcpad, session_pad), ==, GST_PAD_LINK_OK);
  g_assert_true (gst_element_link (self->media, self->gcc));
  gst_element_sync_state_with_parent (self->gcc);
  gst_pad_remove_probe (source, id);
  gst_object_unref (srcpad);
  gst_object_unref (session_pad);
  gst_object_unref (source);
}

static gboolean
new_element_is_told (gpointer self)
{
  return numbered_call_says_feedback (self, "transport-cc");
}

static void
test_the_element_may_be_replaced_while_feedback_leaves (void)
{
  GThread *thread;
  Media media;
  NumberedCall call;

  numbered_call_start (&call, "feedback=transport-cc", NUMBERED_CAPS);
  numbered_call_wait_for_more (&call, &call.n_feedbacks, 5);
  media = (Media){ .call = &call };
  thread = g_thread_new ("media", push_until_done, &media);
  for (guint i = 0; i < 20; i++) {
    replace_element (&call);
    test_wait_until (new_element_is_told, &call);
  }
  g_atomic_int_set (&media.is_done, TRUE);
  g_thread_join (thread);
  numbered_call_stop (&call);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

#define TEST(name) g_test_add_func ("/receivers-share/" #name, test_##name)
  TEST (two_elements_share_a_session);
  TEST (the_element_may_be_replaced_while_feedback_leaves);

  return g_test_run ();
}
