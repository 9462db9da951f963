//! What the conversation of a round is made of.

use std::path::Path;

use serde_json::{Value, json};

/// The prompts of a round. All are sent at once: the second waits in the queue, and is taken in as soon as a
/// tool has answered. It has no script of its own, so that the first one's continues.
pub(super) fn prompts(project: &Path, round: usize) -> Vec<String> {
    let file = project.join(format!("round-{round}.txt"));
    let bash = |command: &str| json!({ "command": command, "description": "A step of the round" });
    let in_background = json!({
        "command": "tail -f /dev/null", "description": "Runs on", "run_in_background": true
    });
    let tool = |name: &str, input: &Value| format!("@tool {name} {input}");
    let first = [
        format!("@saytool begin {round} | Bash {}", bash(&format!("sleep 0.1; echo first {round}"))),
        tool("Write", &json!({ "file_path": file, "content": format!("one {round}\ntwo\n") })),
        tool("Bash", &in_background),
        tool("Read", &json!({ "file_path": file })),
        tool("Edit", &json!({ "file_path": file, "old_string": "two", "new_string": "three" })),
        // A child that outlives its shell.
        tool("Bash", &bash(&format!("tail -f /dev/null >/dev/null 2>&1 & echo left {round}"))),
        format!("@tools {}", json!([["Bash", bash("sleep 0.1; echo a")], ["Bash", bash("echo b")]])),
        "@slow 15 0.02".to_owned(),
    ];
    vec![first.join("\n"), format!("This waited in round {round}.")]
}
