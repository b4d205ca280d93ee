/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/output/gcc-encoder-rate.h>
#include <gst/gcc/output/gcc-key-requests.h>
#include <gst/gst.h>

#include "stream/gstgccencoder.h"

G_BEGIN_DECLS

/*
 * GstGccClaims:
 *
 * The rates that several calls claim for one encoder, as behind a tee: the least
 * of them is set, because all calls get the same packets. The encoder element
 * holds its claims, and each claim belongs to an owner, which is only compared.
 * Thread-safe. The lock inside is taken last, and is not held while a property is
 * set.
 *
 * An owner without a claim may want the encoder to stop. As long as no other claims
 * it, the pictures that come to the encoder are dropped, but for the first one.
 */
typedef struct _GstGccClaims GstGccClaims;

/* The claims of @element, valid as long as a reference to it is held. */
GstGccClaims *gst_gcc_claims_of (GstElement *element);

/*
 * gst_gcc_claims_update:
 * @owner: the owner whose claim is made or replaced
 * @rate: the rate after the encoder's rounding, bit/s, at least 0
 * @params: when a change is worth its cost
 * @cost: cost of a change
 * @due: (inout): the earlier of its value and of the time at which a change that
 *   waits is to be made, by another call; %GCC_TIME_NONE: none waits
 *
 * To be called at least once a second. A claim that another owner has dropped
 * no longer counts then.
 *
 * Returns: whether gst_gcc_claims_apply() has something to set
 */
gboolean gst_gcc_claims_update (GstGccClaims *self, gconstpointer owner,
    GccRate rate, const GccEncoderRateParams *params, GccTime cost, GccTime now,
    GccTime *due);

/* Drops the claim and the wish of @owner. After the last claim the encoder counts as never
 * set. */
void gst_gcc_claims_drop (GstGccClaims *self, gconstpointer owner);

/* Drops the claim of @owner, which wants the encoder of @element to stop until
 * gst_gcc_claims_update(), or gst_gcc_claims_drop(). The object lock of no element may
 * be held. */
void gst_gcc_claims_pause (
    GstGccClaims *self, gconstpointer owner, GstElement *element);

/* `GstGccPaused`. (transfer full) */
GstEvent *gst_gcc_claims_new_event (gboolean is_paused);

/* Tells those upstream of @element by the event `GstGccPaused` whether it stops, where that is
 * news. With no lock held. */
void gst_gcc_claims_tell (GstGccClaims *self, GstElement *element);

/* Whether the encoder stops: it has pictures that can be dropped, and no call wants
 * them. */
gboolean gst_gcc_claims_are_paused (GstGccClaims *self);

/* Whether the encoder has kept another bitrate than the one that was set last. */
gboolean gst_gcc_claims_were_refused (GstGccClaims *self);

/* Whether @fault, a bit, has not been reported of the encoder since there was no
 * claim; it then counts as reported. */
gboolean gst_gcc_claims_report (GstGccClaims *self, guint fault);

/* gcc_key_requests_judge() of a request in any of the calls, which get the same key
 * frames. One that passes is counted. */
GccKeyVerdict gst_gcc_claims_judge_key_request (GstGccClaims *self,
    GccTime asked_at, GccTime frame_at, GccTime interval, GccTime now);

/* Sets @encoder, the owner of these claims. One thread at a time sets it, and
 * another thread leaves its rate to that thread, so the latest rate is set
 * last. With no lock held. */
void gst_gcc_claims_apply (GstGccClaims *self, const GstGccEncoder *encoder);

G_END_DECLS
