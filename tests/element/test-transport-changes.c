/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Transport-wide feedback at gccsender: changes in mid-call, and the place
 * before or inside of webrtcbin. */

#include <string.h>

#include "transport-path.h"

/* --- changes in mid-call --- */

static void
test_the_identifier_may_change (void)
{
  Path path;

  path_start_steered (&path);
  gst_harness_set_src_caps_str (path.harness, TEST_RTP_CAPS EXTMAP (9));
  g_assert_false (path_session_has_extmap (&path, 9));
  path.id = 9;
  path_call_for (&path, 5 * GST_SECOND);
  g_assert_cmpuint (path.departures->len, ==, 500);
  g_assert_cmpuint (path_count (&path, "feedbacks-ignored"), ==, 0);

  /* and the extension be gone */
  gst_harness_set_src_caps_str (path.harness, TEST_RTP_CAPS);
  path_push (&path, path_make_packet (&path));
  g_assert_cmpuint (path_take_departures (&path), ==, 1);
  path_stop (&path);
}

/* What waits in the pacer is numbered where it has room. */
static void
test_packets_that_wait_keep_their_identifier (void)
{
  GstHarness *h = gst_harness_new_parse (
      "gccsender start-bitrate=100000 pacing-factor=1 ! s.send_rtp_sink "
      "rtpsession name=s s.send_rtp_src ! identity");
  Path path = { .harness = h };
  guint16 number;

  gst_harness_use_systemclock (h);
  gst_harness_set_src_caps_str (h, NEGOTIATED);
  for (guint i = 0; i < 4; i++)
    path_push (&path, path_make_room (path_make_packet (&path), 5));
  gst_harness_set_src_caps_str (h, TEST_RTP_CAPS EXTMAP (9));
  for (guint i = 0; i < 4; i++)
    path_push (&path, path_make_room (path_make_packet (&path), 9));
  for (guint i = 0; i < 8; i++) {
    GstBuffer *buffer = gst_harness_pull (h);

    g_assert_nonnull (buffer);
    g_assert_true (path_read_number (buffer, i < 4 ? 5 : 9, &number));
    g_assert_cmpuint (number, !=, 0xffff);
    gst_buffer_unref (buffer);
  }
  gst_harness_teardown (h);
}

/* --- one number --- */

static const guint8 room[2] = { 0xff, 0xff };

/* Under which of two identifiers the packet that has left has its number; 0:
 * under both, or none. */
static guint
pull_id (Path *path, guint first, guint second)
{
  GstBuffer *buffer = gst_harness_pull (path->harness);
  guint16 number = 0xffff;
  gboolean has_first = path_read_number (buffer, first, &number);
  gboolean has_second = path_read_number (buffer, second, &number);

  g_assert_cmpuint (number, !=, 0xffff);
  gst_buffer_unref (buffer);

  return has_first == has_second ? 0 : has_first ? first : second;
}

/* What a forwarder passes on has the number of another hop: by the caps, or
 * because they have just changed. */
static void
test_a_packet_leaves_with_one_number (void)
{
  static const guint brought[][2] = { { 4, 0 }, { 5, 0 }, { 4, 5 }, { 5, 4 } };
  guint id = 0;
  Path path;

  path_start (&path, "", TEST_RTP_CAPS EXTMAP (4) EXTMAP (5));
  for (guint i = 0; i < G_N_ELEMENTS (brought); i++) {
    GstBuffer *buffer = path_make_room (
        path_make_packet (&path), brought[i][0]);
    guint left;

    if (brought[i][1] != 0)
      buffer = path_make_room (buffer, brought[i][1]);
    path_push (&path, buffer);
    left = pull_id (&path, 4, 5);
    g_assert_cmpuint (left, !=, 0);
    if (id != 0)
      g_assert_cmpuint (left, ==, id);
    id = left;
  }

  gst_harness_set_src_caps_str (path.harness, TEST_RTP_CAPS EXTMAP (7));
  path_push (&path, path_make_room (path_make_packet (&path), id));
  g_assert_cmpuint (pull_id (&path, id, 7), ==, 7);
  path_push (
      &path, path_make_room (path_make_room (path_make_packet (&path), id), 7));
  g_assert_cmpuint (pull_id (&path, id, 7), ==, 7);

  /* the identifier has another meaning now */
  gst_harness_set_src_caps_str (
      path.harness, TEST_RTP_CAPS EXTMAP (9) ",extmap-7=(string)urn:other");
  path_push (
      &path, path_make_room (path_make_room (path_make_packet (&path), 7), 9));
  g_assert_cmpuint (pull_id (&path, 7, 9), ==, 0);
  path_stop (&path);
}

/* gccsender puts it in where there is none. */
static void
test_what_is_forwarded_gets_no_second_number (void)
{
  Path path;

  path_start (&path, "feedback=transport-cc", TEST_RTP_CAPS EXTMAP (4));
  path_push (&path, path_make_packet (&path));
  g_assert_cmpuint (pull_id (&path, 4, DEFAULT_ID), ==, 4);
  gst_harness_set_src_caps_str (path.harness, TEST_RTP_CAPS);
  path_push (&path, path_make_room (path_make_packet (&path), 4));
  g_assert_cmpuint (pull_id (&path, 4, DEFAULT_ID), ==, DEFAULT_ID);
  path_push (&path, path_make_packet (&path));
  g_assert_cmpuint (pull_id (&path, 4, DEFAULT_ID), ==, DEFAULT_ID);
  path_stop (&path);
}

static GstBuffer *
make_two_byte_packet (Path *path, guint8 first, guint8 second)
{
  GstBuffer *buffer = path_make_packet (path);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  g_assert_true (gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp));
  g_assert_true (gst_rtp_buffer_add_extension_twobytes_header (
      &rtp, 0, first, room, sizeof room));
  if (second != 0)
    g_assert_true (gst_rtp_buffer_add_extension_twobytes_header (
        &rtp, 0, second, room, sizeof room));
  gst_rtp_buffer_unmap (&rtp);

  return buffer;
}

static gboolean
has_two_byte_number (GstBuffer *buffer, guint8 id)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  gpointer data;
  gboolean found;
  guint8 bits;
  guint size;

  g_assert_true (gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp));
  found = gst_rtp_buffer_get_extension_twobytes_header (
      &rtp, &bits, id, 0, &data, &size);
  g_assert_true (!found || (size == 2 && memcmp (data, room, 2) != 0));
  gst_rtp_buffer_unmap (&rtp);

  return found;
}

static void
test_a_packet_of_two_byte_extensions_leaves_with_one_number (void)
{
  static const guint8 brought[][2] = { { 20, 0 }, { 21, 20 }, { 20, 21 } };
  Path path;

  path_start (&path, "", TEST_RTP_CAPS EXTMAP (20));
  gst_harness_set_src_caps_str (path.harness, TEST_RTP_CAPS EXTMAP (21));
  for (guint i = 0; i < G_N_ELEMENTS (brought); i++) {
    GstBuffer *buffer;

    path_push (
        &path, make_two_byte_packet (&path, brought[i][0], brought[i][1]));
    buffer = gst_harness_pull (path.harness);
    g_assert_true (has_two_byte_number (buffer, 21));
    g_assert_false (has_two_byte_number (buffer, 20));
    gst_buffer_unref (buffer);
  }
  path_stop (&path);
}

/* --- streams --- */

static GstPad *
add_audio (
    GstElement *sender, GstElement *funnel, const gchar *caps, GstPad **sinkpad)
{
  *sinkpad = gst_element_request_pad_simple (sender, "sink_1");
  g_assert_true (gst_element_link_pads (sender, "src_1", funnel, NULL));

  return test_open_source (*sinkpad, caps);
}

/* Streams share one line of numbers. */
static void
test_a_stream_may_be_added_and_removed (void)
{
  GstHarness *h = gst_harness_new_parse (
      "gccsender name=sender feedback=transport-cc pacing-factor=0 ! f.sink_0 "
      "rtpfunnel name=f ! s.send_rtp_sink rtpsession name=s "
      "s.send_rtp_src ! identity");
  GstElement *sender = gst_bin_get_by_name (GST_BIN (h->element), "sender");
  GstElement *funnel = gst_bin_get_by_name (GST_BIN (h->element), "f");
  GstElement *session = gst_bin_get_by_name (GST_BIN (h->element), "s");
  GstHarness *rtcp = gst_harness_new_with_element (
      session, NULL, "send_rtcp_src");
  Path path = { .harness = h, .id = DEFAULT_ID };
  GstPad *audio, *sinkpad;

  gst_harness_set_src_caps_str (h, TEST_RTP_CAPS);
  path.departures = g_array_new (FALSE, FALSE, sizeof (PathDeparture));
  path_push (&path, path_make_packet (&path));
  /* The first packet brings a report at once. While rtpsession of GStreamer
   * 1.22 writes it, no other stream may begin: it goes through its sources
   * with the lock released, and a new one is a critical warning of GLib's. */
  gst_buffer_unref (gst_harness_pull (rtcp));
  audio = add_audio (sender, funnel, AUDIO, &sinkpad);
  for (guint i = 0; i < 5; i++) {
    path_push (&path, path_make_packet (&path));
    g_assert_cmpint (
        gst_pad_push (audio, path_make_audio (&path)), ==, GST_FLOW_OK);
  }
  gst_element_release_request_pad (sender, sinkpad);
  path_push (&path, path_make_packet (&path));

  g_assert_cmpuint (path_take_departures (&path), ==, 0);
  g_assert_cmpuint (path.departures->len, ==, 12);
  for (guint16 i = 1; i < 12; i++)
    g_assert_cmpuint (path_get_departure (&path, i)->number, ==,
        path_get_departure (&path, 0)->number + i);
  g_array_unref (path.departures);
  gst_object_unref (sinkpad);
  gst_object_unref (audio);
  gst_harness_teardown (rtcp);
  gst_object_unref (session);
  gst_object_unref (funnel);
  gst_object_unref (sender);
  gst_harness_teardown (h);
}

/* As SDP may have it for another m-line. */
static void
test_each_stream_has_its_identifier (void)
{
  GstHarness *h = gst_harness_new_parse (
      "gccsender name=sender pacing-factor=0 ! f.sink_0 "
      "funnel name=f ! s.send_rtp_sink rtpsession name=s "
      "s.send_rtp_src ! identity");
  GstElement *sender = gst_bin_get_by_name (GST_BIN (h->element), "sender");
  GstElement *funnel = gst_bin_get_by_name (GST_BIN (h->element), "f");
  Path path = { .harness = h };
  GstPad *audio, *sinkpad;

  test_tolerate_race_of_rtpsession ();
  gst_harness_set_src_caps_str (h, TEST_RTP_CAPS EXTMAP (3));
  audio = add_audio (sender, funnel, AUDIO EXTMAP (7), &sinkpad);
  for (guint16 i = 0; i < 10; i++) {
    guint id = i % 2 == 0 ? 3 : 7;
    guint16 number;
    GstBuffer *buffer;

    if (i % 2 == 0)
      path_push (&path, path_make_room (path_make_packet (&path), 3));
    else
      gst_pad_push (audio, path_make_room (path_make_audio (&path), 7));
    buffer = gst_harness_pull (h);
    g_assert_true (path_read_number (buffer, id, &number));
    g_assert_cmpuint (number, ==, i);
    g_assert_false (path_read_number (buffer, 10 - id, &number));
    gst_buffer_unref (buffer);
  }
  gst_element_release_request_pad (sender, sinkpad);
  gst_object_unref (sinkpad);
  gst_object_unref (audio);
  gst_object_unref (funnel);
  gst_object_unref (sender);
  gst_harness_teardown (h);
}

static void
test_a_restart_begins_again (void)
{
  Path path;

  path_start_steered (&path);
  gst_element_set_state (path.sender, GST_STATE_READY);
  path_assert_string (&path, "feedback", "transport-cc");
  gst_element_set_state (path.sender, GST_STATE_PLAYING);
  path_assert_string (&path, "feedback", "remb");
  gst_harness_set_src_caps_str (path.harness, NEGOTIATED);
  path.n_told = path.departures->len;
  path_call_for (&path, 5 * GST_SECOND);
  path_stop_steered (&path);
}

typedef struct {
  Path *path;
  GstBuffer *rtcp;
  gint is_over; /* atomic */
} Teller;

static gpointer
tell_again_and_again (gpointer data)
{
  Teller *self = data;

  while (!g_atomic_int_get (&self->is_over))
    path_deliver (self->path, gst_buffer_ref (self->rtcp));

  return NULL;
}

/* Guards against feedback that is taken for an element that has left. */
static void
test_feedback_may_come_while_the_element_leaves (void)
{
  Teller teller = { .is_over = FALSE };
  GThread *thread;
  Path path;

  path_start (&path, "", NEGOTIATED);
  path_call_for (&path, GST_SECOND);
  teller.path = &path;
  teller.rtcp = path_make_feedback (&path, 0, path.departures->len);
  thread = g_thread_new ("teller", tell_again_and_again, &teller);
  for (guint i = 0; i < 30; i++) {
    gst_element_set_state (path.sender, GST_STATE_NULL);
    gst_element_set_state (path.sender, GST_STATE_PLAYING);
    gst_harness_set_src_caps_str (path.harness, NEGOTIATED);
    path_call_for (&path, 100 * GST_MSECOND);
  }
  g_atomic_int_set (&teller.is_over, TRUE);
  g_thread_join (thread);
  gst_buffer_unref (teller.rtcp);
  path_stop (&path);
}

/* --- in front of webrtcbin --- */

/* A bin that makes SDP, as far as it matters here. */
typedef GstBin SdpBin;
typedef GstBinClass SdpBinClass;

static GType sdp_bin_get_type (void);
G_DEFINE_TYPE (SdpBin, sdp_bin, GST_TYPE_BIN)

static void
sdp_bin_class_init (SdpBinClass *klass)
{
  g_signal_new ("create-offer", G_TYPE_FROM_CLASS (klass),
      G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
sdp_bin_init (SdpBin *self)
{
  (void) self;
}

/* rtpsession, and gccsender before it if @has_sender, in such a bin. */
static GstElement *
make_sdp_bin (gboolean has_sender, const gchar *properties)
{
  GstElement *bin = g_object_new (sdp_bin_get_type (), NULL);
  GError *error = NULL;
  gchar *line = g_strdup_printf (
      "%s%s%s s.send_rtp_sink rtpsession name=s s.send_rtp_src ! identity",
      has_sender ? "gccsender name=sender " : "identity ",
      has_sender ? properties : "", " !");
  GstElement *inner = gst_parse_bin_from_description (line, TRUE, &error);
  const gchar *names[] = { "sink", "src" };

  g_assert_no_error (error);
  g_free (line);
  gst_bin_add (GST_BIN (bin), inner);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    GstPad *pad = gst_element_get_static_pad (inner, names[i]);

    gst_element_add_pad (bin, gst_ghost_pad_new (names[i], pad));
    gst_object_unref (pad);
  }

  return bin;
}

/* Guards against SDP without the extension that the application has put into
 * the caps: webrtcbin makes it from them. */
static void
test_before_webrtcbin_nothing_is_touched (void)
{
  const gchar *modes[] = { "auto", "transport-cc", "remb" };

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++) {
    GstElement *bin = gst_bin_new (NULL);
    GstElement *sdp = make_sdp_bin (FALSE, NULL);
    GstElement *sender = gst_element_factory_make ("gccsender", NULL);
    Path path = { .sender = sender, .id = ID };
    GstBuffer *out;
    GstPad *pad;

    gst_util_set_object_arg (G_OBJECT (sender), "feedback", modes[i]);
    gst_object_ref_sink (bin);
    gst_bin_add_many (GST_BIN (bin), sender, sdp, NULL);
    g_assert_true (gst_element_link (sender, sdp));
    pad = gst_element_get_static_pad (sender, "sink");
    gst_element_add_pad (bin, gst_ghost_pad_new ("sink", pad));
    gst_object_unref (pad);
    pad = gst_element_get_static_pad (sdp, "src");
    gst_element_add_pad (bin, gst_ghost_pad_new ("src", pad));
    gst_object_unref (pad);
    path.harness = gst_harness_new_with_element (bin, "sink", "src");
    gst_harness_set_src_caps_str (path.harness, NEGOTIATED);

    g_assert_true (path_session_has_extmap (&path, ID));
    path_push (&path, path_make_packet (&path));
    out = gst_harness_pull (path.harness);
    g_assert_cmpuint (gst_buffer_get_size (out), ==, 12 + PAYLOAD_SIZE);
    gst_buffer_unref (out);
    gst_harness_teardown (path.harness);
    gst_object_unref (bin);
  }
}

static void
test_inside_webrtcbin_what_was_negotiated_is_used (void)
{
  GstElement *bin = gst_object_ref_sink (
      make_sdp_bin (TRUE, "feedback=transport-cc pacing-factor=0"));
  GstElement *sender = gst_bin_get_by_name (GST_BIN (bin), "sender");
  Path path = { .sender = sender, .id = ID };

  path.harness = gst_harness_new_with_element (bin, "sink", "src");
  path.departures = g_array_new (FALSE, FALSE, sizeof (PathDeparture));
  gst_harness_set_src_caps_str (path.harness, NEGOTIATED);
  g_assert_false (path_session_has_extmap (&path, ID));
  path_send_packet (&path);
  g_assert_cmpuint (path.departures->len, ==, 1);

  /* and no more than that */
  path_push (&path, path_make_packet (&path));
  g_assert_cmpuint (path_take_departures (&path), ==, 1);

  g_array_unref (path.departures);
  gst_harness_teardown (path.harness);
  gst_object_unref (sender);
  gst_object_unref (bin);
}

/* They are queued in the pacer. */
static gboolean
has_caps (gpointer pad)
{
  return gst_pad_has_current_caps (pad);
}

/* Guards against caps that went out before the session was known: rtpsession
 * would number from then on. */
static void
test_a_session_that_is_linked_late_is_not_told_either (void)
{
  GstHarness *h = gst_harness_new ("gccsender");
  GstElement *session = test_make ("rtpsession");
  GstPad *sink = gst_element_request_pad_simple (session, "send_rtp_sink");
  GstPad *src = gst_element_get_static_pad (h->element, "src");
  GstCaps *caps;

  gst_harness_set_src_caps_str (h, NEGOTIATED);
  caps = gst_pad_get_current_caps (h->sinkpad);
  g_assert_true (
      gst_structure_has_field (gst_caps_get_structure (caps, 0), "extmap-5"));
  gst_caps_unref (caps);

  g_assert_true (gst_pad_unlink (src, h->sinkpad));
  gst_element_set_state (session, GST_STATE_PLAYING);
  g_assert_cmpint (gst_pad_link (src, sink), ==, GST_PAD_LINK_OK);
  gst_harness_push (h, test_rtp_packet (0, 0, 100));
  test_wait_until (has_caps, sink);
  caps = gst_pad_get_current_caps (sink);
  g_assert_false (
      gst_structure_has_field (gst_caps_get_structure (caps, 0), "extmap-5"));
  gst_caps_unref (caps);

  gst_pad_unlink (src, sink);
  gst_element_set_state (session, GST_STATE_NULL);
  gst_element_release_request_pad (session, sink);
  gst_object_unref (sink);
  gst_object_unref (src);
  gst_object_unref (session);
  gst_harness_teardown (h);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

#define ADD(name) g_test_add_func ("/transport/" #name, test_##name)
  ADD (the_identifier_may_change);
  ADD (packets_that_wait_keep_their_identifier);
  ADD (a_packet_leaves_with_one_number);
  ADD (what_is_forwarded_gets_no_second_number);
  ADD (a_packet_of_two_byte_extensions_leaves_with_one_number);
  ADD (a_stream_may_be_added_and_removed);
  ADD (each_stream_has_its_identifier);
  ADD (a_restart_begins_again);
  ADD (feedback_may_come_while_the_element_leaves);
  ADD (before_webrtcbin_nothing_is_touched);
  ADD (inside_webrtcbin_what_was_negotiated_is_used);
  ADD (a_session_that_is_linked_late_is_not_told_either);

  return g_test_run ();
}
