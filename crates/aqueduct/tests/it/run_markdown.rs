//! The answer of `aqueduct run` as Markdown at a terminal, and as it is elsewhere.

use serde_json::json;

use crate::terminal::{Place, settled, steady};

const ANSWER: &str = "# Result\n\nThere are **two** files, and `main.rs` is the *larger* one:\n\n\
    - `main.rs` \u{1f600}\n- [the docs](https://example.org/docs)\n\n\
    ```rust\nfn main() {}\n```\n\n| File | Lines |\n|---|---:|\n| main.rs | 120 |\n| 日本.rs | 7 |\n\n\
    > Not \x1b[2Jobeyed.\n";

fn prompt() -> String {
    format!("@delta 3\n@blocks {}", json!([{ "type": "text", "text": ANSWER }]))
}

#[test]
fn an_answer_is_laid_out_at_a_terminal() {
    let place = Place::new();
    let terminal = place.run(&[&prompt()]).with_sequences().env("COLUMNS", "60").at_a_terminal();
    let (code, screen) = terminal.end();
    assert_eq!(code, 0);
    // The lines before it name the folder.
    let screen = steady(&settled(&screen));
    let answer = screen.find("␛[1;4mResult").unwrap();
    insta::assert_snapshot!(&screen[answer..], @r"
    ␛[1;4mResult␛[0m

    There are ␛[1mtwo␛[0m files, and ␛[36mmain.rs␛[0m is the ␛[3mlarger␛[0m one:

    • ␛[36mmain.rs␛[0m 😀
    • ␛[4mthe docs␛[0m ␛[2m(https://example.org/docs)␛[0m

    ␛[36m  fn main() {}␛[0m

    ␛[1mFile␛[0m   ␛[2m │ ␛[0m␛[1mLines␛[0m
    ␛[2m────────┼──────␛[0m
    main.rs␛[2m │ ␛[0m  120
    日本.rs␛[2m │ ␛[0m    7

    ␛[2m│ ␛[0mNot \x1b[2Jobeyed.
    ␛[2m─ 1 model turn · TIME · 160 tokens in (50 cached), 12 out · session ID
    ");
}

#[test]
fn links_are_sent_to_terminals_that_show_them() {
    let place = Place::new();
    let terminal = place.run(&[&prompt()]).with_sequences().env("VTE_VERSION", "7600").at_a_terminal();
    let (_, screen) = terminal.end();
    assert!(screen.contains("\x1b]8;;https://example.org/docs\x1b\\"), "{screen:?}");
}

#[test]
fn an_answer_is_as_it_is_without_colours_and_in_a_file() {
    let place = Place::new();
    for variables in [[("TERM", "xterm-256color"), ("NO_COLOR", "1")], [("TERM", "dumb"), ("NO_COLOR", "")]] {
        let mut run = place.run(&["-q", &prompt()]);
        for (name, value) in variables {
            run = run.env(name, value);
        }
        let (_, screen) = run.at_a_terminal().end();
        let shown = ANSWER.trim_end().replace('\x1b', r"\x1b");
        assert_eq!(screen.trim_end(), shown, "{variables:?}");
    }
    let file = place.run(&["-q", &prompt()]).with_sequences().stdout_to_file();
    file.at_a_terminal().end();
    assert_eq!(std::fs::read_to_string(place.aside("stdout")).unwrap().trim_end(), ANSWER.trim_end());
}
