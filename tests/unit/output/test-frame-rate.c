/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/output/gcc-frame-rate.h>

/* A source of 30 frames a second, as its timestamps are: rounded down. */
#define FRAME(i) ((i) * GCC_SECOND / 30)
#define JITTER (GCC_SECOND / 60)

static guint
count (GccTime interval, GccTime jitter, guint n)
{
  GccFrameRate rate;
  guint taken = 0;

  gcc_frame_rate_init (&rate);
  for (guint i = 0; i < n; i++)
    taken += gcc_frame_rate_takes (&rate, FRAME (i), interval, jitter);

  return taken;
}

static void
test_without_an_interval_all_are_taken (void)
{
  g_assert_cmpuint (count (0, 0, 100), ==, 100);
}

static void
test_every_second_and_third_frame_is_taken_for_ever (void)
{
  g_assert_cmpuint (count (GCC_SECOND / 15, JITTER, 300000), ==, 150000);
  g_assert_cmpuint (count (GCC_SECOND / 10, JITTER, 300000), ==, 100000);
}

/* 15 of 24 a second, to one percent. */
static void
test_any_frame_rate_is_kept_on_average (void)
{
  GccFrameRate rate;
  guint taken = 0;

  gcc_frame_rate_init (&rate);
  for (guint i = 0; i < 2400; i++)
    taken += gcc_frame_rate_takes (
        &rate, i * GCC_SECOND / 24, GCC_SECOND / 15, GCC_SECOND / 60);
  g_assert_cmpuint (taken, >=, 1485);
  g_assert_cmpuint (taken, <=, 1515);
}

static void
test_frames_that_come_early_and_late_are_counted_right (void)
{
  GccFrameRate rate;

  gcc_frame_rate_init (&rate);
  for (guint i = 0; i < 1000; i++) {
    GccTime off = ((gint) (i * 7 % 11) - 5) * GCC_MSECOND;

    g_assert_cmpint (
        gcc_frame_rate_takes (&rate, FRAME (i) + off, GCC_SECOND / 15, JITTER),
        ==, i % 2 == 0);
  }
}

/* The source itself has left out frames. */
static void
test_after_a_gap_the_next_frame_is_taken (void)
{
  GccFrameRate rate;

  gcc_frame_rate_init (&rate);
  g_assert_true (gcc_frame_rate_takes (&rate, 0, GCC_SECOND / 15, JITTER));
  g_assert_true (
      gcc_frame_rate_takes (&rate, FRAME (91), GCC_SECOND / 15, JITTER));
  g_assert_false (
      gcc_frame_rate_takes (&rate, FRAME (92), GCC_SECOND / 15, JITTER));
}

static void
test_a_time_line_that_begins_anew_is_followed (void)
{
  GccFrameRate rate;

  gcc_frame_rate_init (&rate);
  g_assert_true (
      gcc_frame_rate_takes (&rate, FRAME (3000), GCC_SECOND / 15, JITTER));
  g_assert_true (gcc_frame_rate_takes (&rate, 0, GCC_SECOND / 15, JITTER));
  g_assert_false (
      gcc_frame_rate_takes (&rate, FRAME (1), GCC_SECOND / 15, JITTER));
}

static void
test_a_frame_without_time_is_taken (void)
{
  GccFrameRate rate;

  gcc_frame_rate_init (&rate);
  for (guint i = 0; i < 10; i++)
    g_assert_true (
        gcc_frame_rate_takes (&rate, GCC_TIME_NONE, GCC_SECOND / 15, JITTER));
}

static void
test_times_of_any_size_are_taken (void)
{
  static const GccTime any[] = { 0, 1, -1, G_MAXINT64, G_MININT64 + 1,
    GCC_TIME_NONE };

  for (guint i = 0; i < 216; i++) {
    GccFrameRate rate;

    gcc_frame_rate_init (&rate);
    g_assert_true (gcc_frame_rate_takes (&rate, any[i % 6], 1000, 0));
    gcc_frame_rate_takes (&rate, any[i / 6 % 6], ABS (any[i / 36 % 5]), 0);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/frame-rate/" #name, test_##name)
  ADD (without_an_interval_all_are_taken);
  ADD (every_second_and_third_frame_is_taken_for_ever);
  ADD (any_frame_rate_is_kept_on_average);
  ADD (frames_that_come_early_and_late_are_counted_right);
  ADD (after_a_gap_the_next_frame_is_taken);
  ADD (a_time_line_that_begins_anew_is_followed);
  ADD (a_frame_without_time_is_taken);
  ADD (times_of_any_size_are_taken);
#undef ADD

  return g_test_run ();
}
