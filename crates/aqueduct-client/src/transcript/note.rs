//! Titles and tags: notes at the end of the file. The last one counts.

use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::FileExt;

use aqueduct_wire::transcript::{CustomTitleLine, TagLine, TranscriptLine};

use super::TranscriptError;
use super::session::StoredSession;

/// How many characters a title may have. Lists look for it in the last part of a file.
pub const TITLE_LIMIT: usize = 200;

/// How many characters a tag may have.
pub const TAG_LIMIT: usize = 64;

impl StoredSession {
    /// Gives the session a title. An agent that has it open continues undisturbed.
    pub fn rename(&self, title: &str) -> Result<(), TranscriptError> {
        self.append(&TranscriptLine::CustomTitle(title_line(title, self.id())?))
    }

    /// Puts a mark on the session, or takes it away. Lists can be asked for those that have one.
    pub fn tag(&self, tag: Option<&str>) -> Result<(), TranscriptError> {
        let tag = tag.map(|tag| seen("a tag", tag, TAG_LIMIT)).transpose()?;
        let mut line = TagLine::new(tag.unwrap_or_default());
        line.session_id = Some(self.id().into());
        self.append(&TranscriptLine::Tag(line))
    }

    fn append(&self, line: &TranscriptLine<'_>) -> Result<(), TranscriptError> {
        let reported = || TranscriptError::write(&self.path());
        let file = self.folder()?.file_to_append(&self.name()).map_err(reported())?;
        append(&file.ok_or_else(|| self.gone())?, line.to_line()).map_err(reported())
    }
}

/// The line of a title.
pub(super) fn title_line(title: &str, session: &str) -> Result<CustomTitleLine<'static>, TranscriptError> {
    let mut line = CustomTitleLine::new(seen("a title", title, TITLE_LIMIT)?);
    line.session_id = Some(session.to_owned().into());
    Ok(line)
}

/// Appends a line with one write. What a crash left without an end is ended first.
fn append(mut file: &File, mut line: String) -> io::Result<()> {
    let size = file.metadata()?.len();
    let mut last = [b'\n'];
    if size > 0 {
        file.read_exact_at(&mut last, size - 1)?;
    }
    if last != [b'\n'] {
        line.insert(0, '\n');
    }
    line.push('\n');
    file.write_all(line.as_bytes())
}

/// A text in one line, with nothing in it that can't be seen.
fn seen(what: &'static str, text: &str, limit: usize) -> Result<String, TranscriptError> {
    let visible: String =
        text.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).filter(is_seen).collect();
    let visible = visible.trim().to_owned();
    match visible.chars().count() {
        found if found == 0 || found > limit => Err(TranscriptError::Length { what, limit, found }),
        _ => Ok(visible),
    }
}

/// Whether a character shows. The others are control characters, and those that only control how text is
/// displayed, which can make one title look like another.
fn is_seen(c: &char) -> bool {
    let hides = matches!(u32::from(*c),
        0xad | 0x61c | 0x180e | 0x200b..=0x200f | 0x202a..=0x202e | 0x2060..=0x206f | 0xfeff | 0xfff0..=0xfffb
        | 0xe000..=0xf8ff | 0xe0000..=0xe0fff | 0xf0000..=0x10_ffff);
    !c.is_control() && !hides
}
