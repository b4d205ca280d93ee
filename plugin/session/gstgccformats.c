/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "session/gstgccformats.h"

#include <string.h>

#include "session/gstgcctransportcaps.h"

/* After this many packets an application that answers for the session has begun to
 * do so. */
#define MAX_UNKNOWN 50
#define IS_KNOWN G_MAXUINT

/* After this many packets of other payload types than that of the caps, the
 * packets are not repair of a stream that has yet to come. */
#define MAX_FOREIGN 50

void
gst_gcc_formats_init (GstGccFormats *self, GstGccSession *session)
{
  self->session = session;
  gst_gcc_stream_init (&self->stream);
  self->transport_cc_id = 0;
  memset (self->is_known, 0, sizeof self->is_known);
  self->n_foreign = 0;
  self->n_unknown = 0;
}

void
gst_gcc_formats_set_caps (GstGccFormats *self, const GstCaps *caps)
{
  gst_gcc_stream_set_caps (&self->stream, caps);
  memset (self->is_known, 0, sizeof self->is_known);
  self->n_foreign = 0;
}

/* The session does not read new caps of a payload type that it knows, as when
 * the extension is added in mid-call. */
void
gst_gcc_formats_set_transport_cc_id (GstGccFormats *self, guint id)
{
  if (id != 0 && id != self->transport_cc_id)
    gst_gcc_session_forget_caps (self->session);
  self->transport_cc_id = id;
}

static gboolean
read_payload_type (GstBuffer *buffer, guint *payload_type)
{
  guint8 header[2];

  if (gst_buffer_extract (buffer, 0, header, sizeof header) < sizeof header)
    return FALSE;
  *payload_type = header[1] & (GST_GCC_FORMATS_N_PAYLOAD_TYPES - 1);

  return TRUE;
}

gboolean
gst_gcc_formats_are_bare (const GstGccFormats *self)
{
  return self->stream.payload_type == GST_GCC_STREAM_ANY_PAYLOAD_TYPE &&
      self->stream.clock_rate == 0;
}

GstCaps *
gst_gcc_formats_ask (const GstGccFormats *self, guint payload_type)
{
  return gst_gcc_formats_are_bare (self) && !self->is_known[payload_type]
      ? gst_gcc_session_get_caps (self->session, payload_type)
      : NULL;
}

void
gst_gcc_formats_learn (
    GstGccFormats *self, guint payload_type, const GstCaps *caps)
{
  gst_gcc_stream_set_caps (&self->by_payload_type[payload_type], caps);
  if (self->transport_cc_id == 0)
    self->transport_cc_id = gst_gcc_transport_caps_get_id (caps);
  self->is_known[payload_type] = TRUE;
}

const GstGccStream *
gst_gcc_formats_look_up (const GstGccFormats *self, guint payload_type)
{
  return gst_gcc_formats_are_bare (self) && self->is_known[payload_type]
      ? &self->by_payload_type[payload_type]
      : &self->stream;
}

gboolean
gst_gcc_formats_have_video (const GstGccFormats *self)
{
  gboolean has_video = self->stream.is_video;

  for (guint i = 0; i < GST_GCC_FORMATS_N_PAYLOAD_TYPES && !has_video; i++)
    has_video = self->is_known[i] && self->by_payload_type[i].is_video;

  return has_video;
}

const GstGccStream *
gst_gcc_formats_get (GstGccFormats *self, GstBuffer *buffer)
{
  guint payload_type;
  GstCaps *caps;

  if (!read_payload_type (buffer, &payload_type))
    return &self->stream;

  caps = gst_gcc_formats_ask (self, payload_type);
  if (caps != NULL)
    gst_gcc_formats_learn (self, payload_type, caps);
  gst_clear_caps (&caps);

  return gst_gcc_formats_look_up (self, payload_type);
}

/* The session may have a clock rate that the caps of the pad lack. */
static gboolean
session_has_clock_rate (const GstGccFormats *self, guint payload_type)
{
  GstElement *holder = gst_gcc_session_get_holder (self->session);
  GstCaps *caps = gst_gcc_session_get_caps (self->session, payload_type);
  gboolean has = holder == NULL ||
      (caps != NULL &&
          gst_structure_has_field (
              gst_caps_get_structure (caps, 0), "clock-rate"));

  gst_clear_caps (&caps);
  gst_clear_object (&holder);

  return has;
}

gboolean
gst_gcc_formats_lack_clock_rate (GstGccFormats *self, GstBuffer *buffer,
    const GstGccStream *format, guint *payload_type)
{
  if (self->n_unknown == IS_KNOWN)
    return FALSE;
  if (format->clock_rate != 0 || format->is_repair) {
    self->n_unknown = IS_KNOWN;
    return FALSE;
  }
  if (++self->n_unknown < MAX_UNKNOWN ||
      !read_payload_type (buffer, payload_type))
    return FALSE;
  self->n_unknown = IS_KNOWN;

  return !session_has_clock_rate (self, *payload_type);
}

/* Packets that can be measured by abs-send-time are, whatever their type. */
gboolean
gst_gcc_formats_check (GstGccFormats *self, GstBuffer *buffer,
    const GccPacket *packet, guint *payload_type)
{
  if (self->n_foreign >= MAX_FOREIGN || self->stream.is_repair ||
      !read_payload_type (buffer, payload_type))
    return FALSE;

  if (!packet->ignore_rtp_timestamp || packet->has_abs_send_time) {
    self->n_foreign = MAX_FOREIGN;
    return FALSE;
  }

  return ++self->n_foreign == MAX_FOREIGN;
}
