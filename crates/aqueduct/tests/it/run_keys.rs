//! `aqueduct run` at a terminal that passes keys on: single keys as answers, and the terminal's modes afterwards.

use std::fs;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::terminal::{Place, Terminal, settled, steady};

const CTRL_C: &str = "\x03";
const CTRL_D: &str = "\x04";

fn bash(command: &str) -> String {
    format!("@tool Bash {}", json!({ "command": command, "description": "Do it" }))
}

fn start(place: &Place, prompt: &str) -> Terminal {
    place.run(&[prompt]).with_sequences().at_a_terminal()
}

#[test]
fn a_key_answers_without_enter() {
    let place = Place::new();
    let prompt = format!("{}\n{}\n@say Done.", bash("touch one"), bash("touch two"));
    let mut terminal = start(&place, &prompt);
    terminal.expect("touch one").expect("[y/a/n/r/s]").send("y");
    terminal.expect("touch two").expect("[y/a/n/r/s]").send("n");
    let (code, screen) = terminal.end();
    assert_eq!(code, 0, "{screen}");
    assert!(place.project().join("one").exists() && !place.project().join("two").exists());
}

#[test]
fn a_refusal_may_have_a_reason() {
    let place = Place::new();
    let mut terminal = start(&place, &bash("mv a b"));
    terminal.expect("[y/a/n/r/s]").send("x").expect("Press one of the keys");
    terminal.expect("[y/a/n/r/s]").send("r").expect("[why]").send("use git mv\n");
    let (code, screen) = terminal.end();
    assert!(code == 0 && screen.contains("after: use git mv"), "{screen}");
}

#[test]
fn pasted_text_and_arrow_keys_are_no_answers() {
    let place = Place::new();
    let mut terminal = start(&place, &format!("{}\n@say Done.", bash("touch pasted")));
    terminal.expect("[y/a/n/r/s]").send("yes, a long text").send("\x1b[A\x1b[y");
    // What follows a sequence at once belongs to it.
    terminal.send_until("x", "Press one of the keys").expect("[y/a/n/r/s]").send("n").expect("Done.");
    let (_, screen) = terminal.end();
    assert!(!place.project().join("pasted").exists(), "{screen}");
}

#[test]
fn questions_are_answered_by_the_key_of_an_option_or_in_words() {
    let place = Place::new();
    let option = |label: &str| json!({ "label": label, "description": "" });
    let question = |text: &str| json!({ "question": text, "header": "H", "multiSelect": false, "options": [option("Serif"), option("Mono")] });
    let questions = json!({ "questions": [question("Which font?"), question("Which other?")] });
    let mut terminal = start(&place, &format!("@tool AskUserQuestion {questions}\n@say Thanks."));
    terminal.expect("Which font?").expect("w for your own words").send("2");
    terminal.expect("Which other?").expect("w for your own words").send("w");
    terminal.expect("[your words]").send("none \u{1f600}\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, 0);
    assert!(screen.contains("\"Which font?\"=\"Mono\", \"Which other?\"=\"none"), "{screen}");
}

#[test]
fn the_terminal_has_its_modes_again_after_an_answer() {
    let place = Place::new();
    let mut terminal = start(&place, &format!("{}\n@slow 1000 0.05", bash("true; mv a b")));
    terminal.expect("[y/a/n/r/s]");
    assert!(!terminal.has_its_modes(), "keys are read one by one");
    terminal.send("n").expect("w0");
    assert!(terminal.has_its_modes());
    terminal.send(CTRL_C).expect("■ interrupted");
    assert_eq!(terminal.end().0, 130);
}

#[test]
fn signals_give_the_terminal_its_modes_back() {
    for (signal, code) in [(Signal::TERM, 143), (Signal::HUP, 129)] {
        let place = Place::new();
        let mut terminal = start(&place, &bash("mv a b")).kept_open();
        terminal.expect("[y/a/n/r/s]");
        assert!(!terminal.has_its_modes());
        kill_process(Pid::from_raw(terminal.pid().cast_signed()).unwrap(), signal).unwrap();
        assert_eq!(terminal.wait(), code);
        assert!(terminal.has_its_modes(), "{signal:?}");
    }
}

#[test]
fn ctrl_c_takes_a_question_back() {
    let place = Place::new();
    let mut terminal = start(&place, &bash("mv a b")).kept_open();
    terminal.expect("[y/a/n/r/s]").send(CTRL_C).expect("■ no longer asked");
    assert_eq!(terminal.wait(), 130);
    assert!(terminal.has_its_modes());
}

#[test]
fn the_end_of_the_terminals_input_is_a_no() {
    let place = Place::new();
    let mut terminal = start(&place, &bash("mv a b"));
    terminal.expect("[y/a/n/r/s]").send(CTRL_D);
    let (code, screen) = terminal.end();
    assert!(code == 0 && screen.contains("after: The user does not want this."), "{screen}");
}

#[test]
fn trust_is_answered_with_a_key() {
    let place = Place::new();
    fs::create_dir(place.project().join(".claude")).unwrap();
    let settings = r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"touch ran"}]}]}}"#;
    fs::write(place.project().join(".claude/settings.json"), settings).unwrap();
    let mut terminal = start(&place, "@say hi");
    terminal.expect("[q]uit:").send("n").expect("hi");
    assert_eq!(terminal.end().0, 0);
    assert!(!place.project().join("ran").exists());
}

#[test]
fn a_change_is_asked_about_as_a_difference() {
    let place = Place::new();
    let file = place.project().join("notes.txt");
    fs::write(&file, "one\ntwo\nthree\n").unwrap();
    let edit = json!({ "file_path": file, "old_string": "two\n", "new_string": "zwei\n" });
    let write = json!({ "file_path": file, "content": "one\nzwei\ndrei\n" });
    let read = json!({ "file_path": file });
    let prompt = format!("@tool Read {read}\n@tool Edit {edit}\n@tool Write {write}\n@say Done.");
    let mut terminal = start(&place, &prompt);
    terminal.expect("wants to use").expect("n/r/s]").send("a");
    let (code, screen) = terminal.end();
    assert_eq!((code, fs::read_to_string(&file).unwrap().as_str()), (0, "one\nzwei\ndrei\n"));
    let screen = screen.replace(place.project().to_str().unwrap(), "/proj");
    insta::assert_snapshot!(steady(&settled(&screen)), @r"
    ␛[33m! no key and no address of an API is set: the scripted demo model answers␛[0m
    ␛[2m  Set ANTHROPIC_API_KEY or ANTHROPIC_BASE_URL for a real one␛[0m
    ␛[2m· ␛[0m␛[2mbuilt-in agent 2.1.325 · scripted · mode default · /proj␛[0m
    ␛[32m✓ ␛[0m␛[1mRead␛[0m  notes.txt␛[2m  4 lines␛[0m
    ␛[33m?␛[0m The agent wants to use ␛[1mEdit␛[0m:
      file_path: notes.txt
    ␛[31m    - two␛[0m
    ␛[32m    + zwei␛[0m
      ␛[2masked because: no rule allows editing it␛[0m
      y          yes, this once
      a          yes, and from now on mode acceptEdits (until this session ends)
      n          no
      r          no, and why
      s          stop the run
    ␛[1m  [y/a/n/r/s]␛[0m a
    ␛[2m· mode acceptEdits␛[0m
    ␛[32m✓ ␛[0m␛[1mEdit␛[0m  notes.txt␛[2m  +1 -1␛[0m
    ␛[32m✓ ␛[0m␛[1mWrite␛[0m  notes.txt␛[2m  +1 -1␛[0m
        ␛[2m  one␛[0m
        ␛[2m  zwei␛[0m
        ␛[31m- three␛[0m
        ␛[32m+ drei␛[0m
    Done.
    ␛[2m─ 4 model turns · TIME · 640 tokens in (200 cached), 48 out · session ID
    ");
}
