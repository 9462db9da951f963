use std::fs;
use std::io;
use std::net::TcpListener;
use std::os::fd::{AsFd, OwnedFd, RawFd};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::path::Path;

use rustix::fs::{Mode, fchmod};
use rustix::net::{
    AddressFamily, SocketAddrUnix, SocketFlags, SocketType, bind, listen, socket_with, sockopt,
};
use rustix::process::{PidfdFlags, PidfdGetfdFlags, getpid, pidfd_getfd, pidfd_open};

use crate::socket::InheritedListener;

pub(crate) fn peer_user(socket: impl AsFd) -> io::Result<Option<u32>> {
    Ok(Some(sockopt::socket_peercred(socket)?.uid.as_raw()))
}

pub(crate) fn private_listener(path: &Path, backlog: u32) -> io::Result<UnixListener> {
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    let socket = socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None)?;
    // Linux gives the file the socket's mode, so others can't connect in between.
    fchmod(&socket, Mode::RUSR | Mode::WUSR)?;
    bind(&socket, &SocketAddrUnix::new(path)?)?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o600))?;
    listen(&socket, backlog.cast_signed())?;
    Ok(UnixListener::from(socket))
}

/// A file descriptor is only a number here, and this process itself is asked for a copy of what it means: that is safe also
/// if it means nothing.
pub(crate) fn inherited_listener(number: RawFd) -> io::Result<InheritedListener> {
    let own = pidfd_open(getpid(), PidfdFlags::empty())?;
    let socket: OwnedFd = pidfd_getfd(own, number, PidfdGetfdFlags::empty())?;
    let is_listener =
        sockopt::socket_type(&socket)? == SocketType::STREAM && sockopt::socket_acceptconn(&socket)?;
    let family = sockopt::socket_domain(&socket)?;
    match is_listener {
        true if family == AddressFamily::UNIX => Ok(InheritedListener::Unix(UnixListener::from(socket))),
        true if family == AddressFamily::INET || family == AddressFamily::INET6 => {
            Ok(InheritedListener::Tcp(TcpListener::from(socket)))
        }
        _ => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no listening socket for streams")),
    }
}
