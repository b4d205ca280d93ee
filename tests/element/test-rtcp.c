/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* What is read of RTCP that anybody may have sent. Every packet lies right
 * before a page that must not be touched: what reads past its end dies. */

#include <gst/gcc/wire/gcc-transport-feedback.h>
#include <gst/gst.h>
#include <string.h>

#include "element-test.h"
#include "session/gstgccrtcp.h"

#define NOW (100 * GCC_SECOND)

/* Reads all of it. */
static gboolean
take_transport_feedback (const guint8 *fci, gsize length, gpointer user_data)
{
  GccTransportFeedback feedback;
  GccPacketStatus status;
  guint *n = user_data;

  if (!gcc_transport_feedback_parse_fci (&feedback, fci, length))
    return FALSE;
  while (gcc_transport_feedback_next (&feedback, &status))
    ;
  (*n)++;

  return TRUE;
}

/* Everything that is done with a packet that comes or leaves. */
static void
handle (GstGccRtcp *rtcp, const guint8 *bytes, gsize length)
{
  GstBuffer *buffer = test_guarded_buffer (bytes, length);
  GccReception reception;
  GccRoundTrip round_trip;
  guint32 ssrc;
  guint n = 0;

  gcc_round_trip_init (&round_trip);
  gcc_round_trip_note_sent (&round_trip, 0x01020304, NOW - GCC_SECOND);
  gcc_reception_init (&reception, 0x11);
  gcc_reception_feed (&reception, 1);

  gst_gcc_rtcp_read (rtcp, buffer, &round_trip, NOW);
  if (rtcp->valid)
    gst_gcc_rtcp_read_transport_feedback (buffer, take_transport_feedback, &n);
  gst_gcc_rtcp_note_sender_reports (buffer, &round_trip, NOW);
  gst_gcc_rtcp_is_report (buffer, &ssrc);
  gst_gcc_rtcp_update_blocks (buffer, &reception, 1, NOW);
  gst_buffer_unref (buffer);
}

#define HANDLE(rtcp, bytes) handle (rtcp, bytes, sizeof bytes)

/* --- what is well formed is read --- */

static void
test_a_compound_packet_is_read (void)
{
  static const guint8 bytes[] = {
    0x81, 0xc8, 0x00, 0x0c, /* SR, 1 block, 13 words */
    0x00, 0x00, 0x00, 0xaa, /* reporter */
    0xaa, 0xbb, 0xcc, 0xdd, /* NTP time */
    0xee, 0xff, 0x00, 0x11, /* */
    0x00, 0x00, 0x00, 0x00, /* RTP time */
    0x00, 0x00, 0x00, 0x00, /* packets */
    0x00, 0x00, 0x00, 0x00, /* bytes */
    0x00, 0x00, 0x00, 0x11, /* about */
    0x33, 0x00, 0x00, 0x05, /* fraction lost, packets lost */
    0x00, 0x01, 0x03, 0xe8, /* highest sequence number */
    0x00, 0x00, 0x00, 0x00, /* jitter */
    0x01, 0x02, 0x03, 0x04, /* LSR */
    0x00, 0x00, 0x80, 0x00, /* DLSR: half a second */
    0x8f, 0xce, 0x00, 0x06, /* PSFB, application layer, 7 words */
    0x00, 0x00, 0x00, 0x00, /* nobody */
    0x00, 0x00, 0x00, 0x00, /* media source */
    0x52, 0x45, 0x4d, 0x42, /* REMB */
    0x02, 0x03, 0x0d, 0x40, /* 2 SSRCs, 200000 bit/s */
    0x00, 0x00, 0x00, 0x11, /* */
    0x00, 0x00, 0x00, 0x12, /* */
    0x8f, 0xce, 0x00, 0x05, /* PSFB, application layer, 6 words */
    0x00, 0x00, 0x00, 0xbb, /* sender */
    0x00, 0x00, 0x00, 0x00, /* media source */
    0x52, 0x45, 0x4d, 0x42, /* REMB */
    0x01, 0x01, 0x86, 0xa0, /* 1 SSRC, 100000 bit/s */
    0x00, 0x00, 0x00, 0x13, /* */
    0x82, 0xcb, 0x00, 0x02, /* BYE of two sources */
    0x00, 0x00, 0x00, 0xaa, /* */
    0x00, 0x00, 0x00, 0xab, /* */
  };
  GstGccRtcp rtcp;

  HANDLE (&rtcp, bytes);
  g_assert_true (rtcp.valid);
  g_assert_false (rtcp.malformed);
  g_assert_false (rtcp.malformed_remb);

  g_assert_cmpuint (rtcp.n_sender_reports, ==, 1);
  g_assert_cmphex (rtcp.sender_reports[0].ssrc, ==, 0xaa);
  g_assert_cmphex (rtcp.sender_reports[0].ntp, ==, 0xccddeeff);

  g_assert_cmpuint (rtcp.n_blocks, ==, 1);
  g_assert_cmphex (rtcp.blocks[0].reporter, ==, 0xaa);
  g_assert_cmphex (rtcp.blocks[0].ssrc, ==, 0x11);
  g_assert_cmpuint (rtcp.blocks[0].fraction_lost, ==, 0x33);
  g_assert_cmpuint (rtcp.blocks[0].ext_highest_seq, ==, 66536);
  g_assert_cmpint (rtcp.blocks[0].rtt, ==, GCC_SECOND / 2);

  g_assert_cmpuint (rtcp.n_rembs, ==, 2);
  g_assert_cmphex (rtcp.rembs[0].sender, ==, 0);
  g_assert_cmphex (rtcp.rembs[0].reporter, ==, 0xaa);
  g_assert_cmpint (rtcp.rembs[0].rate, ==, 200000);
  g_assert_cmpuint (rtcp.rembs[0].n_ssrcs, ==, 2);
  g_assert_cmphex (rtcp.rembs[0].ssrcs[1], ==, 0x12);
  g_assert_cmphex (rtcp.rembs[1].sender, ==, 0xbb);
  g_assert_cmphex (rtcp.rembs[1].reporter, ==, 0xaa);
  g_assert_cmpint (rtcp.rembs[1].rate, ==, 100000);

  g_assert_cmpuint (rtcp.n_byes, ==, 2);
  g_assert_cmphex (rtcp.byes[1], ==, 0xab);
}

static void
test_a_remb_by_itself_is_read (void)
{
  static const guint8 bytes[] = {
    0x8f, 0xce, 0x00, 0x05, /* PSFB, application layer, 6 words */
    0x00, 0x00, 0x00, 0xbb, /* sender */
    0x00, 0x00, 0x00, 0x00, /* media source */
    0x52, 0x45, 0x4d, 0x42, /* REMB */
    0x01, 0x01, 0x86, 0xa0, /* 1 SSRC, 100000 bit/s */
    0x00, 0x00, 0x00, 0x11, /* */
  };
  GstGccRtcp rtcp;

  HANDLE (&rtcp, bytes);
  g_assert_cmpuint (rtcp.n_rembs, ==, 1);
  g_assert_cmphex (rtcp.rembs[0].reporter, ==, 0xbb);
}

static void
test_extended_reports_are_read (void)
{
  static const guint8 bytes[] = {
    0x80, 0xcf, 0x00, 0x0d, /* XR, 14 words */
    0x00, 0x00, 0x00, 0xaa, /* sender */
    0x04, 0x00, 0x00, 0x02, /* receiver reference time */
    0xaa, 0xbb, 0xcc, 0xdd, /* */
    0xee, 0xff, 0x00, 0x11, /* */
    0x63, 0x00, 0x00, 0x01, /* something unknown */
    0xff, 0xff, 0xff, 0xff, /* */
    0x05, 0x00, 0x00, 0x06, /* DLRR, two sub-blocks */
    0x00, 0x00, 0x00, 0x77, /* about somebody else */
    0x0f, 0x0f, 0x0f, 0x0f, /* a report of theirs */
    0x00, 0x00, 0x00, 0x00, /* */
    0x00, 0x00, 0x00, 0x11, /* about us */
    0x01, 0x02, 0x03, 0x04, /* our report */
    0x00, 0x00, 0x80, 0x00, /* half a second ago */
  };
  GstGccRtcp rtcp;

  HANDLE (&rtcp, bytes);
  g_assert_false (rtcp.malformed);
  g_assert_cmphex (rtcp.receiver_reference_time.ssrc, ==, 0xaa);
  g_assert_cmphex (rtcp.receiver_reference_time.ntp, ==, 0xccddeeff);
  g_assert_cmpint (rtcp.rtt, ==, GCC_SECOND / 2);
}

/* --- what is not does no harm --- */

/* GStreamer took the length at its word and read 256 kB past the packet. */
static void
test_an_xr_block_that_ends_after_its_packet_is_malformed (void)
{
  static const guint8 dlrr[] = {
    0x80, 0xcf, 0x00, 0x04, /* XR, 5 words */
    0xaa, 0xaa, 0x00, 0x01, /* sender */
    0x00, 0x00, 0x00, 0x00, /* block of type 0, empty */
    0x05, 0x00, 0xff, 0xff, /* DLRR of 65535 words */
    0x00, 0x00, 0x00, 0x00, /* of which one is there */
  };
  static const guint8 reference[] = {
    0x80, 0xcf, 0x00, 0x03, /* XR, 4 words */
    0xaa, 0xaa, 0x00, 0x01, /* sender */
    0x04, 0x00, 0x00, 0x02, /* receiver reference time */
    0xaa, 0xbb, 0xcc, 0xdd, /* half of it */
  };
  static const guint8 unknown[] = {
    0x80, 0xcf, 0x00, 0x02, /* XR, 3 words */
    0xaa, 0xaa, 0x00, 0x01, /* sender */
    0x63, 0x00, 0x00,
    0x01, /* something unknown of one word, which is missing */
  };
  GstGccRtcp rtcp;

  HANDLE (&rtcp, dlrr);
  g_assert_true (rtcp.valid);
  g_assert_true (rtcp.malformed);
  g_assert_cmpint (rtcp.rtt, ==, GCC_TIME_NONE);
  HANDLE (&rtcp, reference);
  g_assert_true (rtcp.malformed);
  g_assert_cmpuint (rtcp.receiver_reference_time.ntp, ==, 0);
  HANDLE (&rtcp, unknown);
  g_assert_true (rtcp.malformed);
}

/* What lay past a short one would have been sent back to the peer. */
static void
test_a_reference_time_of_another_length_is_skipped (void)
{
  static const guint8 bytes[] = {
    0x80, 0xcf, 0x00, 0x07, /* XR, 8 words */
    0x00, 0x00, 0x00, 0xaa, /* sender */
    0x04, 0x00, 0x00, 0x00, /* reference time, empty */
    0x04, 0x00, 0x00, 0x03, /* reference time, 3 words */
    0xff, 0xff, 0xff, 0xff, /* */
    0xff, 0xff, 0xff, 0xff, /* */
    0xff, 0xff, 0xff, 0xff, /* */
    0x04, 0x00, 0x00, 0x00, /* reference time, empty, at the very end */
  };
  GstGccRtcp rtcp;

  HANDLE (&rtcp, bytes);
  g_assert_false (rtcp.malformed);
  g_assert_cmpuint (rtcp.receiver_reference_time.ntp, ==, 0);
}

static void
test_a_dlrr_of_an_odd_length_is_skipped (void)
{
  static const guint8 bytes[] = {
    0x80, 0xcf, 0x00, 0x06, /* XR, 7 words */
    0x00, 0x00, 0x00, 0xaa, /* sender */
    0x05, 0x00, 0x00, 0x04, /* DLRR, 4 words */
    0x00, 0x00, 0x00, 0x11, /* */
    0x01, 0x02, 0x03, 0x04, /* */
    0x00, 0x00, 0x80, 0x00, /* */
    0x00, 0x00, 0x00, 0x11, /* */
  };
  GstGccRtcp rtcp;

  HANDLE (&rtcp, bytes);
  g_assert_cmpint (rtcp.rtt, ==, GCC_TIME_NONE);
}

/* The last block on the stack was taken 31 times. */
static void
test_a_report_that_holds_less_than_it_claims_is_read_as_far_as_it_goes (void)
{
  static const guint8 none[] = {
    0x9f, 0xc9, 0x00, 0x01, /* RR, 31 blocks, 2 words */
    0x00, 0x00, 0x00, 0xaa, /* reporter */
  };
  static const guint8 one[] = {
    0x9f, 0xc9, 0x00, 0x08, /* RR, 31 blocks, 9 words: a block and a word */
    0x00, 0x00, 0x00, 0xaa, /* reporter */
    0x00, 0x00, 0x00, 0x11, /* about */
    0x33, 0x00, 0x00, 0x05, /* fraction lost, packets lost */
    0x00, 0x00, 0x03, 0xe8, /* highest sequence number */
    0x00, 0x00, 0x00, 0x00, /* jitter */
    0x00, 0x00, 0x00, 0x00, /* LSR */
    0x00, 0x00, 0x00, 0x00, /* DLSR */
    0x00, 0x00, 0x00, 0x11, /* */
  };
  GstGccRtcp rtcp;

  memset (&rtcp, 0x5a, sizeof rtcp);
  HANDLE (&rtcp, none);
  g_assert_true (rtcp.malformed);
  g_assert_cmpuint (rtcp.n_blocks, ==, 0);
  HANDLE (&rtcp, one);
  g_assert_true (rtcp.malformed);
  g_assert_cmpuint (rtcp.n_blocks, ==, 1);
  g_assert_cmpuint (rtcp.blocks[0].ext_highest_seq, ==, 1000);
}

/* It was also written to: the fraction lost of a block that is not there. */
static void
test_blocks_that_are_not_there_are_not_updated (void)
{
  static const guint8 bytes[] = {
    0x82, 0xc9, 0x00, 0x07, /* RR, 2 blocks, 8 words: one block */
    0x00, 0x00, 0x00, 0xaa, /* reporter */
    0x00, 0x00, 0x00, 0x11, /* about */
    0x33, 0x00, 0x00, 0x05, /* fraction lost, packets lost */
    0x00, 0x00, 0x03, 0xe8, /* highest sequence number */
    0x00, 0x00, 0x00, 0x00, /* jitter */
    0x00, 0x00, 0x00, 0x00, /* LSR */
    0x00, 0x00, 0x00, 0x00, /* DLSR */
  };
  GstBuffer *buffer = test_guarded_buffer (bytes, sizeof bytes);
  GccReception reception;

  gcc_reception_init (&reception, 0x11);
  gcc_reception_feed (&reception, 1);
  g_assert_cmpuint (
      gst_gcc_rtcp_update_blocks (buffer, &reception, 1, NOW), ==, 1);
  gst_buffer_unref (buffer);
}

static void
test_a_report_without_a_sender_is_malformed (void)
{
  static const guint8 receiver[] = {
    0x81, 0xc9, 0x00, 0x00, /* RR, 1 block, 1 word */
  };
  static const guint8 sender[] = {
    0x80, 0xc8, 0x00, 0x02, /* SR, 3 words of 7 */
    0x00, 0x00, 0x00, 0xaa, /* sender */
    0xaa, 0xbb, 0xcc, 0xdd, /* half of the NTP time */
  };
  GstGccRtcp rtcp;

  HANDLE (&rtcp, receiver);
  g_assert_true (!rtcp.valid || rtcp.malformed);
  HANDLE (&rtcp, sender);
  g_assert_true (!rtcp.valid || rtcp.malformed);
  g_assert_cmpuint (rtcp.n_sender_reports, ==, 0);
}

static void
test_feedback_that_is_too_short_is_no_remb (void)
{
  for (guint words = 1; words <= 5; words++) {
    guint8 bytes[] = {
      0x8f, 0xce, 0x00, 0x00, /* PSFB, application layer */
      0x00, 0x00, 0x00, 0xbb, /* sender */
      0x00, 0x00, 0x00, 0x00, /* media source */
      0x52, 0x45, 0x4d, 0x42, /* REMB */
      0x01, 0x01, 0x86, 0xa0, /* 1 SSRC, 100000 bit/s */
    };
    GstGccRtcp rtcp;

    bytes[3] = (guint8) (words - 1);
    handle (&rtcp, bytes, 4 * words);
    g_assert_true (!rtcp.valid || rtcp.malformed_remb);
    g_assert_cmpuint (rtcp.n_rembs, ==, 0);
  }
}

static void
test_a_remb_names_no_more_than_it_holds (void)
{
  static const guint8 bytes[] = {
    0x8f, 0xce, 0x00, 0x05, /* PSFB, application layer, 6 words */
    0x00, 0x00, 0x00, 0xbb, /* sender */
    0x00, 0x00, 0x00, 0x00, /* media source */
    0x52, 0x45, 0x4d, 0x42, /* REMB */
    0xff, 0x01, 0x86, 0xa0, /* 255 SSRCs, 100000 bit/s */
    0x00, 0x00, 0x00, 0x11, /* */
  };
  GstGccRtcp rtcp;

  HANDLE (&rtcp, bytes);
  g_assert_true (rtcp.malformed_remb);
  g_assert_cmpuint (rtcp.n_rembs, ==, 0);
}

static void
test_a_bye_names_no_more_than_it_holds (void)
{
  static const guint8 bytes[] = {
    0x9f, 0xcb, 0x00, 0x01, /* BYE of 31 sources, 2 words */
    0x00, 0x00, 0x00, 0xaa, /* */
  };
  GstGccRtcp rtcp;

  HANDLE (&rtcp, bytes);
  g_assert_true (rtcp.malformed);
  g_assert_cmpuint (rtcp.n_byes, ==, 1);
}

static void
test_padding_holds_nothing (void)
{
  guint8 bytes[] = {
    0xa1, 0xc9, 0x00, 0x07, /* RR with padding, 1 block, 8 words */
    0x00, 0x00, 0x00, 0xaa, /* reporter */
    0x00, 0x00, 0x00, 0x11, /* about */
    0x33, 0x00, 0x00, 0x05, /* fraction lost, packets lost */
    0x00, 0x00, 0x03, 0xe8, /* highest sequence number */
    0x00, 0x00, 0x00, 0x00, /* jitter */
    0x00, 0x00, 0x00, 0x00, /* LSR */
    0x00, 0x00, 0x00, 0x04, /* a word of padding */
  };
  GstGccRtcp rtcp;

  HANDLE (&rtcp, bytes);
  g_assert_cmpuint (rtcp.n_blocks, ==, 0);
  bytes[31] = 0xfc;
  HANDLE (&rtcp, bytes);
  g_assert_true (!rtcp.valid || rtcp.malformed);
  g_assert_cmpuint (rtcp.n_blocks, ==, 0);
}

/* More of everything than there is room for. */
static void
test_a_full_packet_fills_no_more_than_its_tables (void)
{
  guint8 bytes[4096] = { 0 };
  static const guint8 remb[] = { 0x8f, 0xce, 0x00, 0x05, 0x00, 0x00, 0x00, 0xbb,
    0x00, 0x00, 0x00, 0x00, 0x52, 0x45, 0x4d, 0x42, 0x01, 0x01, 0x86, 0xa0,
    0x00, 0x00, 0x00, 0x11 };
  GstGccRtcp rtcp;

  for (gsize i = 0; i + sizeof remb <= sizeof bytes; i += sizeof remb)
    memcpy (bytes + i, remb, sizeof remb);
  handle (&rtcp, bytes, sizeof bytes / sizeof remb * sizeof remb);
  g_assert_cmpuint (rtcp.n_rembs, ==, GST_GCC_RTCP_MAX_REMBS);

  /* sender reports of 31 blocks, each 193 words */
  memset (bytes, 0, sizeof bytes);
  for (gsize i = 0; i + 772 <= sizeof bytes; i += 772) {
    static const guint8 header[] = { 0x9f, 0xc8, 0x00, 0xc0 };

    memcpy (bytes + i, header, sizeof header);
  }
  handle (&rtcp, bytes, sizeof bytes / 772 * 772);
  g_assert_true (rtcp.valid);
  g_assert_cmpuint (rtcp.n_blocks, ==, GST_GCC_RTCP_MAX_BLOCKS);
  g_assert_cmpuint (rtcp.n_sender_reports, ==, sizeof bytes / 772);

  memset (bytes, 0, sizeof bytes);
  for (gsize i = 0; i < 128; i += 64) {
    static const guint8 header[] = { 0x8f, 0xcb, 0x00, 0x0f };

    memcpy (bytes + i, header, sizeof header);
  }
  handle (&rtcp, bytes, 128);
  g_assert_cmpuint (rtcp.n_byes, ==, 30);
}

/* Any length and count in any packet. */
static void
test_nothing_is_read_past_the_end (void)
{
  static const guint8 types[] = { 200, 201, 202, 203, 204, 205, 206, 207 };
  GRand *rand = g_rand_new_with_seed (12);

  for (guint i = 0; i < 20000; i++) {
    gsize words = (gsize) g_rand_int_range (rand, 1, 24);
    guint8 bytes[4 * 24];
    GstGccRtcp rtcp;

    for (gsize j = 0; j < sizeof bytes; j++)
      bytes[j] = g_rand_boolean (rand) ? (guint8) g_rand_int_range (rand, 0, 16)
                                       : (guint8) g_rand_int (rand);
    bytes[0] = 0x80 | (bytes[0] & (i % 8 == 0 ? 0x3f : 0x1f));
    bytes[1] = types[g_rand_int_range (rand, 0, G_N_ELEMENTS (types))];
    bytes[2] = 0;
    bytes[3] = (guint8) (words - 1);
    handle (&rtcp, bytes, 4 * words);
  }
  g_rand_free (rand);
}

/* Guards against a critical of GStreamer's that fuzzing found: a buffer without
 * memory has no data to look at. */
static void
test_a_buffer_without_memory_is_no_rtcp (void)
{
  GstBuffer *buffer = gst_buffer_new ();
  GccRoundTrip round_trip;
  GstGccRtcp rtcp;

  gcc_round_trip_init (&round_trip);
  gst_gcc_rtcp_read (&rtcp, buffer, &round_trip, NOW);
  g_assert_false (rtcp.valid);
  gst_buffer_unref (buffer);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

#define TEST(name) g_test_add_func ("/rtcp/" #name, test_##name)
  TEST (a_compound_packet_is_read);
  TEST (a_remb_by_itself_is_read);
  TEST (extended_reports_are_read);
  TEST (an_xr_block_that_ends_after_its_packet_is_malformed);
  TEST (a_reference_time_of_another_length_is_skipped);
  TEST (a_dlrr_of_an_odd_length_is_skipped);
  TEST (a_report_that_holds_less_than_it_claims_is_read_as_far_as_it_goes);
  TEST (blocks_that_are_not_there_are_not_updated);
  TEST (a_report_without_a_sender_is_malformed);
  TEST (feedback_that_is_too_short_is_no_remb);
  TEST (a_remb_names_no_more_than_it_holds);
  TEST (a_bye_names_no_more_than_it_holds);
  TEST (padding_holds_nothing);
  TEST (a_full_packet_fills_no_more_than_its_tables);
  TEST (nothing_is_read_past_the_end);
  TEST (a_buffer_without_memory_is_no_rtcp);

  return g_test_run ();
}
