//! `cargo xtask deny`: cargo-deny for every workspace, with the advisories of RustSec.
//!
//! The step `deny` of `cargo xtask test` leaves advisories out: their database comes from the network and changes from
//! one day to the next. This chore checks them too, and installs cargo-deny where it is missing.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::workspace::Workspace;
use crate::{program, terminal};

/// The version that is installed where there is none.
const VERSION: &str = "0.20.2";

/// The workspaces, which have lock files of their own.
const MANIFESTS: &[&str] = &["Cargo.toml", "bench/Cargo.toml", "fuzz/Cargo.toml", "modelcheck/Cargo.toml"];

/// Where cargo-deny gets the database.
const DATABASE: &str = "https://github.com/RustSec/advisory-db";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Leave out the advisories, whose database comes from the network
    #[arg(long, conflicts_with = "database")]
    no_advisories: bool,
    /// A git repository on this machine with RustSec's database, in place of the one on the network
    #[arg(long, value_name = "FOLDER")]
    database: Option<PathBuf>,
}

pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<bool> {
    let database = args.database.as_deref().map(std::path::absolute).transpose()?;
    let deny = installed(workspace)?;
    let (mut rows, mut failed) = (Vec::new(), 0);
    for manifest in MANIFESTS {
        let mut command = workspace.command(&deny.to_string_lossy());
        command.args(["--manifest-path", manifest, "--color", "never", "check"]);
        // The configuration is that of the repository for all workspaces.
        command.arg("--config").arg(workspace.path("deny.toml"));
        if args.no_advisories {
            command.args(["bans", "licenses", "sources"]);
        }
        if let Some(database) = &database {
            // cargo-deny runs git, which takes another address for the database.
            command.env("GIT_CONFIG_COUNT", "1").env("GIT_CONFIG_VALUE_0", DATABASE);
            command.env("GIT_CONFIG_KEY_0", format!("url.{}.insteadOf", database.display()));
        }
        let ended = program::run(&mut command)?;
        if !ended.success && ended.output.contains("failed to fetch advisory database") {
            bail!(
                "the database of advisories can't be fetched: give a copy with --database, or check the rest with \
                 --no-advisories; cargo-deny reported:\n{}",
                ended.output.trim_end()
            );
        }
        if !ended.success {
            failed += 1;
            println!("{}", ended.output.trim_end());
        }
        let verdict = if ended.success { "ok" } else { "FINDING" };
        let summary = ended.output.lines().rfind(|line| line.contains("bans ")).unwrap_or_default();
        rows.push(vec![(*manifest).to_owned(), verdict.to_owned(), summary.trim().to_owned()]);
    }
    println!("{}", terminal::table(&["workspace", "", "checks"], &rows));
    Ok(failed == 0)
}

/// cargo-deny: the one on the path, or one that is built once into `target`.
fn installed(workspace: &Workspace) -> Result<PathBuf> {
    let on_path = Path::new("cargo-deny");
    if program::exists("cargo-deny", "--version") {
        return Ok(on_path.to_owned());
    }
    let root = workspace.scratch("cargo-deny");
    let built = root.join("bin").join(on_path);
    if !built.is_file() {
        println!("  building cargo-deny {VERSION}, once");
        let mut install = workspace.cargo(["install", "--locked", "--version", VERSION, "cargo-deny"]);
        let ended = program::run(install.arg("--root").arg(&root))?;
        if !ended.success {
            bail!("cargo-deny can't be installed:\n{}", ended.output.trim_end());
        }
    }
    Ok(built)
}
