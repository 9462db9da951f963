//! What trust promises.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use aqueduct_wire::hint::HintedError as _;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::*;

struct Room {
    _folder: TempDir,
    root: PathBuf,
    places: TrustPlaces,
}

impl Room {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for name in ["home", "proj/.claude", "proj/.git"] {
            fs::create_dir_all(root.join(name)).unwrap();
        }
        let places = TrustPlaces::new(&root.join("home"), None, None);
        Room { _folder: folder, root, places }
    }

    fn project(&self) -> PathBuf {
        self.root.join("proj")
    }

    fn put(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn settings(&self, value: &Value) {
        self.put("proj/.claude/settings.json", &value.to_string());
    }

    fn report(&self) -> FolderReport {
        inspect(&self.project(), &self.places).unwrap()
    }

    fn trust(&self) {
        trust(&self.project(), &self.report().digest, TrustSource::Cli, &self.places).unwrap();
    }

    fn hook(&self, command: &str) {
        self.settings(&hook(command));
    }
}

fn hook(command: &str) -> Value {
    json!({ "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": command }] }] } })
}

#[test]
fn trust_is_bound_to_what_was_shown() {
    let room = Room::new();
    assert_eq!(room.report().state, FolderTrust::Nothing);
    room.hook("one");
    let report = room.report();
    assert_eq!(report.state, FolderTrust::Untrusted);
    assert_eq!((report.items[0].kind.as_str(), report.items[0].detail.as_str()), ("hook", "one"));
    room.hook("two");
    let late = trust(&room.project(), &report.digest, TrustSource::Cli, &room.places);
    assert!(matches!(late, Err(TrustError::Changed)), "what was shown is gone");
    room.trust();
    assert_eq!(room.report().state, FolderTrust::Trusted);
    room.put("proj/.claude/settings.json", &serde_json::to_string_pretty(&hook("two")).unwrap());
    assert_eq!(room.report().state, FolderTrust::Trusted, "formatting means nothing");
    room.hook("three");
    let report = room.report();
    assert_eq!(report.state, FolderTrust::Changed);
    let changes: Vec<(&str, &str)> =
        report.items.iter().map(|item| (item.detail.as_str(), item.change.name())).collect();
    assert_eq!(changes, [("three", "added"), ("two", "removed")]);
    room.settings(&json!({}));
    assert_eq!(room.report().state, FolderTrust::Nothing);
    room.settings(&json!({ "hooks": hook("two")["hooks"], "env": { "A": "b" } }));
    room.trust();
    room.hook("two");
    assert_eq!(room.report().state, FolderTrust::Changed, "less is also something else");
    room.trust();
    room.hook("two");
    assert_eq!(room.report().state, FolderTrust::Trusted);
    assert!(remove(&room.project(), &room.places).unwrap());
    assert!(!remove(&room.project(), &room.places).unwrap());
    assert_eq!(room.report().state, FolderTrust::Untrusted);
}

#[test]
fn everything_that_the_agent_reads_is_in_the_inventory() {
    let room = Room::new();
    let skill = "---\nname: deploy\ndescription: x\nallowed-tools: Bash(make:*)\n---\nRun !`make`\n";
    room.put("proj/.claude/skills/deploy/SKILL.md", skill);
    room.put("proj/.claude/skills/plain/SKILL.md", "---\nname: plain\ndescription: x\n---\ntext\n");
    room.put("proj/.claude/commands/ship.md", "---\nallowed-tools: Edit\n---\nShip\n");
    room.put(
        "proj/.claude/agents/bold.md",
        "---\nname: bold\ndescription: x\npermissionMode: acceptEdits\n---\nAct\n",
    );
    room.put(
        "proj/.claude/agents/shy.md",
        "---\nname: shy\ndescription: x\npermissionMode: plan\n---\nThink\n",
    );
    room.put("proj/.mcp.json", r#"{"mcpServers":{"near":{"command":"n","args":["a b"],"env":{"K":"v"}}}}"#);
    room.put(
        ".mcp.json",
        r#"{"mcpServers":{"far":{"type":"http","url":"https://x.test","headers":{"H":"secret"}}}}"#,
    );
    room.put("proj/.claude/settings.local.json", r#"{"env":{"B":"1"},"permissions":{"allow":["Bash"]}}"#);
    room.put("proj/below/.claude/settings.json", r#"{"env":{"DEEP":"1"}}"#);
    let names = |folder: &str| -> Vec<String> {
        let report = inspect(&room.root.join(folder), &room.places).unwrap();
        let shown = |item: &FolderItem| {
            format!("{} {} | {} | {}", item.kind, item.name, item.detail, item.source)
                .replace(&room.root.display().to_string(), "")
        };
        report.items.iter().map(shown).collect()
    };
    insta::assert_snapshot!(names("proj").join("\n"), @r"
    server near | K=v n 'a b' | /proj/.mcp.json:1
    server far | https://x.test (headers: H) | /.mcp.json:1
    allow-rule Bash |  | /proj/.claude/settings.local.json:1
    variable B | 1 | /proj/.claude/settings.local.json:1
    skill /deploy | allows Bash(make:*) | /proj/.claude/skills/deploy/SKILL.md:1
    command /ship | allows Edit | /proj/.claude/commands/ship.md:1
    agent bold | permission mode acceptEdits | /proj/.claude/agents/bold.md:1
    ");
    // In a folder below, settings are its own; skills and subagents are also those above, up to the repository's root.
    insta::assert_snapshot!(names("proj/below").join("\n"), @r"
    server near | K=v n 'a b' | /proj/.mcp.json:1
    server far | https://x.test (headers: H) | /.mcp.json:1
    variable DEEP | 1 | /proj/below/.claude/settings.json:1
    skill /deploy | allows Bash(make:*) | /proj/.claude/skills/deploy/SKILL.md:1
    command /ship | allows Edit | /proj/.claude/commands/ship.md:1
    agent bold | permission mode acceptEdits | /proj/.claude/agents/bold.md:1
    ");
}

#[test]
fn a_skill_is_bound_with_all_that_its_file_says() {
    let room = Room::new();
    let skill =
        |body: &str| format!("---\nname: s\ndescription: x\nallowed-tools: Bash(make:*)\n---\n{body}\n");
    room.put("proj/.claude/skills/s/SKILL.md", &skill("Run make"));
    room.trust();
    room.put("proj/.claude/skills/s/SKILL.md", &skill("Run make pwn"));
    assert_eq!(room.report().state, FolderTrust::Changed);
}

#[test]
fn folders_are_named_by_their_real_path() {
    let room = Room::new();
    room.hook("one");
    symlink(room.project(), room.root.join("link")).unwrap();
    let report = inspect(&room.root.join("link"), &room.places).unwrap();
    assert_eq!(report.folder, room.project());
    trust(&room.root.join("link"), &report.digest, TrustSource::Ui, &room.places).unwrap();
    assert_eq!(room.report().by.as_deref(), Some("ui"));
    // A copy is another folder, and so is one that was moved.
    fs::rename(room.project(), room.root.join("moved")).unwrap();
    assert_eq!(inspect(&room.root.join("moved"), &room.places).unwrap().state, FolderTrust::Untrusted);
    let listed = list(&room.places).unwrap();
    assert_eq!((listed.len(), listed[0].provisions), (1, 1));
    assert!(remove(&room.project(), &room.places).unwrap(), "also of a folder that is gone");
}

#[test]
fn the_reference_record_counts_until_it_is_revoked() {
    let room = Room::new();
    room.hook("one");
    let record =
        json!({ "projects": { room.project().to_str().unwrap(): { "hasTrustDialogAccepted": true } } });
    room.put("home/.claude.json", &record.to_string());
    let report = room.report();
    assert_eq!((report.state, report.by.as_deref()), (FolderTrust::Trusted, Some("reference")));
    assert!(!room.places.store.exists(), "looking writes nothing");
    assert!(remove(&room.project(), &room.places).unwrap());
    assert_eq!(room.report().state, FolderTrust::Untrusted);
    room.trust();
    assert_eq!(room.report().state, FolderTrust::Trusted);
}

#[test]
fn the_store_is_the_users_alone_and_keeps_what_it_does_not_know() {
    let room = Room::new();
    room.hook("one");
    room.trust();
    let store = &room.places.store;
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(store), mode(store.parent().unwrap())), (0o600, 0o700));
    let mut value: Value = serde_json::from_str(&fs::read_to_string(store).unwrap()).unwrap();
    let project = room.project().to_str().unwrap().to_owned();
    value["later"] = json!(1);
    value["folders"][&project]["later"] = json!(2);
    fs::write(store, value.to_string()).unwrap();
    room.hook("two");
    room.trust();
    let value: Value = serde_json::from_str(&fs::read_to_string(store).unwrap()).unwrap();
    assert_eq!((&value["later"], &value["folders"][&project]["later"]), (&json!(1), &json!(2)));
    // A file that others can write, a newer one, a broken one: none of them grants trust, and none is overwritten.
    fs::set_permissions(store, fs::Permissions::from_mode(0o666)).unwrap();
    assert!(inspect(&room.project(), &room.places).unwrap_err().advised().contains("chmod go-w"));
    fs::set_permissions(store, fs::Permissions::from_mode(0o600)).unwrap();
    for text in [r#"{"version":2}"#, "{", "[]"] {
        fs::write(store, text).unwrap();
        assert!(inspect(&room.project(), &room.places).is_err());
        assert!(trust(&room.project(), &"0".repeat(64), TrustSource::Cli, &room.places).is_err());
        assert_eq!(fs::read_to_string(store).unwrap(), text);
    }
    fs::remove_file(store).unwrap();
    symlink(room.root.join("planted"), store).unwrap();
    room.put("planted", &json!({ "version": 1 }).to_string());
    assert!(inspect(&room.project(), &room.places).is_err(), "a link is not followed");
}

#[test]
fn files_that_never_end_are_problems() {
    let room = Room::new();
    symlink("/dev/zero", room.project().join(".mcp.json")).unwrap();
    symlink("/dev/zero", room.project().join(".claude/settings.json")).unwrap();
    let report = room.report();
    assert_eq!((report.state, report.problems.len()), (FolderTrust::Nothing, 2), "{report:?}");
}

#[test]
fn a_forged_inventory_in_the_store_is_no_trust() {
    let room = Room::new();
    room.hook("one");
    room.trust();
    let store = &room.places.store;
    let text = fs::read_to_string(store).unwrap().replace("\"provisions\": [", "\"provisions\": [7, ");
    fs::write(store, text).unwrap();
    assert_eq!(room.report().state, FolderTrust::Untrusted);
}

#[test]
fn trust_of_many_at_once_loses_none() {
    let room = Room::new();
    let folders: Vec<PathBuf> = (0..8).map(|number| room.root.join(format!("p{number}"))).collect();
    for number in 0..8 {
        room.put(&format!("p{number}/.claude/settings.json"), &hook("x").to_string());
    }
    std::thread::scope(|scope| {
        for folder in &folders {
            scope.spawn(|| {
                let digest = inspect(folder, &room.places).unwrap().digest;
                trust(folder, &digest, TrustSource::Cli, &room.places).unwrap();
            });
        }
    });
    assert_eq!(list(&room.places).unwrap().len(), 8);
}
