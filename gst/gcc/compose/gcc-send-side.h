/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/compose/gcc-send-side-rates.h>
#include <gst/gcc/gcc-sent-packet.h>
#include <gst/gcc/gcc-types.h>
#include <gst/gcc/history/gcc-congestion-window.h>
#include <gst/gcc/history/gcc-large-loss.h>
#include <gst/gcc/history/gcc-packet-sizes.h>
#include <gst/gcc/history/gcc-rtt-backoff.h>
#include <gst/gcc/history/gcc-sent-history.h>
#include <gst/gcc/probe/gcc-probing.h>
#include <gst/gcc/profiles/gcc-send-side-params.h>
#include <gst/gcc/rate/gcc-alr-detector.h>
#include <gst/gcc/wire/gcc-ccfb.h>
#include <gst/gcc/wire/gcc-transport-feedback.h>

G_BEGIN_DECLS

/**
 * GccSendSide:
 * @history: the packets that were sent
 * @large_loss: whether large ones alone are lost
 * @sizes: their payload and headers
 * @rates: of the path
 * @probing: the probes, and when their packets leave
 * @has_feedback: whether feedback has come since the start
 * @is_running: whether it is not paused
 * @in_alr: whether the application is the limit
 * @packets: the results of the last feedback with news: those that have arrived first,
 *   in the order of arrival
 * @n_arrived: how many have
 *
 * The sender that measures. It remembers the packets that leave, and what feedback says
 * of them; #GccSendSideRates computes the delay based and the loss based rate from
 * that. Probes look for a higher rate.
 *
 * |[
 * sent ──► history ─► results ─┬────────► rates ─► delay based, loss based rate
 *             ▲                └► round trip ─► back-off, window
 * feedback ───┘
 * A_s ──► ALR detector ─► probes ─► when packets leave
 * ]|
 *
 * The other fields are private.
 */
typedef struct {
  const GccSendSideParams *params;
  GccSentHistory history;
  GccLargeLoss large_loss;
  GccPacketSizes sizes;
  GccSendSideRates rates;
  GccProbing probing;
  GccAlrDetector alr;
  GccCongestionWindow window;
  GccRttBackoff backoff;
  guint16 next_seq;
  gboolean has_feedback;
  gboolean is_probing;
  gboolean is_running;
  gboolean in_alr;
  GccTime last_update;
  GccRate max;
  GccRate target;
  /* whether the round trip is too long, and the rate for that */
  gboolean is_backing_off;
  GccRate backed_off;
  gint64 last_excused;
  guint n_arrived;
  GccPacketResult packets[GCC_SENT_HISTORY_MAX_RESULTS];
} GccSendSide;

/**
 * GccPathFeedback:
 * @transport: (nullable): transport-wide feedback just parsed; it is read to its end
 * @ccfb: (nullable): a report of RFC 8888 just parsed, in its place
 *
 * Feedback about packets.
 */
typedef struct {
  GccTransportFeedback *transport;
  GccCcfb *ccfb;
} GccPathFeedback;

/* Rates in bit/s, 0 < @min <= @start <= @max. The first probes are asked for. */
void gcc_send_side_init (GccSendSide *self, const GccSendSideParams *params,
    GccRate min, GccRate start, GccRate max, GccTime now);

/* Continues from @target, bit/s, after another estimate was in force, or at the
 * start. The sent packets are kept. */
void gcc_send_side_resume (GccSendSide *self, GccRate target, GccTime now);

/* The same when the application has set @target. */
void gcc_send_side_restart (GccSendSide *self, GccRate target, GccTime now);

/* Another estimate is in force: no probes. */
void gcc_send_side_pause (GccSendSide *self, GccTime now);

/* Sets the least rate that is sent, below which the delay based rate does not
 * go, and the greatest rate that is looked for, bit/s; the next
 * gcc_send_side_handle_timeout() applies them. */
void gcc_send_side_set_limits (GccSendSide *self, GccRate min, GccRate max);

/* Sets the rate at which all streams that wait would be sent, as layers that are paused,
 * bit/s; 0, as at the start: none waits. */
void gcc_send_side_set_wanted (GccSendSide *self, GccRate wanted);

/* Whether to probe; the default is to probe. */
void gcc_send_side_set_probing (
    GccSendSide *self, gboolean is_probing, GccTime now);

/* The transport-wide sequence number of the next packet. */
guint16 gcc_send_side_take_seq (GccSendSide *self);

/* The next @n numbers are those of packets of other senders. */
void gcc_send_side_skip_seqs (GccSendSide *self, guint64 n);

/* A packet leaves, with its number or without one. */
void gcc_send_side_feed_sent (
    GccSendSide *self, const GccSentPacket *packet, GccTime now);

/* Returns %FALSE if it has no news about the sent packets. */
gboolean gcc_send_side_feed (
    GccSendSide *self, const GccPathFeedback *feedback, GccTime now);

/* Whether it lowers the rate because packets leave and no feedback comes. */
gboolean gcc_send_side_is_unanswered (const GccSendSide *self);

/* The packets that have been sent so far were sent into a silence: their loss
 * tells nothing of the path after it. */
void gcc_send_side_excuse_loss (GccSendSide *self);

/* Sets A_s, bit/s, the result of these rates and of all other bounds. */
void gcc_send_side_feed_target (GccSendSide *self, GccRate target, GccTime now);

/* When gcc_send_side_handle_timeout() has something to do. */
GccTime gcc_send_side_next_timeout (const GccSendSide *self);

/* Time has passed. Returns whether the rates may have changed. */
gboolean gcc_send_side_handle_timeout (GccSendSide *self, GccTime now);

/* The lower of the delay based and the loss based rate, bit/s; less when the
 * round trip is too long. All headers count. */
GccRate gcc_send_side_get_rate (const GccSendSide *self);

/* Why that rate has changed last. */
GccReason gcc_send_side_get_reason (const GccSendSide *self);

/* Pacing rate, bit/s; %GCC_RATE_NONE where the profile's pacing applies. */
GccRate gcc_send_side_get_pacing_rate (const GccSendSide *self);

/* Rate that padding should reach where media is less, bit/s; 0 is none, as
 * always where #GccSendSideParams.pads is %FALSE. */
GccRate gcc_send_side_get_padding_rate (const GccSendSide *self);

/* Whether no media should leave because too much is in flight; never where
 * #GccSendSideParams.holds_media is %FALSE. */
gboolean gcc_send_side_is_window_full (const GccSendSide *self);

G_END_DECLS
