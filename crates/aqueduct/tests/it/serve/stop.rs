//! `aqueduct stop`. The tests name a data folder of their own, so they reach no other processes; `--all` runs
//! only in a PID namespace that a test made for itself.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use aqueduct_bridge::keeper::MARK;
use aqueduct_testing::{has_pid_namespace, in_pid_namespace, require};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::served::{Served, aqueduct, command};
use crate::run;
use crate::terminal::Place;

/// A script that waits for its end, and one that ignores requests to end.
const WAITS: &str = "echo ready; read line";
const IGNORES: &str = "trap '' TERM; echo ready; read line";

fn data(place: &Place) -> PathBuf {
    place.home().join(".local/share/aqueduct")
}

/// Starts a bridge with an agent that has nothing to do; returns the keeper's process.
fn idle_agent(place: &Place) -> (Served, i32) {
    let mut served = Served::start(place, &[]);
    let token = served.pair("phone");
    let session = served.session(&token, place, "@say done");
    served.wait_for_message(&session, &token, "result");
    let keeper = keeper(place);
    (served, keeper)
}

fn keeper(place: &Place) -> i32 {
    let keepers: Vec<_> = fs::read_dir(data(place).join("keepers")).unwrap().flatten().collect();
    assert_eq!(keepers.len(), 1);
    let card = fs::read(keepers[0].path().join("keeper.json")).unwrap();
    serde_json::from_slice::<Value>(&card).unwrap()["keeper"].as_i64().unwrap() as i32
}

fn is_running(pid: i32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

fn freeze(pid: i32) {
    kill_process(Pid::from_raw(pid).unwrap(), Signal::STOP).unwrap();
}

/// Runs the command with `--json`; returns the kind, process and outcome of each.
fn stop(place: &Place, arguments: &[&str]) -> Vec<(String, i32, String)> {
    let ended = aqueduct(place, &[&["stop", "--json"], arguments].concat());
    assert_eq!(ended.code, 0, "{}{}", ended.out, ended.err);
    let found: Value = serde_json::from_str(&ended.out).unwrap();
    let text = |process: &Value, name: &str| process[name].as_str().unwrap().to_owned();
    let processes = found["processes"].as_array().unwrap().iter();
    processes
        .map(|process| {
            (text(process, "kind"), process["pid"].as_i64().unwrap() as i32, text(process, "outcome"))
        })
        .collect()
}

/// A process of this test that is killed with it.
struct Bystander(Child);

impl Bystander {
    /// Starts a program and waits until it reports that it is ready.
    fn start(command: &mut Command) -> Bystander {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(line, "ready\n");
        Bystander(child)
    }

    /// A shell under another name: it runs the script that its argument names.
    fn named(name: &str, argument: &str, folder: &Path) -> Bystander {
        let programs = tempfile::tempdir().unwrap();
        let program = programs.path().join(name);
        fs::copy("/bin/bash", &program).unwrap();
        fs::write(folder.join(argument), WAITS).unwrap();
        // The tests themselves may run in an agent session.
        Bystander::start(Command::new(&program).arg(argument).current_dir(folder).env_remove(MARK))
    }

    /// A process that an agent started.
    fn marked(mark: &str, script: &str) -> Bystander {
        Bystander::start(Command::new("bash").args(["-c", script]).env(MARK, mark))
    }

    fn pid(&self) -> i32 {
        self.0.id() as i32
    }
}

impl Drop for Bystander {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The mark of an agent whose keeper was killed.
fn mark(place: &Place) -> String {
    fs::create_dir_all(data(place)).unwrap();
    fs::canonicalize(data(place)).unwrap().join("keepers/killed").to_str().unwrap().to_owned()
}

#[test]
fn stopping_the_bridge_leaves_its_agents_until_they_are_asked_for() {
    let place = Place::new();
    let (served, keeper) = idle_agent(&place);
    let bridge = served.pid() as i32;
    let listed = stop(&place, &["--agents", "--dry-run"]);
    let expected = |outcome: &str| {
        vec![
            ("bridge".to_owned(), bridge, outcome.to_owned()),
            ("agent".to_owned(), keeper, outcome.to_owned()),
        ]
    };
    let sorted = |mut found: Vec<(String, i32, String)>| {
        found.sort_by_key(|(kind, ..)| kind != "bridge");
        found
    };
    assert_eq!(sorted(listed), expected("running"));
    let ended = aqueduct(&place, &["stop"]);
    assert_eq!(ended.code, 0, "{}", ended.err);
    assert!(ended.out.contains("data folder ~/.local/share/aqueduct"), "{}", ended.out);
    let reported = "still running: 1 agent; aqueduct stop --agents ends them";
    assert!(ended.err.contains("ended 1 bridge") && ended.err.contains(reported), "{}", ended.err);
    assert!(!is_running(bridge) && is_running(keeper));
    assert!(served.errors().contains("stopping"), "it ended in good order");
    let ended = aqueduct(&place, &["stop", "--agents"]);
    assert!(ended.out.contains(&format!("project {}", place.project().display())), "{}", ended.out);
    assert!(!is_running(keeper));
    let ended = aqueduct(&place, &["stop", "--agents"]);
    assert_eq!((ended.code, ended.err.as_str()), (0, "aqueduct: nothing is running\n"));
}

#[test]
fn frozen_processes_of_a_removed_data_folder_end() {
    let place = Place::new();
    let (served, keeper) = idle_agent(&place);
    let bridge = served.pid() as i32;
    freeze(bridge);
    freeze(keeper);
    fs::remove_dir_all(data(&place)).unwrap();
    let listed = aqueduct(&place, &["stop", "--agents", "--dry-run"]);
    assert!(listed.out.contains("data folder ~/.local/share/aqueduct (removed)"), "{}", listed.out);
    let ended = stop(&place, &["--agents"]);
    assert_eq!(ended.len(), 2, "{ended:?}");
    assert!(ended.iter().all(|(_, _, outcome)| outcome == "ended"), "they continue to end: {ended:?}");
    assert!(!is_running(bridge) && !is_running(keeper));
}

#[test]
fn a_process_that_does_not_end_in_time_is_killed() {
    let place = Place::new();
    let mark = mark(&place);
    let leftover = Bystander::marked(&mark, IGNORES);
    let another = Bystander::marked("/elsewhere/keepers/killed", WAITS);
    assert_eq!(stop(&place, &[]), [], "without --agents only the bridge");
    let ended = stop(&place, &["--agents", "--timeout", "0"]);
    assert_eq!(ended, [("leftover".to_owned(), leftover.pid(), "killed".to_owned())]);
    assert!(!is_running(leftover.pid()) && is_running(another.pid()));
}

#[test]
fn programs_with_similar_names_are_left_alone() {
    let place = Place::new();
    let folder = data(&place).join("keepers/one");
    fs::create_dir_all(&folder).unwrap();
    fs::write(data(&place).join("log.lock"), "").unwrap();
    let similar = [
        Bystander::named("aqueduct", "serve", &folder),
        Bystander::named("aqueduct-keeper", "keeper", &folder),
        // The kernel cuts the name after 15 characters.
        Bystander::named("aqueduct-keeper-notes", "notes", &folder),
    ];
    assert_eq!(stop(&place, &["--agents"]), []);
    let listed: Vec<i32> = stop(&place, &["--all", "--dry-run"]).into_iter().map(|(_, pid, _)| pid).collect();
    for process in &similar {
        assert!(is_running(process.pid()) && !listed.contains(&process.pid()));
    }
}

#[test]
fn an_agent_does_not_end_itself() {
    let place = Place::new();
    let mark = mark(&place);
    let stop = command(&place, &["stop", "--agents"]);
    // The shell is there while the command runs, as the shell of an agent's tool is.
    let script = format!("{} stop --agents; echo $?", stop.get_program().to_str().unwrap());
    let mut shell = Command::new("bash");
    shell.args(["-c", &script]).env_clear().env("HOME", place.home()).env("PATH", "/usr/bin:/bin");
    let inside = run(shell.current_dir(place.project()).env(MARK, &mark));
    assert_eq!(inside.out, "2\n");
    assert!(
        inside.err.contains("this command runs inside the agent session that it would end"),
        "{}",
        inside.err
    );
}

/// `--all` in a PID namespace, which has no processes but those of this test.
#[test]
fn everything_of_a_user_ends() {
    require!(has_pid_namespace());
    let name = format!("{}::in_a_pid_namespace", module_path!().split_once("::").unwrap().1);
    let output = in_pid_namespace(std::env::current_exe().unwrap())
        .args([&*name, "--exact", "--nocapture", "--ignored"])
        .env_remove(MARK)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && text.contains("1 passed"),
        "{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
#[ignore = "started by the test above"]
fn in_a_pid_namespace() {
    assert_eq!(std::process::id(), 1, "another test starts this one");
    let (one, two) = (Place::new(), Place::new());
    let (bridge, kept) = idle_agent(&one);
    let (killed, orphan) = idle_agent(&two);
    freeze(orphan);
    killed.stop(Signal::KILL);
    fs::remove_dir_all(data(&two)).unwrap();
    let leftover = Bystander::marked("of an unknown keeper", WAITS);
    let similar = Bystander::named("aqueduct", "serve", &one.project());
    let mut processes = [bridge.pid() as i32, kept, orphan, leftover.pid()];
    let mut listed: Vec<i32> =
        stop(&one, &["--all", "--dry-run"]).into_iter().map(|(_, pid, _)| pid).collect();
    processes.sort_unstable();
    listed.sort_unstable();
    assert_eq!(listed, processes);
    let mut ended = stop(&one, &["--all"]);
    ended.sort_by_key(|(_, pid, _)| *pid);
    assert_eq!(ended.iter().map(|(_, pid, _)| *pid).collect::<Vec<_>>(), processes, "{ended:?}");
    assert!(processes.iter().all(|pid| !is_running(*pid)), "{ended:?}");
    assert!(is_running(similar.pid()));
    assert_eq!(stop(&one, &["--all"]), []);
}
