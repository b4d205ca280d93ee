/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* What the estimate of gccreceiver comes of. */

#include <gst/check/gsttestclock.h>
#include <gst/gcc/gcc-abs-send-time.h>
#include <gst/gst.h>
#include <gst/rtp/rtp.h>

#include "element-test.h"
#include "receiving-end.h"

#define EXTMAP(id) ",extmap-" #id "=(string)" GCC_ABS_SEND_TIME_URI
#define EXTMAP_ARRAY(id) \
  ",extmap-" #id "=(string)<sendonly,\"" GCC_ABS_SEND_TIME_URI "\",\"\">"

static void
test_there_is_no_estimate_before_there_is_media (void)
{
  ReceivingEnd end;

  receiving_end_start (&end);
  g_assert_cmpuint (receiving_end_get_estimate (&end), ==, 0);
  receiving_end_stop (&end);
}

static void
count_notify (GObject *object, GParamSpec *pspec, gpointer user_data)
{
  (void) object;
  (void) pspec;
  (*(guint *) user_data)++;
}

static void
test_a_growing_delay_lowers_the_estimate (void)
{
  const guint rate = 1000 * 8 * 1000 / 33;
  ReceivingEnd end;
  guint notified = 0;
  guint steady;

  receiving_end_start (&end);
  g_signal_connect (end.harness->element, "notify::estimated-bitrate",
      G_CALLBACK (count_notify), &notified);

  for (guint i = 0; i < 300; i++)
    receiving_end_deliver_frame (&end, 1000, 0);
  steady = receiving_end_get_estimate (&end);
  g_assert_cmpuint (steady, >, rate);
  g_assert_cmpuint (notified, >, 0);

  for (guint i = 0; i < 30; i++)
    receiving_end_deliver_frame (&end, 1000, i * 5 * GST_MSECOND);
  g_assert_cmpuint (receiving_end_get_estimate (&end), <, rate);
  g_assert_cmpuint (test_stats_uint64 (end.harness->element, "overuses"), >, 0);

  receiving_end_stop (&end);
}

static void
test_the_kernels_time_stamp_is_preferred (void)
{
  GstCaps *unix_time = gst_caps_new_empty_simple ("timestamp/x-unix");
  ReceivingEnd end;

  /* DTS says that nothing is wrong, the kernel that a queue grows. */
  receiving_end_start (&end);
  for (guint i = 0; i < 330; i++) {
    GstClockTime arrival = GST_SECOND + i * FRAME_INTERVAL;
    GstClockTime delay = i < 300 ? 0 : (i - 300) * 5 * GST_MSECOND;
    GstBuffer *buffer = test_rtp_packet ((guint16) i, i * 33 * 90, 1000);

    gst_test_clock_set_time (end.clock, arrival);
    GST_BUFFER_DTS (buffer) = arrival;
    gst_buffer_add_reference_timestamp_meta (buffer, unix_time,
        1000000 * GST_SECOND + arrival + delay, GST_CLOCK_TIME_NONE);
    gst_harness_push (end.harness, buffer);
    gst_buffer_unref (gst_harness_pull (end.harness));
  }
  g_assert_cmpuint (test_stats_uint64 (end.harness->element, "overuses"), >, 0);

  receiving_end_stop (&end);
  gst_caps_unref (unix_time);
}

static void
set_caps (ReceivingEnd *self, const gchar *fields)
{
  g_autofree gchar *caps = g_strconcat (TEST_RTP_CAPS, fields, NULL);

  gst_harness_set_src_caps_str (self->harness, caps);
}

/* --- abs-send-time --- */

/* As extension 3 with a one-byte header, else as @id with two bytes. */
static void
add_abs_send_time (GstBuffer *buffer, guint8 id, GstClockTime sent)
{
  guint32 value = gcc_abs_send_time_from_time (
      (GccTime) GST_TIME_AS_USECONDS (sent));
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  guint8 data[GCC_ABS_SEND_TIME_LENGTH];

  GST_WRITE_UINT24_BE (data, value);
  g_assert_true (gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp));
  if (id == 3)
    g_assert_true (gst_rtp_buffer_add_extension_onebyte_header (
        &rtp, id, data, sizeof data));
  else
    g_assert_true (gst_rtp_buffer_add_extension_twobytes_header (
        &rtp, 0, id, data, sizeof data));
  gst_rtp_buffer_unmap (&rtp);
}

static gboolean
uses_abs_send_time (ReceivingEnd *self)
{
  GstStructure *stats;
  gboolean value = FALSE;

  g_object_get (self->harness->element, "stats", &stats, NULL);
  g_assert_true (gst_structure_get_boolean (stats, "abs-send-time", &value));
  gst_structure_free (stats);

  return value;
}

typedef struct {
  const gchar *profile;
  const gchar *fields;
  guint8 id;
  gboolean in_rtp_timestamp;
  gboolean is_overuse;
} GrowthTest;

/* The frames of one second arrive later and later: after what their RTP
 * timestamps say, or else after what their abs-send-time says; the other goes
 * with their arrival. */
static guint64
count_overuses (const GrowthTest *test)
{
  ReceivingEnd end;
  guint64 overuses;

  receiving_end_start (&end);
  gst_element_set_state (end.harness->element, GST_STATE_NULL);
  gst_util_set_object_arg (
      G_OBJECT (end.harness->element), "profile", test->profile);
  gst_element_set_state (end.harness->element, GST_STATE_PLAYING);
  set_caps (&end, test->fields);

  for (end.frame = 0; end.frame < 330; end.frame++) {
    GstClockTime sent = receiving_end_time_of_frame (&end);
    GstClockTime delay = end.frame < 300 ? 0
                                         : (end.frame - 300) * 5 * GST_MSECOND;
    GstClockTime captured = test->in_rtp_timestamp ? sent : sent + delay;
    GstBuffer *buffer = test_rtp_packet (
        (guint16) end.frame, (guint32) (captured / GST_MSECOND * 90), 1000);

    add_abs_send_time (
        buffer, test->id, test->in_rtp_timestamp ? sent + delay : sent);
    receiving_end_deliver (&end, buffer, sent + delay);
  }
  overuses = test_stats_uint64 (end.harness->element, "overuses");
  receiving_end_stop (&end);

  return overuses;
}

static void
test_abs_send_time_is_used_where_caps_have_it (void)
{
  static const GrowthTest tests[] = {
    { "recommended", EXTMAP (3), 3, FALSE, TRUE },
    { "recommended", EXTMAP (3), 3, TRUE, FALSE },
    { "recommended", EXTMAP_ARRAY (3), 3, FALSE, TRUE },
    { "recommended", EXTMAP_ARRAY (3), 3, TRUE, FALSE },
    { "recommended", EXTMAP (20), 20, FALSE, TRUE },
    { "recommended", EXTMAP (20), 20, TRUE, FALSE },
    { "goog-2020", EXTMAP (3), 3, FALSE, TRUE },
    { "goog-2020", EXTMAP (3), 3, TRUE, FALSE },
    /* not in the caps, or as another extension */
    { "recommended", "", 3, FALSE, FALSE },
    { "recommended", "", 3, TRUE, TRUE },
    { "recommended", EXTMAP (4), 3, FALSE, FALSE },
    { "recommended", EXTMAP (4), 3, TRUE, TRUE },
    { "recommended", ",extmap-3=(string)urn:other", 3, FALSE, FALSE },
    { "recommended", ",extmap-3=(string)urn:other", 3, TRUE, TRUE },
    /* no use for it */
    { "rtcweb-2013", EXTMAP (3), 3, FALSE, FALSE },
    { "rtcweb-2013", EXTMAP (3), 3, TRUE, TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (tests); i++) {
    guint64 overuses = count_overuses (&tests[i]);

    g_test_message ("%s%s, extension %u, growth in %s: %" G_GUINT64_FORMAT
                    " over-uses",
        tests[i].profile, tests[i].fields, tests[i].id,
        tests[i].in_rtp_timestamp ? "RTP time" : "abs-send-time", overuses);
    g_assert_cmpint (overuses > 0, ==, tests[i].is_overuse);
  }
}

static void
test_thirty_packets_without_abs_send_time_end_its_use (void)
{
  ReceivingEnd end;
  GstBuffer *buffer;

  receiving_end_start (&end);
  set_caps (&end, EXTMAP (3));
  receiving_end_deliver_frame (&end, 1000, 0);
  g_assert_false (uses_abs_send_time (&end));

  for (guint round = 0; round < 2; round++) {
    buffer = receiving_end_make_frame (&end, 1000);
    add_abs_send_time (buffer, 3, receiving_end_time_of_frame (&end));
    receiving_end_deliver (&end, buffer, receiving_end_time_of_frame (&end));
    end.frame++;
    g_assert_true (uses_abs_send_time (&end));

    for (guint i = 0; i < 29; i++)
      receiving_end_deliver_frame (&end, 1000, 0);
    g_assert_true (uses_abs_send_time (&end));
    receiving_end_deliver_frame (&end, 1000, 0);
    g_assert_false (uses_abs_send_time (&end));
  }
  receiving_end_stop (&end);
}

static void
test_malformed_extensions_do_no_harm (void)
{
  static const gchar *const fields[] = { EXTMAP (1), EXTMAP (14), EXTMAP (15),
    EXTMAP (255), EXTMAP (0), EXTMAP (256),
    ",extmap-=(string)" GCC_ABS_SEND_TIME_URI,
    ",extmap-x=(string)" GCC_ABS_SEND_TIME_URI, ",extmap-1=(int)1",
    ",extmap-1=(string)<a,b>", ",extmap-1=(int)<1,2,3>" };
  static const guint16 forms[] = { 0xbede, 0x1000, 0x100f, 0 };
  GRand *rand = g_rand_new_with_seed (3);
  ReceivingEnd end;

  receiving_end_start (&end);
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++) {
    set_caps (&end, fields[i]);
    for (guint j = 0; j < 500; j++) {
      guint size = 12 + 4 + (guint) g_rand_int_range (rand, 0, 24);
      guint8 *bytes = g_malloc (size);

      for (guint k = 0; k < size; k++)
        bytes[k] = (guint8) (g_rand_int (rand) >> (k % 3 * 8));
      bytes[0] = 0x90;
      GST_WRITE_UINT16_BE (bytes + 12, forms[j % G_N_ELEMENTS (forms)]);
      GST_WRITE_UINT16_BE (bytes + 14, g_rand_int_range (rand, 0, 6));
      receiving_end_deliver (&end, gst_buffer_new_wrapped (bytes, size),
          receiving_end_time_of_frame (&end));
      end.frame++;
    }
  }
  g_rand_free (rand);
  receiving_end_stop (&end);
}

/* --- packets that only count in the rate --- */

/* Of another clock: 20 ms are 160 units. */
static GstBuffer *
make_other_packet (guint8 payload_type, guint i)
{
  GstBuffer *buffer = test_rtp_packet ((guint16) i, i * 160u, 1000);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  g_assert_true (gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp));
  gst_rtp_buffer_set_payload_type (&rtp, payload_type);
  gst_rtp_buffer_set_ssrc (&rtp, TEST_SSRC + 1);
  gst_rtp_buffer_unmap (&rtp);

  return buffer;
}

static gint64
received_rate (ReceivingEnd *self)
{
  GstStructure *stats;
  gint64 rate = 0;

  g_object_get (self->harness->element, "stats", &stats, NULL);
  g_assert_true (gst_structure_get_int64 (stats, "r-bps", &rate));
  gst_structure_free (stats);

  return rate;
}

static void
test_another_payload_type_only_counts_in_the_rate (void)
{
  guint64 groups[2];
  gint64 rates[2];

  for (guint with_other = 0; with_other < 2; with_other++) {
    ReceivingEnd end;

    receiving_end_start (&end);
    for (guint i = 0; i < 300; i++) {
      GstClockTime time = receiving_end_time_of_frame (&end);

      if (with_other)
        receiving_end_deliver (
            &end, make_other_packet (97, i), time - GST_MSECOND);
      receiving_end_deliver_frame (&end, 1000, 0);
    }
    groups[with_other] = test_stats_uint64 (end.harness->element, "groups");
    rates[with_other] = received_rate (&end);
    g_assert_cmpuint (
        test_stats_uint64 (end.harness->element, "overuses"), ==, 0);
    receiving_end_stop (&end);
  }
  g_assert_cmpuint (groups[1], ==, groups[0]);
  g_assert_cmpint (rates[1], >, rates[0] * 19 / 10);
  g_assert_cmpint (rates[1], <, rates[0] * 21 / 10);
}

static void
test_repair_packets_only_count_in_the_rate (void)
{
  static const struct {
    const gchar *caps;
    gboolean is_measured;
  } tests[] = {
    { "encoding-name=RTX,payload=96", FALSE },
    { "encoding-name=RTX", FALSE },
    { "encoding-name=ULPFEC,payload=96", FALSE },
    { "encoding-name=FLEXFEC-03,payload=96", FALSE },
    { "encoding-name=VP8,payload=97", FALSE },
    { "encoding-name=RED,payload=96", TRUE },
    { "encoding-name=H264", TRUE },
    { "clock-rate=90000", TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (tests); i++) {
    g_autofree gchar *caps = g_strconcat (
        "application/x-rtp,", tests[i].caps, NULL);
    GstElement *element;
    ReceivingEnd end;

    receiving_end_start (&end);
    gst_harness_set_src_caps_str (end.harness, caps);
    for (guint j = 0; j < 10; j++)
      receiving_end_deliver_frame (&end, 1000, 0);
    element = end.harness->element;
    g_assert_cmpuint (test_stats_uint64 (element, "packets"), ==, 10);
    g_assert_cmpint (
        test_stats_uint64 (element, "groups") > 0, ==, tests[i].is_measured);
    receiving_end_stop (&end);
  }
}

/* --- overuse-threshold --- */

static gdouble
gamma_ms (GstElement *element)
{
  GstStructure *stats;
  gdouble gamma = 0.;

  g_object_get (element, "stats", &stats, NULL);
  g_assert_true (gst_structure_get_double (stats, "gamma-ms", &gamma));
  gst_structure_free (stats);

  return gamma;
}

static void
test_the_threshold_can_be_set (void)
{
  static const struct {
    const gchar *profile;
    gdouble threshold;
    gdouble gamma;
  } tests[] = {
    { "rtcweb-2013", -1., 25. },
    { "rtcweb-2013", 40., 40. },
    { "rtcweb-2013", 0., 0. },
    { "rtcweb-2013", -1., 25. },
    { "recommended", -1., 12.5 },
    { "recommended", 20., 20. },
  };
  GstElement *element = gst_element_factory_make ("gccreceiver", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (tests); i++) {
    gst_util_set_object_arg (G_OBJECT (element), "profile", tests[i].profile);
    g_object_set (element, "overuse-threshold", tests[i].threshold, NULL);
    gst_element_set_state (element, GST_STATE_PAUSED);
    g_assert_cmpfloat (gamma_ms (element), ==, tests[i].gamma);
    gst_element_set_state (element, GST_STATE_NULL);
  }
  gst_object_unref (element);
}

/* A queue that grows by 1.5 ms per frame: 25/60 ms notices, 500/60 does not. */
static void
test_a_higher_threshold_takes_more_for_overuse (void)
{
  static const gdouble thresholds[] = { 25., 500. };

  for (guint i = 0; i < G_N_ELEMENTS (thresholds); i++) {
    GstElement *element;
    ReceivingEnd end;

    receiving_end_start (&end);
    element = end.harness->element;
    gst_element_set_state (element, GST_STATE_NULL);
    gst_util_set_object_arg (G_OBJECT (element), "profile", "rtcweb-2013");
    g_object_set (element, "overuse-threshold", thresholds[i], NULL);
    gst_element_set_state (element, GST_STATE_PLAYING);
    set_caps (&end, "");

    for (guint j = 0; j < 300; j++)
      receiving_end_deliver_frame (&end, 1000, 0);
    for (guint j = 0; j < 90; j++)
      receiving_end_deliver_frame (&end, 1000, j * 1500 * GST_USECOND);
    if (i == 0)
      g_assert_cmpuint (test_stats_uint64 (element, "overuses"), >, 0);
    else
      g_assert_cmpuint (test_stats_uint64 (element, "overuses"), ==, 0);
    receiving_end_stop (&end);
  }
}

/* --- RTCP --- */

/* The estimate after ten seconds of frames, each followed by @rtcp, if any. The
 * session has a pad for media of its own: without one rtpsession loses what it
 * made of transport-wide feedback. */
static guint
estimate_beside (GstBuffer *const *rtcp, guint n_rtcp)
{
  GstHarness *h = gst_harness_new_parse (
      "gccreceiver name=receiver ! session.recv_rtp_sink "
      "rtpsession name=session session.recv_rtp_src ! identity");
  GstElement *session = gst_bin_get_by_name (GST_BIN (h->element), "session");
  GstElement *receiver = gst_bin_get_by_name (GST_BIN (h->element), "receiver");
  GstPad *source = test_open_rtcp (session, "recv_rtcp_sink");
  GstPad *media = gst_element_request_pad_simple (session, "send_rtp_sink");
  GstTestClock *clock;
  guint result;

  test_use_testclock (h);
  gst_harness_set_drop_buffers (h, TRUE);
  gst_harness_set_src_caps_str (h, TEST_RTP_CAPS);
  clock = gst_harness_get_testclock (h);
  for (guint i = 0; i < 300; i++) {
    GstBuffer *frame = test_rtp_packet ((guint16) i, i * 33u * 90u, 1000);

    gst_test_clock_set_time (clock, GST_SECOND + i * FRAME_INTERVAL);
    GST_BUFFER_DTS (frame) = GST_SECOND + i * FRAME_INTERVAL;
    g_assert_cmpint (gst_harness_push (h, frame), ==, GST_FLOW_OK);
    for (guint j = 0; j < n_rtcp; j++)
      g_assert_cmpint (
          gst_pad_push (source, gst_buffer_copy (rtcp[j])), ==, GST_FLOW_OK);
  }
  result = test_get_uint (receiver, "estimated-bitrate");

  gst_element_set_state (h->element, GST_STATE_NULL);
  gst_pad_set_active (source, FALSE);
  gst_object_unref (source);
  gst_object_unref (media);
  gst_object_unref (clock);
  gst_object_unref (receiver);
  gst_object_unref (session);
  gst_harness_teardown (h);

  return result;
}

/* What steers a sender, of whoever sends it. */
static void
test_rtcp_does_not_steer_the_estimate (void)
{
  /* clang-format off */
  static const guint8 feedback[] = {
    0x8f, 0xcd, 0x00, 0x05,  /* RTPFB with FMT 15 */
    0x00, 0x00, 0x00, 0xaa,
    0x11, 0x22, 0x33, 0x44,
    0x00, 0x00, 0x00, 0x01,  /* 0, one packet */
    0x00, 0x00, 0x01, 0x00,
    0x20, 0x01, 0xff, 0x00,  /* one that arrived, after 64 ms */
  };
  /* clang-format on */
  GstBuffer *const rtcp[] = {
    test_receiver_report (TEST_SSRC, 255, 300),
    test_remb (1000, 1),
    gst_buffer_new_memdup (feedback, sizeof feedback),
  };
  guint alone = estimate_beside (NULL, 0);

  g_assert_cmpuint (alone, >, 0);
  g_assert_cmpuint (estimate_beside (rtcp, G_N_ELEMENTS (rtcp)), ==, alone);
  for (guint i = 0; i < G_N_ELEMENTS (rtcp); i++)
    gst_buffer_unref (rtcp[i]);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

#define ADD(name) g_test_add_func ("/receiver-estimate/" #name, test_##name)

  ADD (there_is_no_estimate_before_there_is_media);
  ADD (a_growing_delay_lowers_the_estimate);
  ADD (rtcp_does_not_steer_the_estimate);
  ADD (the_kernels_time_stamp_is_preferred);
  ADD (abs_send_time_is_used_where_caps_have_it);
  ADD (thirty_packets_without_abs_send_time_end_its_use);
  ADD (malformed_extensions_do_no_harm);
  ADD (another_payload_type_only_counts_in_the_rate);
  ADD (repair_packets_only_count_in_the_rate);
  ADD (the_threshold_can_be_set);
  ADD (a_higher_threshold_takes_more_for_overuse);

  return g_test_run ();
}
