/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Streams that are added, and SSRCs that are taken, while probes are out: as in
 * webrtcbin, where streams are merged before the element and the session knows
 * their media. Time is the test's. */

#include <gst/check/gsttestclock.h>
#include <gst/gst.h>
#include <gst/rtp/rtp.h>

#include "element-test.h"

#define EXTENSION_ID 5
#define OTHER_ID 9
#define TWCC_URI \
  "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"
#define EXTMAP(id) "extmap-" G_STRINGIFY (id) "=" TWCC_URI
#define BARE_CAPS "application/x-rtp," EXTMAP (EXTENSION_ID)

#define OTHER_SSRC (TEST_SSRC + 1)
#define PAYLOAD 1000u
#define PICTURE "video/x-raw,format=RGB,width=16,height=16,framerate=30/1"
#define PICTURE_SIZE (16 * 16 * 3)

#define GCCSENDER \
  "gccsender name=gccsender feedback=transport-cc start-bitrate=300000 " \
  "max-bitrate=2000000"
#define RTPGCCBWE "rtpgccbwe estimated-bitrate=300000 max-bitrate=2000000"
#define SESSION \
  " ! session.send_rtp_sink rtpsession name=session " \
  "session.send_rtp_src ! identity"

typedef struct {
  guint32 ssrc;
  guint16 seq;
  guint16 number;
  gboolean is_padding;
} Packet;

/* --- a call --- */

static GstCaps *
tell_media (GstElement *session, guint payload_type, gpointer user_data)
{
  (void) session;
  (void) user_data;

  return gst_caps_new_simple ("application/x-rtp", "media", G_TYPE_STRING,
      "video", "clock-rate", G_TYPE_INT, 90000, "payload", G_TYPE_INT,
      (gint) payload_type, NULL);
}

static GstHarness *
start (const gchar *line, const gchar *caps)
{
  GstHarness *h = gst_harness_new_parse (line);
  GstElement *session = gst_harness_find_element (h, "rtpsession");

  test_tolerate_race_of_rtpsession ();
  g_signal_connect (session, "request-pt-map", G_CALLBACK (tell_media), NULL);
  gst_object_unref (session);
  test_use_testclock (h);
  gst_harness_set_src_caps_str (h, caps);

  return h;
}

/* The drop-in has one of this name in it. */
static guint64
get_count (GstHarness *h, const gchar *field)
{
  GstElement *sender = gst_bin_get_by_name (GST_BIN (h->element), "gccsender");
  guint64 n = test_stats_uint64 (sender, field);

  gst_object_unref (sender);

  return n;
}

/* --- packets --- */

static GstBuffer *
make_packet (guint32 ssrc, guint16 seq, guint8 id)
{
  const guint8 room[2] = { 0 };
  GstBuffer *buffer = test_rtp_packet (seq, 3000u * seq, PAYLOAD);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  g_assert_true (gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp));
  gst_rtp_buffer_set_ssrc (&rtp, ssrc);
  gst_rtp_buffer_set_marker (&rtp, TRUE);
  g_assert_true (gst_rtp_buffer_add_extension_onebyte_header (
      &rtp, id, room, sizeof room));
  gst_rtp_buffer_unmap (&rtp);

  return buffer;
}

static void
push (GstHarness *h, guint32 ssrc, guint16 seq)
{
  g_assert_cmpint (gst_harness_push (h, make_packet (ssrc, seq, EXTENSION_ID)),
      ==, GST_FLOW_OK);
}

static gboolean
read_number (GstRTPBuffer *rtp, guint8 id, guint16 *number)
{
  const guint8 *bytes;
  gpointer data;
  guint size;

  if (!gst_rtp_buffer_get_extension_onebyte_header (rtp, id, 0, &data, &size))
    return FALSE;
  /* at any address, which GST_READ_UINT16_BE does not read from */
  bytes = data;
  *number = (guint16) (bytes[0] << 8 | bytes[1]);

  return TRUE;
}

static Packet
read_packet (GstBuffer *buffer, guint8 id)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  Packet packet;

  g_assert_true (gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp));
  packet = (Packet){
    .ssrc = gst_rtp_buffer_get_ssrc (&rtp),
    .seq = gst_rtp_buffer_get_seq (&rtp),
    .is_padding = gst_rtp_buffer_get_payload_len (&rtp) == 0,
  };
  g_assert_true (read_number (&rtp, id, &packet.number));
  gst_rtp_buffer_unmap (&rtp);
  gst_buffer_unref (buffer);

  return packet;
}

/* The next packet, moving the clock as far as that takes. */
static Packet
next_packet (GstHarness *h, guint8 id)
{
  GstBuffer *buffer;

  while ((buffer = gst_harness_try_pull (h)) == NULL) {
    if (test_has_timer (h))
      gst_harness_crank_single_clock_wait (h);
    else
      g_usleep (100);
  }

  return read_packet (buffer, id);
}

/* The next one with media; @n is moved by the number of those before it. */
static Packet
next_media (GstHarness *h, guint16 *n_padding)
{
  Packet packet = next_packet (h, EXTENSION_ID);

  for (; packet.is_padding; packet = next_packet (h, EXTENSION_ID))
    ++*n_padding;

  return packet;
}

static gboolean
waits (gpointer h)
{
  return test_has_timer (h);
}

/* In mid-cluster, with the pacer's thread waiting. */
static void
begin_cluster (GstHarness *h)
{
  Packet packet;

  do
    packet = next_packet (h, EXTENSION_ID);
  while (!packet.is_padding);
  test_wait_until (waits, h);
  while (gst_harness_buffers_in_queue (h) > 0)
    next_packet (h, EXTENSION_ID);
}

/* --- streams that are added --- */

static GstPad *
add_stream (GstHarness *h, const gchar *factory, const gchar *caps)
{
  GstElement *element = gst_harness_find_element (h, factory);
  GstPad *sinkpad = gst_element_request_pad_simple (element, "sink_%u");
  GstPad *pad = test_open_source (sinkpad, caps);

  gst_object_unref (sinkpad);
  gst_object_unref (element);

  return pad;
}

static void
remove_stream (GstPad *pad)
{
  gst_pad_set_active (pad, FALSE);
  gst_object_unref (pad);
}

#define FUNNEL "identity ! rtpfunnel ! "

/* Its packets join the cluster; the padding is that of the first one still. */
static void
test_a_stream_may_be_added_in_mid_probe (void)
{
  GstHarness *h = start (FUNNEL GCCSENDER SESSION, BARE_CAPS);
  guint16 n_padding = 0;
  GstPad *added;
  Packet packet, next;

  push (h, TEST_SSRC, 100);
  begin_cluster (h);
  added = add_stream (h, "rtpfunnel", BARE_CAPS);
  gst_pad_push (added, make_packet (OTHER_SSRC, 500, EXTENSION_ID));
  packet = next_media (h, &n_padding);
  g_assert_cmpuint (packet.ssrc, ==, OTHER_SSRC);
  g_assert_cmpuint (packet.seq, ==, 500);

  push (h, TEST_SSRC, 101);
  next = next_media (h, &n_padding);
  g_assert_cmpuint (next.ssrc, ==, TEST_SSRC);
  g_assert_cmpuint (next.seq, ==, 101 + get_count (h, "padding-packets"));
  /* All have numbers of one line, and the added one keeps its own. */
  g_assert_cmpuint (
      next.number, ==, (guint16) (get_count (h, "padding-packets") + 2));
  g_assert_cmpuint (get_count (h, "probes-abandoned"), ==, 0);
  gst_pad_push (added, make_packet (OTHER_SSRC, 501, EXTENSION_ID));
  packet = next_media (h, &n_padding);
  g_assert_cmpuint (packet.seq, ==, 501);

  remove_stream (added);
  gst_harness_teardown (h);
}

/* Guards against: padding that has its number where the other end finds none. */
static void
test_padding_follows_an_identifier_that_changes_in_mid_probe (void)
{
  GstHarness *h = start (FUNNEL GCCSENDER SESSION, BARE_CAPS);
  Packet packet;

  push (h, TEST_SSRC, 100);
  begin_cluster (h);
  gst_harness_set_src_caps_str (h, "application/x-rtp," EXTMAP (OTHER_ID));
  gst_harness_push (h, make_packet (TEST_SSRC, 101, OTHER_ID));
  do
    packet = next_packet (h, OTHER_ID);
  while (packet.is_padding);
  g_assert_cmpuint (packet.seq, ==, 101 + get_count (h, "padding-packets"));
  g_assert_true (next_packet (h, OTHER_ID).is_padding);

  gst_harness_teardown (h);
}

/* --- SSRCs that collide --- */

/* Two sources that chose the same SSRC, each with numbers of its own. */
static void
check_that_all_arrive (GstHarness *h, const gchar *factory)
{
  GstPad *added = add_stream (h, factory, BARE_CAPS);
  guint16 n_padding = 0, before;
  Packet packet;

  push (h, TEST_SSRC, 100);
  begin_cluster (h);
  before = (guint16) get_count (h, "padding-packets");
  for (guint16 i = 0; i < 20; i++) {
    gst_pad_push (added, make_packet (TEST_SSRC, 40000 + i, EXTENSION_ID));
    push (h, TEST_SSRC, 101 + i);
    for (guint j = 0; j < 2; j++) {
      packet = next_media (h, &n_padding);
      g_assert_cmpuint (packet.ssrc, ==, TEST_SSRC);
      g_assert_cmpuint (
          packet.number, ==, (guint16) (before + n_padding + 1 + 2 * i + j));
    }
  }
  g_assert_cmpuint (n_padding + before, ==, get_count (h, "padding-packets"));

  remove_stream (added);
  gst_harness_teardown (h);
}

static void
test_two_streams_of_one_ssrc_all_arrive (gconstpointer sender)
{
  gchar *line = g_strconcat (FUNNEL, sender, SESSION, NULL);

  check_that_all_arrive (start (line, BARE_CAPS), "rtpfunnel");
  g_free (line);
}

static void
push_picture (GstHarness *h)
{
  GstBuffer *picture = gst_buffer_new_allocate (NULL, PICTURE_SIZE, NULL);

  gst_buffer_memset (picture, 0, 0x5a, PICTURE_SIZE);
  g_assert_cmpint (gst_harness_push (h, picture), ==, GST_FLOW_OK);
}

/* As rtpsession does when packets of our SSRC come from elsewhere (RFC 3550,
 * section 8.2). */
static void
take_ssrc (GstHarness *h, guint32 ssrc)
{
  gst_harness_push_upstream_event (h,
      gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          gst_structure_new (
              "GstRTPCollision", "ssrc", G_TYPE_UINT, ssrc, NULL)));
}

/* Of two reports the second one counts. */
static void
report_twice (GstHarness *h, guint32 ssrc, guint16 seq)
{
  GstElement *session = gst_harness_find_element (h, "rtpsession");
  GstPad *rtcp = test_open_rtcp (session, "recv_rtcp_sink");

  for (guint i = 0; i < 2; i++)
    gst_pad_push (rtcp, test_receiver_report (ssrc, 0, seq));
  gst_pad_set_active (rtcp, FALSE);
  gst_object_unref (rtcp);
  gst_object_unref (session);
}

/* In the rest of the cluster, without media. */
static guint
count_packets_of (GstHarness *h, guint32 ssrc)
{
  GstBuffer *buffer;
  guint n = 0;

  for (guint i = 0; i < 40; i++) {
    if (test_has_timer (h))
      gst_harness_crank_single_clock_wait (h);
    g_usleep (500);
  }
  while ((buffer = gst_harness_try_pull (h)) != NULL)
    n += read_packet (buffer, EXTENSION_ID).ssrc == ssrc;

  return n;
}

/* Guards against: padding that goes on under the SSRC of somebody else. */
static void
test_an_ssrc_that_is_taken_in_mid_probe_is_left (gconstpointer sender)
{
  gchar *line = g_strconcat (
      "rtpvrawpay ! application/x-rtp," EXTMAP (EXTENSION_ID) " ! " FUNNEL,
      sender, SESSION, NULL);
  GstHarness *h = start (line, PICTURE);
  guint16 n_padding = 0;
  guint32 taken;
  Packet packet;

  g_free (line);
  push_picture (h);
  taken = next_packet (h, EXTENSION_ID).ssrc;
  begin_cluster (h);
  take_ssrc (h, taken);
  g_assert_cmpuint (count_packets_of (h, taken), ==, 0);
  push_picture (h);
  packet = next_media (h, &n_padding);
  g_assert_cmpuint (packet.ssrc, !=, taken);
  g_assert_cmpuint (count_packets_of (h, packet.ssrc), >, 0);
  report_twice (h, packet.ssrc, packet.seq);
  g_assert_cmpuint (get_count (h, "reports"), >=, 1);
  g_assert_cmpuint (get_count (h, "reports-ignored"), ==, 0);

  gst_harness_teardown (h);
}

/* --- all of it --- */

static void
add_for (const gchar *label, const gchar *name, const gchar *sender,
    GTestDataFunc test)
{
  gchar *path = g_strdup_printf ("/renegotiation/%s/%s", name, label);

  g_test_add_data_func (path, sender, test);
  g_free (path);
}

static void
add_tests_of (const gchar *label, const gchar *sender)
{
#define ADD_FOR(name) add_for (label, #name, sender, test_##name)
  ADD_FOR (two_streams_of_one_ssrc_all_arrive);
  ADD_FOR (an_ssrc_that_is_taken_in_mid_probe_is_left);
#undef ADD_FOR
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

#define ADD(name) g_test_add_func ("/renegotiation/" #name, test_##name)
  ADD (a_stream_may_be_added_in_mid_probe);
  ADD (padding_follows_an_identifier_that_changes_in_mid_probe);
#undef ADD
  add_tests_of ("gccsender", GCCSENDER);
  if (!test_is_missing ("rtpgccbwe"))
    add_tests_of ("rtpgccbwe", RTPGCCBWE);

  return g_test_run ();
}
