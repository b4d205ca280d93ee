/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

/* Whole calls on a model link as rows of a table: whole-calls.c has them. Rates are
 * parts of what the call could have, which is the capacity of the link, or its greatest
 * rate where that is less. */

#include "support/any-call.h"

#define WHOLE_CALLS_MAX_PATHS 7
#define WHOLE_CALLS_MAX_PARTS 6
#define WHOLE_CALLS_MAX_FLOWS 2

/* What is 0 does not bound. */
typedef struct {
  gdouble least;
  gdouble most;
} Range;

/**
 * Part:
 * @lasts: how long
 * @path: what changes at its begin
 * @tcp: with a CUBIC flow beside it
 * @is_cut: no packet arrives
 * @is_mute: no feedback arrives
 * @without_probes: none from here on
 * @reaches: A_s, before @lasts is over; the part ends then
 * @stays: A_s at each moment
 * @ends: A_s after @lasts
 * @use: what arrives, of the first of several calls
 * @lost: of the packets that are sent
 * @most_queue: time that a packet waits in it
 * @most_excess: time without a break in which A_s is above 1.3
 *
 * Of a call, and what has to hold in it.
 */
typedef struct {
  GccTime lasts;
  Path path;
  gboolean tcp;
  gboolean is_cut;
  gboolean is_mute;
  gboolean without_probes;
  gdouble reaches;
  Range stays;
  Range ends;
  Range use;
  Range lost;
  GccTime most_queue;
  GccTime most_excess;
} Part;

/**
 * WholeCall:
 * @name: what has to hold, as a sentence
 * @as_peer: for the best peer, goog-2026, too
 * @is_beside_peer: in the last part the default has no less use, and loses and waits no
 *   more, than goog-2026 by a tenth
 * @longer_queue: why packets wait for longer all the same; %NULL: they do not
 * @over_remb: in place of transport-wide feedback
 * @has_reports: beside that
 * @n_flows: calls that share the link; 1
 * @n_draws: calls one after the other, with a seed and a phase of feedback each; 1
 * @start: 300 kbit/s
 * @max: 2 Mbit/s
 * @paths: the call is made across each; one that is all as said at #Path
 * @parts: one after the other
 * @least_mean_use: of all parts
 */
typedef struct {
  const gchar *name;
  gboolean as_peer;
  gboolean is_beside_peer;
  const gchar *longer_queue;
  gboolean over_remb;
  gboolean has_reports;
  guint n_flows;
  guint n_draws;
  GccRate start;
  GccRate max;
  Path paths[WHOLE_CALLS_MAX_PATHS];
  Part parts[WHOLE_CALLS_MAX_PARTS];
  gdouble least_mean_use;
} WholeCall;

extern const WholeCall whole_calls[];
extern const guint n_whole_calls;
