//! The package for Debian: its metadata and scripts are in `packages/debian/`, and dpkg-deb packs it.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use super::payload::{DOCUMENTS, InstalledFile, Payload, write_file};
use super::{EPOCH, elf, must_succeed};
use crate::program;
use crate::workspace::Workspace;

/// The files in the repository that make the package.
const SOURCES: &str = "packages/debian";

/// What dpkg runs.
const SCRIPTS: &[&str] = &["postinst", "prerm", "postrm"];

/// The configuration of the service, which dpkg keeps if the administrator changes it.
const CONFIGURATION: &str = "etc/aqueduct/config.toml";

/// A package of a version.
pub(crate) struct DebianPackage<'a> {
    pub(crate) payload: &'a Payload,
    pub(crate) version: &'a str,
}

impl DebianPackage<'_> {
    /// Writes the package and returns its path.
    pub(crate) fn write(&self, workspace: &Workspace, folder: &Path) -> Result<PathBuf> {
        let tree = workspace.scratch("deb");
        let _ = fs::remove_dir_all(&tree);
        self.write_files(workspace, &tree)?;
        let architecture = architecture()?;
        let control = self.control(workspace, architecture)?;
        write_file(&tree.join("DEBIAN/control"), control.as_bytes(), 0o644)?;
        write_file(&tree.join("DEBIAN/conffiles"), format!("/{CONFIGURATION}\n").as_bytes(), 0o644)?;
        for name in SCRIPTS {
            let script = source(workspace, name)?;
            write_file(&tree.join("DEBIAN").join(name), script.as_bytes(), 0o755)?;
        }
        let sums = md5sums(workspace, &tree)?;
        write_file(&tree.join("DEBIAN/md5sums"), sums.as_bytes(), 0o644)?;
        let path = folder.join(format!("aqueduct_{}_{architecture}.deb", self.debian_version()));
        let mut pack = workspace.command("dpkg-deb");
        pack.args(["--root-owner-group", "--build", "-Zxz"]).arg(&tree).arg(&path);
        must_succeed(program::run(pack.env("SOURCE_DATE_EPOCH", EPOCH))?)?;
        fs::remove_dir_all(&tree).with_context(|| format!("cannot remove {}", tree.display()))?;
        Ok(path)
    }

    fn write_files(&self, workspace: &Workspace, tree: &Path) -> Result<()> {
        let documents = format!("{DOCUMENTS}/");
        for file in &self.payload.files {
            let InstalledFile { path, bytes, .. } = file;
            let name = path.strip_prefix(&documents);
            // The licences are in `copyright`.
            if name.is_some_and(|name| name.starts_with("LICENSE-")) {
                continue;
            }
            let renamed = match name {
                Some("CHANGELOG.md") => format!("{DOCUMENTS}/NEWS.md"),
                _ => path.clone(),
            };
            let is_packed = path.starts_with("share/man/") || name.is_some();
            let target = tree.join("usr").join(renamed);
            write_file(&target, bytes, file.mode())?;
            if is_packed {
                must_succeed(program::run(workspace.command("gzip").args(["-9n", "--"]).arg(target))?)?;
            }
        }
        let documents = tree.join("usr").join(DOCUMENTS);
        write_file(&tree.join(CONFIGURATION), source(workspace, "config.toml")?.as_bytes(), 0o644)?;
        write_file(&documents.join("copyright"), copyright(workspace)?.as_bytes(), 0o644)?;
        let changes = format!(
            "aqueduct ({}) unstable; urgency=medium\n\n  * See NEWS.md.gz.\n\n -- {MAINTAINER}  {CHANGED}\n",
            self.debian_version()
        );
        let changelog = documents.join("changelog");
        write_file(&changelog, changes.as_bytes(), 0o644)?;
        must_succeed(program::run(workspace.command("gzip").args(["-9n", "--"]).arg(changelog))?)
    }

    fn control(&self, workspace: &Workspace, architecture: &str) -> Result<String> {
        let bytes: usize = self.payload.files.iter().map(|file| file.bytes.len()).sum();
        let programs = self.payload.files.iter().filter(|file| file.is_program);
        let libc = programs.filter_map(|file| elf::glibc_version(&file.bytes)).max_by_key(|version| {
            version.split('.').filter_map(|part| part.parse::<u32>().ok()).collect::<Vec<_>>()
        });
        Ok(source(workspace, "control")?
            .replace("{version}", &self.debian_version())
            .replace("{architecture}", architecture)
            .replace("{kibibytes}", &bytes.div_ceil(1024).to_string())
            .replace("{libc}", &libc.context("the programs do not use glibc")?)
            .replace("{repository}", REPOSITORY))
    }

    /// A pre-release is older than its release: `1.0.0-rc.1` is `1.0.0~rc.1`.
    fn debian_version(&self) -> String {
        self.version.replacen('-', "~", 1)
    }
}

const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

const MAINTAINER: &str = "The Aqueduct authors <maintainers@aqueduct.invalid>";

/// The date of the entry in the changelog of the package. That of the release is in NEWS.md.
const CHANGED: &str = "Wed, 01 Jan 2020 00:00:00 +0000";

/// The text of a file that makes the package.
fn source(workspace: &Workspace, name: &str) -> Result<String> {
    let path = format!("{SOURCES}/{name}");
    fs::read_to_string(workspace.path(&path)).with_context(|| format!("cannot read {path}"))
}

/// The licences, as Debian writes them: the lines of a text are indented, and empty ones have a dot.
fn copyright(workspace: &Workspace) -> Result<String> {
    let mit = fs::read_to_string(workspace.path("LICENSE-MIT")).context("cannot read LICENSE-MIT")?;
    let lines =
        mit.trim().lines().map(|line| if line.is_empty() { " .".to_owned() } else { format!(" {line}") });
    let text = lines.collect::<Vec<_>>().join("\n");
    Ok(source(workspace, "copyright")?.replace("{mit}", &text).replace("{repository}", REPOSITORY))
}

/// The sums of all files but those of dpkg itself.
fn md5sums(workspace: &Workspace, tree: &Path) -> Result<String> {
    const SUMS: &str = "find . -type f -not -path './DEBIAN/*' -printf '%P\\0' | sort -z | xargs -0 md5sum";
    let mut sums = workspace.command("sh");
    let ended = program::run(sums.args(["-c", SUMS]).current_dir(tree).env("LC_ALL", "C"))?;
    if !ended.success {
        bail!("cannot make checksums: {}", ended.output.trim_end());
    }
    Ok(ended.output)
}

/// What Debian calls this machine's architecture.
fn architecture() -> Result<&'static str> {
    match std::env::consts::ARCH {
        "x86_64" => Ok("amd64"),
        "aarch64" => Ok("arm64"),
        other => bail!("the package's name for the architecture {other} is not known"),
    }
}
