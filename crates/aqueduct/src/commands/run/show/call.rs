//! A tool call in a line: what it is called, the essential of its input, and what came of it.

use std::time::Instant;

use aqueduct_client::view::{CallState, ToolCall};
use aqueduct_wire::json::{Map, Raw, Str};
use aqueduct_wire::tool::{PatchHunk, WriteInput};

use crate::terminal::{ShownDiff, Tone, fit, plain, seconds, summary_line, title, width};

/// The duration of a call from which on it is shown.
const WORTH_TELLING: f64 = 1.0;

/// How many lines of a patch are shown.
const PATCH_LINES: usize = 24;

/// The name and the essential of a call.
pub(super) fn names(call: &ToolCall, cwd: Option<&str>) -> (String, String) {
    (title(call.name()), summary_line(call.name(), &call.input(), cwd))
}

/// What a call that is over looks like, in so many columns.
pub(super) fn over(call: &ToolCall, cwd: Option<&str>, now: Instant, room: usize) -> Vec<(Tone, String)> {
    let (mark, tone) = match call.state() {
        CallState::Done => ("✓ ", Tone::Green),
        CallState::Abandoned => ("■ ", Tone::Yellow),
        _ => ("✗ ", Tone::Red),
    };
    let (name, summary_line) = names(call, cwd);
    let (outcome, outcome_tone) = outcome(call);
    let took = call.elapsed(now).as_secs_f64();
    let took = if took >= WORTH_TELLING { format!("  {}", seconds(took)) } else { String::new() };
    // What came of it gets a third of the line, or what the input leaves.
    let fixed = width(mark) + width(&plain(&name)) + 4 + width(&took);
    let left = room.saturating_sub(fixed);
    let summary_line = plain(&summary_line);
    let outcome = fit(&plain(&outcome), (left / 3).max(left.saturating_sub(width(&summary_line))));
    let summary_line = fit(&summary_line, left.saturating_sub(width(&outcome)));
    let gap = |text: &str| if text.is_empty() { String::new() } else { format!("  {text}") };
    vec![
        (tone, mark.to_owned()),
        (Tone::Bold, name),
        (Tone::Plain, gap(&summary_line)),
        (outcome_tone, gap(&outcome)),
        (Tone::Dim, took),
    ]
}

/// What a call changed in a file, for the lines below it. Empty where it changed nothing, or made the file.
pub(super) fn patch(call: &ToolCall) -> Vec<(Tone, String)> {
    let hunks = hunks(call).unwrap_or_default();
    let mut shown = ShownDiff::default();
    for (index, hunk) in hunks.iter().enumerate() {
        if index > 0 {
            shown.lines.push((Tone::Dim, "  ⋮".to_owned()));
        }
        for line in &hunk.lines {
            let mut chars = line.chars();
            match chars.next() {
                Some(mark @ (' ' | '+' | '-')) => shown.line(mark, &format!("{}\n", chars.as_str())),
                // A note about the line end.
                _ => shown.lines.push((Tone::Dim, format!("  {}", plain(line)))),
            }
        }
    }
    let mut lines = shown.lines;
    if lines.len() > PATCH_LINES {
        let rest = lines.len() - (PATCH_LINES - 1);
        lines.truncate(PATCH_LINES - 1);
        lines.push((Tone::Dim, format!("  … {rest} more lines")));
    }
    lines
}

/// The patch that the result of a call holds.
fn hunks(call: &ToolCall) -> Option<Vec<PatchHunk<'static>>> {
    let structured = call.result().filter(|result| !result.is_error)?.structured.as_ref()?;
    let members = structured.view::<Map<'_, Raw<'_>>>()?;
    let hunks = members.get("structuredPatch")?.view::<Vec<PatchHunk<'_>>>()?;
    Some(hunks.into_iter().map(PatchHunk::into_owned).collect())
}

/// What a call did to a file: how many lines it added and removed, or that it made it.
fn change(call: &ToolCall) -> Option<String> {
    if call.name() == "Write" && hunks(call).is_some_and(|hunks| hunks.is_empty()) {
        let input = call.input();
        let lines = input.view::<WriteInput<'_>>()?.content.lines().count();
        let members = call.result()?.structured.as_ref()?.view::<Map<'_, Raw<'_>>>()?;
        let is_new = members.get("type")?.view::<Str<'_>>()? == "create";
        let is_new = if is_new { "new file, " } else { "" };
        return Some(format!("{is_new}{lines} {}", if lines == 1 { "line" } else { "lines" }));
    }
    let hunks = hunks(call).filter(|hunks| !hunks.is_empty())?;
    let count =
        |mark: char| hunks.iter().flat_map(|hunk| &hunk.lines).filter(|line| line.starts_with(mark)).count();
    Some(format!("+{} -{}", count('+'), count('-')))
}

/// What a call that is over came to.
fn outcome(call: &ToolCall) -> (String, Tone) {
    if call.state() == CallState::Abandoned {
        return ("nothing came of it".to_owned(), Tone::Yellow);
    }
    let is_done = call.state() == CallState::Done;
    let tone = if is_done { Tone::Dim } else { Tone::Red };
    if let Some(task) = call.task() {
        let tools = match task.tool_uses() {
            0 => String::new(),
            1 => "1 tool, ".to_owned(),
            count => format!("{count} tools, "),
        };
        // The result of a call that starts a background task only confirms the start.
        let result = call.result().filter(|_| !task.is_background()).map(|result| result.text.as_str());
        let summary = first_line(task.summary().or(result).unwrap_or_default());
        return (format!("{tools}{summary}").trim_end_matches(", ").to_owned(), tone);
    }
    let Some(result) = call.result() else { return (String::new(), tone) };
    if let Some(change) = change(call) {
        return (change, tone);
    }
    let lines = result.text.lines().filter(|line| !line.trim().is_empty()).count();
    match (is_done, lines) {
        (true, 0) if result.other_blocks > 0 => ("an image".to_owned(), tone),
        (true, 2..) => (format!("{lines} lines"), tone),
        _ => (first_line(&result.text), tone),
    }
}

/// The first line with content, without the marks that some agents put around errors.
fn first_line(text: &str) -> String {
    let text = text.trim_start_matches("<tool_use_error>").trim_end_matches("</tool_use_error>");
    text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default().to_owned()
}
