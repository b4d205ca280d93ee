/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/gcc-profile.h>

/* Sources, as they are named behind each number:
 *
 * C20        libwebrtc of early 2020, the last generation whose receiver sent
 *            REMB
 * RFC 3550   report intervals
 */

const GccProfile gcc_profiles[] = {
  /* The default. */
  {
    .name = "goog-2020",
    .description = "libwebrtc's last REMB generation: 5 ms groups, adaptive "
        "threshold, AIMD; the one to use",
    .group = {
      .grouping = GCC_GROUPING_BURST,
      .burst_time = 5 * GCC_MSECOND,            /* C20 */
      .max_burst = 100 * GCC_MSECOND,           /* C20 */
      .max_jump = 3 * GCC_SECOND,               /* C20 */
      .max_reordered = 3,                       /* groups, C20 */
    },
    .filter = {
      .model = GCC_FILTER_MODEL_CAPACITY,
      .calm = GCC_FILTER_CALM_SIGNAL,           /* C20 */
      .inverse_capacity_0 = 8. / 512.,          /* ms/byte, C20: 512 kbit/s */
      .m_0 = 0.,                                /* ms, C20 */
      .E_0 = { 100., 0.1 },                     /* C20 */
      .Q = { 1e-13, 1e-3 },                     /* per group, C20 */
      .Q_period_ms = 0.,                        /* unscaled, C20 */
      .Q_boost = 10.,                           /* C20 */
      .var_0 = 50.,                             /* ms², C20 */
      .var_min = 1.,                            /* ms², C20 */
      .chi_start = 0.01,                        /* C20 */
      .chi = 0.002,                             /* C20 */
      .n_start = 300,                           /* groups, C20 */
      .f_max_groups = 60,                       /* groups, C20 */
    },
    .detector = {
      .gamma_0 = 12.5,                          /* ms, C20 */
      .n_max = 60,                              /* deltas, C20 */
      .k_u = 0.0087,                            /* 1/ms, C20 */
      .k_d = 0.039,                             /* 1/ms, C20 */
      .gamma_min = 6.,                          /* ms, C20 */
      .gamma_max = 600.,                        /* ms, C20 */
      .max_excess = 15.,                        /* ms, C20 */
      .max_dt = 100 * GCC_MSECOND,              /* C20 */
      .overuse_time_ms = 10.,                   /* ms, C20 */
      .min_overuses = 2,                        /* groups, C20 */
    },
    .received_rate = {
      .window = 1 * GCC_SECOND,                 /* C20 */
      .grows = TRUE,                            /* C20 */
    },
    .remote_rate = {
      .law = GCC_RATE_CONTROL_AIMD,
      .initial_state = GCC_RATE_CONTROL_HOLD,   /* C20 */
      .rests_in_hold = TRUE,                    /* C20 */
      .initial_time = 5 * GCC_SECOND,           /* C20 */
      .min_rate = 5000,                         /* bit/s, C20 */
      .initial_rate = 30000000,                 /* bit/s, C20 */
      .beta = 0.85,                             /* C20 */
      .eta = 1.08,                              /* per s, C20 */
      .min_increase = 1000,                     /* bit/s, C20 */
      .additive_packets = 0.5,                  /* packets, C20 */
      .response_delay = 100 * GCC_MSECOND,      /* C20 */
      .min_additive_rate = 4000.,               /* bit/s per s, C20 */
      .max_ratio = 1.5,                         /* C20 */
      .max_ratio_offset = 10000.,               /* bit/s, C20 */
      .reduce_ratio = 2.,                       /* C20 */
      .rtt = 200 * GCC_MSECOND,                 /* C20 */
    },
    .feedback = {
      .first_interval = 500 * GCC_MSECOND,      /* C20 */
      .min_interval = 200 * GCC_MSECOND,        /* C20 */
      .max_interval = 1000 * GCC_MSECOND,       /* C20 */
      .stream_timeout = 2 * GCC_SECOND,         /* C20 */
      .remb_interval = 200 * GCC_MSECOND,       /* C20 */
      .remb_drop = 0.97,                        /* C20 */
      .remb_early = TRUE,                       /* C20 */
      .report_interval = 1 * GCC_SECOND,        /* C20 */
    },
    .loss = {
      .p_low = 0.02,                            /* C20 */
      .p_high = 0.10,                           /* C20 */
      .increase = 1.08,                         /* C20 */
      .increase_offset = 1000,                  /* bit/s, C20 */
      .increase_interval = 1 * GCC_SECOND,      /* C20 */
      .increase_from_min = TRUE,                /* C20 */
      .decrease = 0.5,                          /* C20 */
      .decrease_interval = 300 * GCC_MSECOND,   /* C20 */
      .min_packets = 20,                        /* packets, C20 */
      .start_phase = 2 * GCC_SECOND,            /* C20 */
      .report_timeout = 6 * GCC_SECOND,         /* C20: 1.2 · 5 s */
      .max_rtt = 3 * GCC_SECOND,                /* C20 */
      .max_rtt_decrease = 0.8,                  /* C20 */
      .max_rtt_interval = 1 * GCC_SECOND,       /* C20 */
      .tick = 25 * GCC_MSECOND,                 /* C20 */
      .report_interval = 1 * GCC_SECOND,        /* C20 */
    },
  },
};

const guint gcc_n_profiles = G_N_ELEMENTS (gcc_profiles);

const GccProfile *
gcc_profile_find (const gchar *name)
{
  for (guint i = 0; i < gcc_n_profiles; i++) {
    if (g_strcmp0 (gcc_profiles[i].name, name) == 0)
      return &gcc_profiles[i];
  }
  return NULL;
}
