/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/output/gcc-fec-control.h>

#include <gst/gcc/profiles/gcc-profile-private.h>

#define RTT (100 * GCC_MSECOND)
#define CIF (352 * 288)
#define VGA (640 * 480)

/* 30 frames per second of this size. */
static const GccSentFrames large_frames = { 30., 4200., 5. };

static const GccFecControlParams *
get_published (void)
{
  return &gcc_profile_find ("goog-2020")->fec;
}

static guint
get (GccFecControl *fec, gint64 now_ms)
{
  return gcc_fec_control_get_percentage (
      fec, &large_frames, VGA, RTT, FALSE, now_ms * GCC_MSECOND);
}

static void
start_with_loss (GccFecControl *fec, gdouble loss)
{
  gcc_fec_control_init (fec, get_published ());
  gcc_fec_control_feed_loss (fec, loss, 0);
}

static void
test_no_loss_is_no_fec (void)
{
  GccFecControl fec;

  gcc_fec_control_init (&fec, get_published ());
  g_assert_cmpuint (get (&fec, 0), ==, 0);
  gcc_fec_control_feed_loss (&fec, 0., 0);
  g_assert_cmpuint (get (&fec, 0), ==, 0);
}

static void
test_expected_losses_and_a_deviation_are_covered (void)
{
  static const struct {
    gdouble loss;
    gdouble packets;
    guint percentage;
  } cases[] = {
    { 0.01, 1., 11 },
    { 0.05, 3., 18 },
    { 0.05, 30., 9 },
    { 0.1, 4., 25 },
    { 0.1, 9., 20 },
    { 0.2, 15., 31 },
    { 0.25, 1., 50 },
    { 0.3, 100., 35 },
    { 0.5, 4., 50 },
    { 1., 4., 50 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    GccSentFrames frames = { 30., 4200., cases[i].packets };
    GccFecControl fec;

    start_with_loss (&fec, cases[i].loss);
    g_assert_cmpuint (
        gcc_fec_control_get_percentage (&fec, &frames, VGA, RTT, FALSE, 0), ==,
        cases[i].percentage);
  }
}

static void
test_more_loss_is_never_less_fec (void)
{
  for (gdouble packets = 1.; packets < 50.; packets += 0.7) {
    GccSentFrames frames = { 30., 4200., packets };
    guint last = 0;

    for (guint loss = 0; loss <= 256; loss++) {
      GccFecControl fec;
      guint percentage;

      start_with_loss (&fec, loss / 256.);
      percentage = gcc_fec_control_get_percentage (
          &fec, &frames, VGA, RTT, FALSE, 0);
      g_assert_cmpuint (percentage, >=, last);
      g_assert_cmpuint (percentage, <=, 50);
      g_assert_true (percentage > 0 || loss == 0);
      last = percentage;
    }
  }
}

static void
test_the_greatest_loss_counts_for_ten_seconds (void)
{
  GccFecControl fec;
  guint most;

  start_with_loss (&fec, 0.2);
  most = get (&fec, 0);
  for (gint64 ms = 1000; ms < 10000; ms += 1000) {
    gcc_fec_control_feed_loss (&fec, 0.02, ms * GCC_MSECOND);
    g_assert_cmpuint (get (&fec, ms), ==, most);
  }
  g_assert_cmpuint (get (&fec, 9999), ==, most);
  g_assert_cmpuint (get (&fec, 10000), <, most);
  g_assert_cmpuint (get (&fec, 10000), >, 0);
  g_assert_cmpuint (get (&fec, 18999), >, 0);
  g_assert_cmpuint (get (&fec, 19000), ==, 0);
}

static void
test_within_a_window_the_greatest_counts (void)
{
  GccFecControl fec, other;

  start_with_loss (&fec, 0.2);
  gcc_fec_control_feed_loss (&fec, 0.01, 500 * GCC_MSECOND);
  start_with_loss (&other, 0.01);
  gcc_fec_control_feed_loss (&other, 0.2, 500 * GCC_MSECOND);
  g_assert_cmpuint (get (&fec, 600), ==, get (&other, 600));
}

static void
test_a_short_rtt_leaves_it_to_retransmission (void)
{
  GccFecControl fec;

  start_with_loss (&fec, 0.1);
  g_assert_cmpuint (
      gcc_fec_control_get_percentage (&fec, &large_frames, VGA, 0, FALSE, 0),
      ==, 0);
  g_assert_cmpuint (gcc_fec_control_get_percentage (&fec, &large_frames, VGA,
                        20 * GCC_MSECOND - 1, FALSE, 0),
      ==, 0);
  g_assert_cmpuint (gcc_fec_control_get_percentage (
                        &fec, &large_frames, VGA, 20 * GCC_MSECOND, FALSE, 0),
      >, 0);
}

static void
test_small_frames_get_none_at_a_moderate_rtt (void)
{
  static const struct {
    guint pixels;
    gdouble bytes;
  } cases[] = {
    { 0, 400. },
    { CIF, 400. },
    { CIF + 1, 700. },
    { VGA, 700. },
    { VGA + 1, 1000. },
    { G_MAXUINT, 1000. },
  };
  GccFecControl fec;

  start_with_loss (&fec, 0.1);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    GccSentFrames small = { 30., cases[i].bytes - 1., 1. };
    GccSentFrames large = { 30., cases[i].bytes, 1. };

    g_assert_cmpuint (gcc_fec_control_get_percentage (&fec, &small,
                          cases[i].pixels, 200 * GCC_MSECOND - 1, FALSE, 0),
        ==, 0);
    g_assert_cmpuint (gcc_fec_control_get_percentage (&fec, &large,
                          cases[i].pixels, 200 * GCC_MSECOND - 1, FALSE, 0),
        >, 0);
    g_assert_cmpuint (gcc_fec_control_get_percentage (&fec, &small,
                          cases[i].pixels, 200 * GCC_MSECOND, FALSE, 0),
        >, 0);
  }
}

static void
test_an_unknown_rtt_is_no_reason_to_do_without (void)
{
  GccSentFrames small = { 30., 10., 1. };
  GccFecControl fec;

  start_with_loss (&fec, 0.1);
  g_assert_cmpuint (gcc_fec_control_get_percentage (
                        &fec, &small, CIF, GCC_TIME_NONE, FALSE, 0),
      >, 0);
}

/* --- the default --- */

static const GccFecControlParams *
get_default (void)
{
  return &gcc_profile_find ("recommended")->fec;
}

static GccFecControl
lose (gdouble loss)
{
  GccFecControl fec;

  gcc_fec_control_init (&fec, get_default ());
  for (guint i = 0; i < 100; i++)
    gcc_fec_control_feed_loss (&fec, loss, i * GCC_SECOND);
  return fec;
}

static guint
get_of_default (gdouble loss, gdouble packets, gint64 rtt_ms, gboolean repairs)
{
  GccFecControl fec = lose (loss);
  GccSentFrames frames = { 30., 1000. * packets, packets };

  return gcc_fec_control_get_percentage (
      &fec, &frames, VGA, rtt_ms * GCC_MSECOND, repairs, 99 * GCC_SECOND);
}

static void
test_a_repair_that_comes_in_time_needs_no_fec (void)
{
  g_assert_cmpuint (get_of_default (0.06, 5., 160, TRUE), ==, 0);
  g_assert_cmpuint (get_of_default (0.06, 5., 170, TRUE), >, 0);
  g_assert_cmpuint (get_of_default (0.06, 5., 240, TRUE), >, 0);
}

static void
test_without_retransmission_there_is_fec_on_a_short_path (void)
{
  g_assert_cmpuint (get_of_default (0.06, 5., 160, FALSE), >, 0);
  g_assert_cmpuint (get_of_default (0.06, 5., 10, FALSE), ==, 0);
}

/* Frames that lose two packets of a group, of @n packets and one of FEC. */
static gdouble
draw_incomplete (GRand *rand, gdouble loss, guint packets, guint percentage)
{
  static const guint frames = 20000;
  guint groups = MAX (packets * percentage / 100, 1);
  guint incomplete = 0;

  for (guint f = 0; f < frames; f++) {
    guint lost[64] = { 0 };
    gboolean is_whole = TRUE;

    for (guint i = 0; i < packets + groups; i++)
      lost[i % groups] += g_rand_double (rand) < loss;
    for (guint i = 0; i < groups; i++)
      is_whole = is_whole && lost[i] < 2;
    incomplete += !is_whole;
  }
  return (gdouble) incomplete / frames;
}

static void
test_two_frames_of_a_hundred_stay_incomplete_at_most (void)
{
  static const struct {
    gdouble loss;
    guint packets;
  } cases[] = { { 0.01, 1 }, { 0.01, 10 }, { 0.01, 40 }, { 0.03, 7 },
    { 0.06, 3 }, { 0.06, 5 }, { 0.1, 2 } };
  GRand *rand = g_rand_new_with_seed (3);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    guint percentage = get_of_default (
        cases[i].loss, cases[i].packets, 240, TRUE);

    g_assert_cmpuint (percentage, <=, 100);
    g_assert_cmpfloat (
        draw_incomplete (rand, cases[i].loss, cases[i].packets, percentage), <,
        0.025);
  }
  g_rand_free (rand);
}

static void
test_little_loss_needs_little_fec (void)
{
  g_assert_cmpuint (get_of_default (0.01, 7., 240, TRUE), ==, 15);
  g_assert_cmpuint (get_of_default (0.03, 7., 240, TRUE), ==, 29);
}

static void
test_a_moment_of_loss_is_not_taken_for_that_of_the_path (void)
{
  GccFecControl fec = lose (0.01);
  GccSentFrames frames = { 30., 7000., 7. };

  gcc_fec_control_feed_loss (&fec, 0.1, 99 * GCC_SECOND);
  g_assert_cmpuint (gcc_fec_control_get_percentage (&fec, &frames, VGA,
                        240 * GCC_MSECOND, TRUE, 99 * GCC_SECOND),
      <, 30);
}

static void
test_without_frames_there_is_none (void)
{
  GccSentFrames none = { .per_second = 0. };
  GccFecControl fec;

  start_with_loss (&fec, 0.1);
  g_assert_cmpuint (
      gcc_fec_control_get_percentage (&fec, &none, VGA, RTT, FALSE, 0), ==, 0);
}

/* A clock that is far off remembers nothing, rather than for hours. */
static void
test_a_clock_that_jumps_does_not_keep_fec_on (void)
{
  GccFecControl fec;

  gcc_fec_control_init (&fec, get_published ());
  gcc_fec_control_feed_loss (&fec, 0.1, 3600 * GCC_SECOND);
  g_assert_cmpuint (get (&fec, 3600 * 1000 - 5000), >, 0);
  g_assert_cmpuint (get (&fec, 0), ==, 0);
  gcc_fec_control_feed_loss (&fec, 0.1, GCC_SECOND);
  g_assert_cmpuint (get (&fec, 1000), >, 0);
  g_assert_cmpuint (get (&fec, 3600 * 1000), ==, 0);
}

static void
test_nothing_fed_does_harm (void)
{
  static const gdouble losses[] = { -1., 0., 0.5, 1., 2., G_MAXDOUBLE };
  GRand *rand = g_rand_new_with_seed (2);
  GccFecControl fec;

  gcc_fec_control_init (&fec, get_default ());
  for (guint i = 0; i < 100000; i++) {
    GccTime now = (GccTime) ((guint64) g_rand_int (rand) << (i % 33));
    GccTime rtt = (GccTime) ((guint64) g_rand_int (rand) << (i % 31));
    GccSentFrames frames = { .per_second = g_rand_double (rand),
      .bytes = g_rand_double_range (rand, 0., 1e6),
      .packets = g_rand_double_range (rand, 0., 1e3) };

    gcc_fec_control_feed_loss (
        &fec, losses[g_rand_int_range (rand, 0, G_N_ELEMENTS (losses))], now);
    g_assert_cmpuint (gcc_fec_control_get_percentage (&fec, &frames,
                          g_rand_int (rand), rtt, i % 2 != 0, now),
        <=, 100);
  }
  g_rand_free (rand);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/fec-control/" #name, test_##name)
  ADD (no_loss_is_no_fec);
  ADD (expected_losses_and_a_deviation_are_covered);
  ADD (more_loss_is_never_less_fec);
  ADD (the_greatest_loss_counts_for_ten_seconds);
  ADD (within_a_window_the_greatest_counts);
  ADD (a_short_rtt_leaves_it_to_retransmission);
  ADD (small_frames_get_none_at_a_moderate_rtt);
  ADD (an_unknown_rtt_is_no_reason_to_do_without);
  ADD (a_repair_that_comes_in_time_needs_no_fec);
  ADD (without_retransmission_there_is_fec_on_a_short_path);
  ADD (two_frames_of_a_hundred_stay_incomplete_at_most);
  ADD (little_loss_needs_little_fec);
  ADD (a_moment_of_loss_is_not_taken_for_that_of_the_path);
  ADD (without_frames_there_is_none);
  ADD (a_clock_that_jumps_does_not_keep_fec_on);
  ADD (nothing_fed_does_harm);
#undef ADD
  return g_test_run ();
}
