use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use aqueduct_testing::{has_git, require};

use super::watch::RepositoryWatch;

const EVIL: &str = "[core]\n\tfsmonitor = ./evil\n";
const PLAIN: &str = "[core]\n\tbare = false\n";

struct Tree(tempfile::TempDir);

impl Tree {
    fn new() -> Tree {
        let tree = Tree(tempfile::tempdir().unwrap());
        fs::create_dir_all(tree.at("")).unwrap();
        tree
    }

    fn at(&self, path: &str) -> PathBuf {
        self.0.path().canonicalize().unwrap().join("proj").join(path)
    }

    fn own(&self) -> PathBuf {
        self.0.path().canonicalize().unwrap().join("own")
    }

    fn write(&self, path: &str, text: &str) {
        fs::create_dir_all(self.at(path).parent().unwrap()).unwrap();
        fs::write(self.at(path), text).unwrap();
    }

    fn read(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.at(path)).ok()
    }

    /// A repository's folder with this configuration.
    fn repository(&self, path: &str, config: &str) {
        self.write(&format!("{path}/HEAD"), "ref: refs/heads/main\n");
        self.write(&format!("{path}/config"), config);
        fs::create_dir_all(self.at(path).join("objects")).unwrap();
        fs::create_dir_all(self.at(path).join("refs")).unwrap();
    }

    fn watch(&self) -> RepositoryWatch {
        RepositoryWatch::new(&self.own(), "session")
    }

    /// What is reported of a command that does this.
    fn after(&self, command: impl FnOnce()) -> String {
        let watch = self.watch();
        let (window, before) = watch.begin(&[self.at("")], &[]).unwrap();
        assert_eq!(before, Vec::<String>::new());
        command();
        drop(window);
        let reports = watch.check().join("\n");
        assert_eq!(watch.check(), Vec::<String>::new(), "once is enough");
        reports
    }

    /// All files below that have this in them.
    fn holding(&self, folder: &Path, text: &str) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            if entry.file_type().unwrap().is_dir() {
                found.extend(self.holding(&entry.path(), text));
            } else if fs::read(entry.path()).is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(text))
            {
                found.push(entry.path());
            }
        }
        found
    }
}

#[test]
fn a_repository_with_plain_settings_stays() {
    let tree = Tree::new();
    let reports = tree.after(|| {
        tree.repository("sub/.git", PLAIN);
        tree.write("sub/.git/hooks/pre-commit.sample", "#!/bin/sh\n");
        tree.repository("bare", "[core]\n\tbare = true\n[remote \"o\"]\n\turl = https://example.com/x\n");
        tree.write("linked/.git", "gitdir: ../sub/.git\n");
    });
    assert_eq!(reports, "");
    assert_eq!(tree.read("sub/.git/config").as_deref(), Some(PLAIN));
    assert!(tree.at("linked/.git").exists());
    assert!(fs::read_dir(tree.own().join("pending")).unwrap().next().is_none(), "nothing is left to check");
}

#[test]
fn what_git_would_run_is_moved_away_and_reported() {
    for path in ["sub/.git", "a/b/c/d/e/f/g/.git", "bare", "sub/.GIT", ".git/modules/x", "x/.git/worktrees/y"]
    {
        let tree = Tree::new();
        let reports = tree.after(|| {
            tree.repository(path, &format!("{PLAIN}\tfsmonitor = ./evil\n"));
            tree.write(&format!("{path}/hooks/post-index-change"), "evil");
        });
        assert!(reports.contains(path) && reports.contains("core.fsmonitor"), "{reports}");
        assert!(reports.contains("hooks/post-index-change"), "{reports}");
        assert_eq!(tree.holding(&tree.at(""), "evil"), Vec::<PathBuf>::new(), "{path}");
        assert_eq!(tree.holding(&tree.own(), "evil").len(), 2, "{path}");
        assert!(tree.read(&format!("{path}/config")).unwrap().contains("bare = false"));
    }
}

#[test]
fn what_leads_to_programs_is_moved_away() {
    require!(has_git());
    let leads: &[fn(&Tree)] = &[
        |tree| tree.write("sub/.git", "gitdir: ../../outside\n"),
        |tree| tree.write("sub/.git", "gitdir: ../nowhere\n"),
        |tree| tree.write("sub/.git", "what\n"),
        |tree| {
            fs::create_dir(tree.at("sub")).unwrap();
            symlink("../../outside", tree.at("sub/.git")).unwrap();
        },
        |tree| {
            tree.write("sub/.git/HEAD", "x");
            tree.write("sub/.git/commondir", "../../../outside\n");
        },
        |tree| {
            tree.repository("sub/.git", PLAIN);
            symlink("../../../outside/hooks", tree.at("sub/.git/hooks")).unwrap();
        },
        |tree| {
            tree.repository("sub/.git", PLAIN);
            fs::remove_file(tree.at("sub/.git/config")).unwrap();
            symlink("../../../outside/config", tree.at("sub/.git/config")).unwrap();
        },
        |tree| {
            tree.repository("sub/.git", PLAIN);
            fs::remove_file(tree.at("sub/.git/config")).unwrap();
            fs::hard_link(tree.at("../outside/config"), tree.at("sub/.git/config")).unwrap();
        },
        |tree| {
            tree.repository("sub/.git", PLAIN);
            tree.write("sub/.git/config.worktree", EVIL);
        },
    ];
    for (number, lead) in leads.iter().enumerate() {
        let tree = Tree::new();
        tree.repository("../outside", EVIL);
        let reports = tree.after(|| lead(&tree));
        assert!(reports.contains("sub/.git"), "{number}: {reports}");
        let status = Command::new("git")
            .args(["-C", &tree.at("sub").display().to_string(), "config", "core.fsmonitor"])
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .output()
            .unwrap();
        assert!(!String::from_utf8_lossy(&status.stdout).contains("evil"), "{number}");
        assert_eq!(fs::read_to_string(tree.at("../outside/config")).unwrap(), EVIL, "{number}: not touched");
    }
}

#[test]
fn a_repository_in_steps_is_found_at_the_last() {
    let tree = Tree::new();
    let watch = tree.watch();
    let run = |command: &dyn Fn()| {
        let (window, _) = watch.begin(&[tree.at("")], &[]).unwrap();
        command();
        drop(window);
        watch.check().join("\n")
    };
    assert_eq!(run(&|| tree.write("sub/x/config", EVIL)), "");
    assert_eq!(run(&|| fs::create_dir_all(tree.at("sub/x/objects")).unwrap()), "");
    assert_eq!(run(&|| tree.write("sub/x/refs", "")), "");
    assert!(run(&|| tree.write("sub/x/HEAD", "x")).contains("sub/x"));
    // A folder that was committed as a fixture becomes a repository by its name.
    assert_eq!(run(&|| tree.write("fixture/config", EVIL)), "");
    let moved = run(&|| {
        tree.write("fixture/HEAD", "x");
        tree.write("fixture/refs/x", "");
        tree.write("fixture/objects/x", "");
        fs::create_dir(tree.at("deep")).unwrap();
        fs::rename(tree.at("fixture"), tree.at("deep/.git")).unwrap();
    });
    assert!(moved.contains("deep/.git"), "{moved}");
}

#[test]
fn the_users_own_repository_gets_back_what_it_had() {
    let tree = Tree::new();
    let own = format!("{PLAIN}[alias]\n\tst = !status\n[filter \"lfs\"]\n\tclean = git-lfs clean\n");
    tree.repository("vendor/.git", &own);
    tree.write("vendor/.git/hooks/pre-push", "mine");
    tree.write("worktree/.git", "gitdir: ../vendor/.git\n");
    assert_eq!(tree.after(|| tree.write("vendor/.git/index", "x")), "");
    let harmless = format!("{own}[branch \"x\"]\n\tremote = origin\n");
    assert_eq!(tree.after(|| tree.write("vendor/.git/config", &harmless)), "");
    let reports = tree.after(|| {
        tree.write("vendor/.git/config", &format!("{harmless}[core]\n\thooksPath = evil\n"));
        tree.write("vendor/.git/hooks/pre-push", "evil");
        fs::remove_file(tree.at("worktree/.git")).unwrap();
        symlink("../vendor/.git", tree.at("worktree/.git")).unwrap();
    });
    assert!(reports.contains("core.hookspath") && reports.contains("worktree/.git"), "{reports}");
    assert_eq!(tree.read("vendor/.git/config").as_deref(), Some(harmless.as_str()));
    assert_eq!(tree.read("vendor/.git/hooks/pre-push").as_deref(), Some("mine"));
    assert_eq!(tree.read("worktree/.git").as_deref(), Some("gitdir: ../vendor/.git\n"));
    // A switched-off hook stays off.
    fs::set_permissions(tree.at("vendor/.git/hooks/pre-push"), fs::Permissions::from_mode(0o644)).unwrap();
    let hook = tree.at("vendor/.git/hooks/pre-push");
    let on = || fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
    assert!(tree.after(on).contains("pre-push"));
    assert_eq!(fs::metadata(&hook).unwrap().permissions().mode() & 0o111, 0);
}

#[test]
fn what_the_user_does_between_commands_stays() {
    let tree = Tree::new();
    assert_eq!(tree.after(|| ()), "");
    tree.repository("sub/.git", EVIL);
    assert_eq!(tree.after(|| tree.write("sub/.git/HEAD", "other")), "");
    assert_eq!(tree.read("sub/.git/config").as_deref(), Some(EVIL));
}

#[test]
fn many_hooks_and_large_ones_are_moved_away() {
    let tree = Tree::new();
    let large = "x".repeat(300 << 10);
    let reports = tree.after(|| {
        tree.repository("sub/.git", PLAIN);
        for number in 0..600 {
            tree.write(&format!("sub/.git/hooks/hook-{number}"), "evil");
        }
        tree.write("sub/.git/hooks/post-index-change", &large);
    });
    assert!(reports.contains("hook-"), "{reports}");
    let left = fs::read_dir(tree.at("sub/.git/hooks")).unwrap().flatten();
    let left: Vec<String> = left.map(|entry| entry.file_name().display().to_string()).collect();
    assert_eq!(left, ["post-index-change.quarantined.sample"]);
}

#[test]
fn an_agent_that_was_killed_leaves_the_check_to_the_next() {
    let tree = Tree::new();
    tree.repository("vendor/.git", EVIL);
    let killed = tree.watch();
    let (window, _) = killed.begin(&[tree.at("")], &[]).unwrap();
    tree.repository("sub/.git", EVIL);
    let next = RepositoryWatch::new(&tree.own(), "next");
    assert_eq!(next.recover(), Vec::<String>::new(), "it is alive");
    std::mem::forget(window);
    drop(killed);
    // A process that is gone has no locks.
    let note = tree.own().join("pending/session.json");
    let text = fs::read(&note).unwrap();
    fs::remove_file(&note).unwrap();
    fs::write(&note, text).unwrap();
    let reports = next.recover().join("\n");
    assert!(reports.contains("sub/.git") && !reports.contains("vendor"), "{reports}");
    assert!(!note.exists());
    assert_eq!(tree.read("vendor/.git/config").as_deref(), Some(EVIL));
}

#[test]
fn a_process_that_continues_is_checked_again_and_gains_no_trust() {
    let tree = Tree::new();
    let watch = tree.watch();
    let (background, _) = watch.begin(&[tree.at("")], &[]).unwrap();
    tree.repository("one/.git", EVIL);
    // What is there when the next one begins is not the user's.
    let (window, reports) = watch.begin(&[tree.at("")], &[]).unwrap();
    assert!(reports.join("").contains("one/.git"), "{reports:?}");
    drop(window);
    tree.repository("two/.git", EVIL);
    assert!(watch.check().join("").contains("two/.git"));
    tree.repository("three/.git", EVIL);
    drop(background);
    assert!(watch.check().join("").contains("three/.git"));
    assert!(watch.is_sure());
}

#[test]
fn what_a_command_left_unreadable_is_made_readable_and_checked() {
    // Root reads everything: there the check has less to do, and comes to the same.
    let tree = Tree::new();
    fs::create_dir(tree.at("closed")).unwrap();
    let close = |path: &str| fs::set_permissions(tree.at(path), fs::Permissions::from_mode(0o311)).unwrap();
    close("closed");
    let reports = tree.after(|| {
        tree.repository("sub/.git", EVIL);
        close("sub/.git");
        tree.repository("other/.git", PLAIN);
        tree.write("other/.git/hooks/pre-commit", "evil");
        close("other/.git/hooks");
    });
    assert!(reports.contains("sub/.git") && reports.contains("other/.git"), "{reports}");
    assert_eq!(fs::metadata(tree.at("closed")).unwrap().permissions().mode() & 0o777, 0o311, "not touched");
}

#[test]
fn only_what_is_kept_is_left_to_the_user() {
    let tree = Tree::new();
    let watch = tree.watch();
    let roots = [tree.at(""), tree.at(".git/modules/own")];
    let (window, _) =
        watch.begin(&roots, &[tree.at(".git/modules"), tree.at(".git/modules/own/config")]).unwrap();
    tree.repository(".git/modules/own", EVIL);
    tree.repository(".git/modules/own/inner", EVIL);
    drop(window);
    let reports = watch.check().join("");
    assert!(reports.contains("own/inner") && !reports.contains("own ("), "{reports}");
}

#[test]
fn new_gitlinks_are_reported_in_every_version_of_the_index() {
    require!(has_git());
    for (version, split) in [(2, false), (3, false), (4, false), (2, true), (4, true)] {
        let tree = Tree::new();
        let git = |arguments: &[&str]| {
            let done = Command::new("git")
                .args([
                    "-c",
                    "user.name=a",
                    "-c",
                    "user.email=a@example.com",
                    "-c",
                    "init.defaultBranch=main",
                ])
                .args(arguments)
                .current_dir(tree.at(""))
                .env_clear()
                .env("PATH", std::env::var_os("PATH").unwrap_or_default())
                .output()
                .unwrap();
            assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
        };
        git(&["init", "-q"]);
        for number in 0..20 {
            tree.write(&format!("folder/file-{number}"), "x");
        }
        git(&["add", "."]);
        git(&["update-index", "--index-version", &version.to_string()]);
        if version == 3 {
            git(&["add", "--intent-to-add", "."]);
        }
        if split {
            git(&["update-index", "--split-index"]);
        }
        let reports = tree.after(|| {
            let link = "160000,1111111111111111111111111111111111111111,folder/sub";
            git(&["update-index", "--add", "--cacheinfo", link]);
        });
        assert!(reports.contains("git rm --cached folder/sub"), "{version} {split}: {reports}");
    }
}
