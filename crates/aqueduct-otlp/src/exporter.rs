//! The tasks that send telemetry, and how they end.

use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use opentelemetry::metrics::MeterProvider as _;
use opentelemetry::{InstrumentationScope, KeyValue};
use opentelemetry_proto::tonic::collector::metrics::v1::{
    ExportMetricsServiceRequest, ExportMetricsServiceResponse,
};
use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTraceServiceRequest, ExportTraceServiceResponse,
};
use opentelemetry_proto::tonic::common::v1::InstrumentationScope as SentScope;
use opentelemetry_proto::tonic::resource::v1::Resource as SentResource;
use opentelemetry_proto::tonic::trace::v1::{ResourceSpans, ScopeSpans, Span};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::metrics::data::ResourceMetrics;
use opentelemetry_sdk::metrics::exporter::PushMetricExporter;
use opentelemetry_sdk::metrics::{PeriodicReader, SdkMeterProvider, Temporality};
use prost::Message as _;
use reqwest::Url;
use tokio::sync::{Notify, watch};
use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::{Instant, sleep, timeout_at};
use uuid::Uuid;

use crate::collector::{Collector, SendOutcome};
use crate::error::OtlpError;
use crate::instruments::Instruments;
use crate::queue::SpanQueue;
use crate::settings::{OtlpPace, OtlpSettings};
use crate::telemetry::{OtlpTelemetry, TelemetrySink};

/// The scope of all telemetry.
const SCOPE: &str = "aqueduct";

/// The attribute by which collectors tell bridges with the same name apart.
const INSTANCE: &str = "service.instance.id";

/// The longest pause between repetitions.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// What is reported to the operator about the delivery of telemetry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExportEvent {
    /// A request failed after one that did not: `signal` is `traces` or `metrics`.
    Failed {
        /// What could not be delivered.
        signal: &'static str,
        /// Why.
        reason: String,
    },
    /// A request was accepted after one that failed.
    Recovered {
        /// What is delivered again.
        signal: &'static str,
    },
}

/// Receives [`ExportEvent`]s.
pub type ExportReport = Arc<dyn Fn(ExportEvent) + Send + Sync>;

/// The export of telemetry, while it runs.
pub struct Exporter {
    telemetry: OtlpTelemetry,
    provider: Option<SdkMeterProvider>,
    /// Set when everything that waits is to be sent at once, until this time.
    ending: watch::Sender<Option<Instant>>,
    tasks: JoinSet<()>,
}

impl Exporter {
    /// Starts it. It needs a runtime of tokio, in which its tasks run.
    pub fn start(settings: &OtlpSettings, report: ExportReport) -> Result<Self, OtlpError> {
        let collector = Collector::new(settings)?;
        let mut attributes = settings.resource.clone();
        if !attributes.iter().any(|(name, _)| name == INSTANCE) {
            attributes.push((INSTANCE.to_owned(), Uuid::new_v4().to_string()));
        }
        let queue = Arc::new(SpanQueue::default());
        let (ending, _) = watch::channel(None);
        let mut tasks = JoinSet::new();
        let sender = |url: &Url, signal| SignalSender {
            collector: collector.clone(),
            url: url.clone(),
            signal,
            pace: settings.pace,
            ending: ending.subscribe(),
            report: report.clone(),
            has_failed: false,
        };
        if let Some(url) = &settings.traces {
            let resource = SentResource {
                attributes: attributes.iter().map(|pair| (&attribute(pair)).into()).collect(),
                ..SentResource::default()
            };
            tasks.spawn(send_spans(sender(url, "traces"), queue.clone(), resource));
        }
        let mut provider = None;
        let mut instruments = None;
        if let Some(url) = &settings.metrics {
            let newest = Arc::new(NewestMetrics::default());
            tasks.spawn(send_metrics(sender(url, "metrics"), newest.clone()));
            let reader = PeriodicReader::builder(MetricsEncoder(newest));
            let resource = Resource::builder_empty().with_attributes(attributes.iter().map(attribute));
            let metrics = SdkMeterProvider::builder()
                .with_reader(reader.with_interval(settings.pace.metrics).build())
                .with_resource(resource.build())
                .build();
            let scope = InstrumentationScope::builder(SCOPE).with_version(env!("CARGO_PKG_VERSION"));
            instruments = Some(Instruments::new(&metrics.meter_with_scope(scope.build()), queue.clone()));
            provider = Some(metrics);
        }
        let sink = TelemetrySink {
            traces: settings.traces.is_some(),
            queue,
            instruments,
            clock: Box::new(SystemTime::now),
        };
        Ok(Exporter { telemetry: OtlpTelemetry(Arc::new(sink)), provider, ending, tasks })
    }

    /// What makes telemetry of sessions.
    pub fn telemetry(&self) -> OtlpTelemetry {
        self.telemetry.clone()
    }

    /// How many spans were lost so far.
    pub fn dropped_spans(&self) -> u64 {
        self.telemetry.0.queue.dropped()
    }

    /// Sends what waits, and ends. What is not delivered in this time is lost.
    pub async fn shutdown(mut self, time: Duration) {
        let end = Instant::now() + time;
        if let Some(provider) = self.provider.take() {
            // It collects once more, on a thread of its own. An error means that it was ended before.
            let collected = spawn_blocking(move || drop(provider.shutdown()));
            let _ = timeout_at(end, collected).await;
        }
        self.ending.send_replace(Some(end));
        let sent = async { while self.tasks.join_next().await.is_some() {} };
        // The tasks keep to the same time; this is for one that does not get to run.
        let _ = timeout_at(end + Duration::from_secs(1), sent).await;
    }
}

/// Sends one kind of telemetry.
struct SignalSender {
    collector: Collector,
    url: Url,
    signal: &'static str,
    pace: OtlpPace,
    ending: watch::Receiver<Option<Instant>>,
    report: ExportReport,
    /// The last request failed.
    has_failed: bool,
}

impl SignalSender {
    /// Waits until everything is to be sent at once.
    async fn is_ending(&mut self) {
        // A sender that is gone has ended too.
        let _ = self.ending.wait_for(Option::is_some).await;
    }

    /// Until when everything is to be sent.
    fn end(&self) -> Option<Instant> {
        *self.ending.borrow()
    }

    /// Sends a message, repeatedly if that can help. Returns the answer; none if it was not delivered. A message that is
    /// `outdated` is not repeated.
    async fn deliver(&mut self, body: Vec<u8>, outdated: impl Fn() -> bool) -> Option<Vec<u8>> {
        let mut pause = self.pace.retry;
        for attempt in 0..=self.pace.retries {
            let (reason, wanted) = match self.attempt(body.clone()).await {
                SendOutcome::Accepted(answer) => {
                    self.succeeded();
                    return Some(answer);
                }
                SendOutcome::Refused(reason) => {
                    self.failed(reason);
                    return None;
                }
                SendOutcome::Later(reason, wanted) => (reason, wanted),
            };
            self.failed(reason);
            if attempt == self.pace.retries || self.end().is_some() || outdated() {
                break;
            }
            // Bridges that lost the same collector do not come back all at once.
            let spread = pause.mul_f64(0.75 + fastrand::f64() / 2.0);
            let pausing = sleep(wanted.unwrap_or(spread));
            tokio::select! {
                () = pausing => {}
                () = self.is_ending() => {}
            }
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
        None
    }

    /// One attempt. At the end it takes no longer than there is time.
    async fn attempt(&mut self, body: Vec<u8>) -> SendOutcome {
        let (collector, url) = (self.collector.clone(), self.url.clone());
        let sending = collector.send(&url, body);
        tokio::pin!(sending);
        tokio::select! {
            delivery = &mut sending => return delivery,
            () = self.is_ending() => {}
        }
        let end = self.end().unwrap_or_else(Instant::now);
        match timeout_at(end, sending).await {
            Ok(delivery) => delivery,
            Err(_) => SendOutcome::Refused("the collector did not answer before the bridge ended".to_owned()),
        }
    }

    fn failed(&mut self, reason: String) {
        if !std::mem::replace(&mut self.has_failed, true) {
            (self.report)(ExportEvent::Failed { signal: self.signal, reason });
        }
    }

    fn succeeded(&mut self) {
        if std::mem::take(&mut self.has_failed) {
            (self.report)(ExportEvent::Recovered { signal: self.signal });
        }
    }
}

async fn send_spans(mut sender: SignalSender, queue: Arc<SpanQueue>, resource: SentResource) {
    loop {
        tokio::select! {
            () = queue.filled() => {}
            () = sleep(sender.pace.spans) => {}
            () = sender.is_ending() => {}
        }
        let end = sender.end();
        loop {
            let spans = queue.take();
            if spans.is_empty() {
                break;
            }
            let count = spans.len();
            let rejected = match end.is_some_and(|end| Instant::now() >= end) {
                true => count,
                false => match sender.deliver(spans_message(spans, &resource), || false).await {
                    Some(answer) => rejected_spans(&answer, count, &mut sender),
                    None => count,
                },
            };
            queue.drop_spans(rejected);
        }
        if end.is_some() {
            return;
        }
    }
}

fn spans_message(spans: Vec<Span>, resource: &SentResource) -> Vec<u8> {
    let scope = SentScope {
        name: SCOPE.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        ..SentScope::default()
    };
    let scope_spans = vec![ScopeSpans { scope: Some(scope), spans, ..ScopeSpans::default() }];
    let resource_spans =
        vec![ResourceSpans { resource: Some(resource.clone()), scope_spans, ..ResourceSpans::default() }];
    ExportTraceServiceRequest { resource_spans }.encode_to_vec()
}

/// How many of the spans a collector has accepted the request without. What is not an answer of the protocol counts as none.
fn rejected_spans(answer: &[u8], count: usize, sender: &mut SignalSender) -> usize {
    let answer = ExportTraceServiceResponse::decode(answer).unwrap_or_default();
    let rejected = answer.partial_success.map_or(0, |partial| partial.rejected_spans);
    let rejected = usize::try_from(rejected).unwrap_or_default().min(count);
    if rejected > 0 {
        sender.failed(format!("the collector rejected {rejected} of {count} spans"));
    }
    rejected
}

/// The newest metrics. They are sums since the start, so newer ones replace what could not be sent.
#[derive(Debug, Default)]
struct NewestMetrics {
    body: Mutex<Option<Vec<u8>>>,
    changed: Notify,
}

impl NewestMetrics {
    fn put(&self, body: Vec<u8>) {
        *self.body.lock().unwrap_or_else(PoisonError::into_inner) = Some(body);
        self.changed.notify_one();
    }

    fn take(&self) -> Option<Vec<u8>> {
        self.body.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn is_empty(&self) -> bool {
        self.body.lock().unwrap_or_else(PoisonError::into_inner).is_none()
    }
}

/// Encodes metrics when the reader has collected them, on the reader's thread. It waits for nothing.
struct MetricsEncoder(Arc<NewestMetrics>);

impl PushMetricExporter for MetricsEncoder {
    fn export(&self, metrics: &ResourceMetrics) -> impl Future<Output = OTelSdkResult> + Send {
        self.0.put(ExportMetricsServiceRequest::from(metrics).encode_to_vec());
        std::future::ready(Ok(()))
    }

    fn force_flush(&self) -> OTelSdkResult {
        Ok(())
    }

    fn shutdown_with_timeout(&self, _timeout: Duration) -> OTelSdkResult {
        Ok(())
    }

    fn temporality(&self) -> Temporality {
        Temporality::Cumulative
    }
}

async fn send_metrics(mut sender: SignalSender, newest: Arc<NewestMetrics>) {
    loop {
        tokio::select! {
            () = newest.changed.notified() => {}
            () = sender.is_ending() => {}
        }
        let is_ending = sender.end().is_some();
        if let Some(body) = newest.take()
            && let Some(answer) = sender.deliver(body, || !newest.is_empty()).await
        {
            let answer = ExportMetricsServiceResponse::decode(&*answer).unwrap_or_default();
            let rejected = answer.partial_success.map_or(0, |partial| partial.rejected_data_points);
            if rejected > 0 {
                sender.failed(format!("the collector rejected {rejected} data points"));
            }
        }
        if is_ending {
            return;
        }
    }
}

fn attribute(pair: &(String, String)) -> KeyValue {
    KeyValue::new(pair.0.clone(), pair.1.clone())
}
