use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use super::{Layout, LayoutAccess, LayoutInput, PathKind};
use crate::machine::SandboxEnvironment;
use crate::policy::SandboxPolicy;

struct Room(tempfile::TempDir);

impl Room {
    fn new(folders: &[&str]) -> Room {
        let room = Room(tempfile::tempdir().unwrap());
        for folder in ["proj", "home/.claude", "spool"].iter().chain(folders) {
            fs::create_dir_all(room.at(folder)).unwrap();
        }
        room
    }

    fn at(&self, path: &str) -> PathBuf {
        self.0.path().canonicalize().unwrap().join(path)
    }

    fn lay(&self, policy: &SandboxPolicy, held: &[&str]) -> Layout {
        let machine = SandboxEnvironment {
            cwd: self.at("proj"),
            home: self.at("home"),
            config: self.at("home/.claude"),
            ..SandboxEnvironment::default()
        };
        let (roots, temporary) = ([self.at("proj")], self.at("spool"));
        let ground = LayoutInput { policy, machine: &machine, roots: &roots, temporary: &temporary };
        let held: Vec<PathBuf> = held.iter().map(|path| self.at(path)).collect();
        Layout::new(&ground, &|path: &Path| held.iter().any(|held| held == path))
    }

    fn describe(&self, layout: &Layout) -> String {
        let start = self.at("");
        let line = |(path, place): (&PathBuf, &super::LayoutEntry)| {
            let path = path.strip_prefix(&start).unwrap_or(path).display();
            let absent = if place.is_absent { " absent" } else { "" };
            format!("{:?} {path}{absent}", place.access)
        };
        layout.places.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

#[test]
fn what_would_run_later_is_kept_also_where_it_is_not_there() {
    let room = Room::new(&["proj/.git/hooks"]);
    fs::write(room.at("proj/.git/config"), "").unwrap();
    fs::write(room.at("proj/.mcp.json"), "{}").unwrap();
    let layout = room.lay(&SandboxPolicy::default(), &[]);
    assert!(layout.is_tight);
    insta::assert_snapshot!(room.describe(&layout), @r"
    Write proj
    Keep proj/.claude absent
    Write proj/.git
    Keep proj/.git/commondir absent
    Keep proj/.git/config
    Keep proj/.git/config.worktree absent
    Keep proj/.git/hooks
    Keep proj/.git/info absent
    Keep proj/.git/modules absent
    Keep proj/.git/worktrees absent
    Keep proj/.idea absent
    Keep proj/.mcp.json
    Keep proj/.vscode absent
    Write spool
    ");
    let again = room.lay(&SandboxPolicy::default(), &["proj/.claude"]);
    assert_eq!(layout, again);
    let claude = room.at("proj/.claude");
    assert!(layout.absent().any(|absent| absent == (claude.as_path(), PathKind::Folder)));
}

#[test]
fn nothing_leads_git_elsewhere() {
    let room = Room::new(&["proj/.git/worktrees/a"]);
    fs::write(room.at("proj/.git/worktrees/a/commondir"), "../..\n").unwrap();
    // What a killed agent left behind has no owner.
    fs::write(room.at("proj/.git/commondir"), ".\n").unwrap();
    let layout = room.lay(&SandboxPolicy::default(), &[]);
    let reported = room.describe(&layout);
    let of_git: Vec<&str> = reported.lines().filter(|line| line.contains(".git/")).collect();
    insta::assert_snapshot!(of_git.join("\n"), @r"
    Keep proj/.git/commondir absent
    Keep proj/.git/config absent
    Keep proj/.git/config.worktree absent
    Keep proj/.git/hooks absent
    Keep proj/.git/info absent
    Keep proj/.git/modules absent
    Keep proj/.git/worktrees
    Write proj/.git/worktrees/a
    Keep proj/.git/worktrees/a/commondir
    Keep proj/.git/worktrees/a/config.worktree absent
    Keep proj/.git/worktrees/a/gitdir absent
    ");
    let worktree = SandboxPolicy { writable: vec![room.at("elsewhere")], ..SandboxPolicy::default() };
    fs::create_dir(room.at("elsewhere")).unwrap();
    fs::write(room.at("elsewhere/HEAD"), "ref: refs/heads/a\n").unwrap();
    fs::write(room.at("elsewhere/commondir"), "../..\n").unwrap();
    let layout = room.lay(&worktree, &[]);
    assert_eq!(layout.places[&room.at("elsewhere/commondir")].access, LayoutAccess::Keep);
}

#[test]
fn submodules_can_be_used_and_their_settings_stay() {
    let room = Room::new(&[
        "proj/.git/objects/info",
        "proj/.git/modules/lib/a/objects",
        "proj/.git/modules/lib/a/modules/b/objects",
    ]);
    fs::write(room.at("proj/.git/modules/lib/a/HEAD"), "ref: refs/heads/main\n").unwrap();
    fs::write(room.at("proj/.git/modules/lib/a/modules/b/HEAD"), "ref: refs/heads/main\n").unwrap();
    let layout = room.lay(&SandboxPolicy::default(), &[]);
    let access = |path: &str| layout.places[&room.at(path)].access;
    assert_eq!(access("proj/.git/objects/info/alternates"), LayoutAccess::Keep);
    assert_eq!(access("proj/.git/modules"), LayoutAccess::Keep);
    assert_eq!(access("proj/.git/modules/lib"), LayoutAccess::Keep);
    assert_eq!(access("proj/.git/modules/lib/a"), LayoutAccess::Write);
    assert_eq!(access("proj/.git/modules/lib/a/config"), LayoutAccess::Keep);
    assert_eq!(access("proj/.git/modules/lib/a/hooks"), LayoutAccess::Keep);
    assert_eq!(access("proj/.git/modules/lib/a/modules"), LayoutAccess::Keep);
    assert_eq!(access("proj/.git/modules/lib/a/modules/b"), LayoutAccess::Write);
    assert_eq!(access("proj/.git/modules/lib/a/modules/b/config"), LayoutAccess::Keep);
}

#[test]
fn a_repository_outside_and_hooks_in_the_tree_are_protected() {
    let room = Room::new(&["proj/.husky/_", "proj/real/objects", "proj/real/worktrees/w"]);
    fs::write(room.at("proj/.git"), "gitdir: real/worktrees/w\n").unwrap();
    fs::write(room.at("proj/real/worktrees/w/commondir"), "../..\n").unwrap();
    fs::write(room.at("proj/real/config"), "[core]\n\thooksPath = .husky/_\n").unwrap();
    let layout = room.lay(&SandboxPolicy::default(), &[]);
    let access = |path: &str| layout.places[&room.at(path)].access;
    for kept in
        [".git", "real/config", "real/hooks", "real/worktrees", "real/worktrees/w/commondir", ".husky/_"]
    {
        assert_eq!(access(&format!("proj/{kept}")), LayoutAccess::Keep, "{kept}");
    }
    assert!(layout.is_tight);
    fs::write(room.at("proj/real/config"), "[core]\n\thooksPath = .\n").unwrap();
    assert!(!room.lay(&SandboxPolicy::default(), &[]).is_tight);
}

#[test]
fn settings_add_and_take_away() {
    let room = Room::new(&["cache", "proj/secret", "proj/docs/a", "home/keys", "proj/.git"]);
    symlink(room.at("home"), room.at("proj/out")).unwrap();
    let policy = SandboxPolicy {
        writable: vec![room.at("cache"), room.at("proj/out"), room.at("none")],
        unwritable: vec![room.at("proj/docs/a"), room.at("proj/later/b")],
        unreadable: vec![room.at("proj/secret"), room.at("home")],
        readable: vec![room.at("home/keys"), room.at("cache")],
        ..SandboxPolicy::default()
    };
    let layout = room.lay(&policy, &[]);
    insta::assert_snapshot!(room.describe(&layout), @r"
    Write cache
    Hide home
    Show home/keys
    Write proj
    Keep proj/.claude absent
    Write proj/.git
    Keep proj/.git/commondir absent
    Keep proj/.git/config absent
    Keep proj/.git/config.worktree absent
    Keep proj/.git/hooks absent
    Keep proj/.git/info absent
    Keep proj/.git/modules absent
    Keep proj/.git/worktrees absent
    Keep proj/.idea absent
    Keep proj/.mcp.json absent
    Keep proj/.vscode absent
    Write proj/docs
    Keep proj/docs/a
    Keep proj/later absent
    Hide proj/secret
    Write spool
    ");
}

#[test]
fn the_agents_own_folder_is_protected_where_temporary_files_are_in_a_working_directory() {
    let room = Room::new(&["spool/own/tmp"]);
    let machine = SandboxEnvironment {
        cwd: room.at("proj"),
        home: room.at("home"),
        config: room.at("home/.claude"),
        ..SandboxEnvironment::default()
    };
    let policy = SandboxPolicy { writable: vec![room.at("spool")], ..SandboxPolicy::default() };
    let (roots, temporary) = ([room.at("proj")], room.at("spool/own/tmp"));
    let ground = LayoutInput { policy: &policy, machine: &machine, roots: &roots, temporary: &temporary };
    let layout = Layout::new(&ground, &|_| false);
    assert_eq!(layout.places[&room.at("spool")].access, LayoutAccess::Write);
    assert_eq!(layout.places[&room.at("spool/own")].access, LayoutAccess::Keep);
    assert_eq!(layout.places[&temporary].access, LayoutAccess::Write);
}

#[test]
fn a_link_makes_it_less_than_tight_and_leads_nowhere() {
    let room = Room::new(&["proj/real", "elsewhere"]);
    symlink("real", room.at("proj/.claude")).unwrap();
    let layout = room.lay(&SandboxPolicy::default(), &[]);
    assert!(!layout.is_tight);
    assert_eq!(layout.places[&room.at("proj/real")].access, LayoutAccess::Keep);
    fs::remove_file(room.at("proj/.claude")).unwrap();
    symlink(room.at("elsewhere"), room.at("proj/.claude")).unwrap();
    let layout = room.lay(&SandboxPolicy::default(), &[]);
    assert!(!layout.is_tight);
    assert!(!layout.places.contains_key(&room.at("elsewhere")));
}
