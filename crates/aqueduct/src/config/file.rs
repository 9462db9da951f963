use std::ffi::OsString;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use aqueduct_os::privacy::{check_secret, check_unchangeable};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::explained::advice;
use crate::redact::is_secret;

use super::{ConfigLayer, ConfigSetting, NamedAgent, SETTINGS, SettingKind, SettingOrigin};

/// The contents of the configuration file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ConfigFile {
    pub(super) layer: ConfigLayer,
    pub(super) agents: Vec<NamedAgent>,
}

/// The text of a file, with its place: for errors.
pub(super) struct ConfigText<'a> {
    path: &'a Path,
    text: &'a str,
}

/// Reads the file. The default file may be missing.
pub(super) fn read(path: &Path, is_named: bool) -> anyhow::Result<Option<ConfigFile>> {
    match fs::File::open(path).and_then(|file| Ok((io::read_to_string(&file)?, file))) {
        Ok((text, opened)) => {
            // It names programs to run.
            check_unchangeable(path, &opened)?;
            let file = parse(path, &text)?;
            let holds_secrets =
                file.agents.iter().flat_map(|agent| &agent.environment).any(|(name, _)| is_secret(name));
            if holds_secrets {
                check_secret(path, &opened)?;
            }
            Ok(Some(file))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound && !is_named => Ok(None),
        Err(error) => Err(error).with_context(|| {
            advice(format!("can't read the configuration {}", path.display()), "name another with --config")
        }),
    }
}

/// Reads the text of a file. An unknown key is an error: a typing error must not grant access.
fn parse(path: &Path, text: &str) -> anyhow::Result<ConfigFile> {
    let source = ConfigText { path, text };
    let table = DeTable::parse(text).map_err(|error| {
        let at = source.origin(error.span().unwrap_or_default());
        anyhow!("{at}: invalid TOML: {}", error.message().replace('\n', ", "))
    })?;
    let mut file = ConfigFile::default();
    for (key, value) in table.get_ref() {
        let name: &str = key.get_ref();
        if name == "agents" {
            file.agents = agents(&source, value)?;
            continue;
        }
        let at = source.origin(key.span());
        let Some(setting) = ConfigSetting::named(name) else {
            bail!(advice(format!("{at}: unknown key {name}"), nearest(name)))
        };
        file.layer.give(setting.name, values(&source, setting, value)?, at);
    }
    Ok(file)
}

fn agents(source: &ConfigText<'_>, value: &Spanned<DeValue<'_>>) -> anyhow::Result<Vec<NamedAgent>> {
    let DeValue::Table(table) = value.get_ref() else {
        bail!("{}: agents must be tables: [agents.NAME] with a program", source.origin(value.span()));
    };
    table.iter().map(|(name, table)| NamedAgent::read(source, name, table)).collect()
}

/// A value as a flag would bring it.
fn values(
    source: &ConfigText<'_>,
    setting: &ConfigSetting,
    value: &Spanned<DeValue<'_>>,
) -> anyhow::Result<Vec<OsString>> {
    let name = setting.name;
    let one = |text: String| vec![OsString::from(text)];
    match (setting.kind, value.get_ref()) {
        (SettingKind::Switch, _) => Ok(one(source.switch(name, value)?.to_string())),
        (kind, DeValue::Array(_)) if kind.is_list() => {
            Ok(source.texts(name, value)?.into_iter().map(OsString::from).collect())
        }
        (SettingKind::Count | SettingKind::Size | SettingKind::Time, DeValue::Integer(number)) => {
            Ok(one(number.to_string()))
        }
        _ => Ok(one(source.text(name, value)?)),
    }
}

/// The setting that was meant, if one is spelled alike, or all of them.
fn nearest(name: &str) -> String {
    let written = name.replace('-', "_");
    let is_near = |setting: &&ConfigSetting| distance(setting.name, &written) <= 2;
    match SETTINGS.iter().find(is_near) {
        Some(setting) => format!("did you mean {}?", setting.name),
        None => {
            let names: Vec<&str> = SETTINGS.iter().map(|setting| setting.name).collect();
            format!("there are {} and [agents.NAME]", names.join(", "))
        }
    }
}

/// How many letters have to be changed, added or taken away to make one of the other.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, letter) in one.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], at + 1);
        for (column, candidate) in other.iter().enumerate() {
            let changed = diagonal + usize::from(letter != *candidate);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[other.len()]
}

impl ConfigText<'_> {
    /// The place of a span.
    pub(super) fn origin(&self, span: Range<usize>) -> SettingOrigin {
        let before = self.text.get(..span.start).unwrap_or(self.text);
        SettingOrigin::File { path: self.path.to_owned(), line: before.matches('\n').count() + 1 }
    }

    /// The folder that paths in the file are relative to.
    pub(super) fn folder(&self) -> PathBuf {
        self.path.parent().map(Path::to_owned).unwrap_or_default()
    }

    pub(super) fn text(&self, name: &str, value: &Spanned<DeValue<'_>>) -> anyhow::Result<String> {
        match value.get_ref() {
            DeValue::String(text) => Ok(text.to_string()),
            _ => bail!("{}: {name} must be a text in quotes", self.origin(value.span())),
        }
    }

    pub(super) fn texts(&self, name: &str, value: &Spanned<DeValue<'_>>) -> anyhow::Result<Vec<String>> {
        match value.get_ref() {
            DeValue::Array(items) => items.iter().map(|item| self.text(name, item)).collect(),
            _ => bail!("{}: {name} must be a list, such as [\"a\", \"b\"]", self.origin(value.span())),
        }
    }

    pub(super) fn switch(&self, name: &str, value: &Spanned<DeValue<'_>>) -> anyhow::Result<bool> {
        match value.get_ref() {
            DeValue::Boolean(switch) => Ok(*switch),
            _ => bail!("{}: {name} must be true or false", self.origin(value.span())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explained::explained;

    fn error_of(text: &str) -> String {
        explained(&parse(Path::new("/c/config.toml"), text).unwrap_err())
    }

    #[test]
    fn errors_are_named_with_their_line() {
        for (text, reported) in [
            ("listen = \"a\"\nlisen = 1", "/c/config.toml:2: unknown key lisen; did you mean listen?"),
            ("\n\ndata-dir = \"x\"", "/c/config.toml:3: unknown key data-dir; did you mean data_dir?"),
            ("insecure = \"yes\"", "/c/config.toml:1: insecure must be true or false"),
            ("root = [1]", "/c/config.toml:1: root must be a text in quotes"),
            ("agents = 1", "/c/config.toml:1: agents must be tables: [agents.NAME] with a program"),
            (
                "[agents.auto]",
                "/c/config.toml:1: no agent can be called auto: it means the first that is found",
            ),
            (
                "[agents.x]\nprogam = \"y\"",
                "/c/config.toml:2: unknown key agents.x.progam; an agent has program, profile, arguments, environment, \
                 unset, label, prompt_tool",
            ),
            (
                "[agents.x]\nenvironment = [\"A=b\"]",
                "/c/config.toml:2: agents.x.environment must be a table, such as { NAME = \"value\" }",
            ),
        ] {
            assert_eq!(error_of(text), reported);
        }
        assert!(error_of("x = ").starts_with("/c/config.toml:1: invalid TOML: "), "{}", error_of("x = "));
        let unknown = error_of("something = 1");
        assert!(
            unknown.contains("there are listen, agent, root,") && unknown.contains("[agents.NAME]"),
            "{unknown}"
        );
    }

    #[test]
    fn a_file_sets_what_flags_would() {
        let text = "listen = [\"127.0.0.1:1\", \"unix:/s\"]\nidle = 90\nroot = \"/one\"\nallow_bypass = true\n\
                    [agents.mine]\nprogram = \"mine\"\narguments = [\"-x\"]\nprompt_tool = false\n\
                    environment = { KEY = \"secret\" }";
        let file = parse(Path::new("/c/config.toml"), text).unwrap();
        let values = |name: &str| file.layer.get(name).unwrap().values.clone();
        assert_eq!(values("listen"), ["127.0.0.1:1", "unix:/s"]);
        assert_eq!((values("idle"), values("root")), (vec!["90".into()], vec!["/one".into()]));
        assert_eq!(values("allow_bypass"), ["true"]);
        let agent = &file.agents[0];
        assert_eq!(
            (&*agent.name, agent.program.as_deref(), agent.prompt_tool),
            ("mine", Some("mine"), false)
        );
        assert_eq!(agent.environment, [("KEY".to_owned(), "secret".to_owned())]);
        assert!(!format!("{file:?}").contains("secret"));
        assert_eq!(agent.origin.to_string(), "/c/config.toml:5");
    }
}
