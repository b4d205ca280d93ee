/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* What any packets leave true of a receiver. */

#include <gst/gcc/compose/gcc-receiver-private.h>

#include <gst/gcc/profiles/gcc-profile-private.h>
#include <math.h>

#define MTU 1200
#define FIRST_SSRC 1

static void
check_stats (const GccReceiver *receiver)
{
  const GccReceiverStats *stats = gcc_receiver_get_stats (receiver);

  if (stats->groups > 0) {
    g_assert_true (isfinite (stats->delay_variation_ms));
    g_assert_true (isfinite (stats->m_ms));
    g_assert_true (isfinite (stats->modified_m_ms));
  }
  g_assert_true (isfinite (stats->gamma_ms) && stats->gamma_ms > 0.);
  g_assert_cmpint (stats->received_rate, >=, GCC_RATE_NONE);
  g_assert_cmpint (stats->estimate, >=, GCC_RATE_NONE);
  g_assert_cmpint (stats->estimate, !=, 0);
  g_assert_cmpint (stats->estimate, ==, gcc_receiver_get_estimate (receiver));
  g_assert_true (stats->signal != GCC_SIGNAL_ABSENT);
}

static void
test_hostile_packets_do_no_harm (void)
{
  GRand *rand = g_rand_new_with_seed (7);

  for (guint i = 0; i < gcc_n_profiles; i++) {
    guint32 rtp_timestamp = 0;
    GccTime now = 0, arrival = 0;
    GccReceiver receiver;

    gcc_receiver_init (&receiver, gcc_profiles[i]);
    for (guint j = 0; j < 300000; j++) {
      GccPacket packet = { .clock_rate = 90000 };
      GccTime next;

      now += g_rand_int_range (rand, 0, 40 * GCC_MSECOND);
      arrival += g_rand_int_range (rand, 0, 40 * GCC_MSECOND);
      rtp_timestamp += (guint32) g_rand_int_range (rand, 0, 3600);
      packet.ssrc = (guint32) g_rand_int_range (rand, 0, 3);
      packet.payload_size = (gsize) g_rand_int_range (rand, 0, 1500);
      packet.has_abs_send_time = j / 50000 % 2 == 1;
      packet.abs_send_time = (guint32) ((guint64) arrival * 262144 /
          GCC_SECOND);

      switch (g_rand_int_range (rand, 0, 400)) {
        case 0:
          packet.ssrc = g_rand_int (rand);
          break;
        case 1:
          arrival += g_rand_int_range (rand, -3 * GCC_SECOND, 3 * GCC_SECOND);
          break;
        case 2:
          now += g_rand_int_range (rand, -3 * GCC_SECOND, 3 * GCC_SECOND);
          break;
        case 3:
          rtp_timestamp = g_rand_int (rand);
          break;
        case 4:
          packet.payload_size = G_MAXSIZE;
          break;
        case 5:
          packet.clock_rate = g_rand_int (rand);
          break;
        case 6:
          packet.abs_send_time = g_rand_int (rand);
          break;
        case 7:
          if (j % 20 == 0)
            now = (GccTime) ((guint64) g_rand_int (rand) << 32);
          break;
        case 8:
          if (j % 20 == 0)
            arrival = (GccTime) ((guint64) g_rand_int (rand) << 32) / 4;
          break;
        default:
          break;
      }
      packet.rtp_timestamp = rtp_timestamp;
      packet.arrival = arrival;

      gcc_receiver_feed (&receiver, &packet, now);
      next = gcc_receiver_next_timeout (&receiver);
      if (next != GCC_TIME_NONE && next <= now)
        gcc_receiver_handle_timeout (&receiver, now);
      check_stats (&receiver);
    }
    g_test_message ("%s: %" G_GUINT64_FORMAT " groups, %" G_GUINT64_FORMAT
                    " over-uses",
        gcc_profiles[i]->name, gcc_receiver_get_stats (&receiver)->groups,
        gcc_receiver_get_stats (&receiver)->overuses);
    gcc_receiver_clear (&receiver);
  }
  g_rand_free (rand);
}

static void
test_skewed_clocks_are_no_overuse (void)
{
  static const gdouble skews[] = { -500e-6, 500e-6 };

  for (guint i = 0; i < gcc_n_profiles; i++) {
    for (guint j = 0; j < G_N_ELEMENTS (skews); j++) {
      GccReceiver receiver;

      gcc_receiver_init (&receiver, gcc_profiles[i]);
      for (gint64 frame = 0; frame < 30 * 600; frame++) {
        gint64 us = frame * 100000 / 3;
        GccPacket packet = {
          .ssrc = FIRST_SSRC,
          .rtp_timestamp = (guint32) (frame * 3000),
          .arrival = us + (gint64) ((gdouble) us * skews[j]),
          .payload_size = MTU,
        };

        gcc_receiver_feed (&receiver, &packet, packet.arrival);
        if (gcc_receiver_next_timeout (&receiver) <= packet.arrival)
          gcc_receiver_handle_timeout (&receiver, packet.arrival);
      }
      g_assert_cmpuint (gcc_receiver_get_stats (&receiver)->overuses, ==, 0);
      gcc_receiver_clear (&receiver);
    }
  }
}

static void
test_streams_come_and_go (void)
{
  GccReceiver receiver;
  GccRemb remb;
  GccTime now = 0;

  gcc_receiver_init (&receiver, gcc_profile_find ("goog-2020"));
  for (guint32 i = 0; i < 2 * GCC_RECEIVER_MAX_STREAMS; i++) {
    GccPacket packet = { .ssrc = i, .arrival = now, .payload_size = MTU };

    gcc_receiver_feed (&receiver, &packet, now);
  }
  gcc_receiver_get_remb (&receiver, &remb);
  g_assert_cmpuint (remb.n_ssrcs, ==, GCC_RECEIVER_MAX_STREAMS);
  g_assert_cmpuint (remb.ssrcs[10], ==, 10);

  now += 2 * GCC_SECOND + GCC_MSECOND;
  gcc_receiver_handle_timeout (&receiver, now);
  g_assert_false (gcc_receiver_get_remb (&receiver, &remb));
  g_assert_cmpuint (remb.n_ssrcs, ==, 0);
  g_assert_cmpint (gcc_receiver_next_timeout (&receiver), ==, GCC_TIME_NONE);
  gcc_receiver_clear (&receiver);
}

static void
test_thirty_packets_without_abs_send_time_change_the_time_base (void)
{
  GccPacket packet = { .ssrc = 1, .payload_size = MTU };
  GccReceiver receiver;

  gcc_receiver_init (&receiver, gcc_profile_find ("goog-2020"));
  packet.has_abs_send_time = TRUE;
  gcc_receiver_feed (&receiver, &packet, 0);
  g_assert_true (gcc_receiver_uses_abs_send_time (&receiver));
  packet.has_abs_send_time = FALSE;
  for (guint i = 0; i < 29; i++)
    gcc_receiver_feed (&receiver, &packet, 0);
  g_assert_true (gcc_receiver_uses_abs_send_time (&receiver));
  gcc_receiver_feed (&receiver, &packet, 0);
  g_assert_false (gcc_receiver_uses_abs_send_time (&receiver));
  gcc_receiver_clear (&receiver);
}

/* What is not measured by its RTP timestamp makes no group, no stream, and does
 * not choose the time base; but it is part of the rate. */
static void
test_packets_without_a_departure_time_count_in_the_rate (void)
{
  for (guint i = 0; i < gcc_n_profiles; i++) {
    GccReceiver plain, mixed;
    GccRemb remb;

    gcc_receiver_init (&plain, gcc_profiles[i]);
    gcc_receiver_init (&mixed, gcc_profiles[i]);
    for (guint32 frame = 0; frame < 30; frame++) {
      GccTime now = (GccTime) frame * 33 * GCC_MSECOND;
      const GccPacket media = {
        .ssrc = 1,
        .rtp_timestamp = frame * 33 * 90,
        .arrival = now,
        .payload_size = MTU,
      };
      const GccPacket repair = {
        .ssrc = 2,
        .rtp_timestamp = frame * 7919,
        .arrival = now,
        .payload_size = MTU,
        .has_abs_send_time = frame % 2 == 1,
        .ignore_rtp_timestamp = TRUE,
      };

      gcc_receiver_feed (&plain, &media, now);
      gcc_receiver_feed (&mixed, &media, now);
      g_assert_cmpint (gcc_receiver_feed (&mixed, &repair, now), ==,
          GCC_RECEIVER_EVENT_NONE);
    }
    g_assert_false (gcc_receiver_uses_abs_send_time (&mixed));
    g_assert_cmpuint (mixed.stats.packets, ==, 2 * plain.stats.packets);
    g_assert_cmpuint (mixed.stats.groups, ==, plain.stats.groups);
    g_assert_cmpfloat (mixed.stats.m_ms, ==, plain.stats.m_ms);
    g_assert_cmpint (
        gcc_received_rate_get (&mixed.received_rate, 29 * 33 * GCC_MSECOND), >,
        gcc_received_rate_get (&plain.received_rate, 29 * 33 * GCC_MSECOND) *
            19 / 10);
    gcc_receiver_get_remb (&mixed, &remb);
    g_assert_cmpuint (remb.n_ssrcs, ==, 1);
    g_assert_cmpuint (remb.ssrcs[0], ==, 1);
    gcc_receiver_clear (&plain);
    gcc_receiver_clear (&mixed);
  }
}

/* abs-send-time is one time base for all: what has it is measured. */
static void
test_abs_send_time_stands_in_for_a_timestamp_to_ignore (void)
{
  GccPacket packet = {
    .ssrc = 1, .payload_size = MTU, .has_abs_send_time = TRUE
  };
  GccReceiver receiver;

  gcc_receiver_init (&receiver, gcc_profile_find ("goog-2020"));
  for (guint i = 0; i < 30; i++) {
    packet.ignore_rtp_timestamp = i > 0;
    packet.arrival = i * 20 * GCC_MSECOND;
    packet.abs_send_time = gcc_abs_send_time_from_time (packet.arrival);
    gcc_receiver_feed (&receiver, &packet, packet.arrival);
  }
  g_assert_cmpuint (gcc_receiver_get_stats (&receiver)->groups, ==, 28);

  /* and those without do not end it */
  packet.has_abs_send_time = FALSE;
  for (guint i = 0; i < 100; i++)
    gcc_receiver_feed (&receiver, &packet, packet.arrival);
  g_assert_true (gcc_receiver_uses_abs_send_time (&receiver));
  g_assert_cmpuint (gcc_receiver_get_stats (&receiver)->groups, ==, 28);
  gcc_receiver_clear (&receiver);
}

/* Guards against overflows: for the sanitizers to see. */
static void
test_clocks_and_round_trips_at_the_ends_of_time_do_no_harm (void)
{
  static const GccTime times[] = { G_MININT64, G_MININT64 + 1, 0,
    G_MAXINT64 - 1, G_MAXINT64 };

  for (guint i = 0; i < gcc_n_profiles; i++)
    for (guint j = 0; j < G_N_ELEMENTS (times); j++) {
      GccReceiver receiver;

      gcc_receiver_init (&receiver, gcc_profiles[i]);
      for (guint k = 0; k < 3000; k++) {
        GccTime now = gcc_time_add (
            times[j], ((gint64) k - 1500) * 10 * GCC_MSECOND);
        GccPacket packet = { .ssrc = 1,
          .rtp_timestamp = k * 900,
          .arrival = now,
          .payload_size = 1000 };

        if (k == 1000)
          gcc_receiver_set_rtt (&receiver, G_MAXINT64);
        gcc_receiver_feed (&receiver, &packet, now);
        gcc_receiver_handle_timeout (&receiver, now);
      }
      g_assert_cmpint (gcc_receiver_get_estimate (&receiver), >, 0);
      gcc_receiver_clear (&receiver);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/receiver-input/" #name, test_##name)
  ADD (hostile_packets_do_no_harm);
  ADD (skewed_clocks_are_no_overuse);
  ADD (streams_come_and_go);
  g_test_add_func ("/receiver-input/"
                   "thirty_packets_without_abs_send_time_change_the_time_base",
      test_thirty_packets_without_abs_send_time_change_the_time_base);
  ADD (packets_without_a_departure_time_count_in_the_rate);
  ADD (abs_send_time_stands_in_for_a_timestamp_to_ignore);
#undef ADD
  g_test_add_func ("/receiver-input/"
                   "clocks_and_round_trips_at_the_ends_of_time_do_no_harm",
      test_clocks_and_round_trips_at_the_ends_of_time_do_no_harm);
  return g_test_run ();
}
