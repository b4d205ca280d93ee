/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Transport-wide feedback at gccsender: numbers that leave, and what comes back
 * about them, as it really comes and as nobody should send it. */

#include <gst/check/gstharness.h>
#include <gst/check/gsttestclock.h>
#include <gst/gcc/wire/gcc-transport-feedback.h>
#include <gst/rtp/rtp.h>
#include <string.h>

#include "element-test.h"

#define ID 5
#define DEFAULT_ID 12
#define PEER_SSRC 0x55667788u
#define AUDIO_SSRC 0xa0d10000u
#define PAYLOAD_SIZE 1000u
#define START_RATE 1000000u
#define MAX_PACING_DELAY (250 * GST_MSECOND)
#define MIN_RATE 100000u

#define EXTMAP(id) \
  ",extmap-" G_STRINGIFY (id) "=(string)" GCC_TRANSPORT_FEEDBACK_URI
#define NEGOTIATED TEST_RTP_CAPS EXTMAP (5)
#define AUDIO \
  "application/x-rtp,media=audio,encoding-name=OPUS,clock-rate=48000," \
  "payload=97"

/* --- a sender, its session, and the path ---
 *
 * Time is the test's. What leaves is on the path; the other end has it after
 * DELAY, unless it is lost, and tells of it when the test says so. */

#define DELAY (20 * GST_MSECOND)

typedef struct {
  guint16 number;
  gboolean is_lost;
  GstClockTime arrival;
} Departure;

typedef struct {
  GstHarness *harness;
  GstElement *bin;
  GstElement *sender;
  GstPad *rtcp;
  GstBus *bus;
  GstClockTime now;
  /* of the other end's clock, when the call began */
  GccTime origin;
  guint16 seq;
  guint8 count;
  guint loss_percent;
  guint id;
  GArray *departures;
  /* those that were told of */
  guint n_told;
} Path;

static void
path_start (Path *self, const gchar *properties, const gchar *caps)
{
  gchar *line = g_strdup_printf (
      "gccsender name=sender start-bitrate=1000000 min-bitrate=100000 "
      "pacing-factor=0 %s ! session.send_rtp_sink "
      "rtpsession name=session session.send_rtp_src ! identity",
      properties);
  GError *error = NULL;
  GstElement *session;

  *self = (Path){ .id = ID };
  self->bin = gst_parse_bin_from_description (line, TRUE, &error);
  g_assert_no_error (error);
  g_free (line);
  gst_object_ref_sink (self->bin);
  self->sender = gst_bin_get_by_name (GST_BIN (self->bin), "sender");
  self->bus = gst_bus_new ();
  self->origin = 1000 * GCC_SECOND;
  self->departures = g_array_new (FALSE, FALSE, sizeof (Departure));
  gst_element_set_bus (self->bin, self->bus);
  self->harness = gst_harness_new_with_element (self->bin, "sink", "src");
  test_use_testclock (self->harness);
  gst_harness_set_src_caps_str (self->harness, caps);
  session = gst_bin_get_by_name (GST_BIN (self->bin), "session");
  self->rtcp = test_open_rtcp (session, "recv_rtcp_sink");
  gst_object_unref (session);
}

static void
path_stop (Path *self)
{
  gst_element_set_state (self->bin, GST_STATE_NULL);
  gst_element_set_bus (self->bin, NULL);
  gst_pad_set_active (self->rtcp, FALSE);
  gst_object_unref (self->rtcp);
  gst_object_unref (self->sender);
  gst_harness_teardown (self->harness);
  gst_object_unref (self->bin);
  gst_object_unref (self->bus);
  g_array_unref (self->departures);
}

static void
pass_time (Path *self, GstClockTime duration)
{
  self->now += duration;
  gst_harness_set_time (self->harness, self->now);
}

static gboolean
read_number (GstBuffer *buffer, guint id, guint16 *number)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  gpointer data;
  gboolean found;
  guint size;

  g_assert_true (gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp));
  found = gst_rtp_buffer_get_extension_onebyte_header (
      &rtp, (guint8) id, 0, &data, &size);
  if (found) {
    const guint8 *bytes = data; /* not aligned */

    g_assert_cmpuint (size, ==, 2);
    *number = (guint16) (bytes[0] << 8 | bytes[1]);
  }
  gst_rtp_buffer_unmap (&rtp);

  return found;
}

/* Puts what has left on the path. Returns how many packets had no number. */
static guint
take_departures (Path *self)
{
  GstBuffer *buffer;
  guint n_unnumbered = 0;

  while ((buffer = gst_harness_try_pull (self->harness)) != NULL) {
    Departure departure = {
      .is_lost = g_test_rand_int_range (0, 100) < (gint) self->loss_percent,
      .arrival = self->now + DELAY,
    };

    if (read_number (buffer, self->id, &departure.number))
      g_array_append_val (self->departures, departure);
    else
      n_unnumbered++;
    gst_buffer_unref (buffer);
  }

  return n_unnumbered;
}

static GstBuffer *
with_room (GstBuffer *buffer, guint id)
{
  const guint8 room[2] = { 0xff, 0xff };
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  g_assert_true (gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp));
  g_assert_true (gst_rtp_buffer_add_extension_onebyte_header (
      &rtp, (guint8) id, room, sizeof room));
  gst_rtp_buffer_unmap (&rtp);

  return buffer;
}

static GstBuffer *
make_packet (Path *self)
{
  return test_rtp_packet (
      self->seq, (guint32) (self->now / GST_MSECOND * 90), PAYLOAD_SIZE);
}

static void
push (Path *self, GstBuffer *buffer)
{
  self->seq++;
  g_assert_cmpint (gst_harness_push (self->harness, buffer), ==, GST_FLOW_OK);
}

static void
send_packet (Path *self)
{
  push (self, with_room (make_packet (self), self->id));
  take_departures (self);
}

/* --- RTCP --- */

static void
begin_rtcp (GstBuffer **buffer, GstRTCPBuffer *rtcp)
{
  GstRTCPPacket packet;

  *rtcp = (GstRTCPBuffer) GST_RTCP_BUFFER_INIT;
  *buffer = gst_rtcp_buffer_new (1400);
  g_assert_true (gst_rtcp_buffer_map (*buffer, GST_MAP_READWRITE, rtcp));
  g_assert_true (gst_rtcp_buffer_add_packet (rtcp, GST_RTCP_TYPE_RR, &packet));
  gst_rtcp_packet_rr_set_ssrc (&packet, PEER_SSRC);
}

static void
add_feedback (GstRTCPBuffer *rtcp, const GccTransportFeedbackWriter *writer)
{
  guint8 fci[GCC_TRANSPORT_FEEDBACK_MAX_FCI];
  gsize length = gcc_transport_feedback_writer_finish (writer, fci);
  GstRTCPPacket packet;

  g_assert_true (
      gst_rtcp_buffer_add_packet (rtcp, GST_RTCP_TYPE_RTPFB, &packet));
  gst_rtcp_packet_fb_set_type (&packet, GST_RTCP_RTPFB_TYPE_TWCC);
  gst_rtcp_packet_fb_set_sender_ssrc (&packet, PEER_SSRC);
  gst_rtcp_packet_fb_set_media_ssrc (&packet, TEST_SSRC);
  g_assert_true (
      gst_rtcp_packet_fb_set_fci_length (&packet, (guint16) (length / 4)));
  memcpy (gst_rtcp_packet_fb_get_fci (&packet), fci, length);
}

static GstBuffer *
end_rtcp (GstBuffer *buffer, GstRTCPBuffer *rtcp)
{
  gst_rtcp_buffer_unmap (rtcp);

  return buffer;
}

static void
deliver (Path *self, GstBuffer *rtcp)
{
  g_assert_cmpint (gst_pad_push (self->rtcp, rtcp), ==, GST_FLOW_OK);
}

static const Departure *
departure (const Path *self, guint index)
{
  return &g_array_index (self->departures, Departure, index);
}

static GccTime
arrival_of (const Path *self, guint index)
{
  return self->origin +
      (GccTime) (departure (self, index)->arrival / GST_USECOND);
}

/* A message about the packets from @first on to before @end; %NULL where none
 * of them has arrived. */
static GstBuffer *
make_feedback (Path *self, guint first, guint end)
{
  GccTransportFeedbackWriter writer;
  GstRTCPBuffer rtcp;
  GstBuffer *buffer;
  guint n = 0;

  for (guint i = first; i < end; i++) {
    if (departure (self, i)->is_lost)
      continue;
    if (n++ == 0)
      gcc_transport_feedback_writer_init (&writer,
          departure (self, first)->number, arrival_of (self, i), self->count++);
    g_assert_true (gcc_transport_feedback_writer_add (
        &writer, departure (self, i)->number, arrival_of (self, i)));
  }
  if (n == 0)
    return NULL;

  begin_rtcp (&buffer, &rtcp);
  add_feedback (&rtcp, &writer);

  return end_rtcp (buffer, &rtcp);
}

static void
tell (Path *self)
{
  GstBuffer *buffer = make_feedback (self, self->n_told, self->departures->len);

  self->n_told = self->departures->len;
  if (buffer != NULL)
    deliver (self, buffer);
}

static void
report (Path *self)
{
  deliver (
      self, test_receiver_report (TEST_SSRC, 0, (guint16) (self->seq - 1)));
}

/* About 400 kbit/s, told of ten times a second. */
static void
call_for (Path *self, GstClockTime duration)
{
  GstClockTime end = self->now + duration;

  for (guint i = 0; self->now < end; i++) {
    pass_time (self, 20 * GST_MSECOND);
    send_packet (self);
    if (i % 5 == 4)
      tell (self);
  }
}

/* The same, and only reports come back. */
static void
call_without_feedback (Path *self, GstClockTime duration)
{
  GstClockTime end = self->now + duration;

  for (guint i = 0; self->now < end; i++) {
    pass_time (self, 20 * GST_MSECOND);
    send_packet (self);
    if (i % 25 == 24)
      report (self);
  }
  self->n_told = self->departures->len;
}

/* --- what is seen of it --- */

static gchar *
get_string (Path *self, const gchar *field)
{
  GstStructure *stats;
  gchar *string;

  g_object_get (self->sender, "stats", &stats, NULL);
  string = g_strdup (gst_structure_get_string (stats, field));
  gst_structure_free (stats);

  return string;
}

static void
assert_string (Path *self, const gchar *field, const gchar *expected)
{
  gchar *string = get_string (self, field);

  g_assert_cmpstr (string, ==, expected);
  g_free (string);
}

static gboolean
get_boolean (Path *self, const gchar *field)
{
  GstStructure *stats;
  gboolean value;

  g_object_get (self->sender, "stats", &stats, NULL);
  g_assert_true (gst_structure_get_boolean (stats, field, &value));
  gst_structure_free (stats);

  return value;
}

static guint64
count (Path *self, const gchar *field)
{
  return test_stats_uint64 (self->sender, field);
}

static guint
get_target (Path *self)
{
  return test_get_uint (self->sender, "target-bitrate");
}

static gboolean
session_has_extmap (Path *self, guint id)
{
  GstPad *pad = gst_element_get_static_pad (self->sender, "src");
  GstCaps *caps = gst_pad_get_current_caps (pad);
  gchar *name = g_strdup_printf ("extmap-%u", id);
  gboolean has = gst_structure_has_field (
      gst_caps_get_structure (caps, 0), name);

  g_free (name);
  gst_caps_unref (caps);
  gst_object_unref (pad);

  return has;
}

static guint
count_messages (Path *self, GstMessageType type, const gchar *text)
{
  GstMessage *message;
  guint n = 0;

  while ((message = gst_bus_pop_filtered (self->bus, type))) {
    GError *error = NULL;

    if (type == GST_MESSAGE_WARNING)
      gst_message_parse_warning (message, &error, NULL);
    else
      gst_message_parse_info (message, &error, NULL);
    n += strstr (error->message, text) != NULL;
    g_error_free (error);
    gst_message_unref (message);
  }

  return n;
}

/* --- numbers that leave --- */

static void
test_packets_are_numbered_one_after_the_other (void)
{
  Path path;

  path_start (&path, "", NEGOTIATED);
  call_for (&path, GST_SECOND);
  g_assert_cmpuint (path.departures->len, ==, 50);
  for (guint i = 1; i < 50; i++)
    g_assert_cmpuint (departure (&path, i)->number, ==,
        (guint16) (departure (&path, i - 1)->number + 1));
  path_stop (&path);
}

/* Or there would be two who number, and the last one wins. */
static void
test_the_session_is_not_told_of_the_extension (void)
{
  Path path;

  path_start (&path, "", NEGOTIATED);
  g_assert_false (session_has_extmap (&path, ID));
  path_stop (&path);
}

static void
test_remb_means_no_numbers (void)
{
  guint16 number;
  GstBuffer *buffer;
  Path path;

  path_start (&path, "feedback=remb", NEGOTIATED);
  g_assert_false (session_has_extmap (&path, ID));
  push (&path, with_room (make_packet (&path), ID));
  buffer = gst_harness_pull (path.harness);
  g_assert_true (read_number (buffer, ID, &number));
  g_assert_cmphex (number, ==, 0xffff);
  gst_buffer_unref (buffer);
  assert_string (&path, "feedback", "remb");
  assert_string (&path, "feedback-reason", "feedback is set to remb");
  path_stop (&path);
}

static void
test_what_was_not_negotiated_is_not_added (void)
{
  GstBuffer *in, *out;
  Path path;

  path_start (&path, "", TEST_RTP_CAPS);
  in = make_packet (&path);
  push (&path, in);
  out = gst_harness_pull (path.harness);
  g_assert_cmpuint (gst_buffer_get_size (out), ==, 12 + PAYLOAD_SIZE);
  gst_buffer_unref (out);
  assert_string (&path, "feedback", "remb");
  assert_string (&path, "feedback-reason",
      "the caps have no extmap of the transport-wide header extension");
  path_stop (&path);
}

static void
test_the_property_puts_the_extension_there (void)
{
  Path path;

  path_start (&path, "feedback=transport-cc", TEST_RTP_CAPS);
  path.id = DEFAULT_ID;
  for (guint i = 0; i < 3; i++)
    push (&path, make_packet (&path));
  g_assert_cmpuint (take_departures (&path), ==, 0);
  g_assert_cmpuint (path.departures->len, ==, 3);
  g_assert_cmpuint (
      departure (&path, 2)->number, ==, departure (&path, 0)->number + 2);
  path_stop (&path);
}

static void
test_an_older_profile_numbers_nothing (void)
{
  guint16 number;
  GstBuffer *buffer;
  Path path;

  path_start (&path, "profile=goog-2020", NEGOTIATED);
  g_assert_true (session_has_extmap (&path, ID));
  push (&path, make_packet (&path));
  buffer = gst_harness_pull (path.harness);
  g_assert_false (read_number (buffer, ID, &number));
  gst_buffer_unref (buffer);
  assert_string (&path, "feedback-reason",
      "the profile follows no transport-wide feedback");
  path_stop (&path);
}

/* Its packets are in other hands, too. */
static void
test_all_packets_of_a_list_are_numbered (void)
{
  GstBufferList *list = gst_buffer_list_new ();
  guint16 number;
  Path path;

  path_start (&path, "feedback=transport-cc", TEST_RTP_CAPS);
  path.id = DEFAULT_ID;
  for (guint i = 0; i < 5; i++)
    gst_buffer_list_add (list, make_packet (&path));
  gst_buffer_list_ref (list);
  g_assert_cmpint (
      gst_pad_push_list (path.harness->srcpad, list), ==, GST_FLOW_OK);
  for (guint i = 0; i < 5; i++)
    g_assert_false (
        read_number (gst_buffer_list_get (list, i), DEFAULT_ID, &number));
  gst_buffer_list_unref (list);

  take_departures (&path);
  g_assert_cmpuint (path.departures->len, ==, 5);
  for (guint16 i = 1; i < 5; i++)
    g_assert_cmpuint (
        departure (&path, i)->number, ==, departure (&path, 0)->number + i);
  path_stop (&path);
}

static void
ask_for (Path *self, guint seqnum)
{
  gst_harness_push_upstream_event (self->harness,
      gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          gst_structure_new ("GstRTPRetransmissionRequest", "seqnum",
              G_TYPE_UINT, seqnum, "ssrc", G_TYPE_UINT, TEST_SSRC, NULL)));
}

/* Guards against one number for all copies, or none. */
static void
test_a_retransmission_has_a_number_of_its_own (void)
{
  GstHarness *h = gst_harness_new_parse (
      "rtprtxsend payload-type-map=\"application/x-rtp-pt-map,96=(uint)98\" ! "
      "gccsender feedback=transport-cc pacing-factor=0 ! s.send_rtp_sink "
      "rtpsession name=s s.send_rtp_src ! identity");
  Path path = { .harness = h, .id = DEFAULT_ID };
  GstBuffer *in;

  gst_harness_set_src_caps_str (h, TEST_RTP_CAPS);
  path.departures = g_array_new (FALSE, FALSE, sizeof (Departure));
  in = make_packet (&path);
  push (&path, in);
  take_departures (&path);
  for (guint i = 0; i < 3; i++)
    ask_for (&path, 0);
  while (path.departures->len < 4) {
    take_departures (&path);
    g_thread_yield ();
  }
  for (guint16 i = 0; i < 4; i++)
    g_assert_cmpuint (
        departure (&path, i)->number, ==, departure (&path, 0)->number + i);
  g_array_unref (path.departures);
  gst_harness_teardown (h);
}

/* --- feedback as it should be --- */

static void
test_feedback_takes_over (void)
{
  Path path;

  path_start (&path, "", NEGOTIATED);
  assert_string (&path, "feedback", "remb");
  call_for (&path, 5 * GST_SECOND);
  assert_string (&path, "feedback", "transport-cc");
  assert_string (&path, "feedback-reason", "transport-wide feedback comes");
  g_assert_cmpuint (count (&path, "feedbacks"), >=, 40);
  g_assert_cmpuint (count (&path, "feedbacks-ignored"), ==, 0);
  g_assert_cmpuint (count (&path, "malformed-transport-cc"), ==, 0);
  path_stop (&path);
}

/* --- how much may be on its way --- */

typedef enum {
  NO_ALARM,
  ALARM_DUE,
  ALARM_LATER,
} Alarm;

/* What the pacer waits for. */
static Alarm
get_alarm (GstTestClock *clock, GstClockTime now)
{
  GstClockID alarm;
  Alarm result;

  if (!gst_test_clock_peek_next_pending_id (clock, &alarm))
    return NO_ALARM;
  result = gst_clock_id_get_time (alarm) > now ? ALARM_LATER : ALARM_DUE;
  gst_clock_id_unref (alarm);

  return result;
}

/* What is due happens. */
static Alarm
look (Path *self)
{
  GstTestClock *clock = gst_harness_get_testclock (self->harness);
  Alarm alarm = get_alarm (clock, self->now);

  if (alarm == ALARM_DUE)
    gst_clock_id_unref (gst_test_clock_process_next_clock_id (clock));
  gst_object_unref (clock);

  return alarm;
}

/* Whether what was sent leaves now, or waits. */
static gboolean
leaves (Path *self)
{
  guint n = self->departures->len;

  while (take_departures (self) == 0 && self->departures->len == n &&
      look (self) != ALARM_LATER)
    g_usleep (100);

  return self->departures->len > n;
}

static void
start_paced (Path *self, const gchar *profile)
{
  gchar *properties = g_strdup_printf (
      "pacing-factor=-1 probing=false profile=%s", profile);

  path_start (self, properties, NEGOTIATED);
  g_free (properties);
  for (guint i = 0; i < 100; i++) {
    pass_time (self, 20 * GST_MSECOND);
    send_packet (self);
    g_assert_true (self->departures->len == i + 1 || leaves (self));
    if (i % 5 == 4)
      tell (self);
  }
}

/* Sends until something waits, for two seconds at most. */
static gboolean
fill_window (Path *self)
{
  for (guint i = 0; i < 100; i++) {
    guint n = self->departures->len;

    pass_time (self, 20 * GST_MSECOND);
    send_packet (self);
    if (self->departures->len == n && !leaves (self))
      return TRUE;
  }

  return FALSE;
}

/* Guards: a window that was told in the stats, and that nobody acted on. */
static void
test_media_waits_while_the_window_is_full (void)
{
  Path path;

  start_paced (&path, "goog-2026");
  g_assert_true (fill_window (&path));
  g_assert_true (get_boolean (&path, "window-full"));
  tell (&path);
  g_assert_true (leaves (&path));
  g_assert_false (get_boolean (&path, "window-full"));

  g_assert_true (fill_window (&path));
  pass_time (&path, MAX_PACING_DELAY - GST_MSECOND);
  g_assert_false (leaves (&path));
  pass_time (&path, GST_MSECOND);
  g_assert_true (leaves (&path));
  path_stop (&path);
}

static void
test_the_default_profile_holds_no_media (void)
{
  Path path;

  start_paced (&path, "recommended");
  g_assert_false (fill_window (&path));
  path_stop (&path);
}

static GstBuffer *
make_frame (Path *self)
{
  GstBuffer *buffer = make_packet (self);
  const guint8 marker = 0x80 | 96;

  gst_buffer_fill (buffer, 1, &marker, 1);

  return with_room (buffer, self->id);
}

static gboolean
is_padding_wanted (Path *self)
{
  GstStructure *stats;
  gint64 rate;

  g_object_get (self->sender, "stats", &stats, NULL);
  g_assert_true (gst_structure_get_int64 (stats, "padding-bps", &rate));
  gst_structure_free (stats);

  return rate > 0;
}

static gboolean
is_padding_timed (gpointer path)
{
  return !is_padding_wanted (path) || look (path) == ALARM_LATER;
}

/* In 20 ms. */
static void
let_padding_leave (Path *self)
{
  test_wait_until (is_padding_timed, self);
  pass_time (self, 20 * GST_MSECOND);
  if (look (self) == ALARM_DUE)
    leaves (self);
}

/* Frames of one packet, a third of which are lost for three seconds. */
static guint64
count_padding_after_loss (const gchar *profile)
{
  Path path;
  guint64 n;

  start_paced (&path, profile);
  for (guint i = 0; i < 500; i++) {
    path.loss_percent = i < 150 && i % 3 == 0 ? 100 : 0;
    let_padding_leave (&path);
    push (&path, make_frame (&path));
    leaves (&path);
    if (i % 5 == 4)
      tell (&path);
  }
  n = count (&path, "padding-packets");
  path_stop (&path);

  return n;
}

/* Guards: a padding rate that was told in the stats, and that nobody acted on. */
static void
test_padding_makes_up_for_media_after_loss (void)
{
  guint64 n = count_padding_after_loss ("goog-2026");

  g_assert_cmpuint (n, >, 10);
  /* a second or two at less than 1 Mbit/s each time */
  g_assert_cmpuint (n, <, 5000);
  g_assert_cmpuint (count_padding_after_loss ("recommended"), ==, 0);
}

static void
test_several_in_one_compound_packet_all_count (void)
{
  GccTransportFeedbackWriter writer;
  GstRTCPBuffer rtcp;
  GstBuffer *buffer;
  Path path;

  path_start (&path, "", NEGOTIATED);
  for (guint i = 0; i < 30; i++) {
    pass_time (&path, 10 * GST_MSECOND);
    send_packet (&path);
  }
  begin_rtcp (&buffer, &rtcp);
  for (guint first = 0; first < 30; first += 10) {
    gcc_transport_feedback_writer_init (&writer,
        departure (&path, first)->number, arrival_of (&path, first),
        path.count++);
    for (guint i = first; i < first + 10; i++)
      g_assert_true (gcc_transport_feedback_writer_add (
          &writer, departure (&path, i)->number, arrival_of (&path, i)));
    add_feedback (&rtcp, &writer);
  }
  deliver (&path, end_rtcp (buffer, &rtcp));
  g_assert_cmpuint (count (&path, "feedbacks"), ==, 3);
  path_stop (&path);
}

/* One unwraps what has wrapped: 70000 packets. */
static void
test_numbers_may_wrap (void)
{
  Path path;

  path_start (&path, "", NEGOTIATED);
  for (guint i = 0; i < 70000; i++) {
    pass_time (&path, GST_MSECOND);
    send_packet (&path);
    if (i % 100 == 99)
      tell (&path);
  }
  g_assert_cmpuint (count (&path, "feedbacks"), ==, 700);
  g_assert_cmpuint (count (&path, "feedbacks-ignored"), ==, 0);
  g_assert_cmpuint (count (&path, "feedbacks-lost"), ==, 0);
  assert_string (&path, "feedback", "transport-cc");
  path_stop (&path);
}

/* Once in twelve days, and any moment after the receiver has booted. */
static void
test_the_reference_time_may_wrap (void)
{
  guint before;
  Path path;

  path_start (&path, "", NEGOTIATED);
  path.origin = ((GccTime) 1 << GCC_TRANSPORT_FEEDBACK_REFERENCE_BITS) *
          GCC_TRANSPORT_FEEDBACK_REFERENCE_TICK -
      5 * GCC_SECOND;
  call_for (&path, 4 * GST_SECOND);
  before = get_target (&path);
  call_for (&path, 4 * GST_SECOND);
  g_assert_cmpuint (get_target (&path), >=, before * 9 / 10);
  g_assert_cmpuint (count (&path, "feedbacks-ignored"), ==, 0);
  assert_string (&path, "feedback", "transport-cc");
  path_stop (&path);
}

static void
test_five_frames_a_second_are_enough (void)
{
  Path path;

  path_start (&path, "", NEGOTIATED);
  for (guint i = 0; i < 100; i++) {
    pass_time (&path, 200 * GST_MSECOND);
    for (guint j = 0; j < 4; j++)
      send_packet (&path);
    tell (&path);
  }
  assert_string (&path, "feedback", "transport-cc");
  g_assert_cmpuint (get_target (&path), >=, START_RATE / 2);
  path_stop (&path);
}

/* --- feedback that is lost, late, or says so of packets --- */

static void
test_loss_lowers_the_rate_and_nothing_breaks (void)
{
  const guint percents[] = { 10, 30, 50 };

  for (guint i = 0; i < G_N_ELEMENTS (percents); i++) {
    guint target;
    Path path;

    path_start (&path, "", NEGOTIATED);
    call_for (&path, 5 * GST_SECOND);
    path.loss_percent = percents[i];
    call_for (&path, 20 * GST_SECOND);
    target = get_target (&path);
    g_test_message ("%u %% lost: %u bit/s", percents[i], target);
    g_assert_cmpuint (target, >=, MIN_RATE);
    if (percents[i] >= 30)
      g_assert_cmpuint (target, <, START_RATE);
    assert_string (&path, "feedback", "transport-cc");
    path_stop (&path);
  }
}

static void
test_lost_feedback_is_counted_and_no_loss (void)
{
  Path path;

  path_start (&path, "", NEGOTIATED);
  call_for (&path, 5 * GST_SECOND);
  for (guint i = 0; i < 100; i++) {
    GstBuffer *buffer;

    for (guint j = 0; j < 5; j++) {
      pass_time (&path, 20 * GST_MSECOND);
      send_packet (&path);
    }
    buffer = make_feedback (&path, path.n_told, path.departures->len);
    path.n_told = path.departures->len;
    if (i % 2 == 0)
      gst_buffer_unref (buffer);
    else
      deliver (&path, buffer);
  }
  g_assert_cmpuint (count (&path, "feedbacks-lost"), >=, 49);
  g_assert_cmpuint (get_target (&path), >=, START_RATE / 2);
  path_stop (&path);
}

/* What was told of is told of again, and that a second time. */
static void
test_a_repeated_message_changes_nothing (void)
{
  guint target;
  Path path;

  path_start (&path, "", NEGOTIATED);
  call_for (&path, 5 * GST_SECOND);
  target = get_target (&path);
  for (guint i = 0; i < 20; i++)
    deliver (&path,
        make_feedback (&path, path.departures->len - 20, path.departures->len));
  g_assert_cmpuint (get_target (&path), ==, target);
  g_assert_cmpuint (count (&path, "feedbacks-ignored"), ==, 20);
  path_stop (&path);
}

static void
test_messages_that_overlap_count_each_packet_once (void)
{
  Path path;

  path_start (&path, "", NEGOTIATED);
  for (guint i = 0; i < 300; i++) {
    pass_time (&path, 20 * GST_MSECOND);
    send_packet (&path);
    if (i % 5 == 4)
      deliver (&path,
          make_feedback (&path, i < 20 ? 0 : i - 20, path.departures->len));
  }
  g_assert_cmpuint (count (&path, "feedbacks-ignored"), ==, 0);
  g_assert_cmpuint (get_target (&path), >=, START_RATE / 2);
  path_stop (&path);
}

static void
test_messages_out_of_order_do_no_harm (void)
{
  guint before;
  Path path;

  path_start (&path, "", NEGOTIATED);
  call_for (&path, 5 * GST_SECOND);
  before = get_target (&path);
  for (guint i = 0; i < 50; i++) {
    guint first = path.departures->len;
    GstBuffer *early;

    for (guint j = 0; j < 10; j++) {
      pass_time (&path, 20 * GST_MSECOND);
      send_packet (&path);
    }
    early = make_feedback (&path, first, first + 5);
    deliver (&path, make_feedback (&path, first + 5, first + 10));
    deliver (&path, early);
  }
  g_assert_cmpuint (get_target (&path), >=, before / 2);
  assert_string (&path, "feedback", "transport-cc");
  path_stop (&path);
}

static void
test_feedback_may_be_two_seconds_late (void)
{
  Path path;

  path_start (&path, "", NEGOTIATED);
  call_for (&path, 5 * GST_SECOND);
  path.n_told = path.departures->len;
  for (guint i = 0; i < 500; i++) {
    pass_time (&path, 20 * GST_MSECOND);
    send_packet (&path);
    if (i % 5 == 4 && i >= 100) {
      deliver (&path, make_feedback (&path, path.n_told, path.n_told + 5));
      path.n_told += 5;
    }
  }
  g_assert_cmpuint (get_target (&path), >=, MIN_RATE);
  assert_string (&path, "feedback", "transport-cc");
  path_stop (&path);
}

/* --- feedback that nobody should send --- */

/* Guards against a rate that follows what was never sent. */
static void
test_numbers_never_sent_steer_nothing (void)
{
  guint target;
  Path path;

  path_start (&path, "", NEGOTIATED);
  call_for (&path, 5 * GST_SECOND);
  target = get_target (&path);
  for (guint i = 0; i < 100; i++) {
    GccTransportFeedbackWriter writer;
    GstRTCPBuffer rtcp;
    GstBuffer *buffer;
    guint16 seq =
        (guint16) (departure (&path, path.departures->len - 1)->number + 1000 +
            i * 10);

    gcc_transport_feedback_writer_init (
        &writer, seq, path.origin, path.count++);
    for (guint16 j = 0; j < 10; j++)
      gcc_transport_feedback_writer_add (
          &writer, (guint16) (seq + j), path.origin + j * GCC_SECOND);
    begin_rtcp (&buffer, &rtcp);
    add_feedback (&rtcp, &writer);
    deliver (&path, end_rtcp (buffer, &rtcp));
  }
  g_assert_cmpuint (get_target (&path), ==, target);
  g_assert_cmpuint (count (&path, "feedbacks-ignored"), ==, 100);
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

  path_start (&path, "", NEGOTIATED);
  call_for (&path, 5 * GST_SECOND);
  target = get_target (&path);
  for (guint words = 2; words < G_N_ELEMENTS (bytes) / 4; words++) {
    bytes[3] = (guint8) (words - 1);
    deliver (&path, test_guarded_buffer (bytes, 4 * words));
  }
  n_malformed = count (&path, "malformed-transport-cc");
  g_assert_cmpuint (n_malformed, ==, 14);
  g_assert_cmpuint (get_target (&path), ==, target);

  for (guint i = 0; i < 5000; i++) {
    guint words = (guint) g_test_rand_int_range (1, 16);

    for (guint j = 4; j < 4 * words; j++)
      bytes[j] = (guint8) g_test_rand_int_range (0, 256);
    bytes[0] = g_test_rand_int_range (0, 4) == 0 ? 0xaf : 0x8f;
    bytes[3] = (guint8) (words - 1);
    deliver (&path, test_guarded_buffer (bytes, 4 * words));
  }
  g_assert_cmpuint (count (&path, "malformed-transport-cc"), >, n_malformed);
  call_for (&path, GST_SECOND);
  g_assert_cmpuint (get_target (&path), >=, MIN_RATE);
  path_stop (&path);
}

/* --- packets without the extension --- */

/* Firefox numbers no audio; it takes its part of the path all the same. */
static void
test_packets_without_the_extension_take_no_number (void)
{
  guint n_unnumbered = 0;
  Path path;

  path_start (&path, "", NEGOTIATED);
  for (guint i = 0; i < 250; i++) {
    pass_time (&path, 20 * GST_MSECOND);
    send_packet (&path);
    push (&path, make_packet (&path));
    n_unnumbered += take_departures (&path);
    if (i % 5 == 4)
      tell (&path);
  }
  g_assert_cmpuint (n_unnumbered, ==, 250);
  g_assert_cmpuint (path.departures->len, ==, 250);
  for (guint i = 1; i < 250; i++)
    g_assert_cmpuint (departure (&path, i)->number, ==,
        (guint16) (departure (&path, i - 1)->number + 1));
  assert_string (&path, "feedback", "transport-cc");
  g_assert_cmpuint (get_target (&path), >=, START_RATE / 2);
  path_stop (&path);
}

static GstBuffer *
make_audio (Path *self)
{
  GstBuffer *buffer = test_rtp_packet (
      self->seq, (guint32) (self->now / GST_MSECOND * 48), 80);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  g_assert_true (gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp));
  gst_rtp_buffer_set_ssrc (&rtp, AUDIO_SSRC);
  gst_rtp_buffer_set_payload_type (&rtp, 97);
  gst_rtp_buffer_unmap (&rtp);

  return buffer;
}

static void
test_audio_alone_is_followed (void)
{
  Path path;

  path_start (&path, "", AUDIO EXTMAP (5));
  for (guint i = 0; i < 500; i++) {
    pass_time (&path, 20 * GST_MSECOND);
    push (&path, with_room (make_audio (&path), ID));
    take_departures (&path);
    if (i % 5 == 4)
      tell (&path);
  }
  g_assert_cmpuint (path.departures->len, ==, 500);
  assert_string (&path, "feedback", "transport-cc");
  g_assert_cmpuint (get_target (&path), >=, MIN_RATE);
  path_stop (&path);
}

/* --- feedback that stops --- */

static void
test_reports_take_over_without_a_jump_and_give_back (void)
{
  guint before, after;
  Path path;

  path_start (&path, "", NEGOTIATED);
  call_for (&path, 10 * GST_SECOND);
  before = get_target (&path);
  assert_string (&path, "feedback", "transport-cc");

  for (guint i = 0; i < 20; i++) {
    guint last = get_target (&path);

    call_without_feedback (&path, GST_SECOND);
    g_assert_cmpuint (get_target (&path), <=, last * 13 / 10);
    g_assert_cmpuint (get_target (&path), >=, last * 7 / 10);
  }
  assert_string (&path, "feedback", "remb");
  assert_string (
      &path, "feedback-reason", "transport-wide feedback has stopped");
  after = get_target (&path);
  g_test_message ("%u, then %u bit/s", before, after);

  call_for (&path, 500 * GST_MSECOND);
  assert_string (&path, "feedback", "transport-cc");
  g_assert_cmpuint (get_target (&path), >=, after / 2);
  g_assert_cmpuint (get_target (&path), <=, after * 3 / 2);
  path_stop (&path);
}

static gboolean
has_fallen (gpointer user_data)
{
  return get_target (user_data) < START_RATE / 2;
}

/* No RTCP comes at all: packets that leave tell the time, and the history of
 * them stays as it is. */
static void
test_no_rtcp_at_all_lowers_the_rate (void)
{
  Path path;

  path_start (&path, "", NEGOTIATED);
  call_for (&path, 5 * GST_SECOND);
  for (guint i = 0; i < 20000; i++) {
    pass_time (&path, GST_MSECOND);
    send_packet (&path);
  }
  test_wait_until (has_fallen, &path);
  g_assert_cmpuint (get_target (&path), >=, MIN_RATE);
  path_stop (&path);
}

static void
test_missing_feedback_is_told_once (void)
{
  Path path;

  path_start (&path, "", NEGOTIATED);
  call_without_feedback (&path, 4 * GST_SECOND);
  g_assert_cmpuint (
      count_messages (&path, GST_MESSAGE_WARNING, "transport-wide"), ==, 0);
  call_without_feedback (&path, 20 * GST_SECOND);
  g_assert_cmpuint (
      count_messages (&path, GST_MESSAGE_WARNING, "transport-wide"), ==, 1);
  assert_string (
      &path, "feedback-reason", "no transport-wide feedback has come");

  call_for (&path, GST_SECOND);
  g_assert_cmpuint (
      count_messages (&path, GST_MESSAGE_INFO, "Transport-wide"), ==, 1);
  call_for (&path, 5 * GST_SECOND);
  g_assert_cmpuint (
      count_messages (&path, GST_MESSAGE_INFO, "Transport-wide"), ==, 0);
  path_stop (&path);
}

/* Guards: the pause counted as time without feedback. */
static void
test_after_a_pause_no_feedback_is_missing (void)
{
  Path path;

  path_start (&path, "", NEGOTIATED);
  call_for (&path, 2 * GST_SECOND);
  pass_time (&path, 6 * GST_SECOND);
  send_packet (&path);
  report (&path);
  call_without_feedback (&path, 3 * GST_SECOND);
  call_for (&path, GST_SECOND);
  g_assert_cmpuint (
      count_messages (&path, GST_MESSAGE_WARNING, "transport-wide"), ==, 0);
  path_stop (&path);
}

/* Nobody is missed who was not asked. */
static void
test_without_numbers_nothing_is_missing (void)
{
  Path path;

  path_start (&path, "feedback=remb", NEGOTIATED);
  call_without_feedback (&path, 20 * GST_SECOND);
  g_assert_cmpuint (
      count_messages (&path, GST_MESSAGE_WARNING, "transport-wide"), ==, 0);
  path_stop (&path);
}

/* --- nobody measures --- */

static guint
count_unmeasured (Path *self)
{
  return count_messages (self, GST_MESSAGE_WARNING, "Nobody measures");
}

static void
test_reports_alone_are_told_once (void)
{
  Path path;

  path_start (&path, "", TEST_RTP_CAPS);
  call_without_feedback (&path, 14 * GST_SECOND);
  g_assert_cmpuint (count_unmeasured (&path), ==, 0);
  call_without_feedback (&path, 30 * GST_SECOND);
  g_assert_cmpuint (count_unmeasured (&path), ==, 1);
  path_stop (&path);
}

static void
test_after_a_remb_reports_are_enough (void)
{
  Path path;

  path_start (&path, "", TEST_RTP_CAPS);
  call_without_feedback (&path, 5 * GST_SECOND);
  deliver (&path, test_remb (500000, 1));
  call_without_feedback (&path, 30 * GST_SECOND);
  g_assert_cmpuint (count (&path, "rembs"), ==, 1);
  g_assert_cmpuint (count_unmeasured (&path), ==, 0);
  path_stop (&path);
}

static void
test_after_feedback_reports_are_enough (void)
{
  Path path;

  path_start (&path, "", NEGOTIATED);
  call_for (&path, 2 * GST_SECOND);
  call_without_feedback (&path, 30 * GST_SECOND);
  g_assert_cmpuint (count_unmeasured (&path), ==, 0);
  path_stop (&path);
}

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
  call_for (&path, 2 * GST_SECOND);
  call_without_feedback (&path, 8 * GST_SECOND);
  call_for (&path, GST_SECOND);
  g_object_set (
      path.sender, "min-bitrate", 1000000, "max-bitrate", 1000000, NULL);
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
  static const gchar *const story[] = { "feedback begins", "feedback stops",
    "A_s falls from", "bit/s: no-feedback", "feedback begins", NULL };
  gchar *log;
  Path path;

  test_log_start ("gccsender");
  path_start (&path, "", NEGOTIATED);
  call_for (&path, 5 * GST_SECOND);
  for (guint i = 0; i < 1000; i++) {
    pass_time (&path, 20 * GST_MSECOND);
    send_packet (&path);
  }
  test_wait_until (has_fallen, &path);
  call_for (&path, GST_SECOND);
  path_stop (&path);
  log = test_log_stop ();
  assert_tells (log, story);
  g_free (log);
}

static GstMessage *
wait_for_rate (Path *self)
{
  GstMessage *message = gst_bus_timed_pop_filtered (
      self->bus, GST_SECOND, GST_MESSAGE_ELEMENT);

  g_assert_nonnull (message);

  return message;
}

static void
test_a_message_has_what_a_person_follows (void)
{
  static const gchar *const fields[] = { "reason", "a-s-bps", "v-bps", "rtt-ms",
    "fraction-lost", "feedback" };
  const GstStructure *structure;
  GstMessage *message;
  Path path;

  path_start (&path, "", NEGOTIATED);
  call_without_feedback (&path, 2 * GST_SECOND);
  call_for (&path, GST_SECOND);
  g_usleep (G_USEC_PER_SEC / 5);
  gst_bus_set_flushing (path.bus, TRUE);
  gst_bus_set_flushing (path.bus, FALSE);
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

static void
check_notified (GObject *sender, GParamSpec *pspec, gpointer last)
{
  guint target = test_get_uint (sender, pspec->name);

  g_assert_cmpuint (target, !=, *(guint *) last);
  *(guint *) last = target;
}

/* v changes with what is sent, and the target does not. */
static void
test_a_target_that_stays_is_not_notified (void)
{
  guint last;
  Path path;

  path_start (&path, "max-bitrate=1000000", NEGOTIATED);
  last = get_target (&path);
  g_signal_connect (path.sender, "notify::target-bitrate",
      G_CALLBACK (check_notified), &last);
  call_for (&path, 10 * GST_SECOND);
  g_object_set (path.sender, "max-bitrate", 200000, NULL);
  g_assert_cmpuint (last, ==, 200000);
  call_for (&path, GST_SECOND);
  path_stop (&path);
}

/* --- changes in mid-call --- */

static void
test_the_identifier_may_change (void)
{
  Path path;

  path_start (&path, "", NEGOTIATED);
  call_for (&path, 5 * GST_SECOND);
  gst_harness_set_src_caps_str (path.harness, TEST_RTP_CAPS EXTMAP (9));
  g_assert_false (session_has_extmap (&path, 9));
  path.id = 9;
  call_for (&path, 5 * GST_SECOND);
  g_assert_cmpuint (path.departures->len, ==, 500);
  g_assert_cmpuint (count (&path, "feedbacks-ignored"), ==, 0);

  /* and the extension be gone */
  gst_harness_set_src_caps_str (path.harness, TEST_RTP_CAPS);
  push (&path, make_packet (&path));
  g_assert_cmpuint (take_departures (&path), ==, 1);
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
    push (&path, with_room (make_packet (&path), 5));
  gst_harness_set_src_caps_str (h, TEST_RTP_CAPS EXTMAP (9));
  for (guint i = 0; i < 4; i++)
    push (&path, with_room (make_packet (&path), 9));
  for (guint i = 0; i < 8; i++) {
    GstBuffer *buffer = gst_harness_pull (h);

    g_assert_nonnull (buffer);
    g_assert_true (read_number (buffer, i < 4 ? 5 : 9, &number));
    g_assert_cmpuint (number, !=, 0xffff);
    gst_buffer_unref (buffer);
  }
  gst_harness_teardown (h);
}

static GstPad *
add_audio (GstElement *sender, GstElement *funnel, GstPad **sinkpad)
{
  GstCaps *caps = gst_caps_from_string (AUDIO);
  GstPad *source = gst_pad_new ("audio", GST_PAD_SRC);
  GstSegment segment;

  *sinkpad = gst_element_request_pad_simple (sender, "sink_1");
  g_assert_true (gst_element_link_pads (sender, "src_1", funnel, NULL));
  g_assert_cmpint (gst_pad_link (source, *sinkpad), ==, GST_PAD_LINK_OK);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_set_active (source, TRUE);
  gst_pad_push_event (source, gst_event_new_stream_start ("audio"));
  gst_pad_push_event (source, gst_event_new_caps (caps));
  gst_pad_push_event (source, gst_event_new_segment (&segment));
  gst_caps_unref (caps);

  return source;
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
  path.departures = g_array_new (FALSE, FALSE, sizeof (Departure));
  push (&path, make_packet (&path));
  /* The first packet brings a report at once. While rtpsession of GStreamer
   * 1.22 writes it, no other stream may begin: it goes through its sources
   * with the lock released, and a new one is a critical warning of GLib's. */
  gst_buffer_unref (gst_harness_pull (rtcp));
  audio = add_audio (sender, funnel, &sinkpad);
  for (guint i = 0; i < 5; i++) {
    push (&path, make_packet (&path));
    g_assert_cmpint (gst_pad_push (audio, make_audio (&path)), ==, GST_FLOW_OK);
  }
  gst_element_release_request_pad (sender, sinkpad);
  push (&path, make_packet (&path));

  g_assert_cmpuint (take_departures (&path), ==, 0);
  g_assert_cmpuint (path.departures->len, ==, 12);
  for (guint16 i = 1; i < 12; i++)
    g_assert_cmpuint (
        departure (&path, i)->number, ==, departure (&path, 0)->number + i);
  g_array_unref (path.departures);
  gst_object_unref (sinkpad);
  gst_object_unref (audio);
  gst_harness_teardown (rtcp);
  gst_object_unref (session);
  gst_object_unref (funnel);
  gst_object_unref (sender);
  gst_harness_teardown (h);
}

static void
test_a_restart_begins_again (void)
{
  Path path;

  path_start (&path, "", NEGOTIATED);
  call_for (&path, 5 * GST_SECOND);
  gst_element_set_state (path.sender, GST_STATE_READY);
  assert_string (&path, "feedback", "transport-cc");
  gst_element_set_state (path.sender, GST_STATE_PLAYING);
  assert_string (&path, "feedback", "remb");
  gst_harness_set_src_caps_str (path.harness, NEGOTIATED);
  path.n_told = path.departures->len;
  call_for (&path, 5 * GST_SECOND);
  assert_string (&path, "feedback", "transport-cc");
  path_stop (&path);
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
    deliver (self->path, gst_buffer_ref (self->rtcp));

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
  call_for (&path, GST_SECOND);
  teller.path = &path;
  teller.rtcp = make_feedback (&path, 0, path.departures->len);
  thread = g_thread_new ("teller", tell_again_and_again, &teller);
  for (guint i = 0; i < 30; i++) {
    gst_element_set_state (path.sender, GST_STATE_NULL);
    gst_element_set_state (path.sender, GST_STATE_PLAYING);
    gst_harness_set_src_caps_str (path.harness, NEGOTIATED);
    call_for (&path, 100 * GST_MSECOND);
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

    g_assert_true (session_has_extmap (&path, ID));
    push (&path, make_packet (&path));
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
  path.departures = g_array_new (FALSE, FALSE, sizeof (Departure));
  gst_harness_set_src_caps_str (path.harness, NEGOTIATED);
  g_assert_false (session_has_extmap (&path, ID));
  send_packet (&path);
  g_assert_cmpuint (path.departures->len, ==, 1);

  /* and no more than that */
  push (&path, make_packet (&path));
  g_assert_cmpuint (take_departures (&path), ==, 1);

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
  GstElement *session = gst_object_ref_sink (
      gst_element_factory_make ("rtpsession", NULL));
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

/* --- the property --- */

static void
test_probing_may_change_at_any_time (void)
{
  gboolean probing;
  Path path;

  path_start (&path, "", NEGOTIATED);
  g_object_get (path.sender, "probing", &probing, NULL);
  g_assert_true (probing);
  call_for (&path, GST_SECOND);
  g_object_set (path.sender, "probing", FALSE, NULL);
  call_for (&path, GST_SECOND);
  g_object_get (path.sender, "probing", &probing, NULL);
  g_assert_false (probing);
  g_object_set (path.sender, "probing", TRUE, NULL);
  call_for (&path, GST_SECOND);
  path_stop (&path);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);

#define ADD(name) g_test_add_func ("/transport/" #name, test_##name)
  ADD (packets_are_numbered_one_after_the_other);
  ADD (the_session_is_not_told_of_the_extension);
  ADD (remb_means_no_numbers);
  ADD (what_was_not_negotiated_is_not_added);
  ADD (the_property_puts_the_extension_there);
  ADD (an_older_profile_numbers_nothing);
  ADD (all_packets_of_a_list_are_numbered);
  ADD (a_retransmission_has_a_number_of_its_own);
  ADD (feedback_takes_over);
  ADD (media_waits_while_the_window_is_full);
  ADD (the_default_profile_holds_no_media);
  ADD (padding_makes_up_for_media_after_loss);
  ADD (several_in_one_compound_packet_all_count);
  ADD (numbers_may_wrap);
  ADD (the_reference_time_may_wrap);
  ADD (five_frames_a_second_are_enough);
  ADD (loss_lowers_the_rate_and_nothing_breaks);
  ADD (lost_feedback_is_counted_and_no_loss);
  ADD (a_repeated_message_changes_nothing);
  ADD (messages_that_overlap_count_each_packet_once);
  ADD (messages_out_of_order_do_no_harm);
  ADD (feedback_may_be_two_seconds_late);
  ADD (numbers_never_sent_steer_nothing);
  ADD (bytes_from_a_stranger_do_no_harm);
  ADD (packets_without_the_extension_take_no_number);
  ADD (audio_alone_is_followed);
  ADD (reports_take_over_without_a_jump_and_give_back);
  ADD (no_rtcp_at_all_lowers_the_rate);
  ADD (missing_feedback_is_told_once);
  ADD (after_a_pause_no_feedback_is_missing);
  ADD (without_numbers_nothing_is_missing);
  ADD (reports_alone_are_told_once);
  ADD (after_a_remb_reports_are_enough);
  ADD (after_feedback_reports_are_enough);
  ADD (the_log_tells_the_story_of_a_call);
  ADD (the_log_tells_that_feedback_stops);
  ADD (a_message_has_what_a_person_follows);
  ADD (a_target_that_stays_is_not_notified);
  ADD (the_identifier_may_change);
  ADD (packets_that_wait_keep_their_identifier);
  ADD (a_stream_may_be_added_and_removed);
  ADD (a_restart_begins_again);
  ADD (feedback_may_come_while_the_element_leaves);
  ADD (before_webrtcbin_nothing_is_touched);
  ADD (inside_webrtcbin_what_was_negotiated_is_used);
  ADD (a_session_that_is_linked_late_is_not_told_either);
  ADD (probing_may_change_at_any_time);

  return g_test_run ();
}
