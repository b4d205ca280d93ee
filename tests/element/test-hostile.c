/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* What packets, caps, clocks, applications and strangers can do to the elements:
 * docs/security.md says so of each. */

#include <gst/check/gstharness.h>
#include <gst/gcc/gcc-abs-send-time.h>
#include <gst/gcc/wire/gcc-transport-feedback.h>
#include <gst/rtp/rtp.h>
#include <string.h>

#include "element-test.h"

#define N_PACKETS 20u
#define START_RATE 1000000u
#define MIN_RATE 100000u
#define MAX_RATE 2000000u

#define RTCP_HEADER 0x8f, 0xcd

/* --- a sender and its session --- */

typedef struct {
  GstHarness *harness;
  GstElement *sender;
  GstPad *rtcp;
  guint n_left; /* atomic */
  guint16 seq;
} Call;

static GstPadProbeReturn
count_leaving (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Call *self = user_data;
  gint n = info->type & GST_PAD_PROBE_TYPE_BUFFER_LIST
      ? (gint) gst_buffer_list_length (GST_PAD_PROBE_INFO_BUFFER_LIST (info))
      : 1;

  (void) pad;
  g_atomic_int_add (&self->n_left, n);

  return GST_PAD_PROBE_OK;
}

static void
call_start (Call *self, const gchar *properties)
{
  gchar *line = g_strdup_printf (
      "gccsender name=sender start-bitrate=1000000 min-bitrate=100000 "
      "max-bitrate=2000000 %s ! session.send_rtp_sink "
      "rtpsession name=session session.send_rtp_src ! identity",
      properties);
  GstElement *session;
  GstPad *pad;

  *self = (Call){ .harness = gst_harness_new_parse (line) };
  self->sender = gst_bin_get_by_name (
      GST_BIN (self->harness->element), "sender");
  session = gst_bin_get_by_name (GST_BIN (self->harness->element), "session");
  self->rtcp = test_open_rtcp (session, "recv_rtcp_sink");
  pad = gst_element_get_static_pad (self->sender, "src");
  gst_pad_add_probe (pad,
      GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST, count_leaving,
      self, NULL);
  gst_object_unref (pad);
  gst_object_unref (session);
  gst_harness_set_drop_buffers (self->harness, TRUE);
  gst_harness_use_systemclock (self->harness);
  gst_harness_set_src_caps_str (self->harness, TEST_RTP_CAPS);
  g_free (line);
}

static void
call_stop (Call *self)
{
  gst_element_set_state (self->harness->element, GST_STATE_NULL);
  gst_pad_set_active (self->rtcp, FALSE);
  gst_object_unref (self->rtcp);
  gst_object_unref (self->sender);
  gst_harness_teardown (self->harness);
}

static void
push (Call *self, GstBuffer *buffer)
{
  g_assert_cmpint (gst_harness_push (self->harness, buffer), ==, GST_FLOW_OK);
}

static void
push_packet (Call *self)
{
  push (self, test_rtp_packet (self->seq, self->seq * 3000u, 1000));
  self->seq++;
}

static void
push_rtcp (Call *self, GstBuffer *buffer)
{
  g_assert_cmpint (gst_pad_push (self->rtcp, buffer), ==, GST_FLOW_OK);
}

/* Of what was sent so far, numbered from 0, the last ten have arrived. It has a
 * delta for each: where gccsender does not number, rtpsession reads it. */
static GstBuffer *
make_feedback (guint16 n, guint8 count)
{
  guint8 n_told = (guint8) MIN (n, 10);
  guint16 first = n - n_told;
  const guint8 bytes[] = { RTCP_HEADER, 0x00, 0x07,   /* */
    0, 0, 0, 0xbb, 0, 0, 0, 0,                        /* of, about */
    (guint8) (first >> 8), (guint8) first, 0, n_told, /* which */
    0, 0, count, count, 0x20, n_told, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };

  return gst_buffer_new_memdup (bytes, sizeof bytes);
}

static guint64
count (Call *self, const gchar *field)
{
  return test_stats_uint64 (self->sender, field);
}

/* Of any kind. */
static guint64
count_feedbacks (Call *self)
{
  return count (self, "feedbacks") + count (self, "reports") +
      count (self, "rembs");
}

/* --- packets --- */

typedef struct {
  const gchar *what;
  gboolean is_rtp;
  gsize length;
  guint8 bytes[96];
} Oddity;

#define FIXED(first, second) \
  first, second, 0, 1, 0, 0, 0, 9, 0x11, 0x22, 0x33, 0x44

static const Oddity oddities[] = {
  { "nothing", FALSE, 0, { 0 } },
  { "one byte", FALSE, 1, { 0x80 } },
  { "eleven bytes", FALSE, 11, { FIXED (0x80, 96) } },
  { "a header alone", TRUE, 12, { FIXED (0x80, 96) } },
  { "version 1", FALSE, 16, { FIXED (0x40, 96) } },
  { "RTCP", FALSE, 8, { 0x80, 0xc9, 0, 1, 0, 0, 0, 1 } },
  { "text", FALSE, 20, "GET / HTTP/1.1\r\n\r\n\r" },
  { "an extension bit and no extension", FALSE, 12, { FIXED (0x90, 96) } },
  { "half an extension's header", FALSE, 14, { FIXED (0x90, 96), 0xbe, 0xde } },
  { "an extension of no words", TRUE, 20,
      { FIXED (0x90, 96), 0xbe, 0xde, 0, 0, 1, 2, 3, 4 } },
  { "an extension longer than the packet", FALSE, 20,
      { FIXED (0x90, 96), 0xbe, 0xde, 0, 2, 0xc1, 0, 0, 0 } },
  { "an element longer than the extension", TRUE, 24,
      { FIXED (0x90, 96), 0xbe, 0xde, 0, 1, 0xcf, 0, 0, 0, 1, 2, 3, 4 } },
  { "an element at the end of the extension", TRUE, 24,
      { FIXED (0x90, 96), 0xbe, 0xde, 0, 1, 0, 0, 0, 0xc1, 1, 2, 3, 4 } },
  { "the number twice", TRUE, 28,
      { FIXED (0x90, 96), 0xbe, 0xde, 0, 2, 0xc1, 0, 0, 0xc1, 0, 0, 0, 0, 1, 2,
          3, 4 } },
  { "a number of another length", TRUE, 24,
      { FIXED (0x90, 96), 0xbe, 0xde, 0, 1, 0xc2, 1, 2, 3, 1, 2, 3, 4 } },
  { "an identifier of fifteen", TRUE, 24,
      { FIXED (0x90, 96), 0xbe, 0xde, 0, 1, 0xf1, 0, 0, 0, 1, 2, 3, 4 } },
  { "an extension of another kind", TRUE, 24,
      { FIXED (0x90, 96), 0x12, 0x34, 0, 1, 0xc1, 0, 0, 0, 1, 2, 3, 4 } },
  { "two bytes' length past the end", TRUE, 24,
      { FIXED (0x90, 96), 0x10, 0x00, 0, 1, 12, 0xff, 0, 0, 1, 2, 3, 4 } },
  { "fifteen sources", TRUE, 76, { FIXED (0x8f, 96) } },
  { "sources that are not there", FALSE, 40, { FIXED (0x8f, 96) } },
  { "sources and a cut extension", FALSE, 16,
      { FIXED (0x91, 96), 0, 0, 0, 5 } },
  { "padding alone", TRUE, 16, { FIXED (0xa0, 96), 0, 0, 0, 4 } },
  { "padding of no length", TRUE, 16, { FIXED (0xa0, 96), 0, 0, 0, 0 } },
  { "padding that takes the header", FALSE, 16,
      { FIXED (0xa0, 96), 0, 0, 0, 5 } },
  { "padding longer than the packet", FALSE, 16,
      { FIXED (0xa0, 96), 0, 0, 0, 255 } },
  { "padding that takes the extension", FALSE, 24,
      { FIXED (0xb0, 96), 0xbe, 0xde, 0, 1, 0xc1, 0, 0, 0, 0, 0, 0, 9 } },
};

static GstBuffer *
make_oddity (const Oddity *oddity)
{
  return oddity->length == 0
      ? gst_buffer_new ()
      : test_guarded_buffer (oddity->bytes, oddity->length);
}

static guint
count_what_is_no_rtp (void)
{
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (oddities); i++)
    n += !oddities[i].is_rtp;
  return n;
}

static const gchar *const ways[] = { "feedback=remb",
  "feedback=transport-cc pacing-factor=0", "feedback=transport-cc",
  "feedback=transport-cc pacing-factor=2", "feedback=remb pacing-factor=2" };

static gboolean
has_all_left (gpointer user_data)
{
  Call *call = user_data;

  return (guint) g_atomic_int_get (&call->n_left) >= call->seq;
}

/* Guards against an element that reads past the end, holds back or loses what it
 * does not understand, or numbers it. */
static void
test_a_sender_passes_odd_packets_on (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (ways); i++) {
    Call call;

    g_test_message ("%s", ways[i]);
    call_start (&call, ways[i]);
    for (guint j = 0; j < G_N_ELEMENTS (oddities); j++) {
      push (&call, make_oddity (&oddities[j]));
      call.seq++;
      push_packet (&call);
    }
    test_wait_until (has_all_left, &call);
    g_assert_cmpuint (
        count (&call, "malformed-rtp"), ==, count_what_is_no_rtp ());
    call_stop (&call);
  }
}

static void
test_a_sender_passes_lists_of_odd_packets_on (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (ways); i++) {
    GstBufferList *list = gst_buffer_list_new ();
    Call call;

    call_start (&call, ways[i]);
    for (guint j = 0; j < G_N_ELEMENTS (oddities); j++)
      gst_buffer_list_add (list, make_oddity (&oddities[j]));
    g_assert_cmpint (
        gst_pad_push_list (call.harness->srcpad, list), ==, GST_FLOW_OK);
    call.seq = G_N_ELEMENTS (oddities);
    test_wait_until (has_all_left, &call);
    g_assert_cmpuint (
        count (&call, "malformed-rtp"), ==, count_what_is_no_rtp ());
    call_stop (&call);
  }
}

/* rtpsession complains of one, whoever pushes it. */
static void
test_an_empty_list_does_no_harm (void)
{
  static const gchar *const factories[] = { "gccsender", "gccreceiver" };

  for (guint i = 0; i < G_N_ELEMENTS (factories); i++) {
    GstHarness *h = gst_harness_new (factories[i]);

    gst_harness_set_src_caps_str (h, TEST_RTP_CAPS);
    g_assert_cmpint (
        gst_pad_push_list (h->srcpad, gst_buffer_list_new ()), ==, GST_FLOW_OK);
    gst_harness_teardown (h);
  }
}

static void
test_a_receiver_passes_odd_packets_on (void)
{
  static const gchar *const modes[] = { "remb", "transport-cc" };

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++) {
    GstHarness *h = gst_harness_new ("gccreceiver");

    gst_util_set_object_arg (G_OBJECT (h->element), "feedback", modes[i]);
    gst_harness_set_src_caps_str (
        h, TEST_RTP_CAPS ",extmap-3=(string)" GCC_ABS_SEND_TIME_URI);
    for (guint j = 0; j < G_N_ELEMENTS (oddities); j++) {
      g_assert_cmpint (
          gst_harness_push (h, make_oddity (&oddities[j])), ==, GST_FLOW_OK);
      gst_buffer_unref (gst_harness_pull (h));
    }
    g_assert_cmpuint (test_stats_uint64 (h->element, "malformed"), ==,
        count_what_is_no_rtp ());
    gst_harness_teardown (h);
  }
}

/* The first memory ends in the extension, which to gst_rtp_buffer_map() is whole
 * nevertheless. */
static const guint8 cut_extension[] = {
  FIXED (0x90, 96), 0xbe, 0xde, 0, 2, /* two words of one-byte extensions */
  0, 0, 0, 0,                         /* ... the first is padding */
  0x32, 1, 2, 3,                      /* ... the second is abs-send-time */
  1, 2, 3, 4,                         /* payload */
};

#define CUT 18u

static GstBuffer *
make_cut_extension (void)
{
  return gst_buffer_append (test_guarded_buffer (cut_extension, CUT),
      test_guarded_buffer (cut_extension + CUT, sizeof cut_extension - CUT));
}

/* Guards against reading past the end of a memory, and, in a sender that paces,
 * writing there: udpsrc has a long packet in two. Without a session, which reads
 * past it by itself. */
static void
test_an_extension_may_end_in_another_memory (gconstpointer line)
{
  GstHarness *h = gst_harness_new_parse (line);

  gst_harness_use_systemclock (h);
  gst_harness_set_src_caps_str (
      h, TEST_RTP_CAPS ",extmap-3=(string)" GCC_ABS_SEND_TIME_URI);
  for (guint i = 0; i < 3; i++) {
    GstBuffer *buffer;

    g_assert_cmpint (
        gst_harness_push (h, make_cut_extension ()), ==, GST_FLOW_OK);
    buffer = gst_harness_pull (h);
    g_assert_cmpint (
        gst_buffer_memcmp (buffer, 0, cut_extension, sizeof cut_extension), ==,
        0);
    gst_buffer_unref (buffer);
  }
  gst_harness_teardown (h);
}

/* --- what is counted --- */

static void
check_counts (GstElement *element, const gchar *const *fields, guint n_fields)
{
  GstStructure *stats;

  g_object_get (element, "stats", &stats, NULL);
  for (guint i = 0; i < n_fields; i++)
    g_assert_true (gst_structure_has_field (stats, fields[i]));
  gst_structure_free (stats);
}

/* The page names these. */
static void
test_what_is_ignored_has_a_count (void)
{
  static const gchar *const of_sender[] = { "malformed-rtp", "malformed-rtcp",
    "malformed-remb", "malformed-transport-cc", "reports-ignored",
    "rembs-ignored", "feedbacks-ignored", "feedbacks-lost", "rtx-dropped",
    "dropped-sr-requests", "dropped-transport-cc" };
  static const gchar *const of_receiver[] = { "malformed",
    "dropped-sr-requests", "dropped-transport-cc" };
  GstHarness *sender = gst_harness_new ("gccsender");
  GstHarness *receiver = gst_harness_new ("gccreceiver");

  check_counts (sender->element, of_sender, G_N_ELEMENTS (of_sender));
  check_counts (receiver->element, of_receiver, G_N_ELEMENTS (of_receiver));
  gst_harness_teardown (sender);
  gst_harness_teardown (receiver);
}

static void
test_where_nothing_is_numbered_feedback_is_ignored (void)
{
  Call call;

  call_start (&call, "feedback=remb");
  for (guint i = 0; i < N_PACKETS; i++)
    push_packet (&call);
  for (guint8 i = 0; i < 10; i++)
    push_rtcp (&call, make_feedback (call.seq, i));
  g_assert_cmpuint (count (&call, "feedbacks"), ==, 0);
  g_assert_cmpuint (count (&call, "feedbacks-ignored"), ==, 10);
  g_assert_cmpuint (
      test_get_uint (call.sender, "target-bitrate"), ==, START_RATE);
  call_stop (&call);
}

/* Its sender is 0xbb and it is about 0, and nobody has heard of either. */
static void
test_whose_feedback_it_is_does_not_matter (void)
{
  Call call;

  call_start (&call, "feedback=transport-cc");
  for (guint i = 0; i < N_PACKETS; i++)
    push_packet (&call);
  test_wait_until (has_all_left, &call);
  push_rtcp (&call, make_feedback (call.seq, 0));
  g_assert_cmpuint (count (&call, "feedbacks"), ==, 1);
  g_assert_cmpuint (count (&call, "feedbacks-ignored"), ==, 0);
  call_stop (&call);
}

/* --- caps --- */

static const gchar *const extmaps[] = { "", ",extmap-0=(string)%s",
  ",extmap-1=(string)%s", ",extmap-14=(string)%s", ",extmap-15=(string)%s",
  ",extmap-16=(string)%s", ",extmap-255=(string)%s", ",extmap-256=(string)%s",
  ",extmap-99999999999999999999=(string)%s", ",extmap-=(string)%s",
  ",extmap-x=(string)%s", ",extmap-12=(string)urn:other",
  ",extmap-12=(string)urn:other,extmap-3=(string)%s", ",extmap-12=(int)12",
  ",extmap-4=(string)<recvonly,%s,x>", ",extmap-4=(int)<1,2,3>",
  ",extmap-4=(string)%s,extmap-5=(string)%s" };

static gchar *
make_caps (const gchar *extmap)
{
  gchar **parts = g_strsplit (extmap, "%s", -1);
  gchar *joined = g_strjoinv ("\"" GCC_TRANSPORT_FEEDBACK_URI "\"", parts);
  gchar *caps = g_strconcat (TEST_RTP_CAPS, joined, NULL);

  g_strfreev (parts);
  g_free (joined);

  return caps;
}

/* As the first that an element gets, and in mid-call. */
static void
test_any_identifier_may_come_at_any_time (void)
{
  static const gchar *const modes[] = { "auto", "remb", "transport-cc" };

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++) {
    gchar *property = g_strdup_printf ("feedback=%s", modes[i]);
    GstHarness *h = gst_harness_new ("gccreceiver");
    Call call;

    gst_util_set_object_arg (G_OBJECT (h->element), "feedback", modes[i]);
    call_start (&call, property);
    for (guint j = 0; j < 2 * G_N_ELEMENTS (extmaps); j++) {
      gchar *caps = make_caps (extmaps[j * 7 % G_N_ELEMENTS (extmaps)]);

      gst_harness_set_src_caps_str (call.harness, caps);
      gst_harness_set_src_caps_str (h, caps);
      for (guint k = 0; k < G_N_ELEMENTS (oddities); k++) {
        if (oddities[k].is_rtp) {
          push (&call, make_oddity (&oddities[k]));
          call.seq++;
        }
        push_packet (&call);
        gst_harness_push (h, make_oddity (&oddities[k]));
        gst_buffer_unref (gst_harness_pull (h));
      }
      push_rtcp (&call, make_feedback (call.seq, (guint8) j));
      g_free (caps);
    }
    test_wait_until (has_all_left, &call);
    call_stop (&call);
    gst_harness_teardown (h);
    g_free (property);
  }
}

/* --- time --- */

static GstClock *
make_clock (GstClockType type)
{
  return g_object_new (GST_TYPE_SYSTEM_CLOCK, "clock-type", type, NULL);
}

/* From now to seconds since the start, and back: fifty years. Guards against a
 * pacer that waits for what has been, and a rate that stands still. */
static void
test_a_clock_that_jumps_holds_nothing_back (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (ways); i++) {
    GstClock *clocks[] = { make_clock (GST_CLOCK_TYPE_REALTIME),
      make_clock (GST_CLOCK_TYPE_MONOTONIC) };
    Call call;

    call_start (&call, ways[i]);
    for (guint j = 0; j < 6; j++) {
      guint64 before = count_feedbacks (&call);

      gst_element_set_clock (call.harness->element, clocks[j % 2]);
      for (guint k = 0; k < N_PACKETS; k++)
        push_packet (&call);
      gst_element_set_clock (call.harness->element, clocks[(j + 1) % 2]);
      test_wait_until (has_all_left, &call);
      push_rtcp (&call, make_feedback (call.seq, (guint8) j));
      push_rtcp (&call, test_receiver_report (TEST_SSRC, 0, call.seq - 1u));
      push_rtcp (&call, test_remb (900000, 1));
      g_assert_cmpuint (count_feedbacks (&call), >, before);
    }
    g_assert_cmpuint (
        test_get_uint (call.sender, "target-bitrate"), >=, MIN_RATE);
    g_assert_cmpuint (
        test_get_uint (call.sender, "target-bitrate"), <=, MAX_RATE);
    call_stop (&call);
    gst_object_unref (clocks[0]);
    gst_object_unref (clocks[1]);
  }
}

/* --- applications --- */

typedef struct {
  Call *call;
  gint is_over; /* atomic */
} Meddler;

static void
meddle (GstElement *sender, guint i)
{
  GstStructure *stats;

  g_object_set (sender, "probing", i % 2, NULL);
  gst_util_set_object_arg (G_OBJECT (sender), "manage",
      i % 3 == 0 ? "all" : "encoder-bitrate+sink+session");
  g_object_set (sender, "min-bitrate", 1 + i % 7 * 500000, NULL);
  g_object_set (sender, "max-bitrate", 100000 + i % 5 * 500000, NULL);
  gst_util_set_object_arg (
      G_OBJECT (sender), "feedback", i % 2 ? "remb" : "transport-cc");
  gst_util_set_object_arg (
      G_OBJECT (sender), "profile", i % 2 ? "goog-2026" : "rtcweb-2013");
  g_object_set (sender, "pacing-factor", 1. + i % 3, "max-pacing-delay",
      1 + i % 300, "start-bitrate", 1 + i, NULL);
  g_object_get (sender, "stats", &stats, NULL);
  gst_structure_free (stats);
}

static gpointer
meddle_until_it_is_over (gpointer data)
{
  Meddler *self = data;

  for (guint i = 0; !g_atomic_int_get (&self->is_over); i++)
    meddle (self->call->sender, i);

  return NULL;
}

/* Some take effect at once, some with the next start; none breaks the call. */
static void
test_properties_may_change_in_another_thread (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (ways); i++) {
    Meddler meddler = { .is_over = FALSE };
    GThread *thread;
    Call call;

    call_start (&call, ways[i]);
    meddler.call = &call;
    thread = g_thread_new ("meddler", meddle_until_it_is_over, &meddler);
    for (guint j = 0; j < 300; j++) {
      push_packet (&call);
      push_rtcp (&call, make_feedback (call.seq, (guint8) j));
      push_rtcp (&call, test_receiver_report (TEST_SSRC, 30, call.seq - 1u));
      push_rtcp (&call, test_remb (100000 + j * 5000, 1));
    }
    g_atomic_int_set (&meddler.is_over, TRUE);
    g_thread_join (thread);
    g_object_set (
        call.sender, "min-bitrate", MIN_RATE, "max-bitrate", MAX_RATE, NULL);
    test_wait_until (has_all_left, &call);
    g_assert_cmpuint (
        test_get_uint (call.sender, "target-bitrate"), >=, MIN_RATE);
    g_assert_cmpuint (
        test_get_uint (call.sender, "target-bitrate"), <=, MAX_RATE);
    call_stop (&call);
  }
}

/* The first packets are the first probe, and some wait for their turn. */
static void
test_an_element_may_leave_in_mid_probe (void)
{
  for (guint i = 0; i < 30; i++) {
    Call call;

    call_start (&call, "feedback=transport-cc");
    for (guint j = 0; j < 1 + i; j++)
      push_packet (&call);
    g_assert_cmpuint (count (&call, "probes"), >, 0);
    call_stop (&call);
  }
}

#define N_STREAMS 1000u

/* Guards against work for each stream that grows with their number. */
static void
test_a_sender_has_a_thousand_streams (void)
{
  GstElement *sender = test_make ("gccsender");
  GPtrArray *pads = g_ptr_array_new_with_free_func (gst_object_unref);

  g_object_set (sender, "pacing-factor", 2., NULL);
  gst_element_set_state (sender, GST_STATE_PLAYING);
  for (guint i = 0; i < N_STREAMS; i++) {
    GstPad *pad = gst_element_request_pad_simple (sender, "sink_%u");

    test_begin_stream (pad, TEST_RTP_CAPS);
    g_ptr_array_add (pads, pad);
  }
  for (guint i = 0; i < N_STREAMS; i++)
    gst_pad_chain (
        g_ptr_array_index (pads, i), test_rtp_packet ((guint16) i, 0, 100));
  g_assert_cmpuint (test_get_uint (sender, "target-bitrate"), >, 0);
  for (guint i = 0; i < N_STREAMS; i += 2)
    gst_element_release_request_pad (sender, g_ptr_array_index (pads, i));
  gst_element_set_state (sender, GST_STATE_NULL);
  for (guint i = 1; i < N_STREAMS; i += 2)
    gst_element_release_request_pad (sender, g_ptr_array_index (pads, i));
  g_ptr_array_unref (pads);
  gst_object_unref (sender);
}

/* --- flushes --- */

/* Guards against a seek or a flush that waits for what the pacer holds, and one
 * that loses what comes after it. */
static void
test_flushes_do_not_wait_for_the_pacer (void)
{
  Call call;

  call_start (
      &call, "feedback=transport-cc pacing-factor=1 max-pacing-delay=10000");
  for (guint i = 0; i < 10; i++) {
    gint64 since = g_get_monotonic_time ();

    for (guint j = 0; j < 200; j++)
      push_packet (&call);
    gst_harness_push_upstream_event (call.harness,
        gst_event_new_seek (1., GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH,
            GST_SEEK_TYPE_SET, 0, GST_SEEK_TYPE_NONE, 0));
    gst_harness_push_event (call.harness, gst_event_new_flush_start ());
    gst_harness_push_event (call.harness, gst_event_new_flush_stop (TRUE));
    g_assert_cmpint (g_get_monotonic_time () - since, <, 5 * G_USEC_PER_SEC);
    g_assert_cmpuint (count (&call, "queued-bytes"), ==, 0);
    gst_harness_set_src_caps_str (call.harness, TEST_RTP_CAPS);
    {
      GstSegment segment;

      gst_segment_init (&segment, GST_FORMAT_TIME);
      gst_harness_push_event (call.harness, gst_event_new_segment (&segment));
    }
  }
  g_atomic_int_set (&call.n_left, call.seq);
  push_packet (&call);
  test_wait_until (has_all_left, &call);
  call_stop (&call);
}

/* --- SRTP --- */

#define KEY "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d"

static GstCaps *
give_key (GstElement *decoder, guint ssrc, gpointer user_data)
{
  (void) decoder;
  (void) ssrc;
  (void) user_data;

  return gst_caps_from_string (
      "application/x-srtp,srtp-key=(buffer)" KEY ","
      "srtp-cipher=(string)aes-128-icm,srtp-auth=(string)hmac-sha1-80,"
      "srtcp-cipher=(string)aes-128-icm,srtcp-auth=(string)hmac-sha1-80");
}

static void
add_ghost_pad (GstElement *bin, GstElement *element, const gchar *pad_name,
    const gchar *name)
{
  GstPad *pad = gst_element_get_static_pad (element, pad_name);

  if (pad == NULL)
    pad = gst_element_request_pad_simple (element, pad_name);
  gst_element_add_pad (bin, gst_ghost_pad_new (name, pad));
  gst_object_unref (pad);
}

/* srtpdec and a receiver downstream of it; srtpenc before both, or somebody
 * without the key. */
static guint64
count_packets_past_srtpdec (gboolean has_key)
{
  GstElement *bin = gst_object_ref_sink (gst_bin_new (NULL));
  GstElement *decoder = gst_element_factory_make ("srtpdec", NULL);
  GstElement *receiver = gst_element_factory_make ("gccreceiver", NULL);
  GstElement *encoder = gst_element_factory_make ("srtpenc", NULL);
  guint64 n_packets;
  GstHarness *h;

  g_signal_connect (decoder, "request-key", G_CALLBACK (give_key), NULL);
  gst_util_set_object_arg (G_OBJECT (encoder), "key", KEY);
  gst_bin_add_many (GST_BIN (bin), encoder, decoder, receiver, NULL);
  g_assert_true (gst_element_link_pads (decoder, "rtp_src", receiver, "sink"));
  if (has_key) {
    add_ghost_pad (bin, encoder, "rtp_sink_0", "sink");
    g_assert_true (
        gst_element_link_pads (encoder, "rtp_src_0", decoder, "rtp_sink"));
  } else {
    add_ghost_pad (bin, decoder, "rtp_sink", "sink");
  }
  add_ghost_pad (bin, receiver, "src", "src");
  h = gst_harness_new_with_element (bin, "sink", "src");
  gst_harness_set_src_caps_str (
      h, has_key ? TEST_RTP_CAPS : "application/x-srtp,ssrc=(uint)287454020");
  for (guint16 i = 0; i < N_PACKETS; i++)
    gst_harness_push (h, test_rtp_packet (i, i * 3000u, 1000));
  n_packets = test_stats_uint64 (receiver, "packets");
  gst_harness_teardown (h);
  gst_object_unref (bin);

  return n_packets;
}

/* What nobody has authenticated does not reach a receiver downstream of
 * srtpdec. rtpbin's own is downstream of the receiver. */
static void
test_forged_packets_do_not_pass_srtpdec (void)
{
  if (test_is_missing ("srtpdec")) {
    g_test_skip ("there is no srtpdec");
    return;
  }
  g_assert_cmpuint (count_packets_past_srtpdec (TRUE), ==, N_PACKETS);
  g_assert_cmpuint (count_packets_past_srtpdec (FALSE), ==, 0);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

#define ADD(name) g_test_add_func ("/hostile/" #name, test_##name)
#define ADD_FOR(name, line) \
  g_test_add_data_func ("/hostile/" #name "/" line, line, test_##name)
  ADD (a_sender_passes_odd_packets_on);
  ADD (a_sender_passes_lists_of_odd_packets_on);
  ADD (an_empty_list_does_no_harm);
  ADD (a_receiver_passes_odd_packets_on);
  ADD_FOR (an_extension_may_end_in_another_memory, "gccreceiver");
  ADD_FOR (an_extension_may_end_in_another_memory, "gccsender pacing-factor=2");
  ADD (what_is_ignored_has_a_count);
  ADD (where_nothing_is_numbered_feedback_is_ignored);
  ADD (whose_feedback_it_is_does_not_matter);
  ADD (any_identifier_may_come_at_any_time);
  ADD (a_clock_that_jumps_holds_nothing_back);
  ADD (properties_may_change_in_another_thread);
  ADD (an_element_may_leave_in_mid_probe);
  ADD (a_sender_has_a_thousand_streams);
  ADD (flushes_do_not_wait_for_the_pacer);
  ADD (forged_packets_do_not_pass_srtpdec);

  return g_test_run ();
}
