/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/report/gcc-clock-check.h>

#define SSRC 1
#define FRAME (40 * GCC_MSECOND)

typedef struct {
  GccClockCheck check;
  GccTime now;
  gdouble timestamp;
  gdouble factor;
} Media;

/* Frames for @duration whose timestamps advance by @clock_rate per second of
 * media, of which @speed arrive in each second. */
static void
feed (
    Media *self, GccTime duration, guint clock_rate, gdouble speed, guint said)
{
  GccTime end = self->now + duration;

  for (; self->now < end; self->now += FRAME) {
    gdouble factor = gcc_clock_check_feed (&self->check, SSRC,
        (guint32) (gint64) self->timestamp, said, self->now);

    if (factor != 0.)
      self->factor = factor;
    self->timestamp += speed * clock_rate * (gdouble) FRAME /
        (gdouble) GCC_SECOND;
  }
}

static void
test_a_wrong_rate_is_found_with_the_right_one (void)
{
  static const guint rates[][2] = {
    { 90000, 8000 },
    { 90000, 48000 },
    { 48000, 90000 },
    { 8000, 90000 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rates); i++) {
    /* timestamps begin before they wrap */
    Media media = { .timestamp = 4294900000. };

    feed (&media, 9 * GCC_SECOND, rates[i][0], 1., rates[i][1]);
    g_assert_cmpfloat (media.factor, ==, 0.);
    feed (&media, 3 * GCC_SECOND, rates[i][0], 1., rates[i][1]);
    g_assert_cmpuint (
        gcc_clock_check_guess (media.factor, rates[i][1]), ==, rates[i][0]);
  }
}

static void
test_the_right_rate_is_never_wrong (void)
{
  Media media = { 0 };

  feed (&media, 60 * GCC_SECOND, 90000, 1., 90000);
  g_assert_cmpfloat (media.factor, ==, 0.);
}

/* Timestamps that stand still while nothing is sent, and that do not. */
static void
test_pauses_are_not_a_wrong_rate (void)
{
  Media media = { 0 };

  for (guint i = 0; i < 30; i++) {
    feed (&media, 600 * GCC_MSECOND, 90000, 1., 90000);
    media.now += 700 * GCC_MSECOND;
    media.timestamp += i % 2 == 0 ? 0. : 63000.;
  }
  g_assert_cmpfloat (media.factor, ==, 0.);
}

/* Each second of media in 200 ms; a stall, and all of it at once. */
static void
test_bursts_are_not_a_wrong_rate (void)
{
  Media media = { 0 };

  for (guint i = 0; i < 30; i++) {
    feed (&media, 200 * GCC_MSECOND, 90000, 5., 90000);
    media.now += 800 * GCC_MSECOND;
  }
  feed (&media, 5 * GCC_SECOND, 90000, 1., 90000);
  media.now += 4 * GCC_SECOND;
  feed (&media, 1 * GCC_SECOND, 90000, 5., 90000);
  feed (&media, 10 * GCC_SECOND, 90000, 1., 90000);
  g_assert_cmpfloat (media.factor, ==, 0.);
}

/* A link of half the rate, with a queue of four seconds. */
static void
test_a_queue_that_fills_is_not_a_wrong_rate (void)
{
  Media media = { 0 };

  feed (&media, 8 * GCC_SECOND, 90000, 0.5, 90000);
  feed (&media, 20 * GCC_SECOND, 90000, 1., 90000);
  g_assert_cmpfloat (media.factor, ==, 0.);
}

/* Two streams of one pad, say: which of them is wrong is not asked. */
static void
test_another_ssrc_begins_anew (void)
{
  GccClockCheck check = { 0 };

  for (guint32 i = 0; i < 1000; i++)
    g_assert_cmpfloat (gcc_clock_check_feed (&check, i % 2, i * 90000 / 25,
                           8000, (GccTime) i * FRAME),
        ==, 0.);
}

static void
test_any_time_and_timestamp_does_no_harm (void)
{
  static const GccTime times[] = { 0, G_MAXINT64, G_MININT64, -1, 1 };
  GccClockCheck check = { 0 };

  for (guint i = 0; i < 1000; i++)
    gcc_clock_check_feed (
        &check, SSRC, i * 0x40000001u, 1, times[i % G_N_ELEMENTS (times)]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define TEST(name) g_test_add_func ("/clock-check/" #name, test_##name)
  TEST (a_wrong_rate_is_found_with_the_right_one);
  TEST (the_right_rate_is_never_wrong);
  TEST (pauses_are_not_a_wrong_rate);
  TEST (bursts_are_not_a_wrong_rate);
  TEST (a_queue_that_fills_is_not_a_wrong_rate);
  TEST (another_ssrc_begins_anew);
  TEST (any_time_and_timestamp_does_no_harm);

  return g_test_run ();
}
