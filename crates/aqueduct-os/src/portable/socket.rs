use std::fs;
use std::io;
use std::os::fd::{AsFd, RawFd};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::path::Path;

use crate::socket::InheritedListener;

pub(crate) fn peer_user(_socket: impl AsFd) -> io::Result<Option<u32>> {
    Ok(None)
}

/// Between its creation and the change of its mode, others can connect unless its folder keeps them out.
pub(crate) fn private_listener(path: &Path, _backlog: u32) -> io::Result<UnixListener> {
    let listener = UnixListener::bind(path)?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o600))?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

/// A number can't be made an owned file safely.
pub(crate) fn inherited_listener(_number: RawFd) -> io::Result<InheritedListener> {
    Err(io::Error::from(io::ErrorKind::Unsupported))
}
