//! Sessions that are deleted because they are old, or because the log is too large.

use super::Hub;
use crate::failure::Failure;
use crate::fault::{FaultPoint, pass};
use crate::log::{ExpiredSession, RetentionPolicy, Time};
use crate::message::ErrorCode;
use crate::message::bridge::SessionDeleted;
use crate::session::SessionHost as _;

impl Hub {
    /// Deletes the sessions that a policy removes; returns those that were deleted. One that a client opens or uses meanwhile
    /// stays.
    pub async fn expire_sessions(
        &self,
        policy: RetentionPolicy,
        now: Time,
    ) -> Result<Vec<ExpiredSession>, Failure> {
        let plan = self.shared.log.retention(policy, now).await?;
        let mut deleted = Vec::new();
        for session in plan.expired {
            if self.delete_ended(&session.id, session.updated).await? {
                deleted.push(session);
            }
        }
        Ok(deleted)
    }

    /// The same for one session; fails if it stays.
    pub(super) async fn expire(&self, id: &str, before: Time) -> Result<(), Failure> {
        // One that does not exist is reported as that.
        self.shared.log.session(id).await?;
        match self.delete_ended(id, before).await? {
            true => Ok(()),
            false => {
                let message = format!("session {id} is in use, or has newer messages");
                Err(Failure::new(ErrorCode::SessionConflict, message))
            }
        }
    }

    async fn delete_ended(&self, id: &str, before: Time) -> Result<bool, Failure> {
        // An actor serves a client, or an agent.
        let is_used = self.shared.registry().sessions.contains_key(id);
        if is_used {
            return Ok(false);
        }
        let folder = self.shared.log.session(id).await?.project;
        // The log decides: an actor that was started meanwhile stores what it does there before it does it.
        if !self.shared.log.delete_ended_session(id, before).await? {
            return Ok(false);
        }
        pass(FaultPoint::SessionExpired);
        self.shared.broadcast(&folder, &SessionDeleted::new(id.to_owned()).into());
        Ok(true)
    }
}
