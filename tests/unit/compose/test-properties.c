/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* What holds for both composers and every profile, whatever comes in. */

#include <gst/gcc/compose/gcc-receiver-private.h>

#include <gst/gcc/compose/gcc-sender-private.h>
#include <gst/gcc/gcc-remb.h>
#include <gst/gcc/profiles/gcc-profile-private.h>
#include <gst/gcc/wire/gcc-round-trip.h>

#include <math.h>
#include <string.h>

#include "reporting.h"

#define MAX_COLUMNS 64
#define N_PACKETS 200000
#define N_REPORTS 100000

/* --- random input --- */

static GccTime
random_time (GRand *rand)
{
  return (GccTime) ((guint64) g_rand_int (rand) << 32 | g_rand_int (rand));
}

/* Most are small, some are anything up to 2^bits. */
static guint64
random_size (GRand *rand, gint bits)
{
  guint64 any = (guint64) g_rand_int (rand) << 32 | g_rand_int (rand);

  return any >> (64 - g_rand_int_range (rand, 1, bits + 1));
}

/* A clock that mostly runs; sometimes it jumps, and seldom it is anywhere. */
static GccTime
run_clock (GRand *rand, GccTime time, gint step)
{
  gint what = g_rand_int_range (rand, 0, 2000);

  if (what == 0)
    return random_time (rand);
  if (what < 20)
    return (GccTime) ((guint64) time +
        (guint64) g_rand_int_range (rand, -3 * GCC_SECOND, 3 * GCC_SECOND));
  return (
      GccTime) ((guint64) time + (guint64) g_rand_int_range (rand, 0, step));
}

/* --- what leaves a struct --- */

/* NaN is a double that is not known yet: one that was known stays so. */
static void
check_columns (const GccColumn *columns, guint n_columns, gconstpointer stats,
    gboolean *known)
{
  g_assert_cmpuint (n_columns, <=, MAX_COLUMNS);
  for (guint i = 0; i < n_columns; i++) {
    gconstpointer member = (const guint8 *) stats + columns[i].offset;

    if (columns[i].type == GCC_COLUMN_DOUBLE) {
      gdouble value = *(const gdouble *) member;

      g_assert_false (isinf (value));
      g_assert_false (known[i] && isnan (value));
      known[i] |= !isnan (value);
    } else if (columns[i].type == GCC_COLUMN_RATE) {
      g_assert_cmpint (*(const GccRate *) member, >=, GCC_RATE_NONE);
    } else if (columns[i].type >= GCC_COLUMN_STRING) {
      const gchar *value = gcc_column_get_word (&columns[i], stats);

      g_assert_false (known[i] && value == NULL);
      known[i] |= value != NULL;
    }
  }
}

/* --- the receiving side --- */

typedef struct {
  GRand *rand;
  GccTime now;
  GccTime arrival;
  guint32 rtp_timestamp;
  guint n_packets;
} Flood;

/* Stretches of packets with and without abs-send-time, and of packets that are
 * each a stream of their own; anything else may be anything at any time. */
static GccPacket
flood_next (Flood *flood)
{
  GRand *rand = flood->rand;
  guint stretch = flood->n_packets++ / 5000;
  GccPacket packet = {
    .ssrc = (guint32) g_rand_int_range (rand, 0, 3),
    .clock_rate = 90000,
    .payload_size = random_size (rand, 11),
    .has_abs_send_time = stretch % 3 == 1,
  };

  flood->now = run_clock (rand, flood->now, 20 * GCC_MSECOND);
  flood->arrival = run_clock (rand, flood->arrival, 20 * GCC_MSECOND);
  flood->rtp_timestamp += (guint32) g_rand_int_range (rand, 0, 1800);
  if (stretch % 5 == 4)
    packet.ssrc = g_rand_int (rand);

  switch (g_rand_int_range (rand, 0, 300)) {
    case 0:
      flood->rtp_timestamp = g_rand_int (rand);
      break;
    case 1:
      packet.rtp_timestamp -= (guint32) g_rand_int_range (rand, 0, 9000);
      break;
    case 2:
      packet.payload_size = random_size (rand, 31);
      break;
    case 3:
      packet.clock_rate = (guint) random_size (rand, 32);
      break;
    case 4:
      packet.has_abs_send_time = !packet.has_abs_send_time;
      break;
    default:
      break;
  }
  packet.arrival = flood->arrival;
  packet.rtp_timestamp += flood->rtp_timestamp;
  packet.abs_send_time = g_rand_int_range (rand, 0, 300) == 0
      ? g_rand_int (rand)
      : (guint32) ((guint64) flood->arrival * 262144 / GCC_SECOND) & 0xffffff;
  return packet;
}

/* What the receiver did with it all must have been something: else the flood
 * is one that is ignored. */
static void
check_flood_was_measured (const GccReceiver *receiver)
{
  const GccReceiverStats *stats = gcc_receiver_get_stats (receiver);

  g_assert_cmpuint (stats->packets, ==, N_PACKETS);
  g_assert_cmpuint (stats->groups, >, N_PACKETS / 100);
  g_assert_cmpuint (stats->overuses, >, 10);
}

static void
test_no_packet_makes_nan_or_infinity (void)
{
  for (guint i = 0; i < gcc_n_profiles; i++) {
    Flood flood = { .rand = g_rand_new_with_seed (11 + i) };
    gboolean known[MAX_COLUMNS] = { FALSE };
    GccReceiver receiver;

    gcc_receiver_init (&receiver, gcc_profiles[i]);
    for (guint j = 0; j < N_PACKETS; j++) {
      GccPacket packet = flood_next (&flood);
      GccRemb remb;
      GccTime next;

      gcc_receiver_feed (&receiver, &packet, flood.now);
      next = gcc_receiver_next_timeout (&receiver);
      if (next != GCC_TIME_NONE && next <= flood.now)
        gcc_receiver_handle_timeout (&receiver, flood.now);
      if (j % 1000 == 0)
        gcc_receiver_set_rtt (
            &receiver, (GccTime) random_size (flood.rand, 63));

      check_columns (gcc_receiver_columns, gcc_receiver_n_columns,
          gcc_receiver_get_stats (&receiver), known);
      g_assert_cmpint (gcc_receiver_get_estimate (&receiver), !=, 0);
      gcc_receiver_get_remb (&receiver, &remb);
      g_assert_cmpuint (remb.n_ssrcs, <=, GCC_RECEIVER_MAX_STREAMS);
    }
    check_flood_was_measured (&receiver);
    gcc_receiver_clear (&receiver);
    g_rand_free (flood.rand);
  }
}

/* Without probes, which are no part of the state machine and do raise A_r. C13
 * sets the least rate when less is received, whatever A_r was. */
static void
test_state_decrease_never_raises_a_r (void)
{
  for (guint i = 0; i < gcc_n_profiles; i++) {
    Flood flood = { .rand = g_rand_new_with_seed (21 + i) };
    GccProfile profile = *gcc_profiles[i];
    GccReceiver receiver;
    guint n_decreases = 0;

    profile.remb_probe.max_packets = 0;
    gcc_receiver_init (&receiver, &profile);
    for (guint j = 0; j < N_PACKETS; j++) {
      const GccReceiverStats *stats = gcc_receiver_get_stats (&receiver);
      GccPacket packet = flood_next (&flood);
      GccRate before = stats->estimate;
      GccReceiverEvent event = gcc_receiver_feed (
          &receiver, &packet, flood.now);

      if (event < GCC_RECEIVER_EVENT_RATE) {
        before = stats->estimate;
        event = gcc_receiver_handle_timeout (&receiver, flood.now);
      }
      if (event < GCC_RECEIVER_EVENT_RATE || before == GCC_RATE_NONE ||
          stats->state != GCC_RATE_CONTROL_DECREASE)
        continue;
      g_assert_cmpint (
          stats->estimate, <=, MAX (before, profile.rate_control.min_rate));
      n_decreases++;
    }
    g_assert_cmpuint (n_decreases, >, 10);
    gcc_receiver_clear (&receiver);
    g_rand_free (flood.rand);
  }
}

/* --- the sending side --- */

/* Most are about packets that were sent. */
static GccReportBlock
random_block (GccSender *sender, GRand *rand, GccTime now)
{
  guint32 ssrc = g_rand_int_range (rand, 0, 20) == 0
      ? g_rand_int (rand)
      : (guint32) g_rand_int_range (rand, 0, 3);
  const GccSentStream *stream = gcc_sent_streams_find (
      &sender->control.streams, ssrc);
  guint32 seq = stream != NULL ? stream->highest : 0;

  seq += (guint32) g_rand_int_range (rand, 0, 60);
  if (ssrc < 3)
    reporting_send_up_to (sender, ssrc, seq, now);
  return (GccReportBlock){
    .reporter = (guint32) g_rand_int_range (rand, 0, 3),
    .ssrc = ssrc,
    .fraction_lost = (guint8) random_size (rand, 8),
    .ext_highest_seq = g_rand_int_range (rand, 0, 20) == 0 ? g_rand_int (rand)
                                                           : seq,
    .rtt = g_rand_boolean (rand) ? GCC_TIME_NONE
                                 : (GccTime) random_size (rand, 64),
  };
}

static GccRemb
random_remb (GRand *rand, gint bits)
{
  return reporting_remb ((guint32) g_rand_int_range (rand, 0, 4),
      (guint32) g_rand_int_range (rand, 0, 4),
      (GccRate) random_size (rand, bits));
}

/* What is asserted of all that counts is not asserted of nothing. */
static void
check_taken (const GccSender *sender, guint64 reports, guint64 rembs)
{
  const GccSenderStats *stats = gcc_sender_get_stats (sender);

  g_assert_cmpuint (stats->reports, >, reports);
  g_assert_cmpuint (stats->rembs, >, rembs);
}

static void
test_a_s_stays_within_limits_that_change (void)
{
  for (guint i = 0; i < gcc_n_profiles; i++) {
    GRand *rand = g_rand_new_with_seed (31 + i);
    gboolean known[MAX_COLUMNS] = { FALSE };
    GccRate min = 50000, max = 2000000;
    GccTime now = 0;
    GccSender sender;

    gcc_sender_init (&sender, gcc_profiles[i], min, 300000, max);
    for (guint j = 0; j < N_REPORTS; j++) {
      GccReportBlock blocks[3];
      GccRemb remb = random_remb (rand, 64);

      now = run_clock (rand, now, GCC_SECOND / 2);
      for (guint k = 0; k < G_N_ELEMENTS (blocks); k++)
        blocks[k] = random_block (&sender, rand, now);

      switch (g_rand_int_range (rand, 0, 4)) {
        case 0:
        case 1:
          gcc_sender_feed_reports (
              &sender, blocks, (guint) g_rand_int_range (rand, 0, 4), now);
          break;
        case 2:
          gcc_sender_feed_remb (&sender, &remb, now);
          break;
        default:
          gcc_sender_handle_timeout (&sender, now);
          break;
      }
      if (j % 500 == 0) {
        min = 1 + (GccRate) random_size (rand, 24);
        max = min + (GccRate) random_size (rand, 40);
        gcc_sender_set_limits (&sender, min, max);
      }

      g_assert_cmpint (gcc_sender_get_target (&sender), >=, min);
      g_assert_cmpint (gcc_sender_get_target (&sender), <=, max);
      check_columns (gcc_sender_columns, gcc_sender_n_columns,
          gcc_sender_get_stats (&sender), known);
    }
    check_taken (&sender, N_REPORTS / 4, N_REPORTS / 10);
    gcc_sender_clear (&sender);
    g_rand_free (rand);
  }
}

static GccSentPacket
random_sent_packet (GRand *rand)
{
  return (GccSentPacket){
    .kind = (GccSentKind) g_rand_int_range (rand, 0, GCC_SENT_N_KINDS),
    .ssrc = (guint32) g_rand_int_range (rand, 0, 3),
    .seq = (guint16) g_rand_int_range (rand, 0, 100),
    .payload_size = g_rand_int_range (rand, 0, 300) == 0
        ? (gsize) random_size (rand, 64)
        : (gsize) random_size (rand, 11),
    .ends_frame = g_rand_boolean (rand),
  };
}

static void
send_anything (GccSender *sender, GRand *rand, GccTime now)
{
  guint n = (guint) g_rand_int_range (rand, 0, 50);

  for (guint i = 0; i < n; i++) {
    GccSentPacket packet = random_sent_packet (rand);

    gcc_sender_feed_sent (sender, &packet, now);
  }
  gcc_sender_begin_request (sender, now);
  for (guint i = 0; i < n; i++) {
    GccSentPacket packet = random_sent_packet (rand);

    gcc_sender_allow_retransmission (sender, packet.ssrc, packet.seq, now);
  }
}

/* More than half of what audio leaves of A_s is never taken off. */
static void
check_v (const GccSender *sender)
{
  const GccSenderStats *stats = gcc_sender_get_stats (sender);
  GccRate shared = MAX (stats->target - stats->audio_rate, 0);

  g_assert_cmpint (stats->encoder_target, >=, MAX (shared - shared / 2, 1));
  g_assert_cmpint (stats->encoder_target, <=, MAX (shared, 1));
  g_assert_cmpuint (stats->fec_percentage, <=, 100);
}

static void
test_v_stays_within_a_s_whatever_is_sent (void)
{
  for (guint i = 0; i < gcc_n_profiles; i++) {
    GRand *rand = g_rand_new_with_seed (71 + i);
    gboolean known[MAX_COLUMNS] = { FALSE };
    const GccSenderStats *stats;
    GccTime now = 0;
    GccSender sender;

    gcc_sender_init (&sender, gcc_profiles[i], 1, 300000, G_MAXINT64);
    stats = gcc_sender_get_stats (&sender);
    for (guint j = 0; j < N_REPORTS / 5; j++) {
      GccReportBlock block;
      GccRemb remb = random_remb (rand, 64);

      now = run_clock (rand, now, GCC_SECOND / 2);
      send_anything (&sender, rand, now);
      block = random_block (&sender, rand, now);
      gcc_sender_set_pixels (&sender, (guint) random_size (rand, 32));
      gcc_sender_feed_reports (&sender, &block, 1, now);
      check_v (&sender);
      gcc_sender_feed_remb (&sender, &remb, now);
      check_v (&sender);
      gcc_sender_set_limits (&sender, 1 + (GccRate) random_size (rand, 20),
          (1 << 20) + (GccRate) random_size (rand, 62));
      check_v (&sender);
      check_columns (gcc_sender_columns, gcc_sender_n_columns, stats, known);
    }
    check_taken (&sender, N_REPORTS / 20, N_REPORTS / 20);
    g_assert_cmpuint (stats->retransmissions, >, N_REPORTS / 100);
    g_assert_cmpuint (stats->retransmissions_dropped, >, N_REPORTS / 100);
    gcc_sender_clear (&sender);
    g_rand_free (rand);
  }
}

/* A sender that is somewhere between its limits, with a past. */
static void
give_a_past (GccSender *sender, GRand *rand, GccTime *now, guint32 *seq)
{
  guint n = (guint) g_rand_int_range (rand, 0, 10);

  for (guint i = 0; i < n; i++) {
    GccReportBlock block = random_block (sender, rand, *now);
    GccRemb remb = reporting_remb (1, 1, (GccRate) random_size (rand, 23));

    block.reporter = block.ssrc = 1;
    block.fraction_lost = (guint8) random_size (rand, 4);
    block.ext_highest_seq = *seq += 100;
    *now += g_rand_int_range (rand, 0, 2 * GCC_SECOND);
    reporting_send_up_to (sender, 1, *seq, *now);
    gcc_sender_feed_reports (sender, &block, 1, *now);
    gcc_sender_feed_remb (sender, &remb, *now);
  }
}

/* But for eq. (1) of 2013, whose TFRC floor is not limited. */
static void
test_loss_above_the_upper_bound_never_raises_a_s (void)
{
  for (guint i = 0; i < gcc_n_profiles; i++) {
    GRand *rand = g_rand_new_with_seed (41 + i);
    guint n_decreases = 0;
    GccProfile profile = *gcc_profiles[i];

    profile.loss.tfrc_raises = FALSE;
    for (guint j = 0; j < 5000; j++) {
      GccTime now = 0;
      guint32 seq = 0;
      GccSender sender;

      gcc_sender_init (&sender, &profile, 10000,
          10000 + (GccRate) random_size (rand, 22), 5000000);
      give_a_past (&sender, rand, &now, &seq);
      for (guint k = 0; k < 10; k++) {
        GccRate before = gcc_sender_get_target (&sender);
        GccReportBlock block = random_block (&sender, rand, now);

        block.reporter = block.ssrc = 1;
        block.fraction_lost = (guint8) g_rand_int_range (rand, 28, 256);
        block.ext_highest_seq = seq += 100;
        now += g_rand_int_range (rand, 0, 2 * GCC_SECOND);
        reporting_send_up_to (&sender, 1, seq, now);
        gcc_sender_feed_reports (&sender, &block, 1, now);
        g_assert_cmpint (gcc_sender_get_target (&sender), <=, before);
        if (gcc_sender_get_target (&sender) < before)
          n_decreases++;
      }
      gcc_sender_clear (&sender);
    }
    g_assert_cmpuint (n_decreases, >, 1000);
    g_rand_free (rand);
  }
}

/* In a profile with a start phase only after it; in one that follows a REMB up no
 * further than it says. */
static void
test_remb_raises_a_s_no_more_than_the_profile_says (void)
{
  for (guint i = 0; i < gcc_n_profiles; i++) {
    gdouble ratio = MAX (gcc_profiles[i]->target.follow_ratio, 1.);
    GRand *rand = g_rand_new_with_seed (51 + i);
    guint n_decreases = 0;

    for (guint j = 0; j < 6000; j++) {
      GccReportBlock block = { .reporter = 1, .ssrc = 1 };
      GccTime now = 0;
      guint32 seq = 0;
      GccSender sender;

      gcc_sender_init (&sender, gcc_profiles[i], 10000,
          10000 + (GccRate) random_size (rand, 22), 5000000);
      reporting_send_up_to (&sender, 1, 0, now);
      gcc_sender_feed_reports (&sender, &block, 1, now);
      give_a_past (&sender, rand, &now, &seq);
      now += gcc_profiles[i]->target.start_phase;
      for (guint k = 0; k < 10; k++) {
        GccRate before = gcc_sender_get_target (&sender);
        GccRate remb = (GccRate) random_size (rand, 24);
        GccRemb message = reporting_remb (1, 1, remb);

        now += 1 + g_rand_int_range (rand, 0, 2 * GCC_SECOND);
        gcc_sender_feed_remb (&sender, &message, now);
        g_assert_cmpfloat ((gdouble) gcc_sender_get_target (&sender), <=,
            ratio * (gdouble) before);
        g_assert_cmpint (
            gcc_sender_get_target (&sender), <=, MAX (remb, before));
        if (remb < before)
          g_assert_cmpint (
              gcc_sender_get_target (&sender), ==, MAX (remb, 10000));
        if (gcc_sender_get_target (&sender) < before)
          n_decreases++;
      }
      g_assert_cmpuint (gcc_sender_get_stats (&sender)->rembs_ignored, ==, 0);
      gcc_sender_clear (&sender);
    }
    g_assert_cmpuint (n_decreases, >, 1000);
    g_rand_free (rand);
  }
}

/* --- the ends of the range, where sums and products of int64 overflow: most of
 * what is asserted here is what UBSan does not say --- */

#define N_EXTREMES 20000

static gint64
extreme (GRand *rand, gint64 least)
{
  static const gint64 ends[] = { G_MININT64 + 1, G_MININT64 + 2, -GCC_SECOND,
    -1, 0, 1, GCC_SECOND, G_MAXINT64 / 2, G_MAXINT64 / 2 + 1,
    G_MAXINT64 - GCC_SECOND, G_MAXINT64 - 1, G_MAXINT64 };
  gint64 end = ends[g_rand_int_range (rand, 0, G_N_ELEMENTS (ends))];

  return MAX (end, least);
}

static void
test_extremes_keep_a_s_within_its_limits (void)
{
  for (guint i = 0; i < gcc_n_profiles; i++) {
    GRand *rand = g_rand_new_with_seed (81 + i);
    gboolean known[MAX_COLUMNS] = { FALSE };
    GccRate min = 1, max = G_MAXINT64;
    GccSender sender;

    gcc_sender_init (&sender, gcc_profiles[i], min, G_MAXINT64, max);
    for (guint j = 0; j < N_EXTREMES; j++) {
      GccTime now = extreme (rand, G_MININT64 + 1);
      GccReportBlock block = random_block (&sender, rand, now);
      GccRemb remb = reporting_remb (block.reporter, 1, extreme (rand, 0));

      block.rtt = extreme (rand, 0);
      if (j % 3 == 0)
        block.fraction_lost = j % 2 == 0 ? 0 : 255;
      gcc_sender_begin_request (&sender, now);
      gcc_sender_allow_retransmission (&sender, 1, (guint16) j, now);
      gcc_sender_feed_reports (&sender, &block, 1, now);
      gcc_sender_feed_remb (&sender, &remb, now);
      gcc_sender_next_timeout (&sender);
      gcc_sender_handle_timeout (&sender, extreme (rand, G_MININT64 + 1));
      if (j % 100 == 0) {
        min = extreme (rand, 1);
        max = extreme (rand, min);
        gcc_sender_set_limits (&sender, min, max);
      }

      g_assert_cmpint (gcc_sender_get_target (&sender), >=, min);
      g_assert_cmpint (gcc_sender_get_target (&sender), <=, max);
      g_assert_cmpint (gcc_sender_get_stats (&sender)->loss_based, >=, 0);
      check_columns (gcc_sender_columns, gcc_sender_n_columns,
          gcc_sender_get_stats (&sender), known);
    }
    check_taken (&sender, N_EXTREMES / 4, N_EXTREMES / 10);
    gcc_sender_clear (&sender);
    g_rand_free (rand);
  }
}

static void
test_extremes_keep_a_r_a_rate (void)
{
  for (guint i = 0; i < gcc_n_profiles; i++) {
    GRand *rand = g_rand_new_with_seed (91 + i);
    GccRateControl control;

    gcc_rate_control_init (&control, &gcc_profiles[i]->rate_control);
    for (guint j = 0; j < N_EXTREMES; j++) {
      GccTime now = extreme (rand, G_MININT64 + 1);
      GccRateControlInput input = {
        .signal = (GccSignal) g_rand_int_range (rand, 0, 3),
        .received_rate = extreme (rand, GCC_RATE_NONE),
        .noise_variance = g_rand_double (rand),
      };

      gcc_rate_control_set_rtt (&control, extreme (rand, 0));
      gcc_rate_control_update (&control, &input, now);
      gcc_rate_control_is_time_to_reduce (&control, input.received_rate, now);
      if (j % 10 == 0)
        gcc_rate_control_set_rate (&control, extreme (rand, 0), now);
      g_assert_cmpint (gcc_rate_control_get_rate (&control), >=, GCC_RATE_NONE);
      g_assert_cmpfloat (gcc_rate_control_get_additive_rate (&control), >=, 0.);
    }
    g_rand_free (rand);
  }
}

static void
test_extremes_keep_round_trips_positive (void)
{
  GRand *rand = g_rand_new_with_seed (101);
  GccRoundTrip round_trip;

  gcc_round_trip_init (&round_trip);
  for (guint i = 0; i < N_EXTREMES; i++) {
    gcc_round_trip_note_sent (
        &round_trip, 1 + i % 3, extreme (rand, G_MININT64 + 1));
    g_assert_cmpint (gcc_round_trip_measure (&round_trip, 1 + i % 3,
                         g_rand_boolean (rand) ? G_MAXUINT32 : 0,
                         extreme (rand, G_MININT64 + 1)),
        >=, 0);
  }
  g_rand_free (rand);
}

/* --- between them --- */

static void
check_same_ssrcs (const GccRemb *a, const GccRemb *b)
{
  g_assert_cmpmem (a->ssrcs, a->n_ssrcs * sizeof *a->ssrcs, b->ssrcs,
      b->n_ssrcs * sizeof *b->ssrcs);
}

static void
test_a_remb_that_was_parsed_is_written_the_same (void)
{
  GRand *rand = g_rand_new_with_seed (61);

  for (guint i = 0; i < 100000; i++) {
    GccRemb remb = {
      .rate = (GccRate) random_size (rand, 63),
      .n_ssrcs = 2,
      .ssrcs = { g_rand_int (rand), g_rand_int (rand) },
    };
    GccRemb parsed, again;
    guint8 bytes[GCC_REMB_FCI_LENGTH (2)];

    gcc_remb_write_fci (&remb, bytes);
    g_assert_true (gcc_remb_parse_fci (&parsed, bytes, sizeof bytes));
    check_same_ssrcs (&parsed, &remb);
    g_assert_cmpint (parsed.rate, <=, remb.rate);
    if (remb.rate < 1 << 18)
      g_assert_cmpint (parsed.rate, ==, remb.rate);

    gcc_remb_write_fci (&parsed, bytes);
    g_assert_true (gcc_remb_parse_fci (&again, bytes, sizeof bytes));
    check_same_ssrcs (&again, &parsed);
    g_assert_cmpint (again.rate, ==, parsed.rate);
  }
  g_rand_free (rand);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/properties/" #name, test_##name)
  ADD (no_packet_makes_nan_or_infinity);
  ADD (state_decrease_never_raises_a_r);
  ADD (a_s_stays_within_limits_that_change);
  ADD (v_stays_within_a_s_whatever_is_sent);
  ADD (loss_above_the_upper_bound_never_raises_a_s);
  ADD (remb_raises_a_s_no_more_than_the_profile_says);
  ADD (extremes_keep_a_s_within_its_limits);
  ADD (extremes_keep_a_r_a_rate);
  ADD (extremes_keep_round_trips_positive);
  ADD (a_remb_that_was_parsed_is_written_the_same);
#undef ADD
  return g_test_run ();
}
