//! Git configuration files, and which of their settings make git run nothing.
//!
//! The reader is stricter than git's: what it does not understand is an error, and an error is never harmless. So no
//! file means one thing here and another to git.

use std::borrow::Cow;

/// One setting. Section and key are in lower case; the subsection is as written.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RepositorySetting {
    section: String,
    subsection: Option<String>,
    key: String,
    /// The text after `=`, as written; `None` without one.
    value: Option<String>,
}

/// What a value may be for the setting to run nothing.
#[derive(Clone, Copy)]
enum SafeValue {
    /// Git takes it as a word, a number or a name.
    Any,
    /// A URL or a path, and no transport helper (`ext::…`).
    Url,
    /// `false`: any other value may be the name of a program.
    False,
    /// One of git's own ways to update a submodule: `!command` is another.
    Update,
}

/// Settings that run nothing: section, whether it has a subsection, key, value. `*` matches every key.
const HARMLESS: &[(&str, bool, &str, SafeValue)] = &[
    ("core", false, "repositoryformatversion", SafeValue::Any),
    ("core", false, "filemode", SafeValue::Any),
    ("core", false, "bare", SafeValue::Any),
    ("core", false, "logallrefupdates", SafeValue::Any),
    ("core", false, "ignorecase", SafeValue::Any),
    ("core", false, "precomposeunicode", SafeValue::Any),
    ("core", false, "symlinks", SafeValue::Any),
    ("core", false, "autocrlf", SafeValue::Any),
    ("core", false, "eol", SafeValue::Any),
    ("core", false, "safecrlf", SafeValue::Any),
    ("core", false, "quotepath", SafeValue::Any),
    ("core", false, "abbrev", SafeValue::Any),
    ("core", false, "compression", SafeValue::Any),
    ("core", false, "longpaths", SafeValue::Any),
    ("core", false, "sparsecheckout", SafeValue::Any),
    ("core", false, "sparsecheckoutcone", SafeValue::Any),
    ("core", false, "untrackedcache", SafeValue::Any),
    ("core", false, "sharedrepository", SafeValue::Any),
    ("core", false, "commitgraph", SafeValue::Any),
    ("core", false, "multipackindex", SafeValue::Any),
    ("core", false, "fsmonitor", SafeValue::False),
    ("extensions", false, "objectformat", SafeValue::Any),
    ("extensions", false, "refstorage", SafeValue::Any),
    ("extensions", false, "worktreeconfig", SafeValue::Any),
    ("extensions", false, "noop", SafeValue::Any),
    ("remote", true, "url", SafeValue::Url),
    ("remote", true, "pushurl", SafeValue::Url),
    ("remote", true, "fetch", SafeValue::Any),
    ("remote", true, "push", SafeValue::Any),
    ("remote", true, "tagopt", SafeValue::Any),
    ("remote", true, "prune", SafeValue::Any),
    ("remote", true, "mirror", SafeValue::Any),
    ("branch", true, "remote", SafeValue::Url),
    ("branch", true, "pushremote", SafeValue::Url),
    ("branch", true, "merge", SafeValue::Any),
    ("branch", true, "rebase", SafeValue::Any),
    ("branch", true, "description", SafeValue::Any),
    ("branch", false, "autosetupmerge", SafeValue::Any),
    ("branch", false, "autosetuprebase", SafeValue::Any),
    ("branch", false, "sort", SafeValue::Any),
    ("submodule", true, "url", SafeValue::Url),
    ("submodule", true, "active", SafeValue::Any),
    ("submodule", true, "branch", SafeValue::Any),
    ("submodule", true, "update", SafeValue::Update),
    ("submodule", false, "active", SafeValue::Any),
    ("submodule", false, "recurse", SafeValue::Any),
    ("user", false, "name", SafeValue::Any),
    ("user", false, "email", SafeValue::Any),
    ("user", false, "useconfigonly", SafeValue::Any),
    ("author", false, "name", SafeValue::Any),
    ("author", false, "email", SafeValue::Any),
    ("committer", false, "name", SafeValue::Any),
    ("committer", false, "email", SafeValue::Any),
    ("commit", false, "gpgsign", SafeValue::False),
    ("tag", false, "gpgsign", SafeValue::False),
    ("init", false, "defaultbranch", SafeValue::Any),
    ("pull", false, "rebase", SafeValue::Any),
    ("pull", false, "ff", SafeValue::Any),
    ("push", false, "default", SafeValue::Any),
    ("push", false, "autosetupremote", SafeValue::Any),
    ("fetch", false, "prune", SafeValue::Any),
    ("merge", false, "ff", SafeValue::Any),
    ("merge", false, "conflictstyle", SafeValue::Any),
    ("rebase", false, "autosquash", SafeValue::Any),
    ("rebase", false, "autostash", SafeValue::Any),
    ("rerere", false, "enabled", SafeValue::Any),
    ("receive", false, "denycurrentbranch", SafeValue::Any),
    ("receive", false, "denynonfastforwards", SafeValue::Any),
    ("http", false, "postbuffer", SafeValue::Any),
    ("gc", false, "auto", SafeValue::Any),
    ("gc", false, "autodetach", SafeValue::Any),
    ("gc", false, "pruneexpire", SafeValue::Any),
    ("pack", false, "*", SafeValue::Any),
    ("index", false, "*", SafeValue::Any),
    ("feature", false, "*", SafeValue::Any),
    ("advice", false, "*", SafeValue::Any),
    ("color", false, "*", SafeValue::Any),
    ("maintenance", false, "auto", SafeValue::Any),
];

impl RepositorySetting {
    /// Whether git runs no program for this setting.
    pub(super) fn is_harmless(&self) -> bool {
        let named = |(section, has_subsection, key, _): &&(&str, bool, &str, SafeValue)| {
            self.section == *section
                && self.subsection.is_some() == *has_subsection
                && (*key == "*" || self.key == *key)
        };
        let Some((_, _, _, value)) = HARMLESS.iter().find(named) else { return false };
        match value {
            SafeValue::Any => true,
            SafeValue::Url => self.value.as_deref().is_some_and(is_plain_url),
            SafeValue::False => {
                self.value.as_deref().is_some_and(|value| ["false", "no", "off", "0"].contains(&value))
            }
            SafeValue::Update => self
                .value
                .as_deref()
                .is_some_and(|value| ["checkout", "rebase", "merge", "none"].contains(&value)),
        }
    }

    /// The name for people: `core.fsmonitor`.
    pub(super) fn name(&self) -> String {
        match &self.subsection {
            Some(subsection) => format!("{}.{subsection}.{}", self.section, self.key),
            None => format!("{}.{}", self.section, self.key),
        }
    }
}

/// Whether git takes it as a URL or a path, and starts no transport helper of its name.
fn is_plain_url(value: &str) -> bool {
    !value.is_empty()
        && !value.starts_with('-')
        && !value.contains("::")
        && value.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ' || byte >= 0x80)
        && !value.contains(['"', '\\'])
}

/// The settings of a file, in its order; an error is the number of the line that is not understood.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<RepositorySetting>, usize> {
    let text = std::str::from_utf8(bytes).map_err(|_| 1_usize)?;
    let mut settings = Vec::new();
    let mut section: Option<(String, Option<String>)> = None;
    for (number, line) in text.split('\n').enumerate() {
        let line = line.strip_suffix('\r').unwrap_or(line).trim_matches([' ', '\t']);
        let wrong = number + 1;
        if line.contains(|letter: char| letter.is_control() && letter != '\t') || line.ends_with('\\') {
            return Err(wrong);
        }
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        if line.starts_with('[') {
            section = Some(header(line).ok_or(wrong)?);
            continue;
        }
        let Some((section, subsection)) = &section else { return Err(wrong) };
        let (key, value) = match line.split_once('=') {
            Some((key, value)) => {
                (key.trim_end_matches([' ', '\t']), Some(value.trim_start_matches([' ', '\t'])))
            }
            None => (line, None),
        };
        if !is_word(key) || !key.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
            return Err(wrong);
        }
        settings.push(RepositorySetting {
            section: section.clone(),
            subsection: subsection.clone(),
            key: key.to_ascii_lowercase(),
            value: value.map(str::to_owned),
        });
    }
    Ok(settings)
}

/// The section of a header line, which has nothing behind it.
fn header(line: &str) -> Option<(String, Option<String>)> {
    let inner = line.strip_prefix('[')?.strip_suffix(']')?;
    let Some((name, rest)) = inner.split_once([' ', '\t']) else {
        return is_word(inner).then(|| (inner.to_ascii_lowercase(), None));
    };
    let subsection = rest.trim_start_matches([' ', '\t']).strip_prefix('"')?.strip_suffix('"')?;
    let is_plain = is_word(name) && !subsection.contains(['"', '\\']);
    is_plain.then(|| (name.to_ascii_lowercase(), Some(subsection.to_owned())))
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// Why git may run something by a file that was not like this before, and the settings that remain without that;
/// `None` where it runs nothing that `before` does not run.
pub(super) fn judge(bytes: &[u8], before: Option<&[u8]>) -> Option<(String, Vec<u8>)> {
    if before == Some(bytes) {
        return None;
    }
    let settings = match read(bytes) {
        Ok(settings) => settings,
        Err(line) => return Some((format!("line {line} can't be checked"), Vec::new())),
    };
    let known = before.and_then(|bytes| read(bytes).ok()).unwrap_or_default();
    let bad = |setting: &&RepositorySetting| !setting.is_harmless() && !known.contains(setting);
    let names: Vec<String> = settings.iter().filter(bad).map(RepositorySetting::name).collect();
    if names.is_empty() {
        return None;
    }
    let rest = settings.iter().filter(|setting| !bad(setting));
    Some((
        format!("it sets {}", names.join(", ")),
        rest.flat_map(|setting| write(setting).into_bytes()).collect(),
    ))
}

/// A setting with its section, as git reads it.
fn write(setting: &RepositorySetting) -> String {
    let subsection =
        setting.subsection.as_deref().map_or(Cow::Borrowed(""), |name| format!(" \"{name}\"").into());
    let value = setting.value.as_deref().map_or(Cow::Borrowed(""), |value| format!(" = {value}").into());
    format!("[{}{subsection}]\n\t{}{value}\n", setting.section, setting.key)
}

/// The folder that `core.hooksPath` names.
pub(crate) fn hooks_path(bytes: &[u8]) -> Option<String> {
    let settings = read(bytes).ok()?;
    let named = settings.into_iter().rev().find(|setting| setting.name() == "core.hookspath")?;
    named.value.map(|value| value.trim_matches('"').to_owned()).filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{hooks_path, judge, read};

    const CLONE: &str = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\
        \tlogallrefupdates = true\n[remote \"origin\"]\n\turl = https://example.com/a.git\n\
        \tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch \"main\"]\n\tremote = origin\n\
        \tmerge = refs/heads/main\n[user]\n\tname = Ada\n";

    #[test]
    fn what_git_writes_into_a_clone_is_harmless() {
        assert_eq!(judge(CLONE.as_bytes(), None), None);
        for more in [
            "[submodule \"lib\"]\n\tactive = true\n\turl = ../lib.git\n",
            "[remote \"up\"]\n\turl = git@example.com:a/b.git\n",
            "; a comment\r\n[core]\r\n\tautocrlf = input\r\n",
            "[core]\n\tfsmonitor = false\n",
            "[gc]\n\tauto = 0\n",
        ] {
            assert_eq!(judge(format!("{CLONE}{more}").as_bytes(), None), None, "{more}");
        }
    }

    #[test]
    fn what_names_a_program_or_is_not_understood_is_not() {
        for more in [
            "[core]\n\tfsmonitor = ./x\n",
            "[core]\n\tfsmonitor\n",
            "[core]\n\tfsmonitor = true\n",
            "[CORE]\n\tFSMonitor = x\n",
            "[core] fsmonitor = x\n",
            "[core]fsmonitor=x\n",
            "[core]\n\tbare = false\\\n",
            "[core]\n\thooksPath = .\n",
            "[core]\n\tsshCommand = x\n",
            "[core]\n\tworktree = /home\n",
            "[core]\n\tpager = x\n",
            "[core]\n\teditor = x\n",
            "[core]\n\tattributesFile = x\n",
            "[alias]\n\tst = !x\n",
            "[include]\n\tpath = x\n",
            "[includeIf \"gitdir:/\"]\n\tpath = x\n",
            "[filter \"x\"]\n\tclean = x\n",
            "[filter.x]\n\tclean = x\n",
            "[diff \"x\"]\n\ttextconv = x\n",
            "[diff]\n\texternal = x\n",
            "[merge \"x\"]\n\tdriver = x\n",
            "[credential]\n\thelper = !x\n",
            "[gpg]\n\tprogram = x\n",
            "[remote \"x\"]\n\turl = ext::sh -c x\n",
            "[remote \"x\"]\n\turl = \"ext::sh\"\n",
            "[remote \"x\"]\n\tuploadpack = x\n",
            "[remote \"x\"]\n\tvcs = x\n",
            "[remote \"x\"]\n\turl = --upload-pack=x\n",
            "[branch \"x\"]\n\tremote = ext::x\n",
            "[submodule \"x\"]\n\tupdate = !x\n",
            "[url \"ext::x\"]\n\tinsteadOf = https://\n",
            "[uploadpack]\n\tpackObjectsHook = x\n",
            "[sequence]\n\teditor = x\n",
            "[trailer \"x\"]\n\tcommand = x\n",
            "[gc]\n\trecentObjectsHook = x\n",
            "[extensions]\n\tpartialClone = x\n",
            "[unknown]\n\tkey = x\n",
            "\u{feff}[core]\n\tfsmonitor = x\n",
            "[core\n",
            "[user]\n\tname = a\u{b}b\n",
        ] {
            assert!(judge(format!("{CLONE}{more}").as_bytes(), None).is_some(), "{more}");
        }
        assert!(judge(b"[core]\n\tbare = \xff\n", None).is_some());
        assert!(judge(b"fsmonitor = x\n", None).is_some());
    }

    #[test]
    fn the_users_own_settings_stay_and_the_rest_is_taken_out() {
        let before = format!("{CLONE}[alias]\n\tst = !status\n");
        let harmless = format!("{before}[branch \"x\"]\n\tremote = origin\n");
        assert_eq!(judge(harmless.as_bytes(), Some(before.as_bytes())), None);
        let worse = format!("{harmless}[core]\n\tfsmonitor = ./x\n");
        let (why, rest) = judge(worse.as_bytes(), Some(before.as_bytes())).unwrap();
        assert_eq!(why, "it sets core.fsmonitor");
        assert_eq!(judge(&rest, Some(before.as_bytes())), None);
        assert_eq!(read(&rest).unwrap(), read(harmless.as_bytes()).unwrap());
    }

    #[test]
    fn a_folder_of_hooks_is_found() {
        assert_eq!(hooks_path(b"[core]\n\thooksPath = .husky/_\n").as_deref(), Some(".husky/_"));
        assert_eq!(hooks_path(b"[core]\n"), None);
    }
}
