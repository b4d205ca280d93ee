/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/compose/gcc-sender-private.h>

#include <gst/gcc/profiles/gcc-profile-private.h>

#include "conformance.h"
#include "reporting.h"

#define C13 "C13 bitrate_controller_unittest"

#define RECEIVER 1
#define STREAM 2

/* A report of one receiver on one stream, which has been sent that far. */
static GccSenderEvent
report (GccSender *sender, guint8 fraction_lost, guint32 ext_highest_seq,
    gint64 rtt_ms, gint64 now_ms)
{
  GccReportBlock block = {
    .reporter = RECEIVER,
    .ssrc = STREAM,
    .fraction_lost = fraction_lost,
    .ext_highest_seq = ext_highest_seq,
    .rtt = rtt_ms * GCC_MSECOND,
  };

  reporting_send_up_to (sender, STREAM, ext_highest_seq, now_ms * GCC_MSECOND);
  return gcc_sender_feed_reports (sender, &block, 1, now_ms * GCC_MSECOND);
}

static GccSenderEvent
remb (GccSender *sender, GccRate rate, GccTime now)
{
  GccRemb message = reporting_remb (RECEIVER, STREAM, rate);

  return gcc_sender_feed_remb (sender, &message, now);
}

static void
test_2013_reports_and_rembs_as_published (void)
{
  static const GccRate rates[] = { 217000, 235360, 255189, 276604, 299732,
    300000, 300000 };
  GccSender sender;
  gint64 now_ms = 1;
  guint32 seq = 1;

  gcc_sender_init (
      &sender, gcc_profile_find ("rtcweb-2013"), 100000, 200000, 300000);
  report (&sender, 0, seq, 50, now_ms);
  /* published before the report, from when on the receiver is known */
  remb (&sender, 400000, GCC_MSECOND);
  conformance_check_int (
      C13, "report at 1 ms", 200000, gcc_sender_get_target (&sender));

  now_ms += 1000;
  for (guint i = 0; i < G_N_ELEMENTS (rates); i++, now_ms += 1000) {
    g_autofree gchar *name = g_strdup_printf ("report at %d ms", (gint) now_ms);

    seq += 20;
    report (&sender, 0, seq, 50, now_ms);
    conformance_check_int (
        C13, name, rates[i], gcc_sender_get_target (&sender));
  }

  remb (&sender, 250000, now_ms * GCC_MSECOND);
  conformance_check_int (
      C13, "REMB 250 kbit/s", 250000, gcc_sender_get_target (&sender));
  remb (&sender, 1000, now_ms * GCC_MSECOND);
  conformance_check_int (
      C13, "REMB 1 kbit/s", 100000, gcc_sender_get_target (&sender));
  gcc_sender_clear (&sender);
}

static void
test_2013_sources_share_the_interval (void)
{
  GccReportBlock other = {
    .reporter = 9, .ssrc = 8, .ext_highest_seq = 1, .rtt = 100 * GCC_MSECOND
  };
  GccSender sender;

  gcc_sender_init (
      &sender, gcc_profile_find ("rtcweb-2013"), 100000, 200000, 300000);
  report (&sender, 0, 1, 50, 1);
  reporting_send_up_to (&sender, 8, 1, GCC_MSECOND);
  gcc_sender_feed_reports (&sender, &other, 1, GCC_MSECOND);
  report (&sender, 0, 21, 50, 1001);
  conformance_check_int (C13, "two sources: first report", 217000,
      gcc_sender_get_target (&sender));
  other.ext_highest_seq = 21;
  reporting_send_up_to (&sender, 8, 21, 1500 * GCC_MSECOND);
  gcc_sender_feed_reports (&sender, &other, 1, 1500 * GCC_MSECOND);
  conformance_check_int (C13, "two sources: second report in the same second",
      217000, gcc_sender_get_target (&sender));
  conformance_check_double (C13, "two sources: RTT of the last, ms", 100., 0.,
      gcc_sender_get_stats (&sender)->rtt_ms);
}

static void
test_ramp_as_derived (void)
{
  static const GccRate rates[] = { 325000, 352000, 381160, 412653, 446665,
    483398, 523070, 565916, 612189, 662164, 716137, 774428 };
  GccSender sender;
  guint steps = 0;

  gcc_sender_init (
      &sender, gcc_profile_find ("rtcweb-2013"), 30000, 300000, 2000000);
  report (&sender, 0, 0, 50, 0);
  for (guint i = 0; i < G_N_ELEMENTS (rates); i++) {
    g_autofree gchar *name = g_strdup_printf ("ramp, second %u", i + 1);

    report (&sender, 0, 100 * (i + 1), 50, 1000 * (i + 1));
    conformance_check_int (
        "C13 derived", name, rates[i], gcc_sender_get_target (&sender));
  }

  gcc_sender_init (
      &sender, gcc_profile_find ("rtcweb-2013"), 30000, 50000, 2000000);
  report (&sender, 0, 0, 50, 0);
  while (gcc_sender_get_target (&sender) < 2000000 && steps < 1000) {
    steps++;
    report (&sender, 0, 100 * steps, 50, 1000 * steps);
  }
  conformance_check_int (
      "C13 derived", "steps from 50 kbit/s to 2 Mbit/s", 46, steps);
}

static void
test_2013_decreases_as_derived (void)
{
  static const struct {
    guint8 fraction_lost;
    GccRate rate;
  } vectors[] = {
    { 26, 1000000 },
    { 27, 947265 },
    { 51, 900390 },
    { 77, 849609 },
    { 128, 750000 },
    { 255, 501953 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (vectors); i++) {
    g_autofree gchar *name = g_strdup_printf (
        "1 Mbit/s with loss %u/256", vectors[i].fraction_lost);
    GccSender sender;

    /* At this RTT the TFRC floor is below all of them. */
    gcc_sender_init (
        &sender, gcc_profile_find ("rtcweb-2013"), 30000, 1000000, 2000000);
    report (&sender, vectors[i].fraction_lost, 0, 1000, 0);
    conformance_check_int (
        "C13 derived", name, vectors[i].rate, gcc_sender_get_target (&sender));
  }
}

/* The RTTs and rates of TFRC as derived, eq. (1): the greater of it and of what
 * loss leaves, even where that is more than there was. */
static void
test_2013_takes_what_tfrc_allows (void)
{
  static const struct {
    gint64 rtt_ms;
    guint8 fraction_lost;
    GccRate from;
    GccRate rate;
  } vectors[] = {
    { 10, 27, 300000, 1312128 },
    { 10, 51, 300000, 429249 },
    { 10, 77, 300000, 254882 },
    { 50, 27, 270000, 262425 },
    { 100, 27, 100000, 131212 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (vectors); i++) {
    g_autofree gchar *name = g_strdup_printf ("%u kbit/s, loss %u, RTT %u ms",
        (guint) vectors[i].from / 1000, vectors[i].fraction_lost,
        (guint) vectors[i].rtt_ms);
    GccSender sender;

    gcc_sender_init (&sender, gcc_profile_find ("rtcweb-2013"), 30000,
        vectors[i].from, 2000000);
    report (&sender, vectors[i].fraction_lost, 0, vectors[i].rtt_ms, 0);
    conformance_check_int ("PV13 eq. (1), C13 derived", name, vectors[i].rate,
        gcc_sender_get_target (&sender));
  }
}

/* Of a profile of one's own the floor is at most the rate there was. */
static void
test_a_limited_tfrc_floor_never_raises (void)
{
  GccProfile profile = *gcc_profile_find ("rtcweb-2013");
  GccSender sender;

  profile.loss.tfrc_raises = FALSE;
  gcc_sender_init (&sender, &profile, 30000, 1000000, 2000000);
  report (&sender, 27, 0, 13, 0);
  g_assert_cmpint (gcc_sender_get_target (&sender), ==, 1000000);

  gcc_sender_init (&sender, &profile, 30000, 270000, 2000000);
  report (&sender, 27, 0, 50, 0);
  g_assert_cmpint (gcc_sender_get_target (&sender), ==, 262425);
}

/* libwebrtc's time of the last increase begins at the clock's zero: a call is
 * never that young. */
static void
test_the_first_report_is_acted_on (void)
{
  GccSender sender;

  gcc_sender_init (
      &sender, gcc_profile_find ("rtcweb-2013"), 30000, 300000, 2000000);
  report (&sender, 0, 0, 50, 5000);
  g_assert_cmpint (gcc_sender_get_target (&sender), ==, 325000);
}

/* 1.08 of the least of the last second, and 1 kbit/s. */
static void
test_2016_grows_as_its_browser_did (void)
{
  GccSender sender;

  gcc_sender_init (
      &sender, gcc_profile_find ("rmcat-2016"), 30000, 300000, 2000000);
  report (&sender, 0, 0, 50, 0);
  g_assert_cmpint (gcc_sender_get_target (&sender), ==, 300000);
  report (&sender, 0, 100, 50, 500);
  g_assert_cmpint (gcc_sender_get_target (&sender), ==, 325000);
  report (&sender, 0, 200, 50, 1000);
  g_assert_cmpint (gcc_sender_get_target (&sender), ==, 325000);
  report (&sender, 0, 300, 50, 1500);
  g_assert_cmpint (gcc_sender_get_target (&sender), ==, 352000);
}

static void
test_eq_2_grows_by_five_percent (void)
{
  GccSender sender;

  gcc_sender_init (
      &sender, gcc_profile_find ("rmcat-2016-eq-2"), 30000, 300000, 2000000);
  report (&sender, 0, 0, 50, 0);
  report (&sender, 0, 100, 50, 1000);
  conformance_check_int ("CCR16 eq. (2)", "300 kbit/s after one second", 315000,
      gcc_sender_get_target (&sender));
  report (&sender, 128, 200, 50, 2000);
  conformance_check_int ("CCR16 eq. (2)", "315 kbit/s with loss 0.5", 236250,
      gcc_sender_get_target (&sender));
}

static void
test_loss_of_a_fifth_lowers_and_none_raises (void)
{
  for (guint i = 0; i < gcc_n_profiles; i++) {
    GccSender sender;
    GccRate lowered;

    gcc_sender_init (&sender, gcc_profiles[i], 50000, 1000000, 2000000);
    report (&sender, 0, 0, 50, 0);
    report (&sender, 51, 1000, 50, 1000);
    lowered = gcc_sender_get_target (&sender);
    g_assert_cmpint (lowered, <, 1000000);
    report (&sender, 0, 2000, 50, 5000);
    report (&sender, 0, 3000, 50, 6000);
    g_assert_cmpint (gcc_sender_get_target (&sender), >, lowered);
  }
}

static void
test_rembs_that_lower_are_counted (void)
{
  GccSender sender;

  gcc_sender_init (
      &sender, gcc_profile_find ("goog-2020"), 50000, 300000, 2000000);
  report (&sender, 0, 0, 50, 0);
  g_assert_cmpint (remb (&sender, 200000, 0), ==, GCC_SENDER_EVENT_REMB);
  remb (&sender, 200000, 0);
  remb (&sender, 100000, 0);
  remb (&sender, 10000, 0);
  remb (&sender, 10000, 0);
  g_assert_cmpuint (gcc_sender_get_stats (&sender)->n_decreases_by_remb, ==, 3);
  g_assert_cmpuint (gcc_sender_get_stats (&sender)->rembs, ==, 5);
  g_assert_cmpint (gcc_sender_get_stats (&sender)->remb, ==, 10000);
  g_assert_cmpint (gcc_sender_get_target (&sender), ==, 50000);
}

static void
check_stats (const GccSender *sender)
{
  const GccSenderStats *stats = gcc_sender_get_stats (sender);

  g_assert_false (isinf (stats->fraction_lost));
  g_assert_false (isinf (stats->rtt_ms));
  if (stats->reports > 1) {
    g_assert_false (isnan (stats->rtt_ms));
    g_assert_cmpfloat (stats->rtt_ms, >=, 0.);
  }
  g_assert_cmpint (stats->loss_based, >=, 0);
  g_assert_cmpint (stats->encoder_target, >=, 0);
  g_assert_cmpint (stats->encoder_target, <=, stats->target);
}

static void
test_hostile_reports_do_no_harm (void)
{
  GRand *rand = g_rand_new_with_seed (6);

  for (guint i = 0; i < gcc_n_profiles; i++) {
    GccRate min = 50000, max = 2000000;
    guint32 seqs[100] = { 0 };
    GccSender sender;
    GccTime now = 0;

    gcc_sender_init (&sender, gcc_profiles[i], min, 300000, max);
    for (guint j = 0; j < 100000; j++) {
      GccReportBlock blocks[3];
      GccTime next;

      now += g_rand_int_range (rand, 0, GCC_SECOND);
      if (j % 100 == 0)
        now += g_rand_int_range (rand, -3 * GCC_SECOND, 3 * GCC_SECOND);
      if (j % 5000 == 0)
        now = (GccTime) ((guint64) g_rand_int (rand) << 32);
      for (guint k = 0; k < G_N_ELEMENTS (blocks); k++) {
        guint32 ssrc = (guint32) g_rand_int_range (rand, 0, 100);

        seqs[ssrc] += (guint32) g_rand_int_range (rand, 0, 60);
        reporting_send_up_to (&sender, ssrc, seqs[ssrc], now);
        blocks[k] = (GccReportBlock){
          .reporter = (guint32) g_rand_int_range (rand, 0, 3),
          .ssrc = ssrc,
          .fraction_lost = (guint8) g_rand_int (rand),
          .ext_highest_seq = j % 10 == 0 ? g_rand_int (rand) : seqs[ssrc],
          .rtt = k == 0 ? (GccTime) g_rand_int (rand) << (j % 31)
                        : GCC_TIME_NONE,
        };
      }
      gcc_sender_feed_reports (&sender, blocks, j % 4, now);
      if (j % 3 == 0) {
        GccRemb message = reporting_remb ((guint32) j % 4, (guint32) j % 110,
            (GccRate) ((guint64) g_rand_int (rand) << (j % 33)));

        gcc_sender_feed_remb (&sender, &message, now);
      }
      next = gcc_sender_next_timeout (&sender);
      if (next != GCC_TIME_NONE)
        gcc_sender_handle_timeout (&sender, next);
      g_assert_cmpint (gcc_sender_get_target (&sender), >=, min);
      g_assert_cmpint (gcc_sender_get_target (&sender), <=, max);
      check_stats (&sender);
    }
    g_assert_cmpuint (gcc_sender_get_stats (&sender)->reports, >, 50000);
    g_assert_cmpuint (gcc_sender_get_stats (&sender)->reports_ignored, >, 1000);
    g_assert_cmpuint (gcc_sender_get_stats (&sender)->rembs, >, 10000);
    g_assert_cmpuint (gcc_sender_get_stats (&sender)->rembs_ignored, >, 1000);
    gcc_sender_clear (&sender);
  }
  g_rand_free (rand);
}

/* --- what leaves: A_s stays where it is --- */

#define A_S 1000000
#define PACKET 1000
#define FRAME_INTERVAL (GCC_SECOND / 30)
#define HISTORY 3000

/* A call from frame to frame: an encoder that follows v after 300 ms and sends
 * too much, FEC as the sender wants it, and a receiver that asks for packets.
 */
typedef struct {
  GccProfile profile;
  GccSender sender;
  GRand *rand;
  GccTime now;
  guint n_frames;
  guint16 seq;
  guint32 reported;
  gdouble overshoot;
  gdouble fec_due;
  guint rtx_per_frame;
  guint16 video[G_MAXUINT16 + 1];
  gsize audio;
  GccRate targets[HISTORY];
  gsize sent[HISTORY][GCC_SENT_N_KINDS];
} Call;

static void
call_init_with (Call *call, GccProfile profile)
{
  *call = (Call){ .rand = g_rand_new_with_seed (7), .overshoot = 1. };
  call->profile = profile;
  gcc_sender_init (&call->sender, &call->profile, A_S, A_S, A_S);
  report (&call->sender, 0, 0, 100, 0);
}

static void
call_init (Call *call)
{
  call_init_with (call, *gcc_profile_find ("rtcweb-2013"));
}

/* So much is lost that there is as much FEC as there may be. */
static void
call_set_fec (Call *call, guint percentage)
{
  call->profile.fec.max_percentage = percentage;
  call->reported += 100;
  report (&call->sender, 255, call->reported, 100, call->now / GCC_MSECOND);
}

static void
call_clear (Call *call)
{
  g_rand_free (call->rand);
  gcc_sender_clear (&call->sender);
}

static void
call_send (Call *call, GccSentKind kind, gsize bytes, gboolean ends_frame)
{
  GccSentPacket packet = {
    .kind = kind, .ssrc = 1, .bytes = bytes, .ends_frame = ends_frame
  };

  if (kind == GCC_SENT_VIDEO) {
    packet.seq = call->seq++;
    call->video[packet.seq] = (guint16) bytes;
  }
  gcc_sender_feed_sent (&call->sender, &packet, call->now);
  call->sent[call->n_frames][kind] += bytes;
}

static void
call_send_frame (Call *call)
{
  const GccSenderStats *stats = gcc_sender_get_stats (&call->sender);
  GccRate v = call->targets[MAX (call->n_frames, 9) - 9];
  gdouble noise = g_rand_double_range (call->rand, 0.8, 1.2);
  gdouble left = (gdouble) v / 8. / 30. * call->overshoot * noise;

  for (; left > 0.; left -= PACKET) {
    call_send (
        call, GCC_SENT_VIDEO, (gsize) MIN (left, PACKET), left <= PACKET);
    call->fec_due += (gdouble) stats->fec_percentage / 100. *
        MIN (left, PACKET);
  }
  for (; call->fec_due >= PACKET; call->fec_due -= PACKET)
    call_send (call, GCC_SENT_FEC, PACKET, FALSE);
  if (call->audio > 0)
    call_send (call, GCC_SENT_AUDIO, call->audio, TRUE);
}

static void
call_ask (Call *call)
{
  gcc_sender_begin_request (&call->sender, call->now);
  for (guint i = 0; i < call->rtx_per_frame; i++) {
    guint16 seq = (guint16) (call->seq - 1 - i);

    if (gcc_sender_allow_retransmission (&call->sender, 1, seq, call->now))
      call_send (call, GCC_SENT_RTX, call->video[seq], FALSE);
  }
}

/* What was sent in the last second, bit/s. */
static GccRate
call_get_rate (const Call *call, GccSentKind kind)
{
  GccRate rate = 0;

  for (guint i = MAX (call->n_frames, 30) - 30; i < call->n_frames; i++)
    rate += (GccRate) call->sent[i][kind] * 8;
  return rate;
}

static const GccSenderStats *
call_run (Call *call, guint n_frames)
{
  for (guint i = 0; i < n_frames; i++) {
    g_assert_cmpuint (call->n_frames, <, HISTORY);
    call->now += FRAME_INTERVAL;
    gcc_sender_update (&call->sender, call->now);
    call->targets[call->n_frames] =
        gcc_sender_get_stats (&call->sender)->encoder_target;
    call_send_frame (call);
    call_ask (call);
    call->n_frames++;
  }
  gcc_sender_update (&call->sender, call->now);
  return gcc_sender_get_stats (&call->sender);
}

/* FEC and retransmission come out of A_s, and are no more than half of it, but
 * for what an encoder that sends too much has for FEC after retransmission took
 * what was left. */
static void
call_run_and_check (Call *call, guint n_frames)
{
  const GccRate slack = A_S / 100 * 5;

  for (guint i = 0; i < n_frames; i++) {
    const GccSenderStats *stats = call_run (call, 1);
    GccRate protection = stats->fec_rate + stats->rtx_rate;
    GccRate counted = call_get_rate (call, GCC_SENT_FEC) +
        call_get_rate (call, GCC_SENT_RTX);

    g_assert_cmpint (
        stats->encoder_target + MIN (protection, A_S / 2), <=, A_S);
    g_assert_cmpint (stats->encoder_target, >=, A_S / 2);
    g_assert_cmpint (stats->encoder_target + counted, <=, A_S + slack);
    g_assert_cmpint (protection, <=, A_S / 2 + slack);
    g_assert_cmpint (counted, <=, A_S / 2 + slack);
  }
}

static void
test_what_is_sent_without_protection_leaves_v_alone (void)
{
  Call call;

  call_init (&call);
  call.overshoot = 1.1;
  for (guint i = 0; i < 100; i++)
    g_assert_cmpint (call_run (&call, 1)->encoder_target, ==, A_S);
  call_clear (&call);
}

static void
test_v_and_protection_are_not_more_than_a_s (void)
{
  static const gdouble overshoots[] = { 0.5, 1., 1.05, 1.2 };

  for (guint i = 0; i < G_N_ELEMENTS (overshoots); i++) {
    Call call;

    call_init (&call);
    call.overshoot = overshoots[i];
    call_run_and_check (&call, 60);
    call_set_fec (&call, 20);
    call_run_and_check (&call, 150);
    call_set_fec (&call, 50);
    call_run_and_check (&call, 150);
    for (guint j = 0; j < 20; j++) {
      call_set_fec (&call, 50);
      call.rtx_per_frame = 10;
      call_run_and_check (&call, 5);
      call.rtx_per_frame = 0;
      call_run_and_check (&call, 40);
    }
    call_set_fec (&call, 50);
    call.rtx_per_frame = 50;
    call_run_and_check (&call, 150);
    g_assert_cmpuint (
        gcc_sender_get_stats (&call.sender)->retransmissions, >, 100);
    call_clear (&call);
  }
}

/* The lag of the encoder makes nothing swing: the share is the fixed point. */
static void
test_v_comes_to_rest_under_fec (void)
{
  static const guint percentages[] = { 20, 50 };

  for (guint i = 0; i < G_N_ELEMENTS (percentages); i++) {
    gdouble expected = A_S / (1. + percentages[i] / 100.);
    Call call;

    call_init (&call);
    call_set_fec (&call, percentages[i]);
    call_run (&call, 90);
    for (guint j = 0; j < 300; j++) {
      const GccSenderStats *stats = call_run (&call, 1);

      if (j % 30 == 0)
        call_set_fec (&call, percentages[i]);
      g_assert_cmpfloat (fabs ((gdouble) stats->encoder_target - expected), <,
          0.05 * expected);
    }
    call_clear (&call);
  }
}

/* Where the encoder sends less than v, v is as if it did not. */
static void
test_v_leaves_room_for_the_fec_of_all_of_it (void)
{
  const GccSenderStats *stats;
  Call call;

  call_init (&call);
  call.overshoot = 0.5;
  call_set_fec (&call, 50);
  stats = call_run (&call, 150);
  g_assert_cmpfloat (
      fabs ((gdouble) stats->encoder_target - A_S / 1.5), <, A_S / 20.);
  g_assert_cmpint (stats->fec_rate, <, A_S / 5);
  call_clear (&call);
}

static void
test_all_together_is_near_a_s (void)
{
  Call call;

  call_init (&call);
  call.overshoot = 1.05;
  call_set_fec (&call, 50);
  call.rtx_per_frame = 1;
  call_run (&call, 90);
  for (guint i = 0; i < 300; i++) {
    GccRate all = 0;

    call_run (&call, 1);
    if (i % 30 == 0)
      call_set_fec (&call, 50);
    for (GccSentKind kind = 0; kind < GCC_SENT_N_KINDS; kind++)
      all += call_get_rate (&call, kind);
    g_assert_cmpint (all, <, A_S / 100 * 112);
    g_assert_cmpint (all, >, A_S / 100 * 85);
  }
  call_clear (&call);
}

static void
test_v_is_a_s_again_a_second_after_the_last_protection (void)
{
  Call call;

  call_init (&call);
  call_set_fec (&call, 50);
  call.rtx_per_frame = 10;
  call_run (&call, 150);
  call_set_fec (&call, 0);
  call.rtx_per_frame = 0;
  g_assert_cmpint (call_run (&call, 15)->encoder_target, <, A_S);
  g_assert_cmpint (call_run (&call, 18)->encoder_target, ==, A_S);
  call_clear (&call);
}

static void
test_what_is_reserved_comes_off (void)
{
  Call call;
  const GccSenderStats *stats;

  call_init (&call);
  stats = gcc_sender_get_stats (&call.sender);
  gcc_sender_set_reserved (&call.sender, 100000);
  g_assert_cmpint (stats->encoder_target, ==, stats->target - 100000);
  gcc_sender_set_reserved (&call.sender, 2 * stats->target);
  g_assert_cmpint (stats->encoder_target, ==, 1);
  gcc_sender_set_reserved (&call.sender, 0);
  g_assert_cmpint (stats->encoder_target, ==, stats->target);
  call_clear (&call);
}

static void
test_audio_comes_off_first (void)
{
  const GccSenderStats *stats;
  Call call;

  call_init (&call);
  call.audio = 200;
  stats = call_run (&call, 90);
  g_assert_cmpint (ABS (stats->audio_rate - 48000), <, 3000);
  g_assert_cmpint (stats->encoder_target, ==, A_S - stats->audio_rate);

  call_set_fec (&call, 50);
  stats = call_run (&call, 90);
  g_assert_cmpint (
      stats->encoder_target + stats->fec_rate, <=, A_S - stats->audio_rate);

  call.audio = 20000;
  stats = call_run (&call, 90);
  g_assert_cmpint (stats->encoder_target, ==, 1);
  g_assert_cmpuint (stats->fec_percentage, ==, 0);
  call_clear (&call);
}

static void
test_fec_follows_the_loss_of_reports (void)
{
  const GccSenderStats *stats;
  Call call;

  call_init (&call);
  gcc_sender_set_pixels (&call.sender, 352 * 288);
  call_run (&call, 30);
  report (&call.sender, 0, 100, 100, 1000);
  stats = gcc_sender_get_stats (&call.sender);
  g_assert_cmpuint (stats->fec_percentage, ==, 0);

  report (&call.sender, 26, 200, 100, 1000);
  g_assert_cmpuint (stats->fec_percentage, >, 10);
  g_assert_cmpuint (stats->fec_percentage, <, 50);
  report (&call.sender, 26, 300, 10, 1000);
  g_assert_cmpuint (stats->fec_percentage, ==, 0);
  report (&call.sender, 26, 400, 100, 1000);
  call_run (&call, 30 * 9);
  g_assert_cmpuint (stats->fec_percentage, >, 10);
  call_run (&call, 31);
  g_assert_cmpuint (stats->fec_percentage, ==, 0);
  call_clear (&call);
}

static void
test_fec_gets_what_retransmission_leaves (void)
{
  const GccSenderStats *stats;
  Call call;

  call_init (&call);
  call_run (&call, 30);
  report (&call.sender, 128, 1000, 100, 1000);
  stats = gcc_sender_get_stats (&call.sender);
  g_assert_cmpuint (stats->fec_percentage, ==, 50);
  call.rtx_per_frame = 50;
  call_run (&call, 60);
  g_assert_cmpuint (stats->fec_percentage, <, 10);
  call_clear (&call);
}

static void
test_retransmissions_are_counted (void)
{
  const GccSenderStats *stats;
  Call call;

  call_init (&call);
  stats = call_run (&call, 30);
  gcc_sender_begin_request (&call.sender, call.now);
  for (guint i = 0; i < 30; i++)
    gcc_sender_allow_retransmission (
        &call.sender, 1, (guint16) (call.seq - 1 - i), call.now);
  /* 12500 bytes: A_s · RTT */
  g_assert_cmpuint (stats->retransmissions, >=, 12);
  g_assert_cmpuint (stats->retransmissions, <, 25);
  g_assert_cmpuint (
      stats->retransmissions + stats->retransmissions_dropped, ==, 30);
  call_clear (&call);
}

/* A receiver that asks for a lot and reports every second for a while. */
static const GccSenderStats *
call_lose (Call *call, guint8 fraction_lost, gint64 rtt_ms, guint n_seconds)
{
  for (guint i = 0; i < n_seconds; i++) {
    call_run (call, 30);
    call->reported += 100;
    report (&call->sender, fraction_lost, call->reported, rtt_ms,
        call->now / GCC_MSECOND);
  }
  call_run (call, 29);
  return gcc_sender_get_stats (&call->sender);
}

static void
call_init_asking (Call *call, const gchar *profile)
{
  const GccProfile *any = gcc_profile_find (profile);
  GccProfile asking = *gcc_profile_find ("rtcweb-2013");

  asking.protection = any->protection;
  asking.arrival_watch = any->arrival_watch;
  asking.retransmission = any->retransmission;
  asking.fec.max_percentage = 0;
  call_init_with (call, asking);
  call->rtx_per_frame = 10;
}

static void
test_much_loss_is_repaired (void)
{
  static const gchar *profiles[] = { "recommended", "rtcweb-2013" };
  static const gint64 rtts_ms[] = { 60, 300 };

  for (guint i = 0; i < G_N_ELEMENTS (profiles); i++) {
    for (guint j = 0; j < G_N_ELEMENTS (rtts_ms); j++) {
      Call call;

      call_init_asking (&call, profiles[i]);
      call_lose (&call, 0, 50, 2);
      g_assert_cmpint (
          call_lose (&call, 77, rtts_ms[j], 5)->rtx_rate, >, A_S / 3);
      call_clear (&call);
    }
  }
}

static void
test_only_video_is_sent_again (void)
{
  GccSender sender;

  gcc_sender_init (&sender, gcc_profiles[0], A_S, A_S, A_S);
  for (GccSentKind kind = 0; kind < GCC_SENT_N_KINDS; kind++) {
    GccSentPacket packet = { .kind = kind,
      .ssrc = 1,
      .seq = (guint16) kind,
      .bytes = 100,
      .ends_frame = TRUE };

    gcc_sender_feed_sent (&sender, &packet, 0);
  }
  gcc_sender_begin_request (&sender, 0);
  for (GccSentKind kind = 0; kind < GCC_SENT_N_KINDS; kind++)
    g_assert_true (gcc_sender_allow_retransmission (&sender, 1, (guint16) kind,
                       0) == (kind == GCC_SENT_VIDEO));
  gcc_sender_clear (&sender);
}

/* What was sent before A_s fell is no reason to leave nothing. */
static void
test_half_of_a_lower_a_s_is_left_at_once (void)
{
  const GccSenderStats *stats;
  Call call;

  call_init (&call);
  call_set_fec (&call, 50);
  stats = call_run (&call, 90);
  gcc_sender_set_limits (&call.sender, A_S / 4, A_S);
  remb (&call.sender, A_S / 4, call.now);
  g_assert_cmpint (stats->target, ==, A_S / 4);
  g_assert_cmpint (stats->encoder_target, ==, A_S / 8);
  call_clear (&call);
}

/* Who sets audio and FEC as well divides the sum by itself. */
static void
test_audio_and_fec_are_inside_what_is_left_for_media (void)
{
  const GccSenderStats *stats;
  Call call;

  call_init (&call);
  call_set_fec (&call, 50);
  stats = call_run (&call, 90);
  g_assert_cmpint (stats->fec_rate, >, A_S / 10);
  g_assert_cmpint (stats->encoder_target, <, A_S);
  g_assert_cmpint (gcc_sender_get_media_target (&call.sender), ==, A_S);

  for (guint16 i = 0; i < 50; i++)
    gcc_sender_feed_sent (&call.sender,
        &(GccSentPacket){
            .ssrc = 99, .seq = i, .kind = GCC_SENT_AUDIO, .bytes = 200 },
        call.now);
  gcc_sender_update (&call.sender, call.now);
  g_assert_cmpint (stats->audio_rate, >, A_S / 20);
  g_assert_cmpint (stats->encoder_target, <, A_S - stats->audio_rate);
  g_assert_cmpint (gcc_sender_get_media_target (&call.sender), ==, A_S);

  /* which fills what they leave */
  gcc_sender_feed_sent (&call.sender,
      &(GccSentPacket){
          .ssrc = 1, .size = 10000, .kind = GCC_SENT_RTX, .is_padding = TRUE },
      call.now);
  gcc_sender_update (&call.sender, call.now);
  g_assert_cmpint (stats->sent_padding_rate, >, A_S / 20);
  g_assert_cmpint (gcc_sender_get_media_target (&call.sender), ==, A_S);
  call_clear (&call);
}

/* Guards against: eq. (1) that goes on from the rate before. */
static void
test_loss_control_goes_on_from_a_restart (void)
{
  GccSender sender;
  const GccSenderStats *stats;

  gcc_sender_init (
      &sender, gcc_profile_find ("recommended"), 50000, 300000, 4000000);
  stats = gcc_sender_get_stats (&sender);
  for (guint i = 0; i < 5; i++)
    report (&sender, 0, i * 100, 100, i * 1000);
  gcc_sender_restart (&sender, 2000000, 5 * GCC_SECOND);
  g_assert_cmpint (stats->target, ==, 2000000);
  g_assert_cmpint (stats->encoder_target, ==, 2000000);
  report (&sender, 0, 600, 100, 6000);
  g_assert_cmpint (stats->target, >=, 2000000);

  gcc_sender_restart (&sender, 100000, 6 * GCC_SECOND);
  g_assert_cmpint (stats->target, ==, 100000);
  report (&sender, 0, 700, 100, 7000);
  g_assert_cmpint (stats->target, <, 150000);
  gcc_sender_clear (&sender);
}

/* --- silence ---
 *
 * A receiver died, and A_s stayed where it was for as long as anybody looked.
 */

typedef struct {
  GccSender sender;
  gint64 now_ms;
  guint32 seq;
  guint n_silences;
} Path;

static void
path_init (Path *self, const gchar *profile)
{
  self->now_ms = 0;
  self->seq = 0;
  self->n_silences = 0;
  gcc_sender_init (
      &self->sender, gcc_profile_find (profile), 100000, 300000, 2000000);
}

static void
path_clear (Path *self)
{
  gcc_sender_clear (&self->sender);
}

static void
path_check_timeout (Path *self)
{
  GccTime now = self->now_ms * GCC_MSECOND;
  GccTime timeout = gcc_sender_next_timeout (&self->sender);

  if (timeout != GCC_TIME_NONE && now >= timeout &&
      gcc_sender_handle_timeout (&self->sender, now) ==
          GCC_SENDER_EVENT_SILENCE)
    self->n_silences++;
}

/* A second of fifty packets. */
static GccRate
path_send (Path *self)
{
  for (guint i = 0; i < 50; i++) {
    self->now_ms += 20;
    reporting_send_up_to (
        &self->sender, STREAM, self->seq++, self->now_ms * GCC_MSECOND);
    path_check_timeout (self);
  }
  return gcc_sender_get_target (&self->sender);
}

/* The same, and a report on all of it. */
static GccRate
path_send_and_report (Path *self)
{
  path_send (self);
  report (&self->sender, 0, self->seq - 1, 50, self->now_ms);
  return gcc_sender_get_target (&self->sender);
}

static void
test_a_receiver_that_dies_takes_a_s_to_its_minimum (void)
{
  const GccSenderStats *stats;
  GccRate before, rate;
  Path path;

  path_init (&path, "recommended");
  stats = gcc_sender_get_stats (&path.sender);
  g_assert_false (stats->has_feedback);
  for (guint i = 0; i < 30; i++)
    path_send_and_report (&path);
  g_assert_true (stats->has_feedback);
  g_assert_cmpint (stats->target, >, 1000000);

  for (guint i = 0; i < 4; i++)
    path_send (&path);
  g_assert_true (stats->has_feedback);
  path_send (&path);
  path_send (&path);
  g_assert_false (stats->has_feedback);
  before = stats->target;
  /* from here on nothing raises it, not the last report's lack of loss either
   */
  for (guint i = 0; i < 30; i++, before = rate) {
    rate = path_send (&path);
    g_assert_cmpint (rate, ==, MAX (before * 8 / 10, 100000));
  }
  g_assert_cmpint (before, ==, 100000);
  g_assert_cmpuint (path.n_silences, ==, 1);
  path_clear (&path);
}

static void
test_feedback_that_is_back_ends_the_silence (void)
{
  const GccSenderStats *stats;
  GccRate before = 0;
  Path path;

  path_init (&path, "recommended");
  stats = gcc_sender_get_stats (&path.sender);
  for (guint i = 0; i < 20; i++)
    path_send_and_report (&path);
  for (guint i = 0; i < 4; i++)
    before = path_send (&path);
  g_assert_true (stats->has_feedback);
  for (guint i = 0; i < 6; i++)
    path_send (&path);
  g_assert_false (stats->has_feedback);
  g_assert_cmpint (stats->target, <, before / 2);

  /* the loss in the first report is that of the silence */
  path_send (&path);
  report (&path.sender, 200, path.seq - 1, 50, path.now_ms);
  g_assert_true (stats->has_feedback);
  g_assert_cmpint (stats->target, >=, before);
  g_assert_cmpint (stats->target, <=, before * 109 / 100 + 2000);
  before = stats->target;
  path_send_and_report (&path);
  g_assert_cmpint (stats->target, >=, before);

  for (guint i = 0; i < 20; i++)
    path_send (&path);
  g_assert_cmpuint (path.n_silences, ==, 2);
  path_clear (&path);
}

static void
test_a_receiver_that_never_was_lowers_the_start_rate (void)
{
  Path path;

  path_init (&path, "recommended");
  for (guint i = 0; i < 6; i++)
    g_assert_cmpint (path_send (&path), ==, 300000);
  for (guint i = 0; i < 20; i++)
    path_send (&path);
  g_assert_cmpint (gcc_sender_get_target (&path.sender), ==, 100000);
  g_assert_cmpuint (path.n_silences, ==, 1);
  path_clear (&path);
}

/* Reports about others, or about packets that were never sent. */
static void
test_reports_that_do_not_count_are_silence (void)
{
  Path path;

  path_init (&path, "recommended");
  for (guint i = 0; i < 20; i++) {
    GccReportBlock foreign = {
      .reporter = RECEIVER,
      .ssrc = STREAM + 1,
      .ext_highest_seq = path.seq,
    };
    GccReportBlock ahead = {
      .reporter = RECEIVER,
      .ssrc = STREAM,
      .ext_highest_seq = path.seq + 10000,
    };

    path_send (&path);
    gcc_sender_feed_reports (
        &path.sender, &foreign, 1, path.now_ms * GCC_MSECOND);
    gcc_sender_feed_reports (
        &path.sender, &ahead, 1, path.now_ms * GCC_MSECOND);
  }
  g_assert_cmpuint (path.n_silences, ==, 1);
  g_assert_false (gcc_sender_get_stats (&path.sender)->has_feedback);
  path_clear (&path);
}

static void
test_a_source_that_pauses_keeps_a_s (void)
{
  GccRate before;
  Path path;

  path_init (&path, "recommended");
  for (guint i = 0; i < 30; i++)
    path_send_and_report (&path);
  before = gcc_sender_get_target (&path.sender);
  for (guint i = 0; i < 6000; i++) {
    path.now_ms += 100;
    path_check_timeout (&path);
  }
  g_assert_cmpint (gcc_sender_get_target (&path.sender), >=, before);
  g_assert_cmpuint (path.n_silences, ==, 0);
  g_assert_true (gcc_sender_get_stats (&path.sender)->has_feedback);
  path_clear (&path);
}

static void
test_published_generations_keep_a_s_in_silence (void)
{
  for (guint i = 0; i < gcc_n_profiles; i++) {
    GccRate rate;
    Path path;

    if (gcc_profiles[i] == &gcc_profile_recommended)
      continue;
    path_init (&path, gcc_profiles[i]->name);
    for (guint j = 0; j < 10; j++)
      path_send_and_report (&path);
    for (guint j = 0; j < 8; j++)
      path_send (&path);
    rate = gcc_sender_get_target (&path.sender);
    g_assert_cmpuint (path.n_silences, ==, 1);
    for (guint j = 0; j < 60; j++)
      g_assert_cmpint (path_send (&path), ==, rate);
    path_clear (&path);
  }
}

static void
test_columns_name_every_member_in_order (void)
{
  static const gchar names[] =
      "fraction_lost,rtt_ms,remb_bps,loss_based_bps,"
      "a_s_bps,reason,r_video_bps,r_audio_bps,r_fec_bps,r_rtx_bps,"
      "r_padding_bps,v_bps,"
      "fec_percentage,rtx,rtx_dropped,n_dd,has_feedback,reports,rembs,"
      "reports_ignored,rembs_ignored,"
      "feedback,r_ack_bps,delay_based_bps,signal,m_ms,gamma_ms,loss_state,"
      "competition,verdict,path_loss,alr,"
      "path_rtt_ms,path_queue_ms,path_noise_ms,path_capacity_bps,probe_bps,"
      "probes,probe_results,probes_abandoned,"
      "probe_asked_bps,probe_abandoned,pacing_bps,"
      "padding_bps,window_full,feedbacks,feedbacks_lost,feedbacks_ignored";
  g_auto (GStrv) expected = g_strsplit (names, ",", -1);

  g_assert_cmpuint (gcc_sender_n_columns, ==, g_strv_length (expected));
  for (guint i = 0; i < gcc_sender_n_columns; i++)
    g_assert_cmpstr (gcc_sender_columns[i].name, ==, expected[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sender/2013_reports_and_rembs_as_published",
      test_2013_reports_and_rembs_as_published);
  g_test_add_func ("/sender/2013_sources_share_the_interval",
      test_2013_sources_share_the_interval);
  g_test_add_func ("/sender/ramp_as_derived", test_ramp_as_derived);
  g_test_add_func (
      "/sender/2013_decreases_as_derived", test_2013_decreases_as_derived);
  g_test_add_func (
      "/sender/2013_takes_what_tfrc_allows", test_2013_takes_what_tfrc_allows);
  g_test_add_func ("/sender/a_limited_tfrc_floor_never_raises",
      test_a_limited_tfrc_floor_never_raises);
  g_test_add_func ("/sender/the_first_report_is_acted_on",
      test_the_first_report_is_acted_on);
  g_test_add_func ("/sender/2016_grows_as_its_browser_did",
      test_2016_grows_as_its_browser_did);
  g_test_add_func (
      "/sender/eq_2_grows_by_five_percent", test_eq_2_grows_by_five_percent);
  g_test_add_func ("/sender/loss_of_a_fifth_lowers_and_none_raises",
      test_loss_of_a_fifth_lowers_and_none_raises);
  g_test_add_func ("/sender/rembs_that_lower_are_counted",
      test_rembs_that_lower_are_counted);
  g_test_add_func (
      "/sender/hostile_reports_do_no_harm", test_hostile_reports_do_no_harm);
  g_test_add_func ("/sender/what_is_sent_without_protection_leaves_v_alone",
      test_what_is_sent_without_protection_leaves_v_alone);
  g_test_add_func ("/sender/v_and_protection_are_not_more_than_a_s",
      test_v_and_protection_are_not_more_than_a_s);
  g_test_add_func (
      "/sender/v_comes_to_rest_under_fec", test_v_comes_to_rest_under_fec);
  g_test_add_func ("/sender/v_leaves_room_for_the_fec_of_all_of_it",
      test_v_leaves_room_for_the_fec_of_all_of_it);
  g_test_add_func (
      "/sender/all_together_is_near_a_s", test_all_together_is_near_a_s);
  g_test_add_func ("/sender/v_is_a_s_again_a_second_after_the_last_protection",
      test_v_is_a_s_again_a_second_after_the_last_protection);
  g_test_add_func (
      "/sender/what_is_reserved_comes_off", test_what_is_reserved_comes_off);
  g_test_add_func ("/sender/audio_comes_off_first", test_audio_comes_off_first);
  g_test_add_func ("/sender/fec_follows_the_loss_of_reports",
      test_fec_follows_the_loss_of_reports);
  g_test_add_func ("/sender/fec_gets_what_retransmission_leaves",
      test_fec_gets_what_retransmission_leaves);
  g_test_add_func (
      "/sender/retransmissions_are_counted", test_retransmissions_are_counted);
  g_test_add_func ("/sender/much_loss_is_repaired", test_much_loss_is_repaired);
  g_test_add_func (
      "/sender/only_video_is_sent_again", test_only_video_is_sent_again);
  g_test_add_func ("/sender/half_of_a_lower_a_s_is_left_at_once",
      test_half_of_a_lower_a_s_is_left_at_once);
  g_test_add_func ("/sender/audio_and_fec_are_inside_what_is_left_for_media",
      test_audio_and_fec_are_inside_what_is_left_for_media);
  g_test_add_func ("/sender/loss_control_goes_on_from_a_restart",
      test_loss_control_goes_on_from_a_restart);
  g_test_add_func ("/sender/a_receiver_that_dies_takes_a_s_to_its_minimum",
      test_a_receiver_that_dies_takes_a_s_to_its_minimum);
  g_test_add_func ("/sender/feedback_that_is_back_ends_the_silence",
      test_feedback_that_is_back_ends_the_silence);
  g_test_add_func ("/sender/a_receiver_that_never_was_lowers_the_start_rate",
      test_a_receiver_that_never_was_lowers_the_start_rate);
  g_test_add_func ("/sender/reports_that_do_not_count_are_silence",
      test_reports_that_do_not_count_are_silence);
  g_test_add_func ("/sender/a_source_that_pauses_keeps_a_s",
      test_a_source_that_pauses_keeps_a_s);
  g_test_add_func ("/sender/published_generations_keep_a_s_in_silence",
      test_published_generations_keep_a_s_in_silence);
  g_test_add_func ("/sender/columns_name_every_member_in_order",
      test_columns_name_every_member_in_order);
  return g_test_run ();
}
