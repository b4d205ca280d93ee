/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccColumnType:
 * @GCC_COLUMN_TIME: #GccTime; %GCC_TIME_NONE is unknown
 * @GCC_COLUMN_RATE: #GccRate; %GCC_RATE_NONE is unknown
 * @GCC_COLUMN_DOUBLE: double; NaN is unknown
 * @GCC_COLUMN_BOOLEAN: gboolean; 0 or 1 in the trace
 * @GCC_COLUMN_UINT: guint32
 * @GCC_COLUMN_UINT64: guint64
 * @GCC_COLUMN_STRING: const gchar * with static storage; %NULL is unknown
 * @GCC_COLUMN_SIGNAL: #GccSignal
 * @GCC_COLUMN_RATE_CONTROL: #GccRateControlState
 * @GCC_COLUMN_LOSS_ESTIMATE: #GccLossEstimateState
 * @GCC_COLUMN_COMPETITION: #GccCompetitionState
 * @GCC_COLUMN_VERDICT: #GccVerdict
 * @GCC_COLUMN_REASON: #GccReason
 * @GCC_COLUMN_FEEDBACK: #GccFeedback
 * @GCC_COLUMN_ECN: #GccEcnState
 *
 * The type of a member. From %GCC_COLUMN_STRING on a value has a word.
 */
typedef enum {
  GCC_COLUMN_TIME,
  GCC_COLUMN_RATE,
  GCC_COLUMN_DOUBLE,
  GCC_COLUMN_BOOLEAN,
  GCC_COLUMN_UINT,
  GCC_COLUMN_UINT64,
  GCC_COLUMN_STRING,
  GCC_COLUMN_SIGNAL,
  GCC_COLUMN_RATE_CONTROL,
  GCC_COLUMN_LOSS_ESTIMATE,
  GCC_COLUMN_COMPETITION,
  GCC_COLUMN_VERDICT,
  GCC_COLUMN_REASON,
  GCC_COLUMN_FEEDBACK,
  GCC_COLUMN_ECN,
} GccColumnType;

/**
 * GccColumn:
 * @name: name with the unit, words joined by '_', as in the trace's header
 * @type: the type of the member
 * @offset: offset of the member in the stats struct
 * @description: one sentence, with unit, for the reference of the trace
 *
 * One member of a stats struct. The `stats` property, the trace and its
 * documentation are all generated from one table of columns.
 */
typedef struct {
  const gchar *name;
  GccColumnType type;
  gsize offset;
  const gchar *description;
} GccColumn;

/**
 * gcc_state_to_word:
 * @type: the type of a column that has states
 * @state: a state of its enumeration
 *
 * Returns: (nullable): the word for @state
 */
GCC_API const gchar *gcc_state_to_word (GccColumnType type, gint state);

/**
 * gcc_column_get_word:
 * @column: one of a type that has words
 * @stats: the stats struct
 *
 * Returns: (nullable): the member's value as in the trace; %NULL while unknown
 */
static inline const gchar *
gcc_column_get_word (const GccColumn *column, gconstpointer stats)
{
  gconstpointer member = (const guint8 *) stats + column->offset;

  if (column->type == GCC_COLUMN_STRING)
    return *(const gchar *const *) member;
  return gcc_state_to_word (column->type, *(const gint *) member);
}

G_END_DECLS
