//! `cargo xtask dist`: everything that is published, built into one folder with checksums.
//!
//! `payload.rs` is the one list of files that archives and packages install.

mod checksum;
mod components;
mod debian;
mod elf;
mod licences;
mod payload;
mod sbom;
mod tarball;

pub(crate) use self::debian::DebianPackage;
pub(crate) use self::payload::Payload;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use crate::workspace::Workspace;
use crate::{packages, program, terminal};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Build only these artefacts; all of them if none is named
    artefacts: Vec<String>,
    /// List the artefacts and end
    #[arg(long)]
    list: bool,
    /// The profile of the programs: dist is what is published, the others are for tests of packages
    #[arg(long, value_name = "PROFILE", default_value = "dist")]
    profile: String,
}

/// Something that is published.
struct Artefact {
    name: &'static str,
    about: &'static str,
    /// Writes its files into the folder.
    build: fn(&Build<'_>) -> Result<Made>,
}

/// What artefacts are built from, and where to.
struct Build<'a> {
    workspace: &'a Workspace,
    folder: &'a Path,
    profile: &'a str,
}

/// Whether there is an artefact.
enum Made {
    Yes,
    /// This machine can't make it, for this reason.
    No(String),
}

const ARTEFACTS: &[Artefact] = &[
    Artefact { name: "npm", about: "aqueduct-client for npm: a tarball for npm publish", build: npm },
    Artefact {
        name: "python",
        about: "aqueduct-client for PyPI: a wheel and a source archive",
        build: python,
    },
    Artefact {
        name: "tar",
        about: "the programs for Linux, with man pages, completions, licences and units of systemd",
        build: tar,
    },
    Artefact { name: "deb", about: "the same as a package for Debian, with a service", build: deb },
    Artefact {
        name: "static",
        about: "the program for any Linux, without the system's C library",
        build: static_program,
    },
    Artefact {
        name: "sbom",
        about: "the libraries in the programs, as CycloneDX JSON",
        build: |build| {
            sbom::write(build.workspace, build.folder)?;
            Ok(Made::Yes)
        },
    },
];

/// The target of the artefact `static`.
const STATIC_TARGET: &str = "x86_64-unknown-linux-musl";

/// The checksums of all files, in the form of `sha256sum`.
const CHECKSUMS: &str = "SHA256SUMS";

pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<bool> {
    if args.list {
        let row = |artefact: &Artefact| vec![artefact.name.to_owned(), artefact.about.to_owned()];
        let rows: Vec<_> = ARTEFACTS.iter().map(row).collect();
        println!("{}", terminal::table(&["artefact", "what it is"], &rows));
        return Ok(true);
    }
    if let Some(unknown) = args.artefacts.iter().find(|name| !ARTEFACTS.iter().any(|one| one.name == **name))
    {
        bail!("unknown artefact {unknown}: `cargo xtask dist --list` names them all");
    }
    let wanted =
        |one: &&Artefact| args.artefacts.is_empty() || args.artefacts.iter().any(|name| name == one.name);
    let folder = workspace.path("target/artefacts");
    // What an earlier version left must not be published with this one.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let build = Build { workspace, folder: &folder, profile: &args.profile };
    let mut missing = Vec::new();
    for artefact in ARTEFACTS.iter().filter(wanted) {
        println!("{}: {}", artefact.name, artefact.about);
        let made = (artefact.build)(&build).with_context(|| format!("cannot build {}", artefact.name))?;
        if let Made::No(reason) = made {
            println!("  {} {reason}", terminal::stdout().yellow("not built:"));
            missing.push(artefact.name);
        }
    }
    let sums = checksum::of_files(&folder)?;
    fs::write(folder.join(CHECKSUMS), &sums).with_context(|| format!("cannot write {CHECKSUMS}"))?;
    println!("\ntarget/artefacts has\n{sums}");
    // One that was asked for by name has to be there.
    Ok(missing.iter().all(|name| !args.artefacts.iter().any(|asked| asked == name)))
}

fn npm(build: &Build<'_>) -> Result<Made> {
    must_succeed(packages::install_npm(build.workspace)?)?;
    let mut pack = packages::npm(build.workspace, &["pack", "--pack-destination"]);
    must_succeed(program::run(pack.arg(build.folder))?)?;
    Ok(Made::Yes)
}

fn python(build: &Build<'_>) -> Result<Made> {
    let interpreter: PathBuf = packages::python(build.workspace)?;
    let mut module =
        packages::module(build.workspace, &interpreter, &["build", "--no-isolation", "--outdir"]);
    must_succeed(program::run(module.arg(build.folder).env("SOURCE_DATE_EPOCH", EPOCH))?)?;
    Ok(Made::Yes)
}

fn tar(build: &Build<'_>) -> Result<Made> {
    let payload = Payload::build(build.workspace, build.profile)?;
    tarball::write(build.workspace, &payload, build.folder)?;
    Ok(Made::Yes)
}

fn deb(build: &Build<'_>) -> Result<Made> {
    let payload = Payload::build(build.workspace, build.profile)?;
    DebianPackage { payload: &payload, version: payload.version() }.write(build.workspace, build.folder)?;
    Ok(Made::Yes)
}

/// A static program needs a C library that can be linked into it: musl, as a target of Rust and for the C code in it.
fn static_program(build: &Build<'_>) -> Result<Made> {
    let sysroot = program::run(build.workspace.command("rustc").args(["--print", "sysroot"]))?;
    let target = Path::new(sysroot.output.trim()).join("lib/rustlib").join(STATIC_TARGET);
    if !target.is_dir() {
        return Ok(Made::No(format!(
            "Rust's target {STATIC_TARGET} is not installed: rustup target add {STATIC_TARGET}"
        )));
    }
    if !program::exists("musl-gcc", "--version") {
        return Ok(Made::No("musl-gcc is missing: install the package musl-tools".to_owned()));
    }
    let flags = ["--profile", build.profile, "--target", STATIC_TARGET];
    let program = build.workspace.build("aqueduct", &flags)?;
    let name = format!("aqueduct-{}-linux-x86_64-static", payload::version(build.workspace)?);
    fs::copy(program, build.folder.join(name)).context("cannot copy the program")?;
    Ok(Made::Yes)
}

/// The date of the files in archives, so that the same sources give the same bytes.
const EPOCH: &str = "1577836800";

fn must_succeed(ended: program::Ended) -> Result<()> {
    if !ended.success {
        bail!("{}", ended.output.trim_end());
    }
    Ok(())
}
