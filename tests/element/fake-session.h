/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* A stand-in for rtpsession, and an element before it on a clock that the test
 * sets. */

#pragma once

#include "element-test.h"

G_BEGIN_DECLS

/* What an element holds as its session: counts what it is asked. */
typedef struct {
  GObject parent;
  gint rtp_profile;
  guint64 min_interval;
  gint n_asked;
} FakeSession;
typedef GObjectClass FakeSessionClass;

#define FAKE_SSRC 0x5e551011u

/* The element that holds it; with @is_restless another one whenever it is
 * asked. */
typedef struct {
  GstElement parent;
  GstPad *sinkpad;
  FakeSession *session;
  gboolean is_restless;
  GMutex lock;
  GPtrArray *sessions;
} FakeHolder;
typedef GstElementClass FakeHolderClass;

FakeHolder *fake_holder_new (void);
void fake_holder_free (FakeHolder *self);
/* Whether an element is in a session of this holder. */
gboolean fake_holder_has_handlers (FakeHolder *self);

typedef struct {
  GstElement *element;
  FakeHolder *holder;
  GstClock *clock;
  GstPad *source;
  guint frame;
} SessionEnd;

void session_end_start (SessionEnd *self, const gchar *factory);
void session_end_stop (SessionEnd *self);
GstClockTime session_end_time_of_frame (const SessionEnd *self);
/* A frame of one packet that says it arrived at @arrival. */
void session_end_deliver (SessionEnd *self, GstClockTime arrival);
void session_end_deliver_many (SessionEnd *self, guint n);

G_END_DECLS
