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
} Call;

static void
call_init_with (Call *call, GccProfile profile)
{
  *call = (Call){ .rand = g_rand_new_with_seed (7), .overshoot = 1. };
  call->profile = profile;
  gcc_sender_init (&call->sender, &call->profile, A_S, A_S, A_S);
  reporting_tell_loss (&call->sender, 0, 0, 100, 0);
}

static void
call_init (Call *call)
{
  call_init_with (call, *gcc_profile_find ("rtcweb-2013"));
}

/* So much is lost that there is as much FEC as there may be. */
static void
call_set_fec (Call *call, guint percentage)
{
  call->profile.fec.max_percentage = percentage;
  call->reported += 100;
  reporting_tell_loss (
      &call->sender, 255, call->reported, 100, call->now / GCC_MSECOND);
}

static void
call_clear (Call *call)
{
  g_rand_free (call->rand);
  gcc_sender_clear (&call->sender);
}

static void
call_send (Call *call, GccSentKind kind, gsize bytes, gboolean ends_frame)
{
  GccSentPacket packet = {
    .kind = kind, .ssrc = 1, .bytes = bytes, .ends_frame = ends_frame
  };

  if (kind == GCC_SENT_VIDEO) {
    packet.seq = call->seq++;
    call->video[packet.seq] = (guint16) bytes;
  }
  gcc_sender_feed_sent (&call->sender, &packet, call->now);
  call->sent[call->n_frames][kind] += bytes;
}

static void
call_send_frame (Call *call)
{
  const GccSenderStats *stats = gcc_sender_get_stats (&call->sender);
  GccRate v = call->targets[MAX (call->n_frames, 9) - 9];
  gdouble noise = g_rand_double_range (call->rand, 0.8, 1.2);
  gdouble left = (gdouble) v / 8. / 30. * call->overshoot * noise;

  for (; left > 0.; left -= PACKET) {
    call_send (
        call, GCC_SENT_VIDEO, (gsize) MIN (left, PACKET), left <= PACKET);
    call->fec_due += (gdouble) stats->fec_percentage / 100. *
        MIN (left, PACKET);
  }
  for (; call->fec_due >= PACKET; call->fec_due -= PACKET)
    call_send (call, GCC_SENT_FEC, PACKET, FALSE);
  if (call->audio > 0)
    call_send (call, GCC_SENT_AUDIO, call->audio, TRUE);
}

static void
call_ask (Call *call)
{
  gcc_sender_begin_request (&call->sender, call->now);
  for (guint i = 0; i < call->rtx_per_frame; i++) {
    guint16 seq = (guint16) (call->seq - 1 - i);

    if (gcc_sender_allow_retransmission (&call->sender, 1, seq, call->now))
      call_send (call, GCC_SENT_RTX, call->video[seq], FALSE);
  }
}

/* What was sent in the last second, bit/s. */
static GccRate
call_get_rate (const Call *call, GccSentKind kind)
{
  GccRate rate = 0;

  for (guint i = MAX (call->n_frames, 30) - 30; i < call->n_frames; i++)
    rate += (GccRate) call->sent[i][kind] * 8;
  return rate;
}

static const GccSenderStats *
call_run (Call *call, guint n_frames)
{
  for (guint i = 0; i < n_frames; i++) {
    g_assert_cmpuint (call->n_frames, <, HISTORY);
    call->now += FRAME_INTERVAL;
    gcc_sender_update (&call->sender, call->now);
    call->targets[call->n_frames] =
        gcc_sender_get_stats (&call->sender)->encoder_target;
    call_send_frame (call);
    call_ask (call);
    call->n_frames++;
  }
  gcc_sender_update (&call->sender, call->now);
  return gcc_sender_get_stats (&call->sender);
}

/* FEC and retransmission come out of A_s, and are no more than half of it, but
 * for what an encoder that sends too much has for FEC after retransmission took
 * what was left. */
static void
call_run_and_check (Call *call, guint n_frames)
{
  const GccRate slack = A_S / 100 * 5;

  for (guint i = 0; i < n_frames; i++) {
    const GccSenderStats *stats = call_run (call, 1);
    GccRate protection = stats->fec_rate + stats->rtx_rate;
    GccRate counted = call_get_rate (call, GCC_SENT_FEC) +
        call_get_rate (call, GCC_SENT_RTX);

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
  Call call;

  call_init (&call);
  call.overshoot = 1.1;
  for (guint i = 0; i < 100; i++)
    g_assert_cmpint (call_run (&call, 1)->encoder_target, ==, A_S);
  call_clear (&call);
}

static void
test_v_and_protection_are_not_more_than_a_s (void)
{
  static const gdouble overshoots[] = { 0.5, 1., 1.05, 1.2 };

  for (guint i = 0; i < G_N_ELEMENTS (overshoots); i++) {
    Call call;

    call_init (&call);
    call.overshoot = overshoots[i];
    call_run_and_check (&call, 60);
    call_set_fec (&call, 20);
    call_run_and_check (&call, 150);
    call_set_fec (&call, 50);
    call_run_and_check (&call, 150);
    for (guint j = 0; j < 20; j++) {
      call_set_fec (&call, 50);
      call.rtx_per_frame = 10;
      call_run_and_check (&call, 5);
      call.rtx_per_frame = 0;
      call_run_and_check (&call, 40);
    }
    call_set_fec (&call, 50);
    call.rtx_per_frame = 50;
    call_run_and_check (&call, 150);
    g_assert_cmpuint (
        gcc_sender_get_stats (&call.sender)->retransmissions, >, 100);
    call_clear (&call);
  }
}

/* The lag of the encoder makes nothing swing: the share is the fixed point. */
static void
test_v_comes_to_rest_under_fec (void)
{
  static const guint percentages[] = { 20, 50 };

  for (guint i = 0; i < G_N_ELEMENTS (percentages); i++) {
    gdouble expected = A_S / (1. + percentages[i] / 100.);
    Call call;

    call_init (&call);
    call_set_fec (&call, percentages[i]);
    call_run (&call, 90);
    for (guint j = 0; j < 300; j++) {
      const GccSenderStats *stats = call_run (&call, 1);

      if (j % 30 == 0)
        call_set_fec (&call, percentages[i]);
      g_assert_cmpfloat (fabs ((gdouble) stats->encoder_target - expected), <,
          0.05 * expected);
    }
    call_clear (&call);
  }
}

/* Where the encoder sends less than v, v is as if it did not. */
static void
test_v_leaves_room_for_the_fec_of_all_of_it (void)
{
  const GccSenderStats *stats;
  Call call;

  call_init (&call);
  call.overshoot = 0.5;
  call_set_fec (&call, 50);
  stats = call_run (&call, 150);
  g_assert_cmpfloat (
      fabs ((gdouble) stats->encoder_target - A_S / 1.5), <, A_S / 20.);
  g_assert_cmpint (stats->fec_rate, <, A_S / 5);
  call_clear (&call);
}

static void
test_all_together_is_near_a_s (void)
{
  Call call;

  call_init (&call);
  call.overshoot = 1.05;
  call_set_fec (&call, 50);
  call.rtx_per_frame = 1;
  call_run (&call, 90);
  for (guint i = 0; i < 300; i++) {
    GccRate all = 0;

    call_run (&call, 1);
    if (i % 30 == 0)
      call_set_fec (&call, 50);
    for (GccSentKind kind = 0; kind < GCC_SENT_N_KINDS; kind++)
      all += call_get_rate (&call, kind);
    g_assert_cmpint (all, <, A_S / 100 * 112);
    g_assert_cmpint (all, >, A_S / 100 * 85);
  }
  call_clear (&call);
}

static void
test_v_is_a_s_again_a_second_after_the_last_protection (void)
{
  Call call;

  call_init (&call);
  call_set_fec (&call, 50);
  call.rtx_per_frame = 10;
  call_run (&call, 150);
  call_set_fec (&call, 0);
  call.rtx_per_frame = 0;
  g_assert_cmpint (call_run (&call, 15)->encoder_target, <, A_S);
  g_assert_cmpint (call_run (&call, 18)->encoder_target, ==, A_S);
  call_clear (&call);
}

static void
test_what_is_reserved_comes_off (void)
{
  Call call;
  const GccSenderStats *stats;

  call_init (&call);
  stats = gcc_sender_get_stats (&call.sender);
  gcc_sender_set_reserved (&call.sender, 100000);
  g_assert_cmpint (stats->encoder_target, ==, stats->target - 100000);
  gcc_sender_set_reserved (&call.sender, 2 * stats->target);
  g_assert_cmpint (stats->encoder_target, ==, 1);
  gcc_sender_set_reserved (&call.sender, 0);
  g_assert_cmpint (stats->encoder_target, ==, stats->target);
  call_clear (&call);
}

static void
test_audio_comes_off_first (void)
{
  const GccSenderStats *stats;
  Call call;

  call_init (&call);
  call.audio = 200;
  stats = call_run (&call, 90);
  g_assert_cmpint (ABS (stats->audio_rate - 48000), <, 3000);
  g_assert_cmpint (stats->encoder_target, ==, A_S - stats->audio_rate);

  call_set_fec (&call, 50);
  stats = call_run (&call, 90);
  g_assert_cmpint (
      stats->encoder_target + stats->fec_rate, <=, A_S - stats->audio_rate);

  call.audio = 20000;
  stats = call_run (&call, 90);
  g_assert_cmpint (stats->encoder_target, ==, 1);
  g_assert_cmpuint (stats->fec_percentage, ==, 0);
  call_clear (&call);
}

static void
test_fec_follows_the_loss_of_reports (void)
{
  const GccSenderStats *stats;
  Call call;

  call_init (&call);
  gcc_sender_set_pixels (&call.sender, 352 * 288);
  call_run (&call, 30);
  reporting_tell_loss (&call.sender, 0, 100, 100, 1000);
  stats = gcc_sender_get_stats (&call.sender);
  g_assert_cmpuint (stats->fec_percentage, ==, 0);

  reporting_tell_loss (&call.sender, 26, 200, 100, 1000);
  g_assert_cmpuint (stats->fec_percentage, >, 10);
  g_assert_cmpuint (stats->fec_percentage, <, 50);
  reporting_tell_loss (&call.sender, 26, 300, 10, 1000);
  g_assert_cmpuint (stats->fec_percentage, ==, 0);
  reporting_tell_loss (&call.sender, 26, 400, 100, 1000);
  call_run (&call, 30 * 9);
  g_assert_cmpuint (stats->fec_percentage, >, 10);
  call_run (&call, 31);
  g_assert_cmpuint (stats->fec_percentage, ==, 0);
  call_clear (&call);
}

static void
test_fec_gets_what_retransmission_leaves (void)
{
  const GccSenderStats *stats;
  Call call;

  call_init (&call);
  call_run (&call, 30);
  reporting_tell_loss (&call.sender, 128, 1000, 100, 1000);
  stats = gcc_sender_get_stats (&call.sender);
  g_assert_cmpuint (stats->fec_percentage, ==, 50);
  call.rtx_per_frame = 50;
  call_run (&call, 60);
  g_assert_cmpuint (stats->fec_percentage, <, 10);
  call_clear (&call);
}

static void
test_retransmissions_are_counted (void)
{
  const GccSenderStats *stats;
  Call call;

  call_init (&call);
  stats = call_run (&call, 30);
  gcc_sender_begin_request (&call.sender, call.now);
  for (guint i = 0; i < 30; i++)
    gcc_sender_allow_retransmission (
        &call.sender, 1, (guint16) (call.seq - 1 - i), call.now);
  /* 12500 bytes: A_s · RTT */
  g_assert_cmpuint (stats->retransmissions, >=, 12);
  g_assert_cmpuint (stats->retransmissions, <, 25);
  g_assert_cmpuint (
      stats->retransmissions + stats->retransmissions_dropped, ==, 30);
  call_clear (&call);
}

/* A receiver that asks for a lot and reports every second for a while. */
static const GccSenderStats *
call_lose (Call *call, guint8 fraction_lost, gint64 rtt_ms, guint n_seconds)
{
  for (guint i = 0; i < n_seconds; i++) {
    call_run (call, 30);
    call->reported += 100;
    reporting_tell_loss (&call->sender, fraction_lost, call->reported, rtt_ms,
        call->now / GCC_MSECOND);
  }
  call_run (call, 29);
  return gcc_sender_get_stats (&call->sender);
}

static void
call_init_asking (Call *call, const gchar *profile)
{
  const GccProfile *any = gcc_profile_find (profile);
  GccProfile asking = *gcc_profile_find ("rtcweb-2013");

  asking.protection = any->protection;
  asking.arrival_watch = any->arrival_watch;
  asking.retransmission = any->retransmission;
  asking.fec.max_percentage = 0;
  call_init_with (call, asking);
  call->rtx_per_frame = 10;
}

static void
test_much_loss_is_repaired (void)
{
  static const gchar *profiles[] = { "recommended", "rtcweb-2013" };
  static const gint64 rtts_ms[] = { 60, 300 };

  for (guint i = 0; i < G_N_ELEMENTS (profiles); i++) {
    for (guint j = 0; j < G_N_ELEMENTS (rtts_ms); j++) {
      Call call;

      call_init_asking (&call, profiles[i]);
      call_lose (&call, 0, 50, 2);
      g_assert_cmpint (
          call_lose (&call, 77, rtts_ms[j], 5)->rtx_rate, >, A_S / 3);
      call_clear (&call);
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
      .bytes = 100,
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
  Call call;

  call_init (&call);
  call_set_fec (&call, 50);
  stats = call_run (&call, 90);
  gcc_sender_set_limits (&call.sender, A_S / 4, A_S);
  reporting_tell_rate (&call.sender, A_S / 4, call.now);
  g_assert_cmpint (stats->target, ==, A_S / 4);
  g_assert_cmpint (stats->encoder_target, ==, A_S / 8);
  call_clear (&call);
}

/* Who sets audio and FEC as well divides the sum by itself. */
static void
test_audio_and_fec_are_inside_what_is_left_for_media (void)
{
  const GccSenderStats *stats;
  Call call;

  call_init (&call);
  call_set_fec (&call, 50);
  stats = call_run (&call, 90);
  g_assert_cmpint (stats->fec_rate, >, A_S / 10);
  g_assert_cmpint (stats->encoder_target, <, A_S);
  g_assert_cmpint (gcc_sender_get_media_target (&call.sender), ==, A_S);

  for (guint16 i = 0; i < 50; i++)
    gcc_sender_feed_sent (&call.sender,
        &(GccSentPacket){
            .ssrc = 99, .seq = i, .kind = GCC_SENT_AUDIO, .bytes = 200 },
        call.now);
  gcc_sender_update (&call.sender, call.now);
  g_assert_cmpint (stats->audio_rate, >, A_S / 20);
  g_assert_cmpint (stats->encoder_target, <, A_S - stats->audio_rate);
  g_assert_cmpint (gcc_sender_get_media_target (&call.sender), ==, A_S);

  /* which fills what they leave */
  gcc_sender_feed_sent (&call.sender,
      &(GccSentPacket){
          .ssrc = 1, .size = 10000, .kind = GCC_SENT_RTX, .is_padding = TRUE },
      call.now);
  gcc_sender_update (&call.sender, call.now);
  g_assert_cmpint (stats->sent_padding_rate, >, A_S / 20);
  g_assert_cmpint (gcc_sender_get_media_target (&call.sender), ==, A_S);
  call_clear (&call);
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
  g_test_add_func (
      "/sender-split/what_is_sent_without_protection_leaves_v_alone",
      test_what_is_sent_without_protection_leaves_v_alone);
  g_test_add_func ("/sender-split/v_and_protection_are_not_more_than_a_s",
      test_v_and_protection_are_not_more_than_a_s);
  g_test_add_func ("/sender-split/v_comes_to_rest_under_fec",
      test_v_comes_to_rest_under_fec);
  g_test_add_func ("/sender-split/v_leaves_room_for_the_fec_of_all_of_it",
      test_v_leaves_room_for_the_fec_of_all_of_it);
  g_test_add_func (
      "/sender-split/all_together_is_near_a_s", test_all_together_is_near_a_s);
  g_test_add_func (
      "/sender-split/v_is_a_s_again_a_second_after_the_last_protection",
      test_v_is_a_s_again_a_second_after_the_last_protection);
  g_test_add_func ("/sender-split/what_is_reserved_comes_off",
      test_what_is_reserved_comes_off);
  g_test_add_func (
      "/sender-split/audio_comes_off_first", test_audio_comes_off_first);
  g_test_add_func ("/sender-split/fec_follows_the_loss_of_reports",
      test_fec_follows_the_loss_of_reports);
  g_test_add_func ("/sender-split/fec_gets_what_retransmission_leaves",
      test_fec_gets_what_retransmission_leaves);
  g_test_add_func ("/sender-split/retransmissions_are_counted",
      test_retransmissions_are_counted);
  g_test_add_func (
      "/sender-split/much_loss_is_repaired", test_much_loss_is_repaired);
  g_test_add_func (
      "/sender-split/only_video_is_sent_again", test_only_video_is_sent_again);
  g_test_add_func ("/sender-split/half_of_a_lower_a_s_is_left_at_once",
      test_half_of_a_lower_a_s_is_left_at_once);
  g_test_add_func (
      "/sender-split/audio_and_fec_are_inside_what_is_left_for_media",
      test_audio_and_fec_are_inside_what_is_left_for_media);
  g_test_add_func ("/sender-split/loss_control_goes_on_from_a_restart",
      test_loss_control_goes_on_from_a_restart);
  return g_test_run ();
}
