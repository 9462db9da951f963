//! docs/agent.md: its examples run, and it names every flag and tool.

use std::path::Path;
use std::process::Command;

use crate::host::Place;

const PAGE: &str = include_str!("../../../../docs/agent.md");

/// A command of an example and its output. `…` matches any text; on a line of its own, any lines.
struct Example {
    command: String,
    output: Vec<String>,
}

/// The console blocks of the page.
fn blocks() -> Vec<Vec<Example>> {
    let blocks = PAGE.split("```console\n").skip(1).filter_map(|rest| rest.split_once("\n```"));
    let examples = blocks.map(|(block, _)| {
        let mut examples: Vec<Example> = Vec::new();
        for line in block.lines() {
            match (line.strip_prefix("$ "), examples.last_mut()) {
                (Some(command), _) => {
                    examples.push(Example { command: command.to_owned(), output: Vec::new() })
                }
                (None, Some(example)) => example.output.push(line.to_owned()),
                (None, None) => panic!("a block begins with a command, not with {line}"),
            }
        }
        examples
    });
    examples.collect()
}

/// Whether a text matches a pattern with `…`.
fn fits(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('…');
    let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        let Some((_, after)) = rest.split_once(part) else { return false };
        rest = after;
    }
    rest.ends_with(last)
}

#[test]
fn patterns_match() {
    assert!(fits("a…b…c", "a1b2c") && fits("abc", "abc") && fits("…", "") && fits("a…", "a\nb"));
    assert!(!fits("a…b", "ab!") && !fits("abc", "abcd") && !fits("a…b…c", "acb"));
}

#[test]
#[cfg_attr(aqueduct_portable, ignore = "portable can't hold commands in a sandbox, which an example shows")]
fn examples_run() {
    let programs = Path::new(env!("CARGO_BIN_EXE_aqueduct-agent")).parent().expect("a folder").to_owned();
    let path = std::env::var("PATH").unwrap_or_default();
    for block in blocks() {
        let place = Place::new();
        let mut aliases = String::from("shopt -s expand_aliases\n");
        for example in block {
            if example.command.starts_with("alias ") {
                aliases.push_str(&format!("{}\n", example.command));
                continue;
            }
            let run = Command::new("bash")
                .args(["-c", &format!("{aliases}{{ {}\n}} 2>&1", example.command)])
                .current_dir(place.project())
                .env_clear()
                .env("PATH", format!("{}:{path}", programs.display()))
                .env("HOME", place.home())
                .output()
                .expect("a shell");
            // The page shows a machine that has bubblewrap.
            let is_shown = |line: &&str| !line.starts_with("Warning: the sandbox is held by Landlock alone");
            let printed = String::from_utf8_lossy(&run.stdout);
            let printed = printed.lines().filter(is_shown).collect::<Vec<_>>().join("\n");
            let expected = example.output.join("\n");
            assert!(
                fits(&expected, printed.trim_end_matches('\n')),
                "$ {}\n{printed}\nThe page has:\n{expected}",
                example.command
            );
        }
    }
}

#[test]
fn the_page_has_every_flag_of_the_help() {
    let help = aqueduct_agent::command_line::help();
    let mut lines = help.lines().skip_while(|line| *line != "Options:").skip(1);
    let escaped = |text: &str| text.trim().replace('|', "\\|");
    let mut rows = 0;
    while let Some(flag) = lines.next().filter(|line| !line.is_empty()) {
        let row = format!("| `{}` | {} |", escaped(flag), escaped(lines.next().expect("what it does")));
        assert!(PAGE.contains(&row), "docs/agent.md lacks this row:\n{row}");
        rows += 1;
    }
    let reported = PAGE.lines().filter(|line| line.starts_with("| `-")).count();
    assert_eq!(reported, rows, "docs/agent.md has a flag that --help does not have");
    let (_, ignored) = help.split_once("hosts pass them: ").expect("the ignored flags");
    for flag in ignored.lines().next().unwrap_or_default().split_whitespace() {
        assert!(PAGE.contains(&format!("`{flag}`")), "docs/agent.md lacks {flag}");
    }
}

#[test]
fn the_page_has_every_tool() {
    let place = Place::new();
    let mut host = place.start(&["--permission-prompt-tool", "stdio"]);
    host.say("@say hi");
    let init = host.until(|frame| frame["subtype"] == "init").pop().expect("init");
    for tool in init["tools"].as_array().expect("tools") {
        let name = format!("`{}`", tool.as_str().expect("a name"));
        assert!(PAGE.contains(&name), "docs/agent.md lacks the tool {name}");
    }
}
