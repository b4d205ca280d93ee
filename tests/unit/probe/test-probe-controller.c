/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/probe/gcc-probe-controller.h>
#include <gst/gcc/profiles/gcc-goog-2026.h>
#include <gst/gcc/profiles/gcc-profile-private.h>

#include "conformance.h"

#define C26 "C26 probe_controller_unittest"

/* bit/s, as published */
#define START 300
#define MOST 10000

#define DELAY GCC_RATE_LIMIT_DELAY
#define NONE "none"

/* A controller and its clock. */
typedef struct {
  GccProbeController controller;
  GccTime now;
} Probing;

/* What has been asked for since the last time, bit/s. */
static gchar *
fetch (Probing *probing)
{
  GString *rates = g_string_new (NULL);
  GccProbeRequest request;

  while (gcc_probe_controller_fetch (&probing->controller, &request))
    g_string_append_printf (
        rates, "%s%" G_GINT64_FORMAT, rates->len == 0 ? "" : " ", request.rate);
  if (rates->len == 0)
    g_string_append (rates, NONE);
  return g_string_free (rates, FALSE);
}

static void
conform (Probing *probing, const gchar *name, const gchar *expected)
{
  g_autofree gchar *got = fetch (probing);

  conformance_check_string (C26, name, expected, got);
}

static void
check (Probing *probing, const gchar *expected)
{
  g_autofree gchar *got = fetch (probing);

  g_assert_cmpstr (got, ==, expected);
}

static void
probing_init_with (Probing *probing, const GccProbeControllerParams *params)
{
  probing->now = GCC_SECOND;
  gcc_probe_controller_init (&probing->controller, params, probing->now);
}

static void
probing_init_default (Probing *probing)
{
  probing_init_with (
      probing, gcc_profile_find ("recommended")->send_side->probe_controller);
}

static void
forget_requests (Probing *probing)
{
  GccProbeRequest request;

  while (gcc_probe_controller_fetch (&probing->controller, &request)) {
  }
}

static void
set_rates (Probing *probing, GccRate start, GccRate max)
{
  gcc_probe_controller_set_rates (
      &probing->controller, start, max, probing->now);
}

static void
set_estimate (Probing *probing, GccRate estimate, GccRateLimit limit)
{
  gcc_probe_controller_set_estimate (
      &probing->controller, estimate, limit, probing->now);
}

static void
set_allocation (Probing *probing, GccRate allocation)
{
  gcc_probe_controller_set_allocation (
      &probing->controller, allocation, probing->now);
}

static void
begin_alr (Probing *probing)
{
  gcc_probe_controller_set_alr_start (
      &probing->controller, probing->now, probing->now);
}

static void
end_alr (Probing *probing)
{
  gcc_probe_controller_set_alr_start (
      &probing->controller, GCC_TIME_NONE, probing->now);
}

static void
advance (Probing *probing, gint64 ms)
{
  probing->now += ms * GCC_MSECOND;
  gcc_probe_controller_update (&probing->controller, probing->now);
}

/* With the first probes asked for. */
static void
probing_init (Probing *probing)
{
  probing_init_with (probing, &gcc_goog_2026_probe_controller);
  set_rates (probing, START, MOST);
  check (probing, "900 1800");
}

static void
test_start_is_probed (void)
{
  GccProbeRequest request = { 0 };
  Probing probing;

  probing_init_with (&probing, &gcc_goog_2026_probe_controller);
  set_rates (&probing, START, MOST);
  conform (&probing, "rates set", "900 1800");

  probing_init_with (&probing, &gcc_goog_2026_probe_controller);
  set_rates (&probing, START, MOST);
  g_assert_true (gcc_probe_controller_fetch (&probing.controller, &request));
  conformance_check_int (
      C26, "rates set: duration, ms", 15, request.duration / GCC_MSECOND);
  conformance_check_int (C26, "rates set: packets", 5, request.min_packets);
}

static void
test_start_is_probed_when_the_transport_is_there (void)
{
  Probing probing;

  probing_init_with (&probing, &gcc_goog_2026_probe_controller);
  gcc_probe_controller_set_writable (&probing.controller, FALSE, probing.now);
  set_rates (&probing, START, MOST);
  conform (&probing, "rates set while the network is down", NONE);
  gcc_probe_controller_set_writable (&probing.controller, TRUE, probing.now);
  conform (&probing, "then it is up", "900 1800");

  probing_init_with (&probing, &gcc_goog_2026_probe_controller);
  gcc_probe_controller_set_writable (&probing.controller, FALSE, probing.now);
  set_rates (&probing, START, MOST);
  conform (&probing, "transport not writable", NONE);
  gcc_probe_controller_reset (&probing.controller, probing.now);
  set_rates (&probing, START, MOST);
  conform (&probing, "transport not writable: reset and new rates", NONE);
}

static void
test_a_good_result_leads_to_the_next_probe (void)
{
  Probing probing;

  probing_init (&probing);
  set_estimate (&probing, 1000, DELAY);
  conform (&probing, "estimate 1000, below 0.7 of 1800", NONE);
  set_estimate (&probing, 1800, DELAY);
  conform (&probing, "estimate 1800", "3600");
}

static void
test_no_result_for_a_second_ends_it (void)
{
  Probing probing;

  probing_init (&probing);
  advance (&probing, 1001);
  set_estimate (&probing, 1800, DELAY);
  check (&probing, NONE);
}

static void
test_a_higher_maximum_is_probed (void)
{
  Probing probing;

  probing_init (&probing);
  advance (&probing, 5000);
  set_estimate (&probing, START, DELAY);
  set_rates (&probing, START, MOST + 100);
  conform (&probing, "maximum 10100, estimate 300", "10100");

  probing_init (&probing);
  advance (&probing, 5000);
  set_estimate (&probing, MOST, DELAY);
  set_rates (&probing, START, MOST + 100);
  conform (&probing, "maximum 10100, estimate 10000", "10100");
}

static void
test_what_the_application_wants_is_probed_in_alr (void)
{
  Probing probing;

  probing_init (&probing);
  advance (&probing, 5000);
  set_estimate (&probing, START, DELAY);
  begin_alr (&probing);
  set_allocation (&probing, MOST);
  conform (&probing, "ALR, allocation 10000", "600");
  set_estimate (&probing, 450, DELAY);
  conform (&probing, "then estimate 450 (> 450)", "900");

  probing_init (&probing);
  advance (&probing, 5000);
  set_estimate (&probing, START, DELAY);
  set_allocation (&probing, MOST);
  check (&probing, NONE);
}

static void
test_no_probe_is_far_above_what_the_application_wants (void)
{
  Probing probing;

  probing_init (&probing);
  set_allocation (&probing, START);
  conform (&probing, "allocation 300 while waiting", NONE);
  set_estimate (&probing, 1800, DELAY);
  conform (&probing, "allocation 300, estimate 1800", "600");
}

static void
lose_half_in_alr (Probing *probing)
{
  probing_init (probing);
  set_estimate (probing, 500, DELAY);
  begin_alr (probing);
  advance (probing, 5001);
  set_estimate (probing, 250, DELAY);
  check (probing, NONE);
}

static void
test_a_large_drop_in_alr_is_probed_again (void)
{
  Probing probing;

  lose_half_in_alr (&probing);
  gcc_probe_controller_feed_recovery (&probing.controller, probing.now);
  conform (&probing, "ALR, estimate 500 to 250, recovered", "425");

  lose_half_in_alr (&probing);
  end_alr (&probing);
  advance (&probing, 2999);
  gcc_probe_controller_feed_recovery (&probing.controller, probing.now);
  conform (&probing, "the same, 3 s after ALR", "425");

  lose_half_in_alr (&probing);
  end_alr (&probing);
  advance (&probing, 3001);
  gcc_probe_controller_feed_recovery (&probing.controller, probing.now);
  check (&probing, NONE);

  lose_half_in_alr (&probing);
  advance (&probing, 5001);
  gcc_probe_controller_feed_recovery (&probing.controller, probing.now);
  conform (&probing, "the same, recovered 5001 ms after the drop", NONE);
}

static void
test_alr_is_probed_each_5_s (void)
{
  Probing probing;

  probing_init (&probing);
  gcc_probe_controller_set_probes_in_alr (&probing.controller, TRUE);
  set_estimate (&probing, 500, DELAY);
  begin_alr (&probing);
  advance (&probing, 5000);
  conform (&probing, "periodic, estimate 500: at 5 s", "1000");
  set_estimate (&probing, 500, DELAY);
  advance (&probing, 4000);
  conform (&probing, "periodic, estimate 500: at 9 s", NONE);
  advance (&probing, 1000);
  conform (&probing, "periodic, estimate 500: at 10 s", "1000");
}

static void
test_no_probe_exceeds_the_maximum (void)
{
  Probing probing;

  probing_init_with (&probing, &gcc_goog_2026_probe_controller);
  set_rates (&probing, 10000000, 100000000);
  check (&probing, "30000000 60000000");
  set_estimate (&probing, 60000000, DELAY);
  conform (&probing, "maximum 100 M, estimate 60 M", "100000000");
  set_estimate (&probing, 100000000, DELAY);
  conform (&probing, "maximum 100 M, estimate 100 M", NONE);
}

static void
test_probes_are_careful_while_loss_is_what_limits (void)
{
  Probing probing;

  probing_init (&probing);
  gcc_probe_controller_set_probes_in_alr (&probing.controller, TRUE);
  begin_alr (&probing);
  set_estimate (&probing, 500, DELAY);
  advance (&probing, 5000);
  conform (&probing, "ALR for 5 s, estimate 500", "1000");
  set_estimate (&probing, 500, GCC_RATE_LIMIT_LOSS_INCREASING);
  advance (&probing, 6000);
  conform (&probing, "then limited by loss, rising: after 6 s", "750");
  set_estimate (&probing, 750, DELAY);
  advance (&probing, 6000);
  conform (&probing, "then estimate 750: after 6 s (> 1125)", "1500");

  probing_init (&probing);
  gcc_probe_controller_set_probes_in_alr (&probing.controller, TRUE);
  set_estimate (&probing, START, GCC_RATE_LIMIT_LOSS_INCREASING);
  advance (&probing, 5000);
  check (&probing, NONE);
  begin_alr (&probing);
  advance (&probing, 5001);
  conform (&probing, "limited by loss, rising: ALR for 5 s", "450");
}

static void
test_nothing_is_probed_into_a_queue (void)
{
  static const struct {
    const gchar *name;
    GccRateLimit limit;
  } limits[] = {
    { "delay increased", GCC_RATE_LIMIT_DELAY_INCREASED },
    { "loss", GCC_RATE_LIMIT_LOSS },
    { "RTT above the limit", GCC_RATE_LIMIT_RTT },
  };

  for (guint i = 0; i < G_N_ELEMENTS (limits); i++) {
    Probing probing;

    probing_init (&probing);
    gcc_probe_controller_set_probes_in_alr (&probing.controller, TRUE);
    set_estimate (&probing, 500, limits[i].limit);
    begin_alr (&probing);
    advance (&probing, 5001);
    conform (&probing, limits[i].name, NONE);
  }
}

static void
test_scales_are_of_the_profile (void)
{
  GccProbeControllerParams params = gcc_goog_2026_probe_controller;
  GccProbeRequest request = { 0 };
  Probing probing;

  params.first_scale = 2.;
  params.second_scale = 5.;
  params.further_scale = 3.;
  params.further_threshold = 0.8;
  params.min_packets = 2;
  params.first_allocation_scale = 2.;
  params.second_allocation_scale = 0.;
  params.allocation_max_scale = 1000.;

  probing_init_with (&probing, &params);
  set_rates (&probing, START, 5000000);
  g_assert_true (gcc_probe_controller_fetch (&probing.controller, &request));
  conformance_check_int (C26, "other scales: first", 600, request.rate);
  conformance_check_int (C26, "other scales: packets", 2, request.min_packets);
  conform (&probing, "other scales: second", "1500");
  set_estimate (&probing, 1100, DELAY);
  conform (&probing, "other scales: estimate 1100", NONE);
  set_estimate (&probing, 1250, DELAY);
  conform (&probing, "other scales: estimate 1250", "3750");
  advance (&probing, 5000);
  begin_alr (&probing);
  set_allocation (&probing, 200000);
  conform (&probing, "other scales: allocation 200 k", "400000");
}

static void
test_probes_without_media_are_not_here (void)
{
  conformance_not_applicable (C26, "repeated initial probing",
      "every 1.1 s for 5 s",
      "off in libwebrtc: it needs padding without media");
}

static void
test_requests_are_bounded (void)
{
  Probing probing;

  probing_init_with (&probing, &gcc_goog_2026_probe_controller);
  for (guint i = 0; i < 100; i++) {
    gcc_probe_controller_reset (&probing.controller, probing.now);
    set_rates (&probing, START, MOST);
    set_estimate (&probing, 5000, DELAY);
  }
  check (&probing, "900 1800 10000");
}

static void
test_each_cluster_has_its_number (void)
{
  GccProbeRequest first, second;
  Probing probing;

  probing_init_with (&probing, &gcc_goog_2026_probe_controller);
  set_rates (&probing, START, MOST);
  gcc_probe_controller_fetch (&probing.controller, &first);
  gcc_probe_controller_fetch (&probing.controller, &second);
  g_assert_cmpint (first.id, ==, 0);
  g_assert_cmpint (second.id, ==, 1);
}

/* Guards: 5000 bytes at a low rate are a queue of a quarter of a second; and 1500,
 * which a token bucket passes at once, told of 300 kbit/s each three seconds where
 * there were 150. */
static void
test_the_default_probes_with_bytes_and_for_a_time (void)
{
  static const struct {
    GccRate start;
    guint min_bytes;
  } cases[] = { { 1000000, 5000 }, { 250000, 3750 }, { 100000, 3080 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    GccProbeRequest request = { 0 };
    Probing probing;

    probing_init_default (&probing);
    gcc_probe_controller_set_rates (
        &probing.controller, cases[i].start, 10000000, probing.now);
    g_assert_true (gcc_probe_controller_fetch (&probing.controller, &request));
    g_assert_cmpint (request.rate, ==, 3 * cases[i].start);
    g_assert_cmpuint (request.min_bytes, ==, cases[i].min_bytes);
  }
}

/* Guards: with 5000 bytes, the flow whose frames came second had 1.6 times as much
 * as the other at 2 Mbit/s, whichever began first. */
static void
test_a_probe_near_others_lasts_from_frame_to_frame (void)
{
  static const struct {
    gboolean was_right;
    guint min_bytes;
  } cases[] = { { FALSE, 15000 }, { FALSE, 15000 }, { TRUE, 15000 },
    { TRUE, 5000 } };
  Probing probing;

  probing_init_default (&probing);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    GccProbeRequest request = { 0 };

    gcc_probe_controller_feed_verdict (&probing.controller, cases[i].was_right);
    /* a start anew */
    probing.controller.state = GCC_PROBE_CONTROLLER_INITIAL;
    gcc_probe_controller_set_rates (
        &probing.controller, 1000000, 10000000, probing.now);
    g_assert_true (gcc_probe_controller_fetch (&probing.controller, &request));
    g_assert_cmpuint (request.min_bytes, ==, cases[i].min_bytes);
    forget_requests (&probing);
  }
}

/* At 1 Mbit/s of 10, after the first probes. */
static void
probing_init_busy (Probing *self)
{
  probing_init_default (self);
  set_rates (self, 1000000, 10000000);
  forget_requests (self);
  set_estimate (self, 1000000, GCC_RATE_LIMIT_DELAY);
}

static void
test_a_busy_path_whose_queue_loses_packets_is_probed_seldom (void)
{
  GccProbeRequest request;
  Probing probing;

  probing_init_busy (&probing);
  gcc_probe_controller_set_lossy (&probing.controller, TRUE, FALSE);
  advance (&probing, 7950);
  g_assert_false (gcc_probe_controller_fetch (&probing.controller, &request));
  advance (&probing, 100);
  g_assert_true (gcc_probe_controller_fetch (&probing.controller, &request));
  gcc_probe_controller_set_lossy (&probing.controller, FALSE, FALSE);
  set_estimate (&probing, 1000000, GCC_RATE_LIMIT_DELAY);
  advance (&probing, 2050);
  g_assert_true (gcc_probe_controller_fetch (&probing.controller, &request));
}

/* Guards against: a layer that waits for the rate that no stream of the call shows. */
static void
test_a_stream_that_waits_has_probes_in_alr (void)
{
  GccProbeRequest request;
  Probing probing;

  probing_init_busy (&probing);
  gcc_probe_controller_set_alr_start (
      &probing.controller, probing.now, probing.now);
  advance (&probing, 2050);
  g_assert_false (gcc_probe_controller_fetch (&probing.controller, &request));
  gcc_probe_controller_set_wanted (&probing.controller, 5000000);
  advance (&probing, 50);
  g_assert_true (gcc_probe_controller_fetch (&probing.controller, &request));
  g_assert_cmpint (request.rate, ==, 2000000);
  advance (&probing, 450);
  g_assert_false (gcc_probe_controller_fetch (&probing.controller, &request));
}

/* As probing_init_busy(), with streams that wait for @wanted. */
static void
probing_init_waiting (Probing *self, GccRate wanted)
{
  probing_init_busy (self);
  gcc_probe_controller_set_alr_start (&self->controller, self->now, self->now);
  gcc_probe_controller_set_wanted (&self->controller, wanted);
  advance (self, 550);
}

/* Guards against: a queue by each probe, which shows less than the link has. */
static void
test_no_probe_is_far_above_what_streams_wait_for (void)
{
  Probing probing;

  probing_init_waiting (&probing, 1200000);
  check (&probing, "1269841");
  advance (&probing, 500);
  check (&probing, NONE);
  advance (&probing, 50);
  check (&probing, "1269841");
}

/* Guards against: a short cluster, whose result was 7 % too low, so that the rate that
 * streams wait for took three clusters. */
static void
test_a_cluster_at_what_streams_wait_for_is_long (void)
{
  static const struct {
    GccRate wanted;
    guint min_bytes;
  } clusters[] = { { 1200000, 6349 }, { 5000000, 5000 } };

  for (guint i = 0; i < G_N_ELEMENTS (clusters); i++) {
    GccProbeRequest request;
    Probing probing;

    probing_init_waiting (&probing, clusters[i].wanted);
    g_assert_true (gcc_probe_controller_fetch (&probing.controller, &request));
    g_assert_cmpuint (request.min_bytes, ==, clusters[i].min_bytes);
  }
}

/* The growth by one probe is bounded. */
static void
test_what_streams_wait_for_is_probed_while_the_estimate_comes_nearer (void)
{
  Probing probing;

  probing_init_waiting (&probing, 1800000);
  check (&probing, "1904762");
  set_estimate (&probing, 1500000, GCC_RATE_LIMIT_DELAY);
  check (&probing, "1904762");
  set_estimate (&probing, 1600000, GCC_RATE_LIMIT_DELAY);
  check (&probing, NONE);
}

/* Guards against: a layer that resumed for nothing, because a token bucket let the
 * cluster pass. */
static void
test_a_longer_cluster_confirms_what_streams_wait_for (void)
{
  GccProbeRequest request;
  Probing probing;

  probing_init_waiting (&probing, 1200000);
  forget_requests (&probing);
  set_estimate (&probing, 1250000, GCC_RATE_LIMIT_DELAY);
  advance (&probing, 25);
  g_assert_true (gcc_probe_controller_fetch (&probing.controller, &request));
  g_assert_cmpint (request.rate, ==, 1269841);
  g_assert_cmpuint (request.min_bytes, ==, 6349);
  advance (&probing, 2000);
  check (&probing, NONE);
}

/* Guards against: a layer that came back after eight seconds, since the fall of the link
 * had cost packets. */
static void
test_losses_of_probes_alone_make_them_seldom (void)
{
  static const struct {
    gboolean has_lost;
    gint64 ms;
  } probes[] = { { TRUE, 1000 }, { TRUE, 2000 }, { TRUE, 4000 }, { TRUE, 8000 },
    { TRUE, 8000 }, { FALSE, 8000 }, { FALSE, 4000 }, { FALSE, 2000 },
    { FALSE, 1000 } };
  Probing probing;

  probing_init_waiting (&probing, 5000000);
  gcc_probe_controller_set_lossy (&probing.controller, TRUE, FALSE);
  forget_requests (&probing);
  for (guint i = 0; i < G_N_ELEMENTS (probes); i++) {
    if (probes[i].has_lost)
      gcc_probe_controller_set_lossy (&probing.controller, TRUE, TRUE);
    advance (&probing, probes[i].ms - 50);
    check (&probing, NONE);
    advance (&probing, 100);
    check (&probing, "2000000");
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/probe-controller/" #name, test_##name)
  ADD (start_is_probed);
  ADD (start_is_probed_when_the_transport_is_there);
  ADD (a_good_result_leads_to_the_next_probe);
  ADD (no_result_for_a_second_ends_it);
  ADD (a_higher_maximum_is_probed);
  ADD (what_the_application_wants_is_probed_in_alr);
  ADD (no_probe_is_far_above_what_the_application_wants);
  ADD (a_large_drop_in_alr_is_probed_again);
  ADD (alr_is_probed_each_5_s);
  ADD (no_probe_exceeds_the_maximum);
  ADD (probes_are_careful_while_loss_is_what_limits);
  ADD (nothing_is_probed_into_a_queue);
  ADD (scales_are_of_the_profile);
  ADD (probes_without_media_are_not_here);
  ADD (requests_are_bounded);
  ADD (each_cluster_has_its_number);
  ADD (the_default_probes_with_bytes_and_for_a_time);
  ADD (a_probe_near_others_lasts_from_frame_to_frame);
  ADD (a_busy_path_whose_queue_loses_packets_is_probed_seldom);
  ADD (a_stream_that_waits_has_probes_in_alr);
  ADD (no_probe_is_far_above_what_streams_wait_for);
  ADD (a_cluster_at_what_streams_wait_for_is_long);
  ADD (what_streams_wait_for_is_probed_while_the_estimate_comes_nearer);
  ADD (a_longer_cluster_confirms_what_streams_wait_for);
  ADD (losses_of_probes_alone_make_them_seldom);
#undef ADD
  return g_test_run ();
}
