/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "codel.h"

#include <math.h>

#define INTERVAL (100 * GCC_MSECOND)
/* A queue that comes back so soon is dropped from as often as before. */
#define SOON (16 * INTERVAL)

static GccTime
get_next (const JudgeCodel *self, GccTime since)
{
  return since + (GccTime) ((gdouble) INTERVAL / sqrt (self->count));
}

static gboolean
stands (JudgeCodel *self, GccTime target, GccTime wait, GccTime leaves)
{
  if (wait < target)
    self->first_above = GCC_TIME_NONE;
  else if (self->first_above == GCC_TIME_NONE)
    self->first_above = leaves + INTERVAL;
  return self->first_above != GCC_TIME_NONE && leaves >= self->first_above;
}

static void
begin_dropping (JudgeCodel *self, GccTime leaves)
{
  guint more = self->count - self->last_count;

  self->is_dropping = TRUE;
  self->count = more > 1 && leaves - self->next_drop < SOON ? more : 1;
  self->last_count = self->count;
  self->next_drop = get_next (self, leaves);
}

gboolean
judge_codel_drops (
    JudgeCodel *self, GccTime target, GccTime wait, GccTime leaves)
{
  if (!stands (self, target, wait, leaves)) {
    self->is_dropping = FALSE;
    return FALSE;
  }
  if (!self->is_dropping) {
    begin_dropping (self, leaves);
    return TRUE;
  }
  if (leaves < self->next_drop)
    return FALSE;
  self->count++;
  self->next_drop = get_next (self, self->next_drop);
  return TRUE;
}
