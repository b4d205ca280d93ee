/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Both elements with the RTP session of a peer that may send anything: RTP,
 * RTCP, events, and properties that change.
 *
 *   media ─► gccsender ─► rtpsession ─► out         rtcp ─► rtpsession ─► reports
 *            network ─► gccreceiver ─► rtpsession ─► received
 */

#include <gst/gcc/gcc-abs-send-time.h>
#include <gst/gcc/gcc-remb.h>
#include <gst/gcc/wire/gcc-transport-feedback.h>
#include <gst/rtp/rtp.h>
#include <math.h>
#include <string.h>

#include "fuzz-gst.h"
#include "fuzz.h"

#define SSRC 5u
#define PEER_SSRC 9u
#define MAX_BURST 15
#define MAX_PACKET 1500
#define CAPS \
  "application/x-rtp,media=video,encoding-name=VP8,clock-rate=90000," \
  "payload=96,extmap-3=" GCC_ABS_SEND_TIME_URI

/* Identifier of the extension with transport-wide numbers, where the caps have
 * it, and the greatest FCI that is sent, bytes. */
#define NUMBER_ID 5
#define NUMBERED_CAPS CAPS ",extmap-5=" GCC_TRANSPORT_FEEDBACK_URI
#define MAX_FCI 255

/* Of transport-wide feedback: where the FCI has its packet status count. */
#define STATUS_COUNT 2

/* ... and where the element chooses it. */
#define CHOSEN_ID 12

typedef struct {
  GstElement *bin;
  GstElement *sender;
  GstElement *receiver;
  GstElement *session;
  GstPad *media;
  GstPad *network;
  GstPad *rtcp;
  GstPad *sinks[3];
  guint16 seqs[2];
  guint32 timestamp;
  GstClockTime time;

  /* over transport-wide feedback */
  const gchar *caps;
  gint newest; /* atomic: the last number that left */
  guint8 count;
  guint16 end; /* of the last feedback */
} Call;

void
fuzz_init (void)
{
  GError *error = NULL;

  fuzz_gst_init ();
  gst_debug_set_active (FALSE);
  if (gst_plugin_load_file (RTP_MANAGER, &error) == NULL ||
      gst_plugin_load_file (GCC_PLUGIN, &error) == NULL)
    g_error ("%s", error->message);
}

/* --- a session with both elements --- */

static GstElement *
add (Call *self, const gchar *factory)
{
  GstElement *element = gst_element_factory_make (factory, NULL);

  g_assert_nonnull (element);
  gst_bin_add (GST_BIN (self->bin), element);
  return element;
}

static GstFlowReturn
drop (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  (void) pad;
  (void) parent;
  gst_buffer_unref (buffer);
  return GST_FLOW_OK;
}

static gboolean
read_number (GstRTPBuffer *rtp, guint8 id, gint *number)
{
  const guint8 *bytes;
  gpointer data;
  guint size;

  if (!gst_rtp_buffer_get_extension_onebyte_header (rtp, id, 0, &data, &size) ||
      size != GCC_TRANSPORT_FEEDBACK_NUMBER_LENGTH)
    return FALSE;
  bytes = data;
  g_atomic_int_set (number, bytes[0] << 8 | bytes[1]);
  return TRUE;
}

/* What left, so that feedback can tell of it. */
static GstPadProbeReturn
note_number (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Call *self = user_data;
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  (void) pad;
  if (!gst_rtp_buffer_map (
          GST_PAD_PROBE_INFO_BUFFER (info), GST_MAP_READ, &rtp))
    return GST_PAD_PROBE_OK;
  if (!read_number (&rtp, NUMBER_ID, &self->newest))
    read_number (&rtp, CHOSEN_ID, &self->newest);
  gst_rtp_buffer_unmap (&rtp);
  return GST_PAD_PROBE_OK;
}

static GstPad *
get_pad (GstElement *element, const gchar *name)
{
  GstPad *pad = gst_element_get_static_pad (element, name);

  return pad != NULL ? pad : gst_element_request_pad_simple (element, name);
}

static void
link_src (GstPad *src, GstElement *element, const gchar *name)
{
  GstPad *pad = get_pad (element, name);

  g_assert_cmpint (gst_pad_link (src, pad), ==, GST_PAD_LINK_OK);
  gst_object_unref (pad);
}

static void
link_elements (
    GstElement *a, const gchar *src, GstElement *b, const gchar *sink)
{
  GstPad *pad = get_pad (a, src);

  link_src (pad, b, sink);
  gst_object_unref (pad);
}

static GstPad *
make_source (GstElement *element, const gchar *name)
{
  GstPad *pad = gst_pad_new ("source", GST_PAD_SRC);

  link_src (pad, element, name);
  gst_pad_set_active (pad, TRUE);
  return pad;
}

/* With a template: asked for the caps of a pad without one, GStreamer reads
 * those that came last and holds no reference, while the pacer's thread may
 * bring others (gst_pad_query_caps_default(), 1.22). */
static GstPad *
make_sink (GstElement *element, const gchar *name)
{
  static GstStaticPadTemplate any = GST_STATIC_PAD_TEMPLATE (
      "drop", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);
  GstPad *pad = gst_pad_new_from_static_template (&any, "drop");
  GstPad *src = get_pad (element, name);

  gst_pad_set_chain_function (pad, drop);
  gst_pad_set_active (pad, TRUE);
  g_assert_cmpint (gst_pad_link (src, pad), ==, GST_PAD_LINK_OK);
  gst_object_unref (src);
  return pad;
}

static void
start_stream (GstPad *pad, const gchar *text)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (pad, gst_event_new_stream_start ("stream"));
  if (text != NULL) {
    GstCaps *caps = gst_caps_from_string (text);

    gst_pad_push_event (pad, gst_event_new_caps (caps));
    gst_caps_unref (caps);
  }
  gst_pad_push_event (pad, gst_event_new_segment (&segment));
}

static void
start_streams (Call *self)
{
  g_autofree gchar *caps = g_strconcat (self->caps, ",ssrc=(uint)5", NULL);

  start_stream (self->media, caps);
  start_stream (self->network, self->caps);
  start_stream (self->rtcp, "application/x-rtcp");
}

static void
choose_feedback (Call *self, Fuzz *input)
{
  static const gchar *const modes[] = { "auto", "remb", "transport-cc",
    "ccfb" };

  self->caps = fuzz_once_in (input, 2) ? NUMBERED_CAPS : CAPS;
  gst_util_set_object_arg (G_OBJECT (self->sender), "feedback",
      modes[fuzz_up_to (input, G_N_ELEMENTS (modes) - 1)]);
  gst_util_set_object_arg (G_OBJECT (self->receiver), "feedback",
      modes[fuzz_up_to (input, G_N_ELEMENTS (modes) - 1)]);
}

static void
call_start (Call *self, Fuzz *input)
{
  *self = (Call){ .bin = gst_pipeline_new (NULL) };
  self->sender = add (self, "gccsender");
  self->receiver = add (self, "gccreceiver");
  self->session = add (self, "rtpsession");
  choose_feedback (self, input);
  link_elements (self->sender, "src", self->session, "send_rtp_sink");
  link_elements (self->receiver, "src", self->session, "recv_rtp_sink");
  self->sinks[0] = make_sink (self->session, "send_rtp_src");
  self->sinks[1] = make_sink (self->session, "recv_rtp_src");
  self->sinks[2] = make_sink (self->session, "send_rtcp_src");
  self->media = make_source (self->sender, "sink");
  self->network = make_source (self->receiver, "sink");
  self->rtcp = make_source (self->session, "recv_rtcp_sink");
  gst_pad_add_probe (
      self->sinks[0], GST_PAD_PROBE_TYPE_BUFFER, note_number, self, NULL);
  gst_element_set_state (self->bin, GST_STATE_PLAYING);
  start_streams (self);
}

static void
call_stop (Call *self)
{
  gst_element_set_state (self->bin, GST_STATE_NULL);
  for (guint i = 0; i < G_N_ELEMENTS (self->sinks); i++)
    gst_object_unref (self->sinks[i]);
  gst_object_unref (self->media);
  gst_object_unref (self->network);
  gst_object_unref (self->rtcp);
  gst_object_unref (self->bin);
}

/* --- what must hold --- */

static gboolean
check_field (GQuark name, const GValue *value, gpointer user_data)
{
  static const gchar *const may_be_nan[] = { "fraction-lost", "rtt-ms", "d-ms",
    "m-ms", "modified-m-ms", "gamma-ms", "path-rtt-ms", "path-queue-ms",
    "path-noise-ms", NULL };

  (void) user_data;
  if (G_VALUE_HOLDS_DOUBLE (value) && isnan (g_value_get_double (value)) &&
      !g_strv_contains (may_be_nan, g_quark_to_string (name)))
    g_error ("%s is not a number", g_quark_to_string (name));
  return TRUE;
}

static void
check_stats (GstElement *element)
{
  GstStructure *stats;

  g_object_get (element, "stats", &stats, NULL);
  gst_structure_foreach (stats, check_field, NULL);
  gst_structure_free (stats);
}

/* A sender that has refused to start, because its limits contradict each other, has
 * the target of before. */
static void
check_target (GstElement *sender)
{
  guint min, max, target;

  if (GST_STATE (sender) < GST_STATE_PAUSED)
    return;
  g_object_get (sender, "min-bitrate", &min, "max-bitrate", &max,
      "target-bitrate", &target, NULL);
  g_assert_cmpuint (target, >=, MIN (min, max));
  g_assert_cmpuint (target, <=, MAX (min, max));
}

static void
check (Call *self)
{
  check_target (self->sender);
  check_stats (self->sender);
  check_stats (self->receiver);
}

/* --- RTP --- */

static GstBuffer *
make_packet (Call *self, guint32 ssrc, guint16 seq, Fuzz *input)
{
  GstBuffer *buffer = gst_rtp_buffer_new_allocate (
      fuzz_up_to (input, MAX_PACKET), 0, 0);
  guint8 extension[3] = { 0, 0, fuzz_uint8 (input) };
  guint8 number[GCC_TRANSPORT_FEEDBACK_NUMBER_LENGTH];
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  GST_WRITE_UINT16_BE (number, seq);
  gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp);
  gst_rtp_buffer_set_payload_type (&rtp, 96);
  gst_rtp_buffer_set_ssrc (&rtp, ssrc);
  gst_rtp_buffer_set_seq (&rtp, seq);
  gst_rtp_buffer_set_timestamp (&rtp, self->timestamp);
  if (extension[2] & 1)
    gst_rtp_buffer_add_extension_onebyte_header (
        &rtp, 3, extension, sizeof extension);
  if (extension[2] & 2)
    gst_rtp_buffer_add_extension_onebyte_header (
        &rtp, extension[2] & 4 ? CHOSEN_ID : NUMBER_ID, number, sizeof number);
  gst_rtp_buffer_unmap (&rtp);
  self->time += fuzz_uint16 (input) * GST_USECOND;
  GST_BUFFER_PTS (buffer) = GST_BUFFER_DTS (buffer) = self->time;
  return buffer;
}

static void
push_burst (Call *self, GstPad *pad, guint32 ssrc, guint16 *seq, Fuzz *input)
{
  guint n = 1 + fuzz_up_to (input, MAX_BURST);
  GstBufferList *list;

  self->timestamp += fuzz_uint16 (input);
  if (fuzz_once_in (input, 8))
    *seq = fuzz_uint16 (input);
  if (!fuzz_once_in (input, 2)) {
    for (; n > 0; n--)
      gst_pad_push (pad, make_packet (self, ssrc, (*seq)++, input));
    return;
  }
  list = gst_buffer_list_new ();
  for (; n > 0; n--)
    gst_buffer_list_add (list, make_packet (self, ssrc, (*seq)++, input));
  gst_pad_push_list (pad, list);
}

/* Not none: rtpsession itself complains of RTCP without a byte. */
static void
push_bytes (GstPad *pad, guint max, Fuzz *input)
{
  gsize size;
  const guint8 *data = fuzz_bytes (input, 1 + fuzz_up_to (input, max), &size);

  if (size > 0)
    gst_pad_push (pad, fuzz_buffer_new (data, size));
}

/* --- RTCP --- */

static void
add_reports (Call *self, GstRTCPBuffer *rtcp, Fuzz *input)
{
  GstRTCPPacket packet;

  gst_rtcp_buffer_add_packet (rtcp, GST_RTCP_TYPE_RR, &packet);
  gst_rtcp_packet_rr_set_ssrc (&packet, PEER_SSRC);
  for (guint n = fuzz_up_to (input, 3); n > 0; n--)
    gst_rtcp_packet_add_rb (&packet, SSRC + fuzz_up_to (input, 1),
        fuzz_uint8 (input), 0, self->seqs[0] - 1u - fuzz_uint8 (input), 0,
        fuzz_uint32 (input), fuzz_uint16 (input));
}

static void
add_remb (GstRTCPBuffer *rtcp, Fuzz *input)
{
  const GccRemb remb = {
    .rate = fuzz_rate (input), .ssrcs = { SSRC, SSRC + 1 }, .n_ssrcs = 2
  };
  GstRTCPPacket packet;

  gst_rtcp_buffer_add_packet (rtcp, GST_RTCP_TYPE_PSFB, &packet);
  gst_rtcp_packet_fb_set_type (&packet, (GstRTCPFBType) 15);
  gst_rtcp_packet_fb_set_sender_ssrc (&packet, PEER_SSRC);
  gst_rtcp_packet_fb_set_media_ssrc (&packet, 0);
  gst_rtcp_packet_fb_set_fci_length (&packet, GCC_REMB_FCI_LENGTH (2) / 4);
  gcc_remb_write_fci (&remb, gst_rtcp_packet_fb_get_fci (&packet));
}

static void
add_nack (Call *self, GstRTCPBuffer *rtcp, Fuzz *input)
{
  GstRTCPPacket packet;
  guint8 *fci;

  gst_rtcp_buffer_add_packet (rtcp, GST_RTCP_TYPE_RTPFB, &packet);
  gst_rtcp_packet_fb_set_type (&packet, GST_RTCP_RTPFB_TYPE_NACK);
  gst_rtcp_packet_fb_set_sender_ssrc (&packet, PEER_SSRC);
  gst_rtcp_packet_fb_set_media_ssrc (&packet, SSRC);
  gst_rtcp_packet_fb_set_fci_length (&packet, 1);
  fci = gst_rtcp_packet_fb_get_fci (&packet);
  GST_WRITE_UINT16_BE (fci, (guint16) (self->seqs[0] - fuzz_uint8 (input)));
  GST_WRITE_UINT16_BE (fci + 2, fuzz_uint16 (input));
}

/* Feedback that goes back is not the next one: between a message and the next
 * rtpsession makes a structure for each number, here 65535 of them
 * (docs/security.md), with AddressSanitizer in four seconds. */
static guint8
next_count (Call *self, guint16 first, guint n)
{
  if ((gint16) (guint16) (first - self->end) < 0)
    self->count++;
  self->end = (guint16) (first + n);
  return self->count++;
}

/* True but for the times, and which have arrived is in a byte for eight of
 * them. */
static gsize
write_feedback (Call *self, guint8 *fci, Fuzz *input)
{
  guint n = 1 + fuzz_up_to (input, 31);
  guint16 seq = (guint16) ((guint) g_atomic_int_get (&self->newest) - n + 1u);
  GccTime arrival = self->time / GST_USECOND;
  GccTransportFeedbackWriter writer;
  gboolean is_any = FALSE;
  guint8 lost = 0;

  gcc_transport_feedback_writer_init (
      &writer, seq, arrival, next_count (self, seq, n));
  for (guint i = 0; i < n; i++, seq++) {
    if (i % 8 == 0)
      lost = fuzz_uint8 (input);
    arrival += fuzz_uint8 (input) * 100;
    if (!(lost >> i % 8 & 1))
      is_any |= gcc_transport_feedback_writer_add (&writer, seq, arrival);
  }
  return is_any ? gcc_transport_feedback_writer_finish (&writer, fci) : 0;
}

/* ... but for a count of 2048 statuses and more, for the same reason. */
static gsize
write_anything (guint8 *fci, Fuzz *input)
{
  gsize size;
  const guint8 *data = fuzz_bytes (input, fuzz_up_to (input, MAX_FCI), &size);

  memcpy (fci, data, size);
  fci[STATUS_COUNT] &= 0x7;
  return size;
}

static void
add_transport_feedback (Call *self, GstRTCPBuffer *rtcp, Fuzz *input)
{
  guint8 fci[GCC_TRANSPORT_FEEDBACK_MAX_FCI] = { 0 };
  gsize size = fuzz_once_in (input, 4) ? write_anything (fci, input)
                                       : write_feedback (self, fci, input);
  guint words = (guint) (size + 3) / 4;
  GstRTCPPacket packet;

  gst_rtcp_buffer_add_packet (rtcp, GST_RTCP_TYPE_RTPFB, &packet);
  gst_rtcp_packet_fb_set_type (&packet, GST_RTCP_RTPFB_TYPE_TWCC);
  gst_rtcp_packet_fb_set_sender_ssrc (&packet, PEER_SSRC);
  gst_rtcp_packet_fb_set_media_ssrc (&packet, SSRC);
  gst_rtcp_packet_fb_set_fci_length (&packet, (guint16) words);
  if (words > 0)
    memcpy (gst_rtcp_packet_fb_get_fci (&packet), fci, (gsize) 4 * words);
}

/* By the pad of RTCP, or by that of RTP (RFC 5761). */
static void
push_rtcp (Call *self, GstPad *pad, Fuzz *input)
{
  guint8 what = fuzz_uint8 (input);
  GstBuffer *buffer = gst_rtcp_buffer_new (1400);
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;

  gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp);
  add_reports (self, &rtcp, input);
  if (what & 1)
    add_remb (&rtcp, input);
  if (what & 2)
    add_nack (self, &rtcp, input);
  if (what & 16)
    add_transport_feedback (self, &rtcp, input);
  if ((what & 12) == 12 &&
      gst_rtcp_buffer_add_packet (&rtcp, GST_RTCP_TYPE_BYE, &packet))
    gst_rtcp_packet_bye_add_ssrc (&packet, PEER_SSRC);
  gst_rtcp_buffer_unmap (&rtcp);
  gst_pad_push (pad, buffer);
}

/* --- events, properties, states --- */

static void
push_event (Call *self, Fuzz *input)
{
  GstPad *pads[] = { self->media, self->network, self->rtcp };
  GstPad *pad = pads[fuzz_up_to (input, 2)];
  g_autofree gchar *caps = NULL;

  switch (fuzz_uint8 (input) % 5) {
    case 0:
      gst_pad_push_event (pad, gst_event_new_flush_start ());
      gst_pad_push_event (pad, gst_event_new_flush_stop (TRUE));
      start_stream (pad, NULL);
      break;
    case 1:
      gst_pad_push_event (pad, gst_event_new_eos ());
      break;
    case 2:
      caps = g_strdup_printf ("application/x-rtp,media=%s,payload=%u,"
                              "clock-rate=%u,encoding-name=%s",
          fuzz_once_in (input, 2) ? "audio" : "video", fuzz_up_to (input, 127),
          1 + fuzz_up_to (input, 0xfffe),
          fuzz_once_in (input, 3) ? "RTX" : "VP8");
      start_stream (pad, pad == self->rtcp ? NULL : caps);
      break;
    case 3:
      gst_pad_push_event (self->sinks[fuzz_up_to (input, 2)],
          gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
              gst_structure_new ("GstRTPRetransmissionRequest", "seqnum",
                  G_TYPE_UINT, fuzz_uint32 (input), "ssrc", G_TYPE_UINT, SSRC,
                  NULL)));
      break;
    default:
      gst_pad_push_event (
          self->sinks[fuzz_up_to (input, 2)], gst_event_new_reconfigure ());
      break;
  }
}

static void
set_property (Call *self, Fuzz *input)
{
  guint rate = 1 + (fuzz_uint32 (input) >> 1);

  switch (fuzz_uint8 (input) % 6) {
    case 0:
      g_object_set (self->sender, "min-bitrate", rate, NULL);
      break;
    case 1:
      g_object_set (self->sender, "max-bitrate", rate, NULL);
      break;
    case 2:
      /* fast: no input may take long */
      g_object_set (self->sender, "pacing-factor",
          fuzz_once_in (input, 2) ? 100. : 0., "max-pacing-delay", 1, NULL);
      break;
    case 3:
      g_object_set (self->receiver, "report-interval",
          20 + fuzz_up_to (input, 5000), NULL);
      break;
    case 4:
      g_object_set (self->sender, "probing", fuzz_once_in (input, 2), NULL);
      break;
    default:
      g_object_set (
          self->session, "rtp-profile", 1 + fuzz_up_to (input, 3), NULL);
      break;
  }
}

static void
restart (Call *self, Fuzz *input)
{
  static const GstState states[] = { GST_STATE_NULL, GST_STATE_READY,
    GST_STATE_PAUSED };

  gst_element_set_state (
      self->bin, states[fuzz_up_to (input, G_N_ELEMENTS (states) - 1)]);
  gst_element_set_state (self->bin, GST_STATE_PLAYING);
  start_streams (self);
}

static void
go_on (Call *self, Fuzz *input)
{
  switch (fuzz_uint8 (input) % 12) {
    default:
      push_burst (self, self->media, SSRC, &self->seqs[0], input);
      break;
    case 2:
    case 3:
      push_burst (
          self, self->network, fuzz_up_to (input, 3), &self->seqs[1], input);
      break;
    case 4:
    case 5:
      push_rtcp (self, self->rtcp, input);
      break;
    case 6:
      push_bytes (self->rtcp, 255, input);
      break;
    case 7:
      push_bytes (self->network, 255, input);
      break;
    case 8:
      push_bytes (self->media, 255, input);
      break;
    case 9:
      push_event (self, input);
      break;
    case 10:
      set_property (self, input);
      break;
    case 11:
      if (fuzz_once_in (input, 8))
        restart (self, input);
      else
        push_rtcp (self, self->network, input);
      break;
  }
}

void
fuzz_one (Fuzz *input)
{
  Call call;

  call_start (&call, input);
  for (guint i = 0; i < 64 && fuzz_has_more (input); i++)
    go_on (&call, input);
  check (&call);
  call_stop (&call);
}
