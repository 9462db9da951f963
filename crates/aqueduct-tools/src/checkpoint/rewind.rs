//! The way back.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::contents::{CheckpointState, Contents};
use super::{CheckpointError, CheckpointHistory};
use crate::file::{FileError, FileText, Precondition, WHOLE_LIMIT, patch, read_whole, replace};

/// What a rewind changed, or would change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RewindReport {
    /// The files that were not what they had been.
    pub files_changed: Vec<PathBuf>,
    /// How many lines come back.
    pub insertions: usize,
    /// How many lines go away.
    pub deletions: usize,
    /// How many files were left alone because links lead elsewhere from where they were.
    pub skipped_links: usize,
}

/// A file that is not what it had been.
struct RewindStep {
    path: PathBuf,
    /// What it was: bytes and mode, or nothing.
    target: Option<(Vec<u8>, u32)>,
}

impl CheckpointHistory {
    pub(super) fn rewind(&mut self, message: &str, dry_run: bool) -> Result<RewindReport, CheckpointError> {
        let turn = self.turns.iter().rposition(|turn| turn == message).ok_or(CheckpointError::Unknown)?;
        let mut rewound = RewindReport::default();
        let mut steps = Vec::new();
        // All is looked at before anything is changed, so that what can't be read back stops the rewind
        // while it is still whole.
        for (path, known) in &self.files {
            let at = known.iter().rfind(|known| known.turn <= turn).or(known.first());
            let Some(state) = at.map(|known| &known.state) else { continue };
            if leads_elsewhere(path) {
                rewound.skipped_links += 1;
                continue;
            }
            if let Some(step) = step(path, state, &self.contents, &mut rewound)? {
                steps.push(step);
            }
        }
        rewound.files_changed = steps.iter().map(|step| step.path.clone()).collect();
        if !dry_run {
            for step in steps {
                step.take()?;
            }
        }
        Ok(rewound)
    }
}

/// Whether the path is a link now, or its folder is no longer where it was. Paths are stored with all links resolved,
/// so a path that contains links has been changed since, and may lead anywhere.
fn leads_elsewhere(path: &Path) -> bool {
    let is_link = path.symlink_metadata().is_ok_and(|metadata| metadata.file_type().is_symlink());
    let moved = path.ancestors().skip(1).find_map(|folder| {
        let real = folder.canonicalize().ok()?;
        Some(real != folder)
    });
    is_link || moved.unwrap_or_default()
}

/// What has to be done to a file, if anything; counts its lines.
fn step(
    path: &Path,
    state: &CheckpointState,
    contents: &Contents,
    rewound: &mut RewindReport,
) -> Result<Option<RewindStep>, CheckpointError> {
    let now = match read_whole(path, WHOLE_LIMIT) {
        Ok((bytes, metadata)) => Some((bytes, metadata.mode() & 0o7777)),
        Err(FileError::Missing { .. } | FileError::ParentIsFile(_)) => None,
        // Not ours: we keep and make regular files only.
        Err(FileError::Folder(_) | FileError::Special { .. }) => return Ok(None),
        Err(FileError::TooLarge { .. }) => Some((Vec::new(), 0)),
        Err(error) => return Err(error.into()),
    };
    let target = match state {
        CheckpointState::Unkept => return Ok(None),
        CheckpointState::Absent => None,
        CheckpointState::Present { contents: name, mode } => {
            let bytes = contents.get(name).map_err(CheckpointError::Folder)?;
            Some((bytes, *mode))
        }
    };
    if now == target {
        return Ok(None);
    }
    let lines = |side: &Option<(Vec<u8>, u32)>| {
        side.as_ref()
            .and_then(|(bytes, _)| FileText::decode(bytes.as_slice()))
            .map(|text| text.text)
            .unwrap_or_default()
    };
    let patch = patch(&lines(&now), &lines(&target));
    rewound.insertions += patch.insertions;
    rewound.deletions += patch.deletions;
    Ok(Some(RewindStep { path: path.to_owned(), target }))
}

impl RewindStep {
    fn take(self) -> Result<(), FileError> {
        let failed = |error| FileError::new("restore", &self.path, error);
        let Some((bytes, mode)) = self.target else {
            return fs::remove_file(&self.path).map_err(failed);
        };
        replace(&self.path, &bytes, Precondition::Anything)?;
        fs::set_permissions(&self.path, fs::Permissions::from_mode(mode)).map_err(failed)
    }
}
