/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "session/gstgccfeedbackmode.h"

GType
gst_gcc_feedback_mode_get_type (void)
{
  static const GEnumValue values[] = {
    { GST_GCC_FEEDBACK_AUTO,
        "Transport-wide feedback or reports of RFC 8888 where one was "
        "negotiated and comes, REMB and receiver reports otherwise",
        "auto" },
    { GST_GCC_FEEDBACK_REMB, "REMB and receiver reports", "remb" },
    { GST_GCC_FEEDBACK_TRANSPORT_CC,
        "Transport-wide feedback; the element adds the header extension where "
        "the caps have none",
        "transport-cc" },
    { GST_GCC_FEEDBACK_CCFB,
        "Reports of RFC 8888 about each packet, which need no header extension",
        "ccfb" },
    { 0, NULL, NULL },
  };
  static gsize type = 0;

  if (g_once_init_enter (&type))
    g_once_init_leave (
        &type, g_enum_register_static ("GstGccFeedbackMode", values));

  return type;
}

GParamSpec *
gst_gcc_feedback_mode_param_spec (void)
{
  return g_param_spec_enum ("feedback", "Feedback",
      "The rate is computed from this feedback. In a pipeline without SDP, set transport-cc or ccfb at both ends.",
      GST_TYPE_GCC_FEEDBACK_MODE, GST_GCC_FEEDBACK_AUTO,
      G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY);
}
