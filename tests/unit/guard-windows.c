/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "guard.h"

#include <windows.h>

void
guard_init (Guard *guard)
{
  SYSTEM_INFO info;
  DWORD before;

  GetSystemInfo (&info);
  guard->page = info.dwPageSize;
  guard->start = VirtualAlloc (
      NULL, 2 * guard->page, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
  g_assert_nonnull (guard->start);
  g_assert_true (VirtualProtect (
      guard->start + guard->page, guard->page, PAGE_NOACCESS, &before));
}

void
guard_clear (Guard *guard)
{
  VirtualFree (guard->start, 0, MEM_RELEASE);
}
