use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;

use crate::keeper::protocol::{
    FromKeeper, InputId, Message, Messages, OUTPUT_LIMIT, ToKeeper, Trouble, TroubleKind, output_header,
};
use crate::keeper::spool::Spool;

/// How many bytes may wait for a bridge that does not read, before the keeper stops reading what it says.
/// Answers come of messages, so this bounds them.
const BACKLOG: usize = 128 << 10;

/// A bridge at the keeper's socket.
pub(super) struct Connection {
    stream: UnixStream,
    messages: Messages<ToKeeper>,
    /// What is to be sent, and how much of it has been.
    out: Vec<u8>,
    sent: usize,
    /// The offset of the next output to send; none before the bridge has attached.
    cursor: Option<u64>,
    /// Whether it has been told of the agent's end.
    exit_told: bool,
    /// What trouble it has been told of last.
    trouble: Option<TroubleKind>,
}

/// What came of listening to a bridge.
pub(super) enum Heard {
    /// This many bytes.
    Bytes(usize),
    /// Nothing for now.
    Nothing,
    /// The bridge is gone.
    End,
}

impl Connection {
    /// A connection that has just come; none if it is another user's.
    pub(super) fn new(stream: UnixStream) -> io::Result<Option<Connection>> {
        stream.set_nonblocking(true)?;
        // The folder is closed to others already. This holds even where someone has opened it.
        #[cfg(target_os = "linux")]
        if rustix::net::sockopt::socket_peercred(&stream)?.uid != rustix::process::geteuid() {
            return Ok(None);
        }
        Ok(Some(Connection {
            stream,
            messages: Messages::default(),
            out: Vec::new(),
            sent: 0,
            cursor: None,
            exit_told: false,
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
        self.tell(&FromKeeper::Attached { from, writing });
    }

    /// Whether the bridge may say more.
    pub(super) fn is_heard(&self) -> bool {
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
        self.exit_told && !self.is_behind()
    }

    /// Lets a message follow those that wait.
    pub(super) fn tell(&mut self, message: &FromKeeper) {
        self.exit_told |= matches!(message, FromKeeper::Exited(_));
        message.encode(&mut self.out);
    }

    /// Tells of trouble that it has not been told of, or of its end. What came and went while the bridge did
    /// not read is no news.
    pub(super) fn tell_trouble(&mut self, trouble: Option<&Trouble>) {
        let kind = trouble.map(|trouble| trouble.kind);
        if self.trouble != kind {
            self.trouble = kind;
            self.tell(&FromKeeper::Trouble(trouble.cloned()));
        }
    }

    /// Whether the agent's end is to be told now: all output has been, and it has not.
    pub(super) fn awaits_exit(&self, spool: &Spool) -> bool {
        !self.exit_told && self.cursor.is_some_and(|cursor| cursor >= spool.next())
    }

    /// Reads what the bridge says.
    pub(super) fn hear(&mut self, bytes: &mut [u8]) -> Heard {
        match self.stream.read(bytes) {
            Ok(0) => Heard::End,
            Ok(count) => Heard::Bytes(count),
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {
                Heard::Nothing
            }
            Err(_) => Heard::End,
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

    /// Sends what can be sent at this moment. An error is the end of the connection.
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
