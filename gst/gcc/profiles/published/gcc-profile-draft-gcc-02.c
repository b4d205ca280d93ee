/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/profiles/gcc-profile-parts.h>

const GccProfile gcc_profile_draft_gcc_02 = {
  .name = "draft-gcc-02",
  .description = "The last draft to the letter, with m not scaled by the "
      "number of deltas: for study, it lets queues grow",
  .delay = {
    .group = {
      .grouping = GCC_GROUPING_BURST,           /* G02, section 5.2 */
      .burst_time = 5 * GCC_MSECOND,            /* G02, section 5.2 */
      .max_burst = 100 * GCC_MSECOND,           /* ours, as C20 */
      .max_jump = 3 * GCC_SECOND,               /* ours, as C20 */
      .max_reordered = 3,                       /* groups, ours, as C20 */
    },
    .filter = {
      .model = GCC_FILTER_MODEL_GRADIENT,       /* G02, section 5.3 */
      .stable = GCC_FILTER_STABLE_ALWAYS,       /* G02, section 5.3 */
      .m_0 = 0.,                                /* ms, ours */
      .E_0 = { 0., 0.1 },                       /* e(0), G02 */
      .Q = { 0., 1e-3 },                        /* q per group, G02 */
      .var_0 = 50.,                             /* ms², ours, as C20 */
      .var_min = 1.,                            /* ms², G02 */
      .chi_rate = 30.,                          /* groups/s, G02 */
      .chi_start = 0.01,                        /* G02: 0.1 to 0.001 */
      .chi = 0.01,                              /* G02: 0.1 to 0.001 */
      .f_max_groups = 60,                       /* K, ours, as C20 */
      .max_deviations = 3.,                     /* G02 */
      .zero_mean = TRUE,                        /* G02 */
    },
    .detector = {
      .gamma_0 = 12.5,                          /* ms, G02 */
      .min_deltas = 2,                          /* deltas, ours, as C20 */
      .n_max = 1,                               /* G02: m itself */
      .k_u = 0.01,                              /* 1/ms, G02 */
      .k_d = 0.00018,                           /* 1/ms, G02 */
      .gamma_min = 6.,                          /* ms, G02 */
      .gamma_max = 600.,                        /* ms, G02 */
      .max_excess = 15.,                        /* ms, G02 */
      .max_dt = 0,                              /* G02: no limit */
      .overuse_time_ms = 10.,                   /* ms, G02 */
      .min_overuses = 2,                        /* ours: a duration takes two */
    },
  },
  .received_rate = {
    .window = 1 * GCC_SECOND,                 /* T, G02: 0.5 to 1 s */
    .grows = TRUE,                            /* ours, as C20 */
  },
  .rate_control = {
    .initial_state = GCC_RATE_CONTROL_INCREASE, /* G02 */
    .rests_in_hold = FALSE,                   /* G02 */
    .initial_time = 1 * GCC_SECOND,           /* ours: one window */
    .min_rate = 5000,                         /* bit/s, ours, as C20 */
    .initial_rate = 30000000,                 /* bit/s, ours, as C20 */
    .beta = 0.85,                             /* G02 */
    .beta_near_max = 0.85,                    /* G02 */
    GOOG_CAPACITY,
    .unknown_deviations = 3.,                 /* G02 */
    .rtt = 200 * GCC_MSECOND,                 /* ours, as C20 */
    .response_delay = 100 * GCC_MSECOND,      /* G02 */
    .reduce_ratio = 2.,                       /* ours, as C20 */
    .min_reduce_interval = 10 * GCC_MSECOND,  /* ours, as C20 */
    .max_reduce_interval = 200 * GCC_MSECOND, /* ours, as C20 */
    .aimd = {
      .max_ratio = 1.5,                         /* G02 */
      .eta = 1.08,                              /* per s, G02 */
      .max_eta_time = 1 * GCC_SECOND,           /* G02 */
      .frame_rate = 30.,                        /* 1/s, G02 */
      .packet_size = 1200.,                     /* bytes, G02 */
      .additive_packets = 0.5,                  /* α, G02 */
      .min_additive_step = 1000.,               /* bit/s, G02 */
      .max_additive_responses = 1.,             /* G02 */
    },
  },
  .receiver = {
    .abs_send_time = TRUE,                    /* G02, section 5.2 */
    .max_without = 30,                        /* packets, ours, as C20 */
    .first_interval = 300 * GCC_MSECOND,      /* G02: one response time */
    .min_interval = 300 * GCC_MSECOND,        /* G02: one response time */
    .max_interval = 300 * GCC_MSECOND,        /* G02: one response time */
    .stream_timeout = 2 * GCC_SECOND,         /* ours, as C20 */
  },
  .remb = {
    .interval = 1 * GCC_SECOND,               /* G02, section 4 */
    .drop = 1.,                               /* G02: when congested */
    .early = TRUE,                            /* G02 */
  },
  .loss_reporter = {
    .interval = 1 * GCC_SECOND,               /* G02 */
  },
  .loss = {
    .p_low = 0.02,                            /* G02, section 6 */
    .p_high = 0.10,                           /* G02, section 6 */
    .increase = 1.05,                         /* G02, section 6 */
    .decrease = 0.5,                          /* G02, section 6 */
    .decrease_interval = GCC_TIME_NONE,       /* G02: every report */
    .reports.interval = 1 * GCC_SECOND,       /* ours, as C20 */
  },
  GOOG_FEEDBACK_WATCH (1. /* G02: never */),
  GOOG_PROTECTION (0),
  ENCODER_RATE (0), /* G02: each change */
  GOOG_TRANSPORT_FEEDBACK,
  GOOG_PACER (0. /* ours */),
};
