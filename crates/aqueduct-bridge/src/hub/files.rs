//! Files and changes of a session's folder.

use super::Hub;
use crate::failure::Failure;
use crate::message::{BridgeMessage, ClientMessage, ErrorCode};

impl Hub {
    /// Does what looks into folders.
    pub(super) async fn files(
        &self,
        message: ClientMessage<'static>,
        meant: Option<String>,
    ) -> Result<BridgeMessage<'static>, Failure> {
        use ClientMessage as M;
        let workspace = &self.shared.workspace;
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
