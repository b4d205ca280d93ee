/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* The delay-based controller of the receiver: packets of any content, clocks
 * that jump, and streams that come and go. */

#include <gst/gcc/compose/gcc-receiver-private.h>
#include <math.h>

#include "fuzz.h"

#define START (1000 * GCC_SECOND)
#define MAX_BURST 31
#define MAX_STREAMS 80

typedef struct {
  GccReceiver receiver;
  GccPacket packet;
  GccTime now;
} Call;

static Call call;

void
fuzz_init (void)
{
}

/* --- what must hold after each call --- */

static void
check_stats (const GccReceiver *receiver)
{
  static const gchar *const unknown[] = { "d_ms", "m_ms", "modified_m_ms",
    "path_queue_ms", NULL };
  const GccReceiverStats *stats = gcc_receiver_get_stats (receiver);

  fuzz_check_stats (stats, gcc_receiver_columns, gcc_receiver_n_columns,
      stats->groups == 0 ? unknown : unknown + 3);
  g_assert_cmpuint (stats->groups, <=, stats->packets);
  g_assert_cmpuint (stats->overuses, <=, stats->groups);
  g_assert_cmpfloat (stats->gamma_ms, >, 0.);
}

static void
check (Call *self)
{
  GccRemb remb;
  gboolean is_remb = gcc_receiver_get_remb (&self->receiver, &remb);

  check_stats (&self->receiver);
  g_assert_cmpint (
      gcc_receiver_get_estimate (&self->receiver), >=, GCC_RATE_NONE);
  g_assert_cmpint (gcc_receiver_get_estimate (&self->receiver), !=, 0);
  g_assert_cmpuint (remb.n_ssrcs, <=, GCC_RECEIVER_MAX_STREAMS);
  g_assert_true (is_remb == (remb.rate > 0 && remb.n_ssrcs > 0));
}

/* Who waits for the next time-out must not have to do so without end. */
static void
handle_timeout (Call *self)
{
  GccTime next;

  gcc_receiver_handle_timeout (&self->receiver, self->now);
  next = gcc_receiver_next_timeout (&self->receiver);
  if (next != GCC_TIME_NONE)
    g_assert_cmpint (gcc_time_diff (next, self->now), >, 0);
}

/* --- what happens --- */

/* A frame's worth of packets, in even steps. */
static void
feed_burst (Call *self, Fuzz *input)
{
  guint n = 1 + fuzz_up_to (input, MAX_BURST);
  GccTime step = fuzz_step (input);
  guint16 sent_step = fuzz_uint16 (input);
  gboolean waits = fuzz_once_in (input, 2);

  /* long steps move the window of R(t), which is slow */
  if (ABS (step) > 100 * GCC_MSECOND)
    n = MIN (n, 2);
  self->packet.payload_size = fuzz_uint16 (input);
  for (; n > 0; n--) {
    self->packet.arrival = gcc_time_shift (self->packet.arrival, step);
    self->now = gcc_time_shift (self->now, step);
    self->packet.abs_send_time = (self->packet.abs_send_time + sent_step) &
        0xffffff;
    self->packet.rtp_timestamp += sent_step;
    gcc_receiver_feed (&self->receiver, &self->packet, self->now);
    if (waits)
      handle_timeout (self);
  }
}

static void
change_stream (Call *self, Fuzz *input)
{
  guint8 what = fuzz_uint8 (input);

  self->packet.ssrc = what % MAX_STREAMS;
  self->packet.has_abs_send_time = what & 1;
  self->packet.ignore_rtp_timestamp = (what & 7) == 7;
  if (fuzz_once_in (input, 4))
    self->packet.clock_rate = fuzz_uint32 (input);
}

/* What the packet says of itself, or the kernel of it, may be anything. */
static void
lie (Call *self, Fuzz *input)
{
  switch (fuzz_uint8 (input) % 4) {
    case 0:
      self->packet.arrival = (GccTime) fuzz_uint64 (input);
      break;
    case 1:
      self->packet.rtp_timestamp = fuzz_uint32 (input);
      break;
    case 2:
      self->packet.abs_send_time = fuzz_uint32 (input) & 0xffffff;
      break;
    default:
      self->packet.payload_size = fuzz_uint64 (input);
      gcc_receiver_feed (&self->receiver, &self->packet, self->now);
      break;
  }
}

static void
go_on (Call *self, Fuzz *input)
{
  switch (fuzz_uint8 (input) % 8) {
    default:
      feed_burst (self, input);
      break;
    case 3:
      change_stream (self, input);
      break;
    case 4:
      lie (self, input);
      break;
    case 5:
      self->now = gcc_time_shift (self->now, fuzz_step (input));
      handle_timeout (self);
      break;
    case 6:
      if (gcc_receiver_next_timeout (&self->receiver) != GCC_TIME_NONE)
        self->now = gcc_receiver_next_timeout (&self->receiver);
      handle_timeout (self);
      break;
    case 7:
      gcc_receiver_set_rtt (&self->receiver, fuzz_duration (input));
      break;
  }
  check (self);
}

void
fuzz_one (Fuzz *input)
{
  call.packet = (GccPacket){ .ssrc = 1, .clock_rate = 90000, .arrival = START };
  call.now = START;
  gcc_receiver_init (&call.receiver, fuzz_profile (input));
  check (&call);
  while (fuzz_has_more (input))
    go_on (&call, input);
  gcc_receiver_clear (&call.receiver);
}
