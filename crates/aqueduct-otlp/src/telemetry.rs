use std::fmt;
use std::sync::Arc;
use std::time::SystemTime;

use aqueduct_bridge::telemetry::{ObservedSession, SessionObserver, Telemetry};
use opentelemetry_proto::tonic::trace::v1::Span;

use crate::instruments::Instruments;
use crate::queue::SpanQueue;
use crate::session::SessionTracer;

/// What all sessions report to.
pub(crate) struct TelemetrySink {
    /// Spans are made.
    pub(crate) traces: bool,
    pub(crate) queue: Arc<SpanQueue>,
    /// Metrics are recorded.
    pub(crate) instruments: Option<Instruments>,
    /// The current time.
    pub(crate) clock: Box<dyn Fn() -> SystemTime + Send + Sync>,
}

impl TelemetrySink {
    /// Takes a span that has ended.
    pub(crate) fn span(&self, span: Span) {
        if self.traces {
            self.queue.put(span);
        }
    }

    /// Records metrics.
    pub(crate) fn record(&self, record: impl FnOnce(&Instruments)) {
        if let Some(instruments) = &self.instruments {
            record(instruments);
        }
    }
}

impl fmt::Debug for TelemetrySink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TelemetrySink").field("traces", &self.traces).finish_non_exhaustive()
    }
}

/// Makes traces and metrics of sessions: [`BridgeSettings::telemetry`](aqueduct_bridge::BridgeSettings::telemetry).
#[derive(Debug, Clone)]
pub struct OtlpTelemetry(pub(crate) Arc<TelemetrySink>);

impl Telemetry for OtlpTelemetry {
    fn observe(&self, session: &ObservedSession<'_>) -> Box<dyn SessionObserver> {
        Box::new(SessionTracer::new(self.0.clone(), session))
    }
}
