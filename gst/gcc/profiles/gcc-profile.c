/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/profiles/gcc-profile-private.h>

const GccProfile *const gcc_profiles[] = {
  &gcc_profile_recommended,
  &gcc_profile_goog_2026,
  &gcc_profile_goog_2020,
  &gcc_profile_rtcweb_2013,
  &gcc_profile_rmcat_2016,
  &gcc_profile_rmcat_2016_eq_2,
  &gcc_profile_draft_gcc_02,
};

const guint gcc_n_profiles = G_N_ELEMENTS (gcc_profiles);

/* Names of profiles before 0.2. */
static const struct {
  const gchar *alias;
  const GccProfile *profile;
} aliases[] = {
  { "gst-2026", &gcc_profile_recommended },
};

const GccProfile *
gcc_profile_find (const gchar *name)
{
  for (guint i = 0; i < gcc_n_profiles; i++) {
    if (g_strcmp0 (gcc_profiles[i]->name, name) == 0)
      return gcc_profiles[i];
  }
  for (guint i = 0; i < G_N_ELEMENTS (aliases); i++) {
    if (g_strcmp0 (aliases[i].alias, name) == 0)
      return aliases[i].profile;
  }
  return NULL;
}

const GccProfile *
gcc_profile_get_nth (guint n)
{
  return n < gcc_n_profiles ? gcc_profiles[n] : NULL;
}

const gchar *
gcc_profile_get_name (const GccProfile *profile)
{
  return profile->name;
}

const gchar *
gcc_profile_get_description (const GccProfile *profile)
{
  return profile->description;
}
