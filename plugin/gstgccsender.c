/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/**
 * SECTION:element-gccsender
 * @title: gccsender
 * @short_description: Sets an encoder's bitrate by Google Congestion Control
 * @see_also: gccreceiver, rtpbin, rtpgccbwe
 *
 * The sending side of Google Congestion Control. It stands behind an RTP
 * payloader, and behind what adds FEC or retransmissions. By itself it finds
 *
 *  - the RTP session downstream (in rtpbin, rtpsink or webrtcbin), whose
 *    incoming RTCP it follows: receiver reports tell the fraction lost and the
 *    round-trip time, REMB messages tell the rate A_r that the receiver, for
 *    example #gccreceiver or a browser, measured from the growth of queueing
 *    delay;
 *  - the encoder upstream, whose bitrate it sets, and rtpulpfecenc and
 *    rtprtxsend between the two.
 *
 * The loss-based controller raises the sending rate A_s while less than 2 % of
 * the packets are lost, holds it up to 10 % and lowers it in proportion to the
 * loss beyond that; REMB and the limits #GccSender:min-bitrate and
 * #GccSender:max-bitrate bound the result.
 *
 * Unlike rtpgccbwe it needs no transport-wide feedback and leaves nothing for
 * the application to do. An application that applies the rate in another way,
 * such as a lower frame rate, watches `notify::target-bitrate`. Changes are
 * also posted as element messages `gccsender`, with the fields of
 * #GccSender:stats, ten times a second at most, unless #GccSender:post-messages
 * is %FALSE.
 *
 * An RTP session sends reports once in five seconds unless told otherwise; the
 * element asks it for feedback (AVPF) and more frequent reports.
 *
 * ## Send a camera
 *
 * |[
 * gst-launch-1.0 rtpbin name=rtp rtp-profile=avpf \
 *   v4l2src ! videoconvert ! vp8enc deadline=1 end-usage=cbr ! rtpvp8pay ! \
 *     gccsender max-bitrate=3000000 ! rtp.send_rtp_sink_0 \
 *   rtp.send_rtp_src_0 ! udpsink host=192.0.2.2 port=5000 \
 *   rtp.send_rtcp_src_0 ! \
 *     udpsink host=192.0.2.2 port=5001 sync=false async=false \
 *   udpsrc port=5005 ! rtp.recv_rtcp_sink_0
 * ]| #gccreceiver has the line of the other end. With `gst-launch-1.0 -m` the
 * changes of the rate are printed as they happen. `configure-encoder=true` sets
 * the encoder up for a conversation, too.
 *
 * ## Loss protection inside the target
 *
 * Behind rtpulpfecenc and rtprtxsend the element tells their packets from media
 * by payload types it reads from them, and gives the encoder what they leave of
 * the target: v = A_s - r_FEC - r_RTX. Together they get no more than half of
 * it. The FEC percentage follows the loss, and is 0 without; retransmissions
 * over the budget (A_s times the round-trip time for one request) are dropped.
 *
 * |[
 * gst-launch-1.0 ... ! rtpvp8pay pt=96 ! rtpulpfecenc pt=100 ! \
 *   rtprtxsend payload-type-map="application/x-rtp-pt-map,96=(uint)97" ! \
 *   gccsender ! rtp.send_rtp_sink_0 ...
 * ]| In an application, rtpbin and webrtcbin add their own protection behind
 * `send_rtp_sink`; the place for gccsender is then a bin of rtprtxsend and
 * gccsender that `request-aux-sender` is answered with.
 *
 * ## Pacing
 *
 * With #GccSender:pacing-factor above 0 (as in the profile rtcweb-2013) packets
 * leave at that times the target at most: a key frame is spread over time,
 * retransmissions overtake it, and nothing is held back longer than
 * #GccSender:max-pacing-delay.
 *
 * ## Several streams
 *
 * Pads `sink_%u` and `src_%u` are further streams of the same network path;
 * their encoders share what the target leaves by the pads' weights and limits.
 * Audio is counted, and left alone.
 *
 * |[
 * gst-launch-1.0 rtpbin name=rtp gccsender name=gcc sink_1::weight=3 \
 *   ... ! vp8enc ! rtpvp8pay ! gcc.sink_0   gcc.src_0 ! funnel.sink_0 \
 *   ... ! vp8enc ! rtpvp8pay ! gcc.sink_1   gcc.src_1 ! funnel.sink_1 \
 *   rtpfunnel name=funnel ! rtp.send_rtp_sink_0 ...
 * ]|
 *
 * ## Write what the controller sees and does into a file
 *
 * |[
 * gst-launch-1.0 ... ! gccsender trace-location=sender.csv ! ...
 * ]|
 */

#include "gstgccsender.h"

#include <gst/gcc/gcc-sender-private.h>
#include <gst/rtp/rtp.h>
#include <stdio.h>

#include "gstgcccolumns.h"
#include "gstgccencoders.h"
#include "gstgccpacer.h"
#include "gstgccprotection.h"
#include "gstgccrtcp.h"
#include "gstgccsenderpad.h"
#include "gstgcctime.h"
#include "gstgccwalk.h"
#include "gstrtphdrextabssendtime.h"

GST_DEBUG_CATEGORY (gst_gcc_sender_debug);
#define GST_CAT_DEFAULT gst_gcc_sender_debug

#define DEFAULT_MIN_BITRATE 50000
#define DEFAULT_START_BITRATE 300000
#define DEFAULT_MAX_BITRATE 2000000
#define DEFAULT_ENCODER_BITRATE_UNIT 0
#define DEFAULT_CONFIGURE_ENCODER FALSE
#define DEFAULT_CONTROL_FEC TRUE
#define DEFAULT_POST_MESSAGES TRUE
/* the profile's */
#define DEFAULT_PACING_FACTOR -1.
#define MIN_PACING_FACTOR 1.
#define MAX_PACING_FACTOR 100.
#define DEFAULT_MAX_PACING_DELAY 250
#define MAX_PACING_DELAY 10000

/* Least time between two messages: an application that does not read its bus
 * must not run out of memory. */
#define MESSAGE_INTERVAL (100 * GCC_MSECOND)

/* gst_rtp_session.c: a NACK (RFC 4585, section 6.2.1) asks for a packet. */
#define RETRANSMISSION_REQUEST "GstRTPRetransmissionRequest"

enum {
  PROP_0,
  PROP_MIN_BITRATE,
  PROP_START_BITRATE,
  PROP_MAX_BITRATE,
  PROP_TARGET_BITRATE,
  PROP_ENCODER,
  PROP_ENCODER_BITRATE_UNIT,
  PROP_CONFIGURE_ENCODER,
  PROP_CONTROL_FEC,
  PROP_POST_MESSAGES,
  PROP_PACING_FACTOR,
  PROP_MAX_PACING_DELAY,
  PROP_STATS,
  N_PROPERTIES,
};

static GParamSpec *properties[N_PROPERTIES];

/* What was told of the target, and when. */
typedef struct {
  GccRate target;
  GccRate v;
  /* whether the bus has yet to hear of it */
  gboolean is_unposted;
  GccTime posted_at;
} Told;

struct _GstGccSender {
  GstGccElement parent;

  /* protected by the object lock */
  guint min_bitrate;
  guint start_bitrate;
  guint max_bitrate;
  guint encoder_bitrate_unit;
  gboolean configure_encoder;
  gboolean control_fec;
  gdouble pacing_factor;
  guint max_pacing_delay;
  gboolean post_messages;
  guint n_requested;

  /* protected by the lock of GstGccElement */
  GccSender controller;
  GstGccReference reference;
  gboolean has_rtcp;
  guint64 malformed_rtp;
  guint64 malformed_rtcp;
  guint64 malformed_remb;

  Told told;
  GstGccEncoders encoders;

  /* Atomic: how often the target was to be told since a thread began to. */
  gint n_to_tell;

  /* does not change while running */
  gdouble pacing_factor_used;

  GstGccPacer pacer;
};

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-rtp"));

static GstStaticPadTemplate request_sink_template = GST_STATIC_PAD_TEMPLATE (
    "sink_%u", GST_PAD_SINK, GST_PAD_REQUEST,
    GST_STATIC_CAPS ("application/x-rtp"));

static GstStaticPadTemplate request_src_template = GST_STATIC_PAD_TEMPLATE (
    "src_%u", GST_PAD_SRC, GST_PAD_SOMETIMES,
    GST_STATIC_CAPS ("application/x-rtp"));

static void gst_gcc_sender_child_proxy_init (gpointer iface, gpointer data);

G_DEFINE_TYPE_WITH_CODE (GstGccSender, gst_gcc_sender, GST_TYPE_GCC_ELEMENT,
    G_IMPLEMENT_INTERFACE (
        GST_TYPE_CHILD_PROXY, gst_gcc_sender_child_proxy_init))

#define BASE(self) GST_GCC_ELEMENT (self)

GST_ELEMENT_REGISTER_DEFINE_WITH_CODE (gccsender, "gccsender", GST_RANK_NONE,
    GST_TYPE_GCC_SENDER,
    GST_DEBUG_CATEGORY_INIT (gst_gcc_sender_debug, "gccsender", 0,
        "Google Congestion Control, sending side"));

/* --- the rate and who is told --- */

static GstStructure *
gst_gcc_sender_create_stats (GstGccSender *self)
{
  GstStructure *stats;

  g_mutex_lock (&BASE (self)->lock);
  stats = gst_gcc_columns_to_structure ("gccsender", gcc_sender_columns,
      gcc_sender_n_columns, gcc_sender_get_stats (&self->controller));
  gst_structure_set (stats, "malformed-rtcp", G_TYPE_UINT64,
      self->malformed_rtcp, "malformed-remb", G_TYPE_UINT64,
      self->malformed_remb, "malformed-rtp", G_TYPE_UINT64, self->malformed_rtp,
      NULL);
  g_mutex_unlock (&BASE (self)->lock);
  gst_structure_set (stats, "queued-bytes", G_TYPE_UINT64,
      gst_gcc_pacer_get_queued (&self->pacer), NULL);
  gst_gcc_element_add_stats (BASE (self), stats);

  return stats;
}

/* Every stream's sink pad. */
static GPtrArray *
gst_gcc_sender_list_streams (GstGccSender *self)
{
  return gst_gcc_element_list_pads (BASE (self), GST_PAD_SINK);
}

/* With the lock held. Returns whether the target is another one than was told
 * before. */
static gboolean
gst_gcc_sender_note_target (GstGccSender *self, const GccSenderStats *stats)
{
  Told *told = &self->told;

  if (stats->target == told->target && stats->encoder_target == told->v)
    return FALSE;

  GST_DEBUG_OBJECT (self,
      "target bitrate %" G_GINT64_FORMAT " bit/s, for encoders "
      "%" G_GINT64_FORMAT " bit/s",
      stats->target, stats->encoder_target);
  told->target = stats->target;
  told->v = stats->encoder_target;
  told->is_unposted = TRUE;

  return TRUE;
}

/* With the lock held. The bus is in real time, whatever the clock is. */
static gboolean
gst_gcc_sender_may_post (GstGccSender *self)
{
  GccTime now = g_get_monotonic_time ();
  Told *told = &self->told;

  if (!told->is_unposted ||
      (told->posted_at != GCC_TIME_NONE &&
          now - told->posted_at < MESSAGE_INTERVAL))
    return FALSE;

  told->is_unposted = FALSE;
  told->posted_at = now;

  return TRUE;
}

/* Brings the encoders, FEC, the pacer, the application and the bus up to date.
 * Holds no lock while it does: each of them runs code that is not ours. */
static void
gst_gcc_sender_tell_target (GstGccSender *self)
{
  GccTime now = gst_gcc_time_now (GST_ELEMENT (self));
  gboolean control_fec, post, running, changed = FALSE;
  GccSenderStats stats;

  GST_OBJECT_LOCK (self);
  control_fec = self->control_fec;
  post = self->post_messages;
  GST_OBJECT_UNLOCK (self);

  g_mutex_lock (&BASE (self)->lock);
  running = BASE (self)->running;
  if (running) {
    gcc_sender_update (&self->controller, now);
    stats = *gcc_sender_get_stats (&self->controller);
    changed = gst_gcc_sender_note_target (self, &stats);
    post = post && gst_gcc_sender_may_post (self);
  }
  g_mutex_unlock (&BASE (self)->lock);
  if (!running)
    return;

  if (changed)
    gst_gcc_pacer_set_rate (&self->pacer,
        (GccRate) (self->pacing_factor_used * (gdouble) stats.target));
  gst_gcc_encoders_apply (&self->encoders, stats.encoder_target,
      control_fec ? (gint) stats.fec_percentage : -1);

  if (changed)
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TARGET_BITRATE]);
  if (post)
    gst_element_post_message (GST_ELEMENT (self),
        gst_message_new_element (
            GST_OBJECT (self), gst_gcc_sender_create_stats (self)));
}

/* One thread at a time tells the target, and nobody waits for it: who comes
 * meanwhile, be it a handler that this thread runs, has it tell once more. So
 * the latest target is the last that is set. Never called in the thread that
 * pushes media: an encoder may hold its stream lock there. */
static void
gst_gcc_sender_apply_target (GstGccSender *self)
{
  gint n_seen;

  if (g_atomic_int_add (&self->n_to_tell, 1) > 0)
    return;

  do {
    n_seen = g_atomic_int_get (&self->n_to_tell);
    gst_gcc_sender_tell_target (self);
  } while (!g_atomic_int_compare_and_exchange (&self->n_to_tell, n_seen, 0));
}

/* With the lock held. */
static void
gst_gcc_sender_trace (GstGccSender *self, GccSenderEvent event)
{
  if (event != GCC_SENDER_EVENT_NONE)
    gst_gcc_trace_write (&BASE (self)->trace,
        gcc_sender_event_to_string (event),
        gcc_sender_get_stats (&self->controller));
}

/* With the lock held. */
static void
gst_gcc_sender_check_timeout (GstGccSender *self, GccTime now)
{
  GccTime timeout = gcc_sender_next_timeout (&self->controller);

  if (timeout != GCC_TIME_NONE && now >= timeout)
    gst_gcc_sender_trace (
        self, gcc_sender_handle_timeout (&self->controller, now));
}

/* --- what the RTP session tells --- */

/* With the lock held. */
static void
gst_gcc_sender_count_malformed (GstGccSender *self, const GstGccRtcp *rtcp)
{
  if ((!rtcp->valid || rtcp->malformed) && self->malformed_rtcp++ == 0)
    GST_WARNING_OBJECT (self, "ignoring malformed RTCP packets");
  if (rtcp->malformed_remb && self->malformed_remb++ == 0)
    GST_WARNING_OBJECT (self, "ignoring malformed REMB messages");
}

/* With the lock held. @before is what had been counted. */
static void
gst_gcc_sender_warn_of_ignored (GstGccSender *self, GccSenderStats before)
{
  const GccSenderStats *stats = gcc_sender_get_stats (&self->controller);

  if (before.reports_ignored == 0 && stats->reports_ignored > 0)
    GST_WARNING_OBJECT (self,
        "ignoring report blocks about packets that were not sent, or that are "
        "older than others");
  if (before.rembs_ignored == 0 && stats->rembs_ignored > 0)
    GST_WARNING_OBJECT (self,
        "ignoring REMBs that name no stream of ours, or are of nobody who "
        "reports on one");
}

/* With the lock held. */
static void
gst_gcc_sender_take_rtcp (
    GstGccSender *self, const GstGccRtcp *rtcp, GccTime now)
{
  GccSenderStats before = *gcc_sender_get_stats (&self->controller);

  gst_gcc_sender_trace (self,
      gcc_sender_feed_reports (
          &self->controller, rtcp->blocks, rtcp->n_blocks, now));
  for (guint i = 0; i < rtcp->n_rembs; i++)
    gst_gcc_sender_trace (
        self, gcc_sender_feed_remb (&self->controller, &rtcp->rembs[i], now));
  for (guint i = 0; i < rtcp->n_byes; i++)
    gcc_sender_feed_bye (&self->controller, rtcp->byes[i], now);
  gst_gcc_sender_warn_of_ignored (self, before);
}

static void
gst_gcc_sender_receiving_rtcp (
    GObject *session, GstBuffer *buffer, gpointer element)
{
  GstGccSender *self = GST_GCC_SENDER (element);
  GccTime now = gst_gcc_time_now (GST_ELEMENT (self));
  GstGccRtcp rtcp;

  (void) session;

  g_mutex_lock (&BASE (self)->lock);
  gst_gcc_rtcp_read (&rtcp, buffer, &BASE (self)->round_trip, now);
  gst_gcc_sender_count_malformed (self, &rtcp);
  if (rtcp.reference.reference != 0)
    self->reference = rtcp.reference;
  if (BASE (self)->running) {
    self->has_rtcp = TRUE;
    gcc_sender_begin_request (&self->controller, now);
    gst_gcc_sender_check_timeout (self, now);
    gst_gcc_sender_take_rtcp (self, &rtcp, now);
  }
  g_mutex_unlock (&BASE (self)->lock);

  gst_gcc_sender_apply_target (self);
}

static gboolean
gst_gcc_sender_sending_rtcp (
    GObject *session, GstBuffer *buffer, gboolean early, gpointer element)
{
  GstGccSender *self = GST_GCC_SENDER (element);
  GccTime now = gst_gcc_time_now (GST_ELEMENT (self));

  guint32 ssrc;

  (void) session;
  (void) early;

  g_mutex_lock (&BASE (self)->lock);
  gst_gcc_rtcp_note_sender_reports (buffer, &BASE (self)->round_trip, now);
  if (self->reference.reference != 0 &&
      gst_gcc_rtcp_is_report (buffer, &ssrc) &&
      gst_gcc_rtcp_add_echo (buffer, ssrc, &self->reference, now))
    self->reference.reference = 0;
  /* The session's own reports are also the clock that notices when those of
   * the receiver have stopped coming. */
  if (BASE (self)->running)
    gst_gcc_sender_check_timeout (self, now);
  g_mutex_unlock (&BASE (self)->lock);

  gst_gcc_sender_apply_target (self);

  return FALSE;
}

/* --- the neighbours --- */

static void
gst_gcc_sender_find_protection (
    GstGccSender *self, GstGccSenderPad *pad, gboolean warn)
{
  GstGccProtection protection = { 0 };
  gint payload_type;

  g_mutex_lock (&BASE (self)->lock);
  payload_type = pad->format.payload_type;
  g_mutex_unlock (&BASE (self)->lock);

  gst_gcc_protection_find (&protection, GST_PAD (pad), payload_type);
  if (warn)
    gst_gcc_protection_check (&protection, GST_ELEMENT (self),
        gst_pad_get_element_private (GST_PAD (pad)), payload_type);

  g_mutex_lock (&BASE (self)->lock);
  gst_gcc_protection_exchange (&pad->protection, &protection);
  g_mutex_unlock (&BASE (self)->lock);
  gst_gcc_protection_clear (&protection);
}

/* Audio is left alone. */
static gboolean
gst_gcc_sender_is_video (GstGccSender *self, GstGccSenderPad *pad)
{
  gboolean is_audio;

  g_mutex_lock (&BASE (self)->lock);
  is_audio = pad->is_audio;
  g_mutex_unlock (&BASE (self)->lock);

  return !is_audio && gst_pad_is_linked (GST_PAD (pad));
}

/* A stream starts or has another format: what is upstream of it may be other
 * elements. The session's next report brings them up to date. */
static void
gst_gcc_sender_look_upstream (GstGccSender *self, GstGccSenderPad *pad)
{
  guint pixels = 0;

  if (!gst_gcc_sender_is_video (self, pad))
    return;
  gst_gcc_sender_find_protection (self, pad, FALSE);
  gst_gcc_encoders_look (&self->encoders, pad, &pixels);
}

static void
gst_gcc_sender_looked_around (
    GstGccElement *element, gboolean has_session, gboolean warn)
{
  GstGccSender *self = GST_GCC_SENDER (element);
  GPtrArray *pads = gst_gcc_sender_list_streams (self);
  gboolean has_encoder = TRUE;
  guint pixels = 0;

  for (guint i = 0; i < pads->len; i++) {
    GstGccSenderPad *pad = g_ptr_array_index (pads, i);

    if (!gst_gcc_sender_is_video (self, pad))
      continue;
    gst_gcc_sender_find_protection (self, pad, warn);
    has_encoder = gst_gcc_encoders_look (&self->encoders, pad, &pixels) &&
        has_encoder;
  }
  g_ptr_array_unref (pads);

  g_mutex_lock (&element->lock);
  gcc_sender_set_pixels (&self->controller, pixels);
  g_mutex_unlock (&element->lock);

  /* With media flowing it is the thread that pushes it which is here: the
   * session's next report brings a new encoder up to date. */
  if (!warn)
    gst_gcc_sender_apply_target (self);

  /* Media can come before webrtcbin has negotiated and has linked what is
   * behind its pad; that it has is a reason to look again. */
  if (!has_session && warn && !gst_gcc_walk_has_open_end (element->srcpad))
    GST_ELEMENT_WARNING (self, RESOURCE, NOT_FOUND,
        ("No RTP session found: the bitrate stays as it is."),
        ("gccsender follows the RTCP of the rtpsession downstream of it: put "
         "it between the payloader and rtpbin, rtpsink or webrtcbin."));
  if (!has_encoder && warn)
    GST_ELEMENT_WARNING (self, RESOURCE, NOT_FOUND,
        ("No encoder found whose bitrate can be set."),
        ("gccsender knows none upstream of it: set the property \"encoder\", "
         "with \"encoder-bitrate-unit\" for one it has no table entry for, or "
         "apply \"target-bitrate\" yourself."));
}

/* --- data flow --- */

static void
gst_gcc_sender_count_malformed_rtp (GstGccSender *self)
{
  gboolean is_first;

  g_mutex_lock (&BASE (self)->lock);
  is_first = self->malformed_rtp++ == 0;
  g_mutex_unlock (&BASE (self)->lock);

  if (is_first)
    GST_WARNING_OBJECT (self, "passing on buffers that are no RTP packets");
}

/* The kind of what is no RTP packet and counts as nothing. */
#define NO_PACKET ((GccSentKind) GCC_SENT_N_KINDS)

static GstGccPacerClass
gst_gcc_sender_read_packet (GstElement *element, GstGccSenderPad *pad,
    GstBuffer *buffer, GccSentPacket *packet)
{
  GstGccSender *self = GST_GCC_SENDER (element);
  GccTime now = gst_gcc_time_now (element);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  GccSentKind first;

  *packet = (GccSentPacket){ .kind = NO_PACKET };
  if (!gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp)) {
    gst_gcc_sender_count_malformed_rtp (self);
    return GST_GCC_PACER_MEDIA;
  }

  packet->ssrc = gst_rtp_buffer_get_ssrc (&rtp);
  packet->seq = gst_rtp_buffer_get_seq (&rtp);
  packet->bytes = gst_rtp_buffer_get_payload_len (&rtp);
  packet->ends_frame = gst_rtp_buffer_get_marker (&rtp);
  g_mutex_lock (&BASE (self)->lock);
  packet->kind = gst_gcc_protection_get_kind (
      &pad->protection, &rtp, pad->is_audio ? GCC_SENT_AUDIO : GCC_SENT_VIDEO);
  first = gcc_sender_announce (&self->controller, packet, now);
  g_mutex_unlock (&BASE (self)->lock);
  gst_rtp_buffer_unmap (&rtp);

  switch (first) {
    case GCC_SENT_RTX:
      return GST_GCC_PACER_RETRANSMISSION;
    case GCC_SENT_FEC:
      return GST_GCC_PACER_REPAIR;
    default:
      return GST_GCC_PACER_MEDIA;
  }
}

/* The payloader's send time is too early by what a packet was held back; that
 * of a retransmission is the first copy's. */
static guint
gst_gcc_sender_leave (GstElement *element, GstGccSenderPad *pad,
    const GccSentPacket *packet, gboolean held)
{
  GstGccSender *self = GST_GCC_SENDER (element);
  GccTime now = gst_gcc_time_now (element);
  guint id;

  g_mutex_lock (&BASE (self)->lock);
  if (BASE (self)->running && packet->kind != NO_PACKET)
    gcc_sender_feed_sent (&self->controller, packet, now);
  id = pad->format.abs_send_time_id;
  g_mutex_unlock (&BASE (self)->lock);

  return held || packet->kind == GCC_SENT_RTX ? id : 0;
}

static GstFlowReturn
gst_gcc_sender_chain (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  gst_gcc_element_before_media (GST_GCC_ELEMENT (parent));

  return gst_gcc_pacer_push (
      &GST_GCC_SENDER (parent)->pacer, GST_GCC_SENDER_PAD (pad), buffer);
}

static GstFlowReturn
gst_gcc_sender_chain_list (GstPad *pad, GstObject *parent, GstBufferList *list)
{
  gst_gcc_element_before_media (GST_GCC_ELEMENT (parent));

  return gst_gcc_pacer_push_list (
      &GST_GCC_SENDER (parent)->pacer, GST_GCC_SENDER_PAD (pad), list);
}

static void
gst_gcc_sender_caps (GstGccSender *self, GstGccSenderPad *pad, GstEvent *event)
{
  const gchar *media;
  GstCaps *caps;

  gst_event_parse_caps (event, &caps);
  media = gst_structure_get_string (gst_caps_get_structure (caps, 0), "media");

  g_mutex_lock (&BASE (self)->lock);
  gst_gcc_stream_set_caps (&pad->format, caps);
  pad->is_audio = g_strcmp0 (media, "audio") == 0;
  g_mutex_unlock (&BASE (self)->lock);
  gst_gcc_sender_look_upstream (self, pad);
}

static void
gst_gcc_sender_set_eos (
    GstGccSender *self, GstGccSenderPad *pad, gboolean is_eos)
{
  g_mutex_lock (&BASE (self)->lock);
  pad->is_eos = is_eos;
  g_mutex_unlock (&BASE (self)->lock);
}

static gboolean
gst_gcc_sender_sink_event (GstPad *sinkpad, GstObject *parent, GstEvent *event)
{
  GstGccSender *self = GST_GCC_SENDER (parent);
  GstGccSenderPad *pad = GST_GCC_SENDER_PAD (sinkpad);

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_CAPS:
      gst_gcc_sender_caps (self, pad, event);
      break;
    case GST_EVENT_EOS:
      gst_gcc_sender_set_eos (self, pad, TRUE);
      break;
    case GST_EVENT_STREAM_START:
      gst_gcc_sender_look_upstream (self, pad);
      gst_gcc_sender_set_eos (self, pad, FALSE);
      break;
    case GST_EVENT_FLUSH_STOP:
      gst_gcc_sender_set_eos (self, pad, FALSE);
      break;
    default:
      break;
  }

  return gst_gcc_pacer_push_event (&self->pacer, pad, event);
}

static gboolean
gst_gcc_sender_sink_query (GstPad *pad, GstObject *parent, GstQuery *query)
{
  GstGccSender *self = GST_GCC_SENDER (parent);

  if (GST_QUERY_IS_SERIALIZED (query) &&
      !gst_gcc_pacer_drain (&self->pacer, GST_GCC_SENDER_PAD (pad)))
    return FALSE;

  return gst_pad_query_default (pad, parent, query);
}

/* Without RTCP there is no rate to keep to. */
static gboolean
gst_gcc_sender_may_resend (
    GstGccSender *self, GstGccSenderPad *pad, const GstStructure *request)
{
  GccTime now = gst_gcc_time_now (GST_ELEMENT (self));
  guint ssrc, seq;
  gboolean may = TRUE;

  if (!gst_structure_get_uint (request, "ssrc", &ssrc) ||
      !gst_structure_get_uint (request, "seqnum", &seq))
    return TRUE;

  g_mutex_lock (&BASE (self)->lock);
  if (pad->protection.rtx != NULL && self->has_rtcp)
    may = gcc_sender_allow_retransmission (
        &self->controller, ssrc, (guint16) seq, now);
  g_mutex_unlock (&BASE (self)->lock);
  if (!may)
    GST_LOG_OBJECT (pad, "packet %u is not sent again", seq);

  return may;
}

static gboolean
gst_gcc_sender_src_event (GstPad *srcpad, GstObject *parent, GstEvent *event)
{
  GstGccSender *self = GST_GCC_SENDER (parent);
  GstPad *sinkpad = gst_gcc_element_get_other_pad (srcpad);
  gboolean is_refused = FALSE;

  if (sinkpad != NULL) {
    GstGccSenderPad *pad = GST_GCC_SENDER_PAD (sinkpad);

    if (GST_EVENT_TYPE (event) == GST_EVENT_RECONFIGURE)
      gst_gcc_pacer_relinked (&self->pacer, pad);
    is_refused = gst_event_has_name (event, RETRANSMISSION_REQUEST) &&
        !gst_gcc_sender_may_resend (self, pad, gst_event_get_structure (event));
    gst_object_unref (sinkpad);
  }
  if (is_refused) {
    gst_event_unref (event);
    return TRUE;
  }

  return gst_gcc_element_src_event (srcpad, parent, event);
}

static gboolean
gst_gcc_sender_src_query (GstPad *srcpad, GstObject *parent, GstQuery *query)
{
  GstGccSender *self = GST_GCC_SENDER (parent);
  GstClockTime min, max, held;
  gboolean live;

  if (!gst_pad_query_default (srcpad, parent, query))
    return FALSE;
  if (GST_QUERY_TYPE (query) != GST_QUERY_LATENCY)
    return TRUE;

  held = (GstClockTime) gst_gcc_pacer_get_latency (&self->pacer) * GST_USECOND;
  gst_query_parse_latency (query, &live, &min, &max);
  if (GST_CLOCK_TIME_IS_VALID (max))
    max += held;
  gst_query_set_latency (query, live, min + held, max);

  return TRUE;
}

/* --- pads --- */

static gboolean
gst_gcc_sender_activate_mode (
    GstPad *sinkpad, GstObject *parent, GstPadMode mode, gboolean active)
{
  GstGccSender *self = GST_GCC_SENDER (parent);
  GstGccSenderPad *pad = GST_GCC_SENDER_PAD (sinkpad);

  if (mode != GST_PAD_MODE_PUSH)
    return FALSE;

  if (active) {
    gst_gcc_sender_set_eos (self, pad, FALSE);
    gst_gcc_pacer_open (&self->pacer, pad);
  } else {
    gst_gcc_pacer_close (&self->pacer, pad);
  }

  return TRUE;
}

static void
gst_gcc_sender_set_up_pads (GstPad *sinkpad, GstPad *srcpad)
{
  GST_GCC_SENDER_PAD (sinkpad)->srcpad = gst_object_ref (srcpad);
  gst_pad_set_activatemode_function (
      sinkpad, GST_DEBUG_FUNCPTR (gst_gcc_sender_activate_mode));
  gst_pad_set_chain_function (
      sinkpad, GST_DEBUG_FUNCPTR (gst_gcc_sender_chain));
  gst_pad_set_chain_list_function (
      sinkpad, GST_DEBUG_FUNCPTR (gst_gcc_sender_chain_list));
  gst_pad_set_event_function (
      sinkpad, GST_DEBUG_FUNCPTR (gst_gcc_sender_sink_event));
  gst_pad_set_query_function (
      sinkpad, GST_DEBUG_FUNCPTR (gst_gcc_sender_sink_query));
  gst_pad_set_event_function (
      srcpad, GST_DEBUG_FUNCPTR (gst_gcc_sender_src_event));
  gst_pad_set_query_function (
      srcpad, GST_DEBUG_FUNCPTR (gst_gcc_sender_src_query));
}

/* `sink_%u` and `src_%u`; every number once. */
static guint
gst_gcc_sender_choose_number (GstGccSender *self, const gchar *name)
{
  guint number;

  GST_OBJECT_LOCK (self);
  if (name == NULL || sscanf (name, "sink_%u", &number) != 1)
    number = self->n_requested;
  self->n_requested = MAX (self->n_requested, number + 1);
  GST_OBJECT_UNLOCK (self);

  return number;
}

static GstPad *
gst_gcc_sender_request_new_pad (GstElement *element, GstPadTemplate *template,
    const gchar *name, const GstCaps *caps)
{
  GstElementClass *klass = GST_ELEMENT_GET_CLASS (element);
  guint number = gst_gcc_sender_choose_number (GST_GCC_SENDER (element), name);
  gchar *sink_name = g_strdup_printf ("sink_%u", number);
  gchar *src_name = g_strdup_printf ("src_%u", number);
  GstPad *sinkpad = gst_pad_new_from_template (template, sink_name);
  GstPad *srcpad = gst_pad_new_from_template (
      gst_element_class_get_pad_template (klass, "src_%u"), src_name);

  (void) caps;
  g_free (sink_name);
  g_free (src_name);

  gst_gcc_element_add_pads (GST_GCC_ELEMENT (element), sinkpad, srcpad);
  gst_gcc_element_look_again (GST_GCC_ELEMENT (element));
  gst_child_proxy_child_added (
      GST_CHILD_PROXY (element), G_OBJECT (sinkpad), GST_OBJECT_NAME (sinkpad));

  return sinkpad;
}

/* In any thread, also while others push on the pads. */
static void
gst_gcc_sender_release_pad (GstElement *element, GstPad *sinkpad)
{
  gst_child_proxy_child_removed (
      GST_CHILD_PROXY (element), G_OBJECT (sinkpad), GST_OBJECT_NAME (sinkpad));
  gst_gcc_element_remove_pads (
      GST_GCC_ELEMENT (element), sinkpad, GST_GCC_SENDER_PAD (sinkpad)->srcpad);
}

/* The sink pads are children, so that gst-launch-1.0 can set their properties:
 * `sink_1::weight=3`. */
static GObject *
gst_gcc_sender_get_child (GstChildProxy *proxy, guint index)
{
  GPtrArray *pads = gst_gcc_sender_list_streams (GST_GCC_SENDER (proxy));
  GObject *child = index < pads->len
      ? g_object_ref (g_ptr_array_index (pads, index))
      : NULL;

  g_ptr_array_unref (pads);

  return child;
}

static guint
gst_gcc_sender_count_children (GstChildProxy *proxy)
{
  return GST_ELEMENT (proxy)->numsinkpads;
}

static void
gst_gcc_sender_child_proxy_init (gpointer iface, gpointer data)
{
  GstChildProxyInterface *interface = iface;

  (void) data;
  interface->get_child_by_index = gst_gcc_sender_get_child;
  interface->get_children_count = gst_gcc_sender_count_children;
}

/* --- states --- */

static gboolean
gst_gcc_sender_start_pacer (GstGccSender *self, GccRate target)
{
  const GccProfile *profile = &BASE (self)->profile;
  GccTime max_wait;
  gdouble factor;

  GST_OBJECT_LOCK (self);
  factor = self->pacing_factor;
  max_wait = self->max_pacing_delay * GCC_MSECOND;
  GST_OBJECT_UNLOCK (self);

  if (factor > 0. && factor < MIN_PACING_FACTOR) {
    GST_ELEMENT_ERROR (self, LIBRARY, SETTINGS,
        ("pacing-factor (%g) is below 1: packets would leave slower than the "
         "encoder makes them.",
            factor),
        ("Set it to 0 for no pacing, or to at least 1."));
    return FALSE;
  }

  self->pacing_factor_used = factor < 0. ? profile->pacer.factor : factor;
  gst_gcc_pacer_start (&self->pacer, profile,
      (GccRate) (self->pacing_factor_used * (gdouble) target), max_wait);

  return TRUE;
}

static gboolean
gst_gcc_sender_start (GstGccElement *element)
{
  GstGccSender *self = GST_GCC_SENDER (element);
  GccRate min, start, max;
  gboolean configure;
  guint unit;

  GST_OBJECT_LOCK (self);
  min = self->min_bitrate;
  start = self->start_bitrate;
  max = self->max_bitrate;
  unit = self->encoder_bitrate_unit;
  configure = self->configure_encoder;
  GST_OBJECT_UNLOCK (self);

  if (min > max) {
    GST_ELEMENT_ERROR (self, LIBRARY, SETTINGS,
        ("min-bitrate (%" G_GINT64_FORMAT
         ") is above max-bitrate (%" G_GINT64_FORMAT ").",
            min, max),
        (NULL));
    return FALSE;
  }

  g_mutex_lock (&element->lock);
  self->reference = (GstGccReference){ 0 };
  self->has_rtcp = FALSE;
  self->told = (Told){ GCC_RATE_NONE, GCC_RATE_NONE, FALSE, GCC_TIME_NONE };
  self->malformed_rtp = 0;
  self->malformed_rtcp = 0;
  self->malformed_remb = 0;
  gcc_sender_clear (&self->controller);
  gcc_sender_init (&self->controller, &element->profile, min, start, max);
  gst_gcc_trace_write (
      &element->trace, "start", gcc_sender_get_stats (&self->controller));
  start = gcc_sender_get_target (&self->controller);
  g_mutex_unlock (&element->lock);

  gst_gcc_encoders_start (&self->encoders, unit, configure);

  return gst_gcc_sender_start_pacer (self, start);
}

static void
gst_gcc_sender_stop (GstGccElement *element)
{
  GstGccSender *self = GST_GCC_SENDER (element);

  gst_gcc_pacer_stop (&self->pacer);
  gst_gcc_encoders_release (&self->encoders);
}

static GccTime
gst_gcc_sender_get_report_interval (const GccProfile *profile)
{
  return profile->loss.report_interval;
}

/* --- properties --- */

static void
gst_gcc_sender_limits_changed (GstGccSender *self)
{
  GccRate min, max;
  gboolean running;

  GST_OBJECT_LOCK (self);
  min = self->min_bitrate;
  max = self->max_bitrate;
  GST_OBJECT_UNLOCK (self);

  g_mutex_lock (&BASE (self)->lock);
  running = BASE (self)->running;
  if (running)
    gcc_sender_set_limits (&self->controller, MIN (min, max), max);
  g_mutex_unlock (&BASE (self)->lock);

  if (running)
    gst_gcc_sender_apply_target (self);
}

static void
gst_gcc_sender_set_property (
    GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  GstGccSender *self = GST_GCC_SENDER (object);

  /* that of the first stream */
  if (id == PROP_ENCODER) {
    g_object_set_property (G_OBJECT (BASE (self)->sinkpad), "encoder", value);
    return;
  }

  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_MIN_BITRATE:
      self->min_bitrate = g_value_get_uint (value);
      break;
    case PROP_START_BITRATE:
      self->start_bitrate = g_value_get_uint (value);
      break;
    case PROP_MAX_BITRATE:
      self->max_bitrate = g_value_get_uint (value);
      break;
    case PROP_ENCODER_BITRATE_UNIT:
      self->encoder_bitrate_unit = g_value_get_uint (value);
      break;
    case PROP_CONFIGURE_ENCODER:
      self->configure_encoder = g_value_get_boolean (value);
      break;
    case PROP_CONTROL_FEC:
      self->control_fec = g_value_get_boolean (value);
      break;
    case PROP_POST_MESSAGES:
      self->post_messages = g_value_get_boolean (value);
      break;
    case PROP_PACING_FACTOR:
      self->pacing_factor = g_value_get_double (value);
      break;
    case PROP_MAX_PACING_DELAY:
      self->max_pacing_delay = g_value_get_uint (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);

  if (id == PROP_MIN_BITRATE || id == PROP_MAX_BITRATE)
    gst_gcc_sender_limits_changed (self);
}

static void
gst_gcc_sender_get_property (
    GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  GstGccSender *self = GST_GCC_SENDER (object);

  if (id == PROP_ENCODER) {
    g_object_get_property (G_OBJECT (BASE (self)->sinkpad), "encoder", value);
    return;
  }

  if (id == PROP_STATS) {
    g_value_take_boxed (value, gst_gcc_sender_create_stats (self));
    return;
  }

  if (id == PROP_TARGET_BITRATE) {
    GccRate target;

    g_mutex_lock (&BASE (self)->lock);
    target = gcc_sender_get_target (&self->controller);
    g_mutex_unlock (&BASE (self)->lock);
    g_value_set_uint (value, (guint) CLAMP (target, 0, G_MAXUINT));
    return;
  }

  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_MIN_BITRATE:
      g_value_set_uint (value, self->min_bitrate);
      break;
    case PROP_START_BITRATE:
      g_value_set_uint (value, self->start_bitrate);
      break;
    case PROP_MAX_BITRATE:
      g_value_set_uint (value, self->max_bitrate);
      break;
    case PROP_ENCODER_BITRATE_UNIT:
      g_value_set_uint (value, self->encoder_bitrate_unit);
      break;
    case PROP_CONFIGURE_ENCODER:
      g_value_set_boolean (value, self->configure_encoder);
      break;
    case PROP_CONTROL_FEC:
      g_value_set_boolean (value, self->control_fec);
      break;
    case PROP_POST_MESSAGES:
      g_value_set_boolean (value, self->post_messages);
      break;
    case PROP_PACING_FACTOR:
      g_value_set_double (value, self->pacing_factor);
      break;
    case PROP_MAX_PACING_DELAY:
      g_value_set_uint (value, self->max_pacing_delay);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_gcc_sender_finalize (GObject *object)
{
  GstGccSender *self = GST_GCC_SENDER (object);

  gst_gcc_pacer_finalize (&self->pacer);
  gcc_sender_clear (&self->controller);

  G_OBJECT_CLASS (gst_gcc_sender_parent_class)->finalize (object);
}

static void
gst_gcc_sender_class_init (GstGccSenderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstGccElementClass *gcc_class = GST_GCC_ELEMENT_CLASS (klass);
  const GParamFlags ready = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
      GST_PARAM_MUTABLE_READY;
  const GParamFlags playing = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
      GST_PARAM_MUTABLE_PLAYING;
  const GParamFlags readable = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->set_property = gst_gcc_sender_set_property;
  object_class->get_property = gst_gcc_sender_get_property;
  object_class->finalize = gst_gcc_sender_finalize;
  element_class->request_new_pad = GST_DEBUG_FUNCPTR (
      gst_gcc_sender_request_new_pad);
  element_class->release_pad = GST_DEBUG_FUNCPTR (gst_gcc_sender_release_pad);
  gcc_class->columns = gcc_sender_columns;
  gcc_class->n_columns = gcc_sender_n_columns;
  gcc_class->session_funcs.receiving = gst_gcc_sender_receiving_rtcp;
  gcc_class->session_funcs.sending = gst_gcc_sender_sending_rtcp;
  gcc_class->get_report_interval = gst_gcc_sender_get_report_interval;
  gcc_class->start = gst_gcc_sender_start;
  gcc_class->stop = gst_gcc_sender_stop;
  gcc_class->set_up_pads = gst_gcc_sender_set_up_pads;
  gcc_class->looked_around = gst_gcc_sender_looked_around;

  properties[PROP_MIN_BITRATE] = g_param_spec_uint ("min-bitrate",
      "Minimum bitrate",
      "Lowest target bitrate in bit/s, whatever the network "
      "says",
      1, G_MAXUINT, DEFAULT_MIN_BITRATE, playing);

  properties[PROP_START_BITRATE] = g_param_spec_uint ("start-bitrate",
      "Start bitrate",
      "Target bitrate in bit/s before the first feedback; "
      "brought within the limits",
      1, G_MAXUINT, DEFAULT_START_BITRATE, ready);

  properties[PROP_MAX_BITRATE] = g_param_spec_uint ("max-bitrate",
      "Maximum bitrate",
      "Highest target bitrate in bit/s, however good the "
      "network",
      1, G_MAXUINT, DEFAULT_MAX_BITRATE, playing);

  properties[PROP_TARGET_BITRATE] = g_param_spec_uint ("target-bitrate",
      "Target bitrate",
      "The rate A_s in bit/s at which to send now, without "
      "packet headers. Watch notify::target-bitrate for changes, which come "
      "from a thread of the RTP session",
      0, G_MAXUINT, DEFAULT_START_BITRATE, readable);

  properties[PROP_ENCODER] = g_param_spec_object ("encoder", "Encoder",
      "The encoder whose bitrate is set; unset: the nearest one upstream. "
      "Reads "
      "as the encoder in use",
      GST_TYPE_ELEMENT, playing);

  properties[PROP_ENCODER_BITRATE_UNIT] = g_param_spec_uint (
      "encoder-bitrate-unit", "Encoder bitrate unit",
      "For an encoder that "
      "gccsender does not know: the unit of its \"bitrate\" property in bit/s, "
      "1 or 1000 as a rule. 0: leave such an encoder alone, since a guess can "
      "be wrong by a factor of 1000",
      0, 1000000, DEFAULT_ENCODER_BITRATE_UNIT, ready);

  properties[PROP_CONFIGURE_ENCODER] = g_param_spec_boolean (
      "configure-encoder", "Configure encoder",
      "Also set the encoder up for a conversation, before it starts: constant "
      "bitrate over a short buffer, no look-ahead, no regular key frames. "
      "Known for vp8enc, vp9enc, av1enc, x264enc and openh264enc",
      DEFAULT_CONFIGURE_ENCODER, ready);

  properties[PROP_CONTROL_FEC] = g_param_spec_boolean ("control-fec",
      "Control FEC",
      "Set the percentage of an rtpulpfecenc upstream by loss, round-trip "
      "time and frame size: none without loss, at most half",
      DEFAULT_CONTROL_FEC, playing);

  properties[PROP_POST_MESSAGES] = g_param_spec_boolean ("post-messages",
      "Post messages",
      "Post an element message \"gccsender\" with the fields of \"stats\" on "
      "the "
      "bus when the target bitrate or what is left for encoders has changed, "
      "ten times a second at most; notify::target-bitrate comes for every "
      "change",
      DEFAULT_POST_MESSAGES, playing);

  properties[PROP_PACING_FACTOR] = g_param_spec_double ("pacing-factor",
      "Pacing factor",
      "Packets leave at this times the target bitrate at most, so that a key "
      "frame does not fill the network's queues by itself; at least 1, or 0: "
      "as they come, without a thread; -1: what the profile has",
      DEFAULT_PACING_FACTOR, MAX_PACING_FACTOR, DEFAULT_PACING_FACTOR, ready);

  properties[PROP_MAX_PACING_DELAY] = g_param_spec_uint ("max-pacing-delay",
      "Maximum pacing delay",
      "No packet is held back longer than this, in ms: what would be leaves "
      "faster. It is the latency that the element reports while it paces",
      1, MAX_PACING_DELAY, DEFAULT_MAX_PACING_DELAY, ready);

  properties[PROP_STATS] = g_param_spec_boxed ("stats", "Statistics",
      "State of the controller: fraction-lost (0 to 1), rtt-ms, and in bit/s "
      "remb-bps (A_r), loss-based-bps, a-s-bps (A_s), r-video-bps, "
      "r-audio-bps, "
      "r-fec-bps, r-rtx-bps (all as sent) and v-bps (for the encoders); "
      "fec-percentage; queued-bytes (held back by the pacer); rtx and "
      "rtx-dropped (retransmissions), n-dd, reports, rembs, reports-ignored, "
      "rembs-ignored, malformed-rtp, malformed-rtcp, malformed-remb and "
      "dropped-sr-requests (kept from the session) are counts. A field that is "
      "not known yet is absent",
      GST_TYPE_STRUCTURE, readable);

  g_object_class_install_properties (object_class, N_PROPERTIES, properties);

  gst_element_class_add_static_pad_template_with_gtype (
      element_class, &sink_template, GST_TYPE_GCC_SENDER_PAD);
  gst_element_class_add_static_pad_template_with_gtype (
      element_class, &request_sink_template, GST_TYPE_GCC_SENDER_PAD);
  gst_element_class_add_static_pad_template (
      element_class, &request_src_template);
  gst_type_mark_as_plugin_api (GST_TYPE_GCC_SENDER_PAD, 0);

  gst_element_class_set_static_metadata (element_class, "GCC sender",
      "Filter/Network/RTP",
      "Sets an encoder's bitrate from RTCP receiver reports and REMB by Google "
      "Congestion Control",
      "The gst-gcc authors");
}

static void
gst_gcc_sender_init (GstGccSender *self)
{
  const GstGccPacerFuncs pacer_funcs = {
    .read = gst_gcc_sender_read_packet,
    .leave = gst_gcc_sender_leave,
  };

  self->min_bitrate = DEFAULT_MIN_BITRATE;
  self->start_bitrate = DEFAULT_START_BITRATE;
  self->max_bitrate = DEFAULT_MAX_BITRATE;
  self->encoder_bitrate_unit = DEFAULT_ENCODER_BITRATE_UNIT;
  self->configure_encoder = DEFAULT_CONFIGURE_ENCODER;
  self->control_fec = DEFAULT_CONTROL_FEC;
  self->post_messages = DEFAULT_POST_MESSAGES;
  self->pacing_factor = DEFAULT_PACING_FACTOR;
  self->max_pacing_delay = DEFAULT_MAX_PACING_DELAY;
  gst_gcc_encoders_init (&self->encoders, BASE (self));
  gst_gcc_pacer_init (&self->pacer, GST_ELEMENT (self), &pacer_funcs);
  gcc_sender_init (&self->controller, &BASE (self)->profile, self->min_bitrate,
      self->start_bitrate, self->max_bitrate);
}
