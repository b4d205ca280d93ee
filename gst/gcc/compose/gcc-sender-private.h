/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/compose/gcc-sender-control.h>
#include <gst/gcc/gcc-sender.h>
#include <gst/gcc/output/gcc-media-budget.h>

G_BEGIN_DECLS

/* The words of receivers, or their silence, set A_s; A_s and the packets that were sent
 * set v:
 *
 * messages ─► control ─► A_s ─► budget ─► v
 *
 * The stages are embedded, so that nothing is allocated for them but the send side,
 * once packets are numbered. Fields are private to gcc-sender.c. */
struct _GccSender {
  GccSenderControl control;
  GccMediaBudget budget;
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
  return self->control.target.max;
}

/* The stages that measure by transport-wide feedback; %NULL while no packet is
 * numbered. */
static inline const GccSendSide *
gcc_sender_get_send_side (const GccSender *self)
{
  return self->control.path.side;
}

/* Whether reports of RFC 8888 are followed, and no transport-wide feedback. */
static inline gboolean
gcc_sender_follows_ccfb (const GccSender *self)
{
  return self->control.path.kind == GCC_FEEDBACK_CCFB;
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
