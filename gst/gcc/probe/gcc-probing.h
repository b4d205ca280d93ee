/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/probe/gcc-probe-controller.h>
#include <gst/gcc/probe/gcc-prober.h>

G_BEGIN_DECLS

/**
 * GccProbing:
 * @controller: says when to probe, and at which rate
 * @prober: says when packets of probes leave
 * @n_asked: clusters that were asked for
 * @asked: rate of the last of them, bit/s; %GCC_RATE_NONE before
 *
 * Probes, from the wish for them to the packets that leave. The other fields are
 * private.
 */
typedef struct {
  const GccProberParams *params;
  GccProbeController controller;
  GccProber prober;
  guint64 n_asked;
  GccRate asked;
} GccProbing;

/* Rates in bit/s: from @start to @max. The first probes wait to be fetched. */
void gcc_probing_init (GccProbing *self, const GccProberParams *params,
    const GccProbeControllerParams *controller, GccRate start, GccRate max,
    GccTime now);

/* Gives all clusters up. */
void gcc_probing_stop (GccProbing *self);

/* Hands what the controller asks for to the prober. Returns whether that is
 * anything. */
gboolean gcc_probing_fetch (GccProbing *self, GccTime now);

G_END_DECLS
