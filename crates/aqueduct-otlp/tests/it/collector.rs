//! A collector on loopback. Programs' tests use this file too.

use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use aqueduct_otlp::protocol::{
    ExportMetricsServiceRequest, ExportTraceServiceRequest, KeyValue, Message as _, Metric, Span, any_value,
    metric, number_data_point,
};

/// How long anything may take before a test fails instead of hanging.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// What a collector does with a request.
#[derive(Debug, Clone)]
pub(crate) enum Answer {
    /// Answers with this status, further lines of the head, and a body.
    Reply(u16, String, Vec<u8>),
    /// Never answers.
    Silence,
    /// Accepts it with an answer without end.
    Flood,
}

impl Answer {
    pub(crate) fn status(status: u16) -> Answer {
        Answer::Reply(status, String::new(), Vec::new())
    }
}

/// A request, as the collector gets it.
#[derive(Debug)]
pub(crate) struct Received {
    pub(crate) path: String,
    pub(crate) headers: HashMap<String, String>,
    pub(crate) body: Vec<u8>,
}

impl Received {
    /// Its spans; none if it has metrics.
    pub(crate) fn spans(&self) -> Vec<Span> {
        if self.path != "/v1/traces" {
            return Vec::new();
        }
        let request = ExportTraceServiceRequest::decode(&*self.body).unwrap();
        let scopes = request.resource_spans.into_iter().flat_map(|spans| spans.scope_spans);
        scopes.flat_map(|scope| scope.spans).collect()
    }

    /// Its metrics; none if it has spans.
    pub(crate) fn metrics(&self) -> Vec<Metric> {
        if self.path != "/v1/metrics" {
            return Vec::new();
        }
        let request = ExportMetricsServiceRequest::decode(&*self.body).unwrap();
        let scopes = request.resource_metrics.into_iter().flat_map(|metrics| metrics.scope_metrics);
        scopes.flat_map(|scope| scope.metrics).collect()
    }
}

/// How a collector answers, by path and by the number of earlier requests.
pub(crate) type Script = dyn Fn(&str, usize) -> Answer + Send + Sync;

/// A collector.
pub(crate) struct Collector {
    pub(crate) address: SocketAddr,
    received: Receiver<Received>,
}

impl Collector {
    /// One that accepts everything.
    pub(crate) fn start() -> Collector {
        Collector::answering(|_, _| Answer::status(200))
    }

    /// One that answers by a script.
    pub(crate) fn answering(script: impl Fn(&str, usize) -> Answer + Send + Sync + 'static) -> Collector {
        Collector::over(script, Box::new)
    }

    /// One that talks through another stream, such as one with TLS.
    pub(crate) fn over<S: Read + Write + 'static>(
        script: impl Fn(&str, usize) -> Answer + Send + Sync + 'static,
        wrap: impl Fn(std::net::TcpStream) -> Box<S> + Send + Sync + 'static,
    ) -> Collector {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (sender, received) = channel();
        let (script, wrap): (Arc<Script>, _) = (Arc::new(script), Arc::new(wrap));
        let count = Arc::new(AtomicUsize::new(0));
        thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(stream) = stream else { return };
                let (sender, script, wrap, count) =
                    (sender.clone(), script.clone(), wrap.clone(), count.clone());
                thread::spawn(move || serve(&mut *wrap(stream), &*script, &count, &sender));
            }
        });
        Collector { address, received }
    }

    /// Its address, as settings name it.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The next request.
    pub(crate) fn next(&self) -> Received {
        self.received.recv_timeout(PATIENCE).expect("a request in time")
    }

    /// All requests so far.
    pub(crate) fn all(&self) -> Vec<Received> {
        self.received.try_iter().collect()
    }
}

fn serve(stream: &mut (impl Read + Write), script: &Script, count: &AtomicUsize, sender: &Sender<Received>) {
    while let Some(received) = read(stream) {
        let answer = script(&received.path, count.fetch_add(1, Ordering::SeqCst));
        if sender.send(received).is_err() {
            return;
        }
        let sent = match answer {
            Answer::Reply(status, lines, body) => {
                let length = body.len();
                let head = format!("HTTP/1.1 {status} X\r\n{lines}Content-Length: {length}\r\n\r\n");
                stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body))
            }
            Answer::Silence => {
                // Until the client goes.
                let _ = stream.read(&mut [0]);
                return;
            }
            Answer::Flood => {
                let head = "HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n";
                let mut sent = stream.write_all(head.as_bytes());
                while sent.is_ok() {
                    sent = stream.write_all(&[0; 4096]);
                }
                sent
            }
        };
        if sent.is_err() {
            return;
        }
    }
}

fn read(stream: &mut impl Read) -> Option<Received> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(at) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break at;
        }
        more(stream, &mut bytes)?;
    };
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let mut lines = head.lines();
    let path = lines.next()?.strip_prefix("POST ")?.split(' ').next()?.to_owned();
    let headers = lines.filter_map(|line| line.split_once(": "));
    let headers: HashMap<String, String> =
        headers.map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned())).collect();
    let mut body = bytes.split_off(end + 4);
    let length: usize = headers["content-length"].parse().unwrap();
    while body.len() < length {
        more(stream, &mut body)?;
    }
    Some(Received { path, headers, body })
}

fn more(stream: &mut impl Read, bytes: &mut Vec<u8>) -> Option<()> {
    let mut part = [0; 8192];
    let count = stream.read(&mut part).ok().filter(|count| *count > 0)?;
    bytes.extend_from_slice(&part[..count]);
    Some(())
}

/// The value of an attribute as text.
pub(crate) fn value(attributes: &[KeyValue], name: &str) -> Option<String> {
    let found = attributes.iter().find(|attribute| attribute.key == name)?;
    Some(shown(found.value.as_ref()?.value.as_ref()?))
}

/// A value as text.
pub(crate) fn shown(value: &any_value::Value) -> String {
    match value {
        any_value::Value::StringValue(text) => text.clone(),
        any_value::Value::BoolValue(value) => value.to_string(),
        any_value::Value::IntValue(value) => value.to_string(),
        any_value::Value::DoubleValue(value) => value.to_string(),
        any_value::Value::ArrayValue(values) => {
            let values = values.values.iter().filter_map(|value| value.value.as_ref()).map(shown);
            values.collect::<Vec<_>>().join(" ")
        }
        other => format!("{other:?}"),
    }
}

/// Each point of a metric: its attributes and its value, of a histogram the number of values and their sum. Sums of times
/// are left out.
pub(crate) fn points(metric: &Metric) -> Vec<String> {
    let attributes = |attributes: &[KeyValue]| {
        let mut shown: Vec<String> = attributes
            .iter()
            .map(|attribute| {
                format!("{}={}", attribute.key, value(attributes, &attribute.key).unwrap_or_default())
            })
            .collect();
        shown.sort();
        shown.join(" ")
    };
    let mut points: Vec<String> = match metric.data.as_ref().unwrap() {
        metric::Data::Sum(sum) => sum
            .data_points
            .iter()
            .map(|point| {
                let value = match point.value.unwrap() {
                    number_data_point::Value::AsInt(value) => value.to_string(),
                    number_data_point::Value::AsDouble(value) => value.to_string(),
                };
                format!("{} [{}] {value}", metric.name, attributes(&point.attributes))
            })
            .collect(),
        metric::Data::Histogram(histogram) => histogram
            .data_points
            .iter()
            .map(|point| {
                let sum = point.sum.filter(|_| metric.unit != "s");
                let sum = sum.map(|sum| format!(" sum {sum}")).unwrap_or_default();
                format!("{} [{}] count {}{sum}", metric.name, attributes(&point.attributes), point.count)
            })
            .collect(),
        other => panic!("{other:?}"),
    };
    points.sort();
    points
}
