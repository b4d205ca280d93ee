/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* What a sender leaves of A_s for media, protection and retransmission. */

#include <gst/gcc/compose/gcc-sender-private.h>

#include <gst/gcc/profiles/gcc-profile-private.h>
#include <math.h>

#include "reporting.h"

#define A_S 1000000
#define PACKET 1000
#define FRAME_INTERVAL (GCC_SECOND / 30)
#define HISTORY 3000

/* A call from frame to frame: an encoder that follows v after 300 ms and sends
 * too much, FEC as the sender wants it, and a receiver that asks for packets.
 */
typedef struct {
  GccProfile profile;
  GccSender sender;
  GRand *rand;
  GccTime now;
  guint n_frames;
  guint16 seq;
  guint32 reported;
  gdouble overshoot;
  gdouble fec_due;
  guint rtx_per_frame;
  guint16 video[G_MAXUINT16 + 1];
  gsize audio;
  GccRate targets[HISTORY];
  gsize sent[HISTORY][GCC_SENT_N_KINDS];
} Split;

static void
split_init_with (Split *split, GccProfile profile)
{
  *split = (Split){ .rand = g_rand_new_with_seed (7), .overshoot = 1. };
  split->profile = profile;
  gcc_sender_init (&split->sender, &split->profile, A_S, A_S, A_S);
  reporting_tell_loss (&split->sender, 0, 0, 100, 0);
}

static void
split_init (Split *split)
{
  split_init_with (split, *gcc_profile_find ("rtcweb-2013"));
}

/* So much is lost that there is as much FEC as there may be. */
static void
split_set_fec (Split *split, guint percentage)
{
  split->profile.fec.max_percentage = percentage;
  split->reported += 100;
  reporting_tell_loss (
      &split->sender, 255, split->reported, 100, split->now / GCC_MSECOND);
}

static void
split_clear (Split *split)
{
  g_rand_free (split->rand);
  gcc_sender_clear (&split->sender);
}

static void
split_send (Split *split, GccSentKind kind, gsize bytes, gboolean ends_frame)
{
  GccSentPacket packet = {
    .kind = kind, .ssrc = 1, .payload_size = bytes, .ends_frame = ends_frame
  };

  if (kind == GCC_SENT_VIDEO) {
    packet.seq = split->seq++;
    split->video[packet.seq] = (guint16) bytes;
  }
  gcc_sender_feed_sent (&split->sender, &packet, split->now);
  split->sent[split->n_frames][kind] += bytes;
}

static void
split_send_frame (Split *split)
{
  const GccSenderStats *stats = gcc_sender_get_stats (&split->sender);
  GccRate v = split->targets[MAX (split->n_frames, 9) - 9];
  gdouble noise = g_rand_double_range (split->rand, 0.8, 1.2);
  gdouble left = (gdouble) v / 8. / 30. * split->overshoot * noise;

  for (; left > 0.; left -= PACKET) {
    split_send (
        split, GCC_SENT_VIDEO, (gsize) MIN (left, PACKET), left <= PACKET);
    split->fec_due += (gdouble) stats->fec_percentage / 100. *
        MIN (left, PACKET);
  }
  for (; split->fec_due >= PACKET; split->fec_due -= PACKET)
    split_send (split, GCC_SENT_FEC, PACKET, FALSE);
  if (split->audio > 0)
    split_send (split, GCC_SENT_AUDIO, split->audio, TRUE);
}

static void
split_ask (Split *split)
{
  gcc_sender_begin_request (&split->sender, split->now);
  for (guint i = 0; i < split->rtx_per_frame; i++) {
    guint16 seq = (guint16) (split->seq - 1 - i);

    if (gcc_sender_allow_retransmission (&split->sender, 1, seq, split->now))
      split_send (split, GCC_SENT_RTX, split->video[seq], FALSE);
  }
}

/* What was sent in the last second, bit/s. */
static GccRate
split_get_rate (const Split *split, GccSentKind kind)
{
  GccRate rate = 0;

  for (guint i = MAX (split->n_frames, 30) - 30; i < split->n_frames; i++)
    rate += (GccRate) split->sent[i][kind] * 8;
  return rate;
}

static const GccSenderStats *
split_run (Split *split, guint n_frames)
{
  for (guint i = 0; i < n_frames; i++) {
    g_assert_cmpuint (split->n_frames, <, HISTORY);
    split->now += FRAME_INTERVAL;
    gcc_sender_update (&split->sender, split->now);
    split->targets[split->n_frames] =
        gcc_sender_get_stats (&split->sender)->encoder_target;
    split_send_frame (split);
    split_ask (split);
    split->n_frames++;
  }
  gcc_sender_update (&split->sender, split->now);
  return gcc_sender_get_stats (&split->sender);
}

/* FEC and retransmission come out of A_s, and are no more than half of it, but
 * for what an encoder that sends too much has for FEC after retransmission took
 * what was left. */
static void
split_run_and_check (Split *split, guint n_frames)
{
  const GccRate slack = A_S / 100 * 5;

  for (guint i = 0; i < n_frames; i++) {
    const GccSenderStats *stats = split_run (split, 1);
    GccRate protection = stats->fec_rate + stats->rtx_rate;
    GccRate counted = split_get_rate (split, GCC_SENT_FEC) +
        split_get_rate (split, GCC_SENT_RTX);

    g_assert_cmpint (
        stats->encoder_target + MIN (protection, A_S / 2), <=, A_S);
    g_assert_cmpint (stats->encoder_target, >=, A_S / 2);
    g_assert_cmpint (stats->encoder_target + counted, <=, A_S + slack);
    g_assert_cmpint (protection, <=, A_S / 2 + slack);
    g_assert_cmpint (counted, <=, A_S / 2 + slack);
  }
}

static void
test_what_is_sent_without_protection_leaves_v_alone (void)
{
  Split split;

  split_init (&split);
  split.overshoot = 1.1;
  for (guint i = 0; i < 100; i++)
    g_assert_cmpint (split_run (&split, 1)->encoder_target, ==, A_S);
  split_clear (&split);
}

static void
test_v_and_protection_are_not_more_than_a_s (void)
{
  static const gdouble overshoots[] = { 0.5, 1., 1.05, 1.2 };

  for (guint i = 0; i < G_N_ELEMENTS (overshoots); i++) {
    Split split;

    split_init (&split);
    split.overshoot = overshoots[i];
    split_run_and_check (&split, 60);
    split_set_fec (&split, 20);
    split_run_and_check (&split, 150);
    split_set_fec (&split, 50);
    split_run_and_check (&split, 150);
    for (guint j = 0; j < 20; j++) {
      split_set_fec (&split, 50);
      split.rtx_per_frame = 10;
      split_run_and_check (&split, 5);
      split.rtx_per_frame = 0;
      split_run_and_check (&split, 40);
    }
    split_set_fec (&split, 50);
    split.rtx_per_frame = 50;
    split_run_and_check (&split, 150);
    g_assert_cmpuint (
        gcc_sender_get_stats (&split.sender)->retransmissions, >, 100);
    split_clear (&split);
  }
}

/* The lag of the encoder makes nothing swing: the share is the fixed point. */
static void
test_v_comes_to_rest_under_fec (void)
{
  static const guint percentages[] = { 20, 50 };

  for (guint i = 0; i < G_N_ELEMENTS (percentages); i++) {
    gdouble expected = A_S / (1. + percentages[i] / 100.);
    Split split;

    split_init (&split);
    split_set_fec (&split, percentages[i]);
    split_run (&split, 90);
    for (guint j = 0; j < 300; j++) {
      const GccSenderStats *stats = split_run (&split, 1);

      if (j % 30 == 0)
        split_set_fec (&split, percentages[i]);
      g_assert_cmpfloat (fabs ((gdouble) stats->encoder_target - expected), <,
          0.05 * expected);
    }
    split_clear (&split);
  }
}

/* Where the encoder sends less than v, v is as if it did not. */
static void
test_v_leaves_room_for_the_fec_of_all_of_it (void)
{
  const GccSenderStats *stats;
  Split split;

  split_init (&split);
  split.overshoot = 0.5;
  split_set_fec (&split, 50);
  stats = split_run (&split, 150);
  g_assert_cmpfloat (
      fabs ((gdouble) stats->encoder_target - A_S / 1.5), <, A_S / 20.);
  g_assert_cmpint (stats->fec_rate, <, A_S / 5);
  split_clear (&split);
}

static void
test_all_together_is_near_a_s (void)
{
  Split split;

  split_init (&split);
  split.overshoot = 1.05;
  split_set_fec (&split, 50);
  split.rtx_per_frame = 1;
  split_run (&split, 90);
  for (guint i = 0; i < 300; i++) {
    GccRate all = 0;

    split_run (&split, 1);
    if (i % 30 == 0)
      split_set_fec (&split, 50);
    for (GccSentKind kind = 0; kind < GCC_SENT_N_KINDS; kind++)
      all += split_get_rate (&split, kind);
    g_assert_cmpint (all, <, A_S / 100 * 112);
    g_assert_cmpint (all, >, A_S / 100 * 85);
  }
  split_clear (&split);
}

static void
test_v_is_a_s_again_a_second_after_the_last_protection (void)
{
  Split split;

  split_init (&split);
  split_set_fec (&split, 50);
  split.rtx_per_frame = 10;
  split_run (&split, 150);
  split_set_fec (&split, 0);
  split.rtx_per_frame = 0;
  g_assert_cmpint (split_run (&split, 15)->encoder_target, <, A_S);
  g_assert_cmpint (split_run (&split, 18)->encoder_target, ==, A_S);
  split_clear (&split);
}

static void
test_what_is_reserved_comes_off (void)
{
  Split split;
  const GccSenderStats *stats;

  split_init (&split);
  stats = gcc_sender_get_stats (&split.sender);
  gcc_sender_set_reserved (&split.sender, 100000);
  g_assert_cmpint (stats->encoder_target, ==, stats->target - 100000);
  gcc_sender_set_reserved (&split.sender, 2 * stats->target);
  g_assert_cmpint (stats->encoder_target, ==, 1);
  gcc_sender_set_reserved (&split.sender, 0);
  g_assert_cmpint (stats->encoder_target, ==, stats->target);
  split_clear (&split);
}

static void
test_audio_comes_off_first (void)
{
  const GccSenderStats *stats;
  Split split;

  split_init (&split);
  split.audio = 200;
  stats = split_run (&split, 90);
  g_assert_cmpint (ABS (stats->audio_rate - 48000), <, 3000);
  g_assert_cmpint (stats->encoder_target, ==, A_S - stats->audio_rate);

  split_set_fec (&split, 50);
  stats = split_run (&split, 90);
  g_assert_cmpint (
      stats->encoder_target + stats->fec_rate, <=, A_S - stats->audio_rate);

  split.audio = 20000;
  stats = split_run (&split, 90);
  g_assert_cmpint (stats->encoder_target, ==, 1);
  g_assert_cmpuint (stats->fec_percentage, ==, 0);
  split_clear (&split);
}

static void
test_fec_follows_the_loss_of_reports (void)
{
  const GccSenderStats *stats;
  Split split;

  split_init (&split);
  gcc_sender_set_pixels (&split.sender, 352 * 288);
  split_run (&split, 30);
  reporting_tell_loss (&split.sender, 0, 100, 100, 1000);
  stats = gcc_sender_get_stats (&split.sender);
  g_assert_cmpuint (stats->fec_percentage, ==, 0);

  reporting_tell_loss (&split.sender, 26, 200, 100, 1000);
  g_assert_cmpuint (stats->fec_percentage, >, 10);
  g_assert_cmpuint (stats->fec_percentage, <, 50);
  reporting_tell_loss (&split.sender, 26, 300, 10, 1000);
  g_assert_cmpuint (stats->fec_percentage, ==, 0);
  reporting_tell_loss (&split.sender, 26, 400, 100, 1000);
  split_run (&split, 30 * 9);
  g_assert_cmpuint (stats->fec_percentage, >, 10);
  split_run (&split, 31);
  g_assert_cmpuint (stats->fec_percentage, ==, 0);
  split_clear (&split);
}

static void
test_fec_gets_what_retransmission_leaves (void)
{
  const GccSenderStats *stats;
  Split split;

  split_init (&split);
  split_run (&split, 30);
  reporting_tell_loss (&split.sender, 128, 1000, 100, 1000);
  stats = gcc_sender_get_stats (&split.sender);
  g_assert_cmpuint (stats->fec_percentage, ==, 50);
  split.rtx_per_frame = 50;
  split_run (&split, 60);
  g_assert_cmpuint (stats->fec_percentage, <, 10);
  split_clear (&split);
}

static void
test_retransmissions_are_counted (void)
{
  const GccSenderStats *stats;
  Split split;

  split_init (&split);
  stats = split_run (&split, 30);
  gcc_sender_begin_request (&split.sender, split.now);
  for (guint i = 0; i < 30; i++)
    gcc_sender_allow_retransmission (
        &split.sender, 1, (guint16) (split.seq - 1 - i), split.now);
  /* 12500 bytes: A_s · RTT */
  g_assert_cmpuint (stats->retransmissions, >=, 12);
  g_assert_cmpuint (stats->retransmissions, <, 25);
  g_assert_cmpuint (
      stats->retransmissions + stats->retransmissions_dropped, ==, 30);
  split_clear (&split);
}

/* A receiver that asks for a lot and reports every second for a while. */
static const GccSenderStats *
split_lose (Split *split, guint8 fraction_lost, gint64 rtt_ms, guint n_seconds)
{
  for (guint i = 0; i < n_seconds; i++) {
    split_run (split, 30);
    split->reported += 100;
    reporting_tell_loss (&split->sender, fraction_lost, split->reported, rtt_ms,
        split->now / GCC_MSECOND);
  }
  split_run (split, 29);
  return gcc_sender_get_stats (&split->sender);
}

static void
split_init_asking (Split *split, const gchar *profile)
{
  const GccProfile *any = gcc_profile_find (profile);
  GccProfile asking = *gcc_profile_find ("rtcweb-2013");

  asking.protection = any->protection;
  asking.arrival_watch = any->arrival_watch;
  asking.retransmission = any->retransmission;
  asking.fec.max_percentage = 0;
  split_init_with (split, asking);
  split->rtx_per_frame = 10;
}

static void
test_much_loss_is_repaired (void)
{
  static const gchar *profiles[] = { "recommended", "rtcweb-2013" };
  static const gint64 rtts_ms[] = { 60, 300 };

  for (guint i = 0; i < G_N_ELEMENTS (profiles); i++) {
    for (guint j = 0; j < G_N_ELEMENTS (rtts_ms); j++) {
      Split split;

      split_init_asking (&split, profiles[i]);
      split_lose (&split, 0, 50, 2);
      g_assert_cmpint (
          split_lose (&split, 77, rtts_ms[j], 5)->rtx_rate, >, A_S / 3);
      split_clear (&split);
    }
  }
}

static void
test_only_video_is_sent_again (void)
{
  GccSender sender;

  gcc_sender_init (&sender, gcc_profiles[0], A_S, A_S, A_S);
  for (GccSentKind kind = 0; kind < GCC_SENT_N_KINDS; kind++) {
    GccSentPacket packet = { .kind = kind,
      .ssrc = 1,
      .seq = (guint16) kind,
      .payload_size = 100,
      .ends_frame = TRUE };

    gcc_sender_feed_sent (&sender, &packet, 0);
  }
  gcc_sender_begin_request (&sender, 0);
  for (GccSentKind kind = 0; kind < GCC_SENT_N_KINDS; kind++)
    g_assert_true (gcc_sender_allow_retransmission (&sender, 1, (guint16) kind,
                       0) == (kind == GCC_SENT_VIDEO));
  gcc_sender_clear (&sender);
}

/* What was sent before A_s fell is no reason to leave nothing. */
static void
test_half_of_a_lower_a_s_is_left_at_once (void)
{
  const GccSenderStats *stats;
  Split split;

  split_init (&split);
  split_set_fec (&split, 50);
  stats = split_run (&split, 90);
  gcc_sender_set_limits (&split.sender, A_S / 4, A_S);
  reporting_tell_rate (&split.sender, A_S / 4, split.now);
  g_assert_cmpint (stats->target, ==, A_S / 4);
  g_assert_cmpint (stats->encoder_target, ==, A_S / 8);
  split_clear (&split);
}

/* Who sets audio and FEC as well divides the sum by itself. */
static void
test_audio_and_fec_are_inside_what_is_left_for_media (void)
{
  const GccSenderStats *stats;
  Split split;

  split_init (&split);
  split_set_fec (&split, 50);
  stats = split_run (&split, 90);
  g_assert_cmpint (stats->fec_rate, >, A_S / 10);
  g_assert_cmpint (stats->encoder_target, <, A_S);
  g_assert_cmpint (gcc_sender_get_media_target (&split.sender), ==, A_S);

  for (guint16 i = 0; i < 50; i++)
    gcc_sender_feed_sent (&split.sender,
        &(GccSentPacket){
            .ssrc = 99, .seq = i, .kind = GCC_SENT_AUDIO, .payload_size = 200 },
        split.now);
  gcc_sender_update (&split.sender, split.now);
  g_assert_cmpint (stats->audio_rate, >, A_S / 20);
  g_assert_cmpint (stats->encoder_target, <, A_S - stats->audio_rate);
  g_assert_cmpint (gcc_sender_get_media_target (&split.sender), ==, A_S);

  /* which fills what they leave */
  gcc_sender_feed_sent (&split.sender,
      &(GccSentPacket){
          .ssrc = 1, .size = 10000, .kind = GCC_SENT_RTX, .is_padding = TRUE },
      split.now);
  gcc_sender_update (&split.sender, split.now);
  g_assert_cmpint (stats->sent_padding_rate, >, A_S / 20);
  g_assert_cmpint (gcc_sender_get_media_target (&split.sender), ==, A_S);
  split_clear (&split);
}

/* Guards against: eq. (1) that goes on from the rate before. */
static void
test_loss_control_goes_on_from_a_restart (void)
{
  GccSender sender;
  const GccSenderStats *stats;

  gcc_sender_init (
      &sender, gcc_profile_find ("recommended"), 50000, 300000, 4000000);
  stats = gcc_sender_get_stats (&sender);
  for (guint i = 0; i < 5; i++)
    reporting_tell_loss (&sender, 0, i * 100, 100, i * 1000);
  gcc_sender_restart (&sender, 2000000, 5 * GCC_SECOND);
  g_assert_cmpint (stats->target, ==, 2000000);
  g_assert_cmpint (stats->encoder_target, ==, 2000000);
  reporting_tell_loss (&sender, 0, 600, 100, 6000);
  g_assert_cmpint (stats->target, >=, 2000000);

  gcc_sender_restart (&sender, 100000, 6 * GCC_SECOND);
  g_assert_cmpint (stats->target, ==, 100000);
  reporting_tell_loss (&sender, 0, 700, 100, 7000);
  g_assert_cmpint (stats->target, <, 150000);
  gcc_sender_clear (&sender);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/sender-split/" #name, test_##name)
  ADD (what_is_sent_without_protection_leaves_v_alone);
  ADD (v_and_protection_are_not_more_than_a_s);
  ADD (v_comes_to_rest_under_fec);
  ADD (v_leaves_room_for_the_fec_of_all_of_it);
  ADD (all_together_is_near_a_s);
  ADD (v_is_a_s_again_a_second_after_the_last_protection);
  ADD (what_is_reserved_comes_off);
  ADD (audio_comes_off_first);
  ADD (fec_follows_the_loss_of_reports);
  ADD (fec_gets_what_retransmission_leaves);
  ADD (retransmissions_are_counted);
  ADD (much_loss_is_repaired);
  ADD (only_video_is_sent_again);
  ADD (half_of_a_lower_a_s_is_left_at_once);
  ADD (audio_and_fec_are_inside_what_is_left_for_media);
  ADD (loss_control_goes_on_from_a_restart);
#undef ADD
  return g_test_run ();
}
