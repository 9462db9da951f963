//! A terminal, with a program at it; and a program without one.

use std::fs::{self, File, OpenOptions};
use std::io::Read;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::OFlags;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};
use serde_json::{Value, json};

/// How long something is waited for at most.
const PATIENCE: Duration = Duration::from_secs(60);

/// The variable with what [`in_a_session_of_its_own`] starts.
const STARTS: &str = "AQUEDUCT_TEST_STARTS";

/// A project and a home of its own, with nothing else in the environment.
pub(crate) struct Place(tempfile::TempDir);

impl Place {
    pub(crate) fn new() -> Self {
        let place = Place(tempfile::tempdir().unwrap());
        fs::create_dir(place.project()).unwrap();
        fs::create_dir(place.home()).unwrap();
        place
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.0.path().canonicalize().unwrap().join("project")
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.0.path().join("home")
    }

    /// A file that is not in the project.
    pub(crate) fn aside(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A program of a few lines of shell.
    pub(crate) fn script(&self, name: &str, text: &str) -> PathBuf {
        let path = self.aside(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, format!("#!/bin/bash\n{text}\n")).unwrap();
        fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        path
    }

    /// `aqueduct run` with the built-in agent, unless the arguments name another. It has a session of its own, so
    /// that it is not at the terminal of the user that runs the tests.
    pub(crate) fn run(&self, arguments: &[&str]) -> Starting<'_> {
        let mut all = vec!["run"];
        if !arguments.iter().any(|argument| argument.starts_with("--agent")) {
            all.extend(["--agent", "builtin"]);
        }
        all.extend(arguments);
        self.aqueduct(&all)
    }

    /// Any command of the program.
    pub(crate) fn aqueduct(&self, arguments: &[&str]) -> Starting<'_> {
        self.program(env!("CARGO_BIN_EXE_aqueduct"), arguments)
    }

    /// A line of shell.
    pub(crate) fn shell(&self, line: &str) -> Starting<'_> {
        self.program("/bin/bash", &["-c", line])
    }

    fn program(&self, program: &'static str, arguments: &[&str]) -> Starting<'_> {
        Starting {
            place: self,
            program,
            arguments: arguments.iter().map(|&argument| argument.to_owned()).collect(),
            stdin: None,
            stdout_is_file: false,
            variables: Vec::new(),
        }
    }
}

/// A program that is about to be started.
pub(crate) struct Starting<'p> {
    place: &'p Place,
    program: &'static str,
    arguments: Vec<String>,
    stdin: Option<PathBuf>,
    stdout_is_file: bool,
    variables: Vec<(String, String)>,
}

/// What a program left behind.
#[derive(Debug)]
pub(crate) struct Left {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Starting<'_> {
    /// Gives it something to read on stdin.
    pub(crate) fn stdin(mut self, text: &str) -> Self {
        let path = self.place.aside("stdin");
        fs::write(&path, text).unwrap();
        self.stdin = Some(path);
        self
    }

    /// Sets a variable.
    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The terminal has colours and other sequences.
    pub(crate) fn with_sequences(self) -> Self {
        self.env("TERM", "xterm-256color").env("NO_COLOR", "")
    }

    /// At a terminal, stdout goes to the file `stdout` all the same.
    pub(crate) fn stdout_to_file(mut self) -> Self {
        self.stdout_is_file = true;
        self
    }

    /// Runs it to its end, without a terminal.
    pub(crate) fn end(self) -> Left {
        let (out, err) = (self.place.aside("stdout"), self.place.aside("stderr"));
        let mut child = self.spawn(None);
        let status = child.wait().unwrap();
        let text = |path: &Path| String::from_utf8(fs::read(path).unwrap()).unwrap();
        Left { code: status.code().unwrap_or(-1), out: text(&out), err: text(&err) }
    }

    /// Starts it at a terminal.
    pub(crate) fn at_a_terminal(self) -> Terminal {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        tcsetwinsize(&master, Winsize { ws_row: 50, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
        let device = ptsname(&master, Vec::new()).unwrap().into_string().unwrap();
        let child = self.spawn(Some(&device));
        Terminal { master, child, device, kept: None, seen: Vec::new(), read: 0 }
    }

    fn spawn(self, device: Option<&str>) -> Child {
        let place = self.place;
        let start = json!({
            "program": self.program,
            "arguments": self.arguments,
            "device": device,
            "stdin": self.stdin,
            "stdout": (device.is_none() || self.stdout_is_file).then(|| place.aside("stdout")),
            "stderr": device.is_none().then(|| place.aside("stderr")),
        });
        Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "terminal::in_a_session_of_its_own",
                "--ignored",
                "--nocapture",
                "--test-threads=1",
            ])
            .current_dir(place.project())
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("HOME", place.home())
            .env("COLUMNS", "100")
            .env("TERM", "dumb")
            .env("NO_COLOR", "1")
            .envs(self.variables)
            .env(STARTS, start.to_string())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    }
}

/// No test, but the way into a session of its own without a line of unsafe code: this program starts itself again
/// and comes here, leaves its session, takes the terminal if there is one, and becomes the program to be tested.
#[test]
#[ignore = "started by other tests"]
fn in_a_session_of_its_own() {
    let start = std::env::var(STARTS).expect("another test starts this one");
    let start: Value = serde_json::from_str(&start).unwrap();
    rustix::process::setsid().unwrap();
    let device =
        start["device"].as_str().map(|path| OpenOptions::new().read(true).write(true).open(path).unwrap());
    if let Some(device) = &device {
        rustix::process::ioctl_tiocsctty(device).unwrap();
    }
    let terminal = || device.as_ref().map(|device| device.try_clone().unwrap());
    let written = |name: &str| match start[name].as_str() {
        Some(path) => Stdio::from(File::create(path).unwrap()),
        None => terminal().map_or_else(Stdio::null, Stdio::from),
    };
    let stdin = match start["stdin"].as_str() {
        Some(path) => Stdio::from(File::open(path).unwrap()),
        None => terminal().map_or_else(Stdio::null, Stdio::from),
    };
    let arguments = start["arguments"].as_array().unwrap().iter().map(|argument| argument.as_str().unwrap());
    let error = Command::new(start["program"].as_str().unwrap())
        .args(arguments)
        .env_remove(STARTS)
        .stdin(stdin)
        .stdout(written("stdout"))
        .stderr(written("stderr"))
        .exec();
    panic!("the program can't be started: {error}");
}

/// A terminal with a program at it.
pub(crate) struct Terminal {
    master: OwnedFd,
    child: Child,
    device: String,
    kept: Option<File>,
    seen: Vec<u8>,
    /// Up to where what was seen has been looked at.
    read: usize,
}

impl Terminal {
    /// Waits until this is on the screen, after what was waited for before.
    pub(crate) fn expect(&mut self, text: &str) -> &mut Self {
        let until = Instant::now() + PATIENCE;
        loop {
            let seen = String::from_utf8_lossy(&self.seen[self.read..]).into_owned();
            if let Some(place) = seen.find(text) {
                self.read += place + text.len();
                return self;
            }
            let is_there = Instant::now() < until && self.look();
            assert!(is_there, "waited for {text:?}, and saw:\n{}", self.screen());
        }
    }

    /// Types something.
    pub(crate) fn send(&mut self, text: &str) -> &mut Self {
        let mut left = text.as_bytes();
        while !left.is_empty() {
            let count = rustix::io::write(&self.master, left).unwrap();
            left = &left[count..];
        }
        self
    }

    /// Whether the terminal collects lines, shows what is typed and sends signals, as it did before the program started.
    pub(crate) fn has_its_modes(&self) -> bool {
        let all = LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG;
        tcgetattr(&self.master).unwrap().local_modes.contains(all)
    }

    /// Keeps the terminal open: the modes of one that no program has open are those of a new one.
    pub(crate) fn kept_open(mut self) -> Self {
        let mut open = OpenOptions::new();
        open.read(true).write(true).custom_flags(OFlags::NOCTTY.bits().cast_signed());
        self.kept = Some(open.open(&self.device).unwrap());
        self
    }

    /// Waits for the program's end, and leaves the terminal. Returns its exit code.
    pub(crate) fn wait(&mut self) -> i32 {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code().unwrap_or(-1);
            }
            assert!(Instant::now() < until, "the program does not end:\n{}", self.screen());
            self.look();
        }
    }

    /// Types something again and again until this is on the screen.
    pub(crate) fn send_until(&mut self, keys: &str, text: &str) -> &mut Self {
        let until = Instant::now() + PATIENCE;
        while !String::from_utf8_lossy(&self.seen[self.read..]).contains(text) {
            assert!(Instant::now() < until, "waited for {text:?}, and saw:\n{}", self.screen());
            self.send(keys).look();
        }
        self.expect(text)
    }

    /// The process of the program.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Waits for the program's end. Returns its exit code, and all that was on the screen.
    pub(crate) fn end(mut self) -> (i32, String) {
        let until = Instant::now() + PATIENCE;
        while Instant::now() < until && self.look() {}
        let code = self.child.wait().unwrap().code().unwrap_or(-1);
        (code, self.screen())
    }

    fn screen(&self) -> String {
        String::from_utf8_lossy(&self.seen).replace("\r\n", "\n")
    }

    /// Reads what is new. `false` when nothing more will come.
    fn look(&mut self) -> bool {
        let mut watched = [PollFd::new(&self.master, PollFlags::IN)];
        let time = Timespec { tv_sec: 1, tv_nsec: 0 };
        // A signal may end the wait: a read would then wait for what may never come.
        if !matches!(poll(&mut watched, Some(&time)), Ok(1..)) {
            return true;
        }
        let mut bytes = [0; 4096];
        match rustix::io::read(self.master.as_fd(), &mut bytes) {
            Ok(count @ 1..) => {
                self.seen.extend_from_slice(&bytes[..count]);
                true
            }
            // The other side is closed: the terminal has no user any more.
            _ => false,
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // A program that has ended already can't be ended, and needn't.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A text with what differs from run to run taken out.
pub(crate) fn steady(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let mut line = line.to_owned();
        if let Some(at) = line.find(" · session ") {
            line.truncate(at);
            line.push_str(" · session ID");
        }
        let words: Vec<&str> = line
            .split(" · ")
            .map(|part| if part.ends_with(" s") && part.len() < 8 { "TIME" } else { part })
            .collect();
        out.push_str(&words.join(" · "));
        out.push('\n');
    }
    out
}

/// Whether a process is there.
pub(crate) fn is_alive(pid: u32) -> bool {
    let mut text = String::new();
    let there =
        File::open(format!("/proc/{pid}/stat")).and_then(|mut file| file.read_to_string(&mut text)).is_ok();
    there && !text.rsplit(") ").next().unwrap_or_default().starts_with('Z')
}

/// What is left on the screen of lines that replaced each other, with escape characters made visible.
pub(crate) fn settled(screen: &str) -> String {
    let lines = screen.split('\n').map(|line| line.rsplit("\r\x1b[K").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n").replace('\x1b', "␛")
}
