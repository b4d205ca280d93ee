/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

#include <string.h>

/* A page in front of one that must not be read: what is put ends where it does.
 * There is one implementation for each system. */
typedef struct {
  guint8 *start;
  gsize page;
} Guard;

void guard_init (Guard *guard);
void guard_clear (Guard *guard);

static inline const guint8 *
guard_put (const Guard *guard, const guint8 *bytes, gsize length)
{
  guint8 *put = guard->start + guard->page - length;

  memcpy (put, bytes, length);
  return put;
}
