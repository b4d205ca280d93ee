/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Transport-wide feedback at gccsender: what a person sees in log and
 * messages. */

#include "transport-path.h"
#include <string.h>

/* --- what a person sees --- */

static guint
count_lines (const gchar *log, const gchar *text)
{
  guint n = 0;

  for (const gchar *at = log; (at = strstr (at, text)) != NULL; at++)
    n++;

  return n;
}

/* Whether @log has all of @lines, up to %NULL, one after the other. */
static void
assert_tells (const gchar *log, const gchar *const *lines)
{
  const gchar *at = log;

  for (; *lines != NULL; lines++) {
    at = strstr (at, *lines);
    if (at == NULL)
      g_error ("\"%s\" is missing or too early in: %s", *lines, log);
  }
}

static void
test_the_log_tells_the_story_of_a_call (void)
{
  static const gchar *const story[] = { "joined the RTP session of",
    "feedback begins: A_s follows transport-cc",
    "feedback changes: A_s follows remb, not transport-cc",
    "No transport-wide feedback",
    "feedback changes: A_s follows transport-cc, not remb",
    "A_s falls from 1000000 to 500000 bit/s: limits", NULL };
  gchar *log;
  Path path;

  test_log_start ("gccsender");
  path_start (&path, "", NEGOTIATED);
  path_call_for (&path, 2 * GST_SECOND);
  path_call_without_feedback (&path, 8 * GST_SECOND);
  path_call_for (&path, GST_SECOND);
  g_object_set (
      path.sender, "min-bitrate", 1000000, "max-bitrate", 1000000, NULL);
  /* while one thread applies a target, of several newer ones only the last is
   * applied, and logged */
  test_wait_until (test_log_has, "to 1000000 bit/s: limits");
  g_object_set (
      path.sender, "min-bitrate", 500000, "max-bitrate", 500000, NULL);
  path_stop (&path);
  log = test_log_stop ();
  assert_tells (log, story);
  g_assert_cmpuint (count_lines (log, "joined the RTP session"), ==, 1);
  g_assert_cmpuint (count_lines (log, "feedback begins"), ==, 1);
  g_free (log);
}

static void
test_the_log_tells_that_feedback_stops (void)
{
  static const gchar *const story[] = { "feedback begins", "A_s falls from",
    "bit/s: no-feedback", "feedback stops", NULL };
  gchar *log;
  Path path;

  test_log_start ("gccsender");
  path_start_steered (&path);
  path_send_packets (&path, 155);
  /* the thread that looks for it, before time passes again */
  test_wait_until (test_log_has, "bit/s: no-feedback");
  path_send_packets (&path, 845);
  test_wait_until (test_log_has, "feedback stops");
  log = test_log_stop ();
  assert_tells (log, story);
  g_free (log);
  test_log_start ("gccsender");
  path_call_for (&path, GST_SECOND);
  /* the thread that applies a target writes it, and may be another one */
  test_wait_until (test_log_has, "feedback begins");
  path_stop (&path);
  g_free (test_log_stop ());
}

static GstMessage *
wait_for_rate (Path *self)
{
  GstMessage *message = gst_bus_timed_pop_filtered (
      self->bus, GST_SECOND, GST_MESSAGE_ELEMENT);

  g_assert_nonnull (message);

  return message;
}

/* A message that comes within 100 ms of the last one waits for the next change. */
static void
wait_for_silence (Path *self)
{
  GstMessage *message;

  while ((message = gst_bus_timed_pop (self->bus, GST_SECOND / 5)) != NULL)
    gst_message_unref (message);
}

static void
test_a_message_has_what_a_person_follows (void)
{
  static const gchar *const fields[] = { "time-ms", "reason", "a-s-bps",
    "v-bps", "rtt-ms", "fraction-lost", "feedback" };
  const GstStructure *structure;
  GstMessage *message;
  Path path;

  path_start (&path, "", NEGOTIATED);
  path_call_without_feedback (&path, 2 * GST_SECOND);
  path_call_for (&path, GST_SECOND);
  wait_for_silence (&path);
  g_object_set (path.sender, "max-bitrate", 200000, NULL);
  message = wait_for_rate (&path);
  structure = gst_message_get_structure (message);
  g_assert_true (gst_structure_has_name (structure, "gccsender"));
  g_assert_cmpint (
      gst_structure_n_fields (structure), <=, G_N_ELEMENTS (fields));
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    if (!g_str_equal (fields[i], "rtt-ms"))
      g_assert_true (gst_structure_has_field (structure, fields[i]));
  g_assert_cmpstr (
      gst_structure_get_string (structure, "reason"), ==, "limits");
  g_assert_cmpstr (
      gst_structure_get_string (structure, "feedback"), ==, "transport-cc");
  gst_message_unref (message);
  path_stop (&path);
}

/* Of which headers are a third, told of ten times a second. */
static void
send_small_packets (Path *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    GstBuffer *packet = test_rtp_packet (
        self->seq, (guint32) (self->now / GST_MSECOND * 90), 100);

    path_pass_time (self, 20 * GST_MSECOND);
    path_push (self, path_make_room (packet, self->id));
    path_take_departures (self);
    if (i % 5 == 4)
      path_tell (self);
  }
}

/* Headers come off v while packets leave. Guards against: a line with the reason of
 * the last change of A_s for each step of v. */
static void
test_a_reason_comes_with_a_change_of_the_target_only (void)
{
  gint64 before = -1, v_before = -1, target, v;
  guint n_of_v = 0;
  GstMessage *message;
  Path path;

  path_start (&path, "max-bitrate=100000", NEGOTIATED);
  path_call_for (&path, GST_SECOND);
  g_usleep (110 * 1000);
  send_small_packets (&path, 100);
  g_usleep (110 * 1000);
  send_small_packets (&path, 100);
  while ((message = gst_bus_pop_filtered (path.bus, GST_MESSAGE_ELEMENT))) {
    const GstStructure *structure = gst_message_get_structure (message);

    gst_structure_get_int64 (structure, "a-s-bps", &target);
    gst_structure_get_int64 (structure, "v-bps", &v);
    g_assert_cmpint (
        gst_structure_has_field (structure, "reason"), ==, target != before);
    n_of_v += target == before;
    if (target == before)
      g_assert_cmpint (ABS (v - v_before), >, v_before / 20);
    before = target;
    v_before = v;
    gst_message_unref (message);
  }
  g_assert_cmpuint (n_of_v, >, 0);
  path_stop (&path);
}

static void
check_notified (GObject *sender, GParamSpec *pspec, gpointer last)
{
  guint target = test_get_uint (sender, pspec->name);

  g_assert_cmpuint (target, !=, *(guint *) last);
  *(guint *) last = target;
}

/* Frames of two packets, a large one and a small one. */
static void
call_with_frames_for (Path *path, GstClockTime duration)
{
  GstClockTime end = path->now + duration;

  for (guint i = 0; path->now < end; i++) {
    guint32 timestamp;

    path_pass_time (path, 20 * GST_MSECOND);
    timestamp = (guint32) (path->now / GST_MSECOND * 90);
    path_push (path,
        path_make_room (
            test_rtp_packet (path->seq, timestamp, 1200), path->id));
    path_push (path,
        path_make_room (test_rtp_packet (path->seq, timestamp, 300), path->id));
    path_take_departures (path);
    if (i % 5 == 4)
      path_tell (path);
  }
}

/* Guards against: a tunnel that loses all large packets, taken for a bad network. */
static void
test_a_path_that_loses_large_packets_alone_is_named_once (void)
{
  static const struct {
    gsize max_size;
    guint loss_percent;
    guint n;
  } cases[] = {
    { 0, 0, 0 },
    { 0, 30, 0 },
    { 1100, 0, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    Path path;

    path_start (&path, "", NEGOTIATED);
    path.max_size = cases[i].max_size;
    path.loss_percent = cases[i].loss_percent;
    call_with_frames_for (&path, 5 * GST_SECOND);
    g_assert_cmpuint (path_count_messages (&path, GST_MESSAGE_WARNING,
                          "bytes and more are lost"),
        ==, cases[i].n);
    path_stop (&path);
  }
}

/* v changes with what is sent, and the target does not. */
static void
test_a_target_that_stays_is_not_notified (void)
{
  guint last;
  Path path;

  path_start (&path, "max-bitrate=1000000", NEGOTIATED);
  last = path_get_target (&path);
  g_signal_connect (path.sender, "notify::target-bitrate",
      G_CALLBACK (check_notified), &last);
  path_call_for (&path, 10 * GST_SECOND);
  g_object_set (path.sender, "max-bitrate", 200000, NULL);
  g_assert_cmpuint (last, ==, 200000);
  path_call_for (&path, GST_SECOND);
  path_stop (&path);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

#define ADD(name) g_test_add_func ("/transport/" #name, test_##name)
  ADD (the_log_tells_the_story_of_a_call);
  ADD (the_log_tells_that_feedback_stops);
  ADD (a_message_has_what_a_person_follows);
  ADD (a_reason_comes_with_a_change_of_the_target_only);
  ADD (a_path_that_loses_large_packets_alone_is_named_once);
  ADD (a_target_that_stays_is_not_notified);

  return g_test_run ();
}
