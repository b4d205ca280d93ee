/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-states.h>
#include <gst/gcc/gcc-types.h>
#include <gst/gcc/history/gcc-packet-result.h>

G_BEGIN_DECLS

/**
 * GccEcnCheckParams:
 * @n_packets: packets in a row that decide: all of them have come
 *   without the mark, or none has come
 * @report: longest wait of an arrived packet for its report
 * @patience: round trips, with @report, without any report, after which packets
 *   with the mark count as lost
 * @retest: time from then to the next test
 */
typedef struct {
  guint n_packets;
  GccTime report;
  guint patience;
  GccTime retest;
} GccEcnCheckParams;

/* One word, as in the statistics. */
const gchar *gcc_ecn_state_to_string (GccEcnState state);

/**
 * GccEcnCheck:
 * @state: what is known of the path
 *
 * Decides whether packets leave with ECT(1). It begins with the first report
 * of RFC 8888, and what reports show of packets with ECT(1) validates the path
 * (RFC 9000, section 13.4.2 and appendix A.4). The other fields are private.
 */
typedef struct {
  const GccEcnCheckParams *params;
  GccEcnState state;
  GccTime since;
  GccTime reported;
  guint n_unmarked;
  guint n_lost;
} GccEcnCheck;

void gcc_ecn_check_init (GccEcnCheck *self, const GccEcnCheckParams *params);

/* Reports come: the test begins, unless it has begun before. */
void gcc_ecn_check_start (GccEcnCheck *self, GccTime now);

/* Packets leave as Not-ECT again, for good. */
void gcc_ecn_check_stop (GccEcnCheck *self);

/* CE comes whatever the rate is: packets leave as Not-ECT for good. */
void gcc_ecn_check_refuse (GccEcnCheck *self, GccTime now);

/* Whether @sent has left with ECT(1). */
gboolean gcc_ecn_check_is_marked (
    const GccEcnCheck *self, const GccSentRecord *sent);

/* A report at @now has shown what became of these packets. */
void gcc_ecn_check_feed (GccEcnCheck *self, const GccPacketResult *results,
    guint n_results, GccTime now);

/* Time has passed. @sent: when the last packet left; @round_trip:
 * %GCC_TIME_NONE while unknown. */
void gcc_ecn_check_handle_timeout (
    GccEcnCheck *self, GccTime sent, GccTime round_trip, GccTime now);

/* Whether packets are to leave with ECT(1). */
gboolean gcc_ecn_check_marks (const GccEcnCheck *self);

G_END_DECLS
