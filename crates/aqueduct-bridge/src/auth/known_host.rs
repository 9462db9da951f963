use std::fmt;
use std::str::FromStr;

use super::{AuthError, Authority, RequestOrigin};

/// A name by which clients reach the bridge, besides the addresses that it listens on: `NAME`, `NAME:PORT`, or the
/// whole origin, `https://NAME:PORT`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownHost {
    /// The name, and the port if only that one counts.
    pub authority: Authority,
    /// Whether pages come over TLS; `None` if that is as the connection is. A proxy may have the TLS.
    pub secure: Option<bool>,
}

impl KnownHost {
    /// Whether a `Host` header names it. An origin has exactly one port.
    pub(super) fn is_named_by(&self, host: &Authority) -> bool {
        match self.secure {
            Some(secure) => RequestOrigin::page(secure, &self.authority) == RequestOrigin::page(secure, host),
            None => {
                self.authority.host == host.host
                    && (self.authority.port.is_none() || self.authority.port == host.port)
            }
        }
    }

    /// The origin of its pages, where the scheme is known.
    pub(super) fn origin(&self) -> Option<RequestOrigin> {
        self.secure.map(|secure| RequestOrigin::page(secure, &self.authority))
    }
}

impl FromStr for KnownHost {
    type Err = AuthError;

    fn from_str(text: &str) -> Result<Self, AuthError> {
        let (secure, rest) = match text.split_once("://") {
            Some(("https", rest)) => (Some(true), rest),
            Some(("http", rest)) => (Some(false), rest),
            Some(_) => return Err(AuthError::NoHostName(text.to_owned())),
            None => (None, text),
        };
        let rest = if secure.is_some() { rest.strip_suffix('/').unwrap_or(rest) } else { rest };
        let authority = Authority::parse(rest).ok_or_else(|| AuthError::NoHostName(text.to_owned()))?;
        Ok(KnownHost { authority, secure })
    }
}

impl From<Authority> for KnownHost {
    fn from(authority: Authority) -> Self {
        KnownHost { authority, secure: None }
    }
}

impl fmt::Display for KnownHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.secure {
            Some(true) => f.write_str("https://")?,
            Some(false) => f.write_str("http://")?,
            None => {}
        }
        write!(f, "{}", self.authority)
    }
}
