/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/report/gcc-remb-policy.h>

#include <gst/gcc/profiles/gcc-profile-private.h>

#include "conformance.h"

#define C13 "C13 vie_remb_unittest"

static void
test_published_updates (void)
{
  const GccProfile *profile = gcc_profile_find ("rtcweb-2013");
  GccTime now = 0;
  GccRembPolicy policy;

  gcc_remb_policy_init (&policy, &profile->remb, now);
  conformance_check_boolean (C13, "456 bit/s when created", FALSE,
      gcc_remb_policy_update (&policy, 456, now));
  now += 1000 * GCC_MSECOND;
  conformance_check_boolean (C13, "456 bit/s after 1000 ms", TRUE,
      gcc_remb_policy_update (&policy, 456, now));
  conformance_check_boolean (C13, "356 bit/s right after it", TRUE,
      gcc_remb_policy_update (&policy, 356, now));

  gcc_remb_policy_init (&policy, &profile->remb, now);
  now += 1000 * GCC_MSECOND;
  gcc_remb_policy_update (&policy, 1000000, now);
  conformance_check_boolean (C13, "98 % of the last", FALSE,
      gcc_remb_policy_update (&policy, 980000, now));
  conformance_check_boolean (C13, "more than the last", FALSE,
      gcc_remb_policy_update (&policy, 1100000, now));
  now += 1000 * GCC_MSECOND;
  conformance_check_boolean (C13, "more than the last after 1000 ms", TRUE,
      gcc_remb_policy_update (&policy, 1100000, now));
}

static void
test_slow_slide_waits_for_its_turn (void)
{
  GccTime now = GCC_SECOND;
  GccRembPolicy policy;

  gcc_remb_policy_init (&policy, &gcc_profile_find ("goog-2020")->remb, 0);
  g_assert_true (gcc_remb_policy_update (&policy, 1000000, now));
  for (guint i = 1; i < 5; i++) {
    now += 10 * GCC_MSECOND;
    g_assert_false (gcc_remb_policy_update (&policy, 1000000 - i * 20000, now));
  }
  g_assert_cmpint (gcc_remb_policy_get_last_remb (&policy), ==, 1000000);
  now = GCC_SECOND + 200 * GCC_MSECOND;
  g_assert_true (gcc_remb_policy_update (&policy, 900000, now));
  g_assert_cmpint (gcc_remb_policy_get_last_remb (&policy), ==, 900000);
}

/* A link that has become faster is not kept from the sender; the published
 * generations keep it. */
static void
test_only_the_default_sends_a_raise_at_once (void)
{
  for (guint i = 0; i < gcc_n_profiles; i++) {
    gboolean is_default = gcc_profiles[i] == &gcc_profile_recommended;
    GccRembPolicy policy;

    gcc_remb_policy_init (&policy, &gcc_profiles[i]->remb, 0);
    g_assert_true (gcc_remb_policy_update (&policy, 1000000, GCC_SECOND));
    g_assert_false (
        gcc_remb_policy_update (&policy, 1400000, GCC_SECOND + GCC_MSECOND));
    g_assert_cmpint (
        gcc_remb_policy_update (&policy, 1600000, GCC_SECOND + 2 * GCC_MSECOND),
        ==, is_default);
  }
}

static void
test_clock_set_back_does_not_silence (void)
{
  GccRembPolicy policy;

  gcc_remb_policy_init (&policy, &gcc_profile_find ("goog-2020")->remb, 0);
  g_assert_true (gcc_remb_policy_update (&policy, 1000000, 100 * GCC_SECOND));
  g_assert_true (gcc_remb_policy_update (&policy, 1000000, 10 * GCC_SECOND));
}

/* Guards against `send-rtcp-full` with every packet: 738 times in 15 s. */
static void
test_a_refused_request_is_not_repeated_with_every_packet (void)
{
  GccRembRequest request = { 0 };
  guint n_asked = 0;

  g_assert_false (gcc_remb_request_ask (&request, 0));
  gcc_remb_request_note_due (&request);
  for (GccTime now = 0; now < GCC_SECOND; now += GCC_MSECOND)
    n_asked += gcc_remb_request_ask (&request, now);
  g_assert_cmpuint (n_asked, ==, 50);
}

static void
test_the_next_remb_is_asked_for_at_once (void)
{
  GccRembRequest request = { 0 };
  GccTime now = GCC_SECOND;

  gcc_remb_request_note_due (&request);
  g_assert_true (gcc_remb_request_ask (&request, now));
  g_assert_true (gcc_remb_request_is_due (&request));
  gcc_remb_request_note_sent (&request);
  g_assert_false (gcc_remb_request_is_due (&request));
  g_assert_false (gcc_remb_request_ask (&request, now));
  gcc_remb_request_note_due (&request);
  g_assert_true (gcc_remb_request_ask (&request, now + 1));
  /* set back */
  g_assert_true (gcc_remb_request_ask (&request, 0));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/remb-policy/" #name, test_##name)
  ADD (published_updates);
  ADD (slow_slide_waits_for_its_turn);
  ADD (only_the_default_sends_a_raise_at_once);
  ADD (clock_set_back_does_not_silence);
  ADD (a_refused_request_is_not_repeated_with_every_packet);
  ADD (the_next_remb_is_asked_for_at_once);
#undef ADD
  return g_test_run ();
}
