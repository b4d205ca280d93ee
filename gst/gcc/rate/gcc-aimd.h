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
 * @above: steepness for the distance above the known capacity, as a share of it
 * @min_steepness: steepness at the capacity
 * @max_growth: greatest additive increase as a share of A_r, 1/s, before the
 *   steepness is applied
 *
 * How steep the additive increase is, as a factor of it.
 */
typedef struct {
  gdouble below;
  gdouble above;
  gdouble min_steepness;
  gdouble max_growth;
} GccPlateauParams;

/**
 * GccAimdStartParams:
 * @eta: η until over-use has shown a limit, and again after R has exceeded that
 *   limit
 * @after: least time since over-use before the phase begins again: R may only
 *   be catching up before
 * @ratio: when A_r is above this times R, #GccAimdParams.eta applies in this
 *   phase, too
 * @link_ratio: the ratio in place of @ratio while the rate of the link is
 *   known; the phase then ends when A_r reaches that rate
 *
 * A phase of faster growth.
 */
typedef struct {
  gdouble eta;
  GccTime after;
  gdouble ratio;
  gdouble link_ratio;
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
 * @max_ratio_offset: added to that bound, bit/s
 * @start: (nullable): a faster phase at the start; %NULL: there is none
 * @plateau: (nullable): slower growth near the known capacity; %NULL: there is
 *   none
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
 * @response_time: time until a change of the rate has an effect
 * @capacity: of the link, bit/s, where it is known
 * @is_limited: whether a limit of the path is known
 * @link: rate of the link, bit/s; not positive if unknown
 *
 * The input of an additive or a multiplicative step.
 */
typedef struct {
  GccRate rate;
  GccRate received_rate;
  GccTime response_time;
  gdouble capacity;
  gboolean is_limited;
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

/* Bounds @rate, the rate that A_r is to grow to, by the received rate. A_r is
 * kept where the bound is lower. */
GccRate gcc_aimd_limit (
    const GccAimdParams *params, const GccAimdInput *input, GccRate rate);

G_END_DECLS
