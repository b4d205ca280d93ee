/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-states.h>
#include <gst/gcc/gcc-types.h>
#include <gst/gcc/history/gcc-packet-result.h>

G_BEGIN_DECLS

/* Greatest #GccLossEstimateParams.window. */
#define GCC_LOSS_ESTIMATE_MAX_WINDOW 32

#define GCC_LOSS_ESTIMATE_FACTORS 3

/* Candidates that are compared at most. */
#define GCC_LOSS_ESTIMATE_CANDIDATES (GCC_LOSS_ESTIMATE_FACTORS + 3)

/**
 * GccLossEstimateParams:
 * @observation: shortest time of sending that is one observation
 * @window: observations that are remembered, up to
 *   %GCC_LOSS_ESTIMATE_MAX_WINDOW
 * @min_observations: observations before the estimate counts
 * @rate_smoothing: share of the last observation's rate in the next one's
 * @weight: weight of an observation over that of the next one, in the objective
 * @average_weight: the same in the average loss
 * @median_factor: the observation of the highest loss is left out of the
 *   average unless it was sent at this times the median rate
 * @factors: multiples of the estimate that are candidates; 0 is none
 * @acknowledged_factor: multiple of the acknowledged rate that is a candidate;
 *   0 is none
 * @acknowledged_in_alr: whether that is a candidate also while the application
 *   is the limit
 * @delay_based_candidate: whether the delay based estimate is a candidate
 * @upper_bound_candidate: whether the upper bound is a candidate while the
 *   application is the limit
 * @bias: bias of the objective towards higher rates, per kbit/s
 * @log_bias: the same, per ln (1 + kbit/s)
 * @bias_threshold: average loss from which on the bias is towards lower rates
 * @bias_smoothing: width of the change of the bias around @bias_threshold,
 *   fraction lost
 * @inherent_0: inherent loss at the start, fraction
 * @inherent_min: least inherent loss, fraction
 * @inherent_max: greatest inherent loss, fraction; @inherent_balance is added
 * @inherent_balance: the added part is this, bit/s, over the rate
 * @newton_steps: number of Newton steps to find the inherent loss
 * @newton_step: length of a Newton step
 * @bound_offset: average loss above which there is an upper bound, fraction
 * @bound_balance: the bound is this, bit/s, over the loss above @bound_offset
 * @bounds_best: whether the estimate itself is bounded, or only the rate that
 *   is returned
 * @ramp_up: while loss is the limit, a rising estimate stays below this times
 *   the acknowledged rate
 * @held_ramp_up: the same while the acknowledged rate is low
 * @held_threshold: the acknowledged rate is low below this times the rate held
 *   last
 * @max_increase: factor of the estimate in each @increase_window
 * @increase_window: time that @max_increase is for
 * @needs_inherent: whether the estimate rises only if the inherent loss
 *   explains all lost packets
 * @hold_0: time after a decrease in which the estimate does not rise
 * @hold_factor: factor of that time from one decrease to the next; 0 is no such
 *   time
 * @hold_max: longest such time
 * @floor: the estimate does not fall below this times the acknowledged rate
 * @min_rate: the estimate does not fall below this, bit/s
 * @min_window_rate: the estimate may always rise to this, bit/s
 * @padding: greatest time of a rise with padding; 0 is none
 */
typedef struct {
  GccTime observation;
  guint window;
  guint min_observations;
  gdouble rate_smoothing;
  gdouble weight;
  gdouble average_weight;
  gdouble median_factor;
  gdouble factors[GCC_LOSS_ESTIMATE_FACTORS];
  gdouble acknowledged_factor;
  gboolean acknowledged_in_alr;
  gboolean delay_based_candidate;
  gboolean upper_bound_candidate;
  gdouble bias;
  gdouble log_bias;
  gdouble bias_threshold;
  gdouble bias_smoothing;
  gdouble inherent_0;
  gdouble inherent_min;
  gdouble inherent_max;
  GccRate inherent_balance;
  guint newton_steps;
  gdouble newton_step;
  gdouble bound_offset;
  GccRate bound_balance;
  gboolean bounds_best;
  gdouble ramp_up;
  gdouble held_ramp_up;
  gdouble held_threshold;
  gdouble max_increase;
  GccTime increase_window;
  gboolean needs_inherent;
  GccTime hold_0;
  gdouble hold_factor;
  GccTime hold_max;
  gdouble floor;
  GccRate min_rate;
  GccRate min_window_rate;
  GccTime padding;
} GccLossEstimateParams;

const gchar *gcc_loss_estimate_state_to_string (GccLossEstimateState state);

/* The bytes that were sent in one observation, and those of them that were
 * lost; the kilobytes are those of the model. */
typedef struct {
  gint64 bytes;
  gint64 lost_bytes;
  gdouble lost_kilobytes;
  gdouble received_kilobytes;
  GccRate rate;
} GccLossObservation;

/* A model of the path: it loses what exceeds the rate, and the inherent loss of
 * the rest. */
typedef struct {
  GccRate rate;
  gdouble inherent;
} GccLossModel;

/**
 * GccLossEstimate:
 * @average_loss: of the last observations, fraction
 *
 * Loss based estimate of the path from packet results, version 2: among a few
 * candidates, the rate under which the observed losses are the most likely.
 * The other fields are private.
 */
typedef struct {
  const GccLossEstimateParams *params;
  GccRate min_rate;
  GccRate max_rate;
  GccRate acknowledged;
  GccRate delay_based;

  GccLossObservation partial;
  guint64 n_observations;
  guint newest;
  GccTime last_sent;
  gdouble weights[GCC_LOSS_ESTIMATE_MAX_WINDOW];
  gdouble average_weights[GCC_LOSS_ESTIMATE_MAX_WINDOW];
  GccLossObservation observations[GCC_LOSS_ESTIMATE_MAX_WINDOW];
  gdouble average_loss;
  GccRate upper_bound;

  GccLossModel best;
  GccLossEstimateState state;
  GccRate rate;
  GccTime window_start;
  GccRate window_rate;
  GccTime hold_end;
  GccTime hold;
  GccRate held_rate;
  GccTime padding_start;
  GccRate padding_rate;
} GccLossEstimate;

/**
 * GccLossEstimateInput:
 * @results: (array length=n_results): of one feedback, in any order, with those lost
 * @n_results: how many
 * @acknowledged: R(t), bit/s; %GCC_RATE_NONE keeps the last one
 * @delay_based: the delay based estimate, bit/s; %GCC_RATE_NONE if there is none
 * @in_alr: whether the application is the limit
 * @releases: whether the rate at which the estimate was held is forgotten, where nothing
 *   was lost of late and the acknowledged rate is too low for a rise: it may be a greater
 *   multiple then
 */
typedef struct {
  const GccPacketResult *results;
  guint n_results;
  GccRate acknowledged;
  GccRate delay_based;
  gboolean in_alr;
  gboolean releases;
} GccLossEstimateInput;

void gcc_loss_estimate_init (
    GccLossEstimate *self, const GccLossEstimateParams *params);

/* Sets the estimate to @rate, bit/s, as at the start. */
void gcc_loss_estimate_set_rate (GccLossEstimate *self, GccRate rate);

/* Limits of the estimate, bit/s; a @max of 0 is none. */
void gcc_loss_estimate_set_limits (
    GccLossEstimate *self, GccRate min, GccRate max);

void gcc_loss_estimate_update (
    GccLossEstimate *self, const GccLossEstimateInput *input);

/* Whether it has seen enough to count. */
gboolean gcc_loss_estimate_is_ready (const GccLossEstimate *self);

/* The estimate, bit/s. The acknowledged rate is its floor, so it may exceed the
 * delay based one; the lesser counts. While this is not ready it is the delay
 * based one, or %GCC_RATE_NONE. */
GccRate gcc_loss_estimate_get_rate (const GccLossEstimate *self);

GccLossEstimateState gcc_loss_estimate_get_state (const GccLossEstimate *self);

G_END_DECLS
