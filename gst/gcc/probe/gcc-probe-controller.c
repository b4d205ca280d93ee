/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/probe/gcc-probe-controller.h>

#include <math.h>
#include <string.h>

void
gcc_probe_controller_init (GccProbeController *self,
    const GccProbeControllerParams *params, GccTime now)
{
  *self = (GccProbeController){
    .params = params,
    .is_writable = TRUE,
    .alr_start = GCC_TIME_NONE,
  };
  gcc_probe_controller_reset (self, now);
}

void
gcc_probe_controller_reset (GccProbeController *self, GccTime now)
{
  self->state = GCC_PROBE_CONTROLLER_INITIAL;
  self->limit = GCC_RATE_LIMIT_DELAY;
  self->start_rate = 0;
  self->max_rate = self->params->default_max_rate;
  self->estimate = 0;
  self->probe_further_above = G_MAXINT64;
  self->last_probe = now;
  self->alr_end = GCC_TIME_NONE;
  self->last_drop = now;
  self->rate_before_drop = 0;
  self->last_drop_probe = now;
  self->busy_interval = self->params->busy_interval;
  self->waiting_interval = self->params->waiting_interval;
  self->is_lossy = FALSE;
  self->has_lost = FALSE;
  self->n_requests = 0;
}

static GccRate
scale (gdouble factor, GccRate rate)
{
  gdouble scaled = factor * (gdouble) rate;

  /* G_MAXINT64 as a double is rounded up by one */
  return scaled >= (gdouble) G_MAXINT64 ? G_MAXINT64 : llround (scaled);
}

/* --- how a cluster is asked for --- */

static void
complete (GccProbeController *self)
{
  self->state = GCC_PROBE_CONTROLLER_COMPLETE;
  self->probe_further_above = G_MAXINT64;
}

/* FALSE where a probe could only do harm. */
static gboolean
may_probe (const GccProbeController *self)
{
  switch (self->limit) {
    case GCC_RATE_LIMIT_DELAY:
    case GCC_RATE_LIMIT_LOSS_INCREASING:
      return TRUE;
    case GCC_RATE_LIMIT_DELAY_INCREASED:
    case GCC_RATE_LIMIT_LOSS:
    case GCC_RATE_LIMIT_RTT:
      return FALSE;
  }

  g_return_val_if_reached (FALSE);
}

/* Published generations know no streams that wait. */
static gboolean
streams_wait (const GccProbeController *self)
{
  return self->params->waiting_interval > 0 && self->wanted > self->estimate;
}

/* A link that is as fast as is wanted has no queue from a probe at that rate. One at
 * twice the estimate has, and what such a queue shows of the link is too low. */
static GccRate
get_max_probe (const GccProbeController *self)
{
  const GccProbeControllerParams *params = self->params;
  GccRate max = self->max_rate;

  if (streams_wait (self))
    max = MIN (max, scale (params->waiting_scale, self->wanted));
  if (self->allocation > 0)
    max = MIN (max, scale (params->max_allocation_scale, self->allocation));
  if (self->limit == GCC_RATE_LIMIT_LOSS_INCREASING)
    max = MIN (max, scale (params->loss_limited_scale, self->estimate));
  return max;
}

/* Whether raises have led to over-use lately. */
static gboolean
is_in_doubt (const GccProbeController *self)
{
  return self->busy_interval > self->params->busy_interval;
}

/* Where a raise has led to over-use others may be there. A cluster that lasts
 * from one of their frames to the next measures the rate that they leave; a
 * shorter one may fit between two frames. */
static guint
get_min_bytes (const GccProbeController *self, GccRate rate, gboolean is_long)
{
  const GccProbeControllerParams *params = self->params;
  gsize longest = MAX ((gsize) gcc_rate_get_bytes (rate, params->max_duration),
      params->least_bytes);

  return (guint) (is_long || is_in_doubt (self)
          ? longest
          : MIN (longest, params->min_bytes));
}

static void
push_request (GccProbeController *self, GccRate rate, gboolean is_long)
{
  const GccProbeControllerParams *params = self->params;

  if (self->n_requests == GCC_PROBE_CONTROLLER_REQUESTS || rate <= 0)
    return;
  self->requests[self->n_requests++] = (GccProbeRequest){
    .id = self->next_id,
    .rate = rate,
    .duration = params->duration,
    .min_bytes = get_min_bytes (self, rate, is_long),
    .min_packets = params->min_packets,
    .min_spacing = params->min_spacing,
  };
  self->next_id = self->next_id == G_MAXINT ? 0 : self->next_id + 1;
}

/* The estimate above which a probe of @last is followed by a further one. The rate that
 * streams wait for is probed again where the estimate has only come nearer to it, since
 * the growth by one probe is bounded. */
static GccRate
get_further_threshold (
    const GccProbeController *self, GccRate last, GccRate max)
{
  gdouble threshold = self->params->further_threshold;
  GccRate above = scale (threshold, last);

  return last < max ? above
                    : MAX (above, scale (1. / threshold, self->estimate));
}

/* The rates of one probe, or of two: a @second of 0 is none. @probes_further: whether a
 * good result leads to the next probe. @is_long: whether clusters are as long as after
 * over-use */
typedef struct {
  GccRate first;
  GccRate second;
  gboolean probes_further;
  gboolean is_long;
} Plan;

/* The result of a short cluster is some percent too low where packets differ in size, and
 * then streams wait for the next one. */
static void
probe (GccProbeController *self, const Plan *plan, GccTime now)
{
  GccRate max = get_max_probe (self);
  GccRate last = plan->second > 0 ? plan->second : plan->first;
  gboolean is_long = plan->is_long || (streams_wait (self) && last >= max);

  if (!self->is_writable || !may_probe (self))
    return;

  push_request (self, MIN (plan->first, max), is_long);
  if (plan->second > 0)
    push_request (self, MIN (plan->second, max), is_long);
  self->last_probe = now;
  if (!plan->probes_further ||
      ((plan->first >= max || last >= max) && !streams_wait (self))) {
    complete (self);
  } else {
    self->state = GCC_PROBE_CONTROLLER_WAITING;
    self->probe_further_above = get_further_threshold (self, last, max);
  }
}

static void
probe_initially (GccProbeController *self, GccTime now)
{
  const GccProbeControllerParams *params = self->params;

  probe (self,
      &(Plan){
          .first = scale (params->first_scale, self->start_rate),
          .second = scale (params->second_scale, self->start_rate),
          .probes_further = TRUE,
      },
      now);
}

gboolean
gcc_probe_controller_fetch (GccProbeController *self, GccProbeRequest *request)
{
  if (self->n_requests == 0)
    return FALSE;
  *request = self->requests[0];
  self->n_requests--;
  memmove (self->requests, self->requests + 1,
      self->n_requests * sizeof self->requests[0]);
  return TRUE;
}

/* --- why --- */

void
gcc_probe_controller_set_writable (
    GccProbeController *self, gboolean is_writable, GccTime now)
{
  self->is_writable = is_writable;
  if (!is_writable && self->state == GCC_PROBE_CONTROLLER_WAITING)
    complete (self);
  if (is_writable && self->state == GCC_PROBE_CONTROLLER_INITIAL &&
      self->start_rate > 0)
    probe_initially (self, now);
}

void
gcc_probe_controller_set_rates (
    GccProbeController *self, GccRate start, GccRate max, GccTime now)
{
  GccRate old_max = self->max_rate;

  if (start > 0) {
    self->start_rate = start;
    self->estimate = start;
  }
  self->max_rate = max > 0 ? max : self->params->default_max_rate;

  if (self->state == GCC_PROBE_CONTROLLER_INITIAL && self->start_rate > 0)
    probe_initially (self, now);
  else if (self->state == GCC_PROBE_CONTROLLER_COMPLETE && self->estimate > 0 &&
      old_max < self->max_rate && self->estimate < self->max_rate)
    probe (self, &(Plan){ .first = self->max_rate }, now);
}

/* The application wants more than the known rate of the path. */
static void
probe_for_allocation (GccProbeController *self, GccTime now)
{
  const GccProbeControllerParams *params = self->params;
  GccRate most = scale (params->allocation_max_scale, self->estimate);
  GccRate first = scale (params->first_allocation_scale, self->allocation);
  GccRate second = scale (params->second_allocation_scale, self->allocation);
  gboolean is_capped = most < first || (second > 0 && most < second);

  if (first == 0)
    return;
  first = MIN (first, most);
  second = MIN (second, most);
  probe (self,
      &(Plan){
          .first = first,
          .second = second > first ? second : 0,
          .probes_further = is_capped,
      },
      now);
}

void
gcc_probe_controller_set_allocation (
    GccProbeController *self, GccRate allocation, GccTime now)
{
  gboolean is_news = allocation != self->allocation;

  self->allocation = allocation;
  if (is_news && self->state == GCC_PROBE_CONTROLLER_COMPLETE &&
      self->alr_start != GCC_TIME_NONE && self->estimate < self->max_rate &&
      self->estimate < allocation)
    probe_for_allocation (self, now);
}

void
gcc_probe_controller_set_estimate (
    GccProbeController *self, GccRate estimate, GccRateLimit limit, GccTime now)
{
  const GccProbeControllerParams *params = self->params;

  self->limit = limit;
  if (estimate < scale (params->drop_ratio, self->estimate)) {
    self->last_drop = now;
    self->rate_before_drop = self->estimate;
  }
  self->estimate = estimate;

  if (self->state == GCC_PROBE_CONTROLLER_WAITING &&
      estimate > self->probe_further_above)
    probe (self,
        &(Plan){
            .first = scale (params->further_scale, estimate),
            .probes_further = TRUE,
        },
        now);
}

void
gcc_probe_controller_set_alr_start (
    GccProbeController *self, GccTime start, GccTime now)
{
  if (start == GCC_TIME_NONE && self->alr_start != GCC_TIME_NONE)
    self->alr_end = now;
  self->alr_start = start;
}

void
gcc_probe_controller_set_probes_in_alr (
    GccProbeController *self, gboolean probes)
{
  self->probes_in_alr = probes;
}

void
gcc_probe_controller_set_lossy (
    GccProbeController *self, gboolean is_lossy, gboolean has_just_lost)
{
  self->is_lossy = is_lossy;
  if (has_just_lost && !self->has_lost)
    self->waiting_interval = MIN (
        2 * self->waiting_interval, self->params->busy_max_interval);
  self->has_lost |= has_just_lost;
}

void
gcc_probe_controller_set_wanted (GccProbeController *self, GccRate wanted)
{
  self->wanted = wanted;
}

static gboolean
is_about_alr (const GccProbeController *self, GccTime now)
{
  return self->alr_start != GCC_TIME_NONE ||
      (self->alr_end != GCC_TIME_NONE &&
          gcc_time_diff (now, self->alr_end) < self->params->alr_timeout);
}

void
gcc_probe_controller_feed_recovery (GccProbeController *self, GccTime now)
{
  const GccProbeControllerParams *params = self->params;
  GccRate rate = scale (params->drop_probe_scale, self->rate_before_drop);

  if (self->state != GCC_PROBE_CONTROLLER_COMPLETE ||
      !is_about_alr (self, now) ||
      scale (1. - params->drop_uncertainty, rate) <= self->estimate)
    return;
  if (gcc_time_diff (now, self->last_drop) >= params->drop_timeout ||
      gcc_time_diff (now, self->last_drop_probe) <= params->drop_interval)
    return;

  self->last_drop_probe = now;
  probe (self, &(Plan){ .first = rate }, now);
}

void
gcc_probe_controller_feed_verdict (GccProbeController *self, gboolean was_right)
{
  const GccProbeControllerParams *params = self->params;

  self->busy_interval = was_right
      ? MAX (self->busy_interval / 2, params->busy_interval)
      : MIN (2 * self->busy_interval, params->busy_max_interval);
}

static gboolean
is_time_for_alr_probe (const GccProbeController *self, GccTime now)
{
  return self->probes_in_alr && self->alr_start != GCC_TIME_NONE &&
      gcc_time_diff (now, MAX (self->alr_start, self->last_probe)) >=
      self->params->alr_interval;
}

/* On a slow path a cluster is a queue of its own, and growth finds what is free. */
static gboolean
is_fast_enough (const GccProbeController *self)
{
  const GccProbeControllerParams *params = self->params;

  return gcc_rate_get_bytes (self->estimate, params->busy_max_time) >=
      params->least_bytes;
}

static gboolean
is_busy (const GccProbeController *self)
{
  return self->alr_start == GCC_TIME_NONE || streams_wait (self);
}

gboolean
gcc_probe_controller_probes_while_busy (const GccProbeController *self)
{
  return self->is_writable && self->busy_interval > 0 && is_busy (self) &&
      self->estimate < self->max_rate && is_fast_enough (self);
}

static GccTime
get_busy_interval (const GccProbeController *self)
{
  if (streams_wait (self))
    return self->waiting_interval;

  return self->is_lossy ? self->params->busy_max_interval : self->busy_interval;
}

static gboolean
is_time_for_busy_probe (const GccProbeController *self, GccTime now)
{
  return gcc_probe_controller_probes_while_busy (self) &&
      gcc_time_diff (now, self->last_probe) >= get_busy_interval (self);
}

/* A result that is no reason for a further probe says nothing. */
static GccTime
get_max_wait (const GccProbeController *self)
{
  const GccProbeControllerParams *params = self->params;

  return streams_wait (self) ? MIN (params->max_wait, params->waiting_interval)
                             : params->max_wait;
}

static void
forget_loss (GccProbeController *self)
{
  if (!self->has_lost)
    self->waiting_interval = MAX (
        self->waiting_interval / 2, self->params->waiting_interval);
  self->has_lost = FALSE;
}

/* A token bucket lets a short cluster pass that is faster than the link, and a stream
 * that is sent for nothing costs a key frame and a queue. So, before it is sent, one
 * longer cluster at its rate follows. */
static void
confirm (GccProbeController *self, GccTime now)
{
  GccRate rate = scale (self->params->waiting_scale, self->wanted);

  if (self->params->waiting_interval == 0 || self->wanted == 0 ||
      streams_wait (self)) {
    self->is_confirmed = FALSE;
  } else if (!self->is_confirmed && may_probe (self)) {
    self->is_confirmed = TRUE;
    probe (self,
        &(Plan){ .first = MAX (rate, self->estimate), .is_long = TRUE }, now);
  }
}

void
gcc_probe_controller_update (GccProbeController *self, GccTime now)
{
  confirm (self, now);
  if (self->state == GCC_PROBE_CONTROLLER_WAITING &&
      gcc_time_diff (now, self->last_probe) > get_max_wait (self))
    complete (self);

  if (self->state != GCC_PROBE_CONTROLLER_COMPLETE || self->estimate <= 0)
    return;
  if (!is_time_for_alr_probe (self, now) && !is_time_for_busy_probe (self, now))
    return;
  forget_loss (self);
  probe (self,
      &(Plan){
          .first = scale (self->params->alr_scale, self->estimate),
          .probes_further = TRUE,
      },
      now);
}
