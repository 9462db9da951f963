//! Whose a data folder is, and who else has access to it.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::Path;

use aqueduct_bridge::log::{Log, LogError};
use aqueduct_os::privacy::PrivacyError;
use aqueduct_testing::{is_superuser, require};
use aqueduct_wire::hint::HintedError as _;

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

fn refusal(folder: &Path) -> PrivacyError {
    match Log::open(folder) {
        Err(LogError::NotPrivate(error)) => error,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_data_folder_that_others_have_access_to_is_refused_with_the_fix() {
    let place = crate::private_folder();
    let folder = place.path().join("data");
    for mode in [0o755, 0o750, 0o711, 0o770, 0o777, 0o1777, 0o707] {
        fs::create_dir_all(&folder).unwrap();
        set_mode(&folder, mode);
        let error = Log::open(&folder).unwrap_err().advised();
        let shown = folder.canonicalize().unwrap();
        assert!(error.contains(&format!("run `chmod 700 {}`", shown.display())), "{mode:o}: {error}");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "nothing was made in it");
    }
    set_mode(&folder, 0o700);
    Log::open(&folder).unwrap();
}

#[test]
fn a_data_folder_that_others_can_replace_is_refused() {
    let place = crate::private_folder();
    let shared = place.path().join("shared");
    fs::create_dir(&shared).unwrap();
    set_mode(&shared, 0o777);
    let folder = shared.join("data");
    assert!(matches!(refusal(&folder), PrivacyError::Ancestor { .. }));
    // Where users may only remove their own files, it is safe.
    set_mode(&shared, 0o1777);
    Log::open(&folder).unwrap();
}

#[test]
fn what_belongs_to_another_user_is_refused() {
    require!(is_superuser());
    let place = crate::private_folder();
    let folder = place.path().join("data");
    drop(Log::open(&folder).unwrap());
    let file = folder.join("log.sqlite3");
    chown(&file, Some(12345), None).unwrap();
    assert!(matches!(refusal(&folder), PrivacyError::Owner { owner: 12345, .. }));
    chown(&file, Some(0), None).unwrap();
    drop(Log::open(&folder).unwrap());
    chown(&folder, Some(12345), None).unwrap();
    assert!(matches!(refusal(&folder), PrivacyError::Owner { owner: 12345, .. }));
}

/// The mask is the process's own, so each has a process for itself.
#[test]
#[ignore = "started by the test below"]
fn child() {
    let mask = std::env::var("PRIVACY_MASK").expect("another test starts this one");
    let mask = u32::from_str_radix(&mask, 8).unwrap();
    let place = crate::private_folder();
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(mask));
    let folder = place.path().join("share/aqueduct");
    drop(Log::open(&folder).unwrap());
    drop(Log::open(&folder).unwrap());
    assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
}

#[test]
fn folders_that_we_make_are_private_whatever_the_umask() {
    for mask in ["000", "002", "022", "027", "077"] {
        let output = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "log::privacy::child", "--ignored", "--nocapture"])
            .env("PRIVACY_MASK", mask)
            .output()
            .unwrap();
        assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"), "{mask}: {output:?}");
    }
}
