//! A log of the requests.

use std::fmt;
use std::sync::Arc;

use aqueduct_wire::json::{Json, Map, Raw, Str};
use hyper::header::HeaderMap;
use hyper::http::request::Parts;

/// Headers whose values are kept from the log.
const SECRETS: [&str; 4] = ["authorization", "cookie", "proxy-authorization", "x-api-key"];

/// Takes a line of JSON for each request.
#[derive(Clone)]
pub(super) struct RequestLog(pub(super) Arc<dyn Fn(&str) + Send + Sync>);

impl fmt::Debug for RequestLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Log")
    }
}

impl RequestLog {
    /// Notes a request: method, path, headers, and the body, as JSON if it is some.
    pub(super) fn request(&self, head: &Parts, body: &[u8]) {
        let text = String::from_utf8_lossy(body);
        let body = Raw::parse(&text).unwrap_or_else(|_| Raw::from(&serde_json::Value::from(&*text)));
        let mut line = r#"{"method":"#.to_owned();
        Str::from(head.method.as_str()).write(&mut line);
        line.push_str(r#","path":"#);
        Str::from(head.uri.to_string()).write(&mut line);
        line.push_str(r#","headers":"#);
        headers(&head.headers).write(&mut line);
        line.push_str(r#","body":"#);
        body.write(&mut line);
        line.push('}');
        (self.0)(&line);
    }
}

fn headers(headers: &HeaderMap) -> Map<'static, Str<'static>> {
    let shown = headers.iter().map(|(name, value)| {
        let is_secret = SECRETS.contains(&name.as_str());
        let value = if is_secret { "[redacted]".into() } else { String::from_utf8_lossy(value.as_bytes()) };
        (name.as_str().to_owned(), Str::from(value.into_owned()))
    });
    shown.collect()
}
