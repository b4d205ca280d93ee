/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/*
 * GstGccSinks:
 * @owner: the gccsender, which posts warnings; no reference
 * @lock: protects the fields below
 * @is_open: from start to stop
 * @configures: whether `manage` has `sink`; does not change from start to stop
 * @configured: sinks whose `sync` was switched off (element-type GstElement)
 * @warned: sinks that a warning on the bus named (element-type GstElement)
 *
 * The sinks in which packets end. A sink whose `sync` is on, the default, holds
 * all packets of a frame until one time, that of the frame's capture and the
 * pipeline's latency, and sends them together: the spacing of gccsender's pacer
 * is lost, and feedback is measured against times at which nothing was sent.
 *
 * Packets of a live source come in time by themselves: `sync` of a network sink
 * is switched off, unless @configures is unset, and on again at the stop. For a source that is not live the
 * sink keeps the time, so it is left alone.
 */
typedef struct {
  GstElement *owner;

  GMutex lock;
  gboolean is_open;
  gboolean configures;
  GPtrArray *configured;
  GPtrArray *warned;
} GstGccSinks;

void gst_gcc_sinks_init (GstGccSinks *self, GstElement *owner);
void gst_gcc_sinks_clear (GstGccSinks *self);

/* @configures: whether `sync` is switched off; else a sink that has it is named */
void gst_gcc_sinks_start (GstGccSinks *self, gboolean configures);

/*
 * gst_gcc_sinks_look:
 * @sinkpad: of gccsender, where a stream comes in
 * @srcpad: where it leaves
 * @warn: whether gccsender spaces packets, so that a sink that is left alone is
 *   worth a warning, once
 *
 * Looks for the sinks downstream of @srcpad, and configures them. Elements that
 * cannot be inspected are left alone. To be called without any lock held.
 */
void gst_gcc_sinks_look (
    GstGccSinks *self, GstPad *sinkpad, GstPad *srcpad, gboolean warn);

/* Resets the sinks that were configured, unless their setting was changed
 * since. */
void gst_gcc_sinks_stop (GstGccSinks *self);

G_END_DECLS
