/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* A call to gccreceiver whose packets have transport-wide numbers. */

#pragma once

#include <gst/gcc/wire/gcc-transport-feedback.h>

#include "element-test.h"

G_BEGIN_DECLS

#define NUMBERED_CAPS \
  "application/x-rtp,media=(string)video,encoding-name=(string)VP8," \
  "clock-rate=(int)90000,payload=(int)96"
#define URI GCC_TRANSPORT_FEEDBACK_URI
#define EXTMAP(id) ",extmap-" #id "=(string)" URI

#define INTERVAL "twcc-feedback-interval"
#define BANDWIDTH "rtcp-fraction"

/* Packets with transport-wide numbers go in; what the session sends about them
 * is read. A packet is pushed whenever a condition is looked at. */
typedef struct {
  GstElement *pipeline;
  GstElement *gcc;
  GstElement *media;
  GObject *session;
  guint8 id; /* of the extension in packets; 0: none */
  gboolean has_markers;
  guint payload_size; /* bytes */
  guint16 seqnum;
  gint number; /* atomic: of the next packet */
  guint goal;

  /* atomic: counted in a thread of the session */
  gint n_feedbacks;
  gint n_covered;
  gint n_rembs;
  gint n_releases;
  gint n_wrong;
  gint n_regular;
} NumberedCall;

/* @settings: of gccreceiver; @session: of rtpbin */
void numbered_call_start_with (NumberedCall *self, const gchar *settings,
    const gchar *session, const gchar *caps);
void numbered_call_play (NumberedCall *self);
void numbered_call_start (
    NumberedCall *self, const gchar *settings, const gchar *caps);
void numbered_call_stop (NumberedCall *self);
GstBuffer *numbered_call_make_packet (NumberedCall *self, gboolean marker);
void numbered_call_push (NumberedCall *self);
/* Pushes media until @n more have come. */
void numbered_call_wait_for_more (NumberedCall *self, gint *counter, guint n);
guint64 numbered_call_get_interval (NumberedCall *self);

/* rtpsession's own, as a variable: a constant has more bits on an x87 */
extern const gdouble numbered_call_own_bandwidth;

gdouble numbered_call_get_bandwidth (NumberedCall *self);
gboolean numbered_call_interval_is_set (gpointer self);
/* That the session has what rtpsession begins with. */
void numbered_call_assert_untouched (NumberedCall *self);
gboolean numbered_call_says_feedback (NumberedCall *self, const gchar *mode);

G_END_DECLS
