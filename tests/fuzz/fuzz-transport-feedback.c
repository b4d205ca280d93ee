/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Transport-wide feedback: what is read can be written, and what is written can
 * be read. */

#include <gst/gcc/wire/gcc-transport-feedback.h>
#include <string.h>

#include "fuzz.h"

#define TICK GCC_TRANSPORT_FEEDBACK_TICK
#define REFERENCE_TICK GCC_TRANSPORT_FEEDBACK_REFERENCE_TICK

/* As in a session that is old. */
#define LATE (1000 * REFERENCE_TICK)

/* Messages of more take longer than all else, and are not different: there is
 * room for several chunks of each kind. */
#define MAX_STATUSES 64

void
fuzz_init (void)
{
}

/* --- read ... --- */

/* The next status that says received. */
static gboolean
next_received (GccTransportFeedback *self, GccPacketStatus *status)
{
  while (gcc_transport_feedback_next (self, status))
    if (status->received)
      return TRUE;
  return FALSE;
}

/* Reads @self to its end, and what @written says of the same packets. */
static void
check_equal (GccTransportFeedback *self, GccTransportFeedback *written,
    guint n_received, GccTime offset)
{
  GccPacketStatus status, again;

  for (; n_received > 0; n_received--) {
    g_assert_true (next_received (self, &status));
    g_assert_true (next_received (written, &again));
    g_assert_cmpuint (again.seq, ==, status.seq);
    g_assert_cmpint (again.arrival + offset, ==, status.arrival);
  }
  g_assert_false (next_received (written, &again));
}

static void
check_statuses (GccTransportFeedback feedback)
{
  GccPacketStatus status;
  guint n = 0;

  for (; gcc_transport_feedback_next (&feedback, &status); n++) {
    g_assert_cmpuint (status.seq, ==, (guint16) (feedback.base_seq + n));
    g_assert_true (status.arrival == GCC_TIME_NONE ||
        (status.received && feedback.has_times));
    g_assert_cmpint (status.arrival % TICK, ==,
        status.arrival == GCC_TIME_NONE ? GCC_TIME_NONE % TICK : 0);
  }
  g_assert_cmpuint (n, ==, feedback.n_statuses);
}

/* Past half of them, or all but one. */
static void
check_skip (GccTransportFeedback skipped, guint n)
{
  GccTransportFeedback read = skipped;
  GccPacketStatus status, again;

  g_assert_cmpuint (gcc_transport_feedback_skip (&skipped, n), ==, n);
  for (; n > 0; n--)
    gcc_transport_feedback_next (&read, &status);
  g_assert_true (gcc_transport_feedback_next (&read, &status));
  g_assert_true (gcc_transport_feedback_next (&skipped, &again));
  g_assert_cmpuint (again.seq, ==, status.seq);
  g_assert_cmpint (again.received, ==, status.received);
  g_assert_cmpint (again.arrival, ==, status.arrival);
}

static void
write_again (GccTransportFeedback feedback)
{
  GccTransportFeedback from_start = feedback, written;
  GccTransportFeedbackWriter writer;
  guint8 fci[GCC_TRANSPORT_FEEDBACK_MAX_FCI];
  GccPacketStatus status;
  guint n = 0;
  gsize length;

  gcc_transport_feedback_writer_init (
      &writer, feedback.base_seq, LATE, feedback.count);
  while (next_received (&feedback, &status) &&
      gcc_transport_feedback_writer_add (
          &writer, status.seq, LATE + status.arrival))
    n++;
  if (n == 0)
    return;
  length = gcc_transport_feedback_writer_finish (&writer, fci);
  g_assert_cmpuint (length, <=, sizeof fci);
  g_assert_true (gcc_transport_feedback_parse_fci (&written, fci, length));
  g_assert_true (written.has_times);
  g_assert_cmpuint (written.count, ==, feedback.count);
  check_statuses (written);
  check_equal (&from_start, &written, n, 0);
}

static void
check_parsed (const GccTransportFeedback *feedback)
{
  if (feedback->n_statuses > MAX_STATUSES)
    return;
  check_statuses (*feedback);
  check_skip (*feedback, feedback->n_statuses / 2);
  check_skip (*feedback, feedback->n_statuses - 1u);
  if (feedback->has_times)
    write_again (*feedback);
}

static void
read_bytes (Fuzz *input)
{
  GccTransportFeedback feedback;
  gsize length;
  const guint8 *bytes = fuzz_bytes (input, G_MAXSIZE, &length);

  if (gcc_transport_feedback_parse_fci (&feedback, bytes, length))
    check_parsed (&feedback);
}

static void
read_packet (Fuzz *input)
{
  GccTransportFeedback feedback;
  gsize length;
  const guint8 *bytes = fuzz_bytes (input, G_MAXSIZE, &length);

  if (gcc_transport_feedback_parse_packet (&feedback, bytes, length))
    check_parsed (&feedback);
}

/* --- ... and write --- */

typedef struct {
  guint16 seq;
  GccTime arrival;
} Packet;

static guint
read_gap (Fuzz *input)
{
  guint8 kind = fuzz_uint8 (input);

  if (kind == G_MAXUINT8)
    return fuzz_uint16 (input);
  return kind % 8 == 7 ? fuzz_uint8 (input) : kind % 8;
}

static guint
write_packets (GccTransportFeedbackWriter *writer, Packet *packets, Fuzz *input)
{
  guint16 seq = fuzz_uint16 (input);
  GccTime arrival = LATE + fuzz_uint16 (input);
  guint n = 0;

  gcc_transport_feedback_writer_init (writer, seq, arrival, fuzz_uint8 (input));
  while (fuzz_has_more (input)) {
    guint n_equal = fuzz_up_to (input, 63);
    guint gap = read_gap (input);
    GccTime step = fuzz_step (input) % (20 * GCC_SECOND);

    for (; n_equal > 0 && n < MAX_STATUSES; n_equal--) {
      if (writer->n_statuses + gap > MAX_STATUSES ||
          !gcc_transport_feedback_writer_add (writer, seq, arrival))
        return n;
      packets[n++] = (Packet){ seq, arrival };
      seq = (guint16) (seq + 1 + gap);
      arrival += step;
    }
  }
  return n;
}

static void
write_and_read (Fuzz *input)
{
  static Packet packets[MAX_STATUSES];
  GccTransportFeedbackWriter writer;
  GccTransportFeedback feedback;
  guint8 fci[GCC_TRANSPORT_FEEDBACK_MAX_FCI];
  guint n = write_packets (&writer, packets, input);
  GccPacketStatus status;
  GccTime base;
  gsize length;

  if (n == 0)
    return;
  length = gcc_transport_feedback_writer_finish (&writer, fci);
  g_assert_cmpuint (length, <=, sizeof fci);
  g_assert_cmpuint (length % 4, ==, 0);
  g_assert_true (gcc_transport_feedback_parse_fci (&feedback, fci, length));
  g_assert_true (feedback.has_times);
  base = feedback.reference_time * REFERENCE_TICK;
  for (guint i = 0; i < n; i++) {
    g_assert_true (next_received (&feedback, &status));
    g_assert_cmpuint (status.seq, ==, packets[i].seq);
    g_assert_cmpint (
        ABS (base + status.arrival - packets[i].arrival), <=, TICK / 2);
  }
  g_assert_false (gcc_transport_feedback_next (&feedback, &status));
}

void
fuzz_one (Fuzz *input)
{
  switch (fuzz_uint8 (input) % 3) {
    case 0:
      read_bytes (input);
      break;
    case 1:
      read_packet (input);
      break;
    default:
      write_and_read (input);
      break;
  }
}
