/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * GccProfile:
 *
 * Every number of one published generation of the algorithm. Profiles are
 * constant and there as long as the library is.
 */
typedef struct _GccProfile GccProfile;

/* The profile of this name, or %NULL. */
const GccProfile *gcc_profile_find (const gchar *name);

/* The profiles one after the other, the default first; %NULL after the last. */
const GccProfile *gcc_profile_get_nth (guint n);

/* What gcc_profile_find() finds it by. */
const gchar *gcc_profile_get_name (const GccProfile *profile);

/* One sentence. */
const gchar *gcc_profile_get_description (const GccProfile *profile);

G_END_DECLS
