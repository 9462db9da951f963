use std::fs;
use std::path::Path;

use super::command_catalog::{CatalogSources, CommandCatalog};
use super::command_index::{CommandFolder, CommandIndex};
use super::read::{CommandOrigin, CustomCommandKind};
use crate::environment::Environment;

fn put(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn environment(folder: &Path) -> Environment {
    Environment {
        cwd: folder.join("project"),
        home: folder.join("home"),
        config: folder.join("home/.claude"),
        temporary: folder.to_owned(),
        variables: Vec::new(),
        guard: Vec::new(),
    }
}

#[test]
fn only_names_and_descriptions_are_reported_before_a_skill_is_called() {
    let folder = tempfile::tempdir().unwrap();
    put(
        folder.path(),
        "project/.claude/skills/deep/SKILL.md",
        "---\ndescription: For deep matters\nwhen_to_use: Under water.\n---\nTHE BODY\n",
    );
    put(
        folder.path(),
        "project/.claude/skills/manual/SKILL.md",
        "---\ndescription: Not for the model\ndisable-model-invocation: true\n---\nx\n",
    );
    put(folder.path(), "home/.claude/commands/a/b.md", "# A title\n\nTHE BODY\n");
    let command_catalog = CommandCatalog::read(
        &environment(folder.path()),
        CatalogSources { user: true, project: true },
        &[],
        &[],
    );
    assert_eq!(command_catalog.diagnostics(), []);
    let listing = command_catalog.listing().unwrap();
    let listed: Vec<&str> = listing.lines().filter(|line| line.starts_with("- ")).collect();
    assert_eq!(listed, ["- a:b: A title", "- deep: For deep matters Under water."]);
    assert!(!listing.contains("THE BODY"));
    assert_eq!(command_catalog.find("deep").unwrap().body().unwrap().0, "THE BODY\n");
}

#[test]
fn a_listing_has_an_end() {
    let folder = tempfile::tempdir().unwrap();
    let long = "long ".repeat(80);
    for number in 0..200 {
        let text = format!("---\ndescription: {long}\n---\nx\n");
        put(folder.path(), &format!("project/.claude/skills/skill-{number:03}/SKILL.md"), &text);
    }
    let command_catalog = CommandCatalog::read(
        &environment(folder.path()),
        CatalogSources { user: false, project: true },
        &[],
        &[],
    );
    let listing = command_catalog.listing().unwrap();
    assert!(listing.len() < 24 * 1024, "{}", listing.len());
    assert!(listing.ends_with("- skill-199"));
}

/// The user's commands in a folder.
fn commands(folder: &Path) -> CommandFolder {
    let path = folder.join("commands");
    CommandFolder {
        path,
        kind: CustomCommandKind::Command,
        origin: CommandOrigin::User,
        plugin: None,
        is_text: false,
    }
}

#[test]
fn a_change_is_noticed_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let folders = [commands(folder.path())];
    let command_index = CommandIndex::read(&folders);
    assert!(!command_index.is_outdated(&folders));
    put(folder.path(), "commands/one.md", "x");
    assert!(command_index.is_outdated(&folders));
    let command_index = CommandIndex::read(&folders);
    assert!(!command_index.is_outdated(&folders));
    put(folder.path(), "commands/one.md", "longer");
    assert!(command_index.is_outdated(&folders));
    // No command has such a name.
    let command_index = CommandIndex::read(&folders);
    put(folder.path(), "commands/notes.txt", "x");
    assert!(!command_index.is_outdated(&folders));
    fs::remove_file(folder.path().join("commands/one.md")).unwrap();
    assert!(command_index.is_outdated(&folders));
}

#[test]
fn folders_that_lead_in_circles_come_to_an_end() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "commands/one.md", "x");
    std::os::unix::fs::symlink(folder.path().join("commands"), folder.path().join("commands/again")).unwrap();
    let folders = [commands(folder.path())];
    assert_eq!(CommandIndex::read(&folders).custom_commands.len(), 1);
}
