use std::net::SocketAddr;

use hyper::header::{HOST, HeaderName, ORIGIN};
use hyper::http::request::Parts;
use hyper::{HeaderMap, Method};

use super::{Authority, HostName, KnownHost, RequestOrigin, token};
use crate::Failure;
use crate::message::ErrorCode;

/// Fetch metadata of browsers. Pages can't set it.
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const SEC_FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");
const SEC_FETCH_DEST: HeaderName = HeaderName::from_static("sec-fetch-dest");

/// Common names of tokens in queries.
const TOKEN_KEYS: &[&str] =
    &["access_token", "api_key", "apikey", "auth", "authorization", "bearer", "token"];

/// Where a request arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConnectionInfo {
    /// The address that the client connected to; `None` for a Unix socket, which no page can reach.
    pub local: Option<SocketAddr>,
    /// Whether the connection has TLS.
    pub secure: bool,
}

/// What a request is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestTarget {
    /// A file of the web UI. It is the same for all clients, and links of other sites may lead to it.
    Page,
    /// Anything of the API.
    Api,
}

/// Checks that a request is meant for this bridge and was not made by a page of another origin.
#[derive(Debug, Clone, Default)]
pub struct OriginPolicy {
    hosts: Vec<KnownHost>,
}

/// A request that was meant for this bridge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedRequest {
    /// The page that made it, where the browser names one: the header `Origin`, word for word.
    pub origin: Option<String>,
    /// Whether the bridge's pages come over TLS, its own or a proxy's.
    pub secure: bool,
}

impl OriginPolicy {
    /// Besides the address that is listened on, the bridge is known by these names.
    pub fn new(hosts: Vec<KnownHost>) -> Self {
        OriginPolicy { hosts }
    }

    /// Accepts a request, or returns why not.
    pub fn check(
        &self,
        target: RequestTarget,
        request: &Parts,
        connection: ConnectionInfo,
    ) -> Result<CheckedRequest, Failure> {
        let host = self.host(request, connection)?;
        let own = self.own_origin(host.as_ref(), connection);
        let origin = single(&request.headers, &ORIGIN)?;
        match origin {
            Some(origin) => self.origin(&RequestOrigin::parse(origin), own.as_ref())?,
            None => fetch_site(target, request)?,
        }
        no_token_in(request.uri.query().unwrap_or_default())?;
        let secure = connection.secure || matches!(own, Some(RequestOrigin::Page { secure: true, .. }));
        Ok(CheckedRequest { origin: origin.map(str::to_owned), secure })
    }

    /// The name by which the client knows this bridge: it must be ours, or else a foreign name was made to
    /// lead here, and the page behind it would have our origin.
    fn host(&self, request: &Parts, connection: ConnectionInfo) -> Result<Option<Authority>, Failure> {
        let text = single(&request.headers, &HOST)?;
        let Some(local) = connection.local else { return Ok(text.and_then(Authority::parse)) };
        let text =
            text.ok_or_else(|| Failure::new(ErrorCode::InvalidMessage, "the header Host is missing"))?;
        let host = Authority::parse(text)
            .ok_or_else(|| Failure::new(ErrorCode::InvalidMessage, "the header Host names no host"))?;
        // A whole URL in the request line is for proxies; it must have the same host.
        let target = request.uri.authority().map(|target| Authority::parse(target.as_str()));
        if target.is_some_and(|target| target.as_ref() != Some(&host)) {
            return Err(forbidden("the request line and the header Host name two hosts"));
        }
        if !self.is_ours(&host, local, connection.secure) {
            return Err(forbidden(format!("this bridge is not known as {host}"))
                .clause(format!("if it should be, start it with --host {host}")));
        }
        Ok(Some(host))
    }

    fn is_ours(&self, host: &Authority, local: SocketAddr, secure: bool) -> bool {
        let usual = if secure { 443 } else { 80 };
        let address = local.ip().to_canonical();
        let is_here = match &host.host {
            HostName::Address(named) if named.to_canonical() == address => true,
            name => address.is_loopback() && name.is_loopback(),
        };
        (is_here && host.port.unwrap_or(usual) == local.port())
            || self.hosts.iter().any(|known| known.is_named_by(host))
    }

    /// The origin of the bridge's pages under this `Host`. The scheme is that of the connection, unless the host is
    /// known with its scheme: headers such as `X-Forwarded-Proto` are never believed, since every client can send them.
    fn own_origin(&self, host: Option<&Authority>, connection: ConnectionInfo) -> Option<RequestOrigin> {
        let host = host?;
        let known = self.hosts.iter().find(|known| known.secure.is_some() && known.is_named_by(host));
        let secure = connection.secure || known.is_some_and(|known| known.secure == Some(true));
        Some(RequestOrigin::page(secure, host))
    }

    /// The page that made the request must have the origin that serves it: scheme, host and port. A proxy may put
    /// another name into `Host`, so an origin that was configured as a whole counts too.
    fn origin(&self, origin: &RequestOrigin, own: Option<&RequestOrigin>) -> Result<(), Failure> {
        let is_known = || self.hosts.iter().any(|known| known.origin().as_ref() == Some(origin));
        if own == Some(origin) || is_known() {
            return Ok(());
        }
        let message = "the page that sent this request has another origin than this bridge";
        let (
            Some(RequestOrigin::Page { secure: false, authority: own }),
            RequestOrigin::Page { secure: true, authority },
        ) = (own, origin)
        else {
            return Err(forbidden(message));
        };
        match own.host == authority.host {
            // The likely reason is a proxy that has TLS.
            true => Err(forbidden(message)
                .clause(format!("if a proxy serves it as {origin}, start it with --url {origin}"))),
            false => Err(forbidden(message)),
        }
    }
}

/// What the browser reports about the source of the request. A page on another port of this host is
/// `same-site`, and as foreign as any other. Only a link may lead here from elsewhere: it opens a page, and
/// not in a frame.
fn fetch_site(target: RequestTarget, request: &Parts) -> Result<(), Failure> {
    let is_elsewhere = request
        .headers
        .get_all(&SEC_FETCH_SITE)
        .iter()
        .any(|site| site.as_bytes() != b"same-origin" && site.as_bytes() != b"none");
    let is_link = target == RequestTarget::Page
        && matches!(request.method, Method::GET | Method::HEAD)
        && request.headers.get(&SEC_FETCH_MODE).is_some_and(|mode| mode.as_bytes() == b"navigate")
        && request.headers.get(&SEC_FETCH_DEST).is_none_or(|dest| dest.as_bytes() == b"document");
    match is_elsewhere && !is_link {
        true => Err(forbidden("the page that sent this request has another origin than this bridge")),
        false => Ok(()),
    }
}

/// URLs end up in logs and histories, so a token in one is given away, and refused even where it is right.
fn no_token_in(query: &str) -> Result<(), Failure> {
    let found = query.split('&').any(|pair| {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        let is_key = TOKEN_KEYS.iter().any(|name| key.eq_ignore_ascii_case(name));
        (is_key && !value.is_empty()) || token::is_ours(key) || token::is_ours(value)
    });
    if !found {
        return Ok(());
    }
    let message = "a token in a URL ends up in logs, and is refused";
    Err(Failure::new(ErrorCode::Unauthorized, message)
        .clause("send it as `Authorization: Bearer TOKEN`, and make a new one"))
}

fn single<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, Failure> {
    let mut values = headers.get_all(name).iter();
    let (first, second) = (values.next(), values.next());
    let wrong = |what| Failure::new(ErrorCode::InvalidMessage, format!("the header {name} {what}"));
    if second.is_some() {
        return Err(wrong("is there twice"));
    }
    first.map(|value| value.to_str().map_err(|_| wrong("is not text"))).transpose()
}

fn forbidden(message: impl Into<String>) -> Failure {
    Failure::new(ErrorCode::Forbidden, message)
}
