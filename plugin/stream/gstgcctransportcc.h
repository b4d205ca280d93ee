/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>
#include <gst/rtp/rtp.h>

#include "session/gstgccfeedbackmode.h"
#include "session/gstgccplace.h"

G_BEGIN_DECLS

/*
 * GstGccTransportCc:
 * @id: identifier of the header extension with the transport-wide number; 0:
 *   packets are not numbered
 * @other_id: identifier under which packets may bring a number of another hop or
 *   of a while ago; 0: none. No packet leaves with it
 * @by_stream: whether feedback covers packets by stream and RTP sequence number
 *   (RFC 8888); they are then not numbered, and leave as they come
 * @inserts: whether packets without the extension get it
 * @hides: whether the caps that leave are without the extension, so that the
 *   RTP session downstream does not number, too
 * @reason: (nullable): why feedback covers no packet
 *
 * The handling of the transport-wide numbers of a stream. Zero-initialised,
 * packets are not numbered.
 */
typedef struct {
  guint id;
  guint other_id;
  gboolean by_stream;
  gboolean inserts;
  gboolean hides;
  const gchar *reason;
} GstGccTransportCc;

/* Decides by the property `feedback`, the place of the element, the @caps
 * (nullable) that come in, and what was decided before. */
void gst_gcc_transport_cc_decide (GstGccTransportCc *self,
    GstGccFeedbackMode mode, GstGccPlace place, const GstCaps *caps);

/* Whether feedback can cover each packet. */
gboolean gst_gcc_transport_cc_is_used (const GstGccTransportCc *self);

/* Packets are not numbered, for another reason. */
void gst_gcc_transport_cc_refuse (GstGccTransportCc *self, const gchar *reason);

/* @caps as they leave. (transfer full) */
GstCaps *gst_gcc_transport_cc_filter_caps (
    const GstGccTransportCc *self, GstCaps *caps);

/*
 * GstGccSlot:
 * @offset: offset of the number from the start of the packet that leaves,
 *   bytes; 0: the packet is not numbered
 * @erased: offset of an extension with another number; 0: there is none
 * @is_renamed: whether the number at @offset gets another identifier
 * @id: identifier of the extension
 * @profile: first two bytes of the header extension (RFC 8285)
 * @is_new: whether the packet gets the extension; the fields below are then
 *   set, of the packet that comes:
 * @fixed: bytes of header that every packet has, with the sources
 * @header: bytes of header
 * @others: bytes of other extensions, of @header
 *
 * The place of a packet's number.
 */
typedef struct {
  guint32 offset;
  guint32 erased;
  gboolean is_renamed;
  guint8 id;
  guint16 profile;
  gboolean is_new;
  guint32 fixed;
  guint32 header;
  guint32 others;
} GstGccSlot;

/* The slot of a packet as it comes. */
GstGccSlot gst_gcc_transport_cc_find_slot (
    const GstGccTransportCc *self, GstRTPBuffer *rtp);

/* Bytes that the packet becomes longer by. */
gsize gst_gcc_slot_get_growth (const GstGccSlot *self);

/* Writes @number into @buffer, in which @self was found. Takes @buffer and
 * returns it, or a copy that shares the payload where another reference exists,
 * whose content does not change. (transfer full) */
GstBuffer *gst_gcc_slot_write (
    const GstGccSlot *self, GstBuffer *buffer, guint16 number);

G_END_DECLS
