//! Any text as a shell command, under rules that allow, ask and deny: a decision, never a panic, and never
//! an allowed command that a deny rule for everything in it would have missed.
#![no_main]

use aqueduct_rules::{Behavior, Call, Context, Own, Repository, Source, decide, git_directories, paths};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let input = serde_json::json!({ "command": text });
    let call = Call::new("Bash", &input);
    let mut context = Context::new("/project").with_home("/home/me");
    let directories = git_directories(&context, &call).into_iter();
    let repositories: Vec<_> = directories.map(|path| (path, Repository::Own(Own::default()))).collect();
    let call = call.with_repositories(&repositories);
    let _ = context.add_rules(
        Source::Session,
        Behavior::Allow,
        ["Bash(git:*)", "Bash(npm run *)", "Bash(echo:*)"],
    );
    let before = decide(&context, &call).behavior;
    let _ = context.add_rules(Source::Session, Behavior::Deny, ["Bash(git push:*)", "Read(.env)"]);
    let after = decide(&context, &call).behavior;
    assert!(after >= before, "a deny rule made {text:?} looser");
    paths(&context, &call);
});
