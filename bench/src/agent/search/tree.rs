//! A tree of source files that is the same on every run.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, SystemTime};

use anyhow::{Context as _, Result};

pub(super) const FOLDERS: usize = 2000;
pub(super) const FILES_IN_FOLDER: usize = 100;
const FOLDERS_IN_AREA: usize = 100;
pub(super) const FEWEST_LINES: usize = 10;
pub(super) const MORE_LINES: usize = 20;

/// In how many files one has the rare word.
const RARE: usize = 20_000;

const WORDS: [&str; 14] = [
    "let", "value", "request", "stream", "session", "token", "frame", "buffer", "index", "result", "match",
    "return", "async", "await",
];
const ENDINGS: [&str; 4] = ["rs", "ts", "md", "json"];

/// Makes so many folders with files, in a repository that ignores some names.
pub(super) fn plant(root: &Path, folders: usize) -> Result<()> {
    let fails = |path: &Path| format!("cannot make {}", path.display());
    fs::create_dir_all(root.join(".git")).with_context(|| fails(root))?;
    let ignored = root.join(".gitignore");
    fs::write(&ignored, "/target\n*.log\n").with_context(|| fails(&ignored))?;
    let mut random = 1u64;
    for number in 0..folders {
        let folder =
            root.join(format!("area{:02}/part{:03}", number / FOLDERS_IN_AREA, number % FOLDERS_IN_AREA));
        fs::create_dir_all(&folder).with_context(|| fails(&folder))?;
        for file in 0..FILES_IN_FOLDER {
            let path = folder.join(format!("file{file:03}.{}", ENDINGS[file % ENDINGS.len()]));
            let has_rare = (number * FILES_IN_FOLDER + file) % RARE == 7;
            write(&path, has_rare, &mut random).with_context(|| fails(&path))?;
        }
    }
    Ok(())
}

fn write(path: &Path, has_rare: bool, random: &mut u64) -> Result<()> {
    let mut text = String::new();
    for _ in 0..FEWEST_LINES + next(random, MORE_LINES) {
        for _ in 0..6 {
            write!(text, "{} ", WORDS[next(random, WORDS.len())])?;
        }
        text.push('\n');
    }
    if has_rare {
        text.push_str("a rare_needle\n");
    }
    fs::write(path, text)?;
    let age = Duration::from_secs(next(random, 10_000_000) as u64);
    let modified = SystemTime::UNIX_EPOCH + Duration::from_secs(1_600_000_000) + age;
    File::options().append(true).open(path)?.set_modified(modified)?;
    Ok(())
}

/// A number below `most`, by xorshift.
fn next(state: &mut u64, most: usize) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state >> 33) as usize % most
}
