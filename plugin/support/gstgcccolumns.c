/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "support/gstgcccolumns.h"

#include <gst/gcc/gcc-types.h>
#include <math.h>

/* Leaves @value unset where the member is unknown. */
static void
get_value (const GccColumn *column, gconstpointer stats, GValue *value)
{
  gconstpointer member = (const guint8 *) stats + column->offset;

  switch (column->type) {
    case GCC_COLUMN_TIME:
    case GCC_COLUMN_RATE: {
      gint64 number = *(const gint64 *) member;
      gint64 unknown = column->type == GCC_COLUMN_TIME ? GCC_TIME_NONE
                                                       : GCC_RATE_NONE;

      if (number != unknown) {
        g_value_init (value, G_TYPE_INT64);
        g_value_set_int64 (value, number);
      }
      break;
    }
    case GCC_COLUMN_DOUBLE:
      if (!isnan (*(const gdouble *) member)) {
        g_value_init (value, G_TYPE_DOUBLE);
        g_value_set_double (value, *(const gdouble *) member);
      }
      break;
    case GCC_COLUMN_BOOLEAN:
      g_value_init (value, G_TYPE_BOOLEAN);
      g_value_set_boolean (value, *(const gboolean *) member);
      break;
    case GCC_COLUMN_UINT:
      g_value_init (value, G_TYPE_UINT);
      g_value_set_uint (value, *(const guint32 *) member);
      break;
    case GCC_COLUMN_UINT64:
      g_value_init (value, G_TYPE_UINT64);
      g_value_set_uint64 (value, *(const guint64 *) member);
      break;
    default:
      if (gcc_column_get_word (column, stats) != NULL) {
        g_value_init (value, G_TYPE_STRING);
        g_value_set_static_string (value, gcc_column_get_word (column, stats));
      }
      break;
  }
}

GstStructure *
gst_gcc_columns_to_structure (const gchar *name, const GccColumn *columns,
    guint n_columns, gconstpointer stats)
{
  GstStructure *structure = gst_structure_new_empty (name);

  for (guint i = 0; i < n_columns; i++) {
    GValue value = G_VALUE_INIT;
    gchar *field;

    get_value (&columns[i], stats, &value);
    if (!G_IS_VALUE (&value))
      continue;

    field = g_strdelimit (g_strdup (columns[i].name), "_", '-');
    gst_structure_take_value (structure, field, &value);
    g_free (field);
  }

  return structure;
}

void
gst_gcc_column_append_text (
    const GccColumn *column, gconstpointer stats, GString *text)
{
  GValue value = G_VALUE_INIT;

  get_value (column, stats, &value);

  if (G_VALUE_HOLDS_INT64 (&value)) {
    g_string_append_printf (
        text, "%" G_GINT64_FORMAT, g_value_get_int64 (&value));
  } else if (G_VALUE_HOLDS_UINT64 (&value)) {
    g_string_append_printf (
        text, "%" G_GUINT64_FORMAT, g_value_get_uint64 (&value));
  } else if (G_VALUE_HOLDS_BOOLEAN (&value)) {
    g_string_append_c (text, g_value_get_boolean (&value) ? '1' : '0');
  } else if (G_VALUE_HOLDS_UINT (&value)) {
    g_string_append_printf (text, "%u", g_value_get_uint (&value));
  } else if (G_VALUE_HOLDS_DOUBLE (&value)) {
    gchar number[G_ASCII_DTOSTR_BUF_SIZE];

    g_string_append (text,
        g_ascii_formatd (
            number, sizeof (number), "%.6g", g_value_get_double (&value)));
  } else if (G_VALUE_HOLDS_STRING (&value)) {
    g_string_append (text, g_value_get_string (&value));
  }

  if (G_IS_VALUE (&value))
    g_value_unset (&value);
}
