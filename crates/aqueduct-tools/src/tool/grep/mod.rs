//! `Grep`: finds lines in files, with ripgrep's engine.

mod file_search;
mod options;
mod page;
mod ranking;
mod sink;
mod tree;

use std::path::Path;
use std::sync::Mutex;

use aqueduct_wire::block::Content;
use aqueduct_wire::json::Str;
use aqueduct_wire::tool::{GrepInput, GrepMode, GrepResult};

use super::glob::written;
use super::search::{self, Hidden, SearchEffort, SearchWatch};
use super::{BuiltInTool, CallOutput, ToolContext, ToolFailure, ToolFuture, ToolInvocation};
use file_search::{FileSearch, Terms};
use options::{GrepOptions, GrepOutputMode};
use page::GrepPage;
use ranking::Ranking;
use sink::SEPARATOR;
use tree::{GatheredMatches, TreeSearch};

/// The tool.
pub(crate) const TOOL: BuiltInTool = BuiltInTool {
    name: "Grep",
    description: "Searches file contents with a regular expression (Rust syntax: escape literal `{` and `(`; \
        no look-around). Searches a file, or all files in a directory that git does not ignore, including \
        hidden ones; binary files are skipped. `output_mode` selects the output: the paths of matching files \
        (files_with_matches, the default, most recently modified first), the matching lines (content), or \
        the number of matching lines in each file (count). Output is limited to `head_limit`; continue with \
        `offset`.",
    schema: r#"{"type":"object","properties":{"pattern":{"type":"string","description":"The regular expression"},"path":{"type":"string","description":"The file or directory to search; default: the working directory"},"glob":{"type":"string","description":"Only files whose path matches, such as *.js or src/**/*.{ts,tsx}"},"type":{"type":"string","description":"Only files of a language, such as rust, py or js"},"output_mode":{"type":"string","enum":["content","files_with_matches","count"],"description":"The output mode; default: files_with_matches"},"-A":{"type":"number","description":"Lines to show after each match (content)"},"-B":{"type":"number","description":"Lines to show before each match (content)"},"-C":{"type":"number","description":"Lines to show before and after each match (content)"},"context":{"type":"number","description":"The same as -C"},"-n":{"type":"boolean","description":"Show line numbers (content); default: true"},"-i":{"type":"boolean","description":"Case-insensitive search"},"-o":{"type":"boolean","description":"Show only the matching parts, one per line (content)"},"head_limit":{"type":"number","description":"Maximum number of lines or files; default: 250, 0 for no limit"},"offset":{"type":"number","description":"Number of lines or files to skip"},"multiline":{"type":"boolean","description":"Matches may span lines, and . matches newlines"}},"required":["pattern"],"additionalProperties":false}"#,
    run,
    facts: search::FACTS,
};

fn run<'a>(tool_context: &'a ToolContext, call: ToolInvocation<'a>) -> ToolFuture<'a> {
    Box::pin(async move {
        let cwd = tool_context.workspace.cwd();
        let input: GrepInput<'_> = call
            .input
            .view()
            .ok_or_else(|| ToolFailure::Rejected("`pattern` must be a string".to_owned()))?;
        let options = GrepOptions::of(&cwd, &input)?;
        let path = input.path.map(Str::into_string);
        let hidden = tool_context.files.hidden();
        let effort = SearchEffort::of_machine();
        search::run(&call.cancel, move |watch| find(&cwd, path.as_deref(), &options, &hidden, effort, watch))
            .await
    })
}

fn find(
    cwd: &Path,
    path: Option<&str>,
    options: &GrepOptions,
    hidden: &Hidden,
    effort: SearchEffort,
    watch: &SearchWatch,
) -> Result<CallOutput, ToolFailure> {
    let (base, about) = search::place(cwd, path)?;
    let terms = Terms { cwd, options, watch, large_file: Mutex::default() };
    let mut file_search = FileSearch::new(&terms);
    let window = options.window();
    let gathered = if about.is_dir() {
        TreeSearch::new(&terms, &base, hidden).search(effort)
    } else if about.is_file() {
        // Whether a file may be read that the call itself names was decided before the call.
        let mut gathered = GatheredMatches::new(window);
        match file_search.search(&base, false, Ranking::window_of_file(window)) {
            Ok(Some(found)) => gathered.add(&base, found),
            Ok(None) => {}
            Err(_) => gathered.unreadable += 1,
        }
        gathered
    } else {
        return Err(ToolFailure::Rejected(format!("{} is neither a file nor a directory", base.display())));
    };
    let GatheredMatches { ranking, files, matches, unreadable } = gathered;
    let page = ranking.into_page(options.has_context().then_some(SEPARATOR), |path, window| {
        Some(file_search.search(path, about.is_dir(), window).ok()??.page)
    });
    let output = answer(options, &page, GrepTotals { files, matches, unreadable }, watch);
    match watch.is_cancelled() {
        true => Err(ToolFailure::Interrupted(output.content.text())),
        false => Ok(output),
    }
}

/// What is counted over all files.
struct GrepTotals {
    files: usize,
    matches: u64,
    unreadable: usize,
}

fn answer(options: &GrepOptions, page: &GrepPage, totals: GrepTotals, watch: &SearchWatch) -> CallOutput {
    let mut result = GrepResult::new();
    // If the search stopped after the page, the total is unknown.
    let total = (!page.has_more()).then(|| page.total().into());
    let content = page.lines().join("\n");
    let mut text = match (options.mode, page.lines().is_empty()) {
        (GrepOutputMode::Files, true) => "No files found".to_owned(),
        (_, true) => "No matches found".to_owned(),
        (GrepOutputMode::Files, false) => format!("Found {} files\n{content}", page.lines().len()),
        (_, false) => content.clone(),
    };
    match options.mode {
        GrepOutputMode::Files => {
            result.mode = Some(GrepMode::FilesWithMatches);
            result.filenames = Some(page.lines().iter().map(|name| Str::from(name.as_str())).collect());
            result.num_files = Some(page.lines().len().into());
            result.total_files = total;
        }
        GrepOutputMode::Content => {
            result.mode = Some(GrepMode::Content);
            result.num_files = Some(0usize.into());
            result.filenames = Some(Vec::new());
            result.content = Some(Str::from(content.as_str()));
            result.num_lines = Some(page.lines().len().into());
            result.total_lines = total;
        }
        GrepOutputMode::Count => {
            text.push_str(&format!("\n\nFound {} matching lines in {} files", totals.matches, totals.files));
            result.mode = Some(GrepMode::Count);
            result.num_files = Some(totals.files.into());
            result.filenames = Some(Vec::new());
            result.content = Some(Str::from(content.as_str()));
            result.num_matches = Some(totals.matches.into());
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
            "(The search timed out; the results are incomplete. Narrow it by path, glob or type.)".to_owned(),
        ),
        (totals.unreadable > 0, format!("({} files or directories could not be read.)", totals.unreadable)),
    ] {
        if holds {
            text.push_str("\n\n");
            text.push_str(&note);
        }
    }
    CallOutput { content: Content::Text(text.into()), result: written(&result), is_error: false }
}

#[cfg(test)]
mod tests;
