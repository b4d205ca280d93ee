/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "session/gstgccecnmode.h"

GType
gst_gcc_ecn_mode_get_type (void)
{
  static const GEnumValue values[] = {
    { GST_GCC_ECN_OFF, "Packets leave as the sink has them", "off" },
    { GST_GCC_ECN_ECT1,
        "Packets leave with ECT(1) where the path and the receiver take it",
        "ect1" },
    { 0, NULL, NULL },
  };
  static gsize type = 0;

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("GstGccEcnMode", values));

  return type;
}
