/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/history/gcc-packet-result.h>
#include <gst/gcc/history/gcc-sent-index.h>
#include <gst/gcc/wire/gcc-ccfb.h>
#include <gst/gcc/wire/gcc-transport-feedback.h>

G_BEGIN_DECLS

/* Packets that are remembered; a power of two. A second at 80 Mbit/s. */
#define GCC_SENT_HISTORY_SIZE GCC_SENT_INDEX_SIZE

/* Most packets for which one feedback gives results. A feedback of one MTU
 * covers fewer that have arrived. */
#define GCC_SENT_HISTORY_MAX_RESULTS 2048

/**
 * GccSentHistoryParams:
 * @max_age: a packet older than this is forgotten
 */
typedef struct {
  GccTime max_age;
} GccSentHistoryParams;

/**
 * GccSentHistoryStats:
 * @n_feedbacks: feedbacks that have arrived
 * @n_feedbacks_lost: feedbacks that are missing by their count, which wraps
 *   after 255; at a receiver that has never sent 255 it wraps after 254
 * @n_duplicates: packets that an earlier feedback had reported as received
 * @n_unknown: packets covered that are not remembered, or were never sent
 */
typedef struct {
  guint64 n_feedbacks;
  guint64 n_feedbacks_lost;
  guint64 n_duplicates;
  guint64 n_unknown;
} GccSentHistoryStats;

/**
 * GccSentState:
 * @GCC_SENT_EMPTY: nothing is remembered
 * @GCC_SENT_IN_FLIGHT: no feedback covers the packet
 * @GCC_SENT_PASSED: two feedbacks whose counts follow each other leave it out
 * @GCC_SENT_LOST: it has not arrived
 * @GCC_SENT_ARRIVED: it has, at an unknown time
 * @GCC_SENT_RECEIVED: it has, at a known time
 *
 * The state of a packet by feedback. A later state replaces an earlier one,
 * because forged feedback may claim the earlier one while the packet is on its
 * way.
 */
typedef enum {
  GCC_SENT_EMPTY,
  GCC_SENT_IN_FLIGHT,
  GCC_SENT_PASSED,
  GCC_SENT_LOST,
  GCC_SENT_ARRIVED,
  GCC_SENT_RECEIVED,
} GccSentState;

/**
 * GccSentHistory:
 * @in_flight: bytes sent after the newest packet that a feedback has covered
 * @stats: of feedback
 *
 * The packets that were sent, and their fate by transport-wide feedback, or by
 * reports of RFC 8888, which cover them by their streams: only these need the index,
 * which is kept from the first one on. A packet that no feedback covers is not lost, because the feedback may be.
 * Several senders may share the numbers of one transport; each remembers its own
 * packets.
 * The other fields are private.
 */
typedef struct {
  const GccSentHistoryParams *params;
  gboolean has_packets;
  gboolean has_others;
  gint64 oldest;
  gint64 newest;
  gint64 newest_of_ours;
  gint64 acknowledged;
  gint64 in_flight;
  gint64 judged;
  guint32 unnumbered_bytes;
  gboolean has_feedback;
  guint8 count;
  gboolean has_last_count;
  gint64 reference_time;
  GccTime origin;
  GccSentHistoryStats stats;
  gboolean is_indexed;
  GccSentIndex index;
  GccSentRecord packets[GCC_SENT_HISTORY_SIZE];
  guint8 states[GCC_SENT_HISTORY_SIZE];
} GccSentHistory;

/* Forgets everything. */
void gcc_sent_history_init (
    GccSentHistory *self, const GccSentHistoryParams *params);

/**
 * gcc_sent_history_add:
 * @seq: transport-wide sequence number as it was sent
 * @packet: its @seq, @previous and @unnumbered_bytes are not looked at
 *
 * A packet has been sent.
 */
void gcc_sent_history_add (
    GccSentHistory *self, guint16 seq, const GccSentRecord *packet);

/* The next @n numbers are those of packets of other senders, which share the
 * numbers: no result is about them, and they are not lost. */
void gcc_sent_history_skip (GccSentHistory *self, guint64 n);

/* Whether @feedback, not yet read, covers a number of another sender, or one that
 * is forgotten where there are other senders. */
gboolean gcc_sent_history_is_of_others (
    const GccSentHistory *self, const GccTransportFeedback *feedback);

/* A packet of @size bytes has been sent that has no number: no feedback will
 * cover it, but it takes its share of the path. */
void gcc_sent_history_add_unnumbered (GccSentHistory *self, gsize size);

/**
 * gcc_sent_history_match:
 * @feedback: a message just parsed; it is read to its end
 * @now: when it came
 * @results: (out): room for @max_results
 * @max_results: further results are dropped; %GCC_SENT_HISTORY_MAX_RESULTS is
 *   enough
 *
 * Writes the news of the feedback, in the order of numbers. Feedback that
 * claims the arrival of a packet that was never sent has no results.
 *
 * Returns: number of results
 */
guint gcc_sent_history_match (GccSentHistory *self,
    GccTransportFeedback *feedback, GccTime now, GccPacketResult *results,
    guint max_results);

/**
 * gcc_sent_history_match_ccfb:
 * @report: a report of RFC 8888 just parsed; it is read to its end
 *
 * As gcc_sent_history_match(). A history follows one of the two: their clocks
 * have different origins.
 */
guint gcc_sent_history_match_ccfb (GccSentHistory *self, GccCcfb *report,
    GccTime now, GccPacketResult *results, guint max_results);

/**
 * gcc_sent_history_take_lost:
 * @last: last number of #GccSentRecord that is judged; later packets wait for
 *   the next call
 *
 * Packets that are %GCC_SENT_LOST or %GCC_SENT_PASSED; each is judged once.
 *
 * Returns: how many there are
 */
guint gcc_sent_history_take_lost (GccSentHistory *self, gint64 last);

/* No packet that has been sent so far is judged any more. Returns the last number
 * of them. */
gint64 gcc_sent_history_skip_lost (GccSentHistory *self);

/* Whether packet @seq, a number of #GccSentRecord, is known to be lost. */
gboolean gcc_sent_history_is_lost (const GccSentHistory *self, gint64 seq);

G_END_DECLS
