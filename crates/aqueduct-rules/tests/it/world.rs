//! The machine the tests decide for, and short ways to ask about calls.

use aqueduct_rules::{
    Behavior, Call, Context, Decision, Mode, Own, Repository, Source, decide, git_directories,
};
use serde_json::{Value, json};

/// A project in `/proj` of a user whose home is `/home/me`.
pub(crate) fn context() -> Context {
    Context::new("/proj").with_home("/home/me")
}

/// A context in a mode with rules of the user: `allow …`, `ask …`, `deny …`.
pub(crate) fn with_rules(mode: &str, rules: &[&str]) -> Context {
    let mode: Mode = mode.parse().expect("a known mode");
    let mut context = context().with_mode(mode).expect("a mode that can be entered");
    for rule in rules {
        let (behavior, rule) = rule.split_once(' ').expect("a behavior and a rule");
        // Some can't be used, which is what their test is about.
        let _ = context.add_rules(Source::UserSettings, named(behavior), [rule]);
    }
    context
}

pub(crate) fn named(behavior: &str) -> Behavior {
    Behavior::ALL.into_iter().find(|known| known.name() == behavior).expect("a known behavior")
}

pub(crate) fn shell(context: &Context, command: &str) -> Decision {
    decided(context, "Bash", &json!({ "command": command }))
}

/// A decision for a project that is a repository without programs in its configuration. `src` belongs to it; every other
/// directory is a repository of its own.
pub(crate) fn decided(context: &Context, tool: &str, input: &Value) -> Decision {
    let call = Call::new(tool, input);
    let repositories = repositories(context, &call);
    decide(context, &call.with_repositories(&repositories))
}

pub(crate) fn repositories(context: &Context, call: &Call<'_>) -> Vec<(String, Repository)> {
    let own = Own { program: None, remotes: ["origin", "upstream"].map(str::to_owned).to_vec() };
    let found = |directory: &str| match directory {
        "/proj" | "/proj/src" => Repository::Own(own.clone()),
        _ => Repository::Foreign("which is a repository of its own".to_owned()),
    };
    git_directories(context, call).into_iter().map(|path| (path.clone(), found(&path))).collect()
}

/// The input of a tool for the one thing that matters about it.
pub(crate) fn input(tool: &str, subject: &str) -> Value {
    match tool {
        "Bash" => json!({ "command": subject }),
        "Read" => json!({ "file_path": subject }),
        "Glob" | "Grep" if subject.is_empty() => json!({ "pattern": "x" }),
        "Glob" | "Grep" => json!({ "pattern": "x", "path": subject }),
        "Write" => json!({ "file_path": subject, "content": "x" }),
        "Edit" => json!({ "file_path": subject, "old_string": "x", "new_string": "y" }),
        "NotebookEdit" => json!({ "notebook_path": subject, "new_source": "x" }),
        "WebFetch" => json!({ "url": subject, "prompt": "p" }),
        "Task" | "Agent" => json!({ "subagent_type": subject, "prompt": "p" }),
        "Skill" => json!({ "skill": subject }),
        _ => json!({}),
    }
}

/// A text with `‹hex›` replaced by the character it represents.
pub(crate) fn unmasked(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('‹') {
        let (code, after) = after.split_once('›').expect("a closed character code");
        let code = u32::from_str_radix(code, 16).expect("a hexadecimal code");
        plain.push_str(before);
        plain.push(char::from_u32(code).expect("a character"));
        rest = after;
    }
    plain.push_str(rest);
    plain
}
