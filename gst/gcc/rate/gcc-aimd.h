/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccPlateauParams:
 * @below: steepness for the distance below the known capacity, as a share of it
 * @above: the same above it
 * @min_steepness: at the capacity
 * @watched_steepness: the same where a queue is found while it is short
 * @max_steepness: greatest
 * @max_growth: share of A_r that the additive increase is at most, 1/s, before
 *   its steepness
 *
 * How steep the additive increase is, as a factor of it.
 */
typedef struct {
  gdouble below;
  gdouble above;
  gdouble min_steepness;
  gdouble watched_steepness;
  gdouble max_steepness;
  gdouble max_growth;
} GccPlateauParams;

/**
 * GccAimdStartParams:
 * @eta: η until over-use has told of a limit, and again after R has shown that
 *   there is more
 * @after: over-use before that has to be so long ago: meanwhile R may only be
 *   catching up
 * @ratio: above this times R it is #GccAimdParams.eta meanwhile, too
 * @link_ratio: the same where it is known what the link passes, which ends that
 *   phase, too: A_r need not wait for R to tell
 * @link_range: it is if that is less than this times A_r
 *
 * A phase of faster growth.
 */
typedef struct {
  gdouble eta;
  GccTime after;
  gdouble ratio;
  gdouble link_ratio;
  gdouble link_range;
} GccAimdStartParams;

/**
 * GccAimdParams:
 * @eta: η, factor of A_r per second
 * @max_eta_time: upper bound of the time in one multiplicative step
 * @min_increase: least multiplicative step, bit/s
 * @frame_rate: frame rate assumed in the additive step, 1/s
 * @packet_size: greatest packet size assumed in it, bytes
 * @additive_packets: packets per response time that the additive step adds
 * @min_additive_rate: least additive increase, bit/s per s; 0 is none
 * @min_additive_step: least additive step, bit/s; 0 is none
 * @max_additive_responses: upper bound of the response times in one additive
 *   step; 0 is no bound
 * @max_ratio: A_r does not grow beyond this times R
 * @max_ratio_offset: plus this, bit/s
 * @start: (nullable): how it begins; %NULL: as it goes on
 * @plateau: (nullable): how it slows near the known capacity; %NULL: it does not
 */
typedef struct {
  gdouble eta;
  GccTime max_eta_time;
  GccRate min_increase;
  gdouble frame_rate;
  gdouble packet_size;
  gdouble additive_packets;
  gdouble min_additive_rate;
  gdouble min_additive_step;
  gdouble max_additive_responses;
  gdouble max_ratio;
  gdouble max_ratio_offset;
  const GccAimdStartParams *start;
  const GccPlateauParams *plateau;
} GccAimdParams;

/**
 * GccAimdInput:
 * @rate: A_r, bit/s
 * @received_rate: R(t), bit/s; %GCC_RATE_NONE if unknown
 * @response_time: until a change of the rate shows
 * @capacity: of the link, bit/s, where it is known
 * @is_limited: whether something has told what the path takes
 * @is_watched: whether a queue would be found while it is short
 * @link: what the link passes at most, bit/s; not positive if unknown
 *
 * What the steps of the additive and the multiplicative increase depend on.
 */
typedef struct {
  GccRate rate;
  GccRate received_rate;
  GccTime response_time;
  gdouble capacity;
  gboolean is_limited;
  gboolean is_watched;
  GccRate link;
} GccAimdInput;

/* The additive increase per second, bit/s: draft-ietf-rmcat-gcc-02, section 5.5. */
gdouble gcc_aimd_get_additive_rate (
    const GccAimdParams *params, GccRate rate, GccTime response_time);

/* By how much A_r grows in a time of @passed, bit/s: near the known capacity, and
 * where none is known. */
gdouble gcc_aimd_get_additive_step (
    const GccAimdParams *params, const GccAimdInput *input, GccTime passed);
gdouble gcc_aimd_get_multiplicative_step (
    const GccAimdParams *params, const GccAimdInput *input, GccTime passed);

/* Bounds @rate, which A_r is to grow to, by what arrives; it stays what it is
 * where that is less. */
GccRate gcc_aimd_limit (
    const GccAimdParams *params, const GccAimdInput *input, GccRate rate);

G_END_DECLS
