use std::time::Duration;

use tokio::sync::mpsc;

use crate::Ladder;
use crate::driver::DriverCommand;

/// How long an agent whose caller is gone may take to end once SIGTERM was sent.
const ABANDONED_TIME: Duration = Duration::from_secs(1);

/// Ends an agent when it is dropped: SIGTERM at once, and SIGKILL a second later at most. What the agent would still do has
/// no receiver.
#[derive(Debug)]
pub(crate) struct CloseGuard {
    /// A place for the command: what is dropped can't wait for one.
    place: Option<mpsc::OwnedPermit<DriverCommand>>,
    ladder: Ladder,
}

impl CloseGuard {
    /// `ladder`: how the agent is ended by its owner.
    pub(crate) fn new(place: mpsc::OwnedPermit<DriverCommand>, ladder: Ladder) -> Self {
        let after_term = ladder.after_term.min(ABANDONED_TIME);
        CloseGuard { place: Some(place), ladder: Ladder { after_input: Duration::ZERO, after_term } }
    }

    /// Begins to close the session as its owner does, and then leaves the agent alone.
    pub(crate) fn close(&mut self) {
        if let Some(place) = self.place.take() {
            place.send(DriverCommand::Close(None));
        }
    }

    /// Leaves the agent to the owner of the session.
    pub(crate) fn dismiss(mut self) {
        self.place = None;
    }
}

impl Drop for CloseGuard {
    fn drop(&mut self) {
        if let Some(place) = self.place.take() {
            place.send(DriverCommand::Close(Some(self.ladder)));
        }
    }
}
