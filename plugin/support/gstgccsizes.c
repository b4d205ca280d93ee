/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "support/gstgccsizes.h"

/* The candidates are few, even where an encoder allows thousands of sizes: each
 * number in a list, and of each range the number nearest to the one wanted, are
 * the width or the height of a picture; the other length follows from the
 * shape. */
typedef struct {
  const GValue *widths;
  const GValue *heights;
  const GccPictureSize *shape;
  const GccPictureSize *wanted;
  GccPictureSize best;
  gboolean has_best;
} Choice;

/* --- numbers in caps --- */

static gint
get_nearest_in_range (const GValue *range, gint wanted)
{
  gint min = gst_value_get_int_range_min (range);
  gint max = gst_value_get_int_range_max (range);
  gint step = gst_value_get_int_range_step (range);
  gint steps = (gint) (((gint64) CLAMP (wanted, min, max) - min + step / 2) /
      step);

  return MIN (min + steps * step, max);
}

static gint get_nearest (const GValue *allowed, gint wanted);

static gint
get_nearest_in_list (const GValue *list, gint wanted)
{
  gint nearest = wanted;
  gint64 least = G_MAXINT64;

  for (guint i = 0; i < gst_value_list_get_size (list); i++) {
    gint number = get_nearest (gst_value_list_get_value (list, i), wanted);
    gint64 distance = ABS ((gint64) number - wanted);

    if (distance < least)
      nearest = number;
    least = MIN (least, distance);
  }

  return nearest;
}

/* @allowed: (nullable): %NULL: any */
static gint
get_nearest (const GValue *allowed, gint wanted)
{
  if (allowed == NULL)
    return wanted;
  if (G_VALUE_HOLDS_INT (allowed))
    return g_value_get_int (allowed);
  if (G_VALUE_HOLDS (allowed, GST_TYPE_INT_RANGE))
    return get_nearest_in_range (allowed, wanted);
  if (G_VALUE_HOLDS (allowed, GST_TYPE_LIST))
    return get_nearest_in_list (allowed, wanted);

  return wanted;
}

/* --- sizes --- */

static void
try_size (Choice *self, gint width, gint height)
{
  GccPictureSize size = { (guint) MAX (width, 1), (guint) MAX (height, 1) };

  if (self->has_best &&
      !gcc_picture_size_is_better (
          &size, &self->best, self->shape, self->wanted))
    return;
  self->best = size;
  self->has_best = TRUE;
}

static void
try_width (Choice *self, gint width)
{
  guint height = (guint) width == self->wanted->width
      ? self->wanted->height
      : gcc_picture_size_get_height (self->shape, (guint) MAX (width, 1));

  try_size (self, width, get_nearest (self->heights, (gint) height));
}

static void
try_height (Choice *self, gint height)
{
  guint width = (guint) height == self->wanted->height
      ? self->wanted->width
      : gcc_picture_size_get_width (self->shape, (guint) MAX (height, 1));

  try_size (self, get_nearest (self->widths, (gint) width), height);
}

static void
try_each (Choice *self, void (*try) (Choice *self, gint length),
    const GValue *allowed, gint wanted)
{
  if (allowed == NULL || !G_VALUE_HOLDS (allowed, GST_TYPE_LIST)) {
    try (self, get_nearest (allowed, wanted));
    return;
  }
  for (guint i = 0; i < gst_value_list_get_size (allowed); i++)
    try (self, get_nearest (gst_value_list_get_value (allowed, i), wanted));
}

GccPictureSize
gst_gcc_sizes_choose (const GstStructure *caps, const GccPictureSize *shape,
    const GccPictureSize *wanted)
{
  Choice self = {
    .widths = gst_structure_get_value (caps, "width"),
    .heights = gst_structure_get_value (caps, "height"),
    .shape = shape,
    .wanted = wanted,
  };

  try_each (&self, try_width, self.widths, (gint) wanted->width);
  try_each (&self, try_height, self.heights, (gint) wanted->height);

  return self.best;
}
