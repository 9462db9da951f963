//! Subcommands with wrong arguments: the exit code, what is named, and that nothing is written.

use std::process::Stdio;

use serde_json::{Value, json};

use crate::host::Place;

/// Exit code, stdout and stderr.
fn run(place: &Place, arguments: &[&str], variables: &[(&str, &str)]) -> (Option<i32>, String, String) {
    let mut command = place.command(arguments);
    let output = command.envs(variables.iter().copied()).stdin(Stdio::null()).output().unwrap();
    let text = |bytes: Vec<u8>| {
        String::from_utf8(bytes).unwrap().replace(place.project().to_str().unwrap(), "PROJECT")
    };
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[track_caller]
fn refused(place: &Place, arguments: &[&str], why: &str) {
    let (code, stdout, stderr) = run(place, arguments, &[]);
    assert_eq!((code, stdout.as_str()), (Some(1), ""), "{arguments:?}: {stderr}");
    assert!(stderr.contains(why), "{arguments:?}: {stderr}");
}

#[test]
fn a_setting_that_is_unknown_or_has_another_shape_is_not_written() {
    let place = Place::new();
    for (arguments, why) in [
        (&["set", "bogus", "1"][..], "the setting \"bogus\" is not known"),
        (&["set", "modle", "x"], "do you mean model?"),
        (&["set", "", "x"], "is not a valid setting name"),
        (&["set", "permissions.", "x"], "is not a valid setting name"),
        (&["set", "model.x", "y"], "has no members"),
        (&["set", "permissions.alow", "[]"], "do you mean allow?"),
        (&["set", "model", "5"], "model must be a text"),
        (&["set", "verbose", "yes"], "verbose must be true or false"),
        (&["set", "cleanupPeriodDays", "soon"], "cleanupPeriodDays must be a number"),
        (&["set", "apiKeyHelper", "[]"], "apiKeyHelper must be a text"),
        (&["set", "permissions", "5"], "must be an object"),
        (&["set", "permissions.allow", "Bash"], "must be a list"),
        (&["set", "permissions.defaultMode", "bogus"], "unknown permission mode `bogus`"),
        (&["set", "hooks", r#"{"Bogus":[]}"#], "hooks.Bogus is not an event"),
        (&["set", "env", r#"{"A":[]}"#], "env.A must be a text"),
        (&["add", "permissions.deny", "Bash("], "does not end with the parenthesis"),
        (&["add", "bogus", "x"], "the setting \"bogus\" is not known"),
        (&["set", "model"], "missing required argument 'value'"),
        (&["set"], "missing required argument 'key'"),
        (&["get", "model"], "is not set"),
    ] {
        refused(&place, &[&["config"], arguments].concat(), why);
        refused(&place, &[&["config"], arguments, &["-g"]].concat(), why);
    }
    assert_eq!(place.read(".claude/settings.json"), None);
    assert!(!place.home().join(".claude/settings.json").exists());
}

#[test]
fn a_server_whose_json_has_another_shape_is_not_stored() {
    let place = Place::new();
    for (json, why) in [
        ("null", "must be an object"),
        ("{}", "command: a stdio server needs this text"),
        (r#"{"command":5}"#, "command: must be a text"),
        (r#"{"command":""}"#, "command: must not be empty"),
        (r#"{"command":"a","args":"b"}"#, "args: must be a list of texts"),
        (r#"{"command":"a","args":[1]}"#, "args: must be a list of texts"),
        (r#"{"command":"a","env":[]}"#, "env: must be an object of texts"),
        (r#"{"command":"a","env":{"A":1}}"#, "env: must be an object of texts"),
        (r#"{"command":"a","timeout":"x"}"#, "timeout: must be a number above 0"),
        (r#"{"type":"bogus","command":"a"}"#, "type: must be stdio, http or sse"),
        (r#"{"type":null,"command":"a"}"#, "type: must be stdio, http or sse"),
        (r#"{"type":"http","url":5}"#, "url: must be a text"),
        (r#"{"type":"http","url":"http://a/","headers":{"A":1}}"#, "headers: must be an object of texts"),
        (r#"{"type":"http","url":"http://a/","oauth":5}"#, "oauth: must be an object"),
        (r#"{"type":"ws","url":"ws://a/"}"#, "does not connect to ws servers"),
        (r#"{"type":"sse-ide","url":"http://a/"}"#, "registered by the host"),
    ] {
        refused(&place, &["mcp", "add-json", "x", json], why);
    }
    refused(&place, &["mcp", "add-json", "a b", r#"{"command":"a"}"#], "Invalid name a b.");
    refused(&place, &["mcp", "add-json", "x", r#"{"command":"a"}"#, "-s", "managed"], "scope: managed");
    assert!(!place.home().join(".claude.json").exists());
}

#[test]
fn options_for_a_sign_in_are_stored_and_their_secret_is_not() {
    let place = Place::new();
    let url = "http://127.0.0.1:1/mcp";
    for port in ["0", "abc", "99999", "-1"] {
        let port = format!("--callback-port={port}");
        refused(&place, &["mcp", "add", "-t", "http", &port, "x", url], "must be an integer in [1, 65535]");
    }
    let add = [
        "mcp",
        "add",
        "-t",
        "http",
        "--client-id",
        "mine",
        "--client-secret",
        "--callback-port",
        "80",
        "x",
        url,
    ];
    refused(&place, &add, "MCP_CLIENT_SECRET");
    let (code, _, stderr) = run(&place, &add, &[("MCP_CLIENT_SECRET", "sesame")]);
    assert!(code == Some(0) && stderr.contains("is not stored"), "{stderr}");
    let stored = std::fs::read_to_string(place.home().join(".claude.json")).unwrap();
    assert!(!stored.contains("sesame"), "{stored}");
    let stored: Value = serde_json::from_str(&stored).unwrap();
    let server = &stored["projects"][place.project().to_str().unwrap()]["mcpServers"]["x"];
    assert_eq!(server["oauth"], json!({ "clientId": "mine", "callbackPort": 80 }));
    let (_, stdout, _) = run(&place, &["mcp", "get", "x"], &[]);
    assert!(stdout.contains("\n  OAuth: client_id configured, callback_port 80\n"), "{stdout}");
    let (code, _, stderr) = run(&place, &["mcp", "add", "--client-id", "mine", "y", "--", "cmd"], &[]);
    assert!(code == Some(0) && stderr.contains("only for HTTP and SSE servers"), "{stderr}");
}

#[test]
fn agents_takes_no_words_and_known_sources() {
    let place = Place::new();
    refused(&place, &["agents", "extra"], "too many arguments for 'agents'");
    refused(&place, &["agents", "--json", "extra"], "too many arguments for 'agents'");
    refused(&place, &["agents", "--all"], "--json");
    refused(&place, &["agents", "--cwd", "/tmp"], "--json");
    refused(&place, &["agents", "--setting-sources", "user,bogus"], "Invalid setting source: bogus");
    assert_eq!(run(&place, &["agents", "--json", "--cwd", "/none"], &[]).1, "[]\n");
}

#[test]
fn the_manifest_of_a_plugin_is_checked() {
    let place = Place::new();
    let report = |arguments: &[&str]| {
        let (code, stdout, _) = run(&place, &[&["plugin", "validate"], arguments, &["--json"]].concat(), &[]);
        let report: Value = serde_json::from_str(&stdout).unwrap();
        assert_eq!(report["success"], code == Some(0), "{stdout}");
        let paths = |list: &str| -> Vec<String> {
            let list = report["manifest"][list].as_array().unwrap();
            list.iter().map(|finding| finding["path"].as_str().unwrap().to_owned()).collect()
        };
        (code, paths("errors"), paths("warnings"))
    };
    let found = |code: i32, errors: &[&str], warnings: &[&str]| {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        (Some(code), owned(errors), owned(warnings))
    };
    let wanted = ["version", "description", "author"];
    assert_eq!(report(&["/none"]), found(1, &["file"], &[]));
    assert_eq!(report(&["."]), found(1, &["directory"], &[]));
    for (manifest, expected) in [
        ("{bad", found(1, &["json"], &[])),
        ("[]", found(1, &["root"], &[])),
        ("{}", found(1, &["name"], &[])),
        (r#"{"name":5}"#, found(1, &["name"], &[])),
        (r#"{"name":""}"#, found(1, &["name"], &[])),
        (r#"{"name":"a b"}"#, found(1, &["name"], &[])),
        (
            r#"{"name":"a","version":5,"keywords":"x","bogus":1}"#,
            found(1, &["keywords", "version"], &["bogus"]),
        ),
        (r#"{"name":"a","author":{}}"#, found(1, &["author.name"], &[])),
        (r#"{"name":"a","commands":"../x"}"#, found(1, &["commands"], &[])),
        (r#"{"name":"a","commands":"./none"}"#, found(1, &["commands"], &[])),
        (r#"{"name":"a"}"#, found(0, &[], &wanted)),
    ] {
        place.write(".claude-plugin/plugin.json", manifest);
        let (code, errors, warnings) = report(&["."]);
        let (mut sorted, mut expected) = (errors, expected);
        sorted.sort();
        expected.1.sort();
        assert_eq!((code, sorted, warnings), expected, "{manifest}");
    }
    assert_eq!(report(&[".", "--strict"]).0, Some(1));
    assert_eq!(report(&[".claude-plugin/plugin.json"]), found(0, &[], &wanted));
    let (_, stdout, _) = run(&place, &["plugin", "validate", "."], &[]);
    assert!(stdout.starts_with(
        "Validating plugin manifest: PROJECT/.claude-plugin/plugin.json\n\n⚠ Found 3 warnings:"
    ));
    assert!(stdout.ends_with("✔ Validation passed with warnings\n"), "{stdout}");
}
