//! `aqueduct trust`, and how `aqueduct run` asks about a folder.

use std::fs;

use serde_json::{Value, json};

use crate::terminal::{Place, steady};

fn provide(place: &Place, command: &str) {
    fs::create_dir_all(place.project().join(".claude")).unwrap();
    let settings = json!({
        "hooks": { "UserPromptSubmit": [{ "hooks": [{ "type": "command", "command": command }] }] },
        "permissions": { "allow": ["Bash(make:*)"] },
    });
    let text = serde_json::to_string_pretty(&settings).unwrap();
    fs::write(place.project().join(".claude/settings.json"), text).unwrap();
}

/// What is on the screen.
fn shown(place: &Place, screen: &str) -> String {
    let text = steady(&screen.replace(place.project().to_str().unwrap(), "/proj"));
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

fn ran(place: &Place) -> bool {
    fs::remove_file(place.project().join("ran")).is_ok()
}

fn report(place: &Place) -> Value {
    serde_json::from_str(&place.aqueduct(&["trust", "--json"]).end().out).unwrap()
}

#[test]
fn everything_is_shown_and_asked_about() {
    let place = Place::new();
    provide(&place, "touch ran\u{1b}[2J");
    fs::write(place.project().join(".mcp.json"), r#"{"mcpServers":{"db":{"command":"npx","args":["-y","db mcp"],"env":{"NODE_OPTIONS":"--require ./x.js"}}}}"#).unwrap();
    let mut terminal = place.aqueduct(&["trust"]).at_a_terminal();
    terminal.expect("[y/N]").send("n\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, 1);
    insta::assert_snapshot!(shown(&place, &screen), @r"
    /proj provides:

    Hooks: commands, requests and model calls that run by themselves
      UserPromptSubmit: touch ran\x1b[2J
          .claude/settings.json:6

    MCP servers: programs that are started, and addresses that are connected to
      db: NODE_OPTIONS='--require ./x.js' npx -y 'db mcp'
          .mcp.json:1

    Allow rules: tool calls that are not asked about
      Bash(make:*)
          .claude/settings.json:16

    ! Characters that can't be seen are shown as \x… and \u{…}.
    The files that these commands run are not part of the answer: they can change without a question.
    Trust /proj with this? [y/N] n
    /proj is not trusted.
    ");
    provide(&place, "touch ran");
    let mut terminal = place.aqueduct(&["trust"]).at_a_terminal();
    terminal.expect("[y/N]").send("y\n");
    assert_eq!(terminal.end().0, 0);
    assert_eq!(report(&place)["state"], "trusted");
    provide(&place, "touch ran # and more");
    let mut terminal = place.aqueduct(&["trust"]).at_a_terminal();
    terminal.expect("[y/N]").send("\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, 1);
    insta::assert_snapshot!(shown(&place, &screen), @r"
    /proj provides something else than what you trusted:

    Hooks: commands, requests and model calls that run by themselves
      + UserPromptSubmit: touch ran # and more
          .claude/settings.json:6
      - UserPromptSubmit: touch ran
          .claude/settings.json:6

    MCP servers: programs that are started, and addresses that are connected to
        db: NODE_OPTIONS='--require ./x.js' npx -y 'db mcp'
          .mcp.json:1

    Allow rules: tool calls that are not asked about
        Bash(make:*)
          .claude/settings.json:16

    The files that these commands run are not part of the answer: they can change without a question.
    Trust /proj with this? [y/N]
    /proj is not trusted.
    ");
}

#[test]
fn a_script_trusts_only_what_it_names() {
    let place = Place::new();
    let left = place.aqueduct(&["trust"]).end();
    assert_eq!(
        (left.code, shown(&place, &left.out).as_str()),
        (0, "/proj provides nothing that needs trust.\n")
    );
    provide(&place, "touch ran");
    let left = place.aqueduct(&["trust"]).stdin("y\n").end();
    assert_eq!(left.code, 1, "a pipe can't answer");
    let digest = report(&place)["digest"].as_str().unwrap().to_owned();
    assert!(left.err.contains(&format!("--digest {digest}")), "{}", left.err);
    let left = place.aqueduct(&["trust", "--yes"]).end();
    assert_eq!(left.code, 2, "nothing unseen is trusted");
    provide(&place, "touch ran; true");
    let left = place.aqueduct(&["trust", "--yes", "--digest", &digest]).end();
    assert_eq!(left.code, 1);
    assert!(left.err.contains("was not trusted"), "{}", left.err);
    provide(&place, "touch ran");
    let left = place.aqueduct(&["trust", "--digest", &digest]).end();
    assert_eq!((left.code, left.err.as_str()), (0, ""));
    let list: Value = serde_json::from_str(&place.aqueduct(&["trust", "list", "--json"]).end().out).unwrap();
    assert_eq!(list["folders"][0]["digest"], digest.as_str());
    assert_eq!(list["folders"][0]["by"], "cli");
    assert!(place.aqueduct(&["trust", "list"]).end().out.contains("2 things, since "));
    assert_eq!(place.aqueduct(&["trust", "remove"]).end().code, 0);
    assert_eq!(place.aqueduct(&["trust", "remove"]).end().code, 1);
    assert_eq!(place.aqueduct(&["trust", "--json"]).end().code, 1);
}

#[test]
fn a_run_asks_before_it_starts() {
    let place = Place::new();
    provide(&place, "touch ran");
    let mut terminal = place.run(&["@say hi"]).at_a_terminal();
    terminal.expect("[q]uit: ").send("perhaps\n").expect("[q]uit: ").send("q\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, 2);
    assert!(!screen.contains("hi\r"), "{screen}");
    let mut terminal = place.run(&["@say hi"]).at_a_terminal();
    terminal.expect("touch ran").expect("Bash(make:*)").expect("[q]uit: ").send("n\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, 0);
    insta::assert_snapshot!(shown(&place, &screen), @r"
    /proj provides:

    Hooks: commands, requests and model calls that run by themselves
      UserPromptSubmit: touch ran
          .claude/settings.json:6

    Allow rules: tool calls that are not asked about
      Bash(make:*)
          .claude/settings.json:16

    The files that these commands run are not part of the answer: they can change without a question.
    Trust /proj with this? [y]es, [n]o: run without it, [q]uit: n
    ! no key and no address of an API is set: the scripted demo model answers
      Set ANTHROPIC_API_KEY or ANTHROPIC_BASE_URL for a real one
    · built-in agent 2.1.325 · scripted · mode default · /proj
    hi
    ─ 1 model turn · TIME · 160 tokens in (50 cached), 12 out · session ID
    ");
    assert!(!ran(&place));
    let mut terminal = place.run(&["@say hi"]).at_a_terminal();
    terminal.expect("[q]uit: ").send("y\n");
    assert_eq!(terminal.end().0, 0);
    assert!(ran(&place));
    let (code, screen) = place.run(&["@say hi"]).at_a_terminal().end();
    assert!(code == 0 && ran(&place) && !screen.contains("Trust "), "{screen}");
}

#[test]
fn a_run_without_a_terminal_continues_without_and_reports_it() {
    let place = Place::new();
    provide(&place, "touch ran");
    let left = place.run(&["@say hi"]).end();
    assert_eq!((left.code, left.out.as_str()), (0, "hi\n"));
    insta::assert_snapshot!(shown(&place, &left.err), @r"
    aqueduct: /proj is not trusted: 2 things that it provides are not in effect. aqueduct trust shows them and asks; --trust-workspace lets them take effect in this run
    ! no key and no address of an API is set: the scripted demo model answers
      Set ANTHROPIC_API_KEY or ANTHROPIC_BASE_URL for a real one
    · built-in agent 2.1.325 · scripted · mode default · /proj
    ─ 1 model turn · TIME · 160 tokens in (50 cached), 12 out · session ID
    ");
    assert!(!ran(&place));
    place.run(&["--trust-workspace", "@say hi"]).end();
    assert!(ran(&place));
    place.run(&["@say hi"]).env("AQUEDUCT_TRUST_WORKSPACE", "1").end();
    assert!(ran(&place));
}

#[test]
fn another_agent_reads_no_files_of_a_folder_that_is_not_trusted() {
    let place = Place::new();
    provide(&place, "touch ran");
    // The reference trusts every folder in which it runs without a terminal.
    let own = env!("CARGO_BIN_EXE_aqueduct");
    let agent = place.script("bin/other", &format!("exec {own} agent --trust-workspace \"$@\""));
    let agent = agent.to_str().unwrap();
    let left = place.run(&["--agent", agent, "@say hi"]).end();
    assert_eq!((left.code, left.out.as_str()), (0, "hi\n"), "{}", left.err);
    assert!(!ran(&place));
    place.run(&["--agent", agent, "--trust-workspace", "@say hi"]).end();
    assert!(ran(&place));
}

#[test]
fn the_doctor_names_the_trust_of_the_folder() {
    let place = Place::new();
    let trust = |place: &Place| {
        let checks: Value = serde_json::from_str(&place.aqueduct(&["doctor", "--json"]).end().out).unwrap();
        let checks = checks["checks"].as_array().unwrap().clone();
        checks.into_iter().find(|check| check["subject"] == "trust").unwrap()
    };
    assert_eq!(trust(&place)["detail"]["state"], "nothing");
    provide(&place, "touch ran");
    let check = trust(&place);
    assert_eq!((&check["status"], &check["detail"]["state"]), (&json!("warn"), &json!("untrusted")));
    assert!(check["next"].as_str().unwrap().starts_with("aqueduct trust "));
}
