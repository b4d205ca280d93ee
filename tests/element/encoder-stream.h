/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* A stream from an encoder that the test holds to a gccsender. */

#pragma once

#include "element-test.h"

G_BEGIN_DECLS

#define START 300000u
#define LEAST 64000u

/* `testencoder`, once registered. Passes RTP packets on. Like many a real one it holds
 * its stream lock while it pushes, and needs it to change its bitrate. */
typedef struct {
  GstElement parent;
  GstPad *sinkpad;
  GstPad *srcpad;
  GMutex stream_lock;
  guint bitrate;
  gint n_begun;
  gboolean keeps_bitrate;
} TestEncoder;

void test_encoder_register (void);

typedef struct {
  GstHarness *h;
  GstElement *sender;
  TestEncoder *encoder;
  guint16 seqnum;
} EncoderStream;

/* The bitrate of TestEncoder is in bit/s. @settings: of gccsender */
void encoder_stream_start_with (EncoderStream *self, const gchar *settings);
/* @unit: of its bitrate, bit/s; 0: the pad does not say */
void encoder_stream_start_in_unit (
    EncoderStream *self, guint unit, const gchar *settings);
/* The property of its pad; ms. */
void encoder_stream_set_change_cost (EncoderStream *self, gint cost);
/* An encoder that is set at each change. */
void encoder_stream_start (EncoderStream *self);
void encoder_stream_stop (EncoderStream *self);
void encoder_stream_push (EncoderStream *self);
/* Brings the target to @rate, as a report would. */
void encoder_stream_set_target (GstElement *sender, guint rate);
GstElement *encoder_stream_get_encoder (gpointer object);
/* @property of the encoder @line, which @sender has set to @target; -1: it is not
 * installed. */
gint64 encoder_with_target (const gchar *sender, const gchar *line,
    const gchar *property, guint target);

G_END_DECLS
