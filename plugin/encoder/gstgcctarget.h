/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/output/gcc-encoder-watch.h>
#include <gst/gst.h>

#include "control/gstgcccontroller.h"
#include "encoder/gstgccencoders.h"
#include "exit/gstgccpacer.h"
#include "support/gstgcchandlers.h"
#include "support/gstgccmanage.h"
#include "support/gstgccmessages.h"
#include "support/gstgccstory.h"

G_BEGIN_DECLS

/* The properties of the element that show the target. */
typedef enum {
  GST_GCC_TARGET_PROPERTY_TARGET,
  GST_GCC_TARGET_PROPERTY_ENCODER,
  GST_GCC_TARGET_PROPERTY_MEDIA,
  GST_GCC_TARGET_N_PROPERTIES,
} GstGccTargetProperty;

/*
 * GstGccTarget:
 * @messages: messages about the target on the bus; the controller's lock
 * @manage: whether FEC elements are set
 * @handlers: of the application, by the element's properties and messages
 * @told: the target when a message was last due; the controller's lock
 * @told_v: the rate for encoders at that time; the controller's lock
 * @posted: the target in the last message; the controller's lock
 * @notified: the value of each property when it was last notified, or at the
 *   start; the controller's lock
 * @watch: whether encoders send what they may; the controller's lock
 * @story: the state of the log; the controller's lock
 * @n_pending: calls of gst_gcc_target_apply() since a thread began to apply the
 *   target; atomic
 *
 * Applies the controller's target bitrate to the pacer, the encoders and the
 * FEC elements, and announces it by the element's properties and on the bus.
 *
 * Locks: the controller is read with the controller's lock held. The target is
 * applied with no lock held, because that runs code of other elements. It is
 * announced to @handlers with no other lock held.
 */
typedef struct {
  GstGccController *controller;
  GstGccMessages *messages;
  GstGccPacer *pacer;
  GstGccEncoders *encoders;
  GstGccManage *manage;
  GstGccHandlers *handlers;

  /*< private >*/
  GccRate told;
  GccRate told_v;
  GccRate posted;
  GccRate notified[GST_GCC_TARGET_N_PROPERTIES];
  GccEncoderWatch watch;
  GstGccStory story;
  gint n_pending;
} GstGccTarget;

/* The element of @controller embeds all of them and has the properties
 * `target-bitrate`, `encoder-bitrate`, `media-bitrate` and `stats`. */
void gst_gcc_target_init (GstGccTarget *self, GstGccController *controller,
    GstGccMessages *messages, GstGccPacer *pacer, GstGccEncoders *encoders,
    GstGccManage *manage, GstGccHandlers *handlers);

/* The value of @property, bit/s. */
GccRate gst_gcc_target_get (GstGccTarget *self, GstGccTargetProperty property);

/* No target has been applied. With the controller's lock held. */
void gst_gcc_target_start (GstGccTarget *self);

/*
 * gst_gcc_target_apply:
 *
 * Applies the present target. One thread at a time applies the target, and no
 * other waits for it: a call from another thread, or from a handler in the same
 * thread, makes the first thread apply the target once more. So the latest
 * target is set last.
 *
 * Not to be called in the thread that pushes media, in which an encoder may
 * hold its stream lock, nor with a lock held.
 */
void gst_gcc_target_apply (GstGccTarget *self);

G_END_DECLS
