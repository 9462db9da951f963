//! Files and folders that other users have access to.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::served::{Served, aqueduct};
use crate::terminal::Place;

const TOKEN: &str = "0fb8a1c6d4e29357b0a8c1d2e3f40516";

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// The error of a command that is refused.
fn refusal(place: &Place, arguments: &[&str]) -> String {
    let left = aqueduct(place, arguments);
    assert_eq!((left.code, left.out.as_str()), (2, ""), "{}", left.err);
    left.err
}

#[test]
fn a_data_folder_that_others_can_read_is_refused_by_every_command() {
    let place = Place::new();
    let data = place.aside("data");
    fs::create_dir(&data).unwrap();
    set_mode(&data, 0o755);
    let data = data.canonicalize().unwrap();
    let shown = data.to_str().unwrap();
    let fix = format!("run `chmod 700 {shown}`");
    for arguments in [
        &["serve", "--listen", "127.0.0.1:0", "--data-dir", shown][..],
        &["devices", "--data-dir", shown],
        &["token", "new", "ci", "--data-dir", shown],
        &["pair", "--data-dir", shown],
    ] {
        let reported = refusal(&place, arguments);
        assert!(reported.contains(&fix), "{arguments:?}: {reported}");
    }
    set_mode(&data, 0o700);
    drop(Served::start(&place, &["--data-dir", shown]));
}

#[test]
fn a_token_file_that_others_can_read_is_refused() {
    let place = Place::new();
    let file = place.aside("token");
    fs::write(&file, format!("{TOKEN}\n")).unwrap();
    let file = file.to_str().unwrap();
    for mode in [0o644, 0o640, 0o604, 0o620, 0o666] {
        set_mode(Path::new(file), mode);
        let reported = refusal(&place, &["serve", "--listen", "127.0.0.1:0", "--token-file", file]);
        assert!(reported.contains(&format!("run `chmod 600 {file}`")), "{mode:o}: {reported}");
    }
    set_mode(Path::new(file), 0o600);
    let served = Served::start(&place, &["--token-file", file]);
    assert_eq!(served.http("GET /api/v1/ping", Some(TOKEN), None).status, 200);
    drop(served);
    fs::write(file, "hunter2\n").unwrap();
    let reported = refusal(&place, &["serve", "--token-file", file]);
    assert!(reported.contains("openssl rand -hex 32"), "{reported}");
}

#[test]
fn a_configuration_that_others_can_change_is_refused() {
    let place = Place::new();
    let file = place.aside("config.toml");
    fs::write(&file, "idle = \"5m\"\n").unwrap();
    let shown = file.to_str().unwrap();
    let print = ["serve", "--print-config", "--config", shown];
    set_mode(&file, 0o646);
    assert!(refusal(&place, &print).contains(&format!("run `chmod go-w {shown}`")));
    set_mode(&file, 0o644);
    assert_eq!(aqueduct(&place, &print).code, 0);

    fs::write(&file, "[agents.mine]\nenvironment = { ANTHROPIC_BASE_URL = \"http://127.0.0.1:1\" }\n")
        .unwrap();
    assert_eq!(aqueduct(&place, &print).code, 0);
    fs::write(&file, "[agents.mine]\nenvironment = { ANTHROPIC_API_KEY = \"secret\" }\n").unwrap();
    assert!(refusal(&place, &print).contains(&format!("run `chmod 600 {shown}`")));
    set_mode(&file, 0o600);
    assert_eq!(aqueduct(&place, &print).code, 0);
}
