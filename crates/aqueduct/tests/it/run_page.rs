//! docs/run.md: its examples run, and it names every option.

use std::path::Path;

use crate::console::{blocks, fits};
use crate::terminal::Place;
use crate::{aqueduct, run};

const PAGE: &str = include_str!("../../../../docs/run.md");

#[test]
fn examples_run() {
    let programs = Path::new(env!("CARGO_BIN_EXE_aqueduct")).parent().expect("a folder");
    for block in blocks(PAGE) {
        let place = Place::new();
        for (command, output) in block {
            let shell = place.shell(&format!("{{ {command}\n}} 2>&1"));
            let left = shell.env("PATH", &format!("{}:/usr/bin:/bin", programs.display())).end();
            let expected = output.join("\n");
            assert!(
                fits(&expected, left.out.trim_end_matches('\n')),
                "$ {command}\n{}\nThe page has:\n{expected}",
                left.out
            );
        }
    }
}

#[test]
fn the_page_has_every_option_of_the_help() {
    let help = run(&mut aqueduct(&["run", "--help"])).out;
    let options = help.split_once("Options:").expect("options").1.split("Examples:").next().expect("a part");
    let words = options.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    let words = words.filter(|word| word.starts_with("--") && word.len() > 2);
    let mut count = 0;
    for option in words.filter(|word| *word != "--help") {
        count += 1;
        assert!(PAGE.contains(&format!("`{option}`")), "docs/run.md lacks {option}");
    }
    assert!(count > 20, "the help is read wrong: {options}");
}
