/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* The published vectors are in test-receiver.c: they are of the rate that the
 * receiver makes of the probes. */

#include <gst/gcc/probe/gcc-remb-probe-detector.h>

#include <gst/gcc/profiles/gcc-profile-private.h>

#define SIZE 1000
/* what packets of this size make at 10 and 5 ms */
#define RATE_10_MS 800000
#define RATE_5_MS 1600000

typedef struct {
  GccRembProbeDetector detector;
  GccTime sent;
  GccTime arrival;
  GccRate estimate;
} Probing;

static void
probing_init (Probing *self)
{
  *self = (Probing){ .estimate = GCC_RATE_NONE };
  gcc_remb_probe_detector_init (
      &self->detector, &gcc_profile_find ("goog-2020")->remb_probe);
}

/* @n packets at one pace. Returns the best rate that they have shown. */
static GccRate
probe (
    Probing *self, guint n, GccTime sent_gap, GccTime arrival_gap, gsize size)
{
  GccRate best = GCC_RATE_NONE;

  for (guint i = 0; i < n; i++) {
    GccRate rate;

    self->sent += sent_gap;
    self->arrival += arrival_gap;
    rate = gcc_remb_probe_detector_update (&self->detector, self->sent,
        self->arrival, size, self->estimate, self->arrival);
    best = MAX (best, rate);
  }
  return best;
}

static void
test_a_burst_that_arrives_as_it_was_sent_shows_its_rate (void)
{
  Probing probing;

  probing_init (&probing);
  g_assert_cmpint (
      probe (&probing, 4, 10 * GCC_MSECOND, 10 * GCC_MSECOND, SIZE), ==,
      GCC_RATE_NONE);
  g_assert_cmpint (
      probe (&probing, 1, 10 * GCC_MSECOND, 10 * GCC_MSECOND, SIZE), ==,
      RATE_10_MS);
}

static void
test_the_slower_end_of_the_path_is_its_rate (void)
{
  Probing probing;

  probing_init (&probing);
  g_assert_cmpint (probe (&probing, 5, 8 * GCC_MSECOND, 10 * GCC_MSECOND, SIZE),
      ==, RATE_10_MS);
}

static void
test_a_burst_that_queued_shows_nothing (void)
{
  Probing probing;

  probing_init (&probing);
  g_assert_cmpint (probe (&probing, 5, 5 * GCC_MSECOND, 10 * GCC_MSECOND, SIZE),
      ==, GCC_RATE_NONE);
}

/* They left a queue on the way, which says nothing of what follows it. */
static void
test_a_burst_that_arrives_much_faster_shows_nothing (void)
{
  Probing probing;

  probing_init (&probing);
  g_assert_cmpint (probe (&probing, 5, 10 * GCC_MSECOND, 1 * GCC_MSECOND, SIZE),
      ==, GCC_RATE_NONE);
}

static void
test_small_packets_are_no_probes (void)
{
  Probing probing;

  probing_init (&probing);
  g_assert_cmpint (
      probe (&probing, 20, 10 * GCC_MSECOND, 10 * GCC_MSECOND, 200), ==,
      GCC_RATE_NONE);
}

static void
test_only_a_rate_above_the_estimate_is_told (void)
{
  Probing probing;

  probing_init (&probing);
  probing.estimate = RATE_10_MS;
  g_assert_cmpint (
      probe (&probing, 5, 10 * GCC_MSECOND, 10 * GCC_MSECOND, SIZE), ==,
      GCC_RATE_NONE);
  g_assert_cmpint (probe (&probing, 6, 5 * GCC_MSECOND, 5 * GCC_MSECOND, SIZE),
      ==, RATE_5_MS);
}

/* Else bursts of media would raise A_r for the whole call. */
static void
test_with_an_estimate_probing_ends_after_two_seconds (void)
{
  Probing probing;

  probing_init (&probing);
  probe (&probing, 1, 0, 0, 100);
  probing.arrival += 2 * GCC_SECOND;
  probing.estimate = 100000;
  g_assert_cmpint (
      probe (&probing, 5, 10 * GCC_MSECOND, 10 * GCC_MSECOND, SIZE), ==,
      GCC_RATE_NONE);

  probing.estimate = GCC_RATE_NONE;
  g_assert_cmpint (
      probe (&probing, 5, 10 * GCC_MSECOND, 10 * GCC_MSECOND, SIZE), ==,
      RATE_10_MS);
}

/* The list grows while there are clusters, until three are there; then a new
 * set begins. With sixteen packets at most it never did. */
static void
test_a_set_of_three_clusters_may_be_long (void)
{
  Probing probing;

  probing_init (&probing);
  probing.estimate = 10000000;
  probe (&probing, 12, 20 * GCC_MSECOND, 20 * GCC_MSECOND, SIZE);
  probe (&probing, 12, 10 * GCC_MSECOND, 10 * GCC_MSECOND, SIZE);
  g_assert_cmpuint (probing.detector.n_packets, ==, 24);
  probe (&probing, 4, 5 * GCC_MSECOND, 5 * GCC_MSECOND, SIZE);
  g_assert_cmpuint (probing.detector.n_packets, ==, 0);
}

static void
test_profiles_without_probes_find_none (void)
{
  Probing probing = { .estimate = GCC_RATE_NONE };

  gcc_remb_probe_detector_init (
      &probing.detector, &gcc_profile_find ("rtcweb-2013")->remb_probe);
  g_assert_cmpint (
      probe (&probing, 20, 10 * GCC_MSECOND, 10 * GCC_MSECOND, SIZE), ==,
      GCC_RATE_NONE);
}

/* Clocks of peers may do anything: the packets looked back on stay few, and a
 * rate is none or positive. */
static void
test_any_times_leave_it_sound (void)
{
  GRand *rand = g_rand_new_with_seed (6);
  Probing probing;

  probing_init (&probing);
  for (guint i = 0; i < 20000; i++) {
    GccTime sent_gap = g_rand_int_range (
        rand, -20 * GCC_MSECOND, 20 * GCC_MSECOND);
    GccTime arrival_gap = g_rand_int_range (
        rand, -20 * GCC_MSECOND, 20 * GCC_MSECOND);
    GccRate rate = probe (
        &probing, 1, sent_gap, arrival_gap, g_rand_int_range (rand, 0, 65536));

    g_assert_true (rate == GCC_RATE_NONE || rate > 0);
  }
  g_rand_free (rand);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/remb-probe-detector/" #name, test_##name)
  ADD (a_set_of_three_clusters_may_be_long);
  ADD (a_burst_that_arrives_as_it_was_sent_shows_its_rate);
  ADD (the_slower_end_of_the_path_is_its_rate);
  ADD (a_burst_that_queued_shows_nothing);
  ADD (a_burst_that_arrives_much_faster_shows_nothing);
  ADD (small_packets_are_no_probes);
  ADD (only_a_rate_above_the_estimate_is_told);
  ADD (with_an_estimate_probing_ends_after_two_seconds);
  ADD (profiles_without_probes_find_none);
  ADD (any_times_leave_it_sound);
#undef ADD
  return g_test_run ();
}
