/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-sent-packet.h>
#include <gst/gcc/gcc-types.h>
#include <gst/gcc/output/gcc-fec-control.h>
#include <gst/gcc/output/gcc-protection.h>
#include <gst/gcc/output/gcc-retransmission.h>
#include <gst/gcc/output/gcc-sent-rates.h>

G_BEGIN_DECLS

/**
 * GccMediaBudgetParams:
 *
 * The numbers of its stages.
 */
typedef struct {
  const GccSentRatesParams *sent_rates;
  const GccProtectionParams *protection;
  const GccFecControlParams *fec;
  const GccRetransmissionParams *retransmission;
} GccMediaBudgetParams;

/**
 * GccMediaRates:
 * @video: bit/s, as the others
 * @audio:
 * @fec: r_FEC
 * @rtx: r_RTX, without padding
 * @padding:
 *
 * The rates of the last second or so, by kind.
 */
typedef struct {
  GccRate video;
  GccRate audio;
  GccRate fec;
  GccRate rtx;
  GccRate padding;
} GccMediaRates;

/**
 * GccMediaBudget:
 *
 * Shares A_s among audio, video and its protection: what the encoders may make, how
 * much FEC there is to be, and which packets are sent again.
 *
 * |[
 * sent packets ─► rates ─┬► v
 * A_s, as payload ───────┼► percentage for FEC
 * loss, round trip ──────┴► retransmission
 * ]|
 *
 * Where a function takes @payload, that is A_s, or a rate in its place, as payload of
 * RTP, bit/s. Fields are private.
 */
typedef struct {
  const GccProtectionParams *params;
  GccSentRates sent;
  GccFecControl fec;
  GccRetransmission retransmission;
  GccMediaRates rates;
  GccRate reserved;
  guint pixels;
  gboolean repairs;
} GccMediaBudget;

void gcc_media_budget_init (
    GccMediaBudget *self, const GccMediaBudgetParams *params);

/* Sets width × height of the video; 0, as at the start: not known. */
void gcc_media_budget_set_pixels (GccMediaBudget *self, guint pixels);

/* Sets the rate of what the application sends beside, bit/s; 0 at the start. */
void gcc_media_budget_set_reserved (GccMediaBudget *self, GccRate reserved);

/* A packet leaves. */
void gcc_media_budget_feed_sent (
    GccMediaBudget *self, const GccSentPacket *packet, GccTime now);

/* Adds the fraction lost (0 to 1) of a report. */
void gcc_media_budget_feed_loss (
    GccMediaBudget *self, gdouble fraction_lost, GccTime now);

/* Measures what was sent. The functions below are about these rates. */
const GccMediaRates *gcc_media_budget_measure (
    GccMediaBudget *self, GccTime now);

/* v, the rate left for the encoders, bit/s; at least 1. */
GccRate gcc_media_budget_get_encoder_target (
    const GccMediaBudget *self, GccRate payload);

/* The same without padding and probes, whose place media takes. */
GccRate gcc_media_budget_get_lasting_target (
    const GccMediaBudget *self, GccRate payload);

/* The greater @payload of which that rate would be @v. */
GccRate gcc_media_budget_get_payload_for (
    const GccMediaBudget *self, GccRate payload, GccRate v);

/* The rate left for audio, video and FEC together, bit/s; at least 1. */
GccRate gcc_media_budget_get_media_target (
    const GccMediaBudget *self, GccRate payload);

/* FEC packets wanted for a hundred media packets. @rtt: round-trip time; negative:
 * not known, as below */
guint64 gcc_media_budget_get_fec_percentage (
    GccMediaBudget *self, GccRate payload, GccTime rtt, GccTime now);

/* Begins an RTCP packet that may request retransmissions; @target: A_s, bit/s. */
void gcc_media_budget_begin_request (GccMediaBudget *self, GccRate target,
    GccRate payload, GccTime rtt, GccTime now);

/* Whether a packet requested in it may be retransmitted. */
gboolean gcc_media_budget_allow_retransmission (
    GccMediaBudget *self, guint32 ssrc, guint16 seq, GccTime rtt, GccTime now);

G_END_DECLS
