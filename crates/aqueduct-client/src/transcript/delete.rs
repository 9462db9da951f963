use super::TranscriptError;
use super::running::claim;
use super::session::StoredSession;

impl StoredSession {
    /// Deletes the session: its file, and the folder beside it with its subagents' files. Refused while an agent
    /// is at work on it, as far as that can be known: version 2.1.74 of the reference leaves no sign.
    pub fn delete(self) -> Result<(), TranscriptError> {
        let folder = self.folder()?;
        let reported = || TranscriptError::write(&self.path());
        let file = folder.file(&self.name()).map_err(reported())?.ok_or_else(|| self.gone())?;
        claim(&self, &file)?;
        // The file goes last: until then the session is listed, and can be deleted again.
        folder.remove_folder(self.id()).map_err(TranscriptError::write(&folder.path_of(self.id())))?;
        folder.remove_file(&self.name()).map_err(reported())
    }
}
