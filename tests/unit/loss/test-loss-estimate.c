/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/loss/gcc-loss-estimate.h>
#include <gst/gcc/profiles/gcc-goog-2026.h>

#include "conformance.h"

#define C26 "C26 loss_based_bwe_v2_test"

#define SIZE 15000
#define STEP (250 * GCC_MSECOND)
#define MAX_STEPS 10
#define MAX_PACKETS 10

/* --- the configurations of the published tests --- */

/* The one with a number for everything. */
static GccLossEstimateParams
get_full (void)
{
  GccLossEstimateParams params = gcc_goog_2026_loss_estimate;

  params.factors[0] = 1.1;
  params.ramp_up = 1.2;
  params.bias = 0.01;
  params.inherent_max = 0.9;
  params.inherent_balance = 14000;
  params.newton_steps = 2;
  params.newton_step = 0.4;
  params.rate_smoothing = 0.01;
  params.bound_offset = 0.1;
  params.bound_balance = 90000;
  params.average_weight = 0.97;
  params.weight = 0.98;
  params.max_increase = 1.5;
  params.min_observations = 1;
  return params;
}

/* Two observations are enough to look back on. */
static GccLossEstimateParams
get_short (void)
{
  GccLossEstimateParams params = gcc_goog_2026_loss_estimate;

  params.window = 2;
  params.min_observations = 1;
  return params;
}

static GccLossEstimateParams
get_windowed (guint window)
{
  GccLossEstimateParams params = get_short ();

  params.window = window;
  return params;
}

/* --- what is sent --- */

/* @block: 'r' two packets received, 'h' the second of two lost, 'z' both lost,
 * 't' the last of ten lost, 'T' the same, that one being 20 times as long;
 * each 250 ms after the last, the first at @at.
 * @delay_based and @acknowledged: kbit/s; 0 is none, and as it was.
 * @expected: kbit/s and the state, %NULL where nothing is published */
typedef struct {
  gchar block;
  guint at;
  gdouble delay_based;
  gdouble acknowledged;
  const gchar *expected;
} Step;

static guint
get_n_packets (gchar block)
{
  return block == 't' || block == 'T' ? 10 : 2;
}

static gboolean
is_lost (gchar block, guint i)
{
  return block == 'z' || (block != 'r' && i == get_n_packets (block) - 1);
}

static guint
make_packets (const Step *step, GccPacketResult *packets)
{
  guint n = get_n_packets (step->block);

  for (guint i = 0; i < n; i++) {
    gboolean lost = is_lost (step->block, i);

    packets[i] = (GccPacketResult){
      .sent = { .time = (step->at + i) * STEP,
          .size = step->block == 'T' && lost ? 20 * SIZE : SIZE },
      .is_received = !lost,
      .arrival = lost ? GCC_TIME_NONE : (step->at + i + 1) * STEP,
    };
  }
  return n;
}

static GccRate
from_kbps (gdouble kbps)
{
  return kbps == 0. ? GCC_RATE_NONE : llround (kbps * 1000.);
}

static gchar *
describe (const GccLossEstimate *estimate)
{
  static const gchar letters[] = { 'D', 'X', 'I', 'P' };

  return g_strdup_printf ("%.7g %c",
      (gdouble) gcc_loss_estimate_get_rate (estimate) / 1000.,
      letters[gcc_loss_estimate_get_state (estimate)]);
}

static void
feed (GccLossEstimate *estimate, const GccPacketResult *packets, guint n)
{
  gcc_loss_estimate_update (estimate,
      &(GccLossEstimateInput){
          .results = packets,
          .n_results = n,
          .acknowledged = GCC_RATE_NONE,
          .delay_based = 500000,
      });
}

typedef struct {
  const gchar *name;
  gdouble start;
  gdouble acknowledged;
  gboolean in_alr;
  Step steps[MAX_STEPS];
} Vector;

static void
apply (GccLossEstimate *estimate, const Step *step, gboolean in_alr)
{
  GccPacketResult packets[MAX_PACKETS];
  guint n = make_packets (step, packets);

  gcc_loss_estimate_update (estimate,
      &(GccLossEstimateInput){
          .results = packets,
          .n_results = n,
          .acknowledged = from_kbps (step->acknowledged),
          .delay_based = from_kbps (step->delay_based),
          .in_alr = in_alr,
      });
}

static void
run (GccLossEstimateParams params, const Vector *vector)
{
  GccLossEstimate estimate;

  gcc_loss_estimate_init (&estimate, &params);
  gcc_loss_estimate_set_rate (&estimate, from_kbps (vector->start));
  for (const Step *step = vector->steps; step->block != 0; step++) {
    g_autofree gchar *name = g_strdup_printf ("%s: step %u (%c), kbit/s",
        vector->name, (guint) (step - vector->steps) + 1, step->block);
    g_autofree gchar *got = NULL;
    Step each = *step;

    if (step == vector->steps && each.acknowledged == 0.)
      each.acknowledged = vector->acknowledged;
    apply (&estimate, &each, vector->in_alr);
    got = describe (&estimate);
    if (step->expected != NULL)
      conformance_check_string (C26, name, step->expected, got);
  }
}

#define RUN(params, ...) run (params, &(const Vector){ __VA_ARGS__ })

/* --- published --- */

static void
test_it_rises_while_nothing_is_lost (void)
{
  RUN (get_full (), "no loss, R 900 from the second on", 600, 0, FALSE,
      { { 'r', 0, 0, 0, "660 X" }, { 'r', 2, 0, 900, "900 P" } });
  RUN (get_full (), "no loss, no R", 600, 0, FALSE,
      { { 'r', 0, 0, 0, "660 X" }, { 'r', 2, 0, 0, "726 P" } });
}

static void
test_all_lost_leaves_the_upper_bound (void)
{
  RUN (get_full (), "all lost", 600, 0, FALSE, { { 'z', 0, 0, 0, "100 X" } });
}

static void
test_it_falls_to_the_acknowledged_rate (void)
{
  RUN (get_full (), "R 300, half lost, then all", 600, 300, FALSE,
      { { 'h', 0, 0, 0, "300 X" }, { 'z', 2, 0, 0, "300 X" } });
}

static void
test_it_does_not_rise_at_once_after_a_fall (void)
{
  RUN (get_short (), "R 100, all lost, then none", 600, 100, FALSE,
      { { 'z', 0, 5000, 0, "100 X" }, { 'r', 1, 5000, 0, "100 X" },
          { 'r', 2, 5000, 0, "120 P" } });
}

static void
test_a_low_rate_ramps_up_slowly (void)
{
  GccLossEstimateParams params = get_short ();

  params.ramp_up = 1.2;
  params.held_threshold = 0.99;
  RUN (params, "R 300, all lost, then R 270", 600, 300, FALSE,
      { { 'z', 0, 5000, 0, "300 X" }, { 'r', 1, 5000, 270, NULL },
          { 'r', 2, 5000, 0, "324 P" }, { 'r', 3, 5000, 0, "324 P" },
          { 'r', 4, 5000, 0, "324 P" } });
}

static void
test_it_does_not_rise_while_more_is_lost_than_explained (void)
{
  GccLossEstimateParams params = get_short ();

  params.factors[0] = 1.2;
  params.factors[1] = params.factors[2] = 0.;
  RUN (params, "a tenth lost, candidate 1.2", 600, 0, FALSE,
      { { 't', 0, 0, 0, "600 X" } });
}

static void
test_it_prefers_high_rates_below_the_threshold (void)
{
  GccLossEstimateParams params = get_short ();

  params.needs_inherent = FALSE;
  RUN (params, "a tenth lost twice, whatever explains it", 600, 0, FALSE,
      { { 't', 0, 5000, 0, NULL }, { 't', 1, 5000, 0, "2000 X" } });
}

static void
test_the_acknowledged_rate_does_not_count_in_alr (void)
{
  GccLossEstimateParams params = get_short ();

  params.min_rate = 10000;
  RUN (params, "R 100, all lost, ALR", 600, 100, TRUE,
      { { 'z', 0, 5000, 0, "105.263 X" } });
  RUN (params, "R 100, all lost", 600, 100, FALSE,
      { { 'z', 0, 5000, 0, "100 X" } });
}

static void
test_the_acknowledged_rate_is_the_floor (void)
{
  GccLossEstimateParams params = get_short ();

  RUN (get_short (), "R 500, all lost", 600, 500, FALSE,
      { { 'z', 0, 0, 0, "500 X" } });
  params.floor = 0.;
  RUN (params, "R 500, all lost, no floor", 600, 500, FALSE,
      { { 'z', 0, 0, 0, "105.263 X" } });
  params.floor = 10.;
  RUN (params, "R 1, half lost, then R 200, floor 10 R", 500, 1, FALSE,
      { { 'h', 0, 0, 0, "222.222 X" }, { 'h', 2, 0, 200, "2000 P" } });
}

static void
test_the_upper_bound_may_be_a_candidate (void)
{
  GccLossEstimateParams params = get_short ();

  params.upper_bound_candidate = TRUE;
  RUN (params, "R 150, half lost, then none, ALR", 1000, 150, TRUE,
      { { 'h', 0, 0, 0, "222.222 X" }, { 'r', 1, 0, 0, NULL },
          { 'r', 2, 0, 0, NULL }, { 'r', 3, 0, 0, "222.223 P" } });
}

static void
test_padding_helps_a_rise (void)
{
  GccLossEstimateParams params = get_short ();

  params.padding = GCC_SECOND;
  RUN (params, "half lost, then none", 2500, 0, FALSE,
      { { 'h', 0, 0, 0, "222.222 X" }, { 'r', 1, 0, 0, NULL },
          { 'r', 2, 0, 0, "226.666 P" } });
}

static void
test_the_held_rate_is_not_below_the_acknowledged_one (void)
{
  GccLossEstimateParams params = get_short ();

  params.hold_factor = 10.;
  RUN (params, "half lost, then R 1000", 2500, 0, FALSE,
      { { 'h', 0, 0, 0, "222.222 X" }, { 'h', 1, 0, 1000, "1000 X" } });
  RUN (get_short (), "all lost, then R 1000, then none lost", 2500, 0, FALSE,
      { { 'z', 0, 0, 0, "105.263 X" }, { 'z', 1, 0, 1000, "1000 X" },
          { 'r', 2, 0, 0, NULL }, { 'r', 3, 0, 0, "1020 P" } });
}

static void
test_bytes_count_not_packets (void)
{
  RUN (get_short (), "one packet of ten lost, 300000 bytes", 500, 0, FALSE,
      { { 'T', 0, 0, 0, "156.334 X" } });
}

static void
test_one_bad_moment_is_left_out (void)
{
  RUN (get_windowed (5), "all lost once, and again", 500, 0, FALSE,
      { { 'r', 0, 500, 0, NULL }, { 'r', 1, 500, 0, NULL },
          { 'r', 2, 500, 0, NULL }, { 'r', 3, 500, 0, NULL },
          { 'r', 4, 500, 0, NULL }, { 'z', 5, 500, 0, "500 D" },
          { 'r', 6, 500, 0, "500 D" }, { 'z', 7, 500, 0, "302.688 X" } });
}

static void
test_of_equal_candidates_the_larger_counts (void)
{
  RUN (get_short (), "no loss, delay based 1020.008", 1000, 0, FALSE,
      { { 'r', 0, 1000, 0, NULL }, { 'r', 1, 1020.008, 0, "1020.008 D" } });
}

/* --- as it is used --- */

static void
test_it_counts_after_three_observations (void)
{
  GccLossEstimate estimate;

  gcc_loss_estimate_init (&estimate, &gcc_goog_2026_loss_estimate);
  g_assert_cmpint (gcc_loss_estimate_get_rate (&estimate), ==, GCC_RATE_NONE);
  for (guint i = 0; i < 3; i++) {
    Step step = { 'z', i, 700, 0, NULL };

    g_assert_false (gcc_loss_estimate_is_ready (&estimate));
    apply (&estimate, &step, FALSE);
    g_assert_cmpint (gcc_loss_estimate_get_rate (&estimate), <=, 700000);
  }
  g_assert_true (gcc_loss_estimate_is_ready (&estimate));
  g_assert_cmpint (gcc_loss_estimate_get_rate (&estimate), <, 700000);
  g_assert_cmpfloat (estimate.average_loss, ==, 1.);
}

/* Guards against a packet that counts twice: once without a time of arrival, and
 * once with it. */
static void
test_a_time_of_arrival_adds_no_packet (void)
{
  GccPacketResult packets[] = {
    { .sent = { .time = 0, .size = SIZE },
        .is_received = TRUE,
        .arrival = 1,
        .had_arrived = TRUE },
    { .sent = { .time = STEP, .size = SIZE },
        .is_received = TRUE,
        .arrival = 2 },
  };
  GccLossEstimate estimate;

  gcc_loss_estimate_init (&estimate, &gcc_goog_2026_loss_estimate);
  feed (&estimate, packets, 2);
  g_assert_cmpint (estimate.observations[0].bytes, ==, SIZE);
}

static void
test_a_packet_that_comes_after_all_is_not_lost (void)
{
  GccPacketResult packets[] = {
    { .sent = { .time = 0, .size = SIZE }, .arrival = GCC_TIME_NONE },
    { .sent = { .time = 0, .size = SIZE },
        .is_received = TRUE,
        .arrival = 1,
        .was_lost = TRUE },
    { .sent = { .time = STEP, .size = SIZE },
        .is_received = TRUE,
        .arrival = 2 },
  };
  GccLossEstimate estimate;

  gcc_loss_estimate_init (&estimate, &gcc_goog_2026_loss_estimate);
  feed (&estimate, packets, 3);
  g_assert_cmpfloat (estimate.average_loss, ==, 0.);
  g_assert_cmpint (estimate.observations[0].bytes, ==, 2 * SIZE);
}

static void
test_it_stays_in_its_bounds (void)
{
  GRand *rand = g_rand_new_with_seed (8);
  GccLossEstimate estimate;

  gcc_loss_estimate_init (&estimate, &gcc_goog_2026_loss_estimate);
  gcc_loss_estimate_set_limits (&estimate, 50000, 3000000);
  gcc_loss_estimate_set_rate (&estimate, 300000);
  for (guint i = 0; i < 20000; i++) {
    static const gchar blocks[] = { 'r', 'r', 'r', 'h', 'z', 't' };
    Step step = { blocks[g_rand_int_range (rand, 0, 6)], i,
      g_rand_double_range (rand, 100., 5000.),
      g_rand_double_range (rand, 50., 100.), NULL };
    GccRate rate;

    apply (&estimate, &step, g_rand_boolean (rand));
    rate = gcc_loss_estimate_get_rate (&estimate);
    g_assert_cmpint (rate, <=, 5000000);
    g_assert_cmpint (rate, >=, 50000);
  }
  g_rand_free (rand);
}

static void
test_any_packets_do_no_harm (void)
{
  static const GccTime times[] = { -1, 0, STEP, 10 * STEP, G_MAXINT64 / 4 };
  GRand *rand = g_rand_new_with_seed (9);
  GccLossEstimate estimate;

  gcc_loss_estimate_init (&estimate, &gcc_goog_2026_loss_estimate);
  for (guint i = 0; i < 20000; i++) {
    GccPacketResult packets[3];

    for (guint j = 0; j < 3; j++)
      packets[j] = (GccPacketResult){
        .sent = { .time =
                      times[g_rand_int_range (rand, 0, G_N_ELEMENTS (times))],
            .size = g_rand_boolean (rand) ? 0 : g_rand_int (rand) },
        .is_received = g_rand_boolean (rand),
        .was_lost = g_rand_boolean (rand),
      };
    feed (&estimate, packets, 3);
    g_assert_true (isfinite (estimate.average_loss));
    g_assert_cmpint (gcc_loss_estimate_get_rate (&estimate), >, 0);
  }
  g_rand_free (rand);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/loss-estimate/" #name, test_##name)
  ADD (it_rises_while_nothing_is_lost);
  ADD (all_lost_leaves_the_upper_bound);
  ADD (it_falls_to_the_acknowledged_rate);
  ADD (it_does_not_rise_at_once_after_a_fall);
  ADD (a_low_rate_ramps_up_slowly);
  ADD (it_does_not_rise_while_more_is_lost_than_explained);
  ADD (it_prefers_high_rates_below_the_threshold);
  ADD (the_acknowledged_rate_does_not_count_in_alr);
  ADD (the_acknowledged_rate_is_the_floor);
  ADD (the_upper_bound_may_be_a_candidate);
  ADD (padding_helps_a_rise);
  ADD (the_held_rate_is_not_below_the_acknowledged_one);
  ADD (bytes_count_not_packets);
  ADD (one_bad_moment_is_left_out);
  ADD (of_equal_candidates_the_larger_counts);
  ADD (it_counts_after_three_observations);
  ADD (a_packet_that_comes_after_all_is_not_lost);
  ADD (a_time_of_arrival_adds_no_packet);
  ADD (it_stays_in_its_bounds);
  ADD (any_packets_do_no_harm);
#undef ADD
  return g_test_run ();
}
