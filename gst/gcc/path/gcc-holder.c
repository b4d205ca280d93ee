/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/path/gcc-holder.h>

void
gcc_holder_init (GccHolder *self, const GccHolderParams *params)
{
  *self = (GccHolder){
    .params = params,
    .result = { .state = GCC_COMPETITION_NONE, .rate = GCC_RATE_NONE },
    .window = { .since = GCC_TIME_NONE },
    .since = GCC_TIME_NONE,
    .unfollowed = GCC_TIME_NONE,
    .tcp_end = GCC_TIME_NONE,
    .rate_before = GCC_RATE_NONE,
    .tcp_rate = GCC_RATE_NONE,
  };
  gcc_experiment_init (&self->experiment);
}

static GccRate
get_part (gdouble share, GccRate rate)
{
  return gcc_rate_from_double (share * (gdouble) rate);
}

/* Returns whether a window has ended; then @shortest is its least delay. */
static gboolean
feed_window (GccHolder *self, GccTime queueing, GccTime *shortest, GccTime now)
{
  GccDelayRange ended;

  if (!gcc_delay_range_feed_window (
          &self->window, queueing, self->params->window, &ended, now))
    return FALSE;
  *shortest = ended.shortest;
  return TRUE;
}

static void
set_state (GccHolder *self, GccCompetitionState state, GccRate rate,
    GccTime queueing, GccTime now)
{
  self->result = (GccHolderResult){ .state = state, .rate = rate };
  self->since = now;
  self->has_changed = TRUE;
  gcc_delay_range_begin (&self->window, queueing, now);
}

/* --- the drain --- */

static gboolean
has_just_ended (const GccHolder *self, GccTime now)
{
  return !gcc_time_has_passed (
      self->params->others.test_interval / 2, self->tcp_end, now);
}

static gboolean
is_beside_tcp (const GccHolder *self)
{
  return self->result.state == GCC_COMPETITION_TCP ||
      (self->result.state == GCC_COMPETITION_DRAIN && self->was_tcp);
}

/* Of several drains in a row the first counts: other flows have taken what each
 * of them left. */
static void
note_tcp_rate (GccHolder *self, const GccHolderInput *input, GccTime now)
{
  if (self->result.state == GCC_COMPETITION_TCP)
    self->tcp_rate = input->estimate;
  if (self->result.state != GCC_COMPETITION_NONE)
    return;
  self->is_first = !has_just_ended (self, now);
  if (self->is_first)
    self->tcp_rate = get_part (self->params->others.first_share, input->rate);
}

static void
begin_drain (
    GccHolder *self, const GccHolderInput *input, GccTime queueing, GccTime now)
{
  note_tcp_rate (self, input, now);
  self->was_tcp = is_beside_tcp (self);
  self->estimate_before = input->estimate;
  self->rate_before = input->rate;
  self->longest = queueing;
  self->last_window = queueing;
  gcc_delay_range_begin (&self->drained, queueing, now);
  set_state (self, GCC_COMPETITION_DRAIN,
      get_part (self->params->drain.share, input->rate), queueing, now);
}

/* The link is full while there is a queue. After a fall of its capacity, less
 * arrives at the end of a drain than before the drain. */
static void
end_own (GccHolder *self, const GccHolderInput *input, GccTime now)
{
  const GccHolderOwnParams *params = &self->params->own;
  GccRate least = get_part (params->least, self->rate_before);
  GccRate full = CLAMP (input->rate, least, self->rate_before);

  if (self->was_tcp)
    self->tcp_end = now;
  set_state (self, GCC_COMPETITION_NONE, get_part (params->share, full),
      input->queueing, now);
}

static gboolean
has_followed (const GccHolder *self, GccRate rate)
{
  return (gdouble) rate <=
      self->params->drain.follows * (gdouble) self->rate_before;
}

/* When less arrives from a queue than a drain asks for, R was that of the link
 * before it became slower. */
static gboolean
is_link_slower (const GccHolder *self, GccRate rate)
{
  return (gdouble) rate <
      self->params->drain.takes * (gdouble) self->result.rate;
}

static GccVerdict
judge (const GccHolder *self, GccRate rate)
{
  const GccHolderDrainParams *params = &self->params->drain;

  if ((gdouble) self->drained.shortest <=
      params->drained * (gdouble) self->longest)
    return GCC_VERDICT_OWN;
  if (gcc_delay_range_get_variation (&self->drained) < params->still)
    return GCC_VERDICT_LONGER_PATH;
  if (!has_followed (self, rate))
    return GCC_VERDICT_UNKNOWN;
  return is_link_slower (self, rate) ? GCC_VERDICT_SLOWER_LINK
                                     : GCC_VERDICT_OTHERS;
}

static void
end_unanswered (GccHolder *self, GccTime queueing, GccTime now)
{
  self->unfollowed = now;
  set_state (self, self->was_tcp ? GCC_COMPETITION_TCP : GCC_COMPETITION_NONE,
      self->estimate_before, queueing, now);
}

static void
hold_share (GccHolder *self, GccTime queueing, GccTime now)
{
  set_state (self, GCC_COMPETITION_TCP, self->tcp_rate, queueing, now);
  self->result.is_first = self->is_first;
  self->is_first = FALSE;
}

/* The least delay begins anew, so there is no queue. */
static void
end_on_longer_path (GccHolder *self, GccTime queueing, GccTime now)
{
  set_state (self, GCC_COMPETITION_NONE, self->estimate_before, queueing, now);
  self->result.is_path_longer = TRUE;
}

static void
end_drain (GccHolder *self, GccVerdict verdict, const GccHolderInput *input,
    GccTime now)
{
  GccTime queueing = input->queueing;

  gcc_experiment_conclude (&self->experiment, verdict, now);
  if (verdict == GCC_VERDICT_OWN) {
    end_own (self, input, now);
  } else if (verdict == GCC_VERDICT_LONGER_PATH) {
    end_on_longer_path (self, queueing, now);
  } else if (verdict == GCC_VERDICT_UNKNOWN) {
    end_unanswered (self, queueing, now);
  } else if (verdict == GCC_VERDICT_SLOWER_LINK) {
    begin_drain (self, input, queueing, now);
  } else {
    hold_share (self, queueing, now);
  }
}

/* The queue grows further until less arrives. */
static gboolean
is_over (const GccHolder *self, GccTime now)
{
  const GccHolderDrainParams *params = &self->params->drain;
  GccTime duration = (GccTime) ((gdouble) self->longest / (1. - params->share));

  return gcc_time_has_passed (
      gcc_time_add (params->response, MIN (duration, params->max_duration)),
      self->since, now);
}

/* An encoder needs time to send less, so a queue that has begun to fall falls
 * further. */
static gboolean
is_falling (const GccHolder *self, GccTime shortest)
{
  return gcc_time_diff (self->last_window, shortest) >=
      self->params->drain.still;
}

static void
drain (GccHolder *self, const GccHolderInput *input, GccTime now)
{
  GccTime shortest;

  self->longest = MAX (self->longest, input->queueing);
  if (input->queueing <= self->params->empty_queueing) {
    end_drain (self, GCC_VERDICT_OWN, input, now);
  } else if (feed_window (self, input->queueing, &shortest, now)) {
    gcc_delay_range_feed (&self->drained, shortest);
    if (is_over (self, now) && !is_falling (self, shortest))
      end_drain (self, judge (self, input->rate), input, now);
    self->last_window = shortest;
  }
}

/* --- before and after it --- */

/* The result of a first drain may be wrong, because of a slow encoder or of a
 * path that varies. */
static GccTime
get_test_interval (const GccHolder *self)
{
  const GccHolderOthersParams *params = &self->params->others;

  return self->was_tcp ? params->test_interval : params->first_interval;
}

static void
watch (GccHolder *self, const GccHolderInput *input, GccTime now)
{
  GccTime queueing;
  gboolean stands = feed_window (self, input->queueing, &queueing, now);

  if (input->is_due)
    queueing = input->queueing;
  else if (!stands)
    return;
  if (queueing > self->params->min_queueing &&
      gcc_time_has_passed (self->params->drain.again, self->unfollowed, now))
    begin_drain (self, input, queueing, now);
}

static void
compete (GccHolder *self, const GccHolderInput *input, GccTime now)
{
  GccTime shortest;

  /* The drain compares least delays, and a packet may wait for its own frame. */
  if (feed_window (self, input->queueing, &shortest, now))
    self->last_window = shortest;
  if (input->queueing <= self->params->empty_queueing) {
    self->tcp_end = now;
    self->tcp_rate = input->estimate;
    set_state (
        self, GCC_COMPETITION_NONE, input->estimate, input->queueing, now);
  } else if (input->is_due ||
      gcc_time_has_passed (get_test_interval (self), self->since, now)) {
    begin_drain (self, input, self->last_window, now);
  }
}

const GccHolderResult *
gcc_holder_feed (GccHolder *self, const GccHolderInput *input, GccTime now)
{
  self->has_changed = FALSE;
  if (input->rate == GCC_RATE_NONE || input->estimate == GCC_RATE_NONE)
    return NULL;
  switch (self->result.state) {
    case GCC_COMPETITION_NONE:
      watch (self, input, now);
      break;
    case GCC_COMPETITION_DRAIN:
      drain (self, input, now);
      break;
    case GCC_COMPETITION_TCP:
      compete (self, input, now);
      break;
  }
  return self->has_changed ? &self->result : NULL;
}

const GccHolderResult *
gcc_holder_set_longer_path (GccHolder *self, GccTime now)
{
  gcc_experiment_conclude (&self->experiment, GCC_VERDICT_LONGER_PATH, now);
  end_on_longer_path (self, 0, now);
  return &self->result;
}

gboolean
gcc_holder_sets_rate (const GccHolder *self)
{
  return self->result.state == GCC_COMPETITION_DRAIN || self->has_changed;
}

gboolean
gcc_holder_is_beside_others (const GccHolder *self, GccTime now)
{
  return is_beside_tcp (self) || has_just_ended (self, now);
}

const gchar *
gcc_competition_state_to_string (GccCompetitionState state)
{
  switch (state) {
    case GCC_COMPETITION_NONE:
      return "none";
    case GCC_COMPETITION_DRAIN:
      return "drain";
    case GCC_COMPETITION_TCP:
      return "tcp";
  }

  g_return_val_if_reached (NULL);
}

GccReason
gcc_competition_state_to_reason (GccCompetitionState state)
{
  switch (state) {
    case GCC_COMPETITION_NONE:
      return GCC_REASON_DRAIN_OVER;
    case GCC_COMPETITION_DRAIN:
      return GCC_REASON_DRAIN;
    case GCC_COMPETITION_TCP:
      return GCC_REASON_TCP;
  }

  g_return_val_if_reached (GCC_REASON_DRAIN_OVER);
}
