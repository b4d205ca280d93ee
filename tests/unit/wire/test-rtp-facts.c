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
} Path;

typedef struct {
  GccReceiver receiver;
  GccTime now;
  guint64 checksum;
} Call;

static void
call_init (Call *call, const Path *path)
{
  *call = (Call){ .now = 0 };
  gcc_receiver_init (&call->receiver, path->profile);
}

static void
call_clear (Call *call)
{
  gcc_receiver_clear (&call->receiver);
}

static void
note_estimate (Call *call)
{
  call->checksum = call->checksum * 31 +
      (guint64) gcc_receiver_get_estimate (&call->receiver);
}

static void
handle_timeouts (Call *call)
{
  GccTime next = gcc_receiver_next_timeout (&call->receiver);

  if (next != GCC_TIME_NONE && next <= call->now) {
    gcc_receiver_handle_timeout (&call->receiver, call->now);
    note_estimate (call);
  }
}

/* The packet that is sent as number @i of a frame. */
static void
deliver (Call *call, const Path *path, guint stream, gint64 frame, guint i)
{
  guint clock_rate = path->clock_rate[stream] != 0 ? path->clock_rate[stream]
                                                   : 90000;
  GccTime taken = frame * GCC_SECOND / FRAMES_PER_SECOND;
  GccTime sent = taken + i * SERVICE;
  GccTime late = sent > path->growth_time
      ? (GccTime) (path->growth[stream] * (gdouble) (sent - path->growth_time))
      : 0;
  GccTime arrived = sent + late + (GccTime) (path->skew * (gdouble) sent);
  GccPacket packet = {
    .ssrc = 1 + stream,
    .clock_rate = clock_rate,
    .rtp_timestamp = path->rtp_offset[stream] +
        (guint32) (frame * clock_rate / FRAMES_PER_SECOND),
    .arrival = arrived,
    .payload_size = PACKET_SIZE,
    .has_abs_send_time = path->has_abs_send_time,
    .abs_send_time = (path->send_offset +
                         (guint32) (((guint64) sent << 18) / GCC_SECOND)) &
        0xffffff,
  };

  if (path->jump != 0 && sent >= path->jump_time)
    packet.arrival += path->jump;
  call->now = MAX (call->now, arrived);
  gcc_receiver_feed (&call->receiver, &packet, call->now);
  note_estimate (call);
  handle_timeouts (call);
}

static void
call_run (Call *call, const Path *path, guint from_s, guint to_s)
{
  gint64 first = (gint64) from_s * FRAMES_PER_SECOND;
  gint64 end = (gint64) to_s * FRAMES_PER_SECOND;

  for (gint64 frame = first; frame < end; frame++) {
    /* The last packet of each fifth frame comes with the next one. */
    gboolean lags = path->reorders && frame % 5 == 0;

    for (guint i = 0; i < PACKETS_PER_FRAME; i++) {
      for (guint stream = 0; stream < path->n_streams; stream++) {
        guint sent = path->reorders ? i ^ 1 : i;

        if (lags && sent == PACKETS_PER_FRAME - 1)
          continue;
        if (path->reorders && frame % 5 == 1 && i == 1)
          deliver (call, path, stream, frame - 1, PACKETS_PER_FRAME - 1);
        deliver (call, path, stream, frame, sent);
      }
    }
  }
}

static const GccReceiverStats *
stats_of (const Call *call)
{
  return gcc_receiver_get_stats (&call->receiver);
}

/* The paths of every profile, by RTP timestamps and by abs-send-time. */
#define FOR_EACH_PATH(path) \
  for (guint i_ = 0; i_ < 2 * gcc_n_profiles; i_++) \
    for (Path path = { .profile = gcc_profiles[i_ / 2], \
             .has_abs_send_time = i_ % 2 == 1, \
             .n_streams = 1 }; \
         path.profile != NULL; path.profile = NULL)

/* An idle path lets A_r grow to 1.5 R: it has been well on its way. */
static void
check_rate_has_grown (const Call *call, const Path *path)
{
  g_assert_cmpint (
      stats_of (call)->estimate, >, (GccRate) (1.2 * RATE * path->n_streams));
}

static void
test_timestamps_may_start_anywhere (void)
{
  /* they wrap in the first second, in the middle, and not at all */
  static const guint32 offsets[] = { G_MAXUINT32 - 10000, 0u - 30u * 90000u,
    G_MAXINT32 - 10000, 12345 };

  FOR_EACH_PATH (path)
  {
    Call plain;

    call_init (&plain, &path);
    call_run (&plain, &path, 0, 60);
    for (guint i = 0; i < G_N_ELEMENTS (offsets); i++) {
      Path wraps = path;
      Call call;

      wraps.rtp_offset[0] = offsets[i];
      wraps.send_offset = offsets[i];
      call_init (&call, &wraps);
      call_run (&call, &wraps, 0, 60);
      g_assert_cmpuint (call.checksum, ==, plain.checksum);
      call_clear (&call);
    }
    g_assert_cmpuint (stats_of (&plain)->overuses, ==, 0);
    check_rate_has_grown (&plain, &path);
    call_clear (&plain);
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
  FOR_EACH_PATH (path)
  {
    Call call;

    path.reorders = TRUE;
    call_init (&call, &path);
    call_run (&call, &path, 0, 60);
    g_assert_cmpuint (stats_of (&call)->overuses, ==, 0);
    check_rate_has_grown (&call, &path);
    call_clear (&call);
  }
}

static void
test_streams_have_a_filter_each_and_one_rate (void)
{
  FOR_EACH_PATH (path)
  {
    guint32 ssrcs[MAX_STREAMS + 1];
    Call call;

    path.n_streams = 2;
    path.rtp_offset[0] = 0x12345678;
    path.rtp_offset[1] = 0xfffff000;
    path.clock_rate[1] = 48000;
    call_init (&call, &path);
    call_run (&call, &path, 0, 30);

    g_assert_cmpuint (stats_of (&call)->overuses, ==, 0);
    g_assert_cmpuint (
        gcc_receiver_get_ssrcs (&call.receiver, ssrcs, G_N_ELEMENTS (ssrcs)),
        ==, 2);
    g_assert_cmpint (
        ABS (stats_of (&call)->received_rate - 2 * RATE), <, 2 * RATE / 20);
    check_rate_has_grown (&call, &path);
    call_clear (&call);
  }
}

/* One of two streams meets a queue: the rate of both falls. */
static void
test_overuse_of_one_stream_lowers_the_rate_of_all (void)
{
  FOR_EACH_PATH (path)
  {
    Call call;
    GccRate before;

    path.n_streams = 2;
    path.growth[1] = 2.;
    path.growth_time = 30 * GCC_SECOND;
    call_init (&call, &path);
    call_run (&call, &path, 0, 30);
    before = stats_of (&call)->estimate;
    call_run (&call, &path, 30, 33);
    g_assert_cmpuint (stats_of (&call)->overuses, >, 0);
    g_assert_cmpint (stats_of (&call)->estimate, <, before);
    call_clear (&call);
  }
}

static void
test_arrival_clock_that_jumps_is_got_over (void)
{
  static const GccTime jumps[] = { -3 * GCC_SECOND, 3 * GCC_SECOND };

  FOR_EACH_PATH (path)
  {
    for (guint i = 0; i < G_N_ELEMENTS (jumps); i++) {
      Call call;

      path.jump = jumps[i];
      path.jump_time = 30 * GCC_SECOND;
      call_init (&call, &path);
      call_run (&call, &path, 0, 60);
      g_assert_cmpuint (stats_of (&call)->overuses, ==, 0);
      check_rate_has_grown (&call, &path);
      call_clear (&call);
    }
  }
}

static void
test_skewed_clocks_let_the_rate_grow (void)
{
  static const gdouble skews[] = { -500e-6, 500e-6 };

  FOR_EACH_PATH (path)
  {
    for (guint i = 0; i < G_N_ELEMENTS (skews); i++) {
      Call call;

      path.skew = skews[i];
      call_init (&call, &path);
      call_run (&call, &path, 0, 300);
      g_assert_cmpuint (stats_of (&call)->overuses, ==, 0);
      check_rate_has_grown (&call, &path);
      call_clear (&call);
    }
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rtp-facts/timestamps_may_start_anywhere",
      test_timestamps_may_start_anywhere);
  g_test_add_func ("/rtp-facts/abs_send_time_keeps_its_24_bits",
      test_abs_send_time_keeps_its_24_bits);
  g_test_add_func (
      "/rtp-facts/reordering_is_no_overuse", test_reordering_is_no_overuse);
  g_test_add_func ("/rtp-facts/streams_have_a_filter_each_and_one_rate",
      test_streams_have_a_filter_each_and_one_rate);
  g_test_add_func ("/rtp-facts/overuse_of_one_stream_lowers_the_rate_of_all",
      test_overuse_of_one_stream_lowers_the_rate_of_all);
  g_test_add_func ("/rtp-facts/arrival_clock_that_jumps_is_got_over",
      test_arrival_clock_that_jumps_is_got_over);
  g_test_add_func ("/rtp-facts/skewed_clocks_let_the_rate_grow",
      test_skewed_clocks_let_the_rate_grow);
  return g_test_run ();
}
