/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* The path is interrupted: the stage alone, then what the receiver makes of
 * it. */

#include <gst/gcc/compose/gcc-receiver-private.h>
#include <gst/gcc/path/gcc-outage.h>
#include <gst/gcc/profiles/gcc-profile-private.h>

#define FRAME (33 * GCC_MSECOND)
#define OUTAGE (600 * GCC_MSECOND)
#define MEDIA_RATE 90000

static GccOutage stage;
static guint32 departure;
static GccTime arrival;

static void
start (void)
{
  departure = 0;
  arrival = 0;
  gcc_outage_init (&stage, &gcc_profile_recommended.delay.outage);
}

/* A packet that leaves @sent after the last, and arrives @gap after it. */
static GccOutageState
feed (GccTime sent, GccTime gap)
{
  departure += (guint32) (sent * MEDIA_RATE / GCC_SECOND);
  arrival += gap;
  return gcc_outage_update (&stage, departure, MEDIA_RATE, arrival);
}

static void
test_a_path_that_was_silent_was_interrupted_until_all_has_arrived (void)
{
  start ();
  feed (FRAME, FRAME);
  g_assert_cmpint (feed (FRAME, FRAME), ==, GCC_OUTAGE_NONE);
  g_assert_cmpint (feed (FRAME, OUTAGE), ==, GCC_OUTAGE_ENDS);
  for (guint i = 0; i < 15; i++)
    g_assert_cmpint (feed (FRAME, 0), ==, GCC_OUTAGE_FLUSH);
  g_assert_cmpint (feed (FRAME, 0), ==, GCC_OUTAGE_FLUSHED);
  g_assert_cmpint (feed (FRAME, FRAME), ==, GCC_OUTAGE_NONE);
}

static void
test_a_sender_that_was_silent_is_no_outage (void)
{
  start ();
  feed (FRAME, FRAME);
  g_assert_cmpint (feed (OUTAGE, OUTAGE), ==, GCC_OUTAGE_NONE);
  g_assert_cmpint (feed (0, 0), ==, GCC_OUTAGE_NONE);
}

/* Guards: 40 s are -24 s by abs-send-time, which wraps after 64. */
static void
test_a_long_silence_is_no_outage (void)
{
  start ();
  feed (FRAME, FRAME);
  g_assert_cmpint (
      feed (-24 * GCC_SECOND, 40 * GCC_SECOND), ==, GCC_OUTAGE_NONE);
  g_assert_cmpint (feed (FRAME, FRAME), ==, GCC_OUTAGE_NONE);
}

static void
test_a_queue_that_grows_is_no_outage (void)
{
  start ();
  for (guint i = 0; i < 100; i++)
    g_assert_cmpint (feed (FRAME, 4 * FRAME), ==, GCC_OUTAGE_NONE);
  for (guint i = 0; i < 100; i++)
    g_assert_cmpint (feed (10 * FRAME, 30 * FRAME), ==, GCC_OUTAGE_NONE);
}

static void
test_what_is_left_after_a_while_is_a_queue_and_not_for_ever (void)
{
  start ();
  feed (FRAME, FRAME);
  feed (FRAME, OUTAGE);
  for (guint i = 0; i < 15; i++)
    g_assert_cmpint (feed (FRAME, FRAME), ==, GCC_OUTAGE_FLUSH);
  feed (FRAME, FRAME);
  for (guint i = 0; i < 120; i++)
    g_assert_cmpint (feed (FRAME, FRAME), ==, GCC_OUTAGE_QUEUE);
  for (guint i = 0; i < 100; i++)
    feed (FRAME, FRAME);
  g_assert_cmpint (feed (FRAME, FRAME), ==, GCC_OUTAGE_NONE);
}

static void
test_published_profiles_know_no_outages (void)
{
  for (guint i = 1; i < gcc_n_profiles; i++) {
    start ();
    stage.params = &gcc_profiles[i]->delay.outage;
    feed (FRAME, FRAME);
    g_assert_cmpint (feed (FRAME, OUTAGE), ==, GCC_OUTAGE_NONE);
  }
}

/* --- at the receiver --- */

static GccReceiver receiver;

/* A frame of 400 kbit/s. */
static void
receive (GccTime gap)
{
  GccPacket packet = {
    .ssrc = 1,
    .clock_rate = MEDIA_RATE,
    .payload_size = 825,
  };

  arrival += gap;
  for (guint i = 0; i < 2; i++) {
    GccTime due = gcc_receiver_next_timeout (&receiver);

    if (due != GCC_TIME_NONE && due <= arrival)
      gcc_receiver_handle_timeout (&receiver, arrival);
    packet.rtp_timestamp = departure;
    packet.arrival = arrival;
    gcc_receiver_feed (&receiver, &packet, arrival);
  }
  departure += (guint32) (FRAME * MEDIA_RATE / GCC_SECOND);
}

static void
receive_many (guint n, GccTime gap)
{
  for (guint i = 0; i < n; i++)
    receive (gap);
}

/* What has waited arrives slowly at first. */
static void
break_off (void)
{
  receive (OUTAGE + 10 * GCC_MSECOND);
  receive_many (4, FRAME + 25 * GCC_MSECOND);
  receive_many (25, 6 * GCC_MSECOND);
}

static void
start_call (void)
{
  start ();
  gcc_receiver_init (&receiver, &gcc_profile_recommended);
  receive_many (600, FRAME);
}

/* Guards: R over a second that was silent for the most part is what A_r falls
 * to, 20 of 87 kbit/s in a call over LTE. */
static void
test_an_outage_does_not_lower_a_r_to_what_arrived_meanwhile (void)
{
  GccRate before;

  start_call ();
  before = gcc_receiver_get_estimate (&receiver);
  break_off ();
  receive_many (60, FRAME);
  g_assert_cmpint (
      gcc_receiver_get_estimate (&receiver), >=, before * 85 / 100);
  gcc_receiver_clear (&receiver);
}

/* Guards: the arrival filter takes seconds to forget how fast that queue has
 * drained, and A_r does not rise meanwhile. */
static void
test_a_r_rises_within_a_second_after_an_outage (void)
{
  GccRate before;

  start_call ();
  break_off ();
  before = gcc_receiver_get_estimate (&receiver);
  receive_many (30, FRAME);
  g_assert_cmpint (gcc_receiver_get_estimate (&receiver), >, before);
  gcc_receiver_clear (&receiver);
}

/* Guards: a queue that nobody drains, because it has not grown since. */
static void
test_a_queue_that_an_outage_leaves_is_drained (void)
{
  GccRate before;

  start_call ();
  before = gcc_receiver_get_estimate (&receiver);
  receive (OUTAGE);
  receive_many (60, FRAME);
  g_assert_cmpint (gcc_receiver_get_estimate (&receiver), <, before);
  gcc_receiver_clear (&receiver);
}

#define ADD(test) g_test_add_func ("/outage/" #test, test_##test)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD (a_path_that_was_silent_was_interrupted_until_all_has_arrived);
  ADD (a_sender_that_was_silent_is_no_outage);
  ADD (a_long_silence_is_no_outage);
  ADD (a_queue_that_grows_is_no_outage);
  ADD (what_is_left_after_a_while_is_a_queue_and_not_for_ever);
  ADD (published_profiles_know_no_outages);
  ADD (an_outage_does_not_lower_a_r_to_what_arrived_meanwhile);
  ADD (a_r_rises_within_a_second_after_an_outage);
  ADD (a_queue_that_an_outage_leaves_is_drained);
  return g_test_run ();
}
