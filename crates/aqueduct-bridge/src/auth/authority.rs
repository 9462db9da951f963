use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use super::AuthError;

/// The longest name that a host can have.
const LONGEST: usize = 253;

/// A host and maybe a port, as in the header `Host`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Authority {
    /// The host.
    pub host: HostName,
    /// The port, where one was given.
    pub port: Option<u16>,
}

/// What a host is called.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum HostName {
    /// By an address.
    Address(IpAddr),
    /// By a name, in small letters.
    Name(String),
}

impl Authority {
    /// Reads `host`, `host:port`, `[v6]` and `[v6]:port`. Nothing else is one: no user, no spaces, no empty port.
    pub fn parse(text: &str) -> Option<Self> {
        let (host, port) = match text.strip_prefix('[') {
            Some(rest) => {
                let (address, port) = rest.split_once(']')?;
                let address: Ipv6Addr = address.parse().ok()?;
                let port = match port {
                    "" => None,
                    port => Some(port.strip_prefix(':')?),
                };
                (HostName::Address(address.into()), port)
            }
            None => {
                let (host, port) = match text.split_once(':') {
                    Some((host, port)) => (host, Some(port)),
                    None => (text, None),
                };
                (HostName::parse(host)?, port)
            }
        };
        let port = match port {
            Some("0") => Some(0),
            Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0') => {
                Some(digits.parse().ok()?)
            }
            Some(_) => return None,
            None => None,
        };
        Some(Authority { host, port })
    }
}

impl HostName {
    fn parse(text: &str) -> Option<Self> {
        if let Ok(address) = text.parse::<Ipv4Addr>() {
            return Some(HostName::Address(address.into()));
        }
        let is_name = !text.is_empty()
            && text.len() <= LONGEST
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte));
        is_name.then(|| HostName::Name(text.to_ascii_lowercase()))
    }

    /// Whether it means this machine to every program on it.
    pub fn is_loopback(&self) -> bool {
        match self {
            HostName::Address(address) => address.to_canonical().is_loopback(),
            HostName::Name(name) => name == "localhost",
        }
    }
}

impl FromStr for Authority {
    type Err = AuthError;

    fn from_str(text: &str) -> Result<Self, AuthError> {
        Authority::parse(text).ok_or_else(|| AuthError::NoHostName(text.to_owned()))
    }
}

impl fmt::Display for Authority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.host {
            HostName::Address(IpAddr::V6(address)) => write!(f, "[{address}]")?,
            HostName::Address(address) => write!(f, "{address}")?,
            HostName::Name(name) => f.write_str(name)?,
        }
        self.port.map_or(Ok(()), |port| write!(f, ":{port}"))
    }
}
