use hyper::HeaderMap;
use hyper::header::{AUTHORIZATION, COOKIE as COOKIE_HEADER, HeaderName, SEC_WEBSOCKET_PROTOCOL};

use super::{cookies, token};
use crate::Failure;
use crate::message::{BEARER_SUBPROTOCOL, COOKIE, ErrorCode};

/// How many cookies of our name are looked at. A browser may have one for a path or a domain besides ours.
const COOKIES: usize = 4;

/// How a token came along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Via {
    /// In the header `Authorization`.
    Header,
    /// As a subprotocol of a WebSocket.
    Subprotocol,
    /// In a cookie, which a browser sends by itself.
    Cookie,
}

/// The token that a request brings, or the few of which one may be right. It has no `Debug`.
#[derive(Clone)]
pub struct Credential<'a> {
    /// How it came along.
    pub via: Via,
    pub(super) tokens: Vec<&'a str>,
}

impl<'a> Credential<'a> {
    /// What a request brings. What a program says counts for more than what a browser sends by itself. Two of the
    /// same sort are refused: whoever stands in between might look at the other one.
    pub fn find(headers: &'a HeaderMap) -> Result<Option<Self>, Failure> {
        let single = |via, token| Some(Credential { via, tokens: vec![token] });
        if let Some(header) = only(headers, &AUTHORIZATION)? {
            let token = bearer(header).ok_or_else(|| refuse("Authorization must be `Bearer TOKEN`"))?;
            return Ok(single(Via::Header, token));
        }
        let mut offered = headers
            .get_all(SEC_WEBSOCKET_PROTOCOL)
            .iter()
            .filter_map(|header| header.to_str().ok())
            .flat_map(subprotocols)
            .filter_map(|name| name.strip_prefix(BEARER_SUBPROTOCOL));
        match (offered.next(), offered.next()) {
            (Some(token), None) => return Ok(single(Via::Subprotocol, token)),
            (Some(_), Some(_)) => return Err(refuse("two subprotocols bring a token; send one")),
            (None, _) => {}
        }
        let mut tokens: Vec<&str> = headers
            .get_all(COOKIE_HEADER)
            .iter()
            .filter_map(|header| header.to_str().ok())
            .flat_map(|header| cookies(header, COOKIE))
            .take(COOKIES)
            .collect();
        tokens.retain(|shown| token::is_plausible(shown));
        Ok((!tokens.is_empty()).then_some(Credential { via: Via::Cookie, tokens }))
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
        return Err(refuse("two Authorization headers; send one"));
    }
    first.map(|value| value.to_str().map_err(|_| refuse("Authorization is no text"))).transpose()
}

fn refuse(message: &str) -> Failure {
    Failure::new(ErrorCode::Unauthorized, message)
}
