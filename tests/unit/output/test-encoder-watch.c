/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/output/gcc-encoder-watch.h>

#define V 500000
#define BEGIN (50 * GCC_SECOND)

static const GccEncoderWatchParams params = { .excess = 1.3,
  .patience = 5 * GCC_SECOND };

static GccEncoderWatch
new_watch (void)
{
  GccEncoderWatch watch;

  gcc_encoder_watch_init (&watch, &params);

  return watch;
}

/* The number of warnings while encoders send @sent, with an update each 100 ms. */
static guint
count (GccEncoderWatch *watch, GccRate sent, GccTime from, GccTime to)
{
  guint n = 0;

  for (GccTime now = from; now < to; now += 100 * GCC_MSECOND)
    n += gcc_encoder_watch_update (watch, sent, V, BEGIN + now);

  return n;
}

static void
test_an_encoder_that_sends_too_much_is_told_of_once (void)
{
  GccEncoderWatch watch = new_watch ();

  g_assert_cmpuint (count (&watch, 2 * V, 0, 5 * GCC_SECOND), ==, 0);
  g_assert_cmpuint (
      count (&watch, 2 * V, 5 * GCC_SECOND, 60 * GCC_SECOND), ==, 1);
}

static void
test_what_follows_about_is_enough (void)
{
  GccEncoderWatch watch = new_watch ();

  g_assert_cmpuint (count (&watch, V * 13 / 10, 0, 60 * GCC_SECOND), ==, 0);
}

/* Guards against: a key frame now and then, or a target that has just fallen. */
static void
test_moments_do_not_add_up (void)
{
  GccEncoderWatch watch = new_watch ();

  for (GccTime at = 0; at < 60 * GCC_SECOND; at += 5 * GCC_SECOND) {
    g_assert_cmpuint (count (&watch, 3 * V, at, at + 4 * GCC_SECOND), ==, 0);
    g_assert_cmpuint (
        count (&watch, V, at + 4 * GCC_SECOND, at + 5 * GCC_SECOND), ==, 0);
  }
}

static void
test_a_clock_that_is_set_back_begins_anew (void)
{
  GccEncoderWatch watch = new_watch ();

  g_assert_cmpuint (
      count (&watch, 2 * V, 6 * GCC_SECOND, 9 * GCC_SECOND), ==, 0);
  g_assert_cmpuint (count (&watch, 2 * V, 0, 5 * GCC_SECOND), ==, 0);
  g_assert_cmpuint (
      count (&watch, 2 * V, 5 * GCC_SECOND, 6 * GCC_SECOND), ==, 1);
}

static void
test_a_rate_of_nothing_is_exceeded_by_anything (void)
{
  GccEncoderWatch watch = new_watch ();

  g_assert_false (gcc_encoder_watch_update (&watch, 0, 0, BEGIN));
  g_assert_false (gcc_encoder_watch_update (&watch, 1, 0, BEGIN));
  g_assert_true (
      gcc_encoder_watch_update (&watch, 1, 0, BEGIN + 5 * GCC_SECOND));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/encoder-watch/" #name, test_##name)
  ADD (an_encoder_that_sends_too_much_is_told_of_once);
  ADD (what_follows_about_is_enough);
  ADD (moments_do_not_add_up);
  ADD (a_clock_that_is_set_back_begins_anew);
  ADD (a_rate_of_nothing_is_exceeded_by_anything);
#undef ADD

  return g_test_run ();
}
