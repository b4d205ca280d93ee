/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* What RTP does to whoever listens, and the estimate must not mind: a call over
 * an idle path, in every profile. */

#include <gst/gcc/gcc-abs-send-time.h>

#include <gst/gcc/compose/gcc-receiver-private.h>
#include <gst/gcc/profiles/gcc-profile-private.h>

#include "conformance.h"

#define FRAMES_PER_SECOND 30
#define PACKETS_PER_FRAME 4
#define PACKET_SIZE 1000
/* bit/s of one stream */
#define RATE (FRAMES_PER_SECOND * PACKETS_PER_FRAME * PACKET_SIZE * 8)
#define MAX_STREAMS 2
/* Time on a packet's wire. */
#define SERVICE (1 * GCC_MSECOND)

typedef struct {
  const GccProfile *profile;
  gboolean has_abs_send_time;
  guint n_streams;
  guint32 rtp_offset[MAX_STREAMS];
  guint clock_rate[MAX_STREAMS];
  /* 2^-18 s */
  guint32 send_offset;
  gdouble skew;
  gboolean reorders;
  /* the arrival clock jumps by so much at that time */
  GccTime jump;
  GccTime jump_time;
  /* from a time on, how much slower the stream arrives than it was sent */
  gdouble growth[MAX_STREAMS];
  GccTime growth_time;
} Conditions;

typedef struct {
  GccReceiver receiver;
  GccTime now;
  guint64 checksum;
} Reception;

static void
reception_init (Reception *reception, const Conditions *conditions)
{
  *reception = (Reception){ .now = 0 };
  gcc_receiver_init (&reception->receiver, conditions->profile);
}

static void
reception_clear (Reception *reception)
{
  gcc_receiver_clear (&reception->receiver);
}

static void
note_estimate (Reception *reception)
{
  reception->checksum = reception->checksum * 31 +
      (guint64) gcc_receiver_get_estimate (&reception->receiver);
}

static void
handle_timeouts (Reception *reception)
{
  GccTime next = gcc_receiver_next_timeout (&reception->receiver);

  if (next != GCC_TIME_NONE && next <= reception->now) {
    gcc_receiver_handle_timeout (&reception->receiver, reception->now);
    note_estimate (reception);
  }
}

/* The packet that is sent as number @i of a frame. */
static void
deliver (Reception *reception, const Conditions *conditions, guint stream,
    gint64 frame, guint i)
{
  guint clock_rate = conditions->clock_rate[stream] != 0
      ? conditions->clock_rate[stream]
      : 90000;
  GccTime taken = frame * GCC_SECOND / FRAMES_PER_SECOND;
  GccTime sent = taken + i * SERVICE;
  GccTime late = sent > conditions->growth_time
      ? (GccTime) (conditions->growth[stream] *
            (gdouble) (sent - conditions->growth_time))
      : 0;
  GccTime arrived = sent + late + (GccTime) (conditions->skew * (gdouble) sent);
  GccPacket packet = {
    .ssrc = 1 + stream,
    .clock_rate = clock_rate,
    .rtp_timestamp = conditions->rtp_offset[stream] +
        (guint32) (frame * clock_rate / FRAMES_PER_SECOND),
    .arrival = arrived,
    .payload_size = PACKET_SIZE,
    .has_abs_send_time = conditions->has_abs_send_time,
    .abs_send_time = (conditions->send_offset +
                         (guint32) (((guint64) sent << 18) / GCC_SECOND)) &
        0xffffff,
  };

  if (conditions->jump != 0 && sent >= conditions->jump_time)
    packet.arrival += conditions->jump;
  reception->now = MAX (reception->now, arrived);
  gcc_receiver_feed (&reception->receiver, &packet, reception->now);
  note_estimate (reception);
  handle_timeouts (reception);
}

static void
reception_run (Reception *reception, const Conditions *conditions, guint from_s,
    guint to_s)
{
  gint64 first = (gint64) from_s * FRAMES_PER_SECOND;
  gint64 end = (gint64) to_s * FRAMES_PER_SECOND;

  for (gint64 frame = first; frame < end; frame++) {
    /* The last packet of each fifth frame comes with the next one. */
    gboolean lags = conditions->reorders && frame % 5 == 0;

    for (guint i = 0; i < PACKETS_PER_FRAME; i++) {
      for (guint stream = 0; stream < conditions->n_streams; stream++) {
        guint sent = conditions->reorders ? i ^ 1 : i;

        if (lags && sent == PACKETS_PER_FRAME - 1)
          continue;
        if (conditions->reorders && frame % 5 == 1 && i == 1)
          deliver (
              reception, conditions, stream, frame - 1, PACKETS_PER_FRAME - 1);
        deliver (reception, conditions, stream, frame, sent);
      }
    }
  }
}

static const GccReceiverStats *
stats_of (const Reception *reception)
{
  return gcc_receiver_get_stats (&reception->receiver);
}

/* The paths of every profile, by RTP timestamps and by abs-send-time. */
#define FOR_EACH_PATH(conditions) \
  for (guint i_ = 0; i_ < 2 * gcc_n_profiles; i_++) \
    for (Conditions conditions = { .profile = gcc_profiles[i_ / 2], \
             .has_abs_send_time = i_ % 2 == 1, \
             .n_streams = 1 }; \
         conditions.profile != NULL; conditions.profile = NULL)

/* An idle path lets A_r grow to 1.5 R: it has been well on its way. */
static void
check_rate_has_grown (const Reception *reception, const Conditions *conditions)
{
  g_assert_cmpint (stats_of (reception)->estimate, >,
      (GccRate) (1.2 * RATE * conditions->n_streams));
}

static void
test_timestamps_may_start_anywhere (void)
{
  /* they wrap in the first second, in the middle, and not at all */
  static const guint32 offsets[] = { G_MAXUINT32 - 10000, 0u - 30u * 90000u,
    G_MAXINT32 - 10000, 12345 };

  FOR_EACH_PATH (conditions)
  {
    Reception plain;

    reception_init (&plain, &conditions);
    reception_run (&plain, &conditions, 0, 60);
    for (guint i = 0; i < G_N_ELEMENTS (offsets); i++) {
      Conditions wraps = conditions;
      Reception reception;

      wraps.rtp_offset[0] = offsets[i];
      wraps.send_offset = offsets[i];
      reception_init (&reception, &wraps);
      reception_run (&reception, &wraps, 0, 60);
      g_assert_cmpuint (reception.checksum, ==, plain.checksum);
      reception_clear (&reception);
    }
    g_assert_cmpuint (stats_of (&plain)->overuses, ==, 0);
    check_rate_has_grown (&plain, &conditions);
    reception_clear (&plain);
  }
}

static void
test_abs_send_time_keeps_its_24_bits (void)
{
  const guint32 published = 0x123456;

  conformance_check_int ("AIO test_rtp",
      "abs-send-time 1193046 (0x123456), to a time and back", published,
      gcc_abs_send_time_from_time (gcc_abs_send_time_to_time (published)));
}

static void
test_reordering_is_no_overuse (void)
{
  FOR_EACH_PATH (conditions)
  {
    Reception reception;

    conditions.reorders = TRUE;
    reception_init (&reception, &conditions);
    reception_run (&reception, &conditions, 0, 60);
    g_assert_cmpuint (stats_of (&reception)->overuses, ==, 0);
    check_rate_has_grown (&reception, &conditions);
    reception_clear (&reception);
  }
}

static void
test_streams_have_a_filter_each_and_one_rate (void)
{
  FOR_EACH_PATH (conditions)
  {
    Reception reception;
    GccRemb remb;

    conditions.n_streams = 2;
    conditions.rtp_offset[0] = 0x12345678;
    conditions.rtp_offset[1] = 0xfffff000;
    conditions.clock_rate[1] = 48000;
    reception_init (&reception, &conditions);
    reception_run (&reception, &conditions, 0, 30);

    g_assert_cmpuint (stats_of (&reception)->overuses, ==, 0);
    g_assert_true (gcc_receiver_get_remb (&reception.receiver, &remb));
    g_assert_cmpuint (remb.n_ssrcs, ==, 2);
    g_assert_cmpint (ABS (stats_of (&reception)->received_rate - 2 * RATE), <,
        2 * RATE / 20);
    check_rate_has_grown (&reception, &conditions);
    reception_clear (&reception);
  }
}

/* One of two streams meets a queue: the rate of both falls. */
static void
test_overuse_of_one_stream_lowers_the_rate_of_all (void)
{
  FOR_EACH_PATH (conditions)
  {
    Reception reception;
    GccRate before;

    conditions.n_streams = 2;
    conditions.growth[1] = 2.;
    conditions.growth_time = 30 * GCC_SECOND;
    reception_init (&reception, &conditions);
    reception_run (&reception, &conditions, 0, 30);
    before = stats_of (&reception)->estimate;
    reception_run (&reception, &conditions, 30, 33);
    g_assert_cmpuint (stats_of (&reception)->overuses, >, 0);
    g_assert_cmpint (stats_of (&reception)->estimate, <, before);
    reception_clear (&reception);
  }
}

static void
test_arrival_clock_that_jumps_is_got_over (void)
{
  static const GccTime jumps[] = { -3 * GCC_SECOND, 3 * GCC_SECOND };

  FOR_EACH_PATH (conditions)
  {
    for (guint i = 0; i < G_N_ELEMENTS (jumps); i++) {
      Reception reception;

      conditions.jump = jumps[i];
      conditions.jump_time = 30 * GCC_SECOND;
      reception_init (&reception, &conditions);
      reception_run (&reception, &conditions, 0, 60);
      g_assert_cmpuint (stats_of (&reception)->overuses, ==, 0);
      check_rate_has_grown (&reception, &conditions);
      reception_clear (&reception);
    }
  }
}

static void
test_skewed_clocks_let_the_rate_grow (void)
{
  static const gdouble skews[] = { -500e-6, 500e-6 };

  FOR_EACH_PATH (conditions)
  {
    for (guint i = 0; i < G_N_ELEMENTS (skews); i++) {
      Reception reception;

      conditions.skew = skews[i];
      reception_init (&reception, &conditions);
      reception_run (&reception, &conditions, 0, 300);
      g_assert_cmpuint (stats_of (&reception)->overuses, ==, 0);
      check_rate_has_grown (&reception, &conditions);
      reception_clear (&reception);
    }
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/rtp-facts/" #name, test_##name)
  ADD (timestamps_may_start_anywhere);
  ADD (abs_send_time_keeps_its_24_bits);
  ADD (reordering_is_no_overuse);
  ADD (streams_have_a_filter_each_and_one_rate);
  ADD (overuse_of_one_stream_lowers_the_rate_of_all);
  ADD (arrival_clock_that_jumps_is_got_over);
  ADD (skewed_clocks_let_the_rate_grow);
#undef ADD
  return g_test_run ();
}
