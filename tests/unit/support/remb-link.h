/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

/* A call with the default profile over REMB, and a TCP flow that may share its
 * link. */

#include "cubic.h"
#include "remb-call.h"

static struct {
  GccTime free;
  RembCall call;
  Cubic tcp;
} link_;

static inline void
link_init (GccRate capacity)
{
  link_.free = 0;
  remb_call_init (&link_.call, &gcc_profile_recommended, 300000, 6000000);
  link_.call.link_free = &link_.free;
  link_.call.capacity = capacity;
  cubic_init (&link_.tcp, 50 * GCC_MSECOND);
}

static inline void
link_run (GccTime duration)
{
  RembCall *call = &link_.call;
  GccTime end = call->now + duration;

  while (call->now < end) {
    remb_call_step (call);
    cubic_step (
        &link_.tcp, &link_.free, call->capacity, call->max_queue, call->now);
  }
}
