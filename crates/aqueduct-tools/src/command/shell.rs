//! The shell that runs commands, and the words it is started with.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use aqueduct_os::environment::Environment;

/// Variables that every command gets beside the user's: who runs it, and that no editor may open.
const VARIABLES: [(&str, &str); 3] = [("CLAUDECODE", "1"), ("AI_AGENT", "aqueduct"), ("GIT_EDITOR", "true")];

/// The shell: the one that the user set for agents, the user's own if it is a bash, the first bash there
/// is, or else `sh`.
pub fn program(environment: &Environment) -> PathBuf {
    if let Some(shell) = environment.variable("CLAUDE_CODE_SHELL") {
        return shell.into();
    }
    let own = environment.variable("SHELL").map(PathBuf::from);
    let own = own.filter(|shell| shell.file_name().is_some_and(|name| name == "bash"));
    let found = environment.search_path().filter(|folder| folder.is_absolute());
    own.into_iter()
        .chain(["/bin/bash".into(), "/usr/bin/bash".into()])
        .chain(found.map(|folder| folder.join("bash")))
        .find(|shell| shell.is_file())
        .unwrap_or_else(|| "/bin/sh".into())
}

/// A setting for git in every command: a folder is a bare repository only if the command names it explicitly, and not
/// because of the names in it.
const GIT_SETTING: (&str, &str) = ("safe.bareRepository", "explicit");

/// The environment of commands.
pub fn variables(environment: &Environment) -> Vec<(OsString, OsString)> {
    let ours = VARIABLES.iter().map(|(name, value)| (name.into(), value.into()));
    let setting = git_setting(environment).into_iter().map(|(name, value)| (name.into(), value.into()));
    environment.variables.iter().cloned().chain(ours).chain(setting).collect()
}

/// The variables that give git the setting, behind those that the user gives it in the same way.
fn git_setting(environment: &Environment) -> Vec<(String, String)> {
    let count = match environment.variable("GIT_CONFIG_COUNT") {
        None => 0,
        Some(count) => match count.parse::<u32>() {
            Ok(count) => count,
            // Git refuses to run with this; that is not hidden.
            Err(_) => return Vec::new(),
        },
    };
    let (name, value) = GIT_SETTING;
    vec![
        (format!("GIT_CONFIG_KEY_{count}"), name.to_owned()),
        (format!("GIT_CONFIG_VALUE_{count}"), value.to_owned()),
        ("GIT_CONFIG_COUNT".to_owned(), count.saturating_add(1).to_string()),
    ]
}

/// The program and arguments that run a command and note where it left the working directory.
///
/// The command is one word for `eval`, so that no open quote or here-document can swallow what follows. It
/// is not part of a condition, so that its `set -e` counts. Like in the reference, the directory is kept
/// only if the command went well.
pub fn words(shell: &Path, command: &str, note: &Path) -> Vec<OsString> {
    let mut script = OsString::from("eval ");
    script.push(quoted(command));
    script.push("\n__aqueduct_code=$?\n[ $__aqueduct_code = 0 ] && { command pwd -P >| ");
    script.push(quoted_path(note));
    script.push("; } 2>/dev/null\nexit $__aqueduct_code");
    vec![shell.into(), "-c".into(), script]
}

/// A word that means exactly this text.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// A word that means exactly this path, which need not be text.
fn quoted_path(path: &Path) -> OsString {
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    let mut word = vec![b'\''];
    for byte in path.as_os_str().as_bytes() {
        match byte {
            b'\'' => word.extend_from_slice(br"'\''"),
            byte => word.push(*byte),
        }
    }
    word.push(b'\'');
    OsString::from_vec(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_setting_for_git_comes_behind_those_of_the_user() {
        let environment = |count: Option<&str>| Environment {
            cwd: "/".into(),
            home: "/".into(),
            config: "/".into(),
            temporary: "/".into(),
            variables: count.iter().map(|count| ("GIT_CONFIG_COUNT".into(), count.into())).collect(),
            guard: Vec::new(),
        };
        let setting = |count| git_setting(&environment(count));
        let pairs = |count: u32| {
            vec![
                (format!("GIT_CONFIG_KEY_{count}"), "safe.bareRepository".to_owned()),
                (format!("GIT_CONFIG_VALUE_{count}"), "explicit".to_owned()),
                ("GIT_CONFIG_COUNT".to_owned(), (count + 1).to_string()),
            ]
        };
        assert_eq!(setting(None), pairs(0));
        assert_eq!(setting(Some("2")), pairs(2));
        assert_eq!(setting(Some("two")), []);
    }
}
