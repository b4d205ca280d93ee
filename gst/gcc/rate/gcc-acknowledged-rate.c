/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/rate/gcc-acknowledged-rate.h>

/* A shorter window counts as this long. */
#define MIN_SPAN (1 * GCC_MSECOND)

/* --- the two longest pauses --- */

static void
add_gap (GccAcknowledgedGaps *gaps, GccTime gap)
{
  if (gap > gaps->longest)
    *gaps = (GccAcknowledgedGaps){ gap, gaps->longest, 1, gaps->n_longest };
  else if (gap == gaps->longest)
    gaps->n_longest++;
  else if (gap > gaps->second)
    *gaps = (GccAcknowledgedGaps){ gaps->longest, gap, gaps->n_longest, 1 };
  else if (gap == gaps->second)
    gaps->n_second++;
}

static void
remove_gap (GccAcknowledgedGaps *gaps, GccTime gap)
{
  if (gap == gaps->longest)
    gaps->n_longest--;
  else if (gap == gaps->second)
    gaps->n_second--;
}

/* A pause that became the longest by the removal of others was not counted. */
static gboolean
are_gaps_known (const GccAcknowledgedGaps *gaps)
{
  return gaps->n_longest > 1 || (gaps->n_longest == 1 && gaps->n_second > 0);
}

/* --- the window: a ring in the order of arrival --- */

static guint
get_slot (const GccAcknowledgedRate *self, guint i)
{
  return (self->first + i) % GCC_ACKNOWLEDGED_RATE_SIZE;
}

static const GccAcknowledgedPacket *
get_packet (const GccAcknowledgedRate *self, guint i)
{
  return &self->packets[get_slot (self, i)];
}

static GccTime
get_window (const GccAcknowledgedRate *self)
{
  return self->n_packets == 0
      ? 0
      : gcc_time_diff (get_packet (self, self->n_packets - 1)->arrival,
            get_packet (self, 0)->arrival);
}

/* The sums are those of the packets that follow another one. */
static void
count (GccAcknowledgedRate *self, guint i)
{
  const GccAcknowledgedPacket *packet = get_packet (self, i);
  const GccAcknowledgedPacket *before = get_packet (self, i - 1);
  GccTime gap = gcc_time_diff (packet->arrival, before->arrival);

  self->n_reordered += packet->sent < before->sent;
  if (packet->follows_unknown) {
    self->unknown_sent += gcc_time_diff (packet->sent, before->sent);
    self->unknown_arrival += gap;
    return;
  }
  self->bytes += packet->bytes;
  self->sent_bytes += before->bytes;
  add_gap (&self->gaps, gap);
}

static void
uncount (GccAcknowledgedRate *self, guint i)
{
  const GccAcknowledgedPacket *packet = get_packet (self, i);
  const GccAcknowledgedPacket *before = get_packet (self, i - 1);
  GccTime gap = gcc_time_diff (packet->arrival, before->arrival);

  self->n_reordered -= packet->sent < before->sent;
  if (packet->follows_unknown) {
    self->unknown_sent -= gcc_time_diff (packet->sent, before->sent);
    self->unknown_arrival -= gap;
    return;
  }
  self->bytes -= packet->bytes;
  self->sent_bytes -= before->bytes;
  remove_gap (&self->gaps, gap);
}

static void
recount (GccAcknowledgedRate *self)
{
  self->bytes = self->sent_bytes = 0;
  self->n_reordered = 0;
  self->gaps = (GccAcknowledgedGaps){ 0 };
  self->unknown_sent = self->unknown_arrival = 0;
  self->is_stale = FALSE;
  for (guint i = 1; i < self->n_packets; i++)
    count (self, i);
}

static void
drop_first (GccAcknowledgedRate *self)
{
  GccTime sent = get_packet (self, 0)->sent;

  if (self->n_packets > 1)
    uncount (self, 1);
  self->last_dropped_sent = MAX (self->last_dropped_sent, sent);
  self->first = get_slot (self, 1);
  self->n_packets--;
}

static void
clear (GccAcknowledgedRate *self)
{
  self->n_packets = 0;
  self->last_dropped_sent = G_MININT64;
  recount (self);
}

void
gcc_acknowledged_rate_init (
    GccAcknowledgedRate *self, const GccAcknowledgedRateParams *params)
{
  g_return_if_fail (params->max_packets < GCC_ACKNOWLEDGED_RATE_SIZE);

  self->params = params;
  self->first = 0;
  self->has_skipped = FALSE;
  clear (self);
}

/* The packet goes before those that arrived later: the time between them is
 * known now. */
static void
insert_before (GccAcknowledgedRate *self, GccAcknowledgedPacket packet)
{
  guint i = self->n_packets++;

  for (; i > 0 && packet.arrival < get_packet (self, i - 1)->arrival; i--)
    self->packets[get_slot (self, i)] = *get_packet (self, i - 1);
  self->packets[get_slot (self, i)] = packet;
  self->packets[get_slot (self, i + 1)].follows_unknown = FALSE;

  if (gcc_time_diff (get_packet (self, self->n_packets - 1)->arrival,
          packet.arrival) > self->params->max_reordering)
    clear (self);
  else
    self->is_stale = TRUE;
}

static void
append (GccAcknowledgedRate *self, GccAcknowledgedPacket packet)
{
  guint i = self->n_packets++;

  self->packets[get_slot (self, i)] = packet;
  if (i > 0)
    count (self, i);
}

static void
insert (GccAcknowledgedRate *self, GccAcknowledgedPacket packet)
{
  /* only within one feedback: otherwise more than enough packets have been
   * dropped */
  if (self->n_packets == GCC_ACKNOWLEDGED_RATE_SIZE)
    drop_first (self);

  if (self->n_packets > 0 &&
      packet.arrival < get_packet (self, self->n_packets - 1)->arrival)
    insert_before (self, packet);
  else
    append (self, packet);
}

static gboolean
is_window_too_long (const GccAcknowledgedRate *self)
{
  const GccAcknowledgedRateParams *params = self->params;
  GccTime window = get_window (self);

  return self->n_packets > params->max_packets || window > params->max_window ||
      (self->n_packets > params->window_packets && window > params->min_window);
}

void
gcc_acknowledged_rate_skip (GccAcknowledgedRate *self)
{
  self->has_skipped = TRUE;
}

void
gcc_acknowledged_rate_update (
    GccAcknowledgedRate *self, const GccPacketResult *results, guint n_results)
{
  for (guint i = 0; i < n_results; i++) {
    const GccSentRecord *sent = &results[i].sent;
    gdouble unnumbered = self->params->unnumbered_weight *
        (gdouble) sent->unnumbered_bytes;

    if (results[i].arrival == GCC_TIME_NONE)
      continue;
    insert (self,
        (GccAcknowledgedPacket){
            .sent = sent->time,
            .arrival = results[i].arrival,
            .bytes = sent->size + (gint64) unnumbered,
            .follows_unknown = self->has_skipped,
        });
    self->has_skipped = FALSE;
  }
  while (self->n_packets > 0 && is_window_too_long (self))
    drop_first (self);
  if (self->is_stale || !are_gaps_known (&self->gaps))
    recount (self);
}

/* --- the rates --- */

static GccRate
get_rate (gint64 bytes, GccTime span)
{
  return MAX (bytes, 0) * 8 * GCC_SECOND / MAX (span, MIN_SPAN);
}

/* A packet of S bytes each T is a rate of S / T: of n packets in a window n - 1
 * count. The longest pause, of sender or path, counts as the second longest. */
static GccRate
get_receive_rate (const GccAcknowledgedRate *self)
{
  const GccAcknowledgedGaps *gaps = &self->gaps;
  GccTime second = gaps->n_longest > 1 ? gaps->longest : gaps->second;
  GccTime known = get_window (self) - self->unknown_arrival;

  return get_rate (self->bytes, known - gaps->longest + second);
}

/* The rate of packets that arrived as they were sent. */
static GccRate
get_send_rate_in_order (const GccAcknowledgedRate *self)
{
  const GccAcknowledgedPacket *first = get_packet (self, 0);
  guint i = self->n_packets - 1;
  gint64 last_bytes = get_packet (self, i)->bytes;
  GccTime last = get_packet (self, i)->sent;

  /* the first of those that left together counts as the last packet */
  while (i > 0 && get_packet (self, i - 1)->sent == last)
    i--;
  return get_rate (self->sent_bytes + last_bytes - get_packet (self, i)->bytes,
      gcc_time_diff (last, first->sent) - self->unknown_sent);
}

/* Packets sent before one that has left the window were reordered: they would
 * stretch the time of sending. GCC_RATE_NONE if there are few others. */
static GccRate
get_send_rate_reordered (const GccAcknowledgedRate *self)
{
  GccTime first = G_MAXINT64, last = G_MININT64;
  gint64 bytes = 0, last_bytes = 0;
  guint n = 0;

  for (guint i = 0; i < self->n_packets; i++) {
    const GccAcknowledgedPacket *packet = get_packet (self, i);

    if (packet->sent < self->last_dropped_sent)
      continue;
    if (packet->sent > last) {
      last = packet->sent;
      last_bytes = packet->bytes;
    }
    first = MIN (first, packet->sent);
    bytes += packet->bytes;
    n++;
  }
  return n < self->params->required_packets
      ? GCC_RATE_NONE
      : get_rate (bytes - last_bytes,
            gcc_time_diff (last, first) - self->unknown_sent);
}

static GccRate
get_send_rate (const GccAcknowledgedRate *self)
{
  gboolean is_reordered = self->n_reordered > 0 ||
      get_packet (self, 0)->sent < self->last_dropped_sent;

  return is_reordered ? get_send_rate_reordered (self)
                      : get_send_rate_in_order (self);
}

GccRate
gcc_acknowledged_rate_get (const GccAcknowledgedRate *self)
{
  GccRate received, sent;

  if (self->n_packets < self->params->required_packets)
    return GCC_RATE_NONE;

  received = get_receive_rate (self);
  sent = get_send_rate (self);
  return sent == GCC_RATE_NONE ? received : MIN (sent, received);
}

gboolean
gcc_acknowledged_rate_is_settled (const GccAcknowledgedRate *self)
{
  const GccAcknowledgedRateParams *params = self->params;

  return self->n_packets >= params->required_packets &&
      (get_window (self) >= params->min_window ||
          self->n_packets >= params->max_packets);
}

GccArrivalRates
gcc_acknowledged_rate_get_rates (const GccAcknowledgedRate *self)
{
  const GccAcknowledgedPacket *first, *last;
  GccTime arrived, sent;

  if (self->n_packets < self->params->required_packets || self->n_packets < 2)
    return (GccArrivalRates){ GCC_RATE_NONE, GCC_RATE_NONE, 0 };

  first = get_packet (self, 0);
  last = get_packet (self, self->n_packets - 1);
  arrived = gcc_time_diff (last->arrival, first->arrival);
  sent = gcc_time_diff (last->sent, first->sent);

  return (GccArrivalRates){
    .sent = get_send_rate (self),
    .received = get_receive_rate (self),
    .mean_delta = gcc_time_diff (arrived, sent) * 1000 /
        (gint64) (self->n_packets - 1),
  };
}
