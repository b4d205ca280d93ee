/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "run.h"

#include "tcp.h"

#include <math.h>

#define BEGIN (100 * GCC_SECOND)
/* In which what is sent last arrives. */
#define TAIL GCC_SECOND
#define GRID (5 * GCC_MSECOND)
/* As the testbed has them (measure/recorded.py). */
#define NEAR 0.9
#define ROOMY 2.0

/* Somebody on the link: a call or TCP. */
typedef struct {
  JudgeLane lane;
  JudgeFlow *flow;
  JudgeTcp *tcp;
  JudgeOther when;
  /* when the measured time begins */
  gint64 bytes;
} Party;

/* Sums over the measured time. */
typedef struct {
  guint n;
  guint n_false;
  gdouble wanted;
  gdouble rate;
  guint sent;
  guint lost;
} Sums;

typedef struct {
  const JudgeCall *call;
  const JudgeSubject *subject;
  GccTime now;
  JudgePath path;
  JudgeFrames frames;
  Party *parties;
  guint n_parties;
  Sums sums;
} Run;

/* --- who is there --- */

/* All share one queue, but with FQ-CoDel. */
static JudgeLane *
get_lane (Run *self, Party *party)
{
  return self->call->queue == JUDGE_FQ_CODEL ? &party->lane
                                             : &self->parties[0].lane;
}

static Party *
add_party (Run *self, const JudgeOther *when)
{
  Party *party = &self->parties[self->n_parties++];

  judge_lane_init (&party->lane, &self->path);
  party->when = *when;
  return party;
}

static void
add_tcp (Run *self, const JudgeOther *when, gboolean is_web)
{
  Party *party = add_party (self, when);
  JudgeLane *lane = get_lane (self, party);

  party->tcp = judge_tcp_new (is_web ? NULL : when, lane, &lane->link_free);
}

static void
add_parties (Run *self)
{
  const JudgeCall *call = self->call;
  JudgeOther all = { .start = 0, .stop = call->duration };

  self->parties = g_new0 (
      Party, 1 + call->calls->len + call->tcps->len + (guint) call->n_web);
  add_party (self, &all);
  for (guint i = 0; i < call->calls->len; i++)
    add_party (self, &g_array_index (call->calls, JudgeOther, i));
  for (guint i = 0; i < call->tcps->len; i++)
    add_tcp (self, &g_array_index (call->tcps, JudgeOther, i), FALSE);
  for (guint i = 0; i < (guint) call->n_web; i++)
    add_tcp (self, &all, TRUE);
}

static void
begin_flow (Run *self, Party *party)
{
  JudgeLane *lane = get_lane (self, party);

  party->flow = judge_flow_new (self->subject, lane, &lane->link_free,
      party->when.extra_delay, self->now);
  if (party == &self->parties[0])
    judge_flow_set_viewer (party->flow, &self->frames.hook);
}

static gboolean
is_busy (const Party *party)
{
  return party->tcp != NULL ? party->tcp->cubic.is_on : party->flow != NULL;
}

static void
party_step (Run *self, Party *party)
{
  if (party->tcp != NULL) {
    judge_tcp_step (party->tcp, self->now);
    return;
  }
  if (party->flow == NULL && self->now >= BEGIN + party->when.start)
    begin_flow (self, party);
  else if (party->flow != NULL)
    judge_flow_step (party->flow);
}

static void
run_step (Run *self)
{
  guint n_busy = 0;

  self->now += JUDGE_STEP;
  for (guint i = 0; i < self->n_parties; i++) {
    party_step (self, &self->parties[i]);
    n_busy += is_busy (&self->parties[i]) ? 1 : 0;
  }
  self->path.n_busy = MAX (n_busy, 1);
}

static void
run_until (Run *self, GccTime end)
{
  while (self->now < end)
    run_step (self);
}

/* --- what is measured --- */

static gint64
get_received (const Party *party)
{
  if (party->tcp != NULL)
    return judge_tcp_get_received (party->tcp);
  return party->flow != NULL ? judge_flow_get_received (party->flow) : 0;
}

static void
begin_measures (Run *self)
{
  const JudgeFlow *media = self->parties[0].flow;

  for (guint i = 0; i < self->n_parties; i++)
    self->parties[i].bytes = get_received (&self->parties[i]);
  self->sums.sent = judge_flow_get_sent (media);
  self->sums.lost = judge_flow_get_lost (media);
}

static void
end_measures (Run *self)
{
  const JudgeFlow *media = self->parties[0].flow;

  for (guint i = 0; i < self->n_parties; i++)
    self->parties[i].bytes = get_received (&self->parties[i]) -
        self->parties[i].bytes;
  self->sums.sent = judge_flow_get_sent (media) - self->sums.sent;
  self->sums.lost = judge_flow_get_lost (media) - self->sums.lost;
}

static void
look (Run *self)
{
  Sums *sums = &self->sums;
  gdouble rate = judge_path_get_row (&self->path, self->now)->rate;
  gdouble most = (gdouble) self->call->max;
  gdouble target = (gdouble) judge_flow_get_target (self->parties[0].flow);

  sums->n++;
  sums->rate += rate;
  sums->wanted += MIN (rate, most);
  sums->n_false += rate >= ROOMY * most && target < NEAR * most ? 1 : 0;
}

static void
run_measured (Run *self, GccTime end)
{
  while (self->now < end) {
    look (self);
    run_until (self, MIN (self->now + GRID, end));
  }
}

/* Of the measured time, the seconds in which somebody is there. */
static gdouble
get_seconds (const Run *self, const JudgeOther *when)
{
  GccTime begin = MAX (when->start, self->call->measure_from);
  GccTime end = MIN (when->stop, self->call->duration);

  return (gdouble) MAX (end - begin, 0) / (gdouble) GCC_SECOND;
}

/* While it is there; %NAN of what is never there, and of transfers. */
static gdouble
get_kbps (const Run *self, const Party *party)
{
  gdouble seconds = get_seconds (self, &party->when);

  if (seconds <= 0. || (party->tcp != NULL && party->tcp->is_web))
    return NAN;
  return (gdouble) party->bytes * 8. / 1000. / seconds;
}

static void
take_shares (const Run *self, JudgeMeasures *measures)
{
  gdouble own = get_kbps (self, &self->parties[0]);
  gdouble sum = 0.;
  gdouble squares = 0.;
  guint n = 0;

  for (guint i = 0; i < self->n_parties; i++) {
    gdouble kbps = get_kbps (self, &self->parties[i]);

    if (isnan (kbps))
      continue;
    n++;
    sum += kbps;
    squares += kbps * kbps;
  }
  measures->share = n > 1 && sum > 0. ? own / sum : NAN;
  measures->jain = n > 1 && sum > 0. ? sum * sum / (n * squares) : NAN;
}

static void
take_use (const Run *self, JudgeMeasures *measures)
{
  const Sums *sums = &self->sums;
  gdouble seconds = get_seconds (self, &self->parties[0].when);
  gdouble bytes = 0.;

  for (guint i = 0; i < self->n_parties; i++)
    bytes += (gdouble) self->parties[i].bytes;
  measures->use = (gdouble) self->parties[0].bytes * 8. / seconds /
      (sums->wanted / sums->n);
  measures->utilisation = bytes * 8. / seconds / (sums->rate / sums->n);
  measures->lost_percent = sums->sent > 0 ? 100. * sums->lost / sums->sent
                                          : NAN;
  measures->false_back_off_percent = 100. * sums->n_false / sums->n;
}

static void
run_clear (Run *self)
{
  for (guint i = 0; i < self->n_parties; i++) {
    g_clear_pointer (&self->parties[i].flow, judge_flow_free);
    g_free (self->parties[i].tcp);
  }
  g_free (self->parties);
  judge_frames_clear (&self->frames);
  judge_path_clear (&self->path);
}

JudgeMeasures
judge_run (const JudgeCall *call, const JudgeSubject *subject)
{
  Run run = { .call = call, .subject = subject, .now = BEGIN };
  GccTime begin = BEGIN + call->measure_from;
  GccTime end = BEGIN + call->duration;
  JudgeMeasures measures;

  judge_path_init (&run.path, call, BEGIN);
  judge_frames_init (&run.frames, &run.path);
  add_parties (&run);
  run_until (&run, MAX (begin, BEGIN + JUDGE_STEP));
  begin_measures (&run);
  run_measured (&run, end);
  end_measures (&run);
  run_until (&run, end + TAIL);
  take_use (&run, &measures);
  take_shares (&run, &measures);
  measures.seen = judge_frames_measure (&run.frames, begin, end);
  run_clear (&run);
  return measures;
}
