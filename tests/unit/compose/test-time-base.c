/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/compose/gcc-time-base.h>

static const GccReceiverParams params = { .abs_send_time = TRUE,
  .max_without = 3 };

static gboolean
feed (GccTimeBase *base, gboolean has_abs_send_time)
{
  return gcc_time_base_feed (
      base, &(GccPacket){ .has_abs_send_time = has_abs_send_time });
}

static void
test_abs_send_time_is_used_once_it_comes (void)
{
  GccTimeBase base;

  gcc_time_base_init (&base, &params);
  g_assert_false (feed (&base, FALSE));
  g_assert_false (gcc_time_base_uses_abs_send_time (&base));
  g_assert_true (feed (&base, TRUE));
  g_assert_true (gcc_time_base_uses_abs_send_time (&base));
  g_assert_false (feed (&base, TRUE));
}

static void
test_a_few_packets_may_lack_it (void)
{
  GccTimeBase base;

  gcc_time_base_init (&base, &params);
  feed (&base, TRUE);
  feed (&base, FALSE);
  g_assert_false (feed (&base, FALSE));
  g_assert_true (gcc_time_base_uses_abs_send_time (&base));
  feed (&base, TRUE);
  feed (&base, FALSE);
  feed (&base, FALSE);
  g_assert_true (feed (&base, FALSE));
  g_assert_false (gcc_time_base_uses_abs_send_time (&base));
}

static void
test_an_older_generation_has_rtp_timestamps_alone (void)
{
  static const GccReceiverParams old = { .abs_send_time = FALSE };
  GccTimeBase base;

  gcc_time_base_init (&base, &old);
  g_assert_false (feed (&base, TRUE));
  g_assert_false (gcc_time_base_uses_abs_send_time (&base));
}

/* A second of either clock is as many of its ticks. */
static void
test_a_sample_has_the_clock_of_its_time (void)
{
  GccPacket packet = {
    .rtp_timestamp = 90000, .abs_send_time = 1u << 18, .has_abs_send_time = TRUE
  };
  GccDelaySample sample;
  GccTimeBase base;

  gcc_time_base_init (&base, &params);
  sample = gcc_time_base_get_sample (&base, &packet, 1000);
  g_assert_cmpuint (sample.departure, ==, sample.clock_rate);
  g_assert_false (sample.is_send_time);
  feed (&base, TRUE);
  sample = gcc_time_base_get_sample (&base, &packet, 1000);
  g_assert_cmpuint (sample.departure, ==, sample.clock_rate);
  g_assert_true (sample.is_send_time);
}

#define ADD(test) g_test_add_func ("/time-base/" #test, test_##test)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD (abs_send_time_is_used_once_it_comes);
  ADD (a_few_packets_may_lack_it);
  ADD (an_older_generation_has_rtp_timestamps_alone);
  ADD (a_sample_has_the_clock_of_its_time);
  return g_test_run ();
}
