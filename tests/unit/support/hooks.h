/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

/* What may take the place of a simulator's own link, and who may watch its
 * frames. Both are off at first: a golden digest knows of neither. */

#include <gst/gcc/gcc-types.h>

/* A path that is more than a rate, a queue and a delay. */
typedef struct {
  gpointer data;
  /* when a packet that comes at @now is behind it, less the least delay;
   * %GCC_TIME_NONE if it is lost. @link_free, which it moves: when the link has
   * sent what is queued */
  GccTime (*pass) (gpointer data, GccTime *link_free, gsize bytes, GccTime now);
} SimPath;

/* Sees frames: their bytes are counted from the beginning of the call, so that
 * a packet may have the end of a frame and the beginning of the next. */
typedef struct {
  gpointer data;
  void (*made) (gpointer data, gint64 bytes, GccTime now);
  void (*arrived) (gpointer data, gint64 offset, gsize bytes, GccTime now);
  void (*lost) (gpointer data, gint64 offset, gsize bytes, GccTime now);
} SimViewer;
