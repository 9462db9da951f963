//! The suite `install`: the package in a fresh Debian, from its installation to its removal, with an upgrade under a
//! running turn.
//!
//! `machine.rs` is the Debian, `service.rs` does what systemd does there, `client.rs` is a client of the bridge.

mod client;
mod machine;
mod service;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::json;

use self::client::Client;
use self::machine::{Machine, image};
use self::service::{Service, USER};
use super::Args;
use crate::dist::{DebianPackage, Payload};
use crate::terminal;
use crate::workspace::Workspace;

/// What a turn runs: it shows that it runs, and waits.
const WAITS: &str = "touch started; cat released; echo went";

/// Folders whose contents no package owns: what dpkg, logs and caches keep.
const NOT_COMPARED: &[&str] = &["/dev", "/proc", "/run", "/tmp", "/var/cache", "/var/lib/dpkg", "/var/log"];

pub(super) fn prepare(args: &Args) -> Result<()> {
    let workspace = Workspace::find()?;
    image(&workspace)?;
    args.print_progress("building the packages");
    let payload = Payload::build(&workspace, "dev")?;
    let folder = packages(&workspace);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for (name, suffix) in [("first.deb", ""), ("second.deb", "+upgrade")] {
        let version = format!("{}{suffix}", payload.version());
        let made = DebianPackage { payload: &payload, version: &version }.write(&workspace, &folder)?;
        fs::rename(&made, folder.join(name)).with_context(|| format!("cannot rename {}", made.display()))?;
    }
    Ok(())
}

/// Where the packages wait for the closed network, in which nothing is built.
fn packages(workspace: &Workspace) -> PathBuf {
    workspace.scratch("conformance/install/packages")
}

pub(super) fn play(workspace: &Workspace, _: &Args, _: &Path) -> Result<bool> {
    let machine = Machine::start(&image(workspace)?)?;
    let mut play = Play { machine, packages: packages(workspace), before: BTreeSet::new() };
    let started = Instant::now();
    let steps: &[(&str, Step)] = &[
        ("the package is installed", Play::install),
        ("a turn continues through an upgrade", Play::upgrade),
        ("a removed package leaves data", Play::remove),
        ("a purged package leaves nothing", Play::purge),
    ];
    let paint = terminal::stdout();
    for (name, step) in steps {
        if let Err(error) = step(&mut play) {
            println!("  {} {name}: {error:#}", paint.red("FAILED"));
            return Ok(false);
        }
        println!("  {} {name}", paint.green("ok    "));
    }
    println!("  {} steps {}", steps.len(), terminal::seconds(started.elapsed()));
    Ok(true)
}

type Step = fn(&mut Play) -> Result<()>;

/// The machine, and what is remembered from step to step.
struct Play {
    machine: Machine,
    packages: PathBuf,
    /// All files before the package was installed.
    before: BTreeSet<String>,
}

impl Play {
    fn install(&mut self) -> Result<()> {
        self.before = self.files()?;
        self.dpkg_install("first.deb")?;
        for path in [
            "/usr/bin/aqueduct",
            "/usr/bin/aqueduct-agent",
            "/usr/lib/systemd/system/aqueduct.service",
            "/usr/lib/systemd/user/aqueduct.service",
            "/usr/share/man/man1/aqueduct-serve.1.gz",
            "/usr/share/man/man1/aqueduct-agent.1.gz",
            "/usr/share/bash-completion/completions/aqueduct",
            "/usr/share/doc/aqueduct/THIRD-PARTY-LICENCES.gz",
        ] {
            ensure!(self.machine.path(path).is_file(), "{path} is missing");
        }
        let wanted = self.machine.path("/etc/systemd/system/multi-user.target.wants/aqueduct.service");
        ensure!(wanted.is_symlink(), "the service is not enabled");
        self.machine.run(&["aqueduct-agent", "--version"])?;
        self.machine.run_as(USER, &["aqueduct", "doctor"]).map(drop)
    }

    /// Pairs, starts a turn, and upgrades the package under it.
    fn upgrade(&mut self) -> Result<()> {
        let service = Service::start(&self.machine)?;
        let pairing = self.machine.run_as(USER, &["aqueduct", "pair", "--json"])?;
        let client = Client::pair(&pairing)?;
        const PROJECT: &str = "/var/lib/aqueduct/demo";
        let settings = r#"{"permissions":{"allow":["Bash"]}}"#;
        let setup = format!(
            "mkdir -p ~/.claude {PROJECT} && printf '%s' '{settings}' > ~/.claude/settings.json && \
             mkfifo {PROJECT}/released"
        );
        self.machine.run_as(USER, &["sh", "-c", &setup])?;
        let session = client.start(PROJECT, &format!("@tool Bash {}", json!({ "command": WAITS })))?;
        let started = self.machine.path(&format!("{PROJECT}/started"));
        client::wait("the command runs", || Ok(started.exists()))?;
        let keepers = self.machine.processes("keeper")?;
        ensure!(keepers.len() == 1, "there is one keeper, not {}", keepers.len());

        self.dpkg_install("second.deb")?;
        let version = self.machine.run(&["dpkg-query", "--show", "--showformat=${Version}", "aqueduct"])?;
        ensure!(version.ends_with("+upgrade"), "the version is {version}");
        ensure!(self.machine.processes("keeper")? == keepers, "the keeper ended with the upgrade");
        service.stop(&self.machine)?;
        ensure!(self.machine.processes("keeper")? == keepers, "the keeper ended with the bridge");
        let service = Service::start(&self.machine)?;
        let released = self.machine.path(&format!("{PROJECT}/released"));
        fs::write(&released, "").with_context(|| format!("cannot write to {}", released.display()))?;
        client.finish(&session)?;
        // It runs until the package is removed.
        drop(service);
        Ok(())
    }

    /// The bridge runs, and so does the idle agent.
    fn remove(&mut self) -> Result<()> {
        self.machine.run(&["dpkg", "--remove", "aqueduct"])?;
        let running = [self.machine.processes("serve")?, self.machine.processes("keeper")?].concat();
        ensure!(running.is_empty(), "processes are left: {running:?}");
        let is_data = |path: &&String| {
            let below = |folder: &str| *path == folder || path.starts_with(&format!("{folder}/"));
            !below("/var/lib/aqueduct") && !below("/etc/aqueduct")
        };
        let left = self.left()?;
        let other: Vec<&String> = left.iter().filter(is_data).collect();
        ensure!(other.is_empty(), "more than data is left: {other:?}");
        let log = "/var/lib/aqueduct/.local/share/aqueduct/log.sqlite3";
        ensure!(left.contains(log), "the data is gone");
        Ok(())
    }

    fn purge(&mut self) -> Result<()> {
        self.machine.run(&["dpkg", "--purge", "aqueduct"])?;
        let left = self.left()?;
        ensure!(left.is_empty(), "{left:?} are left");
        match self.machine.run(&["getent", "passwd", USER]) {
            Ok(user) => bail!("the user is left: {user}"),
            Err(_) => Ok(()),
        }
    }

    fn dpkg_install(&self, name: &str) -> Result<()> {
        let to = self.machine.path("/tmp").join(name);
        fs::copy(self.packages.join(name), &to).with_context(|| format!("cannot copy {name}"))?;
        self.machine.run(&["dpkg", "--install", &format!("/tmp/{name}")]).map(drop)
    }

    /// What the machine has more than before the installation.
    fn left(&self) -> Result<BTreeSet<String>> {
        Ok(self.files()?.difference(&self.before).cloned().collect())
    }

    /// All files and folders, without those that no package owns.
    fn files(&self) -> Result<BTreeSet<String>> {
        let listed = self.machine.run(&["find", "/", "-xdev"])?;
        let is_compared = |path: &&str| {
            !NOT_COMPARED.iter().any(|folder| *path == *folder || path.starts_with(&format!("{folder}/")))
        };
        // Tools that change the list of users keep a copy of the last one.
        let is_copy = |path: &&str| path.starts_with("/etc/") && path.ends_with('-');
        Ok(listed.lines().filter(is_compared).filter(|path| !is_copy(path)).map(str::to_owned).collect())
    }
}
