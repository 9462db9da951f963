//! What a command reads: a file that the agent sends to the guard over their socket.

use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};

use rustix::io::{FdFlags, fcntl_setfd};
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, recvmsg, sendmsg,
};

/// The variable that tells a guard that a file comes.
pub(super) const COMES: &str = "AQUEDUCT_GUARD_INPUT";

/// A file travels with a byte at least.
const BYTE: [u8; 1] = [b'i'];

/// Sends a file. It waits in the socket until the guard asks for it.
pub(crate) fn send(guard: impl AsFd, file: &OwnedFd) -> io::Result<()> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut ancillary = SendAncillaryBuffer::new(&mut space);
    let files = [file.as_fd()];
    if !ancillary.push(SendAncillaryMessage::ScmRights(&files)) {
        return Err(io::Error::other("a file does not fit into a message"));
    }
    sendmsg(guard, &[IoSlice::new(&BYTE)], &mut ancillary, SendFlags::empty())?;
    Ok(())
}

/// Takes the file. It has been sent before the guard was started.
pub(crate) fn receive(agent: impl AsFd) -> io::Result<OwnedFd> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut space);
    let mut byte = BYTE;
    recvmsg(agent, &mut [IoSliceMut::new(&mut byte)], &mut ancillary, RecvFlags::empty())?;
    let mut files = ancillary.drain().filter_map(|message| match message {
        RecvAncillaryMessage::ScmRights(mut files) => files.next(),
        _ => None,
    });
    let file = files.next().ok_or_else(|| io::Error::other("no file came with the message"))?;
    // The command gets it as its stdin, and not once more.
    fcntl_setfd(&file, FdFlags::CLOEXEC)?;
    Ok(file)
}
