//! Several calls in one message: which are asked about when, which run side by side, and what a denial, a failure or
//! an interrupt of one means for the others.

use anyhow::Result;
use serde_json::{Value, json};

use super::super::session::{Session, is_request};
use super::super::stage::Stage;
use super::{ASK, SKIP, Scenario, allow, bash, deny, scenario};

pub(super) const SCENARIOS: &[Scenario] = &[
    scenario("order-reads", reads),
    scenario("order-writes", |stage| asked(stage, &[mkdir("one"), mkdir("two"), mkdir("three")], allow)),
    scenario("order-read-behind-write", read_behind_write),
    scenario("order-write-behind-read", write_behind_read),
    scenario("order-one-denied", one_denied),
    scenario("order-all-denied", |stage| asked(stage, &[mkdir("one"), mkdir("two")], deny)),
    scenario("order-denied-with-interrupt", denied_with_interrupt),
    scenario("order-one-fails", one_fails),
    scenario("order-read-fails", read_fails),
    scenario("order-not-valid-among-valid", not_valid_among_valid),
    scenario("order-interrupt", interrupt),
    scenario("order-interrupt-while-asked", interrupt_while_asked),
    scenario("order-answers-reversed", answers_reversed),
    scenario("order-hooks", hooks),
    scenario("order-file-changes", file_changes),
    scenario("order-same-file", same_file),
    scenario("order-rule-for-next", rule_for_next),
];

/// A call that changes something.
fn mkdir(name: &str) -> Value {
    json!(["Bash", { "command": format!("mkdir {name}"), "description": "A step of the scenario" }])
}

fn read(path: &str) -> Value {
    json!(["Read", { "file_path": path }])
}

fn message(calls: &[Value]) -> String {
    format!("@tools {}", json!(calls))
}

fn begin(stage: &mut Stage) -> Result<Session> {
    let mut session = stage.start(ASK)?;
    session.initialize(&json!({}))?;
    Ok(session)
}

/// Asks about calls of one message; each is answered when it is asked about.
fn asked(stage: &mut Stage, calls: &[Value], answer: fn(&Value) -> Value) -> Result<()> {
    let mut session = begin(stage)?;
    session.user(&message(calls));
    session.converse(answer)?;
    session.end()
}

/// Files outside the project: each read is asked about.
fn reads(stage: &mut Stage) -> Result<()> {
    let mut session = begin(stage)?;
    session.user(&message(&[read("/etc/hostname"), read("/etc/hosts"), read("/etc/passwd")]));
    for request in open_requests(&mut session) {
        session.answer(&request, &allow(&request));
    }
    session.converse(allow)?;
    session.end()
}

/// All that is asked about before anything is answered, then the answers in the order of the requests.
fn open_requests(session: &mut Session) -> Vec<Value> {
    let pause = std::time::Duration::from_secs(2);
    std::iter::from_fn(|| session.maybe(pause, is_request)).collect()
}

fn read_behind_write(stage: &mut Stage) -> Result<()> {
    late(stage, &[mkdir("one"), read("/etc/hostname")])
}

fn write_behind_read(stage: &mut Stage) -> Result<()> {
    late(stage, &[read("/etc/hostname"), mkdir("one"), read("/etc/hosts")])
}

/// The host takes its time: what is asked meanwhile?
fn late(stage: &mut Stage, calls: &[Value]) -> Result<()> {
    let mut session = begin(stage)?;
    session.user(&message(calls));
    for request in open_requests(&mut session) {
        session.answer(&request, &allow(&request));
    }
    session.converse(allow)?;
    session.end()
}

fn one_denied(stage: &mut Stage) -> Result<()> {
    asked(stage, &[mkdir("one"), mkdir("two"), read("/etc/hostname")], |request| {
        match request["request"]["input"]["command"] == "mkdir one" {
            true => deny(request),
            false => allow(request),
        }
    })
}

fn denied_with_interrupt(stage: &mut Stage) -> Result<()> {
    let mut session = begin(stage)?;
    session.user(&message(&[mkdir("one"), mkdir("two"), read("/etc/hostname")]));
    session.converse(|request| {
        let mut answer = deny(request);
        answer["interrupt"] = json!(true);
        answer
    })?;
    session.user("@say alive");
    session.result()?;
    session.end()
}

/// A command that fails, between others.
fn one_fails(stage: &mut Stage) -> Result<()> {
    let call = |command: &str| json!(["Bash", { "command": command, "description": "A step" }]);
    let mut session = stage.start(&[SKIP])?;
    session.user(&message(&[call("touch a"), call("touch b; exit 3"), call("touch c"), read("/etc/none")]));
    session.result()?;
    session.end()
}

/// Calls that run side by side, and one of them fails.
fn read_fails(stage: &mut Stage) -> Result<()> {
    let call = |command: &str| json!(["Bash", { "command": command, "description": "A step" }]);
    let mut session = stage.start(&[SKIP])?;
    session.user(&message(&[read("/etc/none"), read("/etc/hostname"), call("ls /none"), call("echo a")]));
    session.result()?;
    session.end()
}

fn not_valid_among_valid(stage: &mut Stage) -> Result<()> {
    let calls = [mkdir("one"), json!(["Nonsense", {}]), json!(["Bash", {}]), mkdir("two")];
    asked(stage, &calls, allow)
}

fn interrupt(stage: &mut Stage) -> Result<()> {
    let call = |command: &str| json!(["Bash", { "command": command, "description": "A step" }]);
    let mut session = stage.start(&[SKIP])?;
    session.user(&message(&[call("touch began; sleep 60"), call("touch never"), read("/etc/hostname")]));
    stage.wait_for_file("began")?;
    session.request("interrupt", &json!({}));
    session.result()?;
    session.user("@say alive");
    session.result()?;
    session.end()
}

fn interrupt_while_asked(stage: &mut Stage) -> Result<()> {
    let mut session = begin(stage)?;
    session.user(&message(&[read("/etc/hostname"), read("/etc/hosts"), mkdir("one")]));
    open_requests(&mut session);
    session.request("interrupt", &json!({}));
    session.result()?;
    session.user("@say alive");
    session.result()?;
    session.end()
}

fn answers_reversed(stage: &mut Stage) -> Result<()> {
    let mut session = begin(stage)?;
    session.user(&message(&[read("/etc/hostname"), read("/etc/hosts")]));
    for request in open_requests(&mut session).iter().rev() {
        session.answer(request, &allow(request));
    }
    session.converse(allow)?;
    session.end()
}

/// Callbacks around several calls.
fn hooks(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[ASK, &["--allowed-tools", "Bash", "Read"]].concat())?;
    session.initialize(&json!({ "hooks": {
        "PreToolUse": [{ "hookCallbackIds": ["before"] }],
        "PostToolUse": [{ "hookCallbackIds": ["after"] }],
    } }))?;
    session.user(&message(&[mkdir("one"), mkdir("two")]));
    session.converse(|_| json!({}))?;
    session.user(&bash("echo alone"));
    session.converse(|_| json!({}))?;
    session.end()
}

/// Files that are written, in the order of the calls.
fn file_changes(stage: &mut Stage) -> Result<()> {
    let project = stage.project().to_owned();
    let write = |name: &str| json!(["Write", { "file_path": project.join(name), "content": "x\n" }]);
    asked(stage, &[write("a.txt"), write("b.txt"), write("a.txt")], allow)
}

/// A file is read and changed by calls of one message.
fn same_file(stage: &mut Stage) -> Result<()> {
    stage.write("f.txt", "one\ntwo\n")?;
    let path = stage.project().join("f.txt");
    let edit =
        |old: &str, new: &str| json!(["Edit", { "file_path": path, "old_string": old, "new_string": new }]);
    let reading = json!(["Read", { "file_path": path }]);
    asked(stage, &[reading, edit("one", "1"), edit("two", "2"), edit("1", "one")], allow)
}

/// The answer to the first request allows the calls behind it.
fn rule_for_next(stage: &mut Stage) -> Result<()> {
    asked(stage, &[mkdir("one"), mkdir("two"), mkdir("three")], |request| {
        let mut answer = allow(request);
        answer["updatedPermissions"] = json!([{
            "type": "addRules", "behavior": "allow", "destination": "session",
            "rules": [{ "toolName": "Bash", "ruleContent": "mkdir:*" }]
        }]);
        answer
    })
}
