use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use aqueduct_wire::hint::{Hint, HintedError};
use thiserror::Error;

use super::Listen;

/// Why the server can't be started.
#[derive(Debug, Clone, Error)]
pub enum ServerStartError {
    /// The text is not an address to listen on.
    #[error("`{0}` is not an address to listen on")]
    NoPlace(String),
    /// Others on the network could read the traffic.
    #[error(
        "{listen} can be reached from other machines, and without TLS others on the network can read tokens and \
         sessions"
    )]
    Wide {
        /// The place.
        listen: Listen,
    },
    /// The address is in use.
    #[error("{listen} is in use: another program listens there")]
    InUse {
        /// The place.
        listen: Listen,
    },
    /// The place can't be listened on.
    #[error("can't listen on {listen}: {error}")]
    Bind {
        /// The place.
        listen: Listen,
        /// The system's error.
        error: Arc<io::Error>,
    },
    /// Something else is where a socket should be.
    #[error("{} exists and is not a socket", path.display())]
    NotASocket {
        /// The path.
        path: PathBuf,
    },
    /// A file for TLS can't be read.
    #[error("can't read {}: {error}", path.display())]
    TlsFile {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: Arc<io::Error>,
    },
    /// The files for TLS do not hold what they should.
    #[error("can't use {} and {} for TLS: {problem}", certificate.display(), key.display())]
    Tls {
        /// The certificates.
        certificate: PathBuf,
        /// The key.
        key: PathBuf,
        /// What is wrong.
        problem: String,
    },
}

impl HintedError for ServerStartError {
    fn hint(&self) -> Option<Hint> {
        Some(Hint::clause(match self {
            ServerStartError::NoPlace(_) => "give ADDRESS:PORT, such as 127.0.0.1:8765, or unix:PATH",
            ServerStartError::Wide { .. } => {
                "give --tls-cert and --tls-key, listen on 127.0.0.1 behind a tunnel or proxy, or pass --insecure"
            }
            ServerStartError::InUse { .. } => "end it, or choose another place with --listen",
            ServerStartError::NotASocket { .. } => "remove it, or choose another path",
            ServerStartError::TlsFile { .. } | ServerStartError::Tls { .. } => {
                "give PEM files that this user can read with --tls-cert and --tls-key"
            }
            ServerStartError::Bind { .. } => return None,
        }))
    }
}
