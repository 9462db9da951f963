use hyper::StatusCode;
use hyper::header::{CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, HeaderValue};

use super::response::{self, HttpResponse};
use crate::message::bridge::ExportedSession;
use crate::message::client::ExportFormat;

/// A document is for keeping; if a browser shows it, it may do nothing but look well.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'none'";

/// A session as a file to be kept.
pub(super) fn document(export: ExportedSession<'_>) -> HttpResponse {
    let content_type = match export.format {
        ExportFormat::Markdown => "text/markdown; charset=utf-8",
        ExportFormat::Html => "text/html; charset=utf-8",
        _ => "application/x-ndjson",
    };
    let mut answer = response::of_type(StatusCode::OK, content_type, export.content.into_string());
    let name: String = export.name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    let headers = answer.headers_mut();
    if let Ok(value) = HeaderValue::from_str(&format!("attachment; filename=\"{name}\"")) {
        headers.insert(CONTENT_DISPOSITION, value);
    }
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    answer
}

fn is_plain(character: char) -> bool {
    character.is_ascii_alphanumeric() || "-_. ".contains(character)
}
