//! The lists that the model keeps: `TodoWrite` and the task tools.

use serde_json::{Value, json};

use super::bash::tests::{Bench, result, text};
use super::{BuiltInTool, ToolFailure, task_list, todo_write};
use crate::list::{TaskList, Todos};

async fn call(bench: &Bench, tool: &BuiltInTool, input: Value) -> (String, Value) {
    let output = bench.call(tool, input).await.unwrap();
    (text(&output), result(&output))
}

#[tokio::test]
async fn a_new_list_replaces_the_old_one() {
    let bench = Bench::new();
    let first = json!([{"content": "Test", "status": "pending", "activeForm": "Testing"}]);
    let second = json!([{"content": "Test", "status": "completed", "activeForm": "Testing"}]);
    let (_, result) = call(&bench, &todo_write::TOOL, json!({"todos": first})).await;
    assert_eq!(result, json!({"newTodos": first, "oldTodos": []}));
    let (_, result) = call(&bench, &todo_write::TOOL, json!({"todos": second})).await;
    assert_eq!(result, json!({"newTodos": second, "oldTodos": first}));

    let resumed = Todos::default();
    assert!(resumed.restore(&bench.tool_context.lists.todos.snapshot()));
    assert_eq!(resumed.snapshot().to::<Value>().unwrap(), second);
    assert!(!resumed.restore(&aqueduct_wire::json::Raw::NULL));
}

#[tokio::test]
async fn a_list_that_makes_no_sense_is_rejected() {
    let bench = Bench::new();
    for todos in [
        json!(null),
        json!("a, b"),
        json!([{"content": "", "status": "pending", "activeForm": "Testing"}]),
        json!([{"content": "Test", "status": "pending"}]),
        json!([{"content": "Test", "status": "soon", "activeForm": "Testing"}]),
    ] {
        let outcome = bench.call(&todo_write::TOOL, json!({ "todos": todos })).await;
        assert!(matches!(outcome, Err(ToolFailure::Rejected(_))), "{todos}");
    }
    assert_eq!(bench.tool_context.lists.todos.snapshot().as_str(), "[]");
}

#[tokio::test]
async fn tasks_are_created_changed_and_shown() {
    let bench = Bench::new();
    let (_, created) = call(
        &bench,
        &task_list::CREATE,
        json!({"subject": "Build", "description": "Build it", "metadata": {"size": 1e2}}),
    )
    .await;
    assert_eq!(created, json!({"task": {"id": "1", "subject": "Build"}}));
    call(&bench, &task_list::CREATE, json!({"subject": "Test", "description": "Test it"})).await;

    let change =
        json!({"taskId": "2", "status": "in_progress", "owner": "ada", "addBlockedBy": ["1", "2", "77"]});
    let (result_text, changed) = call(&bench, &task_list::UPDATE, change).await;
    assert_eq!(result_text, "Updated task #2: owner, status, blockedBy.");
    assert_eq!(
        changed,
        json!({"success": true, "taskId": "2", "updatedFields": ["owner", "status", "blockedBy"],
               "statusChange": {"from": "pending", "to": "in_progress"}})
    );
    let (result_text, listed) = call(&bench, &task_list::LIST, json!({})).await;
    assert_eq!(result_text, "#1 [pending] Build\n#2 [in_progress] Test (ada) [waits for #1]");
    assert_eq!(
        listed,
        json!({"tasks": [{"id": "1", "subject": "Build", "status": "pending", "blockedBy": []},
                         {"id": "2", "subject": "Test", "status": "in_progress", "owner": "ada", "blockedBy": ["1"]}]})
    );
    let (result_text, shown) = call(&bench, &task_list::GET, json!({"taskId": "1"})).await;
    assert_eq!(result_text, "#1 [pending] Build\nBuild it\nNeeded by: #2");
    assert_eq!(
        shown,
        json!({"task": {"id": "1", "subject": "Build", "description": "Build it", "status": "pending",
                        "blocks": ["2"], "blockedBy": []}})
    );

    let resumed = TaskList::default();
    assert!(resumed.restore(&bench.tool_context.lists.tasks.snapshot()));
    assert_eq!(resumed.snapshot(), bench.tool_context.lists.tasks.snapshot());
    assert!(!resumed.restore(&aqueduct_wire::json::Raw::NULL));
}

#[tokio::test]
async fn a_done_task_holds_nobody_up_and_a_deleted_one_is_forgotten() {
    let bench = Bench::new();
    for subject in ["a", "b", "c"] {
        call(&bench, &task_list::CREATE, json!({"subject": subject, "description": ""})).await;
    }
    call(&bench, &task_list::UPDATE, json!({"taskId": "1", "addBlocks": ["3"]})).await;
    call(&bench, &task_list::UPDATE, json!({"taskId": "2", "addBlocks": ["3"]})).await;
    call(&bench, &task_list::UPDATE, json!({"taskId": "1", "status": "completed"})).await;
    let (result_text, _) = call(&bench, &task_list::LIST, json!({})).await;
    assert_eq!(result_text, "#1 [completed] a\n#2 [pending] b\n#3 [pending] c [waits for #2]");
    let (_, deleted) = call(&bench, &task_list::UPDATE, json!({"taskId": "2", "status": "deleted"})).await;
    assert_eq!(deleted["updatedFields"], json!(["deleted"]));
    assert_eq!(deleted["statusChange"], json!({"from": "pending", "to": "deleted"}));
    let (result_text, _) = call(&bench, &task_list::LIST, json!({})).await;
    assert_eq!(result_text, "#1 [completed] a\n#3 [pending] c");
    // Numbers are not given twice.
    let (_, created) = call(&bench, &task_list::CREATE, json!({"subject": "d", "description": ""})).await;
    assert_eq!(created["task"]["id"], "4");
}

#[tokio::test]
async fn a_task_that_is_not_there_is_an_answer() {
    let bench = Bench::new();
    let (_, changed) = call(&bench, &task_list::UPDATE, json!({"taskId": "9", "status": "completed"})).await;
    assert_eq!(
        changed,
        json!({"success": false, "taskId": "9", "updatedFields": [], "error": "Task not found"})
    );
    let (_, shown) = call(&bench, &task_list::GET, json!({"taskId": "9"})).await;
    assert_eq!(shown, json!({"task": null}));
    let (result_text, _) = call(&bench, &task_list::LIST, json!({})).await;
    assert_eq!(result_text, "There are no tasks.");
    for (tool, input) in [
        (&task_list::CREATE, json!({"subject": "a"})),
        (&task_list::CREATE, json!({"subject": "", "description": "d"})),
        (&task_list::UPDATE, json!({"status": "pending"})),
        (&task_list::GET, json!({})),
    ] {
        assert!(matches!(bench.call(tool, input).await, Err(ToolFailure::Rejected(_))));
    }
}
