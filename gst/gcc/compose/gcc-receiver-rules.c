/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/compose/gcc-receiver-rules.h>

void
gcc_receiver_rules_init (
    GccReceiverRules *self, const GccReceiverRulesParams *params)
{
  self->params = params;
  gcc_queueing_delay_init (&self->shared_queueing);
  gcc_packet_time_init (&self->packet_time, &params->packet_time);
  self->last_arrival = GCC_TIME_NONE;
  self->queueing = 0;
  gcc_windowed_min_init (&self->least_queueing);
  gcc_holder_init (&self->holder, &params->holder);
  gcc_link_trains_init (&self->trains, &params->trains);
  gcc_recent_loss_init (&self->losses, &params->losses);
  self->path = 0;
}

void
gcc_receiver_rules_init_stream (
    const GccReceiverRules *self, GccReceiverStreamRules *stream)
{
  stream->path = self->path;
  gcc_queueing_delay_init (&stream->queueing);
  gcc_packet_train_init (&stream->train);
}

GccCompetitionState
gcc_receiver_rules_get_state (const GccReceiverRules *self)
{
  return self->holder.result.state;
}

GccVerdict
gcc_receiver_rules_get_verdict (const GccReceiverRules *self)
{
  return self->holder.experiment.verdict;
}

GccTime
gcc_receiver_rules_get_queueing (const GccReceiverRules *self)
{
  return self->queueing;
}

gboolean
gcc_receiver_rules_sets_rate (const GccReceiverRules *self)
{
  return gcc_holder_sets_rate (&self->holder);
}

/* --- a queue that stands --- */

/* The path has become longer: the least delay of each stream begins anew. */
static void
forget_least_delays (GccReceiverRules *self)
{
  gcc_queueing_delay_init (&self->shared_queueing);
  self->path++;
}

static void
follow_path (GccReceiverRules *self, GccReceiverStreamRules *stream)
{
  if (stream->path == self->path)
    return;
  stream->path = self->path;
  gcc_queueing_delay_init (&stream->queueing);
}

/* Packets from a standing queue arrive at the rate of the link. */
static void
note_full_link (GccRateControl *rate_control, GccRate rate, GccTime now)
{
  GccRateControlInput input = {
    .signal = GCC_SIGNAL_OVERUSE,
    .received_rate = rate,
  };

  gcc_rate_control_update (rate_control, &input, now);
}

static void
note_link_rate (GccReceiverRules *self, GccRate rate, GccTime arrival)
{
  if (self->last_arrival != GCC_TIME_NONE)
    gcc_packet_time_feed (&self->packet_time, rate,
        MAX (gcc_time_diff (arrival, self->last_arrival), 0));
  self->last_arrival = arrival;
}

/* How long a packet waited. */
static GccTime
measure_queueing (const GccReceiverRules *self, GccQueueingDelay *delay,
    const GccReceiverRulesPacket *packet)
{
  const GccDelaySample *sample = packet->sample;
  GccTime queueing = gcc_queueing_delay_feed (delay, sample->departure,
      sample->clock_rate, sample->arrival, self->params->least_window);

  return gcc_packet_time_get_wait (&self->packet_time, queueing, packet->size);
}

/* Returns whether A_r has changed. */
static gboolean
watch_queue (GccReceiverRules *self, GccRateControl *rate_control,
    const GccReceiverRulesPacket *packet, GccTime now)
{
  GccRate rate = packet->received_rate;
  GccHolderInput input = {
    .queueing = self->queueing,
    .rate = rate,
    .estimate = gcc_rate_control_get_rate (rate_control),
  };
  const GccHolderResult *result = gcc_holder_feed (&self->holder, &input, now);

  if (result == NULL)
    return FALSE;
  if (result->is_path_longer)
    forget_least_delays (self);
  if (result->state == GCC_COMPETITION_DRAIN)
    note_full_link (rate_control, rate, now);
  else if (result->state == GCC_COMPETITION_TCP)
    gcc_rate_control_forget_capacity (rate_control);
  gcc_rate_control_set_rate (rate_control, result->rate, now);
  return TRUE;
}

/* --- the rate of the link --- */

static void
watch_trains (GccReceiverRules *self, GccPacketTrain *train,
    const GccReceiverRulesPacket *taken, GccTime now)
{
  const GccPacket *packet = taken->packet;
  GccTrainRates rates;

  if (!packet->ignore_rtp_timestamp &&
      gcc_packet_train_feed (train, &self->params->trains.train,
          packet->rtp_timestamp, taken->size, packet->arrival, &rates))
    gcc_link_trains_feed (&self->trains, &rates, now);
}

/* --- packets --- */

gboolean
gcc_receiver_rules_feed (GccReceiverRules *self, GccReceiverStreamRules *stream,
    GccRateControl *rate_control, const GccReceiverRulesPacket *packet,
    GccTime now)
{
  GccQueueingDelay *delay;

  watch_trains (self, &stream->train, packet, now);
  gcc_recent_loss_feed (&self->losses, packet->packet->n_lost, now);
  if (packet->sample == NULL)
    return FALSE;
  follow_path (self, stream);
  note_link_rate (self, packet->received_rate, packet->sample->arrival);
  delay = packet->sample->is_send_time ? &self->shared_queueing
                                       : &stream->queueing;
  self->queueing = measure_queueing (self, delay, packet);
  gcc_windowed_min_feed (
      &self->least_queueing, self->queueing, self->params->holder.window, now);
  return watch_queue (self, rate_control, packet, now);
}

/* --- updates of A_r --- */

/* A single packet may wait for its own frame. */
static gboolean
has_queue (const GccReceiverRules *self)
{
  return gcc_windowed_min_get (&self->least_queueing) >
      self->params->holder.empty_queueing;
}

static gboolean
has_headroom (const GccReceiverRules *self, GccRate rate, GccRate link)
{
  return rate != GCC_RATE_NONE &&
      (gdouble) link >= self->params->headroom * (gdouble) rate;
}

/* A_r is held in under-use until the queue has drained. While no limit of the path
 * is known and there is no queue, it need not be. */
static gboolean
has_nothing_to_drain (
    const GccReceiverRules *self, const GccRateControl *rate_control)
{
  return !has_queue (self) &&
      gcc_rate_control_get_region (rate_control) ==
      GCC_RATE_CONTROL_MAX_UNKNOWN;
}

/* Over-use by others does not count. Without a queue, over-use on a link with
 * headroom is not due to this call. */
static GccSignal
get_own_signal (const GccReceiverRules *self, GccSignal signal,
    const GccRateControl *rate_control, GccRate link)
{
  gboolean is_own = has_queue (self) ||
      !has_headroom (self, gcc_rate_control_get_rate (rate_control), link);

  if (gcc_receiver_rules_get_state (self) == GCC_COMPETITION_TCP ||
      (signal == GCC_SIGNAL_OVERUSE && !is_own) ||
      (signal == GCC_SIGNAL_UNDERUSE &&
          has_nothing_to_drain (self, rate_control)))
    return GCC_SIGNAL_NORMAL;
  return signal;
}

/* A queue that is too short for over-use loses packets instead. */
static gboolean
loses_packets (const GccReceiverRules *self)
{
  return gcc_receiver_rules_get_state (self) == GCC_COMPETITION_NONE &&
      gcc_recent_loss_counts (
          &self->losses, gcc_windowed_min_get (&self->least_queueing));
}

void
gcc_receiver_rules_adjust (GccReceiverRules *self,
    const GccRateControl *rate_control, GccRateControlInput *input, GccTime now)
{
  input->link = gcc_link_trains_get_most (&self->trains, now);
  input->signal = loses_packets (self)
      ? GCC_SIGNAL_OVERUSE
      : get_own_signal (self, input->signal, rate_control, input->link);
  gcc_recent_loss_answer (&self->losses);
}

GccRate
gcc_receiver_rules_begin (
    GccReceiverRules *self, GccRateControl *rate_control, GccTime now)
{
  GccRate received_rate = gcc_rate_control_get_rate (rate_control);
  GccRate rate = gcc_link_trains_get_start (&self->trains, received_rate);

  if (rate > received_rate)
    gcc_rate_control_set_rate (rate_control, rate, now);
  return gcc_rate_control_get_rate (rate_control);
}
