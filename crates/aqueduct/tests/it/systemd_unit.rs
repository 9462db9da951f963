//! `aqueduct systemd-unit`: systemd accepts the units.

use std::fs;
use std::process::{Command, Stdio};

use aqueduct_testing::{has_systemd_analyze, require};

use crate::{aqueduct, isolated, run};

fn unit(arguments: &[&str]) -> String {
    let printed = run(&mut aqueduct(&[&["systemd-unit"], arguments].concat()));
    assert_eq!((printed.code, printed.err.as_str()), (0, ""));
    printed.out
}

#[test]
fn systemd_accepts_the_units() {
    require!(has_systemd_analyze());
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("aqueduct.socket"), unit(&["--socket"])).unwrap();
    for (manager, arguments) in [("--system", &["--system"][..]), ("--user", &[])] {
        let path = folder.path().join("aqueduct.service");
        let text = unit(arguments);
        assert!(text.contains(env!("CARGO_BIN_EXE_aqueduct")), "it starts this program: {text}");
        fs::write(&path, text).unwrap();
        let mut verify = Command::new("systemd-analyze");
        isolated(&mut verify).args([manager, "--man=no", "verify"]).arg(&path);
        verify.arg(folder.path().join("aqueduct.socket"));
        // The user's systemd wants the folder of a login.
        verify.env("XDG_RUNTIME_DIR", folder.path()).env("HOME", folder.path()).stdin(Stdio::null());
        let ended = run(&mut verify);
        assert_eq!((ended.code, ended.out.as_str(), ended.err.as_str()), (0, "", ""), "{manager}");
    }
}

#[test]
fn agents_outlive_a_restart() {
    for text in [unit(&["--system"]), unit(&[])] {
        let lines: Vec<&str> = text.lines().collect();
        for line in ["Type=notify", "KillMode=process", "OOMPolicy=continue", "WatchdogSec=60"] {
            assert!(lines.contains(&line), "{line} is missing: {text}");
        }
        assert!(!lines.iter().any(|line| line.starts_with("PrivateTmp")), "{text}");
    }
}
