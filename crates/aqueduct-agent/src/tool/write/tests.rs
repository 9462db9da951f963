use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::process::Command;
use std::time::SystemTime;

use proptest::prelude::*;
use serde_json::json;

use crate::tool::file_desk::{Desk, patched};

#[test]
fn a_new_file_comes_with_its_folders() {
    let desk = Desk::new();
    let answer = desk.write("a/b/c.txt", "hi\n").unwrap();
    assert_eq!(desk.get("a/b/c.txt"), b"hi\n");
    assert_eq!(
        answer.result,
        json!({"type": "create", "filePath": desk.path("a/b/c.txt"), "content": "hi\n", "structuredPatch": [],
            "originalFile": null, "userModified": false})
    );
    // What was just written is known.
    desk.write("a/b/c.txt", "ho\n").unwrap();
    desk.edit("a/b/c.txt", "ho", "hu").unwrap();
    desk.write("a/b/c.txt", "").unwrap();
    assert_eq!(desk.get("a/b/c.txt"), b"");
}

#[test]
fn a_file_that_exists_must_be_known() {
    let desk = Desk::new();
    let path = desk.put("a.txt", "old\n");
    assert!(desk.write("a.txt", "new").unwrap_err().contains("has not been read"));
    desk.see("a.txt");
    desk.put("a.txt", "own\n");
    assert!(desk.write("a.txt", "new").unwrap_err().contains("has changed on disk"));
    // The same bytes again are no change, whenever they were written.
    desk.put("a.txt", "old\n");
    let answer = desk.write("a.txt", "new").unwrap();
    assert_eq!(
        answer.result,
        json!({"type": "update", "filePath": path, "content": "new", "originalFile": "old\n", "userModified": false,
            "structuredPatch": [{"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1,
                "lines": ["-old", "+new", "\\ No newline at end of file"]}]})
    );
    assert_eq!(desk.get("a.txt"), b"new");
}

#[test]
fn a_read_of_an_earlier_process_counts_until_the_file_changes() {
    let desk = Desk::new();
    let path = desk.put("a.txt", "old");
    let hour = std::time::Duration::from_secs(3600);
    desk.files.note_read(path.as_ref(), SystemTime::now() - hour);
    assert!(desk.write("a.txt", "new").unwrap_err().contains("has changed"));
    desk.files.note_read(path.as_ref(), SystemTime::now() + hour);
    desk.write("a.txt", "new").unwrap();
}

#[test]
fn mode_encoding_and_links_are_kept() {
    let desk = Desk::new();
    let script = desk.put("run.sh", "echo\n");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o754)).unwrap();
    symlink("run.sh", desk.path("link.sh")).unwrap();
    desk.see("link.sh");
    desk.write("link.sh", "echo 2\n").unwrap();
    assert_eq!(desk.get("run.sh"), b"echo 2\n");
    assert!(fs::symlink_metadata(desk.path("link.sh")).unwrap().is_symlink());
    assert_eq!(fs::metadata(&script).unwrap().mode() & 0o7777, 0o754);

    desk.put("mark.txt", "\u{feff}a");
    desk.see("mark.txt");
    let answer = desk.write("mark.txt", "b").unwrap();
    assert_eq!(desk.get("mark.txt"), "\u{feff}b".as_bytes());
    assert_eq!(answer.result["originalFile"], "\u{feff}a");

    desk.put("utf16.txt", b"\xff\xfea\0");
    desk.see("utf16.txt");
    desk.write("utf16.txt", "ü").unwrap();
    assert_eq!(desk.get("utf16.txt"), b"\xff\xfe\xfc\0");

    symlink("later.txt", desk.path("ahead")).unwrap();
    desk.write("ahead", "made").unwrap();
    assert_eq!(desk.get("later.txt"), b"made");
    assert_eq!(desk.names(), ["ahead", "later.txt", "link.sh", "mark.txt", "run.sh", "utf16.txt"]);
}

#[test]
fn another_name_of_a_file_keeps_the_old_bytes() {
    let desk = Desk::new();
    let path = desk.put("a", "old");
    fs::hard_link(&path, desk.path("b")).unwrap();
    desk.see("a");
    desk.write("a", "new").unwrap();
    assert_eq!((desk.get("a"), desk.get("b")), (b"new".to_vec(), b"old".to_vec()));
}

#[test]
fn what_cannot_be_written_is_left_alone() {
    let desk = Desk::new();
    fs::create_dir(desk.path("folder")).unwrap();
    symlink("loop", desk.path("loop")).unwrap();
    assert!(Command::new("mkfifo").arg(desk.path("fifo")).status().unwrap().success());
    desk.put("file", "x");
    desk.put("latin", b"caf\xe9, and some more text");
    desk.see("latin");
    let before = desk.names();
    let refused = |name: &str| desk.write(name, "new").unwrap_err();
    assert!(refused("folder").contains("is a folder"));
    assert!(refused("loop").contains("leads back to itself"));
    assert!(refused("fifo").contains("a named pipe"));
    assert!(refused("file/below").contains("is a file, not a folder"));
    assert!(refused(&"n".repeat(300)).contains("no name this long"));
    assert!(refused("latin").contains("not UTF-8"));
    assert!(refused("none/../up").contains("does not exist"));
    desk.cancel.cancel();
    assert!(refused("interrupted").contains("Interrupted"));
    assert_eq!(desk.names(), before);
}

#[test]
fn a_read_only_folder_is_named() {
    let desk = Desk::new();
    fs::create_dir(desk.path("shut")).unwrap();
    desk.put("shut/file", "old");
    desk.see("shut/file");
    fs::set_permissions(desk.path("shut"), fs::Permissions::from_mode(0o555)).unwrap();
    match fs::File::create(desk.path("shut/probe")) {
        Ok(_) => fs::remove_file(desk.path("shut/probe")).unwrap(), // root writes everywhere
        Err(_) => {
            assert!(desk.write("shut/file", "new").unwrap_err().contains("No permission to write"));
            assert!(desk.write("shut/other", "new").unwrap_err().contains("No permission to write"));
            assert_eq!(desk.get("shut/file"), b"old");
        }
    }
    fs::set_permissions(desk.path("shut"), fs::Permissions::from_mode(0o755)).unwrap();
}

/// Runs the test below in another process, in which files can't grow large.
fn run_confined(confine: &str) -> bool {
    let test = "tool::write::tests::on_a_full_disk";
    let confined = Command::new("sh")
        .args(["-c", confine, "sh", std::env::current_exe().unwrap().to_str().unwrap()])
        .args(["--exact", test, "--ignored"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&confined.stdout);
    assert!(!said.contains("FAILED"), "{said}");
    said.contains("1 passed")
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
    let desk = Desk::new();
    desk.put("file", "old");
    desk.see("file");
    for name in ["file", "new"] {
        let full = desk.write(name, &"x".repeat(1 << 20)).unwrap_err();
        assert!(full.contains("The disk is full"), "{full}");
    }
    assert_eq!(desk.get("file"), b"old");
    assert_eq!(desk.names(), ["file"]);
    desk.write("file", "small").unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn the_patch_makes_the_new_text_of_the_old(
        old in "(a|b|c|\\+|-| |\n){0,40}",
        new in "(a|b|c|\\+|-| |\n){0,40}",
    ) {
        let desk = Desk::new();
        desk.put("file", &old);
        desk.see("file");
        let answer = desk.write("file", &new).unwrap();
        prop_assert_eq!(patched(&old, &answer.result["structuredPatch"]), new);
    }
}
