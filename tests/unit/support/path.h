/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

/* A path as a row of a table, and a call across it. */

#include "call.h"

typedef struct {
  /* of the call that crosses it */
  GccRate start;
  GccRate max;
  GccRate capacity;
  /* each way */
  GccTime delay;
  GccTime max_queue;
  /* as of a Call */
  GccTime clump;
  GccTime noise;
  GccTime saved;
} Path;

static inline void
call_init_on (Call *call, const gchar *profile, const Path *path)
{
  call_init (call, profile, path->start, path->max);
  call->capacity = path->capacity;
  call->delay = path->delay;
  call->feedback_delay = path->delay;
  call->max_queue = path->max_queue;
  call->clump = path->clump;
  call->noise = path->noise;
  call->saved = path->saved;
}
