/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Calls that go on, in time that is not ours: an hour of each, or as many as
 * GCC_HOURS says (docs/reliability.md). */

#define CALL_STEP 1000

#include <gst/gcc/compose/gcc-sender-private.h>
#include <gst/gcc/gcc-abs-send-time.h>
#include <gst/gcc/gcc-receiver.h>
#include <malloc.h>
#include <stdlib.h>

#include "support/call.h"

#define MINUTE (60 * GCC_SECOND)

static guint
get_minutes (void)
{
  const gchar *hours = g_getenv ("GCC_HOURS");

  return 60u * (hours != NULL ? (guint) atoi (hours) : 1);
}

/* Bytes that are allocated. */
static gsize
get_memory (void)
{
#ifdef HAVE_MALLINFO2
  return mallinfo2 ().uordblks;
#else
  return 0;
#endif
}

/* --- a rate, minute by minute --- */

typedef struct {
  GccRate least;
  GccRate most;
  GccRate first;
  GccRate last;
} Minutes;

static void
note_minute (Minutes *self, guint minute, gint64 bytes)
{
  GccRate rate = 8 * bytes / 60;

  if (minute == 1)
    *self = (Minutes){ rate, rate, rate, rate };
  if (minute == 0)
    return;
  self->least = MIN (self->least, rate);
  self->most = MAX (self->most, rate);
  self->last = rate;
}

static void
check_minutes (const Minutes *self, guint n, gsize memory)
{
  g_test_message ("%u minutes: %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT
                  " kbit/s, the first %" G_GINT64_FORMAT
                  " and the last %" G_GINT64_FORMAT "; %" G_GSIZE_FORMAT
                  " bytes more",
      n, self->least / 1000, self->most / 1000, self->first / 1000,
      self->last / 1000, get_memory () - memory);
  g_assert_cmpint (self->least, >=, 850000);
  g_assert_cmpint (self->most, <=, 1010000);
  g_assert_cmpint (self->last, >=, self->first * 95 / 100);
  g_assert_cmpint (self->last, <=, self->first * 105 / 100);
  g_assert_cmpuint (get_memory (), <=, memory + 1024);
}

/* --- over transport-wide feedback --- */

/* The reference time wraps after half of the call, numbers every ten minutes. */
static void
start_before_the_wrap (Call *call, guint n_minutes)
{
  GccTime period = (GCC_TRANSPORT_FEEDBACK_REFERENCE_TICK
      << GCC_TRANSPORT_FEEDBACK_REFERENCE_BITS);

  call_init (call, "recommended", 300000, 2000000);
  call->clock = period - call->now - n_minutes * MINUTE / 2;
}

static void
test_a_long_call_over_transport_wide_feedback_is_flat (void)
{
  guint n = get_minutes ();
  static Call call;
  Minutes minutes;
  gsize memory = 0;

  start_before_the_wrap (&call, n);
  for (guint i = 0; i < n; i++) {
    gint64 before = call.received_bytes;

    call_run (&call, MINUTE);
    note_minute (&minutes, i, call.received_bytes - before);
    if (i == 1)
      memory = get_memory ();
  }
  check_minutes (&minutes, n, memory);
  g_test_message ("%u packets, %u lost, %" G_GUINT64_FORMAT " probes",
      call.n_sent, call.n_lost, gcc_sender_get_stats (&call.sender)->probes);
  g_assert_cmpuint (
      gcc_sender_get_stats (&call.sender)->feedbacks_ignored, ==, 0);
  g_assert_cmpuint (gcc_sender_get_stats (&call.sender)->feedbacks_lost, ==, 0);
  g_assert_cmpuint (call.n_sent, >, G_MAXUINT16);
  call_clear (&call);
}

/* --- over REMB and reports --- */

/* A frame of v every 33 ms, in packets; a link of 1 Mbit/s with a queue; each
 * packet with the time at which it was sent, 24 bits of which wrap in 64 s;
 * RTP timestamps and sequence numbers that wrap, too. */
#define FRAME 33333
#define CAPACITY 1000000
#define DELAY (25 * GCC_MSECOND)
#define MAX_QUEUE (300 * GCC_MSECOND)
#define PAYLOAD 1180
#define HEADERS (20 + 28)

typedef struct {
  GccSender *sender;
  GccReceiver *receiver;
  GccTime now;
  GccTime link_free;
  guint n_sent;
  guint n_lost;
  guint n_received_at_report;
  guint n_lost_at_report;
  gint64 bytes;
} RembCall;

static void
pass_packet (RembCall *self, gsize bytes, guint32 timestamp)
{
  GccSentPacket sent = {
    .kind = GCC_SENT_VIDEO,
    .ssrc = 1,
    .seq = (guint16) self->n_sent++,
    .payload_size = bytes,
    .size = bytes + 20,
  };
  GccPacket packet = {
    .ssrc = 1,
    .rtp_timestamp = timestamp,
    .clock_rate = 90000,
    .payload_size = bytes,
    .has_abs_send_time = TRUE,
    .abs_send_time = gcc_abs_send_time_from_time (self->now),
  };

  gcc_sender_feed_sent (self->sender, &sent, self->now);
  if (self->link_free - self->now > MAX_QUEUE) {
    self->n_lost++;
    return;
  }
  self->link_free = MAX (self->link_free, self->now) +
      (gint64) (bytes + HEADERS) * 8 * GCC_SECOND / CAPACITY;
  packet.arrival = self->link_free + DELAY;
  self->bytes += (gint64) bytes + HEADERS;
  gcc_receiver_feed (self->receiver, &packet, packet.arrival);
}

static void
send_frame (RembCall *self, guint32 timestamp)
{
  gint64 bytes = gcc_sender_get_stats (self->sender)->encoder_target / 8 *
      FRAME / GCC_SECOND;

  for (; bytes > 0; bytes -= PAYLOAD)
    pass_packet (self, (gsize) MIN (bytes, PAYLOAD), timestamp);
}

static void
report_and_remb (RembCall *self)
{
  guint n_sent = self->n_sent - self->n_received_at_report;
  guint n_lost = self->n_lost - self->n_lost_at_report;
  GccReportBlock block = {
    .reporter = 2,
    .ssrc = 1,
    .fraction_lost = (guint8) (n_sent > 0 ? 255 * n_lost / n_sent : 0),
    .ext_highest_seq = self->n_sent - 1,
    .rtt = 2 * DELAY,
  };
  GccRemb remb = { .sender = 2, .reporter = 2, .n_ssrcs = 1, .ssrcs = { 1 } };

  gcc_sender_feed_reports (self->sender, &block, 1, self->now);
  remb.rate = gcc_receiver_get_estimate (self->receiver);
  if (remb.rate != GCC_RATE_NONE)
    gcc_sender_feed_remb (self->sender, &remb, self->now);
  self->n_received_at_report = self->n_sent;
  self->n_lost_at_report = self->n_lost;
}

static void
run_a_minute (RembCall *self)
{
  for (guint i = 0; i < 1800; i++) {
    /* wraps half an hour after the beginning */
    send_frame (self, (guint32) (self->now * 9 / 100) - 90000u * 1900);
    if (i % 6 == 5)
      report_and_remb (self);
    self->now += FRAME;
  }
}

static void
test_a_long_call_over_remb_is_flat (void)
{
  guint n = get_minutes ();
  RembCall call = {
    .sender = gcc_sender_new (
        gcc_profile_find ("recommended"), 30000, 300000, 2000000),
    .receiver = gcc_receiver_new (gcc_profile_find ("recommended")),
    .now = 100 * GCC_SECOND,
  };
  Minutes minutes;
  gsize memory = 0;

  for (guint i = 0; i < n; i++) {
    gint64 before = call.bytes;

    run_a_minute (&call);
    note_minute (&minutes, i, call.bytes - before);
    if (i == 1)
      memory = get_memory ();
  }
  check_minutes (&minutes, n, memory);
  g_test_message ("%u packets, %u lost", call.n_sent, call.n_lost);
  g_assert_cmpuint (gcc_sender_get_stats (call.sender)->reports_ignored, ==, 0);
  g_assert_cmpuint (gcc_sender_get_stats (call.sender)->rembs_ignored, ==, 0);
  gcc_receiver_free (call.receiver);
  gcc_sender_free (call.sender);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name) g_test_add_func ("/long-calls/" #name, test_##name)
  ADD (a_long_call_over_transport_wide_feedback_is_flat);
  ADD (a_long_call_over_remb_is_flat);

  return g_test_run ();
}
