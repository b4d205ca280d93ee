/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/history/gcc-arrival-watch.h>
#include <gst/gcc/history/gcc-feedback-watch.h>

G_BEGIN_DECLS

/**
 * GccSilence:
 * @watches_arrivals: whether the second kind is noticed, too
 *
 * Notices both kinds of silence: packets leave and no feedback comes, or reports come
 * and show no packet that arrives. The other fields are private.
 */
typedef struct {
  GccFeedbackWatch feedback;
  GccArrivalWatch arrivals;
  gboolean watches_arrivals;
} GccSilence;

/* @arrivals: (nullable): published generations do not watch arrivals. */
void gcc_silence_init (GccSilence *self, const GccFeedbackWatchParams *feedback,
    const GccArrivalWatchParams *arrivals);

/* A packet leaves. */
void gcc_silence_feed_sent (GccSilence *self, GccTime now);

/* Feedback has come, which ends the first kind. */
void gcc_silence_feed_feedback (GccSilence *self, GccTime now);

/* ... that shows a new packet that has arrived, which ends both. */
void gcc_silence_feed_news (GccSilence *self, GccTime now);

/* A report shows no new packet. @round_trip: %GCC_TIME_NONE if unknown. */
void gcc_silence_feed_no_news (GccSilence *self, GccTime round_trip);

/* When gcc_silence_handle_timeout() has something to do; %GCC_TIME_NONE while there is
 * nothing. It is never in the future, because only a packet that leaves makes a
 * silence longer. */
GccTime gcc_silence_next_timeout (const GccSilence *self);

/* The rate to which silence lowers @rate, bit/s; %GCC_RATE_NONE if it does not. Reports
 * that show no arrival say more than none do. */
GccRate gcc_silence_handle_timeout (GccSilence *self, GccRate rate);

/* Whether feedback comes that shows packets. */
gboolean gcc_silence_has_feedback (const GccSilence *self);

/* Whether no feedback comes. */
gboolean gcc_silence_is_unheard (const GccSilence *self);

/* Whether reports come that show no packet. */
gboolean gcc_silence_is_cut_off (const GccSilence *self);

/* Either of both. */
gboolean gcc_silence_is_silent (const GccSilence *self);

/* Whether nothing but silence should set the rate. */
gboolean gcc_silence_lowers (const GccSilence *self);

G_END_DECLS
