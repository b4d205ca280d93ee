/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/gcc-profile.h>

/* Sources, as they are named behind each number:
 *
 * C13     libwebrtc of August 2013, which both 2013 papers measured
 * C15     libwebrtc of July 2015 to March 2016
 * C20     libwebrtc of early 2020, the last generation whose receiver sent REMB
 * PV13    De Cicco, Carlucci, Mascolo: on the dynamic behaviour of GCC, Packet
 *         Video Workshop 2013
 * CCR16   Carlucci, De Cicco, Mascolo: on the interplay of AQM and GCC,
 *         Computer Communication Review 2016
 * G02     draft-ietf-rmcat-gcc-02
 * D02     draft-alvestrand-rmcat-congestion-02
 * ours    where none of them says anything
 *
 * gst-2026 is goog-2020 but for four numbers. Over-use is m times min (n, 60)
 * above gamma, m being the growth of the queue per packet group. What 2020 took
 * for gamma suits groups of 5 ms, of which there are about a hundred a second;
 * without abs-send-time a group is a frame, there are thirty, and the same
 * number of milliseconds stands for a third of the growth per second: two large
 * frames in a row are over-use. 2013, whose groups were frames, has the numbers
 * for them. The gains of gamma are those of CCR16, which says what for: beside
 * TCP in a long queue gamma has to stay up until the next of TCP's climbs. With
 * those of 2020 it is back at its least in between, and TCP takes it all.
 */

/* The stages of goog-2020, and of gst-2026 but for the numbers given. */
#define GOOG_2020_GROUP \
  .group = { \
    .grouping = GCC_GROUPING_BURST, \
    .abs_send_time = TRUE,          /* C20 */ \
    .max_without = 30,              /* packets, C20 */ \
    .burst_time = 5 * GCC_MSECOND,  /* C20 */ \
    .max_burst = 100 * GCC_MSECOND, /* C20 */ \
    .max_jump = 3 * GCC_SECOND,     /* C20 */ \
    .max_reordered = 3,             /* groups, C20 */ \
  }

#define GOOG_2020_FILTER \
  .filter = { \
    .model = GCC_FILTER_MODEL_CAPACITY, \
    .calm = GCC_FILTER_CALM_SIGNAL,  /* C20 */ \
    .inverse_capacity_0 = 8. / 512., /* ms/byte, C20: 512 kbit/s */ \
    .m_0 = 0.,                       /* ms, C20 */ \
    .E_0 = { 100., 0.1 },            /* C20 */ \
    .Q = { 1e-13, 1e-3 },            /* per group, C20 */ \
    .Q_period_ms = 0.,               /* unscaled, C20 */ \
    .Q_boost = 10.,                  /* C20 */ \
    .var_0 = 50.,                    /* ms², C20 */ \
    .var_min = 1.,                   /* ms², C20 */ \
    .chi_start = 0.01,               /* C20 */ \
    .chi = 0.002,                    /* C20 */ \
    .n_start = 300,                  /* groups, C20 */ \
    .f_max_groups = 60,              /* groups, C20 */ \
  }

#define GOOG_2020_REMB_PROBE \
  .remb_probe = { \
    .max_packets = 15,          /* packets, C20 */ \
    .max_unpaced_size = 200,    /* bytes, C20 */ \
    .duration = 2 * GCC_SECOND, /* C20 */ \
    .min_gaps = 4,              /* gaps, C20 */ \
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

#define GOOG_2020_FEEDBACK \
  .feedback = { \
    .first_interval = 500 * GCC_MSECOND, /* C20 */ \
    .min_interval = 200 * GCC_MSECOND,   /* C20 */ \
    .max_interval = 1000 * GCC_MSECOND,  /* C20 */ \
    .stream_timeout = 2 * GCC_SECOND,    /* C20 */ \
    .remb_interval = 200 * GCC_MSECOND,  /* C20 */ \
    .remb_drop = 0.97,                   /* C20 */ \
    .remb_early = TRUE,                  /* C20 */ \
    .report_interval = 1 * GCC_SECOND,   /* C20 */ \
  }

#define GOOG_2020_LOSS \
  .loss = { \
    .p_low = 0.02,                          /* C20 */ \
    .p_high = 0.10,                         /* C20 */ \
    .increase = 1.08,                       /* C20 */ \
    .increase_offset = 1000,                /* bit/s, C20 */ \
    .increase_interval = 1 * GCC_SECOND,    /* C20 */ \
    .increase_from_min = TRUE,              /* C20 */ \
    .decrease = 0.5,                        /* C20 */ \
    .decrease_interval = 300 * GCC_MSECOND, /* C20 */ \
    .min_packets = 20,                      /* packets, C20 */ \
    .start_phase = 2 * GCC_SECOND,          /* C20 */ \
    .report_timeout = 6 * GCC_SECOND,       /* C20: 1.2 · 5 s */ \
    .max_rtt = 3 * GCC_SECOND,              /* C20 */ \
    .max_rtt_decrease = 0.8,                /* C20 */ \
    .max_rtt_interval = 1 * GCC_SECOND,     /* C20 */ \
    .tick = 25 * GCC_MSECOND,               /* C20 */ \
    .report_interval = 1 * GCC_SECOND,      /* C20 */ \
  }

#define GOOG_2020_DETECTOR(gamma_min_ms, gain_up, gain_down) \
  .detector = { \
    .gamma_0 = 12.5, /* ms, C20 */ \
    .n_max = 60,     /* deltas, C20 */ \
    .k_u = (gain_up), \
    .k_d = (gain_down), \
    .gamma_min = (gamma_min_ms), \
    .gamma_max = 600.,           /* ms, C20 */ \
    .max_excess = 15.,           /* ms, C20 */ \
    .max_dt = 100 * GCC_MSECOND, /* C20 */ \
    .overuse_time_ms = 10.,      /* ms, C20 */ \
    .min_overuses = 2,           /* groups, C20 */ \
  }

#define GOOG_2020_RATE_CONTROL(any_beta) \
  .rate_control = { \
    .law = GCC_RATE_CONTROL_AIMD, \
    .initial_state = GCC_RATE_CONTROL_HOLD, /* C20 */ \
    .rests_in_hold = TRUE,                  /* C20 */ \
    .initial_time = 5 * GCC_SECOND,         /* C20 */ \
    .min_rate = 5000,                       /* bit/s, C20 */ \
    .initial_rate = 30000000,               /* bit/s, C20 */ \
    .beta = (any_beta), \
    .beta_near_max = (any_beta), \
    .rtt = 200 * GCC_MSECOND,            /* C20 */ \
    .response_delay = 100 * GCC_MSECOND, /* C20 */ \
    .min_increase = 1000,                /* bit/s, C20 */ \
    .max_ratio = 1.5,                    /* C20 */ \
    .max_ratio_offset = 10000.,          /* bit/s, C20 */ \
    .reduce_ratio = 2.,                  /* C20 */ \
    .eta = 1.08,                         /* per s, C20 */ \
    .additive_packets = 0.5,             /* packets, C20 */ \
    .min_additive_rate = 4000.,          /* bit/s per s, C20 */ \
  }

/* Of all profiles: the later generations are not known to have had others. */
#define GOOG_PROTECTION(any_pacing_factor) \
  .protection = { \
    .window = 1000 * GCC_MSECOND,                   /* C13 */ \
    .max_share = 0.5,                               /* C13 */ \
    .resend_delay = 5 * GCC_MSECOND,                /* C13 */ \
    .loss_window = 1 * GCC_SECOND,                  /* C13 */ \
    .loss_windows = 10,                             /* windows, C13 */ \
    .max_percentage = 50,                           /* C13: 128/255 */ \
    .nack_only_rtt = 20 * GCC_MSECOND,              /* C13 */ \
    .small_frame_rtt = 200 * GCC_MSECOND,           /* C13 */ \
    .small_frame_pixels = { 352 * 288, 640 * 480 }, /* C13 */ \
    .small_frame_bytes = { 400, 700, 1000 },        /* bytes, C13 */ \
    .pacing_factor = (any_pacing_factor), \
    .burst_time = 5 * GCC_MSECOND, /* C13 */ \
    .max_late = 30 * GCC_MSECOND,  /* C13 */ \
  }

const GccProfile gcc_profiles[] = {
  /* The default. */
  {
    .name = "gst-2026",
    .description = "goog-2020 for streams without abs-send-time: groups are "
        "frames, so the threshold and beta are those of 2013, its gains of 2016",
    GOOG_2020_GROUP,
    GOOG_2020_FILTER,
    GOOG_2020_DETECTOR (12.5 /* C13 near the maximum */,
        0.01 /* 1/ms, CCR16 */, 0.00018 /* 1/ms, CCR16 */),
    GOOG_2020_REMB_PROBE,
    GOOG_2020_RECEIVED_RATE,
    GOOG_2020_RATE_CONTROL (0.9 /* C13 */),
    GOOG_2020_FEEDBACK,
    GOOG_2020_LOSS,
    GOOG_PROTECTION (0. /* ours */),
  },
  {
    .name = "goog-2020",
    .description = "libwebrtc's last REMB generation: 5 ms groups, adaptive "
        "threshold, AIMD",
    GOOG_2020_GROUP,
    GOOG_2020_FILTER,
    GOOG_2020_DETECTOR (
        6. /* C20 */, 0.0087 /* 1/ms, C20 */, 0.039 /* 1/ms, C20 */),
    GOOG_2020_REMB_PROBE,
    GOOG_2020_RECEIVED_RATE,
    GOOG_2020_RATE_CONTROL (0.85 /* C20 */),
    GOOG_2020_FEEDBACK,
    GOOG_2020_LOSS,
    GOOG_PROTECTION (0. /* ours */),
  },
  {
    .name = "rtcweb-2013",
    .description = "What both 2013 papers measured: frames, static threshold, "
        "MIMD with regions, TFRC floor",
    .group = {
      .grouping = GCC_GROUPING_FRAME,           /* C13 */
    },
    .filter = {
      .model = GCC_FILTER_MODEL_CAPACITY,
      .calm = GCC_FILTER_CALM_GAMMA,            /* C13 */
      .inverse_capacity_0 = 8. / 512.,          /* ms/byte, C13: 512 kbit/s */
      .m_0 = 0.,                                /* ms, C13 */
      .E_0 = { 100., 0.1 },                     /* C13 */
      .Q = { 1e-10, 1e-2 },                     /* per 33.3 ms, C13 */
      .Q_period_ms = 1000. / 30.,               /* ms, C13 */
      .Q_boost = 10.,                           /* C13 */
      .var_0 = 50.,                             /* ms², C13 */
      .var_min = 1e-7,                          /* ms², C13 */
      .chi_start = 0.01,                        /* C13 */
      .chi = 0.002,                             /* C13 */
      .n_start = 300,                           /* frames, C13 */
      .f_max_groups = 60,                       /* frames, C13 */
      .sign_lost = TRUE,                        /* C13 */
    },
    .detector = {
      .gamma_0 = 25.,                           /* ms, C13; PV13: 25/60 */
      .n_max = 60,                              /* deltas, C13 */
      .gamma_halves = TRUE,                     /* C13 */
      .overuse_time_ms = 100.,                  /* ms, C13 */
      .min_overuses = 2,                        /* frames, C13 */
    },
    .received_rate = {
      .window = 500 * GCC_MSECOND,              /* C13 */
      .grows = FALSE,                           /* C13 */
    },
    .rate_control = {
      .law = GCC_RATE_CONTROL_MIMD,
      .initial_state = GCC_RATE_CONTROL_HOLD,   /* C13 */
      .rests_in_hold = TRUE,                    /* C13 */
      .initial_time = 500 * GCC_MSECOND,        /* C13 */
      .min_rate = 30000,                        /* bit/s, C13 */
      .initial_rate = 30000000,                 /* bit/s, C13 */
      .beta = 0.9,                              /* C13 */
      .beta_near_max = 0.95,                    /* C13 */
      .rtt = 200 * GCC_MSECOND,                 /* C13 */
      .response_delay = 300 * GCC_MSECOND,      /* C13 */
      .min_increase = 1000,                     /* bit/s, C13 */
      .max_ratio = 1.5,                         /* C13 */
      .max_ratio_received = 100000,             /* bit/s, C13 */
      .max_ratio_rate = 150000,                 /* bit/s, C13 */
      .reduce_ratio = 2.05,                     /* C13 */
      .eta_min = 1.005,                         /* per s, C13, PV13 */
      .eta_max = 1.3,                           /* per s, C13, PV13 */
      .B = 0.0407,                              /* C13 */
      .b = 0.0025,                              /* 1/ms, C13 */
      .d = 0.85,                                /* C13 */
      .c1 = -6700. / (33. * 33.),               /* 1/ms, C13 */
      .c2 = 800.,                               /* ms, C13 */
    },
    .feedback = {
      .first_interval = 1 * GCC_SECOND,         /* C13 */
      .min_interval = 1 * GCC_SECOND,           /* C13 */
      .max_interval = 1 * GCC_SECOND,           /* C13 */
      .stream_timeout = 2 * GCC_SECOND,         /* C13 */
      .silence_resets = TRUE,                   /* C13 */
      .remb_interval = 1 * GCC_SECOND,          /* C13, PV13 */
      .remb_drop = 0.97,                        /* C13, PV13 */
      .remb_early = FALSE,                      /* C13 */
      .report_interval = 1 * GCC_SECOND,        /* C13 */
    },
    .loss = {
      .p_low = 0.02,                            /* C13, PV13 */
      .p_high = 26. / 256.,                     /* C13; PV13: 0.1 */
      .increase = 1.08,                         /* C13; PV13: 1.05 */
      .increase_offset = 1000,                  /* bit/s, C13 */
      .increase_interval = 1 * GCC_SECOND,      /* C13 */
      .decrease = 0.5,                          /* C13, PV13 */
      .decrease_interval = 300 * GCC_MSECOND,   /* C13 */
      .min_packets = 20,                        /* packets, C13 */
      .first_block_counts = TRUE,               /* C13 */
      .tfrc_packet = 1000,                      /* bytes, C13 */
      .report_interval = 1 * GCC_SECOND,        /* C13 */
    },
    GOOG_PROTECTION (2.5 /* C13 */),
  },
  {
    .name = "rmcat-2016",
    .description = "The AQM paper of 2016: adaptive threshold, AIMD, loss "
        "controller without TFRC",
    .group = {
      .grouping = GCC_GROUPING_BURST,           /* C15; CCR16: frames */
      .abs_send_time = TRUE,                    /* C15 */
      .max_without = 30,                        /* packets, ours, as C20 */
      .burst_time = 5 * GCC_MSECOND,            /* C15 */
      .max_burst = 100 * GCC_MSECOND,           /* ours, as C20 */
      .max_jump = 3 * GCC_SECOND,               /* ours, as C20 */
      .max_reordered = 3,                       /* groups, ours, as C20 */
    },
    .filter = {
      .model = GCC_FILTER_MODEL_CAPACITY,       /* CCR16, eq. (3) */
      .calm = GCC_FILTER_CALM_SIGNAL,           /* C15 */
      .inverse_capacity_0 = 8. / 512.,          /* ms/byte, C15: 512 kbit/s */
      .m_0 = 0.,                                /* ms, C15 */
      .E_0 = { 100., 0.1 },                     /* C15 */
      .Q = { 1e-13, 1e-3 },                     /* per group, C15 */
      .Q_boost = 10.,                           /* C15 */
      .var_0 = 50.,                             /* ms², C15 */
      .var_min = 1.,                            /* ms², C15 */
      .chi_start = 0.01,                        /* C15 */
      .chi = 0.002,                             /* C15 */
      .n_start = 300,                           /* groups, C15 */
      .f_max_groups = 60,                       /* groups, C15 */
    },
    .detector = {
      .gamma_0 = 12.5,                          /* ms, C15, G02 */
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
      .rtt = 200 * GCC_MSECOND,                 /* C15 */
      .response_delay = 100 * GCC_MSECOND,      /* C15 */
      .min_increase = 1000,                     /* bit/s, C15 */
      .max_ratio = 1.5,                         /* CCR16 */
      .reduce_ratio = 2.,                       /* C15 */
      .eta = 1.08,                              /* per s, C15; CCR16: 1.005
                                                   to 1.3 */
      .additive_packets = 0.5,                  /* packets, C15 */
      .min_additive_rate = 4000.,               /* bit/s per s, C15 */
    },
    .feedback = {
      .first_interval = 500 * GCC_MSECOND,      /* C15 */
      .min_interval = 200 * GCC_MSECOND,        /* C15 */
      .max_interval = 1000 * GCC_MSECOND,       /* C15 */
      .stream_timeout = 2 * GCC_SECOND,         /* C15 */
      .remb_interval = 200 * GCC_MSECOND,       /* C15 */
      .remb_drop = 0.97,                        /* C15 */
      .remb_early = TRUE,                       /* C15 */
      .report_interval = 1 * GCC_SECOND,        /* C15 */
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
    GOOG_PROTECTION (2.5 /* C15 */),
  },
  {
    .name = "draft-gcc-02",
    .description = "The last draft to the letter, with m not scaled by the "
        "number of deltas: for study, it lets queues grow",
    .group = {
      .grouping = GCC_GROUPING_BURST,           /* G02, section 5.2 */
      .abs_send_time = TRUE,                    /* G02, section 5.2 */
      .max_without = 30,                        /* packets, ours, as C20 */
      .burst_time = 5 * GCC_MSECOND,            /* G02, section 5.2 */
      .max_burst = 100 * GCC_MSECOND,           /* ours, as C20 */
      .max_jump = 3 * GCC_SECOND,               /* ours, as C20 */
      .max_reordered = 3,                       /* groups, ours, as C20 */
    },
    .filter = {
      .model = GCC_FILTER_MODEL_GRADIENT,       /* G02, section 5.3 */
      .calm = GCC_FILTER_CALM_ALWAYS,           /* G02, section 5.3 */
      .m_0 = 0.,                                /* ms, ours */
      .E_0 = { 0., 0.1 },                       /* e(0), G02 */
      .Q = { 0., 1e-3 },                        /* q per group, G02 */
      .var_0 = 50.,                             /* ms², ours, as C20 */
      .var_min = 1.,                            /* ms², G02 */
      .chi_start = 0.01,                        /* G02: 0.1 to 0.001 */
      .chi = 0.01,                              /* G02: 0.1 to 0.001 */
      .f_max_groups = 60,                       /* K, ours, as C20 */
      .zero_mean = TRUE,                        /* G02 */
    },
    .detector = {
      .gamma_0 = 12.5,                          /* ms, G02 */
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
    .received_rate = {
      .window = 1 * GCC_SECOND,                 /* T, G02: 0.5 to 1 s */
      .grows = TRUE,                            /* ours, as C20 */
    },
    .rate_control = {
      .law = GCC_RATE_CONTROL_AIMD,             /* G02, section 5.5 */
      .initial_state = GCC_RATE_CONTROL_INCREASE, /* G02 */
      .rests_in_hold = FALSE,                   /* G02 */
      .initial_time = 1 * GCC_SECOND,           /* ours: one window */
      .min_rate = 5000,                         /* bit/s, ours, as C20 */
      .initial_rate = 30000000,                 /* bit/s, ours, as C20 */
      .beta = 0.85,                             /* G02 */
      .beta_near_max = 0.85,                    /* G02 */
      .rtt = 200 * GCC_MSECOND,                 /* ours, as C20 */
      .response_delay = 100 * GCC_MSECOND,      /* G02 */
      .max_ratio = 1.5,                         /* G02 */
      .reduce_ratio = 2.,                       /* ours, as C20 */
      .eta = 1.08,                              /* per s, G02 */
      .additive_packets = 0.5,                  /* α, G02 */
      .min_additive_step = 1000.,               /* bit/s, G02 */
      .max_additive_responses = 1.,             /* G02 */
    },
    .feedback = {
      .first_interval = 300 * GCC_MSECOND,      /* G02: one response time */
      .min_interval = 300 * GCC_MSECOND,        /* G02: one response time */
      .max_interval = 300 * GCC_MSECOND,        /* G02: one response time */
      .stream_timeout = 2 * GCC_SECOND,         /* ours, as C20 */
      .remb_interval = 1 * GCC_SECOND,          /* G02, section 4 */
      .remb_drop = 1.,                          /* G02: when congested */
      .remb_early = TRUE,                       /* G02 */
      .report_interval = 1 * GCC_SECOND,        /* G02 */
    },
    .loss = {
      .p_low = 0.02,                            /* G02, section 6 */
      .p_high = 0.10,                           /* G02, section 6 */
      .increase = 1.05,                         /* G02, section 6 */
      .decrease = 0.5,                          /* G02, section 6 */
      .decrease_interval = GCC_TIME_NONE,       /* G02: every report */
      .report_interval = 1 * GCC_SECOND,        /* ours, as C20 */
    },
    GOOG_PROTECTION (0. /* ours */),
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
