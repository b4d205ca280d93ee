/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "stream/gstgccrateproperty.h"

#include <math.h>

/* GStreamer's encoders of Video4Linux hand its fields to the driver, which rounds
 * them to what it can do. */
#define CONTROLS "extra-controls"
#define MAX_CONTROL G_MAXINT

/* Doubles beyond are no whole numbers. */
#define MAX_EXACT_DOUBLE (G_GINT64_CONSTANT (1) << 53)

/* (nullable) */
static GParamSpec *
find_writable (GstElement *element, const gchar *name)
{
  GParamSpec *pspec = g_object_class_find_property (
      G_OBJECT_GET_CLASS (element), name);

  return pspec != NULL && (pspec->flags & G_PARAM_WRITABLE) != 0 ? pspec : NULL;
}

static gboolean
is_number (const GParamSpec *pspec)
{
  return g_value_type_transformable (G_TYPE_INT64, pspec->value_type) &&
      (G_TYPE_FUNDAMENTAL (pspec->value_type) == pspec->value_type) &&
      pspec->value_type != G_TYPE_STRING && pspec->value_type != G_TYPE_BOOLEAN;
}

gboolean
gst_gcc_rate_property_find (GstGccRateProperty *self, GstElement *element,
    const gchar *name, const gchar *control)
{
  GParamSpec *number = find_writable (element, name);
  GParamSpec *controls = control != NULL ? find_writable (element, CONTROLS)
                                         : NULL;

  *self = (GstGccRateProperty){ 0 };
  if (number != NULL && is_number (number))
    self->pspec = number;
  else if (controls != NULL && controls->value_type == GST_TYPE_STRUCTURE)
    *self = (GstGccRateProperty){ controls, control };

  return self->pspec != NULL;
}

/* A gulong, too, whose width is the system's. */
static gint64
from_uint64 (guint64 value)
{
  return (gint64) MIN (value, G_MAXINT64);
}

static gint64
from_double (gdouble value)
{
  return (gint64) CLAMP (
      value, (gdouble) -MAX_EXACT_DOUBLE, (gdouble) MAX_EXACT_DOUBLE);
}

void
gst_gcc_rate_property_get_range (
    const GstGccRateProperty *self, gint64 *min, gint64 *max)
{
  GParamSpec *pspec = self->pspec;

  *min = 0;
  *max = MAX_CONTROL;
  if (G_IS_PARAM_SPEC_INT (pspec)) {
    *min = G_PARAM_SPEC_INT (pspec)->minimum;
    *max = G_PARAM_SPEC_INT (pspec)->maximum;
  } else if (G_IS_PARAM_SPEC_UINT (pspec)) {
    *min = G_PARAM_SPEC_UINT (pspec)->minimum;
    *max = G_PARAM_SPEC_UINT (pspec)->maximum;
  } else if (G_IS_PARAM_SPEC_INT64 (pspec)) {
    *min = G_PARAM_SPEC_INT64 (pspec)->minimum;
    *max = G_PARAM_SPEC_INT64 (pspec)->maximum;
  } else if (G_IS_PARAM_SPEC_UINT64 (pspec)) {
    *min = from_uint64 (G_PARAM_SPEC_UINT64 (pspec)->minimum);
    *max = from_uint64 (G_PARAM_SPEC_UINT64 (pspec)->maximum);
  } else if (G_IS_PARAM_SPEC_LONG (pspec)) {
    *min = G_PARAM_SPEC_LONG (pspec)->minimum;
    *max = G_PARAM_SPEC_LONG (pspec)->maximum;
  } else if (G_IS_PARAM_SPEC_ULONG (pspec)) {
    *min = from_uint64 (G_PARAM_SPEC_ULONG (pspec)->minimum);
    *max = from_uint64 (G_PARAM_SPEC_ULONG (pspec)->maximum);
  } else if (G_IS_PARAM_SPEC_FLOAT (pspec)) {
    *min = from_double (ceil ((gdouble) G_PARAM_SPEC_FLOAT (pspec)->minimum));
    *max = from_double (floor ((gdouble) G_PARAM_SPEC_FLOAT (pspec)->maximum));
  } else if (G_IS_PARAM_SPEC_DOUBLE (pspec)) {
    *min = from_double (ceil (G_PARAM_SPEC_DOUBLE (pspec)->minimum));
    *max = from_double (floor (G_PARAM_SPEC_DOUBLE (pspec)->maximum));
  }
}

/* --- a structure --- */

/* (transfer full) (nullable) */
static GstStructure *
read_controls (const GstGccRateProperty *self, GstElement *element)
{
  GstStructure *controls = NULL;

  if ((self->pspec->flags & G_PARAM_READABLE) != 0)
    g_object_get (element, self->pspec->name, &controls, NULL);

  return controls;
}

static void
write_control (
    const GstGccRateProperty *self, GstElement *element, gint64 units)
{
  GstStructure *controls = read_controls (self, element);

  if (controls == NULL)
    controls = gst_structure_new_empty ("controls");
  gst_structure_set (controls, self->control, G_TYPE_INT, (gint) units, NULL);
  g_object_set (element, self->pspec->name, controls, NULL);
  gst_structure_free (controls);
}

static gint64
read_control (const GstGccRateProperty *self, GstElement *element)
{
  GstStructure *controls = read_controls (self, element);
  gint units = 0;

  if (controls != NULL) {
    gst_structure_get_int (controls, self->control, &units);
    gst_structure_free (controls);
  }

  return units;
}

/* --- */

void
gst_gcc_rate_property_write (
    const GstGccRateProperty *self, GstElement *element, gint64 units)
{
  GValue value = G_VALUE_INIT;

  if (self->control != NULL) {
    write_control (self, element, units);
    return;
  }
  /* GObject converts to the property's own type. */
  g_value_init (&value, G_TYPE_INT64);
  g_value_set_int64 (&value, units);
  g_object_set_property (G_OBJECT (element), self->pspec->name, &value);
  g_value_unset (&value);
}

gint64
gst_gcc_rate_property_read (const GstGccRateProperty *self, GstElement *element)
{
  GValue value = G_VALUE_INIT;
  gint64 units;

  if (self->control != NULL)
    return read_control (self, element);
  g_value_init (&value, G_TYPE_INT64);
  g_object_get_property (G_OBJECT (element), self->pspec->name, &value);
  units = g_value_get_int64 (&value);
  g_value_unset (&value);

  return units;
}
