//! The format: what is written is read again, and nothing else is.

use std::collections::BTreeMap;
use std::io::Read;

use aqueduct_bridge::backup::archive::{
    ArchiveError, ArchiveWriter, BackupContents, BackupHeader, EntryName, KeeperFile, read,
};
use proptest::prelude::*;
use tar::{Builder, EntryType, Header};

type Files = BTreeMap<EntryName, Vec<u8>>;

fn header() -> BackupHeader {
    BackupHeader::new("0.1.0", 1_750_000_000_000, "0123abcd", 5)
}

fn written(files: &Files) -> Vec<u8> {
    let mut writer = ArchiveWriter::new(Vec::new(), &header()).unwrap();
    for (name, content) in files {
        writer.add(name, content.len() as u64, &content[..]).unwrap();
    }
    writer.finish().unwrap().0
}

/// The files of an archive that is sound.
fn files(archive: &[u8]) -> Result<(BackupContents, Files), ArchiveError> {
    let mut files = Files::new();
    let contents = read(archive, |name, size, content| {
        let mut bytes = Vec::new();
        content.read_to_end(&mut bytes).map_err(ArchiveError::Read)?;
        assert!(bytes.len() as u64 <= size);
        files.insert(name.clone(), bytes);
        Ok::<(), ArchiveError>(())
    })?;
    Ok((contents, files))
}

fn some_files() -> Files {
    let keeper = |file| EntryName::keeper("0f1e", file).unwrap();
    Files::from([
        (EntryName::Log, b"database".repeat(200)),
        (EntryName::Own("push.key"), b"key".to_vec()),
        (keeper(KeeperFile::Segment(0)), b"{}\n".to_vec()),
        (keeper(KeeperFile::Own("inputs")), Vec::new()),
    ])
}

fn name() -> impl Strategy<Value = EntryName> {
    let file = prop_oneof![
        any::<u64>().prop_map(KeeperFile::Segment),
        prop::sample::select(KeeperFile::before_spool().chain(KeeperFile::after_spool()).collect::<Vec<_>>()),
    ];
    prop_oneof![
        Just(EntryName::Log),
        prop::sample::select(EntryName::own_files().collect::<Vec<_>>()),
        ("[a-zA-Z0-9-]{1,64}", file).prop_map(|(folder, file)| EntryName::keeper(&folder, file).unwrap()),
    ]
}

fn any_files() -> impl Strategy<Value = Files> {
    prop::collection::btree_map(name(), prop::collection::vec(any::<u8>(), 0..2000), 0..8)
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(files in any_files()) {
        let (contents, read) = self::files(&written(&files)).unwrap();
        prop_assert_eq!(contents.header, header());
        prop_assert_eq!(contents.manifest.files.len(), files.len() + 1);
        prop_assert_eq!(read, files);
    }

    /// Bytes that mean nothing to a reader, such as those between entries, may be changed.
    #[test]
    fn a_change_is_noticed_or_changes_nothing(files in any_files(), at in any::<prop::sample::Index>(), flip in 1..=255_u8) {
        let mut archive = written(&files);
        let at = at.index(archive.len());
        archive[at] ^= flip;
        if let Ok((contents, read)) = self::files(&archive) {
            prop_assert_eq!((contents.header, read), (header(), files));
        }
    }

    #[test]
    fn a_part_of_an_archive_is_none(files in any_files(), at in any::<prop::sample::Index>()) {
        let archive = written(&files);
        // The end of an archive is two blocks of zeros, of which one does.
        let cut = at.index(archive.len() - 1024);
        prop_assert!(self::files(&archive[..cut]).is_err());
    }

    #[test]
    fn any_bytes_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..3000)) {
        prop_assert!(files(&bytes).is_err());
    }
}

/// An archive in which something is between the header and the rest.
fn with_entry(change: impl FnOnce(&mut Header), content: &[u8]) -> Vec<u8> {
    let sound = written(&some_files());
    // The header takes a block and its text another.
    let (front, rest) = sound.split_at(1024);
    let mut builder = Builder::new(Vec::new());
    let mut header = Header::new_ustar();
    header.set_path("push.key").unwrap();
    header.set_size(content.len() as u64);
    header.set_entry_type(EntryType::Regular);
    change(&mut header);
    header.set_cksum();
    builder.append(&header, content).unwrap();
    let mut entry = builder.into_inner().unwrap();
    entry.truncate(entry.len() - 1024);
    [front, &entry, rest].concat()
}

fn named(name: &'static [u8]) -> impl FnOnce(&mut Header) {
    move |header| {
        let field = &mut header.as_old_mut().name;
        field.fill(0);
        field[..name.len()].copy_from_slice(name);
    }
}

fn of_kind(kind: EntryType) -> impl FnOnce(&mut Header) {
    move |header| header.set_entry_type(kind)
}

fn error(archive: &[u8]) -> String {
    files(archive).unwrap_err().to_string()
}

#[test]
fn hostile_archives_are_refused() {
    let archives = [
        ("path upwards", with_entry(named(b"../../.ssh/authorized_keys"), b"key")),
        ("absolute path", with_entry(named(b"/etc/passwd"), b"key")),
        ("path in a keeper's folder", with_entry(named(b"keepers/../log.lock"), b"key")),
        ("control characters", with_entry(named(b"push.key\x1b[2J"), b"key")),
        ("not UTF-8", with_entry(named(b"push\xff.key"), b"key")),
        ("symbolic link", with_entry(of_kind(EntryType::Symlink), b"")),
        ("hard link", with_entry(of_kind(EntryType::Link), b"")),
        ("folder", with_entry(of_kind(EntryType::Directory), b"")),
        ("device", with_entry(of_kind(EntryType::Char), b"")),
        ("pipe", with_entry(of_kind(EntryType::Fifo), b"")),
        ("sparse file", with_entry(of_kind(EntryType::GNUSparse), b"")),
        ("long name of GNU tar", with_entry(of_kind(EntryType::GNULongName), b"../../evil")),
        ("extension of pax", with_entry(of_kind(EntryType::XHeader), b"18 path=../../evil\n")),
        ("not listed", with_entry(named(b"trust.json"), b"{}")),
        ("twice", with_entry(named(b"push.key"), b"key")),
        ("giant size", with_entry(|header| header.set_size(u64::MAX / 2), b"key")),
        ("more than there is", with_entry(|header| header.set_size(1 << 40), b"key")),
    ];
    let errors: Vec<String> =
        archives.iter().map(|(what, archive)| format!("{what}: {}", error(archive))).collect();
    insta::assert_snapshot!(errors.join("\n"));
}

#[test]
fn other_files_are_no_backups() {
    let other = |name: &str, content: &[u8]| {
        let mut builder = Builder::new(Vec::new());
        let mut header = Header::new_ustar();
        header.set_size(content.len() as u64);
        header.set_cksum();
        builder.append_data(&mut header, name, content).unwrap();
        builder.into_inner().unwrap()
    };
    let document = |text: &str| other("aqueduct-backup.json", text.as_bytes());
    for archive in [
        Vec::new(),
        b"SQLite format 3\0".repeat(100),
        vec![0; 4096],
        other("README.md", b"# Notes"),
        document("{}"),
        document("no JSON"),
        document(r#"{"format":"other","version":1}"#),
    ] {
        assert_eq!(error(&archive), "it is not a backup of aqueduct");
    }
    let newer = document(r#"{"format":"aqueduct-backup","version":2,"more":[]}"#);
    assert_eq!(error(&newer), "its format has the version 2, and this program reads the version 1");
    let large = document(&format!(r#"{{"format":"{}"}}"#, "x".repeat(1 << 17)));
    assert_eq!(error(&large), "its aqueduct-backup.json has 131085 bytes, more than 65536");
    let alone = document(&serde_json::to_string(&header()).unwrap());
    assert_eq!(error(&alone), "it is cut off: its manifest is missing");
}

#[test]
fn content_that_is_shorter_than_announced_is_an_error() {
    let mut writer = ArchiveWriter::new(Vec::new(), &header()).unwrap();
    let error = writer.add(&EntryName::Log, 10, &b"short"[..]).unwrap_err();
    assert_eq!(error.to_string(), "it can't be written: log.sqlite3 became shorter while it was read");
}

/// Who reads may leave content unread: its checksum is checked all the same.
#[test]
fn content_that_is_not_read_is_checked() {
    let mut archive = written(&some_files());
    let ignore = |archive: &[u8]| read(archive, |_, _, _: &mut dyn Read| Ok::<(), ArchiveError>(()));
    ignore(&archive).unwrap();
    let at = archive.windows(8).position(|bytes| bytes == b"database").unwrap();
    archive[at] = b'D';
    assert_eq!(
        ignore(&archive).unwrap_err().to_string(),
        "its log.sqlite3 is damaged: size or checksum are not those of the manifest"
    );
}
