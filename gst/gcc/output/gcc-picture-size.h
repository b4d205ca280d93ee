/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccPictureSize:
 * @width: pixels, 1 to %G_MAXINT
 * @height: pixels, 1 to %G_MAXINT
 */
typedef struct {
  guint width;
  guint height;
} GccPictureSize;

/* The height of a picture of @width that looks as @shape does, and the width of
 * one of @height, in pixels, 1 to %G_MAXINT. */
guint gcc_picture_size_get_height (const GccPictureSize *shape, guint width);
guint gcc_picture_size_get_width (const GccPictureSize *shape, guint height);

/* Whether @self looks as @shape does: but for 5 % of its height, or rounding. */
gboolean gcc_picture_size_has_shape (
    const GccPictureSize *self, const GccPictureSize *shape);

/*
 * gcc_picture_size_is_better:
 *
 * A size that has the @shape is better than any without. Of two that have it,
 * that nearer to @wanted is better, and of two without it, that nearer to the
 * @shape.
 *
 * Returns: whether @self is better than @other
 */
gboolean gcc_picture_size_is_better (const GccPictureSize *self,
    const GccPictureSize *other, const GccPictureSize *shape,
    const GccPictureSize *wanted);

G_END_DECLS
