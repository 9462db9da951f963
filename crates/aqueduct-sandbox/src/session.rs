//! The sandbox of a session.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use aqueduct_os::private_dir::make_private_among_others;

use super::layout::{Layout, LayoutAccess, LayoutInput};
use super::method::SandboxMethod;
use super::placeholder::Placeholders;
use super::policy::SandboxPolicy;
use super::proxy::{self, CommandProxy};
use super::refusal::SandboxRefusal;
use super::repository::{CommandWindow, RepositoryWatch};
use super::wrapped::{Stay, WrappedCommand};
use super::{bubblewrap, excluded, words};
use crate::machine::SandboxEnvironment;

/// Where a command runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Course {
    /// The sandbox is off.
    Open,
    /// In the sandbox.
    Inside,
    /// Outside, because settings name it.
    Excluded,
    /// Outside, because the model asks for it.
    Left,
}

/// The sandbox of a session.
#[derive(Debug)]
pub struct Sandbox {
    machine: SandboxEnvironment,
    /// The folder for temporary files of commands.
    temporary: PathBuf,
    policy: Mutex<Arc<SandboxPolicy>>,
    method: OnceLock<SandboxMethod>,
    placeholders: Placeholders,
    watch: RepositoryWatch,
}

impl Sandbox {
    /// The sandbox of a session whose output is kept in `spool`.
    pub fn new(machine: SandboxEnvironment, spool: &Path, policy: SandboxPolicy) -> Sandbox {
        let session = spool.file_name().unwrap_or_default().to_string_lossy();
        let watch = RepositoryWatch::new(&machine.config.join("sandbox"), &session);
        Sandbox {
            watch,
            machine,
            temporary: spool.join("tmp"),
            policy: Mutex::new(Arc::new(policy)),
            method: OnceLock::new(),
            placeholders: Placeholders::default(),
        }
    }

    /// Lets something else hold from now on.
    pub fn set(&self, policy: SandboxPolicy) {
        *self.policy.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(policy);
    }

    /// What holds.
    pub fn policy(&self) -> Arc<SandboxPolicy> {
        Arc::clone(&self.policy.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// How commands are held: looked for once, when it is needed.
    fn method(&self) -> &SandboxMethod {
        self.method.get_or_init(|| SandboxMethod::find(&self.machine))
    }

    /// Why commands run without a sandbox that settings ask for.
    pub fn unavailable(&self) -> Option<String> {
        // Finding out what works starts a process, which a session without a sandbox must not pay for.
        if !self.policy().enabled {
            return None;
        }
        match self.method() {
            SandboxMethod::None(why) => Some(format!("the sandbox can't be had: {why}")),
            _ => None,
        }
    }

    /// What people should know of it when a session begins.
    pub fn warnings(&self) -> Vec<String> {
        let policy = self.policy();
        if !policy.enabled {
            return Vec::new();
        }
        match self.method() {
            SandboxMethod::Bubblewrap(_) => Vec::new(),
            SandboxMethod::Landlock(why) => {
                let mut warnings = vec![format!(
                    "the sandbox is held by Landlock alone: {why}. In the working directories a command can \
                     change settings and git hooks, and it is asked about as ever. Install bubblewrap for more"
                )];
                if !policy.allowed.is_empty() {
                    let what = "sandbox.network.allowedDomains takes bubblewrap: commands have no network";
                    warnings.push(what.to_owned());
                }
                warnings
            }
            SandboxMethod::None(why) => vec![format!(
                "commands run WITHOUT the sandbox that settings ask for: {why}. Install bubblewrap, or set \
                 sandbox.failIfUnavailable to refuse to start instead"
            )],
        }
    }

    /// Its state, in one line.
    pub fn in_short(&self) -> String {
        if !self.policy().enabled {
            return "off".to_owned();
        }
        match self.method() {
            SandboxMethod::Bubblewrap(program) => format!("on, by {}", program.display()),
            SandboxMethod::Landlock(why) => format!("on, by Landlock ({why})"),
            SandboxMethod::None(why) => format!("NOT in force: {why}"),
        }
    }

    /// Where a command runs. `asks_out` is the model's wish.
    pub fn course(&self, command: &str, asks_out: bool) -> Course {
        let policy = self.policy();
        // Where it is required and not available, no command runs.
        if !policy.enabled || (!policy.required && matches!(self.method(), SandboxMethod::None(_))) {
            Course::Open
        } else if asks_out && policy.may_leave {
            Course::Left
        } else if excluded::covers(&policy.excluded, command) {
            Course::Excluded
        } else {
            Course::Inside
        }
    }

    /// Whether a command needs no permission for being inside.
    pub fn allows(&self, roots: &[PathBuf]) -> bool {
        let policy = self.policy();
        if !policy.enabled
            || !policy.auto_allows
            || !matches!(self.method(), SandboxMethod::Bubblewrap(_))
            || !self.watch.is_sure()
        {
            return false;
        }
        Layout::new(&self.ground(&policy, roots), &|path| self.placeholders.is_held(path)).is_tight
    }

    /// The check of what commands leave.
    pub fn watch(&self) -> &RepositoryWatch {
        &self.watch
    }

    /// Lists the repositories that a command could change, before it begins; what is to be reported of earlier ones.
    pub fn open_window(&self, roots: &[PathBuf]) -> io::Result<(CommandWindow, Vec<String>)> {
        make_private_among_others(&self.temporary)?;
        let policy = self.policy();
        let layout = Layout::new(&self.ground(&policy, roots), &|path| self.placeholders.is_held(path));
        let writable: Vec<PathBuf> = layout.with(LayoutAccess::Write).map(Path::to_owned).collect();
        // A link can be replaced, with what it leads to, and Landlock keeps nothing.
        let is_kept = layout.is_tight && matches!(self.method(), SandboxMethod::Bubblewrap(_));
        let kept: Vec<PathBuf> =
            layout.with(LayoutAccess::Keep).filter(|_| is_kept).map(Path::to_owned).collect();
        self.watch.begin(&writable, &kept)
    }

    /// The folder for temporary files of commands.
    pub fn temporary(&self) -> &Path {
        &self.temporary
    }

    /// Puts a command into the sandbox that runs in `cwd`. What it gives lasts as long as the command, and closes the
    /// window that was opened for it.
    pub fn wrap(
        &self,
        command: Vec<OsString>,
        cwd: &Path,
        roots: &[PathBuf],
        window: CommandWindow,
    ) -> io::Result<WrappedCommand> {
        let policy = self.policy();
        let ground = self.ground(&policy, roots);
        let mut line = self.machine.entry.clone();
        if line.is_empty() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "no program is set"));
        }
        let mut stay = Stay { window: Some(window), ..Stay::default() };
        let mut stdin = None;
        let mut confine: Vec<OsString> = Vec::new();
        if policy.unix_sockets {
            confine.push(words::UNIX.into());
        }
        match self.method() {
            SandboxMethod::Bubblewrap(bubblewrap) => {
                let (layout, hold) = self.placeholders.hold(|is_held| Layout::new(&ground, is_held))?;
                stay._hold = Some(hold);
                line.extend([words::WRAP.into(), bubblewrap.into()]);
                line.extend(bubblewrap::arguments(&layout, cwd));
                line.push(words::END.into());
                confine.push(words::NETWORK.into());
                if !policy.allowed.is_empty() {
                    let (proxy, theirs) = CommandProxy::open(Arc::clone(&policy))?;
                    stay.proxy = Some(proxy);
                    stdin = Some(theirs);
                    confine.extend([words::PROXY.into(), proxy::direct(&policy).into()]);
                }
            }
            SandboxMethod::Landlock(_) => {
                let layout = Layout::new(&ground, &|_| false);
                line.push(words::CONFINE.into());
                confine.push(words::LANDLOCK.into());
                for (word, access) in [(words::WRITE, LayoutAccess::Write), (words::HIDE, LayoutAccess::Hide)]
                {
                    confine.extend(layout.with(access).flat_map(|path| [word.into(), path.into()]));
                }
            }
            SandboxMethod::None(why) => return Err(io::Error::new(io::ErrorKind::Unsupported, why.clone())),
        }
        line.extend(confine);
        line.push(words::END.into());
        line.extend(command);
        let variables = vec![("TMPDIR".into(), self.temporary.clone().into())];
        Ok(WrappedCommand { words: line, variables, stdin, stay })
    }

    fn ground<'g>(&'g self, policy: &'g SandboxPolicy, roots: &'g [PathBuf]) -> LayoutInput<'g> {
        LayoutInput { policy, machine: &self.machine, roots, temporary: &self.temporary }
    }

    /// The part of the tool description about the sandbox; `None` where commands run without one.
    pub fn briefing(&self, roots: &[PathBuf]) -> Option<String> {
        let policy = self.policy();
        if !policy.enabled || matches!(self.method(), SandboxMethod::None(_)) {
            return None;
        }
        let way_out = match policy.may_leave {
            true => {
                "\n- Only when the sandbox has refused what a command needs, or the user asks for it, call again with \
                 `dangerouslyDisableSandbox`: the user is asked then. State what was refused and why it is needed."
            }
            false => "\n- Nothing runs outside of the sandbox; `dangerouslyDisableSandbox` changes nothing.",
        };
        Some(format!(
            "\n\nCommands run in a sandbox:\n- {}\n- {}{way_out}",
            self.describe_files(&policy, roots),
            self.describe_network(&policy)
        ))
    }

    /// What may be changed, for the model.
    fn describe_files(&self, policy: &SandboxPolicy, roots: &[PathBuf]) -> String {
        let paths = roots.iter().chain(&policy.writable).map(|path| path.display().to_string());
        format!(
            "Files can be changed in {} and $TMPDIR ({}) only; use that in place of /tmp. In the working directories \
             `.claude`, `.mcp.json`, `.vscode`, `.idea` and git's hooks, config, submodules and \
             worktrees stay as they are. A repository you make there keeps no hooks and only plain settings.",
            paths.collect::<Vec<_>>().join(", "),
            self.temporary.display()
        )
    }

    /// Which hosts may be reached, for the model.
    fn describe_network(&self, policy: &SandboxPolicy) -> String {
        if policy.allowed.is_empty() || !matches!(self.method(), SandboxMethod::Bubblewrap(_)) {
            return "No network access.".to_owned();
        }
        let hosts: Vec<String> = policy.allowed.iter().map(ToString::to_string).collect();
        let denied: Vec<String> = policy.denied.iter().map(ToString::to_string).collect();
        let but = if denied.is_empty() { String::new() } else { format!(", but not {}", denied.join(", ")) };
        format!(
            "Over an HTTP proxy that variables name, these hosts can be reached: {}{but}.",
            hosts.join(", ")
        )
    }

    /// The note for the model when the sandbox seems to have refused something. `output` is the output of a command
    /// that failed.
    pub fn refusal(
        &self,
        command: &str,
        output: Option<&str>,
        stay: &Stay,
        roots: &[PathBuf],
    ) -> Option<String> {
        let policy = self.policy();
        let refusal = SandboxRefusal::find(&policy, command, output, stay.refused())?;
        let mut reported = vec!["The sandbox refused something, it seems.".to_owned()];
        if refusal.files {
            reported.push(self.describe_files(&policy, roots));
        }
        if refusal.network || !refusal.hosts.is_empty() {
            reported.push(self.describe_network(&policy));
        }
        reported
            .extend((!refusal.hosts.is_empty()).then(|| format!("Refused: {}.", refusal.hosts.join("; "))));
        reported.push(match policy.may_leave {
            true => "If the command needs it, call again with `dangerouslyDisableSandbox`; the user is asked then.",
            false => "Nothing runs outside of the sandbox here: find another way, or report to the user what is needed.",
        }.to_owned());
        Some(format!("<sandbox>\n{}\n</sandbox>", reported.join("\n")))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Course, Sandbox, SandboxMethod};
    use crate::machine::SandboxEnvironment;
    use crate::method::{NoBubblewrap, NoSandbox};
    use crate::policy::SandboxPolicy;

    fn sandbox(policy: SandboxPolicy, method: SandboxMethod) -> Sandbox {
        let machine = SandboxEnvironment {
            cwd: "/proj".into(),
            home: "/home/ada".into(),
            config: "/home/ada/.claude".into(),
            ..SandboxEnvironment::default()
        };
        let sandbox = Sandbox::new(machine, Path::new("/tmp/spool"), policy);
        sandbox.method.set(method).expect("a fresh sandbox");
        sandbox
    }

    #[test]
    fn where_nothing_holds_commands_run_in_the_open_and_that_is_reported() {
        let policy = SandboxPolicy { enabled: true, auto_allows: true, ..SandboxPolicy::default() };
        let none = sandbox(policy, SandboxMethod::None(NoSandbox::NoMethod(NoBubblewrap::NotInstalled)));
        assert_eq!(none.course("ls", false), Course::Open);
        assert!(none.unavailable().is_some_and(|why| why.contains("(bwrap) is not installed")));
        assert!(none.warnings()[0].contains("WITHOUT") && none.in_short().contains("NOT in force"));
        assert!(none.briefing(&[]).is_none() && !none.allows(&[]));
        none.set(SandboxPolicy { required: true, ..(*none.policy()).clone() });
        assert_eq!(none.course("ls", false), Course::Inside);
        let off = sandbox(
            SandboxPolicy::default(),
            SandboxMethod::None(NoSandbox::NoMethod(NoBubblewrap::NotInstalled)),
        );
        assert_eq!((off.unavailable(), off.warnings().len(), off.in_short().as_str()), (None, 0, "off"));
    }

    #[test]
    fn landlock_alone_allows_nothing_by_itself() {
        let policy = SandboxPolicy { enabled: true, auto_allows: true, ..SandboxPolicy::default() };
        let sandbox = sandbox(policy, SandboxMethod::Landlock(NoBubblewrap::NotInstalled));
        assert_eq!(sandbox.course("ls", false), Course::Inside);
        assert!(!sandbox.allows(&[]) && sandbox.warnings().len() == 1);
    }

    #[test]
    fn the_way_out_is_there_unless_settings_close_it() {
        let at = Path::new("/proj");
        let policy = SandboxPolicy {
            enabled: true,
            excluded: vec!["docker *".to_owned()],
            ..SandboxPolicy::default()
        };
        let open = sandbox(policy.clone(), SandboxMethod::Bubblewrap("/usr/bin/bwrap".into()));
        assert_eq!(open.course("ls", true), Course::Left);
        assert_eq!(open.course("docker ps", false), Course::Excluded);
        assert!(
            open.briefing(&[at.into()])
                .is_some_and(|text| text.contains("/proj") && text.contains("No network access"))
        );
        let closed = sandbox(
            SandboxPolicy { may_leave: false, ..policy },
            SandboxMethod::Bubblewrap("/usr/bin/bwrap".into()),
        );
        assert_eq!(closed.course("ls", true), Course::Inside);
    }
}
