//! The connections of a client.

use std::error::Error as _;
use std::future::ready;
use std::net::SocketAddr;
use std::time::Duration;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::redirect::Policy;
use reqwest::{ClientBuilder, Url};
use rustls::crypto::ring;

use super::{Endpoint, ProxySettings, address, no_proxy};
use crate::error::{Error, ErrorKind};

/// How long a connection may take to come about.
const CONNECT: Duration = Duration::from_secs(30);

/// Makes the client of an endpoint. What it packs with gzip is unpacked as it arrives.
pub(super) fn build(endpoint: &Endpoint, model: &str) -> Result<reqwest::Client, Error> {
    let url = address::below(&endpoint.base(model), endpoint.service.base_variable(), "")?;
    built(builder(&url, &endpoint.proxy)?.gzip(true))
}

/// Connections to the server of an address, for all HTTP requests of a program. They stay open between calls,
/// read nothing from the environment, and follow no redirects, which would carry keys to another place.
pub fn connections(url: &Url, proxy: &ProxySettings) -> Result<reqwest::Client, Error> {
    built(builder(url, proxy)?)
}

/// The same, to these addresses and no others: names are not resolved again between the check and the
/// connection. Only for a place that [`needs_proxy`] does not send elsewhere.
pub fn connections_to(url: &Url, addresses: Vec<SocketAddr>) -> Result<reqwest::Client, Error> {
    built(builder(url, &ProxySettings::default())?.dns_resolver(PinnedResolver(addresses)))
}

/// Whether a place is reached by a proxy.
pub fn needs_proxy(url: &Url, proxy: &ProxySettings) -> bool {
    proxy_for(url, proxy).is_some()
}

/// A resolver that knows one answer.
struct PinnedResolver(Vec<SocketAddr>);

impl Resolve for PinnedResolver {
    fn resolve(&self, _: Name) -> Resolving {
        let addresses: Addrs = Box::new(self.0.clone().into_iter());
        Box::pin(ready(Ok(addresses)))
    }
}

fn built(builder: ClientBuilder) -> Result<reqwest::Client, Error> {
    builder.build().map_err(|error| Error::new(ErrorKind::Connection, &reason(&error)))
}

/// The variable that names the proxy for a place, and the proxy.
fn proxy_for<'p>(url: &Url, proxy: &'p ProxySettings) -> Option<(&'static str, &'p str)> {
    let (variable, address) = match url.scheme() == "https" {
        true => ("HTTPS_PROXY", given(&proxy.https)?),
        false => ("HTTP_PROXY", given(&proxy.http)?),
    };
    // There is one place to go to, so it is known now whether the proxy is needed.
    let (host, port) = (url.host_str().unwrap_or_default(), url.port_or_known_default().unwrap_or_default());
    let directly = given(&proxy.none).is_some_and(|list| no_proxy::names(list, host, port));
    (!directly).then_some((variable, address))
}

fn builder(url: &Url, proxy: &ProxySettings) -> Result<ClientBuilder, Error> {
    // Another part of the program may have chosen already; any choice will do.
    let _ = ring::default_provider().install_default();
    let mut builder = reqwest::Client::builder()
        .no_proxy()
        .no_gzip()
        .redirect(Policy::none())
        .connect_timeout(CONNECT)
        .referer(false);
    let mut encrypted = url.scheme() == "https";
    if let Some((variable, address)) = proxy_for(url, proxy) {
        encrypted |= address.get(..6).is_some_and(|scheme| scheme.eq_ignore_ascii_case("https:"));
        builder = builder.proxy(reqwest::Proxy::all(address).map_err(|error| bad_proxy(variable, &error))?);
    }
    if !encrypted {
        // Nothing will be verified, and the system's certificates take milliseconds to load.
        builder = builder.tls_certs_only([]);
    }
    Ok(builder)
}

fn given(text: &Option<String>) -> Option<&str> {
    text.as_deref().map(str::trim).filter(|text| !text.is_empty())
}

fn bad_proxy(variable: &str, error: &reqwest::Error) -> Error {
    Error::new(ErrorKind::Connection, &format!("{variable} is not a proxy address: {}", reason(error)))
}

/// What went wrong, without the address: it may hold a password. The innermost cause is the most precise.
pub fn reason(error: &reqwest::Error) -> String {
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
