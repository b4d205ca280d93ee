/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/loss/gcc-l4s.h>

#include <math.h>

void
gcc_l4s_init (GccL4s *self, const GccL4sParams *params)
{
  *self = (GccL4s){
    .params = params,
    .alpha = params->first,
    .unmarked = 1.,
    .round = GCC_TIME_NONE,
    .lowered = GCC_TIME_NONE,
    .marked = GCC_TIME_NONE,
    .limit = GCC_RATE_NONE,
    .limited = GCC_TIME_NONE,
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
  if (input->n_packets > 0)
    self->unmarked = 1. -
        (gdouble) input->n_marked / (gdouble) input->n_packets;
  if (input->n_packets > 0 && left_after (input->sent, self->round))
    end_round (self, now);
  if (input->n_marked == 0)
    return 0.;

  self->marked = now;
  if (!left_after (input->marked, self->lowered))
    return 0.;
  self->lowered = now;
  self->unmarked = 0.;
  return get_reduction (self, input->queueing);
}

/* The first marks of a queue show the limit: those after them come at rates that
 * were lowered before. */
void
gcc_l4s_feed_limit (GccL4s *self, GccRate rate, GccRate link, GccTime now)
{
  if (gcc_time_has_passed (self->params->episode, self->limited, now))
    self->limit = rate;
  if (link != GCC_RATE_NONE)
    self->limit = MIN (self->limit, link);
  self->limited = now;
}

/* Within @flat of the limit it is 0, and beyond it the distance in units of
 * @flat. */
static gdouble
get_distance (const GccL4s *self, GccRate rate)
{
  gdouble flat = self->params->flat;
  gdouble distance = fabs (
      (gdouble) rate / (gdouble) MAX (self->limit, 1) - 1.);

  return MAX (distance / flat - 1., 0.);
}

/* Packets without a mark raise the rate. As CUBIC has it (RFC 9438, section 4.1),
 * growth is flat near the limit. */
static gdouble
get_speed (const GccL4s *self, GccRate rate, gdouble packet, GccTime round_trip)
{
  const GccL4sParams *params = self->params;
  gdouble round = gcc_time_to_seconds (MAX (round_trip, params->min_round));
  gdouble growth = self->unmarked * params->packets * packet * 8. /
      (round * round);
  gdouble distance;

  if (self->limit == GCC_RATE_NONE)
    return growth;
  distance = get_distance (self, rate);
  return MIN (growth,
      params->least * (gdouble) rate * (1. + distance * distance * distance));
}

GccL4sGrowth
gcc_l4s_get_growth (
    const GccL4s *self, GccRate rate, gdouble packet, GccTime round_trip)
{
  return (GccL4sGrowth){
    .speed = get_speed (self, rate, packet, round_trip),
    .end = rate < self->limit ? self->limit : GCC_RATE_NONE,
  };
}

gboolean
gcc_l4s_is_marked (const GccL4s *self, GccRate rate, GccTime now)
{
  const GccL4sParams *params = self->params;
  /* growth is twice its least there */
  gdouble end = (1. + 2. * params->flat) * (gdouble) self->limit;
  GccTime lasts = (gdouble) rate <= end ? params->approach : params->quiet;

  return self->marked != GCC_TIME_NONE &&
      !gcc_time_has_passed (lasts, self->marked, now);
}
