//! Repositories that bring programs along, through the whole agent: git must not run them just by looking.

use std::path::Path;
use std::process::Command;

use aqueduct_testing::{Missing, has_git, require};
use serde_json::{Value, json};

use crate::host::{Host, Place, tool_results};

/// The file that a payload leaves behind.
const TRACE: &str = "payload-ran";

const ASKING: [&str; 2] = ["--permission-prompt-tool", "stdio"];

/// A configuration that runs a program whenever git looks at the work tree.
fn payload(place: &Place) -> String {
    let trace = place.project().join(TRACE);
    format!(
        "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = \"touch {} #\"\n",
        trace.display()
    )
}

fn bare(place: &Place, folder: &str, config: &str) {
    place.write(&format!("{folder}/HEAD"), "ref: refs/heads/main\n");
    place.write(&format!("{folder}/config"), config);
    place.write(&format!("{folder}/objects/info/keep"), "");
    place.write(&format!("{folder}/refs/heads/keep"), "");
    // Without an index there is nothing to ask the program about.
    let index = std::fs::read(place.project().join(".git/index")).expect("an index");
    std::fs::write(place.project().join(folder).join("index"), index).expect("an index");
}

fn git(folder: &Path, arguments: &[&str]) {
    let status = Command::new("git")
        .args(["-c", "user.name=A", "-c", "user.email=a@b"])
        .args(arguments)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .status();
    assert!(status.expect("git").success(), "{arguments:?}");
}

/// A project that is a repository with one commit.
fn project() -> Result<Place, Missing> {
    has_git()?;
    let place = Place::new();
    place.write("a.txt", "x\n");
    git(&place.project(), &["init", "-q"]);
    git(&place.project(), &["add", "."]);
    git(&place.project(), &["commit", "-q", "-m", "first"]);
    Ok(place)
}

/// Lets the model make calls one after the other. Questions are answered with no. Gives the commands and files that were
/// asked about, and whether each call failed.
fn calls(host: &mut Host, calls: &[(&str, Value)]) -> (Vec<String>, Vec<bool>) {
    let lines: Vec<String> = calls.iter().map(|(tool, input)| format!("@tool {tool} {input}")).collect();
    host.say(&format!("{}\n@say done", lines.join("\n")));
    let mut asked = Vec::new();
    let mut frames = Vec::new();
    loop {
        let frame = host.next().expect("a frame");
        if frame["type"] == "control_request" {
            let input = &frame["request"]["input"];
            let subject = input["command"].as_str().or(input["file_path"].as_str()).unwrap_or_default();
            asked.push(subject.to_owned());
            host.answer(&frame, &json!({ "behavior": "deny", "message": "no" }));
        }
        let ends = frame["type"] == "result";
        frames.push(frame);
        if ends {
            let failed = tool_results(&frames).iter().map(|result| result["is_error"] == true).collect();
            return (asked, failed);
        }
    }
}

fn bash(command: &str) -> (&'static str, Value) {
    ("Bash", json!({ "command": command, "description": "a test" }))
}

fn start(place: &Place, mode: &str) -> Host {
    place.start(&[&ASKING[..], &["--permission-mode", mode]].concat())
}

/// The payload works: what the tests below show is not a payload that never runs.
#[test]
fn the_payload_runs_where_git_is_free() {
    let place = require!(project());
    bare(&place, "fixture", &payload(&place));
    let _ = Command::new("git")
        .arg("status")
        .current_dir(place.project().join("fixture"))
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output();
    assert!(place.read(TRACE).is_some());
}

#[test]
fn a_bare_repository_among_the_files_runs_nothing() {
    for mode in ["default", "plan", "dontAsk", "acceptEdits"] {
        let place = require!(project());
        bare(&place, "tests/fixtures/repo", &payload(&place));
        let mut host = start(&place, mode);
        let looks = ["git status", "git diff", "git log -p", "git ls-files -m", "git stash list"];
        let mut all = vec![bash("cd tests/fixtures/repo")];
        all.extend(looks.map(bash));
        let (asked, failed) = calls(&mut host, &all);
        assert_eq!(failed, [false, true, true, true, true, true], "{mode}");
        match mode {
            "default" | "acceptEdits" => assert_eq!(asked, looks, "{mode}"),
            _ => assert_eq!(asked, [""; 0], "{mode}"),
        }
        assert_eq!(place.read(TRACE), None, "{mode}");
    }
}

#[test]
fn a_bare_repository_that_the_model_writes_runs_nothing() {
    let place = require!(project());
    let mut host = start(&place, "acceptEdits");
    let at = |name: &str| place.project().join("sub").join(name).display().to_string();
    let write = |name: &str, content: &str| ("Write", json!({ "file_path": at(name), "content": content }));
    let (asked, failed) = calls(
        &mut host,
        &[
            write("HEAD", "ref: refs/heads/main\n"),
            write("config", &payload(&place)),
            bash("mkdir sub/objects sub/refs"),
            bash("cp .git/index sub/index"),
            bash("cd sub"),
            bash("git status"),
        ],
    );
    assert_eq!(asked.last().map(String::as_str), Some("git status"));
    assert!(failed.last() == Some(&true));
    assert_eq!(place.read(TRACE), None);
}

/// Even where a rule allows everything, a folder is no repository because of the names in it.
#[test]
fn commands_take_no_folder_for_a_bare_repository() {
    let place = require!(project());
    bare(&place, "fixture", &payload(&place));
    let mut host = place.start(&["--permission-mode", "bypassPermissions"]);
    let (_, failed) =
        calls(&mut host, &[bash("cd fixture"), bash("git status"), bash("cd .. && git status")]);
    assert_eq!(failed, [false, true, false]);
    assert_eq!(place.read(TRACE), None);
}

#[test]
fn other_repositories_are_asked_about() {
    let place = require!(project());
    let top = place.project();
    let fsmonitor = format!("touch {} #", top.join(TRACE).display());
    for folder in ["nested", "elsewhere", "module"] {
        place.write(&format!("{folder}/b.txt"), "x\n");
        git(&top.join(folder), &["init", "-q"]);
        git(&top.join(folder), &["add", "."]);
        git(&top.join(folder), &["config", "core.fsmonitor", &fsmonitor]);
    }
    place.write("pointing/b.txt", "x\n");
    std::fs::write(top.join("pointing/.git"), "gitdir: ../elsewhere/.git\n").expect("a file");
    place.write_home(
        ".claude/settings.json",
        &json!({ "permissions": { "allow": ["Bash(git:*)", "Bash(git status)"] } }).to_string(),
    );
    let commands = [
        "git -C nested status",
        "git -C pointing status",
        "git -C ./nested diff",
        "git --git-dir=nested/.git --work-tree=. status",
        "GIT_DIR=nested/.git git status",
        "env -C nested git status",
        "find nested -maxdepth 0 -execdir git -C nested status ;",
    ];
    let mut host = start(&place, "default");
    let (asked, failed) = calls(&mut host, &commands.map(bash));
    assert_eq!(asked, commands);
    assert!(failed.iter().all(|failed| *failed));
    for folder in ["nested", "pointing", "module"] {
        let (asked, _) =
            calls(&mut host, &[bash(&format!("cd {}", top.join(folder).display())), bash("git status")]);
        assert_eq!(asked, ["git status"], "{folder}");
    }
    assert_eq!(place.read(TRACE), None);
    // In the session's own repository nothing has changed.
    let (asked, failed) = calls(&mut host, &[bash(&format!("cd {}", top.display())), bash("git status")]);
    assert_eq!((asked, failed), (Vec::new(), vec![false, false]));
}

#[test]
fn programs_in_the_own_configuration_are_asked_about() {
    for (file, text) in [
        ("config", "\n[core]\n\tfsmonitor = PAYLOAD\n"),
        ("config", "\n[filter \"x\"]\n\tclean = PAYLOAD\n"),
        ("config", "\n[include]\n\tpath = more\n"),
        ("config.worktree", "[core]\n\tfsmonitor = PAYLOAD\n"),
        ("modules/sub/config", "[core]\n\tfsmonitor = PAYLOAD\n"),
        ("hooks/post-index-change", "#!/bin/sh\nPAYLOAD\n"),
    ] {
        let place = require!(project());
        let path = place.project().join(".git").join(file);
        let before = std::fs::read_to_string(&path).unwrap_or_default();
        let payload = format!("\"touch {} #\"", place.project().join(TRACE).display());
        place.write(&format!(".git/{file}"), &format!("{before}{}", text.replace("PAYLOAD", &payload)));
        if file.starts_with("modules") {
            place.write(".git/modules/sub/HEAD", "ref: refs/heads/main\n");
        }
        let mut host = start(&place, "default");
        let (asked, _) = calls(&mut host, &[bash("git status"), bash("git diff")]);
        assert_eq!(asked, ["git status", "git diff"], "{file} {text}");
        assert_eq!(place.read(TRACE), None, "{file} {text}");
    }
}

#[test]
fn everyday_commands_are_not_asked_about() {
    let place = require!(project());
    std::fs::create_dir(place.project().join("src")).expect("a folder");
    git(&place.project(), &["config", "core.hooksPath", ".husky/_"]);
    git(&place.project(), &["config", "user.name", "A"]);
    let commands = [
        "git status --short",
        "git diff HEAD",
        "git log --oneline -5",
        "git show --stat",
        "git branch -a",
        "git stash list",
        "git blame a.txt",
        "git rev-parse HEAD",
        "git worktree list",
        "git remote -v",
    ];
    for mode in ["default", "plan", "acceptEdits", "dontAsk"] {
        let mut host = start(&place, mode);
        let mut all = commands.map(bash).to_vec();
        all.extend([bash("cd src"), bash("git status")]);
        let (asked, failed) = calls(&mut host, &all);
        assert_eq!(asked, [""; 0], "{mode}");
        assert!(failed.iter().all(|failed| !failed), "{mode}: {failed:?}");
    }
}

/// A remote on this machine has hooks of its own.
#[test]
fn a_folder_is_no_remote() {
    let place = require!(project());
    let top = place.project();
    git(&top, &["init", "-q", "--bare", "sub.git"]);
    let hook = format!("#!/bin/sh\ntouch {}\n", top.join(TRACE).display());
    place.write("sub.git/hooks/pre-receive", &hook);
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(top.join("sub.git/hooks/pre-receive"), mode).expect("a mode");
    place.write_home(
        ".claude/settings.json",
        &json!({ "permissions": { "allow": ["Bash(git:*)", "Bash(git push:*)"] } }).to_string(),
    );
    let commands = [
        "git push ./sub.git HEAD:refs/heads/x",
        "git push sub.git HEAD:refs/heads/x",
        "git push -q sub.git HEAD:refs/heads/x",
        "git remote add x ./sub.git",
        "git config core.fsmonitor ./x --get",
        "git interpret-trailers --in-place --trailer 'x: $(id)' a.txt",
    ];
    let mut host = start(&place, "default");
    let (asked, _) = calls(&mut host, &commands.map(bash));
    assert_eq!(asked, commands);
    assert_eq!(place.read(TRACE), None);
}
