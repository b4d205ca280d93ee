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
 * @session: the session to which the packets go; has a lock of its own
 * @stream: the format by the caps of the pad
 * @transport_cc_id: identifier of the transport-wide header extension that
 *   rtpsession reads; 0: none
 *
 * The formats of the packets that come. Where one session has many payload
 * types, as in webrtcbin, the caps of the pad do not name a format: the formats
 * are then the session's, by payload type. To be used in the streaming thread
 * only; another thread may look up formats that it knows to have been learnt.
 */
typedef struct {
  GstGccSession *session;
  GstGccStream stream;
  guint transport_cc_id;

  /*< private >*/
  GstGccStream by_payload_type[GST_GCC_FORMATS_N_PAYLOAD_TYPES];
  gboolean is_known[GST_GCC_FORMATS_N_PAYLOAD_TYPES];
  /* number of packets that do not fit the caps, until the first one that
   * does */
  guint n_foreign;
  /* number of packets without a clock rate; G_MAXUINT: not counted any more */
  guint n_unknown;
} GstGccFormats;

/* Nothing is known. Again at each start. */
void gst_gcc_formats_init (GstGccFormats *self, GstGccSession *session);

/* The pad has @caps. */
void gst_gcc_formats_set_caps (GstGccFormats *self, const GstCaps *caps);

/* The caps that rtpsession is to read have the extension as @id. */
void gst_gcc_formats_set_transport_cc_id (GstGccFormats *self, guint id);

/* Whether the caps do not name the packets' format. */
gboolean gst_gcc_formats_are_bare (const GstGccFormats *self);

/* The session's format of @payload_type, where the caps do not name it and it
 * is not known yet. Runs code of the application: with no lock held. (transfer
 * full) (nullable) */
GstCaps *gst_gcc_formats_ask (const GstGccFormats *self, guint payload_type);

/* Learns @caps, the session's format that was asked for. */
void gst_gcc_formats_learn (
    GstGccFormats *self, guint payload_type, const GstCaps *caps);

/* The format of @payload_type as far as it is known, by the caps or by the
 * session. */
const GstGccStream *gst_gcc_formats_look_up (
    const GstGccFormats *self, guint payload_type);

/* Whether a known format is video. */
gboolean gst_gcc_formats_have_video (const GstGccFormats *self);

/* The format of @buffer; the session is asked where needed. */
const GstGccStream *gst_gcc_formats_get (
    GstGccFormats *self, GstBuffer *buffer);

/*
 * gst_gcc_formats_check:
 * @packet: the packet read in @buffer
 * @payload_type: (out): the payload type of the packet
 *
 * Returns: whether none of the first packets has the payload type of the caps;
 *   once
 */
gboolean gst_gcc_formats_check (GstGccFormats *self, GstBuffer *buffer,
    const GccPacket *packet, guint *payload_type);

/*
 * gst_gcc_formats_lack_clock_rate:
 * @format: the format of @buffer
 * @payload_type: (out): the payload type of @buffer
 *
 * Runs code of the application: with no lock held.
 *
 * Returns: whether the clock rate of the first packets stands neither in the caps
 *   nor in what the session knows, so that no jitter buffer plays them; once
 */
gboolean gst_gcc_formats_lack_clock_rate (GstGccFormats *self,
    GstBuffer *buffer, const GstGccStream *format, guint *payload_type);

G_END_DECLS
