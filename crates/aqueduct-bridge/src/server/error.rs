use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use thiserror::Error;

use super::Listen;

/// Why the server can't be started.
#[derive(Debug, Clone, Error)]
pub enum ServerStartError {
    /// The text is not an address to listen on.
    #[error("`{0}` is not an address to listen on: give ADDRESS:PORT, such as 127.0.0.1:8765, or unix:PATH")]
    NoPlace(String),
    /// Others on the network could read the traffic.
    #[error(
        "{listen} can be reached from other machines, and without TLS others on the network can read tokens and \
         sessions: give --tls-cert and --tls-key, listen on 127.0.0.1 behind a tunnel or proxy, or pass --insecure"
    )]
    Wide {
        /// The place.
        listen: Listen,
    },
    /// The address is in use.
    #[error(
        "{listen} is in use: another program listens there; end it, or choose another place with --listen"
    )]
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
    #[error("{} exists and is not a socket: remove it, or choose another path", path.display())]
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
