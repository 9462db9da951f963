//! Coming to a keeper.

use std::io;
use std::path::Path;

use aqueduct_os::socket::connect;
use aqueduct_os::user::effective_id;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;

use super::error::AttachError;
use super::events::KeeperEvents;
use super::folder::SOCKET;
use super::handle::KeeperHandle;
use super::protocol::{FromKeeper, KeeperHello, Messages, ProtocolMessage, ToKeeper, VERSION};

/// A bridge that has attached to a keeper.
pub struct AttachedKeeper {
    /// The keeper's description of itself.
    pub hello: KeeperHello,
    /// To send to the keeper and its agent.
    pub handle: KeeperHandle,
    /// Their content.
    pub events: KeeperEvents,
}

/// Attaches to the keeper in this folder. Output comes from this offset on: the `next` of the last line that
/// was remembered, or zero at first. What is below counts as acknowledged. The previous bridge is notified, and
/// its connection is closed.
///
/// A keeper answers within microseconds, unless it is frozen or its disk is: then this waits until it is not.
pub async fn attach(folder: &Path, from: u64) -> Result<AttachedKeeper, AttachError> {
    let stream = connect(folder, SOCKET).await.map_err(AttachError::Dead)?;
    let peer = stream.peer_cred().map_err(AttachError::Dead)?;
    if peer.uid() != effective_id() {
        return Err(AttachError::Foreign);
    }
    let mut greeting = Greeting { stream, messages: Messages::default(), bytes: Vec::new(), at: 0 };
    let FromKeeper::Hello(hello) = greeting.next().await? else { return Err(AttachError::OutOfTurn) };
    if hello.version > VERSION {
        return Err(AttachError::Newer(hello.version));
    }
    let mut message = Vec::new();
    ToKeeper::Attach { from }.encode(&mut message);
    greeting.stream.write_all(&message).await.map_err(AttachError::Dead)?;
    let writing = match greeting.next().await? {
        FromKeeper::Attached { writing, .. } => writing,
        FromKeeper::Misplaced(misplaced) => return Err(AttachError::Misplaced(misplaced)),
        _ => return Err(AttachError::OutOfTurn),
    };
    let Greeting { stream, messages, mut bytes, at } = greeting;
    let (reader, writer) = stream.into_split();
    bytes.drain(..at);
    let (handle, speech) = KeeperHandle::open(writer, writing.is_none());
    let events = KeeperEvents::new(reader, messages, bytes, from, handle.clone(), speech);
    Ok(AttachedKeeper { hello, handle, events })
}

/// The beginning of a connection.
struct Greeting {
    stream: UnixStream,
    messages: Messages<FromKeeper>,
    /// What has been read, and how much of it has been understood.
    bytes: Vec<u8>,
    at: usize,
}

impl Greeting {
    async fn next(&mut self) -> Result<FromKeeper, AttachError> {
        loop {
            let mut input = &self.bytes[self.at..];
            let message = self.messages.next(&mut input);
            self.at = self.bytes.len() - input.len();
            if let Some(message) = message? {
                return Ok(message);
            }
            self.bytes.clear();
            self.at = 0;
            let count = self.stream.read_buf(&mut self.bytes).await.map_err(AttachError::Dead)?;
            if count == 0 {
                return Err(AttachError::Dead(io::ErrorKind::UnexpectedEof.into()));
            }
        }
    }
}
