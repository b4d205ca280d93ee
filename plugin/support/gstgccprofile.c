/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "support/gstgccprofile.h"

GType
gst_gcc_profile_get_type (void)
{
  static gsize type = 0;

  if (g_once_init_enter (&type)) {
    /* GLib keeps the array for as long as the type lives, that is for ever. */
    GEnumValue *values = g_new0 (GEnumValue, gcc_n_profiles + 1);

    for (guint i = 0; i < gcc_n_profiles; i++) {
      values[i].value = (gint) i;
      values[i].value_name = gcc_profiles[i]->description;
      values[i].value_nick = gcc_profiles[i]->name;
    }
    g_once_init_leave (&type, g_enum_register_static ("GstGccProfile", values));
  }

  return type;
}

guint
gst_gcc_profile_to_index (gint value)
{
  return value >= 0 && (guint) value < gcc_n_profiles ? (guint) value : 0;
}

GParamSpec *
gst_gcc_profile_param_spec (void)
{
  return g_param_spec_enum ("profile", "Profile",
      "The profile says how fast and how far the rate follows the network; it is to be the same at both ends. \"recommended\" suits most calls; the others behave as the papers and the libwebrtc of their year describe, for comparison.",
      GST_TYPE_GCC_PROFILE, (gint) 0,
      G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY);
}
