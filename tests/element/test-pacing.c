/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/check/gsttestclock.h>
#include <gst/gst.h>
#include <gst/rtp/rtp.h>

#include "element-test.h"

/* 1000 bytes take 5 ms at twice the 800 kbit/s of PACED. */
#define PAYLOAD 1000u
#define PACKET_TIME (5 * GST_MSECOND)
#define PACED \
  "gccsender name=sender start-bitrate=800000 pacing-factor=2 " \
  "max-pacing-delay=200"
#define MAX_DELAY (200 * GST_MSECOND)

static GstHarness *
start (const gchar *line)
{
  GstHarness *h = gst_harness_new_parse (line);

  test_use_testclock (h);
  gst_harness_set_src_caps_str (h, TEST_RTP_CAPS);

  return h;
}

static void
push_frame (GstHarness *h, guint16 first, guint n_packets)
{
  GstBufferList *list = gst_buffer_list_new ();

  for (guint i = 0; i < n_packets; i++) {
    GstBuffer *packet = test_rtp_packet ((guint16) (first + i), 0, PAYLOAD);

    GST_BUFFER_PTS (packet) = 77 * GST_MSECOND;
    GST_BUFFER_DTS (packet) = 66 * GST_MSECOND;
    gst_buffer_list_add (list, packet);
  }
  g_assert_cmpint (gst_pad_push_list (h->srcpad, list), ==, GST_FLOW_OK);
}

static guint8
payload_type_of (GstBuffer *buffer)
{
  guint8 byte;

  g_assert_cmpuint (gst_buffer_extract (buffer, 1, &byte, 1), ==, 1);

  return byte & 0x7f;
}

static GstClockTime
now (GstHarness *h)
{
  GstTestClock *clock = gst_harness_get_testclock (h);
  GstClockTime time = gst_clock_get_time (GST_CLOCK (clock));

  gst_object_unref (clock);

  return time;
}

/* The next packet, moving the clock as far as that takes. */
static GstBuffer *
next_packet (GstHarness *h)
{
  GstBuffer *buffer;

  while ((buffer = gst_harness_try_pull (h)) == NULL) {
    GstTestClock *clock = gst_harness_get_testclock (h);

    if (gst_test_clock_peek_id_count (clock) > 0)
      gst_harness_crank_single_clock_wait (h);
    else
      g_usleep (100);
    gst_object_unref (clock);
  }

  return buffer;
}

static void
test_a_frame_leaves_at_the_pacing_rate (void)
{
  GstHarness *h = start (PACED);
  GstClockTime begin = now (h);

  push_frame (h, 0, 10);
  for (guint16 i = 0; i < 10; i++) {
    GstBuffer *packet = next_packet (h);

    g_assert_cmpuint (test_read_seqnum (packet), ==, i);
    g_assert_cmpuint (GST_BUFFER_PTS (packet), ==, 77 * GST_MSECOND);
    g_assert_cmpuint (GST_BUFFER_DTS (packet), ==, 66 * GST_MSECOND);
    g_assert_cmpuint (now (h) - begin, ==, i * PACKET_TIME);
    gst_buffer_unref (packet);
  }

  gst_harness_teardown (h);
}

static void
test_no_packet_is_held_longer_than_the_bound (void)
{
  GstHarness *h = start (PACED);
  GstClockTime begin = now (h);

  /* half a second's worth */
  push_frame (h, 0, 100);
  for (guint16 i = 0; i < 100; i++)
    gst_buffer_unref (next_packet (h));
  g_assert_cmpuint (now (h) - begin, <=, MAX_DELAY);
  /* but not much sooner */
  g_assert_cmpuint (now (h) - begin, >=, MAX_DELAY * 9 / 10);

  gst_harness_teardown (h);
}

/* The pipeline's clock, at a time of its own, where it stays. */
static void
select_clock (GstHarness *h, GstClockTime time)
{
  GstClock *clock = gst_test_clock_new_with_start_time (time);

  gst_element_set_clock (h->element, clock);
  gst_object_unref (clock);
}

/* Before: with an alarm of the old clock, or a clock that stands still, packets
 * waited for ever, and the queue grew. */
static void
test_a_clock_that_stops_or_is_replaced_holds_nothing_back (void)
{
  const GstClockTime replaced_by[] = { 0, 1000 * 3600 * GST_SECOND, 1, 0, 7 };
  GstHarness *h = start (PACED);
  GstClockTime begin = now (h);

  push_frame (h, 0, 10);
  for (guint16 i = 0; i < 10; i++) {
    if (i % 2 == 0)
      select_clock (h, replaced_by[i / 2]);
    gst_buffer_unref (next_packet (h));
    g_assert_cmpuint (now (h) - begin, ==, i * PACKET_TIME);
  }
  gst_element_set_clock (h->element, NULL);
  push_frame (h, 10, 1);
  gst_buffer_unref (next_packet (h));

  gst_harness_teardown (h);
}

static void
test_the_rate_follows_the_target (void)
{
  GstHarness *h = start (PACED);
  GstElement *sender = gst_harness_find_element (h, "gccsender");
  GstClockTime begin;

  g_object_set (sender, "max-bitrate", 400000, NULL);
  begin = now (h);
  push_frame (h, 0, 5);
  for (guint16 i = 0; i < 5; i++) {
    gst_buffer_unref (next_packet (h));
    g_assert_cmpuint (now (h) - begin, ==, i * 2 * PACKET_TIME);
  }

  gst_object_unref (sender);
  gst_harness_teardown (h);
}

static GstPadProbeReturn
note (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  GString *seen = user_data;

  (void) pad;
  if (info->type & GST_PAD_PROBE_TYPE_BUFFER)
    g_string_append_printf (
        seen, "%u ", test_read_seqnum (GST_PAD_PROBE_INFO_BUFFER (info)));
  else
    g_string_append_printf (
        seen, "%s ", GST_EVENT_TYPE_NAME (GST_PAD_PROBE_INFO_EVENT (info)));

  return GST_PAD_PROBE_OK;
}

static void
test_nothing_overtakes_an_event (void)
{
  GstHarness *h = start (PACED);
  GString *seen = g_string_new (NULL);

  gst_buffer_unref ((push_frame (h, 0, 1), next_packet (h)));
  gst_pad_add_probe (h->sinkpad,
      GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, note,
      seen, NULL);
  push_frame (h, 1, 3);
  gst_harness_push_event (h,
      gst_event_new_custom (
          GST_EVENT_CUSTOM_DOWNSTREAM, gst_structure_new_empty ("anything")));
  push_frame (h, 4, 2);
  gst_harness_push_event (h, gst_event_new_eos ());
  for (guint16 i = 1; i < 6; i++)
    gst_buffer_unref (next_packet (h));
  while (strstr (seen->str, "eos") == NULL)
    g_usleep (100);

  g_assert_cmpstr (seen->str, ==, "1 2 3 custom-downstream 4 5 eos ");

  gst_harness_teardown (h);
  g_string_free (seen, TRUE);
}

static void
test_a_flush_drops_what_is_held_back (void)
{
  GstHarness *h = start (PACED);
  GstElement *sender = gst_harness_find_element (h, "gccsender");
  GstSegment segment;
  GstBuffer *packet;

  push_frame (h, 0, 10);
  gst_buffer_unref (next_packet (h));
  g_assert_cmpuint (test_stats_uint64 (sender, "queued-bytes"), ==, 9000);
  gst_harness_push_event (h, gst_event_new_flush_start ());
  g_assert_cmpuint (test_stats_uint64 (sender, "queued-bytes"), ==, 0);
  g_assert_cmpint (gst_harness_push (h, test_rtp_packet (50, 0, PAYLOAD)), ==,
      GST_FLOW_FLUSHING);
  gst_harness_push_event (h, gst_event_new_flush_stop (TRUE));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (h, gst_event_new_segment (&segment));
  push_frame (h, 60, 1);
  packet = next_packet (h);
  g_assert_cmpuint (test_read_seqnum (packet), ==, 60);

  gst_buffer_unref (packet);
  gst_object_unref (sender);
  gst_harness_teardown (h);
}

static void
test_stopping_does_not_wait_for_the_queue (void)
{
  GstHarness *h = start (PACED);

  push_frame (h, 0, 30);
  gst_buffer_unref (next_packet (h));
  gst_element_set_state (h->element, GST_STATE_NULL);
  gst_element_set_state (h->element, GST_STATE_PLAYING);
  gst_harness_set_src_caps_str (h, TEST_RTP_CAPS);
  push_frame (h, 90, 1);
  gst_buffer_unref (next_packet (h));

  gst_harness_teardown (h);
}

static gboolean
has_queued_six (gpointer sender)
{
  /* A retransmission is two bytes longer: RFC 4588, section 4. */
  return test_stats_uint64 (sender, "queued-bytes") == 4 * PAYLOAD + 1002;
}

static void
test_a_retransmission_overtakes_media (void)
{
  GstHarness *h = start (
      "rtprtxsend payload-type-map=application/x-rtp-pt-map,96=(uint)97 "
      "! " PACED);
  GstElement *sender = gst_harness_find_element (h, "gccsender");
  const guint8 expected[] = { 97, 96, 96, 96, 96 };

  push_frame (h, 0, 5);
  gst_buffer_unref (next_packet (h));
  gst_harness_push_upstream_event (h,
      gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          gst_structure_new ("GstRTPRetransmissionRequest", "seqnum",
              G_TYPE_UINT, 0u, "ssrc", G_TYPE_UINT, TEST_SSRC, NULL)));
  test_wait_until (has_queued_six, sender);
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++) {
    GstBuffer *packet = next_packet (h);

    g_assert_cmpuint (payload_type_of (packet), ==, expected[i]);
    gst_buffer_unref (packet);
  }

  gst_object_unref (sender);
  gst_harness_teardown (h);
}

static GstClockTime
latency_of (const gchar *line)
{
  GstHarness *h = start (line);
  GstQuery *query = gst_query_new_latency ();
  GstClockTime min;
  gboolean live;

  gst_harness_set_upstream_latency (h, 10 * GST_MSECOND);
  g_assert_true (gst_pad_peer_query (h->sinkpad, query));
  gst_query_parse_latency (query, &live, &min, NULL);
  gst_query_unref (query);
  gst_harness_teardown (h);

  return min;
}

static void
test_the_bound_is_reported_as_latency (void)
{
  g_assert_cmpuint (latency_of (PACED), ==, 210 * GST_MSECOND);
  g_assert_cmpuint (
      latency_of ("gccsender pacing-factor=0"), ==, 10 * GST_MSECOND);
}

static void
test_2013_paces_by_itself (void)
{
  g_assert_cmpuint (
      latency_of ("gccsender profile=rtcweb-2013"), ==, 260 * GST_MSECOND);
}

/* --- send times --- */

#define ABS_SEND_TIME_CAPS \
  TEST_RTP_CAPS \
  ",extmap-3=(string)" \
  "http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time"

/* One that left in 1900 for all it says: with an abs-send-time of 0. */
static GstBuffer *
old_packet (guint16 seqnum, guint8 payload_type)
{
  GstBuffer *packet = test_rtp_packet (seqnum, 0, PAYLOAD);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  const guint8 early[] = { 0, 0, 0 };

  g_assert_true (gst_rtp_buffer_map (packet, GST_MAP_READWRITE, &rtp));
  gst_rtp_buffer_set_payload_type (&rtp, payload_type);
  g_assert_true (gst_rtp_buffer_add_extension_onebyte_header (
      &rtp, 3, early, sizeof early));
  gst_rtp_buffer_unmap (&rtp);

  return packet;
}

static gboolean
has_new_send_time (GstBuffer *packet)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  gboolean is_new;
  gpointer data;
  guint size;

  g_assert_true (gst_rtp_buffer_map (packet, GST_MAP_READ, &rtp));
  g_assert_true (
      gst_rtp_buffer_get_extension_onebyte_header (&rtp, 3, 0, &data, &size));
  g_assert_cmpuint (size, ==, 3);
  is_new = GST_READ_UINT24_BE (data) != 0;
  gst_rtp_buffer_unmap (&rtp);

  return is_new;
}

static void
test_a_paced_packet_tells_when_it_left (void)
{
  GstHarness *h = gst_harness_new_parse (PACED);
  GstBuffer *packet;

  gst_harness_set_src_caps_str (h, ABS_SEND_TIME_CAPS);
  packet = gst_harness_push_and_pull (h, old_packet (0, 96));
  g_assert_true (has_new_send_time (packet));

  gst_buffer_unref (packet);
  gst_harness_teardown (h);
}

static GstBufferList *
old_packets (void)
{
  GstBufferList *list = gst_buffer_list_new ();

  gst_buffer_list_add (list, old_packet (0, 96));
  gst_buffer_list_add (list, old_packet (1, 97));
  gst_buffer_list_add (list, old_packet (2, 96));

  return list;
}

static void
test_all_of_a_paced_list_tell_when_they_left (void)
{
  GstHarness *h = start (PACED);

  gst_harness_set_src_caps_str (h, ABS_SEND_TIME_CAPS);
  gst_pad_push_list (h->srcpad, old_packets ());
  for (guint i = 0; i < 3; i++) {
    GstBuffer *packet = next_packet (h);

    g_assert_true (has_new_send_time (packet));
    gst_buffer_unref (packet);
  }

  gst_harness_teardown (h);
}

static GstFlowReturn
take_list (GstPad *pad, GstObject *parent, GstBufferList *list)
{
  (void) parent;
  g_object_set_data_full (
      G_OBJECT (pad), "list", list, (GDestroyNotify) gst_buffer_list_unref);

  return GST_FLOW_OK;
}

/* Before: alone it had its send time renewed, in a list not, so that a receiver
 * took it for delayed by a round trip. */
static void
test_a_retransmission_in_a_list_tells_when_it_left (gconstpointer user_data)
{
  gboolean is_shared = GPOINTER_TO_INT (user_data);
  GstHarness *h = gst_harness_new_parse (
      "rtprtxsend payload-type-map=application/x-rtp-pt-map,96=(uint)97 ! "
      "gccsender pacing-factor=0");
  GstBufferList *list = old_packets (), *left;
  GstBufferList *shared = is_shared ? gst_buffer_list_ref (list) : NULL;

  gst_harness_set_src_caps_str (h, ABS_SEND_TIME_CAPS);
  gst_pad_set_chain_list_function (h->sinkpad, take_list);
  g_assert_cmpint (gst_pad_push_list (h->srcpad, list), ==, GST_FLOW_OK);

  left = g_object_get_data (G_OBJECT (h->sinkpad), "list");
  g_assert_nonnull (left);
  g_assert_cmpuint (gst_buffer_list_length (left), ==, 3);
  g_assert_false (has_new_send_time (gst_buffer_list_get (left, 0)));
  g_assert_true (has_new_send_time (gst_buffer_list_get (left, 1)));
  g_assert_false (has_new_send_time (gst_buffer_list_get (left, 2)));
  /* Whoever else has it keeps it as it was. */
  if (shared != NULL)
    g_assert_false (has_new_send_time (gst_buffer_list_get (shared, 1)));

  gst_clear_buffer_list (&shared);
  gst_harness_teardown (h);
}

/* --- settings --- */

/* Until a frame of ten packets has left. */
static GstClockTime
time_of_a_frame (const gchar *factor)
{
  gchar *line = g_strdup_printf ("gccsender start-bitrate=800000 "
                                 "max-pacing-delay=200 pacing-factor=%s",
      factor);
  GstHarness *h = start (line);
  GstClockTime begin = now (h), end;

  push_frame (h, 0, 10);
  for (guint i = 0; i < 10; i++)
    gst_buffer_unref (next_packet (h));
  end = now (h);
  gst_harness_teardown (h);
  g_free (line);

  return end - begin;
}

/* Before: a factor of 1e-6 was a pacing rate of 0, and CRITICALs. */
static void
test_a_factor_below_1_counts_as_1 (void)
{
  static const gchar *const factors[] = { "1e-6", "0.5", "0.999", "1" };

  for (guint i = 0; i < G_N_ELEMENTS (factors); i++)
    g_assert_cmpuint (time_of_a_frame (factors[i]), ==, 9 * 2 * PACKET_TIME);
  g_assert_cmpuint (time_of_a_frame ("0"), ==, 0);
  g_assert_cmpuint (time_of_a_frame ("-1"), ==, 0);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

#define ADD(name) g_test_add_func ("/pacing/" #name, test_##name)
  ADD (a_frame_leaves_at_the_pacing_rate);
  ADD (no_packet_is_held_longer_than_the_bound);
  ADD (a_clock_that_stops_or_is_replaced_holds_nothing_back);
  ADD (the_rate_follows_the_target);
  ADD (nothing_overtakes_an_event);
  ADD (a_flush_drops_what_is_held_back);
  ADD (stopping_does_not_wait_for_the_queue);
  ADD (a_retransmission_overtakes_media);
  ADD (the_bound_is_reported_as_latency);
  ADD (2013_paces_by_itself);
  ADD (a_paced_packet_tells_when_it_left);
  ADD (all_of_a_paced_list_tell_when_they_left);
  ADD (a_factor_below_1_counts_as_1);
#undef ADD
  g_test_add_data_func ("/pacing/a_retransmission_in_a_list_tells_when_it_left",
      GINT_TO_POINTER (FALSE),
      test_a_retransmission_in_a_list_tells_when_it_left);
  g_test_add_data_func (
      "/pacing/a_retransmission_in_a_shared_list_tells_when_it_left",
      GINT_TO_POINTER (TRUE),
      test_a_retransmission_in_a_list_tells_when_it_left);

  return g_test_run ();
}
