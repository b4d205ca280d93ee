/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

/* The calls whose digests are kept, as tables of what changes in which second.
 * Each call begins with the path of golden_first_settings. */

#include <glib.h>

/* Rates are bit/s, times ms, shares per cent, the others 0 or 1. */
typedef enum {
  GOLDEN_END,
  GOLDEN_CAPACITY,
  GOLDEN_DELAY,
  /* what the queue holds, as time */
  GOLDEN_QUEUE,
  GOLDEN_LOSS,
  /* most that is added to the delay; order is kept */
  GOLDEN_JITTER,
  /* packets arrive at multiples of this */
  GOLDEN_CLUMP,
  /* nothing arrives, on either way */
  GOLDEN_OUTAGE,
  GOLDEN_FEEDBACK_LOSS,
  /* most that the encoder makes */
  GOLDEN_APPLICATION,
  /* the encoder makes nothing */
  GOLDEN_PAUSE,
  /* flows of the profile that share the link */
  GOLDEN_FLOWS,
  /* a CUBIC flow shares it, too */
  GOLDEN_TCP,
  /* packets have the header extension, over REMB */
  GOLDEN_ABS_SEND_TIME,
  /* audio, FEC, and retransmission of what is lost */
  GOLDEN_PROTECTION,
  /* REMB of a second receiver, which reports, too; 0: none */
  GOLDEN_OTHER_REMB,
  GOLDEN_MAX_RATE,
  GOLDEN_N_SETTINGS,
} GoldenSetting;

typedef struct {
  guint second;
  GoldenSetting setting;
  gint64 value;
} GoldenChange;

#define GOLDEN_MAX_CHANGES 12
#define GOLDEN_MAX_SECONDS 40
#define GOLDEN_MAX_FLOWS 3

/* Changes are in the order of their seconds, up to %GOLDEN_END. */
typedef struct {
  const gchar *name;
  guint seconds;
  GoldenChange changes[GOLDEN_MAX_CHANGES];
} GoldenCall;

extern const gint64 golden_first_settings[GOLDEN_N_SETTINGS];
extern const GoldenCall golden_calls[];
extern const guint golden_n_calls;
