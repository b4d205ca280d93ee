/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/rate/gcc-rate-control.h>

#include <gst/gcc/profiles/gcc-profile-private.h>

#include "conformance.h"

#define C20 "C20 aimd_rate_control_unittest"
#define AIO "AIO test_rate AimdRateControl"

#define UNKNOWN GCC_RATE_NONE

static GccRate
update (GccRateControl *control, GccSignal signal, GccRate received_rate,
    GccTime now)
{
  GccRateControlInput input = {
    .signal = signal,
    .received_rate = received_rate,
    .noise_variance = 1.,
  };

  return gcc_rate_control_update (control, &input, now);
}

/* An AIMD controller that has been at @rate for a while. */
static void
init_at (GccRateControl *control, GccRate rate)
{
  gcc_rate_control_init (
      control, &gcc_profile_find ("goog-2020")->rate_control);
  control->is_initialized = TRUE;
  control->rate = rate;
  control->received_rate = control->params->initial_rate;
}

static void
test_states_follow_the_papers_figure (void)
{
  static const struct {
    GccRateControlState state;
    GccSignal signal;
    GccRateControlState next;
  } cells[] = {
    { GCC_RATE_CONTROL_HOLD, GCC_SIGNAL_OVERUSE, GCC_RATE_CONTROL_DECREASE },
    { GCC_RATE_CONTROL_HOLD, GCC_SIGNAL_NORMAL, GCC_RATE_CONTROL_INCREASE },
    { GCC_RATE_CONTROL_HOLD, GCC_SIGNAL_UNDERUSE, GCC_RATE_CONTROL_HOLD },
    { GCC_RATE_CONTROL_INCREASE, GCC_SIGNAL_OVERUSE,
        GCC_RATE_CONTROL_DECREASE },
    { GCC_RATE_CONTROL_INCREASE, GCC_SIGNAL_NORMAL, GCC_RATE_CONTROL_INCREASE },
    { GCC_RATE_CONTROL_INCREASE, GCC_SIGNAL_UNDERUSE, GCC_RATE_CONTROL_HOLD },
    { GCC_RATE_CONTROL_DECREASE, GCC_SIGNAL_OVERUSE,
        GCC_RATE_CONTROL_DECREASE },
    { GCC_RATE_CONTROL_DECREASE, GCC_SIGNAL_NORMAL, GCC_RATE_CONTROL_HOLD },
    { GCC_RATE_CONTROL_DECREASE, GCC_SIGNAL_UNDERUSE, GCC_RATE_CONTROL_HOLD },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cells); i++) {
    g_autofree gchar *name = g_strdup_printf ("%s in %s",
        gcc_signal_to_string (cells[i].signal),
        gcc_rate_control_state_to_string (cells[i].state));

    conformance_check_string ("G02 section 5.5", name,
        gcc_rate_control_state_to_string (cells[i].next),
        gcc_rate_control_state_to_string (
            gcc_rate_control_state_next (cells[i].state, cells[i].signal)));
  }
}

static void
test_additive_rate_is_half_a_packet_per_response_time (void)
{
  static const struct {
    const gchar *name;
    GccRate rate;
    gint64 rtt_ms;
    gint64 expected;
  } vectors[] = {
    { "near-max increase at 30 kbit/s, RTT 200 ms", 30000, 200, 4000 },
    { "near-max increase at 90 kbit/s, RTT 200 ms", 90000, 200, 5000 },
    { "near-max increase at 60 kbit/s, RTT 100 ms", 60000, 100, 5000 },
  };
  GccRateControl control;

  for (guint i = 0; i < G_N_ELEMENTS (vectors); i++) {
    init_at (&control, vectors[i].rate);
    gcc_rate_control_set_rtt (&control, vectors[i].rtt_ms * GCC_MSECOND);
    conformance_check_int (C20, vectors[i].name, vectors[i].expected,
        llround (gcc_rate_control_get_additive_rate (&control)));
  }

  init_at (&control, 300000);
  update (&control, GCC_SIGNAL_OVERUSE, 300000, 0);
  conformance_check_int_near (C20, "increase after over-use at 300 kbit/s",
      14000, 1000, llround (gcc_rate_control_get_additive_rate (&control)));

  init_at (&control, 110000);
  update (&control, GCC_SIGNAL_OVERUSE, (GccRate) (90000 / 0.85), 0);
  conformance_check_int (C20, "increase after a fall from 110 to 90 kbit/s",
      5000, llround (gcc_rate_control_get_additive_rate (&control)));
}

/* It tells a prober how long a decrease takes to recover. */
static void
test_expected_periods (void)
{
  static const gchar *vectors[][2] = {
    { "expected period, default", "3000" },
    { "expected period, 110 to 90 kbit/s", "4000" },
    { "expected period, floor", "2000" },
    { "expected period, cap", "50000" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (vectors); i++)
    conformance_not_applicable (
        C20, vectors[i][0], vectors[i][1], "no prober that would use it");
}

static void
test_first_step_of_another_controller (void)
{
  GccRateControl control;

  init_at (&control, 100000);
  control.state = GCC_RATE_CONTROL_INCREASE;
  control.last_change = 0;
  conformance_check_int ("PI pkg/gcc rate_controller_test",
      "100 kbit/s after one second", 108000,
      update (&control, GCC_SIGNAL_NORMAL, 100000, GCC_SECOND));
}

static GccRate
run (GccRateControl *control, GccSignal signal, GccRate received_rate,
    GccTime *now, GccTime duration)
{
  GccTime end = *now + duration;

  for (; *now < end; *now += 100 * GCC_MSECOND)
    update (control, signal, received_rate, *now);
  return gcc_rate_control_get_rate (control);
}

static void
test_rate_is_bounded_by_what_arrives (void)
{
  static const gchar *sources[] = { C20, AIO };

  for (guint i = 0; i < G_N_ELEMENTS (sources); i++) {
    const gchar *source = sources[i];
    GccRateControl control;
    GccTime now = 0;

    init_at (&control, 10000);
    conformance_check_int (source, "10 kbit/s arrive for 20 s", 25000,
        run (&control, GCC_SIGNAL_NORMAL, 10000, &now, 20 * GCC_SECOND));

    now = 0;
    init_at (&control, 100000);
    conformance_check_int_near (source, "100 kbit/s arrive for 20 s", 160000,
        2000, run (&control, GCC_SIGNAL_NORMAL, 100000, &now, 20 * GCC_SECOND));
    conformance_check_int (source, "half of it arrives then",
        gcc_rate_control_get_rate (&control),
        update (&control, GCC_SIGNAL_NORMAL, 50000, now));
  }
}

static void
test_rate_is_bounded_by_what_arrived_last (void)
{
  GccRateControl control;
  GccTime now = 0;
  GccRate rate;

  init_at (&control, 123000);
  update (&control, GCC_SIGNAL_NORMAL, 123000, now);
  now += 5 * GCC_SECOND + GCC_MSECOND;
  update (&control, GCC_SIGNAL_NORMAL, 123000, now);
  rate = run (&control, GCC_SIGNAL_NORMAL, UNKNOWN, &now, 10 * GCC_SECOND);
  conformance_check_boolean (
      C20, "at most 1.5 * 123 + 10 kbit/s", TRUE, rate <= 1.5 * 123000 + 10000);
}

/* A browser whose encoder is as coarse as it can be sends little more than 40 %
 * of what it may: A_r stayed where the link had been narrow, for good. */
static void
test_the_default_outgrows_a_sender_that_uses_less_than_half (void)
{
  GccRateControl control;

  init_at (&control, 300000);
  control.params = &gcc_profile_find ("recommended")->rate_control;
  for (gint t = 0; t < 300; t++)
    update (&control, GCC_SIGNAL_NORMAL, control.rate * 42 / 100,
        200 * t * GCC_MSECOND);
  g_assert_cmpint (control.rate, >, 2000000);
}

/* R is A_r, as of an encoder that follows at once, or @share of it; five updates
 * a second. Returns A_r after @seconds. */
static GccRate
grow (GccRateControl *control, gdouble share, guint seconds, GccTime *now)
{
  for (guint i = 0; i < 5 * seconds; i++) {
    GccRate rate = MAX (gcc_rate_control_get_rate (control), 300000);

    *now += 200 * GCC_MSECOND;
    update (
        control, GCC_SIGNAL_NORMAL, (GccRate) (share * (gdouble) rate), *now);
  }
  return gcc_rate_control_get_rate (control);
}

static void
overuse (GccRateControl *control, GccRate received_rate, GccTime *now)
{
  *now += 200 * GCC_MSECOND;
  update (control, GCC_SIGNAL_OVERUSE, received_rate, *now);
}

static const GccRateControlParams *
get_default (void)
{
  return &gcc_profile_find ("recommended")->rate_control;
}

/* 5 s until the first A_r, and 15 s from there to three times of it. */
static void
test_the_default_starts_fast (void)
{
  GccRateControl control;
  GccTime now = 0;

  gcc_rate_control_init (&control, get_default ());
  g_assert_cmpint (grow (&control, 1., 4, &now), >=, 900000);
}

/* A_r after five seconds of a start at 300 kbit/s, all of which arrives at once. */
static GccRate
start_on (GccRate link)
{
  GccRateControl control;
  GccRateControlInput input = { .signal = GCC_SIGNAL_NORMAL, .link = link };

  gcc_rate_control_init (&control, &gcc_profile_recommended.rate_control);
  gcc_rate_control_set_rate (&control, 300000, 0);
  for (GccTime now = 0; now < 5 * GCC_SECOND; now += 200 * GCC_MSECOND) {
    input.received_rate = gcc_rate_control_get_rate (&control);
    gcc_rate_control_update (&control, &input, now);
  }
  return gcc_rate_control_get_rate (&control);
}

static void
test_a_growth_that_is_given_takes_the_place_of_the_profiles (void)
{
  GccRateControlInput input = {
    .signal = GCC_SIGNAL_NORMAL,
    .received_rate = 1000000,
    .has_growth = TRUE,
    .growth = 50000.,
  };
  GccRateControl control;

  gcc_rate_control_init (&control, &gcc_profile_recommended.rate_control);
  gcc_rate_control_set_rate (&control, 1000000, 0);
  gcc_rate_control_update (&control, &input, 0);
  g_assert_cmpint (
      gcc_rate_control_update (&control, &input, GCC_SECOND / 2), ==, 1025000);
  input.growth = 0.;
  g_assert_cmpint (
      gcc_rate_control_update (&control, &input, GCC_SECOND), ==, 1025000);
}

static void
test_a_step_of_a_growth_that_is_given_does_not_pass_its_end (void)
{
  GccRateControlInput input = {
    .signal = GCC_SIGNAL_NORMAL,
    .received_rate = 1000000,
    .has_growth = TRUE,
    .growth = 400000.,
    .growth_end = 1100000,
  };
  GccRateControl control;

  gcc_rate_control_init (&control, &gcc_profile_recommended.rate_control);
  gcc_rate_control_set_rate (&control, 1000000, 0);
  gcc_rate_control_update (&control, &input, 0);
  g_assert_cmpint (
      gcc_rate_control_update (&control, &input, GCC_SECOND / 2), ==, 1100000);
  g_assert_cmpint (
      gcc_rate_control_update (&control, &input, GCC_SECOND), ==, 1100000);
}

static void
test_a_start_ends_where_the_link_does (void)
{
  GccRate rate = start_on (1000000);

  g_assert_cmpint (rate, >=, 1000000);
  g_assert_cmpint (rate, <, 1500000);
}

static void
test_a_start_goes_on_while_no_link_is_known (void)
{
  g_assert_cmpint (start_on (GCC_RATE_NONE), >, 4000000);
  g_assert_cmpint (start_on (0), >, 4000000);
}

/* Guards: a token bucket, which tells of 20 Gbit/s. */
static void
test_a_link_out_of_reach_is_none (void)
{
  g_assert_cmpint (start_on (G_MAXINT64), ==, start_on (GCC_RATE_NONE));
}

static void
test_overuse_ends_the_start (void)
{
  GccRateControl control;
  GccTime now = 0;

  gcc_rate_control_init (&control, get_default ());
  grow (&control, 1., 4, &now);
  overuse (&control, 1000000, &now);
  g_assert_cmpint (grow (&control, 1., 2, &now), <, 1000000);
}

/* Else each sender that uses half of A_r would be allowed any rate. */
static void
test_the_start_stays_with_what_arrives (void)
{
  GccRateControl control;
  GccTime now = 0;

  gcc_rate_control_init (&control, get_default ());
  grow (&control, 1., 2, &now);
  for (guint i = 0; i < 20; i++)
    update (&control, GCC_SIGNAL_NORMAL, 300000, now += 200 * GCC_MSECOND);
  g_assert_cmpint (gcc_rate_control_get_rate (&control), <, 800000);
}

static void
test_a_path_that_takes_more_is_a_new_start (void)
{
  GccRateControl control;
  GccTime now = 0;

  gcc_rate_control_init (&control, get_default ());
  grow (&control, 1., 2, &now);
  overuse (&control, 400000, &now);
  grow (&control, 1., 3, &now);
  update (&control, GCC_SIGNAL_NORMAL, 600000, now += 200 * GCC_MSECOND);
  g_assert_cmpint (grow (&control, 1., 3, &now), >=, 1500000);
}

/* R is the mean of a second: after over-use it may only be catching up. */
static void
test_more_that_arrives_soon_after_overuse_is_no_new_start (void)
{
  GccRateControl control;
  GccTime now = 0;

  gcc_rate_control_init (&control, get_default ());
  grow (&control, 1., 2, &now);
  overuse (&control, 400000, &now);
  update (&control, GCC_SIGNAL_NORMAL, 600000, now += 200 * GCC_MSECOND);
  g_assert_cmpint (grow (&control, 1., 3, &now), <, 600000);
}

/* Guards: 27 s from 5 to the 50 kbit/s that were sent all the time. */
static void
test_no_rate_is_below_what_is_sent_anyway (void)
{
  GccRateControl control;
  GccTime now = 100 * GCC_SECOND;

  gcc_rate_control_init (&control, get_default ());
  gcc_rate_control_set_min (&control, 50000);
  gcc_rate_control_set_rate (&control, 1000, now);
  g_assert_cmpint (gcc_rate_control_get_rate (&control), ==, 50000);
  overuse (&control, 10000, &now);
  g_assert_cmpint (gcc_rate_control_get_rate (&control), ==, 50000);
  gcc_rate_control_reset (&control);
  gcc_rate_control_set_rate (&control, 1000, now);
  g_assert_cmpint (gcc_rate_control_get_rate (&control), ==, 50000);

  gcc_rate_control_set_min (&control, 200000);
  g_assert_cmpint (gcc_rate_control_get_rate (&control), ==, 200000);
  gcc_rate_control_set_min (&control, 0);
  gcc_rate_control_set_rate (&control, 0, now);
  g_assert_cmpint (
      gcc_rate_control_get_rate (&control), ==, get_default ()->min_rate);
}

/* How much A_r grows in a second at @share of the known capacity. */
static GccRate
grow_at (const gchar *profile, gdouble share)
{
  GccRate capacity = 1000000;
  GccRate rate = (GccRate) (share * (gdouble) capacity);
  GccRateControl control;
  GccTime now = 100 * GCC_SECOND;

  gcc_rate_control_init (&control, &gcc_profile_find (profile)->rate_control);
  gcc_rate_control_set_rtt (&control, 50 * GCC_MSECOND);
  gcc_rate_control_set_rate (&control, capacity, now);
  overuse (&control, capacity, &now);
  gcc_rate_control_set_rate (&control, rate, now);
  update (&control, GCC_SIGNAL_NORMAL, capacity, now);
  return update (&control, GCC_SIGNAL_NORMAL, capacity, now + GCC_SECOND) -
      rate;
}

/* Two calls of 25 kbit/s per second each overshot 1 Mbit/s by 8 % before either
 * noticed: p95 of 120 ms. */
static void
test_the_default_slows_near_the_capacity (void)
{
  GccRate near = grow_at ("recommended", 1.);

  g_assert_cmpint (grow_at ("recommended", 0.9), >, 3 * near);
  g_assert_cmpint (grow_at ("recommended", 1.05), >, 3 * near);
  g_assert_cmpint (grow_at ("goog-2020", 1.), >, 2 * near);
  g_assert_cmpint (
      ABS (grow_at ("goog-2020", 0.9) - grow_at ("goog-2020", 1.)), <, 3000);
}

/* In one second, from 950 kbit/s. */
static GccRate
measure_growth (GccRate capacity)
{
  GccRateControl control;

  init_at (&control, 950000);
  gcc_rate_control_set_rtt (&control, 100 * GCC_MSECOND);
  update (&control, GCC_SIGNAL_NORMAL, 950000, 0);
  gcc_rate_control_set_rate (&control, 950000, 0);
  if (capacity > 0)
    gcc_rate_control_feed_capacity (&control, capacity, 0);
  for (GccTime now = 0; now <= GCC_SECOND; now += 100 * GCC_MSECOND)
    update (&control, GCC_SIGNAL_NORMAL, 950000, now);
  return gcc_rate_control_get_rate (&control) - 950000;
}

static void
test_growth_is_slow_near_a_capacity_that_others_have_found (void)
{
  g_assert_cmpint (measure_growth (0), >, 70000);
  g_assert_cmpint (measure_growth (1000000), <, 40000);
  g_assert_cmpint (measure_growth (1000000), >, 10000);
  /* more arrives than was ever known to */
  g_assert_cmpint (measure_growth (500000), >, 70000);
}

static void
test_first_steps_as_published (void)
{
  GccRateControl control;

  init_at (&control, 300000);
  conformance_check_int (AIO, "normal at 300 kbit/s", 301000,
      update (&control, GCC_SIGNAL_NORMAL, 300000, 0));

  init_at (&control, 300000);
  conformance_check_int (AIO, "normal at 300 kbit/s, received rate unknown",
      301000, update (&control, GCC_SIGNAL_NORMAL, UNKNOWN, 0));

  init_at (&control, 300000);
  conformance_check_int (AIO, "over-use at 300 kbit/s", 255000,
      update (&control, GCC_SIGNAL_OVERUSE, 300000, 0));
  conformance_check_string (AIO, "state after it", "hold",
      gcc_rate_control_state_to_string (control.state));
  conformance_check_double (AIO, "average maximum after it, kbit/s", 300., 0.,
      control.capacity.average);
  conformance_check_double (
      AIO, "variance after it", 0.4, 1e-9, control.capacity.variance);

  init_at (&control, 300000);
  conformance_check_int (AIO, "under-use at 300 kbit/s", 300000,
      update (&control, GCC_SIGNAL_UNDERUSE, 300000, 0));
  conformance_check_string (AIO, "state after under-use", "hold",
      gcc_rate_control_state_to_string (control.state));
}

/* Guards: the capacity of a link that was slower. Over-use where R exceeded A_s set
 * A_s to that, though a probe had shown more. */
static void
test_a_capacity_that_a_probe_exceeds_is_forgotten (void)
{
  static const struct {
    GccRate probe, after;
  } probes[] = { { 401000, 340000 }, { 1000000, 1000000 } };

  for (guint i = 0; i < G_N_ELEMENTS (probes); i++) {
    GccRateControl control;

    init_at (&control, 1000000);
    gcc_rate_control_feed_capacity (&control, 400000, 0);
    gcc_rate_control_feed_probe (&control, probes[i].probe);
    gcc_rate_control_set_rate (&control, 1000000, 0);
    update (&control, GCC_SIGNAL_OVERUSE, 1300000, GCC_SECOND);
    g_assert_cmpint (gcc_rate_control_get_rate (&control), ==, probes[i].after);
  }
}

static void
test_capacity_is_learnt_and_forgotten (void)
{
  GccRateControl control;
  GccTime now = 0;

  init_at (&control, 300000);
  update (&control, GCC_SIGNAL_OVERUSE, 100000, now);
  conformance_check_double (
      AIO, "over-use at 100 kbit/s", 100., 0., control.capacity.average);

  now += GCC_SECOND;
  update (&control, GCC_SIGNAL_NORMAL, 100000, now);
  conformance_check_double (
      AIO, "normal at 100 kbit/s", 100., 0., control.capacity.average);

  now += GCC_SECOND;
  update (&control, GCC_SIGNAL_NORMAL, 150000, now);
  conformance_check_boolean (AIO, "known after normal at 150 kbit/s", FALSE,
      control.capacity.is_known);

  now += GCC_SECOND;
  update (&control, GCC_SIGNAL_OVERUSE, 150000, now);
  conformance_check_double (
      AIO, "over-use at 150 kbit/s", 150., 0., control.capacity.average);

  now += GCC_SECOND;
  update (&control, GCC_SIGNAL_OVERUSE, 100000, now);
  conformance_check_double (
      AIO, "over-use at 100 kbit/s", 100., 0., control.capacity.average);
}

/* Growth per second by eq. (3), from the formula and the numbers of C13. */
static void
test_2013_growth_as_derived (void)
{
  static const struct {
    gint64 rtt_ms;
    gdouble growth[5];
  } rows[] = {
    { 10, { 1.01763, 1.05288, 1.00881, 1.01645, 1.01211 } },
    { 50, { 1.01690, 1.05069, 1.00845, 1.01577, 1.01162 } },
    { 100, { 1.01602, 1.04807, 1.00801, 1.01495, 1.01106 } },
    { 200, { 1.01440, 1.04320, 1.00720, 1.01344, 1.01004 } },
    { 400, { 1.01168, 1.03504, 1.00584, 1.01094, 1.00844 } },
    { 1000, { 1.00712, 1.02135, 1.00356, 1.00686, 1.00602 } },
  };
  static const struct {
    GccRateControlRegion region;
    gdouble noise_variance;
    const gchar *name;
  } columns[] = {
    { GCC_RATE_CONTROL_ABOVE_MAX, 1., "above the maximum" },
    { GCC_RATE_CONTROL_MAX_UNKNOWN, 1., "maximum unknown" },
    { GCC_RATE_CONTROL_NEAR_MAX, 1., "near the maximum" },
    { GCC_RATE_CONTROL_ABOVE_MAX, 10., "noise variance 10" },
    { GCC_RATE_CONTROL_ABOVE_MAX, 50., "noise variance 50" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    for (guint j = 0; j < G_N_ELEMENTS (columns); j++) {
      GccRateControlInput input = {
        .signal = GCC_SIGNAL_NORMAL,
        .received_rate = 1000000000,
        .noise_variance = columns[j].noise_variance,
      };
      g_autofree gchar *name = g_strdup_printf (
          "growth, RTT %d ms, %s", (gint) rows[i].rtt_ms, columns[j].name);
      GccRateControl control;
      GccRate rate = 1000000000;

      gcc_rate_control_init (
          &control, &gcc_profile_find ("rtcweb-2013")->rate_control);
      gcc_rate_control_set_rtt (&control, rows[i].rtt_ms * GCC_MSECOND);
      control.is_initialized = TRUE;
      control.state = GCC_RATE_CONTROL_INCREASE;
      control.rate = rate;
      control.region = columns[j].region;
      control.last_change = 0;
      control.mimd.last_update = 0;
      rate = gcc_rate_control_update (&control, &input, GCC_SECOND);
      conformance_check_double ("C13 derived", name, rows[i].growth[j], 5e-6,
          (gdouble) (rate - 1000) / 1e9);
    }
  }
}

/* Its growth over a day is beyond any number; the 1.5 rule then keeps A_r. */
static void
test_a_clock_that_jumps_ahead_does_not_lower_the_rate (void)
{
  GccRateControl control;

  gcc_rate_control_init (
      &control, &gcc_profile_find ("rtcweb-2013")->rate_control);
  control.is_initialized = TRUE;
  control.state = GCC_RATE_CONTROL_INCREASE;
  control.rate = 300000;
  control.last_change = 0;
  control.mimd.last_update = 0;
  g_assert_cmpint (
      update (&control, GCC_SIGNAL_NORMAL, 300000, 86400 * GCC_SECOND), ==,
      300000);
}

static void
test_nothing_is_told_before_five_seconds (void)
{
  GccRateControl control;
  GccTime now = 0;

  gcc_rate_control_init (
      &control, &gcc_profile_find ("goog-2020")->rate_control);
  g_assert_cmpint (
      update (&control, GCC_SIGNAL_NORMAL, UNKNOWN, now), ==, GCC_RATE_NONE);
  now += GCC_SECOND;
  g_assert_cmpint (
      update (&control, GCC_SIGNAL_NORMAL, 500000, now), ==, GCC_RATE_NONE);
  now += 5 * GCC_SECOND;
  g_assert_cmpint (
      update (&control, GCC_SIGNAL_NORMAL, 500000, now), ==, GCC_RATE_NONE);
  now += GCC_MSECOND;
  g_assert_cmpint (
      update (&control, GCC_SIGNAL_NORMAL, 500000, now), >=, 500000);
}

static void
test_overuse_tells_a_rate_at_once (void)
{
  GccRateControl control;

  gcc_rate_control_init (
      &control, &gcc_profile_find ("goog-2020")->rate_control);
  g_assert_cmpint (
      update (&control, GCC_SIGNAL_OVERUSE, 500000, 0), ==, 425000);
}

/* A first rate below the least one would make the next decrease an increase. */
static void
test_aimd_does_not_start_below_its_least_rate (void)
{
  GccRateControl control;

  gcc_rate_control_init (
      &control, &gcc_profile_find ("rmcat-2016")->rate_control);
  update (&control, GCC_SIGNAL_NORMAL, 4000, 0);
  g_assert_cmpint (
      update (&control, GCC_SIGNAL_UNDERUSE, 4000, 6 * GCC_SECOND), ==, 10000);
  g_assert_cmpint (
      update (&control, GCC_SIGNAL_OVERUSE, 4000, 7 * GCC_SECOND), ==, 10000);
}

/* C13: "rate = min". MIMD may start lower. */
static void
test_mimd_rises_to_the_least_rate_when_less_comes (void)
{
  GccRateControl control;

  gcc_rate_control_init (
      &control, &gcc_profile_find ("rtcweb-2013")->rate_control);
  update (&control, GCC_SIGNAL_NORMAL, 20000, 0);
  update (&control, GCC_SIGNAL_UNDERUSE, 20000, GCC_SECOND);
  g_assert_cmpint (gcc_rate_control_get_rate (&control), ==, 20000);
  g_assert_cmpint (
      update (&control, GCC_SIGNAL_OVERUSE, 20000, 2 * GCC_SECOND), ==, 30000);
}

static void
test_decrease_never_raises (void)
{
  GRand *rand = g_rand_new_with_seed (4);

  for (guint i = 0; i < gcc_n_profiles; i++) {
    GccRateControl control;
    GccTime now = 0;

    gcc_rate_control_init (&control, &gcc_profiles[i]->rate_control);
    for (guint j = 0; j < 100000; j++) {
      GccSignal signal = (GccSignal) g_rand_int_range (rand, 0, 3);
      GccRate before = gcc_rate_control_get_rate (&control);
      GccRate received = g_rand_int_range (rand, -1, 5000000);
      GccRate after;

      now += g_rand_int_range (rand, -GCC_SECOND / 4, 2 * GCC_SECOND);
      after = update (&control, signal, received, now);
      g_assert_true (after == GCC_RATE_NONE || after > 0);
      if (before != GCC_RATE_NONE && signal == GCC_SIGNAL_OVERUSE)
        g_assert_cmpint (after, <=, before);
      if (before != GCC_RATE_NONE && signal == GCC_SIGNAL_UNDERUSE)
        g_assert_cmpint (after, ==, before);
      g_assert_true (isfinite (control.capacity.average));
      g_assert_true (isfinite (control.capacity.variance));
    }
  }
  g_rand_free (rand);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/rate-control/" #name, test_##name)
  ADD (states_follow_the_papers_figure);
  ADD (additive_rate_is_half_a_packet_per_response_time);
  ADD (expected_periods);
  ADD (first_step_of_another_controller);
  ADD (rate_is_bounded_by_what_arrives);
  ADD (rate_is_bounded_by_what_arrived_last);
  g_test_add_func ("/rate-control/the_default_outgrows_a_sender_that_uses_less_"
                   "than_half",
      test_the_default_outgrows_a_sender_that_uses_less_than_half);
  ADD (the_default_starts_fast);
  ADD (a_growth_that_is_given_takes_the_place_of_the_profiles);
  ADD (a_step_of_a_growth_that_is_given_does_not_pass_its_end);
  ADD (a_start_ends_where_the_link_does);
  ADD (a_start_goes_on_while_no_link_is_known);
  ADD (a_link_out_of_reach_is_none);
  ADD (overuse_ends_the_start);
  ADD (the_start_stays_with_what_arrives);
  ADD (a_path_that_takes_more_is_a_new_start);
  ADD (more_that_arrives_soon_after_overuse_is_no_new_start);
  ADD (the_default_slows_near_the_capacity);
  ADD (growth_is_slow_near_a_capacity_that_others_have_found);
  ADD (first_steps_as_published);
  ADD (a_capacity_that_a_probe_exceeds_is_forgotten);
  ADD (capacity_is_learnt_and_forgotten);
  ADD (2013_growth_as_derived);
  ADD (a_clock_that_jumps_ahead_does_not_lower_the_rate);
  ADD (nothing_is_told_before_five_seconds);
  ADD (overuse_tells_a_rate_at_once);
  ADD (mimd_rises_to_the_least_rate_when_less_comes);
  ADD (aimd_does_not_start_below_its_least_rate);
  ADD (decrease_never_raises);
  ADD (no_rate_is_below_what_is_sent_anyway);
#undef ADD
  return g_test_run ();
}
