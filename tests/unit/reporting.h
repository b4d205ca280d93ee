/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/compose/gcc-sender-private.h>

/* Sends what is missing of the stream @ssrc for a report about @seq to be true.
 * The packets have no payload, so that no rate comes of them. */
static inline void
reporting_send_up_to (GccSender *sender, guint32 ssrc, guint32 seq, GccTime now)
{
  const GccSentStream *stream = gcc_sent_streams_find (
      &sender->control.streams, ssrc);
  guint16 next = stream != NULL ? (guint16) (stream->highest + 1)
                                : (guint16) seq;

  for (; (gint16) (guint16) ((guint16) seq - next) >= 0; next++) {
    GccSentPacket packet = {
      .kind = GCC_SENT_VIDEO, .ssrc = ssrc, .seq = next
    };

    gcc_sender_feed_sent (sender, &packet, now);
  }
}

/* A REMB of @sender about the stream @ssrc. */
static inline GccRemb
reporting_remb (guint32 sender, guint32 ssrc, GccRate rate)
{
  return (GccRemb){
    .sender = sender,
    .reporter = sender,
    .rate = rate,
    .ssrcs = { ssrc },
    .n_ssrcs = 1,
  };
}

/* The receiver and the stream of reporting_tell_loss() and reporting_tell_rate(). */
#define REPORTING_RECEIVER 1
#define REPORTING_STREAM 2

/* A report of one receiver on one stream, which has been sent that far. */
static inline GccSenderEvent
reporting_tell_loss (GccSender *sender, guint8 fraction_lost,
    guint32 ext_highest_seq, gint64 rtt_ms, gint64 now_ms)
{
  GccReportBlock block = {
    .reporter = REPORTING_RECEIVER,
    .ssrc = REPORTING_STREAM,
    .fraction_lost = fraction_lost,
    .ext_highest_seq = ext_highest_seq,
    .rtt = rtt_ms * GCC_MSECOND,
  };

  reporting_send_up_to (
      sender, REPORTING_STREAM, ext_highest_seq, now_ms * GCC_MSECOND);
  return gcc_sender_feed_reports (sender, &block, 1, now_ms * GCC_MSECOND);
}

static inline GccSenderEvent
reporting_tell_rate (GccSender *sender, GccRate rate, GccTime now)
{
  GccRemb message = reporting_remb (REPORTING_RECEIVER, REPORTING_STREAM, rate);

  return gcc_sender_feed_remb (sender, &message, now);
}
