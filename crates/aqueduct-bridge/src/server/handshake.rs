use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hyper::header::{
    CONNECTION, CONTENT_LENGTH, HeaderName, HeaderValue, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY,
    SEC_WEBSOCKET_PROTOCOL, SEC_WEBSOCKET_VERSION, TRANSFER_ENCODING, UPGRADE,
};
use hyper::http::request::Parts;
use hyper::{HeaderMap, Method, Response, StatusCode, Version};
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;

use super::body::ResponseBody;
use super::response::{self, HttpResponse};
use crate::Failure;
use crate::auth::subprotocols;
use crate::message::{ErrorCode, SUBPROTOCOL};

/// What a client that opens a WebSocket is to be answered with.
#[derive(Debug)]
pub(super) struct WebSocketHandshake {
    accept: String,
    has_subprotocol: bool,
}

impl WebSocketHandshake {
    /// Reads the request, or returns what is missing.
    pub(super) fn read(request: &Parts) -> Result<Self, Failure> {
        let wrong = |problem| Failure::new(ErrorCode::InvalidMessage, problem);
        let headers = &request.headers;
        if request.method != Method::GET || request.version != Version::HTTP_11 {
            return Err(wrong("a WebSocket is opened with GET and HTTP/1.1"));
        }
        if !names(headers, &CONNECTION, "upgrade") || !names(headers, &UPGRADE, "websocket") {
            return Err(
                wrong("here is a WebSocket").clause("send `Connection: Upgrade` and `Upgrade: websocket`")
            );
        }
        if headers.contains_key(CONTENT_LENGTH) || headers.contains_key(TRANSFER_ENCODING) {
            return Err(wrong("a WebSocket is opened without a body"));
        }
        if headers.get(SEC_WEBSOCKET_VERSION).is_none_or(|version| version.as_bytes() != b"13") {
            return Err(wrong("Sec-WebSocket-Version must be 13"));
        }
        let mut keys = headers.get_all(SEC_WEBSOCKET_KEY).iter();
        let (Some(key), None) = (keys.next(), keys.next()) else {
            return Err(wrong("Sec-WebSocket-Key must be there once"));
        };
        if STANDARD.decode(key.as_bytes()).map_or(0, |key| key.len()) != 16 {
            return Err(wrong("Sec-WebSocket-Key must be 16 bytes in base64"));
        }
        let has_subprotocol = names(headers, &SEC_WEBSOCKET_PROTOCOL, SUBPROTOCOL);
        Ok(WebSocketHandshake { accept: derive_accept_key(key.as_bytes()), has_subprotocol })
    }

    /// From here on it is a WebSocket.
    pub(super) fn accept(self) -> HttpResponse {
        let mut answer = Response::new(ResponseBody::empty());
        *answer.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
        let headers = answer.headers_mut();
        headers.insert(CONNECTION, HeaderValue::from_static("Upgrade"));
        headers.insert(UPGRADE, HeaderValue::from_static("websocket"));
        if let Ok(accept) = HeaderValue::from_str(&self.accept) {
            headers.insert(SEC_WEBSOCKET_ACCEPT, accept);
        }
        if self.has_subprotocol {
            headers.insert(SEC_WEBSOCKET_PROTOCOL, HeaderValue::from_static(SUBPROTOCOL));
        }
        answer
    }
}

/// What a request gets that should have been a handshake.
pub(super) fn refuse(failure: &Failure) -> HttpResponse {
    let mut answer = response::failure(failure);
    *answer.status_mut() = StatusCode::UPGRADE_REQUIRED;
    answer.headers_mut().insert(UPGRADE, HeaderValue::from_static("websocket"));
    answer.headers_mut().insert(SEC_WEBSOCKET_VERSION, HeaderValue::from_static("13"));
    answer
}

/// Whether a header that is a list has a name in it.
fn names(headers: &HeaderMap, header: &HeaderName, name: &str) -> bool {
    let values = headers.get_all(header).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(subprotocols).any(|found| found.eq_ignore_ascii_case(name))
}
