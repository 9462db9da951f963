//! Hosts that commands may reach, and addresses that are nobody's business.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// A pattern for hosts: `example.com`, `*.example.com` for all below it, or `*` for all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Domain {
    /// This host.
    Exact(String),
    /// The hosts below this one.
    Below(String),
    /// Every host.
    Any,
}

impl Domain {
    /// Reads a pattern; says what is wrong with it.
    pub(crate) fn parse(text: &str) -> Result<Domain, &'static str> {
        if text.trim() == "*" {
            return Ok(Domain::Any);
        }
        let text = normal(text);
        if text.parse::<IpAddr>().is_ok() {
            return Ok(Domain::Exact(text));
        }
        if text.contains("://") || text.contains('/') {
            return Err("is an address; name the host alone, such as example.com");
        }
        if text.contains(':') {
            return Err("names a port; name the host alone: all ports of it count");
        }
        let (below, name) = match text.strip_prefix("*.") {
            Some(name) => (true, name),
            None => (false, text.as_str()),
        };
        let is_name = !name.is_empty()
            && name.split('.').all(|label| {
                !label.is_empty()
                    && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
            });
        match (is_name, below) {
            (false, _) => Err("is no host; write example.com, or *.example.com for the hosts below it"),
            (true, true) => Ok(Domain::Below(name.to_owned())),
            (true, false) => Ok(Domain::Exact(name.to_owned())),
        }
    }

    /// Whether a host is meant.
    pub(crate) fn covers(&self, host: &str) -> bool {
        let host = normal(host);
        match self {
            Domain::Exact(name) => host == *name,
            Domain::Below(name) => {
                host.strip_suffix(name.as_str()).is_some_and(|rest| rest.ends_with('.') && rest.len() > 1)
            }
            Domain::Any => true,
        }
    }

    /// Whether it names this host and no other.
    pub(crate) fn names(&self, host: &str) -> bool {
        matches!(self, Domain::Exact(_)) && self.covers(host)
    }
}

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Domain::Exact(name) => f.write_str(name),
            Domain::Below(name) => write!(f, "*.{name}"),
            Domain::Any => f.write_str("*"),
        }
    }
}

/// A host as it is compared: small letters, no brackets, no dot at the end.
fn normal(host: &str) -> String {
    let host = host.trim();
    let host = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host);
    host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase()
}

/// Whether an address is one of the public network: neither this machine nor a network around it.
pub(crate) fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let shared = a == 100 && (64..128).contains(&b);
    let tests = a == 198 && (18..20).contains(&b);
    !(a == 0
        || a >= 240
        || shared
        || tests
        || (a, b, c) == (192, 0, 0)
        || address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_documentation())
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let [first, second, ..] = address.segments();
    // Only 2000::/3 is given out. In it, 6to4 and Teredo lead to any IPv4 address.
    (first & 0xE000) == 0x2000 && first != 0x2002 && !(first == 0x2001 && (second == 0 || second == 0x0DB8))
}

#[cfg(test)]
mod tests {
    use super::{Domain, is_public};

    #[test]
    fn patterns_cover_what_they_say() {
        let covers = |pattern: &str, host: &str| Domain::parse(pattern).unwrap().covers(host);
        assert!(covers("example.com", "Example.COM."));
        assert!(!covers("example.com", "a.example.com"));
        assert!(covers("*.example.com", "a.b.example.com"));
        assert!(!covers("*.example.com", "example.com"));
        assert!(!covers("*.example.com", "badexample.com"));
        assert!(!covers("*.example.com", ".example.com"));
        assert!(covers("127.0.0.1", "127.0.0.1") && covers("::1", "[::1]") && covers("*", "x.org"));
        assert!(!Domain::parse("*").unwrap().names("x.org"));
    }

    #[test]
    fn what_is_no_host_is_named() {
        for wrong in ["", "https://example.com", "example.com:443", "a.*.com", "exa mple.com", "*.", "a/b"] {
            assert!(Domain::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn networks_around_here_are_not_public() {
        for address in [
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "224.0.0.1",
            "255.255.255.255",
            "198.18.0.1",
            "::1",
            "::",
            "fe80::1",
            "fc00::1",
            "ff02::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "64:ff9b::7f00:1",
            "2002:7f00:1::",
            "2001::1",
        ] {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
        for address in ["1.1.1.1", "93.184.216.34", "2606:4700::1111"] {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
    }
}
