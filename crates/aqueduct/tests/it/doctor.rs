//! `aqueduct doctor`: what is there and what is wrong.

use std::fs;

use serde_json::Value;

use crate::terminal::Place;

#[test]
fn a_fresh_machine_is_well() {
    let place = Place::new();
    let left = place.aqueduct(&["doctor"]).env("PATH", "/usr/bin:/bin").end();
    assert_eq!(left.code, 0, "{}", left.out);
    let own = fs::canonicalize(env!("CARGO_BIN_EXE_aqueduct")).unwrap();
    let page = left.out.replace(own.to_str().unwrap(), "/bin/aqueduct");
    let page = page.replace(place.home().to_str().unwrap(), "/home/ada");
    let page = page.replace(place.project().to_str().unwrap(), "/proj");
    // The port may be taken on the machine that runs this, and systemd may run there.
    let is_steady = |line: &&str| {
        !["8765", "--listen", "checks:", "service", "storage", "systemd"]
            .iter()
            .any(|other| line.contains(other))
    };
    let steady: Vec<&str> = page.lines().filter(is_steady).collect();
    insta::assert_snapshot!(steady.join("\n"), @r#"
    ok    agent        claude is not on PATH: auto means the built-in agent
    ok    agent        built-in agent 2.1.325 (/bin/aqueduct): by its version, all 67 control requests
    ok    agent        aqueduct-agent is not on PATH: hosts can start `aqueduct agent`
    warn  model        no key and no address of an API: the built-in agent answers with its scripted demo model
                       → set ANTHROPIC_API_KEY, or ANTHROPIC_BASE_URL for a gateway or a local server
    ok    settings     all settings files that are there can be read
    ok    transcripts  /home/ada/.claude/projects is not there yet and can be made
    ok    data         /home/ada/.local/share/aqueduct is not there yet and can be made
    ok    shell        /usr/bin/bash runs the commands of the built-in agent
    ok    trust        /proj provides nothing that needs trust
    ok    config       /home/ada/.config/aqueduct/config.toml is not there, and need not be
    ok    bridge       it does not run; aqueduct serve starts it
    "#);
    assert!(!place.home().join(".claude").exists(), "looking writes nothing");
}

#[test]
fn what_is_wrong_is_named_with_a_way_out() {
    let place = Place::new();
    fs::create_dir_all(place.project().join(".claude")).unwrap();
    fs::write(
        place.project().join(".claude/settings.json"),
        r#"{ "permissions": { "allow": ["Bash(broken"] } }"#,
    )
    .unwrap();
    let agent = place.script("bin/claude", "echo 'no licence' >&2; exit 3");
    let path = format!("{}:/usr/bin:/bin", agent.parent().unwrap().display());
    let left = place
        .aqueduct(&["doctor", "--json"])
        .env("PATH", &path)
        .env("ANTHROPIC_BASE_URL", "http://127.0.0.1:1/secret-path?key=hidden")
        .env("ANTHROPIC_API_KEY", "sk-hidden")
        .end();
    assert_eq!(left.code, 1);
    let found: Value = serde_json::from_str(&left.out).unwrap();
    assert_eq!(found["ok"], false);
    let checks = found["checks"].as_array().unwrap();
    let of = |subject: &str, status: &str| {
        let is_it = |check: &&Value| check["subject"] == subject && check["status"] == status;
        checks.iter().find(is_it).unwrap_or_else(|| panic!("no {status} about {subject}: {found:#}")).clone()
    };
    assert!(of("agent", "fail")["found"].as_str().unwrap().contains("no licence"));
    assert!(of("model", "fail")["found"].as_str().unwrap().contains("127.0.0.1:1"));
    assert!(of("settings", "warn")["found"].as_str().unwrap().contains("Bash(broken"));
    assert!(checks.iter().all(|check| check["status"] == "ok" || check["next"].is_string()));
    assert!(!left.out.contains("hidden") && !left.out.contains("secret-path"), "{}", left.out);
}

#[test]
fn agents_on_the_path_are_asked_who_they_are() {
    let place = Place::new();
    let own = env!("CARGO_BIN_EXE_aqueduct");
    place.script(
        "bin/claude",
        &format!("[ \"$1\" = --version ] && echo '2.1.74 (Claude Code)' && exit\nexec {own} agent \"$@\""),
    );
    place.script("bin/aqueduct-agent", &format!("exec {own} agent \"$@\""));
    let path = format!("{}:/usr/bin:/bin", place.aside("bin").display());
    let left = place.aqueduct(&["doctor", "--json"]).env("PATH", &path).end();
    let found: Value = serde_json::from_str(&left.out).unwrap();
    let agents: Vec<&Value> =
        found["checks"].as_array().unwrap().iter().filter(|check| check["subject"] == "agent").collect();
    let names: Vec<&str> = agents.iter().map(|check| check["detail"]["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["claude", "built-in agent", "aqueduct-agent"]);
    assert!(
        agents.iter().all(|check| check["detail"]["version"] == "2.1.325"),
        "its own report counts: {found:#}"
    );
    assert_eq!(left.code, 0);
}

#[test]
fn an_agent_that_is_too_old_for_something_is_reported() {
    let place = Place::new();
    // An agent of an older version answers `initialize` without its version.
    let answer = r#"{"type":"control_response","response":{"subtype":"success","request_id":"ID","response":{"commands":[]}}}"#;
    let script = format!(
        r#"[ "$1" = --version ] && echo '2.1.74 (Claude Code)' && exit
        read -r line; id=${{line#*\"request_id\":\"}}; id=${{id%%\"*}}; answer='{answer}'; echo "${{answer/ID/$id}}"; read -r line"#
    );
    place.script("bin/claude", &script);
    let path = format!("{}:/usr/bin:/bin", place.aside("bin").display());
    let left = place.aqueduct(&["doctor", "--json"]).env("PATH", &path).end();
    let found: Value = serde_json::from_str(&left.out).unwrap();
    let claude = &found["checks"][0];
    assert_eq!((&claude["status"], &claude["detail"]["version"]), (&"warn".into(), &"2.1.74".into()));
    let unknown = claude["detail"]["unknownRequests"].as_array().unwrap();
    assert!(unknown.contains(&"get_usage".into()) && !unknown.contains(&"interrupt".into()), "{claude:#}");
}

/// A machine on which systemd has a unit for the user, with these properties.
fn with_unit(place: &Place, properties: &str) -> Vec<Value> {
    place.script(
        "bin/systemctl",
        &format!("[ \"$1\" = --user ] || {{ echo 'no bus' >&2; exit 1; }}\nprintf '%s\\n' {properties}"),
    );
    place.script("bin/loginctl", "[ \"$2\" = ada ] && echo Linger=no");
    let path = format!("{}:/usr/bin:/bin", place.aside("bin").display());
    let left = place.aqueduct(&["doctor", "--json"]).env("PATH", &path).env("USER", "ada").end();
    let found: Value = serde_json::from_str(&left.out).unwrap();
    let checks = found["checks"].as_array().unwrap().iter();
    checks.filter(|check| check["subject"] == "service").cloned().collect()
}

#[test]
fn a_unit_that_ends_agents_is_reported_with_the_command_that_fixes_it() {
    let place = Place::new();
    let checks = with_unit(
        &place,
        "LoadState=loaded ActiveState=active UnitFileState=enabled MainPID=4711 KillMode=control-group PrivateTmp=no \
         Type=notify WatchdogUSec=infinity OOMPolicy=continue",
    );
    let lines: Vec<String> = checks
        .iter()
        .map(|check| {
            let text = |name: &str| check[name].as_str().unwrap_or("nothing").to_owned();
            format!("{} {}\n  {}", text("status"), text("found"), text("next"))
        })
        .collect();
    insta::assert_snapshot!(lines.join("\n"), @r"
    fail aqueduct.service of this user lacks KillMode=process, WatchdogSec=60: agents end when the bridge is restarted; a bridge that hangs is not restarted
      mkdir -p ~/.config/systemd/user/aqueduct.service.d && printf '[Service]\nKillMode=process\nWatchdogSec=60\n' > ~/.config/systemd/user/aqueduct.service.d/doctor.conf && systemctl --user daemon-reload && systemctl --user restart aqueduct
    ok aqueduct.service of this user runs as process 4711, no watchdog
      nothing
    warn services of this user end when the user logs out, and start with a login
      loginctl enable-linger
    ");
}

#[test]
fn a_unit_as_packages_install_it_is_well() {
    let place = Place::new();
    let checks = with_unit(
        &place,
        "LoadState=loaded ActiveState=active UnitFileState=static MainPID=4711 KillMode=process PrivateTmp=no \
         Type=notify WatchdogUSec=1min OOMPolicy=continue",
    );
    assert_eq!(checks.len(), 1, "{checks:?}");
    assert_eq!(checks[0]["status"], "ok");
    let found = checks[0]["found"].as_str().unwrap();
    assert_eq!(found, "aqueduct.service of this user runs as process 4711, watchdog 1min");
    let checks = with_unit(&place, "LoadState=not-found ActiveState=inactive");
    assert_eq!(checks[0]["next"], "aqueduct systemd-unit --help shows how to install one");
}
