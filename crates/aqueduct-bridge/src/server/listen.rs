use std::fmt;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::str::FromStr;

use aqueduct_os::socket::InheritedListener;

use super::ServerStartError;

/// Where the server listens.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Listen {
    /// On an address and a port.
    Tcp(SocketAddr),
    /// On a socket in the file system.
    Unix(PathBuf),
}

impl Listen {
    /// Where a socket listens that was inherited.
    ///
    /// # Errors
    ///
    /// If it has no address, or a Unix socket has no path.
    pub fn of(listener: &InheritedListener) -> io::Result<Self> {
        match listener {
            InheritedListener::Tcp(listener) => listener.local_addr().map(Listen::Tcp),
            InheritedListener::Unix(listener) => {
                let address = listener.local_addr()?;
                let path = address.as_pathname().ok_or_else(|| io::Error::other("the socket has no path"))?;
                Ok(Listen::Unix(path.to_owned()))
            }
        }
    }

    /// Whether other machines can come here.
    pub fn is_wide(&self) -> bool {
        match self {
            Listen::Tcp(address) => !address.ip().to_canonical().is_loopback(),
            Listen::Unix(_) => false,
        }
    }

    /// Refuses an address that other machines can reach, unless there is TLS or the user insists.
    pub fn check(&self, has_tls: bool, insecure: bool) -> Result<(), ServerStartError> {
        match self.is_wide() && !has_tls && !insecure {
            true => Err(ServerStartError::Wide { listen: self.clone() }),
            false => Ok(()),
        }
    }
}

impl FromStr for Listen {
    type Err = ServerStartError;

    fn from_str(text: &str) -> Result<Self, ServerStartError> {
        let no_place = || ServerStartError::NoPlace(text.to_owned());
        if let Some(path) = text.strip_prefix("unix:") {
            return if path.is_empty() { Err(no_place()) } else { Ok(Listen::Unix(path.into())) };
        }
        // A resolver may return others for other names; for this one it should not.
        if let Some(port) = text.strip_prefix("localhost:") {
            let port: u16 = port.parse().map_err(|_| no_place())?;
            return Ok(Listen::Tcp((Ipv4Addr::LOCALHOST, port).into()));
        }
        text.parse().map(Listen::Tcp).map_err(|_| no_place())
    }
}

impl fmt::Display for Listen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Listen::Tcp(address) => write!(f, "{address}"),
            Listen::Unix(path) => write!(f, "unix:{}", path.display()),
        }
    }
}
