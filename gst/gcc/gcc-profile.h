/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccProfile:
 *
 * All parameters of one published generation of the algorithm. Profiles are
 * constant and are never freed.
 */
typedef struct _GccProfile GccProfile;

/* The profile called @name, or %NULL. */
GCC_API const GccProfile *gcc_profile_find (const gchar *name);

/* The profile with index @n, the default being the first; %NULL past the
 * end. */
GCC_API const GccProfile *gcc_profile_get_nth (guint n);

/* The name that gcc_profile_find() takes. */
GCC_API const gchar *gcc_profile_get_name (const GccProfile *profile);

/* A description in one sentence. */
GCC_API const gchar *gcc_profile_get_description (const GccProfile *profile);

G_END_DECLS
