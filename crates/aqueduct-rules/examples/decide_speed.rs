//! How long decisions take with 500 rules loaded: `cargo run --release -p aqueduct-rules --example decide_speed`.

use std::hint::black_box;
use std::time::{Duration, Instant};

use aqueduct_rules::{Behavior, Call, Context, Source, decide};
use serde_json::json;

/// A context with 500 rules of all kinds.
fn context() -> Context {
    let mut context = Context::new("/proj").with_home("/home/me");
    for number in 0..100 {
        context.add_rules(Source::UserSettings, Behavior::Allow, [format!("Bash(tool{number} run:*)")]);
        context.add_rules(Source::ProjectSettings, Behavior::Allow, [format!("Bash(tool{number} * --flag)")]);
        context.add_rules(Source::UserSettings, Behavior::Deny, [format!("Bash(bad{number}:*)")]);
        context.add_rules(Source::LocalSettings, Behavior::Deny, [format!("Read(secret{number}/**)")]);
        context.add_rules(Source::Session, Behavior::Allow, [format!("Edit(/out{number}/**)")]);
    }
    context
}

/// The time of the fastest of some decisions, so that a busy machine doesn't count.
fn fastest(context: &Context, command: &str, runs: usize) -> Duration {
    let input = json!({ "command": command });
    let times = (0..runs).map(|_| {
        let start = Instant::now();
        black_box(decide(context, &Call::new("Bash", black_box(&input))));
        start.elapsed()
    });
    times.min().unwrap_or_default()
}

fn main() {
    let context = context();
    let typical = [
        "git status",
        "npm run test",
        "tool42 run --all",
        "cat src/main.rs",
        "cd src && ls -la && grep -rn needle . | head -20",
        "git add -A && git commit -m \"fix: a thing\" && git push origin main",
        "RUST_BACKTRACE=1 timeout 60 tool7 run --release 2>&1 | tail -20",
    ];
    for command in typical {
        println!("{:>10.1?}  {command}", fastest(&context, command, 2001));
    }
    let large = [
        ("100 KB of echo", "echo hello world; ".repeat(100 * 1024 / 18)),
        ("100 KB of one word", format!("echo {}", "x".repeat(100 * 1024))),
        ("100 KB of words", format!("echo {}", "word ".repeat(20 * 1024))),
        ("100 KB of substitutions", "echo $(ls) ".repeat(100 * 1024 / 11)),
        ("100 KB of open substitutions", "$(".repeat(50 * 1024)),
        ("100 KB of open parentheses", "(".repeat(100 * 1024)),
        ("100 KB of backticks", "`".repeat(100 * 1024)),
        ("100 KB of quotes", "'\"".repeat(50 * 1024)),
        ("100 KB of here-documents", "cat <<E\n".repeat(100 * 1024 / 8)),
        ("100 KB of quoted documents", "\"$(cat <<'E'\n".repeat(100 * 1024 / 13)),
        ("100 KB of wrappers", "nice ".repeat(20 * 1024)),
        ("100 KB of find -exec", format!("find . {}", "-exec ls ; ".repeat(100 * 1024 / 11))),
        ("100 KB of paths", format!("cat {}", "src/a.rs ".repeat(100 * 1024 / 9))),
        ("100 KB of nested bash -c", "bash -c 'x' ".repeat(100 * 1024 / 12)),
        ("100 KB of braces", "{a,".repeat(100 * 1024 / 3)),
        ("100 KB of case patterns", format!("case x in {}", "a|".repeat(50 * 1024))),
        ("100 KB of variables", "a=1; echo $a; ".repeat(100 * 1024 / 14)),
        ("100 KB of cd", "cd a; ".repeat(100 * 1024 / 6)),
    ];
    for (name, command) in large {
        println!("{:>10.1?}  {name}", fastest(&context, &command, 9));
    }
}
