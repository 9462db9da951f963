use std::fmt;

use super::Authority;

/// Which page made a request, as its browser reports in the header `Origin`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestOrigin {
    /// A page of a web server. Two pages have the same origin if these are equal.
    Page {
        /// Whether it came over TLS.
        secure: bool,
        /// The server, without a port that is the scheme's default.
        authority: Authority,
    },
    /// `null`: a page without an origin, such as a file, a sandboxed frame or what came over a redirect.
    Null,
    /// Anything else: an extension, an app, nonsense.
    Other,
}

impl RequestOrigin {
    /// The origin of pages that a server gives out.
    pub fn page(secure: bool, authority: &Authority) -> Self {
        let default = if secure { 443 } else { 80 };
        let port = authority.port.filter(|port| *port != default);
        RequestOrigin::Page { secure, authority: Authority { host: authority.host.clone(), port } }
    }

    /// Reads the header. Every text is an origin of some sort.
    pub fn parse(text: &str) -> Self {
        let (secure, rest) = match text.split_once("://") {
            Some(("http", rest)) => (false, rest),
            Some(("https", rest)) => (true, rest),
            None if text == "null" => return RequestOrigin::Null,
            _ => return RequestOrigin::Other,
        };
        Authority::parse(rest)
            .map_or(RequestOrigin::Other, |authority| RequestOrigin::page(secure, &authority))
    }
}

impl fmt::Display for RequestOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RequestOrigin::Page { secure: true, authority } => write!(f, "https://{authority}"),
            RequestOrigin::Page { secure: false, authority } => write!(f, "http://{authority}"),
            RequestOrigin::Null => f.write_str("null"),
            RequestOrigin::Other => f.write_str("an origin that is not a web page"),
        }
    }
}
