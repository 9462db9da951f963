//! Files of lines.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt as _;

use aqueduct_tracing::LogFile;

/// The files in a folder, with what is in them.
fn files(folder: &std::path::Path) -> Vec<(String, String)> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let entry = entry.unwrap();
            let text = fs::read_to_string(entry.path()).unwrap();
            (entry.file_name().into_string().unwrap(), text)
        })
        .collect();
    files.sort();
    files
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
}

#[test]
fn a_file_is_renamed_when_it_would_become_too_long() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let mut file = LogFile::open(&path, 8, 2).unwrap();
    for line in ["one\n", "two\n", "three\n", "four\n", "a line that is too long\n", "five\n"] {
        file.write_all(line.as_bytes()).unwrap();
    }
    assert_eq!(
        files(folder.path()),
        pairs(&[("log", "five\n"), ("log.1", "a line that is too long\n"), ("log.2", "four\n")])
    );
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn a_file_continues_where_it_ended() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    for line in ["one\n", "two\n", "three\n"] {
        LogFile::open(&path, 8, 1).unwrap().write_all(line.as_bytes()).unwrap();
    }
    assert_eq!(files(folder.path()), pairs(&[("log", "three\n"), ("log.1", "one\ntwo\n")]));
}

#[test]
fn without_older_files_it_begins_anew() {
    let folder = tempfile::tempdir().unwrap();
    let mut file = LogFile::open(&folder.path().join("log"), 4, 0).unwrap();
    for line in ["one\n", "two\n"] {
        file.write_all(line.as_bytes()).unwrap();
    }
    assert_eq!(files(folder.path()), pairs(&[("log", "two\n")]));
}

/// As programs that rotate logs do it.
#[test]
fn a_file_that_was_renamed_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let mut file = LogFile::open(&path, 100, 2).unwrap();
    file.write_all(b"one\n").unwrap();
    fs::rename(&path, folder.path().join("log.old")).unwrap();
    file.write_all(b"two\n").unwrap();
    file.reopen().unwrap();
    file.write_all(b"three\n").unwrap();
    assert_eq!(files(folder.path()), pairs(&[("log", "three\n"), ("log.old", "one\ntwo\n")]));
}

#[test]
fn a_file_that_can_not_be_renamed_is_written_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    fs::create_dir_all(folder.path().join("log.1/in-the-way")).unwrap();
    let mut file = LogFile::open(&path, 4, 1).unwrap();
    for line in ["one\n", "two\n"] {
        file.write_all(line.as_bytes()).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), "one\ntwo\n");
}
