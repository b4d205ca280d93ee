/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/output/gcc-fec-control.h>
#include <gst/gcc/output/gcc-sent-rates.h>
#include <gst/gcc/profiles/gcc-profile-private.h>

#include <string.h>

static void
test_profiles_are_found_by_their_names (void)
{
  for (guint i = 0; i < gcc_n_profiles; i++) {
    g_assert_true (gcc_profile_find (gcc_profiles[i]->name) == gcc_profiles[i]);
    g_assert_cmpuint (strlen (gcc_profiles[i]->description), >, 0);
  }
  g_assert_true (gcc_profile_find ("gst-2026") == gcc_profiles[0]);
  g_assert_null (gcc_profile_find ("none"));
  g_assert_null (gcc_profile_find (NULL));
}

/* What an application sees of the table. */
static void
test_profiles_come_one_after_the_other (void)
{
  guint n = 0;

  for (const GccProfile *profile; (profile = gcc_profile_get_nth (n)); n++) {
    g_assert_true (profile == gcc_profiles[n]);
    g_assert_cmpstr (gcc_profile_get_name (profile), ==, profile->name);
    g_assert_cmpstr (
        gcc_profile_get_description (profile), ==, profile->description);
  }
  g_assert_cmpuint (n, ==, gcc_n_profiles);
  g_assert_null (gcc_profile_get_nth (G_MAXUINT));
}

static void
test_first_profile_is_the_default (void)
{
  g_assert_cmpstr (gcc_profiles[0]->name, ==, "recommended");
}

static void
test_published_generations_have_no_rules_of_the_default (void)
{
  g_assert_nonnull (gcc_profiles[0]->receiver_rules);
  g_assert_nonnull (gcc_profiles[0]->arrival_watch);
  g_assert_nonnull (gcc_profiles[0]->send_side->rules);
  for (guint i = 1; i < gcc_n_profiles; i++) {
    const GccSendSideParams *send_side = gcc_profiles[i]->send_side;

    g_assert_null (gcc_profiles[i]->receiver_rules);
    g_assert_null (gcc_profiles[i]->arrival_watch);
    g_assert_true (send_side == NULL || send_side->rules == NULL);
  }
}

/* Guards: a table that was left out. */
static void
check_send_side (const GccSendSideParams *p)
{
  g_assert_nonnull (p->history);
  g_assert_nonnull (p->acknowledged);
  g_assert_nonnull (p->delay.groups);
  /* one of them measures the growth of the queue */
  g_assert_true ((p->delay.trendline == NULL) != (p->delay.filter == NULL));
  g_assert_nonnull (p->delay.detector);
  g_assert_nonnull (p->rate_control);
  g_assert_nonnull (p->probes);
  g_assert_nonnull (p->probe_controller);
  g_assert_nonnull (p->prober);
  g_assert_nonnull (p->alr);
  g_assert_nonnull (p->loss);
  g_assert_nonnull (p->window);
  g_assert_nonnull (p->backoff);
  g_assert_cmpfloat (p->first_pacing_factor, >=, 1.);
  g_assert_cmpfloat (p->pacing_factor, >=, 1.);
  g_assert_cmpint (p->update_interval, >, 0);
}

static void
test_numbers_are_in_their_ranges (void)
{
  for (guint i = 0; i < gcc_n_profiles; i++) {
    const GccProfile *p = gcc_profiles[i];

    g_assert_cmpint (p->received_rate.window, >, 0);
    g_assert_cmpint (p->received_rate.window, <=, GCC_RECEIVED_RATE_MAX_WINDOW);
    g_assert_cmpfloat (p->delay.filter.var_0, >=, p->delay.filter.var_min);
    g_assert_cmpfloat (p->delay.filter.var_min, >, 0.);
    g_assert_cmpuint (p->delay.filter.f_max_groups, >, 0);
    g_assert_cmpuint (p->delay.filter.f_max_groups, <=, 60);
    g_assert_cmpfloat (p->delay.detector.gamma_0, >, 0.);
    g_assert_cmpuint (p->delay.detector.n_max, >, 0);
    if (p->delay.detector.k_u > 0.) {
      g_assert_cmpfloat (p->delay.detector.gamma_min, >, 0.);
      g_assert_cmpfloat (
          p->delay.detector.gamma_max, >=, p->delay.detector.gamma_0);
    }
    g_assert_cmpfloat (p->rate_control.beta, <, 1.);
    g_assert_cmpfloat (p->rate_control.beta_near_max, <, 1.);
    g_assert_cmpint (p->rate_control.rtt, >, 0);
    g_assert_cmpint (p->receiver.first_interval, >, 0);
    g_assert_cmpint (p->receiver.min_interval, >, 0);
    g_assert_cmpint (p->receiver.max_interval, >=, p->receiver.min_interval);
    g_assert_cmpint (p->remb.interval, >, 0);
    g_assert_cmpint (p->loss_reporter.interval, >, 0);
    g_assert_cmpint (p->loss.reports.interval, >, 0);
    g_assert_cmpfloat (p->loss.p_low, <, p->loss.p_high);
    g_assert_cmpfloat (p->loss.increase, >, 1.);
    g_assert_cmpint (p->sent_rates.window, >=, GCC_SENT_RATES_PARTS);
    g_assert_cmpfloat (p->protection.max_share, >=, 0.);
    g_assert_cmpfloat (p->protection.max_share, <, 1.);
    g_assert_cmpint (p->fec.loss_window, >, 0);
    g_assert_cmpuint (p->fec.loss_windows, >, 0);
    g_assert_cmpuint (p->fec.loss_windows, <=, GCC_FEC_CONTROL_MAX_WINDOWS);
    g_assert_cmpint (p->pacer.burst_time, >, 0);
    g_assert_true (p->pacer.factor == 0. || p->pacer.factor >= 1.);
    if (p->send_side != NULL)
      check_send_side (p->send_side);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/profile/" #name, test_##name)
  ADD (profiles_are_found_by_their_names);
  ADD (profiles_come_one_after_the_other);
  ADD (first_profile_is_the_default);
  ADD (published_generations_have_no_rules_of_the_default);
  ADD (numbers_are_in_their_ranges);
#undef ADD
  return g_test_run ();
}
