use std::fmt;
use std::time::Duration;

use reqwest::Url;

/// Where telemetry is sent, and what is sent.
#[derive(Clone)]
pub struct OtlpSettings {
    /// The collector's address for traces; none if none are sent.
    pub traces: Option<Url>,
    /// The collector's address for metrics; none if none are sent.
    pub metrics: Option<Url>,
    /// Headers of every request. They can be secrets.
    pub headers: Vec<(String, String)>,
    /// Certificates in PEM that the collector's has to be signed by; none for those of the system.
    pub certificates: Option<Vec<u8>>,
    /// What the telemetry is of: attributes of the resource, `service.name` among them.
    pub resource: Vec<(String, String)>,
    /// Times and limits.
    pub pace: OtlpPace,
}

/// Headers and certificates are not shown.
impl fmt::Debug for OtlpSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OtlpSettings")
            .field("traces", &self.traces.as_ref().map(Url::as_str))
            .field("metrics", &self.metrics.as_ref().map(Url::as_str))
            .field("resource", &self.resource)
            .field("pace", &self.pace)
            .finish_non_exhaustive()
    }
}

/// How often telemetry is sent, and how long is waited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OtlpPace {
    /// How long spans wait for a whole batch.
    pub spans: Duration,
    /// How often metrics are sent.
    pub metrics: Duration,
    /// How long a request may take.
    pub request: Duration,
    /// How long to wait before the first repetition of a request. Each further one waits twice as long.
    pub retry: Duration,
    /// How often a request is repeated before what it has is dropped.
    pub retries: u32,
}

impl Default for OtlpPace {
    fn default() -> Self {
        OtlpPace {
            spans: Duration::from_secs(5),
            metrics: Duration::from_secs(60),
            request: Duration::from_secs(10),
            retry: Duration::from_secs(1),
            retries: 5,
        }
    }
}
