/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/**
 * GstGccFeedbackMode:
 * @GST_GCC_FEEDBACK_AUTO: transport-wide feedback where it was negotiated and
 *   comes, REMB and receiver reports otherwise
 * @GST_GCC_FEEDBACK_REMB: REMB and receiver reports
 * @GST_GCC_FEEDBACK_TRANSPORT_CC: transport-wide feedback, whose header
 *   extension the element puts where it is missing; REMB and receiver reports
 *   until it comes
 * @GST_GCC_FEEDBACK_CCFB: reports of RFC 8888, which need no extension
 *
 * The feedback by which the sender computes its rate.
 */
typedef enum {
  GST_GCC_FEEDBACK_AUTO,
  GST_GCC_FEEDBACK_REMB,
  GST_GCC_FEEDBACK_TRANSPORT_CC,
  GST_GCC_FEEDBACK_CCFB,
} GstGccFeedbackMode;

#define GST_TYPE_GCC_FEEDBACK_MODE (gst_gcc_feedback_mode_get_type ())
GType gst_gcc_feedback_mode_get_type (void);

/* The identifier of the transport-wide header extension where nobody has
 * negotiated one: both elements take it with
 * %GST_GCC_FEEDBACK_TRANSPORT_CC. 1 to 14 (RFC 8285, section 4.2); the low ones
 * are what payloaders and applications begin with. */
#define GST_GCC_TRANSPORT_CC_ID 12

/* The property "feedback" of both elements. */
GParamSpec *gst_gcc_feedback_mode_param_spec (void);

G_END_DECLS
