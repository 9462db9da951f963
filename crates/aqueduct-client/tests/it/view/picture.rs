//! A view in words, without the times.

use std::fmt::Write as _;

use aqueduct_client::view::{ItemContent, Run, View};

/// All that a view shows.
pub(super) fn picture(view: &View) -> String {
    let mut out = run(view.run());
    let _ = writeln!(out, "state {:?}", view.state());
    let _ = writeln!(
        out,
        "session {:?}, model {:?}, mode {:?}",
        view.session_id(),
        view.model(),
        view.permission_mode()
    );
    if let Some(cost) = view.cost_usd() {
        let _ = writeln!(
            out,
            "session's cost {cost:.3}, tokens {} in, {} out",
            view.tokens().read(),
            view.tokens().output
        );
    }
    for todo in view.todos() {
        let _ = writeln!(out, "todo {:?}: {}", todo.status, todo.text);
    }
    out
}

/// All that a run shows.
pub(super) fn run(run: &Run) -> String {
    let mut out = String::new();
    for step in run.walk() {
        let bars = "│ ".repeat(step.depth);
        let line = match step.item.content() {
            ItemContent::Text(text) => format!("text {text:?}"),
            ItemContent::Thinking(text) => format!("thinks {text:?}"),
            ItemContent::Error(text) => format!("error {text:?}"),
            ItemContent::User { text, is_synthetic } => {
                format!("receives {text:?}{}", if *is_synthetic { " by the agent" } else { "" })
            }
            ItemContent::Block(block) => format!("block {}", block.tag()),
            ItemContent::Call(id) => call(run, id),
            _ => unreachable!("no other content"),
        };
        let _ = writeln!(out, "{bars}{line}");
    }
    let _ = writeln!(out, "tokens {} in, {} out", run.tokens().read(), run.tokens().output);
    if let Some(cost) = run.cost_usd() {
        let _ = writeln!(out, "cost {cost:.3}");
    }
    if run.retries() > 0 {
        let _ = writeln!(out, "{} retries, waiting: {}", run.retries(), run.retry().is_some());
    }
    for compaction in run.compactions() {
        let _ =
            writeln!(out, "compacted from {:?} to {:?}", compaction.tokens_before, compaction.tokens_after);
    }
    for denial in run.denials() {
        let _ = writeln!(out, "denied {} {:?}: {:?}", denial.tool, denial.call, denial.message);
    }
    if run.is_interrupted() {
        out.push_str("interrupted\n");
    }
    out
}

fn call(run: &Run, id: &str) -> String {
    let Some(call) = run.call(id) else { return format!("calls {id}, which is gone") };
    let mut line = format!("calls {} {} {:?}", call.name(), call.input().as_str(), call.state());
    if let Some(result) = call.result() {
        let _ = write!(line, " -> {:?}", result.text);
        if let Some(structured) = &result.structured {
            let _ = write!(line, " {}", structured.as_str());
        }
    }
    if let Some(task) = call.task() {
        let _ = write!(
            line,
            " (task {:?}, {:?}, {} tools, {:?})",
            task.description(),
            task.end(),
            task.tool_uses(),
            task.summary()
        );
    }
    if call.is_carried() {
        line.push_str(" from an earlier run");
    }
    line
}
