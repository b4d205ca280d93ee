/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/output/gcc-media-budget.h>

#include <gst/gcc/profiles/gcc-profile-private.h>

/* bit/s */
#define A_S 1000000

#define PACKET 1000
#define RTT (100 * GCC_MSECOND)

static void
budget_init (GccMediaBudget *budget)
{
  const GccProfile *profile = gcc_profile_find ("goog-2020");
  GccMediaBudgetParams params = {
    .sent_rates = &profile->sent_rates,
    .protection = &profile->protection,
    .fec = &profile->fec,
    .retransmission = &profile->retransmission,
  };

  gcc_media_budget_init (budget, &params);
}

/* For two seconds; what was sent is measured at the end. */
static const GccMediaRates *
send (GccMediaBudget *budget, GccSentPacket packet, GccRate rate)
{
  GccTime gap = GCC_SECOND * 8 * PACKET / rate;
  GccTime now = 0;

  packet.payload_size = packet.size = PACKET;
  for (; now < 2 * GCC_SECOND; now += gap) {
    packet.seq++;
    gcc_media_budget_feed_sent (budget, &packet, now);
  }
  return gcc_media_budget_measure (budget, now);
}

static void
test_without_packets_encoders_have_all (void)
{
  GccMediaBudget budget;

  budget_init (&budget);
  g_assert_cmpint (gcc_media_budget_get_encoder_target (&budget, A_S), ==, A_S);
  g_assert_cmpint (gcc_media_budget_get_lasting_target (&budget, A_S), ==, A_S);
  g_assert_cmpint (gcc_media_budget_get_media_target (&budget, A_S), ==, A_S);
}

static void
test_audio_takes_its_rate_from_video_alone (void)
{
  GccMediaBudget budget;
  const GccMediaRates *rates;

  budget_init (&budget);
  rates = send (&budget, (GccSentPacket){ .kind = GCC_SENT_AUDIO }, 100000);
  g_assert_cmpint (ABS (rates->audio - 100000), <, 10000);
  g_assert_cmpint (rates->video, ==, 0);
  g_assert_cmpint (gcc_media_budget_get_encoder_target (&budget, A_S), ==,
      A_S - rates->audio);
  g_assert_cmpint (gcc_media_budget_get_media_target (&budget, A_S), ==, A_S);
}

static void
test_padding_is_no_retransmission_and_does_not_last (void)
{
  GccMediaBudget budget;
  const GccMediaRates *rates;

  budget_init (&budget);
  rates = send (&budget,
      (GccSentPacket){ .kind = GCC_SENT_RTX, .is_padding = TRUE }, 200000);
  g_assert_cmpint (ABS (rates->padding - 200000), <, 20000);
  g_assert_cmpint (rates->rtx, ==, 0);
  g_assert_cmpint (gcc_media_budget_get_encoder_target (&budget, A_S), <, A_S);
  g_assert_cmpint (gcc_media_budget_get_lasting_target (&budget, A_S), ==, A_S);
}

static void
test_what_is_reserved_is_nobodys (void)
{
  GccMediaBudget budget;

  budget_init (&budget);
  gcc_media_budget_set_reserved (&budget, 300000);
  g_assert_cmpint (
      gcc_media_budget_get_encoder_target (&budget, A_S), ==, 700000);
  g_assert_cmpint (
      gcc_media_budget_get_media_target (&budget, A_S), ==, 700000);
  g_assert_cmpint (
      gcc_media_budget_get_encoder_target (&budget, 200000), ==, 1);
}

static void
test_fec_has_its_share_at_most (void)
{
  GccMediaBudget budget;
  guint64 wanted;

  budget_init (&budget);
  send (&budget, (GccSentPacket){ .kind = GCC_SENT_VIDEO, .ends_frame = TRUE },
      A_S);
  g_assert_cmpuint (
      gcc_media_budget_get_fec_percentage (&budget, A_S, RTT, 2 * GCC_SECOND),
      ==, 0);
  gcc_media_budget_feed_loss (&budget, 0.3, 2 * GCC_SECOND);
  wanted = gcc_media_budget_get_fec_percentage (
      &budget, A_S, RTT, 2 * GCC_SECOND);
  g_assert_cmpuint (wanted, >, 0);
  g_assert_cmpuint (gcc_media_budget_get_fec_percentage (
                        &budget, A_S / 10, RTT, 2 * GCC_SECOND),
      <, wanted);
}

static gboolean
is_repeated (GccMediaBudget *budget, guint16 seq)
{
  gcc_media_budget_begin_request (budget, A_S, A_S, RTT, 2 * GCC_SECOND);
  return gcc_media_budget_allow_retransmission (
      budget, 1, seq, RTT, 2 * GCC_SECOND);
}

static void
test_video_is_sent_again_and_nothing_else (void)
{
  GccMediaBudget budget;

  budget_init (&budget);
  send (&budget, (GccSentPacket){ .kind = GCC_SENT_AUDIO, .ssrc = 1 }, 100000);
  g_assert_false (is_repeated (&budget, 20));
  send (&budget, (GccSentPacket){ .kind = GCC_SENT_VIDEO, .ssrc = 1 }, 100000);
  g_assert_true (is_repeated (&budget, 20));
}

#define ADD(test) g_test_add_func ("/media-budget/" #test, test_##test)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD (without_packets_encoders_have_all);
  ADD (audio_takes_its_rate_from_video_alone);
  ADD (padding_is_no_retransmission_and_does_not_last);
  ADD (what_is_reserved_is_nobodys);
  ADD (fec_has_its_share_at_most);
  ADD (video_is_sent_again_and_nothing_else);
  return g_test_run ();
}
