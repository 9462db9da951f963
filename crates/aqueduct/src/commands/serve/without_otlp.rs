//! In place of the export of traces and metrics, in a program that is built without it.

use std::sync::Arc;

use anyhow::bail;
use aqueduct_bridge::hub::Hub;
use aqueduct_bridge::telemetry::Telemetry;

use crate::config::{Config, UserEnvironment};
use crate::explained::advice;

/// In this program there is no export.
pub(super) struct OtlpExport;

impl OtlpExport {
    /// Refuses a configuration that names a collector.
    pub(super) fn start(config: &Config, _environment: &UserEnvironment) -> anyhow::Result<Self> {
        if config.otlp.collector.is_some() {
            let message = format!("{}: this program is built without OpenTelemetry", config.origin("otlp"));
            let hint =
                "build it with `cargo install --path crates/aqueduct --features otlp`, or remove the setting";
            bail!(advice(message, hint));
        }
        Ok(OtlpExport)
    }

    /// None: nothing is observed.
    pub(super) fn telemetry(&self) -> Option<Arc<dyn Telemetry>> {
        None
    }

    /// There is nothing to report.
    pub(super) fn report_to(&self, _hub: &Hub) {}

    /// There is nothing to send.
    pub(super) async fn end(self) {}
}
