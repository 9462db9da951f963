//! What the prompt must say.

use std::path::{Path, PathBuf};
use std::process::Command;

use aqueduct_testing::{has_git, require};
use tempfile::TempDir;

use super::*;
use crate::environment::Environment;
use crate::memory::MemoryFile;

fn surroundings() -> Surroundings {
    Surroundings {
        cwd: "/proj".into(),
        directories: vec!["/more".into()],
        is_repository: true,
        platform: "linux".to_owned(),
        os_version: "Linux 6.1".to_owned(),
        shell: "bash".to_owned(),
        date: "2026-01-02".to_owned(),
        model: "scripted".to_owned(),
    }
}

fn memory() -> Memory {
    let mut memory = Memory::default();
    let path = PathBuf::from("/proj/CLAUDE.md");
    memory.files.push(MemoryFile {
        path,
        kind: MemoryKind::Project,
        text: "Use tabs.\n".to_owned(),
        imported_by: None,
    });
    memory
}

#[test]
fn a_prompt_has_three_parts() {
    let git = GitContext { status: "## main\n M a.rs\n".to_owned(), commits: "abc1234 First\n".to_owned() };
    let (surroundings, memory) = (surroundings(), memory());
    let prompt = SystemPromptParts {
        system: None,
        append: Some("Speak French."),
        surroundings: &surroundings,
        git: Some(&git),
        memory: &memory,
    };
    let parts = prompt.build();
    assert!(parts[0].starts_with("You are a coding agent.") && parts[0].ends_with("\n\nSpeak French."));
    insta::assert_snapshot!(parts[1..].join("\n---\n"), @r"
    # Memory

    These are instructions of the user and the project. Follow them: they override the general ones above, and where two conflict, the later one applies.

    ## /proj/CLAUDE.md (the project's)

    Use tabs.

    ---
    # Environment

    Working directory: /proj
    Additional working directory: /more
    Git repository: yes
    Platform: linux
    OS version: Linux 6.1
    Shell: bash
    Date: 2026-01-02
    Model: scripted

    Git status at the start of the session:
    ## main
     M a.rs

    Last commits:
    abc1234 First
    ");
}

#[test]
fn another_prompt_takes_the_place_of_ours() {
    let (surroundings, memory) = (surroundings(), Memory::default());
    let prompt = SystemPromptParts {
        system: Some("You are a pirate."),
        append: None,
        surroundings: &surroundings,
        git: None,
        memory: &memory,
    };
    let parts = prompt.build();
    assert_eq!(parts[0], "You are a pirate.");
    assert_eq!(parts.len(), 2);
    assert_eq!(SystemPromptParts { system: Some(""), ..prompt }.build().len(), 1);
}

fn environment(cwd: &Path) -> Environment {
    Environment {
        cwd: cwd.to_owned(),
        home: cwd.to_owned(),
        config: cwd.join(".claude"),
        temporary: cwd.to_owned(),
        variables: vec![("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into())],
        guard: Vec::new(),
    }
}

fn git(folder: &Path, arguments: &[&str]) {
    let done = Command::new("git")
        .args(["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "init.defaultBranch=main"])
        .args(arguments)
        .current_dir(folder)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .envs([("GIT_CONFIG_NOSYSTEM", "1"), ("GIT_CONFIG_GLOBAL", "/dev/null")])
        .output()
        .unwrap();
    assert!(done.status.success(), "{done:?}");
}

#[tokio::test]
async fn git_is_asked_in_a_repository() {
    require!(has_git());
    let folder = TempDir::new().unwrap();
    let environment = environment(folder.path());
    assert_eq!(GitContext::read(&environment).await, None);
    assert_eq!(branch(folder.path()), None);

    git(folder.path(), &["init", "-q"]);
    std::fs::write(folder.path().join("a.rs"), "").unwrap();
    assert_eq!(branch(folder.path()).as_deref(), Some("main"));
    let context = GitContext::read(&environment).await.unwrap();
    assert!(context.status.contains("?? a.rs"), "{context:?}");
    assert_eq!(context.commits, "");

    git(folder.path(), &["add", "a.rs"]);
    git(folder.path(), &["commit", "-qm", "First"]);
    git(folder.path(), &["worktree", "add", "-q", "tree", "-b", "side"]);
    let context = GitContext::read(&environment).await.unwrap();
    assert!(context.commits.ends_with(" First\n"), "{context:?}");
    assert_eq!(branch(&folder.path().join("tree")).as_deref(), Some("side"));
}

#[tokio::test]
async fn a_repository_starts_no_programs() {
    require!(has_git());
    let folder = TempDir::new().unwrap();
    git(folder.path(), &["init", "-q"]);
    git(folder.path(), &["commit", "-q", "--allow-empty", "-m", "First"]);
    std::fs::write(folder.path().join("a.rs"), "").unwrap();
    git(folder.path(), &["add", "a.rs"]);
    git(folder.path(), &["config", "core.fsmonitor", "touch caught; false"]);
    git(folder.path(), &["config", "log.showSignature", "true"]);
    git(folder.path(), &["config", "gpg.program", "touch"]);
    // A filter, whose file looks as if it had changed.
    std::fs::write(folder.path().join(".gitattributes"), "* filter=own.er\n").unwrap();
    git(folder.path(), &["config", "filter.own.er.clean", "touch caught; cat"]);
    git(folder.path(), &["config", "filter.own.er.required", "true"]);
    let file = std::fs::File::options().write(true).open(folder.path().join("a.rs")).unwrap();
    file.set_modified(std::time::UNIX_EPOCH).unwrap();
    let context = GitContext::read(&environment(folder.path())).await.unwrap();
    assert!(context.commits.ends_with(" First\n") && context.status.contains("A  a.rs"), "{context:?}");
    assert!(!folder.path().join("caught").exists());
    // Objects that a remote should send, by a command.
    for (name, value) in [
        ("core.repositoryFormatVersion", "1"),
        ("extensions.partialClone", "own"),
        ("remote.own.url", "ext::sh -c touch% caught"),
        ("remote.own.promisor", "true"),
        ("protocol.ext.allow", "always"),
    ] {
        git(folder.path(), &["config", name, value]);
    }
    for entry in std::fs::read_dir(folder.path().join(".git/objects")).unwrap().flatten() {
        std::fs::remove_dir_all(entry.path()).unwrap();
    }
    assert_eq!(GitContext::read(&environment(folder.path())).await, None);
    assert!(!folder.path().join("caught").exists());
    // More filters than can be switched off.
    let many: String = (0..400).map(|number| format!("[filter \"f{number}\"]\nclean = x\n")).collect();
    std::fs::write(folder.path().join(".git/config"), many).unwrap();
    assert_eq!(GitContext::read(&environment(folder.path())).await, None);
}
