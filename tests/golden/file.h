/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

/* The file of digests:
 *
 *     sender COLUMN...
 *     receiver COLUMN...
 *     PROFILE FEEDBACK CALL DIGEST
 *
 * with a line of the last kind for each call of each profile. */

#include "digest.h"

typedef struct {
  gchar **lines;
  GoldenStats stats;
} GoldenFile;

/* A file that is not there is an empty one, of all columns. */
void golden_file_load (GoldenFile *self, const gchar *path);
void golden_file_clear (GoldenFile *self);

/* The digest of "PROFILE FEEDBACK CALL"; %NULL without one. */
const gchar *golden_file_find (const GoldenFile *self, const gchar *key);

/* The lines of columns. */
gchar *golden_file_get_head (const GoldenFile *self);

/* The lines that follow, %NULL after the last. */
gchar **golden_file_get_digests (const GoldenFile *self);
