//! Installation of hosts from the registries, each into a folder of its own outside what is committed.
//!
//! Scripts of packages do not run: only what runs in the closed network may run. A mark that holds what was wanted
//! tells a complete installation from a broken or an outdated one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use serde_json::{Map, Value, json};

use super::catalog::{AS_OF, Driver, Host, Source};
use crate::conformance::reference::lab;
use crate::program;

/// What drivers import.
const SHARED: [Driver; 2] = [("host.mjs", include_str!("host.mjs")), ("host.py", include_str!("host.py"))];

/// Where a host is.
pub(super) struct Installed {
    pub(super) folder: PathBuf,
    pub(super) driver: PathBuf,
}

/// Installs a host if it is not there.
pub(super) fn install(host: &Host) -> Result<Installed> {
    let folder = lab()?.join("hosts").join(format!("{}-{}", host.name, host.version));
    let mark = folder.join("ok");
    let wanted = wanted(&host.source);
    if fs::read_to_string(&mark).is_ok_and(|done| done == wanted) {
        return place(host, folder);
    }
    println!("installing {} {} into {}", host.name, host.version, folder.display());
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    match &host.source {
        Source::Npm(packages) => npm(&folder, packages)?,
        Source::PyPi(lock) => pypi(&folder, lock)?,
    }
    write(&mark, &wanted)?;
    place(host, folder)
}

/// Puts the driver beside the packages: Node looks for packages where a program is.
fn place(host: &Host, folder: PathBuf) -> Result<Installed> {
    let (name, text) = host.driver;
    for (name, text) in SHARED.into_iter().chain([(name, text)]) {
        write(&folder.join(name), text)?;
    }
    let driver = folder.join(name);
    Ok(Installed { folder, driver })
}

/// What an installation is made of, in words that change when it does.
fn wanted(source: &Source) -> String {
    match source {
        Source::Npm(packages) => format!("{}as of {AS_OF}\n", manifest(packages)),
        Source::PyPi(lock) => (*lock).to_owned(),
    }
}

fn manifest(packages: &[(&str, &str)]) -> String {
    let dependencies: Map<String, Value> =
        packages.iter().map(|(name, version)| ((*name).to_owned(), json!(version))).collect();
    format!("{:#}\n", json!({ "private": true, "dependencies": dependencies }))
}

fn npm(folder: &Path, packages: &[(&str, &str)]) -> Result<()> {
    if !program::exists("npm", "--version") {
        bail!("npm is missing: install Node.js 20 or newer");
    }
    write(&folder.join("package.json"), &manifest(packages))?;
    must_run(
        Command::new("npm")
            .current_dir(folder)
            .args(["install", "--no-audit", "--no-fund", "--ignore-scripts"])
            .arg(format!("--before={AS_OF}")),
    )
}

fn pypi(folder: &Path, lock: &str) -> Result<()> {
    must_run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(folder))?;
    let requirements = folder.join("requirements.txt");
    write(&requirements, lock)?;
    // A wheel is unpacked; a source package would run code of its own to be built.
    must_run(
        Command::new(folder.join("bin/python"))
            .args(["-m", "pip", "install", "--quiet", "--no-deps", "--only-binary", ":all:", "--requirement"])
            .arg(requirements),
    )
}

fn must_run(command: &mut Command) -> Result<()> {
    let ended = program::run(command)?;
    match ended.success {
        true => Ok(()),
        false => bail!("{} failed:\n{}", command.get_program().display(), ended.output.trim_end()),
    }
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}
