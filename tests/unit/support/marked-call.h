/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

/* Calls over RFC 8888 with ECN, through FQ-CoDel with a threshold for CE below a
 * token bucket, as the testbed has them: a queue for each flow, served in turn
 * (RFC 8290), of which a packet has left as soon as the bucket sees it. An encoder
 * of RFC 8593 follows A_s each 200 ms. */

#include <gst/gcc/compose/gcc-sender-private.h>
#include <gst/gcc/output/gcc-pacer.h>
#include <gst/gcc/profiles/gcc-profile-private.h>
#include <gst/gcc/report/gcc-ccfb-reporter.h>

#include <math.h>

#define MARKED_STEP 50
#define MARKED_CALLS 2
#define MARKED_PACKETS 8192
#define MARKED_REPORTS 32
#define MARKED_HEADERS 20
#define MARKED_IP_UDP 28
#define MARKED_MAX_PAYLOAD 1180
#define MARKED_QUANTUM 1514
#define MARKED_BUCKET 1540
/* Behind a TCP flow there is always a packet. */
#define MARKED_TCP_BYTES 1500
/* Queueing delays are counted in steps of so many µs, and in so many steps. */
#define MARKED_UNIT 100
#define MARKED_UNITS 40000

typedef struct {
  guint16 seq;
  gsize bytes;
  gboolean is_padding;
  gboolean is_marker;
  GccEcn ecn;
  GccTime time;
} MarkedPacket;

typedef struct {
  MarkedPacket packets[MARKED_PACKETS];
  guint first;
  guint n;
} MarkedQueue;

typedef struct {
  GccTime time;
  gsize length;
  guint8 body[GCC_CCFB_MAX_BODY];
} MarkedReport;

/* One of FQ-CoDel's queues. */
typedef struct {
  MarkedQueue queue;
  gboolean is_tcp;
  gint64 deficit;
} MarkedLane;

typedef struct {
  GccSender sender;
  GccPacer pacer;
  GccCcfbReporter reporter;
  GRand *rand;
  MarkedLane *lane;
  GccTime start;
  gboolean is_on;

  /* the encoder */
  GccRate rate;
  GccTime changed;
  GccTime next_frame;
  gint64 burst_left;

  MarkedQueue paced;
  MarkedQueue way;
  guint16 next_seq;
  guint n_reports;
  MarkedReport reports[MARKED_REPORTS];

  /* results */
  gint64 received;
  guint n_received;
  guint n_marked;
  guint delays[MARKED_UNITS];
  guint n_delays;
} MarkedCall;

typedef struct {
  GccTime now;
  GccRate capacity;
  guint32 seed;
  GccTime delay;
  GccTime threshold;
  GccTime frame_interval;
  /* of the pacers */
  GccTime max_wait;

  MarkedCall calls[MARKED_CALLS];
  guint n_calls;
  MarkedLane lanes[MARKED_CALLS + 1];
  /* those with packets: new ones are served first */
  MarkedLane *new_lanes[MARKED_CALLS + 1];
  MarkedLane *old_lanes[MARKED_CALLS + 1];
  guint n_new;
  guint n_old;
  gdouble tokens;
  gboolean has_head;
  MarkedPacket head;
  MarkedLane *head_lane;
  gint64 tcp_received;
  GccTime measured_since;
} MarkedLink;

static inline MarkedPacket *
marked_queue_peek (MarkedQueue *queue)
{
  return &queue->packets[queue->first % MARKED_PACKETS];
}

static inline void
marked_queue_push (MarkedQueue *queue, MarkedPacket packet)
{
  g_assert_cmpuint (queue->n, <, MARKED_PACKETS);
  queue->packets[(queue->first + queue->n++) % MARKED_PACKETS] = packet;
}

static inline MarkedPacket
marked_queue_pop (MarkedQueue *queue)
{
  MarkedPacket packet = *marked_queue_peek (queue);

  queue->first++;
  queue->n--;
  return packet;
}

/* --- the link --- */

static inline MarkedLink *
marked_link_new (GccRate capacity, guint32 seed)
{
  MarkedLink *self = g_new0 (MarkedLink, 1);

  self->now = 100 * GCC_SECOND;
  self->capacity = capacity;
  self->seed = seed;
  self->delay = 25 * GCC_MSECOND;
  self->threshold = 1 * GCC_MSECOND;
  self->frame_interval = GCC_SECOND / 30;
  self->max_wait = 250 * GCC_MSECOND;
  return self;
}

static inline void
marked_list_push (MarkedLane **list, guint *n, MarkedLane *lane)
{
  list[(*n)++] = lane;
}

static inline MarkedLane *
marked_list_pop (MarkedLane **list, guint *n)
{
  MarkedLane *lane = list[0];

  for (guint i = 1; i < *n; i++)
    list[i - 1] = list[i];
  (*n)--;
  return lane;
}

static inline gboolean
marked_link_serves (const MarkedLink *self, const MarkedLane *lane)
{
  for (guint i = 0; i < self->n_new; i++)
    if (self->new_lanes[i] == lane)
      return TRUE;
  for (guint i = 0; i < self->n_old; i++)
    if (self->old_lanes[i] == lane)
      return TRUE;
  return FALSE;
}

static inline void
marked_link_wake (MarkedLink *self, MarkedLane *lane)
{
  if (marked_link_serves (self, lane))
    return;
  lane->deficit = MARKED_QUANTUM;
  marked_list_push (self->new_lanes, &self->n_new, lane);
}

static inline void
marked_link_add_tcp (MarkedLink *self)
{
  MarkedLane *lane = &self->lanes[MARKED_CALLS];

  lane->is_tcp = TRUE;
  marked_link_wake (self, lane);
}

static inline void
marked_link_enter (MarkedLink *self, MarkedLane *lane, MarkedPacket packet)
{
  packet.time = self->now;
  marked_queue_push (&lane->queue, packet);
  marked_link_wake (self, lane);
}

/* RFC 8290, section 4.2. */
static inline gboolean
marked_link_take_next (MarkedLink *self)
{
  while (self->n_new + self->n_old > 0) {
    gboolean is_new = self->n_new > 0;
    MarkedLane *lane = is_new ? self->new_lanes[0] : self->old_lanes[0];

    if (lane->deficit <= 0) {
      lane->deficit += MARKED_QUANTUM;
      marked_list_push (self->old_lanes, &self->n_old,
          is_new ? marked_list_pop (self->new_lanes, &self->n_new)
                 : marked_list_pop (self->old_lanes, &self->n_old));
      continue;
    }
    if (!lane->is_tcp && lane->queue.n == 0) {
      if (is_new)
        marked_list_pop (self->new_lanes, &self->n_new);
      else
        marked_list_pop (self->old_lanes, &self->n_old);
      if (is_new && self->n_old > 0)
        marked_list_push (self->old_lanes, &self->n_old, lane);
      continue;
    }
    self->head = lane->is_tcp ? (MarkedPacket){ .bytes = MARKED_TCP_BYTES }
                              : marked_queue_pop (&lane->queue);
    self->head_lane = lane;
    lane->deficit -= (gint64) self->head.bytes;
    if (!lane->is_tcp && self->head.ecn == GCC_ECN_ECT_1 &&
        self->now - self->head.time > self->threshold)
      self->head.ecn = GCC_ECN_CE;
    return TRUE;
  }
  return FALSE;
}

static inline void
marked_call_note_delay (MarkedCall *self, GccTime delay)
{
  self->delays[MIN (delay / MARKED_UNIT, MARKED_UNITS - 1)]++;
  self->n_delays++;
}

static inline void
marked_link_let_pass (MarkedLink *self)
{
  MarkedPacket packet = self->head;

  self->tokens -= (gdouble) packet.bytes;
  self->has_head = FALSE;
  if (self->head_lane->is_tcp) {
    self->tcp_received += (gint64) packet.bytes;
    return;
  }
  for (guint i = 0; i < self->n_calls; i++)
    if (self->calls[i].lane == self->head_lane) {
      marked_call_note_delay (&self->calls[i], self->now - packet.time);
      packet.time = self->now + self->delay;
      marked_queue_push (&self->calls[i].way, packet);
    }
}

static inline void
marked_link_carry (MarkedLink *self)
{
  self->tokens = MIN (self->tokens +
          (gdouble) self->capacity / 8. * MARKED_STEP / (gdouble) GCC_SECOND,
      MARKED_BUCKET);
  for (;;) {
    if (!self->has_head)
      self->has_head = marked_link_take_next (self);
    if (!self->has_head || self->tokens < (gdouble) self->head.bytes)
      return;
    marked_link_let_pass (self);
  }
}

/* --- a call --- */

static inline MarkedCall *
marked_link_add_call (MarkedLink *self, GccTime start)
{
  MarkedCall *call = &self->calls[self->n_calls];

  call->rand = g_rand_new_with_seed (self->seed + self->n_calls);
  call->lane = &self->lanes[self->n_calls++];
  call->start = self->now + start;
  return call;
}

static inline void
marked_call_begin (MarkedCall *self, const MarkedLink *link)
{
  GccTime now = link->now;
  const GccProfile *profile = gcc_profile_find ("recommended");

  self->is_on = TRUE;
  gcc_sender_init (&self->sender, profile, 50000, 300000, 15000000);
  gcc_sender_set_ecn (&self->sender, TRUE);
  g_assert_true (gcc_sender_use_ccfb (&self->sender, now));
  gcc_pacer_init (&self->pacer, &profile->pacer, link->max_wait);
  gcc_pacer_send_singly (&self->pacer);
  gcc_ccfb_reporter_init (&self->reporter);
  self->next_frame = now;
}

static inline gdouble
marked_call_draw (MarkedCall *self)
{
  gdouble above = 1. - g_rand_double (self->rand);
  gdouble below = 1. - g_rand_double (self->rand);

  return 1. + 0.15 * log (above / below);
}

/* RFC 8593, without the burst after an abrupt change. */
static inline void
marked_call_make_frame (MarkedCall *self, const MarkedLink *link)
{
  GccTime now = link->now;
  gint64 bytes;

  if (now < self->next_frame)
    return;
  gcc_sender_set_held (&self->sender, gcc_pacer_get_queued (&self->pacer));
  if (self->rate == 0 || now - self->changed >= 200 * GCC_MSECOND) {
    self->rate = gcc_sender_get_stats (&self->sender)->encoder_target;
    self->changed = now;
  }
  bytes = (gint64) ((gdouble) self->rate / 8. * (gdouble) link->frame_interval /
      (gdouble) GCC_SECOND * MAX (marked_call_draw (self), 0.05));
  self->next_frame = now +
      (GccTime) ((gdouble) link->frame_interval *
          MAX (marked_call_draw (self), 0.05));
  for (bytes = MAX (bytes, 1); bytes > 0; bytes -= MARKED_MAX_PAYLOAD) {
    gsize size = (gsize) MIN (bytes, MARKED_MAX_PAYLOAD);

    marked_queue_push (&self->paced,
        (MarkedPacket){
            .bytes = size, .is_marker = bytes <= MARKED_MAX_PAYLOAD });
    gcc_pacer_queued (&self->pacer, size + MARKED_HEADERS, now);
    gcc_sender_feed_queued (&self->sender, size + MARKED_HEADERS, now);
  }
}

static inline gsize
marked_call_send_next (MarkedCall *self, MarkedLink *link)
{
  MarkedPacket packet = { .bytes = 235, .is_padding = TRUE };
  GccSentPacket sent;
  gsize size;

  if (self->paced.n > 0)
    packet = marked_queue_pop (&self->paced);
  size = packet.bytes + MARKED_HEADERS;
  packet.seq = self->next_seq++;
  packet.ecn = gcc_sender_sends_ect1 (&self->sender) ? GCC_ECN_ECT_1
                                                     : GCC_ECN_NOT_ECT;
  sent = (GccSentPacket){
    .kind = GCC_SENT_VIDEO,
    .ssrc = 1,
    .seq = packet.seq,
    .payload_size = packet.is_padding ? 0 : packet.bytes,
    .size = size,
    .ends_frame = packet.is_marker,
    .is_numbered = TRUE,
    .transport_seq = gcc_sender_take_transport_seq (&self->sender),
    .is_padding = packet.is_padding,
  };
  gcc_sender_feed_sent (&self->sender, &sent, link->now);
  packet.bytes = size + MARKED_IP_UDP;
  marked_link_enter (link, self->lane, packet);
  return size;
}

static inline void
marked_call_send_probe (MarkedCall *self, MarkedLink *link)
{
  GccTime due = gcc_sender_next_probe (&self->sender, link->now);
  gsize wanted = gcc_sender_get_probe_size (&self->sender);
  gsize sent = 0;

  if (due == GCC_TIME_NONE || due > link->now)
    return;
  while (gcc_sender_next_probe (&self->sender, link->now) != GCC_TIME_NONE &&
      (sent == 0 || sent < wanted)) {
    gboolean is_media = self->paced.n > 0;
    gsize size = marked_call_send_next (self, link);

    if (is_media)
      gcc_pacer_probed (&self->pacer, size, link->now);
    sent += size;
  }
}

static inline void
marked_call_send (MarkedCall *self, MarkedLink *link)
{
  gcc_pacer_set_rate (
      &self->pacer, gcc_sender_get_stats (&self->sender)->pacing_rate);
  if (gcc_sender_next_probe (&self->sender, link->now) != GCC_TIME_NONE) {
    marked_call_send_probe (self, link);
    return;
  }
  while (self->paced.n > 0 &&
      gcc_pacer_next_send (&self->pacer, link->now) <= link->now)
    gcc_pacer_sent (
        &self->pacer, marked_call_send_next (self, link), link->now);
}

static inline void
marked_call_receive (MarkedCall *self, GccTime now)
{
  while (self->way.n > 0 && marked_queue_peek (&self->way)->time <= now) {
    MarkedPacket packet = marked_queue_pop (&self->way);
    GccCcfbPacket arrived = {
      .ssrc = 1,
      .seq = packet.seq,
      .size = packet.bytes - MARKED_IP_UDP,
      .is_marker = packet.is_marker,
      .ecn = packet.ecn,
      .arrival = packet.time,
    };

    self->received += (gint64) packet.bytes;
    self->n_received++;
    self->n_marked += packet.ecn == GCC_ECN_CE ? 1 : 0;
    gcc_ccfb_reporter_feed (&self->reporter, &arrived, now);
  }
}

static inline void
marked_call_report (MarkedCall *self, const MarkedLink *link)
{
  guint n = 0;

  if (gcc_ccfb_reporter_ask (&self->reporter, link->now)) {
    MarkedReport *report = &self->reports[self->n_reports];

    g_assert_cmpuint (self->n_reports, <, MARKED_REPORTS);
    report->length = gcc_ccfb_reporter_write (
        &self->reporter, report->body, sizeof report->body, link->now);
    report->time = link->now + link->delay;
    gcc_ccfb_reporter_note_sent (
        &self->reporter, report->length + 12 + MARKED_IP_UDP, link->now);
    self->n_reports += report->length > 0 ? 1 : 0;
  }
  for (guint i = 0; i < self->n_reports; i++) {
    MarkedReport *report = &self->reports[i];

    if (report->time > link->now)
      self->reports[n++] = *report;
    else
      gcc_sender_feed_ccfb (
          &self->sender, report->body, report->length, link->now);
  }
  self->n_reports = n;
}

static inline void
marked_call_step (MarkedCall *self, MarkedLink *link)
{
  GccTime timeout;

  if (!self->is_on && link->now < self->start)
    return;
  if (!self->is_on)
    marked_call_begin (self, link);
  timeout = gcc_sender_next_timeout (&self->sender);
  if (timeout != GCC_TIME_NONE && timeout <= link->now)
    gcc_sender_handle_timeout (&self->sender, link->now);
  marked_call_make_frame (self, link);
  marked_call_send (self, link);
}

static inline void
marked_link_step (MarkedLink *self)
{
  self->now += MARKED_STEP;
  for (guint i = 0; i < self->n_calls; i++)
    marked_call_step (&self->calls[i], self);
  marked_link_carry (self);
  for (guint i = 0; i < self->n_calls; i++) {
    if (!self->calls[i].is_on)
      continue;
    marked_call_receive (&self->calls[i], self->now);
    marked_call_report (&self->calls[i], self);
  }
}

static inline void
marked_link_run (MarkedLink *self, GccTime duration)
{
  for (GccTime end = self->now + duration; self->now < end;)
    marked_link_step (self);
}

/* --- what is measured --- */

static inline void
marked_link_measure (MarkedLink *self)
{
  self->measured_since = self->now;
  self->tcp_received = 0;
  for (guint i = 0; i < self->n_calls; i++) {
    MarkedCall *call = &self->calls[i];

    call->received = 0;
    call->n_received = call->n_marked = call->n_delays = 0;
    memset (call->delays, 0, sizeof call->delays);
  }
}

/* Received, of what the link takes now. */
static inline gdouble
marked_link_get_use (const MarkedLink *self, gint64 received)
{
  return (gdouble) received * 8. * (gdouble) GCC_SECOND /
      (gdouble) (self->now - self->measured_since) / (gdouble) self->capacity;
}

/* 95 of a hundred packets have waited for less. */
static inline GccTime
marked_call_get_p95 (const MarkedCall *self)
{
  guint n = 0;

  for (guint i = 0; i < MARKED_UNITS; i++) {
    n += self->delays[i];
    if (n * 100 >= self->n_delays * 95)
      return (i + 1) * MARKED_UNIT;
  }
  return G_MAXINT64;
}

static inline void
marked_link_free (MarkedLink *self)
{
  for (guint i = 0; i < self->n_calls; i++) {
    if (self->calls[i].is_on)
      gcc_sender_clear (&self->calls[i].sender);
    g_rand_free (self->calls[i].rand);
  }
  g_free (self);
}
