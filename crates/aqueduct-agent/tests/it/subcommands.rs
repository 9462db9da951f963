//! Subcommands: what they print and change, and that they never become prompts.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::host::Place;
use crate::mcp_server::entry;

struct FinishedSubcommand {
    stdout: String,
    stderr: String,
    code: Option<i32>,
}

/// Runs the agent without a model: one that was called would answer.
fn run(place: &Place, arguments: &[&str]) -> FinishedSubcommand {
    run_with(place, arguments, &[])
}

fn run_with(place: &Place, arguments: &[&str], variables: &[(&str, &str)]) -> FinishedSubcommand {
    let mut command = place.command(arguments);
    command.envs(variables.iter().copied()).stdin(Stdio::null());
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| {
        let text = String::from_utf8(bytes).unwrap();
        let text = text.replace(place.project().to_str().unwrap(), "PROJECT");
        text.replace(place.home().to_str().unwrap(), "HOME")
    };
    FinishedSubcommand {
        stdout: text(output.stdout),
        stderr: text(output.stderr),
        code: output.status.code(),
    }
}

#[track_caller]
fn succeeds(place: &Place, arguments: &[&str]) -> String {
    let finished = run(place, arguments);
    assert_eq!(
        (finished.code, finished.stderr.as_str()),
        (Some(0), ""),
        "{arguments:?}: {}",
        finished.stdout
    );
    finished.stdout
}

#[track_caller]
fn fails(place: &Place, arguments: &[&str]) -> String {
    let finished = run(place, arguments);
    assert_eq!(
        (finished.code, finished.stdout.as_str()),
        (Some(1), ""),
        "{arguments:?}: {}",
        finished.stderr
    );
    finished.stderr
}

/// Whether there is a transcript.
fn has_session(place: &Place) -> bool {
    place.home().join(".claude/projects").exists()
}

#[test]
fn subcommands_are_no_prompts() {
    let place = Place::new();
    let known = [
        &["auth", "status", "--json"][..],
        &["mcp", "list"],
        &["config", "list"],
        &["doctor"],
        &["agents"],
        &["plugin", "list", "--json"],
        &["--", "doctor"],
        &["--model", "sonnet", "mcp", "list"],
        &["--verbose", "--output-format", "json", "mcp", "list", "extra"],
    ];
    for arguments in known {
        let finished = run(&place, arguments);
        assert!(
            finished.code.is_some_and(|code| code < 2) && !finished.stdout.is_empty(),
            "{arguments:?}: {}",
            finished.stderr
        );
    }
    let refused =
        ["setup-token", "update", "upgrade", "install", "attach", "logs", "rm", "stop", "kill", "respawn"];
    let more = [
        "daemon",
        "gateway",
        "import",
        "purge",
        "ultrareview",
        "remote-control",
        "rc",
        "auto-mode",
        "sandbox",
    ];
    for name in refused.into_iter().chain(more) {
        let why = fails(&place, &[name, "some", "--thing"]);
        assert!(why.contains("is not supported: "), "{name}: {why}");
    }
    assert!(!has_session(&place));
}

#[test]
fn words_are_prompts_where_the_user_asks_for_one() {
    let place = Place::new();
    for arguments in [
        &["-p", "doctor"][..],
        &["--print", "mcp", "list"],
        &["mcp", "list", "-p"],
        &["update the readme"],
        &["hello", "mcp", "list"],
        &["config", "the", "linter"],
        &["--debug", "mcp", "list"],
    ] {
        let mut command = place.command(arguments);
        command.args(["--model", "scripted"]).stdin(Stdio::null());
        let output = command.output().unwrap();
        assert!(output.status.success(), "{arguments:?}");
        assert!(!String::from_utf8_lossy(&output.stdout).contains("MCP servers"), "{arguments:?}");
    }
    assert!(has_session(&place));
}

#[test]
fn errors_on_the_command_line_are_reported() {
    let place = Place::new();
    assert_eq!(fails(&place, &["mcp", "list", "--bogus"]), "error: unknown option '--bogus'\n");
    assert_eq!(fails(&place, &["mcp", "lis"]), "error: unknown command 'lis'\n(Did you mean list?)\n");
    assert_eq!(fails(&place, &["mcp", "add"]), "error: missing required argument 'name'\n");
    assert_eq!(
        fails(&place, &["mcp", "add", "-s"]),
        "error: option '-s, --scope <scope>' argument missing\n"
    );
    assert!(fails(&place, &["--bogus", "mcp", "list"]).contains("unknown option '--bogus'"));
    assert!(fails(&place, &["docter"]).contains("did you mean \"doctor\"?"));
    assert!(fails(&place, &["auth"]).starts_with("Usage: aqueduct-agent auth [options] [command]\n"));
    assert!(!has_session(&place));
}

#[test]
fn every_subcommand_has_help() {
    let place = Place::new();
    let mut all = String::new();
    for arguments in [
        &["mcp", "--help"][..],
        &["mcp", "add", "-h"],
        &["mcp", "help", "remove"],
        &["auth", "--help"],
        &["auth", "status", "--help"],
        &["config", "--help"],
        &["doctor", "--help"],
        &["agents", "--help"],
        &["plugins", "--help"],
        &["plugin", "marketplace", "--help"],
        &["update", "--help"],
    ] {
        all.push_str(&format!("$ {}\n{}\n", arguments.join(" "), succeeds(&place, arguments)));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn auth_status_names_the_credentials_in_effect() {
    let place = Place::new();
    let status = |variables: &[(&str, &str)]| {
        let finished = run_with(&place, &["auth", "status"], variables);
        assert!(!finished.stdout.contains("secret"), "{}", finished.stdout);
        let status: Value = serde_json::from_str(&finished.stdout).unwrap();
        let text = |name: &str| status[name].as_str().unwrap_or_default().to_owned();
        (finished.code, text("authMethod"), text("apiProvider"), text("apiKeySource"))
    };
    let row = |code: i32, method: &str, provider: &str, source: &str| {
        (Some(code), method.to_owned(), provider.to_owned(), source.to_owned())
    };
    let (key, token, login) = (
        ("ANTHROPIC_API_KEY", "secret"),
        ("ANTHROPIC_AUTH_TOKEN", "secret"),
        ("CLAUDE_CODE_OAUTH_TOKEN", "secret"),
    );
    let first = "firstParty";
    assert_eq!(status(&[]), row(1, "none", first, ""));
    assert_eq!(status(&[key]), row(0, "api_key", first, "ANTHROPIC_API_KEY"));
    assert_eq!(status(&[token]), row(0, "oauth_token", first, ""));
    assert_eq!(status(&[login]), row(0, "oauth_token", first, ""));
    assert_eq!(status(&[key, login]), row(0, "api_key", first, "ANTHROPIC_API_KEY"));
    assert_eq!(status(&[key, token]), row(0, "oauth_token", first, "ANTHROPIC_API_KEY"));
    assert_eq!(status(&[("CLAUDE_CODE_USE_BEDROCK", "1")]), row(0, "third_party", "bedrock", ""));
    assert_eq!(status(&[("CLAUDE_CODE_USE_VERTEX", "1")]), row(0, "third_party", "vertex", ""));
    place.write_home(".claude/settings.json", r#"{ "apiKeyHelper": "touch ran; echo secret" }"#);
    assert_eq!(status(&[]), row(0, "api_key_helper", first, "apiKeyHelper"));
    assert_eq!(status(&[key]), row(0, "api_key_helper", first, "ANTHROPIC_API_KEY"));
    assert_eq!(place.read("ran"), None);
    place.write_home(".claude/settings.json", r#"{ "env": { "ANTHROPIC_API_KEY": "secret" } }"#);
    assert_eq!(status(&[]), row(0, "api_key", first, "ANTHROPIC_API_KEY"));
    let text = run_with(&place, &["auth", "status", "--text"], &[("ANTHROPIC_BASE_URL", "http://gateway")]);
    assert_eq!(text.stdout, "API key: ANTHROPIC_API_KEY\nAnthropic base URL: http://gateway\n");
    assert!(fails(&place, &["auth", "login"]).contains("ANTHROPIC_API_KEY"));
}

#[test]
fn a_server_is_added_listed_and_removed() {
    let place = Place::new();
    let server = entry(&json!({}));
    let command = server["command"].as_str().unwrap();
    let arguments: Vec<&str> = server["args"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!(
        succeeds(&place, &["mcp", "list"]),
        "No MCP servers configured. Use `aqueduct-agent mcp add` to add a server.\n"
    );
    // What others keep in the records stays as it is.
    let before = "{\n  \"numStartups\": 1e2,\n  \"projects\": {}\n}\n";
    place.write_home(".claude.json", before);
    let added = succeeds(
        &place,
        &[
            &["mcp", "add", "one", "-e", "AQUEDUCT_TEST_SERVER={}", "MARK=${MARK:-x}", "--", command],
            &arguments[..],
        ]
        .concat(),
    );
    assert!(
        added.ends_with("to local config\nFile modified: HOME/.claude.json [project: PROJECT]\n"),
        "{added}"
    );
    let records = fs::read_to_string(place.home().join(".claude.json")).unwrap();
    assert!(records.contains("\"numStartups\": 1e2"), "{records}");
    let parsed: Value = serde_json::from_str(&records).unwrap();
    let stored = &parsed["projects"][place.project().to_str().unwrap()]["mcpServers"]["one"];
    assert_eq!(
        *stored,
        json!({ "type": "stdio", "command": command, "args": arguments, "env": { "AQUEDUCT_TEST_SERVER": "{}", "MARK": "${MARK:-x}" } })
    );

    let listed = succeeds(&place, &["mcp", "list"]);
    assert!(listed.starts_with("Checking MCP server health…\n\none: "), "{listed}");
    assert!(listed.ends_with(" - ✔ Connected\n"), "{listed}");
    let shown = succeeds(&place, &["mcp", "get", "one"]);
    assert!(
        shown.starts_with(
            "one:\n  Scope: Local config (private to you in this project)\n  Status: ✔ Connected\n"
        ),
        "{shown}"
    );
    assert!(shown.contains("  Environment:\n    AQUEDUCT_TEST_SERVER={}\n    MARK=${MARK:-x}\n"), "{shown}");

    assert_eq!(
        fails(&place, &["mcp", "add", "one", "--", "x"]),
        "MCP server one already exists in local config\n"
    );
    assert_eq!(
        succeeds(&place, &["mcp", "remove", "one"]),
        "Removed MCP server \"one\" from local config\nFile modified: HOME/.claude.json [project: PROJECT]\n"
    );
    assert!(fails(&place, &["mcp", "get", "one"]).starts_with("No MCP server named \"one\"."));
    assert!(!has_session(&place));
}

#[test]
fn scopes_have_files_of_their_own() {
    let place = Place::new();
    succeeds(&place, &["mcp", "add", "-s", "user", "mine", "--", "/no/such"]);
    let mode = fs::metadata(place.home().join(".claude.json")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let added = succeeds(
        &place,
        &[
            "mcp",
            "add",
            "--scope=project",
            "-t",
            "http",
            "web",
            "http://127.0.0.1:1/",
            "-H",
            "X-Key: secret",
            "-H",
            "A: b",
        ],
    );
    assert_eq!(
        added,
        "Added HTTP MCP server web with URL: http://127.0.0.1:1 to project config\nHeaders: {\n  \"X-Key\": \"secret\",\n  \
         \"A\": \"b\"\n}\nFile modified: PROJECT/.mcp.json\n"
    );
    insta::assert_snapshot!(place.read(".mcp.json").unwrap());
    succeeds(&place, &["mcp", "add-json", "mine", r#"{"command":"other","args":[],"timeout":5000}"#]);
    let listed = succeeds(&place, &["mcp", "list"]);
    assert!(listed.contains("web: http://127.0.0.1:1/ (HTTP) - ⏸ Pending approval"), "{listed}");
    assert!(listed.contains("mine: other  - ✘ Failed to connect — "), "{listed}");
    let several = fails(&place, &["mcp", "remove", "mine"]);
    assert!(several.contains("exists in multiple scopes") && several.contains("-s user"), "{several}");
    succeeds(&place, &["mcp", "remove", "mine", "-s", "user"]);
    assert_eq!(
        fails(&place, &["mcp", "remove", "mine", "-s", "user"]),
        "No MCP server named \"mine\" in user scope\n"
    );
    let secret = ["mcp", "add", "-t", "http", "secret", "https://ada:pass@example.test/mcp?key=k#f"];
    assert!(
        succeeds(&place, &secret)
            .starts_with("Added HTTP MCP server secret with URL: https://example.test/mcp to")
    );
    succeeds(&place, &["mcp", "remove", "web"]);
    assert_eq!(place.read(".mcp.json").unwrap(), "{\n  \"mcpServers\": {}\n}\n");
}

#[test]
fn what_can_not_be_a_server_is_refused() {
    let place = Place::new();
    for (arguments, why) in [
        (&["add", "bad.name", "--", "x"][..], "Invalid name bad.name."),
        (&["add", "workspace", "--", "x"], "this name is reserved"),
        (&["add", "x", "-e", "NOEQ", "--", "x"], "Invalid environment variable format: NOEQ"),
        (&["add", "-t", "http", "x", "http://a", "-H", "nocolon"], "Invalid header format: \"nocolon\""),
        (&["add", "-t", "bogus", "x", "y"], "Invalid transport type: bogus"),
        (&["add", "-s", "bogus", "x", "y"], "Invalid scope: bogus"),
        (&["add-json", "x", "{bad"], "Invalid configuration: is not valid JSON"),
        (&["add-json", "x", "[]"], "Invalid configuration: must be an object"),
        (&["add-json", "x", r#"{"type":"http"}"#], "Invalid configuration: url"),
        (&["add-json", "x", r#"{"type":"sdk"}"#], "registered by the host"),
    ] {
        let finished = fails(&place, &[&["mcp"], arguments].concat());
        assert!(finished.contains(why), "{arguments:?}: {finished}");
    }
    assert_eq!((place.read(".mcp.json"), place.home().join(".claude.json").exists()), (None, false));
}

#[test]
fn broken_files_are_errors_and_stay_as_they_are() {
    let place = Place::new();
    place.write(".mcp.json", "{bad");
    assert!(fails(&place, &["mcp", "add", "-s", "project", "x", "--", "y"]).contains("PROJECT/.mcp.json:1"));
    assert_eq!(place.read(".mcp.json").unwrap(), "{bad");
    // The others are listed all the same.
    let finished = run(&place, &["mcp", "list"]);
    assert!(finished.code == Some(0) && finished.stderr.contains(".mcp.json"), "{}", finished.stderr);
    place.write_home(".claude.json", "{bad");
    assert!(fails(&place, &["mcp", "add", "x", "--", "y"]).contains("HOME/.claude.json:1"));
    assert!(fails(&place, &["mcp", "list"]).contains("HOME/.claude.json:1"));
    place.write(".claude/settings.json", "{bad");
    assert!(fails(&place, &["config", "set", "model", "b"]).contains("PROJECT/.claude/settings.json:1"));
}

#[test]
fn a_server_of_the_project_is_not_started_before_the_user_approves() {
    let place = Place::new();
    let trap = json!({ "mcpServers": { "trap": { "command": "sh", "args": ["-c", "touch sprung"] } } });
    place.write(".mcp.json", &trap.to_string());
    for arguments in [&["mcp", "list"][..], &["mcp", "get", "trap"], &["doctor"]] {
        succeeds(&place, arguments);
    }
    assert_eq!(place.read("sprung"), None);
    let project = place.project().to_str().unwrap().to_owned();
    let records = json!({ "projects": { project: { "disabledMcpjsonServers": ["trap"] } } });
    place.write_home(".claude.json", &records.to_string());
    assert!(succeeds(&place, &["mcp", "get", "trap"]).contains("✘ Rejected"));
    assert!(!succeeds(&place, &["mcp", "list"]).contains("trap"));
    assert!(succeeds(&place, &["mcp", "reset-project-choices"]).contains("have been reset"));
    assert!(succeeds(&place, &["mcp", "list"]).contains("⏸ Pending approval"));
    assert_eq!(place.read("sprung"), None);
}

#[test]
fn settings_are_read_and_changed() {
    let place = Place::new();
    place.write(".claude/settings.json", "{\n  // mine\n  \"verbose\": false\n}\n");
    succeeds(&place, &["config", "set", "-g", "theme", "dark"]);
    succeeds(&place, &["config", "set", "verbose", "true"]);
    succeeds(&place, &["config", "add", "permissions.deny", "Bash(rm:*)", "WebFetch"]);
    succeeds(&place, &["config", "remove", "permissions.deny", "WebFetch"]);
    assert_eq!(succeeds(&place, &["config", "get", "theme"]), "dark\n");
    assert_eq!(succeeds(&place, &["config", "get", "verbose"]), "true\n");
    assert_eq!(succeeds(&place, &["config", "list", "-g"]), "{\n  \"theme\": \"dark\"\n}\n");
    insta::assert_snapshot!(place.read(".claude/settings.json").unwrap());
    succeeds(&place, &["config", "remove", "verbose"]);
    assert!(fails(&place, &["config", "get", "verbose"]).contains("is not set"));
    assert!(!has_session(&place));
}

#[test]
fn agents_and_plugins_are_listed() {
    let place = Place::new();
    place.write(
        ".claude/agents/tester.md",
        "---\nname: tester\ndescription: Tests\nmodel: haiku\n---\nTest.\n",
    );
    let agents = succeeds(&place, &["agents"]);
    assert!(agents.contains("\nProject agents:\n  tester · haiku\n"), "{agents}");
    assert_eq!(succeeds(&place, &["agents", "--json"]), "[]\n");
    assert_eq!(succeeds(&place, &["plugin", "list", "--json"]), "[]\n");
    let installed = json!({ "version": 2, "plugins": { "kit@shop": [{ "scope": "user", "version": "1.0.0", "installPath": "/kit" }] } });
    place.write_home(".claude/plugins/installed_plugins.json", &installed.to_string());
    place.write_home(".claude/settings.json", r#"{ "enabledPlugins": { "kit@shop": true } }"#);
    let listed: Value = serde_json::from_str(&succeeds(&place, &["plugin", "list", "--json"])).unwrap();
    assert_eq!((&listed[0]["id"], &listed[0]["enabled"]), (&json!("kit@shop"), &json!(true)));
    assert!(listed[0]["errors"][0].as_str().unwrap().contains("--plugin-dir"));
    assert_eq!(run(&place, &["plugin", "validate", "nowhere"]).code, Some(1));
    assert!(fails(&place, &["plugin", "install", "kit"]).contains("--plugin-dir"));
}
