/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

/* A call over REMB and receiver reports, in steps of half a millisecond: an
 * encoder that follows v late and roughly, a drop-tail queue that others may
 * share, a receiver with its estimate, and RTCP about once a second. */

#include <gst/gcc/compose/gcc-receiver-private.h>
#include <gst/gcc/compose/gcc-sender-private.h>

#include <math.h>

#include "hooks.h"

/* A shorter one takes more time. */
#ifndef REMB_CALL_STEP
#define REMB_CALL_STEP 500
#endif
/* A path with a long delay and a high rate has more on its way. */
#ifndef REMB_CALL_PACKETS
#define REMB_CALL_PACKETS 4096
#endif
#define REMB_CALL_PAYLOAD 1200
#define REMB_CALL_HEADERS 40
#define REMB_CALL_CLOCK 90000
#define REMB_CALL_SSRC 1
#define REMB_CALL_RECEIVER 2
/* As many are on their way back on a path with a long delay. */
#define REMB_CALL_REMBS 64

typedef struct {
  guint32 seq;
  guint32 timestamp;
  /* of what the frames have in all */
  gint64 offset;
  gsize bytes;
  GccTime arrival;
  GccTime departure;
} RembCallPacket;

typedef struct {
  GccRate rate;
  GccTime arrival;
} RembCallRemb;

typedef struct {
  GccSender sender;
  GccReceiver receiver;
  GccTime now;
  GRand *rand;
  GccTime *link_free;

  /* what may be set in mid-call */
  GccRate capacity;
  GccTime delay;
  GccTime max_queue;
  gsize bucket;
  gdouble loss;
  gdouble roughness;
  gboolean is_mute;
  /* no packet arrives; the receiver goes on reporting */
  gboolean is_cut;
  GccRate application;
  /* packets arrive at multiples of this; 0: each by itself */
  GccTime clump;
  gboolean has_abs_send_time;
  guint frame_rate;
  /* each REMB arrives; otherwise, a later one takes the place of one that is on
   * its way, and the way must be shorter than the time between them */
  gboolean keeps_rembs;
  /* in place of capacity, max_queue, bucket and loss; NULL: none */
  const SimPath *path;
  const SimViewer *viewer;

  gdouble encoder_rate;
  GccTime next_frame;
  gint64 made_bytes;
  /* bytes of frames that wait to be sent, where packets are paced */
  gint64 waiting;
  GccTime pacer_free;
  guint32 seq;
  guint32 timestamp;
  RembCallPacket packets[REMB_CALL_PACKETS];
  guint first;
  guint n;
  GccTime last_arrival;
  /* RTCP */
  GccTime next_report;
  GccTime rtt;
  guint32 highest;
  guint32 reported;
  guint n_received;
  RembCallRemb rembs[REMB_CALL_REMBS];
  guint first_remb;
  guint n_rembs;
  gboolean has_block;
  GccTime block_time;
  GccReportBlock block;

  /* results */
  gint64 received_bytes;
  guint n_lost;
  guint n_sent;
  GccTime queueing;
} RembCall;

/* The call begins at @now. */
static inline void
remb_call_init_at (RembCall *call, const GccProfile *profile, GccRate start,
    GccRate max, GccTime now)
{
  *call = (RembCall){
    .now = now,
    .rand = g_rand_new_with_seed (1),
    .capacity = 1000000,
    .delay = 25 * GCC_MSECOND,
    .max_queue = 240 * GCC_MSECOND,
    .roughness = 0.2,
    .frame_rate = 30,
    .application = G_MAXINT64,
    .encoder_rate = (gdouble) start,
    .rtt = GCC_TIME_NONE,
  };
  call->next_frame = call->now;
  call->next_report = call->now + GCC_SECOND;
  gcc_sender_init (&call->sender, profile, 50000, start, max);
  gcc_receiver_init (&call->receiver, profile);
}

static inline void
remb_call_init (
    RembCall *call, const GccProfile *profile, GccRate start, GccRate max)
{
  remb_call_init_at (call, profile, start, max, 100 * GCC_SECOND);
}

static inline void
remb_call_clear (RembCall *call)
{
  gcc_sender_clear (&call->sender);
  gcc_receiver_clear (&call->receiver);
  g_rand_free (call->rand);
}

static inline GccTime
remb_call_get_duration (const RembCall *call, gsize bytes)
{
  return (gint64) bytes * 8 * GCC_SECOND / call->capacity;
}

/* A token bucket that is not empty passes packets at once. Returns when the
 * packet is behind the link, %GCC_TIME_NONE if never. */
static inline GccTime
remb_call_pass (RembCall *call, gsize bytes, GccTime queueing)
{
  GccTime at_once = remb_call_get_duration (call, call->bucket);

  if (call->path != NULL)
    return call->path->pass (
        call->path->data, call->link_free, bytes, call->now);
  if (call->is_cut || queueing > call->max_queue ||
      g_rand_double (call->rand) < call->loss)
    return GCC_TIME_NONE;
  *call->link_free = MAX (*call->link_free, call->now - at_once) +
      remb_call_get_duration (call, bytes);
  return MAX (*call->link_free, call->now);
}

static inline void
remb_call_lose (RembCall *call, gint64 offset, gsize bytes)
{
  call->n_lost++;
  if (call->viewer != NULL)
    call->viewer->lost (
        call->viewer->data, offset, bytes, MAX (*call->link_free, call->now));
}

static inline void
remb_call_send (RembCall *call, gsize bytes)
{
  GccSentPacket sent = {
    .kind = GCC_SENT_VIDEO,
    .ssrc = REMB_CALL_SSRC,
    .seq = (guint16) ++call->seq,
    .payload_size = bytes,
    .ends_frame = (gint64) bytes == call->waiting,
    .size = bytes + 12,
  };
  gint64 offset = call->made_bytes - call->waiting;
  GccTime queueing = MAX (*call->link_free - call->now, 0);
  GccTime passed;

  call->waiting -= (gint64) bytes;
  gcc_sender_feed_sent (&call->sender, &sent, call->now);
  call->n_sent++;
  passed = remb_call_pass (call, bytes + REMB_CALL_HEADERS, queueing);
  if (passed == GCC_TIME_NONE) {
    remb_call_lose (call, offset, bytes);
    return;
  }
  g_assert_cmpuint (call->n, <, REMB_CALL_PACKETS);
  call->queueing = queueing;
  call->last_arrival = MAX (call->last_arrival, passed + call->delay);
  if (call->clump > 0)
    call->last_arrival = (call->last_arrival + call->clump - 1) / call->clump *
        call->clump;
  call->packets[(call->first + call->n++) % REMB_CALL_PACKETS] =
      (RembCallPacket){ call->seq, call->timestamp, offset, bytes,
        call->last_arrival, call->now };
}

static inline void
remb_call_make_frame (RembCall *call)
{
  gdouble v = (gdouble) MIN (
      gcc_sender_get_stats (&call->sender)->encoder_target, call->application);
  gdouble size;
  gint64 bytes;

  if (call->now < call->next_frame)
    return;
  call->next_frame += GCC_SECOND / call->frame_rate;
  call->timestamp += REMB_CALL_CLOCK / call->frame_rate;
  call->encoder_rate += (v - call->encoder_rate) * 0.1;
  size = exp (call->roughness *
      (g_rand_double (call->rand) + g_rand_double (call->rand) - 1.) * 2.4);
  bytes = MAX (
      (gint64) (call->encoder_rate * size / (8 * call->frame_rate)), 1);
  call->waiting += bytes;
  call->made_bytes += bytes;
  if (call->viewer != NULL)
    call->viewer->made (call->viewer->data, bytes, call->now);
}

static inline void
remb_call_send_waiting (RembCall *call)
{
  GccRate rate = gcc_sender_get_stats (&call->sender)->pacing_rate;

  call->pacer_free = MAX (call->pacer_free, call->now - REMB_CALL_STEP);
  while (call->waiting > 0 &&
      (rate == GCC_RATE_NONE || call->pacer_free <= call->now)) {
    gint64 bytes = MIN (call->waiting, REMB_CALL_PAYLOAD);

    remb_call_send (call, (gsize) bytes);
    if (rate != GCC_RATE_NONE)
      call->pacer_free += bytes * 8 * GCC_SECOND / rate;
  }
}

static inline void
remb_call_take_event (RembCall *call, GccReceiverEvent event)
{
  if (event != GCC_RECEIVER_EVENT_REMB)
    return;
  if (!call->keeps_rembs)
    call->n_rembs = 0;
  g_assert_cmpuint (call->n_rembs, <, REMB_CALL_REMBS);
  call->rembs[(call->first_remb + call->n_rembs++) % REMB_CALL_REMBS] =
      (RembCallRemb){ gcc_receiver_get_estimate (&call->receiver),
        call->now + call->delay };
}

static inline void
remb_call_receive (RembCall *call)
{
  GccTime due = gcc_receiver_next_timeout (&call->receiver);

  while (call->n > 0 &&
      call->packets[call->first % REMB_CALL_PACKETS].arrival <= call->now) {
    RembCallPacket packet = call->packets[call->first++ % REMB_CALL_PACKETS];
    GccPacket taken = {
      .ssrc = REMB_CALL_SSRC,
      .rtp_timestamp = packet.timestamp,
      .clock_rate = REMB_CALL_CLOCK,
      .arrival = packet.arrival,
      .payload_size = packet.bytes,
      .has_abs_send_time = call->has_abs_send_time,
      .abs_send_time = gcc_abs_send_time_from_time (packet.departure),
      .n_lost = (gint) (packet.seq - call->highest) - 1,
    };

    call->n--;
    call->n_received++;
    if (call->viewer != NULL)
      call->viewer->arrived (
          call->viewer->data, packet.offset, packet.bytes, packet.arrival);
    call->highest = packet.seq;
    call->received_bytes += (gint64) packet.bytes + REMB_CALL_HEADERS;
    remb_call_take_event (
        call, gcc_receiver_feed (&call->receiver, &taken, packet.arrival));
  }
  if (due != GCC_TIME_NONE && due <= call->now)
    remb_call_take_event (
        call, gcc_receiver_handle_timeout (&call->receiver, call->now));
}

/* Sender and receiver report at the same time: the round-trip time is that of
 * the sender report before. */
static inline void
remb_call_report (RembCall *call)
{
  guint32 expected = call->highest - call->reported;

  if (call->now < call->next_report)
    return;
  call->next_report += (gint64) (GCC_SECOND *
      (0.5 + g_rand_double (call->rand)) / 1.21828);
  if (call->rtt != GCC_TIME_NONE && (expected > 0 || call->is_cut) &&
      !call->is_mute) {
    guint32 lost = expected - MIN (expected, call->n_received);

    call->has_block = TRUE;
    call->block_time = call->now + call->delay;
    call->block = (GccReportBlock){
      .reporter = REMB_CALL_RECEIVER,
      .ssrc = REMB_CALL_SSRC,
      .fraction_lost = (guint8) (MIN (lost * 256 / MAX (expected, 1), 255)),
      .ext_highest_seq = call->highest,
      .rtt = call->rtt,
    };
    call->n_received = 0;
    call->reported = call->highest;
  }
  call->rtt = 2 * call->delay + MAX (*call->link_free - call->now, 0);
}

static inline void
remb_call_feed_remb (RembCall *call, GccRate rate)
{
  GccRemb remb = {
    .sender = REMB_CALL_RECEIVER,
    .reporter = REMB_CALL_RECEIVER,
    .rate = rate,
    .ssrcs = { REMB_CALL_SSRC },
    .n_ssrcs = 1,
  };

  if (!call->is_mute)
    gcc_sender_feed_remb (&call->sender, &remb, call->now);
}

static inline void
remb_call_feed_back (RembCall *call)
{
  GccTime timeout = gcc_sender_next_timeout (&call->sender);

  if (call->has_block && call->block_time <= call->now) {
    call->has_block = FALSE;
    gcc_sender_feed_reports (&call->sender, &call->block, 1, call->now);
  }
  while (call->n_rembs > 0 &&
      call->rembs[call->first_remb % REMB_CALL_REMBS].arrival <= call->now) {
    RembCallRemb remb = call->rembs[call->first_remb++ % REMB_CALL_REMBS];

    call->n_rembs--;
    remb_call_feed_remb (call, remb.rate);
  }
  if (timeout != GCC_TIME_NONE && timeout <= call->now)
    gcc_sender_handle_timeout (&call->sender, call->now);
}

static inline void
remb_call_step (RembCall *call)
{
  call->now += REMB_CALL_STEP;
  remb_call_make_frame (call);
  remb_call_send_waiting (call);
  remb_call_receive (call);
  remb_call_report (call);
  remb_call_feed_back (call);
}
