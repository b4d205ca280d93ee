/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Transport-wide feedback at gccsender: feedback that is lost or late, and
 * feedback that nobody should send. */

#include "transport-path.h"

/* --- feedback that is lost, late, or says so of packets --- */

static void
test_loss_lowers_the_rate_and_nothing_breaks (void)
{
  const guint percents[] = { 10, 30, 50 };

  for (guint i = 0; i < G_N_ELEMENTS (percents); i++) {
    guint target;
    Path path;

    path_start_steered (&path);
    path.loss_percent = percents[i];
    path_call_for (&path, 20 * GST_SECOND);
    target = path_get_target (&path);
    g_test_message ("%u %% lost: %u bit/s", percents[i], target);
    g_assert_cmpuint (target, >=, MIN_RATE);
    if (percents[i] >= 30)
      g_assert_cmpuint (target, <, START_RATE);
    path_stop_steered (&path);
  }
}

static void
test_lost_feedback_is_counted_and_no_loss (void)
{
  Path path;

  path_start_steered (&path);
  for (guint i = 0; i < 100; i++) {
    GstBuffer *buffer;

    path_send_packets (&path, 5);
    buffer = path_make_feedback (&path, path.n_told, path.departures->len);
    path.n_told = path.departures->len;
    if (i % 2 == 0)
      gst_buffer_unref (buffer);
    else
      path_deliver (&path, buffer);
  }
  g_assert_cmpuint (path_count (&path, "feedbacks-lost"), >=, 49);
  g_assert_cmpuint (path_get_target (&path), >=, START_RATE / 2);
  path_stop (&path);
}

/* What was told of is told of again, and that a second time. */
static void
test_a_repeated_message_changes_nothing (void)
{
  guint target;
  Path path;

  path_start_steered (&path);
  target = path_get_target (&path);
  for (guint i = 0; i < 20; i++)
    path_deliver (&path,
        path_make_feedback (
            &path, path.departures->len - 20, path.departures->len));
  g_assert_cmpuint (path_get_target (&path), ==, target);
  g_assert_cmpuint (path_count (&path, "feedbacks-ignored"), ==, 20);
  path_stop (&path);
}

static void
test_messages_that_overlap_count_each_packet_once (void)
{
  Path path;

  path_start (&path, "", NEGOTIATED);
  for (guint i = 0; i < 300; i++) {
    path_pass_time (&path, 20 * GST_MSECOND);
    path_send_packet (&path);
    if (i % 5 == 4)
      path_deliver (&path,
          path_make_feedback (
              &path, i < 20 ? 0 : i - 20, path.departures->len));
  }
  g_assert_cmpuint (path_count (&path, "feedbacks-ignored"), ==, 0);
  g_assert_cmpuint (path_get_target (&path), >=, START_RATE / 2);
  path_stop (&path);
}

static void
test_messages_out_of_order_do_no_harm (void)
{
  guint before;
  Path path;

  path_start_steered (&path);
  before = path_get_target (&path);
  for (guint i = 0; i < 50; i++) {
    guint first = path.departures->len;
    GstBuffer *early;

    path_send_packets (&path, 10);
    early = path_make_feedback (&path, first, first + 5);
    path_deliver (&path, path_make_feedback (&path, first + 5, first + 10));
    path_deliver (&path, early);
  }
  g_assert_cmpuint (path_get_target (&path), >=, before / 2);
  path_stop_steered (&path);
}

static void
test_feedback_may_be_two_seconds_late (void)
{
  Path path;

  path_start_steered (&path);
  path.n_told = path.departures->len;
  for (guint i = 0; i < 500; i++) {
    path_pass_time (&path, 20 * GST_MSECOND);
    path_send_packet (&path);
    if (i % 5 == 4 && i >= 100) {
      path_deliver (
          &path, path_make_feedback (&path, path.n_told, path.n_told + 5));
      path.n_told += 5;
    }
  }
  g_assert_cmpuint (path_get_target (&path), >=, MIN_RATE);
  path_stop_steered (&path);
}

/* --- feedback that nobody should send --- */

/* Guards against a rate that follows what was never sent. */
static void
test_numbers_never_sent_steer_nothing (void)
{
  guint target;
  Path path;

  path_start_steered (&path);
  target = path_get_target (&path);
  for (guint i = 0; i < 100; i++) {
    GccTransportFeedbackWriter writer;
    GstRTCPBuffer rtcp;
    GstBuffer *buffer;
    guint16 seq = (guint16) (path_get_departure (
                                 &path, path.departures->len - 1)
                                 ->number +
        1000 + i * 10);

    gcc_transport_feedback_writer_init (
        &writer, seq, path.origin, path.count++);
    for (guint16 j = 0; j < 10; j++)
      gcc_transport_feedback_writer_add (
          &writer, (guint16) (seq + j), path.origin + j * GCC_SECOND);
    path_begin_rtcp (&buffer, &rtcp);
    path_add_feedback (&rtcp, &writer);
    path_deliver (&path, path_end_rtcp (buffer, &rtcp));
  }
  g_assert_cmpuint (path_get_target (&path), ==, target);
  g_assert_cmpuint (path_count (&path, "feedbacks-ignored"), ==, 100);
  path_stop (&path);
}

/* Guards against rtpsession, which reads such messages, too, up to two bytes
 * past their end, and makes a structure for each status that they claim: these
 * took it half a minute, and before a page that must not be touched it died. */
static void
test_bytes_from_a_stranger_do_no_harm (void)
{
  guint8 bytes[64] = {
    0x8f, 0xcd, 0x00, 0x00, /* RTPFB, transport-wide, length below */
    0x00, 0x00, 0x00, 0xbb, /* sender */
    0x00, 0x00, 0x00, 0x00, /* media source */
    0x00, 0x00, 0xff, 0xff, /* from 0 on, 65535 statuses */
    0x00, 0x00, 0x01, 0x00, /* reference time, count */
    0x3f, 0xff, 0xdf, 0xff, /* 8191 small deltas, and a vector */
  };
  guint64 n_malformed;
  guint target;
  Path path;

  path_start_steered (&path);
  target = path_get_target (&path);
  for (guint words = 2; words < G_N_ELEMENTS (bytes) / 4; words++) {
    bytes[3] = (guint8) (words - 1);
    path_deliver (&path, test_guarded_buffer (bytes, 4 * words));
  }
  n_malformed = path_count (&path, "malformed-transport-cc");
  g_assert_cmpuint (n_malformed, ==, 14);
  g_assert_cmpuint (path_get_target (&path), ==, target);

  for (guint i = 0; i < 5000; i++) {
    guint words = (guint) g_test_rand_int_range (1, 16);

    for (guint j = 4; j < 4 * words; j++)
      bytes[j] = (guint8) g_test_rand_int_range (0, 256);
    bytes[0] = g_test_rand_int_range (0, 4) == 0 ? 0xaf : 0x8f;
    bytes[3] = (guint8) (words - 1);
    path_deliver (&path, test_guarded_buffer (bytes, 4 * words));
  }
  g_assert_cmpuint (
      path_count (&path, "malformed-transport-cc"), >, n_malformed);
  path_call_for (&path, GST_SECOND);
  g_assert_cmpuint (path_get_target (&path), >=, MIN_RATE);
  path_stop (&path);
}

/* --- a stranger's REMB --- */

/* An empty report, and a REMB of 0 bit/s about our stream: 32 bytes. */
static GstBuffer *
make_forged_remb (void)
{
  static const guint8 forged[] = { 0x80, 0xc9, 0x00, 0x01, 0x00, 0x00, 0x00,
    0x2a,                                           /* RR of SSRC 42 */
    0x8f, 0xce, 0x00, 0x05, 0x00, 0x00, 0x00, 0x2a, /* PSFB, FMT 15 */
    0x00, 0x00, 0x00, 0x00, 'R', 'E', 'M', 'B', 0x01, 0x00, 0x00, 0x00 };
  guint8 bytes[32];

  memcpy (bytes, forged, sizeof forged);
  GST_WRITE_UINT32_BE (bytes + sizeof forged, TEST_SSRC);
  return gst_buffer_new_memdup (bytes, sizeof bytes);
}

/* Guards against one packet that held a call at min-bitrate for good, without a
 * word on the bus. */
static void
test_a_forged_remb_ends_and_is_told (void)
{
  static const gchar *const text =
      "REMB of 0 bit/s from SSRC 42, which reports on nothing";
  guint before;
  Path path;

  path_start (&path, "", NEGOTIATED);
  path_call_for (&path, 10 * GST_SECOND);
  before = path_get_target (&path);
  g_assert_cmpuint (before, >, 5 * MIN_RATE);
  for (guint i = 0; i < 2; i++) {
    path_deliver (&path, make_forged_remb ());
    path_call_for (&path, GST_SECOND);
    g_assert_cmpuint (path_get_target (&path), ==, MIN_RATE);
    path_call_for (&path, 13 * GST_SECOND);
    g_assert_cmpuint (path_get_target (&path), ==, MIN_RATE);
    path_call_for (&path, 2 * GST_SECOND);
    g_assert_cmpuint (path_get_target (&path), >=, before * 7 / 10);
  }
  g_assert_cmpuint (
      path_count_messages (&path, GST_MESSAGE_WARNING, text), ==, 1);
  path_stop (&path);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

#define ADD(name) g_test_add_func ("/transport/" #name, test_##name)
  ADD (loss_lowers_the_rate_and_nothing_breaks);
  ADD (lost_feedback_is_counted_and_no_loss);
  ADD (a_repeated_message_changes_nothing);
  ADD (messages_that_overlap_count_each_packet_once);
  ADD (messages_out_of_order_do_no_harm);
  ADD (feedback_may_be_two_seconds_late);
  ADD (numbers_never_sent_steer_nothing);
  ADD (bytes_from_a_stranger_do_no_harm);
  ADD (a_forged_remb_ends_and_is_told);

  return g_test_run ();
}
