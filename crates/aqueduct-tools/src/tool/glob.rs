//! `Glob`: finds files by their path.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::DirEntry;
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

use aqueduct_wire::block::Content;
use aqueduct_wire::json::{Json, Raw, Str};
use aqueduct_wire::tool::{GlobInput, GlobResult};

use super::search::{self, Hidden, HiddenFilter, SearchEffort, SearchWatch, Visitor};
use super::{BuiltInTool, CallOutput, ToolContext, ToolFailure, ToolFuture, ToolInvocation};
use path_pattern::PathPattern;

mod path_pattern;

/// How many files are named.
const LIMIT: usize = 100;

/// The tool.
pub(crate) const TOOL: BuiltInTool = BuiltInTool {
    name: "Glob",
    description: "Finds files whose path matches a pattern, such as `**/*.rs` or `src/**/*.{ts,tsx}`. A \
        pattern without a slash matches names at any depth. Returns at most 100 paths, most recently \
        modified first; includes hidden and ignored files, but not the files of version control. To search \
        file contents use Grep.",
    schema: r#"{"type":"object","properties":{"pattern":{"type":"string","description":"The pattern that paths must match"},"path":{"type":"string","description":"The directory to search; default: the working directory"}},"required":["pattern"],"additionalProperties":false}"#,
    run,
    facts: search::FACTS,
};

fn run<'a>(tool_context: &'a ToolContext, call: ToolInvocation<'a>) -> ToolFuture<'a> {
    Box::pin(async move {
        let cwd = tool_context.workspace.cwd();
        let input: GlobInput<'_> = call
            .input
            .view()
            .ok_or_else(|| ToolFailure::Rejected("`pattern` must be a string".to_owned()))?;
        let pattern = input.pattern.to_string();
        let path = input.path.map(Str::into_string);
        let hidden = tool_context.files.hidden();
        let effort = SearchEffort::of_machine();
        search::run(&call.cancel, move |watch| find(&cwd, &pattern, path.as_deref(), &hidden, effort, watch))
            .await
    })
}

/// A file that matches. The greatest is the first of the answer: changed last, then by path.
type Match = (SystemTime, Reverse<PathBuf>);

/// What one thread has found. Only as many files are kept as are named, however many there are.
struct Newest<'a> {
    pattern: &'a PathPattern,
    screen: HiddenFilter<'a>,
    files: BinaryHeap<Reverse<Match>>,
    total: usize,
    unreadable: usize,
}

impl Visitor for Newest<'_> {
    fn enters(&mut self, folder: &Path) -> bool {
        !search::is_records(folder.file_name()) && self.pattern.enters(folder)
    }

    fn take(&mut self, path: &Path, entry: &DirEntry) {
        if !self.pattern.matches(path) || self.screen.hides(path) {
            return;
        }
        self.total += 1;
        let modified = entry.metadata().and_then(|about| about.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
        if self.files.len() == LIMIT {
            let is_kept = self.files.peek().is_some_and(|Reverse((oldest, Reverse(last)))| {
                (modified, Reverse(path)) > (*oldest, Reverse(last.as_path()))
            });
            if !is_kept {
                return;
            }
            self.files.pop();
        }
        self.files.push(Reverse((modified, Reverse(path.to_owned()))));
    }

    fn miss(&mut self) {
        self.unreadable += 1;
    }
}

/// Looks for files.
fn find(
    cwd: &Path,
    pattern: &str,
    path: Option<&str>,
    hidden: &Hidden,
    effort: SearchEffort,
    watch: &SearchWatch,
) -> Result<CallOutput, ToolFailure> {
    let begun = Instant::now();
    let (base, about) = search::place(cwd, path)?;
    if !about.is_dir() {
        return Err(ToolFailure::Rejected(format!(
            "{} is not a directory; use Grep to search a single file",
            base.display()
        )));
    }
    let (folder, pattern) = split(&base, pattern);
    let unclear = |error| ToolFailure::Rejected(format!("the pattern is invalid: {error}"));
    let pattern = PathPattern::new(&folder, &pattern).map_err(unclear)?;
    let newest = || Newest {
        pattern: &pattern,
        screen: HiddenFilter::new(hidden),
        files: BinaryHeap::new(),
        total: 0,
        unreadable: 0,
    };
    let found = search::walk(folder, effort, watch, newest);
    let total: usize = found.iter().map(|newest| newest.total).sum();
    let unreadable: usize = found.iter().map(|newest| newest.unreadable).sum();
    let mut files: Vec<_> = found.into_iter().flat_map(|newest| newest.files).collect();
    files.sort_unstable();
    files.truncate(LIMIT);
    let filenames: Vec<String> =
        files.into_iter().map(|Reverse((_, Reverse(path)))| search::shown(&path, cwd)).collect();
    if watch.is_cancelled() {
        return Err(ToolFailure::Interrupted(filenames.join("\n")));
    }
    // The errors of the walk show whether a folder is missing or unreadable.
    let mut text = match filenames.is_empty() {
        true => "No files found".to_owned(),
        false => filenames.join("\n"),
    };
    let is_late = watch.is_late();
    for (holds, note) in [
        (
            total > LIMIT,
            format!(
                "({total} files match; these are the {LIMIT} most recently modified. Narrow the pattern \
                to see others.)"
            ),
        ),
        (is_late, "(The search timed out; the results are incomplete.)".to_owned()),
        (unreadable > 0, format!("({unreadable} directories or files could not be read.)")),
    ] {
        if holds {
            text.push('\n');
            text.push_str(&note);
        }
    }
    let mut result =
        GlobResult::new(filenames.iter().map(|name| Str::from(name.as_str())).collect::<Vec<_>>());
    result.duration_ms = Some((begun.elapsed().as_millis() as u64).into());
    result.num_files = Some(filenames.len().into());
    result.truncated = Some(total > LIMIT || is_late);
    result.total_matches = Some(total.into());
    result.count_is_complete = Some(!is_late);
    result.timed_out = is_late.then_some(true);
    Ok(CallOutput { content: Content::Text(text.into()), result: written(&result), is_error: false })
}

/// A record as the value that hosts get.
pub(super) fn written<'a>(record: &impl Json<'a>) -> Raw<'static> {
    let mut out = String::new();
    record.write(&mut out);
    // What the record wrote is JSON.
    Raw::parse(&out).map_or(Raw::NULL, aqueduct_wire::IntoOwned::into_owned)
}

/// Moves the folders that a pattern begins with into the folder to look in, so that others are not walked.
/// What remains is tied to that folder by a leading slash, unless the pattern is a name for any depth.
fn split(base: &Path, pattern: &str) -> (PathBuf, String) {
    let is_special = |part: &str| part.contains(['*', '?', '[', ']', '{', '}', '\\', '!']);
    let parts: Vec<&str> = pattern.split('/').collect();
    let literal =
        parts[..parts.len() - 1].iter().take_while(|part| !is_special(part) && **part != "..").count();
    if parts.len() == 1 {
        return (base.to_owned(), pattern.to_owned());
    }
    let folder = match parts[..literal].join("/") {
        prefix if pattern.starts_with('/') => Path::new("/").join(prefix.trim_start_matches('/')),
        prefix => base.join(prefix),
    };
    (folder, format!("/{}", parts[literal..].join("/")))
}

#[cfg(test)]
mod tests;
