/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Lines as a user types them, fed by the test where they begin with MEDIA(), and
 * the warnings of one element in them, which is called "gcc". */

#pragma once

#include "element-test.h"

G_BEGIN_DECLS

#define VP8_CAPS \
  "application/" \
  "x-rtp,media=video,encoding-name=VP8,clock-rate=90000,payload=96"

#define OPUS_CAPS \
  "application/" \
  "x-rtp,media=audio,clock-rate=48000,payload=96,encoding-name=OPUS"

#define MEDIA(caps) \
  "appsrc name=media is-live=true format=time do-timestamp=true " \
  "caps=\"" caps "\" "

#define SINK "fakesink async=false sync=false "

/* RTCP has been linked by then. */
#define LONG_ENOUGH (5 * GST_SECOND)

typedef struct {
  GstElement *pipeline;
  GstClock *clock;
  GstElement *element;
  GstBus *bus;
  GString *warnings;
  guint n_warnings;
  guint16 seqnum;
  /* of packets that are sent, which are frames then; 0: they have no timestamp */
  GstClockTime frame_duration;
} Line;

void line_start (Line *self, const gchar *description);
/* The same in two steps, for what has to be there before the stream. */
void line_make (Line *self, const gchar *description);
void line_play (Line *self);
/* For a line whose media the test sends: time passes when the test says so. */
void line_start_on_test_clock (Line *self, const gchar *description);
void line_stop (Line *self);

/* Reads the bus: warnings of the element, and no others. */
void line_read (Line *self);
/* Whether it has warned, for test_wait_until(). */
gboolean has_warned (gpointer line);
/* Whether its warnings have @words. */
gboolean says (const Line *self, const gchar *words);
void assert_says (const Line *self, const gchar *words);
/* That it has warned once, with @first and @second, and stops the line. */
void line_stop_warned (Line *self, const gchar *first, const gchar *second);

void send_packet_from (GstElement *source);
void send_packets (Line *self, guint n);

/* Waits until @n packets or lists have left the element; sends them, too, where
 * @send says so. */
void wait_for_packets (Line *self, gint n, gboolean send);
void pass (Line *self, gint n);
/* Advances the test's clock by @time, and passes ten packets. */
void pass_for (Line *self, GstClockTime time);

G_END_DECLS
