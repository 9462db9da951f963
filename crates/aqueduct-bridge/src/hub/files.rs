//! Files and changes of a session's folder.

use super::Hub;
use crate::auth::Principal;
use crate::failure::Failure;
use crate::message::{BridgeMessage, ClientMessage, ErrorCode, Scope};
use crate::workspace::Workspace;

impl Hub {
    /// The folders that a credential may look into.
    pub(super) fn workspace_for(&self, principal: &Principal) -> Workspace {
        match &principal.grant.root {
            Some(root) => self.shared.workspace.within(root),
            None => self.shared.workspace.clone(),
        }
    }

    /// Does what looks into folders. A credential that can't operate sessions reads files in the folders of sessions
    /// only: what else is under the roots may be the whole home folder.
    pub(super) async fn files(
        &self,
        principal: &Principal,
        message: ClientMessage<'static>,
        meant: Option<String>,
    ) -> Result<BridgeMessage<'static>, Failure> {
        use ClientMessage as M;
        let mut workspace = self.workspace_for(principal);
        let named = match &message {
            M::ListFiles(message) => (message.session_id.as_deref(), message.project_path.is_some()),
            M::ReadFile(message) => (message.session_id.as_deref(), message.project_path.is_some()),
            M::GetDiff(message) => (message.session_id.as_deref(), message.project_path.is_some()),
            M::GetGitStatus(message) => (message.session_id.as_deref(), message.project_path.is_some()),
            _ => (None, true),
        };
        let session = match named {
            (Some(id), _) => Some(id.to_owned()),
            (None, true) => None,
            (None, false) => meant,
        };
        let folder = match session {
            Some(id) => Some(self.shared.recents.folder(&id).await?),
            None => None,
        };
        let folder = folder.as_deref();
        // The session may be one that was meant and not named.
        if folder.is_some_and(|folder| !principal.grant.holds(folder)) {
            return Err(Failure::new(ErrorCode::SessionNotFound, "name the session with `sessionId`"));
        }
        if principal.grant.scope < Scope::Operate {
            match folder {
                Some(folder) => workspace = workspace.within(folder),
                None => principal.grant.require(Scope::Operate)?,
            }
        }
        Ok(match &message {
            M::ListDirectory(request) => {
                let counts = self.shared.log.session_counts().await?;
                let sessions = |path: &str| counts.get(path).copied().unwrap_or_default();
                workspace.list_directory(request, sessions).await?.into()
            }
            M::ListFiles(request) => workspace.list_files(folder, request).await?.into(),
            M::ReadFile(request) => workspace.read_file(folder, request).await?.into(),
            M::GetDiff(request) => workspace.get_diff(folder, request).await?.into(),
            M::GetGitStatus(request) => workspace.get_git_status(folder, request).await?.into(),
            _ => return Err(Failure::new(ErrorCode::NotSupported, "this bridge can't do that")),
        })
    }
}
