//! What tests require of the machine, and which of it this run promises them.
//!
//! A test whose requirement is missing is skipped with a reason (crates/aqueduct-testing). If it is promised here, the
//! test fails instead: then the machine has it, and the product does not find it.

use std::process::Command;

use anyhow::Result;

use crate::system;

/// The variable that lists the promised requirements.
pub(super) const VARIABLE: &str = "AQUEDUCT_TEST_REQUIRE";

/// Asks the kernel for the version of Landlock: `landlock_create_ruleset` has this number on all processors.
const LANDLOCK: &str = "exit(syscall(444, 0, 0, 1) > 0 ? 0 : 1)";

/// Installs what tests require, and returns the names of what this machine has.
pub(super) fn promised() -> Result<Vec<&'static str>> {
    let mut promised = portable()?;
    if cfg!(target_os = "linux") {
        for (name, package) in [("zsh", "zsh"), ("fish", "fish"), ("systemd-analyze", "systemd")] {
            if is_installed(name, package) {
                promised.push(name);
            }
        }
        let has_perl = is_installed("perl", "perl");
        if has_perl && cfg!(target_arch = "x86_64") {
            promised.push("perl");
        }
        if has_perl && succeeds("perl", &["-e", LANDLOCK]) {
            promised.push("landlock");
        }
        let namespace = ["--ro-bind", "/", "/", "--unshare-all", "true"];
        if is_installed("bwrap", "bubblewrap") && succeeds("bwrap", &namespace) {
            promised.push("bubblewrap");
        }
        if succeeds("unshare", &["--user", "--map-root-user", "--pid", "--fork", "--mount-proc", "true"]) {
            promised.push("pid-namespace");
        }
    }
    Ok(promised)
}

/// The same without what only Linux has.
pub(super) fn portable() -> Result<Vec<&'static str>> {
    system::need("git", "--version", "git")?;
    Ok(vec!["git", if system::is_root() { "root" } else { "ordinary-user" }])
}

/// Installs a program. Without it, some tests are skipped.
fn is_installed(name: &str, package: &str) -> bool {
    let installed = system::need(name, "--version", package);
    if let Err(error) = &installed {
        println!("  {error:#}: some tests are skipped");
    }
    installed.is_ok()
}

fn succeeds(name: &str, arguments: &[&str]) -> bool {
    Command::new(name).args(arguments).output().is_ok_and(|output| output.status.success())
}
