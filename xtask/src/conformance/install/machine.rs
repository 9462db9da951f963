use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context as _, Result, bail};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::workspace::Workspace;
use crate::{program, system};

/// The search path in the machine.
const PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// The first process of the machine: it ends zombies, and the machine ends with it.
const FIRST: &str = r#"
    mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" || exit 1
    exec chroot "$1" sh -c 'echo ready; while :; do sleep 3600 & wait $!; done'
"#;

/// The files of a fresh Debian of this machine's release, from the mirror that apt is configured with. Made once.
pub(super) fn image(workspace: &Workspace) -> Result<PathBuf> {
    let folder = workspace.scratch("conformance/install/debian");
    if folder.join("etc/debian_version").is_file() {
        return Ok(folder);
    }
    if !system::is_root() {
        bail!("only root can make another Debian: run it as root");
    }
    system::need("debootstrap", "--version", "debootstrap")?;
    let (mirror, release) = mirror()?;
    // An image that was not completed has another name.
    let partial = folder.with_extension("partial");
    let _ = fs::remove_dir_all(&partial);
    if let Some(parent) = folder.parent() {
        fs::create_dir_all(parent).with_context(|| format!("cannot make {}", parent.display()))?;
    }
    let mut make = Command::new("debootstrap");
    make.args(["--variant=minbase", "--include=adduser", &release]).arg(&partial).arg(mirror);
    let ended = program::run(&mut make)?;
    if !ended.success {
        bail!("debootstrap failed:\n{}", ended.output.trim_end());
    }
    // adduser is what the package depends on; nothing of the archives is needed any more.
    let _ = fs::remove_dir_all(partial.join("var/cache/apt/archives"));
    fs::rename(&partial, &folder).with_context(|| format!("cannot rename {}", partial.display()))?;
    Ok(folder)
}

/// The mirror and the release that apt is configured with.
fn mirror() -> Result<(String, String)> {
    let format = "$(ORIGIN) $(LABEL) $(COMPONENT) $(CODENAME) $(REPO_URI)";
    let output = Command::new("apt-get")
        .args(["indextargets", "--format", format, "Created-By: Packages"])
        .output()
        .context("cannot run apt-get")?;
    let listed = String::from_utf8_lossy(&output.stdout);
    main_archive(&listed).context("apt is configured without an archive of Debian: run apt-get update first")
}

/// The line of Debian's main archive, without updates.
fn main_archive(listed: &str) -> Option<(String, String)> {
    listed.lines().find_map(|line| match *line.split(' ').collect::<Vec<_>>() {
        ["Debian", "Debian", "main", release, mirror] if !release.contains('-') => {
            Some((mirror.to_owned(), release.to_owned()))
        }
        _ => None,
    })
}

/// A Debian that runs beside this one: with files and processes of its own, in the network of this process. It ends when
/// this is dropped, with everything that it has.
pub(super) struct Machine {
    folder: TempDir,
    holder: Child,
    /// The first process, by its number here.
    first: i32,
}

impl Machine {
    pub(super) fn start(image: &Path) -> Result<Self> {
        let folder =
            tempfile::Builder::new().prefix("aqueduct-").tempdir().context("cannot make a directory")?;
        let root = folder.path().join("root");
        let copied = program::run(Command::new("cp").args(["-a", "--reflink=auto"]).arg(image).arg(&root))?;
        if !copied.success {
            bail!("cannot copy the image: {}", copied.output.trim_end());
        }
        let mut unshare = Command::new("unshare");
        unshare.args(["--mount", "--pid", "--fork", "--kill-child", "sh", "-c", FIRST, "first"]).arg(&root);
        let mut holder = unshare
            .env_clear()
            .env("PATH", PATH)
            .current_dir("/")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot start unshare")?;
        let mut line = String::new();
        let output = holder.stdout.take().context("the output is a pipe")?;
        BufReader::new(output).read_line(&mut line).context("the machine does not start")?;
        let children = format!("/proc/{0}/task/{0}/children", holder.id());
        let first = fs::read_to_string(children).ok().and_then(|text| text.trim().parse().ok());
        let machine = Machine { folder, holder, first: first.unwrap_or_default() };
        match line.trim() == "ready" && machine.first > 0 {
            true => Ok(machine),
            false => bail!("the machine does not start: its first process ended"),
        }
    }

    /// Where a file of the machine is here.
    pub(super) fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join("root").join(path.trim_start_matches('/'))
    }

    /// A command in the machine.
    pub(super) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("nsenter");
        command.args(["--target", &self.first.to_string(), "--mount", "--pid", "--root", "--wd", "--"]);
        command.args(arguments).env_clear().stdin(Stdio::null());
        command.env("PATH", PATH).env("HOME", "/root").env("LC_ALL", "C.UTF-8");
        command.env("DEBIAN_FRONTEND", "noninteractive");
        command
    }

    /// A command of a user: with the variables that a login gives.
    pub(super) fn command_of(&self, user: &str, variables: &[String], arguments: &[&str]) -> Command {
        let home = format!("HOME=/var/lib/{user}");
        let path = format!("PATH={PATH}");
        let mut all = vec!["runuser", "--user", user, "--", "env", "-i", &home, &path, "LC_ALL=C.UTF-8"];
        all.extend(variables.iter().map(String::as_str));
        all.extend(arguments);
        self.command(&all)
    }

    /// Runs a command that has to succeed, and returns what it prints.
    pub(super) fn run(&self, arguments: &[&str]) -> Result<String> {
        finished(self.command(arguments), arguments)
    }

    /// The same as a user.
    pub(super) fn run_as(&self, user: &str, arguments: &[&str]) -> Result<String> {
        finished(self.command_of(user, &[], arguments), arguments)
    }

    /// The processes of the machine that run a subcommand of the program, by their numbers here.
    pub(super) fn processes(&self, subcommand: &str) -> Result<Vec<i32>> {
        let namespace = |pid: i32| fs::read_link(format!("/proc/{pid}/ns/pid")).ok();
        let own = namespace(self.first).context("the machine has ended")?;
        let entries = fs::read_dir("/proc").context("cannot list processes")?;
        let numbers = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
        let is_meant = |pid: &i32| {
            let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            let mut words = line.split(|byte| *byte == 0);
            let program = words.next().unwrap_or_default();
            let is_ours = program.ends_with(b"/aqueduct") || program.ends_with(b"/exe");
            // A keeper gives itself a name of its own.
            let name = fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
            let is_named = name.trim() == format!("aqueduct-{subcommand}");
            is_named || is_ours && words.next() == Some(subcommand.as_bytes())
        };
        let mut found: Vec<i32> =
            numbers.filter(|pid| namespace(*pid).as_ref() == Some(&own)).filter(is_meant).collect();
        found.sort_unstable();
        Ok(found)
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        if let Some(first) = Pid::from_raw(self.first) {
            // The kernel ends all processes of the machine with it.
            let _ = kill_process(first, Signal::KILL);
        }
        let _ = self.holder.kill();
        let _ = self.holder.wait();
    }
}

fn finished(mut command: Command, arguments: &[&str]) -> Result<String> {
    let output = command.output().context("cannot start nsenter")?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_owned();
    match output.status.success() {
        true => Ok(text(&output.stdout)),
        false => bail!("{} failed:\n{}\n{}", arguments.join(" "), text(&output.stdout), text(&output.stderr)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_main_archive_is_taken_from_apts_configuration() {
        let listed = "Docker Docker stable bookworm https://a.example/\n\
                      Debian Debian-Security main bookworm-security https://b.example/debian-security/\n\
                      Debian Debian main bookworm-updates https://b.example/debian/\n\
                      Debian Debian main bookworm https://b.example/debian/\n";
        let expected = ("https://b.example/debian/".to_owned(), "bookworm".to_owned());
        assert_eq!(main_archive(listed), Some(expected));
        assert_eq!(main_archive(""), None);
    }
}
