/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/delay/gcc-delay-detector.h>

#include <gst/gcc/profiles/gcc-profile-private.h>

/* One packet for each group. */
#define INTERVAL (20 * GCC_MSECOND)
#define CLOCK_RATE 1000000
#define SIZE 1000

typedef struct {
  GccDelayDetector delay;
  GccTime sent;
  GccTime queue;
  gboolean is_send_time;
  GccDelayState state;
} Path;

static void
path_init (Path *path, const gchar *profile)
{
  *path = (Path){ .is_send_time = TRUE };
  gcc_delay_detector_init (&path->delay, &gcc_profile_find (profile)->delay);
}

/* Sends a packet, for which the queue is longer by @growth than for the last.
 */
static gboolean
path_send (Path *path, GccTime growth)
{
  GccDelaySample sample = {
    .departure = (guint32) path->sent,
    .clock_rate = CLOCK_RATE,
    .is_send_time = path->is_send_time,
    .arrival = path->sent + (path->queue += growth),
    .size = SIZE,
  };

  path->sent += INTERVAL;
  return gcc_delay_detector_update (
      &path->delay, &sample, sample.arrival, &path->state);
}

static void
path_send_many (Path *path, guint n, GccTime growth)
{
  for (guint i = 0; i < n; i++)
    path_send (path, growth);
}

static void
test_the_third_group_completes_the_first_delta (void)
{
  Path path;

  path_init (&path, "goog-2020");
  g_assert_false (path_send (&path, 0));
  g_assert_false (path_send (&path, 0));
  g_assert_true (path_send (&path, 0));
  g_assert_cmpfloat (path.state.delay_variation_ms, ==, 0.);
}

static void
test_a_queue_that_grows_is_overuse_and_one_that_drains_is_not (void)
{
  Path path;

  path_init (&path, "goog-2020");
  path_send_many (&path, 100, 0);
  g_assert_cmpint (path.state.signal, ==, GCC_SIGNAL_NORMAL);

  path_send_many (&path, 100, 5 * GCC_MSECOND);
  g_assert_cmpint (path.state.signal, ==, GCC_SIGNAL_OVERUSE);
  g_assert_cmpint (
      gcc_delay_detector_get_signal (&path.delay), ==, GCC_SIGNAL_OVERUSE);
  g_assert_cmpfloat (path.state.m_ms, >, 0.);
  g_assert_cmpfloat (path.state.modified_m_ms, >, path.state.gamma_ms);

  path_send_many (&path, 50, -10 * GCC_MSECOND);
  g_assert_cmpint (path.state.signal, ==, GCC_SIGNAL_UNDERUSE);
}

/* After a silence nothing is known of the path, but what its delay varies by
 * anyway has been learnt. */
static void
test_a_restart_keeps_gamma_and_the_signal (void)
{
  Path path;
  gdouble gamma;

  path_init (&path, "goog-2020");
  path_send_many (&path, 100, 0);
  path_send_many (&path, 50, 5 * GCC_MSECOND);
  gamma = path.state.gamma_ms;

  gcc_delay_detector_restart (&path.delay);
  g_assert_cmpint (
      gcc_delay_detector_get_signal (&path.delay), ==, GCC_SIGNAL_OVERUSE);
  path_send_many (&path, 3, 0);
  g_assert_cmpfloat (path.state.m_ms, ==, 0.);
  g_assert_cmpfloat (path.state.gamma_ms, ==, gamma);
}

static void
test_gamma_is_halved_where_the_profile_does_so (void)
{
  Path path;
  gdouble gamma;

  path_init (&path, "rtcweb-2013");
  path_send_many (&path, 10, 0);
  gamma = path.state.gamma_ms;
  gcc_delay_detector_set_gamma_halved (&path.delay, TRUE);
  path_send (&path, 0);
  g_assert_cmpfloat (path.state.gamma_ms, ==, gamma / 2.);

  path_init (&path, "draft-gcc-02");
  gcc_delay_detector_set_gamma_halved (&path.delay, TRUE);
  path_send_many (&path, 3, 0);
  g_assert_cmpfloat (path.state.gamma_ms, ==, 12.5);
}

/* The arrivals' clock need not be the caller's: feedback tells arrival times
 * all at once. */
static void
test_with_send_times_the_callers_clock_may_stand_still (void)
{
  Path path;
  gdouble gamma;

  path_init (&path, "draft-gcc-02");
  for (guint i = 0; i < 100; i++) {
    GccDelaySample sample = {
      .departure = (guint32) path.sent,
      .clock_rate = CLOCK_RATE,
      .is_send_time = TRUE,
      .arrival = path.sent,
      .size = SIZE,
    };

    gcc_delay_detector_update (&path.delay, &sample, 0, &path.state);
    path.sent += GCC_SECOND;
  }
  gamma = path.state.gamma_ms;
  g_assert_cmpfloat (gamma, <, 12.5);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/delay-detector/the_third_group_completes_the_first_delta",
      test_the_third_group_completes_the_first_delta);
  g_test_add_func ("/delay-detector/"
                   "a_queue_that_grows_is_overuse_and_one_that_drains_is_not",
      test_a_queue_that_grows_is_overuse_and_one_that_drains_is_not);
  g_test_add_func ("/delay-detector/a_restart_keeps_gamma_and_the_signal",
      test_a_restart_keeps_gamma_and_the_signal);
  g_test_add_func ("/delay-detector/gamma_is_halved_where_the_profile_does_so",
      test_gamma_is_halved_where_the_profile_does_so);
  g_test_add_func (
      "/delay-detector/with_send_times_the_callers_clock_may_stand_still",
      test_with_send_times_the_callers_clock_may_stand_still);
  return g_test_run ();
}
