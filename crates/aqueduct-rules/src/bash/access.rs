//! Which files a command touches.

use super::reading::{self, ReadOperands};
use super::writing::{self, Writes};
use super::{git_access, recursion, sed};
use crate::path;
use crate::program_name::base_name;
use crate::shell::{Redirect, RedirectKind, ShellWord};

/// What is done with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AccessKind {
    Read,
    /// A folder is read with everything below it.
    Search,
    /// A folder is read, hidden files aside.
    Glance,
    /// A file is read, or every file of a folder.
    Compare,
    Write,
    /// Written by a redirection, not by the program.
    Redirect,
    /// Named to a program that may do anything with it.
    Name,
}

impl AccessKind {
    pub(crate) fn edits(self) -> bool {
        matches!(self, Self::Write | Self::Redirect)
    }
}

/// One file and what is done with it.
#[derive(Debug, Clone)]
pub(crate) struct PathAccess {
    pub(crate) how: AccessKind,
    /// The absolute path; `None` if it is not known before the command runs.
    pub(crate) path: Option<String>,
    pub(crate) glob: bool,
    /// Whether `..` follows a directory that may be a symlink.
    pub(crate) climbs: bool,
    /// Whether links below it are followed.
    pub(crate) follows: bool,
}

impl PathAccess {
    /// Whether git may trust what is written: it takes a folder for a repository by the names in it. The
    /// output of a command in a file of another name is none of them.
    pub(crate) fn may_feed_git(&self) -> bool {
        const TRUSTED: [&str; 9] =
            ["head", "objects", "refs", "config", "hooks", "index", "packed-refs", "info", "commondir"];
        let trusted = |path: &str| {
            let path = path.to_lowercase();
            path.split('/').any(|name| TRUSTED.contains(&name) || name.starts_with(".git"))
        };
        match self.how {
            AccessKind::Redirect => self.path.as_deref().is_none_or(trusted),
            how => how.edits(),
        }
    }
}

impl PathAccess {
    /// Whether what gets this name may make its folder a repository to git.
    pub(crate) fn may_make_repository(&self) -> bool {
        const NAMES: [&str; 5] = ["head", "objects", "refs", "commondir", ".git"];
        let last = self.path.as_deref().and_then(|path| path.rsplit('/').next()).unwrap_or_default();
        self.how != AccessKind::Read && NAMES.iter().any(|name| name.eq_ignore_ascii_case(last))
    }
}

/// Where relative paths of a command may be counted from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PathBases<'a> {
    pub(crate) directories: &'a [String],
    pub(crate) home: Option<&'a str>,
}

/// For more files than this, the names after copying are not computed.
const MOST_RECEIVED: usize = 256;

/// Files that are always there and hold nothing.
fn is_device(path: &str) -> bool {
    path == "/dev/null"
}

/// Every file that a command is seen to touch.
pub(crate) fn accesses(
    redirects: &[Redirect<'_>],
    words: &[ShellWord<'_>],
    places: PathBases<'_>,
) -> Vec<PathAccess> {
    let mut found = Vec::new();
    for redirect in redirects {
        let uses: &[AccessKind] = match redirect.kind {
            RedirectKind::Read => &[AccessKind::Read],
            RedirectKind::Write => &[AccessKind::Redirect],
            RedirectKind::ReadWrite => &[AccessKind::Read, AccessKind::Redirect],
            _ => continue,
        };
        for how in uses.iter().filter(|_| !is_device(&redirect.target.value)) {
            place(&mut found, *how, &redirect.target, &redirect.target.value, places);
        }
    }
    if let Some((first, rest)) = words.split_first() {
        operands(&mut found, base_name(&first.value), rest, places);
    }
    found
}

fn operands(found: &mut Vec<PathAccess>, program: &str, words: &[ShellWord<'_>], places: PathBases<'_>) {
    let values: Vec<&str> = words.iter().map(|word| word.value.as_ref()).collect();
    if program == "cd" && values.is_empty() {
        let path = places.home.map(str::to_owned);
        found.push(PathAccess { how: AccessKind::Read, path, glob: false, climbs: false, follows: false });
        return;
    }
    let before = found.len();
    packed(found, program, words, &values, places);
    if let Some(writes) = writing::writes(program, &values) {
        written(found, writes, words, places);
        if writing::copies_folders(program, &values) {
            let sources: Vec<PathAccess> =
                found[before..].iter().filter(|access| access.how == AccessKind::Read).cloned().collect();
            found.extend(sources.into_iter().map(|access| PathAccess { how: AccessKind::Search, ..access }));
        }
        received(found, program, words, places);
        if writing::carries(program) {
            words.iter().for_each(|word| named(found, word, places));
        }
        return;
    }
    if reading::may_write(program) {
        words.iter().for_each(|word| named(found, word, places));
    }
    match (program, reading::operands(program)) {
        ("find", _) => find_places(found, words, places),
        ("sed", _) => {
            let files = sed::read(&values).files;
            let is_file = |word: &&ShellWord<'_>| files.contains(&word.value.as_ref());
            words
                .iter()
                .filter(is_file)
                .for_each(|word| place(found, AccessKind::Read, word, &word.value, places));
        }
        ("git", _) => git_access::operands(found, words, &values, places),
        ("docker" | "man" | "date", _) => words.iter().for_each(|word| named(found, word, places)),
        (_, Some(ReadOperands::Paths)) => {
            let how = if recursion::compares(program) { AccessKind::Compare } else { AccessKind::Read };
            read(found, how, words, places);
        }
        (_, Some(ReadOperands::PatternThenPaths)) => {
            let how = match program {
                _ if recursion::is_recursive(program, &values) => AccessKind::Search,
                "rg" => AccessKind::Glance,
                _ => AccessKind::Read,
            };
            let given = ["-e", "-f", "--regexp", "--file"];
            let has_pattern =
                values.iter().any(|value| given.iter().any(|option| reading::is_option(value, option)));
            let pattern = words.iter().position(|word| !word.value.starts_with('-')).filter(|_| !has_pattern);
            let options = words[..pattern.unwrap_or(0)].iter();
            options.for_each(|word| attached(found, how, word, places));
            let rest = &words[pattern.map_or(0, |at| at + 1)..];
            read(found, how, rest, places);
            if how != AccessKind::Read && rest.iter().all(|word| word.value.starts_with('-')) {
                let directories = places.directories.iter();
                found.extend(directories.map(|path| PathAccess {
                    how,
                    path: Some(path.clone()),
                    glob: false,
                    climbs: false,
                    follows: false,
                }));
            }
        }
        ("[[", _) => {}
        (_, Some(ReadOperands::Names | ReadOperands::Data)) => {
            // A wildcard lists the folder it looks into.
            let lists = words.iter().filter(|word| word.glob && word.value.contains('/'));
            lists.for_each(|word| place(found, AccessKind::Read, word, &word.value, places));
        }
        (program, None) if recursion::compares(program) => read(found, AccessKind::Compare, words, places),
        (_, Some(ReadOperands::AtMost(_)) | None) => words.iter().for_each(|word| named(found, word, places)),
    }
    if recursion::lists_through_links(program, &values) {
        let listed = found[before..].iter_mut().filter(|access| access.how == AccessKind::Read);
        listed.for_each(|access| access.how = AccessKind::Glance);
        if !found[before..].iter().any(|access| access.how == AccessKind::Glance) {
            let here = ShellWord { known: true, ..ShellWord::default() };
            place(found, AccessKind::Glance, &here, ".", places);
        }
    }
    if recursion::follows_links(program, &values) {
        found[before..].iter_mut().for_each(|access| access.follows = access.how != AccessKind::Name);
    }
}

/// The places that `find` searches. Options for following links may precede them, and so may
/// `--`; some systems take a place behind `-f` too.
fn find_places(found: &mut Vec<PathAccess>, words: &[ShellWord<'_>], places: PathBases<'_>) {
    let leads = |word: &&ShellWord<'_>| {
        let value = word.value.as_ref();
        matches!(value, "-L" | "-H" | "-P" | "--" | "-f" | "-E" | "-X" | "-d" | "-s" | "-x")
            || value.starts_with("-O")
            || value.starts_with("-D")
    };
    let starts = words
        .iter()
        .scan(true, |leading, word| {
            *leading &= leads(&word) || !word.value.starts_with(['-', '(', '!']);
            leading.then_some(word)
        })
        .filter(|word| !leads(word));
    starts.for_each(|word| place(found, AccessKind::Read, word, &word.value, places));
}

fn read(found: &mut Vec<PathAccess>, how: AccessKind, words: &[ShellWord<'_>], places: PathBases<'_>) {
    let mut options = true;
    for word in words {
        match word.value.as_ref() {
            "-" => {}
            "--" if options => options = false,
            value if options && value.starts_with('-') => attached(found, how, word, places),
            value => {
                place(found, how, word, value, places);
                // Some programs take more words from a file that is named so.
                if let Some(list) = value.strip_prefix('@').filter(|list| !list.is_empty()) {
                    place(found, how, word, list, places);
                }
            }
        }
    }
}

/// A path written into an option, as in `--file=/etc/x` or `-f/etc/x`.
fn attached(found: &mut Vec<PathAccess>, how: AccessKind, word: &ShellWord<'_>, places: PathBases<'_>) {
    let value = word.value.as_ref();
    let path = match value.split_once('=') {
        Some((_, path)) => path,
        None => value.find(['/', '~']).map_or("", |at| &value[at..]),
    };
    // A relative path right behind the letter of an option, which may be the last of a few, as in `-fFILE` and
    // `-vfFILE`.
    if let Some(cluster) = value.strip_prefix('-').filter(|rest| word.known && !rest.starts_with('-')) {
        let ends = (1..5).filter_map(|at| cluster.get(at..)).filter(|end| !end.is_empty());
        ends.for_each(|end| place(found, AccessKind::Name, word, end, places));
    }
    if !path.is_empty() {
        place(found, how, word, path, places);
    } else if !word.known {
        found.push(PathAccess { how, path: None, glob: false, climbs: false, follows: false });
    }
}

fn written(found: &mut Vec<PathAccess>, writes: Writes, words: &[ShellWord<'_>], places: PathBases<'_>) {
    let mut options = true;
    let mut paths = Vec::new();
    for word in words {
        match word.value.as_ref() {
            "--" if options => options = false,
            value if options && value.starts_with('-') && value.len() > 1 => {
                attached(found, AccessKind::Write, word, places)
            }
            _ => paths.push(word),
        }
    }
    let last = paths.len().saturating_sub(1);
    for (index, word) in paths.into_iter().enumerate() {
        let how = if writes == Writes::Last && index < last { AccessKind::Read } else { AccessKind::Write };
        let value =
            word.value.strip_prefix("of=").or_else(|| word.value.strip_prefix("if=")).unwrap_or(&word.value);
        place(found, how, word, value, places);
    }
}

/// Folders that are put into an archive with all that is in them.
fn packed(
    found: &mut Vec<PathAccess>,
    program: &str,
    words: &[ShellWord<'_>],
    values: &[&str],
    places: PathBases<'_>,
) {
    let skipped = match program {
        "tar" | "bsdtar" if writing::packs(values) => 0,
        "zip" => 1,
        "7z" | "7za" | "7zr" if values.first() == Some(&"a") => 2,
        _ => return,
    };
    let is_operand = |word: &&ShellWord<'_>| !word.value.starts_with('-') || word.value == "-";
    let operands = words.iter().filter(is_operand).skip(skipped);
    operands.for_each(|word| place(found, AccessKind::Search, word, &word.value, places));
    if values.iter().any(|value| value.starts_with("-T") || value.starts_with("--files-f") || *value == "-@")
    {
        found.push(PathAccess {
            how: AccessKind::Search,
            path: None,
            glob: false,
            climbs: false,
            follows: false,
        });
    }
}

/// Files that are placed in a folder under their previous names.
fn received(found: &mut Vec<PathAccess>, program: &str, words: &[ShellWord<'_>], places: PathBases<'_>) {
    if !matches!(program, "cp" | "mv" | "ln" | "install" | "rsync" | "scp") {
        return;
    }
    let paths: Vec<&ShellWord<'_>> = words.iter().filter(|word| !word.value.starts_with('-')).collect();
    let Some((folder, sources)) = paths.split_last() else { return };
    for source in sources.iter().take(MOST_RECEIVED) {
        let name = source.value.trim_end_matches('/').rsplit(['/', ':']).next().unwrap_or_default();
        let word = ShellWord { known: folder.known && source.known, glob: source.glob, ..(*folder).clone() };
        place(found, AccessKind::Name, &word, &format!("{}/{name}", folder.value), places);
    }
}

/// Whether a wildcard in the middle of a path may match `..`.
fn climbs_by_wildcard(value: &str) -> bool {
    let mut names = value.split('/').collect::<Vec<_>>();
    names.pop();
    names.iter().any(|name| {
        let rest = name.strip_prefix('.').map(|rest| rest.trim_matches('*'));
        name.len() > 2 && rest.is_some_and(|rest| matches!(rest, "." | "?") || rest.starts_with('['))
            || *name == ".*"
            || *name == ".?"
    })
}

/// A word given to a program of which nothing is known: whatever in it could be a path.
fn named(found: &mut Vec<PathAccess>, word: &ShellWord<'_>, places: PathBases<'_>) {
    let pieces = word.value.split(['=', ':', '@', ',', '<', '>']);
    // The value of a short option may be written right behind it, as in `-oFILE`.
    let attached = word.value.strip_prefix('-').and_then(|option| option.get(1..));
    let all = std::iter::once(word.value.as_ref()).chain(pieces.skip(1)).chain(attached);
    for piece in all.filter(|piece| !piece.is_empty() && !piece.starts_with('-')) {
        place(found, AccessKind::Name, word, piece, places);
        // What is unpacked loses the ending of its name.
        if let Some((packed, "gz" | "xz" | "bz2" | "zst" | "lz4")) = piece.rsplit_once('.') {
            place(found, AccessKind::Name, word, packed, places);
        }
    }
    if !word.known {
        // Text beside an expansion is a name below a folder that is not known.
        word.value
            .split([':', '=', ','])
            .for_each(|piece| paths_in_text(found, piece.trim_start_matches('/'), places));
    } else if word.value.contains(['\'', '"', '(', ' ', ';', '\n']) {
        paths_in_text(found, &word.value, places);
    }
}

/// Code and other texts may name files anywhere; whether they open them is not known.
pub(crate) fn paths_in_text(found: &mut Vec<PathAccess>, text: &str, places: PathBases<'_>) {
    let word = ShellWord { known: true, glob: true, ..ShellWord::default() };
    let path = |c: char| c.is_alphanumeric() || "_-./~+@".contains(c);
    let parts = text.split(|c| !path(c)).filter(|part| !part.is_empty() && !part.starts_with('-'));
    // In a long text only what looks like a path is taken for one.
    let likely = |(at, part): &(usize, &str)| *at < MOST_NAMED / 8 || part.contains(['.', '/']);
    let parts = parts.enumerate().filter(likely).take(MOST_NAMED);
    parts.for_each(|(_, part)| place(found, AccessKind::Name, &word, part, places));
}

/// More words of a text than this are not taken for paths.
const MOST_NAMED: usize = 512;

pub(super) fn place(
    found: &mut Vec<PathAccess>,
    how: AccessKind,
    word: &ShellWord<'_>,
    value: &str,
    places: PathBases<'_>,
) {
    let climbs = path::climbs_after_descent(value) || word.glob && climbs_by_wildcard(value);
    let access = |path| PathAccess { how, path, glob: word.glob, climbs, follows: false };
    if !word.known {
        found.push(access(None));
    } else if value.starts_with(['/', '~']) {
        // A quoted `~` is a name and not the home; both are looked at.
        if !word.tilde && value.starts_with('~') {
            found.extend(
                places.directories.iter().map(|cwd| access(Some(path::lexical(&format!("{cwd}/{value}"))))),
            );
        }
        let cwd = places.directories.first().map_or("/", String::as_str);
        found.push(access(path::absolute(value, cwd, places.home)));
    } else {
        for cwd in places.directories {
            found.push(access(path::absolute(value, cwd, places.home)));
        }
    }
}
