//! Memory files of unusual forms.

use std::fs;

use tempfile::TempDir;

use super::*;

struct Room {
    folder: TempDir,
    environment: Environment,
}

impl Room {
    /// A home, and a project two folders down.
    fn with(files: &[(&str, &str)]) -> Self {
        let folder = TempDir::new().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        let environment = Environment {
            cwd: root.join("up/proj"),
            home: root.join("home"),
            config: root.join("home/.claude"),
            temporary: root.join("tmp"),
            variables: Vec::new(),
            guard: Vec::new(),
        };
        fs::create_dir_all(&environment.cwd).unwrap();
        for (name, text) in files {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Room { folder, environment }
    }

    fn read(&self) -> Memory {
        Memory::read(&self.environment, &self.sources())
    }

    fn sources(&self) -> MemorySources<'static> {
        MemorySources {
            managed: Path::new("/nowhere/CLAUDE.md"),
            user: true,
            project: true,
            local: true,
            directories: &[],
        }
    }

    fn names(&self, memory: &Memory) -> Vec<String> {
        let root = fs::canonicalize(self.folder.path()).unwrap();
        let name = |file: &MemoryFile| file.path.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
        memory.files.iter().map(name).collect()
    }
}

#[test]
fn nearer_files_come_later() {
    let room = Room::with(&[
        ("home/.claude/CLAUDE.md", "user"),
        ("up/CLAUDE.md", "up"),
        ("up/proj/CLAUDE.md", "project"),
        ("up/proj/.claude/CLAUDE.md", "hidden"),
        ("up/proj/.claude/rules/b.md", "b"),
        ("up/proj/.claude/rules/a/a.md", "a"),
        ("up/proj/CLAUDE.local.md", "local"),
        ("up/proj/AGENTS.md", "not beside CLAUDE.md"),
        ("up/proj/below/CLAUDE.md", "not above"),
    ]);
    let memory = room.read();
    assert_eq!(
        room.names(&memory),
        [
            "home/.claude/CLAUDE.md",
            "up/CLAUDE.md",
            "up/proj/CLAUDE.md",
            "up/proj/.claude/CLAUDE.md",
            "up/proj/.claude/rules/a/a.md",
            "up/proj/.claude/rules/b.md",
            "up/proj/CLAUDE.local.md",
        ]
    );
    assert_eq!(memory.files[0].kind, MemoryKind::User);
    assert_eq!(memory.files[6].kind, MemoryKind::Local);

    let mut sources = room.sources();
    (sources.user, sources.project) = (false, false);
    let memory = Memory::read(&room.environment, &sources);
    assert_eq!(room.names(&memory), ["up/proj/CLAUDE.local.md"]);
}

#[test]
fn agents_files_count_where_there_is_no_other() {
    let room =
        Room::with(&[("up/AGENTS.md", "up"), ("up/proj/AGENTS.md", "see @more.md"), ("up/proj/more.md", "")]);
    assert_eq!(room.names(&room.read()), ["up/AGENTS.md", "up/proj/AGENTS.md", "up/proj/more.md"]);
}

#[test]
fn imports_are_followed_outside_code_and_inside_the_project() {
    let room = Room::with(&[
        (
            "up/proj/CLAUDE.md",
            "Read @a.md, mail x@b.md, `@code.md` and @my\\ notes.md.\n```\n@fence.md\n```\n@../../home/secret.md @missing\n",
        ),
        ("up/proj/a.md", "@./sub/b.md"),
        ("up/proj/sub/b.md", "back to @../CLAUDE.md"),
        ("up/proj/my notes.md", ""),
        ("up/proj/b.md", ""),
        ("up/proj/code.md", ""),
        ("up/proj/fence.md", ""),
        ("home/secret.md", "key"),
        ("home/.claude/CLAUDE.md", "@~/secret.md"),
    ]);
    let memory = room.read();
    assert_eq!(
        room.names(&memory),
        [
            "home/.claude/CLAUDE.md",
            "home/secret.md",
            "up/proj/CLAUDE.md",
            "up/proj/a.md",
            "up/proj/./sub/b.md",
            "up/proj/my notes.md",
        ]
    );
    assert_eq!(memory.warnings.len(), 1);
    assert!(memory.warnings[0].message.contains("leads out of the project"), "{:?}", memory.warnings);
}

#[cfg(unix)]
#[test]
fn a_link_out_of_the_project_is_not_followed() {
    let room = Room::with(&[("up/proj/CLAUDE.md", "@link.md"), ("home/secret.md", "key")]);
    std::os::unix::fs::symlink(room.environment.home.join("secret.md"), room.environment.cwd.join("link.md"))
        .unwrap();
    assert_eq!(room.names(&room.read()), ["up/proj/CLAUDE.md"]);
}

#[test]
fn imports_end_after_five() {
    let files: Vec<(String, String)> =
        (0..9).map(|n| (format!("up/proj/{n}.md"), format!("@{}.md", n + 1))).collect();
    let mut all: Vec<(&str, &str)> = files.iter().map(|(name, text)| (&name[..], &text[..])).collect();
    all.push(("up/proj/CLAUDE.md", "@0.md"));
    let memory = Room::with(&all).read();
    assert_eq!(memory.files.len(), 1 + IMPORT_DEPTH);
    assert_eq!(memory.warnings.len(), 1);
}

#[test]
fn comments_are_for_people() {
    let text = "one\n<!-- a\n b --> \ntwo <!-- stays -->\n```\n<!-- code -->\n```\n<!-- c --> three\n";
    assert_eq!(text::without_comments(text), "one\ntwo <!-- stays -->\n```\n<!-- code -->\n```\n three\n");
}

#[test]
fn what_is_no_text_file_does_not_stop_the_start() {
    let room = Room::with(&[("up/proj/CLAUDE.md/x", "a folder"), ("up/CLAUDE.md", "up")]);
    fs::write(room.environment.cwd.join("CLAUDE.local.md"), vec![b'a'; 300 * 1024]).unwrap();
    fs::create_dir_all(&room.environment.config).unwrap();
    fs::write(room.environment.config.join("CLAUDE.md"), b"\xff\xfe text").unwrap();
    let memory = room.read();
    assert_eq!(room.names(&memory), ["home/.claude/CLAUDE.md", "up/CLAUDE.md", "up/proj/CLAUDE.local.md"]);
    assert_eq!(memory.files[2].text.len() as u64, FILE_LIMIT);
    assert_eq!(memory.warnings.len(), 2, "{:?}", memory.warnings);
}
