//! The quick check never contradicts the full one.

use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::credentials::held;
use crate::credentials::table::TABLE;

/// Names that are in no table, or that are special in paths.
const OTHER_NAMES: [&str; 14] = [
    "src",
    "a.rs",
    "config",
    "home",
    "me",
    "users",
    "root",
    "proc",
    "1",
    "..",
    ".",
    "...",
    "\u{e9}t\u{e9}.rs",
    "x ",
];
const PLACES: [&str; 12] = [
    "",
    "/",
    "/root",
    "/home/me",
    "/home/you",
    "/HOME/Me",
    "/home/me/proj",
    "/home/me/Proj",
    "/home/me/proj/../x",
    "/srv/aqueduct",
    "/mnt//backup/",
    "/home/me/.config",
];
const HOMES: [Option<&str>; 5] =
    [None, Some("/home/me"), Some("/"), Some("/srv/M\u{fc}ller"), Some("/home/me/proj")];

fn paths() -> Vec<&'static str> {
    TABLE.iter().flat_map(|row| row.paths.split('|')).collect()
}

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

/// A path of the table as it may be written, its wildcards filled.
fn variant() -> impl Strategy<Value = String> {
    let edit = 0..12u8;
    (select(paths()), "[a-z0-9.]{0,3}", prop::collection::vec(edit, 0..3)).prop_map(
        |(path, filling, edits)| {
            let mut path = path.trim_end_matches('/').replace('*', &filling);
            for edit in edits {
                path = match edit {
                    0 => path.to_uppercase(),
                    1 => format!("{path}."),
                    2 => format!("{path} "),
                    3 => format!("{path}::$data"),
                    4 => path.replacen('s', "\u{17f}", 1),
                    5 => path.replacen('k', "\u{212a}", 1),
                    6 => path.replacen("st", "\u{fb06}", 1),
                    7 => format!("{path}\u{200d}"),
                    8 => path.replacen('/', "./", 1),
                    9 => format!("x{path}"),
                    10 => format!("{path}x"),
                    _ => path.replacen('.', "", 1),
                };
            }
            path
        },
    )
}

fn piece() -> impl Strategy<Value = String> {
    prop_oneof![4 => variant(), 2 => select(&OTHER_NAMES[..]).prop_map(str::to_owned), 1 => "[a-zA-Z_.\u{3a3}\u{fb01}]{1,6}"]
}

fn path() -> impl Strategy<Value = String> {
    (select(&PLACES[..]), prop::collection::vec(piece(), 1..4))
        .prop_map(|(place, pieces)| format!("{place}/{}", pieces.join("/")))
}

fn folders() -> impl Strategy<Value = Vec<String>> {
    let fixed = select(vec![
        strings(&["/home/me/proj"]),
        strings(&["/"]),
        strings(&[]),
        strings(&["/home/me/proj", "/home/me/.aws/x", "/home/me/key.pem"]),
    ]);
    prop_oneof![3 => fixed, 1 => prop::collection::vec(path(), 0..3)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn what_is_passed_holds_nothing(
        path in path(),
        home in select(&HOMES[..]),
        working in folders(),
        more in folders(),
    ) {
        let machine = MachinePaths { home, working: &working, more: &more };
        let (folder, name) = path.rsplit_once('/').unwrap();
        let filter = CredentialFilter::new(folder, machine);
        let is_held = held(&path, false, machine).is_some();
        prop_assert!(filter.may_hold(name) || !is_held, "{path}");
    }

    #[test]
    fn a_place_of_the_environment_is_found(path in path(), below in prop::option::of(piece())) {
        let more = [path.clone()];
        let machine = MachinePaths { home: None, working: &["/".to_owned()], more: &more };
        let file = below.map_or(path.clone(), |below| format!("{path}/{below}"));
        let (folder, name) = file.rsplit_once('/').unwrap();
        prop_assert!(CredentialFilter::new(folder, machine).may_hold(name));
    }
}

/// Every row of the table, in the places where it counts, is found, and the names beside it are not.
#[test]
fn all_rows_are_found_and_their_neighbours_are_passed() {
    let working = strings(&["/home/me/proj"]);
    let machine = MachinePaths { home: Some("/home/me"), working: &working, more: &[] };
    let mut held_paths = 0;
    for path in paths() {
        for place in ["", "/home/me", "/home/me/proj", "/opt/other"] {
            let full = format!("{place}/{}", path.replace('*', "x"));
            for file in
                [full.trim_end_matches('/').to_owned(), format!("{full}/below"), format!("{full}/be/low")]
            {
                let (folder, name) = file.rsplit_once('/').unwrap();
                let is_held = held(&file, false, machine).is_some();
                held_paths += usize::from(is_held);
                let filter = CredentialFilter::new(folder, machine);
                assert_eq!(filter.may_hold(name), is_held, "{file}");
            }
        }
    }
    assert!(held_paths > 1000, "{held_paths}");
}

#[test]
fn names_of_sources_are_passed_without_a_second_look() {
    let working = strings(&["/home/me/proj"]);
    let machine = MachinePaths { home: Some("/home/me"), working: &working, more: &[] };
    for folder in ["/home/me/proj", "/home/me/proj/src", "/home/me/other", "/usr/share"] {
        let filter = CredentialFilter::new(folder, machine);
        for name in
            ["main.rs", "index.ts", "application.rs", "_config.yml", ".gitignore", "package.json", "a b.md"]
        {
            assert!(!filter.may_hold(name), "{folder}/{name}");
        }
    }
}

/// What can't be decided by the name alone is left to the full check.
#[test]
fn odd_names_are_checked() {
    let machine = MachinePaths { home: None, working: &["/".to_owned()], more: &[] };
    let filter = CredentialFilter::new("/proj", machine);
    for name in ["", "a/b", "A", "\u{e9}", "a.", "a ", "a:b", "..", "."] {
        assert!(filter.may_hold(name), "{name:?}");
    }
}
