/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

/* A call over either feedback, and its path as a row of a table. */

#include <gst/gcc/profiles/gcc-profile-private.h>

#include "call.h"
#include "remb-call.h"

/**
 * Path:
 * @capacity: 1 Mbit/s
 * @max_queue: 300 ms, and 240 ms over REMB
 * @delay: one way, 25 ms
 * @clump: packets arrive at multiples of this
 * @loss: of packets
 * @bucket: bytes that pass at once after a pause
 * @application: what it sends at most
 * @frame_rate: 30
 * @noise: packets are so much later at most; not over REMB, as what follows
 * @feedback_delay: of the way back, 25 ms
 * @feedback_loss: of messages
 * @feedback_interval: 50 ms
 *
 * At the start a path has the values that are named here. A field of 0 leaves the value
 * as it is.
 */
typedef struct {
  GccRate capacity;
  GccTime max_queue;
  GccTime delay;
  GccTime clump;
  gdouble loss;
  gsize bucket;
  GccRate application;
  guint frame_rate;
  GccTime noise;
  GccTime feedback_delay;
  gdouble feedback_loss;
  GccTime feedback_interval;
} Path;

/* A queue of no packet, as in front of a policer. */
#define NO_QUEUE (1) /* µs */

/* Too large for the stack. */
typedef struct {
  gboolean over_remb;
  union {
    Call transport;
    RembCall remb;
  };
  GccSender *sender;
  GccTime own_link_free;
  gsize bucket;
} AnyCall;

/* A member of the call that there is. */
#define ANY_CALL(self, member) \
  (*((self)->over_remb ? &(self)->remb.member : &(self)->transport.member))

/* The call begins at @now. */
static inline void
any_call_init_at (AnyCall *self, gboolean over_remb, const GccProfile *profile,
    GccRate start, GccRate max, GccTime now)
{
  self->over_remb = over_remb;
  if (over_remb)
    remb_call_init_at (&self->remb, profile, start, max, now);
  else
    call_init_at (&self->transport, profile->name, start, max, now);
  self->sender = &ANY_CALL (self, sender);
  self->own_link_free = 0;
  self->bucket = 0;
  ANY_CALL (self, link_free) = &self->own_link_free;
}

static inline void
any_call_init (AnyCall *self, gboolean over_remb, const gchar *profile,
    GccRate start, GccRate max)
{
  any_call_init_at (self, over_remb, gcc_profile_find (profile), start, max,
      100 * GCC_SECOND);
}

static inline void
any_call_clear (AnyCall *self)
{
  if (self->over_remb)
    remb_call_clear (&self->remb);
  else
    call_clear (&self->transport);
}

/* The receiver reports, too, as it always does over REMB. */
static inline void
any_call_add_reports (AnyCall *self)
{
  self->transport.has_reports = self->transport.covers_all = TRUE;
}

#define ANY_CALL_SET(self, path, member) \
  if ((path)->member != 0) \
  ANY_CALL (self, member) = (path)->member

static inline void
any_call_set_path (AnyCall *self, const Path *path)
{
  Call *call = &self->transport;

  ANY_CALL_SET (self, path, capacity);
  ANY_CALL_SET (self, path, max_queue);
  ANY_CALL_SET (self, path, delay);
  ANY_CALL_SET (self, path, clump);
  ANY_CALL_SET (self, path, loss);
  ANY_CALL_SET (self, path, application);
  ANY_CALL_SET (self, path, frame_rate);
  if (path->bucket != 0)
    self->bucket = path->bucket;
  if (self->over_remb) {
    self->remb.bucket = self->bucket;
    return;
  }
  call->saved = (GccTime) self->bucket * 8 * GCC_SECOND / call->capacity;
  if (path->noise != 0)
    call->noise = path->noise;
  if (path->feedback_delay != 0)
    call->feedback_delay = path->feedback_delay;
  if (path->feedback_loss != 0)
    call->feedback_loss = path->feedback_loss;
  if (path->feedback_interval != 0)
    call->feedback_interval = path->feedback_interval;
}

static inline GccTime
any_call_get_now (const AnyCall *self)
{
  return ANY_CALL (self, now);
}

static inline GccRate
any_call_get_rate (const AnyCall *self)
{
  return gcc_sender_get_target (self->sender);
}

static inline GccTime
any_call_get_step (const AnyCall *self)
{
  return self->over_remb ? REMB_CALL_STEP : CALL_STEP;
}

static inline void
any_call_step (AnyCall *self)
{
  if (self->over_remb)
    remb_call_step (&self->remb);
  else
    call_step (&self->transport);
}

static inline void
any_call_run (AnyCall *self, GccTime duration)
{
  for (GccTime end = any_call_get_now (self) + duration;
       any_call_get_now (self) < end;)
    any_call_step (self);
}

/* Nothing arrives, or nothing comes back. */
static inline void
any_call_cut (AnyCall *self, gboolean forward, gboolean backward)
{
  ANY_CALL (self, is_cut) = forward;
  ANY_CALL (self, is_mute) = backward;
}
