/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/gcc-acknowledged-rate.h>

/* A window shorter than this counts as this. */
#define MIN_SPAN (1 * GCC_MSECOND)

void
gcc_acknowledged_rate_init (
    GccAcknowledgedRate *self, const GccAcknowledgedRateParams *params)
{
  g_return_if_fail (params->max_packets < GCC_ACKNOWLEDGED_RATE_SIZE);

  self->params = params;
  self->last_dropped_sent = G_MININT64;
  self->first = 0;
  self->n_packets = 0;
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

static void
drop_first (GccAcknowledgedRate *self)
{
  GccTime sent = get_packet (self, 0)->sent;

  self->last_dropped_sent = MAX (self->last_dropped_sent, sent);
  self->first = get_slot (self, 1);
  self->n_packets--;
}

static void
clear (GccAcknowledgedRate *self)
{
  self->n_packets = 0;
  self->last_dropped_sent = G_MININT64;
}

static void
insert (GccAcknowledgedRate *self, GccAcknowledgedPacket packet)
{
  guint i;

  /* only within one feedback: else more than enough have been dropped */
  if (self->n_packets == GCC_ACKNOWLEDGED_RATE_SIZE)
    drop_first (self);

  for (i = self->n_packets; i > 0; i--) {
    const GccAcknowledgedPacket *before = get_packet (self, i - 1);

    if (packet.arrival >= before->arrival)
      break;
    self->packets[get_slot (self, i)] = *before;
  }
  self->packets[get_slot (self, i)] = packet;
  self->n_packets++;

  if (gcc_time_diff (get_packet (self, self->n_packets - 1)->arrival,
          packet.arrival) > self->params->max_reordering)
    clear (self);
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
        });
  }
  while (self->n_packets > 0 && is_window_too_long (self))
    drop_first (self);
}

/* --- the rates --- */

static GccRate
get_rate (gint64 bytes, GccTime span)
{
  return bytes * 8 * GCC_SECOND / MAX (span, MIN_SPAN);
}

/* A packet of S bytes each T make S / T: of n packets in a window n - 1 count.
 * The longest pause, of sender or path, counts as the second longest. */
static GccRate
get_receive_rate (const GccAcknowledgedRate *self)
{
  GccTime longest = 0, second = 0;
  gint64 bytes = 0;

  for (guint i = 1; i < self->n_packets; i++) {
    GccTime gap = gcc_time_diff (
        get_packet (self, i)->arrival, get_packet (self, i - 1)->arrival);

    bytes += get_packet (self, i)->bytes;
    second = MAX (second, MIN (gap, longest));
    longest = MAX (longest, gap);
  }
  return get_rate (bytes, get_window (self) - longest + second);
}

/* Packets sent before one that has left the window were reordered: they would
 * stretch the time of sending. GCC_RATE_NONE if there are few others. */
static GccRate
get_send_rate (const GccAcknowledgedRate *self)
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
      : get_rate (bytes - last_bytes, gcc_time_diff (last, first));
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
