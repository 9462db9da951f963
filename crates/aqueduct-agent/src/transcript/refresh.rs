//! Lines that other processes wrote to a conversation while this process had it open.

use std::collections::HashSet;

use aqueduct_wire::transcript::{Chain, ChainSelection, TranscriptIndex};

use super::log::LogChange;
use super::tail_notes::{FileSection, TailNotes};
use super::work::is_at_work;
use super::writer::{TranscriptTarget, latest};
use super::{Conversation, TranscriptFileError, TranscriptWriter};

/// The changes that other processes wrote.
#[derive(Debug, Default)]
pub(crate) struct ForeignLines {
    /// The ids of their lines.
    pub(crate) known: HashSet<String>,
    /// The title that they set.
    pub(crate) title: Option<String>,
    /// The conversation, if they continued it from the newest line of this process.
    pub(crate) conversation: Option<Conversation>,
}

impl TranscriptWriter {
    /// Reads what other processes wrote since this process last wrote or read; `None` if they wrote nothing.
    ///
    /// If they continued from the newest line of this process, the next line is chained to theirs. If they branched
    /// off, because both ran at the same time or because they started from an earlier line, each process has its own
    /// branch and this process stays on its own. It also does so if its lines are no longer in the file.
    pub(crate) fn catch_up(&mut self) -> Result<Option<ForeignLines>, TranscriptFileError> {
        let TranscriptTarget::Open(log) = &mut self.place else { return Ok(None) };
        let path = log.path().to_owned();
        let read = |error| TranscriptFileError::Read { path: path.clone(), error };
        let from = match log.change().map_err(read)? {
            LogChange::None | LogChange::Deleted => return Ok(None),
            LogChange::Appended { from } => from,
            LogChange::Replaced => 0,
        };
        log.catch_up().map_err(read)?;
        let appended = TranscriptIndex::read(FileSection { file: log.file(), offset: from }).map_err(read)?;
        let mut refreshed = ForeignLines {
            known: appended.by_uuid.keys().map(|uuid| uuid.to_string()).collect(),
            title: appended.title().map(str::to_owned),
            conversation: None,
        };
        if appended.entries.is_empty() {
            return Ok(Some(refreshed));
        }
        self.branches = true;
        // Half of a turn is of no use: the next line would cut its calls off from their results.
        if is_at_work(log.file()) {
            return Ok(Some(refreshed));
        }
        let index = match from {
            0 => appended,
            _ => TranscriptIndex::read(FileSection { file: log.file(), offset: 0 }).map_err(read)?,
        };
        let own = self.tip.as_deref().and_then(|tip| index.find(tip));
        let newest = match (&self.tip, own) {
            (None, _) => Chain::newest(&index).tip,
            (Some(_), own) => own.map(|own| index.newest_from(own)).filter(|&newest| Some(newest) != own),
        };
        let Some(newest) = newest else { return Ok(Some(refreshed)) };
        let chain = Chain::of(&index, &ChainSelection { until: Some(newest), ..ChainSelection::default() });
        let conversation = Conversation::read(log.file(), &index, &chain).map_err(read)?;
        self.branches = false;
        self.tail_notes = TailNotes::of(&index, log.file()).map_err(read)?;
        self.tip = index.entries.get(newest).map(|entry| entry.uuid.to_string());
        self.latest = self.latest.max(latest(&conversation));
        refreshed.conversation = Some(conversation);
        Ok(Some(refreshed))
    }
}
