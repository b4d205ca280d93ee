/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "run.h"

#include <string.h>

#define BEGIN (100 * GCC_SECOND)

typedef struct {
  const GoldenCall *call;
  const GccProfile *profile;
  GoldenFeedback feedback;
  guint n_changes;
  GoldenPath path;
  GoldenFlow flows[GOLDEN_MAX_FLOWS];
  /* those that have begun; some may have ended */
  guint n_flows;
} Run;

static void
run_init (Run *self, const GoldenCall *call, const GccProfile *profile,
    GoldenFeedback feedback)
{
  GoldenPath *path = &self->path;

  self->call = call;
  self->profile = profile;
  self->feedback = feedback;
  self->n_changes = self->n_flows = 0;
  memcpy (path->settings, golden_first_settings, sizeof golden_first_settings);
  path->now = BEGIN;
  path->link_free = 0;
  path->rand = g_rand_new_with_seed (43);
  cubic_init (&path->tcp, 2 * path->settings[GOLDEN_DELAY] * GCC_MSECOND);
}

static void
run_clear (Run *self)
{
  for (guint i = 0; i < self->n_flows; i++)
    golden_flow_clear (&self->flows[i]);
  g_rand_free (self->path.rand);
}

static gboolean
is_due (Run *self)
{
  const GoldenChange *change = &self->call->changes[self->n_changes];

  return self->n_changes < GOLDEN_MAX_CHANGES &&
      change->setting != GOLDEN_END &&
      BEGIN + change->second * GCC_SECOND <= self->path.now;
}

static void
change_settings (Run *self)
{
  for (; is_due (self); self->n_changes++) {
    const GoldenChange *change = &self->call->changes[self->n_changes];

    self->path.settings[change->setting] = change->value;
  }
}

static void
begin_flows (Run *self)
{
  for (; self->n_flows < self->path.settings[GOLDEN_FLOWS]; self->n_flows++)
    golden_flow_init (&self->flows[self->n_flows], &self->path, self->n_flows,
        self->profile, self->feedback);
}

static void
run_step (Run *self)
{
  GoldenPath *path = &self->path;

  change_settings (self);
  begin_flows (self);
  path->now += GOLDEN_STEP;
  for (guint i = 0; i < path->settings[GOLDEN_FLOWS]; i++)
    golden_flow_step (&self->flows[i]);
  path->tcp.is_on = path->settings[GOLDEN_TCP];
  cubic_step (&path->tcp, &path->link_free, path->settings[GOLDEN_CAPACITY],
      path->settings[GOLDEN_QUEUE] * GCC_MSECOND, path->now);
}

void
golden_run (const GoldenCall *call, const GccProfile *profile,
    GoldenFeedback feedback, GoldenSampleFunc sample, gpointer data)
{
  static Run run;

  run_init (&run, call, profile, feedback);
  for (guint n = 0; n < call->seconds * GOLDEN_SAMPLES_PER_SECOND; n++) {
    for (GccTime end = run.path.now + GOLDEN_SAMPLE; run.path.now < end;)
      run_step (&run);
    sample (data, n, run.flows, run.n_flows);
  }
  run_clear (&run);
}
