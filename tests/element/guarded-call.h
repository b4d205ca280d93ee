/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* A session whose incoming pad is guarded, and what passes the guard. */

#pragma once

#include <gst/gcc/wire/gcc-transport-feedback.h>

#include "element-test.h"

G_BEGIN_DECLS

#define NUMBER_EXTMAP ",extmap-5=" GCC_TRANSPORT_FEEDBACK_URI
#define MEDIA_SSRC 5u
#define MEDIA_CAPS \
  "application/x-rtp,media=video,encoding-name=VP8,clock-rate=90000," \
  "payload=96,ssrc=(uint)5"

/* clang-format off */
#define RECEIVER_REPORT \
  0x80, 0xc9, 0x00, 0x01,  /* V=2, RR without blocks */ \
  0x00, 0x00, 0x00, 0xaa
/* clang-format on */

typedef struct {
  GstElement *pipeline;
  GstElement *element;
  GstElement *session;
  GstElement *media;
  GstPad *source; /* of what comes from the network, */
  GstPad *sink;   /* and where it enters */
} GuardedCall;

/* @element is one of ours, with properties; it joins before @pad is there.
 * @extmap: of the caps of media */
void guarded_call_start_with (GuardedCall *self, const gchar *element,
    const gchar *extmap, const gchar *pad);
void guarded_call_start (
    GuardedCall *self, const gchar *element, const gchar *pad);
void guarded_call_stop (GuardedCall *self);
/* After the element has joined, as where a transport is linked late. */
void guarded_call_open_pad (GuardedCall *self, const gchar *name);
/* Whether the session has a source MEDIA_SSRC that has sent as much; ... */
gboolean guarded_call_has_sent (GuardedCall *self, guint64 n_packets);
/* ... for test_wait_until(), whether it knows one, by the caps. */
gboolean guarded_call_is_media_known (gpointer call);

typedef struct {
  GstPad *source;
  GstBufferList *list; /* all at once, */
  GstBuffer *buffer;   /* or one by itself */
} Delivery;

/* Fails the test where the pad does not return. */
void deliver_in_time (Delivery *delivery);
void guarded_call_deliver (GuardedCall *self, GstBuffer *buffer);

typedef struct {
  GPtrArray *buffers;
} Passed;

/* From now on the session gets nothing by this pad. */
void passed_init (Passed *self, GuardedCall *call);
void passed_clear (Passed *self);
gpointer passed_get (Passed *self, guint i);

/* Lines of the elements that guard a session, ... */
extern const gchar *const guarded_elements[4];
/* ... and pads of the session by which RTCP comes in. */
extern const gchar *const guarded_pads[2];

G_END_DECLS
