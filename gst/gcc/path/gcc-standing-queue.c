/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/path/gcc-standing-queue.h>

void
gcc_standing_queue_init (
    GccStandingQueue *self, const GccStandingQueueParams *params)
{
  *self = (GccStandingQueue){
    .params = params,
    .result = { .state = GCC_COMPETITION_NONE, .rate = GCC_RATE_NONE },
    .verdict = GCC_VERDICT_NONE,
    .window = { .since = GCC_TIME_NONE },
    .since = GCC_TIME_NONE,
    .unfollowed = GCC_TIME_NONE,
    .tcp_end = GCC_TIME_NONE,
    .tcp_rate = GCC_RATE_NONE,
  };
}

static GccRate
get_part (gdouble share, GccRate rate)
{
  return gcc_rate_from_double (share * (gdouble) rate);
}

/* Returns whether a window has ended; then @shortest is its least delay. */
static gboolean
feed_window (
    GccStandingQueue *self, GccTime queueing, GccTime *shortest, GccTime now)
{
  GccDelayRange ended;

  if (!gcc_delay_range_feed_window (
          &self->window, queueing, self->params->window, &ended, now))
    return FALSE;
  *shortest = ended.shortest;
  return TRUE;
}

static void
set_state (GccStandingQueue *self, GccCompetitionState state, GccRate rate,
    GccTime queueing, GccTime now)
{
  self->result = (GccStandingQueueResult){ .state = state, .rate = rate };
  self->since = now;
  self->has_changed = TRUE;
  gcc_delay_range_begin (&self->window, queueing, now);
}

/* --- the drain --- */

/* Other flows that held the queue a moment ago may still be there. */
static gboolean
has_just_ended (const GccStandingQueue *self, GccTime now)
{
  return !gcc_time_has_passed (
      self->params->others.test_interval / 2, self->tcp_end, now);
}

static gboolean
is_beside_tcp (const GccStandingQueue *self)
{
  return self->result.state == GCC_COMPETITION_TCP ||
      (self->result.state == GCC_COMPETITION_DRAIN && self->was_tcp);
}

static void
begin_drain (GccStandingQueue *self, GccTime queueing, GccRate rate,
    GccRate estimate, GccTime now)
{
  const GccStandingQueueParams *params = self->params;

  self->was_tcp = is_beside_tcp (self);
  if (self->result.state == GCC_COMPETITION_TCP)
    self->tcp_rate = estimate;
  else if (!self->was_tcp && !has_just_ended (self, now))
    self->tcp_rate = get_part (params->others.first_share, rate);
  self->estimate_before = estimate;
  self->rate_before = rate;
  self->longest = queueing;
  self->last_window = queueing;
  gcc_delay_range_begin (&self->drained, queueing, now);
  set_state (self, GCC_COMPETITION_DRAIN, get_part (params->drain.share, rate),
      queueing, now);
}

/* The link is full while there is a queue. After a fall of its capacity, less
 * arrives at the end of a drain than before the drain. */
static void
end_own (GccStandingQueue *self, GccTime queueing, GccRate rate, GccTime now)
{
  const GccStandingQueueOwnParams *params = &self->params->own;
  GccRate least = get_part (params->least, self->rate_before);
  GccRate full = CLAMP (rate, least, self->rate_before);

  if (self->was_tcp)
    self->tcp_end = now;
  set_state (self, GCC_COMPETITION_NONE, get_part (params->share, full),
      queueing, now);
}

static gboolean
has_followed (const GccStandingQueue *self, GccRate rate)
{
  return (gdouble) rate <=
      self->params->drain.follows * (gdouble) self->rate_before;
}

/* When less arrives from a queue than the receiver asked for, R was that of the
 * link before it became slower. */
static gboolean
is_link_slower (const GccStandingQueue *self, GccRate rate)
{
  return (gdouble) rate <
      self->params->drain.takes * (gdouble) self->result.rate;
}

static GccVerdict
judge (const GccStandingQueue *self, GccRate rate)
{
  const GccStandingQueueDrainParams *params = &self->params->drain;

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
end_unanswered (GccStandingQueue *self, GccTime queueing, GccTime now)
{
  self->unfollowed = now;
  set_state (self, self->was_tcp ? GCC_COMPETITION_TCP : GCC_COMPETITION_NONE,
      self->estimate_before, queueing, now);
}

static void
end_drain (GccStandingQueue *self, GccVerdict verdict, GccTime queueing,
    GccRate rate, GccTime now)
{
  self->verdict = verdict;
  if (verdict == GCC_VERDICT_OWN) {
    end_own (self, queueing, rate, now);
  } else if (verdict == GCC_VERDICT_LONGER_PATH) {
    set_state (
        self, GCC_COMPETITION_NONE, self->estimate_before, queueing, now);
    self->result.is_path_longer = TRUE;
  } else if (verdict == GCC_VERDICT_UNKNOWN) {
    end_unanswered (self, queueing, now);
  } else if (verdict == GCC_VERDICT_SLOWER_LINK) {
    begin_drain (self, queueing, rate, self->result.rate, now);
  } else {
    set_state (self, GCC_COMPETITION_TCP, self->tcp_rate, queueing, now);
  }
}

/* The queue grows further until the sender follows the request. */
static gboolean
is_over (const GccStandingQueue *self, GccTime now)
{
  const GccStandingQueueDrainParams *params = &self->params->drain;
  GccTime duration = (GccTime) ((gdouble) self->longest / (1. - params->share));

  return gcc_time_has_passed (
      gcc_time_add (params->response, MIN (duration, params->max_duration)),
      self->since, now);
}

/* An encoder needs time to send less, so a queue that has begun to fall falls
 * further. */
static gboolean
is_falling (const GccStandingQueue *self, GccTime shortest)
{
  return gcc_time_diff (self->last_window, shortest) >=
      self->params->drain.still;
}

static void
drain (GccStandingQueue *self, GccTime queueing, GccRate rate, GccTime now)
{
  GccTime shortest;

  self->longest = MAX (self->longest, queueing);
  if (queueing <= self->params->empty_queueing) {
    end_drain (self, GCC_VERDICT_OWN, queueing, rate, now);
  } else if (feed_window (self, queueing, &shortest, now)) {
    gcc_delay_range_feed (&self->drained, shortest);
    if (is_over (self, now) && !is_falling (self, shortest))
      end_drain (self, judge (self, rate), queueing, rate, now);
    self->last_window = shortest;
  }
}

/* --- before and after it --- */

/* The result of a first drain may be wrong, because of a slow encoder or of a
 * path that varies. */
static GccTime
get_test_interval (const GccStandingQueue *self)
{
  const GccStandingQueueOthersParams *params = &self->params->others;

  return self->was_tcp ? params->test_interval : params->first_interval;
}

static void
watch (GccStandingQueue *self, GccTime queueing, GccRate rate, GccRate estimate,
    GccTime now)
{
  GccTime shortest;

  if (!feed_window (self, queueing, &shortest, now) ||
      shortest <= self->params->min_queueing)
    return;
  if (gcc_time_has_passed (self->params->drain.again, self->unfollowed, now))
    begin_drain (self, shortest, rate, estimate, now);
}

static void
compete (GccStandingQueue *self, GccTime queueing, GccRate rate,
    GccRate estimate, GccTime now)
{
  const GccStandingQueueParams *params = self->params;
  GccTime shortest;

  /* The drain compares least delays, and a packet may wait for its own frame. */
  if (feed_window (self, queueing, &shortest, now))
    self->last_window = shortest;
  if (queueing <= params->empty_queueing) {
    self->tcp_end = now;
    self->tcp_rate = estimate;
    set_state (self, GCC_COMPETITION_NONE, estimate, queueing, now);
  } else if (gcc_time_has_passed (get_test_interval (self), self->since, now)) {
    begin_drain (self, self->last_window, rate, estimate, now);
  }
}

const GccStandingQueueResult *
gcc_standing_queue_update (GccStandingQueue *self, GccTime queueing,
    GccRate rate, GccRate estimate, GccTime now)
{
  self->has_changed = FALSE;
  if (rate == GCC_RATE_NONE || estimate == GCC_RATE_NONE)
    return NULL;
  switch (self->result.state) {
    case GCC_COMPETITION_NONE:
      watch (self, queueing, rate, estimate, now);
      break;
    case GCC_COMPETITION_DRAIN:
      drain (self, queueing, rate, now);
      break;
    case GCC_COMPETITION_TCP:
      compete (self, queueing, rate, estimate, now);
      break;
  }
  return self->has_changed ? &self->result : NULL;
}

GccCompetitionState
gcc_standing_queue_get_state (const GccStandingQueue *self)
{
  return self->result.state;
}

GccVerdict
gcc_standing_queue_get_verdict (const GccStandingQueue *self)
{
  return self->verdict;
}

gboolean
gcc_standing_queue_sets_rate (const GccStandingQueue *self)
{
  return self->result.state == GCC_COMPETITION_DRAIN || self->has_changed;
}
