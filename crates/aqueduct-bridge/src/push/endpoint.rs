use std::net::IpAddr;

use aqueduct_wire::hint::{Hint, HintedError};
use reqwest::Url;
use thiserror::Error;

use aqueduct_os::address::is_public;

/// The longest address of a subscription.
const LONGEST: usize = 2048;

/// Where a push service takes notifications for a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PushEndpoint {
    pub(super) url: Url,
}

/// Why an address is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum EndpointError {
    /// It is not a URL, or is too long.
    #[error("`endpoint` is not an address")]
    NoUrl,
    /// It is not encrypted.
    #[error("`endpoint` must begin with https://")]
    NotSecure,
    /// It has a name and a password in it.
    #[error("`endpoint` must have no name or password in it")]
    Credentials,
    /// It leads to this machine or to the network around it.
    #[error("`endpoint` leads to a private address, where this bridge sends nothing")]
    Private,
}

impl HintedError for EndpointError {
    fn hint(&self) -> Option<Hint> {
        matches!(self, EndpointError::NoUrl).then(|| Hint::clause("pass the browser's value unchanged"))
    }
}

impl PushEndpoint {
    /// Takes an address that may be used. What a name leads to is seen when it is used.
    pub fn parse(text: &str, loopback: bool) -> Result<Self, EndpointError> {
        let url = Url::parse(text).ok().filter(|_| text.len() <= LONGEST).ok_or(EndpointError::NoUrl)?;
        let host = url.host_str().ok_or(EndpointError::NoUrl)?;
        let address: Option<IpAddr> = host.trim_start_matches('[').trim_end_matches(']').parse().ok();
        let is_here = address.is_some_and(|address| address.is_loopback());
        if url.scheme() != "https" && !(url.scheme() == "http" && is_here && loopback) {
            return Err(EndpointError::NotSecure);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(EndpointError::Credentials);
        }
        if address.is_some_and(|address| !is_public(address)) && !(is_here && loopback) {
            return Err(EndpointError::Private);
        }
        Ok(PushEndpoint { url })
    }

    /// The service, without what makes the address a secret.
    pub fn origin(&self) -> String {
        self.url.origin().ascii_serialization()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endpoint_is_https_and_elsewhere() {
        let parse = |text: &str| PushEndpoint::parse(text, false).map(|endpoint| endpoint.origin());
        assert_eq!(parse("https://push.example.org/send/abc?x=1").unwrap(), "https://push.example.org");
        assert_eq!(parse("https://push.example.org:8443/").unwrap(), "https://push.example.org:8443");
        for (text, error) in [
            ("", EndpointError::NoUrl),
            ("push.example.org/x", EndpointError::NoUrl),
            ("https://", EndpointError::NoUrl),
            (&format!("https://push.example.org/{}", "x".repeat(LONGEST)), EndpointError::NoUrl),
            ("http://push.example.org/x", EndpointError::NotSecure),
            ("ftp://push.example.org/x", EndpointError::NotSecure),
            ("data:text/plain,x", EndpointError::NoUrl),
            ("https://ada:secret@push.example.org/x", EndpointError::Credentials),
            ("https://127.0.0.1/x", EndpointError::Private),
            ("https://2130706433/x", EndpointError::Private),
            ("https://0x7f.1/x", EndpointError::Private),
            ("https://[::1]/x", EndpointError::Private),
            ("https://[::ffff:10.0.0.1]/x", EndpointError::Private),
            ("https://169.254.169.254/latest", EndpointError::Private),
            ("https://192.168.1.1/x", EndpointError::Private),
        ] {
            assert_eq!(parse(text), Err(error), "{text:.80}");
        }
    }

    #[test]
    fn this_machine_may_be_allowed() {
        for text in ["http://127.0.0.1:9000/x", "https://127.0.0.1/x", "http://[::1]:9000/x"] {
            assert!(PushEndpoint::parse(text, true).is_ok(), "{text}");
        }
        assert_eq!(PushEndpoint::parse("http://10.0.0.1/x", true), Err(EndpointError::NotSecure));
        assert_eq!(PushEndpoint::parse("https://10.0.0.1/x", true), Err(EndpointError::Private));
        // A name can lead anywhere, so it has to be encrypted.
        assert_eq!(PushEndpoint::parse("http://localhost/x", true), Err(EndpointError::NotSecure));
    }
}
