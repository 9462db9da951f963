//! What a host's own organisation decides.

use serde_json::json;

use crate::host::{Place, tool_results};

const POLICY: &str = r#"{"permissions":{"deny":["Bash"],"disableBypassPermissionsMode":"disable"}}"#;

const CALL: &str = "@tool Bash {\"command\":\"touch made\"}";

#[test]
fn it_comes_on_the_command_line() {
    let place = Place::new();
    let mut host =
        place.start(&["--managed-settings", POLICY, "--settings", r#"{"permissions":{"allow":["Bash"]}}"#]);
    host.say(CALL);
    let frames = host.turn();
    assert_eq!(place.read("made"), None);
    assert_eq!(tool_results(&frames)[0]["is_error"], true);
    let output = place.command(&["-p", "@say hi", "--managed-settings", "{oops"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let output = place
        .command(&["-p", "@say hi", "--managed-settings", POLICY, "--dangerously-skip-permissions"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}

#[test]
fn it_comes_with_initialize_and_is_confirmed() {
    let place = Place::new();
    let mut host = place.start(&[
        "--managed-settings-in-initialize",
        "--await-initialize",
        "--dangerously-skip-permissions",
    ]);
    let policy: serde_json::Value = serde_json::from_str(POLICY).unwrap();
    let answer = host.ask(&json!({ "subtype": "initialize", "managedSettings": policy }));
    assert_eq!(answer["response"]["managed_settings_applied"], true);
    assert_eq!(answer["response"]["current_permission_mode"], "default");
    host.say(CALL);
    assert_eq!(tool_results(&host.turn())[0]["is_error"], true);
    assert_eq!(place.read("made"), None);

    // Invalid managed settings are an error, not ignored.
    let mut host = place.start(&["--managed-settings-in-initialize"]);
    let answer = host.ask(&json!({ "subtype": "initialize", "managedSettings": { "permissions": 5 } }));
    assert_eq!(answer["subtype"], "error");
}
