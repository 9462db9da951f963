//! What is identified in a table of processes that a test writes: no process is involved.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use aqueduct_os::process_table::{FileId, ProcessTable, is_of_this_namespace};

use super::super::processes::Processes;
use super::super::target::TargetKind;
use super::{ProcessSearch, StopScope};

const USER: u32 = 1000;

/// A table of processes in a folder.
struct Table(tempfile::TempDir);

/// An entry of the table.
struct Entry(PathBuf);

impl Table {
    fn new() -> Table {
        let table = Table(tempfile::tempdir().unwrap());
        fs::write(table.program("aqueduct"), "").unwrap();
        fs::write(table.program("other"), "").unwrap();
        table
    }

    fn program(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A process of this user under the first process, with nothing open.
    fn process(&self, pid: i32, arguments: &[&str]) -> Entry {
        let folder = self.0.path().join(pid.to_string());
        fs::create_dir_all(folder.join("fd")).unwrap();
        let entry = Entry(folder);
        let name = Path::new(arguments[0]).file_name().unwrap().to_str().unwrap();
        let line: String = arguments.iter().map(|argument| format!("{argument}\0")).collect();
        fs::write(entry.0.join("cmdline"), line).unwrap();
        fs::write(entry.0.join("environ"), "HOME=/home/ada\0").unwrap();
        entry.user(USER).state(name, 'S', 1).exe(&self.program("other"))
    }

    fn found(&self, scope: StopScope) -> Vec<(i32, TargetKind)> {
        let program = FileId::of(&self.program("aqueduct"));
        let table = ProcessTable::at(self.0.path().to_owned());
        let processes = Processes { table, user: USER, own: 1, program };
        let found = ProcessSearch::new(processes, scope).look().unwrap();
        let mut found: Vec<_> = found.into_iter().map(|target| (target.pid, target.kind)).collect();
        found.sort_by_key(|(pid, _)| *pid);
        found
    }
}

impl Entry {
    fn user(self, user: u32) -> Entry {
        fs::write(self.0.join("status"), format!("Name:\tx\nUid:\t{user}\t0\t0\t0\n")).unwrap();
        self
    }

    fn state(self, name: &str, state: char, parent: i32) -> Entry {
        fs::write(
            self.0.join("stat"),
            format!("7 ({name}) {state} {parent} 7 7 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 42 0"),
        )
        .unwrap();
        self
    }

    fn link(self, name: &str, target: &Path) -> Entry {
        let _ = fs::remove_file(self.0.join(name));
        symlink(target, self.0.join(name)).unwrap();
        self
    }

    fn exe(self, target: &Path) -> Entry {
        self.link("exe", target)
    }

    fn marked(self, mark: &str) -> Entry {
        fs::write(self.0.join("environ"), format!("A=b\0AQUEDUCT_KEEPER={mark}\0")).unwrap();
        self
    }

    /// A bridge's open files.
    fn log(self, folder: &str) -> Entry {
        let at = |name: &str| PathBuf::from(format!("{folder}/{name}"));
        self.link("fd/4", &at("log.lock")).link("fd/5", &at("log.sqlite3"))
    }

    /// A keeper's working directory and lock.
    fn keeper(self, parent: i32, folder: &str, suffix: &str) -> Entry {
        let own = PathBuf::from(format!("{folder}/keepers/k{suffix}"));
        let lock = PathBuf::from(format!("{folder}/keepers/k/lock{suffix}"));
        self.state("aqueduct-keeper", 'S', parent).link("cwd", &own).link("fd/3", &lock)
    }
}

#[test]
fn processes_of_others_and_those_that_ended_are_left_alone() {
    let table = Table::new();
    table.process(10, &["aqueduct", "serve"]).log("/data").user(USER + 1);
    table.process(11, &["aqueduct", "serve"]).log("/data").state("aqueduct", 'Z', 1);
    table.process(12, &["sh"]).marked("m").user(0);
    table.process(1, &["aqueduct", "serve"]).log("/data").exe(&table.program("aqueduct"));
    assert_eq!(table.found(StopScope::User), [], "not even this process itself");
}

#[test]
fn a_bridge_is_known_by_its_program_or_its_files() {
    let table = Table::new();
    table.process(10, &["/usr/bin/aqueduct", "serve"]).exe(&table.program("aqueduct"));
    table.process(11, &["/opt/old/aqueduct-0.1", "serve", "--no-pair"]).log("/data");
    table.process(12, &["/opt/aqueduct", "serve"]);
    table.process(13, &["/opt/aqueduct", "serve"]).link("fd/4", Path::new("/data/log.lock"));
    table.process(14, &["sqlite3", "/data/log.sqlite3"]).log("/data");
    table.process(15, &["aqueduct", "run", "serve"]).exe(&table.program("aqueduct"));
    assert_eq!(table.found(StopScope::User), [(10, TargetKind::Bridge), (11, TargetKind::Bridge)]);
    assert_eq!(table.found(StopScope::Folder("/data".into())), [(11, TargetKind::Bridge)]);
    assert_eq!(table.found(StopScope::Folder("/elsewhere".into())), []);
}

#[test]
fn a_keeper_is_known_by_its_lock() {
    let table = Table::new();
    table.process(20, &["aqueduct", "keeper"]).keeper(1, "/data", "");
    table.process(21, &["/opt/old/keeper"]).keeper(1, "/data", " (deleted)");
    table.process(22, &["aqueduct-keeper"]).link("cwd", Path::new("/data/keepers/k"));
    table.process(23, &["vi", "lock"]).keeper(1, "/data", "").state("vi", 'S', 1);
    // One that has just been started, and one that is about to become the agent.
    table.process(24, &["/proc/self/exe", "keeper"]).exe(&table.program("aqueduct"));
    let becoming = ["/proc/self/exe", "keeper", "--become-the-agent", "20", "agent"];
    table.process(25, &becoming).exe(&table.program("aqueduct"));
    let agents = [(20, TargetKind::Agent), (21, TargetKind::Agent)];
    assert_eq!(table.found(StopScope::User), [agents[0], agents[1], (24, TargetKind::Agent)]);
    assert_eq!(table.found(StopScope::Folder("/data".into())), agents, "also after the folder was removed");
}

#[test]
fn processes_of_an_agent_are_left_to_a_keeper_that_runs() {
    let table = Table::new();
    table.process(20, &["aqueduct", "keeper"]).keeper(1, "/data", "");
    table.process(30, &["agent"]).marked("kept").state("agent", 'S', 20);
    table.process(31, &["sh"]).marked("kept");
    table.process(32, &["sh"]).marked("left");
    assert_eq!(table.found(StopScope::User), [(20, TargetKind::Agent), (32, TargetKind::Leftover)]);
}

/// A bridge that runs inside an agent session inherits the mark of that agent, and so do its keepers.
#[test]
fn an_inherited_mark_is_not_a_mark_of_the_keeper() {
    let table = Table::new();
    table.process(20, &["aqueduct", "keeper"]).keeper(1, "/inner", "").marked("outer");
    table.process(30, &["aqueduct", "keeper"]).marked("outer").state("aqueduct-keeper", 'S', 20);
    table.process(31, &["sh"]).marked("outer");
    assert_eq!(table.found(StopScope::Folder("/inner".into())), [(20, TargetKind::Agent)]);
}

#[test]
fn leftover_processes_of_a_data_folder_have_its_path_in_their_mark() {
    let table = Table::new();
    table.process(30, &["sh"]).marked("/data/keepers/k");
    table.process(31, &["sh"]).marked("/data2/keepers/k");
    table.process(32, &["sh"]).marked("/data/keepers");
    table.process(33, &["sh"]).marked("");
    assert_eq!(table.found(StopScope::Folder("/data".into())), [(30, TargetKind::Leftover)]);
}

/// A keeper moves with its data folder; a mark does not.
#[test]
fn agents_of_another_data_folder_are_left_to_their_keeper() {
    let table = Table::new();
    table.process(20, &["aqueduct", "keeper"]).keeper(1, "/moved", "");
    table.process(30, &["agent"]).marked("/data/keepers/k").state("agent", 'S', 20);
    assert_eq!(table.found(StopScope::Folder("/data".into())), []);
    assert_eq!(table.found(StopScope::Folder("/moved".into())), [(20, TargetKind::Agent)]);
}

#[test]
fn numbers_of_another_namespace_are_noticed() {
    assert!(is_of_this_namespace("Pid:\t12\nNSpid:\t12\n", 12));
    assert!(!is_of_this_namespace("Pid:\t812\nNSpid:\t812\t12\n", 12));
    assert!(!is_of_this_namespace("Pid:\t812\n", 12) && is_of_this_namespace("Pid:\t12\n", 12));
}
