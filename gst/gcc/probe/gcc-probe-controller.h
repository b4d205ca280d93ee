/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/probe/gcc-prober.h>

G_BEGIN_DECLS

/* Requests that wait to be fetched; those beyond are dropped. */
#define GCC_PROBE_CONTROLLER_REQUESTS 8

/**
 * GccRateLimit:
 * @GCC_RATE_LIMIT_DELAY: the delay based estimate, without a queue
 * @GCC_RATE_LIMIT_DELAY_INCREASED: the same, with a queue that grows or drains
 * @GCC_RATE_LIMIT_LOSS_INCREASING: the loss based estimate, while it rises
 * @GCC_RATE_LIMIT_LOSS: the loss based estimate, while it falls, or rises with
 *   padding
 * @GCC_RATE_LIMIT_RTT: a round trip that is too long
 *
 * The limit of the estimate of the path.
 */
typedef enum {
  GCC_RATE_LIMIT_DELAY,
  GCC_RATE_LIMIT_DELAY_INCREASED,
  GCC_RATE_LIMIT_LOSS_INCREASING,
  GCC_RATE_LIMIT_LOSS,
  GCC_RATE_LIMIT_RTT,
} GccRateLimit;

/**
 * GccProbeControllerParams:
 * @first_scale: first probe at the start, over the start rate
 * @second_scale: second probe at the start, over the start rate; 0 is none
 * @further_scale: next probe, over the estimate after the last probes
 * @further_threshold: share of the last probe's rate that the estimate has to
 *   exceed for a next probe
 * @max_wait: greatest time for the result of a probe
 * @duration: least duration of a cluster
 * @min_bytes: least size of a cluster, bytes, unless it would last longer than
 *   @max_duration
 * @max_duration: greatest duration of a cluster for @min_bytes; the least
 *   duration of a cluster after a raise that was followed by over-use
 * @least_bytes: least size of a cluster, bytes, whatever its duration
 * @min_packets: least number of packets in a cluster
 * @min_spacing: least time between a cluster's packets
 * @alr_interval: time between probes while the application is the limit
 * @alr_scale: rate of these probes, and of those while busy, over the estimate
 * @busy_interval: time between probes while the application uses all of the
 *   estimate; 0 is never
 * @busy_max_interval: greatest such time: it doubles after each raise that was
 *   followed by over-use, and is halved after each other raise
 * @busy_max_time: no such probe is sent where the path takes longer than this for
 *   the least of a cluster
 * @waiting_interval: least time between such probes while streams wait for a greater
 *   rate; it doubles with each after which the queue of the path has lost packets, and
 *   is halved with each other; 0: what streams wait for is not looked at
 * @waiting_scale: no probe exceeds this times the rate that they wait for
 * @first_allocation_scale: first probe when the application wants a new rate,
 *   over that rate; 0 is none
 * @second_allocation_scale: second such probe, over that rate; 0 is none
 * @allocation_max_scale: bound of these probes, over the estimate
 * @max_allocation_scale: no probe exceeds this times the rate that the
 *   application wants
 * @default_max_rate: highest rate, where none is set, bit/s
 * @loss_limited_scale: no probe exceeds this times the estimate while the loss
 *   based estimate rises
 * @drop_ratio: an estimate below this times the last is a large drop
 * @drop_probe_scale: probe after a large drop, over the estimate before
 * @drop_uncertainty: share by which the result of that probe may be lower
 * @drop_timeout: time after the drop in which that probe may be sent
 * @drop_interval: time between such probes
 * @alr_timeout: time after the application was the limit in which that probe
 *   may be sent
 */
typedef struct {
  gdouble first_scale;
  gdouble second_scale;
  gdouble further_scale;
  gdouble further_threshold;
  GccTime max_wait;
  GccTime duration;
  guint min_bytes;
  GccTime max_duration;
  guint least_bytes;
  guint min_packets;
  GccTime min_spacing;
  GccTime alr_interval;
  gdouble alr_scale;
  GccTime busy_interval;
  GccTime busy_max_interval;
  GccTime busy_max_time;
  GccTime waiting_interval;
  gdouble waiting_scale;
  gdouble first_allocation_scale;
  gdouble second_allocation_scale;
  gdouble allocation_max_scale;
  gdouble max_allocation_scale;
  GccRate default_max_rate;
  gdouble loss_limited_scale;
  gdouble drop_ratio;
  gdouble drop_probe_scale;
  gdouble drop_uncertainty;
  GccTime drop_timeout;
  GccTime drop_interval;
  GccTime alr_timeout;
} GccProbeControllerParams;

typedef enum {
  GCC_PROBE_CONTROLLER_INITIAL,
  GCC_PROBE_CONTROLLER_WAITING,
  GCC_PROBE_CONTROLLER_COMPLETE,
} GccProbeControllerState;

/**
 * GccProbeController:
 *
 * When to probe, and at what rate. Fields are private.
 */
typedef struct {
  const GccProbeControllerParams *params;
  GccProbeControllerState state;
  gboolean is_writable;
  gboolean probes_in_alr;
  gboolean is_lossy;
  gboolean has_lost;
  gboolean is_confirmed;
  GccRateLimit limit;
  GccRate start_rate;
  GccRate max_rate;
  GccRate allocation;
  GccRate wanted;
  GccRate estimate;
  GccRate probe_further_above;
  GccTime last_probe;
  GccTime alr_start;
  GccTime alr_end;
  GccTime last_drop;
  GccRate rate_before_drop;
  GccTime last_drop_probe;
  GccTime busy_interval;
  GccTime waiting_interval;
  gint next_id;
  guint n_requests;
  GccProbeRequest requests[GCC_PROBE_CONTROLLER_REQUESTS];
} GccProbeController;

void gcc_probe_controller_init (GccProbeController *self,
    const GccProbeControllerParams *params, GccTime now);

/* Starts afresh, as on another route. The state of the transport and of the
 * application is kept. */
void gcc_probe_controller_reset (GccProbeController *self, GccTime now);

/* Whether packets can be sent; they can at the start. */
void gcc_probe_controller_set_writable (
    GccProbeController *self, gboolean is_writable, GccTime now);

/* @start: bit/s, 0 leaves it as it is; @max: bit/s, 0 is none */
void gcc_probe_controller_set_rates (
    GccProbeController *self, GccRate start, GccRate max, GccTime now);

/* The greatest rate that the application would send, bit/s; 0 where it is not
 * known. */
void gcc_probe_controller_set_allocation (
    GccProbeController *self, GccRate allocation, GccTime now);

/* The estimate of the path, bit/s, and its limit. */
void gcc_probe_controller_set_estimate (GccProbeController *self,
    GccRate estimate, GccRateLimit limit, GccTime now);

/* Since when the application is the limit, %GCC_TIME_NONE if it is not. */
void gcc_probe_controller_set_alr_start (
    GccProbeController *self, GccTime start, GccTime now);

/* Whether to probe again and again while the application is the limit. */
void gcc_probe_controller_set_probes_in_alr (
    GccProbeController *self, gboolean probes);

/* Whether the queue of the path loses packets; it does not at the start. The queue of
 * a probe loses more, so while the application uses all of the estimate the next one
 * takes as long as it may. @has_just_lost: whether it lost some by the last feedback */
void gcc_probe_controller_set_lossy (
    GccProbeController *self, gboolean is_lossy, gboolean has_just_lost);

/* The estimate at which all streams that wait would be sent, bit/s; 0, as at the start:
 * none waits. Below it an application counts as one that uses all of the estimate. */
void gcc_probe_controller_set_wanted (GccProbeController *self, GccRate wanted);

/* The queue of a large drop has drained: the path may be as fast as before. */
void gcc_probe_controller_feed_recovery (GccProbeController *self, GccTime now);

/* A raise of the estimate by a probe has led to over-use, or has not. */
void gcc_probe_controller_feed_verdict (
    GccProbeController *self, gboolean was_right);

/* Whether the next probe comes although the application uses all of the estimate. */
gboolean gcc_probe_controller_probes_while_busy (
    const GccProbeController *self);

/* To be called about every 25 ms. */
void gcc_probe_controller_update (GccProbeController *self, GccTime now);

/**
 * gcc_probe_controller_fetch:
 * @request: (out): the next cluster for the prober
 *
 * To be called until it returns %FALSE after each of the functions above.
 */
gboolean gcc_probe_controller_fetch (
    GccProbeController *self, GccProbeRequest *request);

G_END_DECLS
