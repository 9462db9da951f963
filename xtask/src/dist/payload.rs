//! The files that archives and packages install.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use super::{components, licences, must_succeed};
use crate::metadata::Metadata;
use crate::program;
use crate::workspace::Workspace;

/// Everything that is installed, and the version of the program.
pub(crate) struct Payload {
    version: String,
    pub(super) files: Vec<InstalledFile>,
}

/// A file that is installed.
pub(super) struct InstalledFile {
    /// Where, below `/usr`.
    pub(super) path: String,
    pub(super) is_program: bool,
    pub(super) bytes: Vec<u8>,
}

/// The programs, each a package and its binary.
const PROGRAMS: &[&str] = &["aqueduct", "aqueduct-agent"];

/// Where the script for a program is installed.
type InstalledAt = fn(&str) -> String;

/// The scripts of a shell: its name, and where it looks for that of a program.
const COMPLETIONS: &[(&str, InstalledAt)] = &[
    ("bash", |program| format!("share/bash-completion/completions/{program}")),
    ("zsh", |program| format!("share/zsh/vendor-completions/_{program}")),
    ("fish", |program| format!("share/fish/vendor_completions.d/{program}.fish")),
];

/// The units of systemd: the file in the repository, and where it is installed.
const UNITS: &[(&str, &str)] = &[
    ("crates/aqueduct/systemd/aqueduct.service", "lib/systemd/system/aqueduct.service"),
    ("crates/aqueduct/systemd/aqueduct.socket", "lib/systemd/system/aqueduct.socket"),
    ("crates/aqueduct/systemd/aqueduct-user.service", "lib/systemd/user/aqueduct.service"),
    ("crates/aqueduct/systemd/aqueduct.socket", "lib/systemd/user/aqueduct.socket"),
];

/// Where documents are installed.
pub(super) const DOCUMENTS: &str = "share/doc/aqueduct";

impl Payload {
    /// The version of the program.
    pub(crate) fn version(&self) -> &str {
        &self.version
    }

    /// Builds the programs, and makes the rest with them.
    pub(crate) fn build(workspace: &Workspace, profile: &str) -> Result<Self> {
        let mut files = Vec::new();
        let mut programs = Vec::new();
        for name in PROGRAMS {
            let built = workspace.build(name, &["--profile", profile])?;
            files.push(InstalledFile {
                path: format!("bin/{name}"),
                is_program: true,
                bytes: stripped(workspace, &built)?,
            });
            programs.push(built);
        }
        let aqueduct = programs.first().context("no program was built")?;
        for (shell, path) in COMPLETIONS {
            for name in PROGRAMS {
                let output = workspace
                    .command(&aqueduct.to_string_lossy())
                    .args(["completions", shell, "--program", name])
                    .output()
                    .context("cannot start aqueduct")?;
                if !output.status.success() {
                    bail!("aqueduct completions {shell}: {}", String::from_utf8_lossy(&output.stderr).trim());
                }
                files.push(InstalledFile { path: path(name), is_program: false, bytes: output.stdout });
            }
        }
        files.extend(man_pages(workspace)?);
        for (from, to) in UNITS {
            files.push(document(workspace, from, to)?);
        }
        for name in ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"] {
            files.push(document(workspace, name, &format!("{DOCUMENTS}/{name}"))?);
        }
        let third = licences::document(&components::of_programs(workspace)?)?;
        let path = format!("{DOCUMENTS}/THIRD-PARTY-LICENCES");
        files.push(InstalledFile { path, is_program: false, bytes: third.into_bytes() });
        Ok(Payload { version: version(workspace)?, files })
    }
}

/// The version of the workspace.
pub(super) fn version(workspace: &Workspace) -> Result<String> {
    let metadata = Metadata::read(workspace)?;
    let own = metadata.members().find(|package| package.name == "aqueduct");
    Ok(own.context("there is no package aqueduct")?.version.clone())
}

/// A page for each command. The program that writes them has a feature that the installed one does not need.
fn man_pages(workspace: &Workspace) -> Result<Vec<InstalledFile>> {
    let folder = workspace.scratch("man");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let arguments = ["run", "--quiet", "--package", "aqueduct", "--features", "man-pages", "--", "man-pages"];
    must_succeed(program::run(workspace.cargo(arguments).arg(&folder))?)?;
    let mut pages = Vec::new();
    for entry in fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        pages.push(InstalledFile { path: format!("share/man/man1/{name}"), is_program: false, bytes });
    }
    pages.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(pages)
}

fn document(workspace: &Workspace, from: &str, to: &str) -> Result<InstalledFile> {
    let bytes = fs::read(workspace.path(from)).with_context(|| format!("cannot read {from}"))?;
    Ok(InstalledFile { path: to.to_owned(), is_program: false, bytes })
}

/// A program without symbols. The published profile has none to begin with.
fn stripped(workspace: &Workspace, built: &Path) -> Result<Vec<u8>> {
    let copy: PathBuf = workspace.scratch("stripped");
    fs::create_dir_all(workspace.scratch("")).context("cannot make target/xtask")?;
    must_succeed(program::run(workspace.command("strip").arg("-o").arg(&copy).arg(built))?)?;
    fs::read(&copy).with_context(|| format!("cannot read {}", copy.display()))
}

/// Writes files below a folder, with their modes.
pub(super) fn write_file(path: &Path, bytes: &[u8], mode: u32) -> Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let parent = path.parent().context("a file is in a folder")?;
    fs::create_dir_all(parent).with_context(|| format!("cannot make {}", parent.display()))?;
    fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
        .with_context(|| format!("cannot change the mode of {}", path.display()))
}

impl InstalledFile {
    pub(super) fn mode(&self) -> u32 {
        if self.is_program { 0o755 } else { 0o644 }
    }
}
