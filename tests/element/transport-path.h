/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* A sender, its session, and the path: for tests of transport-wide feedback.
 *
 * Time is the test's. What leaves is on the path; the other end has it 20 ms
 * later, unless it is lost, and reports it when the test says so. */

#pragma once

#include <gst/gcc/wire/gcc-transport-feedback.h>
#include <gst/rtp/rtp.h>

#include "element-test.h"

G_BEGIN_DECLS

#define ID 5
#define DEFAULT_ID 12
#define PEER_SSRC 0x55667788u
#define AUDIO_SSRC 0xa0d10000u
#define PAYLOAD_SIZE 1000u
#define START_RATE 1000000u
#define MAX_PACING_DELAY (250 * GST_MSECOND)
#define MIN_RATE 100000u

#define EXTMAP(id) \
  ",extmap-" G_STRINGIFY (id) "=(string)" GCC_TRANSPORT_FEEDBACK_URI
#define NEGOTIATED TEST_RTP_CAPS EXTMAP (5)
#define AUDIO \
  "application/x-rtp,media=audio,encoding-name=OPUS,clock-rate=48000," \
  "payload=97"
#define PATH_DELAY (20 * GST_MSECOND)

typedef struct {
  guint16 number;
  gboolean is_lost;
  GstClockTime arrival;
} PathDeparture;

typedef struct {
  GstHarness *harness;
  GstElement *bin;
  GstElement *sender;
  GstPad *rtcp;
  GstBus *bus;
  GstClockTime now;
  /* of the other end's clock, when the call began */
  GccTime origin;
  guint16 seq;
  guint8 count;
  guint loss_percent;
  /* larger packets are lost; 0: none is */
  gsize max_size;
  guint id;
  GArray *departures;
  /* those that were told of */
  guint n_told;
} Path;

void path_start (Path *self, const gchar *properties, const gchar *caps);
/* With elements of its own: @line has a gccsender, sender, whose sink pad is not
 * linked, and an rtpsession, session, and ends with a source pad. */
void path_start_line (Path *self, const gchar *line, const gchar *caps);
/* A call of five seconds over transport-wide feedback. */
void path_start_steered (Path *self);
void path_stop (Path *self);
/* A call that transport-wide feedback steers to the end. */
void path_stop_steered (Path *self);
void path_pass_time (Path *self, GstClockTime duration);
gboolean path_read_number (GstBuffer *buffer, guint id, guint16 *number);
guint path_take_departures (Path *self);
GstBuffer *path_make_room (GstBuffer *buffer, guint id);
GstBuffer *path_make_packet (Path *self);
void path_push (Path *self, GstBuffer *buffer);
void path_send_packet (Path *self);
/* @n of them, one each 20 ms. */
void path_send_packets (Path *self, guint n);
void path_begin_rtcp (GstBuffer **buffer, GstRTCPBuffer *rtcp);
void path_add_feedback (
    GstRTCPBuffer *rtcp, const GccTransportFeedbackWriter *writer);
GstBuffer *path_end_rtcp (GstBuffer *buffer, GstRTCPBuffer *rtcp);
void path_deliver (Path *self, GstBuffer *rtcp);
const PathDeparture *path_get_departure (const Path *self, guint index);
GccTime path_get_arrival (const Path *self, guint index);
GstBuffer *path_make_feedback (Path *self, guint first, guint end);
void path_tell (Path *self);
void path_report (Path *self);
void path_call_for (Path *self, GstClockTime duration);
void path_call_without_feedback (Path *self, GstClockTime duration);
gchar *path_get_string (Path *self, const gchar *field);
void path_assert_string (Path *self, const gchar *field, const gchar *expected);
gboolean path_get_boolean (Path *self, const gchar *field);
guint64 path_count (Path *self, const gchar *field);
guint path_get_target (Path *self);
gboolean path_session_has_extmap (Path *self, guint id);
guint path_count_messages (Path *self, GstMessageType type, const gchar *text);
/* For test_wait_until(): @user_data is a Path. */
gboolean path_has_fallen (gpointer user_data);
GstBuffer *path_make_audio (Path *self);

G_END_DECLS
