//! docs/sessions.md: its examples run.

use std::path::Path;
use std::process::Command;

const PAGE: &str = include_str!("../../../../docs/sessions.md");

/// The console blocks of a page: commands, each with the lines it prints. `…` stands for anything; on a line of
/// its own, for any lines.
fn blocks(page: &str) -> Vec<Vec<(String, Vec<&str>)>> {
    let blocks = page.split("```console\n").skip(1).filter_map(|rest| rest.split_once("\n```"));
    let examples = blocks.map(|(block, _)| {
        let mut examples: Vec<(String, Vec<&str>)> = Vec::new();
        for line in block.lines() {
            match (line.strip_prefix("$ "), examples.last_mut()) {
                (Some(command), _) => examples.push((command.to_owned(), Vec::new())),
                (None, Some((_, output))) => output.push(line),
                (None, None) => panic!("a block begins with a command, not with {line}"),
            }
        }
        examples
    });
    examples.collect()
}

/// Whether a text is what a pattern with `…` says.
fn fits(pattern: &str, text: &str) -> bool {
    let mut parts: Vec<&str> = pattern.split('…').collect();
    let last = parts.pop().unwrap_or_default();
    let Some((first, parts)) = parts.split_first() else { return last == text };
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    for part in parts {
        let Some((_, after)) = rest.split_once(part) else { return false };
        rest = after;
    }
    rest.ends_with(last)
}

#[test]
fn examples_run() {
    let programs = Path::new(env!("CARGO_BIN_EXE_aqueduct")).parent().expect("a folder").to_owned();
    let path = std::env::var("PATH").unwrap_or_default();
    for block in blocks(PAGE) {
        let home = tempfile::tempdir().expect("a folder");
        let real = home.path().canonicalize().expect("the folder");
        std::fs::create_dir(real.join("proj")).expect("a project");
        for (command, output) in block {
            let run = Command::new("bash")
                .args(["-c", &format!("{{ {command}\n}} 2>&1")])
                .current_dir(real.join("proj"))
                .env_clear()
                .env("PATH", format!("{}:{path}", programs.display()))
                .env("HOME", &real)
                .env("COLUMNS", "100")
                .output()
                .expect("a shell");
            let printed = String::from_utf8_lossy(&run.stdout);
            let expected = output.join("\n");
            assert!(
                fits(&expected, printed.trim_end_matches('\n')),
                "$ {command}\n{printed}\nThe page says:\n{expected}"
            );
        }
    }
}
