/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "exit/gstgccschedule.h"

#include <gst/gcc/compose/gcc-sender-private.h>
#include <gst/gcc/profiles/gcc-profile-private.h>

GST_DEBUG_CATEGORY_EXTERN (gst_gcc_sender_debug);
#define GST_CAT_DEFAULT gst_gcc_sender_debug

void
gst_gcc_schedule_init (GstGccSchedule *self, GstGccSentPackets *sent)
{
  self->sent = sent;
  gst_gcc_pacer_queue_init (&self->queue);
  gst_gcc_probes_init (&self->probes, sent->controller);
  gst_gcc_padding_init (&self->padding);
}

void
gst_gcc_schedule_clear (GstGccSchedule *self)
{
  gst_gcc_pacer_queue_clear (&self->queue);
  gst_gcc_padding_clear (&self->padding);
}

/* --- rates --- */

static void
set_rates (GstGccSchedule *self, GccRate target, GccRate pacing_rate)
{
  gboolean is_told = pacing_rate != GCC_RATE_NONE && self->may_pace &&
      (self->probes.is_on || self->factor == 0.);
  GccRate rate = is_told ? pacing_rate
                         : (GccRate) (self->factor * (gdouble) target);

  self->target = target;
  self->pacing_rate = pacing_rate;
  self->is_limited = rate > 0;
  if (self->is_limited)
    gcc_pacer_set_rate (&self->pace, rate);
}

static void
set_padding_rate (GstGccSchedule *self, GccRate rate)
{
  self->padding_rate = rate;
  gcc_pacer_set_padding_rate (&self->pace, rate);
}

void
gst_gcc_schedule_start (GstGccSchedule *self, const GccProfile *profile,
    gdouble factor, gboolean may_pace, GccRate target, GccTime max_wait)
{
  self->factor = factor;
  self->may_pace = may_pace;
  self->max_wait = max_wait;
  self->n_unpaced = 0;
  self->holds_media = profile->send_side != NULL &&
      profile->send_side->holds_media;
  gcc_pacer_init (&self->pace, &profile->pacer, max_wait);
  set_rates (self, target, GCC_RATE_NONE);
  set_padding_rate (self, 0);
  gst_gcc_probes_set_on (&self->probes, FALSE);
  gst_gcc_padding_start (&self->padding);
}

void
gst_gcc_schedule_begin_probing (GstGccSchedule *self)
{
  gst_gcc_probes_set_on (&self->probes, TRUE);
  set_rates (
      self, self->target, gst_gcc_probes_get_pacing_rate (&self->probes));
}

gboolean
gst_gcc_schedule_set_rates (GstGccSchedule *self, GccRate target,
    GccRate pacing_rate, GccRate padding_rate)
{
  if (target == self->target && pacing_rate == self->pacing_rate &&
      padding_rate == self->padding_rate)
    return FALSE;

  set_rates (self, target, pacing_rate);
  set_padding_rate (self, padding_rate);

  return TRUE;
}

/* --- what is next --- */

static const GstGccPacerItem *
peek (const GstGccSchedule *self)
{
  return gst_gcc_pacer_queue_peek (&self->queue);
}

/* Whether padding of @bytes can be sent now. */
static gboolean
can_pad (const GstGccSchedule *self, gsize bytes)
{
  return gst_gcc_padding_can_make (&self->padding, bytes) &&
      self->padding.pad->pusher == NULL;
}

/* Time that stands still must not fill the memory. */
gboolean
gst_gcc_schedule_is_overfull (const GstGccSchedule *self)
{
  return gcc_pacer_is_overfull (
      &self->pace, gcc_sender_get_max (self->sent->controller->sender));
}

/* While the congestion window is full, the next packet waits for feedback as
 * long as it may. Audio does not wait, unless video is before it. */
static GccTime
hold (GstGccSchedule *self, GccTime due, GccTime now)
{
  const GstGccPacerItem *next = peek (self);
  GccTime left = gcc_time_diff (
      self->max_wait, gcc_time_diff (now, next->arrival));

  self->is_held = GST_IS_BUFFER (next->object) &&
      next->packet.kind != GCC_SENT_AUDIO && left > 0 &&
      left <= self->max_wait && gst_gcc_probes_is_window_full (&self->probes);
  if (self->is_held)
    return now + left;

  return MIN (due, gcc_time_add (now, MAX (left, 0)));
}

/* When padding leaves in place of media. */
static GccTime
get_padding_due (GstGccSchedule *self, GccTime now)
{
  GccTime due = gcc_pacer_next_padding (&self->pace, now);

  return due != GCC_TIME_NONE &&
          can_pad (self, gcc_pacer_get_padding_size (&self->pace))
      ? due
      : GCC_TIME_NONE;
}

GccTime
gst_gcc_schedule_get_due (GstGccSchedule *self, GccTime now, gboolean *is_probe)
{
  const GstGccPacerItem *next = peek (self);
  GccTime probe, due;

  self->is_held = FALSE;
  *is_probe = FALSE;
  if (next != NULL &&
      (GST_IS_EVENT (next->object) || gst_gcc_schedule_is_overfull (self)))
    return now;

  probe = gst_gcc_probes_get_next (&self->probes, now);
  *is_probe = probe != GCC_TIME_NONE;
  if (!*is_probe && self->padding_rate == 0)
    gst_gcc_padding_stop (&self->padding);
  if (*is_probe &&
      (next != NULL || can_pad (self, gst_gcc_probes_get_left (&self->probes))))
    return probe;
  if (next == NULL)
    return *is_probe ? GCC_TIME_NONE : get_padding_due (self, now);

  due = self->is_limited ? gcc_pacer_next_send (&self->pace, now) : now;

  return self->holds_media ? hold (self, due, now) : due;
}

gboolean
gst_gcc_schedule_has_work (GstGccSchedule *self, GccTime now)
{
  gboolean is_probe;

  return gst_gcc_schedule_get_due (self, now, &is_probe) != GCC_TIME_NONE;
}

/* --- what comes --- */

/* @first: the kind of the stream's first packet */
static GstGccPacerClass
get_class (GccSentKind first)
{
  switch (first) {
    case GCC_SENT_RTX:
      return GST_GCC_PACER_RETRANSMISSION;
    case GCC_SENT_FEC:
      return GST_GCC_PACER_REPAIR;
    default:
      return GST_GCC_PACER_MEDIA;
  }
}

static void
note_held (GstGccSchedule *self)
{
  gcc_sender_set_held (
      self->sent->controller->sender, gcc_pacer_get_queued (&self->pace));
}

void
gst_gcc_schedule_add (GstGccSchedule *self, GstGccPacerItem *item, GccTime now)
{
  GstGccPacerClass pacer_class = get_class (
      gst_gcc_sent_packets_announce (self->sent, &item->packet, now));

  item->arrival = now;
  if (item->packet.kind == GCC_SENT_RTX)
    item->packet.is_padding = gst_gcc_padding_take_retransmission (
        &self->padding, item);
  gcc_pacer_queued (&self->pace, item->packet.payload_size, item->arrival);
  note_held (self);
  gst_gcc_probes_feed_queued (&self->probes, item->packet.size, item->arrival);
  gst_gcc_pacer_queue_push_packet (&self->queue, pacer_class, item);
}

/* --- what leaves --- */

/* @payload of @size bytes leaves, at the pacing rate or for a probe. */
static void
count_bytes (GstGccSchedule *self, gsize payload, gsize size, gboolean is_probe,
    GccTime now)
{
  if (is_probe) {
    gcc_pacer_probed (&self->pace, payload, now);
    gst_gcc_probes_feed_sent (&self->probes, size);
  } else {
    gcc_pacer_sent (&self->pace, payload, now);
  }
  note_held (self);
}

/* A packet of padding, or an event that requests one. */
static GstGccPacerItem
make_padding (GstGccSchedule *self, gboolean is_probe, GccTime now)
{
  GstGccPacerItem item = gst_gcc_padding_make (&self->padding,
      is_probe ? gst_gcc_probes_get_left (&self->probes)
               : gcc_pacer_get_padding_size (&self->pace));
  GstGccPacketMap map;
  gsize bytes;

  if (GST_IS_EVENT (item.object))
    return item;

  bytes = gst_buffer_get_size (GST_BUFFER (item.object));
  gst_gcc_sent_packets_map (GST_BUFFER (item.object), &map);
  gst_gcc_sent_packets_read (
      self->sent, item.pad, &map, &item.packet, &item.stamp);
  item.packet.is_padding = TRUE;
  item.arrival = now;
  gcc_pacer_queued (&self->pace, bytes, now);
  count_bytes (self, bytes, bytes, is_probe, now);

  return item;
}

/* Says it once. */
static void
note_unpaced (GstGccSchedule *self)
{
  if (self->n_unpaced++ > 0)
    return;

  GST_WARNING_OBJECT (self->sent->controller->element,
      "%" G_GINT64_FORMAT " bytes wait to be paced, more than at any pace: "
      "the clock stands still, or far more than max-bitrate comes. Packets "
      "leave at once until there are fewer.",
      gcc_pacer_get_queued (&self->pace));
}

GstGccPacerItem
gst_gcc_schedule_take (GstGccSchedule *self, gboolean is_probe, GccTime now)
{
  GstGccPacerItem item;

  if (peek (self) == NULL)
    return make_padding (self, is_probe, now);

  item = gst_gcc_pacer_queue_pop (&self->queue);
  if (!GST_IS_BUFFER (item.object))
    return item;

  if (gst_gcc_schedule_is_overfull (self))
    note_unpaced (self);
  count_bytes (self, item.packet.payload_size, item.packet.size, is_probe, now);

  return item;
}

GArray *
gst_gcc_schedule_remove (GstGccSchedule *self, GstGccSenderPad *pad)
{
  GArray *removed = gst_gcc_pacer_queue_remove (&self->queue, pad);

  for (guint i = 0; i < removed->len; i++) {
    const GstGccPacerItem *item = &g_array_index (removed, GstGccPacerItem, i);

    if (GST_IS_BUFFER (item->object))
      gcc_pacer_dropped (&self->pace, item->packet.payload_size);
  }
  note_held (self);

  return removed;
}
