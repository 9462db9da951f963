use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::process::Command;
use std::time::SystemTime;

use proptest::prelude::*;
use serde_json::json;

use crate::file::ResolvedPathTable;
use crate::tool::file_fixture::{FileFixture, patched};

#[test]
fn a_new_file_comes_with_its_folders() {
    let fixture = FileFixture::new();
    let answer = fixture.write("a/b/c.txt", "hi\n").unwrap();
    assert_eq!(fixture.get("a/b/c.txt"), b"hi\n");
    assert_eq!(
        answer.result,
        json!({"type": "create", "filePath": fixture.path("a/b/c.txt"), "content": "hi\n", "structuredPatch": [],
            "originalFile": null, "userModified": false})
    );
    // What was just written is known.
    fixture.write("a/b/c.txt", "ho\n").unwrap();
    fixture.edit("a/b/c.txt", "ho", "hu").unwrap();
    fixture.write("a/b/c.txt", "").unwrap();
    assert_eq!(fixture.get("a/b/c.txt"), b"");
}

#[test]
fn a_file_that_exists_must_be_known() {
    let fixture = FileFixture::new();
    let path = fixture.put("a.txt", "old\n");
    assert!(fixture.write("a.txt", "new").unwrap_err().contains("has not been read"));
    fixture.see("a.txt");
    fixture.put("a.txt", "own\n");
    assert!(fixture.write("a.txt", "new").unwrap_err().contains("has changed on disk"));
    // The same bytes again are no change, whenever they were written.
    fixture.put("a.txt", "old\n");
    let answer = fixture.write("a.txt", "new").unwrap();
    assert_eq!(
        answer.result,
        json!({"type": "update", "filePath": path, "content": "new", "originalFile": "old\n", "userModified": false,
            "structuredPatch": [{"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1,
                "lines": ["-old", "+new", "\\ No newline at end of file"]}]})
    );
    assert_eq!(fixture.get("a.txt"), b"new");
}

#[test]
fn a_read_of_an_earlier_process_counts_until_the_file_changes() {
    let fixture = FileFixture::new();
    let path = fixture.put("a.txt", "old");
    let hour = std::time::Duration::from_secs(3600);
    fixture.files.note_read(path.as_ref(), SystemTime::now() - hour);
    assert!(fixture.write("a.txt", "new").unwrap_err().contains("has changed"));
    fixture.files.note_read(path.as_ref(), SystemTime::now() + hour);
    fixture.write("a.txt", "new").unwrap();
}

#[test]
fn mode_encoding_and_links_are_kept() {
    let fixture = FileFixture::new();
    let script = fixture.put("run.sh", "echo\n");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o754)).unwrap();
    symlink("run.sh", fixture.path("link.sh")).unwrap();
    fixture.see("link.sh");
    fixture.write("link.sh", "echo 2\n").unwrap();
    assert_eq!(fixture.get("run.sh"), b"echo 2\n");
    assert!(fs::symlink_metadata(fixture.path("link.sh")).unwrap().is_symlink());
    assert_eq!(fs::metadata(&script).unwrap().mode() & 0o7777, 0o754);

    fixture.put("mark.txt", "\u{feff}a");
    fixture.see("mark.txt");
    let answer = fixture.write("mark.txt", "b").unwrap();
    assert_eq!(fixture.get("mark.txt"), "\u{feff}b".as_bytes());
    assert_eq!(answer.result["originalFile"], "\u{feff}a");

    fixture.put("utf16.txt", b"\xff\xfea\0");
    fixture.see("utf16.txt");
    fixture.write("utf16.txt", "ü").unwrap();
    assert_eq!(fixture.get("utf16.txt"), b"\xff\xfe\xfc\0");

    symlink("later.txt", fixture.path("ahead")).unwrap();
    fixture.write("ahead", "made").unwrap();
    assert_eq!(fixture.get("later.txt"), b"made");
    assert_eq!(fixture.names(), ["ahead", "later.txt", "link.sh", "mark.txt", "run.sh", "utf16.txt"]);
}

#[test]
fn another_name_of_a_file_keeps_the_old_bytes() {
    let fixture = FileFixture::new();
    let path = fixture.put("a", "old");
    fs::hard_link(&path, fixture.path("b")).unwrap();
    fixture.see("a");
    fixture.write("a", "new").unwrap();
    assert_eq!((fixture.get("a"), fixture.get("b")), (b"new".to_vec(), b"old".to_vec()));
}

#[test]
fn what_cannot_be_written_is_left_alone() {
    let fixture = FileFixture::new();
    fs::create_dir(fixture.path("folder")).unwrap();
    symlink("loop", fixture.path("loop")).unwrap();
    assert!(Command::new("mkfifo").arg(fixture.path("fifo")).status().unwrap().success());
    fixture.put("file", "x");
    fixture.put("latin", b"caf\xe9, and some more text");
    fixture.see("latin");
    let before = fixture.names();
    let refused = |name: &str| fixture.write(name, "new").unwrap_err();
    assert!(refused("folder").contains("is a directory"));
    assert!(refused("loop").contains("points to itself"));
    assert!(refused("fifo").contains("a named pipe"));
    assert!(refused("file/below").contains("is a file, not a directory"));
    assert!(refused(&"n".repeat(300)).contains("is too long for the file system"));
    assert!(refused("latin").contains("not UTF-8"));
    assert!(refused("none/../up").contains("does not exist"));
    fixture.cancel.cancel();
    assert!(refused("interrupted").contains("Interrupted"));
    assert_eq!(fixture.names(), before);
}

#[test]
fn a_read_only_folder_is_named() {
    let fixture = FileFixture::new();
    fs::create_dir(fixture.path("shut")).unwrap();
    fixture.put("shut/file", "old");
    fixture.see("shut/file");
    fs::set_permissions(fixture.path("shut"), fs::Permissions::from_mode(0o555)).unwrap();
    match fs::File::create(fixture.path("shut/probe")) {
        Ok(_) => fs::remove_file(fixture.path("shut/probe")).unwrap(), // root writes everywhere
        Err(_) => {
            assert!(fixture.write("shut/file", "new").unwrap_err().contains("No permission to write"));
            assert!(fixture.write("shut/other", "new").unwrap_err().contains("No permission to write"));
            assert_eq!(fixture.get("shut/file"), b"old");
        }
    }
    fs::set_permissions(fixture.path("shut"), fs::Permissions::from_mode(0o755)).unwrap();
}

/// Runs the test below in another process, in which files can't grow large.
fn run_confined(confine: &str) -> bool {
    let test = "tool::write::tests::on_a_full_disk";
    let confined = Command::new("sh")
        .args(["-c", confine, "sh", std::env::current_exe().unwrap().to_str().unwrap()])
        .args(["--exact", test, "--ignored"])
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&confined.stdout);
    assert!(!printed.contains("FAILED"), "{printed}");
    printed.contains("1 passed")
}

#[test]
fn a_full_disk_leaves_everything_as_it_was() {
    assert!(run_confined(r#"trap "" XFSZ; ulimit -f 200; exec "$@""#));
    // A disk of our own, where the system lets us have one.
    let disk = tempfile::tempdir().unwrap();
    let mount =
        format!("mount -t tmpfs -o size=200k none {0} && TMPDIR={0} exec \"$@\"", disk.path().display());
    run_confined(&format!("unshare -rm sh -c '{mount}' sh \"$@\""));
}

#[test]
#[ignore = "runs in a process of its own"]
fn on_a_full_disk() {
    let fixture = FileFixture::new();
    fixture.put("file", "old");
    fixture.see("file");
    for name in ["file", "new"] {
        let full = fixture.write(name, &"x".repeat(1 << 20)).unwrap_err();
        assert!(full.contains("The disk is full"), "{full}");
    }
    assert_eq!(fixture.get("file"), b"old");
    assert_eq!(fixture.names(), ["file"]);
    fixture.write("file", "small").unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn the_patch_makes_the_new_text_of_the_old(
        old in "(a|b|c|\\+|-| |\n){0,40}",
        new in "(a|b|c|\\+|-| |\n){0,40}",
    ) {
        let fixture = FileFixture::new();
        fixture.put("file", &old);
        fixture.see("file");
        let answer = fixture.write("file", &new).unwrap();
        prop_assert_eq!(patched(&old, &answer.result["structuredPatch"]), new);
    }
}

#[test]
fn a_file_is_written_where_it_was_looked_at_or_not_at_all() {
    let fixture = FileFixture::new();
    let (inside, outside) = (fixture.path("inside"), fixture.path("outside"));
    for folder in [&inside, &outside] {
        fs::create_dir(folder).unwrap();
    }
    symlink("inside", fixture.path("link")).unwrap();
    let resolved_paths = ResolvedPathTable::default();
    resolved_paths.note("toolu_1", "{}", vec![inside.canonicalize().unwrap().join("file")]);
    let mut call = fixture.call(json!({ "file_path": fixture.path("link/file"), "content": "x" }));
    call.resolved = resolved_paths.take("toolu_1", "{}");
    assert!(super::write(&call).is_ok());
    fs::remove_file(fixture.path("link")).unwrap();
    symlink("outside", fixture.path("link")).unwrap();
    assert!(super::write(&call).is_err());
    assert!(inside.join("file").exists() && !outside.join("file").exists());
}
