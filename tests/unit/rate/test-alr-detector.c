/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/profiles/gcc-goog-2026.h>
#include <gst/gcc/rate/gcc-alr-detector.h>

#include "conformance.h"

#define C26 "C26 alr_detector_unittest"

#define ESTIMATE 300000
#define STEP_MS 10
#define NONE (-1)

static const GccAlrDetectorParams without_trial = {
  .usage = 0.65,
  .window = 500 * GCC_MSECOND,
  .start = 0.8,
  .stop = 0.5,
};

static const GccAlrDetectorParams narrow = {
  .usage = 0.9,
  .window = 500 * GCC_MSECOND,
  .start = 0.,
  .stop = -0.1,
};

typedef struct {
  GccAlrDetector detector;
  gint64 now_ms;
  gint64 changed_ms;
} Sender;

static void
sender_init (Sender *sender, const GccAlrDetectorParams *params)
{
  *sender = (Sender){ .now_ms = 1000, .changed_ms = NONE };
  gcc_alr_detector_init (&sender->detector, params);
  gcc_alr_detector_set_estimate (&sender->detector, ESTIMATE);
}

static gboolean
is_limited (const Sender *sender)
{
  return sender->detector.start != GCC_TIME_NONE;
}

/* Sends at @percent of 300 kbit/s. */
static void
send_for (Sender *sender, guint percent, guint duration_ms)
{
  gsize bytes = (gsize) ESTIMATE * percent * STEP_MS / (8 * 100 * 1000);

  for (guint ms = 0; ms < duration_ms; ms += STEP_MS) {
    gboolean was_limited = is_limited (sender);

    sender->now_ms += STEP_MS;
    gcc_alr_detector_feed_sent (
        &sender->detector, bytes, sender->now_ms * GCC_MSECOND);
    if (is_limited (sender) != was_limited)
      sender->changed_ms = sender->now_ms;
  }
}

/* @changed_ms: of the last change */
static void
check (const Sender *sender, const gchar *name, gboolean expected,
    gint64 changed_ms)
{
  g_autofree gchar *when = g_strconcat (name, ": changed at, ms", NULL);

  conformance_check_boolean (C26, name, expected, is_limited (sender));
  if (changed_ms != NONE)
    conformance_check_int (C26, when, changed_ms, sender->changed_ms);
}

static void
test_an_idle_application_is_the_limit (void)
{
  Sender sender;

  sender_init (&sender, &gcc_goog_2026_alr_detector);
  send_for (&sender, 90, 1000);
  check (&sender, "90 % for 1 s", FALSE, NONE);
  send_for (&sender, 20, 1500);
  check (&sender, "then 20 % for 1.5 s", TRUE, 2430);
  send_for (&sender, 100, 4000);
  check (&sender, "then 100 % for 4 s", FALSE, 6710);

  sender_init (&sender, &without_trial);
  send_for (&sender, 90, 1000);
  check (&sender, ".65/.80/.50: 90 % for 1 s", FALSE, NONE);
  send_for (&sender, 20, 1500);
  check (&sender, ".65/.80/.50: then 20 % for 1.5 s", TRUE, 3140);
  send_for (&sender, 100, 4000);
  check (&sender, ".65/.80/.50: then 100 % for 4 s", FALSE, 3970);
}

static void
test_the_estimate_makes_the_budget (void)
{
  Sender sender;

  sender_init (&sender, &gcc_goog_2026_alr_detector);
  send_for (&sender, 20, 1000);
  check (&sender, "20 % for 1 s", TRUE, 1280);
  gcc_alr_detector_set_estimate (&sender.detector, ESTIMATE / 5);
  check (&sender, "then an estimate of a fifth", TRUE, 1280);
  send_for (&sender, 50, 1000);
  check (&sender, "then 50 % for 1 s", FALSE, 2380);

  sender_init (&sender, &without_trial);
  send_for (&sender, 20, 1000);
  check (&sender, ".65/.80/.50: 20 % for 1 s", TRUE, 1600);
  gcc_alr_detector_set_estimate (&sender.detector, ESTIMATE / 5);
  send_for (&sender, 50, 1000);
  check (&sender, ".65/.80/.50: then 50 % of five times the estimate", FALSE,
      2090);
}

static void
test_thresholds_are_of_the_profile (void)
{
  Sender sender;

  sender_init (&sender, &narrow);
  send_for (&sender, 100, 1000);
  check (&sender, ".90/0/-.10: 100 % for 1 s", FALSE, NONE);
  send_for (&sender, 85, 2100);
  check (&sender, ".90/0/-.10: then 85 % for 2.1 s", TRUE, 3990);
}

static void
test_silence_alone_says_nothing_before_the_first_packet (void)
{
  Sender sender;

  sender_init (&sender, &gcc_goog_2026_alr_detector);
  gcc_alr_detector_feed_sent (&sender.detector, 1, G_MAXINT64 / 2);
  g_assert_false (is_limited (&sender));
}

static void
test_no_estimate_is_no_limit (void)
{
  GccAlrDetector detector;

  gcc_alr_detector_init (&detector, &gcc_goog_2026_alr_detector);
  for (guint i = 0; i < 100; i++)
    gcc_alr_detector_feed_sent (&detector, 10, i * GCC_SECOND);
  g_assert_cmpint (detector.start, ==, GCC_TIME_NONE);
}

/* Guards against an overflow that fuzzing found: the budget of a pause of days,
 * in bytes, was more than 63 bits hold, and became the least there is. */
static void
test_a_pause_of_years_fills_the_budget_and_no_more (void)
{
  GccAlrDetector detector;

  gcc_alr_detector_init (&detector, &gcc_goog_2026_alr_detector);
  gcc_alr_detector_set_estimate (&detector, G_GINT64_CONSTANT (1) << 40);
  gcc_alr_detector_feed_sent (&detector, 1200, 0);
  gcc_alr_detector_feed_sent (&detector, 1200, GCC_SECOND);
  gcc_alr_detector_feed_sent (&detector, 1200, G_MAXINT64 / 4);
  g_assert_cmpint (detector.start, ==, GCC_SECOND);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/alr-detector/" #name, test_##name)
  ADD (an_idle_application_is_the_limit);
  ADD (the_estimate_makes_the_budget);
  ADD (thresholds_are_of_the_profile);
  ADD (silence_alone_says_nothing_before_the_first_packet);
  ADD (no_estimate_is_no_limit);
  ADD (a_pause_of_years_fills_the_budget_and_no_more);
#undef ADD
  return g_test_run ();
}
