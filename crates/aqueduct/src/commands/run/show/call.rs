//! A tool call in a line: what it is called, the essential of its input, and what came of it.

use std::time::Instant;

use aqueduct_client::view::{CallState, ToolCall};

use crate::terminal::{Tone, fit, plain, seconds, summary_line, title, width};

/// The duration of a call from which on it is shown.
const WORTH_TELLING: f64 = 1.0;

/// The name and the essential of a call.
pub(super) fn names(call: &ToolCall) -> (String, String) {
    (title(call.name()), summary_line(call.name(), &call.input()))
}

/// What a call that is over looks like, in so many columns.
pub(super) fn over(call: &ToolCall, now: Instant, room: usize) -> Vec<(Tone, String)> {
    let (mark, tone) = match call.state() {
        CallState::Done => ("✓ ", Tone::Green),
        CallState::Abandoned => ("■ ", Tone::Yellow),
        _ => ("✗ ", Tone::Red),
    };
    let (name, summary_line) = names(call);
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
