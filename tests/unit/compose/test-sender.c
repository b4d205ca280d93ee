/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/compose/gcc-sender-private.h>

#include <gst/gcc/profiles/gcc-profile-private.h>

#include "conformance.h"
#include "reporting.h"

#define C13 "C13 bitrate_controller_unittest"

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
  reporting_tell_loss (&sender, 0, seq, 50, now_ms);
  /* published before the report, from when on the receiver is known */
  reporting_tell_rate (&sender, 400000, GCC_MSECOND);
  conformance_check_int (
      C13, "report at 1 ms", 200000, gcc_sender_get_target (&sender));

  now_ms += 1000;
  for (guint i = 0; i < G_N_ELEMENTS (rates); i++, now_ms += 1000) {
    g_autofree gchar *name = g_strdup_printf ("report at %d ms", (gint) now_ms);

    seq += 20;
    reporting_tell_loss (&sender, 0, seq, 50, now_ms);
    conformance_check_int (
        C13, name, rates[i], gcc_sender_get_target (&sender));
  }

  reporting_tell_rate (&sender, 250000, now_ms * GCC_MSECOND);
  conformance_check_int (
      C13, "REMB 250 kbit/s", 250000, gcc_sender_get_target (&sender));
  reporting_tell_rate (&sender, 1000, now_ms * GCC_MSECOND);
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
  reporting_tell_loss (&sender, 0, 1, 50, 1);
  reporting_send_up_to (&sender, 8, 1, GCC_MSECOND);
  gcc_sender_feed_reports (&sender, &other, 1, GCC_MSECOND);
  reporting_tell_loss (&sender, 0, 21, 50, 1001);
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
  reporting_tell_loss (&sender, 0, 0, 50, 0);
  for (guint i = 0; i < G_N_ELEMENTS (rates); i++) {
    g_autofree gchar *name = g_strdup_printf ("ramp, second %u", i + 1);

    reporting_tell_loss (&sender, 0, 100 * (i + 1), 50, 1000 * (i + 1));
    conformance_check_int (
        "C13 derived", name, rates[i], gcc_sender_get_target (&sender));
  }

  gcc_sender_init (
      &sender, gcc_profile_find ("rtcweb-2013"), 30000, 50000, 2000000);
  reporting_tell_loss (&sender, 0, 0, 50, 0);
  while (gcc_sender_get_target (&sender) < 2000000 && steps < 1000) {
    steps++;
    reporting_tell_loss (&sender, 0, 100 * steps, 50, 1000 * steps);
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
    reporting_tell_loss (&sender, vectors[i].fraction_lost, 0, 1000, 0);
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
    reporting_tell_loss (
        &sender, vectors[i].fraction_lost, 0, vectors[i].rtt_ms, 0);
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
  reporting_tell_loss (&sender, 27, 0, 13, 0);
  g_assert_cmpint (gcc_sender_get_target (&sender), ==, 1000000);

  gcc_sender_init (&sender, &profile, 30000, 270000, 2000000);
  reporting_tell_loss (&sender, 27, 0, 50, 0);
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
  reporting_tell_loss (&sender, 0, 0, 50, 5000);
  g_assert_cmpint (gcc_sender_get_target (&sender), ==, 325000);
}

/* 1.08 of the least of the last second, and 1 kbit/s. */
static void
test_2016_grows_as_its_browser_did (void)
{
  GccSender sender;

  gcc_sender_init (
      &sender, gcc_profile_find ("rmcat-2016"), 30000, 300000, 2000000);
  reporting_tell_loss (&sender, 0, 0, 50, 0);
  g_assert_cmpint (gcc_sender_get_target (&sender), ==, 300000);
  reporting_tell_loss (&sender, 0, 100, 50, 500);
  g_assert_cmpint (gcc_sender_get_target (&sender), ==, 325000);
  reporting_tell_loss (&sender, 0, 200, 50, 1000);
  g_assert_cmpint (gcc_sender_get_target (&sender), ==, 325000);
  reporting_tell_loss (&sender, 0, 300, 50, 1500);
  g_assert_cmpint (gcc_sender_get_target (&sender), ==, 352000);
}

static void
test_eq_2_grows_by_five_percent (void)
{
  GccSender sender;

  gcc_sender_init (
      &sender, gcc_profile_find ("rmcat-2016-eq-2"), 30000, 300000, 2000000);
  reporting_tell_loss (&sender, 0, 0, 50, 0);
  reporting_tell_loss (&sender, 0, 100, 50, 1000);
  conformance_check_int ("CCR16 eq. (2)", "300 kbit/s after one second", 315000,
      gcc_sender_get_target (&sender));
  reporting_tell_loss (&sender, 128, 200, 50, 2000);
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
    reporting_tell_loss (&sender, 0, 0, 50, 0);
    reporting_tell_loss (&sender, 51, 1000, 50, 1000);
    lowered = gcc_sender_get_target (&sender);
    g_assert_cmpint (lowered, <, 1000000);
    reporting_tell_loss (&sender, 0, 2000, 50, 5000);
    reporting_tell_loss (&sender, 0, 3000, 50, 6000);
    g_assert_cmpint (gcc_sender_get_target (&sender), >, lowered);
  }
}

static void
test_rembs_that_lower_are_counted (void)
{
  GccSender sender;

  gcc_sender_init (
      &sender, gcc_profile_find ("goog-2020"), 50000, 300000, 2000000);
  reporting_tell_loss (&sender, 0, 0, 50, 0);
  g_assert_cmpint (
      reporting_tell_rate (&sender, 200000, 0), ==, GCC_SENDER_EVENT_REMB);
  reporting_tell_rate (&sender, 200000, 0);
  reporting_tell_rate (&sender, 100000, 0);
  reporting_tell_rate (&sender, 10000, 0);
  reporting_tell_rate (&sender, 10000, 0);
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
      "competition,verdict,alr,"
      "path_rtt_ms,path_queue_ms,path_noise_ms,path_capacity_bps,probe_bps,"
      "probes,probe_results,probes_abandoned,"
      "probe_asked_bps,probe_abandoned,pacing_bps,"
      "padding_bps,window_full,feedbacks,feedbacks_lost,feedbacks_ignored,"
      "ecn,ect1_packets,ce_packets,l4s_alpha";
  g_auto (GStrv) expected = g_strsplit (names, ",", -1);

  g_assert_cmpuint (gcc_sender_n_columns, ==, g_strv_length (expected));
  for (guint i = 0; i < gcc_sender_n_columns; i++)
    g_assert_cmpstr (gcc_sender_columns[i].name, ==, expected[i]);
}

static void
test_without_numbers_no_probe_is_due (void)
{
  GccSentPacket packet = { .payload_size = 900, .size = 1000 };
  GccSender sender;

  gcc_sender_init (
      &sender, gcc_profile_find ("recommended"), 30000, 300000, 2000000);
  gcc_sender_feed_sent (&sender, &packet, GCC_SECOND);
  gcc_sender_restart (&sender, 400000, GCC_SECOND);
  gcc_sender_handle_timeout (&sender, 2 * GCC_SECOND);
  g_assert_cmpint (
      gcc_sender_next_probe (&sender, 2 * GCC_SECOND), ==, GCC_TIME_NONE);
  g_assert_false (gcc_sender_sends_ect1 (&sender));
  g_assert_cmpint (
      gcc_sender_get_stats (&sender)->pacing_rate, ==, GCC_RATE_NONE);
  gcc_sender_clear (&sender);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/sender/" #name, test_##name)
  ADD (2013_reports_and_rembs_as_published);
  ADD (2013_sources_share_the_interval);
  ADD (ramp_as_derived);
  ADD (2013_decreases_as_derived);
  ADD (2013_takes_what_tfrc_allows);
  ADD (a_limited_tfrc_floor_never_raises);
  ADD (the_first_report_is_acted_on);
  ADD (2016_grows_as_its_browser_did);
  ADD (eq_2_grows_by_five_percent);
  ADD (loss_of_a_fifth_lowers_and_none_raises);
  ADD (rembs_that_lower_are_counted);
  ADD (hostile_reports_do_no_harm);
  ADD (columns_name_every_member_in_order);
  ADD (without_numbers_no_probe_is_due);
#undef ADD

  return g_test_run ();
}
