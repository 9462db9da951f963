//! The metrics, and how they are recorded.

use std::sync::Arc;
use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry::metrics::{Counter, Histogram, Meter};

use crate::names::{self, MetricRow};
use crate::queue::SpanQueue;

/// Bounds that the conventions set: tokens, then calls of models and tools, then turns, in seconds.
const TOKENS: &[f64] = &[
    1.0,
    4.0,
    16.0,
    64.0,
    256.0,
    1024.0,
    4096.0,
    16_384.0,
    65_536.0,
    262_144.0,
    1_048_576.0,
    4_194_304.0,
    16_777_216.0,
    67_108_864.0,
];
const CALLS: &[f64] =
    &[0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const TURNS: &[f64] = &[0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 51.2, 102.4, 204.8, 409.6];

/// Bounds of the times that people take, from a second to a day.
const PEOPLE: &[f64] = &[1.0, 5.0, 15.0, 30.0, 60.0, 300.0, 900.0, 3600.0, 14_400.0, 43_200.0, 86_400.0];

/// All metrics.
#[derive(Debug)]
pub(crate) struct Instruments {
    pub(crate) token_usage: Histogram<u64>,
    pub(crate) operation_duration: Histogram<f64>,
    pub(crate) first_chunk: Histogram<f64>,
    pub(crate) agent_duration: Histogram<f64>,
    pub(crate) tool_duration: Histogram<f64>,
    pub(crate) permission_wait: Histogram<f64>,
    pub(crate) input_wait: Histogram<f64>,
    pub(crate) tokens: Counter<u64>,
    pub(crate) cost: Counter<f64>,
    pub(crate) started: Counter<u64>,
    pub(crate) ended: Counter<u64>,
}

impl Instruments {
    /// The metrics of a meter, and the count of spans that the queue has lost.
    pub(crate) fn new(meter: &Meter, queue: Arc<SpanQueue>) -> Self {
        let times = |row: MetricRow, bounds: &[f64]| {
            meter
                .f64_histogram(row.name)
                .with_unit(row.unit)
                .with_description(row.about)
                .with_boundaries(bounds.to_vec())
                .build()
        };
        let counter = |row: MetricRow| {
            meter.u64_counter(row.name).with_unit(row.unit).with_description(row.about).build()
        };
        let row = names::DROPPED;
        // The provider keeps what it calls.
        let _ = meter
            .u64_observable_counter(row.name)
            .with_unit(row.unit)
            .with_description(row.about)
            .with_callback(move |observer| observer.observe(queue.dropped(), &[]))
            .build();
        let (usage, cost) = (names::TOKEN_USAGE, names::COST);
        Instruments {
            token_usage: meter
                .u64_histogram(usage.name)
                .with_unit(usage.unit)
                .with_description(usage.about)
                .with_boundaries(TOKENS.to_vec())
                .build(),
            operation_duration: times(names::OPERATION_DURATION, CALLS),
            first_chunk: times(names::FIRST_CHUNK, CALLS),
            agent_duration: times(names::AGENT_DURATION, TURNS),
            tool_duration: times(names::TOOL_DURATION, CALLS),
            permission_wait: times(names::PERMISSION_WAIT, PEOPLE),
            input_wait: times(names::INPUT_WAIT, PEOPLE),
            tokens: counter(names::TOKENS),
            cost: meter.f64_counter(cost.name).with_unit(cost.unit).with_description(cost.about).build(),
            started: counter(names::STARTED),
            ended: counter(names::ENDED),
        }
    }
}

/// Records a time.
pub(crate) fn record_time(histogram: &Histogram<f64>, time: Duration, attributes: &[KeyValue]) {
    histogram.record(time.as_secs_f64(), attributes);
}
