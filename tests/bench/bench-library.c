/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* What the algorithms cost by themselves. */

#include "bench.h"

#include <stdio.h>

#include <gst/gcc/output/gcc-pacer.h>

#include <gst/gcc/compose/gcc-receiver-private.h>
#include <gst/gcc/compose/gcc-sender-private.h>
#include <gst/gcc/gcc-remb.h>
#include <gst/gcc/profiles/gcc-profile-private.h>
#include <gst/gcc/report/gcc-ccfb-reporter.h>
#include <gst/gcc/wire/gcc-transport-feedback.h>

#define N_PACKETS 50000
#define N_REPORTS 50000
#define LIMIT_NS 100.
/* transport-wide feedback, and the records in each message */
#define N_RECORDS 50000
#define RECORDS_OF_A_MESSAGE 10
/* A packet of a report of RFC 8888 may cost so much. Two reports tell of each packet. */
#define CCFB_LIMIT_NS 200.
#define CCFB_REPORTS 2.
/* of 1000 receivers */
#define SECONDS 10

/* --- the receiving side: from a packet to A_r --- */

typedef struct {
  const BenchPacket *packets;
  GccTime call_length;
  GccTime start;
  gboolean has_abs_send_time;
  GccReceiver receiver;
} ReceiverBench;

static void
feed (GccReceiver *receiver, const BenchPacket *packet, GccTime start,
    gboolean has_abs_send_time)
{
  GccTime now = start + packet->arrival_us;
  GccPacket input = {
    .ssrc = 1,
    .clock_rate = 90000,
    .rtp_timestamp = packet->rtp_timestamp + (guint32) (start * 9 / 100),
    .arrival = now,
    .payload_size = BENCH_PAYLOAD_SIZE,
    .has_abs_send_time = has_abs_send_time,
    .abs_send_time = (packet->abs_send_time +
                         (guint32) ((start << 18) / GCC_SECOND)) &
        0xffffff,
  };
  GccTime timeout;

  gcc_receiver_feed (receiver, &input, now);
  timeout = gcc_receiver_next_timeout (receiver);
  if (timeout != GCC_TIME_NONE && now >= timeout)
    gcc_receiver_handle_timeout (receiver, now);
}

/* One call that goes on from round to round. */
static void
feed_packets (gpointer user_data, guint n)
{
  ReceiverBench *bench = user_data;

  for (guint i = 0; i < n; i++)
    feed (&bench->receiver, &bench->packets[i], bench->start,
        bench->has_abs_send_time);
  bench->start += bench->call_length;
}

static void
bench_receiver (const BenchPacket *packets, const GccProfile *profile,
    gboolean has_abs_send_time, BenchResult *worst)
{
  ReceiverBench bench = {
    .packets = packets,
    .call_length = (GccTime) N_PACKETS * GCC_SECOND / BENCH_PACKETS_PER_SECOND,
    .has_abs_send_time = has_abs_send_time,
  };
  g_autofree gchar *what = g_strdup_printf ("%s, %s", profile->name,
      has_abs_send_time ? "abs-send-time" : "RTP timestamps");
  BenchResult result;

  gcc_receiver_init (&bench.receiver, profile);
  result = bench_run (feed_packets, &bench, N_PACKETS);
  bench_print (what, &result);
  worst->ns = MAX (worst->ns, result.ns);
  worst->allocations = MAX (worst->allocations, result.allocations);
  gcc_receiver_clear (&bench.receiver);
}

/* --- the sending side: from a report and a REMB to A_s --- */

typedef struct {
  GccSender sender;
  guint32 seq;
  GccTime now;
} SenderBench;

static void
feed_reports (gpointer user_data, guint n)
{
  SenderBench *bench = user_data;
  guint8 fci[GCC_REMB_FCI_LENGTH (1)];
  GccRemb remb = {
    .sender = 2, .reporter = 2, .rate = 1000000, .ssrcs = { 1 }, .n_ssrcs = 1
  };

  gcc_remb_write_fci (&remb, fci);
  for (guint i = 0; i < n; i++) {
    GccReportBlock block = {
      .reporter = 2,
      .ssrc = 1,
      .fraction_lost = i % 10 == 0 ? 40 : 0,
      .ext_highest_seq = bench->seq += BENCH_PACKETS_PER_SECOND,
      .rtt = 50 * GCC_MSECOND,
    };
    GccTime timeout = gcc_sender_next_timeout (&bench->sender);
    GccSentPacket packet = {
      .kind = GCC_SENT_VIDEO, .ssrc = 1, .seq = (guint16) bench->seq
    };

    bench->now += GCC_SECOND;
    gcc_sender_feed_sent (&bench->sender, &packet, bench->now);
    if (timeout != GCC_TIME_NONE && bench->now >= timeout)
      gcc_sender_handle_timeout (&bench->sender, bench->now);
    gcc_sender_feed_reports (&bench->sender, &block, 1, bench->now);
    if (gcc_remb_parse_fci (&remb, fci, sizeof fci))
      gcc_sender_feed_remb (&bench->sender, &remb, bench->now);
  }
}

static void
bench_sender (const GccProfile *profile)
{
  SenderBench bench = { .seq = 0 };
  g_autofree gchar *what = g_strdup_printf (
      "%s, report block and REMB", profile->name);
  BenchResult result;

  gcc_sender_init (&bench.sender, profile, 50000, 300000, 2000000);
  result = bench_run (feed_reports, &bench, N_REPORTS);
  bench_print (what, &result);
  gcc_sender_clear (&bench.sender);
}

/* --- the sending side: a packet that leaves, and the pacer --- */

typedef struct {
  GccSender sender;
  GccPacer pacer;
  guint16 seq;
  GccTime now;
} SentBench;

static void
feed_sent (gpointer user_data, guint n)
{
  SentBench *bench = user_data;

  for (guint i = 0; i < n; i++) {
    GccSentPacket packet = {
      .kind = i % 8 == 0 ? GCC_SENT_FEC : GCC_SENT_VIDEO,
      .ssrc = 1,
      .seq = bench->seq++,
      .payload_size = BENCH_PAYLOAD_SIZE,
      .ends_frame = i % 4 == 0,
    };

    bench->now += GCC_SECOND / BENCH_PACKETS_PER_SECOND;
    gcc_sender_feed_sent (&bench->sender, &packet, bench->now);
  }
}

static void
pace (gpointer user_data, guint n)
{
  SentBench *bench = user_data;

  for (guint i = 0; i < n; i++) {
    bench->now += GCC_SECOND / BENCH_PACKETS_PER_SECOND;
    gcc_pacer_queued (&bench->pacer, BENCH_PAYLOAD_SIZE, bench->now);
    bench->now = gcc_pacer_next_send (&bench->pacer, bench->now);
    gcc_pacer_sent (&bench->pacer, BENCH_PAYLOAD_SIZE, bench->now);
  }
}

static void
update (gpointer user_data, guint n)
{
  SentBench *bench = user_data;

  for (guint i = 0; i < n; i++) {
    bench->now += 10 * GCC_MSECOND;
    gcc_sender_update (&bench->sender, bench->now);
  }
}

static void
bench_sent (const GccProfile *profile)
{
  SentBench bench = { .seq = 0 };
  BenchResult sent, paced, updated;

  gcc_sender_init (&bench.sender, profile, 50000, 300000, 2000000);
  gcc_pacer_init (&bench.pacer, &profile->pacer, GCC_SECOND);
  gcc_pacer_set_rate (&bench.pacer, 2500000);
  sent = bench_run (feed_sent, &bench, N_PACKETS);
  paced = bench_run (pace, &bench, N_PACKETS);
  updated = bench_run (update, &bench, N_PACKETS);
  bench_print ("counted and remembered", &sent);
  bench_print ("through the pacer", &paced);
  bench_print ("rates, v and FEC brought up to date", &updated);
  bench_print_goal ("a packet", sent.ns + paced.ns, LIMIT_NS, " ns");
  gcc_sender_clear (&bench.sender);
}

/* --- the sending side: transport-wide feedback --- */

typedef struct {
  GccSender sender;
  gboolean has_feedback;
  GccTransportFeedbackWriter writer;
  guint8 count;
  guint16 seq;
  GccTime now;
} FeedbackBench;

static void
send_numbered (FeedbackBench *bench)
{
  guint16 number = gcc_sender_take_transport_seq (&bench->sender);
  GccSentPacket packet = {
    .kind = GCC_SENT_VIDEO,
    .ssrc = 1,
    .seq = bench->seq++,
    .payload_size = BENCH_PAYLOAD_SIZE,
    .size = BENCH_PAYLOAD_SIZE + 20,
    .is_numbered = TRUE,
    .transport_seq = number,
  };

  bench->now += GCC_SECOND / BENCH_PACKETS_PER_SECOND;
  gcc_sender_feed_sent (&bench->sender, &packet, bench->now);
  gcc_transport_feedback_writer_add (
      &bench->writer, number, bench->now + 25 * GCC_MSECOND);
}

static void
feed_message (FeedbackBench *bench)
{
  guint8 fci[GCC_TRANSPORT_FEEDBACK_MAX_FCI];
  gsize length;

  gcc_transport_feedback_writer_init (
      &bench->writer, bench->seq, bench->now, bench->count++);
  for (guint i = 0; i < RECORDS_OF_A_MESSAGE; i++)
    send_numbered (bench);
  length = gcc_transport_feedback_writer_finish (&bench->writer, fci);
  if (bench->has_feedback &&
      gcc_sender_feed_transport_feedback (&bench->sender, fci, length,
          bench->now + 50 * GCC_MSECOND) == GCC_SENDER_EVENT_MALFORMED)
    g_error ("the feedback is malformed");
}

/* Packets that leave and what comes back about them. */
static void
feed_messages (gpointer user_data, guint n)
{
  FeedbackBench *bench = user_data;

  for (guint i = 0; i < n; i += RECORDS_OF_A_MESSAGE) {
    GccTime timeout = gcc_sender_next_timeout (&bench->sender);

    feed_message (bench);
    if (timeout != GCC_TIME_NONE && bench->now >= timeout)
      gcc_sender_handle_timeout (&bench->sender, bench->now);
  }
}

/* Returns %FALSE if @profile follows none. */
static gboolean
measure_feedback (
    const GccProfile *profile, gboolean has_feedback, BenchResult *result)
{
  FeedbackBench bench = { .has_feedback = has_feedback, .now = GCC_SECOND };
  gboolean follows;

  gcc_sender_init (&bench.sender, profile, 50000, 300000, 2000000);
  follows = gcc_sender_use_transport_feedback (&bench.sender, bench.now);
  if (follows)
    *result = bench_run (feed_messages, &bench, N_RECORDS);
  if (follows && has_feedback &&
      gcc_sender_get_stats (&bench.sender)->feedbacks == 0)
    g_error ("the feedback tells nothing");
  gcc_sender_clear (&bench.sender);
  return follows;
}

static void
bench_feedback (const GccProfile *profile)
{
  BenchResult sent, both;

  if (!measure_feedback (profile, FALSE, &sent))
    return;
  measure_feedback (profile, TRUE, &both);
  bench_print (profile->name, &both);
  printf ("  %-42s %8.1f ns\n", "  of them its packet", sent.ns);
  bench_print_goal ("a record", both.ns - sent.ns, LIMIT_NS, " ns");
  bench_print_goal ("a record", both.allocations, 0., " allocations");
}

/* --- both sides: reports of RFC 8888 --- */

typedef struct {
  GccSender sender;
  GccCcfbReporter reporter;
  gboolean has_reports;
  guint16 seq;
  GccTime now;
} CcfbBench;

static void
send_reported (CcfbBench *bench)
{
  GccSentPacket sent = {
    .kind = GCC_SENT_VIDEO,
    .ssrc = 1,
    .seq = bench->seq,
    .payload_size = BENCH_PAYLOAD_SIZE,
    .size = BENCH_PAYLOAD_SIZE + 20,
    .is_numbered = TRUE,
    .transport_seq = gcc_sender_take_transport_seq (&bench->sender),
  };
  GccCcfbPacket arrived = {
    .ssrc = 1,
    .seq = bench->seq++,
    .size = sent.size,
    .ecn = bench->seq % 16 == 0 ? GCC_ECN_CE : GCC_ECN_ECT_1,
    .arrival = bench->now + 25 * GCC_MSECOND,
  };

  bench->now += GCC_SECOND / BENCH_PACKETS_PER_SECOND;
  gcc_sender_feed_sent (&bench->sender, &sent, bench->now);
  if (bench->has_reports)
    gcc_ccfb_reporter_feed (&bench->reporter, &arrived, arrived.arrival);
}

static void
report (CcfbBench *bench)
{
  guint8 body[GCC_CCFB_MAX_BODY];
  GccTime now = bench->now + 25 * GCC_MSECOND;
  gsize length;

  if (!bench->has_reports)
    return;
  gcc_ccfb_reporter_ask (&bench->reporter, now);
  length = gcc_ccfb_reporter_write (&bench->reporter, body, sizeof body, now);
  gcc_ccfb_reporter_note_sent (&bench->reporter, length, now);
  if (gcc_sender_feed_ccfb (&bench->sender, body, length,
          now + 25 * GCC_MSECOND) == GCC_SENDER_EVENT_MALFORMED)
    g_error ("the report is malformed");
}

/* Packets that leave, and the reports about them at either end. */
static void
feed_ccfb (gpointer user_data, guint n)
{
  CcfbBench *bench = user_data;

  for (guint i = 0; i < n; i += RECORDS_OF_A_MESSAGE) {
    GccTime timeout = gcc_sender_next_timeout (&bench->sender);

    for (guint j = 0; j < RECORDS_OF_A_MESSAGE; j++)
      send_reported (bench);
    report (bench);
    if (timeout != GCC_TIME_NONE && bench->now >= timeout)
      gcc_sender_handle_timeout (&bench->sender, bench->now);
  }
}

static BenchResult
measure_ccfb (gboolean has_reports, gboolean uses_ecn)
{
  CcfbBench bench = { .has_reports = has_reports, .now = GCC_SECOND };
  BenchResult result;

  gcc_sender_init (&bench.sender, gcc_profiles[0], 50000, 300000, 2000000);
  gcc_sender_set_ecn (&bench.sender, uses_ecn);
  gcc_ccfb_reporter_init (&bench.reporter);
  if (!gcc_sender_use_ccfb (&bench.sender, bench.now))
    g_error ("the default follows no reports");
  result = bench_run (feed_ccfb, &bench, N_RECORDS);
  if (has_reports && gcc_sender_get_stats (&bench.sender)->feedbacks == 0)
    g_error ("the reports tell nothing");
  gcc_sender_clear (&bench.sender);
  return result;
}

static void
bench_ccfb (void)
{
  BenchResult sent = measure_ccfb (FALSE, FALSE);
  BenchResult plain = measure_ccfb (TRUE, FALSE);
  BenchResult marked = measure_ccfb (TRUE, TRUE);

  bench_print ("without ECN", &plain);
  bench_print ("with ECN", &marked);
  printf ("  %-42s %8.1f ns\n", "of them the packet", sent.ns);
  bench_print_goal ("a packet of a report",
      (MAX (plain.ns, marked.ns) - sent.ns) / CCFB_REPORTS, CCFB_LIMIT_NS,
      " ns");
  bench_print_goal ("a packet of a report",
      MAX (plain.allocations, marked.allocations), 0., " allocations");
}

/* --- many --- */

static void
bench_many_receivers (const BenchPacket *packets)
{
  GccReceiver *receivers = g_new (GccReceiver, BENCH_N_RECEIVERS);
  gint64 start, took;

  for (guint i = 0; i < BENCH_N_RECEIVERS; i++)
    gcc_receiver_init (&receivers[i], gcc_profiles[0]);
  start = bench_cpu_time ();
  for (guint j = 0; j < SECONDS * BENCH_PACKETS_PER_SECOND; j++) {
    for (guint i = 0; i < BENCH_N_RECEIVERS; i++)
      feed (&receivers[i], &packets[j], 0, i % 2 == 1);
  }
  took = bench_cpu_time () - start;
  for (guint i = 0; i < BENCH_N_RECEIVERS; i++)
    gcc_receiver_clear (&receivers[i]);
  g_free (receivers);

  printf ("  %d receivers at 1 Mbit/s: %.1f %% of one core\n",
      BENCH_N_RECEIVERS, (gdouble) took / (SECONDS * 1e9) * 100.);
}

void
bench_library (void)
{
  g_autofree BenchPacket *packets = bench_make_call (N_PACKETS);
  BenchResult worst = { .ns = 0. };

  printf ("library, a packet:\n");
  for (guint i = 0; i < gcc_n_profiles; i++) {
    bench_receiver (packets, gcc_profiles[i], FALSE, &worst);
    if (gcc_profiles[i]->receiver.abs_send_time)
      bench_receiver (packets, gcc_profiles[i], TRUE, &worst);
  }
  bench_print_goal ("a packet", worst.ns, LIMIT_NS, " ns");
  bench_print_goal ("a packet", worst.allocations, 0., " allocations");

  printf ("library, a report:\n");
  for (guint i = 0; i < gcc_n_profiles; i++)
    bench_sender (gcc_profiles[i]);
  printf ("library, a packet that leaves:\n");
  bench_sent (gcc_profiles[0]);
  printf ("library, a record of transport-wide feedback, and its packet:\n");
  for (guint i = 0; i < gcc_n_profiles; i++)
    bench_feedback (gcc_profiles[i]);
  printf ("library, a packet in reports of RFC 8888, and it itself:\n");
  bench_ccfb ();
  printf ("library, many:\n");
  bench_many_receivers (packets);
}
