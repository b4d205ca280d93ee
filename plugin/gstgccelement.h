/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-column.h>
#include <gst/gcc/profiles/gcc-profile-private.h>
#include <gst/gst.h>

#include "session/gstgccfeedbackmode.h"
#include "session/gstgccsession.h"
#include "support/gstgcchandlers.h"
#include "support/gstgccmanage.h"
#include "support/gstgccmessages.h"
#include "support/gstgcctrace.h"

G_BEGIN_DECLS

#define GST_TYPE_GCC_ELEMENT (gst_gcc_element_get_type ())
#define GST_GCC_ELEMENT(object) \
  (G_TYPE_CHECK_INSTANCE_CAST ((object), GST_TYPE_GCC_ELEMENT, GstGccElement))
#define GST_GCC_ELEMENT_CLASS(klass) \
  (G_TYPE_CHECK_CLASS_CAST ((klass), GST_TYPE_GCC_ELEMENT, GstGccElementClass))
#define GST_GCC_ELEMENT_GET_CLASS(object) \
  (G_TYPE_INSTANCE_GET_CLASS ( \
      (object), GST_TYPE_GCC_ELEMENT, GstGccElementClass))

typedef struct _GstGccElement GstGccElement;
typedef struct _GstGccElementClass GstGccElementClass;

GType gst_gcc_element_get_type (void);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGccElement, gst_object_unref)

/*
 * GstGccElement:
 * @sinkpad: pad where RTP enters; its element private is @srcpad
 * @srcpad: pad where RTP leaves; its element private is @sinkpad
 * @messages: messages about the rate on the bus; the subclass's lock protects
 *   them
 * @trace: has a lock of its own
 * @session: has a lock of its own. Only this class joins and leaves it, between
 *   a start and the next stop
 * @manage: what it sets in its neighbours; the subclass has the properties
 * @handlers: of the application; they may run from @start until after @stop
 *
 * Base class of elements that pass RTP on unchanged, find and join the RTP
 * session by themselves, and control a rate by the RTP and RTCP that they see.
 */
struct _GstGccElement {
  GstElement parent;

  GstPad *sinkpad;
  GstPad *srcpad;

  GstGccMessages messages;
  GstGccTrace trace;

  GstGccSession session;
  GstGccManage manage;
  GstGccHandlers handlers;

  /*< private >*/
  /* protected by the object lock */
  const GccProfile *profile;
  guint profile_index;
  GstGccFeedbackMode feedback_mode;
  gchar *trace_location;
  /* while media flows and the application may still link RTCP */
  GccTime waiting_since;

  /* atomic */
  gint scan_is_due;
  gint n_media;
};

/*
 * GstGccElementClass:
 * @columns: columns of the subclass's trace
 * @n_columns: number of columns
 * @session_funcs: its callbacks for the RTP session
 * @get_report_interval: mean time between the reports its session should send,
 *   since the last @start
 * @start: READY to PAUSED, before any media and RTCP: resets the controller,
 *   and feeds it from now on; %FALSE when an error was posted
 * @stop: PAUSED to READY, after the pads were deactivated; also where @start has
 *   failed, or was not reached
 * @caps: new caps on a sink pad
 * @filter_caps: replaces the caps that leave, after @caps; (transfer full)
 * @media: a packet on a sink pad, before it is passed on
 * @correct: takes a packet that @media has seen, and returns it as it is passed on;
 *   packets of a list are passed on as they are
 * @set_up_pads: sets pad functions of its own on a new pair of pads, before
 *   they are added
 * @pipeline_scanned: the pipeline was scanned, after a start or a change.
 *   @may_come: whether a session that was not found may still be linked; @warn:
 *   whether media flows, so that missing elements are worth a warning
 * @rtcp_pad: name of the pad of rtpsession without which no feedback arrives
 * @no_rtcp: reports that media flows and nothing is linked to @rtcp_pad
 *
 * @caps, @filter_caps, @media (with a chain function of its own), @correct,
 * @set_up_pads and @pipeline_scanned may be %NULL.
 */
struct _GstGccElementClass {
  GstElementClass parent_class;

  const GccColumn *columns;
  guint n_columns;
  GstGccSessionFuncs session_funcs;
  GccTime (*get_report_interval) (GstGccElement *self);

  gboolean (*start) (GstGccElement *self);
  void (*stop) (GstGccElement *self);
  void (*caps) (GstGccElement *self, GstPad *sinkpad, GstCaps *caps);
  GstCaps *(*filter_caps) (GstGccElement *self, GstPad *sinkpad, GstCaps *caps);
  void (*media) (GstGccElement *self, GstPad *sinkpad, GstBuffer *buffer);
  GstBuffer *(*correct) (GstGccElement *self, GstBuffer *buffer);
  void (*set_up_pads) (GstGccElement *self, GstPad *sinkpad, GstPad *srcpad);
  void (*pipeline_scanned) (GstGccElement *self, gboolean has_session,
      gboolean may_come, gboolean warn);
  const gchar *rtcp_pad;
  void (*no_rtcp) (GstGccElement *self);
};

/* The parameters in use. */
const GccProfile *gst_gcc_element_get_profile (GstGccElement *self);

/* The property "feedback". */
GstGccFeedbackMode gst_gcc_element_get_feedback_mode (GstGccElement *self);

/* Schedules a scan of the pipeline before the next packet. */
void gst_gcc_element_schedule_scan (GstGccElement *self);

/* Pairs @sinkpad with @srcpad and adds both to the element. The pads "sink" and
 * "src" are added by this class. */
void gst_gcc_element_add_pads (
    GstGccElement *self, GstPad *sinkpad, GstPad *srcpad);

/* Deactivates both and removes them. */
void gst_gcc_element_remove_pads (
    GstGccElement *self, GstPad *sinkpad, GstPad *srcpad);

/* Appends the counts of this class to a subclass's `stats`. */
void gst_gcc_element_add_stats (GstGccElement *self, GstStructure *stats);

/* Scans the pipeline if that is due. To be called before a packet or list is
 * passed on. */
void gst_gcc_element_before_media (GstGccElement *self);

/* The event function of source pads. */
gboolean gst_gcc_element_src_event (
    GstPad *pad, GstObject *parent, GstEvent *event);

G_END_DECLS
