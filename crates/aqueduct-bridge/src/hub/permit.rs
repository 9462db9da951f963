//! Whether a credential may do what it asks for. Every message of a client passes here once, however it arrives.

use super::Hub;
use crate::auth::Principal;
use crate::failure::Failure;
use crate::log::{Grant, Time};
use crate::message::client::PairDevice;
use crate::message::{ClientMessage, Consequence, ErrorCode};

impl Hub {
    /// Refuses a message that the credential's expiry, scope or root does not allow, or that has to be confirmed.
    pub(super) async fn permit(
        &self,
        principal: &Principal,
        message: &ClientMessage<'_>,
    ) -> Result<(), Failure> {
        principal.grant.require_time(Time::now())?;
        let need = message.need();
        principal.grant.require(need.scope)?;
        if let Some(id) = message.session_id() {
            self.check_visible(principal, id).await?;
        }
        let Some(consequence) = need.consequence else { return Ok(()) };
        match consequence {
            Consequence::Bypass if !self.shared.settings.bypass => {
                return Err(Failure::new(ErrorCode::Forbidden, "bypassPermissions is not allowed here")
                    .clause("start the bridge with --allow-bypass"));
            }
            Consequence::UserSettings if principal.grant.root.is_some() => {
                let message =
                    "user settings count in every project, and this credential is limited to one folder";
                return Err(Failure::new(ErrorCode::Forbidden, message));
            }
            _ => {}
        }
        self.shared.auth.confirm(principal, message, &consequence)
    }

    /// Refuses a session outside the credential's root, in the words for one that does not exist.
    pub async fn check_visible(&self, principal: &Principal, session_id: &str) -> Result<(), Failure> {
        if principal.grant.root.is_none() {
            return Ok(());
        }
        let held = self.shared.registry().sessions.get(session_id).map(|held| held.folder.to_string());
        let folder = match held {
            Some(folder) => Ok(folder),
            None => self.shared.recents.folder(session_id).await,
        };
        match folder {
            Ok(folder) if principal.grant.holds(&folder) => Ok(()),
            Err(failure) if matches!(failure.code, ErrorCode::StorageFailed | ErrorCode::Internal) => {
                Err(failure)
            }
            _ => Err(Failure::new(
                ErrorCode::SessionNotFound,
                format!("session {session_id:.80} does not exist"),
            )
            .clause("list the sessions")),
        }
    }

    /// What a device gets that this one wants to pair.
    pub(super) async fn granted(
        &self,
        principal: &Principal,
        message: &PairDevice<'_>,
        now: Time,
    ) -> Result<Grant, Failure> {
        let root = match message.root.as_deref() {
            // Everything is in this one.
            Some("/") | None => None,
            Some(path) => Some(self.folder_for(principal, path).await?),
        };
        let expires = message.expires_at.map(|time| Time(i64::try_from(time).unwrap_or(i64::MAX)));
        principal.grant.pass_on(Grant { scope: message.granted_scope(), expires, root }, now)
    }
}
