//! The connections of a client.

use std::error::Error as _;
use std::time::Duration;

use reqwest::Proxy;
use reqwest::redirect::Policy;
use rustls::crypto::ring;

use super::{Endpoint, address, no_proxy};
use crate::error::{Error, ErrorKind};

/// How long a connection may take to come about.
const CONNECT: Duration = Duration::from_secs(30);

/// Makes the HTTP client. It keeps connections open between calls, reads nothing from the environment, and
/// follows no redirects, which would carry the key to another place.
pub(super) fn build(endpoint: &Endpoint) -> Result<reqwest::Client, Error> {
    // Another part of the program may have chosen already; any choice will do.
    let _ = ring::default_provider().install_default();
    let url = address::below(endpoint.base(), "")?;
    let mut builder = reqwest::Client::builder()
        .no_proxy()
        .redirect(Policy::none())
        .connect_timeout(CONNECT)
        .referer(false);
    let mut encrypted = url.scheme() == "https";
    let (variable, proxy) = match encrypted {
        true => ("HTTPS_PROXY", given(&endpoint.proxy.https)),
        false => ("HTTP_PROXY", given(&endpoint.proxy.http)),
    };
    // There is one place to go to, so it is known now whether the proxy is needed.
    let (host, port) = (url.host_str().unwrap_or_default(), url.port_or_known_default().unwrap_or_default());
    let directly = given(&endpoint.proxy.none).is_some_and(|list| no_proxy::names(list, host, port));
    if let Some(proxy) = proxy.filter(|_| !directly) {
        encrypted |= proxy.get(..6).is_some_and(|scheme| scheme.eq_ignore_ascii_case("https:"));
        builder = builder.proxy(Proxy::all(proxy).map_err(|error| bad_proxy(variable, &error))?);
    }
    if !encrypted {
        // Nothing will be verified, and the system's certificates take milliseconds to load.
        builder = builder.tls_certs_only([]);
    }
    builder.build().map_err(|error| Error::new(ErrorKind::Connection, &reason(&error)))
}

fn given(text: &Option<String>) -> Option<&str> {
    text.as_deref().map(str::trim).filter(|text| !text.is_empty())
}

fn bad_proxy(variable: &str, error: &reqwest::Error) -> Error {
    Error::new(ErrorKind::Connection, &format!("{variable} is no proxy's address: {}", reason(error)))
}

/// What went wrong, without the address: it may hold a password. The innermost cause says it best.
pub(super) fn reason(error: &reqwest::Error) -> String {
    let mut cause = error.source();
    while let Some(inner) = cause.and_then(|cause| cause.source()) {
        cause = Some(inner);
    }
    match cause {
        Some(cause) => cause.to_string(),
        None if error.is_timeout() => "it took too long".to_owned(),
        None => "the address can't be used".to_owned(),
    }
}
