/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/compose/gcc-sender-path.h>
#include <gst/gcc/gcc-sender.h>
#include <gst/gcc/history/gcc-arrival-watch.h>
#include <gst/gcc/history/gcc-feedback-watch.h>
#include <gst/gcc/history/gcc-loss-aggregator.h>
#include <gst/gcc/history/gcc-reporters.h>
#include <gst/gcc/history/gcc-sent-streams.h>
#include <gst/gcc/loss/gcc-loss-control.h>
#include <gst/gcc/output/gcc-media-budget.h>
#include <gst/gcc/output/gcc-target.h>

G_BEGIN_DECLS

/* The stages are embedded, so that nothing is allocated for them but the send side,
 * once packets are numbered. Fields are private to
 * gcc-sender.c. */
struct _GccSender {
  const GccProfile *profile;
  GccSentStreams streams;
  GccReporters reporters;
  GccLossAggregator aggregator;
  GccLossControl loss_control;
  GccFeedbackWatch watch;
  GccArrivalWatch arrivals;
  gboolean was_silent;
  gboolean has_strange_remb;
  GccRemb strange_remb;
  GccTarget target;
  GccSenderPath path;
  GccMediaBudget budget;
  /* whose REMB is in force */
  guint32 remb_ssrc;
  GccTime rtt;
  GccSenderStats stats;
};

/* As gcc_sender_new() and _free(), for a sender embedded in another struct. */
void gcc_sender_init (GccSender *self, const GccProfile *profile, GccRate min,
    GccRate start, GccRate max);
void gcc_sender_clear (GccSender *self);

/* The greatest A_s that the limits allow, bit/s. */
static inline GccRate
gcc_sender_get_max (const GccSender *self)
{
  return gcc_target_get_max (&self->target);
}

/* The stages that measure by transport-wide feedback; %NULL while no packet is
 * numbered. */
static inline const GccSendSide *
gcc_sender_get_send_side (const GccSender *self)
{
  return gcc_sender_path_get_side (&self->path);
}

/* Whether reports of RFC 8888 are followed, and no transport-wide feedback. */
static inline gboolean
gcc_sender_follows_ccfb (const GccSender *self)
{
  return self->path.kind == GCC_FEEDBACK_CCFB;
}

/* The next @n transport-wide numbers are those of packets of other senders to the
 * same transport: feedback about them tells nothing, and is not ignored. After
 * gcc_sender_use_transport_feedback() has returned %TRUE. */
void gcc_sender_skip_transport_seqs (GccSender *self, guint64 n);

/* The part of A_s without retransmission, for audio, video and FEC together,
 * bit/s, at least 1: for an application that divides it by itself. The sent
 * rates in it are those of the last of the other calls. */
GccRate gcc_sender_get_media_target (const GccSender *self);

/* Whether packets may leave with ECT(1) (RFC 9331); the default is that none does.
 * It has an effect in the profile recommended, over reports of RFC 8888. */
void gcc_sender_set_ecn (GccSender *self, gboolean uses_ecn);

/* Sets the bytes of media that the pacer holds. While marks tell the encoder makes
 * less until that is little. */
void gcc_sender_set_held (GccSender *self, gint64 bytes);

/* Whether packets are to leave with ECT(1) now; else as Not-ECT. To
 * be asked after each report and timeout. */
gboolean gcc_sender_sends_ect1 (const GccSender *self);

G_END_DECLS
