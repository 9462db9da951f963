//! `cargo xtask gen`: files that come from the code's own tables, written or compared.
//!
//! A crate that generates files has an example that writes them below the directory it is given. It
//! is run into a directory of its own, and what it wrote is then copied or compared: so a file that
//! is no longer generated is noticed too.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use crate::program;
use crate::terminal;
use crate::workspace::Workspace;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Write nothing; name the files that are not up to date and fail if there are any
    #[arg(long)]
    check: bool,
}

/// A crate that generates files.
struct Generator {
    package: &'static str,
    example: &'static str,
    /// Directories that hold nothing but what it writes.
    directories: &'static [&'static str],
    /// Pages that people write and in which it fills a marked section.
    pages: &'static [&'static str],
}

const GENERATORS: &[Generator] = &[
    Generator {
        package: "aqueduct-wire",
        example: "gen",
        directories: &["crates/aqueduct-wire/generated"],
        pages: &["docs/protocol.md"],
    },
    Generator {
        package: "aqueduct-bridge",
        example: "gen-api",
        directories: &[
            "crates/aqueduct-bridge/generated",
            "packages/npm/src/generated",
            "packages/python/src/aqueduct_client/generated",
        ],
        pages: &["docs/bridge-api.md"],
    },
];

/// What the generators wrote, beside what is in the tree.
pub(crate) struct Comparison {
    pub(crate) fresh: usize,
    pub(crate) stale: Vec<Stale>,
}

/// A generated file that is not as its generator would have it.
pub(crate) struct Stale {
    pub(crate) path: String,
    why: Why,
}

enum Why {
    Missing,
    Different,
    /// In a generated directory, and no generator writes it.
    LeftOver,
}

impl Stale {
    pub(crate) fn what_to_do(&self) -> &'static str {
        match self.why {
            Why::Missing => "missing: run cargo xtask gen",
            Why::Different => "not up to date: run cargo xtask gen",
            Why::LeftOver => "no longer generated: remove it",
        }
    }
}

pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<bool> {
    let comparison = compare(workspace)?;
    for stale in &comparison.stale {
        match stale.why {
            Why::Missing | Why::Different if !args.check => {
                let (from, to) = (output(workspace).join(&stale.path), workspace.path(&stale.path));
                make_parent(&to)?;
                fs::copy(&from, &to).with_context(|| format!("cannot write {}", to.display()))?;
                println!("wrote {}", stale.path);
            }
            _ => println!("{} {}: {}", terminal::stdout().red("stale"), stale.path, stale.what_to_do()),
        }
    }
    let left =
        comparison.stale.iter().filter(|stale| args.check || matches!(stale.why, Why::LeftOver)).count();
    let total = comparison.fresh + comparison.stale.len();
    println!("{total} generated files, {} were up to date", comparison.fresh);
    Ok(left == 0)
}

/// Runs every generator and compares.
pub(crate) fn compare(workspace: &Workspace) -> Result<Comparison> {
    let output = output(workspace);
    remove(&output)?;
    for generator in GENERATORS {
        generator.run(workspace, &output)?;
    }
    let mut comparison = Comparison { fresh: 0, stale: Vec::new() };
    let written = files_below(&output, Path::new(""))?;
    for path in &written {
        let new = fs::read(output.join(path)).with_context(|| format!("cannot read the new {path}"))?;
        let why = match fs::read(workspace.path(path)) {
            Ok(old) if old == new => {
                comparison.fresh += 1;
                continue;
            }
            Ok(_) => Why::Different,
            Err(_) => Why::Missing,
        };
        comparison.stale.push(Stale { path: path.clone(), why });
    }
    for directory in GENERATORS.iter().flat_map(|generator| generator.directories) {
        let left_over = files_below(workspace.root(), Path::new(directory))?;
        let left_over = left_over.into_iter().filter(|path| !written.contains(path));
        comparison.stale.extend(left_over.map(|path| Stale { path, why: Why::LeftOver }));
    }
    Ok(comparison)
}

fn output(workspace: &Workspace) -> PathBuf {
    workspace.scratch("gen")
}

impl Generator {
    fn run(&self, workspace: &Workspace, output: &Path) -> Result<()> {
        for page in self.pages {
            let (from, to) = (workspace.path(page), output.join(page));
            make_parent(&to)?;
            fs::copy(&from, &to).with_context(|| {
                format!(
                    "{page} is missing: {} fills a section of it and cannot make the rest up",
                    self.package
                )
            })?;
        }
        // An example may describe types that are behind features.
        let mut cargo = workspace.cargo(["run", "--quiet", "--all-features", "--package", self.package]);
        let ended = program::run(cargo.args(["--example", self.example, "--"]).arg(output))?;
        if !ended.success {
            bail!(
                "the generator of {} failed (its example {}):\n{}",
                self.package,
                self.example,
                ended.output.trim_end()
            );
        }
        Ok(())
    }
}

fn remove(directory: &Path) -> Result<()> {
    match fs::remove_dir_all(directory) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot empty {}", directory.display()))
        }
        _ => Ok(()),
    }
}

fn make_parent(path: &Path) -> Result<()> {
    match path.parent() {
        Some(parent) => {
            fs::create_dir_all(parent).with_context(|| format!("cannot make {}", parent.display()))
        }
        None => Ok(()),
    }
}

/// Every file below `root`/`directory`, as paths from `root` with `/`, sorted.
fn files_below(root: &Path, directory: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    let mut waiting = vec![directory.to_path_buf()];
    while let Some(directory) = waiting.pop() {
        let entries = match fs::read_dir(root.join(&directory)) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", directory.display())),
        };
        for entry in entries {
            let entry = entry.context("cannot read a directory's entry")?;
            let path = directory.join(entry.file_name());
            if entry.path().is_dir() {
                waiting.push(path);
            } else {
                found.push(path.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    found.sort();
    Ok(found)
}
