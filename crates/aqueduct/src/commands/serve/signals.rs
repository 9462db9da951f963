//! What stops the bridge from outside.

use anyhow::Context;
use signal_hook::consts::SIGXFSZ;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// What exit codes add to a signal's number.
const SIGNAL_BASE: u8 = 128;

/// The signals that a bridge listens to.
pub(super) struct ServeSignals {
    interrupt: Signal,
    terminate: Signal,
    hang_up: Signal,
    /// Whether a hang-up means that the terminal was closed; otherwise it is the request to read files again.
    has_terminal: bool,
}

/// What was received.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ServeSignal {
    /// Stop; with the exit code of one that does not stop in good order.
    Stop(u8),
    /// Read certificates again.
    Reload,
}

impl ServeSignals {
    pub(super) fn catch(has_terminal: bool) -> anyhow::Result<Self> {
        let catch = |kind| signal(kind).context("can't wait for signals");
        // A limit on the size of files is to be an error of a write like a full disk, not the end. Once caught, it stays so.
        drop(catch(SignalKind::from_raw(SIGXFSZ))?);
        Ok(ServeSignals {
            interrupt: catch(SignalKind::interrupt())?,
            terminate: catch(SignalKind::terminate())?,
            hang_up: catch(SignalKind::hangup())?,
            has_terminal,
        })
    }

    /// The next signal.
    pub(super) async fn next(&mut self) -> ServeSignal {
        tokio::select! {
            _ = self.interrupt.recv() => ServeSignal::Stop(SIGNAL_BASE + 2),
            _ = self.terminate.recv() => ServeSignal::Stop(SIGNAL_BASE + 15),
            _ = self.hang_up.recv() => match self.has_terminal {
                true => ServeSignal::Stop(SIGNAL_BASE + 1),
                false => ServeSignal::Reload,
            },
        }
    }

    /// The next signal that stops the bridge.
    pub(super) async fn stop(&mut self) -> u8 {
        loop {
            if let ServeSignal::Stop(code) = self.next().await {
                return code;
            }
        }
    }
}
