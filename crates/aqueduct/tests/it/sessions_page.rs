//! docs/sessions.md: its examples run.

use std::path::Path;
use std::process::Command;

use crate::console::{blocks, fits};

const PAGE: &str = include_str!("../../../../docs/sessions.md");

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
                "$ {command}\n{printed}\nThe page has:\n{expected}"
            );
        }
    }
}
