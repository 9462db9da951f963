//! The keeper's side of its socket.

use std::io;
use std::thread;
use std::time::{Duration, Instant};

use super::connection::{BridgeConnection, ReadOutcome};
use super::frame_head::starts_turn;
use super::watch::KeeperLoop;
use crate::keeper::protocol::{
    Activity, AgentState, FromKeeper, KeeperHello, OffsetError, ToKeeper, VERSION,
};

/// How many pieces of output go to the bridge before the agent is looked after again.
const PIECES: usize = 16;

/// How many bytes are read from a bridge at a time.
const PIECE: usize = 16 << 10;

/// How long a system is left alone that has no handle or memory for another connection.
const BREATH: Duration = Duration::from_millis(10);

/// Why a connection is closed: what it sent was not a message, or out of order.
struct ProtocolViolation;

impl KeeperLoop {
    /// Accepts a bridge. It replaces the holder only when it attaches: a connection that sends
    /// nothing changes nothing.
    pub(super) fn accept(&mut self) {
        // A bridge that disconnected at once, or that may not connect, is ignored.
        let stream = match self.listener.accept() {
            Ok((stream, _)) => stream,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
            Err(_) => return thread::sleep(BREATH),
        };
        let Ok(Some(mut newcomer)) = BridgeConnection::new(stream) else { return };
        newcomer.send_message(&FromKeeper::Hello(self.hello()));
        self.newcomer = newcomer.send().is_ok().then_some(newcomer);
    }

    fn hello(&self) -> KeeperHello {
        let state = match self.exit {
            Some(_) => AgentState::Exited,
            None if self.ending.has_begun() => AgentState::Ending,
            None => AgentState::Running,
        };
        KeeperHello {
            version: VERSION,
            keeper: std::process::id(),
            agent: self.agent.pid().as_raw_nonzero().get() as u32,
            state,
            oldest: self.spool.oldest(),
            next: self.spool.next(),
            unattended: true,
        }
    }

    /// Reads from a connection that has not attached yet.
    pub(super) fn read_newcomer(&mut self, now: Instant) {
        let Some(newcomer) = self.newcomer.take() else { return };
        let Some(client) = self.receive(newcomer, now) else { return };
        if client.cursor().is_none() {
            self.newcomer = Some(client);
            return;
        }
        if let Some(mut old) = self.holder.replace(client) {
            old.send_message(&FromKeeper::Replaced);
            // If it does not read, it is gone or hangs, and finds out later.
            let _ = old.send();
        }
    }

    /// Reads from the attached bridge.
    pub(super) fn read_holder(&mut self, now: Instant) {
        if let Some(holder) = self.holder.take() {
            self.holder = self.receive(holder, now);
        }
    }

    /// Reads once, and executes the messages. Returns the connection unless it must be closed.
    fn receive(&mut self, mut from: BridgeConnection, now: Instant) -> Option<BridgeConnection> {
        if !from.is_received() {
            from.send().ok()?;
            return Some(from);
        }
        let mut bytes = [0; PIECE];
        let mut input = match from.receive(&mut bytes) {
            ReadOutcome::Bytes(count) => &bytes[..count],
            ReadOutcome::Nothing => &[],
            ReadOutcome::End => return None,
        };
        while let Some(message) = from.messages().next(&mut input).ok()? {
            self.handle(&mut from, message, now).ok()?;
        }
        Some(from)
    }

    fn handle(
        &mut self,
        from: &mut BridgeConnection,
        message: ToKeeper,
        now: Instant,
    ) -> Result<(), ProtocolViolation> {
        let cursor = match (from.cursor(), &message) {
            (None, ToKeeper::Attach { from: offset }) => {
                self.attach(from, *offset);
                return Ok(());
            }
            (Some(cursor), _) => cursor,
            (None, _) => return Err(ProtocolViolation),
        };
        match message {
            ToKeeper::Attach { .. } => return Err(ProtocolViolation),
            ToKeeper::Input { id, line } => {
                let open = self.agent.stdin.is_some() && !self.ending.has_begun();
                let starts_turn = starts_turn(&line);
                match self.inputs.offer(id, line, open) {
                    Some(answer) => from.send_message(&answer),
                    None if starts_turn => self.attendance.note(Activity::Working, now),
                    None => {}
                }
            }
            // What has not been sent can't have been remembered.
            ToKeeper::Ack { offset } if offset > cursor => return Err(ProtocolViolation),
            ToKeeper::Ack { offset } => self.ack(offset),
            ToKeeper::Signal(signal) => self.agent.signal(signal),
            ToKeeper::End(ladder) => self.ending.begin(ladder, now),
            ToKeeper::Unattended(plan) => self.attendance.plan(plan, now),
            ToKeeper::Sync => match self.spool.sync().and_then(|()| self.inputs.sync()) {
                Ok(()) => from.send_message(&FromKeeper::Synced { next: self.spool.next() }),
                // Without an answer it does not count as done.
                Err(_) => return Err(ProtocolViolation),
            },
        }
        Ok(())
    }

    fn attach(&mut self, from: &mut BridgeConnection, offset: u64) {
        let (oldest, next) = (self.spool.oldest(), self.spool.next());
        let misplaced = if offset < oldest {
            OffsetError::Gone { oldest }
        } else if offset > next {
            OffsetError::Ahead { next }
        } else if !self.spool.is_line_start(offset).unwrap_or(true) {
            OffsetError::Inside
        } else {
            // It has remembered what it does not want any more.
            self.ack(offset);
            from.attach(offset, self.inputs.writing().cloned());
            return;
        };
        from.send_message(&FromKeeper::Misplaced(misplaced));
    }

    fn ack(&mut self, offset: u64) {
        self.acked = self.acked.max(offset);
        // What can't be deleted now is deleted with the next acknowledgement.
        if self.spool.release(self.acked).unwrap_or(true) {
            self.try_again();
        }
    }

    /// Sends the bridge what there is for it, as far as it reads.
    pub(super) fn serve(&mut self) {
        if let Some(mut holder) = self.holder.take() {
            self.holder = self.send(&mut holder).is_ok().then_some(holder);
        }
        if let Some(mut newcomer) = self.newcomer.take() {
            self.newcomer = newcomer.send().is_ok().then_some(newcomer);
        }
    }

    fn send(&self, holder: &mut BridgeConnection) -> io::Result<()> {
        for _ in 0..PIECES {
            holder.send()?;
            if holder.is_behind() {
                break;
            }
            holder.report_trouble(self.trouble.as_ref());
            // If the spool can't be read, the bridge must not take silence for the end.
            if !holder.load(&self.spool)? {
                match &self.exit {
                    Some(exit) if holder.awaits_exit(&self.spool) => {
                        holder.send_message(&FromKeeper::Exited(exit.clone()));
                    }
                    _ => break,
                }
            }
        }
        holder.send()
    }
}
