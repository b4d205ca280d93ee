/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/profiles/gcc-profile-private.h>
#include <gst/gst.h>

G_BEGIN_DECLS

/* The library's table of profiles as an enumeration. */
#define GST_TYPE_GCC_PROFILE (gst_gcc_profile_get_type ())
GType gst_gcc_profile_get_type (void);

/* The index into the library's table. */
guint gst_gcc_profile_to_index (gint value);

/* The property `profile`, the same on both elements. */
GParamSpec *gst_gcc_profile_param_spec (void);

G_END_DECLS
