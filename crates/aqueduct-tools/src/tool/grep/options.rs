use std::path::Path;

use aqueduct_wire::json::Number;
use aqueduct_wire::tool::{GrepInput, GrepMode};
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder};
use ignore::overrides::{Override, OverrideBuilder};
use ignore::types::{Types, TypesBuilder};

use super::page::{LineWindow, TEXT_LIMIT};
use crate::tool::ToolFailure;

/// How many lines or files come back where the call doesn't say.
const DEFAULT_LIMIT: usize = 250;

/// What comes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GrepOutputMode {
    /// The lines.
    Content,
    /// The files.
    Files,
    /// How many lines of each file.
    Count,
}

/// A call, understood.
#[derive(Debug)]
pub(super) struct GrepOptions {
    pub(super) matcher: RegexMatcher,
    pub(super) mode: GrepOutputMode,
    pub(super) overrides: Override,
    pub(super) types: Types,
    pub(super) before: usize,
    pub(super) after: usize,
    pub(super) line_numbers: bool,
    pub(super) only_matching: bool,
    multiline: bool,
    window: LineWindow,
}

impl GrepOptions {
    /// Reads the options of a call, or returns what is wrong with it.
    pub(super) fn of(cwd: &Path, input: &GrepInput<'_>) -> Result<Self, ToolFailure> {
        let mode = match &input.output_mode {
            None | Some(GrepMode::FilesWithMatches) => GrepOutputMode::Files,
            Some(GrepMode::Content) => GrepOutputMode::Content,
            Some(GrepMode::Count) => GrepOutputMode::Count,
            Some(other) => {
                return Err(ToolFailure::Rejected(format!(
                    "output_mode can't be `{}`; use content, files_with_matches or count",
                    other.as_str()
                )));
            }
        };
        let multiline = input.multiline.unwrap_or(false);
        let around = number("context", &input.context)?.or(number("-C", &input.around)?);
        let before = around.or(number("-B", &input.before)?).unwrap_or(0);
        let after = around.or(number("-A", &input.after)?).unwrap_or(0);
        let limit = match number("head_limit", &input.head_limit)? {
            None => DEFAULT_LIMIT,
            // No page has more lines than bytes.
            Some(0) => TEXT_LIMIT,
            Some(limit) => limit.min(TEXT_LIMIT),
        };
        let offset = number("offset", &input.offset)?.unwrap_or(0);
        Ok(GrepOptions {
            matcher: matcher(&input.pattern, input.ignore_case.unwrap_or(false), multiline)?,
            mode,
            overrides: overrides(cwd, input.glob.as_deref().unwrap_or_default())?,
            types: types(input.kind.as_deref())?,
            before,
            after,
            line_numbers: input.line_numbers.unwrap_or(true),
            only_matching: input.only_matching.unwrap_or(false),
            multiline,
            window: LineWindow { offset, limit },
        })
    }

    /// The part of the answer that is asked for.
    pub(super) fn window(&self) -> LineWindow {
        self.window
    }

    /// What looks through files. It holds as much of a file at once as `heap` allows.
    pub(super) fn searcher(&self, heap: usize) -> Searcher {
        let context =
            |lines| if self.mode == GrepOutputMode::Content && !self.only_matching { lines } else { 0 };
        SearcherBuilder::new()
            .line_number(true)
            .multi_line(self.multiline)
            .before_context(context(self.before))
            .after_context(context(self.after))
            .heap_limit(Some(heap))
            .binary_detection(BinaryDetection::quit(0))
            .build()
    }

    /// Whether lines around matches are shown.
    pub(super) fn has_context(&self) -> bool {
        !self.only_matching && self.before + self.after > 0
    }
}

fn number(name: &str, value: &Option<Number<'_>>) -> Result<Option<usize>, ToolFailure> {
    match value {
        None => Ok(None),
        Some(value) => match value.as_u64().and_then(|value| usize::try_from(value).ok()) {
            Some(value) => Ok(Some(value)),
            None => Err(ToolFailure::Rejected(format!("{name} must be a whole number, not {value}"))),
        },
    }
}

fn matcher(pattern: &str, ignore_case: bool, multiline: bool) -> Result<RegexMatcher, ToolFailure> {
    let mut builder = RegexMatcherBuilder::new();
    builder.case_insensitive(ignore_case).multi_line(true).dot_matches_new_line(multiline);
    if !multiline {
        builder.line_terminator(Some(b'\n'));
    }
    builder.build(pattern).map_err(|error| {
        let hint = match error.kind() {
            grep_regex::ErrorKind::NotAllowed(_) => "; set multiline to match across lines",
            _ => "",
        };
        ToolFailure::Rejected(format!("the pattern is invalid: {error}{hint}"))
    })
}

/// The globs of a list, which commas and white space separate outside braces.
fn overrides(cwd: &Path, globs: &str) -> Result<Override, ToolFailure> {
    let reported = |error: ignore::Error| ToolFailure::Rejected(format!("the glob is invalid: {error}"));
    let mut builder = OverrideBuilder::new(cwd);
    let mut depth = 0usize;
    let separates = |next: char| {
        match next {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && (next == ',' || next.is_whitespace())
    };
    for glob in globs.split(separates).filter(|glob| !glob.is_empty()) {
        builder.add(glob).map_err(reported)?;
    }
    builder.build().map_err(reported)
}

fn types(kind: Option<&str>) -> Result<Types, ToolFailure> {
    let mut builder = TypesBuilder::new();
    if let Some(kind) = kind.filter(|kind| !kind.is_empty()) {
        builder.add_defaults().select(kind);
    }
    builder.build().map_err(|error| {
        ToolFailure::Rejected(format!("unknown type ({error}); use glob, such as *.{}", kind.unwrap_or("x")))
    })
}
