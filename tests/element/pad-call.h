/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* A gccsender between the test's own pads, whose streams block and fail when the test
 * says so. */

#pragma once

#include "element-test.h"

G_BEGIN_DECLS

#define PAYLOAD 1000u

typedef struct {
  GstElement *sender;
  GMutex lock;
  GCond changed;
  /* what arrived: "1:7 " is packet 7 of stream 1, "0:eos " an event */
  GString *seen;
} PadCall;

/* A stream: @in pushes to @sinkpad of the element, and what leaves the element
 * comes to @out. While @is_blocked downstream takes its time for packets, while
 * @holds_events for custom events. With @flushes_in_chain the next packet makes
 * downstream flush the stream. @thread brought the last packet there. */
typedef struct {
  PadCall *call;
  guint number;
  GstPad *in;
  GstPad *sinkpad;
  GstPad *out;
  gboolean is_blocked;
  gboolean is_in_chain;
  gboolean holds_events;
  gboolean is_in_event;
  gboolean flushes_in_chain;
  GThread *thread;
  GstFlowReturn flow;
} PadStream;

/* With streams 0 and 1, where there are so many: %NULL. */
void pad_call_start (PadCall *self, PadStream *first, PadStream *second);
void pad_call_stop (PadCall *self);
void pad_stream_push_caps (PadStream *self, const gchar *text);
void pad_stream_push_segment (PadStream *self);
void pad_stream_push_custom (PadStream *self);
GstFlowReturn pad_stream_push (PadStream *self, guint16 seqnum);
void pad_stream_start (PadStream *self, PadCall *call, guint number);
/* These two are for test_check_returns(): @stream is a PadStream. */
void pad_stream_release (gpointer stream);
void pad_stream_query_drain (gpointer stream);
void pad_stream_stop (PadStream *self);
void pad_stream_set_flag (PadStream *self, gboolean *flag, gboolean value);
void pad_stream_set_blocked (PadStream *self, gboolean is_blocked);
void pad_stream_set_flow (PadStream *self, GstFlowReturn flow);
gboolean pad_stream_is_in_chain (gpointer stream);
gboolean pad_stream_is_in_event (gpointer stream);
/* The pacer's thread pushes the packet: it comes while that thread pushes an
 * event, and cannot pass by itself. */
void pad_stream_push_by_thread (PadStream *self, guint16 seqnum);
/* The pacer's thread is downstream, and stays there. */
void pad_stream_block_with_packet (PadStream *self, guint16 seqnum);
gboolean pad_call_has_seen (PadCall *self, const gchar *what);
void pad_call_wait_for (PadCall *self, const gchar *what);
void pad_call_forget_seen (PadCall *self);

G_END_DECLS
