/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-sender.h>
#include <gst/gst.h>

#include "gstgccelement.h"
#include "gstgccencoders.h"
#include "gstgccpacer.h"

G_BEGIN_DECLS

/*
 * GstGccTarget:
 * @control_fec: whether FEC elements are set; the owner's object lock
 * @told: the target that was told last; the owner's lock
 * @told_v: what was left of it for encoders; the owner's lock
 * @n_to_tell: how often the target was to be told since a thread began to;
 *   atomic
 *
 * The controller's target bitrate, and who is told of it: pacer, encoders and
 * FEC, the application (`notify::target-bitrate`) and the bus.
 *
 * Locks: the controller is asked with the owner's lock held, and all are told
 * without any: each of them runs code that is not ours.
 */
typedef struct {
  GstGccElement *owner;
  GccSender *controller;
  GstGccPacer *pacer;
  GstGccEncoders *encoders;

  gboolean control_fec;

  /*< private >*/
  GccRate told;
  GccRate told_v;
  gint n_to_tell;
} GstGccTarget;

/* @owner embeds all of them and has the properties `target-bitrate` and
 * `stats`. */
void gst_gcc_target_init (GstGccTarget *self, GstGccElement *owner,
    GccSender *controller, GstGccPacer *pacer, GstGccEncoders *encoders);

/* Nothing has been told. With the owner's lock held. */
void gst_gcc_target_start (GstGccTarget *self);

/*
 * gst_gcc_target_apply:
 *
 * Brings everybody up to date. One thread at a time does, and nobody waits for
 * it: who comes meanwhile, be it a handler that this thread runs, has it tell
 * once more. So the latest target is the last that is set.
 *
 * Not to be called in the thread that pushes media, in which an encoder may
 * hold its stream lock, nor with a lock held.
 */
void gst_gcc_target_apply (GstGccTarget *self);

G_END_DECLS
