/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* The controller of the sender: whatever is sent and whoever reports, A_s stays
 * within its limits. */

#include <gst/gcc/gcc-sender-private.h>
#include <math.h>

#include "fuzz.h"

#define START (1000 * GCC_SECOND)
#define MAX_BURST 31
#define MAX_BLOCKS 8
#define N_STREAMS 4
#define N_REPORTERS 4

typedef struct {
  GccSender sender;
  GccTime now;
  GccRate min;
  GccRate max;
  guint16 seqs[N_STREAMS];
  gboolean is_loss_known;
  gboolean is_rtt_known;
} Call;

static Call call;

void
fuzz_init (void)
{
}

static const GccProfile *
choose_profile (Fuzz *input)
{
  guint n = 0;

  while (gcc_profile_get_nth (n) != NULL)
    n++;
  return gcc_profile_get_nth (fuzz_up_to (input, n - 1));
}

static void
choose_limits (Call *self, Fuzz *input)
{
  GccRate a = fuzz_rate (input), b = fuzz_rate (input);

  self->min = MIN (a, b);
  self->max = MAX (a, b);
}

/* --- what must hold after each call --- */

static void
check_stats (Call *self, const GccSenderStats *stats)
{
  static const gchar *const unknown[] = { "fraction_lost", "rtt_ms", "m_ms",
    "gamma_ms", "path_rtt_ms", NULL };

  fuzz_check_stats (stats, gcc_sender_columns, gcc_sender_n_columns, unknown);
  /* what was known once stays so */
  g_assert_false (self->is_loss_known && isnan (stats->fraction_lost));
  g_assert_false (self->is_rtt_known && isnan (stats->rtt_ms));
  self->is_loss_known = !isnan (stats->fraction_lost);
  self->is_rtt_known = !isnan (stats->rtt_ms);

  g_assert_false (stats->fraction_lost < 0. || stats->fraction_lost > 1.);
  g_assert_false (stats->rtt_ms < 0.);
  g_assert_cmpint (stats->encoder_target, >=, 1);
  g_assert_cmpint (stats->encoder_target, <=, stats->target);
  g_assert_cmpuint (stats->fec_percentage, <=, 100);
  g_assert_cmpint (MIN (stats->video_rate, stats->audio_rate), >=, 0);
  g_assert_cmpint (MIN (stats->fec_rate, stats->rtx_rate), >=, 0);
  g_assert_cmpuint (stats->n_decreases_by_remb, <=, stats->rembs);
}

static void
check (Call *self)
{
  GccRate target = gcc_sender_get_target (&self->sender);

  g_assert_cmpint (target, >=, self->min);
  g_assert_cmpint (target, <=, self->max);
  g_assert_cmpint (target, ==, gcc_sender_get_stats (&self->sender)->target);
  check_stats (self, gcc_sender_get_stats (&self->sender));
}

/* Who waits for the next time-out must not have to do so without end. */
static void
handle_timeout (Call *self)
{
  GccTime next;

  gcc_sender_handle_timeout (&self->sender, self->now);
  next = gcc_sender_next_timeout (&self->sender);
  if (next != GCC_TIME_NONE)
    g_assert_cmpint (next, >, self->now);
  g_assert_false (gcc_sender_is_silence_due (&self->sender));
}

/* --- what happens --- */

static guint32
choose_stream (Fuzz *input)
{
  guint8 ssrc = fuzz_uint8 (input);

  return ssrc < 250 ? ssrc % N_STREAMS : fuzz_uint32 (input);
}

/* A frame's worth of packets, in even steps. */
static void
send_burst (Call *self, Fuzz *input)
{
  guint n = 1 + fuzz_up_to (input, MAX_BURST);
  GccTime step = fuzz_step (input);
  GccSentPacket packet = {
    .kind = (GccSentKind) fuzz_up_to (input, GCC_SENT_N_KINDS - 1),
    .ssrc = choose_stream (input),
    .bytes = fuzz_uint16 (input),
  };
  guint16 *seq = &self->seqs[packet.ssrc % N_STREAMS];

  if (fuzz_once_in (input, 8))
    *seq = fuzz_uint16 (input);
  for (; n > 0; n--) {
    packet.seq = (*seq)++;
    packet.ends_frame = n == 1;
    self->now = gcc_time_shift (self->now, step);
    packet.kind = gcc_sender_announce (&self->sender, &packet, self->now);
    gcc_sender_feed_sent (&self->sender, &packet, self->now);
  }
}

static GccReportBlock
make_block (Call *self, Fuzz *input)
{
  guint32 ssrc = choose_stream (input);
  gboolean has_rtt = fuzz_once_in (input, 2);

  return (GccReportBlock){
    .reporter = fuzz_up_to (input, N_REPORTERS - 1),
    .ssrc = ssrc,
    .fraction_lost = fuzz_uint8 (input),
    .ext_highest_seq = self->seqs[ssrc % N_STREAMS] - 1u - fuzz_uint8 (input),
    .rtt = has_rtt ? fuzz_duration (input) : GCC_TIME_NONE,
  };
}

static void
report (Call *self, Fuzz *input)
{
  GccReportBlock blocks[MAX_BLOCKS];
  guint n = fuzz_up_to (input, MAX_BLOCKS);

  for (guint i = 0; i < n; i++)
    blocks[i] = make_block (self, input);
  gcc_sender_feed_reports (&self->sender, blocks, n, self->now);
}

static void
remb (Call *self, Fuzz *input)
{
  GccRemb message = {
    .sender = fuzz_up_to (input, N_REPORTERS),
    .reporter = fuzz_up_to (input, N_REPORTERS),
    .rate = fuzz_once_in (input, 32) ? 0 : fuzz_rate (input),
    .n_ssrcs = fuzz_up_to (input, 3),
  };

  for (guint i = 0; i < message.n_ssrcs; i++)
    message.ssrcs[i] = choose_stream (input);
  gcc_sender_feed_remb (&self->sender, &message, self->now);
}

static void
request (Call *self, Fuzz *input)
{
  guint n = fuzz_up_to (input, 16);

  gcc_sender_begin_request (&self->sender, self->now);
  for (; n > 0; n--) {
    guint32 ssrc = choose_stream (input);

    gcc_sender_allow_retransmission (&self->sender, ssrc,
        (guint16) (self->seqs[ssrc % N_STREAMS] - fuzz_uint8 (input)),
        self->now);
  }
}

static void
go_on (Call *self, Fuzz *input)
{
  switch (fuzz_uint8 (input) % 16) {
    default:
      send_burst (self, input);
      break;
    case 5:
    case 6:
    case 7:
      report (self, input);
      break;
    case 8:
    case 9:
      remb (self, input);
      break;
    case 10:
      gcc_sender_feed_bye (
          &self->sender, fuzz_up_to (input, N_REPORTERS), self->now);
      break;
    case 11:
      self->now = gcc_time_shift (self->now, fuzz_step (input));
      handle_timeout (self);
      break;
    case 12:
      if (gcc_sender_next_timeout (&self->sender) != GCC_TIME_NONE)
        self->now = gcc_sender_next_timeout (&self->sender);
      handle_timeout (self);
      break;
    case 13:
      choose_limits (self, input);
      gcc_sender_set_limits (&self->sender, self->min, self->max);
      break;
    case 14:
      request (self, input);
      break;
    case 15:
      gcc_sender_set_pixels (&self->sender, fuzz_uint32 (input));
      gcc_sender_update (&self->sender, self->now);
      break;
  }
  check (self);
}

void
fuzz_one (Fuzz *input)
{
  const GccProfile *profile = choose_profile (input);

  call.now = START;
  call.is_loss_known = call.is_rtt_known = FALSE;
  for (guint i = 0; i < N_STREAMS; i++)
    call.seqs[i] = 0;
  choose_limits (&call, input);
  gcc_sender_init (
      &call.sender, profile, call.min, fuzz_rate (input), call.max);
  check (&call);
  while (fuzz_has_more (input))
    go_on (&call, input);
  gcc_sender_clear (&call.sender);
}
