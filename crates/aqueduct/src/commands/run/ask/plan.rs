//! Where a plan is.

use std::path::Path;

use aqueduct_client::PermissionRequest;
use aqueduct_client::view::{Run, ToolCall};
use aqueduct_wire::json::Raw;
use aqueduct_wire::tool::{ExitPlanModeInput, WriteInput};

/// The folder in which agents keep plans.
const FOLDER: &str = "plans";

/// The plan of a request that does not hold it itself. Newer agents leave it in the call, or in a file that the
/// model has written before.
pub(super) fn find(request: &PermissionRequest, run: &Run) -> Option<String> {
    if plan(request.input()).is_some() {
        return None;
    }
    let call = request.tool_use_id().and_then(|id| run.call(id));
    let written = || run.calls(None).filter_map(written).last();
    call.and_then(|call| plan(&call.input())).or_else(written)
}

fn plan(input: &Raw<'_>) -> Option<String> {
    let plan = input.view::<ExitPlanModeInput<'_>>()?.plan?;
    Some(plan.into_string()).filter(|plan| !plan.trim().is_empty())
}

/// The plan that a call wrote to a file.
fn written(call: &ToolCall) -> Option<String> {
    let input = (call.name() == "Write").then(|| call.input())?;
    let input = input.view::<WriteInput<'_>>()?;
    let folder = Path::new(input.file_path.as_str()).parent()?.file_name()?;
    (folder == FOLDER).then(|| input.content.as_str().to_owned())
}

#[cfg(test)]
mod tests {
    use aqueduct_client::view::View;
    use aqueduct_wire::FromAgent;
    use serde_json::{Value, json};

    use super::*;

    fn run(calls: &[(&str, &str, Value)]) -> View {
        let mut view = View::new();
        for (id, name, input) in calls {
            let block = json!({ "type": "tool_use", "id": id, "name": name, "input": input });
            let frame = json!({ "type": "assistant", "message": { "id": id, "content": [block] } });
            view.push(&FromAgent::parse(&frame.to_string()).unwrap());
        }
        view
    }

    #[test]
    fn a_plan_is_in_the_call_or_in_a_file() {
        let view = run(&[
            (
                "t1",
                "Write",
                json!({ "file_path": "/home/ada/.claude/plans/calm-river.md", "content": "# Plan" }),
            ),
            ("t2", "Write", json!({ "file_path": "/proj/a.rs", "content": "fn main() {}" })),
            ("t3", "ExitPlanMode", json!({})),
        ]);
        let written: Vec<String> = view.run().calls(None).filter_map(written).collect();
        assert_eq!(written, ["# Plan"]);
        let reported = run(&[("t1", "ExitPlanMode", json!({ "plan": "1. Do it" }))]);
        assert_eq!(plan(&reported.run().call("t1").unwrap().input()).as_deref(), Some("1. Do it"));
        assert_eq!(plan(&view.run().call("t3").unwrap().input()), None);
    }
}
