//! Commands in the background: their frames, the turns that their ends begin, and what a later process knows.

use serde_json::{Value, json};

use crate::host::{Host, Place, find, kinds, tool_results};
use crate::kept::kept;

const ID: &str = "7d2f0c11-5a3b-4c7e-8f00-2b9c4d6e1a01";

fn start(place: &Place, arguments: &[&str]) -> Host {
    place.start(&[&["--permission-mode", "bypassPermissions"], arguments].concat())
}

/// A call that runs until the host writes a file.
fn until(file: &str, more: Value) -> String {
    let mut input =
        json!({ "command": format!("until [ -e {file} ]; do sleep 0.02; done"), "description": file });
    input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    format!("@tool Bash {input}")
}

fn in_background(file: &str) -> String {
    until(file, json!({ "run_in_background": true }))
}

fn named<'f>(frames: &'f [Value], subtype: &str) -> Vec<&'f Value> {
    frames.iter().filter(|frame| frame["subtype"] == subtype).collect()
}

fn of_tasks(frames: &[Value]) -> Vec<&str> {
    let subtypes = frames.iter().filter_map(|frame| frame["subtype"].as_str());
    subtypes.filter(|subtype| subtype.contains("task")).collect()
}

#[test]
fn the_end_of_a_command_begins_a_turn() {
    let place = Place::new();
    let mut host = start(&place, &["--session-id", ID]);
    host.say(&format!("{}\n@say on\n@say noticed", in_background("go")));
    let frames = host.turn();
    assert_eq!(of_tasks(&frames), ["background_tasks_changed", "task_started"]);
    let started = named(&frames, "task_started")[0].clone();
    let (task, run) = (&started["task_id"], &started["run_id"]);
    assert_eq!((&started["is_backgrounded"], &started["task_type"]), (&json!(true), &json!("local_bash")));
    let listed = json!([{ "task_id": task, "run_id": run, "task_type": "local_bash", "description": "go" }]);
    assert_eq!(named(&frames, "background_tasks_changed")[0]["tasks"], listed);
    let reported = tool_results(&frames)[0]["content"].as_str().unwrap().to_owned();
    let begin = format!(
        "Command running in background with ID: {}. Output is being written to: ",
        task.as_str().unwrap()
    );
    assert!(reported.starts_with(&begin), "{reported}");

    place.write("go", "");
    let frames = host.turn();
    assert_eq!(of_tasks(&frames), ["task_updated", "task_notification", "background_tasks_changed"]);
    assert_eq!(named(&frames, "task_updated")[0]["patch"]["status"], "completed");
    let ended = named(&frames, "task_notification")[0];
    assert_eq!(
        (&ended["status"], &ended["summary"], &ended["run_id"]),
        (&json!("completed"), &json!("Background command \"go\" completed (exit code 0)"), run)
    );
    assert_eq!(named(&frames, "background_tasks_changed")[0]["tasks"], json!([]));
    let result = find(&frames, "result");
    assert_eq!((&result["result"], &result["num_turns"]), (&json!("noticed"), &json!(1)));
    assert_eq!(
        result["origin"],
        json!({ "kind": "task-notification", "producer": "session-task", "runId": run })
    );
    let (rest, status) = host.end();
    assert!(rest.is_empty() && status.success(), "{:?}", kinds(&rest));

    let lines = kept(&place, ID);
    let notification =
        lines.iter().find(|line| line["origin"]["kind"] == "task-notification").expect("a line");
    let text = notification["message"]["content"].as_str().expect("text");
    assert!(text.starts_with(&format!("<task-notification>\n<task-id>{}</task-id>", task.as_str().unwrap())));
    assert_eq!((&notification["promptSource"], &notification["isMeta"]), (&json!("system"), &Value::Null));
    let queued =
        lines.iter().filter(|line| line["type"] == "queue-operation" && line["content"] == text).count();
    assert_eq!(queued, 1);
}

#[test]
fn a_turn_that_runs_takes_the_end_in() {
    let place = Place::new();
    let mut host = start(&place, &["--session-id", ID]);
    host.say(&format!("{}\n{}\n@say both", in_background("one"), until("two", json!({}))));
    host.until(|frame| frame["subtype"] == "task_started");
    place.write("one", "");
    host.until(|frame| frame["subtype"] == "task_notification");
    place.write("two", "");
    let frames = host.turn();
    assert_eq!(find(&frames, "result")["result"], "both", "{:?}", kinds(&frames));
    let (rest, status) = host.end();
    assert!(rest.is_empty() && status.success(), "{:?}", kinds(&rest));

    let lines = kept(&place, ID);
    let attached = lines.iter().find(|line| line["attachment"]["type"] == "queued_command").expect("a line");
    assert_eq!(attached["attachment"]["commandMode"], "task-notification");
    let removed = lines.iter().find(|line| line["operation"] == "remove").expect("a line");
    assert_eq!(
        (&removed["reason"], &removed["deliveryId"], &removed["content"]),
        (
            &json!("absorbed_mid_turn"),
            &attached["attachment"]["delivery_id"],
            &attached["attachment"]["prompt"]
        )
    );
}

#[test]
fn the_model_is_asked_once_about_ends_that_wait_together() {
    let place = Place::new();
    // The turn ends when both commands have.
    place.hook(&json!({ "Stop": [{ "hooks": [
        { "type": "command", "command": "until [ -e over ]; do sleep 0.02; done" }
    ] }] }));
    let mut host = start(&place, &[]);
    host.say(&format!("{}\n{}\n@say on\n@say noticed", in_background("go"), in_background("go")));
    host.until(|frame| frame["type"] == "assistant" && frame["message"]["content"][0]["text"] == "on");
    place.write("go", "");
    host.until(|frame| frame["subtype"] == "task_notification");
    host.until(|frame| frame["subtype"] == "task_notification");
    place.write("over", "");
    let results: Vec<Value> = (0..3).map(|_| find(&host.turn(), "result").clone()).collect();
    let reported: Vec<(&Value, &Value)> =
        results.iter().map(|result| (&result["num_turns"], &result["result"])).collect();
    assert_eq!(reported[1..], [(&json!(0), &json!("")), (&json!(1), &json!("noticed"))], "{results:#?}");
    assert_ne!(results[1]["origin"]["runId"], results[2]["origin"]["runId"]);
    let (rest, status) = host.end();
    assert!(rest.is_empty() && status.success(), "{:?}", kinds(&rest));
}

#[test]
fn a_command_is_stopped_by_any_of_the_tools_names_without_a_turn() {
    let place = Place::new();
    let mut host = start(&place, &[]);
    for (tool, member) in [("TaskStop", "task_id"), ("KillShell", "shell_id"), ("KillBash", "shell_id")] {
        host.say(&format!("{}\n@say on", in_background("never")));
        let frames = host.turn();
        let task = named(&frames, "task_started")[0]["task_id"].clone();
        host.say(&format!("@tool {tool} {}\n@say off", json!({ member: task })));
        let frames = host.turn();
        assert_eq!(
            of_tasks(&frames),
            ["task_updated", "task_notification", "background_tasks_changed"],
            "{tool}"
        );
        assert_eq!(named(&frames, "task_updated")[0]["patch"]["status"], "killed");
        let ended = named(&frames, "task_notification")[0];
        assert_eq!((&ended["status"], &ended["summary"]), (&json!("stopped"), &json!("never")));
        assert!(tool_results(&frames)[0]["content"].as_str().unwrap().contains("Successfully stopped task"));
    }
    let (rest, status) = host.end();
    assert!(rest.is_empty() && status.success(), "{:?}", kinds(&rest));
}

#[test]
fn the_host_stops_a_command_before_it_is_answered() {
    let place = Place::new();
    let mut host = start(&place, &[]);
    host.say(&format!("{}\n@say on", in_background("never")));
    let frames = host.turn();
    let task = named(&frames, "task_started")[0]["task_id"].clone();
    host.send(&json!({ "type": "control_request", "request_id": "s", "request": { "subtype": "stop_task", "task_id": task } }));
    let frames = host.until(|frame| frame["type"] == "control_response");
    assert_eq!(of_tasks(&frames), ["task_updated", "task_notification", "background_tasks_changed"]);
    let (rest, _) = host.end();
    assert!(rest.is_empty(), "{:?}", kinds(&rest));
}

#[test]
fn the_end_of_stdin_waits_for_commands() {
    let place = Place::new();
    let mut host = start(&place, &[]);
    host.say(&format!("{}\n@say on\n@say noticed", in_background("go")));
    host.turn();
    host.close();
    place.write("go", "");
    let (frames, status) = host.end();
    assert_eq!(find(&frames, "result")["result"], "noticed", "{:?}", kinds(&frames));
    assert!(status.success());
}

#[test]
fn the_end_of_the_session_stops_commands_and_a_later_process_reports_them() {
    let place = Place::new();
    let mut host = start(&place, &["--session-id", ID]);
    host.say(&format!("{}\n@say on", in_background("never")));
    let frames = host.turn();
    let task = named(&frames, "task_started")[0]["task_id"].clone();
    host.ask(&json!({ "subtype": "end_session" }));
    let (frames, status) = host.end();
    assert_eq!(of_tasks(&frames), ["task_updated", "task_notification", "background_tasks_changed"]);
    assert!(status.success());

    let mut host = start(&place, &["--resume", ID]);
    host.say("@say hello");
    let frames = host.turn();
    let reported = named(&frames, "task_notification")[0];
    assert_eq!(
        (&reported["task_id"], &reported["status"], &reported["output_file"]),
        (&task, &json!("stopped"), &json!(""))
    );
    let result = find(&frames, "result");
    assert_eq!(
        (&result["num_turns"], &result["origin"]),
        (&json!(0), &json!({ "kind": "task-notification" }))
    );
    assert_eq!(find(&host.turn(), "result")["result"], "hello");
    host.end();

    // It is reported once.
    let mut host = start(&place, &["--resume", ID]);
    host.say("@say again");
    let frames = host.turn();
    assert!(of_tasks(&frames).is_empty() && find(&frames, "result")["result"] == "again", "{frames:#?}");
}

#[test]
fn a_command_that_the_turn_waits_for_becomes_a_task_when_it_takes_long() {
    let place = Place::new();
    let mut host = start(&place, &[]);
    host.say(&format!("{}\n@say done", until("go", json!({}))));
    let frames = host.until(|frame| frame["subtype"] == "task_started");
    assert_eq!(frames.last().unwrap()["is_backgrounded"], false);
    place.write("go", "");
    let frames = host.turn();
    assert_eq!(of_tasks(&frames), ["task_notification"]);
    let ended = named(&frames, "task_notification")[0];
    assert_eq!((&ended["status"], &ended["output_file"]), (&json!("completed"), &json!("")));
    assert_eq!(find(&frames, "result")["result"], "done");
}
