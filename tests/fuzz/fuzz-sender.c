/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* The controller of the sender: whatever is sent and whoever reports, A_s stays
 * within its limits; and over transport-wide feedback it rises again once what
 * is told is true. */

#include <gst/gcc/compose/gcc-sender-private.h>
#include <math.h>

#include "fuzz.h"

#define START (1000 * GCC_SECOND)
#define MAX_BURST 31
#define MAX_BLOCKS 8
#define N_STREAMS 4
#define N_REPORTERS 4
#define HEADERS 20
#define MAX_PROBE_PACKETS 512
#define MAX_CLUSTER (8 * 65535)
#define MAX_PACKET 65000

/* More than any link, bit/s; the elements' limits have 32 bits. */
#define MAX_RATE (G_GINT64_CONSTANT (1) << 40)

/* Packets whose arrival is remembered. */
#define PATH 256

/* A good call, at the end: what it has, and what A_s has to reach. Without probes
 * that takes 20 s until the next test for TCP, and 23 s at 8 % a second. */
#define GOOD_CALL (50 * GCC_SECOND)
#define GOOD_STEP (20 * GCC_MSECOND)
#define GOOD_STEPS 50
#define GOOD_DELAY (20 * GCC_MSECOND)
#define GOOD_FEEDBACK 3
#define GOOD_SSRC 1000
#define GOOD_MIN 50000
#define GOOD_MAX 2000000
#define GOOD_RATE 300000

typedef struct {
  GccSender sender;
  GccTime now;
  GccRate min;
  GccRate max;
  GccRate lowest; /* that the minimum has been */
  guint16 seqs[N_STREAMS];
  gboolean is_loss_known;
  gboolean is_rtt_known;

  /* over transport-wide feedback */
  gboolean is_steady; /* the clock does not go back */
  gboolean ends_well;
  gboolean is_numbered;
  guint16 next_seq;
  GccTime arrivals[PATH];
  GccSentPacket packets[PATH];
  guint8 count;
  /* by reports of RFC 8888; not in a good call, whose padding has one RTP
   * sequence number */
  gboolean by_rtp;
  gboolean has_ecn;
} Call;

static Call call;

void
fuzz_init (void)
{
}

static GccRate
read_rate (Fuzz *input)
{
  GccRate rate = fuzz_rate (input);

  return MIN (rate, MAX_RATE);
}

/* A clock as the elements' own does not go back. */
static void
let_pass (Call *self, GccTime step)
{
  self->now = gcc_time_shift (self->now, self->is_steady ? ABS (step) : step);
}

static void
note_limits (Call *self, GccRate min, GccRate max)
{
  self->min = min;
  self->max = max;
  self->lowest = MIN (self->lowest, min);
}

static void
choose_limits (Call *self, Fuzz *input)
{
  GccRate a = read_rate (input), b = read_rate (input);

  note_limits (self, MIN (a, b), MAX (a, b));
}

/* --- what must hold after each call --- */

static void
check_stats (Call *self, const GccSenderStats *stats)
{
  static const gchar *const unknown[] = { "fraction_lost", "rtt_ms", "m_ms",
    "gamma_ms", "path_rtt_ms", "path_queue_ms", "path_noise_ms", "l4s_alpha",
    NULL };

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
check_path (const GccSenderStats *stats)
{
  g_assert_false (stats->path_rtt_ms < 0.);
  g_assert_false (stats->path_queue_ms < 0.);
  g_assert_false (stats->path_noise_ms < 0.);
  g_assert_true (
      stats->path_capacity == GCC_RATE_NONE || stats->path_capacity >= 0);
  g_assert_cmpint (stats->padding_rate, >=, 0);
  g_assert_cmpint (stats->padding_rate, <=, stats->target);
  g_assert_true (stats->pacing_rate == GCC_RATE_NONE || stats->pacing_rate > 0);
  g_assert_true (stats->delay_based == GCC_RATE_NONE || stats->delay_based > 0);
  g_assert_true (stats->loss_based == GCC_RATE_NONE || stats->loss_based > 0);
  g_assert_cmpuint (stats->probes_abandoned, <=, stats->probes);
}

static void
check (Call *self)
{
  GccRate target = gcc_sender_get_target (&self->sender);

  g_assert_cmpint (target, >=, self->min);
  g_assert_cmpint (target, <=, self->max);
  g_assert_cmpint (target, ==, gcc_sender_get_stats (&self->sender)->target);
  check_stats (self, gcc_sender_get_stats (&self->sender));
  if (self->is_numbered)
    check_path (gcc_sender_get_stats (&self->sender));
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

static void
send_packet (Call *self, GccSentPacket packet, GccTime delay)
{
  packet.size = packet.payload_size + HEADERS;
  packet.is_numbered &= self->is_numbered;
  if (packet.is_numbered) {
    packet.transport_seq = gcc_sender_take_transport_seq (&self->sender);
    self->arrivals[packet.transport_seq % PATH] = gcc_time_shift (
        self->now, delay);
    self->packets[packet.transport_seq % PATH] = packet;
    self->next_seq = (guint16) (packet.transport_seq + 1);
  }
  packet.kind = gcc_sender_announce (&self->sender, &packet, self->now);
  gcc_sender_feed_sent (&self->sender, &packet, self->now);
}

/* A frame's worth of packets, in even steps, over a path whose queue changes
 * as evenly. */
static void
send_burst (Call *self, Fuzz *input)
{
  guint n = 1 + fuzz_up_to (input, MAX_BURST);
  GccTime step = fuzz_step (input);
  GccTime queue = self->is_numbered ? fuzz_step (input) : 0;
  GccTime delay = GOOD_DELAY;
  GccSentPacket packet = {
    .kind = (GccSentKind) fuzz_up_to (input, GCC_SENT_N_KINDS - 1),
    .ssrc = choose_stream (input),
    .payload_size = fuzz_uint16 (input),
    .is_numbered = !fuzz_once_in (input, 8),
    .is_padding = fuzz_once_in (input, 8),
  };
  guint16 *seq = &self->seqs[packet.ssrc % N_STREAMS];

  if (fuzz_once_in (input, 8))
    *seq = fuzz_uint16 (input);
  gcc_sender_set_held (&self->sender, (gint64) packet.payload_size * n);
  for (; n > 0; n--) {
    packet.seq = (*seq)++;
    packet.ends_frame = n == 1;
    let_pass (self, step);
    delay = gcc_time_shift (delay, queue);
    send_packet (self, packet, delay);
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

/* --- transport-wide feedback --- */

static void
use_transport_feedback (Call *self)
{
  self->is_numbered = self->by_rtp
      ? gcc_sender_use_ccfb (&self->sender, self->now)
      : gcc_sender_use_transport_feedback (&self->sender, self->now);
}

static void
feed_fci (Call *self, const guint8 *fci, gsize length)
{
  GccSenderEvent event = gcc_sender_feed_transport_feedback (
      &self->sender, fci, length, self->now);

  g_assert_nonnull (gcc_sender_event_to_string (event));
}

static void
feed_report (Call *self, const guint8 *body, gsize length)
{
  GccSenderEvent event = gcc_sender_feed_ccfb (
      &self->sender, body, length, self->now);

  g_assert_nonnull (gcc_sender_event_to_string (event));
}

/* The receiver has a clock of its own, which is never below 0. */
static GccTime
get_arrival (const Call *self, guint16 seq)
{
  return MAX (self->arrivals[seq % PATH], 0);
}

/* With ECN the same byte of the input chooses the losses and the marks. */
static GccEcn
get_ecn (const Call *self, guint8 lost, guint i)
{
  if (!self->has_ecn)
    return GCC_ECN_NOT_ECT;
  return lost >> (i + 3) % 8 & 1 ? GCC_ECN_CE : GCC_ECN_ECT_1;
}

/* As tell(), by stream and RTP sequence number: a block for each packet. The
 * report has the time of the last one. */
static void
tell_by_rtp (Call *self, guint16 seq, guint n, Fuzz *losses)
{
  gint64 present = gcc_ccfb_ticks (get_arrival (self, (guint16) (seq + n - 1)));
  guint8 body[GCC_CCFB_MAX_BODY], lost = 0;
  GccCcfbWriter writer;

  gcc_ccfb_writer_init (&writer, body, sizeof body);
  for (guint i = 0; i < n && gcc_ccfb_writer_get_room (&writer) > 0;
       i++, seq++) {
    const GccSentPacket *packet = &self->packets[seq % PATH];
    gint64 arrival = gcc_ccfb_ticks (get_arrival (self, seq));

    if (i % 8 == 0)
      lost = fuzz_uint8 (losses);
    gcc_ccfb_writer_begin (&writer, packet->ssrc, packet->seq, 1);
    if (lost >> i % 8 & 1)
      gcc_ccfb_writer_add_missing (&writer);
    else
      gcc_ccfb_writer_add (&writer, get_ecn (self, lost, i), present - arrival);
  }
  feed_report (self, body,
      gcc_ccfb_writer_finish (&writer, gcc_ccfb_timestamp (present)));
}

/* About @n packets from @seq on; which of them are lost is in a byte for eight
 * of them. */
static void
tell (Call *self, guint16 seq, guint n, Fuzz *losses)
{
  guint8 fci[GCC_TRANSPORT_FEEDBACK_MAX_FCI];
  GccTransportFeedbackWriter writer;
  gboolean is_any = FALSE;
  guint8 lost = 0;

  if (self->by_rtp) {
    tell_by_rtp (self, seq, n, losses);
    return;
  }
  gcc_transport_feedback_writer_init (
      &writer, seq, get_arrival (self, seq), self->count++);
  for (guint i = 0; i < n; i++, seq++) {
    if (i % 8 == 0)
      lost = fuzz_uint8 (losses);
    if (!(lost >> i % 8 & 1))
      is_any |= gcc_transport_feedback_writer_add (
          &writer, seq, get_arrival (self, seq));
  }
  if (is_any)
    feed_fci (self, fci, gcc_transport_feedback_writer_finish (&writer, fci));
}

static void
tell_of_path (Call *self, Fuzz *input)
{
  guint n = 1 + fuzz_up_to (input, 127);
  guint late = fuzz_once_in (input, 4) ? fuzz_uint8 (input) : 0;

  let_pass (self, fuzz_step (input));
  tell (self, (guint16) (self->next_seq - n - late), n, input);
}

/* As a peer that lies may. */
static void
tell_anything (Call *self, Fuzz *input)
{
  gsize length;
  const guint8 *fci = fuzz_bytes (
      input, 8 + 2 * (gsize) fuzz_uint8 (input), &length);

  if (self->by_rtp)
    feed_report (self, fci, length);
  else
    feed_fci (self, fci, length);
}

/* Until the next packet of a probe: what is left of the largest cluster, at the
 * lowest rate. */
static GccTime
get_longest_wait (const Call *self)
{
  return gcc_rate_from_double (
      MAX_CLUSTER * 8. / ((gdouble) self->lowest / 2.) * (gdouble) GCC_SECOND);
}

static GccTime
next_probe (Call *self)
{
  GccTime next = gcc_sender_next_probe (&self->sender, self->now);

  if (next != GCC_TIME_NONE) {
    g_assert_cmpint (next, >=, self->now);
    g_assert_cmpint (
        gcc_time_diff (next, self->now), <=, get_longest_wait (self));
  }
  return next;
}

/* Packets leave as the probes want them, until there are none left, or @end. */
static void
send_probes (Call *self, GccSentPacket packet, GccTime end)
{
  gsize least = packet.payload_size;
  GccTime next;

  gcc_sender_feed_queued (
      &self->sender, packet.payload_size + HEADERS, self->now);
  for (guint n = 0; (next = next_probe (self)) != GCC_TIME_NONE; n++) {
    gsize wanted = gcc_sender_get_probe_size (&self->sender);

    if (wanted > MAX_PACKET || gcc_time_diff (end, next) < 0)
      break;
    g_assert_cmpuint (n, <, MAX_PROBE_PACKETS);
    self->now = next;
    packet.seq = self->seqs[0]++;
    packet.payload_size = MAX (wanted, least);
    send_packet (self, packet, GOOD_DELAY);
  }
}

static void
send_any_probes (Call *self, Fuzz *input)
{
  GccSentPacket packet = { .is_numbered = TRUE,
    .payload_size = 1 + fuzz_uint16 (input) / 16,
    .is_padding = fuzz_once_in (input, 2) };

  if (self->is_numbered)
    send_probes (self, packet, G_MAXINT64);
}

static void
follow_path (Call *self, Fuzz *input)
{
  switch (fuzz_uint8 (input) % 8) {
    default:
      tell_of_path (self, input);
      break;
    case 4:
    case 5:
      send_any_probes (self, input);
      break;
    case 6:
      tell_anything (self, input);
      break;
    case 7:
      gcc_sender_set_probing (
          &self->sender, fuzz_once_in (input, 2), self->now);
      break;
  }
}

/* --- a good call --- */

static void
send_good (Call *self)
{
  GccRate v = gcc_sender_get_stats (&self->sender)->encoder_target;
  gint64 bytes = MAX (v / (8 * GCC_SECOND / GOOD_STEP), 100);

  for (; bytes > 0; bytes -= 1000) {
    GccSentPacket packet = { .ssrc = GOOD_SSRC,
      .seq = self->seqs[0]++,
      .payload_size = (gsize) MIN (bytes, 1000),
      .is_numbered = TRUE };

    send_packet (self, packet, GOOD_DELAY);
  }
}

static gboolean
has_recovered (const Call *self)
{
  return gcc_sender_get_target (&self->sender) >= GOOD_RATE;
}

/* Over a path that has room for all. */
static void
check_recovery (Call *self)
{
  GccTime end = gcc_time_shift (self->now, GOOD_CALL);
  GccSentPacket padding = { .ssrc = GOOD_SSRC,
    .payload_size = 200,
    .is_numbered = TRUE,
    .is_padding = TRUE };
  Fuzz no_loss = { 0 };
  guint16 told = self->next_seq;

  note_limits (self, GOOD_MIN, GOOD_MAX);
  gcc_sender_set_limits (&self->sender, self->min, self->max);
  for (guint i = 0; i <= N_REPORTERS; i++)
    gcc_sender_feed_bye (&self->sender, i, self->now);
  for (guint i = 1; i < GOOD_STEPS || !has_recovered (self); i++) {
    GccTime next = gcc_time_shift (self->now, GOOD_STEP);

    g_assert_cmpint (gcc_time_diff (end, self->now), >, 0);
    send_good (self);
    send_probes (self, padding, next);
    self->now = next;
    gcc_sender_handle_timeout (&self->sender, self->now);
    if (i % GOOD_FEEDBACK == 0) {
      tell (self, told, (guint16) (self->next_seq - told), &no_loss);
      told = self->next_seq;
    }
    check (self);
  }
}

/* --- and all of it --- */

static void
go_on (Call *self, Fuzz *input)
{
  guint what = fuzz_uint8 (input) % (self->is_numbered ? 32 : 17);

  switch (MIN (what, 16)) {
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
      let_pass (self, fuzz_step (input));
      handle_timeout (self);
      break;
    case 12:
      if (gcc_sender_next_timeout (&self->sender) > self->now)
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
    case 16:
      if (self->is_numbered)
        follow_path (self, input);
      else
        use_transport_feedback (self);
      break;
  }
  check (self);
}

static void
init (Call *self, Fuzz *input)
{
  const GccProfile *profile = fuzz_profile (input);
  guint8 path = fuzz_uint8 (input);

  *self = (Call){ .now = START,
    .lowest = MAX_RATE,
    .is_steady = path >> 1 & 1,
    .ends_well = path >> 1 & path >> 2 & 1,
    .by_rtp = path >> 3 & ~(path >> 1 & path >> 2) & 1,
    .has_ecn = path >> 4 & 1 };
  choose_limits (self, input);
  gcc_sender_init (
      &self->sender, profile, self->min, read_rate (input), self->max);
  gcc_sender_set_ecn (&self->sender, self->has_ecn);
  if (path & 1)
    use_transport_feedback (self);
  check (self);
}

void
fuzz_one (Fuzz *input)
{
  init (&call, input);
  while (fuzz_has_more (input))
    go_on (&call, input);
  if (call.ends_well && call.is_numbered)
    check_recovery (&call);
  gcc_sender_clear (&call.sender);
}
