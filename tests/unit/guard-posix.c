/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* MAP_ANONYMOUS */
#define _DEFAULT_SOURCE

#include "guard.h"

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

void
guard_clear (Guard *guard)
{
  munmap (guard->start, 2 * guard->page);
}
