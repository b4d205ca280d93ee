/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/delay/gcc-arrival-filter.h>
#include <gst/gcc/delay/gcc-overuse-detector.h>
#include <gst/gcc/delay/gcc-packet-group.h>
#include <gst/gcc/delay/gcc-signal.h>
#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccDelayDetectorParams:
 * @group: packet groups
 * @filter: arrival filter
 * @detector: over-use detector
 */
typedef struct {
  GccPacketGroupParams group;
  GccArrivalFilterParams filter;
  GccOveruseDetectorParams detector;
} GccDelayDetectorParams;

/**
 * GccDelaySample:
 * @departure: when the packet left, in 1 / @clock_rate s; wraps at 32 bits
 * @clock_rate: Hz, not 0
 * @is_send_time: whether @departure is when the packet was sent; else it is the
 *   sampling instant of its frame, as RTP timestamps are
 * @arrival: when it arrived; the origin is arbitrary, only differences count
 * @size: payload, bytes
 *
 * One packet on its way from the sender to the receiver.
 */
typedef struct {
  guint32 departure;
  guint32 clock_rate;
  gboolean is_send_time;
  GccTime arrival;
  gsize size;
} GccDelaySample;

/**
 * GccDelayState:
 * @delay_variation_ms: d(t_i), inter-arrival minus inter-departure time, ms
 * @m_ms: m(t_i), the arrival filter's output, ms per group
 * @modified_m_ms: min (n, 60) · m(t_i), what was compared with γ, ms
 * @gamma_ms: γ, on the scale of @modified_m_ms, ms
 * @signal: of the over-use detector
 *
 * State after the last complete packet group.
 */
typedef struct {
  gdouble delay_variation_ms;
  gdouble m_ms;
  gdouble modified_m_ms;
  gdouble gamma_ms;
  GccSignal signal;
} GccDelayState;

/**
 * GccDelayDetector:
 *
 * Derives the signal from packets on one time base: packet groups, arrival
 * filter and over-use detector. It runs at either end: at the receiver, or at a
 * sender that gets the arrival times by feedback. Fields are private.
 */
typedef struct {
  const GccDelayDetectorParams *params;
  GccPacketGroup group;
  GccArrivalFilter filter;
  GccOveruseDetector detector;
} GccDelayDetector;

void gcc_delay_detector_init (
    GccDelayDetector *self, const GccDelayDetectorParams *params);

/* Forgets the state of the path after a silence; keeps γ and the signal. */
void gcc_delay_detector_restart (GccDelayDetector *self);

/**
 * gcc_delay_detector_update:
 * @now: on the caller's clock
 * @state: (out): state after the group
 *
 * Takes one packet, in the order of arrival.
 *
 * Returns: %TRUE if this packet completes a group; then @state is set
 */
gboolean gcc_delay_detector_update (GccDelayDetector *self,
    const GccDelaySample *sample, GccTime now, GccDelayState *state);

/* Halves γ, or restores it, in profiles that do so. */
void gcc_delay_detector_set_gamma_halved (
    GccDelayDetector *self, gboolean halved);

/* The signal, which holds until the next group. */
static inline GccSignal
gcc_delay_detector_get_signal (const GccDelayDetector *self)
{
  return self->detector.signal;
}

/* Variance of the noise v, ms². */
gdouble gcc_delay_detector_get_noise_variance (const GccDelayDetector *self);

G_END_DECLS
