use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;

use aqueduct_os::socket::peer_user;
use aqueduct_os::user::effective_id;

use crate::keeper::protocol::{
    FromKeeper, InputId, Messages, OUTPUT_LIMIT, ProtocolMessage, ToKeeper, Trouble, TroubleKind,
    output_header,
};
use crate::keeper::spool::Spool;

/// How many bytes may wait for a bridge that does not read, before the keeper stops reading from it.
/// Answers come of messages, so this bounds them.
const BACKLOG: usize = 128 << 10;

/// A bridge at the keeper's socket.
pub(super) struct BridgeConnection {
    stream: UnixStream,
    messages: Messages<ToKeeper>,
    /// What is to be sent, and how much of it has been.
    out: Vec<u8>,
    sent: usize,
    /// The offset of the next output to send; none before the bridge has attached.
    cursor: Option<u64>,
    /// Whether it has received the agent's end.
    exit_reported: bool,
    /// The last trouble that it has received.
    trouble: Option<TroubleKind>,
}

/// What came of listening to a bridge.
pub(super) enum ReadOutcome {
    /// This many bytes.
    Bytes(usize),
    /// Nothing for now.
    Nothing,
    /// The bridge is gone.
    End,
}

impl BridgeConnection {
    /// A connection that has just come; none if it is another user's.
    pub(super) fn new(stream: UnixStream) -> io::Result<Option<BridgeConnection>> {
        stream.set_nonblocking(true)?;
        // The folder is closed to others already. This holds even where someone has opened it.
        if peer_user(&stream)?.is_some_and(|user| user != effective_id()) {
            return Ok(None);
        }
        Ok(Some(BridgeConnection {
            stream,
            messages: Messages::default(),
            out: Vec::new(),
            sent: 0,
            cursor: None,
            exit_reported: false,
            trouble: None,
        }))
    }

    pub(super) fn stream(&self) -> &UnixStream {
        &self.stream
    }

    pub(super) fn cursor(&self) -> Option<u64> {
        self.cursor
    }

    /// Gives the bridge output from this offset on.
    pub(super) fn attach(&mut self, from: u64, writing: Option<InputId>) {
        self.cursor = Some(from);
        self.send_message(&FromKeeper::Attached { from, writing });
    }

    /// Whether the bridge may send more.
    pub(super) fn is_received(&self) -> bool {
        self.out.len() - self.sent < BACKLOG
    }

    /// Whether something waits to be sent.
    pub(super) fn is_behind(&self) -> bool {
        self.sent < self.out.len()
    }

    /// Whether there is more for it than it has been sent.
    pub(super) fn is_owed(&self, spool: &Spool, exited: bool) -> bool {
        let output = self.cursor.is_some_and(|cursor| cursor < spool.next());
        self.is_behind() || output || (exited && self.awaits_exit(spool))
    }

    /// Whether everything has been sent, the agent's end included.
    pub(super) fn knows_all(&self) -> bool {
        self.exit_reported && !self.is_behind()
    }

    /// Lets a message follow those that wait.
    pub(super) fn send_message(&mut self, message: &FromKeeper) {
        self.exit_reported |= matches!(message, FromKeeper::Exited(_));
        message.encode(&mut self.out);
    }

    /// Sends trouble that the bridge has not received, or its end. What began and ended while the bridge did
    /// not read is not sent.
    pub(super) fn report_trouble(&mut self, trouble: Option<&Trouble>) {
        let kind = trouble.map(|trouble| trouble.kind);
        if self.trouble != kind {
            self.trouble = kind;
            self.send_message(&FromKeeper::Trouble(trouble.cloned()));
        }
    }

    /// Whether the agent's exit is to be sent now: all output has been sent, and the exit has not.
    pub(super) fn awaits_exit(&self, spool: &Spool) -> bool {
        !self.exit_reported && self.cursor.is_some_and(|cursor| cursor >= spool.next())
    }

    /// Reads the bridge's messages.
    pub(super) fn receive(&mut self, bytes: &mut [u8]) -> ReadOutcome {
        match self.stream.read(bytes) {
            Ok(0) => ReadOutcome::End,
            Ok(count) => ReadOutcome::Bytes(count),
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {
                ReadOutcome::Nothing
            }
            Err(_) => ReadOutcome::End,
        }
    }

    /// The messages in what was read.
    pub(super) fn messages(&mut self) -> &mut Messages<ToKeeper> {
        &mut self.messages
    }

    /// Puts the next piece of output behind what waits, if there is one.
    pub(super) fn load(&mut self, spool: &Spool) -> io::Result<bool> {
        let Some(cursor) = self.cursor.filter(|cursor| *cursor < spool.next()) else { return Ok(false) };
        let begin = self.out.len();
        let header = output_header(cursor, 0).len();
        let most = usize::try_from(spool.next() - cursor).map_or(OUTPUT_LIMIT, |rest| rest.min(OUTPUT_LIMIT));
        self.out.resize(begin + header + most, 0);
        let read = spool.read(cursor, &mut self.out[begin + header..]);
        let length = *read.as_ref().unwrap_or(&0);
        self.out[begin..begin + header].copy_from_slice(&output_header(cursor, length));
        self.out.truncate(if length == 0 { begin } else { begin + header + length });
        self.cursor = Some(cursor + length as u64);
        read.map(|length| length > 0)
    }

    /// Sends what can be sent without blocking. An error is the end of the connection.
    pub(super) fn send(&mut self) -> io::Result<()> {
        while self.sent < self.out.len() {
            match self.stream.write(&self.out[self.sent..]) {
                Ok(count) => self.sent += count,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.out.clear();
        self.out.shrink_to(2 * OUTPUT_LIMIT);
        self.sent = 0;
        Ok(())
    }
}
