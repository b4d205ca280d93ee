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
} Stream;

static void
stream_init (Stream *stream, const gchar *profile)
{
  *stream = (Stream){ .is_send_time = TRUE };
  gcc_delay_detector_init (&stream->delay, &gcc_profile_find (profile)->delay);
}

/* Sends a packet, for which the queue is longer by @growth than for the last.
 */
static gboolean
stream_send (Stream *stream, GccTime growth)
{
  GccDelaySample sample = {
    .departure = (guint32) stream->sent,
    .clock_rate = CLOCK_RATE,
    .is_send_time = stream->is_send_time,
    .arrival = stream->sent + (stream->queue += growth),
    .size = SIZE,
  };

  stream->sent += INTERVAL;
  return gcc_delay_detector_update (
      &stream->delay, &sample, sample.arrival, &stream->state);
}

static void
stream_send_many (Stream *stream, guint n, GccTime growth)
{
  for (guint i = 0; i < n; i++)
    stream_send (stream, growth);
}

static void
test_the_third_group_completes_the_first_delta (void)
{
  Stream stream;

  stream_init (&stream, "goog-2020");
  g_assert_false (stream_send (&stream, 0));
  g_assert_false (stream_send (&stream, 0));
  g_assert_true (stream_send (&stream, 0));
  g_assert_cmpfloat (stream.state.delay_variation_ms, ==, 0.);
}

static void
test_a_queue_that_grows_is_overuse_and_one_that_drains_is_not (void)
{
  Stream stream;

  stream_init (&stream, "goog-2020");
  stream_send_many (&stream, 100, 0);
  g_assert_cmpint (stream.state.signal, ==, GCC_SIGNAL_NORMAL);

  stream_send_many (&stream, 100, 5 * GCC_MSECOND);
  g_assert_cmpint (stream.state.signal, ==, GCC_SIGNAL_OVERUSE);
  g_assert_cmpint (
      gcc_delay_detector_get_signal (&stream.delay), ==, GCC_SIGNAL_OVERUSE);
  g_assert_cmpfloat (stream.state.m_ms, >, 0.);
  g_assert_cmpfloat (stream.state.modified_m_ms, >, stream.state.gamma_ms);

  stream_send_many (&stream, 50, -10 * GCC_MSECOND);
  g_assert_cmpint (stream.state.signal, ==, GCC_SIGNAL_UNDERUSE);
}

/* After a silence nothing is known of the path, but what its delay varies by
 * anyway has been learnt. */
static void
test_a_restart_keeps_gamma_and_the_signal (void)
{
  Stream stream;
  gdouble gamma;

  stream_init (&stream, "goog-2020");
  stream_send_many (&stream, 100, 0);
  stream_send_many (&stream, 50, 5 * GCC_MSECOND);
  gamma = stream.state.gamma_ms;

  gcc_delay_detector_restart (&stream.delay);
  g_assert_cmpint (
      gcc_delay_detector_get_signal (&stream.delay), ==, GCC_SIGNAL_OVERUSE);
  stream_send_many (&stream, 3, 0);
  g_assert_cmpfloat (stream.state.m_ms, ==, 0.);
  g_assert_cmpfloat (stream.state.gamma_ms, ==, gamma);
}

static void
test_gamma_is_halved_where_the_profile_does_so (void)
{
  Stream stream;
  gdouble gamma;

  stream_init (&stream, "rtcweb-2013");
  stream_send_many (&stream, 10, 0);
  gamma = stream.state.gamma_ms;
  gcc_delay_detector_set_gamma_halved (&stream.delay, TRUE);
  stream_send (&stream, 0);
  g_assert_cmpfloat (stream.state.gamma_ms, ==, gamma / 2.);

  stream_init (&stream, "draft-gcc-02");
  gcc_delay_detector_set_gamma_halved (&stream.delay, TRUE);
  stream_send_many (&stream, 3, 0);
  g_assert_cmpfloat (stream.state.gamma_ms, ==, 12.5);
}

/* The arrivals' clock need not be the caller's: feedback tells arrival times
 * all at once. */
static void
test_with_send_times_the_callers_clock_may_stand_still (void)
{
  Stream stream;
  gdouble gamma;

  stream_init (&stream, "draft-gcc-02");
  for (guint i = 0; i < 100; i++) {
    GccDelaySample sample = {
      .departure = (guint32) stream.sent,
      .clock_rate = CLOCK_RATE,
      .is_send_time = TRUE,
      .arrival = stream.sent,
      .size = SIZE,
    };

    gcc_delay_detector_update (&stream.delay, &sample, 0, &stream.state);
    stream.sent += GCC_SECOND;
  }
  gamma = stream.state.gamma_ms;
  g_assert_cmpfloat (gamma, <, 12.5);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/delay-detector/" #name, test_##name)
  ADD (the_third_group_completes_the_first_delta);
  g_test_add_func ("/delay-detector/"
                   "a_queue_that_grows_is_overuse_and_one_that_drains_is_not",
      test_a_queue_that_grows_is_overuse_and_one_that_drains_is_not);
  ADD (a_restart_keeps_gamma_and_the_signal);
  ADD (gamma_is_halved_where_the_profile_does_so);
  ADD (with_send_times_the_callers_clock_may_stand_still);
#undef ADD
  return g_test_run ();
}
