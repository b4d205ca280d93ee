/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

/* A call over transport-wide feedback, in steps of a quarter of a millisecond:
 * an encoder that sends v, a pacer with probes and padding, a link with a queue,
 * a receiver that tells what arrived, and a way back. */

#include <gst/gcc/compose/gcc-sender-private.h>
#include <gst/gcc/wire/gcc-transport-feedback.h>

#include "hooks.h"

/* A longer one takes less time. */
#ifndef CALL_STEP
#define CALL_STEP 250
#endif
/* A path with a long delay and a high rate has more on its way. */
#ifndef CALL_PACKETS
#define CALL_PACKETS 4096
#endif
#ifndef CALL_FEEDBACKS
#define CALL_FEEDBACKS 64
#endif
#define CALL_HEADERS 20
#define CALL_MAX_PAYLOAD 1180
#define CALL_MAX_WAIT (250 * GCC_MSECOND)

typedef struct {
  guint16 seq;
  gsize bytes;
  gboolean is_padding;
  /* of what the frames have in all */
  gint64 offset;
  GccTime time;
} CallPacket;

typedef struct {
  CallPacket packets[CALL_PACKETS];
  guint first;
  guint n;
} CallQueue;

typedef struct {
  GccTime time;
  guint length;
  guint8 fci[GCC_TRANSPORT_FEEDBACK_MAX_FCI];
} CallFeedback;

typedef struct {
  GccSender sender;
  GccTime now;
  GRand *rand;

  /* what may be set in mid-call */
  GccRate capacity;
  GccRate application;
  GccTime delay;
  GccTime max_queue;
  guint frame_rate;
  gdouble loss;
  gdouble feedback_loss;
  /* packets arrive at multiples of this; 0: each by itself */
  GccTime clump;
  /* a busy receiver sees a packet so much later at most */
  GccTime noise;
  /* an idle link saves up what it could have sent for so long, as a policer does */
  GccTime saved;
  GccTime feedback_interval;
  GccTime feedback_delay;
  gboolean may_pad;
  gboolean is_mute;
  /* no packet arrives; reports go on */
  gboolean is_cut;
  /* the receiver reports about once a second, too, ... */
  gboolean has_reports;
  /* ... and its feedback covers what is lost between two messages */
  gboolean covers_all;
  /* of the receiver, less the sender's */
  GccTime clock;
  /* in place of capacity, max_queue, loss and saved; NULL: none */
  const SimPath *path;
  const SimViewer *viewer;

  GccTime next_frame;
  gint64 made_bytes;
  CallQueue pacer;
  GccTime pacer_free;
  CallQueue link;
  GccTime *link_free;
  GccTime own_link_free;
  GccTime link_last;
  CallQueue arrived;
  GccTime next_feedback;
  guint8 count;
  guint n_feedbacks;
  CallFeedback feedbacks[CALL_FEEDBACKS];
  guint32 next_seq;
  GccTime next_report;
  guint32 highest;
  guint32 reported;
  guint n_received;
  GccTime report_time;
  GccReportBlock report;

  /* results */
  GccTime queueing;
  GccTime max_queueing;
  GccTime held;
  gint64 received_bytes;
  gint64 padding_bytes;
  guint n_lost;
  guint n_sent;
} Call;

static inline CallPacket *
call_queue_peek (CallQueue *queue)
{
  return &queue->packets[queue->first % CALL_PACKETS];
}

static inline void
call_queue_push (CallQueue *queue, CallPacket packet)
{
  g_assert_cmpuint (queue->n, <, CALL_PACKETS);
  queue->packets[(queue->first + queue->n++) % CALL_PACKETS] = packet;
}

static inline CallPacket
call_queue_pop (CallQueue *queue)
{
  CallPacket packet = *call_queue_peek (queue);

  queue->first++;
  queue->n--;
  return packet;
}

/* The call begins at @now. */
static inline void
call_init_at (
    Call *call, const gchar *profile, GccRate start, GccRate max, GccTime now)
{
  *call = (Call){
    .now = now,
    .rand = g_rand_new_with_seed (1),
    .capacity = 1000000,
    .application = G_MAXINT64,
    .delay = 25 * GCC_MSECOND,
    .max_queue = 300 * GCC_MSECOND,
    .frame_rate = 30,
    .feedback_interval = 50 * GCC_MSECOND,
    .feedback_delay = 25 * GCC_MSECOND,
    .may_pad = TRUE,
  };
  call->link_free = &call->own_link_free;
  call->next_frame = call->next_feedback = call->now;
  gcc_sender_init (
      &call->sender, gcc_profile_find (profile), 30000, start, max);
  g_assert_true (gcc_sender_use_transport_feedback (&call->sender, call->now));
}

static inline void
call_init (Call *call, const gchar *profile, GccRate start, GccRate max)
{
  call_init_at (call, profile, start, max, 100 * GCC_SECOND);
}

static inline void
call_clear (Call *call)
{
  gcc_sender_clear (&call->sender);
  g_rand_free (call->rand);
}

static inline void
call_make_frame (Call *call)
{
  GccRate v = MIN (
      gcc_sender_get_stats (&call->sender)->encoder_target, call->application);
  gint64 bytes = MAX (v / (8 * (gint64) call->frame_rate), 1);

  if (call->now < call->next_frame)
    return;
  call->next_frame += GCC_SECOND / call->frame_rate;
  if (call->viewer != NULL)
    call->viewer->made (call->viewer->data, bytes, call->now);
  for (; bytes > 0; bytes -= CALL_MAX_PAYLOAD) {
    gsize size = (gsize) MIN (bytes, CALL_MAX_PAYLOAD);

    call_queue_push (&call->pacer,
        (CallPacket){
            .bytes = size, .offset = call->made_bytes, .time = call->now });
    call->made_bytes += (gint64) size;
    gcc_sender_feed_queued (&call->sender, size + CALL_HEADERS, call->now);
  }
}

/* Returns when it is behind the link, %GCC_TIME_NONE if never. */
static inline GccTime
call_pass (Call *call, gsize bytes, GccTime queueing)
{
  if (call->path != NULL)
    return call->path->pass (
        call->path->data, call->link_free, bytes, call->now);
  if (call->is_cut || queueing > call->max_queue ||
      g_rand_double (call->rand) < call->loss)
    return GCC_TIME_NONE;
  *call->link_free = MAX (*call->link_free, call->now - call->saved) +
      (gint64) bytes * 8 * GCC_SECOND / call->capacity;
  return MAX (*call->link_free, call->now);
}

static inline void
call_lose (Call *call, const CallPacket *packet)
{
  call->n_lost++;
  if (call->viewer != NULL && !packet->is_padding)
    call->viewer->lost (call->viewer->data, packet->offset, packet->bytes,
        MAX (*call->link_free, call->now));
}

/* Into the link's queue, where it waits for those before it. */
static inline void
call_send (Call *call, CallPacket packet)
{
  gsize size = packet.bytes + CALL_HEADERS;
  GccTime queueing;
  GccTime passed;
  GccSentPacket sent = {
    .kind = GCC_SENT_VIDEO,
    .ssrc = 1,
    .seq = (guint16) call->n_sent,
    .payload_size = packet.is_padding ? 0 : packet.bytes,
    .size = size,
    .is_numbered = TRUE,
    .transport_seq = gcc_sender_take_transport_seq (&call->sender),
    .is_padding = packet.is_padding,
  };

  gcc_sender_feed_sent (&call->sender, &sent, call->now);
  call->n_sent++;
  call->padding_bytes += packet.is_padding ? (gint64) size : 0;
  if (!packet.is_padding)
    call->held = MAX (call->held, call->now - packet.time);
  queueing = MAX (*call->link_free - call->now, 0);
  passed = call_pass (call, size + 28, queueing);
  if (passed == GCC_TIME_NONE) {
    call_lose (call, &packet);
    return;
  }
  call->queueing = queueing;
  call->max_queueing = MAX (call->max_queueing, queueing);
  packet.seq = sent.transport_seq;
  packet.time = passed + call->delay;
  if (call->noise > 0)
    packet.time += g_rand_int_range (call->rand, 0, (gint32) call->noise);
  packet.time = MAX (packet.time, call->link_last);
  if (call->clump > 0)
    packet.time = (packet.time + call->clump - 1) / call->clump * call->clump;
  call->link_last = packet.time;
  call_queue_push (&call->link, packet);
}

static inline gsize
call_send_next (Call *call)
{
  CallPacket packet = { .bytes = 235, .is_padding = TRUE };

  if (call->pacer.n > 0)
    packet = call_queue_pop (&call->pacer);
  call_send (call, packet);
  return packet.bytes + CALL_HEADERS;
}

static inline void
call_send_probe (Call *call)
{
  GccTime due = gcc_sender_next_probe (&call->sender, call->now);
  gsize wanted = gcc_sender_get_probe_size (&call->sender);
  gsize sent = 0;

  if (due == GCC_TIME_NONE || due > call->now)
    return;
  while (gcc_sender_next_probe (&call->sender, call->now) != GCC_TIME_NONE &&
      (sent == 0 || sent < wanted) && (call->pacer.n > 0 || call->may_pad))
    sent += call_send_next (call);
}

/* The pacer's bound. */
static inline gboolean
is_held_enough (Call *call)
{
  return call->now - call_queue_peek (&call->pacer)->time >= CALL_MAX_WAIT;
}

static inline void
call_send_paced (Call *call)
{
  const GccSenderStats *stats = gcc_sender_get_stats (&call->sender);
  GccRate rate = stats->pacing_rate;

  if (gcc_sender_next_probe (&call->sender, call->now) != GCC_TIME_NONE) {
    call_send_probe (call);
    call->pacer_free = call->now;
    return;
  }
  call->pacer_free = MAX (call->pacer_free, call->now - CALL_STEP);
  while (call->pacer.n > 0 && call->pacer_free <= call->now &&
      (!gcc_sender_is_window_full (&call->sender) || is_held_enough (call))) {
    gsize size = call_send_next (call);

    if (rate != GCC_RATE_NONE)
      call->pacer_free += (gint64) size * 8 * GCC_SECOND / rate;
  }
}

static inline void
call_receive (Call *call)
{
  while (call->link.n > 0 && call_queue_peek (&call->link)->time <= call->now) {
    CallPacket packet = call_queue_pop (&call->link);

    call->received_bytes += (gint64) packet.bytes + CALL_HEADERS + 28;
    call->n_received++;
    call->highest = packet.seq;
    if (call->viewer != NULL && !packet.is_padding)
      call->viewer->arrived (
          call->viewer->data, packet.offset, packet.bytes, packet.time);
    call_queue_push (&call->arrived, packet);
  }
}

static inline void
call_write_feedback (Call *call)
{
  CallFeedback *feedback = &call->feedbacks[call->n_feedbacks];
  GccTransportFeedbackWriter writer;
  CallPacket *first = call_queue_peek (&call->arrived);

  gcc_transport_feedback_writer_init (&writer,
      call->covers_all ? (guint16) call->next_seq : first->seq,
      first->time + call->clock, call->count++);
  while (call->arrived.n > 0 &&
      gcc_transport_feedback_writer_add (&writer,
          call_queue_peek (&call->arrived)->seq,
          call_queue_peek (&call->arrived)->time + call->clock))
    call->next_seq = call_queue_pop (&call->arrived).seq + 1u;
  if (call->is_mute || g_rand_double (call->rand) < call->feedback_loss)
    return;
  feedback->length = (guint) gcc_transport_feedback_writer_finish (
      &writer, feedback->fci);
  feedback->time = call->now + call->feedback_delay;
  g_assert_cmpuint (call->n_feedbacks, <, CALL_FEEDBACKS - 1);
  call->n_feedbacks++;
}

static inline void
call_feed_back (Call *call)
{
  guint n = 0;

  if (call->now >= call->next_feedback) {
    call->next_feedback += call->feedback_interval;
    while (call->arrived.n > 0)
      call_write_feedback (call);
  }
  for (guint i = 0; i < call->n_feedbacks; i++) {
    CallFeedback *feedback = &call->feedbacks[i];

    if (feedback->time > call->now)
      call->feedbacks[n++] = *feedback;
    else
      g_assert_cmpint (gcc_sender_feed_transport_feedback (&call->sender,
                           feedback->fci, feedback->length, call->now),
          !=, GCC_SENDER_EVENT_MALFORMED);
  }
  call->n_feedbacks = n;
}

/* Receiver reports of a call of fewer than 65536 packets. */
static inline void
call_report (Call *call)
{
  guint32 expected = call->highest - call->reported;
  guint32 lost = expected - MIN (expected, call->n_received);

  if (call->report_time != 0 && call->report_time <= call->now) {
    gcc_sender_feed_reports (&call->sender, &call->report, 1, call->now);
    call->report_time = 0;
  }
  if (!call->has_reports || call->now < call->next_report)
    return;
  call->next_report = call->now +
      (gint64) (GCC_SECOND * (0.5 + g_rand_double (call->rand)) / 1.21828);
  if (call->highest == 0 || call->is_mute)
    return;
  call->report = (GccReportBlock){
    .reporter = 2,
    .ssrc = 1,
    .fraction_lost = (guint8) (MIN (lost * 256 / MAX (expected, 1), 255)),
    .ext_highest_seq = call->highest,
    .rtt = call->delay + call->feedback_delay,
  };
  call->report_time = call->now + call->feedback_delay;
  call->reported = call->highest;
  call->n_received = 0;
}

static inline void
call_step (Call *call)
{
  GccTime timeout = gcc_sender_next_timeout (&call->sender);

  call->now += CALL_STEP;
  if (timeout != GCC_TIME_NONE && timeout <= call->now)
    gcc_sender_handle_timeout (&call->sender, call->now);
  call_make_frame (call);
  call_send_paced (call);
  call_receive (call);
  call_report (call);
  call_feed_back (call);
}

static inline void
call_run (Call *call, GccTime duration)
{
  for (GccTime end = call->now + duration; call->now < end;)
    call_step (call);
}

/* How long until A_s is @rate, at most @limit. */
static inline GccTime
call_run_until_rate (Call *call, GccRate rate, GccTime limit)
{
  GccTime start = call->now;

  while (
      call->now - start < limit && gcc_sender_get_target (&call->sender) < rate)
    call_step (call);
  return call->now - start;
}
