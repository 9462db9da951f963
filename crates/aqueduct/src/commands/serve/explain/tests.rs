use std::fmt::Write as _;
use std::fs;

use rustix::fs::{CWD, Mode, mkfifoat};

use super::*;

fn wait(explaining: Explaining) -> Explanation {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(explaining)
}

/// A call in a project with these settings, as a person would read it.
fn explained(settings: &str, tool: &str, input: &str) -> String {
    let place = tempfile::tempdir().unwrap();
    let project = place.path().canonicalize().unwrap();
    fs::create_dir(project.join(".claude")).unwrap();
    fs::write(project.join(".claude/settings.json"), settings).unwrap();
    let explainer = Explainer::new(Folders::default());
    let explanation = wait(explainer.explain(&ExplainedCall { tool, input, project: &project, mode: None }));
    let mut text = String::new();
    for part in &explanation.parts {
        let verdict = part.behavior.as_ref().map_or("", |behavior| behavior.as_str());
        let _ = writeln!(text, "{verdict}: {} ({})", part.text, part.reason.as_deref().unwrap_or_default());
        for (what, values) in [("reads", &part.reads), ("writes", &part.writes), ("connects", &part.connects)]
        {
            for value in values.iter().flatten() {
                let _ = writeln!(text, "  {what} {value}");
            }
        }
    }
    for (rule, destination, description) in &explanation.rules {
        let _ = writeln!(text, "+ {rule} in {destination}: {}", description.as_deref().unwrap_or_default());
    }
    text.replace(project.to_str().unwrap(), "/proj")
}

#[test]
fn a_shell_line_is_explained_in_its_parts() {
    let settings = r#"{"permissions":{"deny":["Bash(git push *)"]}}"#;
    let input = r#"{"command":"cargo test --workspace && git push --force; curl https://u:p@example.com/x > out.txt"}"#;
    insta::assert_snapshot!(explained(settings, "Bash", input), @r"
    deny: cargo test --workspace (rule `Bash(git push *)` of projectSettings denies `git push --force`)
    deny: git push --force (matched a deny rule)
    deny: curl https://u:p@example.com/x (rule `Bash(git push *)` of projectSettings denies `git push --force`)
      writes /proj/out.txt
      connects example.com
    ");
}

#[test]
fn the_narrowest_rule_comes_first() {
    insta::assert_snapshot!(explained("{}", "Bash", r#"{"command":"cargo test --workspace"}"#), @r"
    ask: cargo test --workspace (no rule allows `cargo test --workspace`)
    + Bash(cargo test --workspace) in localSettings: `cargo test --workspace`, exactly so
    + Bash(cargo test *) in localSettings: `cargo test`, alone and with any arguments
    ");
    insta::assert_snapshot!(explained("{}", "WebFetch", r#"{"url":"https://example.com/a","prompt":"x"}"#), @"+ WebFetch(domain:example.com) in localSettings: fetching pages of example.com");
    insta::assert_snapshot!(explained("{}", "mcp__files__read", "{}"), @"+ mcp__files__read in localSettings: every call of read of the MCP server files");
}

#[test]
fn settings_that_change_are_read_again() {
    let place = tempfile::tempdir().unwrap();
    let project = place.path().canonicalize().unwrap();
    let explainer = Explainer::new(Folders::default());
    let verdict = || {
        let call =
            ExplainedCall { tool: "Bash", input: r#"{"command":"make all"}"#, project: &project, mode: None };
        wait(explainer.explain(&call)).parts[0].behavior.clone().unwrap().as_str().to_owned()
    };
    assert_eq!(verdict(), "ask");
    fs::create_dir(project.join(".claude")).unwrap();
    fs::write(project.join(".claude/settings.local.json"), r#"{"permissions":{"deny":["Bash(make *)"]}}"#)
        .unwrap();
    assert_eq!(verdict(), "deny");
    fs::remove_file(project.join(".claude/settings.local.json")).unwrap();
    assert_eq!(verdict(), "ask");
}

#[test]
fn an_input_that_is_not_a_call_is_not_explained() {
    assert_eq!(explained("{}", "Bash", "no json"), "");
    assert_eq!(explained("{}", "Bash", &format!(r#"{{"command":"{}"}}"#, "x".repeat(LARGEST))), "");
}

#[test]
fn rules_are_described_in_words() {
    let explainer = Explainer::new(Folders::default());
    let described = |rule: &str| explainer.describe(rule).unwrap();
    let rules = [
        "Bash",
        "Bash(npm test)",
        "Bash(npm run test:*)",
        "Bash(cargo build *)",
        "Bash(git * --dry-run)",
        "Read(//etc/hosts)",
        "Read(~/notes/**)",
        "Edit(/src/**)",
        "Edit(//tmp/x/**)",
        "WebFetch(domain:example.com)",
        "mcp__files",
        "mcp__files__read",
        "NotebookEdit",
        "Skill(review)",
    ];
    let page: Vec<String> = rules.iter().map(|rule| format!("{rule}: {}", described(rule))).collect();
    insta::assert_snapshot!(page.join("\n"), @r"
    Bash: every command
    Bash(npm test): `npm test`, exactly so
    Bash(npm run test:*): `npm run test`, alone and with any arguments
    Bash(cargo build *): `cargo build`, alone and with any arguments
    Bash(git * --dry-run): commands like `git * --dry-run`, where * is anything
    Read(//etc/hosts): reading /etc/hosts
    Read(~/notes/**): reading everything in ~/notes
    Edit(/src/**): changing everything in src of the project
    Edit(//tmp/x/**): changing everything in /tmp/x
    WebFetch(domain:example.com): fetching pages of example.com
    mcp__files: every tool of the MCP server files
    mcp__files__read: every call of read of the MCP server files
    NotebookEdit: every call of NotebookEdit
    Skill(review): the skill review
    ");
    assert_eq!(explainer.describe("Bash(broken"), None);
}

/// Settings on a disk that does not answer, here a pipe without a writer, block nothing else: neither the
/// thread that asks nor explanations in other projects.
#[tokio::test]
async fn a_disk_that_does_not_answer_blocks_nothing_else() {
    let place = tempfile::tempdir().unwrap();
    let [stuck, other] = ["stuck", "other"].map(|name| place.path().canonicalize().unwrap().join(name));
    fs::create_dir_all(stuck.join(".claude")).unwrap();
    fs::create_dir(&other).unwrap();
    let pipe = stuck.join(".claude/settings.json");
    mkfifoat(CWD, &pipe, Mode::RWXU).unwrap();
    let explainer = Explainer::new(Folders::default());
    let input = r#"{"command":"make all"}"#;
    let call = |project| ExplainedCall { tool: "Bash", input, project, mode: None };
    let mut first = explainer.explain(&call(&stuck));
    let second = explainer.explain(&call(&other));
    tokio::select! {
        biased;
        _ = &mut first => panic!("the settings have not been written"),
        explanation = second => assert_eq!(explanation.parts.len(), 1),
    }
    fs::write(&pipe, "{}").unwrap();
    assert_eq!(first.await.parts.len(), 1);
}
