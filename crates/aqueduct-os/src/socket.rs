//! Sockets: files that are sent over them, listeners for one user, long paths, listeners that were inherited.

use std::fs::File;
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::net::TcpListener;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::net::UnixListener;
use std::path::Path;

use rustix::io::{FdFlags, fcntl_setfd};
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, recvmsg, sendmsg,
};
use tokio::net::UnixStream;

use crate::platform;

/// Files travel with a byte at least.
const BYTE: [u8; 1] = [b'f'];

/// How long the path of a socket may be on all systems.
const LONGEST_PATH: usize = 100;

/// Sends up to three open files over a socket. They wait there until they are received.
pub fn send_files(socket: impl AsFd, files: &[BorrowedFd<'_>]) -> io::Result<()> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
    let mut ancillary = SendAncillaryBuffer::new(&mut space);
    if !ancillary.push(SendAncillaryMessage::ScmRights(files)) {
        return Err(io::Error::other("the files do not fit into a message"));
    }
    sendmsg(socket, &[IoSlice::new(&BYTE)], &mut ancillary, SendFlags::empty())?;
    Ok(())
}

/// Receives exactly so many files. Programs that this one starts do not inherit them.
pub fn receive_files<const COUNT: usize>(socket: impl AsFd) -> io::Result<[OwnedFd; COUNT]> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut space);
    recvmsg(socket, &mut [IoSliceMut::new(&mut [0])], &mut ancillary, RecvFlags::empty())?;
    let mut files = Vec::new();
    for message in ancillary.drain() {
        if let RecvAncillaryMessage::ScmRights(received) = message {
            files.extend(received);
        }
    }
    for file in &files {
        fcntl_setfd(file, FdFlags::CLOEXEC)?;
    }
    files.try_into().map_err(|_| io::Error::other("other files came than were expected"))
}

/// The user at the other end of a socket; none where the system does not report it.
pub fn peer_user(socket: impl AsFd) -> io::Result<Option<u32>> {
    platform::socket::peer_user(socket)
}

/// A socket in the file system that its owner alone can use. It does not block.
pub fn private_listener(path: &Path, backlog: u32) -> io::Result<UnixListener> {
    platform::socket::private_listener(path, backlog)
}

/// A listening socket that was opened by the program which started this one.
#[derive(Debug)]
pub enum InheritedListener {
    /// Of a network.
    Tcp(TcpListener),
    /// Of the file system.
    Unix(UnixListener),
}

/// The listening socket with this number among the open files that this process inherited. It does not block, and
/// programs that this one starts do not inherit it. The inherited file itself stays open.
///
/// # Errors
///
/// If there is no such file, it is no listening socket, or the system can't copy it by its number.
pub fn inherited_listener(number: RawFd) -> io::Result<InheritedListener> {
    let listener = platform::socket::inherited_listener(number)?;
    match &listener {
        InheritedListener::Tcp(listener) => listener.set_nonblocking(true)?,
        InheritedListener::Unix(listener) => listener.set_nonblocking(true)?,
    }
    Ok(listener)
}

/// Connects to the socket of this name in a folder, where the system can, however long its path is.
pub async fn connect(folder: &Path, name: &str) -> io::Result<UnixStream> {
    let path = folder.join(name);
    if path.as_os_str().len() > LONGEST_PATH {
        let open = File::open(folder)?;
        // Open files have short names.
        if let Some(short) = platform::file::path_of(&open) {
            return UnixStream::connect(short.join(name)).await;
        }
    }
    UnixStream::connect(path).await
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpListener;
    use std::os::fd::{AsFd as _, AsRawFd as _};
    use std::os::unix::fs::PermissionsExt as _;
    use std::os::unix::net::UnixStream;

    use super::{InheritedListener, inherited_listener, private_listener, receive_files, send_files};

    #[test]
    fn files_are_received_as_they_were_sent() {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let (mut reader, writer) = std::io::pipe().unwrap();
        send_files(&ours, &[writer.as_fd()]).unwrap();
        let [received] = receive_files(&theirs).unwrap();
        drop(writer);
        std::fs::File::from(received).write_all(b"hello").unwrap();
        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        assert_eq!(text, "hello");
        send_files(&ours, &[reader.as_fd()]).unwrap();
        assert!(receive_files::<3>(&theirs).is_err());
    }

    #[test]
    fn a_private_listener_is_its_owners() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("socket");
        let _listener = private_listener(&path, 8).unwrap();
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        UnixStream::connect(&path).unwrap();
    }

    #[test]
    #[cfg_attr(aqueduct_portable, ignore = "files of this process have no names there")]
    fn an_inherited_listener_is_found_by_its_number() {
        let network = TcpListener::bind("127.0.0.1:0").unwrap();
        let InheritedListener::Tcp(found) = inherited_listener(network.as_raw_fd()).unwrap() else {
            panic!("it is of a network")
        };
        assert_eq!(found.local_addr().unwrap(), network.local_addr().unwrap());
        assert_eq!(found.accept().unwrap_err().kind(), std::io::ErrorKind::WouldBlock);
        let folder = tempfile::tempdir().unwrap();
        let local = private_listener(&folder.path().join("socket"), 8).unwrap();
        assert!(matches!(inherited_listener(local.as_raw_fd()), Ok(InheritedListener::Unix(_))));
    }

    #[test]
    fn what_is_no_listener_is_refused() {
        let (one, _other) = UnixStream::pair().unwrap();
        let file = tempfile::tempfile().unwrap();
        for number in [one.as_raw_fd(), file.as_raw_fd(), i32::MAX] {
            inherited_listener(number).unwrap_err();
        }
    }
}
