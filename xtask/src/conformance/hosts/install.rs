//! Installation of hosts from the registries, each into a folder of its own outside what is committed.
//!
//! Scripts of packages do not run: only what runs in the closed network may run. A mark that holds what was wanted
//! distinguishes a complete installation from a broken or an outdated one.

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

/// Holds what a complete installation is made of.
const MARK: &str = "ok";

/// Holds the reason of the last failure.
const FAILURE: &str = "failed";

/// Where a host is.
pub(super) struct Installed {
    pub(super) folder: PathBuf,
    pub(super) driver: PathBuf,
}

/// Installs a host if it is not there, and returns whether there was something to do. The reason why it can't be
/// installed is kept for [`installed`]: the suite goes into the closed network in another process.
pub(super) fn install(host: &Host) -> Result<bool> {
    let folder = folder(host)?;
    if is_complete(host, &folder) {
        return Ok(false);
    }
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let fetched = match &host.source {
        Source::Npm(packages) => npm(&folder, packages),
        Source::PyPi(lock) => pypi(&folder, lock),
        Source::Crate { features, tests } => crates_io(host, &folder, features, tests),
    };
    match fetched {
        Ok(()) => write(&folder.join(MARK), &wanted(host)).map(|()| true),
        Err(error) => {
            write(&folder.join(FAILURE), &format!("{error:#}"))?;
            Err(error)
        }
    }
}

/// A host that is installed, with its driver.
pub(super) fn installed(host: &Host) -> Result<Installed> {
    let folder = folder(host)?;
    if !is_complete(host, &folder) {
        let reason = fs::read_to_string(folder.join(FAILURE)).unwrap_or_else(|_| "unknown reason".to_owned());
        bail!("it cannot be installed: {}", reason.trim_end());
    }
    let installed = place(host, folder)?;
    if let Some(package) = host.native {
        build_native(&installed, package)?;
    }
    Ok(installed)
}

/// Where a host is kept.
pub(super) fn folder(host: &Host) -> Result<PathBuf> {
    Ok(lab()?.join("hosts").join(format!("{}-{}", host.name, host.version)))
}

fn is_complete(host: &Host, folder: &Path) -> bool {
    fs::read_to_string(folder.join(MARK)).is_ok_and(|done| done == wanted(host))
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
fn wanted(host: &Host) -> String {
    match &host.source {
        Source::Npm(packages) => format!("{}as of {AS_OF}\n", manifest(packages)),
        Source::PyPi(lock) => (*lock).to_owned(),
        Source::Crate { features, tests } => {
            format!("{} {} {features:?} {tests:?}\n", host.name, host.version)
        }
    }
}

fn manifest(packages: &[(&str, &str)]) -> String {
    let dependencies: Map<String, Value> =
        packages.iter().map(|(name, version)| ((*name).to_owned(), json!(version))).collect();
    format!("{:#}\n", json!({ "private": true, "dependencies": dependencies }))
}

/// Installs packages of npm with the dependencies of one day.
pub(in crate::conformance) fn npm(folder: &Path, packages: &[(&str, &str)]) -> Result<()> {
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

/// Installs packages of PyPI, all of which the lock names, into a Python of their own.
pub(in crate::conformance) fn pypi(folder: &Path, lock: &str) -> Result<()> {
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

/// Fetches a crate and builds its tests, with the dependencies of the lock file that it brings.
fn crates_io(host: &Host, folder: &Path, features: &[&str], tests: &[&str]) -> Result<()> {
    let project = folder.join("fetch");
    fs::create_dir_all(project.join("src")).context("cannot make a directory")?;
    let (name, version) = (host.name, host.version);
    let manifest = format!(
        "[package]\nname = \"fetch\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n\
         [dependencies]\n{name} = \"={version}\"\n\n[workspace]\n"
    );
    write(&project.join("Cargo.toml"), &manifest)?;
    write(&project.join("src/lib.rs"), "")?;
    let sources = folder.join("vendor");
    must_run(Command::new("cargo").current_dir(&project).args(["vendor", "--quiet"]).arg(&sources))?;
    // Its own copy: a folder of vendored sources is not a workspace to build in.
    let source = folder.join("source");
    let _ = fs::remove_dir_all(&source);
    must_run(Command::new("cp").arg("-r").arg(sources.join(name)).arg(&source))?;
    let mut build = Command::new("cargo");
    build.current_dir(&source).args(["test", "--no-run", "--locked", "--message-format=json"]);
    build.args(["--features", &features.join(",")]).env("CARGO_TARGET_DIR", folder.join("target"));
    tests.iter().for_each(|test| {
        build.args(["--test", test]);
    });
    let ended = program::run(&mut build)?;
    if !ended.success {
        bail!("the tests of {name} cannot be built:\n{}", ended.output.trim_end());
    }
    let built = ended.output.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    for artifact in built {
        let (Some(test), Some(program)) =
            (artifact["target"]["name"].as_str(), artifact["executable"].as_str())
        else {
            continue;
        };
        let place = folder.join(test);
        fs::copy(program, &place).with_context(|| format!("cannot write {}", place.display()))?;
    }
    Ok(())
}

/// Builds the native part of a package from its sources, in the closed network, against the headers of the Node that
/// runs it. Once: the file is kept.
fn build_native(installed: &Installed, package: &str) -> Result<()> {
    let mark = installed.folder.join("built");
    if mark.is_file() {
        return Ok(());
    }
    let node = program::run(Command::new("node").args(["-p", "path.resolve(process.execPath, '../..')"]))?;
    let prefix = Path::new(node.output.trim());
    if !prefix.join("include/node/node.h").is_file() {
        bail!(
            "{package} is built from its sources, and the headers of Node.js are not in {}: install the package \
             libnode-dev, or Node.js from its own distribution",
            prefix.join("include/node").display()
        );
    }
    must_run(
        Command::new("npm")
            .current_dir(&installed.folder)
            .args(["rebuild", package, "--build-from-source"])
            .env("npm_config_nodedir", prefix)
            // The module runs for a minute, while optimizing it takes several on a busy machine.
            .envs([("CFLAGS", "-O0"), ("CXXFLAGS", "-O0")]),
    )?;
    write(&mark, package)
}

pub(in crate::conformance) fn must_run(command: &mut Command) -> Result<()> {
    let ended = program::run(command)?;
    match ended.success {
        true => Ok(()),
        false => bail!("{} failed:\n{}", command.get_program().display(), ended.output.trim_end()),
    }
}

pub(in crate::conformance) fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}
