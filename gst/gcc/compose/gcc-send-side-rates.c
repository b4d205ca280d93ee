/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/compose/gcc-send-side-rates.h>

#include <math.h>

/* Published generations have none. */
static gboolean
has_rules (const GccSendSideRates *self)
{
  return self->params->rules != NULL;
}

/* --- begin --- */

void
gcc_send_side_rates_init (GccSendSideRates *self,
    const GccSendSideParams *params, GccRate min, GccRate rate, GccTime now)
{
  self->params = params;
  self->min = min;
  self->streams_wait = FALSE;
  self->result = (GccSendSideResult){
    .round_trip = GCC_TIME_NONE,
    .m_ms = NAN,
    .gamma_ms = NAN,
    .probe = GCC_RATE_NONE,
  };
  if (has_rules (self))
    gcc_send_side_rules_init (&self->rules, params->rules);
  gcc_send_side_ecn_init (&self->ecn, params->ecn);
  gcc_result_delay_init (&self->delay, &params->delay);
  gcc_send_side_rates_restart (self, rate, now);
}

void
gcc_send_side_rates_restart (GccSendSideRates *self, GccRate rate, GccTime now)
{
  const GccSendSideParams *params = self->params;

  gcc_result_delay_restart (&self->delay);
  gcc_acknowledged_rate_init (&self->acknowledged, params->acknowledged);
  gcc_rate_control_init (&self->rate_control, params->rate_control);
  gcc_rate_control_set_min (&self->rate_control, self->min);
  gcc_rate_control_set_rate (&self->rate_control, rate, now);
  gcc_probe_estimator_init (&self->probes, params->probes);
  gcc_loss_estimate_init (&self->loss, params->loss);
  gcc_loss_estimate_set_rate (&self->loss, rate);
  if (has_rules (self))
    gcc_send_side_rules_restart (&self->rules);
  self->result.competition = GCC_COMPETITION_NONE;
  self->result.queueing = GCC_TIME_NONE;
  self->result.capacity = GCC_RATE_NONE;
  self->result.verdict = has_rules (self) ? GCC_VERDICT_NONE
                                          : GCC_VERDICT_ABSENT;
  self->is_tested = FALSE;
  self->resumed = GCC_TIME_NONE;
  self->result.acknowledged = GCC_RATE_NONE;
  self->result.delay_based = rate;
  self->result.delay_reason = GCC_REASON_GROWTH;
  self->result.loss_based = GCC_RATE_NONE;
}

void
gcc_send_side_rates_set_min (GccSendSideRates *self, GccRate min)
{
  self->min = min;
  gcc_rate_control_set_min (&self->rate_control, min);
}

void
gcc_send_side_rates_set_streams_wait (GccSendSideRates *self, gboolean wait)
{
  self->streams_wait = wait;
}

void
gcc_send_side_rates_feed_resumption (GccSendSideRates *self, GccTime now)
{
  self->resumed = now;
}

/* --- by delay --- */

static GccSignal
get_signal (GccSendSideRates *self, GccProbeController *controller, GccTime now)
{
  const GccOveruseDetector *detector = &self->delay.detector;

  return has_rules (self)
      ? gcc_send_side_rules_feed_signal (&self->rules, detector,
            self->params->delay.detector->gamma_0, controller, now)
      : detector->signal;
}

static void
follow_signal (
    GccSendSideRates *self, GccProbeController *controller, GccTime now)
{
  GccSendSideResult *result = &self->result;
  GccSignal signal = get_signal (self, controller, now);

  if (gcc_result_delay_feed_signal (&self->delay, result->signal, signal))
    gcc_probe_controller_feed_recovery (controller, now);
  result->signal = signal;
  result->m_ms = self->delay.detector.modified_m;
  result->gamma_ms = gcc_overuse_detector_get_gamma (&self->delay.detector);
}

static gboolean
may_lower (const GccSendSideRates *self)
{
  return self->params->probes_lower && !self->probes.is_lower_bound;
}

/* A result that is far above the rate of the link has the bound of growth. */
static GccRate
bound_probe (const GccSendSideRates *self, GccRate probe, GccRate before)
{
  GccAimdInput input = {
    .rate = before,
    .received_rate = MAX (before, self->result.acknowledged),
  };

  if (!has_rules (self) || !gcc_send_side_rules_bounds_probes (&self->rules))
    return probe;
  return gcc_aimd_limit (&self->params->rate_control->aimd, &input, probe);
}

/* A result below the received rate is an error of the prober, or due to short
 * bursts of others. */
static GccRate
take_probe (GccSendSideRates *self, GccProbeController *controller, GccTime now)
{
  GccRate before = gcc_rate_control_get_rate (&self->rate_control);
  GccRate probe = gcc_probe_estimator_fetch (&self->probes);

  if (probe == GCC_RATE_NONE)
    return GCC_RATE_NONE;

  self->result.probe = probe;
  probe = bound_probe (self, probe, before);
  self->result.n_probe_results++;
  if (probe <= before && !may_lower (self))
    return GCC_RATE_NONE;
  if (has_rules (self))
    gcc_send_side_rules_feed_probe (
        &self->rules, probe, before, controller, now);
  if (self->result.acknowledged != GCC_RATE_NONE)
    probe = MAX (probe,
        MIN (before,
            gcc_rate_from_double (self->params->probe_floor *
                (gdouble) self->result.acknowledged)));
  if (has_rules (self) && may_lower (self))
    gcc_send_side_rules_set_link (&self->rules, probe);
  return probe;
}

/* Only the signal is known yet. */
static void
halve (GccSendSideRates *self, GccTime now)
{
  GccRate rate = gcc_rate_control_get_rate (&self->rate_control);

  if (gcc_rate_control_is_time_to_reduce (
          &self->rate_control, rate / 2 - 1, now))
    gcc_rate_control_set_rate (&self->rate_control, rate / 2, now);
}

/* Whether the loss based rate is that of losses long past. It grows by what is received,
 * which is little where the application is the limit, and nothing of streams that
 * wait. */
static gboolean
is_loss_outdated (const GccSendSideRates *self, gboolean in_alr)
{
  return (self->streams_wait || in_alr) && has_rules (self) &&
      self->loss.average_loss <= 0.;
}

/* Over-use lowers the rate to a share of the link's rate. */
static GccRate
get_received_rate (const GccSendSideRates *self, gboolean is_over, GccTime now)
{
  GccRate acknowledged = self->result.acknowledged;

  return is_over && has_rules (self)
      ? gcc_send_side_rules_get_full_rate (&self->rules, acknowledged,
            gcc_rate_control_get_rate (&self->rate_control),
            self->params->rate_control->beta, now)
      : acknowledged;
}

/* @cause: why the rate control has computed its rate */
static void
take_delay_based (GccSendSideRates *self, GccReason cause)
{
  GccSendSideResult *result = &self->result;
  GccRate rate = gcc_rate_control_get_rate (&self->rate_control);

  result->delay_reason = gcc_reason_follow (
      result->delay_reason, cause, result->delay_based, rate);
  result->delay_based = rate;
}

static void
take_rate (GccSendSideRates *self, GccRate rate, GccReason cause, GccTime now)
{
  gcc_rate_control_set_rate (&self->rate_control, rate, now);
  take_delay_based (self, cause);
}

/* Under-use rests, too. */
static GccSignal
get_control_signal (
    const GccSendSideRates *self, const GccProbeController *controller)
{
  GccSignal signal = self->result.signal;

  return signal == GCC_SIGNAL_NORMAL && has_rules (self) &&
          gcc_send_side_rules_is_at_link (&self->rules, controller,
              gcc_rate_control_get_rate (&self->rate_control))
      ? GCC_SIGNAL_UNDERUSE
      : signal;
}

/* While marks tell. */
static void
follow_growth (const GccSendSideRates *self, const GccSendSideInput *input,
    GccRateControlInput *sample)
{
  GccL4sGrowth growth = gcc_send_side_ecn_get_growth (&self->ecn,
      gcc_rate_control_get_rate (&self->rate_control),
      self->result.acknowledged, input->mean_size, self->result.round_trip);

  sample->growth = growth.speed;
  sample->growth_end = growth.end;
}

static void
control (GccSendSideRates *self, const GccSendSideInput *input, GccRate probe,
    GccTime now)
{
  gboolean is_over = self->result.signal == GCC_SIGNAL_OVERUSE;
  GccRate acknowledged = get_received_rate (self, is_over, now);
  GccRateControlInput sample = {
    .signal = get_control_signal (self, input->controller),
    .received_rate = acknowledged,
    .has_growth = gcc_send_side_ecn_is_full (&self->ecn, now),
  };

  if (sample.has_growth)
    follow_growth (self, input, &sample);
  if (!is_over && probe != GCC_RATE_NONE) {
    if (self->streams_wait && has_rules (self))
      gcc_rate_control_feed_probe (&self->rate_control, probe);
    take_rate (self, probe, GCC_REASON_PROBE, now);
    if (is_loss_outdated (self, input->in_alr))
      gcc_loss_estimate_set_rate (&self->loss, probe);
    return;
  }
  if (is_over && acknowledged == GCC_RATE_NONE)
    halve (self, now);
  else if (!is_over ||
      gcc_rate_control_is_time_to_reduce (
          &self->rate_control, acknowledged, now))
    gcc_rate_control_update (&self->rate_control, &sample, now);
  take_delay_based (self, is_over ? GCC_REASON_OVERUSE : GCC_REASON_GROWTH);
}

/* R(t) of the time in which a stream waited is that of the others. */
static void
forget_waiting (GccSendSideRates *self, const GccPacketResult *packets, guint n)
{
  if (self->resumed == GCC_TIME_NONE || !has_rules (self) ||
      gcc_time_diff (packets[n - 1].sent.time, self->resumed) < 0)
    return;
  gcc_acknowledged_rate_init (&self->acknowledged, self->params->acknowledged);
  gcc_send_side_rules_forget_rate (&self->rules);
  self->resumed = GCC_TIME_NONE;
}

static void
measure_rate (GccSendSideRates *self, const GccPacketResult *packets, guint n,
    GccTime now)
{
  forget_waiting (self, packets, n);
  gcc_acknowledged_rate_update (&self->acknowledged, packets, n);
  if (!has_rules (self) ||
      gcc_send_side_rules_feed_packets (
          &self->rules, packets, n, &self->acknowledged, now))
    self->result.acknowledged = gcc_acknowledged_rate_get (&self->acknowledged);
}

static void
estimate_by_delay (
    GccSendSideRates *self, const GccSendSideInput *input, GccTime now)
{
  const GccPacketResult *fresh = input->packets + input->n_stale;
  guint n = input->n_arrived - input->n_stale;

  if (n == 0)
    return;

  measure_rate (self, fresh, n, now);
  for (guint i = 0; i < n; i++) {
    if (!has_rules (self) ||
        !gcc_send_side_rules_is_forgotten (&self->rules, &fresh[i].sent))
      gcc_probe_estimator_update (&self->probes, &fresh[i]);
    if (gcc_result_delay_update (&self->delay, &fresh[i], now) &&
        has_rules (self))
      gcc_send_side_rules_forget_probe (&self->rules);
  }
  follow_signal (self, input->controller, now);
  control (self, input, take_probe (self, input->controller, now), now);
}

/* --- by marks --- */

/* Marks say that the link is full before a queue does: A_s falls, and needs no
 * other limit. */
static void
follow_marks (
    GccSendSideRates *self, const GccSendSideInput *input, GccTime now)
{
  GccRate before = gcc_rate_control_get_rate (&self->rate_control);
  GccRate rate;

  if (before == GCC_RATE_NONE)
    return;
  rate = gcc_send_side_ecn_lower (&self->ecn, input->packets, input->n_arrived,
      before, self->min, input->reduction, now);
  if (rate >= before)
    return;
  gcc_rate_control_forget_capacity (&self->rate_control);
  take_rate (self, rate, GCC_REASON_ECN, now);
}

/* A link that marks loses nothing, and the loss estimate rises too slowly there. */
static gboolean
trusts_marks (const GccSendSideRates *self)
{
  return gcc_send_side_ecn_is_capable (&self->ecn) &&
      self->loss.average_loss < self->params->ecn->max_loss;
}

/* --- by loss --- */

static void
estimate_by_loss (GccSendSideRates *self, const GccSendSideInput *input)
{
  GccSendSideResult *result = &self->result;
  GccRate rate;

  gcc_send_side_ecn_lose_classic (&self->ecn, input->packets, input->n);
  gcc_loss_estimate_update (&self->loss,
      &(GccLossEstimateInput){
          .results = input->packets,
          .n_results = input->n,
          .acknowledged = result->acknowledged,
          .delay_based = result->delay_based,
          .in_alr = input->in_alr,
          /* an encoder that sends four fifths would keep the rate of losses long
           * past */
          .releases = has_rules (self),
      });
  rate = gcc_loss_estimate_get_rate (&self->loss);
  result->loss_state = gcc_loss_estimate_get_state (&self->loss);
  result->loss_based = rate < result->delay_based && !trusts_marks (self)
      ? rate
      : GCC_RATE_NONE;
}

/* --- by rules --- */

static void
take_verdict (
    GccSendSideRates *self, const GccSendSideVerdict *verdict, GccTime now)
{
  GccSendSideResult *result = &self->result;

  result->competition = verdict->state;
  result->queueing = verdict->queueing;
  result->noise = verdict->noise;
  result->capacity = verdict->capacity;
  result->verdict = verdict->found;
  if (verdict->has_drained) {
    gcc_result_delay_restart (&self->delay);
    result->signal = GCC_SIGNAL_NORMAL;
  }
  if (verdict->has_drained && verdict->capacity != GCC_RATE_NONE)
    gcc_rate_control_feed_capacity (
        &self->rate_control, verdict->capacity, now);
  if (verdict->rate != GCC_RATE_NONE &&
      !gcc_send_side_ecn_is_full (&self->ecn, now)) {
    take_rate (self, verdict->rate,
        gcc_competition_state_to_reason (verdict->state), now);
    result->loss_based = GCC_RATE_NONE;
  }
  self->is_tested = verdict->most != GCC_RATE_NONE;
  if (self->is_tested && result->delay_based > verdict->most)
    take_rate (self, verdict->most, verdict->most_reason, now);
}

static void
follow_rules (
    GccSendSideRates *self, const GccSendSideInput *input, GccTime now)
{
  GccSendSideResult *result = &self->result;
  GccCompetitionInput sample = {
    .is_overused = result->signal == GCC_SIGNAL_OVERUSE,
    .acknowledged = result->acknowledged,
    .round_trip = result->round_trip != GCC_TIME_NONE ? result->round_trip : -1,
    .in_alr = input->in_alr,
    .target = input->target,
  };
  GccSendSideVerdict verdict = gcc_send_side_rules_update (
      &self->rules, &sample, input->history, now);

  take_verdict (self, &verdict, now);
  gcc_probe_controller_set_lossy (
      input->controller, verdict.is_lossy, verdict.has_just_lost);
}

/* --- together --- */

static void
take_round_trip (GccSendSideRates *self, GccTime round_trip)
{
  if (round_trip == GCC_TIME_NONE)
    return;
  gcc_rate_control_set_rtt (&self->rate_control, round_trip);
  self->result.round_trip = round_trip;
}

void
gcc_send_side_rates_update (
    GccSendSideRates *self, const GccSendSideInput *input, GccTime now)
{
  /* without times neither the queue nor the rate is known */
  gboolean follows_rules = input->n_arrived > 0 && has_rules (self);

  take_round_trip (self, input->round_trip);
  if (follows_rules)
    gcc_send_side_rules_feed_numbers (&self->rules, &input->first, &input->last,
        input->history, &self->acknowledged);
  estimate_by_delay (self, input, now);
  follow_marks (self, input, now);
  if (!input->is_excused)
    estimate_by_loss (self, input);
  if (follows_rules)
    follow_rules (self, input, now);
}

GccRateLimit
gcc_send_side_rates_get_limit (const GccSendSideRates *self, gboolean in_alr)
{
  const GccSendSideResult *result = &self->result;

  if (result->competition != GCC_COMPETITION_NONE || self->is_tested)
    return GCC_RATE_LIMIT_DELAY_INCREASED;
  if (result->loss_based != GCC_RATE_NONE && !is_loss_outdated (self, in_alr))
    return result->loss_state == GCC_LOSS_ESTIMATE_INCREASING
        ? GCC_RATE_LIMIT_LOSS_INCREASING
        : GCC_RATE_LIMIT_LOSS;
  return result->signal == GCC_SIGNAL_NORMAL ? GCC_RATE_LIMIT_DELAY
                                             : GCC_RATE_LIMIT_DELAY_INCREASED;
}

/* The loss based rate has followed the drain, and takes a report to return. */
static gboolean
is_loss_of_drain (const GccSendSideRates *self)
{
  return self->result.loss_based != GCC_RATE_NONE &&
      self->result.loss_state == GCC_LOSS_ESTIMATE_DELAY_BASED;
}

GccRate
gcc_send_side_rates_get_rate_after_drain (const GccSendSideRates *self)
{
  if (!has_rules (self))
    return GCC_RATE_NONE;
  if (is_loss_of_drain (self))
    return self->result.delay_based;

  return gcc_send_side_rules_get_rate_after_drain (&self->rules);
}
