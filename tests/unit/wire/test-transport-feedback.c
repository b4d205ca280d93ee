/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/wire/gcc-transport-feedback.h>

#include "conformance.h"
#include "wire/hex.h"
#include "guard.h"

#include <string.h>

#define GST "GST22 rtpsession"
#define C26 "C26 transport_feedback_unittest"
#define C26_GENERATOR \
  "C26 transport_sequence_number_feedback_generator_unittest"

#define PR "PR transport_layer_cc_test"
#define C20 "C20 transport_feedback_unittest"

#define TICK GCC_TRANSPORT_FEEDBACK_TICK
#define MAX_FCI GCC_TRANSPORT_FEEDBACK_MAX_FCI
#define RTCP_HEADER 12

/* --- bytes and what they say, as text --- */

/* number@ms of what was received */
static gchar *
describe (GccTransportFeedback *feedback)
{
  GString *text = g_string_new (NULL);
  GccTime reference = feedback->reference_time *
      GCC_TRANSPORT_FEEDBACK_REFERENCE_TICK;
  GccPacketStatus status;

  while (gcc_transport_feedback_next (feedback, &status)) {
    if (!status.received)
      continue;
    g_string_append_printf (
        text, "%s%u", text->len == 0 ? "" : " ", status.seq);
    if (status.arrival != GCC_TIME_NONE)
      g_string_append_printf (
          text, "@%.12g", gcc_time_to_ms (reference + status.arrival));
  }
  return g_string_free (text, FALSE);
}

static gchar *
describe_fci (const guint8 *fci, gsize length)
{
  GccTransportFeedback feedback;

  if (!gcc_transport_feedback_parse_fci (&feedback, fci, length))
    return g_strdup ("refused");
  return describe (&feedback);
}

/* Writes what describe() tells. */
static gsize
write_described (const gchar *text, guint8 count, guint8 *fci)
{
  g_auto (GStrv) packets = g_strsplit (text, " ", -1);
  GccTransportFeedbackWriter writer;

  for (guint i = 0; packets[i] != NULL; i++) {
    guint16 seq = (guint16) g_ascii_strtoull (packets[i], NULL, 10);
    gdouble ms = g_ascii_strtod (strchr (packets[i], '@') + 1, NULL);
    GccTime arrival = (GccTime) (ms * 1000.);

    if (i == 0)
      gcc_transport_feedback_writer_init (&writer, seq, arrival, count);
    g_assert_true (gcc_transport_feedback_writer_add (&writer, seq, arrival));
  }
  return gcc_transport_feedback_writer_finish (&writer, fci);
}

/* --- published bytes --- */

#define X6(byte) byte byte byte byte byte byte
#define X13(byte) X6 (byte) X6 (byte) byte

typedef struct {
  const gchar *packets;
  const gchar *fci;
  /* chunks as libwebrtc chooses them, too */
  gboolean is_written;
} Vector;

static const Vector vectors[] = {
  { "10@0 12@12 14@14 15@15 17@17 20@20 21@21 23@23",
      "000a000e 00000000 ab4d 00 30 08 04 08 0c 04 08 0000", TRUE },
  { "5@320 7@448 8@512 11@768",
      "00050007 00000500 d282 00 0200 0100 0400 000000", TRUE },
  { "0@0 6@250", "00000007 00000000 d002 00 03e8 000000", TRUE },
  { "0@0 1@0.25 2@0.5 3@0.75 4@1 5@1.25 6@1.5 7@1750 8@2 9@2.25 10@2.5 "
    "11@2.75 12@3 13@3.25 14@3.5 15@3.75 16@4 17@4.25 18@4.5 19@4.75 20@5 "
    "21@5.25",
      "00000016 00000000 2007 4002 200d 00" X6 ("01") "1b52 e4b0" X13 (
          "01") "0000",
      FALSE },
  { "1@64 2@128 6@384 7@448", "00010007 00000100 d80a 00 0100 0400 0100 000000",
      TRUE },
  { "65534@0 65535@0.25 0@0.5 1@0.75",
      "fffe0004 00000000 2004 00 01 01 01 0000", TRUE },
  { "11@11 12@12", "000b0002 00000000 2002 2c 04", TRUE },
  { "13@13 14@14 15@15", "000d0003 00000001 2003 34 04 04 000000", TRUE },
  { "9@128 10@160 30011@192 30012@224 30013@256",
      "00097535 00000200 b000 1fff 1fff 1fff 1527 b800 00 80 80 80 80 000000",
      FALSE },
  { "1@0.25 2@0.5 3@0.75", "00010003 00000000 2003 01 01 01 000000", TRUE },
  { "4@1 5@1.25", "00040002 00000001 2002 04 01", TRUE },
  { "6@1.5 7@1.75 8@2 9@2.25", "00060004 00000002 2004 06 01 01 01 0000",
      TRUE },
  { "2002@9366.25 2003@9366.25 2017@9366.75 2019@9391.5 2020@9426.75 2025@9427",
      "07d20018 00009200 b000 9610 59 00 02 63 8d 01 0000", TRUE },
  { "1@0.25 3@0.5", "00010003 00000000 a800 01 01", FALSE },
  { "4@1", "00040001 00000001 2001 04 00", TRUE },
  { "0@1 8205@2", "0000200e 00000000 a000 1fff a000 04 04", FALSE },
};

static void
test_published_bytes_are_parsed (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (vectors); i++) {
    guint8 fci[64];
    gsize length = from_hex (vectors[i].fci, fci);
    g_autofree gchar *got = describe_fci (fci, length);

    conformance_check_string (GST, vectors[i].fci, vectors[i].packets, got);
  }
}

static void
test_published_bytes_are_written (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (vectors); i++) {
    guint8 published[64];
    guint8 fci[MAX_FCI];
    gsize length = from_hex (vectors[i].fci, published);
    g_autofree gchar *expected = to_hex (published, (length + 3) & ~(gsize) 3);
    g_autofree gchar *got = NULL;

    if (!vectors[i].is_written) {
      conformance_not_applicable (GST, vectors[i].packets, vectors[i].fci,
          "written with libwebrtc's choice of chunks");
      continue;
    }
    /* FCIs that do not end on a word were padded by the sender. */
    while (length % 4 != 0)
      published[length++] = 0;
    length = write_described (vectors[i].packets, published[7], fci);
    got = to_hex (fci, length);
    conformance_check_string (GST, vectors[i].packets, expected, got);
  }
}

static void
test_feedback_shorter_than_its_statuses_is_refused (void)
{
  guint8 fci[16];
  gsize length = from_hex ("ffffffff ffffffff 3fff 00", fci);
  g_autofree gchar *got = describe_fci (fci, length);

  conformance_check_string (
      GST, "ffffffffffffffff3fff00, cut short", "refused", got);
}

static void
test_what_the_receiving_end_decides_is_not_here (void)
{
  static const gchar *generator[][2] = {
    { "one packet", "base 10, time 123 ms" },
    { "a packet twice", "first arrival counts" },
    { "deltas of 63.75 and 64.75 ms", "one message" },
    { "a delta of 8192 ms", "two messages" },
    { "three sequences 20000 apart", "the last two" },
    { "a packet after a later one was reported", "both are reported" },
    { "interval at no rate, 300, 0, 20, 80 kbit/s",
        "100, 50, 250, 250, 136 ms" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (generator); i++)
    conformance_not_applicable (C26_GENERATOR, generator[i][0], generator[i][1],
        "GStreamer's RTP session writes the feedback");
  conformance_not_applicable (GST, "feedbacks in an interval of 50 ms",
      "4, 2, 15, 9", "GStreamer's RTP session writes the feedback");
}

/* --- libwebrtc's limits --- */

static gboolean
can_follow (guint16 seq, GccTime arrival)
{
  GccTransportFeedbackWriter writer;

  gcc_transport_feedback_writer_init (&writer, 0, 0, 0);
  g_assert_true (gcc_transport_feedback_writer_add (&writer, 0, 0));
  return gcc_transport_feedback_writer_add (&writer, seq, arrival);
}

static void
test_what_does_not_fit_is_refused (void)
{
  conformance_check_boolean (
      C26, "jump of 0x8000", TRUE, can_follow (0x8000, GCC_MSECOND));
  conformance_check_boolean (
      C26, "jump of 0x8001", FALSE, can_follow (0x8001, GCC_MSECOND));
  conformance_check_boolean (
      C26, "delta of 32767 ticks", TRUE, can_follow (1, G_MAXINT16 * TICK));
  conformance_check_boolean (
      C26, "delta of 32768 ticks", FALSE, can_follow (1, 32768 * TICK));
  g_assert_true (can_follow (1, -32768 * TICK));
  g_assert_false (can_follow (1, -32769 * TICK));
}

static void
test_times_do_not_drift (void)
{
  GccTransportFeedbackWriter writer;
  GccTransportFeedback feedback;
  GccPacketStatus status;
  guint8 fci[MAX_FCI];
  GccTime worst = 0;
  gsize length;

  gcc_transport_feedback_writer_init (&writer, 0, 0, 0);
  for (guint i = 0; i < 100; i++)
    g_assert_true (gcc_transport_feedback_writer_add (
        &writer, (guint16) i, (GccTime) i * TICK / 3));
  length = gcc_transport_feedback_writer_finish (&writer, fci);
  g_assert_true (gcc_transport_feedback_parse_fci (&feedback, fci, length));
  while (gcc_transport_feedback_next (&feedback, &status))
    worst = MAX (worst, ABS (status.arrival - status.seq * TICK / 3));
  conformance_check_boolean (C26,
      "100 packets a third of a tick apart are within half a tick", TRUE,
      worst <= TICK / 2);
}

static void
test_reference_time_wraps (void)
{
  gint64 period = G_GINT64_CONSTANT (1)
      << GCC_TRANSPORT_FEEDBACK_REFERENCE_BITS;
  gint64 before = gcc_transport_feedback_unwrap (0, (guint32) (period - 1), 24);
  gint64 after = gcc_transport_feedback_unwrap (before, 0, 24);

  conformance_check_int (C26, "ms between base times on both sides of the wrap",
      64,
      (after - before) * GCC_TRANSPORT_FEEDBACK_REFERENCE_TICK / GCC_MSECOND);
}

static void
test_numbers_are_unwrapped_to_the_nearest (void)
{
  g_assert_cmpint (gcc_transport_feedback_unwrap (65535, 0, 16), ==, 65536);
  g_assert_cmpint (gcc_transport_feedback_unwrap (65536, 65535, 16), ==, 65535);
  g_assert_cmpint (gcc_transport_feedback_unwrap (0, 65535, 16), ==, -1);
  g_assert_cmpint (gcc_transport_feedback_unwrap (-1, 0, 16), ==, 0);
  g_assert_cmpint (gcc_transport_feedback_unwrap (0, 0x8000, 16), ==, 0x8000);
  g_assert_cmpint (gcc_transport_feedback_unwrap (0, 0x8001, 16), ==, -0x7fff);
  g_assert_cmpint (
      gcc_transport_feedback_unwrap (3 * 65536 + 7, 7, 16), ==, 3 * 65536 + 7);
}

static void
check_layout (const gchar *source, const gchar *packets, guint n_chunks,
    guint n_delta_bytes)
{
  g_autofree gchar *expected = g_strdup_printf (
      "%u chunks, %u delta bytes", n_chunks, n_delta_bytes);
  g_autofree gchar *got = NULL;
  GccTransportFeedback feedback;
  guint8 fci[MAX_FCI];
  gsize length = write_described (packets, 0, fci);
  GccPacketStatus status;

  g_assert_true (gcc_transport_feedback_parse_fci (&feedback, fci, length));
  got = g_strdup_printf (
      "%u chunks, ", (guint) (feedback.deltas - fci - 8) / 2);
  {
    const guint8 *deltas = feedback.deltas;
    g_autofree gchar *all = got;

    while (gcc_transport_feedback_next (&feedback, &status)) {
    }
    got = g_strdup_printf (
        "%s%u delta bytes", all, (guint) (feedback.deltas - deltas));
  }
  conformance_check_string (source, packets, expected, got);
}

static void
test_chunks_are_chosen_as_published (void)
{
  check_layout (C26, "0@0 6@64", 1, 3);
  check_layout (C26, "0@0 7@64", 2, 3);
  check_layout (C26, "1@2 2@1 6@4 7@3 8@67", 2, 8);
}

/* Lengths are of whole packets before they are padded. */
static void
test_lengths_are_as_published (void)
{
  static const struct {
    const gchar *packets;
    guint n_chunks;
    guint n_delta_bytes;
  } layouts[] = {
    { "1@0 2@0 7@0 8@0 9@0 10@0 13@0", 1, 7 },
    { "1@0 2@64 6@128 7@192", 1, 7 },
    { "1@0 2@64 6@128 7@192 8@256", 2, 9 },
    { "0@0 8205@0", 3, 2 },
    { "0@0 29@0", 3, 2 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (layouts); i++)
    check_layout (
        C20, layouts[i].packets, layouts[i].n_chunks, layouts[i].n_delta_bytes);
}

static void
test_negative_deltas_are_large (void)
{
  guint8 fci[MAX_FCI];
  gsize length = write_described ("1@2 2@1 6@4 7@3 8@67", 0, fci);
  g_autofree gchar *got = to_hex (fci + 12, length - 12);

  conformance_check_int (C26, "bytes in all, 1@2 2@1 6@4 7@3 8@67", 32,
      (gint64) length + RTCP_HEADER);
  conformance_check_string (
      C26, "deltas of 8, -4, 12, -4, 256 ticks", "08fffc0cfffc0100", got);
}

/* --- RTCP around it --- */

static gsize
make_packet (
    guint8 *packet, const guint8 *fci, gsize fci_length, guint8 padding)
{
  gsize length = RTCP_HEADER + fci_length + padding;

  memset (packet, 0, length);
  packet[0] = padding != 0 ? 0xaf : 0x8f;
  packet[1] = 205;
  packet[3] = (guint8) (length / 4 - 1);
  memcpy (packet + RTCP_HEADER, fci, fci_length);
  if (padding != 0)
    packet[length - 1] = padding;
  return length;
}

static gchar *
describe_packet (const guint8 *packet, gsize length)
{
  GccTransportFeedback feedback;

  if (!gcc_transport_feedback_parse_packet (&feedback, packet, length))
    return g_strdup ("refused");
  return describe (&feedback);
}

static void
test_packets_of_another_implementation_are_parsed (void)
{
  static const struct {
    const gchar *packet;
    const gchar *expected;
  } pion[] = {
    { "afcd0005fa17fa1743032fa0009900013de8021720019401", "153@259653797" },
    { "afcd0007fa17fa17193dd8bb0004000710636e0120074c2424100c0c10000003",
        "4@68737939 5@68737948 6@68737957 7@68737961 8@68737964 9@68737967 "
        "10@68737971" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (pion); i++) {
    guint8 packet[64];
    gsize length = from_hex (pion[i].packet, packet);
    g_autofree gchar *got = describe_packet (packet, length);

    conformance_check_string (PR, pion[i].packet, pion[i].expected, got);
  }
  conformance_not_applicable (PR,
      "afcd0006fa17fa17193dd8bb0174000e45b15a40d800f0ffd0000003",
      "372, 373; reserved symbols carry no delta",
      "refused, as libwebrtc does");
  conformance_not_applicable (PR,
      "afcd0006fa17fa17193dd8bb0001000e10636d00ba00100c0c100003",
      "1, 2, 3, 5 with their times",
      "3 bytes of padding, where there are 2, take the last delta");
  conformance_not_applicable (PR, "8fcd00049acb0442000000000000000000000000",
      "accepted without a status", "refused, as libwebrtc does");
  conformance_not_applicable (PR,
      "afcd0005fa17fa1743032fa0009900033de8021720039401", "error",
      "without its deltas it says what was received, as with libwebrtc");
}

static void
test_padding_is_no_delta (void)
{
  guint8 fci[16] = { 0, 10, 0, 1, 0, 0, 0, 0, 0x20, 1, 7, 0, 0, 0, 0, 0 };
  guint8 packet[64];
  g_autofree gchar *plain = describe_packet (
      packet, make_packet (packet, fci, 12, 0));
  g_autofree gchar *padded = describe_packet (
      packet, make_packet (packet, fci, 11, 5));
  g_autofree gchar *zeros = describe_packet (
      packet, make_packet (packet, fci, 16, 0));

  conformance_check_string (C26, "23 bytes, a zero behind", "10@1.75", plain);
  conformance_check_string (C26, "23 bytes, 5 of padding", "10@1.75", padded);
  conformance_check_string (C26, "23 bytes, 5 zeros behind", "10@1.75", zeros);
}

/* Guards: padding bytes taken for the deltas that are missing. */
static void
test_cut_deltas_leave_what_was_received (void)
{
  guint8 fci[16] = { 0, 10, 0, 2, 0, 0, 0, 0, 0x20, 2, 7 };
  guint8 packet[64];
  g_autofree gchar *got = describe_packet (
      packet, make_packet (packet, fci, 11, 5));

  g_assert_cmpstr (got, ==, "10 11");
}

static void
test_what_is_no_feedback_is_refused (void)
{
  static const struct {
    guint byte;
    guint8 value;
  } changes[] = {
    { 0, 0x4f },  /* version 1 */
    { 0, 0x8e },  /* format 14 */
    { 1, 206 },   /* PSFB */
    { 3, 4 },     /* shorter than it is */
    { 3, 6 },     /* longer than it is */
    { 0, 0xaf },  /* padding of 0 bytes */
    { 15, 0 },    /* no statuses */
    { 20, 0x60 }, /* a run of the reserved kind */
  };
  guint8 fci[12] = { 0, 10, 0, 1, 0, 0, 0, 0, 0x20, 1, 7, 0 };
  guint8 packet[64];

  for (guint i = 0; i < G_N_ELEMENTS (changes); i++) {
    gsize length = make_packet (packet, fci, 12, 0);
    g_autofree gchar *got = NULL;

    packet[changes[i].byte] = changes[i].value;
    got = describe_packet (packet, length);
    g_assert_cmpstr (got, ==, "refused");
  }
}

static void
test_padding_longer_than_the_packet_is_refused (void)
{
  guint8 fci[12] = { 0, 10, 0, 1, 0, 0, 0, 0, 0x20, 1, 7, 13 };
  guint8 packet[64];
  gsize length = make_packet (packet, fci, 12, 0);
  g_autofree gchar *got = NULL;

  packet[0] = 0xaf;
  got = describe_packet (packet, length);
  g_assert_cmpstr (got, ==, "refused");
}

static void
test_symbols_after_the_last_packet_do_not_count (void)
{
  guint8 fci[16];
  /* one packet, then six symbols of the reserved kind */
  gsize length = from_hex ("000a0001 00000000 dfff 07 00", fci);
  g_autofree gchar *got = describe_fci (fci, length);

  g_assert_cmpstr (got, ==, "10@1.75");
}

static void
test_reserved_symbols_are_refused (void)
{
  guint8 fci[16];
  gsize length = from_hex ("000a0002 00000000 dfff 07 00", fci);
  g_autofree gchar *got = describe_fci (fci, length);

  g_assert_cmpstr (got, ==, "refused");
}

static void
test_empty_runs_lead_nowhere (void)
{
  guint8 fci[16];
  gsize length = from_hex ("000a0001 00000000 0000 2000 2001 07 00", fci);
  g_autofree gchar *got = describe_fci (fci, length);
  g_autofree gchar *never = describe_fci (fci, 12);

  g_assert_cmpstr (got, ==, "10@1.75");
  g_assert_cmpstr (never, ==, "refused");
}

/* --- bounds: what is read lies in front of a page that must not be --- */

/* Returns how many statuses could be read. */
static guint
read_all (GccTransportFeedback *feedback)
{
  GccPacketStatus status;
  guint n = 0;

  while (gcc_transport_feedback_next (feedback, &status)) {
    g_assert_true (status.received || status.arrival == GCC_TIME_NONE);
    n++;
  }
  g_assert_cmpuint (n, ==, feedback->n_statuses);
  return n;
}

static void
test_no_truncation_is_read_beyond_its_end (void)
{
  Guard guard;

  guard_init (&guard);
  for (guint i = 0; i < G_N_ELEMENTS (vectors); i++) {
    guint8 fci[64];
    gsize whole = from_hex (vectors[i].fci, fci);

    for (gsize length = 0; length <= whole; length++) {
      const guint8 *put = guard_put (&guard, fci, length);
      GccTransportFeedback feedback;

      if (gcc_transport_feedback_parse_fci (&feedback, put, length))
        read_all (&feedback);
      else
        g_assert_cmpuint (length, <, whole);
    }
  }
  guard_clear (&guard);
}

static void
test_no_truncated_packet_is_taken (void)
{
  Guard guard;

  guard_init (&guard);
  for (guint i = 0; i < G_N_ELEMENTS (vectors); i++) {
    guint8 fci[64];
    guint8 packet[128];
    gsize whole = from_hex (vectors[i].fci, fci);

    while (whole % 4 != 0)
      fci[whole++] = 0;
    whole = make_packet (packet, fci, whole, 0);
    for (gsize length = 0; length < whole; length++) {
      const guint8 *put = guard_put (&guard, packet, length);
      GccTransportFeedback feedback;

      g_assert_false (
          gcc_transport_feedback_parse_packet (&feedback, put, length));
    }
  }
  guard_clear (&guard);
}

static void
test_random_bytes_do_no_harm (void)
{
  GRand *rand = g_rand_new_with_seed (3);
  guint n_parsed = 0;
  Guard guard;

  guard_init (&guard);
  for (guint i = 0; i < 200000; i++) {
    gsize length = (gsize) g_rand_int_range (rand, 0, 80);
    GccTransportFeedback feedback;
    guint8 bytes[80];
    const guint8 *put;

    for (gsize j = 0; j < length; j++)
      bytes[j] = (guint8) g_rand_int (rand);
    /* mostly few enough packets to have a chance */
    if (length > 3 && i % 4 != 0)
      bytes[2] = 0;
    if (length > 12 && i % 2 == 0) {
      bytes[0] = (guint8) (0x8f | (bytes[0] & 0x20));
      bytes[1] = 205;
      bytes[2] = 0;
      bytes[3] = (guint8) (length / 4 - 1);
    }
    put = guard_put (&guard, bytes, length);
    if (gcc_transport_feedback_parse_fci (&feedback, put, length))
      n_parsed += read_all (&feedback) > 0;
    if (gcc_transport_feedback_parse_packet (&feedback, put, length))
      n_parsed += read_all (&feedback) > 0;
  }
  g_assert_cmpuint (n_parsed, >, 1000);
  guard_clear (&guard);
  g_rand_free (rand);
}

static void
test_nothing_is_written_on_failure (void)
{
  GccTransportFeedback feedback = { .base_seq = 77 };
  guint8 fci[10] = { 0 };

  g_assert_false (gcc_transport_feedback_parse_fci (&feedback, fci, 10));
  g_assert_false (gcc_transport_feedback_parse_fci (&feedback, NULL, 0));
  g_assert_cmpuint (feedback.base_seq, ==, 77);
}

/* --- whatever is written is read --- */

typedef struct {
  guint16 seq;
  GccTime arrival;
} Written;

static guint
write_random (GRand *rand, GccTransportFeedbackWriter *writer, Written *written,
    guint max)
{
  guint16 seq = (guint16) g_rand_int (rand);
  GccTime arrival = (GccTime) g_rand_int (rand) * TICK;
  guint mood = (guint) g_rand_int_range (rand, 0, 4);
  guint n = 0;

  gcc_transport_feedback_writer_init (writer, seq, arrival, 9);
  while (n < max && gcc_transport_feedback_writer_add (writer, seq, arrival)) {
    written[n++] = (Written){ seq, arrival };
    seq = (guint16) (seq + 1 + (mood & 1 ? g_rand_int_range (rand, 0, 3) : 0) +
        (g_rand_int_range (rand, 0, 50) == 0 ? 9000 : 0));
    arrival += TICK * g_rand_int_range (rand, mood & 2 ? -300 : 0, 300);
  }
  return n;
}

static void
test_whatever_is_written_is_read (void)
{
  GRand *rand = g_rand_new_with_seed (4);
  static Written written[2000];

  for (guint i = 0; i < 5000; i++) {
    GccTransportFeedbackWriter writer;
    GccTransportFeedback feedback;
    GccPacketStatus status;
    guint8 fci[MAX_FCI];
    guint n = write_random (rand, &writer, written, i % 7 == 0 ? 2000 : 40);
    gsize length = gcc_transport_feedback_writer_finish (&writer, fci);
    GccTime reference;
    guint next = 0;

    g_assert_cmpuint (length, <=, MAX_FCI);
    g_assert_true (gcc_transport_feedback_parse_fci (&feedback, fci, length));
    g_assert_cmpuint (feedback.count, ==, 9);
    g_assert_true (feedback.has_times);
    reference = gcc_transport_feedback_unwrap (
                    written[0].arrival / GCC_TRANSPORT_FEEDBACK_REFERENCE_TICK,
                    feedback.reference_time, 24) *
        GCC_TRANSPORT_FEEDBACK_REFERENCE_TICK;
    while (gcc_transport_feedback_next (&feedback, &status)) {
      if (!status.received)
        continue;
      g_assert_cmpuint (status.seq, ==, written[next].seq);
      g_assert_cmpint (reference + status.arrival, ==, written[next].arrival);
      next++;
    }
    g_assert_cmpuint (next, ==, n);
  }
  g_rand_free (rand);
}

static void
check_skip (GccTransportFeedback read, guint n)
{
  GccTransportFeedback skipped = read;
  GccPacketStatus status, expected;
  guint n_read = 0, n_received = 0;
  gboolean has_arrivals;

  while (n_read < n && gcc_transport_feedback_next (&read, &status))
    n_read++;
  g_assert_cmpuint (gcc_transport_feedback_skip (&skipped, n), ==, n_read);
  has_arrivals = gcc_transport_feedback_has_arrivals (&skipped);
  while (gcc_transport_feedback_next (&read, &expected)) {
    g_assert_true (gcc_transport_feedback_next (&skipped, &status));
    g_assert_cmpuint (status.seq, ==, expected.seq);
    g_assert_cmpint (status.received, ==, expected.received);
    g_assert_cmpint (status.arrival, ==, expected.arrival);
    n_received += status.received;
  }
  g_assert_false (gcc_transport_feedback_next (&skipped, &status));
  g_assert_cmpint (has_arrivals, ==, n_received > 0);
}

/* Runs, of nothing, without times and with; vectors; a run of no length. */
static void
test_skipping_is_reading (void)
{
  static const guint8 runs[] = { 0, 9, 0, 60, 0, 0, 0, 0, 0x00, 20, 0xa0, 0x55,
    0x00, 0, 0x20, 3, 0xd2, 0x49, 0x20, 16, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3,
    4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9 };

  static const guint8 nothing[] = { 0, 9, 0, 60, 0, 0, 0, 0, 0x00, 9, 0x00,
    51 };
  GccTransportFeedback feedback;

  g_assert_true (
      gcc_transport_feedback_parse_fci (&feedback, nothing, sizeof nothing));
  for (guint n = 0; n <= 61; n++)
    check_skip (feedback, n);
  for (gsize length = 20; length <= sizeof runs; length += 4) {

    g_assert_true (gcc_transport_feedback_parse_fci (&feedback, runs, length));
    for (guint n = 0; n <= 61; n++)
      check_skip (feedback, n);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/transport-feedback/" #name, test_##name)
  ADD (published_bytes_are_parsed);
  ADD (published_bytes_are_written);
  ADD (feedback_shorter_than_its_statuses_is_refused);
  ADD (what_the_receiving_end_decides_is_not_here);
  ADD (what_does_not_fit_is_refused);
  ADD (times_do_not_drift);
  ADD (reference_time_wraps);
  ADD (numbers_are_unwrapped_to_the_nearest);
  ADD (chunks_are_chosen_as_published);
  ADD (lengths_are_as_published);
  ADD (negative_deltas_are_large);
  ADD (packets_of_another_implementation_are_parsed);
  ADD (padding_is_no_delta);
  ADD (cut_deltas_leave_what_was_received);
  ADD (what_is_no_feedback_is_refused);
  ADD (padding_longer_than_the_packet_is_refused);
  ADD (symbols_after_the_last_packet_do_not_count);
  ADD (reserved_symbols_are_refused);
  ADD (empty_runs_lead_nowhere);
  ADD (no_truncation_is_read_beyond_its_end);
  ADD (no_truncated_packet_is_taken);
  ADD (random_bytes_do_no_harm);
  ADD (nothing_is_written_on_failure);
  ADD (whatever_is_written_is_read);
  ADD (skipping_is_reading);
#undef ADD
  return g_test_run ();
}
