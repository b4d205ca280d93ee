/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "encoder/gstgccadvice.h"

/* bit/s. No encoder of the table makes a moving picture of less: x264enc takes no
 * lower rate, and the headers of thirty packets a second are as much. */
#define LEAST_VIDEO_RATE 10000

/* --- units --- */

static gboolean
is_too_low (guint rate)
{
  return rate > 0 && rate < LEAST_VIDEO_RATE;
}

static void
warn_of_unit (GstElement *sender, const gchar *property, guint rate)
{
  GST_ELEMENT_WARNING (sender, LIBRARY, SETTINGS,
      ("%s is %u bit/s, which is too little for video.", property, rate),
      ("Rates are in bit/s: for %u kbit/s set %s=%u000.", rate, property,
          rate));
}

static guint
get_max (GstGccSenderPad *pad)
{
  guint max;

  GST_OBJECT_LOCK (pad);
  max = pad->max_bitrate;
  GST_OBJECT_UNLOCK (pad);

  return max;
}

void
gst_gcc_advice_of_units (
    GstElement *sender, GPtrArray *pads, guint start, guint max)
{
  for (guint i = 0; i < pads->len; i++) {
    GstGccSenderPad *pad = g_ptr_array_index (pads, i);
    gchar *property;

    if (!is_too_low (get_max (pad)))
      continue;
    property = g_strconcat (GST_PAD_NAME (pad), "::max-bitrate", NULL);
    warn_of_unit (sender, property, get_max (pad));
    g_free (property);
    return;
  }
  if (is_too_low (max))
    warn_of_unit (sender, "max-bitrate", max);
  else if (is_too_low (start))
    warn_of_unit (sender, "start-bitrate", start);
}
