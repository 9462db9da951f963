//! What commands read and change.

use std::os::unix::fs::symlink;
use std::path::Path;

use aqueduct_testing::require;
use serde_json::json;

use super::{By, place, run, start_bold};

/// Files, exit codes and the working directory: what applies with either sandbox.
fn files(by: By) {
    let place = require!(place(by, json!({ "enabled": true })));
    let outside = place.home().join("outside");
    symlink(place.home(), place.project().join("link")).unwrap();
    std::fs::create_dir(place.project().join("sub")).unwrap();
    let mut host = start_bold(&place);
    assert_eq!(run(&mut host, "echo hi > new && cat new"), (true, "hi".to_owned()));
    assert_eq!(place.read("new").as_deref(), Some("hi\n"));
    for refused in [
        format!("echo x > {}", outside.display()),
        "echo x > link/outside".to_owned(),
        "mkdir link/outside".to_owned(),
        "mv new link/outside".to_owned(),
        "ln new link/outside".to_owned(),
        format!("rm {}/.claude/settings.json", place.home().display()),
        format!("truncate -s 0 {}/.claude/settings.json", place.home().display()),
        "touch /tmp/aqueduct-test-of-the-sandbox".to_owned(),
        "echo x > /dev/shm/../../etc/aqueduct-test".to_owned(),
    ] {
        let (well, text) = run(&mut host, &refused);
        assert!(!well, "{refused}: {text}");
        assert!(
            text.contains("The sandbox refused") && text.contains("dangerouslyDisableSandbox"),
            "{refused}: {text}"
        );
    }
    assert!(!outside.exists() && !Path::new("/tmp/aqueduct-test-of-the-sandbox").exists());
    assert!(std::fs::read_to_string(place.home().join(".claude/settings.json")).unwrap().contains("sandbox"));
    let (well, text) = run(&mut host, "echo a > $TMPDIR/kept && mktemp && cat $TMPDIR/kept");
    assert!(well && text.ends_with("\na"), "{text}");
    assert_eq!(run(&mut host, "cat $TMPDIR/kept"), (true, "a".to_owned()));
    let (well, text) = run(&mut host, "echo out; exit 7");
    assert!(!well && text == "Exit code 7\nout", "{text}");
    let (_, text) = run(&mut host, "kill -9 $$");
    assert!(text.starts_with("Exit code 137"), "{text}");
    let project = place.project();
    assert!(run(&mut host, "cd sub").0);
    assert_eq!(run(&mut host, "pwd"), (true, project.join("sub").display().to_string()));
    let (_, text) = run(&mut host, "cd /");
    assert!(text.contains("cwd was reset"), "{text}");
    // Reading is free.
    assert!(run(&mut host, "head -c 0 /etc/passwd; ls / >/dev/null").0);
    let (_, status) = host.end();
    assert!(status.success());
}

#[test]
fn files_are_held_by_bubblewrap() {
    files(By::Bubblewrap);
}

#[test]
fn files_are_held_by_landlock() {
    files(By::Landlock);
}

/// Reads and writes that settings forbid and allow.
fn settings(by: By) {
    let filesystem =
        json!({ "denyRead": ["~/secret"], "allowWrite": ["~/cache"], "denyWrite": ["/proj-none"] });
    let place = require!(place(by, json!({ "enabled": true, "filesystem": filesystem })));
    place.write_home("secret/key", "hidden");
    symlink("secret", place.home().join("alias")).unwrap();
    symlink("/", place.home().join("everything")).unwrap();
    place.write_home("plain", "seen");
    place.write_home(".claude/.credentials.json", "hidden");
    std::fs::create_dir(place.home().join("cache")).unwrap();
    let mut host = start_bold(&place);
    let home = place.home().display().to_string();
    assert_eq!(
        run(&mut host, &format!("cat {home}/plain; echo a > {home}/cache/a")),
        (true, "seen".to_owned())
    );
    for file in ["secret/key", "alias/key", ".claude/.credentials.json"] {
        let (_, text) = run(&mut host, &format!("cat {home}/{file}"));
        assert!(!text.contains("hidden"), "{file}: {text}");
    }
    host.end();
}

#[test]
fn files_can_be_hidden_and_opened_by_settings() {
    settings(By::Bubblewrap);
}

#[test]
fn files_can_be_hidden_and_opened_by_settings_in_landlock() {
    settings(By::Landlock);
}

#[test]
fn rules_that_forbid_reading_hold_for_every_program() {
    let place = require!(place(By::Bubblewrap, json!({ "enabled": true })));
    place.write(".env", "hidden");
    place.write("reader", "cat .env");
    let settings = json!({ "sandbox": { "enabled": true }, "permissions": { "deny": ["Read(./.env)"] } });
    place.write_home(".claude/settings.json", &settings.to_string());
    let mut host = start_bold(&place);
    let (_, text) = run(&mut host, "sh reader");
    assert!(!text.contains("hidden"), "{text}");
    host.end();
}
