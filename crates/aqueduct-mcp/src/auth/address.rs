use std::net::{IpAddr, SocketAddr};

use aqueduct_model::client::{ProxySettings, needs_proxy};
use aqueduct_os::address::{is_own, is_private_name, is_public};
use reqwest::Url;
use tokio::net::lookup_host;

use super::error::SignInError;
use super::shown::shown;

/// How far the requests of a sign-in reach: not further into this machine and its network than the server that the user
/// configured. A server on the internet can't have us ask what only this network reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SignInReach {
    /// The internet.
    Public,
    /// The network around this machine, too.
    Private,
    /// This machine, too.
    Loopback,
}

/// Where an address of a sign-in leads.
#[derive(Debug)]
pub(super) struct AuthPlace {
    pub(super) url: Url,
    /// The addresses to connect to; none, where a proxy looks them up.
    pub(super) addresses: Option<Vec<SocketAddr>>,
}

impl SignInReach {
    /// The reach of sign-ins to a server.
    pub(super) async fn of(server: &Url, proxy: &ProxySettings) -> Result<SignInReach, SignInError> {
        let (_, reach) = look_up(server, proxy).await?;
        if server.scheme() != "https" && reach != SignInReach::Loopback {
            return Err(refused(server, "which is not encrypted: a sign-in takes https://"));
        }
        Ok(reach)
    }

    /// Looks up where an address leads that a server names.
    pub(super) async fn place(self, url: &Url, proxy: &ProxySettings) -> Result<AuthPlace, SignInError> {
        check_form(url)?;
        let (addresses, needed) = look_up(url, proxy).await?;
        if needed > self {
            return Err(refused(url, "which is not on the internet: the server must not lead there"));
        }
        if url.scheme() != "https" && needed != SignInReach::Loopback {
            return Err(refused(url, "which is not encrypted"));
        }
        Ok(AuthPlace { url: url.clone(), addresses })
    }
}

/// Checks what an address shows by itself. A browser opens some of them, so it has to be one of a page.
pub(super) fn check_form(url: &Url) -> Result<(), SignInError> {
    let is_loopback = || url.host_str().is_some_and(is_loopback_name);
    let why = match url.scheme() {
        _ if !url.has_host() => "which names no host",
        _ if !url.username().is_empty() || url.password().is_some() => "which has a name or a password in it",
        _ if url.fragment().is_some() => "which has a fragment",
        "https" => return Ok(()),
        "http" if is_loopback() => return Ok(()),
        "http" => "which is not encrypted",
        _ => "which is not an https:// address",
    };
    Err(refused(url, why))
}

/// Whether a host is this machine by its name alone.
fn is_loopback_name(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost") || literal(host).is_some_and(|address| address.is_loopback())
}

fn literal(host: &str) -> Option<IpAddr> {
    host.trim_start_matches('[').trim_end_matches(']').parse().ok()
}

/// The addresses of a host, and the reach that it takes to connect to all of them.
async fn look_up(
    url: &Url,
    proxy: &ProxySettings,
) -> Result<(Option<Vec<SocketAddr>>, SignInReach), SignInError> {
    let host = url.host_str().unwrap_or_default();
    let by_name = match literal(host) {
        None if is_loopback_name(host) => SignInReach::Loopback,
        None if is_private_name(host) => SignInReach::Private,
        _ => SignInReach::Public,
    };
    let addresses = match literal(host) {
        Some(address) => vec![SocketAddr::new(address, 0)],
        // The proxy looks it up.
        None if by_name != SignInReach::Loopback && needs_proxy(url, proxy) => return Ok((None, by_name)),
        None => {
            let unknown = |why: String| SignInError::Unreachable { place: shown(host), why };
            let found: Vec<SocketAddr> =
                lookup_host((host, 0)).await.map_err(|error| unknown(error.to_string()))?.collect();
            if found.is_empty() {
                return Err(unknown("it has no address".to_owned()));
            }
            found
        }
    };
    let mut needed = by_name;
    for address in &addresses {
        let address = address.ip().to_canonical();
        if is_own(address) && !address.is_loopback() {
            return Err(refused(url, "which is an address that belongs to this machine's own link"));
        }
        needed = needed.max(match address {
            address if address.is_loopback() => SignInReach::Loopback,
            address if is_public(address) => SignInReach::Public,
            _ => SignInReach::Private,
        });
    }
    // A proxy is for other machines, and would look at its own loopback addresses.
    let is_proxied = needs_proxy(url, proxy) && needed != SignInReach::Loopback;
    Ok(((!is_proxied).then_some(addresses), needed))
}

fn refused(url: &Url, why: &str) -> SignInError {
    SignInError::Address { url: shown(url.as_str()), why: why.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn place(reach: SignInReach, url: &str) -> Result<AuthPlace, String> {
        let url = Url::parse(url).unwrap();
        reach.place(&url, &ProxySettings::default()).await.map_err(|error| error.to_string())
    }

    #[tokio::test]
    async fn a_server_on_the_internet_leads_nowhere_else() {
        for url in
            ["https://10.0.0.1/x", "https://127.0.0.1/x", "https://[::1]/x", "https://[::ffff:192.168.0.1]/"]
        {
            let error = place(SignInReach::Public, url).await.unwrap_err();
            assert!(error.contains("not on the internet"), "{url}: {error}");
        }
        assert!(place(SignInReach::Private, "https://10.0.0.1/x").await.is_ok());
        assert!(place(SignInReach::Private, "https://127.0.0.1/x").await.is_err());
        assert!(place(SignInReach::Loopback, "http://127.0.0.1:3/x").await.is_ok());
        assert!(place(SignInReach::Loopback, "https://169.254.169.254/x").await.is_err());
        assert!(place(SignInReach::Public, "https://93.184.215.14/x").await.is_ok());
    }

    #[tokio::test]
    async fn only_encrypted_addresses_are_used() {
        for url in [
            "http://93.184.215.14/",
            "javascript:alert(1)",
            "file:///etc/passwd",
            "https://ada:secret@93.184.215.14/",
            "https://93.184.215.14/#x",
            "data:text/html,x",
        ] {
            assert!(place(SignInReach::Loopback, url).await.is_err(), "{url}");
        }
    }

    #[tokio::test]
    async fn a_server_needs_encryption_or_this_machine() {
        let reach =
            async |url: &str| SignInReach::of(&Url::parse(url).unwrap(), &ProxySettings::default()).await;
        assert_eq!(reach("http://127.0.0.1:1/mcp").await.unwrap(), SignInReach::Loopback);
        assert_eq!(reach("https://10.1.2.3/mcp").await.unwrap(), SignInReach::Private);
        assert_eq!(reach("https://93.184.215.14/mcp").await.unwrap(), SignInReach::Public);
        assert!(reach("http://10.1.2.3/mcp").await.is_err());
    }
}
