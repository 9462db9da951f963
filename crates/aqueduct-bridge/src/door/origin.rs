use super::Authority;

/// Which page made a request, as its browser says in the header `Origin`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A page of a web server.
    Page {
        /// Whether it came over TLS.
        secure: bool,
        /// The server.
        authority: Authority,
    },
    /// `null`: a page without an origin, such as a file, a sandboxed frame or what came over a redirect.
    Null,
    /// Anything else: an extension, an app, nonsense.
    Other,
}

impl Origin {
    /// Reads the header. Every text is an origin of some sort.
    pub fn parse(text: &str) -> Self {
        if text == "null" {
            return Origin::Null;
        }
        let page = |rest: &str, secure: bool| {
            let mut authority = Authority::parse(rest)?;
            let usual = if secure { 443 } else { 80 };
            authority.port = authority.port.filter(|port| *port != usual);
            Some(Origin::Page { secure, authority })
        };
        let origin = match text.split_once("://") {
            Some(("http", rest)) => page(rest, false),
            Some(("https", rest)) => page(rest, true),
            _ => None,
        };
        origin.unwrap_or(Origin::Other)
    }

    /// Whether it is a page of the server that the request goes to, by its header `Host`. What came over TLS can
    /// only be from a page that did; without TLS there may be a proxy in between that has it.
    pub fn is_page_of(&self, host: &Authority, over_tls: bool) -> bool {
        let Origin::Page { secure, authority } = self else { return false };
        let usual = if *secure { 443 } else { 80 };
        let port = host.port.filter(|port| *port != usual);
        (*secure || !over_tls) && authority.host == host.host && authority.port == port
    }
}
