/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/history/gcc-sent-history.h>

#include <stdlib.h>
#include <string.h>

/* Feedback counts wrap: a count less than half their range ahead is newer. */
#define HALF_COUNT 0x80

/* Some receivers, rtpsession among them, count modulo 255. */
#define LAST_COUNT 0xff

#define SLOT(seq) ((seq) & (GCC_SENT_HISTORY_SIZE - 1))

void
gcc_sent_history_init (GccSentHistory *self, const GccSentHistoryParams *params)
{
  memset (self, 0, sizeof *self);
  self->params = params;
}

/* --- what was sent --- */

static gboolean
is_known (const GccSentHistory *self, gint64 seq)
{
  return self->states[SLOT (seq)] != GCC_SENT_EMPTY &&
      self->packets[SLOT (seq)].seq == seq;
}

static void
land (GccSentHistory *self, gint64 seq)
{
  if (is_known (self, seq))
    self->in_flight -= self->packets[SLOT (seq)].size;
}

static void
add_to_index (GccSentHistory *self, gint64 seq)
{
  const GccSentRecord *packet = &self->packets[SLOT (seq)];

  gcc_sent_index_add (
      &self->index, (guint) SLOT (seq), packet->ssrc, packet->rtp_seq);
}

static void
forget (GccSentHistory *self, gint64 seq)
{
  if (seq > self->acknowledged)
    land (self, seq);
  if (!is_known (self, seq))
    return;
  if (self->is_indexed)
    gcc_sent_index_remove (&self->index, (guint) SLOT (seq));
  self->states[SLOT (seq)] = GCC_SENT_EMPTY;
}

static void
forget_old (GccSentHistory *self, GccTime now)
{
  for (; self->oldest <= self->newest; self->oldest++) {
    gboolean is_known_still = is_known (self, self->oldest);
    GccTime age = gcc_time_diff (now, self->packets[SLOT (self->oldest)].time);

    if (is_known_still && age <= self->params->max_age)
      return;
    forget (self, self->oldest);
  }
}

static void
make_room (GccSentHistory *self, gint64 newest)
{
  gint64 oldest = newest - GCC_SENT_HISTORY_SIZE + 1;

  for (; self->oldest < MIN (oldest, self->newest + 1); self->oldest++)
    forget (self, self->oldest);
  self->oldest = MAX (self->oldest, oldest);
  self->newest = newest;
}

static void
start (GccSentHistory *self, gint64 seq)
{
  self->has_packets = TRUE;
  self->oldest = seq;
  self->newest = seq;
  self->newest_of_ours = seq - 1;
  self->acknowledged = seq - 1;
  self->judged = seq;
}

void
gcc_sent_history_add (
    GccSentHistory *self, guint16 seq, const GccSentRecord *packet)
{
  gint64 unwrapped = gcc_transport_feedback_unwrap (
      self->newest, seq, GCC_TRANSPORT_FEEDBACK_NUMBER_BITS);
  GccSentRecord *slot = &self->packets[SLOT (unwrapped)];

  if (!self->has_packets)
    start (self, unwrapped);
  if (unwrapped > self->newest)
    make_room (self, unwrapped);
  if (unwrapped < self->oldest)
    return;

  forget (self, unwrapped);
  *slot = *packet;
  slot->seq = unwrapped;
  slot->previous = MIN (self->newest_of_ours, unwrapped - 1);
  self->newest_of_ours = MAX (self->newest_of_ours, unwrapped);
  slot->unnumbered_bytes = self->unnumbered_bytes;
  self->unnumbered_bytes = 0;
  self->states[SLOT (unwrapped)] = GCC_SENT_IN_FLIGHT;
  if (self->is_indexed)
    add_to_index (self, unwrapped);
  if (unwrapped > self->acknowledged)
    self->in_flight += slot->size;
  forget_old (self, packet->time);
}

void
gcc_sent_history_skip (GccSentHistory *self, guint64 n)
{
  self->has_others |= n > 0;
  if (self->has_packets)
    make_room (self, self->newest + (gint64) n);
}

void
gcc_sent_history_add_unnumbered (GccSentHistory *self, gsize size)
{
  self->unnumbered_bytes += (guint32) MIN (
      size, G_MAXUINT32 - self->unnumbered_bytes);
}

/* --- what became of it --- */

/* Number of counts between the last one and @count that are missing. A receiver
 * that has never sent the count 255 may not have that count. */
static guint
get_skipped (const GccSentHistory *self, guint8 count)
{
  guint skipped = (guint8) (count - self->count - 1);
  gboolean has_wrapped = count < self->count;

  return has_wrapped && !self->has_last_count ? skipped - 1 : skipped;
}

static void
count_feedback (GccSentHistory *self, guint8 count)
{
  guint skipped = get_skipped (self, count);
  gboolean was_missed = count != LAST_COUNT || self->has_last_count;

  self->stats.n_feedbacks++;
  self->has_last_count |= count == LAST_COUNT;
  if (!self->has_feedback || skipped < HALF_COUNT) {
    self->stats.n_feedbacks_lost += self->has_feedback ? skipped : 0;
    self->count = count;
  } else if (was_missed && self->stats.n_feedbacks_lost > 0) {
    /* late, not lost */
    self->stats.n_feedbacks_lost--;
  }
}

/* The counts of two feedbacks follow each other, and the second begins with
 * @seq: some receivers begin each with a packet that has arrived. The packets
 * in between are lost, unless the count is forged. */
static void
pass_over (GccSentHistory *self, guint8 count, gint64 seq)
{
  gint64 first = MAX (self->acknowledged + 1, self->oldest);

  if (!self->has_feedback || get_skipped (self, count) != 0)
    return;
  for (gint64 i = first; i < seq; i++)
    if (is_known (self, i))
      self->states[SLOT (i)] = GCC_SENT_PASSED;
}

/* The first feedback sets the offset between the receiver's clock and ours:
 * only differences of arrivals count. Returns the origin of the arrivals in
 * this feedback. */
static GccTime
get_arrival_base (
    GccSentHistory *self, const GccTransportFeedback *feedback, GccTime now)
{
  GccTime tick = GCC_TRANSPORT_FEEDBACK_REFERENCE_TICK;

  self->reference_time = gcc_transport_feedback_unwrap (self->reference_time,
      feedback->reference_time, GCC_TRANSPORT_FEEDBACK_REFERENCE_BITS);
  if (!self->has_feedback)
    self->origin = gcc_time_diff (now, self->reference_time * tick);
  self->has_feedback = TRUE;
  return self->origin + self->reference_time * tick;
}

static void
acknowledge (GccSentHistory *self, gint64 seq)
{
  gint64 last = MIN (seq, self->newest);

  for (gint64 i = MAX (self->acknowledged + 1, self->oldest); i <= last; i++)
    land (self, i);
  self->acknowledged = MAX (self->acknowledged, last);
}

static GccSentState
get_state (const GccPacketStatus *status)
{
  if (!status->received)
    return GCC_SENT_LOST;
  return status->arrival == GCC_TIME_NONE ? GCC_SENT_ARRIVED
                                          : GCC_SENT_RECEIVED;
}

/* Whether the state is new. A later state replaces an earlier one. */
static gboolean
note_status (GccSentHistory *self, gint64 seq, const GccPacketStatus *status)
{
  guint8 *state = &self->states[SLOT (seq)];

  if (!is_known (self, seq)) {
    self->stats.n_unknown++;
    return FALSE;
  }
  if (get_state (status) <= *state) {
    if (status->received)
      self->stats.n_duplicates++;
    return FALSE;
  }
  *state = (guint8) get_state (status);
  return TRUE;
}

/* A receiver cannot have a packet that was never sent: such feedback is
 * forged. */
static gboolean
claims_unsent (const GccSentHistory *self, gint64 first,
    const GccTransportFeedback *feedback)
{
  GccTransportFeedback rest = *feedback;

  gcc_transport_feedback_skip (&rest, (guint) (self->newest + 1 - first));
  return gcc_transport_feedback_has_arrivals (&rest);
}

/* Twelve bytes can cover 65535 packets: only packets that may be remembered are
 * looked at. Returns how many packets come before them. */
static guint
skip_forgotten (
    const GccSentHistory *self, gint64 first, GccTransportFeedback *feedback)
{
  return first < self->oldest
      ? gcc_transport_feedback_skip (feedback, (guint) (self->oldest - first))
      : 0;
}

gboolean
gcc_sent_history_is_of_others (
    const GccSentHistory *self, const GccTransportFeedback *feedback)
{
  gint64 first = gcc_transport_feedback_unwrap (
      self->newest, feedback->base_seq, GCC_TRANSPORT_FEEDBACK_NUMBER_BITS);
  gint64 end = first + feedback->n_statuses;

  if (!self->has_others || !self->has_packets)
    return self->has_others;
  end = MIN (end, self->newest + 1);
  for (gint64 i = first; i < end; i++)
    if (!is_known (self, i))
      return TRUE;
  return FALSE;
}

/* @before: the state of packet @seq before this feedback */
static GccPacketResult
make_result (const GccSentHistory *self, gint64 seq, guint8 before,
    const GccPacketStatus *status, GccTime arrival)
{
  return (GccPacketResult){
    .sent = self->packets[SLOT (seq)],
    .is_received = status->received,
    .arrival = arrival,
    .was_lost = before == GCC_SENT_LOST,
    .had_arrived = before == GCC_SENT_ARRIVED,
  };
}

guint
gcc_sent_history_match (GccSentHistory *self, GccTransportFeedback *feedback,
    GccTime now, GccPacketResult *results, guint max_results)
{
  gint64 seq = gcc_transport_feedback_unwrap (
      self->newest, feedback->base_seq, GCC_TRANSPORT_FEEDBACK_NUMBER_BITS);
  gint64 end = seq + feedback->n_statuses;
  GccPacketStatus status;
  guint n_skipped;
  GccTime base;
  guint n = 0;

  if (!self->has_packets)
    return 0;
  if (seq > self->newest || end <= self->oldest ||
      claims_unsent (self, seq, feedback)) {
    self->stats.n_unknown += feedback->n_statuses;
    return 0;
  }
  forget_old (self, now);
  pass_over (self, feedback->count, seq);
  count_feedback (self, feedback->count);
  base = get_arrival_base (self, feedback, now);
  acknowledge (self, end - 1);
  n_skipped = skip_forgotten (self, seq, feedback);
  self->stats.n_unknown += n_skipped;

  for (seq += n_skipped;
       seq <= self->newest && gcc_transport_feedback_next (feedback, &status);
       seq++) {
    guint8 before = self->states[SLOT (seq)];

    if (n == max_results || !note_status (self, seq, &status))
      continue;
    results[n++] = make_result (self, seq, before, &status,
        status.arrival == GCC_TIME_NONE ? GCC_TIME_NONE
                                        : base + status.arrival);
  }
  self->stats.n_unknown += (guint64) (end - seq);
  return n;
}

/* --- by stream --- */

/* As get_arrival_base(): the first report sets the origin. */
static void
note_timestamp (GccSentHistory *self, guint32 timestamp, GccTime now)
{
  self->reference_time = gcc_transport_feedback_unwrap (
      self->reference_time, timestamp, GCC_CCFB_TIMESTAMP_BITS);
  if (!self->has_feedback)
    self->origin = gcc_time_diff (
        now, gcc_ccfb_get_arrival (self->reference_time, 0));
  self->has_feedback = TRUE;
}

/* Before the first report nothing asks by stream. */
static void
index_packets (GccSentHistory *self)
{
  if (self->is_indexed)
    return;
  self->is_indexed = TRUE;
  for (gint64 seq = self->oldest; seq <= self->newest; seq++)
    if (is_known (self, seq))
      add_to_index (self, seq);
}

/* Returns whether the packet is known; if so, @seq is its number. */
static gboolean
find_packet (
    const GccSentHistory *self, const GccCcfbStatus *packet, gint64 *seq)
{
  gint place = gcc_sent_index_find (&self->index, packet->ssrc, packet->seq);

  if (place == GCC_SENT_INDEX_NONE)
    return FALSE;
  *seq = self->packets[place].seq;
  return TRUE;
}

static GccPacketStatus
get_status (const GccSentHistory *self, const GccCcfbStatus *packet)
{
  GccPacketStatus status = {
    .received = packet->is_received,
    .arrival = GCC_TIME_NONE,
  };

  if (packet->offset != GCC_CCFB_NO_OFFSET)
    status.arrival = gcc_time_shift (self->origin,
        gcc_ccfb_get_arrival (self->reference_time, packet->offset));
  return status;
}

static gint
compare_numbers (gconstpointer a, gconstpointer b)
{
  const GccPacketResult *first = a, *second = b;

  return (first->sent.seq > second->sent.seq) -
      (first->sent.seq < second->sent.seq);
}

guint
gcc_sent_history_match_ccfb (GccSentHistory *self, GccCcfb *report, GccTime now,
    GccPacketResult *results, guint max_results)
{
  gint64 seq, newest = G_MININT64, reference_time = self->reference_time;
  gboolean had_feedback = self->has_feedback;
  GccCcfbStatus packet;
  guint n = 0;

  if (!self->has_packets)
    return 0;
  forget_old (self, now);
  index_packets (self);
  note_timestamp (self, report->timestamp, now);
  self->stats.n_feedbacks++;

  while (gcc_ccfb_next (report, &packet)) {
    GccPacketStatus status = get_status (self, &packet);
    guint8 before;

    if (!find_packet (self, &packet, &seq)) {
      self->stats.n_unknown++;
      continue;
    }
    newest = MAX (newest, seq);
    before = self->states[SLOT (seq)];
    if (n == max_results || !note_status (self, seq, &status))
      continue;
    results[n] = make_result (self, seq, before, &status, status.arrival);
    results[n++].ecn = packet.ecn;
  }
  acknowledge (self, newest);
  /* A timestamp without news is not believed: it could move all later arrivals. */
  if (n == 0) {
    self->reference_time = reference_time;
    self->has_feedback = had_feedback;
  }
  qsort (results, n, sizeof *results, compare_numbers);
  return n;
}

/* --- what is lost --- */

gboolean
gcc_sent_history_is_lost (const GccSentHistory *self, gint64 seq)
{
  guint8 state = self->states[SLOT (seq)];

  return is_known (self, seq) &&
      (state == GCC_SENT_LOST || state == GCC_SENT_PASSED);
}

guint
gcc_sent_history_take_lost (GccSentHistory *self, gint64 last)
{
  guint n = 0;

  self->judged = MAX (self->judged, self->oldest);
  for (; self->judged <= MIN (last, self->newest); self->judged++)
    if (gcc_sent_history_is_lost (self, self->judged))
      n++;
  return n;
}

gint64
gcc_sent_history_skip_lost (GccSentHistory *self)
{
  self->judged = MAX (self->judged, self->newest + 1);
  return self->newest;
}
