//! The end of commands.

use aqueduct_testing::{require, wait_until};
use serde_json::json;

use super::{By, begins, call, is_running, long, place, run, start_bold};

/// Leftovers, timeouts and the end of everything.
fn ends(by: By) {
    let place = require!(place(by, json!({ "enabled": true })));
    let (left, late) = match by {
        By::Bubblewrap => (long(1), long(2)),
        By::Landlock => (long(3), long(4)),
    };
    let mut host = start_bold(&place);
    assert!(run(&mut host, &format!("setsid sleep {left} >/dev/null 2>&1 &")).0);
    // A process that a command leaves running continues.
    begins(&left);
    let input = json!({ "command": format!("sleep {late}"), "timeout": 50 });
    let (_, text) = call(&mut host, &input);
    assert!(text.contains("moved to the background"), "{text}");
    begins(&late);
    host.ask(&json!({ "subtype": "end_session" }));
    let (_, status) = host.end();
    assert!(status.success());
    assert!(!is_running(&left) && !is_running(&late), "nothing outlives the agent");
}

#[test]
fn everything_ends_with_the_agent_under_bubblewrap() {
    ends(By::Bubblewrap);
}

#[test]
fn everything_ends_with_the_agent_under_landlock() {
    ends(By::Landlock);
}

#[test]
fn an_agent_that_is_killed_takes_the_sandbox_along() {
    let place = require!(place(By::Bubblewrap, json!({ "enabled": true })));
    let mut host = start_bold(&place);
    host.say(&format!("@tool Bash {{\"command\":\"sleep {}\"}}", long(5)));
    begins(&long(5));
    host.kill();
    wait_until("the command has ended", || !is_running(&long(5)));
}

#[test]
fn an_interrupt_ends_a_command_in_the_sandbox() {
    let place = require!(place(By::Bubblewrap, json!({ "enabled": true })));
    let mut host = start_bold(&place);
    host.say(&format!("@tool Bash {{\"command\":\"sleep {}\"}}", long(6)));
    begins(&long(6));
    host.ask(&json!({ "subtype": "interrupt" }));
    host.turn();
    assert!(!is_running(&long(6)));
    host.end();
}
