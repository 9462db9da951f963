//! Nothing outside the store is touched, and nothing in it can do harm.

use std::fs;
use std::ops::ControlFlow;
use std::os::unix::fs::symlink;

use aqueduct_client::transcript::{ForkOptions, Format, ListQuery, SearchQuery, TranscriptError};
use proptest::prelude::*;
use tempfile::TempDir;

use super::room::{Room, id, talk};

#[test]
fn links_are_not_followed() {
    let room = Room::holding(&talk());
    let outside = TempDir::new().unwrap();
    let secret: String = talk().iter().map(|line| format!("{line}\n")).collect();
    let file = outside.path().join(format!("{}.jsonl", id(2)));
    fs::write(&file, &secret).unwrap();
    symlink(&file, room.file(2)).unwrap();
    symlink(outside.path(), room.project("/linked")).unwrap();
    let listed = room.store.list(&ListQuery::default()).unwrap().sessions;
    assert_eq!(listed.len(), 1);
    assert!(matches!(room.store.find(&id(2)), Err(TranscriptError::NotFound { .. })));

    // A file that becomes a link after it was found.
    room.session(3, &talk());
    let session = room.store.find(&id(3)).unwrap();
    fs::remove_file(room.file(3)).unwrap();
    symlink(&file, room.file(3)).unwrap();
    assert!(
        session.rename("x").is_err()
            && session.open().is_err()
            && session.fork(&ForkOptions::default()).is_err()
    );
    assert!(session.export(Format::Jsonl, &mut Vec::new()).is_err());
    assert!(session.delete().is_err());
    assert_eq!(fs::read_to_string(&file).unwrap(), secret);
}

#[test]
fn deleting_removes_links_and_not_what_they_lead_to() {
    let room = Room::holding(&talk());
    let outside = TempDir::new().unwrap();
    fs::write(outside.path().join("precious"), "x").unwrap();
    room.subagent("agent-x.jsonl", None, &talk());
    let own = room.project("/proj").join(id(1));
    symlink(outside.path(), own.join("subagents/away")).unwrap();
    symlink(outside.path().join("precious"), own.join("agent-y.jsonl")).unwrap();
    assert_eq!(room.first().subagents().unwrap().len(), 1);
    room.first().delete().unwrap();
    assert!(!own.exists());
    assert!(outside.path().join("precious").exists());

    // The folder beside the file is itself a link: it is not the session's.
    room.session(1, &talk());
    symlink(outside.path(), &own).unwrap();
    assert!(room.first().subagents().unwrap().is_empty());
    room.first().delete().unwrap();
    assert!(outside.path().join("precious").exists());
}

#[test]
fn a_path_that_is_not_a_file_does_not_block() {
    let room = Room::holding(&talk());
    let pipe = room.file(2);
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, rustix::fs::Mode::RUSR, 0)
        .unwrap();
    fs::create_dir(room.file(3)).unwrap();
    assert_eq!(room.store.list(&ListQuery::default()).unwrap().sessions.len(), 1);
    assert!(matches!(room.store.find(&id(2)), Err(TranscriptError::NotFound { .. })));
}

#[test]
fn the_configuration_folder_may_be_a_link() {
    let room = Room::holding(&talk());
    let elsewhere = TempDir::new().unwrap();
    let link = elsewhere.path().join("config");
    symlink(room.path(), &link).unwrap();
    let store = aqueduct_client::transcript::Store::new(link);
    assert_eq!(store.list(&ListQuery::default()).unwrap().sessions.len(), 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_bytes_are_a_session(noise in proptest::collection::vec(any::<Vec<u8>>(), 0..6), at in 0usize..7) {
        let room = Room::new();
        let mut bytes = noise;
        bytes.insert(at.min(bytes.len()), talk()[0].to_string().into_bytes());
        room.write(1, bytes.join(&b'\n'));
        prop_assert_eq!(room.store.list(&ListQuery::default()).unwrap().sessions.len(), 1);
        prop_assert_eq!(room.open().len(), 1);
        let mut hits = 0;
        let count = |_| {
            hits += 1;
            ControlFlow::Continue(())
        };
        room.store.search(&SearchQuery::new("build"), || false, count).unwrap();
        prop_assert_eq!(hits, 1);
        for format in [Format::Markdown, Format::Html, Format::Jsonl] {
            room.first().export(format, &mut Vec::new()).unwrap();
        }
        prop_assert_eq!(room.first().fork(&ForkOptions::default()).unwrap().open().unwrap().len(), 1);
        room.first().rename("A title").unwrap();
        let summary = room.first().summary().unwrap();
        prop_assert_eq!(summary.title(), "A title");
    }
}
