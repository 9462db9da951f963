//! Commands that try to slip past a rule set; none of them may be allowed.

use std::collections::{HashMap, HashSet};

use aqueduct_rules::{Behavior, Context};

use crate::world::{decided, shell, unmasked, with_rules};

/// Programs with a rule each in the set `many`.
const PROGRAMS: &str = "cargo make pytest python3 docker find sed awk tar sort rg fd jq tee cp mv ls cat xargs env \
    timeout npm npx yarn pnpm go rsync ssh man less vi printf read test";

/// Commands with a rule each in the set `tools`.
const TOOLS: &str = "npm run test, npm install, npm test, npm, pnpm test, pnpm, pnpm run, yarn, yarn test, bun, bun run, bun \
    test, npx jest, npx vitest, npx eslint, npx prettier, npx tsc, make test, ninja, cmake, ctest, cargo \
    test, cargo clippy, cargo fmt, cargo run, cargo build, cargo doc, cargo, go test, go, pytest, python -m \
    pytest, python3 -m unittest, deno, deno test, docker, docker ps, docker build, docker compose up, docker \
    compose, kubectl, kubectl get, terraform, terraform plan, mvn, gradle, ./gradlew, ./mvnw, dotnet, bundle \
    exec rspec, bundle, rake, composer, rspec, phpunit, vendor/bin/phpunit, swift, swift test, uv run \
    pytest, poetry run pytest, pip install, tox, nox, just, task, bazel, curl, wget, ssh, tar, zip, unzip, \
    rsync, gh, scp";

fn rules(set: &str) -> Context {
    match set {
        "none" => with_rules("default", &[]),
        "git" => with_rules("default", &["allow Bash(git:*)"]),
        "npm" => with_rules("default", &["allow Bash(npm run test:*)"]),
        "echo" => with_rules("default", &["allow Bash(echo:*)"]),
        "deny" => with_rules(
            "default",
            &["allow Bash", "deny Bash(git push:*)", "deny Bash(rm:*)", "deny Bash(curl:*)"],
        ),
        "read" => with_rules(
            "default",
            &["allow Bash", "deny Read(./.env)", "deny Read(~/.ssh/**)", "deny Read(//etc/shadow)"],
        ),
        "write" => with_rules("default", &["allow Bash", "deny Edit(out.txt)"]),
        "edit" => with_rules("acceptEdits", &["deny Edit(secrets/**)"]),
        "eg" => with_rules(
            "acceptEdits",
            &["allow Bash(git:*)", "allow Bash(npm run test:*)", "allow Bash(echo:*)"],
        ),
        "wide" => {
            with_rules("default", &["allow Bash", "allow Read", "allow Read(~/**)", "allow Read(//**)"])
        }
        "plan" => with_rules("plan", &["allow Bash", "allow Edit"]),
        "one" => with_rules(
            "default",
            &[
                "allow Bash(git status:*)",
                "allow Bash(git log:*)",
                "allow Bash(git diff *)",
                "allow Bash(git push:*)",
                "allow Bash(git fetch:*)",
                "allow Bash(git commit:*)",
                "allow Bash(git config:*)",
                "allow Bash(git -C * status)",
            ],
        ),
        "there" => elsewhere(with_rules("default", &["allow Bash(git status)"])),
        "tgit" => elsewhere(with_rules(
            "default",
            &[
                "allow Bash(git:*)",
                "allow Bash(git-status)",
                "allow Bash(git-lfs:*)",
                "allow Bash(gh:*)",
                "allow Bash(jj:*)",
            ],
        )),
        "tedit" => elsewhere(with_rules("acceptEdits", &["allow Bash(git:*)"])),
        "tplan" => elsewhere(with_rules("plan", &["allow Bash", "allow Bash(git:*)"])),
        "many" => {
            let rules: Vec<String> =
                PROGRAMS.split(' ').map(|program| format!("allow Bash({program}:*)")).collect();
            with_rules("default", &rules.iter().map(String::as_str).collect::<Vec<_>>())
        }
        "tools" => {
            let rules: Vec<String> = TOOLS.split(", ").map(|tool| format!("allow Bash({tool}:*)")).collect();
            with_rules("default", &rules.iter().map(String::as_str).collect::<Vec<_>>())
        }
        other => panic!("unknown set {other}"),
    }
}

/// After a `cd` into a folder that is a repository of its own.
fn elsewhere(mut context: Context) -> Context {
    context.set_cwd("/proj/tests/fixtures/repo");
    context
}

fn corpus() -> Vec<(&'static str, String)> {
    let lines = include_str!("attacks.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| (line[..5].trim_end(), unmasked(&line[6..]))).collect()
}

#[test]
fn the_corpus_is_large() {
    assert!(corpus().len() >= 4000);
}

#[test]
fn no_attack_is_allowed() {
    let mut contexts: HashMap<&str, Context> = HashMap::new();
    let allowed: Vec<String> = corpus()
        .into_iter()
        .filter_map(|(set, command)| {
            let decision = shell(contexts.entry(set).or_insert_with(|| rules(set)), &command);
            (decision.behavior == Behavior::Allow).then(|| format!("{set}: {command:?}: {}", decision.reason))
        })
        .collect();
    assert!(allowed.is_empty(), "allowed:\n{}", allowed.join("\n"));
}

#[test]
fn no_attack_is_listed_twice() {
    let mut seen = HashSet::new();
    let lines = include_str!("attacks.txt").lines().filter(|line| !line.is_empty());
    let twice: Vec<&str> = lines.filter(|line| !seen.insert(*line)).collect();
    assert!(twice.is_empty(), "{}", twice.join("\n"));
}

#[test]
fn no_attack_by_another_tool_is_allowed() {
    let mut context: Option<Context> = None;
    let mut allowed = Vec::new();
    for line in include_str!("tool_attacks.txt").lines() {
        if let Some(set) = line.strip_prefix("== ") {
            let (mode, rules) = set.split_once("; ").unwrap_or((set, ""));
            let rules: Vec<&str> = rules.split("; ").filter(|rule| !rule.is_empty()).collect();
            context = Some(with_rules(mode, &rules));
        } else if let Some((tool, input)) = line.split_once(' ').filter(|_| !line.starts_with('#')) {
            let input = serde_json::from_str(input).expect("JSON");
            let context = context.as_ref().expect("a set before its calls");
            if decided(context, tool, &input).behavior == Behavior::Allow {
                allowed.push(line);
            }
        }
    }
    assert!(allowed.is_empty(), "allowed:\n{}", allowed.join("\n"));
}

/// A bypassing agent still obeys what is denied.
#[test]
fn bypassing_does_not_help_against_a_deny_rule() {
    let context =
        with_rules("bypassPermissions", &["deny Bash(git push:*)", "deny Bash(rm:*)", "deny Bash(curl:*)"]);
    for (_, command) in corpus().into_iter().filter(|(set, _)| *set == "deny") {
        let decision = shell(&context, &command);
        assert_ne!(decision.behavior, Behavior::Allow, "{command:?}: {}", decision.reason);
    }
}
