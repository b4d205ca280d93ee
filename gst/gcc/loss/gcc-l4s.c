/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/loss/gcc-l4s.h>

void
gcc_l4s_init (GccL4s *self, const GccL4sParams *params)
{
  *self = (GccL4s){
    .params = params,
    .alpha = params->first,
    .round = GCC_TIME_NONE,
    .lowered = GCC_TIME_NONE,
    .marked = GCC_TIME_NONE,
  };
}

static gboolean
left_after (GccTime sent, GccTime began)
{
  return began == GCC_TIME_NONE || gcc_time_diff (sent, began) > 0;
}

/* α moves once in a round trip. */
static void
end_round (GccL4s *self, GccTime now)
{
  gdouble share = (gdouble) self->n_marked / (gdouble) self->n_packets;

  self->alpha += self->params->gain * (share - self->alpha);
  self->round = now;
  self->n_marked = 0;
  self->n_packets = 0;
}

static gdouble
get_reduction (const GccL4s *self, GccTime queueing)
{
  const GccL4sParams *params = self->params;
  gdouble reduction = params->reduction * self->alpha;

  return queueing > params->queueing ? MAX (reduction, params->classic)
                                     : reduction;
}

gdouble
gcc_l4s_update (GccL4s *self, const GccL4sInput *input, GccTime now)
{
  self->n_packets += input->n_packets;
  self->n_marked += input->n_marked;
  if (input->n_packets > 0 && left_after (input->sent, self->round))
    end_round (self, now);
  if (input->n_marked == 0)
    return 0.;

  self->marked = now;
  if (!left_after (input->marked, self->lowered))
    return 0.;
  self->lowered = now;
  return get_reduction (self, input->queueing);
}

gdouble
gcc_l4s_get_alpha (const GccL4s *self)
{
  return self->alpha;
}

gboolean
gcc_l4s_is_marked (const GccL4s *self, GccTime now)
{
  return self->marked != GCC_TIME_NONE &&
      !gcc_time_has_passed (self->params->quiet, self->marked, now);
}
