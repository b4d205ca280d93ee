/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "session/gstgcctransportcaps.h"

#include <gst/gcc/wire/gcc-transport-feedback.h>

#include "support/gstgccstream.h"

/* As SDP's a=rtcp-fb:... ack ccfb is in caps (RFC 8888, section 6). */
#define CCFB_FIELD "rtcp-fb-ack-ccfb"

#define FIELD "extmap-" G_STRINGIFY (GST_GCC_TRANSPORT_CC_ID)

static GstGccTransportCaps
check (const GstCaps *caps)
{
  const GstStructure *structure = gst_caps_get_structure (caps, 0);

  if (!gst_structure_has_field_typed (structure, "payload", G_TYPE_INT))
    return gst_structure_has_field (structure, "clock-rate")
        ? GST_GCC_TRANSPORT_CAPS_NO_PAYLOAD_TYPE
        : GST_GCC_TRANSPORT_CAPS_ELSEWHERE;
  if (gst_gcc_transport_caps_get_id (caps) == 0 &&
      gst_structure_has_field (structure, FIELD))
    return GST_GCC_TRANSPORT_CAPS_ID_TAKEN;

  return GST_GCC_TRANSPORT_CAPS_DONE;
}

static GstCaps *
add (GstCaps *caps, GstGccTransportCaps *result)
{
  *result = check (caps);
  if (*result != GST_GCC_TRANSPORT_CAPS_DONE ||
      gst_gcc_transport_caps_get_id (caps) != 0)
    return gst_caps_ref (caps);

  caps = gst_caps_copy (caps);
  gst_caps_set_simple (
      caps, FIELD, G_TYPE_STRING, GCC_TRANSPORT_FEEDBACK_URI, NULL);

  return caps;
}

GstCaps *
gst_gcc_transport_caps_filter (
    GstCaps *caps, GstGccFeedbackMode mode, GstGccTransportCaps *result)
{
  *result = GST_GCC_TRANSPORT_CAPS_DONE;

  switch (mode) {
    case GST_GCC_FEEDBACK_TRANSPORT_CC:
      return add (caps, result);
    case GST_GCC_FEEDBACK_REMB:
    case GST_GCC_FEEDBACK_CCFB:
      return gst_gcc_stream_drop_extension (caps, GCC_TRANSPORT_FEEDBACK_URI);
    default:
      return gst_caps_ref (caps);
  }
}

guint
gst_gcc_transport_caps_get_id (const GstCaps *caps)
{
  return gst_gcc_stream_find_extension_id (caps, GCC_TRANSPORT_FEEDBACK_URI);
}

gboolean
gst_gcc_transport_caps_choose_ccfb (
    const GstCaps *caps, GstGccFeedbackMode mode)
{
  return mode == GST_GCC_FEEDBACK_CCFB ||
      (mode == GST_GCC_FEEDBACK_AUTO && caps != NULL &&
          gst_gcc_transport_caps_get_id (caps) == 0 &&
          gst_structure_has_field (
              gst_caps_get_structure (caps, 0), CCFB_FIELD));
}
