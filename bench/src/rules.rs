//! How long decisions take with 500 rules loaded.

use std::hint::black_box;
use std::time::Duration;

use anyhow::Result;
use aqueduct_rules::{Behavior, Call, Context, Source, decide};
use serde_json::{Value, json};

use crate::args::{Args, One};
use crate::measure;
use crate::report::{Report, Table};

const NAME: &str = "rules";

/// What a typical command and one of 100 KB may take.
const TYPICAL: Duration = Duration::from_micros(20);
const LARGE: Duration = Duration::from_millis(20);

const TYPICAL_COMMANDS: &[&str] = &[
    "git status",
    "npm run test",
    "tool42 run --all",
    "cat src/main.rs",
    "touch notes.md",
    "make all > /tmp/log/make.txt",
    "cd src && ls -la && grep -rn needle . | head -20",
    "git add -A && git commit -m \"fix: a thing\" && git push origin main",
    "RUST_BACKTRACE=1 timeout 60 tool7 run --release 2>&1 | tail -20",
];

/// Commands of 100 KB: what they are full of, how they begin, and what is repeated.
const LARGE_COMMANDS: &[(&str, &str, &str)] = &[
    ("simple commands", "", "echo hello world; "),
    ("commands that no rule allows", "", "other thing; "),
    ("one command that no rule allows among simple ones", "make; ", "echo hello world; "),
    ("edits", "", "touch a; "),
    ("redirections", "", "ls > a; "),
    ("git commands", "", "git status; "),
    ("one word", "echo ", "x"),
    ("words", "echo ", "word "),
    ("substitutions", "", "echo $(ls) "),
    ("open substitutions", "", "$("),
    ("open parentheses", "", "("),
    ("backticks", "", "`"),
    ("quotes", "", "'\""),
    ("here-documents", "", "cat <<E\n"),
    ("quoted here-documents", "", "\"$(cat <<'E'\n"),
    ("wrappers", "", "nice "),
    ("find -exec", "find . ", "-exec ls ; "),
    ("paths", "cat ", "src/a.rs "),
    ("nested shells", "", "bash -c 'x' "),
    ("braces", "", "{a,"),
    ("case patterns", "case x in ", "a|"),
    ("variables", "", "a=1; echo $a; "),
    ("changes of directory", "", "cd a; "),
];

/// A context with 500 rules of all kinds.
fn context() -> Context {
    let mut context = Context::new("/proj").with_home("/home/me");
    for number in 0..100 {
        let _ =
            context.add_rules(Source::UserSettings, Behavior::Allow, [format!("Bash(tool{number} run:*)")]);
        let _ = context.add_rules(
            Source::ProjectSettings,
            Behavior::Allow,
            [format!("Bash(tool{number} * --flag)")],
        );
        let _ = context.add_rules(Source::UserSettings, Behavior::Deny, [format!("Bash(bad{number}:*)")]);
        let _ =
            context.add_rules(Source::LocalSettings, Behavior::Deny, [format!("Read(secret{number}/**)")]);
        let _ = context.add_rules(Source::Session, Behavior::Allow, [format!("Edit(/out{number}/**)")]);
    }
    context
}

fn large(begin: &str, repeated: &str) -> String {
    format!("{begin}{}", repeated.repeat((100 * 1024 - begin.len()) / repeated.len()))
}

/// Decides about one command `--lines` times. `--stream` is the command.
pub(crate) fn run_one(one: &One) -> Result<()> {
    let (context, input) = (context(), json!({ "command": one.stream }));
    for _ in 0..if one.idle { 0 } else { one.lines } {
        black_box(decide(&context, &Call::new("Bash", black_box(&input))));
    }
    Ok(())
}

/// Runs the bench.
pub(crate) fn run(args: &Args) -> Result<Report> {
    let context = context();
    let (many, few) = if args.quick { (101, 3) } else { (5001, 15) };
    let mut table = Table::new(&["command", "best", "median", "target"]);
    let mut json = Vec::new();
    let mut measured = |name: String, command: &str, rounds, target| {
        let (row, value) = decided(&context, &name, command, rounds, target);
        table.push(row);
        json.push(value);
    };
    eprintln!("{NAME}: typical commands");
    for command in TYPICAL_COMMANDS {
        measured(format!("`{}`", command.replace('|', "\\|")), command, many, TYPICAL);
    }
    eprintln!("{NAME}: commands of 100 KB");
    for (what, begin, repeated) in LARGE_COMMANDS {
        measured(format!("100 KB of {what}"), &large(begin, repeated), few, LARGE);
    }
    let text = format!("Deciding about a Bash call with 500 rules loaded.\n\n{table}");
    Ok(Report { bench: NAME, how: NAME.to_owned(), text, json: json!(json) })
}

/// Decides about a command again and again: the row of the table, and the same for programs.
fn decided(
    context: &Context,
    name: &str,
    command: &str,
    rounds: usize,
    target: Duration,
) -> (Vec<String>, Value) {
    let input = json!({ "command": command });
    let call = Call::new("Bash", &input);
    let rounds = measure::alone(rounds, || {
        black_box(decide(context, black_box(&call)));
    });
    let (best, median) = (rounds.best(), rounds.median());
    let verdict = if median <= target { "met" } else { "**missed**" };
    let row = vec![
        name.to_owned(),
        format!("{best:.1?}"),
        format!("{median:.1?}"),
        format!("≤ {target:?}: {verdict}"),
    ];
    let json = json!({
        "command": name,
        "best_us": best.as_secs_f64() * 1e6,
        "median_us": median.as_secs_f64() * 1e6,
        "target_us": target.as_secs_f64() * 1e6,
    });
    (row, json)
}
