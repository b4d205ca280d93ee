/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/profiles/gcc-profile-private.h>

/* Sources, as they are named beside each number:
 *
 * C13     libwebrtc of August 2013, which both 2013 papers measured
 * C15     libwebrtc of December 2015
 * C16     libwebrtc of March to November 2016
 * C20     libwebrtc of early 2020, the last generation whose receiver sent REMB
 * C26     libwebrtc of July 2026 (branch 7871), whose sender measures
 * PV13    De Cicco, Carlucci, Mascolo: on the dynamic behaviour of GCC, Packet
 *         Video Workshop 2013
 * CCR16   Carlucci, De Cicco, Mascolo: on the interplay of AQM and GCC,
 *         Computer Communication Review 2016
 * G02     draft-ietf-rmcat-gcc-02
 * D02     draft-alvestrand-rmcat-congestion-02
 * Prague  draft-briscoe-iccrg-prague-congestion-control-04
 * ours    where none of them says anything
 *
 * What several generations have in common stands here. */

/* Of all profiles: no other numbers of the later generations are known. */
#define GOOG_FEC_NUMBERS \
  .loss_window = 1 * GCC_SECOND,                      /* C13 */ \
      .loss_windows = 10,                             /* windows, C13 */ \
      .deviations = 1.,                               /* ours */ \
      .nack_only_rtt = 20 * GCC_MSECOND,              /* C13 */ \
      .small_frame_rtt = 200 * GCC_MSECOND,           /* C13 */ \
      .small_frame_pixels = { 352 * 288, 640 * 480 }, /* C13 */ \
      .small_frame_bytes = { 400, 700, 1000 }         /* bytes, C13 */

#define GOOG_SHARE(any_max_age) \
  .sent_rates = { \
    .window = 1000 * GCC_MSECOND, /* C13 */ \
  }, \
  .protection = { \
    .max_share = 0.5, /* C13 */ \
  }, \
  .retransmission = { \
    .window = 1000 * GCC_MSECOND,    /* C13 */ \
    .min_budget = 1500,              /* bytes, ours: a large packet */ \
    .resend_delay = 5 * GCC_MSECOND, /* C13 */ \
    .max_age = (any_max_age), \
  }

#define GOOG_PROTECTION(any_max_age) \
  GOOG_SHARE (any_max_age), \
      .fec = { \
        GOOG_FEC_NUMBERS, .max_percentage = 50, /* C13: 128/255 */ \
      }

#define ENCODER_RATE_PARTS(any_cost) \
  .cost = (any_cost), .min_fall = 0.3, /* ours */ \
      .min_rise = 0.12, /* ours: a rate that grows is never a fifth ahead */ \
      .memory = 60 * GCC_SECOND /* ours: falls are counted a minute */

#define ENCODER_RATE(any_cost) \
  .encoder_rate = { \
    ENCODER_RATE_PARTS (any_cost), \
  }

#define GOOG_PACER_GROUPS(any_factor) \
  .factor = (any_factor), .burst_time = 5 * GCC_MSECOND, /* C13 */ \
      .max_late = 30 * GCC_MSECOND                       /* C13 */

#define GOOG_PACER(any_factor) \
  .pacer = { \
    GOOG_PACER_GROUPS (any_factor), \
  }

/* Of all profiles. C26 is libwebrtc of 2026. */
#define GOOG_TRANSPORT_FEEDBACK \
  .feedback_use = { \
    .timeout = 2 * GCC_SECOND,            /* ours */ \
    .number_timeout = 800 * GCC_MSECOND,  /* ours */ \
    .max_gap = 200 * GCC_MSECOND,         /* ours */ \
  }, \
  .feedback_trigger = { \
    .interval = 50 * GCC_MSECOND,  /* C26: its shortest */ \
    .max_wait = 100 * GCC_MSECOND, /* ours */ \
    .hold = 10 * GCC_SECOND,       /* ours */ \
    .timeout = 2 * GCC_SECOND,     /* ours */ \
    .retry = 60 * GCC_SECOND,      /* ours */ \
  }

/* Of all profiles. Standard deviations of 14 to 35 kbit/s at 500 kbit/s. */
#define GOOG_CAPACITY \
  .capacity = { \
    .weight = 0.05,      /* C13, C20, G02 */ \
    .min_variance = 0.4, /* kbit/s, C13, C20 */ \
    .max_variance = 2.5, /* kbit/s, C13, C20 */ \
  }

/* Of all profiles. RFC 3550 (section 6.2) has a report once in five seconds
 * where nothing else is said, and section 6.3.1 spreads that to up to 6.2 s: a
 * first silence is longer. libwebrtc has "three times 5 s, then 0.8 each
 * second" since 2015, in a field trial that is off unless asked for. */
#define GOOG_FEEDBACK_WATCH(any_decrease) \
  .feedback_watch = { \
    .intervals = 5,                       /* RFC 3550, section 6.3.5 */ \
    .first_interval = 1400 * GCC_MSECOND, /* ours: 7 s of silence */ \
    .min_interval = 1 * GCC_SECOND,       /* ours: 5 s of silence */ \
    .max_interval = 10 * GCC_SECOND,      /* ours */ \
    .max_gap = 1 * GCC_SECOND,            /* ours */ \
    .decrease = (any_decrease), \
    .decrease_interval = 1 * GCC_SECOND, /* C20, where it is on */ \
  }

/* When transport-wide feedback, some 20 messages a second, has ended. Reports
 * and REMBs then take over. */
#define GOOG_TRANSPORT_WATCH \
  .transport_watch = { \
    .intervals = 10,                     /* ours */ \
    .first_interval = 100 * GCC_MSECOND, /* ours: 1 s of silence */ \
    .min_interval = 100 * GCC_MSECOND,   /* ours */ \
    .max_interval = 500 * GCC_MSECOND,   /* ours: 5 s */ \
    .max_gap = 500 * GCC_MSECOND,        /* ours */ \
    .decrease = 1., \
    .decrease_interval = 1 * GCC_SECOND, \
  }

/* The stages of goog-2020, and of recommended but for the numbers given. */
#define GOOG_2020_GROUP \
  .group = { \
    .grouping = GCC_GROUPING_BURST, \
    .burst_time = 5 * GCC_MSECOND,  /* C20 */ \
    .max_burst = 100 * GCC_MSECOND, /* C20 */ \
    .max_jump = 3 * GCC_SECOND,     /* C20 */ \
    .max_reordered = 3,             /* groups, C20 */ \
  }

#define GOOG_2020_FILTER \
  .filter = { \
    .model = GCC_FILTER_MODEL_CAPACITY, \
    .stable = GCC_FILTER_STABLE_SIGNAL, /* C20 */ \
    .inverse_capacity_0 = 8. / 512.,    /* ms/byte, C20: 512 kbit/s */ \
    .m_0 = 0.,                          /* ms, C20 */ \
    .E_0 = { 100., 0.1 },               /* C20 */ \
    .Q = { 1e-13, 1e-3 },               /* per group, C20 */ \
    .Q_period_ms = 0.,                  /* unscaled, C20 */ \
    .Q_boost = 10.,                     /* C20 */ \
    .var_0 = 50.,                       /* ms², C20 */ \
    .var_min = 1.,                      /* ms², C20 */ \
    .chi_rate = 30.,                    /* groups/s, C20 */ \
    .chi_start = 0.01,                  /* C20 */ \
    .chi = 0.002,                       /* C20 */ \
    .n_start = 300,                     /* groups, C20 */ \
    .f_max_groups = 60,                 /* groups, C20 */ \
    .max_deviations = 3.,               /* C20 */ \
  }

#define GOOG_2020_DETECTOR(overuse_ms) \
  .detector = { \
    .gamma_0 = 12.5,             /* ms, C20 */ \
    .min_deltas = 2,             /* deltas, C20 */ \
    .n_max = 60,                 /* deltas, C20 */ \
    .k_u = 0.0087,               /* 1/ms, C20 */ \
    .k_d = 0.039,                /* 1/ms, C20 */ \
    .gamma_min = 6.,             /* ms, C20 */ \
    .gamma_max = 600.,           /* ms, C20 */ \
    .max_excess = 15.,           /* ms, C20 */ \
    .max_dt = 100 * GCC_MSECOND, /* C20 */ \
    .overuse_time_ms = (overuse_ms), \
    .min_overuses = 2, /* groups, C20 */ \
  }

#define GOOG_2020_REMB_PROBE \
  .remb_probe = { \
    .max_packets = 15,          /* packets, C20 */ \
    .max_unpaced_size = 200,    /* bytes, C20 */ \
    .duration = 2 * GCC_SECOND, /* C20 */ \
    .min_gaps = 4,              /* gaps, C20 */ \
    .min_gap_ms = 1.,           /* ms, C20 */ \
    .max_deviation_ms = 2.5,    /* ms, C20 */ \
    .max_growth_ms = 2.,        /* ms, C20 */ \
    .max_drain_ms = 5.,         /* ms, C20 */ \
    .expected_clusters = 3,     /* C20 */ \
  }

#define GOOG_2020_RECEIVED_RATE \
  .received_rate = { \
    .window = 1 * GCC_SECOND, /* C20 */ \
    .grows = TRUE,            /* C20 */ \
  }

#define GOOG_2020_AIMD(ratio) \
  .eta = 1.08,                                         /* per s, C20 */ \
      .max_eta_time = 1 * GCC_SECOND,                  /* C20 */ \
      .min_increase = 1000,                            /* bit/s, C20 */ \
      .frame_rate = 30.,                               /* 1/s, C20 */ \
      .packet_size = 1200.,                            /* bytes, C20 */ \
      .additive_packets = 0.5,                         /* packets, C20 */ \
      .min_additive_rate = 4000.,                      /* bit/s per s, C20 */ \
      .max_ratio = (ratio), .max_ratio_offset = 10000. /* bit/s, C20 */

#define GOOG_2020_RATE_CONTROL_NUMBERS(any_beta) \
  .initial_state = GCC_RATE_CONTROL_HOLD, /* C20 */ \
      .rests_in_hold = TRUE,              /* C20 */ \
      .min_rate = 5000,                   /* bit/s, C20 */ \
      .initial_rate = 30000000,           /* bit/s, C20 */ \
      .beta = (any_beta), .beta_near_max = (any_beta), GOOG_CAPACITY, \
  .unknown_deviations = 3.,                    /* C20 */ \
      .rtt = 200 * GCC_MSECOND,                /* C20 */ \
      .response_delay = 100 * GCC_MSECOND,     /* C20 */ \
      .reduce_ratio = 2.,                      /* C20 */ \
      .min_reduce_interval = 10 * GCC_MSECOND, /* C20 */ \
      .max_reduce_interval = 200 * GCC_MSECOND /* C20 */

#define GOOG_2020_RATE_CONTROL(any_beta, ratio) \
  .rate_control = { \
    GOOG_2020_RATE_CONTROL_NUMBERS (any_beta), \
    .initial_time = 5 * GCC_SECOND, /* C20 */ \
    .aimd = { \
      GOOG_2020_AIMD (ratio), \
    }, \
  }

#define GOOG_2020_RECEIVER_NUMBERS \
  .abs_send_time = TRUE,                  /* C20 */ \
      .max_without = 30,                  /* packets, C20 */ \
      .min_interval = 200 * GCC_MSECOND,  /* C20 */ \
      .max_interval = 1000 * GCC_MSECOND, /* C20 */ \
      .feedback_size = 80.,               /* bytes, C20 */ \
      .feedback_share = 0.05,             /* C20 */ \
      .stream_timeout = 2 * GCC_SECOND    /* C20 */

#define GOOG_2020_RECEIVER \
  .receiver = { \
    GOOG_2020_RECEIVER_NUMBERS, .first_interval = 500 * GCC_MSECOND, /* C20 */ \
  }

#define GOOG_2020_LOSS_REPORTER \
  .loss_reporter = { \
    .interval = 1 * GCC_SECOND, /* C20 */ \
  }

#define GOOG_2020_REMB_NUMBERS \
  .interval = 200 * GCC_MSECOND, /* C20 */ \
      .drop = 0.97,              /* C20 */ \
      .early = TRUE              /* C20 */

#define GOOG_2020_REMB \
  .remb = { \
    GOOG_2020_REMB_NUMBERS, \
  }

#define GOOG_2020_LOSS_NUMBERS \
  .p_low = 0.02,                              /* C20 */ \
      .p_high = 0.10,                         /* C20 */ \
      .increase = 1.08,                       /* C20 */ \
      .increase_offset = 1000,                /* bit/s, C20 */ \
      .increase_interval = 1 * GCC_SECOND,    /* C20 */ \
      .increase_from_min = TRUE,              /* C20 */ \
      .decrease = 0.5,                        /* C20 */ \
      .decrease_interval = 300 * GCC_MSECOND, /* C20 */ \
      .reports.min_packets = 20,              /* packets, C20 */ \
      .report_timeout = 6 * GCC_SECOND,       /* C20: 1.2 · 5 s */ \
      .max_rtt = 3 * GCC_SECOND,              /* C20 */ \
      .max_rtt_decrease = 0.8,                /* C20 */ \
      .max_rtt_interval = 1 * GCC_SECOND,     /* C20 */ \
      .tick = 25 * GCC_MSECOND,               /* C20 */ \
      .reports.interval = 1 * GCC_SECOND      /* C20 */

#define GOOG_2020_LOSS \
  .loss = { \
    GOOG_2020_LOSS_NUMBERS, \
  }

#define GOOG_2020_TARGET \
  .target = { \
    .start_phase = 2 * GCC_SECOND, /* C20 */ \
  }

/* All stages of goog-2020, which goog-2026 has where no transport-wide feedback
 * comes. */
#define GOOG_2020_STAGES \
  .delay = { \
    GOOG_2020_GROUP, \
    GOOG_2020_FILTER, \
    GOOG_2020_DETECTOR (10. /* ms, C20 */), \
  }, \
  GOOG_2020_REMB_PROBE, GOOG_2020_RECEIVED_RATE, \
  GOOG_2020_RATE_CONTROL (0.85 /* C20 */, 1.5 /* C20 */), \
  GOOG_2020_RECEIVER, \
  GOOG_2020_REMB, GOOG_2020_LOSS_REPORTER, GOOG_2020_LOSS, GOOG_2020_TARGET, \
  GOOG_FEEDBACK_WATCH (1. /* C20: never */), GOOG_TRANSPORT_FEEDBACK, \
  GOOG_PROTECTION (0), ENCODER_RATE (0)

/* The stages of the sender of goog-2026 over transport-wide feedback. The
 * sender of recommended has the same but for the numbers that are added. */
#define GOOG_2026_PROBE_CONTROLLER \
  .first_scale = 3.,                   /* C26 */ \
      .second_scale = 6.,              /* C26 */ \
      .further_scale = 2.,             /* C26 */ \
      .further_threshold = 0.7,        /* C26 */ \
      .max_wait = 1 * GCC_SECOND,      /* C26 */ \
      .duration = 15 * GCC_MSECOND,    /* C26 */ \
      .min_packets = 5,                /* packets, C26 */ \
      .min_spacing = 2 * GCC_MSECOND,  /* C26 */ \
      .alr_interval = 5 * GCC_SECOND,  /* C26 */ \
      .alr_scale = 2.,                 /* C26 */ \
      .first_allocation_scale = 1.,    /* C26 */ \
      .second_allocation_scale = 2.,   /* C26 */ \
      .allocation_max_scale = 2.,      /* C26 */ \
      .max_allocation_scale = 2.,      /* C26 */ \
      .default_max_rate = 5000000,     /* bit/s, C26 */ \
      .loss_limited_scale = 1.5,       /* C26 */ \
      .drop_ratio = 0.66,              /* C26 */ \
      .drop_probe_scale = 0.85,        /* C26 */ \
      .drop_uncertainty = 0.05,        /* C26 */ \
      .drop_timeout = 5 * GCC_SECOND,  /* C26 */ \
      .drop_interval = 5 * GCC_SECOND, /* C26 */ \
      .alr_timeout = 3 * GCC_SECOND    /* C26 */

#define GOOG_2026_SEND_SIDE \
  .history = &gcc_goog_2026_sent_history, \
  .acknowledged = &gcc_goog_2026_acknowledged_rate, \
  .delay.groups = &gcc_goog_2026_inter_arrival, \
  .prober = &gcc_goog_2026_prober, .alr = &gcc_goog_2026_alr_detector, \
  .loss = &gcc_goog_2026_loss_estimate, \
  .window = &gcc_goog_2026_congestion_window, \
  .backoff = &gcc_goog_2026_rtt_backoff, \
  .overhead = 28,                         /* bytes, C26: IPv4 and UDP */ \
      .delay.timeout = 2 * GCC_SECOND,    /* C26 */ \
      .probe_floor = 0.85,                /* C26 */ \
      .update_interval = 25 * GCC_MSECOND /* C26 */

#define GOOG_2026_RATE_CONTROL \
  .initial_state = GCC_RATE_CONTROL_HOLD,       /* C26 */ \
      .rests_in_hold = TRUE,                    /* C26 */ \
      .initial_time = 5 * GCC_SECOND,           /* C26 */ \
      .min_rate = 5000,                         /* bit/s, C26 */ \
      .initial_rate = 30000000,                 /* bit/s, C26 */ \
      GOOG_CAPACITY, .unknown_deviations = 3.,  /* C26 */ \
      .rtt = 200 * GCC_MSECOND,                 /* C26 */ \
      .response_delay = 100 * GCC_MSECOND,      /* C26 */ \
      .reduce_ratio = 2.,                       /* C26 */ \
      .min_reduce_interval = 10 * GCC_MSECOND,  /* C26 */ \
      .max_reduce_interval = 200 * GCC_MSECOND, /* C26 */ \
      .aimd = { \
        .eta = 1.08,                    /* per s, C26 */ \
        .max_eta_time = 1 * GCC_SECOND, /* C26 */ \
        .min_increase = 1000,           /* bit/s, C26 */ \
        .frame_rate = 30.,              /* 1/s, C26 */ \
        .packet_size = 1200.,           /* bytes, C26 */ \
        .additive_packets = 0.5,        /* packets, C26 */ \
        .min_additive_rate = 4000.,     /* bit/s per s, C26 */ \
        .max_ratio = 1.5,               /* C26 */ \
        .max_ratio_offset = 10000.,     /* bit/s, C26 */ \
      }
