//! The guard as a process: what it reports, and that no process escapes it.
//!
//! Every process of a test holds the write end of one pipe, so EOF on that pipe means that all have exited.

use std::io::{BufRead, BufReader, PipeReader, Read};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio};

use aqueduct_agent::program::GUARD;

const PROGRAM: &str = env!("CARGO_BIN_EXE_aqueduct-agent");

/// A guard, its socket, and what its command prints.
struct Guard {
    child: Child,
    reports: BufReader<UnixStream>,
    output: BufReader<PipeReader>,
}

impl Guard {
    fn of(command: &[&str]) -> Guard {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let (reader, writer) = std::io::pipe().unwrap();
        let child = Command::new(PROGRAM)
            .arg(GUARD)
            .args(command)
            .env("LC_ALL", "C.UTF-8")
            .stdin(OwnedFd::from(theirs))
            .stdout(writer.try_clone().unwrap())
            .stderr(writer)
            .spawn()
            .unwrap();
        Guard { child, reports: BufReader::new(ours), output: BufReader::new(reader) }
    }

    fn bash(script: &str) -> Guard {
        Guard::of(&["bash", "-c", script])
    }

    /// The text of the next report.
    fn report(&mut self) -> String {
        let mut line = String::new();
        self.reports.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    /// The next line that the command prints.
    fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    /// Waits until all processes have exited, and returns the rest of their output.
    fn all_gone(mut self) -> String {
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).unwrap();
        self.child.wait().unwrap();
        rest
    }
}

/// Sends a signal. The shell has `kill` built in; the program of that name is not on every machine.
fn kill(signal: &str, process: u32) {
    let script = format!("kill {signal} {process}");
    assert!(Command::new("sh").args(["-c", &script]).status().unwrap().success());
}

/// A process's child by its name.
fn child_named(name: &str, parent: u32) -> u32 {
    let children = std::fs::read_to_string(format!("/proc/{parent}/task/{parent}/children")).unwrap();
    let mut children = children.split_whitespace().map(|child| child.parse::<u32>().unwrap());
    let is_it = |child: &u32| std::fs::read_to_string(format!("/proc/{child}/comm")).unwrap().trim() == name;
    children.find(is_it).unwrap()
}

#[test]
fn the_exit_code_is_reported_and_the_guard_leaves() {
    let mut guard = Guard::bash("echo out; echo err >&2; exit 3");
    assert!(guard.report().starts_with("started "));
    assert_eq!(guard.report(), "exited 3");
    assert_eq!(guard.report(), "");
    assert_eq!(guard.all_gone(), "out\nerr\n");
}

#[test]
fn a_signal_is_reported() {
    let mut guard = Guard::bash("kill -9 $$");
    guard.report();
    assert_eq!(guard.report(), "signalled 9");
}

#[test]
fn a_command_that_cannot_start_is_reported() {
    let mut guard = Guard::of(&["/no/such/program"]);
    assert_eq!(guard.report(), "refused 2");
    assert_eq!(guard.report(), "");
}

#[test]
fn stdin_is_empty_and_there_is_no_terminal() {
    let guard = Guard::bash("cat; (: </dev/tty) 2>/dev/null || echo none");
    assert_eq!(guard.all_gone(), "none\n");
}

#[test]
fn a_command_that_ignores_signals_is_killed_when_the_line_ends() {
    let mut guard = Guard::bash("trap '' TERM INT HUP; echo ready; while :; do sleep 1000; done");
    assert_eq!(guard.line(), "ready");
    guard.reports.get_ref().shutdown(Shutdown::Write).unwrap();
    guard.report();
    assert_eq!(guard.report(), "signalled 9");
    guard.all_gone();
}

#[test]
fn a_command_gets_the_chance_to_clean_up() {
    // A trap interrupts `wait`, but not a child in the foreground that starts after the signal.
    let mut guard = Guard::bash("trap 'echo cleaned; exit 0' TERM; sleep 1000 & echo ready; wait");
    assert_eq!(guard.line(), "ready");
    guard.reports.get_ref().shutdown(Shutdown::Write).unwrap();
    let rest = guard.all_gone();
    assert!(rest.ends_with("cleaned\n"), "{rest}");
}

#[test]
#[cfg_attr(aqueduct_portable, ignore = "portable can't find a process that left its process group")]
fn leftover_processes_continue_until_the_socket_closes() {
    // A typical daemon: it forks, creates a session, forks again and ignores signals.
    let daemon = "trap '' TERM HUP; echo daemon; while :; do sleep 1000; done";
    let mut guard = Guard::bash(&format!("(setsid sh -c '({daemon}) &' &); echo main; exit 0"));
    let mut lines = [guard.line(), guard.line()];
    lines.sort();
    assert_eq!(lines, ["daemon", "main"]);
    guard.report();
    assert_eq!(guard.report(), "exited 0");
    guard.reports.get_ref().shutdown(Shutdown::Write).unwrap();
    guard.all_gone();
}

#[test]
fn the_guard_leaves_when_the_last_leftover_has_ended() {
    let mut guard = Guard::bash("sleep 0.05 & exit 0");
    guard.report();
    assert_eq!(guard.report(), "exited 0");
    assert_eq!(guard.report(), "");
    guard.all_gone();
}

#[test]
#[cfg_attr(aqueduct_portable, ignore = "portable can't find a process that left its process group")]
fn everyone_ends_when_the_one_who_holds_the_line_is_killed() {
    let (reader, writer) = std::io::pipe().unwrap();
    // `sleep` represents the agent: it holds the other end of the guard's stdin.
    let script = format!(
        "sleep 1000 | '{PROGRAM}' {GUARD} bash -c \"trap '' TERM; (setsid sleep 1000 &); echo ready; sleep 1000\"; :"
    );
    let mut shell = Command::new("bash")
        .args(["-c", &script])
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::null())
        .stdout(writer.try_clone().unwrap())
        .stderr(writer)
        .spawn()
        .unwrap();
    let mut output = BufReader::new(reader);
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    assert_eq!(line, "ready\n");
    kill("-9", child_named("sleep", shell.id()));
    let mut rest = String::new();
    output.read_to_string(&mut rest).unwrap();
    shell.wait().unwrap();
}

#[test]
#[cfg_attr(aqueduct_portable, ignore = "portable can't find a process that left its process group")]
fn a_guard_that_is_asked_to_end_ends_all_processes() {
    let mut guard =
        Guard::bash("trap '' TERM; (setsid sleep 1000 &); echo ready; while :; do sleep 1000; done");
    assert_eq!(guard.line(), "ready");
    kill("-TERM", guard.child.id());
    guard.all_gone();
}

#[test]
fn an_agent_that_died_before_the_guard_was_ready_starts_nothing() {
    let (ours, theirs) = UnixStream::pair().unwrap();
    drop(ours);
    let output =
        Command::new(PROGRAM).args([GUARD, "echo", "started"]).stdin(OwnedFd::from(theirs)).output().unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "");
}

#[test]
#[cfg_attr(aqueduct_portable, ignore = "portable can't name a process")]
fn a_guard_is_not_found_under_the_agents_name() {
    let mut guard = Guard::bash("cat /proc/$PPID/comm");
    assert_eq!(guard.line(), "aqueduct-guard");
}

#[test]
fn the_output_is_the_commands_alone() {
    let (mut reader, writer) = std::io::pipe().unwrap();
    let (ours, theirs) = UnixStream::pair().unwrap();
    let mut child = Command::new(PROGRAM)
        .args([GUARD, "bash", "-c", "exec 1>&- 2>&-; exit 4"])
        .stdin(OwnedFd::from(theirs))
        .stdout(writer)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut output = Vec::new();
    reader.read_to_end(&mut output).unwrap();
    assert!(output.is_empty());
    let mut reports = String::new();
    BufReader::new(&ours).read_to_string(&mut reports).unwrap();
    assert!(reports.ends_with("exited 4\n"), "{reports}");
    child.wait().unwrap();
}
