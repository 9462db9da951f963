use aqueduct_os::resources;
use aqueduct_wire::table::Definition;
use hyper::StatusCode;

use super::response::{self, HttpResponse};
use super::state::ServerState;
use crate::failures::FailureKind;
use crate::hub::Hub;
use crate::message::bridge::SessionStatus;
use crate::metrics::{Counter, Exposition};

/// Prometheus' text format, and its version.
const TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Makes the table of the server's own counters: field, name and help.
macro_rules! tally {
    ($( $field:ident $name:literal: $help:literal, )*) => {
        /// What the server has counted since it started.
        #[derive(Debug, Default)]
        pub(super) struct Tally {
            $(pub(super) $field: Counter,)*
        }

        impl Tally {
            fn write(&self, text: &mut Exposition) {
                $(text.counter($name, $help, self.$field.get());)*
            }
        }
    };
}

tally! {
    connections "aqueduct_connections_total": "Accepted connections.",
    turned_away "aqueduct_connections_refused_total": "Connections that were refused because too many were open.",
    requests "aqueduct_http_requests_total": "Answered HTTP requests.",
    refused "aqueduct_http_refused_total": "HTTP requests that were refused: wrong token, host or origin.",
    malformed "aqueduct_http_malformed_total": "Connections that ended because their input was not HTTP.",
    sockets "aqueduct_websockets_total": "Opened WebSockets.",
    sent_bytes "aqueduct_sent_bytes_total": "Bytes written to WebSockets and streams of events.",
    streams "aqueduct_event_streams_total": "Opened streams of server-sent events.",
}

/// The metrics of the bridge, for Prometheus.
pub(super) async fn answer(server: &ServerState) -> HttpResponse {
    let mut text = Exposition::default();
    text.family("aqueduct_build_info", "The version of the bridge.", "gauge");
    text.sample("aqueduct_build_info", &[("version", server.hub.settings().version.as_str())], 1);
    sessions(&server.hub, &mut text);
    clients(&server.hub, &mut text);
    let open = count(server.connection_limit.count());
    text.gauge("aqueduct_open_connections", "Open connections.", open);
    activity(&server.hub, &mut text);
    usage(&server.hub, &mut text);
    log(&server.hub, &mut text);
    storage(&server.hub, &mut text).await;
    server.tally.write(&mut text);
    process(&server.hub, &mut text);
    response::of_type(StatusCode::OK, TYPE, text.into_text())
}

/// Sessions by status. Each status has a sample, so that an alarm does not depend on there having been one.
fn sessions(hub: &Hub, text: &mut Exposition) {
    let found = hub.statuses();
    let known = match SessionStatus::DEFINITION {
        Definition::Names(names) => names.values,
        _ => &[],
    };
    let number = |status: &str| found.iter().find(|row| row.0 == status).map_or(0, |row| count(row.1));
    let counted = known.iter().map(|status| (*status, number(status)));
    text.gauges("aqueduct_sessions", "Sessions that the bridge holds.", "status", counted);
    text.gauge("aqueduct_inputs_queued", "Inputs that wait in the queues of sessions.", hub.queued_inputs());
}

fn clients(hub: &Hub, text: &mut Exposition) {
    text.family("aqueduct_clients", "Connected clients, by kind of credential and by transport.", "gauge");
    for row in hub.client_counts() {
        let labels = [("kind", &*row.kind), ("transport", &*row.transport)];
        text.sample("aqueduct_clients", &labels, row.count);
    }
}

/// What sessions and clients did.
fn activity(hub: &Hub, text: &mut Exposition) {
    let done = hub.metrics();
    for (name, help, value) in [
        ("aqueduct_messages_stored_total", "Stored messages of sessions.", &done.stored),
        ("aqueduct_deltas_total", "Deltas of answers.", &done.deltas),
        ("aqueduct_inputs_total", "Accepted inputs.", &done.inputs),
        ("aqueduct_decisions_asked_total", "Requests for a decision.", &done.asked),
        ("aqueduct_agents_started_total", "Started agents.", &done.started),
        ("aqueduct_client_connections_total", "Connections of clients.", &done.connections),
        ("aqueduct_clients_behind_total", "Times that a client fell behind.", &done.behind),
    ] {
        text.counter(name, help, value.get());
    }
    for (name, help, values) in [
        (
            "aqueduct_first_delta_seconds",
            "Time from an input's delivery to the agent until the first delta of the answer.",
            &done.first_delta,
        ),
        (
            "aqueduct_delta_latency_seconds",
            "Time from reading an agent's line until its delta is queued for the clients that watch.",
            &done.delta_latency,
        ),
        (
            "aqueduct_permission_wait_seconds",
            "Time from a request for a decision until the decision.",
            &done.permission_wait,
        ),
        (
            "aqueduct_client_queue_messages",
            "Messages that wait for a client when another one is queued.",
            &done.client_queue,
        ),
    ] {
        text.histogram(name, help, &values.snapshot());
    }
    let failures = FailureKind::ALL.iter().map(|kind| (kind.name(), hub.failures().count(*kind)));
    text.counters("aqueduct_failures_total", "Failures, by kind.", "kind", failures);
    if let Some(push) = hub.push() {
        let (sent, lost) = (push.counts().sent.get(), push.counts().lost.get());
        text.counter("aqueduct_notifications_total", "Notifications that push services accepted.", sent);
        text.counter("aqueduct_notifications_lost_total", "Notifications that were given up.", lost);
    }
}

/// Turns, tokens and cost by agent and model.
fn usage(hub: &Hub, text: &mut Exposition) {
    let rows = hub.metrics().usage.rows();
    text.family("aqueduct_turns_total", "Completed turns, by agent and main model.", "counter");
    for (agent, model, used) in &rows {
        let labels = [("agent", agent.as_str()), ("model", model.as_str())];
        text.sample("aqueduct_turns_total", &labels, used.turns);
    }
    text.family("aqueduct_tokens_total", "Tokens of completed turns.", "counter");
    for (agent, model, used) in &rows {
        for (kind, tokens) in [
            ("input", used.input),
            ("output", used.output),
            ("cache_read", used.cache_read),
            ("cache_write", used.cache_write),
        ] {
            let labels = [("agent", agent.as_str()), ("model", model.as_str()), ("type", kind)];
            text.sample("aqueduct_tokens_total", &labels, tokens);
        }
    }
    text.family("aqueduct_cost_dollars_total", "Cost of completed turns, as agents report it.", "counter");
    for (agent, model, used) in &rows {
        let labels = [("agent", agent.as_str()), ("model", model.as_str())];
        text.sample("aqueduct_cost_dollars_total", &labels, used.cost);
    }
}

fn log(hub: &Hub, text: &mut Exposition) {
    let metrics = hub.log().metrics();
    text.histogram(
        "aqueduct_log_commit_seconds",
        "Time of a transaction of the event log, from its beginning until it is committed.",
        &metrics.commit.snapshot(),
    );
    text.histogram(
        "aqueduct_log_queue_writes",
        "Writes that wait when a transaction of the event log begins, the first one included.",
        &metrics.queue.snapshot(),
    );
    let failed = metrics.failed.get();
    text.counter("aqueduct_log_failed_commits_total", "Transactions of the event log that failed.", failed);
    let waiting = count(hub.log().waiting_bytes());
    text.gauge("aqueduct_log_waiting_bytes", "Bytes that wait to be written to the event log.", waiting);
}

async fn storage(hub: &Hub, text: &mut Exposition) {
    let sizes = hub.storage().await;
    text.gauge("aqueduct_database_bytes", "Size of the event log's database.", sizes.database);
    text.gauge("aqueduct_spool_bytes", "Size of the output of agents that keepers hold.", sizes.spools);
    if let Some(disk) = sizes.disk {
        let available = "Bytes of the data folder's disk that the bridge can still write.";
        text.gauge("aqueduct_disk_available_bytes", available, disk.available);
        text.gauge("aqueduct_disk_bytes", "Size of the data folder's disk.", disk.total);
    }
}

/// The process, by the names that Prometheus' client libraries use.
fn process(hub: &Hub, text: &mut Exposition) {
    let started = hub.started().0.unsigned_abs() / 1000;
    text.gauge(
        "process_start_time_seconds",
        "Time at which the bridge was started, in seconds since 1970.",
        started,
    );
    for (name, help, value) in [
        ("process_resident_memory_bytes", "Memory of the bridge's process.", resources::resident_memory()),
        ("process_open_fds", "Open file descriptors of the bridge's process.", resources::open_files()),
        ("process_max_fds", "The most file descriptors that it may open.", resources::open_files_limit()),
    ] {
        if let Some(value) = value {
            text.gauge(name, help, value);
        }
    }
}

fn count(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}
