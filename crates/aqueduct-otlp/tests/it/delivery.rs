//! What becomes of telemetry with collectors that are well, down, slow, or hostile.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use aqueduct_bridge::log::Time;
use aqueduct_bridge::telemetry::{ObservedSession, SessionEvent, SessionObserver, Telemetry as _};
use aqueduct_otlp::protocol::{ExportTracePartialSuccess, ExportTraceServiceResponse, Message as _};
use aqueduct_otlp::{ExportEvent, Exporter, GivenSettings, OtlpPace, OtlpSettings};
use tokio::time::timeout;

use super::collector::{Answer, Collector, PATIENCE, points, value};

/// Times that are short enough for a test.
pub(crate) fn hasty() -> OtlpPace {
    OtlpPace {
        spans: Duration::from_millis(10),
        retry: Duration::from_millis(1),
        retries: 2,
        ..OtlpPace::default()
    }
}

/// Settings for a collector.
pub(crate) fn settings(url: &str) -> OtlpSettings {
    let given = GivenSettings {
        endpoint: Some(url.to_owned()),
        headers: Some(("x-key=secret".to_owned(), "the test".to_owned())),
        resource: vec![("service.name".to_owned(), "bridge-in-test".to_owned())],
        traces: true,
        metrics: true,
        ..GivenSettings::default()
    };
    OtlpSettings { pace: hasty(), ..OtlpSettings::new(given, |_| None).unwrap().unwrap() }
}

/// An export, and what it reported.
pub(crate) struct Export {
    pub(crate) exporter: Exporter,
    reported: Arc<Mutex<Vec<ExportEvent>>>,
}

impl Export {
    pub(crate) fn start(settings: &OtlpSettings) -> Export {
        let reported = Arc::new(Mutex::new(Vec::new()));
        let log = reported.clone();
        let report = Arc::new(move |event| log.lock().unwrap().push(event));
        Export { exporter: Exporter::start(settings, report).unwrap(), reported }
    }

    pub(crate) fn session(&self, id: &str) -> Box<dyn SessionObserver> {
        self.exporter.telemetry().observe(&ObservedSession { id, agent: "builtin" })
    }

    /// Makes this many spans.
    fn spans(&self, count: usize) {
        let mut session = self.session("s");
        for _ in 0..count {
            session.event(SessionEvent::AgentRunning);
            session.event(SessionEvent::AgentEnded { end: None, expected: true });
        }
    }

    /// Ends it, and returns what it reported.
    pub(crate) async fn end(self, time: Duration) -> Vec<ExportEvent> {
        timeout(PATIENCE, self.exporter.shutdown(time)).await.expect("it ends");
        Arc::try_unwrap(self.reported).map_or_else(
            |reported| reported.lock().unwrap().clone(),
            |reported| reported.into_inner().unwrap(),
        )
    }
}

fn failed(signal: &'static str, reason: &str) -> ExportEvent {
    ExportEvent::Failed { signal, reason: reason.to_owned() }
}

#[tokio::test(flavor = "multi_thread")]
async fn spans_and_metrics_arrive_with_headers_and_the_resource() {
    let collector = Collector::start();
    let export = Export::start(&settings(&collector.url()));
    export.spans(2);
    assert_eq!(export.end(PATIENCE).await, []);
    let received = collector.all();
    let spans: usize = received.iter().map(|request| request.spans().len()).sum();
    assert_eq!(spans, 2);
    for request in &received {
        assert_eq!(request.headers["content-type"], "application/x-protobuf");
        assert_eq!(request.headers["x-key"], "secret");
    }
    let traces = received.iter().find(|request| request.path == "/v1/traces").unwrap();
    let message = aqueduct_otlp::protocol::ExportTraceServiceRequest::decode(&*traces.body).unwrap();
    let resource = message.resource_spans[0].resource.as_ref().unwrap();
    assert_eq!(value(&resource.attributes, "service.name").as_deref(), Some("bridge-in-test"));
    assert!(value(&resource.attributes, "service.instance.id").is_some());
    let metrics = received.iter().rev().find(|request| request.path == "/v1/metrics").unwrap().metrics();
    let shown: Vec<String> = metrics.iter().flat_map(points).collect();
    assert!(shown.contains(&"aqueduct.agent.started [gen_ai.agent.name=builtin] 2".to_owned()), "{shown:#?}");
    assert!(shown.contains(&"aqueduct.telemetry.dropped_spans [] 0".to_owned()), "{shown:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_busy_collector_puts_off_is_sent_again() {
    let collector = Collector::answering(|_, earlier| match earlier {
        0 => Answer::Reply(503, "Retry-After: 0\r\n".to_owned(), Vec::new()),
        1 => Answer::status(429),
        _ => Answer::status(200),
    });
    let traces_alone = OtlpSettings { metrics: None, ..settings(&collector.url()) };
    let export = Export::start(&traces_alone);
    export.spans(1);
    let bodies: Vec<Vec<u8>> = (0..3).map(|_| collector.next().body).collect();
    assert!(bodies.iter().all(|body| *body == bodies[0]), "the same request is repeated");
    export.spans(1);
    let _ = collector.next();
    assert_eq!(export.exporter.dropped_spans(), 0);
    let reported = export.end(PATIENCE).await;
    let reason = "the collector answered 503 Service Unavailable";
    assert_eq!(reported, [failed("traces", reason), ExportEvent::Recovered { signal: "traces" }]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_collector_refuses_is_not_sent_again() {
    let collector = Collector::answering(|_, _| Answer::status(400));
    let export = Export::start(&OtlpSettings { metrics: None, ..settings(&collector.url()) });
    export.spans(3);
    let reported = export.end(PATIENCE).await;
    assert_eq!(
        reported,
        [failed("traces", "the collector answered 400 Bad Request")],
        "one line for an outage"
    );
    let sent: usize = collector.all().iter().map(|request| request.spans().len()).sum();
    assert_eq!(sent, 3, "it is not repeated");
}

#[tokio::test(flavor = "multi_thread")]
async fn spans_that_a_collector_rejects_are_counted() {
    let partial = ExportTracePartialSuccess { rejected_spans: 2, error_message: "no".to_owned() };
    let answer = ExportTraceServiceResponse { partial_success: Some(partial) }.encode_to_vec();
    let collector = Collector::answering(move |_, _| Answer::Reply(200, String::new(), answer.clone()));
    // All of them in one request, at the end.
    let pace = OtlpPace { spans: PATIENCE, ..hasty() };
    let export = Export::start(&OtlpSettings { metrics: None, pace, ..settings(&collector.url()) });
    export.spans(3);
    let reported = export.end(PATIENCE).await;
    assert_eq!(reported, [failed("traces", "the collector rejected 2 of 3 spans")]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redirect_is_not_followed() {
    let other = Collector::start();
    let to = format!("Location: {}/v1/traces\r\n", other.url());
    let collector = Collector::answering(move |_, _| Answer::Reply(307, to.clone(), Vec::new()));
    let export = Export::start(&settings(&collector.url()));
    export.spans(1);
    let reported = export.end(PATIENCE).await;
    assert!(
        reported.contains(&failed("traces", "the collector answered 307 Temporary Redirect")),
        "{reported:?}"
    );
    assert!(other.all().is_empty(), "headers go nowhere else");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_without_end_is_not_read_to_its_end() {
    let collector = Collector::answering(|_, _| Answer::Flood);
    let export = Export::start(&settings(&collector.url()));
    export.spans(1);
    assert_eq!(collector.next().headers["x-key"], "secret");
    let reported = export.end(PATIENCE).await;
    assert_eq!(reported, [], "the collector has accepted it");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dead_collector_costs_bounded_memory_and_no_time() {
    let gone = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap()
    };
    let export = Export::start(&OtlpSettings { metrics: None, ..settings(&format!("http://{gone}")) });
    export.spans(20_000);
    assert!(export.exporter.dropped_spans() >= 10_000, "{}", export.exporter.dropped_spans());
    let reported = export.end(Duration::from_secs(5)).await;
    let [ExportEvent::Failed { signal: "traces", reason }] = &reported[..] else { panic!("{reported:?}") };
    assert!(reason.starts_with("the collector can't be reached: "), "{reason}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_that_does_not_answer_does_not_delay_the_end() {
    let collector = Collector::answering(|_, _| Answer::Silence);
    let export = Export::start(&settings(&collector.url()));
    export.spans(1);
    let reported = export.end(Duration::from_millis(50)).await;
    let reason = "the collector did not answer before the bridge ended";
    assert!(reported.contains(&failed("metrics", reason)), "{reported:?}");
}

/// Sums since the start: what could not be sent is in what is sent next.
#[tokio::test(flavor = "multi_thread")]
async fn metrics_that_could_not_be_sent_are_in_the_next_ones() {
    let collector = Collector::answering(|_, earlier| Answer::status(if earlier < 2 { 400 } else { 200 }));
    let pace = OtlpPace { metrics: Duration::from_millis(20), ..hasty() };
    let export = Export::start(&OtlpSettings { traces: None, pace, ..settings(&collector.url()) });
    let mut session = export.session("s");
    session.event(SessionEvent::InputSent { accepted: Time::now() });
    session.event(SessionEvent::AgentRunning);
    for _ in 0..3 {
        collector.next();
    }
    drop(session);
    assert_eq!(export.end(PATIENCE).await.last(), Some(&ExportEvent::Recovered { signal: "metrics" }));
    let last = collector.all().pop().unwrap().metrics();
    let shown: Vec<String> = last.iter().flat_map(points).collect();
    assert!(
        shown.contains(&"aqueduct.input.wait [gen_ai.agent.name=builtin] count 1".to_owned()),
        "{shown:#?}"
    );
}
