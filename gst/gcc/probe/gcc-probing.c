/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/probe/gcc-probing.h>

void
gcc_probing_init (GccProbing *self, const GccProberParams *params,
    const GccProbeControllerParams *controller, GccRate start, GccRate max,
    GccTime now)
{
  self->params = params;
  self->n_asked = 0;
  self->asked = GCC_RATE_NONE;
  gcc_prober_init (&self->prober, params);
  gcc_probe_controller_init (&self->controller, controller, now);
  gcc_probe_controller_set_probes_in_alr (&self->controller, TRUE);
  gcc_probe_controller_set_rates (&self->controller, start, max, now);
}

void
gcc_probing_stop (GccProbing *self)
{
  gcc_prober_init (&self->prober, self->params);
}

gboolean
gcc_probing_fetch (GccProbing *self, GccTime now)
{
  guint64 before = self->n_asked;
  GccProbeRequest request;

  while (gcc_probe_controller_fetch (&self->controller, &request)) {
    gcc_prober_add (&self->prober, &request, now);
    self->n_asked++;
    self->asked = request.rate;
  }
  return self->n_asked > before;
}
