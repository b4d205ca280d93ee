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
  const GccSentStream *stream = gcc_sent_streams_find (&sender->streams, ssrc);
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
