use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Seek, Write};
use std::ops::Range;
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use aqueduct_os::private_dir::make_private;
use aqueduct_wire::transcript::FileEnd;

use super::TranscriptFileError;
use super::slot::{PAGE, Slot};
use super::work::TurnLock;

/// A transcript's file, open for appending.
///
/// Any number of processes of this program and others append to it, each with one write per line. No process is
/// locked out. Bytes of other processes are never removed.
#[derive(Debug)]
pub(super) struct TranscriptLog {
    path: PathBuf,
    file: File,
    /// How the file ends, which the next line has to repair.
    pub(super) end: FileEnd,
    /// Everything from here to `own_end` was written by this process. Only such bytes are ever cut off.
    own_start: u64,
    /// The end of the file as this process last saw it.
    own_end: u64,
    /// The mark that a turn runs, while one does.
    work: Option<TurnLock>,
}

/// What happened to a file since this process last saw it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LogChange {
    /// Nothing.
    None,
    /// Others have appended lines behind this place.
    Appended {
        /// Where the first of them begins.
        from: u64,
    },
    /// It is shorter than it was, or another file has its name.
    Replaced,
    /// It was deleted. The next line makes it again.
    Deleted,
}

impl TranscriptLog {
    /// Opens a file that is there.
    pub(super) fn open(path: PathBuf) -> Result<Self, TranscriptFileError> {
        let reported = |error| TranscriptFileError::Read { path: path.clone(), error };
        let file = open(&path).map_err(reported)?;
        let length = file.metadata().map_err(reported)?.len();
        Ok(TranscriptLog { path, file, end: FileEnd::Closed, own_start: length, own_end: length, work: None })
    }

    /// Makes the file of a new conversation. Another process may have done so in the meantime.
    pub(super) fn make(path: PathBuf, session_id: &str) -> Result<Self, TranscriptFileError> {
        let file = make(&path).map_err(|error| TranscriptFileError::Write { path: path.clone(), error })?;
        let Some(file) = file else {
            return Err(TranscriptFileError::AlreadyUsed { session_id: session_id.to_owned() });
        };
        Ok(TranscriptLog { path, file, end: FileEnd::Closed, own_start: 0, own_end: 0, work: None })
    }

    /// Makes a file that is there only once `fill` has written all of it.
    pub(super) fn copy(
        path: PathBuf,
        session_id: &str,
        fill: impl FnOnce(&File) -> io::Result<()>,
    ) -> Result<Self, TranscriptFileError> {
        let unfinished = path.with_extension("jsonl.part");
        let log = TranscriptLog::make(unfinished.clone(), session_id)?;
        match fill(&log.file).and_then(|()| fs::rename(&unfinished, &path)) {
            Ok(()) => {
                let length = log.file.metadata();
                let length =
                    length.map_err(|error| TranscriptFileError::Read { path: path.clone(), error })?.len();
                Ok(TranscriptLog { path, own_end: length, ..log })
            }
            Err(error) => {
                // What was begun is of no use, and the error that matters is the first one.
                let _ = fs::remove_file(&unfinished);
                Err(TranscriptFileError::Write { path, error })
            }
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn file(&self) -> &File {
        &self.file
    }

    /// Where the next line begins.
    pub(super) fn length(&self) -> u64 {
        match self.end {
            FileEnd::Torn { from } if from >= self.own_start => from,
            FileEnd::Torn { .. } | FileEnd::Open | FileEnd::Closed => self.own_end,
        }
    }

    /// Marks the file as being worked on until [`TranscriptLog::end_work`].
    pub(super) fn begin_work(&mut self) {
        self.work = TurnLock::begin(&self.file);
    }

    /// Removes the mark of [`TranscriptLog::begin_work`].
    pub(super) fn end_work(&mut self) {
        self.work = None;
    }

    /// What happened to the file since this process last wrote to it or took notice of a change.
    pub(super) fn change(&self) -> io::Result<LogChange> {
        let named = match fs::metadata(&self.path) {
            Ok(named) => named,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(LogChange::Deleted),
            Err(error) => return Err(error),
        };
        Ok(match named.len() {
            _ if !is_same(&named, &self.file.metadata()?) => LogChange::Replaced,
            length if length == self.own_end => LogChange::None,
            length if length > self.own_end => LogChange::Appended { from: self.own_end },
            _ => LogChange::Replaced,
        })
    }

    /// Takes notice of what others did to the file: opens the one that has its name now.
    pub(super) fn catch_up(&mut self) -> io::Result<()> {
        if !is_same(&fs::metadata(&self.path)?, &self.file.metadata()?) {
            self.file = open(&self.path)?;
        }
        let length = self.file.metadata()?.len();
        (self.own_start, self.own_end) = (length, length);
        self.end = self.end_at(length);
        Ok(())
    }

    /// Appends a line with one write. A line that does not fit on the disk is removed again. `open` is the part of
    /// it that is written again later: gives where that is.
    pub(super) fn append(
        &mut self,
        line: String,
        open: Option<Range<usize>>,
    ) -> Result<Option<Slot>, TranscriptFileError> {
        self.write(line, open).map_err(|error| TranscriptFileError::Write { path: self.path.clone(), error })
    }

    /// Writes a slot again, in its place; whether it is still there as this process wrote it.
    pub(super) fn fill(&self, slot: &mut Slot, text: String) -> io::Result<bool> {
        // Where a file is open for appending, systems may append whatever the position is.
        let file = OpenOptions::new().read(true).write(true).open(&self.path)?;
        if !is_same(&file.metadata()?, &self.file.metadata()?) {
            return Ok(false);
        }
        let mut found = vec![0; slot.text.len()];
        file.read_exact_at(&mut found, slot.offset)?;
        if found != slot.text.as_bytes() || text.len() != found.len() {
            return Ok(false);
        }
        file.write_all_at(text.as_bytes(), slot.offset)?;
        slot.text = text;
        Ok(true)
    }

    /// Removes the lines after `start`, unless another process has written there. If the disk refuses, the next line
    /// removes them before it is written.
    pub(super) fn truncate(&mut self, start: u64) {
        let length = self.file.metadata().map(|metadata| metadata.len());
        let is_own = start >= self.own_start && length.is_ok_and(|length| length == self.own_end);
        if !is_own || start >= self.own_end {
            return;
        }
        match self.file.set_len(start) {
            Ok(()) => (self.own_end, self.end) = (start, self.end_at(start)),
            Err(_) => self.end = FileEnd::Torn { from: start },
        }
    }

    /// Removes the file, if nothing is in it.
    pub(super) fn remove_if_empty(&self) {
        if self.file.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() == 0) {
            // An empty file that stays costs nothing but its name.
            let _ = fs::remove_file(&self.path);
        }
    }

    /// How the file ends if it ends there.
    fn end_at(&self, length: u64) -> FileEnd {
        let mut last = [b'\n'];
        let read = length.checked_sub(1).map_or(Ok(()), |place| self.file.read_exact_at(&mut last, place));
        if read.is_ok() && last == *b"\n" { FileEnd::Closed } else { FileEnd::Open }
    }

    /// Reopens a file that was deleted while this process had it open: lines must not be written to a deleted file.
    fn reopen(&mut self) -> io::Result<()> {
        self.file = match make(&self.path)? {
            Some(file) => file,
            None => open(&self.path)?,
        };
        if self.work.is_some() {
            self.begin_work();
        }
        self.catch_up()
    }

    /// Makes place for the next line; gives where it begins.
    fn prepare(&mut self) -> io::Result<u64> {
        if self.file.metadata()?.nlink() == 0 {
            self.reopen()?;
        }
        let length = self.file.metadata()?.len();
        if length != self.own_end {
            (self.own_start, self.own_end, self.end) = (length, length, self.end_at(length));
        }
        match self.end {
            FileEnd::Torn { from } if from >= self.own_start => {
                self.file.set_len(from)?;
                (self.own_end, self.end) = (from, self.end_at(from));
            }
            FileEnd::Torn { from } => {
                // Others may be appending right now: what a crash left behind is not cut off but made blank.
                let blank = " ".repeat(usize::try_from(length - from).map_err(io::Error::other)?);
                let file = OpenOptions::new().write(true).open(&self.path)?;
                file.write_all_at(blank.as_bytes(), from)?;
                self.end = FileEnd::Open;
            }
            FileEnd::Open | FileEnd::Closed => (),
        }
        Ok(self.own_end)
    }

    fn write(&mut self, mut line: String, open: Option<Range<usize>>) -> io::Result<Option<Slot>> {
        let before = self.prepare()?;
        line.push('\n');
        let mut open = open;
        if self.end == FileEnd::Open {
            line.insert(0, '\n');
            open = open.map(|open| open.start + 1..open.end + 1);
        }
        let open = open.map(|open| on_one_page(&mut line, open, before));
        // The first write appends the whole line, or the second write returns the error.
        let Err(error) = self.file.write_all(line.as_bytes()) else {
            let length = line.len() as u64;
            // Others may have appended since the file was looked at.
            let end = self.file.stream_position()?.max(before + length);
            let start = end - length;
            if start != before {
                self.own_start = start;
            }
            (self.own_end, self.end) = (end, FileEnd::Closed);
            return Ok(open.map(|open| Slot {
                offset: start + open.start as u64,
                text: line.get(open).unwrap_or_default().to_owned(),
            }));
        };
        let after = self.file.metadata()?.len();
        let torn = after.saturating_sub(before);
        // More than the line can only be another program's: then nothing may be cut off.
        if torn >= line.len() as u64 {
            self.end = FileEnd::Open;
        } else if torn > 0 {
            self.own_end = after;
            match self.file.set_len(before) {
                Ok(()) => self.own_end = before,
                Err(_) => self.end = FileEnd::Torn { from: before },
            }
        }
        Err(error)
    }
}

/// Moves a part of a line to the next page of the file, with blanks before it, where it would be on two: a process
/// that is killed while it writes within one page has written all of it or nothing.
fn on_one_page(line: &mut String, part: Range<usize>, start: u64) -> Range<usize> {
    let on_page = ((start + part.start as u64) % PAGE as u64) as usize;
    if on_page + part.len() <= PAGE {
        return part;
    }
    let moved = PAGE - on_page;
    line.insert_str(part.start, &" ".repeat(moved));
    part.start + moved..part.end + moved
}

/// Whether two looks were at the same file.
fn is_same(one: &Metadata, other: &Metadata) -> bool {
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Opens a file to read it and to append to it.
fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).append(true).open(path)
}

/// Creates a file to append to; `None` if one with contents exists. Only the user can access it and the folder
/// created for it, because it holds the contents of files and the output of commands.
fn make(path: &Path) -> io::Result<Option<File>> {
    if let Some(folder) = path.parent() {
        make_private(folder)?;
    }
    let made = OpenOptions::new().read(true).append(true).create_new(true).mode(0o600).open(path);
    match made {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let file = open(path)?;
            let length = file.metadata()?.len();
            Ok((length == 0).then_some(file))
        }
        made => made.map(Some),
    }
}
