//! The current activity, in a few words.

use std::time::{Duration, Instant};

use aqueduct_client::view::{CallState, ItemContent, ToolCall, View};

use super::call;

/// What the agent does. `waited` is for how long nothing has come from it.
pub(super) fn doing(view: &View, waited: Duration, now: Instant) -> String {
    let (what, time) = match working(view) {
        _ if view.run().retry().is_some() => ("waiting to try again".to_owned(), waited),
        _ if view.is_compacting() => ("compacting the conversation".to_owned(), waited),
        Some(found) => (described(found, view.cwd()), found.elapsed(now)),
        None if is_thinking(view) => ("thinking".to_owned(), waited),
        None => ("working".to_owned(), waited),
    };
    match time.as_secs() {
        0 => format!("· {what}"),
        seconds => format!("· {what}  {seconds} s"),
    }
}

/// The call that was begun last and continues.
fn working(view: &View) -> Option<&ToolCall> {
    let calls = view.run().walk().filter_map(|step| match step.item.content() {
        ItemContent::Call(id) => view.run().call(id),
        _ => None,
    });
    calls.filter(|call| matches!(call.state(), CallState::Running | CallState::Writing)).last()
}

fn described(found: &ToolCall, cwd: Option<&str>) -> String {
    let (name, summary_line) = call::names(found, cwd);
    match found.task().and_then(|task| task.doing()) {
        Some(doing) => format!("{name}  {doing}"),
        None => format!("{name}  {summary_line}"),
    }
}

fn is_thinking(view: &View) -> bool {
    let last = view.run().main().items().last();
    matches!(last.map(|item| item.content()), Some(ItemContent::Thinking(_)))
}
