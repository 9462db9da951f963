use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use aqueduct_rules::{Own, Program, Repository, When};
use aqueduct_testing::{has_git, require};
use tempfile::TempDir;

use super::repositories;

/// A folder in which files are put by name.
struct Room(TempDir);

impl Room {
    fn new() -> Self {
        let room = Room(tempfile::tempdir().expect("a folder"));
        room.repository("proj/.git", "[core]\n\tbare = false\n");
        fs::create_dir_all(room.at("proj/src")).expect("a folder");
        room
    }

    fn at(&self, path: &str) -> PathBuf {
        self.0.path().canonicalize().expect("the folder").join(path)
    }

    fn put(&self, path: &str, text: &str) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    /// The files that make a folder a repository.
    fn repository(&self, folder: &str, config: &str) {
        self.put(&format!("{folder}/HEAD"), "ref: refs/heads/main\n");
        self.put(&format!("{folder}/config"), config);
        self.put(&format!("{folder}/objects/info/x"), "");
        self.put(&format!("{folder}/refs/heads/x"), "");
    }

    /// What git would use in a folder, for a session in `proj`.
    fn find(&self, folder: &str) -> Repository {
        let directory = self.at(folder).to_string_lossy().into_owned();
        repositories(&self.at("proj"), &[], vec![directory]).remove(0).1
    }

    fn program(&self) -> Option<(String, When)> {
        match self.find("proj") {
            Repository::Own(own) => own.program.map(|Program { setting, when }| (setting, when)),
            other => panic!("{other:?}"),
        }
    }

    fn is_foreign(&self, folder: &str) -> bool {
        matches!(self.find(folder), Repository::Foreign(_))
    }
}

fn git(folder: &Path, arguments: &[&str]) {
    let status = Command::new("git")
        .args(["-c", "protocol.file.allow=always", "-c", "user.name=A", "-c", "user.email=a@b"])
        .args(arguments)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .status();
    assert!(status.expect("git").success(), "{arguments:?}");
}

#[test]
fn the_own_repository_is_known_by_its_work_tree() {
    let room = Room::new();
    for folder in ["proj", "proj/src"] {
        assert_eq!(room.find(folder), Repository::Own(Own::default()), "{folder}");
    }
    fs::create_dir(room.at("elsewhere")).expect("a folder");
    assert_eq!(room.find("elsewhere"), Repository::None);
    assert!(room.is_foreign("proj/absent"));
    assert!(room.is_foreign("proj/.git"));
    assert!(room.is_foreign("proj/.git/refs"));
}

#[test]
fn other_repositories_are_foreign() {
    let room = Room::new();
    room.repository("proj/bare", "");
    fs::create_dir_all(room.at("proj/bare/deep/er")).expect("a folder");
    room.repository("proj/nested/.git", "");
    room.repository("other/.git", "");
    room.put("proj/file/.git", "gitdir: ../../other/.git\n");
    room.put("proj/broken/.git", "gitdir: nowhere\n");
    fs::create_dir_all(room.at("proj/empty/.git")).expect("a folder");
    // A bare repository may have all but its head elsewhere.
    room.put("proj/halved/HEAD", "ref: refs/heads/main\n");
    room.put("proj/halved/commondir", "../bare\n");
    fs::create_dir(room.at("proj/linked")).expect("a folder");
    symlink(room.at("other/.git"), room.at("proj/linked/.git")).expect("a link");
    symlink(room.at("other"), room.at("proj/link")).expect("a link");
    for folder in [
        "proj/bare",
        "proj/bare/deep/er",
        "proj/nested",
        "other",
        "proj/file",
        "proj/broken",
        "proj/empty",
        "proj/halved",
        "proj/linked",
        "proj/link",
    ] {
        assert!(room.is_foreign(folder), "{folder}: {:?}", room.find(folder));
    }
}

#[test]
fn a_session_in_a_bare_repository_has_no_repository_of_its_own() {
    let room = Room::new();
    room.repository("proj/bare", "");
    let directory = room.at("proj/bare").to_string_lossy().into_owned();
    let found = repositories(&room.at("proj/bare"), &[], vec![directory]).remove(0).1;
    assert!(matches!(found, Repository::Foreign(_)));
}

#[test]
fn variables_that_name_a_repository_make_everything_foreign() {
    let room = Room::new();
    let directory = room.at("proj").to_string_lossy().into_owned();
    let variables = [("GIT_DIR".into(), ".git".into())];
    let found = repositories(&room.at("proj"), &variables, vec![directory]).remove(0).1;
    assert!(matches!(found, Repository::Foreign(_)));
}

#[test]
fn programs_of_the_own_repository_are_found_wherever_they_are_named() {
    let fsmonitor = "[core]\n\tfsmonitor = ./x\n";
    let anytime = |room: &Room| room.program().is_some_and(|(_, when)| when == When::Anytime);
    let room = Room::new();
    room.put("proj/.git/config.worktree", fsmonitor);
    assert!(anytime(&room));

    let room = Room::new();
    room.put("proj/.git/hooks/post-index-change", "");
    assert!(anytime(&room));

    let room = Room::new();
    fs::remove_file(room.at("proj/.git/config")).expect("removed");
    assert_eq!(room.program(), None);
    room.put("proj/elsewhere", "");
    symlink(room.at("proj/elsewhere"), room.at("proj/.git/config")).expect("a link");
    assert!(anytime(&room));

    let room = Room::new();
    room.put("proj/.git/config", &format!("{}\n[a]\n", "#".repeat(300 * 1024)));
    assert!(anytime(&room));

    for config in ["[core]\nworktree = /\n", "[core]\nhooksPath = evil\n"] {
        let room = Room::new();
        room.put("proj/.git/config", config);
        room.put("proj/evil/post-index-change", "");
        assert!(anytime(&room), "{config}");
    }

    let room = Room::new();
    room.put("proj/.git/config", "[core]\nhooksPath = .husky/_\n");
    room.put("proj/.husky/_/pre-commit", "");
    assert_eq!(room.program(), None);
    room.put("proj/.git/config", "[core]\nhooksPath = ci\n");
    assert_eq!(room.program(), Some(("core.hookspath".to_owned(), When::CalledFor)));

    let room = Room::new();
    let inside = room.at("proj/bare.git");
    room.repository("proj/bare.git", "");
    room.put("proj/.git/config", &format!("[remote \"x\"]\n\turl = {}\n", inside.display()));
    assert!(anytime(&room));
    room.put("proj/.git/config", "[remote \"x\"]\n\turl = /srv/x.git\n");
    assert_eq!(room.find("proj"), Repository::Own(Own { program: None, remotes: vec!["x".to_owned()] }));
}

/// Git asks submodules for their status with their own configuration.
#[test]
fn submodules_count_with_their_configuration() {
    let room = Room::new();
    room.repository("proj/.git/modules/a/b", "[core]\n\tworktree = ../../../../a/b\n");
    assert_eq!(room.program(), None);
    room.repository("proj/.git/modules/a/b/modules/c", "[core]\n\tfsmonitor = x\n");
    assert_eq!(room.program(), Some(("submodule c: core.fsmonitor".to_owned(), When::Anytime)));

    let room = Room::new();
    room.repository("proj/.git/modules/a", "[core]\n\thooksPath = x\n");
    assert!(room.program().is_some());
}

/// An entry of the index makes a folder with a repository a submodule, without any settings.
#[test]
fn repositories_that_the_index_names_count() {
    require!(has_git());
    for version in ["2", "4"] {
        let folder = tempfile::tempdir().expect("a folder");
        let top = folder.path().canonicalize().expect("the folder");
        let find = || {
            let directory = vec![top.to_string_lossy().into_owned()];
            repositories(&top, &[], directory).remove(0).1
        };
        git(&top, &["init", "-q"]);
        fs::write(top.join("first"), "x").expect("a file");
        git(&top, &["add", "first"]);
        let commit = format!("160000,{},sub/module", "1".repeat(40));
        git(&top, &["update-index", "--index-version", version, "--add", "--cacheinfo", &commit]);
        assert_eq!(find(), Repository::Own(Own::default()), "{version}");
        fs::create_dir_all(top.join("sub/module/.git")).expect("a folder");
        assert_eq!(find(), Repository::Own(Own::default()), "{version}");
        fs::write(top.join("sub/module/.git/config"), "[core]\n\tfsmonitor = x\n").expect("a file");
        assert!(matches!(find(), Repository::Own(Own { program: Some(_), .. })), "{version}");
    }
}

#[test]
fn a_linked_work_tree_shares_the_repository() {
    require!(has_git());
    let room = Room::new();
    fs::remove_dir_all(room.at("proj")).expect("removed");
    fs::create_dir(room.at("proj")).expect("a folder");
    git(&room.at("proj"), &["init", "-q"]);
    git(&room.at("proj"), &["commit", "-q", "--allow-empty", "-m", "x"]);
    git(&room.at("proj"), &["worktree", "add", "-q", "../side"]);
    assert_eq!(room.find("side"), Repository::Own(Own::default()));
    // A folder that only claims to be one is another matter.
    room.put("proj/claims/.git", &format!("gitdir: {}\n", room.at("proj/.git/worktrees/side").display()));
    assert!(room.is_foreign("proj/claims"));
    git(&room.at("side"), &["config", "extensions.worktreeConfig", "true"]);
    git(&room.at("side"), &["config", "--worktree", "core.fsmonitor", "./x"]);
    assert!(matches!(room.find("side"), Repository::Own(Own { program: Some(_), .. })));
    assert_eq!(room.find("proj"), Repository::Own(Own::default()));
}
