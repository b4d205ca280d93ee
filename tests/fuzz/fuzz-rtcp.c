/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* RTCP: what comes is read, and what leaves is added to. */

#include <gst/rtp/rtp.h>

#include "fuzz-gst.h"
#include "fuzz.h"
#include "session/gstgccrtcp.h"

/* What rtpsession leaves room for. */
#define MAX_SIZE 1400

#define N_RECEPTIONS 2
#define NOW (1000 * GCC_SECOND)

static GstGccRtcp rtcp, again;

void
fuzz_init (void)
{
  fuzz_gst_init ();
}

/* The reports that the peer may refer to: 1, 2, ... */
static void
note_reports (GccRoundTrip *round_trip)
{
  gcc_round_trip_init (round_trip);
  for (guint i = 0; i < 4; i++)
    gcc_round_trip_note_sent (
        round_trip, 1 + i, NOW - (4 - (GccTime) i) * GCC_SECOND);
}

static void
check_read (const GstGccRtcp *self, gsize size)
{
  gsize least = 0;

  g_assert_cmpuint (self->n_blocks, <=, GST_GCC_RTCP_MAX_BLOCKS);
  g_assert_cmpuint (
      self->n_sender_reports, <=, GST_GCC_RTCP_MAX_SENDER_REPORTS);
  g_assert_cmpuint (self->n_rembs, <=, GST_GCC_RTCP_MAX_REMBS);
  g_assert_cmpuint (self->n_byes, <=, GST_GCC_RTCP_MAX_BYES);
  for (guint i = 0; i < self->n_blocks; i++)
    g_assert_true (
        self->blocks[i].rtt == GCC_TIME_NONE || self->blocks[i].rtt >= 0);
  for (guint i = 0; i < self->n_rembs; i++) {
    g_assert_cmpint (self->rembs[i].rate, >=, 0);
    least += 12 + GCC_REMB_FCI_LENGTH (self->rembs[i].n_ssrcs);
  }
  g_assert_true (self->rtt == GCC_TIME_NONE || self->rtt >= 0);

  /* no byte was read twice */
  least += 24 * (gsize) self->n_blocks + 28 * (gsize) self->n_sender_reports +
      4 * (gsize) self->n_byes;
  g_assert_cmpuint (least, <=, size);
  g_assert_true (self->valid || least == 0);
}

/* As rtpsession hands it out: writable, and with room at its end. */
static GstBuffer *
make_leaving (const guint8 *data, gsize size)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, MAX_SIZE, NULL);

  gst_buffer_fill (buffer, 0, data, size);
  gst_buffer_set_size (buffer, (gssize) size);
  return buffer;
}

static void
receive_some (GccReception *receptions, Fuzz *input)
{
  for (guint i = 0; i < N_RECEPTIONS; i++) {
    gcc_reception_init (
        &receptions[i], i < rtcp.n_blocks ? rtcp.blocks[i].ssrc : 1 + i);
    for (guint n = fuzz_up_to (input, 3); n > 0; n--)
      gcc_reception_feed (&receptions[i], fuzz_uint8 (input));
  }
}

/* A rate as the message rounds it. */
static GccRate
round_down (GccRate rate)
{
  guint exponent = 0;

  while (rate >> exponent > 0x3ffff)
    exponent++;
  return rate >> exponent << exponent;
}

static void
add_remb (GstBuffer *buffer, GccRoundTrip *round_trip, Fuzz *input)
{
  GccRemb remb = { .sender = 7, .ssrcs = { 1, 2, 3 } };
  const GccRemb *last;

  remb.n_ssrcs = fuzz_up_to (input, 3);
  remb.rate = fuzz_rate (input);

  gst_gcc_rtcp_read (&rtcp, buffer, round_trip, NOW);
  if (!gst_gcc_rtcp_add_remb (buffer, &remb))
    return;
  gst_gcc_rtcp_read (&again, buffer, round_trip, NOW);
  check_read (&again, gst_buffer_get_size (buffer));
  /* after padding nothing may follow */
  if (!rtcp.valid || !again.valid || rtcp.n_rembs == GST_GCC_RTCP_MAX_REMBS)
    return;
  g_assert_cmpuint (again.n_rembs, ==, rtcp.n_rembs + 1);
  last = &again.rembs[again.n_rembs - 1];
  g_assert_cmpint (last->rate, ==, round_down (remb.rate));
  g_assert_cmpuint (last->n_ssrcs, ==, remb.n_ssrcs);
  g_assert_cmpuint (last->sender, ==, 7);
}

static void
leave (const guint8 *data, gsize size, Fuzz *input)
{
  const GstGccReferenceTime time = { 5, 6, NOW - fuzz_step (input) };
  GccReception receptions[N_RECEPTIONS];
  GstBuffer *buffer = make_leaving (data, size);
  GccRoundTrip round_trip;
  guint32 ssrc = 0;

  note_reports (&round_trip);
  receive_some (receptions, input);
  gst_gcc_rtcp_note_sender_reports (buffer, &round_trip, NOW);
  gst_gcc_rtcp_is_early_feedback (buffer, &ssrc);
  if (gst_gcc_rtcp_is_report (buffer, &ssrc)) {
    gst_gcc_rtcp_update_blocks (buffer, receptions, N_RECEPTIONS, NOW);
    gst_gcc_rtcp_add_blocks (buffer, ssrc, receptions, N_RECEPTIONS, NOW);
    gst_gcc_rtcp_add_receiver_reference_time (buffer, ssrc, &round_trip, NOW);
    gst_gcc_rtcp_add_dlrr (buffer, ssrc, &time, NOW);
  }
  add_remb (buffer, &round_trip, input);
  g_assert_cmpuint (gst_buffer_get_size (buffer), <=, MAX_SIZE);
  gst_buffer_unref (buffer);
}

/* As what rtpsession makes: GStreamer, too, sees each packet of it, and adds
 * after the last one. */
static gboolean
is_sound (const guint8 *data, gsize size)
{
  GstBuffer *buffer = fuzz_buffer_new (data, size);
  GstRTCPBuffer map = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;
  gsize end = 0;

  if (rtcp.valid && gst_rtcp_buffer_map (buffer, GST_MAP_READ, &map)) {
    for (gboolean more = gst_rtcp_buffer_get_first_packet (&map, &packet); more;
         more = gst_rtcp_packet_move_to_next (&packet))
      end = packet.offset +
          4 * ((gsize) gst_rtcp_packet_get_length (&packet) + 1);
    gst_rtcp_buffer_unmap (&map);
  }
  gst_buffer_unref (buffer);
  return end == size;
}

void
fuzz_one (Fuzz *input)
{
  gsize size = 4 * (gsize) fuzz_up_to (input, MAX_SIZE / 4);
  const guint8 *data = fuzz_bytes (input, size, &size);
  GstBuffer *buffer = fuzz_buffer_new (data, size);
  GccRoundTrip round_trip;

  note_reports (&round_trip);
  gst_gcc_rtcp_read (&rtcp, buffer, &round_trip, NOW);
  check_read (&rtcp, size);
  gst_buffer_unref (buffer);
  if (fuzz_has_more (input) && is_sound (data, size))
    leave (data, size, input);
}
