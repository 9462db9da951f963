//! Messages from a bridge to a keeper.

use aqueduct_wire::hint::{Hint, HintedError};
use tokio::io::AsyncWriteExt;
use tokio::net::unix::OwnedWriteHalf;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;

use super::error::ConnectionClosed;
use super::protocol::{
    AgentSignal, INPUT_LIMIT, InputId, ProtocolMessage, ShutdownLadder, ToKeeper, Unattended,
};

/// Sends to a keeper and its agent. Clones use the same connection.
///
/// Inputs go to the agent one after the other: each is sent when the one before it has been answered, and
/// answers come as [`KeeperEvent`](super::KeeperEvent)s. So events must be taken for inputs to continue.
#[derive(Debug, Clone)]
pub struct KeeperHandle {
    /// Without a limit: who sends inputs also takes the answers that make room for the next, and must not wait for it.
    inputs: mpsc::UnboundedSender<(InputId, Vec<u8>)>,
    commands: mpsc::UnboundedSender<ToKeeper>,
    acked: watch::Sender<u64>,
}

/// Why a line can't be an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InputError {
    /// It is more than one line.
    #[error("an input must be one line")]
    Lines,
    /// It is too long.
    #[error("an input must have no more than {INPUT_LIMIT} bytes, and this one has {0}")]
    TooLong(usize),
    /// The connection is closed.
    #[error(transparent)]
    Closed(#[from] ConnectionClosed),
}

impl HintedError for InputError {
    fn hint(&self) -> Option<Hint> {
        match self {
            InputError::Lines => Some(Hint::sentence("Write it without line ends")),
            InputError::TooLong(_) => None,
            InputError::Closed(error) => error.hint(),
        }
    }
}

/// The task that writes the messages of handles, and how it is notified that an input was answered.
#[derive(Debug)]
pub(super) struct WriterTask {
    task: JoinHandle<()>,
    answers: mpsc::Sender<()>,
}

impl KeeperHandle {
    /// A handle on this connection. `idle` is set if no input is being written.
    pub(super) fn open(writer: OwnedWriteHalf, idle: bool) -> (KeeperHandle, WriterTask) {
        let (inputs, from_inputs) = mpsc::unbounded_channel();
        let (commands, from_commands) = mpsc::unbounded_channel();
        let (acked, acks) = watch::channel(0);
        let (answers, answered) = mpsc::channel(1);
        let speaker =
            KeeperWriter { writer, inputs: from_inputs, commands: from_commands, acks, answered, idle };
        let task = tokio::spawn(speaker.run());
        (KeeperHandle { inputs, commands, acked }, WriterTask { task, answers })
    }

    /// Gives a line, without its line end, to the agent. It is written once, however often it is given under
    /// this name.
    pub async fn input(&self, id: InputId, line: Vec<u8>) -> Result<(), InputError> {
        if memchr::memchr(b'\n', &line).is_some() {
            return Err(InputError::Lines);
        }
        if line.len() > INPUT_LIMIT {
            return Err(InputError::TooLong(line.len()));
        }
        self.inputs.send((id, line)).map_err(|_| ConnectionClosed.into())
    }

    /// All output below this offset, which is the `next` of a line, is remembered.
    pub fn ack(&self, offset: u64) -> Result<(), ConnectionClosed> {
        self.acked.send_if_modified(|acked| {
            let further = offset > *acked;
            *acked = offset.max(*acked);
            further
        });
        if self.acked.is_closed() { Err(ConnectionClosed) } else { Ok(()) }
    }

    /// Sends a signal to the agent alone.
    pub async fn signal(&self, signal: AgentSignal) -> Result<(), ConnectionClosed> {
        self.say(ToKeeper::Signal(signal)).await
    }

    /// Ends the agent and everything that it started. When it has ended, and all of its output is
    /// acknowledged, the keeper goes.
    pub async fn end(&self, ladder: ShutdownLadder) -> Result<(), ConnectionClosed> {
        self.say(ToKeeper::End(ladder)).await
    }

    /// Asks for what is spooled to be on the disk; [`KeeperEvent::Synced`](super::KeeperEvent::Synced) comes when it is.
    pub async fn sync(&self) -> Result<(), ConnectionClosed> {
        self.say(ToKeeper::Sync).await
    }

    /// Sets what to do while no bridge is attached. For keepers that support it.
    pub async fn unattended(&self, plan: Unattended) -> Result<(), ConnectionClosed> {
        self.say(ToKeeper::Unattended(plan)).await
    }

    async fn say(&self, message: ToKeeper) -> Result<(), ConnectionClosed> {
        self.commands.send(message).map_err(|_| ConnectionClosed)
    }
}

impl WriterTask {
    /// The input that was being written has its answer.
    pub(super) fn answered(&self) {
        // There is one input at a time, so one answer is all that can wait.
        let _ = self.answers.try_send(());
    }

    /// Nothing more will be sent.
    pub(super) fn close(&self) {
        self.task.abort();
    }
}

impl Drop for WriterTask {
    fn drop(&mut self) {
        self.close();
    }
}

/// The writing half of a connection.
struct KeeperWriter {
    writer: OwnedWriteHalf,
    inputs: mpsc::UnboundedReceiver<(InputId, Vec<u8>)>,
    commands: mpsc::UnboundedReceiver<ToKeeper>,
    acks: watch::Receiver<u64>,
    answered: mpsc::Receiver<()>,
    /// Whether the next input may be sent.
    idle: bool,
}

impl KeeperWriter {
    /// Writes until the connection breaks or is closed. Events see the end of it.
    async fn run(mut self) {
        let mut bytes = Vec::new();
        loop {
            let message = tokio::select! {
                biased;
                Some(command) = self.commands.recv() => command,
                Ok(()) = self.acks.changed() => ToKeeper::Ack { offset: *self.acks.borrow_and_update() },
                Some(()) = self.answered.recv() => {
                    self.idle = true;
                    continue;
                }
                Some((id, line)) = self.inputs.recv(), if self.idle => {
                    self.idle = false;
                    ToKeeper::Input { id, line }
                }
                else => return,
            };
            message.encode(&mut bytes);
            if self.writer.write_all(&bytes).await.is_err() {
                return;
            }
            // An input can be large, and is rare.
            bytes.clear();
            bytes.shrink_to(1 << 10);
        }
    }
}
