//! The export of traces and metrics.

use std::fs;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use anyhow::Context as _;
use aqueduct_bridge::failures::{FailureKind, FailureSubject};
use aqueduct_bridge::hub::Hub;
use aqueduct_bridge::telemetry::Telemetry;
use aqueduct_bridge::trace::telemetry_recovered;
use aqueduct_os::resources::machine_name;
use aqueduct_otlp::{CERTIFICATE, ExportEvent, Exporter, GivenSettings, OtlpSettings};

use crate::config::{Config, UserEnvironment};

/// How long the end of the bridge waits for a collector.
const END_TIME: Duration = Duration::from_secs(5);

/// The export, while it runs; nothing if it is turned off.
#[derive(Default)]
pub(super) struct OtlpExport {
    exporter: Option<Exporter>,
    /// Where failures are reported, as soon as it is opened.
    hub: Arc<OnceLock<Hub>>,
}

impl OtlpExport {
    /// Starts it if the configuration names a collector.
    pub(super) fn start(config: &Config, environment: &UserEnvironment) -> anyhow::Result<Self> {
        let Some(collector) = &config.otlp.collector else { return Ok(OtlpExport::default()) };
        let failed = || format!("{}: telemetry can't be sent", config.origin("otlp"));
        let variable = |name: &str| environment.variable(name)?.to_str().map(str::to_owned);
        let certificates = match variable(CERTIFICATE) {
            Some(path) => Some(fs::read(&path).with_context(|| format!("{CERTIFICATE}: can't read {path}"))?),
            None => None,
        };
        let given = GivenSettings {
            endpoint: Some(collector.clone()).filter(|collector| collector != "env"),
            headers: config.otlp.headers.clone().map(|headers| (headers.text, headers.origin)),
            certificates,
            resource: resource(config),
            traces: config.otlp.traces,
            metrics: config.otlp.metrics,
        };
        let settings = OtlpSettings::new(given, variable).with_context(failed)?;
        let Some(settings) = settings else { return Ok(OtlpExport::default()) };
        let hub = Arc::new(OnceLock::new());
        let reported = hub.clone();
        let report = move |event| {
            if let Some(hub) = reported.get() {
                report(hub, event);
            }
        };
        let exporter = Exporter::start(&settings, Arc::new(report)).with_context(failed)?;
        Ok(OtlpExport { exporter: Some(exporter), hub })
    }

    /// Reports failures to this hub from now on.
    pub(super) fn report_to(&self, hub: &Hub) {
        // It is set once.
        let _ = self.hub.set(hub.clone());
    }

    /// What makes telemetry of sessions.
    pub(super) fn telemetry(&self) -> Option<Arc<dyn Telemetry>> {
        let exporter = self.exporter.as_ref()?;
        Some(Arc::new(exporter.telemetry()))
    }

    /// Sends what waits.
    pub(super) async fn end(self) {
        if let Some(exporter) = self.exporter {
            exporter.shutdown(END_TIME).await;
        }
    }
}

/// What the telemetry is of.
fn resource(config: &Config) -> Vec<(String, String)> {
    let own = [
        ("service.name", Some("aqueduct".to_owned())),
        ("service.version", Some(env!("CARGO_PKG_VERSION").to_owned())),
        ("host.name", config.name.clone().or_else(machine_name)),
    ];
    own.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}

/// Reports when delivery fails, and when it works again. Not each failure has a line.
fn report(hub: &Hub, event: ExportEvent) {
    match event {
        ExportEvent::Failed { signal, reason } => {
            let error = format_args!("{signal}: {reason}");
            hub.failures().report(FailureKind::TelemetryExport, FailureSubject::Bridge, error);
        }
        ExportEvent::Recovered { signal } => telemetry_recovered(signal),
    }
}
