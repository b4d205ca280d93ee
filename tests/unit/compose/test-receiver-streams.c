/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/compose/gcc-receiver-streams.h>

#include <gst/gcc/profiles/gcc-profile-private.h>

#define TIMEOUT (2 * GCC_SECOND)

static void
streams_init (GccReceiverStreams *streams)
{
  gcc_receiver_streams_init (
      streams, &gcc_profile_find ("goog-2020")->delay, TIMEOUT);
}

static void
test_a_stream_is_found_again (void)
{
  GccReceiverStreams streams;

  streams_init (&streams);
  for (guint32 ssrc = 1; ssrc <= 10; ssrc++)
    g_assert_cmpuint (
        gcc_receiver_streams_take (&streams, ssrc, NULL, 0)->ssrc, ==, ssrc);
  gcc_receiver_streams_take (&streams, 5, NULL, GCC_SECOND);
  g_assert_cmpuint (streams.n, ==, 10);
  g_assert_cmpint (streams.streams[4].last_packet, ==, GCC_SECOND);
  gcc_receiver_streams_clear (&streams);
}

static void
test_no_more_than_a_remb_can_name_are_kept (void)
{
  GccReceiverStreams streams;

  streams_init (&streams);
  for (guint32 ssrc = 0; ssrc < GCC_RECEIVER_MAX_STREAMS; ssrc++)
    g_assert_nonnull (gcc_receiver_streams_take (&streams, ssrc, NULL, 0));
  g_assert_null (
      gcc_receiver_streams_take (&streams, GCC_RECEIVER_MAX_STREAMS, NULL, 0));
  g_assert_nonnull (gcc_receiver_streams_take (&streams, 0, NULL, 0));
  gcc_receiver_streams_clear (&streams);
}

static void
test_silent_streams_are_dropped_and_the_others_keep_their_order (void)
{
  GccReceiverStreams streams;

  streams_init (&streams);
  for (guint32 ssrc = 1; ssrc <= 4; ssrc++)
    gcc_receiver_streams_take (&streams, ssrc, NULL, 0);
  gcc_receiver_streams_take (&streams, 4, NULL, GCC_SECOND);
  gcc_receiver_streams_take (&streams, 2, NULL, GCC_SECOND);
  gcc_receiver_streams_drop_silent (&streams, TIMEOUT + 1);
  g_assert_cmpuint (streams.n, ==, 2);
  g_assert_cmpuint (streams.streams[0].ssrc, ==, 2);
  g_assert_cmpuint (streams.streams[1].ssrc, ==, 4);
  gcc_receiver_streams_clear (&streams);
}

/* Frames of a packet each, that come later and later by @growth. */
static void
receive (GccReceiverStreams *streams, guint32 ssrc, GccTime growth)
{
  GccReceiverStream *stream = gcc_receiver_streams_take (
      streams, ssrc, NULL, 0);

  for (guint i = 0; i < 60; i++) {
    GccTime now = i * (33 * GCC_MSECOND + growth);
    GccDelaySample sample = { .departure = i * 33 * 90,
      .clock_rate = 90000,
      .arrival = now,
      .size = 1000 };
    GccDelayState state;

    gcc_delay_detector_update (&stream->delay, &sample, now, &state);
  }
}

static void
test_the_worst_signal_counts (void)
{
  GccReceiverStreams streams;

  streams_init (&streams);
  g_assert_cmpint (
      gcc_receiver_streams_get_signal (&streams), ==, GCC_SIGNAL_NORMAL);
  g_assert_cmpfloat (gcc_receiver_streams_get_noise (&streams), ==, 0.);
  receive (&streams, 1, 0);
  g_assert_cmpint (
      gcc_receiver_streams_get_signal (&streams), ==, GCC_SIGNAL_NORMAL);
  receive (&streams, 2, 10 * GCC_MSECOND);
  receive (&streams, 3, 0);
  g_assert_cmpint (
      gcc_receiver_streams_get_signal (&streams), ==, GCC_SIGNAL_OVERUSE);
  g_assert_cmpfloat (gcc_receiver_streams_get_noise (&streams), >, 0.);
  gcc_receiver_streams_clear (&streams);
}

#define ADD(test) g_test_add_func ("/receiver-streams/" #test, test_##test)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD (a_stream_is_found_again);
  ADD (no_more_than_a_remb_can_name_are_kept);
  ADD (silent_streams_are_dropped_and_the_others_keep_their_order);
  ADD (the_worst_signal_counts);
  return g_test_run ();
}
