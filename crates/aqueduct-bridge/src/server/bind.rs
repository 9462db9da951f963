use std::fs;
use std::io;
use std::net::SocketAddr;
use std::os::unix::fs::FileTypeExt;
use std::os::unix::net::UnixStream as StdUnixStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use aqueduct_os::socket::{InheritedListener, private_listener};
use tokio::net::{TcpListener, TcpSocket, UnixListener};

use super::stream::ConnectionStream;
use super::{Listen, ServerStartError};

/// Connections that the system holds for us until we take them.
const BACKLOG: u32 = 1024;

/// A place that is listened on. A socket in the file system goes with it.
#[derive(Debug)]
pub(super) enum BoundListener {
    Tcp(TcpListener),
    Unix(UnixListener, SocketFile),
}

/// A connection, and where from and where to if it came over a network.
pub(super) struct AcceptedConnection {
    pub(super) stream: ConnectionStream,
    pub(super) addresses: Option<(SocketAddr, SocketAddr)>,
}

impl BoundListener {
    /// Listens.
    pub(super) fn new(place: &Listen) -> Result<Self, ServerStartError> {
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::AddrInUse => ServerStartError::InUse { listen: place.clone() },
            _ => ServerStartError::Bind { listen: place.clone(), error: Arc::new(error) },
        };
        match place {
            Listen::Tcp(address) => {
                let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() };
                let listener = socket.and_then(|socket| {
                    socket.set_reuseaddr(true)?;
                    socket.bind(*address)?;
                    socket.listen(BACKLOG)
                });
                listener.map(BoundListener::Tcp).map_err(failed)
            }
            Listen::Unix(path) => {
                clear(path, place)?;
                let listener =
                    private_listener(path, BACKLOG).and_then(UnixListener::from_std).map_err(failed)?;
                Ok(BoundListener::Unix(listener, SocketFile { path: path.clone(), is_ours: true }))
            }
        }
    }

    /// Takes over a socket that is listened on already. Its file belongs to the program that opened it.
    pub(super) fn inherited(listener: InheritedListener, place: &Listen) -> Result<Self, ServerStartError> {
        let path = match place {
            Listen::Unix(path) => path.clone(),
            Listen::Tcp(_) => PathBuf::new(),
        };
        let taken = match listener {
            InheritedListener::Tcp(listener) => TcpListener::from_std(listener).map(BoundListener::Tcp),
            InheritedListener::Unix(listener) => UnixListener::from_std(listener)
                .map(|listener| BoundListener::Unix(listener, SocketFile { path, is_ours: false })),
        };
        taken.map_err(|error| ServerStartError::Bind { listen: place.clone(), error: Arc::new(error) })
    }

    /// The place, with the port that the system chose.
    pub(super) fn place(&self) -> io::Result<Listen> {
        match self {
            BoundListener::Tcp(listener) => listener.local_addr().map(Listen::Tcp),
            BoundListener::Unix(_, file) => Ok(Listen::Unix(file.path.clone())),
        }
    }

    /// The next connection. Nothing is lost when it is dropped before it is done.
    pub(super) async fn accept(&self) -> io::Result<AcceptedConnection> {
        match self {
            BoundListener::Tcp(listener) => {
                let (stream, peer) = listener.accept().await?;
                // A delta is small and should not wait for the next.
                stream.set_nodelay(true)?;
                let local = stream.local_addr()?;
                Ok(AcceptedConnection {
                    stream: ConnectionStream::Tcp(stream),
                    addresses: Some((peer, local)),
                })
            }
            BoundListener::Unix(listener, _) => {
                let (stream, _) = listener.accept().await?;
                Ok(AcceptedConnection { stream: ConnectionStream::Unix(stream), addresses: None })
            }
        }
    }
}

/// A socket's file, which is removed with it if this server made it.
#[derive(Debug)]
pub(super) struct SocketFile {
    path: PathBuf,
    is_ours: bool,
}

impl Drop for SocketFile {
    fn drop(&mut self) {
        if self.is_ours {
            // If it does not exist, another process removed it.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Removes what a killed server left behind: a socket without a listener.
fn clear(path: &Path, place: &Listen) -> Result<(), ServerStartError> {
    let failed = |error| ServerStartError::Bind { listen: place.clone(), error: Arc::new(error) };
    let kind = match fs::symlink_metadata(path) {
        Ok(found) => found.file_type(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(failed(error)),
    };
    if !kind.is_socket() {
        return Err(ServerStartError::NotASocket { path: path.to_owned() });
    }
    match StdUnixStream::connect(path) {
        Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => {
            fs::remove_file(path).map_err(failed)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        // A process that does not answer, for example for lack of room, still runs.
        _ => Err(ServerStartError::InUse { listen: place.clone() }),
    }
}
