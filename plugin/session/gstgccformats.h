/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-receiver.h>
#include <gst/gst.h>

#include "session/gstgccsession.h"
#include "support/gstgccstream.h"

G_BEGIN_DECLS

/* RFC 3550: seven bits. */
#define GST_GCC_FORMATS_N_PAYLOAD_TYPES 128

/*
 * GstGccFormats:
 * @session: that the packets go to; has a lock of its own
 * @stream: what the caps of the pad say
 * @transport_cc_id: of the transport-wide header extension, that rtpsession
 *   reads; 0: none
 *
 * The formats of the packets that come. Where one session has many payload
 * types, as in webrtcbin, the caps of the pad tell nothing: the formats are then
 * the session's, by payload type. To be used in the streaming thread only; another
 * one may look up what it knows to have been learnt.
 */
typedef struct {
  GstGccSession *session;
  GstGccStream stream;
  guint transport_cc_id;

  /*< private >*/
  GstGccStream by_payload_type[GST_GCC_FORMATS_N_PAYLOAD_TYPES];
  gboolean is_known[GST_GCC_FORMATS_N_PAYLOAD_TYPES];
  /* packets that the caps are not about; counted until one fits them */
  guint n_foreign;
} GstGccFormats;

/* Nothing is known. Again at each start. */
void gst_gcc_formats_init (GstGccFormats *self, GstGccSession *session);

/* The pad has @caps. */
void gst_gcc_formats_set_caps (GstGccFormats *self, const GstCaps *caps);

/* The caps that rtpsession is to read have @id. */
void gst_gcc_formats_set_transport_cc_id (GstGccFormats *self, guint id);

/* Whether the caps tell nothing of the packets. */
gboolean gst_gcc_formats_are_bare (const GstGccFormats *self);

/* The session's format of @payload_type, where the caps tell nothing and it is not
 * known yet. Runs code of the application: with no lock held. (transfer full)
 * (nullable) */
GstCaps *gst_gcc_formats_ask (const GstGccFormats *self, guint payload_type);

/* @caps are what was asked for. */
void gst_gcc_formats_learn (
    GstGccFormats *self, guint payload_type, const GstCaps *caps);

/* That of @payload_type, as far as it is known: what the caps say, or was learnt. */
const GstGccStream *gst_gcc_formats_look_up (
    const GstGccFormats *self, guint payload_type);

/* Whether what is known of is video, in part. */
gboolean gst_gcc_formats_have_video (const GstGccFormats *self);

/* That of @buffer, which is asked for where needed. */
const GstGccStream *gst_gcc_formats_get (
    GstGccFormats *self, GstBuffer *buffer);

/*
 * gst_gcc_formats_check:
 * @packet: what was read in @buffer
 * @payload_type: (out): what it has
 *
 * Returns: whether none of the first packets has the payload type of the caps;
 *   once
 */
gboolean gst_gcc_formats_check (GstGccFormats *self, GstBuffer *buffer,
    const GccPacket *packet, guint *payload_type);

G_END_DECLS
