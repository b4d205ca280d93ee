/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/profiles/gcc-profile-parts.h>

static const GccMimdParams mimd = {
  .above_deviations = 2.5,      /* C13 */
  .min_increase = 1000,         /* bit/s, C13 */
  .max_ratio = 1.5,             /* C13 */
  .max_ratio_received = 100000, /* bit/s, C13 */
  .max_ratio_rate = 150000,     /* bit/s, C13 */
  .change_period_ms = 1000.,    /* ms, C13 */
  .change_period_weight = 0.1,  /* C13 */
  .boost_unknown = 2.,          /* C13 */
  .brake_near_max = 0.5,        /* C13 */
  .eta_min = 1.005,             /* per s, C13, PV13 */
  .eta_max = 1.3,               /* per s, C13, PV13 */
  .B = 0.0407,                  /* C13 */
  .b = 0.0025,                  /* 1/ms, C13 */
  .d = 0.85,                    /* C13 */
  .c1 = -6700. / (33. * 33.),   /* 1/ms, C13 */
  .c2 = 800.,                   /* ms, C13 */
};

const GccProfile gcc_profile_rtcweb_2013 = {
  .name = "rtcweb-2013",
  .description = "What both 2013 papers measured: frames, static threshold, "
      "MIMD with regions, TFRC floor",
  .delay = {
    .group = {
      .grouping = GCC_GROUPING_FRAME,           /* C13 */
    },
    .filter = {
      .model = GCC_FILTER_MODEL_CAPACITY,
      .stable = GCC_FILTER_STABLE_GAMMA,        /* C13 */
      .inverse_capacity_0 = 8. / 512.,          /* ms/byte, C13: 512 kbit/s */
      .m_0 = 0.,                                /* ms, C13 */
      .E_0 = { 100., 0.1 },                     /* C13 */
      .Q = { 1e-10, 1e-2 },                     /* per 33.3 ms, C13 */
      .Q_period_ms = 1000. / 30.,               /* ms, C13 */
      .Q_boost = 10.,                           /* C13 */
      .var_0 = 50.,                             /* ms², C13 */
      .var_min = 1e-7,                          /* ms², C13 */
      .chi_rate = 30.,                          /* groups/s, C13 */
      .chi_start = 0.01,                        /* C13 */
      .chi = 0.002,                             /* C13 */
      .n_start = 300,                           /* frames, C13 */
      .f_max_groups = 60,                       /* frames, C13 */
      .max_deviations = 3.,                     /* C13 */
      .clips_to_positive = TRUE,                /* C13 */
    },
    .detector = {
      .gamma_0 = 25.,                           /* ms, C13; PV13: 25/60 */
      .min_deltas = 2,                          /* deltas, C13 */
      .n_max = 60,                              /* deltas, C13 */
      .gamma_halves = TRUE,                     /* C13 */
      .overuse_time_ms = 100.,                  /* ms, C13 */
      .min_overuses = 2,                        /* frames, C13 */
    },
  },
  .received_rate = {
    .window = 500 * GCC_MSECOND,              /* C13 */
    .grows = FALSE,                           /* C13 */
  },
  .rate_control = {
    .initial_state = GCC_RATE_CONTROL_HOLD,   /* C13 */
    .rests_in_hold = TRUE,                    /* C13 */
    .initial_time = 500 * GCC_MSECOND,        /* C13 */
    .min_rate = 30000,                        /* bit/s, C13 */
    .initial_rate = 30000000,                 /* bit/s, C13 */
    .beta = 0.9,                              /* C13 */
    .beta_near_max = 0.95,                    /* C13 */
    GOOG_CAPACITY,
    .unknown_deviations = 3.,                 /* C13 */
    .rtt = 200 * GCC_MSECOND,                 /* C13 */
    .response_delay = 300 * GCC_MSECOND,      /* C13 */
    .reduce_ratio = 2.05,                     /* C13 */
    .min_reduce_interval = 10 * GCC_MSECOND,  /* C13 */
    .max_reduce_interval = 200 * GCC_MSECOND, /* C13 */
    .mimd = &mimd,
  },
  .receiver = {
    .first_interval = 1 * GCC_SECOND,         /* C13 */
    .min_interval = 1 * GCC_SECOND,           /* C13 */
    .max_interval = 1 * GCC_SECOND,           /* C13 */
    .stream_timeout = 2 * GCC_SECOND,         /* C13 */
    .silence_resets = TRUE,                   /* C13 */
  },
  .remb = {
    .interval = 1 * GCC_SECOND,               /* C13, PV13 */
    .drop = 0.97,                             /* C13, PV13 */
    .early = FALSE,                           /* C13 */
  },
  .loss_reporter = {
    .interval = 1 * GCC_SECOND,               /* C13 */
  },
  .loss = {
    .p_low = 0.02,                            /* C13, PV13 */
    .p_high = 26. / 256.,                     /* C13; PV13: 0.1 */
    .increase = 1.08,                         /* C13; PV13: 1.05 */
    .increase_offset = 1000,                  /* bit/s, C13 */
    .increase_interval = 1 * GCC_SECOND,      /* C13 */
    .decrease = 0.5,                          /* C13, PV13 */
    .decrease_interval = 300 * GCC_MSECOND,   /* C13 */
    .reports.min_packets = 20,                /* packets, C13 */
    .reports.first_block_counts = TRUE,       /* C13 */
    .tfrc_packet = 1000,                      /* bytes, C13 */
    .tfrc_raises = TRUE,                      /* C13; PV13, eq. (1) */
    .reports.interval = 1 * GCC_SECOND,       /* C13 */
  },
  GOOG_FEEDBACK_WATCH (1. /* C13: never */),
  GOOG_PROTECTION (0),
  ENCODER_RATE (0), /* C13: each change */
  GOOG_TRANSPORT_FEEDBACK,
  GOOG_PACER (2.5 /* C13 */),
};
