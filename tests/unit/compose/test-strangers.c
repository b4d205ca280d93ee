/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* What somebody can do to a call who writes transport-wide feedback, or RTP
 * packets, that nobody checks: docs/security.md says so of each. */

#include <gst/gcc/compose/gcc-sender-private.h>
#include <gst/gcc/gcc-receiver.h>

#include "reporting.h"
#include "support/call.h"
#include "support/cubic.h"

#define MIN_RATE 30000
#define MAX_RATE 2000000
#define HOUR (3600 * GCC_SECOND)

/* --- feedback --- */

static void
start_with (Call *call, const gchar *profile)
{
  call_init (call, profile, 300000, MAX_RATE);
}

static void
start (Call *call)
{
  start_with (call, "recommended");
}

static GccRate
get_target (Call *call)
{
  return gcc_sender_get_target (&call->sender);
}

static const GccSenderStats *
get_stats (Call *call)
{
  return gcc_sender_get_stats (&call->sender);
}

static void
feed (Call *call, const guint8 *fci, gsize length)
{
  g_assert_cmpint (gcc_sender_feed_transport_feedback (
                       &call->sender, fci, length, call->now),
      !=, GCC_SENDER_EVENT_MALFORMED);
}

/* The last @n packets have arrived, @gap one after the other. */
static void
claim_arrival (Call *call, guint n, GccTime first, GccTime gap)
{
  GccTransportFeedbackWriter writer;
  guint8 fci[GCC_TRANSPORT_FEEDBACK_MAX_FCI];
  guint16 seq = (guint16) (call->n_sent - n);

  gcc_transport_feedback_writer_init (&writer, seq, first, 0);
  for (guint i = 0; i < n; i++)
    gcc_transport_feedback_writer_add (
        &writer, (guint16) (seq + i), first + (GccTime) i * gap);
  feed (call, fci, gcc_transport_feedback_writer_finish (&writer, fci));
}

/* Of the last @n packets none has. */
static void
claim_loss (Call *call, guint n)
{
  guint16 seq = (guint16) (call->n_sent - n);
  const guint8 fci[] = { (guint8) (seq >> 8), (guint8) seq, (guint8) (n >> 8),
    (guint8) n, 0, 0, 0, 0, (guint8) (n >> 8), (guint8) n, 0, 0 };

  feed (call, fci, sizeof fci);
}

/* The last @n packets have arrived, nobody knows when: a run without the deltas
 * that should follow. */
static void
claim_arrival_without_times (Call *call, guint n, guint8 count)
{
  guint16 seq = (guint16) (call->n_sent - n);
  const guint8 fci[] = { (guint8) (seq >> 8), (guint8) seq, (guint8) (n >> 8),
    (guint8) n, 0, 0, 0, count, (guint8) (0x20 | n >> 8), (guint8) n };

  feed (call, fci, sizeof fci);
}

/* All of 4000 packets from @seq on have arrived: a sixteenth of all numbers. */
static void
claim_anything (Call *call, guint16 seq)
{
  const guint8 fci[] = { (guint8) (seq >> 8), (guint8) seq, 0x0f, 0xa0, 0, 0, 0,
    0, 0x2f, 0xa0 };

  feed (call, fci, sizeof fci);
}

typedef enum {
  NOTHING,
  ARRIVAL,
  LATE_ARRIVAL,
  ARRIVAL_WITHOUT_TIMES,
  LOSS,
  NEXT_COUNT,
  ANYTHING,
} Claim;

static void
check_probes (Call *call)
{
  const GccProber *prober = &call->sender.control.path.side->probing.prober;

  for (guint i = 0; i < prober->n_clusters; i++)
    g_assert_cmpint (prober->clusters[i].request.rate, <=, MAX_RATE);
}

/* About the last @n packets, after @passed. */
static void
make_claim (Call *call, Claim claim, guint n, GccTime passed)
{
  switch (claim) {
    case NOTHING:
      break;
    case ARRIVAL:
      claim_arrival (call, n, call->now, 0);
      break;
    case LATE_ARRIVAL:
      claim_arrival (call, n, call->now + passed / 4, 0);
      break;
    case ARRIVAL_WITHOUT_TIMES:
      claim_arrival_without_times (call, n, 0);
      break;
    case LOSS:
      claim_loss (call, n);
      break;
    case NEXT_COUNT:
      claim_arrival_without_times (call, 1, call->count);
      break;
    case ANYTHING:
      claim_anything (call, (guint16) g_rand_int (call->rand));
      break;
  }
}

static Cubic tcp;

static void
step (Call *call)
{
  call_step (call);
  if (tcp.is_on)
    cubic_step (
        &tcp, call->link_free, call->capacity, call->max_queue, call->now);
}

/* The packets of the last 10 ms, before anybody else tells of them. Returns the
 * mean of A_s. */
static GccRate
run_with_claims (Call *call, GccTime duration, Claim claim)
{
  GccTime start = call->now;
  GccRate sum = 0;
  guint n_claims = 0;

  for (; call->now < start + duration; n_claims++) {
    guint before = call->n_sent;

    for (GccTime end = call->now + 10 * GCC_MSECOND; call->now < end;)
      step (call);
    check_probes (call);
    sum += get_target (call);
    if (call->n_sent > before)
      make_claim (call, claim, call->n_sent - before, call->now - start);
  }
  return sum / n_claims;
}

/**
 * Attack:
 * @claim: what a stranger claims ...
 * @is_mute: ... and whether the true receiver is silent meanwhile
 * @wait: time after it until A_s is looked at
 * @limit: most time from then on until A_s is at 0.7 of the path
 */
typedef struct {
  Claim claim;
  gboolean is_mute;
  GccTime wait;
  GccTime limit;
} Attack;

/* When an attack ends matters, so eleven calls end theirs at another moment each,
 * 5 to 60 s after its begin, and the worst counts. */
static void
check_it_recovers (const Attack *attack)
{
  GccTime worst = 0;

  for (guint i = 0; i < 11; i++) {
    static Call call;
    GccTime passed;

    start (&call);
    call_run (&call, 10 * GCC_SECOND);
    call.is_mute = attack->is_mute;
    run_with_claims (
        &call, 5 * GCC_SECOND + i * 5500 * GCC_MSECOND, attack->claim);
    g_assert_cmpint (get_target (&call), >=, MIN_RATE);
    g_assert_cmpint (get_target (&call), <=, MAX_RATE);
    call.is_mute = FALSE;
    call_run (&call, attack->wait);
    passed = call_run_until_rate (
        &call, call.capacity * 7 / 10, 3 * attack->limit);
    worst = MAX (worst, passed);
    call_run (&call, 10 * GCC_SECOND);
    g_assert_cmpint (get_target (&call), <=, call.capacity * 12 / 10);
    call_clear (&call);
  }
  g_test_message (
      "0.7 of the path after %.1f s at most", gcc_time_to_seconds (worst));
  g_assert_cmpint (worst, <, attack->limit);
}

static void
test_who_claims_arrival_fills_the_path_up_to_the_limit (void)
{
  static Call call;

  start (&call);
  call_run (&call, 10 * GCC_SECOND);
  run_with_claims (&call, 20 * GCC_SECOND, ARRIVAL);
  g_test_message ("A_s: %" G_GINT64_FORMAT, get_target (&call));
  g_assert_cmpint (get_target (&call), >, call.capacity * 12 / 10);
  g_assert_cmpint (get_target (&call), <=, MAX_RATE);
  call_clear (&call);
  check_it_recovers (
      &(Attack){ ARRIVAL, FALSE, 5 * GCC_SECOND, 5 * GCC_SECOND });
}

static void
test_who_claims_delay_lowers_the_rate (void)
{
  static Call call;
  GccRate mean;

  start (&call);
  call_run (&call, 10 * GCC_SECOND);
  mean = run_with_claims (&call, 60 * GCC_SECOND, LATE_ARRIVAL);
  g_test_message ("mean of A_s: %" G_GINT64_FORMAT, mean);
  g_assert_cmpint (mean, <, call.capacity);
  g_assert_cmpint (get_target (&call), >=, MIN_RATE);
  call_clear (&call);
  /* a queue that does not go away is believed to be others' for a while */
  check_it_recovers (&(Attack){ LATE_ARRIVAL, FALSE, 0, 30 * GCC_SECOND });
}

/* What is told of later has arrived after all. */
static void
test_who_claims_loss_is_put_right_by_who_received (void)
{
  static Call call;
  GccRate before;

  start (&call);
  call_run (&call, 10 * GCC_SECOND);
  before = get_target (&call);
  run_with_claims (&call, 20 * GCC_SECOND, LOSS);
  g_test_message ("%" G_GINT64_FORMAT ", then %" G_GINT64_FORMAT, before,
      get_target (&call));
  g_assert_cmpint (get_target (&call), >=, before * 7 / 10);
  call_clear (&call);
}

/* A_s before, while and after a stranger claims. */
typedef struct {
  GccRate before;
  GccRate during;
  GccRate after;
} Means;

static Means
measure (Call *call, Claim claim, GccTime duration)
{
  Means means;

  means.before = run_with_claims (call, duration, NOTHING);
  means.during = run_with_claims (call, duration, claim);
  means.after = run_with_claims (call, duration, NOTHING);
  g_test_message ("A_s: %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT
                  ", %" G_GINT64_FORMAT,
      means.before, means.during, means.after);
  return means;
}

static void
check_nothing_changes (const gchar *profile, Claim claim)
{
  static Call call;
  Means means;

  start_with (&call, profile);
  call_run (&call, 10 * GCC_SECOND);
  means = measure (&call, claim, 30 * GCC_SECOND);
  g_assert_cmpint (means.during, >=, means.before * 97 / 100);
  g_assert_cmpint (means.during, <=, means.before * 103 / 100);
  g_assert_cmpint (means.after, >=, means.before * 97 / 100);
  g_assert_cmpint (call.n_lost, ==, 0);
  call_clear (&call);
}

/* Guards against a first word that holds although it lacks the time, which only
 * the receiver knows: R(t) had nothing to stand on, and A_s fell to its least. */
static void
test_arrival_without_times_is_put_right_by_who_received (void)
{
  check_nothing_changes ("recommended", ARRIVAL_WITHOUT_TIMES);
}

static void
test_the_next_count_is_put_right_by_who_received (void)
{
  check_nothing_changes ("recommended", NEXT_COUNT);
}

static void
test_who_does_not_know_the_numbers_changes_nothing (void)
{
  check_nothing_changes ("recommended", ANYTHING);
  check_nothing_changes ("goog-2026", ANYTHING);
}

/* Losses tell the rate there. Guards against a loss that counts although the
 * receiver tells of an arrival as soon as it can. */
static void
check_share_beside_tcp (Claim claim)
{
  static Call call;
  Means sum = { 0, 0, 0 };

  /* the share goes up and down: the mean of ten calls is looked at */
  for (guint i = 0; i < 10; i++) {
    Means means;

    start (&call);
    call.capacity = 2000000;
    call_run (&call, (10 + i) * GCC_SECOND);
    cubic_init (&tcp, 50 * GCC_MSECOND);
    tcp.is_on = TRUE;
    run_with_claims (&call, 30 * GCC_SECOND, NOTHING);
    means = measure (&call, claim, 100 * GCC_SECOND);
    sum.before += means.before;
    sum.during += means.during;
    sum.after += means.after;
    tcp.is_on = FALSE;
    call_clear (&call);
  }
  g_test_message ("mean A_s: %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT
                  ", %" G_GINT64_FORMAT,
      sum.before / 10, sum.during / 10, sum.after / 10);
  g_assert_cmpint (sum.during, >=, sum.before * 7 / 10);
}

static void
test_who_claims_loss_beside_tcp_is_put_right (void)
{
  check_share_beside_tcp (LOSS);
}

static void
test_the_next_count_beside_tcp_is_put_right (void)
{
  check_share_beside_tcp (NEXT_COUNT);
}

static void
test_loss_that_nobody_puts_right_lowers_the_rate_to_the_limit (void)
{
  static Call call;

  start (&call);
  call_run (&call, 10 * GCC_SECOND);
  call.is_mute = TRUE;
  run_with_claims (&call, 20 * GCC_SECOND, LOSS);
  g_test_message ("A_s: %" G_GINT64_FORMAT, get_target (&call));
  g_assert_cmpint (get_target (&call), <, call.capacity / 2);
  g_assert_cmpint (get_target (&call), >=, MIN_RATE);
  call_clear (&call);
  check_it_recovers (&(Attack){ LOSS, TRUE, 0, 1 * GCC_SECOND });
}

/* Guards against a detector, or a rate of arrival, that waits until the other
 * end's clock is where it was. */
static void
test_clocks_may_jump_by_hours (void)
{
  static const GccTime jumps[] = { HOUR, -HOUR, 100 * HOUR, -100 * HOUR,
    150 * HOUR, -150 * HOUR };
  static Call call;

  for (guint i = 0; i < G_N_ELEMENTS (jumps); i++) {
    GccTime origin = 200 * HOUR;
    GccRate before;

    start (&call);
    call.clock = origin;
    call_run (&call, 20 * GCC_SECOND);
    before = get_target (&call);
    call.clock = origin + jumps[i];
    call_run (&call, 10 * GCC_SECOND);
    g_test_message ("%" G_GINT64_FORMAT " h: %" G_GINT64_FORMAT
                    ", then %" G_GINT64_FORMAT,
        jumps[i] / HOUR, before, get_target (&call));
    g_assert_cmpint (get_target (&call), >=, before * 7 / 10);

    /* and over-use is still seen */
    call.capacity /= 2;
    call_run (&call, 10 * GCC_SECOND);
    g_assert_cmpint (get_target (&call), <=, call.capacity * 11 / 10);
    call_clear (&call);
  }
}

/* One packet in a second is told of by somebody whose clock is far off. */
static void
test_reference_times_of_a_stranger_are_forgotten (void)
{
  static Call call;
  GccRate before;

  start (&call);
  call_run (&call, 20 * GCC_SECOND);
  before = get_target (&call);
  for (guint i = 0; i < 20; i++) {
    call_run (&call, GCC_SECOND);
    claim_arrival (&call, 1, (GccTime) (i * 37 % 290) * HOUR, 0);
  }
  g_test_message ("%" G_GINT64_FORMAT ", then %" G_GINT64_FORMAT, before,
      get_target (&call));
  g_assert_cmpint (get_target (&call), >=, before / 2);
  call_run (&call, 10 * GCC_SECOND);
  g_assert_cmpint (get_target (&call), >=, before * 7 / 10);
  call_clear (&call);
}

static void
report (Call *call, guint8 fraction_lost)
{
  GccReportBlock block = {
    .reporter = 2,
    .ssrc = 1,
    .fraction_lost = fraction_lost,
    .ext_highest_seq = call->n_sent - 1,
    .rtt = 50 * GCC_MSECOND,
  };

  gcc_sender_feed_reports (&call->sender, &block, 1, call->now);
}

/* Guards against a message about nothing that was sent, or one that comes a
 * second time, after feedback had stopped: A_s was the sender's own estimate
 * again from then on, of which nothing came, and loss in reports did not
 * count. */
static void
test_feedback_that_tells_nothing_does_not_silence_reports (void)
{
  static Call call;
  GccRate before;

  start (&call);
  call_run (&call, 5 * GCC_SECOND);
  report (&call, 0);
  call.is_mute = TRUE;
  for (guint i = 0; i < 5; i++) {
    call_run (&call, GCC_SECOND);
    report (&call, 0);
  }
  g_assert_cmpint (get_stats (&call)->feedback, ==, GCC_FEEDBACK_REMB);

  call.n_sent += 1000; /* nobody has sent these */
  claim_arrival (&call, 10, call.now, 0);
  call.n_sent -= 1000;
  g_assert_cmpuint (get_stats (&call)->feedbacks_ignored, ==, 1);
  g_assert_cmpint (get_stats (&call)->feedback, ==, GCC_FEEDBACK_REMB);
  g_assert_cmpint (
      gcc_sender_next_probe (&call.sender, call.now), ==, GCC_TIME_NONE);

  before = get_target (&call);
  for (guint i = 0; i < 5; i++) {
    call_run (&call, GCC_SECOND);
    report (&call, 64);
  }
  g_assert_cmpint (get_target (&call), <, before * 8 / 10);
  call_clear (&call);
}

/* Nobody has reported, and who writes feedback has not got to guess: his REMB
 * about a stream of ours counts. */
static void
test_who_claims_arrival_may_bound_the_rate (void)
{
  static Call call;
  GccRemb remb = reporting_remb (666, 1, 100000);

  start (&call);
  call.is_mute = TRUE;
  call_run (&call, GCC_SECOND);
  gcc_sender_feed_remb (&call.sender, &remb, call.now);
  g_assert_cmpuint (get_stats (&call)->rembs_ignored, ==, 1);
  claim_arrival (&call, 10, call.now, 0);
  gcc_sender_feed_remb (&call.sender, &remb, call.now);
  g_assert_cmpint (get_target (&call), ==, 100000);
  call_clear (&call);
}

/* Sixteen bits of number, and 65535 statuses in 12 bytes. */
static void
test_claims_about_all_numbers_are_taken_once (void)
{
  static Call call;
  guint64 ignored;

  start (&call);
  call.is_mute = TRUE;
  call_run (&call, 5 * GCC_SECOND);
  for (guint base = 0; base < 0x10000; base += 0x1000) {
    const guint8 fci[] = { (guint8) (base >> 8), (guint8) base, 0xff, 0xff, 0,
      0, 0, 0, 0x1f, 0xff, 0x1f, 0xff, 0x1f, 0xff, 0x1f, 0xff, 0x1f, 0xff, 0x1f,
      0xff, 0x1f, 0xff, 0x1f, 0xff, 0x1f, 0xff, 0, 0 };

    feed (&call, fci, sizeof fci);
  }
  ignored = get_stats (&call)->feedbacks_ignored;
  g_assert_cmpuint (get_stats (&call)->feedbacks, ==, 16 - ignored);
  g_assert_cmpuint (get_stats (&call)->feedbacks, ==, 1);
  g_assert_cmpint (get_target (&call), >=, MIN_RATE);
  call_clear (&call);
}

/* --- RTP --- */

#define FRAME (33 * GCC_MSECOND)
#define OURS 1u

static void
receive (GccReceiver *receiver, guint32 ssrc, guint frame, GccTime delay)
{
  GccTime now = 100 * GCC_SECOND + frame * FRAME + delay;
  GccPacket packet = {
    .ssrc = ssrc,
    .rtp_timestamp = frame * 33u * 90u,
    .clock_rate = 90000,
    .arrival = now,
    .payload_size = ssrc == OURS ? 1000 : 1,
  };

  gcc_receiver_feed (receiver, &packet, now);
  if (gcc_receiver_next_timeout (receiver) <= now)
    gcc_receiver_handle_timeout (receiver, now);
}

static gboolean
names_ours (const GccReceiver *receiver)
{
  GccRemb remb;

  gcc_receiver_get_remb (receiver, &remb);
  for (guint i = 0; i < remb.n_ssrcs; i++)
    if (remb.ssrcs[i] == OURS)
      return TRUE;
  return FALSE;
}

/* Guards against a table from which a stranger's packets drive the stream that
 * is measured. */
static void
test_a_thousand_sources_do_not_drive_ours_out (void)
{
  GccReceiver *receiver = gcc_receiver_new (gcc_profile_find ("recommended"));
  GccRate before;
  guint frame = 0;

  for (; frame < 300; frame++) {
    receive (receiver, OURS, frame, 0);
    for (guint32 i = 0; i < 10; i++)
      receive (receiver, 1000 + (frame * 10 + i) % 1000, frame, 0);
  }
  before = gcc_receiver_get_estimate (receiver);
  g_assert_true (names_ours (receiver));
  for (guint i = 0; i < 30; i++, frame++)
    receive (receiver, OURS, frame, i * 5 * GCC_MSECOND);
  g_assert_cmpint (gcc_receiver_get_estimate (receiver), <, before);
  gcc_receiver_free (receiver);
}

static void
test_a_full_table_is_free_again_after_a_silence (void)
{
  GccReceiver *receiver = gcc_receiver_new (gcc_profile_find ("recommended"));
  guint frame = 0;

  for (; frame < 100; frame++)
    for (guint32 i = 0; i <= GCC_RECEIVER_MAX_STREAMS; i++)
      receive (
          receiver, i < GCC_RECEIVER_MAX_STREAMS ? 1000 + i : OURS, frame, 0);
  g_assert_false (names_ours (receiver));
  for (guint i = 0; i < 300; i++, frame++)
    receive (receiver, OURS, frame, 0);
  g_assert_true (names_ours (receiver));
  gcc_receiver_free (receiver);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name) g_test_add_func ("/strangers/" #name, test_##name)
  ADD (who_claims_arrival_fills_the_path_up_to_the_limit);
  ADD (who_claims_delay_lowers_the_rate);
  ADD (who_claims_loss_is_put_right_by_who_received);
  ADD (arrival_without_times_is_put_right_by_who_received);
  ADD (the_next_count_is_put_right_by_who_received);
  ADD (who_does_not_know_the_numbers_changes_nothing);
  ADD (who_claims_loss_beside_tcp_is_put_right);
  ADD (the_next_count_beside_tcp_is_put_right);
  ADD (loss_that_nobody_puts_right_lowers_the_rate_to_the_limit);
  ADD (clocks_may_jump_by_hours);
  ADD (reference_times_of_a_stranger_are_forgotten);
  ADD (feedback_that_tells_nothing_does_not_silence_reports);
  ADD (who_claims_arrival_may_bound_the_rate);
  ADD (claims_about_all_numbers_are_taken_once);
  ADD (a_thousand_sources_do_not_drive_ours_out);
  ADD (a_full_table_is_free_again_after_a_silence);

  return g_test_run ();
}
