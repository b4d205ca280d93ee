/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/output/gcc-picture-size.h>
#include <math.h>

/* A picture that is stretched by less is not seen to be: encoders that take
 * multiples of 16 have 640x352 for 640x360. */
#define MAX_STRETCH 0.05

/* Both lengths are rounded, to even numbers. */
#define ROUNDING 2.

static gdouble
scale (guint length, guint to, guint from)
{
  return (gdouble) length * to / MAX (from, 1);
}

static guint
to_pixels (gdouble length)
{
  return (guint) CLAMP (round (length), 1., (gdouble) G_MAXINT);
}

guint
gcc_picture_size_get_height (const GccPictureSize *shape, guint width)
{
  return to_pixels (scale (shape->height, width, shape->width));
}

guint
gcc_picture_size_get_width (const GccPictureSize *shape, guint height)
{
  return to_pixels (scale (shape->width, height, shape->height));
}

/* By how much it is wider or higher than @shape, as a part of it, from 0. */
static gdouble
get_stretch (const GccPictureSize *self, const GccPictureSize *shape)
{
  gdouble ratio = scale (self->width, shape->height, shape->width) /
      MAX (self->height, 1);

  return MAX (ratio, 1. / ratio) - 1.;
}

gboolean
gcc_picture_size_has_shape (
    const GccPictureSize *self, const GccPictureSize *shape)
{
  gdouble height = scale (self->width, shape->height, shape->width);
  gdouble width = scale (self->height, shape->width, shape->height);

  return get_stretch (self, shape) <= MAX_STRETCH ||
      fabs (self->height - height) < ROUNDING ||
      fabs (self->width - width) < ROUNDING;
}

static gdouble
get_distance (const GccPictureSize *self, const GccPictureSize *wanted)
{
  return fabs ((gdouble) self->width - wanted->width) +
      fabs ((gdouble) self->height - wanted->height);
}

gboolean
gcc_picture_size_is_better (const GccPictureSize *self,
    const GccPictureSize *other, const GccPictureSize *shape,
    const GccPictureSize *wanted)
{
  gboolean has_shape = gcc_picture_size_has_shape (self, shape);
  gdouble stretch = get_stretch (self, shape);
  gdouble stretch_of_other = get_stretch (other, shape);

  if (has_shape != gcc_picture_size_has_shape (other, shape))
    return has_shape;
  if (!has_shape && stretch != stretch_of_other)
    return stretch < stretch_of_other;

  return get_distance (self, wanted) < get_distance (other, wanted);
}
