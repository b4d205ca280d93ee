/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccGrouping:
 * @GCC_GROUPING_FRAME: packets of one RTP timestamp: one video frame
 * @GCC_GROUPING_BURST: packets sent within #GccGroupParams.burst_time, and
 *   packets that left a queue together
 *
 * Which packets are measured as one.
 */
typedef enum {
  GCC_GROUPING_FRAME,
  GCC_GROUPING_BURST,
} GccGrouping;

/**
 * GccGroupParams:
 * @grouping: which packets are measured as one
 * @abs_send_time: whether abs-send-time is used where packets carry it; RTP
 *   timestamps only tell when a frame was taken
 * @max_without: packets in a row without it after which RTP timestamps are used
 *   again
 * @burst_time: length of a group, and greatest gap within a burst
 * @max_burst: longest burst that may be merged into one group; 0 is no limit
 * @max_jump: a jump of the arrival clock against the caller's clock from which
 *   on the groups start afresh; 0 is never
 * @max_reordered: groups in a row with arrival times running backwards after
 *   which the groups start afresh; 0 is never
 */
typedef struct {
  GccGrouping grouping;
  gboolean abs_send_time;
  guint max_without;
  GccTime burst_time;
  GccTime max_burst;
  GccTime max_jump;
  guint max_reordered;
} GccGroupParams;

/**
 * GccFilterModel:
 * @GCC_FILTER_MODEL_CAPACITY: d(i) = ΔL(i)/C(i) + m(i) + v(i): two states
 * @GCC_FILTER_MODEL_GRADIENT: d(i) = m(i) + v(i): one state
 */
typedef enum {
  GCC_FILTER_MODEL_CAPACITY,
  GCC_FILTER_MODEL_GRADIENT,
} GccFilterModel;

/**
 * GccFilterCalm:
 * @GCC_FILTER_CALM_ALWAYS: the noise is learnt from every group
 * @GCC_FILTER_CALM_SIGNAL: only while the detector signals normal
 * @GCC_FILTER_CALM_GAMMA: only while min (n, 60) · |m| < γ
 *
 * When the arrival filter takes the residual for noise and learns from it.
 */
typedef enum {
  GCC_FILTER_CALM_ALWAYS,
  GCC_FILTER_CALM_SIGNAL,
  GCC_FILTER_CALM_GAMMA,
} GccFilterCalm;

/**
 * GccFilterParams:
 * @model: which states are estimated
 * @calm: when the noise variance is learnt
 * @inverse_capacity_0: 1/C(0), ms/byte
 * @m_0: m(0), ms
 * @E_0: diagonal of the error covariance E(0)
 * @Q: diagonal of the process noise covariance, for each group
 * @Q_period_ms: what @Q is for: it is scaled by the shortest group period over
 *   this one; 0 is unscaled
 * @Q_boost: times Q added to E while m moves against the signal, so that the
 *   filter follows a queue that drains
 * @var_0: variance of the noise v at the start, ms²
 * @var_min: its least value, ms²
 * @chi_start: χ of the noise filter for the first @n_start groups
 * @chi: χ after that
 * @n_start: groups
 * @f_max_groups: groups over which f_max is the greatest frequency (shortest
 *   period)
 * @zero_mean: whether the noise is taken to have no mean; else it is learnt
 * @sign_lost: TRUE clips an outlier to +3σ whatever its sign
 */
typedef struct {
  GccFilterModel model;
  GccFilterCalm calm;
  gdouble inverse_capacity_0;
  gdouble m_0;
  gdouble E_0[2];
  gdouble Q[2];
  gdouble Q_period_ms;
  gdouble Q_boost;
  gdouble var_0;
  gdouble var_min;
  gdouble chi_start;
  gdouble chi;
  guint n_start;
  guint f_max_groups;
  gboolean zero_mean;
  gboolean sign_lost;
} GccFilterParams;

/**
 * GccDetectorParams:
 * @gamma_0: γ at the start (and for ever if static), ms × deltas: it is
 *   compared with min (n, @n_max) · m
 * @n_max: deltas that m is multiplied with at most
 * @gamma_halves: whether γ is halved while the rate control knows a maximum
 * @k_u: K_u, gain of γ when |m| is above it, 1/ms; 0 is static
 * @k_d: K_d, gain of γ when |m| is below it, 1/ms
 * @gamma_min: least γ, ms
 * @gamma_max: greatest γ, ms
 * @max_excess: γ is not adapted when |m| exceeds it by more, ms
 * @max_dt: longest time that counts in one adaptation; 0 is no limit
 * @overuse_time_ms: time above γ after which over-use is signalled, ms
 * @min_overuses: groups above γ it takes at least
 */
typedef struct {
  gdouble gamma_0;
  guint n_max;
  gboolean gamma_halves;
  gdouble k_u;
  gdouble k_d;
  gdouble gamma_min;
  gdouble gamma_max;
  gdouble max_excess;
  GccTime max_dt;
  gdouble overuse_time_ms;
  guint min_overuses;
} GccDetectorParams;

/**
 * GccRembProbeParams:
 * @max_packets: that are looked back on; 0 is no probing
 * @max_unpaced_size: smaller packets and these are no probes, bytes
 * @duration: after the first packet, the time in which probes may raise an A_r
 *   that is known already
 * @min_gaps: between packets sent at one pace, least
 * @max_deviation_ms: of a gap from their mean, exclusive, ms
 * @max_growth_ms: by which gaps may be longer on arrival, mean, ms
 * @max_drain_ms: by which gaps may be shorter on arrival, mean, ms
 * @expected_clusters: after which a new set of probes begins
 */
typedef struct {
  guint max_packets;
  gsize max_unpaced_size;
  GccTime duration;
  guint min_gaps;
  gdouble max_deviation_ms;
  gdouble max_growth_ms;
  gdouble max_drain_ms;
  guint expected_clusters;
} GccRembProbeParams;

/**
 * GccReceivedRateParams:
 * @window: T, the time that R(t) is an average of; whole ms, at most
 *   %GCC_RECEIVED_RATE_MAX_WINDOW
 * @grows: whether the average starts with the first packet, and is unknown
 *   before the second; else it always is over the whole window
 */
typedef struct {
  GccTime window;
  gboolean grows;
} GccReceivedRateParams;

#define GCC_RECEIVED_RATE_MAX_WINDOW GCC_SECOND

/**
 * GccRateControlState:
 * @GCC_RATE_CONTROL_HOLD: A_r is kept
 * @GCC_RATE_CONTROL_INCREASE: A_r is raised
 * @GCC_RATE_CONTROL_DECREASE: A_r is lowered to β · R
 *
 * States of the rate controller's finite state machine.
 */
typedef enum {
  GCC_RATE_CONTROL_HOLD,
  GCC_RATE_CONTROL_INCREASE,
  GCC_RATE_CONTROL_DECREASE,
} GccRateControlState;

const gchar *gcc_rate_control_state_to_string (GccRateControlState state);

/**
 * GccRateControlLaw:
 * @GCC_RATE_CONTROL_AIMD: additive near a known maximum, else multiplicative
 * @GCC_RATE_CONTROL_MIMD: multiplicative by eq. (3) of the 2013 papers, at
 *   three speeds
 */
typedef enum {
  GCC_RATE_CONTROL_AIMD,
  GCC_RATE_CONTROL_MIMD,
} GccRateControlLaw;

/**
 * GccRateControlParams:
 * @law: how A_r grows
 * @initial_state: of the state machine
 * @rests_in_hold: whether Decrease turns to Hold as soon as it was applied
 * @initial_time: A_r starts as R when R has been known for longer than this
 * @min_rate: least A_r, bit/s
 * @initial_rate: A_r while unknown, bit/s
 * @beta: β, A_r = β · R on a decrease (the papers' α)
 * @beta_near_max: β near the known maximum
 * @rtt: round-trip time until one is told
 * @response_delay: what is added to the RTT for the response time
 * @min_increase: least multiplicative step, bit/s (AIMD), or what is added to
 *   each (MIMD)
 * @max_ratio: A_r does not grow beyond this times R
 * @max_ratio_offset: plus this, bit/s (AIMD)
 * @max_ratio_received: above this R the bound holds, bit/s (MIMD)
 * @max_ratio_rate: above this A_r the bound holds, bit/s (MIMD)
 * @reduce_ratio: over-use lowers A_r again at once when A_r > this · R
 * @eta: η, factor of A_r per second (AIMD)
 * @additive_packets: packets per response time that the additive step adds
 *   (AIMD)
 * @min_additive_rate: least additive increase, bit/s per s; 0 is none (AIMD)
 * @min_additive_step: least additive step, bit/s; 0 is none (AIMD)
 * @max_additive_responses: response times that count at most in one additive
 *   step; 0 is no limit (AIMD)
 * @eta_min: least η per second of eq. (3) (MIMD)
 * @eta_max: greatest η per second of eq. (3) (MIMD)
 * @B: of eq. (3) (MIMD)
 * @b: of eq. (3), 1/ms (MIMD)
 * @d: of eq. (3) (MIMD)
 * @c1: of eq. (3), 1/ms (MIMD)
 * @c2: of eq. (3), ms (MIMD)
 */
typedef struct {
  GccRateControlLaw law;
  GccRateControlState initial_state;
  gboolean rests_in_hold;
  GccTime initial_time;
  GccRate min_rate;
  GccRate initial_rate;
  gdouble beta;
  gdouble beta_near_max;
  GccTime rtt;
  GccTime response_delay;
  GccRate min_increase;
  gdouble max_ratio;
  gdouble max_ratio_offset;
  GccRate max_ratio_received;
  GccRate max_ratio_rate;
  gdouble reduce_ratio;
  gdouble eta;
  gdouble additive_packets;
  gdouble min_additive_rate;
  gdouble min_additive_step;
  gdouble max_additive_responses;
  gdouble eta_min;
  gdouble eta_max;
  gdouble B;
  gdouble b;
  gdouble d;
  gdouble c1;
  gdouble c2;
} GccRateControlParams;

/**
 * GccFeedbackParams:
 * @first_interval: between updates of A_r before the first estimate
 * @min_interval: between updates of A_r, least
 * @max_interval: between updates of A_r, greatest
 * @stream_timeout: a stream silent for longer is forgotten
 * @silence_resets: whether A_r is forgotten with the last stream
 * @remb_interval: between REMBs
 * @remb_drop: a REMB is due at once when A_r falls below this times the last
 * @remb_early: whether a REMB that is due may ask for an early RTCP report;
 *   else it waits for the next regular one
 * @report_interval: between regular RTCP reports of the receiving side
 */
typedef struct {
  GccTime first_interval;
  GccTime min_interval;
  GccTime max_interval;
  GccTime stream_timeout;
  gboolean silence_resets;
  GccTime remb_interval;
  gdouble remb_drop;
  gboolean remb_early;
  GccTime report_interval;
} GccFeedbackParams;

/**
 * GccLossParams:
 * @p_low: A_s grows up to this fraction lost
 * @p_high: A_s falls above this fraction lost
 * @increase: factor of eq. (1) for low loss
 * @increase_offset: added to it, bit/s
 * @increase_interval: between increases
 * @increase_from_min: whether an increase starts from the least A_s of the last
 *   @increase_interval, and may happen between reports; else from A_s, with a
 *   report only
 * @decrease: A_s falls by the factor 1 - this · p
 * @decrease_interval: between decreases, in addition to the RTT; negative is
 *   at every report
 * @min_packets: packets that a loss fraction has to stand on; reports are
 *   summed up until then
 * @first_block_counts: whether the first report block of a stream, which does
 *   not tell how many packets it stands on, is acted on
 * @tfrc_packet: s of the TFRC equation that a decrease does not go below,
 *   bytes; 0 is no such floor
 * @start_phase: after the first report, time in which A_s follows a REMB up as
 *   long as nothing was lost
 * @report_timeout: a report is no reason for anything after that; 0 is never
 * @max_rtt: a longer RTT lowers A_s; 0 is never
 * @max_rtt_decrease: factor of A_s for that
 * @max_rtt_interval: between decreases for that
 * @tick: how soon at the earliest time alone changes A_s again
 * @report_interval: between regular RTCP reports of the sending side
 */
typedef struct {
  gdouble p_low;
  gdouble p_high;
  gdouble increase;
  GccRate increase_offset;
  GccTime increase_interval;
  gboolean increase_from_min;
  gdouble decrease;
  GccTime decrease_interval;
  guint min_packets;
  gboolean first_block_counts;
  guint tfrc_packet;
  GccTime start_phase;
  GccTime report_timeout;
  GccTime max_rtt;
  gdouble max_rtt_decrease;
  GccTime max_rtt_interval;
  GccTime tick;
  GccTime report_interval;
} GccLossParams;

/**
 * GccProtectionParams:
 * @window: over which r_FEC, r_RTX and the rates of the media are measured
 * @max_share: of what audio leaves of A_s, what FEC and retransmission take at
 *   most together
 * @resend_delay: a packet is not sent again before the RTT and this have passed
 * @loss_window: length of a window of the loss that FEC is for
 * @loss_windows: the greatest loss of that many windows counts
 * @max_percentage: FEC packets per hundred media packets, at most
 * @nack_only_rtt: below this RTT retransmission does it alone, without FEC
 * @small_frame_rtt: below this RTT small frames get no FEC
 * @small_frame_pixels: of pictures that the first two of @small_frame_bytes are
 *   for; the third is for larger ones
 * @small_frame_bytes: payload of a frame that counts as small
 * @pacing_factor: media leaves at this times A_s at most; 0: as it comes
 * @burst_time: packets that leave together
 * @max_late: a pacer that wakes up late catches up on no more than this
 *
 * What leaves the sender: loss protection inside A_s, and its pace.
 */
typedef struct {
  GccTime window;
  gdouble max_share;
  GccTime resend_delay;
  GccTime loss_window;
  guint loss_windows;
  guint max_percentage;
  GccTime nack_only_rtt;
  GccTime small_frame_rtt;
  guint small_frame_pixels[2];
  guint small_frame_bytes[3];
  gdouble pacing_factor;
  GccTime burst_time;
  GccTime max_late;
} GccProtectionParams;

/**
 * GccProfile:
 * @name: what the `profile` property takes
 * @description: one sentence for gst-inspect-1.0
 * @group: packet groups
 * @filter: arrival filter
 * @detector: over-use detector
 * @remb_probe: detector of the sender's probes
 * @received_rate: R(t)
 * @rate_control: rate controller
 * @feedback: when A_r is updated and sent
 * @loss: loss controller
 * @protection: loss protection and pacing
 *
 * Every number of one published generation of the algorithm. A copy may be
 * changed; it must outlive what was initialised with it.
 */
typedef struct {
  const gchar *name;
  const gchar *description;
  GccGroupParams group;
  GccFilterParams filter;
  GccDetectorParams detector;
  GccRembProbeParams remb_probe;
  GccReceivedRateParams received_rate;
  GccRateControlParams rate_control;
  GccFeedbackParams feedback;
  GccLossParams loss;
  GccProtectionParams protection;
} GccProfile;

/* The default profile is the first. */
extern const GccProfile gcc_profiles[];
extern const guint gcc_n_profiles;

/* The profile of this name, or %NULL. */
const GccProfile *gcc_profile_find (const gchar *name);

G_END_DECLS
