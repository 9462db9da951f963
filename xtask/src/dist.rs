//! `cargo xtask dist`: everything that is published, built into one folder with checksums.

mod checksum;

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
}

/// Something that is published.
struct Artefact {
    name: &'static str,
    about: &'static str,
    /// Writes its files into the folder.
    build: fn(&Workspace, &Path) -> Result<()>,
}

const ARTEFACTS: &[Artefact] = &[
    Artefact { name: "npm", about: "aqueduct-client for npm: a tarball for npm publish", build: npm },
    Artefact {
        name: "python",
        about: "aqueduct-client for PyPI: a wheel and a source archive",
        build: python,
    },
];

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
    for artefact in ARTEFACTS.iter().filter(wanted) {
        println!("{}: {}", artefact.name, artefact.about);
        (artefact.build)(workspace, &folder).with_context(|| format!("cannot build {}", artefact.name))?;
    }
    let sums = checksum::of_files(&folder)?;
    fs::write(folder.join(CHECKSUMS), &sums).with_context(|| format!("cannot write {CHECKSUMS}"))?;
    println!("\ntarget/artefacts has\n{sums}");
    Ok(true)
}

fn npm(workspace: &Workspace, folder: &Path) -> Result<()> {
    must_succeed(packages::install_npm(workspace)?)?;
    let mut pack = packages::npm(workspace, &["pack", "--pack-destination"]);
    must_succeed(program::run(pack.arg(folder))?)
}

fn python(workspace: &Workspace, folder: &Path) -> Result<()> {
    let interpreter: PathBuf = packages::python(workspace)?;
    let mut build = packages::module(workspace, &interpreter, &["build", "--no-isolation", "--outdir"]);
    // The date of the archives' files, so that the same sources give the same bytes.
    must_succeed(program::run(build.arg(folder).env("SOURCE_DATE_EPOCH", "1577836800"))?)
}

fn must_succeed(ended: program::Ended) -> Result<()> {
    if !ended.success {
        bail!("{}", ended.output.trim_end());
    }
    Ok(())
}
