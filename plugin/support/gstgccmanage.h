/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/**
 * GstGccManageFlags:
 * @GST_GCC_MANAGE_ENCODER_BITRATE: the bitrate of the encoders upstream
 * @GST_GCC_MANAGE_ENCODER_SETTINGS: their settings, for conversational video
 * @GST_GCC_MANAGE_SINK: `sync` of the network sinks downstream
 * @GST_GCC_MANAGE_SESSION: profile and report interval of the RTP session
 * @GST_GCC_MANAGE_FEC: the percentage of the FEC elements upstream
 *
 * The settings that an element makes in its neighbours.
 */
typedef enum {
  GST_GCC_MANAGE_ENCODER_BITRATE = 1 << 0,
  GST_GCC_MANAGE_ENCODER_SETTINGS = 1 << 1,
  GST_GCC_MANAGE_SINK = 1 << 2,
  GST_GCC_MANAGE_SESSION = 1 << 3,
  GST_GCC_MANAGE_FEC = 1 << 4,
} GstGccManageFlags;

/* The flags of each element, with one value for all of them and one for none. */
#define GST_TYPE_GCC_SENDER_MANAGE (gst_gcc_sender_manage_get_type ())
GType gst_gcc_sender_manage_get_type (void);
#define GST_TYPE_GCC_RECEIVER_MANAGE (gst_gcc_receiver_manage_get_type ())
GType gst_gcc_receiver_manage_get_type (void);

/*
 * GstGccManage:
 * @element: the owner; no reference
 * @category: that of its log
 * @flags: what it sets; the object lock of @element
 *
 * The property `manage` of an element, and the booleans that it replaces.
 */
typedef struct {
  GstElement *element;
  GstDebugCategory *category;
  GstGccManageFlags flags;
} GstGccManage;

/* @type: the flags of the class of @element, which has the properties */
void gst_gcc_manage_init (GstGccManage *self, GstElement *element, GType type,
    GstDebugCategory *category);

/* Whether the element sets what @flag stands for. Takes the object lock. */
gboolean gst_gcc_manage_has (GstGccManage *self, GstGccManageFlags flag);

/* Installs the properties of a class whose flags are @type. */
void gst_gcc_manage_install (GObjectClass *klass, GType type);

/* Write and read one; %FALSE when @id is none of them. Both take the object
 * lock. */
gboolean gst_gcc_manage_set_property (
    GstGccManage *self, guint id, const GValue *value);
gboolean gst_gcc_manage_get_property (
    GstGccManage *self, guint id, GValue *value);

G_END_DECLS
