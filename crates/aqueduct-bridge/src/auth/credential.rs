use hyper::HeaderMap;
use hyper::header::{AUTHORIZATION, HeaderName, SEC_WEBSOCKET_PROTOCOL};

use super::token;
use crate::Failure;
use crate::message::{BEARER_SUBPROTOCOL, ErrorCode};

/// The bearer token of a request. A browser attaches neither of the two headers by itself: only a script of the page
/// that holds the token can send it.
pub(super) fn bearer_token(headers: &HeaderMap) -> Result<Option<&str>, Failure> {
    if let Some(header) = only(headers, &AUTHORIZATION)? {
        return match bearer(header) {
            Some(token) => Ok(Some(token)),
            None => Err(refuse("Authorization must be `Bearer TOKEN`")),
        };
    }
    let mut offered = headers
        .get_all(SEC_WEBSOCKET_PROTOCOL)
        .iter()
        .filter_map(|header| header.to_str().ok())
        .flat_map(subprotocols)
        .filter_map(|name| name.strip_prefix(BEARER_SUBPROTOCOL));
    match (offered.next(), offered.next()) {
        (token, None) => Ok(token),
        (_, Some(_)) => Err(refuse("two subprotocols have a token").clause("send one")),
    }
}

/// The token of an `Authorization` header that has one.
pub fn bearer(header: &str) -> Option<&str> {
    let (scheme, token) = header.split_once(' ')?;
    let token = token.trim_matches(' ');
    (scheme.eq_ignore_ascii_case("bearer") && token::is_plausible(token)).then_some(token)
}

/// The names in a `Sec-WebSocket-Protocol` header.
pub fn subprotocols(header: &str) -> impl Iterator<Item = &str> {
    header.split(',').map(|name| name.trim_matches([' ', '\t'])).filter(|name| !name.is_empty())
}

fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, Failure> {
    let mut values = headers.get_all(name).iter();
    let (first, second) = (values.next(), values.next());
    if second.is_some() {
        return Err(refuse("two Authorization headers").clause("send one"));
    }
    first.map(|value| value.to_str().map_err(|_| refuse("Authorization is not text"))).transpose()
}

fn refuse(message: &str) -> Failure {
    Failure::new(ErrorCode::Unauthorized, message)
}
