//! Files that git does not know yet, shown as what they would add.

use std::io::Read;
use std::path::Path;

use aqueduct_os::folder::{FileKind, Folder};

use super::patch::DiffBudget;
use crate::Failure;
use crate::message::bridge::{DiffFile, DiffHunk, FileChangeKind};
use crate::work::Deadline;
use crate::workspace::media;

/// How much of a file is read.
const FILE_BYTES: u64 = 1 << 20;

/// The files at these paths of a working tree, and whether something was left out.
pub(super) fn read(
    top: &Folder,
    paths: Vec<String>,
    room: &mut DiffBudget,
    deadline: Deadline,
) -> Result<(Vec<DiffFile<'static>>, bool), Failure> {
    let mut files = Vec::new();
    let mut is_cut = false;
    for path in paths {
        deadline.check()?;
        if room.files == 0 {
            return Ok((files, true));
        }
        room.files -= 1;
        let mut file = DiffFile::new(path.clone(), FileChangeKind::Untracked, Vec::new());
        file.added = Some(0);
        file.removed = Some(0);
        // One that has gone meanwhile, or can't be read, is named and not shown.
        if let Some(content) = UntrackedContent::of(top, Path::new(&path)) {
            content.show(&mut file, room);
        }
        is_cut |= file.cut == Some(true);
        files.push(file);
    }
    Ok((files, is_cut))
}

/// What a file has to show.
struct UntrackedContent {
    bytes: Vec<u8>,
    is_whole: bool,
}

impl UntrackedContent {
    fn of(top: &Folder, path: &Path) -> Option<Self> {
        if top.facts(path).ok()?.kind == FileKind::Link {
            // Git keeps where a link leads as its content.
            let target = top.link(path).ok()?;
            return Some(UntrackedContent {
                bytes: target.into_os_string().into_encoded_bytes(),
                is_whole: true,
            });
        }
        let mut bytes = Vec::new();
        top.file(path).ok()??.take(FILE_BYTES + 1).read_to_end(&mut bytes).ok()?;
        let is_whole = bytes.len() as u64 <= FILE_BYTES;
        bytes.truncate(FILE_BYTES as usize);
        Some(UntrackedContent { bytes, is_whole })
    }

    /// Puts it into a file's only hunk.
    fn show(self, file: &mut DiffFile<'static>, room: &mut DiffBudget) {
        if !media::is_text(&self.bytes) {
            file.binary = Some(true);
            return;
        }
        if self.bytes.is_empty() {
            return;
        }
        let has_end = self.bytes.ends_with(b"\n");
        let text = String::from_utf8_lossy(&self.bytes);
        let all = text.strip_suffix('\n').unwrap_or(&text).split('\n');
        let (mut count, mut used, mut is_cut) = (0, 0, !self.is_whole);
        let mut lines = Vec::new();
        for line in all {
            count += 1;
            let (line, was_cut) = room.fit(&mut used, format!("+{line}").into());
            is_cut |= was_cut;
            lines.extend(line.map(|line| line.into_owned().into()));
        }
        if !has_end && !is_cut {
            lines.push("\\ No newline at end of file".into());
        }
        file.added = Some(count);
        file.cut = is_cut.then_some(true);
        if !lines.is_empty() {
            file.hunks = vec![DiffHunk::new(0u64, 0u64, 1u64, count, lines)];
        }
    }
}
