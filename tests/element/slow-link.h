/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* A link of a rate that may change, with a drop-tail queue of 300 ms and a delay of
 * 25 ms, for pipelines in virtual time. */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Of UDP and IP. */
#define SLOW_LINK_HEADERS 28

typedef struct {
  GstElement *pipeline;
  GMutex lock;
  gint64 capacity;
  /* when the link has sent all, µs */
  gint64 link_free;
  /* (element-type gint64): when each packet in the link leaves it */
  GQueue departures;
  /* (element-type gint64): how long each packet waited, µs */
  GArray *waits;
  guint n_sent;
  guint n_lost;
  guint64 bytes;
} SlowLink;

typedef struct {
  gdouble use;
  gdouble lost_percent;
  gdouble p95_ms;
} SlowLinkUse;

/* @queue, an unbounded queue of @pipeline, becomes the link, of @capacity bit/s. */
void slow_link_init (
    SlowLink *self, GstElement *pipeline, GstElement *queue, gint64 capacity);
/* ... once the pipeline has stopped. */
void slow_link_clear (SlowLink *self);

void slow_link_set_capacity (SlowLink *self, gint64 capacity);

void slow_link_measure_from_now (SlowLink *self);
/* Since then, which is @seconds ago. */
SlowLinkUse slow_link_measure (SlowLink *self, gdouble seconds);

G_END_DECLS
