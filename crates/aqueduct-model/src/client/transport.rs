//! The connections of a client.

use std::error::Error as _;
use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{NoProxy, Proxy};
use rustls::crypto::ring;

use super::Endpoint;
use crate::error::{Error, ErrorKind};

/// How long a connection may take to come about.
const CONNECT: Duration = Duration::from_secs(30);

/// Makes the HTTP client. It keeps connections open between calls, reads nothing from the environment, and
/// follows no redirects, which would carry the key to another place.
pub(super) fn build(endpoint: &Endpoint) -> Result<reqwest::Client, Error> {
    // Another part of the program may have chosen already; any choice will do.
    let _ = ring::default_provider().install_default();
    let proxy = &endpoint.proxy;
    let mut builder = reqwest::Client::builder()
        .no_proxy()
        .redirect(Policy::none())
        .connect_timeout(CONNECT)
        .referer(false);
    if let Some(address) = given(&proxy.http) {
        let http = Proxy::http(address).map_err(|error| bad_proxy("HTTP_PROXY", &error))?;
        builder = builder.proxy(http.no_proxy(exceptions(&proxy.none)));
    }
    if let Some(address) = given(&proxy.https) {
        let https = Proxy::https(address).map_err(|error| bad_proxy("HTTPS_PROXY", &error))?;
        builder = builder.proxy(https.no_proxy(exceptions(&proxy.none)));
    }
    let encrypted = [Some(endpoint.base()), given(&proxy.http)]
        .into_iter()
        .flatten()
        .any(|address| address.get(..6).is_some_and(|scheme| scheme.eq_ignore_ascii_case("https:")));
    if !encrypted {
        // Nothing will be verified, and the system's certificates take milliseconds to load.
        builder = builder.tls_certs_only([]);
    }
    builder.build().map_err(|error| Error::new(ErrorKind::Connection, &reason(&error)))
}

fn given(address: &Option<String>) -> Option<&str> {
    address.as_deref().map(str::trim).filter(|address| !address.is_empty())
}

fn exceptions(hosts: &Option<String>) -> Option<NoProxy> {
    given(hosts).and_then(NoProxy::from_string)
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
