/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-sent-packet.h>
#include <gst/gst.h>
#include <gst/rtp/rtp.h>

G_BEGIN_DECLS

#define GST_GCC_PROTECTION_N_PAYLOAD_TYPES 128

/*
 * GstGccPaddingKind:
 * @NONE: nothing
 * @PACKETS: packets that consist of padding, in the stream of the media
 * @RETRANSMISSIONS: packets that were sent before
 *
 * The kind of packets that may probe a path when there is no media.
 */
typedef enum {
  GST_GCC_PADDING_NONE,
  GST_GCC_PADDING_PACKETS,
  GST_GCC_PADDING_RETRANSMISSIONS,
} GstGccPaddingKind;

/*
 * GstGccProtection:
 *
 * The elements upstream that add forward error correction and retransmissions
 * to a stream, and their payload types. To be zero-initialised and then
 * cleared, after which there are none and all packets are media.
 */
typedef struct {
  /* (element-type GstElement) (nullable): one for each stream of a bundle */
  GPtrArray *fecs;
  GstElement *rtx;
  /* the last setting of @fecs; negative: none yet */
  gint percentage;
  gint red_payload_type;
  GccSentKind kinds[GST_GCC_PROTECTION_N_PAYLOAD_TYPES];
} GstGccProtection;

/* May finalize the elements, which runs code of the application: no lock of
 * this plugin may be held. */
void gst_gcc_protection_clear (GstGccProtection *self);

void gst_gcc_protection_exchange (
    GstGccProtection *self, GstGccProtection *other);

/*
 * gst_gcc_protection_find:
 * @sinkpad: of the stream
 * @media_payload_type: from its caps; negative: not known
 *
 * Looks for rtpulpfecenc, rtprtxsend and rtpredenc between the encoders and
 * @sinkpad, on all ways, and reads their payload types.
 */
void gst_gcc_protection_find (
    GstGccProtection *self, GstPad *sinkpad, gint media_payload_type);

/*
 * gst_gcc_protection_check:
 * @element: posts the warnings
 * @media_payload_type: as in gst_gcc_protection_find()
 *
 * Warns of settings with which protection does not work, and of protection that
 * is not counted because it is added downstream of @element.
 */
void gst_gcc_protection_check (const GstGccProtection *self,
    GstElement *element, GstPad *srcpad, gint media_payload_type);

/* The kind of a packet; @media unless it is FEC or a retransmission. */
GccSentKind gst_gcc_protection_get_kind (
    const GstGccProtection *self, GstRTPBuffer *rtp, GccSentKind media);

/* The kind of padding that a video stream with this protection allows. FEC
 * refers to sequence numbers, which padding packets change. */
GstGccPaddingKind gst_gcc_protection_get_padding (const GstGccProtection *self);

/* Makes @fecs, those that were found, add @percentage of FEC packets to the media.
 */
void gst_gcc_protection_set_percentage (GPtrArray *fecs, guint percentage);

G_END_DECLS
