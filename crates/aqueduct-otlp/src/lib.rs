//! Traces and metrics of a bridge's sessions for OpenTelemetry.
//!
//! [`Exporter`] starts the export to a collector, with OTLP over HTTP. Its [`OtlpTelemetry`] is what
//! [`BridgeSettings::telemetry`](aqueduct_bridge::BridgeSettings::telemetry) takes: it makes spans and metrics of what the
//! bridge reports about sessions, by the semantic conventions for generative AI.
//!
//! | module | contents |
//! |---|---|
//! | [`names`] | the tables of spans, attributes and metrics |
//! | `session` | the events of one session as spans and metrics |
//! | `span`, `instruments`, `provider` | a span that has not ended; the metrics; who serves a model |
//! | `queue`, `exporter`, `collector` | spans that wait; the tasks that send; one request |
//! | `settings`, `environment` | where to send what; the standard variables |
//!
//! # Invariants
//!
//! - **A session never waits.** Reporting an event takes no lock for long and no I/O. Spans wait in a queue of a fixed size;
//!   what does not fit is dropped and counted.
//! - **No content.** Prompts, answers, inputs and results of tools, and messages of errors are never sent. Names, ids and
//!   numbers are, with a bounded length.
//! - **A collector is not trusted.** Its answers are read up to a limit and redirects are not followed. Headers leave the
//!   machine only with TLS.
//! - **The end has a deadline.** [`Exporter::shutdown`] sends what waits until then.
//!
//! Deliberately absent: logs, gRPC, and what tools and models do. Spans are made from the agent's frames, so they work for
//! every agent.

mod collector;
mod environment;
mod error;
mod exporter;
mod instruments;
mod provider;
mod queue;
mod session;
mod settings;
mod span;
mod telemetry;

pub mod names;

pub use environment::{CERTIFICATE, GivenSettings, VARIABLES};
pub use error::OtlpError;
pub use exporter::{ExportEvent, ExportReport, Exporter};
pub use settings::{OtlpPace, OtlpSettings};
pub use telemetry::OtlpTelemetry;

/// The messages that are sent, and their encoding: for a collector that reads them.
pub mod protocol {
    pub use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
    pub use opentelemetry_proto::tonic::collector::trace::v1::{
        ExportTracePartialSuccess, ExportTraceServiceRequest, ExportTraceServiceResponse,
    };
    pub use opentelemetry_proto::tonic::common::v1::{KeyValue, any_value};
    pub use opentelemetry_proto::tonic::metrics::v1::{Metric, metric, number_data_point};
    pub use opentelemetry_proto::tonic::trace::v1::{Span, span, status};
    pub use prost::Message;
}

/// Compiles and runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExample;
