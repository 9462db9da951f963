//! `aqueduct completions`: what shells make of the scripts.

use std::process::{Command, Stdio};

use aqueduct_testing::{has_fish, has_zsh, require};

use crate::{aqueduct, file, isolated, run};

/// The script for a shell.
fn script(folder: &tempfile::TempDir, shell: &str, program: &str) -> String {
    let made = run(&mut aqueduct(&["completions", shell, "--program", program]));
    assert_eq!((made.code, made.err.as_str()), (0, ""));
    file(folder, program, made.out)
}

/// What bash offers for the last word of a command line: the function that the script registers is called as bash does.
fn bash(words: &[&str]) -> Vec<String> {
    const COMPLETE: &str = r#"
        set -e
        source "$1"; shift
        registered=$(complete -p "$1"); function=${registered##*-F }; function=${function%% *}
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
        # compopt works only inside the line editor.
        compopt() { :; }
        "$function" "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        printf '%s\n' "${COMPREPLY[@]}""#;
    let folder = tempfile::tempdir().unwrap();
    let script = script(&folder, "bash", words[0]);
    let mut shell = Command::new("bash");
    isolated(&mut shell).args(["--norc", "-c", COMPLETE, "bash", &script]).args(words).stdin(Stdio::null());
    let ended = run(shell.current_dir(folder.path()));
    assert_eq!((ended.code, ended.err.as_str()), (0, ""), "{words:?}");
    ended.out.lines().map(str::to_owned).collect()
}

#[test]
fn bash_completes_commands_options_and_values() {
    assert_eq!(bash(&["aqueduct", "ser"]), ["serve"]);
    assert_eq!(bash(&["aqueduct", "token", "re"]), ["revoke"]);
    assert_eq!(bash(&["aqueduct", "serve", "--data-d"]), ["--data-dir"]);
    assert_eq!(bash(&["aqueduct", "completions", "z"]), ["zsh"]);
    assert_eq!(bash(&["aqueduct", "sessions", "search", "--js"]), ["--json"]);
    assert_eq!(bash(&["aqueduct", "mcp", "logi"]), ["login"]);
    assert!(!bash(&["aqueduct", ""]).iter().any(|word| word == "keeper" || word == "man-pages"));
}

#[test]
fn bash_completes_the_agents_own_flags() {
    for program in [&["aqueduct", "agent"][..], &["aqueduct-agent"]] {
        let complete = |rest: &[&str]| bash(&[program, rest].concat());
        assert_eq!(complete(&["--permission-m"]), ["--permission-mode"]);
        assert_eq!(complete(&["--output-format", "s"]), ["stream-json"]);
        assert_eq!(complete(&["mcp", "add-j"]), ["add-json"]);
        assert_eq!(complete(&["mcp", "add", "--tr"]), ["--transport"]);
        assert!(
            !complete(&["--"]).iter().any(|flag| flag == "--sdk-url"),
            "it is accepted and means nothing"
        );
        assert!(!complete(&[""]).iter().any(|word| word == "update"), "it is refused");
    }
}

#[test]
fn fish_completes() {
    require!(has_fish());
    let folder = tempfile::tempdir().unwrap();
    for (program, line, offered) in [
        ("aqueduct", "aqueduct ser", "serve"),
        ("aqueduct", "aqueduct agent --permission-m", "--permission-mode"),
        ("aqueduct-agent", "aqueduct-agent --output-f", "--output-format"),
    ] {
        let script = script(&folder, "fish", program);
        let complete = format!("source {script}; complete --do-complete '{line}'");
        let mut shell = Command::new("fish");
        isolated(&mut shell).env("HOME", folder.path()).args(["--no-config", "-c", &complete]);
        let ended = run(shell.stdin(Stdio::null()));
        let words: Vec<&str> = ended.out.lines().filter_map(|line| line.split('\t').next()).collect();
        assert!(words.contains(&offered), "{line}: {} {}", ended.out, ended.err);
    }
}

#[test]
fn zsh_loads_the_scripts() {
    require!(has_zsh());
    let folder = tempfile::tempdir().unwrap();
    for program in ["aqueduct", "aqueduct-agent"] {
        let script = script(&folder, "zsh", program);
        let function = format!("_{program}");
        std::fs::rename(script, folder.path().join(&function)).unwrap();
        let load = format!(
            "fpath=({} $fpath); autoload -Uz compinit; compinit -u -D; print $_comps[{program}]; \
             autoload +X {function} && print loaded; zsh -n {0}/{function} && print valid",
            folder.path().display()
        );
        let mut shell = Command::new("zsh");
        isolated(&mut shell).args(["-f", "-c", &load]).stdin(Stdio::null());
        let ended = run(&mut shell);
        assert_eq!(ended.out, format!("{function}\nloaded\nvalid\n"), "{}", ended.err);
    }
}
