/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gst.h>
#include <gst/rtp/rtp.h>

#include "element-test.h"
#include "guarded-call.h"

/* --- bytes --- */

/* clang-format off */
#define REQUEST \
  0x85, 0xcd, 0x00, 0x02,  /* V=2, FMT 5: request for a sender report; RTPFB */ \
  0x00, 0x00, 0x00, 0xaa,  /* from this one */ \
  0x00, 0x00, 0x00, 0x05   /* of MEDIA_SSRC */

static const guint8 request[] = { REQUEST };

static const guint8 request_among_others[] = {
  RECEIVER_REPORT,
  REQUEST,
  REQUEST,
  0x8f, 0xce, 0x00, 0x05,  /* PSFB with FMT 15 */
  0x00, 0x00, 0x00, 0xaa,
  0x00, 0x00, 0x00, 0x00,
  'R', 'E', 'M', 'B',
  0x01, 0x0b, 0xd0, 0x90,  /* one SSRC; 250000 * 2^2 bit/s */
  0x00, 0x00, 0x00, 0x05,
};

static const guint8 request_at_the_end[] = { RECEIVER_REPORT, REQUEST };

/* Transport-wide feedback that tells of 65535 packets, and of the time of none.
 * Before rtpsession looks whether it is still inside it reads a delta. */
static const guint8 claims_too_much[] = {
  0x8f, 0xcd, 0x00, 0x05,  /* RTPFB with FMT 15 */
  0x00, 0x00, 0x00, 0xaa,
  0x00, 0x00, 0x00, 0x05,
  0x00, 0x00, 0xff, 0xff,  /* from 0 on, 65535 packets */
  0x00, 0x00, 0x01, 0x00,  /* reference time, count */
  0x3f, 0xff, 0x3f, 0xff,  /* twice 8191 that arrived, with small deltas */
};

/* All statuses are there; of the deltas of two bytes the second is cut. */
static const guint8 lacks_a_delta[] = {
  0x8f, 0xcd, 0x00, 0x05,
  0x00, 0x00, 0x00, 0xaa,
  0x00, 0x00, 0x00, 0x05,
  0x00, 0x00, 0x00, 0x02,  /* from 0 on, two packets */
  0x00, 0x00, 0x01, 0x00,
  0x40, 0x02, 0x00, 0x04,  /* two that arrived, with large deltas; one delta */
};

/* Forty bytes: 65535 packets that have not arrived. */
static const guint8 claims_losses[] = {
  RECEIVER_REPORT,
  0x8f, 0xcd, 0x00, 0x07,
  0x00, 0x00, 0x00, 0xaa,
  0x00, 0x00, 0x00, 0x00,
  0x00, 0x00, 0xff, 0xff,  /* from 0 on, 65535 packets */
  0x00, 0x00, 0x01, 0x00,
  0x1f, 0xff, 0x1f, 0xff,  /* eight times 8191 that have not arrived, ... */
  0x1f, 0xff, 0x1f, 0xff,
  0x1f, 0xff, 0x1f, 0xff,
};

/* ... and one number far from the last message's, whose count comes next. */
static const guint8 leaves_out_many[] = {
  0x8f, 0xcd, 0x00, 0x05,
  0x00, 0x00, 0x00, 0xaa,
  0x00, 0x00, 0x00, 0x05,
  0xff, 0xf0, 0x00, 0x01,
  0x00, 0x00, 0x01, 0x01,
  0x20, 0x01, 0x04, 0x00,
};

/* The first packet that is numbered has arrived. */
static const guint8 tells_of_one[] = {
  0x8f, 0xcd, 0x00, 0x05,
  0x00, 0x00, 0x00, 0xaa,
  0x00, 0x00, 0x00, 0x05,
  0x00, 0x00, 0x00, 0x01,  /* 0, one packet */
  0x00, 0x00, 0x01, 0x00,
  0x20, 0x01, 0x04, 0x00,  /* one that arrived, 1 ms; a byte that fills up */
};
/* clang-format on */

/* Marked, with a payload type that RFC 5761 tells not to use: its first two
 * bytes are those of feedback. With four contributing sources, which are there,
 * it is RTP to rtpsession. */
static GstBuffer *
odd_media_packet (guint16 seqnum)
{
  GstBuffer *buffer = gst_rtp_buffer_new_allocate (100, 0, 4);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  gst_rtp_buffer_map (buffer, GST_MAP_WRITE, &rtp);
  gst_rtp_buffer_set_ssrc (&rtp, TEST_SSRC);
  gst_rtp_buffer_set_seq (&rtp, seqnum);
  gst_rtp_buffer_set_marker (&rtp, TRUE);
  gst_rtp_buffer_set_payload_type (&rtp, 0xcd & 0x7f);
  gst_rtp_buffer_unmap (&rtp);

  return buffer;
}

/* --- a session with feedback that is MEDIA_SSRC --- */

static void
guarded_call_close_pad (GuardedCall *self)
{
  gst_pad_set_active (self->source, FALSE);
  gst_pad_unlink (self->source, self->sink);
  gst_clear_object (&self->source);
  gst_element_release_request_pad (self->session, self->sink);
  gst_clear_object (&self->sink);
}

static gboolean
has_media_left (gpointer data)
{
  return guarded_call_has_sent (data, 1);
}

static guint
count (GstElement *element, const gchar *field)
{
  GstStructure *stats;
  guint n = G_MAXUINT;

  g_object_get (element, "stats", &stats, NULL);
  g_assert_true (gst_structure_get_uint (stats, field, &n));
  gst_structure_free (stats);

  return n;
}

/* --- by a thread that may not come back --- */

/* Between packets of media, where the pad is that of RTP. */
static void
guarded_call_deliver_in_list (GuardedCall *self, GstBuffer *buffer)
{
  gboolean is_rtp = g_str_equal (GST_OBJECT_NAME (self->sink), "recv_rtp_sink");
  Delivery delivery = { self->source, gst_buffer_list_new (), NULL };

  if (is_rtp)
    gst_buffer_list_add (delivery.list, test_rtp_packet (0, 0, 100));
  gst_buffer_list_add (delivery.list, buffer);
  if (is_rtp)
    gst_buffer_list_add (delivery.list, test_rtp_packet (1, 0, 100));
  deliver_in_time (&delivery);
}

/* --- requests for a sender report --- */

/* Guards against 12 bytes from anybody that freeze rtpsession: it takes its
 * lock twice. See docs/security.md. */
static void
test_a_request_for_a_report_does_not_freeze_the_session (gconstpointer pad)
{
  for (guint i = 0; i < G_N_ELEMENTS (guarded_elements); i++) {
    GuardedCall call;

    guarded_call_start (&call, guarded_elements[i], pad);
    guarded_call_deliver (
        &call, gst_buffer_new_memdup (request, sizeof request));
    guarded_call_deliver_in_list (
        &call, gst_buffer_new_memdup (request, sizeof request));
    g_assert_true (guarded_call_is_media_known (&call));
    g_assert_cmpuint (count (call.element, "dropped-sr-requests"), ==, 2);
    guarded_call_stop (&call);
  }
}

/* Its reports are those of an SSRC of its own. What comes passes gccreceiver,
 * which tells that it is no RTP. */
static void
test_a_session_that_only_receives_is_not_frozen (void)
{
  GstElement *pipeline = gst_parse_launch (
      "gccreceiver name=element ! session.recv_rtp_sink "
      "rtpsession name=session rtp-profile=avpf "
      "session.send_rtcp_src ! fakesink async=false sync=false "
      "session.recv_rtp_src ! fakesink async=false sync=false",
      NULL);
  GuardedCall call = {
    .element = gst_bin_get_by_name (GST_BIN (pipeline), "element"),
    .session = gst_bin_get_by_name (GST_BIN (pipeline), "session"),
  };
  GObject *internal;

  g_object_get (call.session, "internal-session", &internal, NULL);
  g_object_set (internal, "internal-ssrc", MEDIA_SSRC, NULL);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  call.sink = gst_element_get_static_pad (call.element, "sink");
  call.source = test_open_source (call.sink, TEST_RTP_CAPS);
  guarded_call_deliver (&call, test_rtp_packet (0, 0, 100));
  test_wait_until (guarded_call_is_media_known, &call);
  guarded_call_deliver (&call, gst_buffer_new_memdup (request, sizeof request));
  guarded_call_deliver_in_list (
      &call, gst_buffer_new_memdup (request, sizeof request));
  g_assert_true (guarded_call_is_media_known (&call));
  g_assert_cmpuint (count (call.element, "dropped-sr-requests"), ==, 2);

  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (call.source);
  gst_object_unref (call.sink);
  gst_object_unref (internal);
  gst_object_unref (call.session);
  gst_object_unref (call.element);
  gst_object_unref (pipeline);
}

static void
test_what_comes_with_a_request_arrives (gconstpointer pad)
{
  GuardedCall call;

  guarded_call_start (&call, "gccsender", pad);
  guarded_call_deliver (&call,
      gst_buffer_new_memdup (
          request_among_others, sizeof request_among_others));
  g_assert_cmpuint (count (call.element, "dropped-sr-requests"), ==, 2);
  g_assert_cmpuint (test_stats_uint64 (call.element, "malformed-rtcp"), ==, 0);
  g_assert_cmpuint (test_stats_uint64 (call.element, "malformed-remb"), ==, 0);
  g_assert_cmpuint (test_stats_uint64 (call.element, "rembs") +
          test_stats_uint64 (call.element, "rembs-ignored"),
      ==, 1);
  guarded_call_deliver_in_list (&call,
      gst_buffer_new_memdup (request_at_the_end, sizeof request_at_the_end));
  g_assert_cmpuint (count (call.element, "dropped-sr-requests"), ==, 3);
  guarded_call_stop (&call);
}

/* Byte by byte, as the session gets it. */
static void
test_only_the_request_is_taken_out (gconstpointer pad)
{
  const gsize rest = sizeof request_among_others - 8 - 2 * sizeof request;
  GstBuffer *buffer;
  Passed passed;
  GuardedCall call;

  guarded_call_start (&call, "gccsender", pad);
  passed_init (&passed, &call);
  guarded_call_deliver (&call,
      gst_buffer_new_memdup (
          request_among_others, sizeof request_among_others));
  buffer = passed_get (&passed, 0);
  g_assert_cmpuint (gst_buffer_get_size (buffer), ==, 8 + rest);
  g_assert_cmpint (
      gst_buffer_memcmp (buffer, 0, request_among_others, 8), ==, 0);
  g_assert_cmpint (gst_buffer_memcmp (buffer, 8,
                       request_among_others + 8 + 2 * sizeof request, rest),
      ==, 0);

  passed_clear (&passed);
  guarded_call_stop (&call);
}

/* --- what passes --- */

/* No copy is made of it, whatever else is in its list. */
static void
test_media_passes_as_it_is (void)
{
  GstBuffer *odd = odd_media_packet (0);
  GstBuffer *plain = test_rtp_packet (1, 0, 100);
  GstBufferList *list = gst_buffer_list_new ();
  Delivery delivery = { .list = list };
  Passed passed;
  GuardedCall call;

  guarded_call_start (&call, "gccsender", "recv_rtp_sink");
  passed_init (&passed, &call);
  delivery.source = call.source;
  guarded_call_deliver (&call, gst_buffer_ref (odd));
  guarded_call_deliver (&call, gst_buffer_ref (plain));
  gst_buffer_list_add (list, gst_buffer_ref (odd));
  gst_buffer_list_add (list, gst_buffer_new_memdup (request, sizeof request));
  gst_buffer_list_add (list, gst_buffer_ref (plain));
  gst_buffer_list_add (list, gst_buffer_new_memdup (request, sizeof request));
  deliver_in_time (&delivery);
  g_assert_cmpuint (passed.buffers->len, ==, 4);
  for (guint i = 0; i < 4; i++)
    g_assert_true (passed_get (&passed, i) == (i % 2 ? plain : odd));
  g_assert_cmpuint (count (call.element, "dropped-sr-requests"), ==, 2);

  passed_clear (&passed);
  gst_buffer_unref (odd);
  gst_buffer_unref (plain);
  guarded_call_stop (&call);
}

static void
test_a_list_of_nothing_but_requests_does_not_arrive (void)
{
  Delivery delivery = { .list = gst_buffer_list_new () };
  Passed passed;
  GuardedCall call;

  guarded_call_start (&call, "gccsender", "recv_rtp_sink");
  passed_init (&passed, &call);
  delivery.source = call.source;
  gst_buffer_list_add (
      delivery.list, gst_buffer_new_memdup (request, sizeof request));
  gst_buffer_list_add (
      delivery.list, gst_buffer_new_memdup (request, sizeof request));
  deliver_in_time (&delivery);
  g_assert_cmpuint (passed.buffers->len, ==, 0);
  passed_clear (&passed);
  guarded_call_stop (&call);
}

/* --- transport-wide feedback --- */

static const gchar *const unnumbered[] = { "gccsender feedback=remb",
  "gccreceiver" };

/* Guards against rtpsession, which reads past the end: before a page that must
 * not be touched it dies. */
static void
test_feedback_that_claims_too_much_is_taken_out (gconstpointer pad)
{
  for (guint i = 0; i < G_N_ELEMENTS (unnumbered); i++) {
    GuardedCall call;

    guarded_call_start (&call, unnumbered[i], pad);
    guarded_call_deliver (
        &call, test_guarded_buffer (claims_too_much, sizeof claims_too_much));
    guarded_call_deliver_in_list (
        &call, test_guarded_buffer (claims_too_much, sizeof claims_too_much));
    guarded_call_deliver (
        &call, test_guarded_buffer (lacks_a_delta, sizeof lacks_a_delta));
    g_assert_true (guarded_call_is_media_known (&call));
    g_assert_cmpuint (count (call.element, "dropped-transport-cc"), ==, 3);
    guarded_call_stop (&call);
  }
}

/* Guards against 40 bytes that take rtpsession 73 to 246 ms, whether or not it
 * numbers: for each number that is claimed it makes a structure. */
static void
test_where_nothing_is_numbered_no_feedback_arrives (gconstpointer pad)
{
  for (guint i = 0; i < G_N_ELEMENTS (unnumbered); i++) {
    Passed passed;
    GuardedCall call;

    guarded_call_start (&call, unnumbered[i], pad);
    passed_init (&passed, &call);
    for (guint j = 0; j < 10; j++)
      guarded_call_deliver (
          &call, gst_buffer_new_memdup (claims_losses, sizeof claims_losses));
    guarded_call_deliver (
        &call, gst_buffer_new_memdup (tells_of_one, sizeof tells_of_one));
    g_assert_cmpuint (passed.buffers->len, ==, 10);
    for (guint j = 0; j < 10; j++) /* the report */
      g_assert_cmpuint (gst_buffer_get_size (passed_get (&passed, j)), ==, 8);
    g_assert_cmpuint (count (call.element, "dropped-transport-cc"), ==, 11);
    passed_clear (&passed);
    guarded_call_stop (&call);
  }
}

/* Of the session's own numbers, as applications follow them that control the
 * rate by themselves: gccreceiver alone leaves the extension in the caps. */
static void
test_feedback_about_numbers_of_the_session_arrives (gconstpointer pad)
{
  Passed passed;
  GuardedCall call;

  guarded_call_start_with (&call, "gccreceiver", NUMBER_EXTMAP, pad);
  test_wait_until (has_media_left, &call);
  guarded_call_deliver (
      &call, gst_buffer_new_memdup (tells_of_one, sizeof tells_of_one));
  passed_init (&passed, &call);
  guarded_call_deliver (
      &call, gst_buffer_new_memdup (tells_of_one, sizeof tells_of_one));
  g_assert_cmpuint (passed.buffers->len, ==, 1);
  g_assert_cmpuint (count (call.element, "dropped-transport-cc"), ==, 0);

  /* three packets have left */
  guarded_call_deliver (
      &call, gst_buffer_new_memdup (claims_losses, sizeof claims_losses));
  guarded_call_deliver (
      &call, gst_buffer_new_memdup (leaves_out_many, sizeof leaves_out_many));
  guarded_call_deliver (
      &call, gst_buffer_new_memdup (leaves_out_many, sizeof leaves_out_many));
  g_assert_cmpuint (passed.buffers->len, ==, 2);
  g_assert_cmpuint (count (call.element, "dropped-transport-cc"), ==, 3);
  for (guint i = 0; i < 10; i++)
    guarded_call_deliver (
        &call, gst_buffer_new_memdup (tells_of_one, sizeof tells_of_one));
  g_assert_cmpuint (passed.buffers->len, <=, 2 + 3 * 2);
  passed_clear (&passed);
  guarded_call_stop (&call);
}

/* ... and none at all, where gccsender numbers. */
static void
test_feedback_goes_to_who_numbers (gconstpointer pad)
{
  Passed passed;
  GuardedCall call;

  guarded_call_start (&call, "gccsender feedback=transport-cc", pad);
  test_wait_until (has_media_left, &call);
  passed_init (&passed, &call);
  guarded_call_deliver (
      &call, gst_buffer_new_memdup (tells_of_one, sizeof tells_of_one));
  guarded_call_deliver (
      &call, gst_buffer_new_memdup (claims_too_much, sizeof claims_too_much));
  g_assert_cmpuint (passed.buffers->len, ==, 0);
  g_assert_cmpuint (test_stats_uint64 (call.element, "feedbacks"), ==, 1);
  g_assert_cmpuint (
      test_stats_uint64 (call.element, "malformed-transport-cc"), ==, 1);
  g_assert_cmpuint (count (call.element, "dropped-transport-cc"), ==, 0);
  passed_clear (&passed);
  guarded_call_stop (&call);
}

/* --- pads that come and go --- */

static void
test_a_pad_that_is_requested_anew_is_guarded (gconstpointer pad)
{
  GuardedCall call;

  guarded_call_start (&call, "gccsender", pad);
  for (guint i = 1; i <= 3; i++) {
    guarded_call_close_pad (&call);
    guarded_call_open_pad (&call, pad);
    guarded_call_deliver (
        &call, gst_buffer_new_memdup (request, sizeof request));
    g_assert_cmpuint (count (call.element, "dropped-sr-requests"), ==, i);
  }
  guarded_call_stop (&call);
}

static void
test_the_guard_leaves_with_the_element (gconstpointer pad)
{
  GuardedCall call;

  guarded_call_start (&call, "gccsender", pad);
  g_assert_cmpint (call.sink->num_probes, ==, 1);
  gst_element_set_state (call.pipeline, GST_STATE_NULL);
  g_assert_cmpint (call.sink->num_probes, ==, 0);
  guarded_call_stop (&call);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

#define ADD(name) g_test_add_func ("/guard/" #name, test_##name)
#define ADD_FOR_PADS(name) \
  g_test_add_data_func ( \
      "/guard/" #name "/rtcp", guarded_pads[0], test_##name); \
  g_test_add_data_func ("/guard/" #name "/rtp", guarded_pads[1], test_##name)
  ADD_FOR_PADS (a_request_for_a_report_does_not_freeze_the_session);
  ADD (a_session_that_only_receives_is_not_frozen);
  ADD_FOR_PADS (what_comes_with_a_request_arrives);
  ADD_FOR_PADS (only_the_request_is_taken_out);
  ADD (media_passes_as_it_is);
  ADD (a_list_of_nothing_but_requests_does_not_arrive);
  ADD_FOR_PADS (feedback_that_claims_too_much_is_taken_out);
  ADD_FOR_PADS (where_nothing_is_numbered_no_feedback_arrives);
  ADD_FOR_PADS (feedback_about_numbers_of_the_session_arrives);
  ADD_FOR_PADS (feedback_goes_to_who_numbers);
  ADD_FOR_PADS (a_pad_that_is_requested_anew_is_guarded);
  ADD_FOR_PADS (the_guard_leaves_with_the_element);

  return g_test_run ();
}
