//! Git commands and the repository they would use.

use aqueduct_rules::git_config::{inspect, parse};
use aqueduct_rules::{Behavior, Call, Context, Own, Program, Repository, When, decide, git_directories};
use proptest::prelude::*;
use serde_json::json;

use crate::world::with_rules;

fn behavior(context: &Context, command: &str, repository: Option<Repository>) -> Behavior {
    let input = json!({ "command": command });
    let call = Call::new("Bash", &input);
    let found: Vec<(String, Repository)> =
        git_directories(context, &call).into_iter().zip(repository.into_iter().cycle()).collect();
    decide(context, &call.with_repositories(&found)).behavior
}

fn own(program: Option<(&str, When)>) -> Option<Repository> {
    let program = program.map(|(setting, when)| Program { setting: setting.to_owned(), when });
    Some(Repository::Own(Own { program, remotes: vec!["origin".to_owned()] }))
}

fn foreign() -> Option<Repository> {
    Some(Repository::Foreign("and it is a bare repository".to_owned()))
}

#[test]
fn without_facts_git_is_asked_about() {
    for rules in [&[][..], &["allow Bash(git:*)"], &["allow Bash(git status)"]] {
        assert_eq!(behavior(&with_rules("default", rules), "git status", None), Behavior::Ask, "{rules:?}");
    }
    assert_eq!(behavior(&with_rules("dontAsk", &[]), "git status", None), Behavior::Deny);
    assert_eq!(behavior(&with_rules("plan", &[]), "git status", None), Behavior::Deny);
    assert_eq!(behavior(&with_rules("default", &["allow Bash"]), "git status", None), Behavior::Allow);
}

#[test]
fn only_the_own_repository_without_programs_needs_no_rule() {
    let context = with_rules("default", &[]);
    assert_eq!(behavior(&context, "git status", own(None)), Behavior::Allow);
    assert_eq!(behavior(&context, "git status", Some(Repository::None)), Behavior::Allow);
    assert_eq!(behavior(&context, "git status", foreign()), Behavior::Ask);
    for when in [When::Anytime, When::CalledFor] {
        assert_eq!(behavior(&context, "git status", own(Some(("x.y", when)))), Behavior::Ask);
    }
}

/// The author of a rule for commits expects hooks, editors and helpers of the own repository, and no more.
#[test]
fn a_rule_accepts_programs_that_are_called_for() {
    for rule in ["allow Bash(git:*)", "allow Bash(git commit *)", "allow Bash(git commit -m x)"] {
        let context = with_rules("default", &[rule]);
        let of = |repository| behavior(&context, "git commit -m x", repository);
        assert_eq!(of(own(None)), Behavior::Allow, "{rule}");
        assert_eq!(of(own(Some(("gpg.program", When::CalledFor)))), Behavior::Allow, "{rule}");
        assert_eq!(of(own(Some(("core.fsmonitor", When::Anytime)))), Behavior::Ask, "{rule}");
        assert_eq!(of(foreign()), Behavior::Ask, "{rule}");
    }
}

#[test]
fn a_rule_may_name_another_repository_itself() {
    let context =
        with_rules("default", &["allow Bash(git -C /srv/x status)", "allow Bash(git -C /srv/y log:*)"]);
    assert_eq!(behavior(&context, "git -C /srv/y log", foreign()), Behavior::Ask, "it reads outside");
    let context = with_rules(
        "default",
        &["allow Bash(git -C /srv/x status)", "allow Bash(git -C /srv/x log:*)", "allow Read(//srv/**)"],
    );
    assert_eq!(behavior(&context, "git -C /srv/x status", foreign()), Behavior::Allow);
    assert_eq!(behavior(&context, "git -C /srv/x log -3", foreign()), Behavior::Allow);
    assert_eq!(behavior(&context, "git -C /srv/x/y log -3", foreign()), Behavior::Ask);
}

#[test]
fn remotes_are_those_of_the_repository() {
    let context = with_rules("default", &["allow Bash(git:*)"]);
    let of = |command: &str| behavior(&context, command, own(None));
    for command in [
        "git push",
        "git push origin main",
        "git push -u origin HEAD",
        "git push -o ci.skip origin main",
        "git push https://example.com/x.git HEAD",
        "git push git@example.com:a/b.git HEAD:x",
        "git fetch --depth 1 origin main",
        "git pull --rebase origin main",
        "git ls-remote --heads origin",
        "git remote show origin",
        "git remote add up git@example.com:a/b.git",
        "git clone --depth 1 -b main https://example.com/x.git",
        "git submodule add https://example.com/x.git x",
    ] {
        assert_eq!(of(command), Behavior::Allow, "{command}");
    }
    for command in ["git push upstream", "git fetch sub", "git pull . main", "git remote update x"] {
        assert_eq!(of(command), Behavior::Ask, "{command}");
    }
}

#[test]
fn the_directories_of_git_commands_are_reported() {
    let context = with_rules("default", &[]);
    let of = |command: &str| {
        let input = json!({ "command": command });
        git_directories(&context, &Call::new("Bash", &input))
    };
    assert_eq!(of("git status"), ["/proj"]);
    assert_eq!(of("git -C a -C b status; gh pr list"), ["/proj", "/proj/a/b"]);
    assert_eq!(of("cd sub && git log"), ["/proj", "/proj/sub"]);
    assert_eq!(of("timeout 5 git -C /x log"), ["/x"]);
    assert_eq!(of("git -C \"$x\" log"), [""; 0]);
    assert_eq!(of("make all"), [""; 0]);
}

proptest! {
    /// A configuration from anywhere is read or counts as naming a program, and hides no setting that follows it.
    #[test]
    fn no_text_hides_a_setting(text in r#"[\[\]"\\a-c=#; \n\t.]{0,40}"#) {
        let is_readable = parse(&text).is_ok();
        prop_assert!(is_readable || inspect(&text).program.is_some());
        if is_readable {
            let more = format!("{text}\n[core]\nfsmonitor = x\n");
            prop_assert!(inspect(&more).program.is_some_and(|program| program.when == When::Anytime));
        }
    }
}

/// What makes a folder a repository while git runs beside it is asked about in every mode.
#[test]
fn a_repository_that_is_made_in_the_same_text() {
    let context = with_rules("default", &["allow Bash(git:*)", "allow Bash(cp:*)", "allow Bash(mkdir:*)"]);
    let of = |command: &str| behavior(&context, command, own(None));
    for command in ["cp x/HEAD . && git status", "mkdir objects refs && git log", "cp x/.git src; git diff"] {
        assert_eq!(of(command), Behavior::Ask, "{command}");
    }
    assert_eq!(of("mkdir out && git status"), Behavior::Allow);
}
