/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gstgccfeedback.h"

#include <gst/gcc/gcc-sender-private.h>

GST_DEBUG_CATEGORY_EXTERN (gst_gcc_sender_debug);
#define GST_CAT_DEFAULT gst_gcc_sender_debug

void
gst_gcc_feedback_init (
    GstGccFeedback *self, GstGccElement *owner, GccSender *controller)
{
  *self = (GstGccFeedback){ .owner = owner, .controller = controller };
}

void
gst_gcc_feedback_start (GstGccFeedback *self)
{
  self->receiver_reference_time = (GstGccReferenceTime){ 0 };
  self->is_silent = FALSE;
  self->n_malformed_rtcp = 0;
  self->n_malformed_rembs = 0;
}

void
gst_gcc_feedback_add_stats (const GstGccFeedback *self, GstStructure *stats)
{
  gst_structure_set (stats, "malformed-rtcp", G_TYPE_UINT64,
      self->n_malformed_rtcp, "malformed-remb", G_TYPE_UINT64,
      self->n_malformed_rembs, NULL);
}

/* --- what arrives, with the lock held --- */

static void
trace (GstGccFeedback *self, GccSenderEvent event)
{
  if (event != GCC_SENDER_EVENT_NONE)
    gst_gcc_trace_write (&self->owner->trace,
        gcc_sender_event_to_string (event),
        gcc_sender_get_stats (self->controller));
}

static void
check_timeout (GstGccFeedback *self, GccTime now)
{
  GccTime timeout = gcc_sender_next_timeout (self->controller);

  if (timeout != GCC_TIME_NONE && now >= timeout)
    trace (self, gcc_sender_handle_timeout (self->controller, now));
}

static gboolean
has_feedback (GstGccFeedback *self)
{
  return gcc_sender_get_stats (self->controller)->has_feedback;
}

static void
count_malformed (GstGccFeedback *self, const GstGccRtcp *rtcp)
{
  if ((!rtcp->valid || rtcp->malformed) && self->n_malformed_rtcp++ == 0)
    GST_WARNING_OBJECT (self->owner, "ignoring malformed RTCP packets");
  if (rtcp->malformed_remb && self->n_malformed_rembs++ == 0)
    GST_WARNING_OBJECT (self->owner, "ignoring malformed REMB messages");
}

/* @before is what had been counted. */
static void
warn_of_ignored (GstGccFeedback *self, GccSenderStats before)
{
  const GccSenderStats *stats = gcc_sender_get_stats (self->controller);

  if (before.reports_ignored == 0 && stats->reports_ignored > 0)
    GST_WARNING_OBJECT (self->owner,
        "ignoring report blocks about packets that were not sent, or that are "
        "older than the last");
  if (before.rembs_ignored == 0 && stats->rembs_ignored > 0)
    GST_WARNING_OBJECT (self->owner,
        "ignoring REMBs that name no stream of this session, or whose sender "
        "does not report on one");
}

static void
take_rtcp (GstGccFeedback *self, const GstGccRtcp *rtcp, GccTime now)
{
  GccSenderStats before = *gcc_sender_get_stats (self->controller);

  trace (self,
      gcc_sender_feed_reports (
          self->controller, rtcp->blocks, rtcp->n_blocks, now));
  for (guint i = 0; i < rtcp->n_rembs; i++)
    trace (self, gcc_sender_feed_remb (self->controller, &rtcp->rembs[i], now));
  for (guint i = 0; i < rtcp->n_byes; i++)
    gcc_sender_feed_bye (self->controller, rtcp->byes[i], now);
  warn_of_ignored (self, before);
  if (!before.has_feedback && has_feedback (self))
    gst_gcc_trace_write (&self->owner->trace, "feedback",
        gcc_sender_get_stats (self->controller));
}

/* --- silence --- */

typedef enum {
  NOTHING_NEW,
  SILENCE,
  FEEDBACK,
} News;

/* With the lock held: what the bus is to be told after it. */
static News
get_news (GstGccFeedback *self)
{
  gboolean was_silent = self->is_silent;

  if (!self->owner->running)
    return NOTHING_NEW;
  self->is_silent = gcc_sender_is_silent (self->controller);
  if (self->is_silent == was_silent)
    return NOTHING_NEW;
  return self->is_silent ? SILENCE : FEEDBACK;
}

/* Without the lock. */
static void
tell_news (GstGccFeedback *self, News news)
{
  switch (news) {
    case NOTHING_NEW:
      break;
    case SILENCE:
      GST_ELEMENT_WARNING (self->owner, RESOURCE, READ,
          ("No RTCP feedback: packets leave, and nobody reports on them."),
          ("The receiver is gone or was never there; or its RTCP finds no way "
           "back: RTP and RTCP ports swapped or blocked by a firewall, nothing "
           "linked to recv_rtcp_sink; or it reports on another SSRC than is "
           "sent; or, with GStreamer 1.26 and later, the application ignores "
           "LATENCY messages, so that an rtpsession makes no reports: call "
           "gst_bin_recalculate_latency(). Until a report comes, no rate can "
           "be known to fit the network."));
      break;
    case FEEDBACK:
      GST_ELEMENT_INFO (self->owner, RESOURCE, READ,
          ("RTCP feedback has come: the bitrate follows it."), (NULL));
      break;
  }
}

void
gst_gcc_feedback_receive (GstGccFeedback *self, GstBuffer *buffer, GccTime now)
{
  GstGccRtcp rtcp;
  News news;

  g_mutex_lock (&self->owner->lock);
  gst_gcc_rtcp_read (&rtcp, buffer, &self->owner->round_trip, now);
  count_malformed (self, &rtcp);
  if (rtcp.receiver_reference_time.ntp != 0)
    self->receiver_reference_time = rtcp.receiver_reference_time;
  if (self->owner->running) {
    check_timeout (self, now);
    take_rtcp (self, &rtcp, now);
  }
  news = get_news (self);
  g_mutex_unlock (&self->owner->lock);
  tell_news (self, news);
}

/* --- what leaves --- */

void
gst_gcc_feedback_send (GstGccFeedback *self, GstBuffer *buffer, GccTime now)
{
  guint32 ssrc;
  News news;

  g_mutex_lock (&self->owner->lock);
  gst_gcc_rtcp_note_sender_reports (buffer, &self->owner->round_trip, now);
  if (self->receiver_reference_time.ntp != 0 &&
      gst_gcc_rtcp_is_report (buffer, &ssrc) &&
      gst_gcc_rtcp_add_dlrr (buffer, ssrc, &self->receiver_reference_time, now))
    self->receiver_reference_time.ntp = 0;
  if (self->owner->running)
    check_timeout (self, now);
  news = get_news (self);
  g_mutex_unlock (&self->owner->lock);
  tell_news (self, news);
}

/* --- neither --- */

void
gst_gcc_feedback_check (GstGccFeedback *self, GccTime now)
{
  News news;

  g_mutex_lock (&self->owner->lock);
  if (self->owner->running)
    check_timeout (self, now);
  news = get_news (self);
  g_mutex_unlock (&self->owner->lock);
  tell_news (self, news);
}
