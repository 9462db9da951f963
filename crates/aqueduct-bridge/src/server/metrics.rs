use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};

use aqueduct_os::resources::resident_memory;
use hyper::StatusCode;

use super::response::{self, HttpResponse};
use super::state::ServerState;

/// Makes the table of what the server counts: field, name and what it is.
macro_rules! tally {
    ($( $field:ident $name:literal: $help:literal, )*) => {
        /// What the server has counted since it started.
        #[derive(Debug, Default)]
        pub(super) struct Tally {
            $(pub(super) $field: TallyCounter,)*
        }

        impl Tally {
            fn write(&self, text: &mut MetricsText) {
                $(text.counter($name, $help, self.$field.get());)*
            }
        }
    };
}

tally! {
    connections "aqueduct_connections_total": "Connections that were taken.",
    turned_away "aqueduct_connections_refused_total": "Connections that were refused because too many were open.",
    requests "aqueduct_http_requests_total": "HTTP requests that were answered.",
    refused "aqueduct_http_refused_total": "HTTP requests that were refused: wrong token, host or origin.",
    malformed "aqueduct_http_malformed_total": "Connections that ended because their input was not HTTP.",
    sockets "aqueduct_websockets_total": "WebSockets that were opened.",
    sent_bytes "aqueduct_told_bytes_total": "Bytes that were written to WebSockets and streams of events.",
    streams "aqueduct_event_streams_total": "Streams of server-sent events that were opened.",
}

/// The metrics of the bridge, for Prometheus.
pub(super) fn answer(server: &ServerState) -> HttpResponse {
    let mut text = MetricsText::default();
    let (hub, done) = (&server.hub, server.hub.metrics());
    let whole = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
    let statuses = hub.statuses();
    let statuses = statuses.iter().map(|(status, count)| (&**status, whole(*count)));
    text.gauges("aqueduct_sessions", "Sessions that the bridge holds.", "status", statuses);
    text.gauge("aqueduct_clients", "Clients that are connected.", whole(hub.clients()));
    text.gauge("aqueduct_connections", "Connections that are open.", whole(server.connection_limit.count()));
    for (name, help, value) in [
        ("aqueduct_messages_stored_total", "Messages of sessions that were stored.", &done.stored),
        ("aqueduct_deltas_total", "Pieces of answers that were passed on.", &done.deltas),
        ("aqueduct_inputs_total", "Inputs that were taken.", &done.inputs),
        ("aqueduct_decisions_asked_total", "Decisions that were asked for.", &done.asked),
        ("aqueduct_agents_started_total", "Agents that were started.", &done.started),
        ("aqueduct_visits_total", "Connections of clients.", &done.connections),
        ("aqueduct_clients_behind_total", "Times that a client fell behind.", &done.behind),
    ] {
        text.counter(name, help, value.get());
    }
    if let Some(push) = hub.push() {
        let (sent, lost) = (push.counts().sent.get(), push.counts().lost.get());
        text.counter("aqueduct_notifications_total", "Notifications that push services have taken.", sent);
        text.counter("aqueduct_notifications_lost_total", "Notifications that were given up.", lost);
    }
    let waiting = whole(hub.log().waiting_bytes());
    text.gauge("aqueduct_log_waiting_bytes", "Bytes that wait to be written to the log.", waiting);
    server.tally.write(&mut text);
    if let Some(bytes) = resident_memory() {
        text.gauge("process_resident_memory_bytes", "Memory of the bridge's process.", bytes);
    }
    response::of_type(StatusCode::OK, "text/plain; version=0.0.4; charset=utf-8", text.into_string())
}

/// A monotonic counter.
#[derive(Debug, Default)]
pub(super) struct TallyCounter(AtomicU64);

impl TallyCounter {
    pub(super) fn add(&self, count: u64) {
        self.0.fetch_add(count, Ordering::Relaxed);
    }

    fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Metrics as Prometheus reads them.
#[derive(Debug, Default)]
pub(super) struct MetricsText(String);

impl MetricsText {
    pub(super) fn counter(&mut self, name: &str, help: &str, value: u64) {
        self.family(name, help, "counter");
        self.value(name, "", value);
    }

    pub(super) fn gauge(&mut self, name: &str, help: &str, value: u64) {
        self.family(name, help, "gauge");
        self.value(name, "", value);
    }

    /// A gauge for each of several labels.
    pub(super) fn gauges<'a>(
        &mut self,
        name: &str,
        help: &str,
        label: &str,
        values: impl IntoIterator<Item = (&'a str, u64)>,
    ) {
        self.family(name, help, "gauge");
        for (key, value) in values {
            let key = key.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
            self.value(name, &format!("{{{label}=\"{key}\"}}"), value);
        }
    }

    pub(super) fn into_string(self) -> String {
        self.0
    }

    fn family(&mut self, name: &str, help: &str, kind: &str) {
        // Writing to a string does not fail.
        let _ = write!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}\n");
    }

    fn value(&mut self, name: &str, labels: &str, value: u64) {
        // Writing to a string does not fail.
        let _ = writeln!(self.0, "{name}{labels} {value}");
    }
}
