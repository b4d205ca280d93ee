/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/history/gcc-ecn-check.h>

const gchar *
gcc_ecn_state_to_string (GccEcnState state)
{
  switch (state) {
    case GCC_ECN_OFF:
      return "off";
    case GCC_ECN_TESTING:
      return "testing";
    case GCC_ECN_CAPABLE:
      return "capable";
    case GCC_ECN_BLEACHED:
      return "bleached";
    case GCC_ECN_DROPPED:
      return "dropped";
    case GCC_ECN_ALWAYS_MARKED:
      return "always-marked";
  }

  g_return_val_if_reached (NULL);
}

void
gcc_ecn_check_init (GccEcnCheck *self, const GccEcnCheckParams *params)
{
  *self = (GccEcnCheck){
    .params = params,
    .since = GCC_TIME_NONE,
    .reported = GCC_TIME_NONE,
  };
}

/* A new state is about the packets that leave from now on. */
static void
enter (GccEcnCheck *self, GccEcnState state, GccTime now)
{
  self->state = state;
  self->since = now;
  self->reported = now;
  self->n_unmarked = 0;
  self->n_lost = 0;
}

void
gcc_ecn_check_start (GccEcnCheck *self, GccTime now)
{
  if (self->state == GCC_ECN_OFF)
    enter (self, GCC_ECN_TESTING, now);
}

void
gcc_ecn_check_stop (GccEcnCheck *self)
{
  gcc_ecn_check_init (self, self->params);
}

void
gcc_ecn_check_refuse (GccEcnCheck *self, GccTime now)
{
  enter (self, GCC_ECN_ALWAYS_MARKED, now);
}

gboolean
gcc_ecn_check_marks (const GccEcnCheck *self)
{
  return self->state == GCC_ECN_TESTING || self->state == GCC_ECN_CAPABLE;
}

gboolean
gcc_ecn_check_is_marked (const GccEcnCheck *self, const GccSentRecord *sent)
{
  return gcc_ecn_check_marks (self) &&
      gcc_time_diff (sent->time, self->since) > 0;
}

static void
note_arrival (GccEcnCheck *self, GccEcn ecn)
{
  self->n_lost = 0;
  if (ecn == GCC_ECN_NOT_ECT || ecn == GCC_ECN_ECT_0) {
    self->n_unmarked++;
    return;
  }
  self->n_unmarked = 0;
  self->state = GCC_ECN_CAPABLE;
}

void
gcc_ecn_check_feed (GccEcnCheck *self, const GccPacketResult *results,
    guint n_results, GccTime now)
{
  for (guint i = 0; i < n_results; i++) {
    if (!gcc_ecn_check_is_marked (self, &results[i].sent))
      continue;
    self->reported = now;
    if (results[i].is_received)
      note_arrival (self, results[i].ecn);
    else
      self->n_lost++;
  }
  if (!gcc_ecn_check_marks (self))
    return;
  if (self->n_unmarked >= self->params->n_packets)
    enter (self, GCC_ECN_BLEACHED, now);
  else if (self->n_lost >= self->params->n_packets)
    enter (self, GCC_ECN_DROPPED, now);
}

/* A receiver without packets sends no report. */
static gboolean
is_overdue (
    const GccEcnCheck *self, GccTime sent, GccTime round_trip, GccTime now)
{
  GccTime wait = gcc_time_add (round_trip, self->params->report) *
      self->params->patience;

  return gcc_time_diff (sent, self->reported) > 0 &&
      gcc_time_diff (now, self->reported) > wait;
}

void
gcc_ecn_check_handle_timeout (
    GccEcnCheck *self, GccTime sent, GccTime round_trip, GccTime now)
{
  if (gcc_ecn_check_marks (self) && round_trip != GCC_TIME_NONE &&
      is_overdue (self, sent, MIN (round_trip, GCC_SECOND), now))
    enter (self, GCC_ECN_DROPPED, now);
  else if (self->state == GCC_ECN_DROPPED &&
      gcc_time_has_passed (self->params->retest, self->since, now))
    enter (self, GCC_ECN_TESTING, now);
}
