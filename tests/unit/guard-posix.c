/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* MAP_ANONYMOUS */
#define _DEFAULT_SOURCE

#include "guard.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void
guard_init (Guard *guard)
{
  guard->page = (gsize) sysconf (_SC_PAGESIZE);
  guard->start = mmap (NULL, 2 * guard->page, PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  g_assert_true (guard->start != MAP_FAILED);
  g_assert_cmpint (
      mprotect (guard->start + guard->page, guard->page, PROT_NONE), ==, 0);
}

const guint8 *
guard_put (const Guard *guard, const guint8 *bytes, gsize length)
{
  guint8 *put = guard->start + guard->page - length;

  memcpy (put, bytes, length);
  return put;
}

void
guard_clear (Guard *guard)
{
  munmap (guard->start, 2 * guard->page);
}
