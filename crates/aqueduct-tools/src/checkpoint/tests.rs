use std::collections::BTreeMap;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use tempfile::TempDir;

use super::{CheckpointError, Checkpoints, RewindReport};

/// A folder with files, and the history of what is done to them.
struct Session {
    folder: TempDir,
    checkpoints: Checkpoints,
}

impl Session {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("work")).unwrap();
        let checkpoints = Checkpoints::open(folder.path().join("config/history")).unwrap();
        Session { folder, checkpoints }
    }

    /// As after a crash: another process opens what is on disk.
    fn reopen(&mut self) {
        self.checkpoints = Checkpoints::open(self.history()).unwrap();
    }

    fn history(&self) -> PathBuf {
        self.folder.path().join("config/history")
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("work").join(name)
    }

    /// Changes a file as a tool does.
    fn write(&self, name: &str, bytes: &str) {
        self.checkpoints.before_change(&self.path(name)).unwrap();
        self.write_unseen(name, bytes);
    }

    /// Changes a file as a command does.
    fn write_unseen(&self, name: &str, bytes: &str) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), bytes).unwrap();
    }

    fn begin(&self, message: &str) {
        self.checkpoints.begin(message).unwrap();
    }

    fn rewind(&self, message: &str) -> RewindReport {
        let dry = self.checkpoints.rewind(message, true).unwrap();
        let state = self.state();
        assert_eq!(self.checkpoints.rewind(message, true).unwrap(), dry, "a dry run changed something");
        assert_eq!(self.state(), state, "a dry run changed something");
        let rewound = self.checkpoints.rewind(message, false).unwrap();
        assert_eq!(rewound, dry, "a dry run reported something else");
        assert_eq!(self.checkpoints.rewind(message, true).unwrap().files_changed, [] as [&Path; 0]);
        rewound
    }

    /// All files and their bytes.
    fn state(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut state = BTreeMap::new();
        let mut folders = vec![self.path("")];
        while let Some(folder) = folders.pop() {
            for entry in folder.read_dir().unwrap() {
                let path = entry.unwrap().path();
                match path.is_dir() {
                    true => folders.push(path),
                    false => drop(state.insert(path.clone(), fs::read(&path).unwrap())),
                }
            }
        }
        state
    }
}

#[test]
fn files_go_back_and_forth() {
    let session = Session::new();
    session.write_unseen("a", "one\ntwo\n");
    session.begin("1");
    session.write("a", "ONE\n1.5\ntwo\n");
    session.write("sub/new", "n\n");
    session.begin("2");
    let second = session.state();
    session.write("a", "ONE\n1.5\nTWO\n");
    session.begin("3");
    session.write_unseen("a", "by a command");
    session.begin("4");
    let fourth = session.state();

    assert_eq!(session.rewind("4"), RewindReport::default());
    let rewound = session.rewind("1");
    assert_eq!(rewound.files_changed, [session.path("a"), session.path("sub/new")]);
    assert_eq!((rewound.insertions, rewound.deletions), (2, 2));
    assert_eq!(session.state(), BTreeMap::from([(session.path("a"), b"one\ntwo\n".to_vec())]));
    session.rewind("2");
    assert_eq!(session.state(), second);
    session.rewind("4");
    assert_eq!(session.state(), fourth);
}

#[test]
fn messages_nobody_sent_and_histories_that_are_off() {
    let session = Session::new();
    session.begin("1");
    assert!(matches!(session.checkpoints.rewind("2", false), Err(CheckpointError::Unknown)));
    let off = Checkpoints::off();
    off.begin("1").unwrap();
    off.before_change(&session.path("a")).unwrap();
    assert!(matches!(off.rewind("1", true), Err(CheckpointError::Off)));
}

#[test]
fn a_history_outlives_its_process() {
    let mut session = Session::new();
    let odd = session.path("").join(std::ffi::OsStr::from_bytes(b"odd\xff"));
    fs::write(&odd, "odd").unwrap();
    session.write_unseen("a", "one");
    session.begin("1");
    session.write("a", "two");
    session.checkpoints.before_change(&odd).unwrap();
    fs::write(&odd, "changed").unwrap();
    session.reopen();
    session.begin("2");
    session.write("b", "new");
    session.reopen();
    session.rewind("2");
    assert!(!session.path("b").exists());
    session.rewind("1");
    assert_eq!(fs::read(session.path("a")).unwrap(), b"one");
    assert_eq!(fs::read(odd).unwrap(), b"odd");
}

#[test]
fn a_torn_line_costs_nothing_but_itself() {
    let mut session = Session::new();
    session.write_unseen("a", "one");
    session.begin("1");
    session.write("a", "two");
    let index = session.history().join("index.jsonl");
    let whole = fs::read(&index).unwrap();
    session.begin("2");
    let longer = fs::read(&index).unwrap();
    for end in whole.len()..longer.len() {
        fs::write(&index, &longer[..end]).unwrap();
        session.reopen();
        assert!(matches!(session.checkpoints.rewind("2", true), Err(CheckpointError::Unknown)));
        session.begin("3");
        session.reopen();
        assert_eq!(session.checkpoints.rewind("1", true).unwrap().files_changed, [session.path("a")]);
        session.checkpoints.rewind("3", true).unwrap();
    }
}

#[test]
fn what_is_kept_is_private_and_kept_once() {
    let session = Session::new();
    session.write_unseen("a", "same");
    session.write_unseen("b", "same");
    session.begin("1");
    session.write("a", "x");
    session.write("b", "y");
    assert_eq!(session.history().read_dir().unwrap().count(), 2, "the index and one content");
    assert_eq!(fs::metadata(session.history()).unwrap().mode() & 0o777, 0o700);
}

#[test]
fn damaged_contents_change_nothing() {
    let session = Session::new();
    session.write_unseen("a", "one");
    session.begin("1");
    session.write("a", "two");
    session.write("b", "new");
    let kept = session.history().read_dir().unwrap().map(|entry| entry.unwrap().path());
    let kept = kept.into_iter().find(|path| !path.ends_with("index.jsonl")).unwrap();
    fs::write(kept, "").unwrap();
    let state = session.state();
    let error = session.checkpoints.rewind("1", false).unwrap_err();
    assert!(error.to_string().contains("damaged"), "{error}");
    assert_eq!(session.state(), state);
}

#[test]
fn modes_are_restored() {
    let session = Session::new();
    session.write_unseen("run", "x");
    fs::set_permissions(session.path("run"), fs::Permissions::from_mode(0o750)).unwrap();
    session.begin("1");
    session.write("run", "y");
    fs::remove_file(session.path("run")).unwrap();
    session.rewind("1");
    assert_eq!(fs::metadata(session.path("run")).unwrap().mode() & 0o777, 0o750);
}

#[test]
fn links_that_lead_elsewhere_are_not_followed() {
    let session = Session::new();
    session.begin("1");
    session.write("made", "x");
    session.write("folder/made", "x");
    fs::remove_file(session.path("made")).unwrap();
    fs::rename(session.path("folder"), session.path("other")).unwrap();
    session.write_unseen("precious", "p");
    symlink("precious", session.path("made")).unwrap();
    symlink("other", session.path("folder")).unwrap();
    let rewound = session.checkpoints.rewind("1", false).unwrap();
    assert_eq!(rewound, RewindReport { skipped_links: 2, ..RewindReport::default() });
    assert_eq!(fs::read(session.path("precious")).unwrap(), b"p");
    assert!(session.path("other/made").exists());
}

#[test]
fn a_file_that_became_something_else_is_left_alone() {
    let session = Session::new();
    session.begin("1");
    session.write("made", "x");
    fs::remove_file(session.path("made")).unwrap();
    fs::create_dir(session.path("made")).unwrap();
    session.begin("2");
    assert_eq!(session.rewind("1"), RewindReport::default());
    assert!(session.path("made").is_dir());
}

#[test]
fn a_file_that_is_too_large_is_not_changed() {
    let session = Session::new();
    session.write_unseen("huge", "");
    fs::File::options().write(true).open(session.path("huge")).unwrap().set_len(1 << 30).unwrap();
    session.begin("1");
    let error = session.checkpoints.before_change(&session.path("huge")).unwrap_err();
    assert!(error.to_string().contains("1073741824 bytes"), "{error}");
}

/// What happens between two messages.
#[derive(Debug, Clone)]
enum Event {
    Write(u8, String),
    WriteUnseen(u8, String),
    Remove(u8),
    Reopen,
}

fn events() -> impl Strategy<Value = Vec<Vec<Event>>> {
    let event = prop_oneof![
        4 => (0..4_u8, "[ab\n]{0,6}").prop_map(|(file, text)| Event::Write(file, text)),
        1 => (0..4_u8, "[ab\n]{0,6}").prop_map(|(file, text)| Event::WriteUnseen(file, text)),
        1 => (0..4_u8).prop_map(Event::Remove),
        1 => Just(Event::Reopen),
    ];
    prop::collection::vec(prop::collection::vec(event, 0..5), 1..6)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Every file that a tool touched is what it was at each message, whatever else happened to it, and in
    /// whatever order the messages are gone back to.
    #[test]
    fn every_message_can_be_gone_back_to(turns in events(), order in prop::collection::vec(0..6_usize, 1..6)) {
        let mut session = Session::new();
        session.write_unseen("0", "zero\n");
        session.write_unseen("1", "one");
        let mut states = Vec::new();
        let mut tracked = std::collections::BTreeSet::new();
        for (turn, events) in turns.iter().enumerate() {
            session.begin(&turn.to_string());
            states.push(session.state());
            for event in events {
                match event {
                    Event::Write(file, text) => {
                        // Until a tool changes a file, the changes that commands make to it are not recorded: its first
                        // known state is then what all earlier messages restore.
                        let path = session.path(&file.to_string());
                        if tracked.insert(path.clone()) {
                            let now = fs::read(&path).ok();
                            for state in &mut states {
                                match &now {
                                    Some(bytes) => drop(state.insert(path.clone(), bytes.clone())),
                                    None => drop(state.remove(&path)),
                                }
                            }
                        }
                        session.write(&file.to_string(), text);
                    }
                    Event::WriteUnseen(file, text) => session.write_unseen(&file.to_string(), text),
                    Event::Remove(file) => drop(fs::remove_file(session.path(&file.to_string()))),
                    Event::Reopen => session.reopen(),
                }
            }
        }
        let of_tracked = |state: &BTreeMap<PathBuf, Vec<u8>>| -> BTreeMap<PathBuf, Vec<u8>> {
            state.iter().filter(|(path, _)| tracked.contains(*path)).map(|(path, bytes)| (path.clone(), bytes.clone())).collect()
        };
        for turn in order {
            let turn = turn % turns.len();
            session.rewind(&turn.to_string());
            prop_assert_eq!(of_tracked(&session.state()), of_tracked(&states[turn]));
        }
    }
}
