//! Fetching: from an address to a page, over hops that are each looked at.

use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use aqueduct_model::client::{ProxySettings, connections, connections_to, needs_proxy, reason};
use aqueduct_os::address::{is_own, is_private_name, is_public};
use aqueduct_os::spool;
use aqueduct_wire::hint::{Hint, HintedError};
use reqwest::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, LOCATION, USER_AGENT};
use reqwest::{Response, StatusCode, Url};
use tokio::net::lookup_host;
use tokio::time::timeout;

use super::charset::decode;
use super::page::{MARKDOWN_BYTES, PageBody, PageFormat, WebPage, bare, form, markdown};
use super::{Pages, Permits};

/// The longest address.
const ADDRESS_BYTES: usize = 2000;

/// How much of a page is read.
const BODY_BYTES: usize = 10 * 1024 * 1024;

/// How long everything may take, redirects and body included.
const PATIENCE: Duration = Duration::from_secs(60);

/// How often a server may send us on.
const MOST_REDIRECTS: usize = 10;

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FetchError {
    /// It is not a valid URL, or none of the web.
    #[error("Invalid URL: {0}")]
    Invalid(String),
    /// It leads to this machine or the network around it.
    #[error("{host} is on a private network, or is this machine")]
    Private {
        /// The host.
        host: String,
    },
    /// A public name resolves to this machine. A rule for the name can't mean that: the owner of the name could make it
    /// resolve to this machine at any time.
    #[error("{host} resolves to this machine, or to a service of its network")]
    Disguised {
        /// The host.
        host: String,
    },
    /// A rule denies it.
    #[error("A permission rule denies WebFetch for {0}")]
    Denied(String),
    /// Its name can't be resolved.
    #[error("{host} can't be resolved: {why}")]
    Unknown {
        /// The host.
        host: String,
        /// The error of the resolver.
        why: String,
    },
    /// It can't be reached.
    #[error("{place} can't be reached: {why}")]
    Unreachable {
        /// Where we went.
        place: String,
        /// What went wrong.
        why: String,
        /// What we made of the address.
        note: Option<&'static str>,
    },
    /// It took too long.
    #[error("{0} did not complete the response within 60 seconds")]
    Slow(String),
    /// It is a circle, or might be.
    #[error("Too many redirects: {0} was redirected more than 10 times")]
    Circle(String),
    /// It sent what was not asked for.
    #[error("{place} sends the page as {encoding}, which is not supported")]
    Encoded {
        /// The host.
        place: String,
        /// The encoding.
        encoding: String,
    },
    /// What it sent can't be kept.
    #[error("The content of {place} is not text and can't be saved to a file: {error}")]
    Unkept {
        /// The host.
        place: String,
        /// Why not.
        error: std::io::Error,
    },
}

/// The error for a page that could not be reached over https.
const UPGRADED: &str = "The URL uses http; https was tried instead, because only private hosts that a rule \
                        names are fetched without it.";

impl HintedError for FetchError {
    fn hint(&self) -> Option<Hint> {
        Some(Hint::sentence(match self {
            FetchError::Invalid(_) => "Pass a complete URL that begins with https://.",
            FetchError::Private { host } => {
                return Some(Hint::sentence(format!(
                    "It is fetched only if a permission rule names exactly this host: the user can add \
                     WebFetch(domain:{host}) to the allow rules. A rule for all hosts, a wildcard or a permission mode \
                     does not count."
                )));
            }
            FetchError::Disguised { .. } => "Use its own name or address.",
            FetchError::Unknown { .. } => "Check the URL.",
            FetchError::Unreachable { note, .. } => return note.map(Hint::sentence),
            FetchError::Encoded { .. } => "Try another URL.",
            FetchError::Denied(_)
            | FetchError::Slow(_)
            | FetchError::Circle(_)
            | FetchError::Unkept { .. } => return None,
        }))
    }
}

/// What came of fetching.
#[derive(Debug)]
pub(crate) enum FetchOutcome {
    /// A page.
    Page(Arc<WebPage>),
    /// The server sends us to another place, which is not gone to without a call of its own.
    Elsewhere {
        /// Where to.
        to: Url,
        /// With which status.
        status: StatusCode,
    },
    /// The server has no page for us.
    Refused(StatusCode),
}

/// Fetches a page, or takes it from those that are still good. What is no text goes to a file in `spool`.
pub(crate) async fn fetch(
    address: &str,
    permits: &Permits,
    proxy: &ProxySettings,
    pages: &Pages,
    spool: &Path,
) -> Result<FetchOutcome, FetchError> {
    let url = parse(address)?;
    let host = url.host_str().unwrap_or_default().to_owned();
    if permits.denies(&url) {
        return Err(FetchError::Denied(host));
    }
    // Revoking a rule also revokes access to the cached pages that it allowed.
    let is_good = |page: &Arc<WebPage>| !page.is_private || permits.names(&host);
    if let Some(page) = pages.find(url.as_str()).filter(is_good) {
        return Ok(FetchOutcome::Page(page));
    }
    let journey = Journey { permits, proxy, spool };
    let fetched = timeout(PATIENCE, journey.go(&url)).await.map_err(|_| FetchError::Slow(host))??;
    if let FetchOutcome::Page(page) = &fetched {
        pages.keep(url.as_str(), page.clone());
    }
    Ok(fetched)
}

/// Reads an address.
fn parse(address: &str) -> Result<Url, FetchError> {
    let invalid = |why: &str| FetchError::Invalid(why.to_owned());
    if address.len() > ADDRESS_BYTES {
        return Err(invalid("it is longer than 2000 bytes"));
    }
    let mut url = Url::parse(address).map_err(|error| invalid(&error.to_string()))?;
    check(&url)?;
    url.set_fragment(None);
    Ok(url)
}

/// Whether an address is one of the web, without secrets in it.
fn check(url: &Url) -> Result<(), FetchError> {
    let invalid = |why: &str| Err(FetchError::Invalid(why.to_owned()));
    if !matches!(url.scheme(), "http" | "https") {
        return invalid(&format!("{}: is not fetched", url.scheme()));
    }
    if url.host_str().is_none_or(str::is_empty) {
        return invalid("it names no host");
    }
    if !url.username().is_empty() || url.password().is_some() {
        return invalid("it has a name or a password in it");
    }
    Ok(())
}

/// Where a hop leads.
struct HopTarget {
    addresses: Vec<SocketAddr>,
    is_private: bool,
}

/// The way to a page.
struct Journey<'f> {
    permits: &'f Permits,
    proxy: &'f ProxySettings,
    spool: &'f Path,
}

impl Journey<'_> {
    async fn go(&self, start: &Url) -> Result<FetchOutcome, FetchError> {
        let mut url = start.clone();
        let mut was_private = false;
        for _ in 0..=MOST_REDIRECTS {
            let place = self.look_up(&url).await?;
            was_private |= place.is_private;
            let is_upgraded = url.scheme() == "http" && !place.is_private;
            if is_upgraded && url.set_scheme("https").is_err() {
                return Err(FetchError::Invalid("it is not a valid https URL".to_owned()));
            }
            let response = self.get(&url, place, is_upgraded).await?;
            let status = response.status();
            let Some(next) = next_hop(&url, &response) else {
                return match status.is_success() {
                    true => self.read(&url, response, was_private).await,
                    false => Ok(FetchOutcome::Refused(status)),
                };
            };
            if next.as_str().len() > ADDRESS_BYTES {
                return Err(FetchError::Invalid(
                    "it redirects to a URL that is longer than 2000 bytes".to_owned(),
                ));
            }
            let is_here = next.host_str() == url.host_str();
            if !is_same_place(&url, &next) || (!is_here && self.permits.wants_a_call(&next)) {
                return Ok(FetchOutcome::Elsewhere { to: next, status });
            }
            url = next;
        }
        Err(FetchError::Circle(start.host_str().unwrap_or_default().to_owned()))
    }

    /// Looks up where an address leads, and whether we may go there.
    async fn look_up(&self, url: &Url) -> Result<HopTarget, FetchError> {
        let host = url.host_str().unwrap_or_default();
        let is_named = self.permits.names(host);
        let private = || FetchError::Private { host: host.to_owned() };
        let literal = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>().ok();
        let is_near = literal.is_none() && is_private_name(host);
        if is_near && !is_named {
            return Err(private());
        }
        let addresses: Vec<SocketAddr> = match literal {
            Some(address) => vec![SocketAddr::new(address, 0)],
            None => {
                let unknown = |why: String| FetchError::Unknown { host: host.to_owned(), why };
                let found = lookup_host((host, 0)).await.map_err(|error| unknown(error.to_string()))?;
                let found: Vec<SocketAddr> = found.collect();
                if found.is_empty() {
                    return Err(unknown("it has no address".to_owned()));
                }
                found
            }
        };
        if literal.is_none() && !is_near && addresses.iter().any(|address| is_own(address.ip())) {
            return Err(FetchError::Disguised { host: host.to_owned() });
        }
        // One private address among public ones is enough: the connection may take any of them.
        let is_private = is_near || addresses.iter().any(|address| !is_public(address.ip()));
        if is_private && !is_named {
            return Err(private());
        }
        Ok(HopTarget { addresses, is_private })
    }

    async fn get(&self, url: &Url, place: HopTarget, is_upgraded: bool) -> Result<Response, FetchError> {
        let failed = |why: String| FetchError::Unreachable {
            place: url.origin().ascii_serialization(),
            why,
            note: is_upgraded.then_some(UPGRADED),
        };
        let client = match needs_proxy(url, self.proxy) {
            true => connections(url, self.proxy),
            false => connections_to(url, place.addresses),
        };
        let client = client.map_err(|error| failed(error.to_string()))?;
        let request = client
            .get(url.clone())
            .header(USER_AGENT, concat!("aqueduct/", env!("CARGO_PKG_VERSION")))
            .header(ACCEPT, "text/markdown, text/html;q=0.9, */*;q=0.8")
            .header(ACCEPT_ENCODING, "identity");
        request.send().await.map_err(|error| failed(reason(&error)))
    }

    async fn read(
        &self,
        url: &Url,
        mut response: Response,
        is_private: bool,
    ) -> Result<FetchOutcome, FetchError> {
        let place = url.origin().ascii_serialization();
        let header =
            |name| response.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let encoding = header(CONTENT_ENCODING).trim().to_ascii_lowercase();
        if !encoding.is_empty() && encoding != "identity" {
            return Err(FetchError::Encoded { place, encoding });
        }
        let (status, content_type) = (response.status(), header(CONTENT_TYPE).to_owned());
        let mut bytes = Vec::new();
        let mut is_cut = false;
        while let Some(chunk) = response.chunk().await.map_err(|error| FetchError::Unreachable {
            place: place.clone(),
            why: reason(&error),
            note: None,
        })? {
            let room = BODY_BYTES - bytes.len();
            is_cut = chunk.len() > room;
            bytes.extend_from_slice(&chunk[..chunk.len().min(room)]);
            if is_cut {
                break;
            }
        }
        let length = bytes.len();
        let body = match form(&content_type, &bytes) {
            PageFormat::Binary => {
                let media_type = bare(&content_type);
                let path = spool::save(self.spool, "webfetch", spool::extension(&media_type), &bytes)
                    .map_err(|error| FetchError::Unkept { place, error })?;
                PageBody::File { media_type, path }
            }
            PageFormat::Text => PageBody::Text(decode(&content_type, PageFormat::Text, &bytes)),
            PageFormat::Html => {
                let made = converted(&content_type, bytes, url.clone()).await;
                is_cut |= made.len() > MARKDOWN_BYTES;
                PageBody::Text(made)
            }
        };
        let code_text = status.canonical_reason().unwrap_or_default();
        Ok(FetchOutcome::Page(Arc::new(WebPage {
            body,
            bytes: length,
            is_cut,
            code: status.as_u16(),
            code_text,
            is_private,
        })))
    }
}

/// HTML as Markdown. A large page takes a while, so the conversion runs on a thread for blocking work.
async fn converted(content_type: &str, bytes: Vec<u8>, url: Url) -> String {
    let content_type = content_type.to_owned();
    let made =
        tokio::task::spawn_blocking(move || markdown(&decode(&content_type, PageFormat::Html, &bytes), &url));
    made.await.unwrap_or_default()
}

/// Where a response sends us, if it does.
fn next_hop(url: &Url, response: &Response) -> Option<Url> {
    const MOVED: [u16; 5] = [301, 302, 303, 307, 308];
    if !MOVED.contains(&response.status().as_u16()) {
        return None;
    }
    let to = response.headers().get(LOCATION)?.to_str().ok()?;
    let mut next = url.join(to).ok()?;
    next.set_fragment(None);
    Some(next)
}

/// Whether a redirect stays within what the user allowed: the same host, except for `www.`, and the same port.
fn is_same_place(from: &Url, to: &Url) -> bool {
    let bare = |url: &Url| {
        let host = url.host_str().unwrap_or_default();
        host.strip_prefix("www.").unwrap_or(host).to_owned()
    };
    let is_as_safe = to.scheme() == "https" || to.scheme() == from.scheme();
    is_as_safe && check(to).is_ok() && to.port() == from.port() && bare(to) == bare(from)
}
