/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* An application that brings its own RTP: both controllers, made with the
 * installed headers, through two seconds of a call without loss. Prints A_r and
 * A_s in bit/s. */

#include <gst/gcc/gcc.h>

#define SSRC 1
#define REPORTER 2
#define PACKETS 400
#define INTERVAL (5 * GCC_MSECOND)
#define SIZE 1000

static void
receive (GccReceiver *receiver, guint i)
{
  GccTime now = i * INTERVAL;
  GccPacket packet = {
    .ssrc = SSRC,
    .rtp_timestamp = i / 4 * 1800,
    .clock_rate = 90000,
    .arrival = now,
    .payload_size = SIZE,
  };
  GccTime timeout;

  gcc_receiver_feed (receiver, &packet, now);
  timeout = gcc_receiver_next_timeout (receiver);
  if (timeout != GCC_TIME_NONE && now >= timeout)
    gcc_receiver_handle_timeout (receiver, now);
}

/* A_r goes the way it would go in RTCP. */
static void
tell (GccReceiver *receiver, GccSender *sender)
{
  guint8 fci[GCC_REMB_FCI_LENGTH (GCC_RECEIVER_MAX_STREAMS)];
  GccRemb remb = { .sender = REPORTER, .reporter = REPORTER };
  gsize length;

  if (!gcc_receiver_get_remb (receiver, &remb))
    return;
  gcc_remb_write_fci (&remb, fci);
  length = GCC_REMB_FCI_LENGTH (remb.n_ssrcs);
  if (gcc_remb_parse_fci (&remb, fci, length))
    gcc_sender_feed_remb (sender, &remb, PACKETS * INTERVAL);
}

static void
report (GccSender *sender)
{
  GccReportBlock block = {
    .reporter = REPORTER,
    .ssrc = SSRC,
    .ext_highest_seq = PACKETS - 1,
    .rtt = 50 * GCC_MSECOND,
  };

  gcc_sender_feed_reports (sender, &block, 1, PACKETS * INTERVAL);
}

int
main (void)
{
  const GccProfile *profile = gcc_profile_find ("rtcweb-2013");
  g_autoptr (GccReceiver) receiver = gcc_receiver_new (profile);
  g_autoptr (GccSender)
      sender = gcc_sender_new (profile, 100000, 300000, 2000000);

  for (guint i = 0; i < PACKETS; i++) {
    GccSentPacket packet = {
      .kind = GCC_SENT_VIDEO,
      .ssrc = SSRC,
      .seq = (guint16) i,
      .payload_size = SIZE,
      .ends_frame = i % 4 == 3,
    };

    gcc_sender_feed_sent (sender, &packet, i * INTERVAL);
    receive (receiver, i);
  }
  report (sender);
  tell (receiver, sender);

  g_print ("%s: A_r %" G_GINT64_FORMAT " A_s %" G_GINT64_FORMAT "\n",
      gcc_profile_get_name (profile), gcc_receiver_get_estimate (receiver),
      gcc_sender_get_target (sender));
  return 0;
}
