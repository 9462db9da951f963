use std::fmt;
use std::path::PathBuf;

use anyhow::{bail, ensure};

use crate::explained::advice;

/// What is sent to a collector of OpenTelemetry, and to which.
#[derive(Debug, Clone)]
pub(crate) struct OtlpConfig {
    /// The collector's address, or `env` for that of the standard variables. Nothing is sent without one.
    pub(crate) collector: Option<String>,
    pub(crate) traces: bool,
    pub(crate) metrics: bool,
    pub(crate) headers_file: Option<PathBuf>,
    #[cfg_attr(not(feature = "otlp"), allow(dead_code, reason = "the export reads them"))]
    pub(crate) headers: Option<CollectorHeaders>,
}

impl Default for OtlpConfig {
    fn default() -> Self {
        OtlpConfig { collector: None, traces: true, metrics: true, headers_file: None, headers: None }
    }
}

/// Headers of the requests to the collector, as they were written.
#[derive(Clone)]
#[cfg_attr(not(feature = "otlp"), allow(dead_code, reason = "the export reads them"))]
pub(crate) struct CollectorHeaders {
    pub(crate) text: String,
    /// Where they are from, for errors.
    pub(crate) origin: String,
}

/// They can be secrets, and are not shown.
impl fmt::Debug for CollectorHeaders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CollectorHeaders").field("origin", &self.origin).finish_non_exhaustive()
    }
}

impl OtlpConfig {
    /// Sends these signals alone.
    pub(super) fn choose(&mut self, signals: &[String]) -> anyhow::Result<()> {
        (self.traces, self.metrics) = (false, false);
        for signal in signals {
            match signal.as_str() {
                "traces" => self.traces = true,
                "metrics" => self.metrics = true,
                other => bail!("`{other}` is not traces or metrics"),
            }
        }
        ensure!(self.traces || self.metrics, advice("the list is empty", "name traces, metrics or both"));
        Ok(())
    }

    /// What is sent.
    pub(super) fn signals(&self) -> Vec<String> {
        let signals = [("traces", self.traces), ("metrics", self.metrics)];
        signals.iter().filter(|(_, is_sent)| *is_sent).map(|(name, _)| (*name).to_owned()).collect()
    }
}
