/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

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
 */
typedef enum {
  GCC_COLUMN_TIME,
  GCC_COLUMN_RATE,
  GCC_COLUMN_DOUBLE,
  GCC_COLUMN_BOOLEAN,
  GCC_COLUMN_UINT,
  GCC_COLUMN_UINT64,
  GCC_COLUMN_STRING,
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

G_END_DECLS
