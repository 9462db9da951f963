//! Where MCP servers are configured, what permits them to start, and how configuration errors are reported.

use std::fs;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::host::{Host, Place};
use crate::mcp_server::entry;

/// A server that no machine has.
fn no_such(mark: &str) -> Value {
    json!({ "command": "/no/such/server", "args": [mark] })
}

fn write(place: &Place, path: &str, text: &str) {
    let path = match path.strip_prefix("~/") {
        Some(path) => place.home().join(path),
        None => place.project().join(path),
    };
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// `mcpServers` with these servers.
fn servers(list: &[(&str, Value)]) -> Value {
    let list: serde_json::Map<String, Value> =
        list.iter().map(|(name, entry)| ((*name).to_owned(), entry.clone())).collect();
    json!({ "mcpServers": list })
}

/// What the reference CLI keeps of the project, with more of its own.
fn records(place: &Place, project: Value, user: Value) -> String {
    let mut records = user;
    records["projects"] = json!({ place.project().to_str().unwrap(): project });
    records.to_string()
}

fn status(host: &mut Host) -> Vec<Value> {
    host.ask(&json!({ "subtype": "mcp_status" }))["response"]["mcpServers"].as_array().unwrap().clone()
}

/// Names, scopes and first arguments of the servers.
fn known(host: &mut Host) -> Vec<(String, String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let server =
        |server: &Value| (text(&server["name"]), text(&server["scope"]), text(&server["config"]["args"][0]));
    status(host).iter().map(server).collect()
}

fn triple(name: &str, scope: &str, mark: &str) -> (String, String, String) {
    (name.to_owned(), scope.to_owned(), mark.to_owned())
}

/// Every place has a server of its own, and one that all have.
fn everywhere(place: &Place) {
    let pair = |mark: &str| servers(&[(mark, no_such(mark)), ("all", no_such(mark))]);
    write(place, "~/.claude.json", &records(place, pair("local"), pair("user")));
    write(
        place,
        "~/.claude/settings.json",
        &servers(&[("set", no_such("set")), ("all", no_such("set"))]).to_string(),
    );
    write(place, ".mcp.json", &pair("project").to_string());
}

#[test]
fn servers_come_from_all_places_and_the_nearest_counts() {
    let place = Place::new();
    everywhere(&place);
    let given = servers(&[("given", no_such("given")), ("all", no_such("given"))]).to_string();
    let mut host = place.start(&["--mcp-config", &given]);
    let expected = [
        triple("all", "dynamic", "given"),
        triple("set", "user", "set"),
        triple("user", "user", "user"),
        triple("project", "project", "project"),
        triple("local", "local", "local"),
        triple("given", "dynamic", "given"),
    ];
    assert_eq!(known(&mut host), expected);
    let mut host = place.start(&[]);
    assert!(known(&mut host).contains(&triple("all", "local", "local")));
}

#[test]
fn the_command_line_selects_the_configuration_sources() {
    let place = Place::new();
    everywhere(&place);
    let given = servers(&[("given", no_such("given"))]).to_string();
    let names = |flags: &[&str]| {
        let mut host = place.start(flags);
        known(&mut host).into_iter().map(|(name, ..)| name).collect::<Vec<_>>()
    };
    assert_eq!(names(&["--strict-mcp-config", "--mcp-config", &given]), ["given"]);
    assert_eq!(names(&["--setting-sources", "project"]), ["all", "project"]);
    assert_eq!(names(&["--setting-sources", ""]), [""; 0]);
}

#[test]
fn folders_above_the_project_count_and_the_nearer_one_more() {
    let place = Place::new();
    let above = place.project().parent().unwrap().join(".mcp.json");
    fs::write(&above, servers(&[("above", no_such("above")), ("both", no_such("above"))]).to_string())
        .unwrap();
    write(&place, ".mcp.json", &servers(&[("both", no_such("here"))]).to_string());
    let mut host = place.start(&[]);
    assert_eq!(known(&mut host), [triple("above", "project", "above"), triple("both", "project", "here")]);
}

#[test]
fn names_that_are_ambiguous_to_the_model_are_reported() {
    let place = Place::new();
    let two = servers(&[("a b", no_such("x")), ("a.b", no_such("y"))]).to_string();
    let mut host = place.start(&["--mcp-config", &two]);
    let reported = status(&mut host);
    assert!(reported[1]["error"].as_str().unwrap().contains("\"a b\""), "{reported:?}");
}

#[test]
fn variables_are_expanded() {
    let place = Place::new();
    let server =
        json!({ "command": "/no/${WHERE}", "args": ["${WHERE:-x}", "${NOWHERE:-there}", "${NOWHERE}"] });
    let config = servers(&[("one", server)]).to_string();
    let streaming = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];
    let mut command = place.command(&[&streaming, &["--mcp-config", config.as_str()] as &[&str]].concat());
    command.env("WHERE", "such");
    let mut host = Host::start(command);
    let reported = &status(&mut host)[0];
    assert_eq!(reported["config"]["command"], "/no/such");
    assert_eq!(reported["config"]["args"], json!(["such", "there", "${NOWHERE}"]));
}

/// What the agent prints to stderr for a project with this `.mcp.json`.
fn printed_about(text: &str) -> String {
    let place = Place::new();
    write(&place, ".mcp.json", text);
    let mut command = place.command(&["-p", "@say hi", "--model", "scripted"]);
    let output = command.stdin(Stdio::null()).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "hi\n");
    let printed = String::from_utf8_lossy(&output.stderr).into_owned();
    printed.replace(place.project().to_str().unwrap(), "/proj")
}

#[test]
fn errors_are_reported_with_their_lines_and_the_rest_works() {
    insta::assert_snapshot!(printed_about("{\n  \"mcpServers\": {\n    \"a\": {\"command\": }\n"));
    insta::assert_snapshot!(printed_about("{\n  \"servers\": {}\n}"));
    insta::assert_snapshot!(printed_about("[]"));
    insta::assert_snapshot!(printed_about("{\n // people comment\n \"mcpServers\": [],\n}"));
    insta::assert_snapshot!(printed_about(
        r#"{
  "mcpServers": {
    "text": "npx thing",
    "nothing": {},
    "number": { "command": 5 },
    "empty": { "command": " " },
    "args": { "command": "x", "args": "a b" },
    "env": { "command": "x", "env": { "A": [] } },
    "kind": { "type": "telepathy" },
    "address": { "url": "https://example.com" },
    "time": { "command": "x", "timeout": "soon" },
    "loads": { "command": "x", "alwaysLoad": "yes" },
    "unset": {
      "command": "x", "args": ["${NOT_SET_ANYWHERE}"]
    }
  }
}"#
    ));
}

#[test]
fn what_the_command_line_names_must_be_right() {
    let place = Place::new();
    write(&place, "broken.json", "{\n\"mcpServers\": {]}}");
    for (given, expected) in [
        ("none.json", "none.json can't be read: No such file"),
        ("broken.json", "broken.json:2:16:"),
        ("{\"mcpServers\":", "--mcp-config:1:14:"),
        ("{}", "there is no `mcpServers`"),
    ] {
        let output = place.command(&["-p", "@say hi", "--mcp-config", given]).output().unwrap();
        let printed = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1));
        assert!(printed.contains("Invalid MCP configuration") && printed.contains(expected), "{printed}");
    }
}

const ASKING: &[&str] = &["--permission-prompt-tool", "stdio"];

/// A project that configures a server.
fn bringing() -> Place {
    let place = Place::new();
    write(&place, ".mcp.json", &servers(&[("own", entry(&json!({})))]).to_string());
    place
}

/// The status of the project's server after a turn without a permission request.
fn fares(place: &Place, flags: &[&str]) -> String {
    let mut host = place.start(flags);
    host.say("@say hi");
    let frames = host.turn();
    assert!(frames.iter().all(|frame| frame["type"] != "control_request"), "{frames:#?}");
    status(&mut host)[0]["status"].as_str().unwrap().to_owned()
}

#[test]
fn the_user_is_asked_once_about_what_a_project_provides() {
    for (behavior, fate) in [("allow", "connected"), ("deny", "disabled")] {
        let place = bringing();
        let mut host = place.start(ASKING);
        host.say("@say hi");
        let request = host.request();
        let asked = &request["request"];
        assert_eq!(asked["tool_name"], "mcp__own");
        assert_eq!(asked["input"]["args"][0], "mcp_server::serve");
        assert_eq!(asked["mcp_server"], json!({ "name": "own", "source": "project" }));
        host.answer(&request, &json!({ "behavior": behavior, "message": "no" }));
        host.turn();
        assert_eq!(status(&mut host)[0]["status"], fate);
        drop(host);
        assert_eq!(fares(&place, ASKING), fate, "the answer is kept");
        // A different server under the same name needs a new permission request.
        write(&place, ".mcp.json", &servers(&[("own", no_such("x"))]).to_string());
        let mut host = place.start(ASKING);
        host.say("@say hi");
        assert_eq!(host.request()["request"]["input"]["command"], "/no/such/server");
    }
}

#[test]
fn a_project_server_is_disabled_without_a_host_to_ask() {
    let place = bringing();
    assert_eq!(fares(&place, &[]), "disabled");
    let output =
        place.command(&["-p", "@say hi", "--model", "scripted"]).stdin(Stdio::null()).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("enabledMcpjsonServers"), "{output:?}");
    // Enabling the server counts as approval.
    let mut host = place.start(&[]);
    let on = host.ask(&json!({ "subtype": "mcp_toggle", "serverName": "own", "enabled": true }));
    assert_eq!(on["subtype"], "success");
    drop(host);
    assert_eq!(fares(&place, &[]), "connected");
}

#[test]
fn settings_trust_and_modes_agree_for_the_user() {
    let place = bringing();
    assert_eq!(fares(&place, &["--settings", "{\"enableAllProjectMcpServers\":true}"]), "connected");
    assert_eq!(fares(&place, &["--settings", "{\"enabledMcpjsonServers\":[\"own\"]}"]), "connected");
    assert_eq!(fares(&place, &["--settings", "{\"enabledMcpjsonServers\":[\"other\"]}"]), "disabled");
    assert_eq!(fares(&place, &["--permission-mode", "bypassPermissions"]), "connected");
    let denied = ["--settings", "{\"enableAllProjectMcpServers\":true,\"disabledMcpjsonServers\":[\"own\"]}"];
    assert_eq!(fares(&place, &denied), "disabled");
    // A project's own approval has no effect until the user trusts the project.
    write(&place, ".claude/settings.json", "{\"enableAllProjectMcpServers\":true}");
    assert_eq!(fares(&place, &[]), "disabled");
    let trusted = records(&place, json!({ "hasTrustDialogAccepted": true }), json!({}));
    write(&place, "~/.claude.json", &trusted);
    assert_eq!(fares(&place, &[]), "connected");
    let off =
        records(&place, json!({ "hasTrustDialogAccepted": true, "disabledMcpServers": ["own"] }), json!({}));
    write(&place, "~/.claude.json", &off);
    assert_eq!(fares(&place, &[]), "disabled");
    let policy = ["--settings", "{\"deniedMcpServers\":[{\"serverName\":\"own\"}]}"];
    assert_eq!(fares(&place, &policy), "disabled");
}

#[test]
fn a_missing_server_is_reported_on_stderr_without_frames() {
    let place = Place::new();
    let config = r#"{"mcpServers":{"gone":{"command":"/nowhere/to/be/found"}}}"#;
    let output = place.command(&["-p", "@say hi", "--mcp-config", config]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "hi");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(stderr.starts_with("Warning: the MCP server \"gone\" was not there: "), "{stderr}");
}
