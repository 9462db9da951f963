//! `Grep`: finds lines in files, with ripgrep's engine.

mod options;
mod page;
mod sink;

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use aqueduct_wire::block::Content;
use aqueduct_wire::json::Str;
use aqueduct_wire::tool::{GrepInput, GrepMode, GrepResult};
use grep_searcher::Searcher;
use ignore::{DirEntry, WalkBuilder};

use super::glob::written;
use super::search::{self, Hidden, Watch};
use super::{Call, Failure, Output, Running, Tool, Workshop};
use options::{Mode, Options};
use page::Page;
use sink::{Counter, Lines};

/// How many files with matches are remembered.
const FILES_LIMIT: usize = 100_000;

/// The tool.
pub(crate) const TOOL: Tool = Tool {
    name: "Grep",
    description: "Finds text in files by a regular expression (Rust's syntax: escape `{` and `(` to mean themselves; \
        no look-around). Looks in a file, or in all files of a folder that git does not ignore, hidden ones included; \
        binary files are passed over. `output_mode` says what comes back: the paths of files that match \
        (files_with_matches, the default, those changed last first), the lines (content), or how many lines match in \
        each file (count). Answers are cut at `head_limit`; go on with `offset`.",
    schema: r#"{"type":"object","properties":{"pattern":{"type":"string","description":"The regular expression"},"path":{"type":"string","description":"The file or folder to look in; the working directory if left out"},"glob":{"type":"string","description":"Only files whose path matches, such as *.js or src/**/*.{ts,tsx}"},"type":{"type":"string","description":"Only files of a language, such as rust, py or js"},"output_mode":{"type":"string","enum":["content","files_with_matches","count"],"description":"What comes back; files_with_matches if left out"},"-A":{"type":"number","description":"Lines to show after each match (content)"},"-B":{"type":"number","description":"Lines to show before each match (content)"},"-C":{"type":"number","description":"Lines to show on both sides (content)"},"context":{"type":"number","description":"The same as -C"},"-n":{"type":"boolean","description":"Show line numbers (content); true if left out"},"-i":{"type":"boolean","description":"Upper and lower case are the same"},"-o":{"type":"boolean","description":"Show only the parts that match, one a line (content)"},"head_limit":{"type":"number","description":"How many lines or files at most; 250 if left out, 0 for no limit"},"offset":{"type":"number","description":"How many lines or files to pass over first"},"multiline":{"type":"boolean","description":"A match may go over several lines, and . matches line ends"}},"required":["pattern"],"additionalProperties":false}"#,
    reads_only: true,
    run,
};

fn run<'a>(workshop: &'a Workshop, call: Call<'a>) -> Running<'a> {
    Box::pin(async move {
        let cwd = workshop.cwd();
        let input: GrepInput<'_> =
            call.input.view().ok_or_else(|| Failure::Rejected("`pattern` must be a string".to_owned()))?;
        let options = Options::of(&cwd, &input)?;
        let path = input.path.map(Str::into_string);
        let hidden = workshop.hidden();
        search::run(&call.cancel, move |watch| find(&cwd, path.as_deref(), options, &hidden, &watch)).await
    })
}

/// What a search gathers.
struct Found {
    page: Page,
    /// Files with matches and when they were changed, where files are asked for.
    files: Vec<(SystemTime, PathBuf)>,
    /// Files with matches, where counts are asked for.
    counted: usize,
    matches: u64,
    unreadable: usize,
}

fn find(
    cwd: &Path,
    path: Option<&str>,
    options: Options,
    hidden: &Hidden,
    watch: &Watch,
) -> Result<Output, Failure> {
    let (base, about) = search::place(cwd, path)?;
    let mut searcher = options.searcher();
    let mut found = Found { page: options.page(), files: Vec::new(), counted: 0, matches: 0, unreadable: 0 };
    if about.is_dir() {
        let walk = WalkBuilder::new(&base)
            .hidden(false)
            .add_custom_ignore_filename(".rgignore")
            .overrides(options.overrides.clone())
            .types(options.types.clone())
            .filter_entry(|entry| !search::is_records(entry))
            .sort_by_file_name(Ord::cmp)
            .build();
        for entry in walk {
            if watch.is_over() {
                break;
            }
            match entry {
                Ok(entry) if is_file(&entry) && !hidden.hides(entry.path()) => {
                    look(cwd, entry.path(), true, &options, &mut searcher, &mut found, watch);
                }
                Ok(_) => {}
                Err(_) => found.unreadable += 1,
            }
        }
    } else if about.is_file() {
        // Whether a file may be read that the call itself names was decided before the call.
        look(cwd, &base, false, &options, &mut searcher, &mut found, watch);
    } else {
        return Err(Failure::Rejected(format!("{} is neither a file nor a folder", base.display())));
    }
    Ok(answer(cwd, &options, found, watch)).and_then(|output| match watch.is_cancelled() {
        true => Err(Failure::Interrupted(output.content.text())),
        false => Ok(output),
    })
}

fn is_file(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_file())
}

/// Looks in a file.
fn look(
    cwd: &Path,
    path: &Path,
    is_named: bool,
    options: &Options,
    searcher: &mut Searcher,
    found: &mut Found,
    watch: &Watch,
) {
    let Ok(file) = File::open(path) else {
        found.unreadable += 1;
        return;
    };
    let modified = file.metadata().and_then(|about| about.modified());
    let input = Watched { file, watch };
    let name = search::shown(path, cwd);
    let searched = match options.mode {
        Mode::Content => {
            let before = found.page.mark();
            let mut lines = Lines::new(&mut found.page, options, is_named.then_some(&name), watch);
            let searched = searcher.search_reader(&options.matcher, input, &mut lines);
            if lines.is_binary {
                found.page.reset(before);
            }
            searched
        }
        Mode::Files | Mode::Count => {
            let mut counter = Counter::new(options.mode == Mode::Files, watch);
            let searched = searcher.search_reader(&options.matcher, input, &mut counter);
            if counter.matches > 0 && !counter.is_binary {
                found.matches += counter.matches;
                match options.mode {
                    Mode::Files if found.files.len() < FILES_LIMIT => {
                        found.files.push((modified.unwrap_or(SystemTime::UNIX_EPOCH), path.to_owned()));
                    }
                    Mode::Count => {
                        found.counted += 1;
                        found.page.push(|| format!("{name}:{}", counter.matches));
                    }
                    _ => {}
                }
            }
            searched
        }
    };
    found.unreadable += usize::from(searched.is_err());
}

/// A file that ends when the search has to.
struct Watched<'w> {
    file: File,
    watch: &'w Watch,
}

impl Read for Watched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.watch.is_over() {
            return Ok(0);
        }
        self.file.read(buffer)
    }
}

fn answer(cwd: &Path, options: &Options, mut found: Found, watch: &Watch) -> Output {
    let mut result = GrepResult::new();
    if options.mode == Mode::Files {
        found.files.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        for (_, path) in &found.files {
            found.page.push(|| search::shown(path, cwd));
        }
    }
    let page = &found.page;
    let content = page.lines().join("\n");
    let mut text = match (options.mode, page.lines().is_empty()) {
        (Mode::Files, true) => "No files found".to_owned(),
        (_, true) => "No matches found".to_owned(),
        (Mode::Files, false) => format!("Found {} files\n{content}", page.lines().len()),
        (_, false) => content.clone(),
    };
    match options.mode {
        Mode::Files => {
            result.mode = Some(GrepMode::FilesWithMatches);
            result.filenames = Some(page.lines().iter().map(|name| Str::from(name.as_str())).collect());
            result.num_files = Some(page.lines().len().into());
            result.total_files = Some(page.total().into());
        }
        Mode::Content => {
            result.mode = Some(GrepMode::Content);
            result.num_files = Some(0usize.into());
            result.filenames = Some(Vec::new());
            result.content = Some(Str::from(content.as_str()));
            result.num_lines = Some(page.lines().len().into());
            result.total_lines = Some(page.total().into());
        }
        Mode::Count => {
            text.push_str(&format!("\n\nFound {} matching lines in {} files", found.matches, found.counted));
            result.mode = Some(GrepMode::Count);
            result.num_files = Some(found.counted.into());
            result.filenames = Some(Vec::new());
            result.content = Some(Str::from(content.as_str()));
            result.num_matches = Some(found.matches.into());
        }
    }
    result.applied_limit = page.applied_limit().map(Into::into);
    result.applied_offset = page.applied_offset().map(Into::into);
    let is_late = watch.is_late();
    result.timed_out = is_late.then_some(true);
    for (holds, note) in [
        (page.is_cut(), page.describe()),
        (
            is_late,
            "(The search took too long and is not complete; narrow it by path, glob or type.)".to_owned(),
        ),
        (found.unreadable > 0, format!("({} files or folders could not be read.)", found.unreadable)),
    ] {
        if holds {
            text.push_str("\n\n");
            text.push_str(&note);
        }
    }
    Output { content: Content::Text(text.into()), result: written(&result), is_error: false }
}

#[cfg(test)]
mod tests;
