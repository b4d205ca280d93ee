/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Packets leave and nobody reports on them. The receiver died in mid-call, or
 * never was, and A_s stayed as it was without a word. */

#include <glib/gstdio.h>
#include <gst/check/gstharness.h>
#include <string.h>

#include "element-test.h"

#define START_RATE 300000u
#define MIN_RATE 100000u

/* A sender and its session in the test's time. The session's own reports come
 * in the system's time, and so hardly ever: media has to do. */
typedef struct {
  GstHarness *harness;
  GstElement *sender;
  GstPad *rtcp;
  GstBus *bus;
  GstClockTime now;
  guint16 seq;
  gchar *text;
} Sending;

static void
sending_start (Sending *self, const gchar *trace)
{
  GError *error = NULL;
  GstElement *bin = gst_parse_bin_from_description (
      "gccsender name=sender min-bitrate=100000 ! session.send_rtp_sink "
      "rtpsession name=session session.send_rtp_src ! identity",
      TRUE, &error);
  GstElement *session;

  g_assert_no_error (error);
  gst_object_ref_sink (bin);
  self->sender = gst_bin_get_by_name (GST_BIN (bin), "sender");
  self->bus = gst_bus_new ();
  self->now = 0;
  self->seq = 0;
  self->text = NULL;
  gst_element_set_bus (bin, self->bus);
  g_object_set (self->sender, "trace-location", trace, NULL);
  self->harness = test_play (bin);
  session = gst_bin_get_by_name (GST_BIN (bin), "session");
  self->rtcp = test_open_rtcp (session, "recv_rtcp_sink");
  gst_object_unref (session);
  gst_object_unref (bin);
}

static void
sending_stop (Sending *self)
{
  gst_element_set_state (self->harness->element, GST_STATE_NULL);
  gst_element_set_bus (self->harness->element, NULL);
  gst_pad_set_active (self->rtcp, FALSE);
  gst_object_unref (self->rtcp);
  gst_object_unref (self->sender);
  gst_harness_teardown (self->harness);
  gst_object_unref (self->bus);
  g_free (self->text);
}

static void
pass_time (Sending *self, GstClockTime duration)
{
  self->now += duration;
  gst_harness_set_time (self->harness, self->now);
}

/* Fifty packets a second. */
static void
send_for (Sending *self, guint seconds)
{
  for (guint i = 0; i < 50 * seconds; i++) {
    pass_time (self, 20 * GST_MSECOND);
    g_assert_cmpint (gst_harness_push (self->harness,
                         test_rtp_packet (self->seq, self->seq * 1800u, 100)),
        ==, GST_FLOW_OK);
    self->seq++;
  }
}

static void
report (Sending *self)
{
  g_assert_cmpint (
      gst_pad_push (self->rtcp,
          test_receiver_report (TEST_SSRC, 0, (guint16) (self->seq - 1))),
      ==, GST_FLOW_OK);
}

static void
call_for (Sending *self, guint seconds)
{
  for (guint i = 0; i < seconds; i++) {
    send_for (self, 1);
    report (self);
  }
}

static gboolean
has_feedback (Sending *self)
{
  GstStructure *stats;
  gboolean value;

  g_object_get (self->sender, "stats", &stats, NULL);
  g_assert_true (gst_structure_get_boolean (stats, "has-feedback", &value));
  gst_structure_free (stats);

  return value;
}

static guint
get_target (Sending *self)
{
  return test_get_uint (self->sender, "target-bitrate");
}

static gboolean
is_at_minimum (gpointer sending)
{
  return get_target (sending) == MIN_RATE;
}

/* Takes messages of @type off the bus. Returns how many were about feedback;
 * the last of them is the text. */
static guint
pop_messages (Sending *self, GstMessageType type)
{
  GstMessage *message;
  guint n = 0;

  while ((message = gst_bus_pop_filtered (self->bus, type))) {
    GError *error;
    gchar *debug;

    if (type == GST_MESSAGE_INFO)
      gst_message_parse_info (message, &error, &debug);
    else
      gst_message_parse_warning (message, &error, &debug);
    if (strstr (error->message, "feedback") != NULL ||
        strstr (error->message, "No packet arrives") != NULL) {
      g_free (self->text);
      self->text = g_strconcat (error->message, " ", debug, NULL);
      n++;
    }
    g_error_free (error);
    g_free (debug);
    gst_message_unref (message);
  }

  return n;
}

/* It is posted after the rate has fallen. */
static gboolean
has_warned (gpointer sending)
{
  guint n = pop_messages (sending, GST_MESSAGE_WARNING);

  g_assert_cmpuint (n, <=, 1);
  return n > 0;
}

static void
test_a_receiver_that_never_was_is_a_warning_that_names_the_reasons (void)
{
  static const gchar *const reasons[] = { "receiver", "RTCP", "firewall",
    "SSRC", "LATENCY" };
  Sending sending;

  sending_start (&sending, NULL);
  g_assert_false (has_feedback (&sending));
  send_for (&sending, 6);
  g_assert_cmpuint (get_target (&sending), ==, START_RATE);
  g_assert_cmpuint (pop_messages (&sending, GST_MESSAGE_WARNING), ==, 0);

  send_for (&sending, 2);
  test_wait_until (has_warned, &sending);
  for (guint i = 0; i < G_N_ELEMENTS (reasons); i++)
    g_assert_nonnull (strstr (sending.text, reasons[i]));

  send_for (&sending, 20);
  test_wait_until (is_at_minimum, &sending);
  g_assert_cmpuint (pop_messages (&sending, GST_MESSAGE_WARNING), ==, 0);
  sending_stop (&sending);
}

static guint
count_events (const gchar *trace, const gchar *event)
{
  gchar *pattern = g_strdup_printf (",%s,", event);
  gchar *content;
  guint n = 0;

  g_assert_true (g_file_get_contents (trace, &content, NULL, NULL));
  /* not the column of that name */
  for (const gchar *at = strchr (content, '\n'); (at = strstr (at, pattern));
       at++)
    n++;
  g_free (content);
  g_free (pattern);

  return n;
}

static void
test_reports_that_stop_lower_the_rate_until_they_are_back (void)
{
  gchar *directory = g_dir_make_tmp ("gcc-XXXXXX", NULL);
  gchar *trace = g_build_filename (directory, "trace", NULL);
  Sending sending;
  guint before, rate;

  sending_start (&sending, trace);
  call_for (&sending, 20);
  g_assert_true (has_feedback (&sending));
  before = get_target (&sending);
  g_assert_cmpuint (before, >, START_RATE);
  g_assert_cmpuint (pop_messages (&sending, GST_MESSAGE_WARNING), ==, 0);

  send_for (&sending, 30);
  test_wait_until (is_at_minimum, &sending);
  g_assert_false (has_feedback (&sending));
  test_wait_until (has_warned, &sending);

  call_for (&sending, 1);
  g_assert_true (has_feedback (&sending));
  rate = get_target (&sending);
  g_assert_cmpuint (rate, >=, before);
  g_assert_cmpuint (rate, <=, before * 109 / 100 + 1000);
  call_for (&sending, 5);
  g_assert_cmpuint (get_target (&sending), >, rate);
  g_assert_cmpuint (pop_messages (&sending, GST_MESSAGE_INFO), ==, 1);
  g_assert_cmpuint (pop_messages (&sending, GST_MESSAGE_WARNING), ==, 0);

  sending_stop (&sending);
  g_assert_cmpuint (count_events (trace, "silence"), ==, 1);
  g_assert_cmpuint (count_events (trace, "feedback"), ==, 2);
  g_unlink (trace);
  g_rmdir (directory);
  g_free (trace);
  g_free (directory);
}

/* Guards against reports that kept A_s up because they came, whatever they
 * said. */
static void
test_reports_that_show_no_packet_lower_the_rate (void)
{
  Sending sending;
  guint before;
  guint16 last;

  sending_start (&sending, NULL);
  call_for (&sending, 20);
  before = get_target (&sending);
  last = (guint16) (sending.seq - 1);
  for (guint i = 0; i < 10; i++) {
    send_for (&sending, 1);
    g_assert_cmpint (
        gst_pad_push (sending.rtcp, test_receiver_report (TEST_SSRC, 0, last)),
        ==, GST_FLOW_OK);
    /* A_s had grown for a second */
    if (i == 0)
      g_assert_cmpuint (get_target (&sending), <=, before * 6 / 10);
  }
  test_wait_until (is_at_minimum, &sending);
  test_wait_until (has_warned, &sending);
  g_assert_nonnull (strstr (sending.text, "No packet arrives"));
  g_assert_false (has_feedback (&sending));
  report (&sending);
  g_assert_true (has_feedback (&sending));
  g_assert_cmpuint (get_target (&sending), >=, before);
  sending_stop (&sending);
}

/* The next silence is news again. */
static void
test_each_silence_is_one_warning (void)
{
  Sending sending;

  sending_start (&sending, NULL);
  for (guint i = 0; i < 3; i++) {
    call_for (&sending, 20);
    g_assert_true (has_feedback (&sending));
    send_for (&sending, 20);
    test_wait_until (has_warned, &sending);
    g_assert_false (has_feedback (&sending));
  }
  sending_stop (&sending);
}

static void
test_a_paused_source_is_no_silence (void)
{
  Sending sending;
  guint rate;

  sending_start (&sending, NULL);
  call_for (&sending, 20);
  rate = get_target (&sending);

  for (guint i = 0; i < 3; i++) {
    pass_time (&sending, 600 * GST_SECOND);
    call_for (&sending, 2);
  }
  g_assert_true (has_feedback (&sending));
  g_assert_cmpuint (get_target (&sending), >=, rate);
  g_assert_cmpuint (pop_messages (&sending, GST_MESSAGE_WARNING), ==, 0);
  sending_stop (&sending);
}

/* That there is no session has been said, and that the bitrate stays. */
static void
test_without_a_session_the_rate_stays (void)
{
  GstHarness *h = gst_harness_new ("gccsender");

  test_use_testclock (h);
  gst_harness_set_src_caps_str (h, TEST_RTP_CAPS);
  gst_harness_set_drop_buffers (h, TRUE);
  for (guint16 i = 0; i < 60; i++) {
    gst_harness_set_time (h, i * GST_SECOND);
    gst_harness_push (h, test_rtp_packet (i, i * 90000u, 100));
  }
  g_assert_cmpuint (
      test_get_uint (h->element, "target-bitrate"), ==, START_RATE);
  gst_harness_teardown (h);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

#define ADD(name) g_test_add_func ("/silence/" #name, test_##name)
  ADD (a_receiver_that_never_was_is_a_warning_that_names_the_reasons);
  ADD (reports_that_stop_lower_the_rate_until_they_are_back);
  ADD (reports_that_show_no_packet_lower_the_rate);
  ADD (each_silence_is_one_warning);
  ADD (a_paused_source_is_no_silence);
  ADD (without_a_session_the_rate_stays);

  return g_test_run ();
}
