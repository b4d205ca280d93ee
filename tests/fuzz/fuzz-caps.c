/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Caps, with whatever fields of whatever types: which header extensions they
 * name, and what becomes of a stream's transport-wide numbers. */

#include <gst/gcc/wire/gcc-transport-feedback.h>
#include <string.h>

#include "stream/gstgcctransportcc.h"
#include "fuzz-gst.h"
#include "fuzz.h"
#include "support/gstgccstream.h"

static const gchar *const uris[] = { GCC_TRANSPORT_FEEDBACK_URI,
  GCC_ABS_SEND_TIME_URI };

void
fuzz_init (void)
{
  fuzz_gst_init ();
}

/* --- caps --- */

static gchar *
read_text (Fuzz *input)
{
  guint8 what = fuzz_uint8 (input);
  gsize length;
  const guint8 *bytes;

  if (what & 128)
    return g_strdup (uris[what & 1]);
  bytes = fuzz_bytes (input, what & 31, &length);
  return g_utf8_make_valid ((const gchar *) bytes, (gssize) length);
}

/* As an application or SDP may write it: with any number, or none. */
static gchar *
read_name (Fuzz *input)
{
  static const gchar *const names[] = { "clock-rate", "payload",
    "encoding-name", "media", "extmap-", "extmap-x", "extmap-65537",
    "extmap-4294967297", "extmap--1", "extmap-+2", "extmap-7 " };
  guint8 what = fuzz_uint8 (input);

  return what & 128 ? g_strdup_printf ("extmap-%u", fuzz_uint8 (input))
                    : g_strdup (names[what % G_N_ELEMENTS (names)]);
}

static void
append_text (GValue *array, gchar *text)
{
  GValue value = G_VALUE_INIT;

  g_value_init (&value, G_TYPE_STRING);
  g_value_take_string (&value, text);
  gst_value_array_append_and_take_value (array, &value);
}

static void
append_number (GValue *array, gint number)
{
  GValue value = G_VALUE_INIT;

  g_value_init (&value, G_TYPE_INT);
  g_value_set_int (&value, number);
  gst_value_array_append_and_take_value (array, &value);
}

/* Of one type, as GStreamer has it. */
static void
read_array (GValue *array, Fuzz *input)
{
  gboolean is_text = !fuzz_once_in (input, 8);

  g_value_init (array, GST_TYPE_ARRAY);
  for (guint n = fuzz_up_to (input, 4); n > 0; n--)
    if (is_text)
      append_text (array, read_text (input));
    else
      append_number (array, (gint) fuzz_uint32 (input));
}

static void
read_value (GValue *value, Fuzz *input)
{
  switch (fuzz_uint8 (input) % 5) {
    case 0:
      g_value_init (value, G_TYPE_INT);
      g_value_set_int (value, (gint) fuzz_uint32 (input));
      break;
    case 1:
      read_array (value, input);
      break;
    case 2:
      g_value_init (value, G_TYPE_UINT);
      g_value_set_uint (value, fuzz_uint32 (input));
      break;
    default:
      g_value_init (value, G_TYPE_STRING);
      g_value_take_string (value, read_text (input));
      break;
  }
}

static GstCaps *
read_caps (Fuzz *input)
{
  GstStructure *structure = gst_structure_new_empty ("application/x-rtp");

  for (guint i = 0; i < 16 && fuzz_has_more (input); i++) {
    g_autofree gchar *name = read_name (input);
    GValue value = G_VALUE_INIT;

    read_value (&value, input);
    gst_structure_take_value (structure, name, &value);
  }
  return gst_caps_new_full (structure, NULL);
}

/* --- what must hold --- */

static gboolean
is_field_of (GQuark field, const GValue *value, gpointer caps)
{
  const GValue *other = gst_structure_id_get_value (
      gst_caps_get_structure (caps, 0), field);

  g_assert_nonnull (other);
  g_assert_cmpint (gst_value_compare (value, other), ==, GST_VALUE_EQUAL);
  return TRUE;
}

static void
check_dropped (GstCaps *caps, const gchar *uri)
{
  GstCaps *without = gst_gcc_stream_drop_extension (caps, uri);
  GstCaps *again = gst_gcc_stream_drop_extension (without, uri);

  g_assert_cmpuint (gst_gcc_stream_find_extension_id (without, uri), ==, 0);
  g_assert_true (again == without);
  gst_structure_foreach (
      gst_caps_get_structure (without, 0), is_field_of, caps);
  gst_caps_unref (again);
  gst_caps_unref (without);
}

static void
check_stream (const GstCaps *caps)
{
  GstGccStream stream;

  gst_gcc_stream_set_caps (&stream, caps);
  g_assert_cmpuint (stream.clock_rate, <=, G_MAXINT);
  g_assert_cmpuint (stream.abs_send_time_id, <=, 255);
}

static void
check_decision (GstCaps *caps, GstGccFeedbackMode mode, GstGccPlace place)
{
  GstGccTransportCc self;
  GstCaps *filtered;

  gst_gcc_transport_cc_decide (&self, mode, place, caps);
  g_assert_cmpuint (self.id, <=, 255);
  g_assert_true (self.id > 0 || (!self.inserts && self.reason != NULL));
  g_assert_true (self.id == 0 || mode != GST_GCC_FEEDBACK_REMB);
  g_assert_true (self.id == 0 || self.reason == NULL);

  filtered = gst_gcc_transport_cc_filter_caps (&self, caps);
  if (self.hides)
    g_assert_cmpuint (
        gst_gcc_stream_find_extension_id (filtered, uris[0]), ==, 0);
  gst_caps_unref (filtered);
}

void
fuzz_one (Fuzz *input)
{
  GstGccFeedbackMode mode = (GstGccFeedbackMode) fuzz_up_to (
      input, GST_GCC_FEEDBACK_TRANSPORT_CC);
  GstGccPlace place = (GstGccPlace) fuzz_up_to (
      input, GST_GCC_PLACE_BEFORE_SDP);
  GstCaps *caps = read_caps (input);

  for (guint i = 0; i < G_N_ELEMENTS (uris); i++)
    check_dropped (caps, uris[i]);
  check_stream (caps);
  check_decision (caps, mode, place);
  gst_caps_unref (caps);
}
