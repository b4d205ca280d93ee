/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/compose/gcc-receiver-private.h>

#include <gst/gcc/profiles/gcc-profile-private.h>

#include "conformance.h"

#define C13 "C13 remote_bitrate_estimator_single_stream_unittest"
#define C20 "C20 remote_bitrate_estimator_single_stream_unittest"
#define C20_AST "C20 remote_bitrate_estimator_abs_send_time_unittest"

#define CAPACITY 1000000
#define REDUCED_CAPACITY 500000
#define START_RATE 900000
#define FRAMES_PER_SECOND 30
#define MTU 1200
#define MAX_STREAMS 30
#define FIRST_SSRC 1

/* --- the published harness ---
 *
 * Streams of whole frames enter a link of fixed capacity with an endless queue,
 * all in integers; a clock that ticks in ms is set to each packet's arrival,
 * and back for the next frame. */

typedef struct {
  GccRate rate;
  guint32 rtp_offset;
  gint64 next_us;
} Stream;

typedef struct {
  GccReceiver receiver;
  gboolean has_abs_send_time;
  Stream streams[MAX_STREAMS];
  guint n_streams;
  gint64 capacity;
  gint64 link_free_us;
  gint64 now_us;
  GccTime arrival_offset;
  GccRate estimate;
  gboolean has_new_estimate;
} Harness;

static void
harness_init (Harness *harness, const gchar *profile)
{
  *harness = (Harness){
    .capacity = CAPACITY,
    .now_us = 100 * GCC_SECOND,
    .estimate = GCC_RATE_NONE,
  };
  gcc_receiver_init (&harness->receiver, gcc_profile_find (profile));
}

static void
harness_clear (Harness *harness)
{
  gcc_receiver_clear (&harness->receiver);
}

static guint32
to_abs_send_time (gint64 time, gint64 per_second)
{
  return (guint32) (((time << 18) + per_second / 2) / per_second) & 0xffffff;
}

static GccTime
harness_get_now (const Harness *harness)
{
  return (harness->now_us + 500) / 1000 * GCC_MSECOND;
}

static void
harness_advance (Harness *harness, gint64 ms)
{
  harness->now_us += ms * 1000;
}

static void
harness_note (Harness *harness, GccReceiverEvent event)
{
  if (event < GCC_RECEIVER_EVENT_RATE)
    return;
  harness->estimate = gcc_receiver_get_estimate (&harness->receiver);
  harness->has_new_estimate = TRUE;
}

static void
harness_receive (Harness *harness, guint32 ssrc, guint32 rtp_timestamp,
    guint32 abs_send_time, gsize size)
{
  GccTime now = harness_get_now (harness);
  GccPacket packet = {
    .ssrc = ssrc,
    .rtp_timestamp = rtp_timestamp,
    .clock_rate = 90000,
    .arrival = now + harness->arrival_offset,
    .payload_size = size,
    .has_abs_send_time = harness->has_abs_send_time,
    .abs_send_time = abs_send_time & 0xffffff,
  };

  harness_note (harness, gcc_receiver_feed (&harness->receiver, &packet, now));
}

static void
harness_handle_timeout (Harness *harness)
{
  harness_note (harness,
      gcc_receiver_handle_timeout (
          &harness->receiver, harness_get_now (harness)));
}

/* Each stream's timestamps start elsewhere. */
static void
harness_add_streams (Harness *harness, guint n)
{
  gint64 denominator = (gint64) n * (n - 1);

  for (guint i = 0; i < n; i++) {
    guint32 mask = (guint32) (G_MAXUINT64 << (32 - i));
    GccRate rate = n == 1 ? START_RATE
        : i == 0          ? START_RATE / 2
                 : (START_RATE * (gint64) i + denominator / 2) / denominator;

    harness->streams[i] = (Stream){
      .rate = rate,
      .rtp_offset = 0xfffff000 ^ mask,
    };
  }
  harness->n_streams = n;
}

/* The streams keep their shares of the total. */
static void
harness_set_rate (Harness *harness, GccRate rate)
{
  gint64 total = 0, before = 0, after = 0;

  for (guint i = 0; i < harness->n_streams; i++)
    total += harness->streams[i].rate;
  for (guint i = 0; i < harness->n_streams; i++) {
    Stream *stream = &harness->streams[i];

    before += stream->rate;
    stream->rate = (before * rate + total / 2) / total - after;
    after += stream->rate;
  }
}

static Stream *
harness_find_next_stream (Harness *harness)
{
  Stream *next = &harness->streams[0];

  for (guint i = 1; i < harness->n_streams; i++) {
    if (harness->streams[i].next_us < next->next_us)
      next = &harness->streams[i];
  }
  return next;
}

/* Sends the frame that is due first, delivers it, and moves on to the next.
 * Tells whether a packet has brought an estimate below @rate. */
static gboolean
harness_send_frame (Harness *harness, GccRate rate)
{
  Stream *stream = harness_find_next_stream (harness);
  guint32 ssrc = FIRST_SSRC + (guint32) (stream - harness->streams);
  gint64 sent_us = harness->now_us;
  gint64 bits, n, size, service_us;
  guint32 rtp_timestamp;
  gboolean is_lowered = FALSE;

  harness_set_rate (harness, rate);
  bits = (stream->rate + FRAMES_PER_SECOND / 2) / FRAMES_PER_SECOND;
  n = MAX ((bits + 4 * MTU) / (8 * MTU), 1);
  size = (bits + 4 * n) / (8 * n);
  service_us = (8000 * size + harness->capacity / 1000 / 2) /
      (harness->capacity / 1000);
  rtp_timestamp = stream->rtp_offset +
      (guint32) ((90 * (sent_us + GCC_SECOND) + 500) / 1000);
  stream->next_us = sent_us +
      (GCC_SECOND + FRAMES_PER_SECOND / 2) / FRAMES_PER_SECOND;

  for (gint64 i = 0; i < n; i++) {
    harness->link_free_us = MAX (sent_us, harness->link_free_us) + service_us;
    harness->now_us = harness->link_free_us;
    harness->has_new_estimate = FALSE;
    harness_receive (harness, ssrc, rtp_timestamp,
        to_abs_send_time (sent_us + GCC_SECOND, GCC_SECOND), (gsize) size);
    if (harness->has_new_estimate && harness->estimate < rate)
      is_lowered = TRUE;
  }
  harness_handle_timeout (harness);
  harness->now_us = MAX (harness_find_next_stream (harness)->next_us, sent_us);
  return is_lowered;
}

/* --- published cases --- */

/* Five seconds of a packet every 20 ms, then some that are late. */
static void
check_initial_2020 (const gchar *source, gboolean has_abs_send_time,
    gint64 expected, gint64 reordered)
{
  const guint32 step = to_abs_send_time (1, 50);
  const gint64 tolerance = 50000;
  guint32 rtp_timestamp = 0, sent = 0;
  Harness harness;

  harness_init (&harness, "goog-2020");
  harness.has_abs_send_time = has_abs_send_time;
  harness_advance (&harness, 1000);
  harness_handle_timeout (&harness);
  harness_advance (&harness, 1000);
  for (guint i = 0; i < 5 * 50 + 1 + 2; i++) {
    if (i == 2) {
      harness_handle_timeout (&harness);
      g_assert_false (harness.has_new_estimate);
    }
    harness_receive (&harness, FIRST_SSRC, rtp_timestamp, sent, MTU);
    harness_advance (&harness, 20);
    rtp_timestamp += 1800;
    sent += step;
  }
  harness_handle_timeout (&harness);
  conformance_check_int_near (
      source, "initial estimate", expected, tolerance, harness.estimate);

  for (guint i = 0; i < 10; i++) {
    harness_advance (&harness, 40);
    rtp_timestamp += 3600;
    sent += 2 * step;
    harness_receive (&harness, FIRST_SSRC, rtp_timestamp, sent, 1000);
    harness_receive (
        &harness, FIRST_SSRC, rtp_timestamp - 1800, sent - step, 1000);
  }
  harness_handle_timeout (&harness);
  conformance_check_int_near (source, "estimate after reordering", reordered,
      tolerance, harness.estimate);
  harness_clear (&harness);
}

static void
check_ramp (const gchar *profile, gboolean has_abs_send_time,
    const gchar *source, guint expected)
{
  GccRate rate = 30000;
  guint frames = 0;
  Harness harness;

  harness_init (&harness, profile);
  harness.has_abs_send_time = has_abs_send_time;
  harness_add_streams (&harness, 1);
  while (rate < 500000 && frames < 10000) {
    if (harness_send_frame (&harness, rate) || harness.has_new_estimate)
      rate = harness.estimate;
    frames++;
  }
  conformance_check_int (
      source, "frames from 30 to 500 kbit/s", expected, frames);
  harness_clear (&harness);
}

/* Runs at the first capacity until it has converged. */
static GccRate
harness_converge (Harness *harness, guint max_frames)
{
  GccRate rate = START_RATE;
  gboolean was_lowered = FALSE;

  for (guint i = 0; i < max_frames; i++) {
    gboolean is_lowered = harness_send_frame (harness, rate);

    was_lowered |= is_lowered;
    if (is_lowered || harness->has_new_estimate)
      rate = harness->estimate;
    harness->has_new_estimate = FALSE;
    if (was_lowered && rate > CAPACITY)
      break;
  }
  return rate;
}

typedef struct {
  guint n_streams;
  gboolean wraps;
  gint64 clock_offset_s;
  GccRate rate;
  gint64 drop_ms;
} DropVector;

typedef struct {
  const gchar *source;
  const gchar *profile;
  gboolean has_abs_send_time;
  guint steady_s;
  GccRate rate_tolerance;
  gint64 drop_tolerance_ms;
  /* The drop only counts when the frame's last packet, or the timer after it,
   * has brought the estimate. */
  gboolean needs_new;
} DropTest;

static const DropTest drop_test_2013 = { C13, "rtcweb-2013", FALSE, 8, 0, 0,
  TRUE };
static const DropTest drop_test_2020 = { C20, "goog-2020", FALSE, 10, 180000,
  33, FALSE };
static const DropTest drop_test_2020_abs_send_time = { C20_AST, "goog-2020",
  TRUE, 10, 180000, 33, FALSE };

static void
check_drop (const DropTest *test, const DropVector *vector)
{
  guint n = vector->n_streams;
  guint steady_s = n == 1 ? 10 : test->steady_s * n;
  g_autofree gchar *what = g_strdup_printf ("%u stream%s%s", n,
      n > 1 ? "s" : "", vector->wraps ? ", timestamps wrap" : "");
  g_autofree gchar *jumps = vector->clock_offset_s == 0
      ? g_strdup ("")
      : g_strdup_printf (
            ", arrival clock %+d s", (gint) vector->clock_offset_s);
  g_autofree gchar *converged = g_strconcat (
      "converged at 1 Mbit/s, bit/s: ", what, jumps, NULL);
  g_autofree gchar *name = g_strconcat (
      "ms to follow a drop to 500 kbit/s: ", what, jumps, NULL);
  gint64 start_us, drop_us = -1;
  Harness harness;
  GccRate rate;

  harness_init (&harness, test->profile);
  harness.has_abs_send_time = test->has_abs_send_time;
  harness_add_streams (&harness, n);
  if (vector->wraps)
    harness.streams[0].rtp_offset = G_MAXUINT32 - steady_s * 90000;
  rate = harness_converge (&harness, steady_s * FRAMES_PER_SECOND);
  conformance_check_int_near (
      test->source, converged, vector->rate, test->rate_tolerance, rate);

  harness.arrival_offset = vector->clock_offset_s * GCC_SECOND;
  harness.capacity = REDUCED_CAPACITY;
  start_us = harness_get_now (&harness);
  for (guint i = 0; i < 100 * n; i++) {
    harness_send_frame (&harness, rate);
    if (drop_us < 0 && harness.estimate <= REDUCED_CAPACITY &&
        (harness.has_new_estimate || !test->needs_new))
      drop_us = harness_get_now (&harness) - start_us;
    if (harness.has_new_estimate)
      rate = harness.estimate;
  }
  conformance_check_int_near (test->source, name, vector->drop_ms,
      test->drop_tolerance_ms, drop_us / 1000);
  harness_clear (&harness);
}

static void
check_drops (const DropTest *test, const DropVector *vectors, guint n)
{
  for (guint i = 0; i < n; i++)
    check_drop (test, &vectors[i]);
}

static void
check_initial_2013 (void)
{
  guint32 rtp_timestamp = 0;
  Harness harness;

  harness_init (&harness, "rtcweb-2013");
  harness_advance (&harness, 1000);
  harness_handle_timeout (&harness);
  harness_advance (&harness, 1000);
  harness_receive (&harness, FIRST_SSRC, rtp_timestamp, 0, MTU);
  harness_handle_timeout (&harness);
  for (guint i = 0; i < 50; i++) {
    harness_receive (&harness, FIRST_SSRC, rtp_timestamp, 0, MTU);
    harness_advance (&harness, 20);
    rtp_timestamp += 1800;
  }
  harness_handle_timeout (&harness);
  conformance_check_int (C13, "initial estimate", 498075, harness.estimate);
  harness_clear (&harness);
}

static void
check_reordering_2013 (void)
{
  guint32 rtp_timestamp = 0;
  Harness harness;

  harness_init (&harness, "rtcweb-2013");
  harness_receive (&harness, FIRST_SSRC, rtp_timestamp, 0, 1000);
  harness_handle_timeout (&harness);
  for (guint i = 0; i < 50; i++) {
    harness_receive (&harness, FIRST_SSRC, rtp_timestamp, 0, MTU);
    harness_advance (&harness, 20);
    rtp_timestamp += 1800;
  }
  harness_handle_timeout (&harness);
  conformance_check_int (
      C13, "estimate before reordering", 498136, harness.estimate);
  for (guint i = 0; i < 10; i++) {
    harness_advance (&harness, 40);
    rtp_timestamp += 3600;
    harness_receive (&harness, FIRST_SSRC, rtp_timestamp, 0, 1000);
    harness_receive (&harness, FIRST_SSRC, rtp_timestamp - 1800, 0, 1000);
  }
  harness_handle_timeout (&harness);
  conformance_check_int (
      C13, "estimate after reordering", 498136, harness.estimate);
  harness_clear (&harness);
}

static void
test_2013_estimates_as_published (void)
{
  static const DropVector drops[] = {
    { 1, FALSE, 0, 956214, 367 },
    { 1, TRUE, 0, 956214, 367 },
    { 2, TRUE, 0, 927088, 267 },
    { 3, TRUE, 0, 920944, 333 },
    { 13, TRUE, 0, 938944, 300 },
    { 19, TRUE, 0, 926718, 300 },
    { 30, TRUE, 0, 927016, 300 },
  };

  check_initial_2013 ();
  check_reordering_2013 ();
  check_ramp ("rtcweb-2013", FALSE, C13, 1621);
  check_drops (&drop_test_2013, drops, G_N_ELEMENTS (drops));
}

static void
test_2020_estimates_as_published (void)
{
  static const DropVector drops[] = {
    { 1, FALSE, 0, CAPACITY, 633 },
    { 1, TRUE, 0, CAPACITY, 633 },
    { 2, TRUE, 0, CAPACITY, 767 },
    { 3, TRUE, 0, CAPACITY, 567 },
    { 13, TRUE, 0, CAPACITY, 567 },
    { 19, TRUE, 0, CAPACITY, 700 },
    { 30, TRUE, 0, CAPACITY, 733 },
  };

  check_initial_2020 (C20, FALSE, 508017, 506422);
  check_ramp ("goog-2020", FALSE, C20, 1267);
  check_drops (&drop_test_2020, drops, G_N_ELEMENTS (drops));
}

static void
test_2020_estimates_by_abs_send_time_as_published (void)
{
  static const DropVector drops[] = {
    { 1, FALSE, 0, CAPACITY, 633 },
    { 1, TRUE, 0, CAPACITY, 633 },
    { 1, FALSE, 30, CAPACITY, 267 },
    { 1, FALSE, -30, CAPACITY, 267 },
    { 2, TRUE, 0, CAPACITY, 700 },
    { 3, TRUE, 0, CAPACITY, 633 },
    { 13, TRUE, 0, CAPACITY, 667 },
    { 19, TRUE, 0, CAPACITY, 667 },
    { 30, TRUE, 0, CAPACITY, 667 },
  };

  check_initial_2020 (C20_AST, TRUE, 674840, 674840);
  check_ramp ("goog-2020", TRUE, C20_AST, 1237);
  check_drops (&drop_test_2020_abs_send_time, drops, G_N_ELEMENTS (drops));
}

/* --- probes --- */

/* A burst of @n packets of @size bytes. */
static void
harness_probe (Harness *harness, gint64 *sent_ms, guint n, gint64 sent_step_ms,
    gint64 arrival_step_ms, gsize size)
{
  for (guint i = 0; i < n; i++) {
    harness_advance (harness, arrival_step_ms);
    *sent_ms += sent_step_ms;
    harness_receive (harness, FIRST_SSRC, (guint32) (90 * *sent_ms),
        to_abs_send_time (*sent_ms, 1000), size);
  }
}

static void
harness_init_probing (Harness *harness, gint64 *sent_ms)
{
  harness_init (harness, "goog-2020");
  harness->has_abs_send_time = TRUE;
  *sent_ms = 0;
}

static void
test_probes_as_published (void)
{
  gint64 sent_ms;
  Harness harness;

  harness_init_probing (&harness, &sent_ms);
  harness_probe (&harness, &sent_ms, 5, 10, 10, 1000);
  harness_probe (&harness, &sent_ms, 5, 5, 5, 1000);
  conformance_check_boolean (C20_AST, "probes at 800 and 1600 kbit/s: > 1500",
      TRUE, harness.estimate > 1500000);
  harness_clear (&harness);

  harness_init_probing (&harness, &sent_ms);
  for (guint i = 0; i < 5; i++) {
    harness_probe (&harness, &sent_ms, 1, 10, 5, 1000);
    harness_probe (&harness, &sent_ms, 1, 0, 5, 100);
  }
  conformance_check_boolean (C20_AST, "probe among packets not paced: > 800",
      TRUE, harness.estimate > 800000);
  harness_clear (&harness);

  harness_init_probing (&harness, &sent_ms);
  harness_probe (&harness, &sent_ms, 5, 10, 10, 1000);
  harness_probe (&harness, &sent_ms, 5, 5, 8, 1000);
  conformance_check_int_near (C20_AST, "second probe above the capacity",
      800000, 10000, harness.estimate);
  harness_clear (&harness);

  harness_init_probing (&harness, &sent_ms);
  harness_probe (&harness, &sent_ms, 5, 10, 5, 1000);
  conformance_check_boolean (C20_AST, "probe arrives slightly faster: > 800",
      TRUE, harness.estimate > 800000);
  harness_clear (&harness);

  harness_init_probing (&harness, &sent_ms);
  harness_probe (&harness, &sent_ms, 5, 10, 1, 1000);
  conformance_check_int (C20_AST, "probe arrives much faster: no estimate",
      GCC_RATE_NONE, harness.estimate);
  harness_clear (&harness);

  harness_init_probing (&harness, &sent_ms);
  harness_probe (&harness, &sent_ms, 5, 5, 7, 1000);
  conformance_check_int_near (
      C20_AST, "probe arrives slower", 1140000, 10000, harness.estimate);
  harness_clear (&harness);

  harness_init_probing (&harness, &sent_ms);
  harness_probe (&harness, &sent_ms, 5, 1, 2, 1000);
  conformance_check_int_near (C20_AST, "probe at 8 Mbit/s arrives slower",
      4000000, 10000, harness.estimate);
  harness_clear (&harness);

  harness_init_probing (&harness, &sent_ms);
  harness_probe (&harness, &sent_ms, 5, 10, 10, 200);
  conformance_check_int (C20_AST, "probe of 200-byte packets: no estimate",
      GCC_RATE_NONE, harness.estimate);
  harness_probe (&harness, &sent_ms, 5, 10, 10, 1000);
  conformance_check_int_near (
      C20_AST, "then of 1000-byte packets", 800000, 10000, harness.estimate);
  harness_clear (&harness);
}

/* --- grouping and silences, published for both time bases --- */

static void
check_grouping (const gchar *source, gboolean has_abs_send_time)
{
  const guint32 step = to_abs_send_time (1, 50);
  const guint32 tick = to_abs_send_time (1, 90000);
  const guint32 group = to_abs_send_time (15, 90000);
  guint32 rtp_timestamp = 0, sent = (1 << 24) - 50 * step;
  Harness harness;

  harness_init (&harness, "goog-2020");
  harness.has_abs_send_time = has_abs_send_time;
  for (guint i = 0; i <= 6 * 50; i++) {
    harness_receive (&harness, FIRST_SSRC, rtp_timestamp, sent, 1000);
    harness_handle_timeout (&harness);
    harness_advance (&harness, 20);
    rtp_timestamp += 1800;
    sent += step;
  }
  conformance_check_boolean (source, "TimestampGrouping: at least 400 kbit/s",
      TRUE, harness.estimate >= 400000);

  for (guint i = 0; i < 100; i++) {
    for (guint j = 0; j < 15; j++) {
      harness_receive (&harness, FIRST_SSRC, rtp_timestamp, sent, 100);
      harness_advance (&harness, 20 / 15);
      rtp_timestamp += 1;
      sent += tick;
    }
    harness_advance (&harness, 10);
    rtp_timestamp += 1800 - 15;
    sent += step - group;
    harness_handle_timeout (&harness);
  }
  conformance_check_boolean (source, "TimestampGrouping: below it after", TRUE,
      harness.estimate < 400000);
  harness_clear (&harness);
}

static void
test_groups_and_over_use_as_published (void)
{
  check_grouping (C20, FALSE);
  check_grouping (C20_AST, TRUE);
}

/* A sender that comes back when its send times have wrapped. */
static void
check_silence (const gchar *name, gint64 silence_s)
{
  const guint32 step = to_abs_send_time (1, 100);
  guint32 rtp_timestamp = 0, sent = 0;
  GccRate before;
  Harness harness;

  harness_init (&harness, "goog-2020");
  harness.has_abs_send_time = TRUE;
  for (guint i = 0; i < 3000; i++) {
    harness_receive (&harness, FIRST_SSRC, rtp_timestamp, sent, 1000);
    rtp_timestamp += 10;
    harness_advance (&harness, 10);
    sent += step;
  }
  before = gcc_receiver_get_estimate (&harness.receiver);

  harness_advance (&harness, silence_s * 1000);
  sent += to_abs_send_time (silence_s, 1);
  for (guint i = 0; i < 21; i++) {
    harness_receive (&harness, FIRST_SSRC, rtp_timestamp, sent, 1000);
    rtp_timestamp += 10;
    harness_advance (&harness, 20);
    sent += step;
  }
  conformance_check_boolean (C20_AST, name, TRUE,
      gcc_receiver_get_estimate (&harness.receiver) < before);
  harness_clear (&harness);
}

static void
test_senders_come_back_as_published (void)
{
  check_silence ("lower estimate after 35 s of silence", 35);
  check_silence ("lower estimate after 640 s of silence", 640);
}

static void
test_columns_name_every_member_in_order (void)
{
  static const gchar names[] =
      "ssrc,d_ms,m_ms,modified_m_ms,gamma_ms,signal,"
      "state,competition,verdict,path_queue_ms,path_capacity_bps,r_bps,a_r_bps,"
      "remb_bps,packets,groups,overuses";
  g_auto (GStrv) expected = g_strsplit (names, ",", -1);

  g_assert_cmpuint (gcc_receiver_n_columns, ==, g_strv_length (expected));
  for (guint i = 0; i < gcc_receiver_n_columns; i++)
    g_assert_cmpstr (gcc_receiver_columns[i].name, ==, expected[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/receiver/" #name, test_##name)
  ADD (2013_estimates_as_published);
  ADD (2020_estimates_as_published);
  ADD (2020_estimates_by_abs_send_time_as_published);
  ADD (probes_as_published);
  ADD (groups_and_over_use_as_published);
  ADD (senders_come_back_as_published);
  ADD (columns_name_every_member_in_order);
#undef ADD

  return g_test_run ();
}
