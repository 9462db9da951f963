//! Hosts that commands may reach.

use std::fmt;
use std::net::IpAddr;

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
    /// Reads a pattern; returns what is wrong with it.
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
            (false, _) => Err("is not a host; write example.com, or *.example.com for the hosts below it"),
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

/// A host as it is compared: small letters, no brackets, no dot at the end, and every address in one way.
fn normal(host: &str) -> String {
    let host = host.trim();
    let host = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host);
    let host = host.strip_suffix('.').unwrap_or(host);
    match host.parse::<IpAddr>() {
        Ok(address) => address.to_canonical().to_string(),
        Err(_) => host.to_ascii_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::Domain;

    #[test]
    fn patterns_cover_their_hosts() {
        let covers = |pattern: &str, host: &str| Domain::parse(pattern).unwrap().covers(host);
        assert!(covers("example.com", "Example.COM."));
        assert!(!covers("example.com", "a.example.com"));
        assert!(covers("*.example.com", "a.b.example.com"));
        assert!(!covers("*.example.com", "example.com"));
        assert!(!covers("*.example.com", "badexample.com"));
        assert!(!covers("*.example.com", ".example.com"));
        assert!(covers("127.0.0.1", "127.0.0.1") && covers("::1", "[::1]") && covers("*", "x.org"));
        assert!(
            covers("1.2.3.4", "::ffff:1.2.3.4") && covers("1.2.3.4", "1.2.3.4.") && covers("::1", "0:0::1")
        );
        assert!(!Domain::parse("*").unwrap().names("x.org"));
    }

    #[test]
    fn an_entry_that_is_not_a_host_is_named() {
        for wrong in ["", "https://example.com", "example.com:443", "a.*.com", "exa mple.com", "*.", "a/b"] {
            assert!(Domain::parse(wrong).is_err(), "{wrong}");
        }
    }
}
