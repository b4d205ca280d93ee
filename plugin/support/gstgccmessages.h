/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gst.h>

G_BEGIN_DECLS

/*
 * GstGccMessages:
 * @is_enabled: whether messages are posted at all; atomic
 *
 * Decides when a message about a rate is posted: after the rate has changed,
 * ten times a second at most, because a bus without a reader keeps every
 * message. The owner's lock protects all but @is_enabled.
 */
typedef struct {
  gint is_enabled;

  /*< private >*/
  gboolean is_unposted;
  GccTime posted_at;
} GstGccMessages;

/* Nothing has been posted, and no message is due. With the owner's lock
 * held. */
void gst_gcc_messages_start (GstGccMessages *self);

/* The rate has changed. With the owner's lock held. */
void gst_gcc_messages_note_change (GstGccMessages *self);

/* Returns whether a message is to be posted now, which then counts as posted.
 * With the owner's lock held. */
gboolean gst_gcc_messages_take (GstGccMessages *self);

/* Posts `time-ms`, the running time, and @fields (terminated by %NULL) of the property
 * `stats` of @element, in that order; those that are not known yet are left out. With
 * no lock held. */
void gst_gcc_messages_post (GstElement *element, const gchar *const *fields);

G_END_DECLS
