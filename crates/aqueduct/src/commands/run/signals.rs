//! Ctrl-C, and what else ends a run from outside.

use std::process::exit;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use anyhow::Context;
use aqueduct_client::{Ladder, Session};
use aqueduct_os::terminal;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

/// The exit code of a run that Ctrl-C ended.
pub(super) const INTERRUPTED: u8 = 130;

/// What exit codes add to a signal's number.
const SIGNAL_BASE: u8 = 128;

/// The signals that end a run.
pub(super) struct RunSignals {
    interrupt: Signal,
    terminate: Signal,
    hang_up: Signal,
}

/// What has been received.
#[derive(Debug, Default)]
pub(super) struct SignalState {
    /// The signal that ends everything, by its number.
    ended: AtomicU8,
    /// Notified when the run is to be interrupted.
    pub(super) interrupt: Notify,
}

impl SignalState {
    /// The exit code, if a signal ended everything.
    pub(super) fn code(&self) -> Option<u8> {
        match self.ended.load(Ordering::Relaxed) {
            0 => None,
            signal => Some(SIGNAL_BASE + signal),
        }
    }
}

/// Listens until it is dropped.
pub(super) struct SignalWatch(JoinHandle<()>);

impl Drop for SignalWatch {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl RunSignals {
    pub(super) fn catch() -> anyhow::Result<Self> {
        let catch = |kind| signal(kind).context("can't wait for signals");
        Ok(RunSignals {
            interrupt: catch(SignalKind::interrupt())?,
            terminate: catch(SignalKind::terminate())?,
            hang_up: catch(SignalKind::hangup())?,
        })
    }

    /// Waits for any of them, while no run can be interrupted. Returns the exit code.
    pub(super) async fn any(&mut self) -> u8 {
        let (_, signal) = self.next().await;
        SIGNAL_BASE + signal
    }

    /// The next signal: whether it is Ctrl-C's, and its number.
    async fn next(&mut self) -> (bool, u8) {
        tokio::select! {
            _ = self.interrupt.recv() => (true, 2),
            _ = self.terminate.recv() => (false, 15),
            _ = self.hang_up.recv() => (false, 1),
        }
    }

    /// Sees to it that signals reach the session, also while this program is stuck writing.
    pub(super) fn watch(self, session: Session, signal_state: Arc<SignalState>) -> SignalWatch {
        SignalWatch(tokio::spawn(self.pass_on(session, signal_state)))
    }

    async fn pass_on(mut self, session: Session, signal_state: Arc<SignalState>) {
        let mut is_interrupted = false;
        loop {
            let (mut is_interrupt, mut number) = self.next().await;
            if is_interrupt && !is_interrupted {
                is_interrupted = true;
                signal_state.interrupt.notify_one();
                // The next signal must be received while the agent handles this one.
                (is_interrupt, number) = tokio::select! {
                    // An agent that is gone needs not be interrupted; one that is stuck is ended by the next.
                    _ = session.interrupt() => continue,
                    next = self.next() => next,
                };
            }
            signal_state.ended.store(number, Ordering::Relaxed);
            session.close_with(if is_interrupt { Ladder::KILL } else { Ladder::default() }).await;
            // A question may be open. `exit` drops nothing.
            terminal::restore();
            // The reader of the output may have closed it.
            exit(i32::from(SIGNAL_BASE + number));
        }
    }
}
