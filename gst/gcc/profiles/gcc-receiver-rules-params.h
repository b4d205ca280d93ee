/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/path/gcc-faster-link.h>
#include <gst/gcc/path/gcc-short-queue.h>
#include <gst/gcc/path/gcc-slower-link.h>
#include <gst/gcc/path/gcc-standing-queue.h>

G_BEGIN_DECLS

/**
 * GccReceiverRulesParams:
 * @standing_queue: what is done about a queue that stands
 * @short_queue: the same of a short one
 * @faster_link: how a link is noticed that has become faster
 * @slower_link: the same of one that has become slower
 *
 * The default's own rules of the receiving side, which no published generation
 * has.
 */
typedef struct {
  GccStandingQueueParams standing_queue;
  GccShortQueueParams short_queue;
  GccFasterLinkParams faster_link;
  GccSlowerLinkParams slower_link;
} GccReceiverRulesParams;

G_END_DECLS
