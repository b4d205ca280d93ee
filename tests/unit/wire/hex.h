/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

/* The bytes of a packet as published vectors have them. */

/* @hex may have spaces between bytes. Returns how many there are. */
static inline gsize
from_hex (const gchar *hex, guint8 *bytes)
{
  gsize length = 0;

  for (; *hex != '\0'; hex++) {
    if (*hex == ' ')
      continue;
    bytes[length++] = (guint8) (g_ascii_xdigit_value (hex[0]) << 4 |
        g_ascii_xdigit_value (hex[1]));
    hex++;
  }
  return length;
}

/* (transfer full) */
static inline gchar *
to_hex (const guint8 *bytes, gsize length)
{
  GString *hex = g_string_new (NULL);

  for (gsize i = 0; i < length; i++)
    g_string_append_printf (hex, "%02x", bytes[i]);
  return g_string_free (hex, FALSE);
}
