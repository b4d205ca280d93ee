/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gcc-profile-parts.h"

const GccProfile gcc_profile_rmcat_2016 = {
  .name = "rmcat-2016",
  .description = "The AQM paper of 2016: adaptive threshold, AIMD, loss "
      "controller without TFRC",
  .delay = {
    .group = {
      .grouping = GCC_GROUPING_BURST,           /* C15; CCR16: frames */
      .burst_time = 5 * GCC_MSECOND,            /* C15 */
      .max_burst = 100 * GCC_MSECOND,           /* ours, as C20 */
      .max_jump = 3 * GCC_SECOND,               /* ours, as C20 */
      .max_reordered = 3,                       /* groups, ours, as C20 */
    },
    .filter = {
      .model = GCC_FILTER_MODEL_CAPACITY,       /* CCR16, eq. (3) */
      .stable = GCC_FILTER_STABLE_SIGNAL,       /* C15 */
      .inverse_capacity_0 = 8. / 512.,          /* ms/byte, C15: 512 kbit/s */
      .m_0 = 0.,                                /* ms, C15 */
      .E_0 = { 100., 0.1 },                     /* C15 */
      .Q = { 1e-13, 1e-3 },                     /* per group, C15 */
      .Q_boost = 10.,                           /* C15 */
      .var_0 = 50.,                             /* ms², C15 */
      .var_min = 1.,                            /* ms², C15 */
      .chi_rate = 30.,                          /* groups/s, C15 */
      .chi_start = 0.01,                        /* C15 */
      .chi = 0.002,                             /* C15 */
      .n_start = 300,                           /* groups, C15 */
      .f_max_groups = 60,                       /* groups, C15 */
      .max_deviations = 3.,                     /* C15 */
    },
    .detector = {
      .gamma_0 = 12.5,                          /* ms, C15, G02 */
      .min_deltas = 2,                          /* deltas, C15 */
      .n_max = 60,                              /* deltas, C15 */
      .k_u = 0.01,                              /* 1/ms, C15, G02 */
      .k_d = 0.00018,                           /* 1/ms, C15, G02 */
      .gamma_min = 6.,                          /* ms, C15, G02 */
      .gamma_max = 600.,                        /* ms, C15, G02 */
      .max_excess = 15.,                        /* ms, C15, G02 */
      .max_dt = 100 * GCC_MSECOND,              /* C15 */
      .overuse_time_ms = 10.,                   /* ms, C15, G02 */
      .min_overuses = 2,                        /* groups, C15 */
    },
  },
  .received_rate = {
    .window = 500 * GCC_MSECOND,              /* CCR16 */
    .grows = TRUE,                            /* C15 */
  },
  .rate_control = {
    .law = GCC_RATE_CONTROL_AIMD,             /* C15 */
    .initial_state = GCC_RATE_CONTROL_HOLD,   /* C15 */
    .rests_in_hold = TRUE,                    /* C15 */
    .initial_time = 5 * GCC_SECOND,           /* C15 */
    .min_rate = 10000,                        /* bit/s, C15 */
    .initial_rate = 30000000,                 /* bit/s, C15 */
    .beta = 0.85,                             /* C15; CCR16: 0.8 to 0.95 */
    .beta_near_max = 0.85,                    /* C15 */
    GOOG_CAPACITY,
    .unknown_deviations = 3.,                 /* C15 */
    .rtt = 200 * GCC_MSECOND,                 /* C15 */
    .response_delay = 100 * GCC_MSECOND,      /* C15 */
    .min_increase = 1000,                     /* bit/s, C15 */
    .max_ratio = 1.5,                         /* CCR16 */
    .reduce_ratio = 2.,                       /* C15 */
    .min_reduce_interval = 10 * GCC_MSECOND,  /* C15 */
    .max_reduce_interval = 200 * GCC_MSECOND, /* C15 */
    .eta = 1.08,                              /* per s, C15; CCR16: 1.005
                                                 to 1.3 */
    .max_eta_time = 1 * GCC_SECOND,           /* C15 */
    .frame_rate = 30.,                        /* 1/s, C15 */
    .packet_size = 1200.,                     /* bytes, C15 */
    .additive_packets = 0.5,                  /* packets, C15 */
    .min_additive_rate = 4000.,               /* bit/s per s, C15 */
  },
  .receiver = {
    .abs_send_time = TRUE,                    /* C15 */
    .max_without = 30,                        /* packets, ours, as C20 */
    .first_interval = 500 * GCC_MSECOND,      /* C15 */
    .min_interval = 200 * GCC_MSECOND,        /* C15 */
    .max_interval = 1000 * GCC_MSECOND,       /* C15 */
    .feedback_size = 80.,                     /* bytes, C15 */
    .feedback_share = 0.05,                   /* C15 */
    .stream_timeout = 2 * GCC_SECOND,         /* C15 */
  },
  .remb = {
    .interval = 200 * GCC_MSECOND,            /* C15 */
    .drop = 0.97,                             /* C15 */
    .early = TRUE,                            /* C15 */
  },
  .loss_reporter = {
    .interval = 1 * GCC_SECOND,               /* C15 */
  },
  .loss = {
    .p_low = 0.02,                            /* CCR16, eq. (2) */
    .p_high = 0.10,                           /* CCR16, eq. (2) */
    .increase = 1.05,                         /* CCR16, eq. (2) */
    .increase_interval = 1 * GCC_SECOND,      /* C15 */
    .decrease = 0.5,                          /* CCR16, eq. (2) */
    .decrease_interval = 300 * GCC_MSECOND,   /* C15 */
    .min_packets = 20,                        /* packets, C15 */
    .report_interval = 1 * GCC_SECOND,        /* C15 */
  },
  GOOG_FEEDBACK_WATCH (1. /* C15: never */),
  GOOG_PROTECTION (1., 0),
  GOOG_TRANSPORT_FEEDBACK,
  GOOG_PACER (2.5 /* C15 */),
};
