/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/wire/gcc-transport-feedback.h>
#include <gst/gst.h>
#include <gst/rtp/rtp.h>

#include "element-test.h"
#include "numbered-call.h"

/* In caps without the extension, one property is enough. */
static void
test_the_session_sends_feedback_about_numbered_packets (void)
{
  NumberedCall call;

  numbered_call_start (&call, "feedback=transport-cc", NUMBERED_CAPS);
  numbered_call_wait_for_more (&call, &call.n_feedbacks, 100);
  g_assert_true (numbered_call_says_feedback (&call, "transport-cc"));
  g_assert_cmpuint (
      test_stats_uint64 (call.gcc, "transport-feedbacks"), >=, 100);
  g_assert_cmpint (g_atomic_int_get (&call.n_rembs), ==, 0);
  g_assert_cmpint (g_atomic_int_get (&call.n_covered), >=, 200);
  numbered_call_stop (&call);
}

static gboolean
has_said (NumberedCall *self, const gchar *mode)
{
  numbered_call_push (self);

  return numbered_call_says_feedback (self, mode);
}

static gboolean
has_said_feedback (gpointer self)
{
  return has_said (self, "transport-cc");
}

static gboolean
has_said_remb (gpointer self)
{
  return has_said (self, "remb");
}

/* Guards against a REMB of the first second, which libwebrtc keeps to for all of the
 * call; and against a session that reads no numbers, whatever the caps say. */
static void
test_feedback_is_awaited_from_the_first_number (void)
{
  NumberedCall call;

  numbered_call_start (&call, "manage=none", NUMBERED_CAPS EXTMAP (12));
  call.has_markers = FALSE;
  test_wait_until (has_said_feedback, &call);
  g_assert_cmpuint (test_stats_uint64 (call.gcc, "transport-feedbacks"), ==, 0);
  g_assert_cmpint (g_atomic_int_get (&call.n_rembs), ==, 0);
  test_wait_until (has_said_remb, &call);
  numbered_call_wait_for_more (&call, &call.n_rembs, 1);
  g_assert_cmpint (g_atomic_int_get (&call.n_feedbacks), ==, 0);
  numbered_call_stop (&call);
}

static void
test_packets_without_number_await_none (void)
{
  NumberedCall call;

  numbered_call_start (&call, "", NUMBERED_CAPS EXTMAP (12));
  call.id = 0;
  for (guint i = 0; i < 10; i++)
    g_assert_false (has_said_feedback (&call));
  numbered_call_stop (&call);
}

static void
test_remb_mode_keeps_the_session_from_it (void)
{
  NumberedCall call;

  numbered_call_start (&call, "feedback=remb", NUMBERED_CAPS EXTMAP (12));
  numbered_call_wait_for_more (&call, &call.n_rembs, 3);
  g_assert_cmpint (g_atomic_int_get (&call.n_feedbacks), ==, 0);
  numbered_call_assert_untouched (&call);
  numbered_call_stop (&call);
}

static void
test_an_identifier_that_is_taken_leaves_remb (void)
{
  NumberedCall call;

  numbered_call_start (&call, "feedback=transport-cc",
      NUMBERED_CAPS ",extmap-12=(string)urn:other");
  numbered_call_wait_for_more (&call, &call.n_rembs, 3);
  g_assert_cmpint (g_atomic_int_get (&call.n_feedbacks), ==, 0);
  numbered_call_stop (&call);
}

static void
test_remb_returns_while_packets_have_no_numbers (void)
{
  NumberedCall call;

  numbered_call_start (&call, "", NUMBERED_CAPS EXTMAP (12));
  numbered_call_wait_for_more (&call, &call.n_feedbacks, 5);
  g_assert_true (numbered_call_says_feedback (&call, "transport-cc"));

  call.id = 0;
  numbered_call_wait_for_more (&call, &call.n_rembs, 2);
  g_assert_true (numbered_call_says_feedback (&call, "remb"));

  call.id = 12;
  numbered_call_wait_for_more (&call, &call.n_feedbacks, 5);
  g_assert_true (numbered_call_says_feedback (&call, "transport-cc"));
  numbered_call_stop (&call);
}

/* Guards against a browser that keeps to the last REMB, as of audio that came before
 * the video, for all of the call. */
static void
test_the_last_remb_is_no_bound_once_feedback_leaves (void)
{
  NumberedCall call;

  numbered_call_start (&call, "report-interval=100", NUMBERED_CAPS EXTMAP (12));
  call.id = 0;
  numbered_call_wait_for_more (&call, &call.n_rembs, 2);
  g_assert_cmpint (g_atomic_int_get (&call.n_releases), ==, 0);

  call.id = 12;
  numbered_call_wait_for_more (&call, &call.n_releases, 3);
  numbered_call_wait_for_more (&call, &call.n_regular, 2);
  g_assert_cmpint (g_atomic_int_get (&call.n_releases), ==, 3);
  numbered_call_stop (&call);
}

static void
change_caps (NumberedCall *self, const gchar *description)
{
  GstCaps *caps = gst_caps_from_string (description);

  g_object_set (self->media, "caps", caps, NULL);
  gst_caps_unref (caps);
}

/* rtpsession read caps once for each payload type: an extension that came later
 * it never saw. */
static void
test_the_extension_may_come_in_mid_call (void)
{
  NumberedCall call;

  numbered_call_start (&call, "", NUMBERED_CAPS);
  numbered_call_wait_for_more (&call, &call.n_rembs, 1);
  g_assert_cmpint (g_atomic_int_get (&call.n_feedbacks), ==, 0);
  change_caps (&call, NUMBERED_CAPS EXTMAP (12));
  numbered_call_wait_for_more (&call, &call.n_feedbacks, 5);
  change_caps (&call, NUMBERED_CAPS ",width=(int)640" EXTMAP (12));
  numbered_call_wait_for_more (&call, &call.n_feedbacks, 5);
  numbered_call_stop (&call);
}

/* rtpsession goes on to read the identifier that it knows, unless it is told. */
static void
test_the_identifier_may_change_in_mid_call (void)
{
  static const guint8 ids[] = { 7, 3, 12 };
  NumberedCall call;

  numbered_call_start (&call, "", NUMBERED_CAPS EXTMAP (12));
  numbered_call_wait_for_more (&call, &call.n_feedbacks, 5);
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++) {
    g_autofree gchar *caps = g_strdup_printf (
        NUMBERED_CAPS ",extmap-%u=(string)" GCC_TRANSPORT_FEEDBACK_URI, ids[i]);

    change_caps (&call, caps);
    call.id = ids[i];
    numbered_call_wait_for_more (&call, &call.n_feedbacks, 5);
    g_assert_true (numbered_call_says_feedback (&call, "transport-cc"));
  }
  g_assert_cmpint (g_atomic_int_get (&call.n_rembs), ==, 0);

  /* gone, and back with another identifier */
  change_caps (&call, NUMBERED_CAPS);
  call.id = 0;
  numbered_call_wait_for_more (&call, &call.n_rembs, 2);
  change_caps (&call, NUMBERED_CAPS EXTMAP (7));
  call.id = 7;
  numbered_call_wait_for_more (&call, &call.n_feedbacks, 5);
  g_assert_true (numbered_call_says_feedback (&call, "transport-cc"));
  numbered_call_stop (&call);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

#define TEST(name) g_test_add_func ("/receiver-feedback/" #name, test_##name)
  TEST (the_session_sends_feedback_about_numbered_packets);
  TEST (feedback_is_awaited_from_the_first_number);
  TEST (packets_without_number_await_none);
  TEST (remb_mode_keeps_the_session_from_it);
  TEST (an_identifier_that_is_taken_leaves_remb);
  TEST (remb_returns_while_packets_have_no_numbers);
  TEST (the_last_remb_is_no_bound_once_feedback_leaves);
  TEST (the_extension_may_come_in_mid_call);
  TEST (the_identifier_may_change_in_mid_call);

  return g_test_run ();
}
