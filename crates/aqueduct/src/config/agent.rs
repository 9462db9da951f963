use std::path::PathBuf;

use anyhow::{bail, ensure};
use aqueduct_client::{PROFILES, Profile};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::SettingOrigin;
use super::file::ConfigText;
use crate::explained::advice;

/// An agent of the file: a table `[agents.NAME]`.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct NamedAgent {
    /// What clients call it.
    pub(crate) name: String,
    /// The program: a path, or a name on PATH. Without it the built-in agent is meant.
    pub(crate) program: Option<String>,
    /// Its dialect; by the program's name, if not set.
    pub(crate) profile: Option<Profile>,
    /// What comes behind the arguments of the protocol.
    pub(crate) arguments: Vec<String>,
    /// Variables that it gets.
    pub(crate) environment: Vec<(String, String)>,
    /// Variables that it does not get.
    pub(crate) unset: Vec<String>,
    /// For people.
    pub(crate) label: Option<String>,
    /// Whether it asks its host for permissions.
    pub(crate) prompt_tool: bool,
    /// Where it is located.
    pub(crate) origin: SettingOrigin,
    /// The folder that a program's path is relative to.
    pub(crate) base: PathBuf,
}

/// The keys of a table, for the reference and for errors.
pub(crate) const AGENT_KEYS: &[(&str, &str)] = &[
    ("program", "The program: a path, or a name on PATH; the built-in agent without it"),
    ("profile", "Its dialect: `reference` or `qwen`; by default chosen by the program's name"),
    ("arguments", "What comes behind the arguments that the bridge gives: a list"),
    ("environment", "Variables that it gets: a table"),
    ("unset", "Variables that it does not get: a list"),
    ("label", "What people read in place of its name"),
    (
        "prompt_tool",
        "`false` for an agent that can't ask its host for permissions; then denied calls can be tried again",
    ),
];

impl NamedAgent {
    /// Reads a table.
    pub(super) fn read(
        source: &ConfigText<'_>,
        name: &Spanned<impl AsRef<str>>,
        table: &Spanned<DeValue<'_>>,
    ) -> anyhow::Result<Self> {
        let (place, at) = (name.span(), source.origin(name.span()));
        let name = name.get_ref().as_ref();
        let DeValue::Table(table) = table.get_ref() else {
            bail!("{at}: agents.{name} must be a table: [agents.{name}] with a program");
        };
        ensure!(name != "auto", "{at}: no agent can be called auto: it means the first that is found");
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        ensure!(
            !name.is_empty() && name.chars().all(plain),
            "{at}: an agent's name has letters, digits, dots and dashes only, not as in \"{name}\""
        );
        let mut agent = NamedAgent {
            name: name.to_owned(),
            program: None,
            profile: None,
            arguments: Vec::new(),
            environment: Vec::new(),
            unset: Vec::new(),
            label: None,
            prompt_tool: true,
            origin: source.origin(place),
            base: source.folder(),
        };
        for (key, value) in table {
            agent.take(source, key.get_ref(), key.span(), value)?;
        }
        Ok(agent)
    }

    fn take(
        &mut self,
        source: &ConfigText<'_>,
        key: &str,
        place: std::ops::Range<usize>,
        value: &Spanned<DeValue<'_>>,
    ) -> anyhow::Result<()> {
        let full = format!("agents.{}.{key}", self.name);
        match key {
            "program" => self.program = Some(source.text(&full, value)?),
            "profile" => {
                let name = source.text(&full, value)?;
                let Some(profile) = Profile::named(&name) else {
                    let known: Vec<&str> = PROFILES.iter().map(|profile| profile.name).collect();
                    bail!(advice(
                        format!("{}: {full}: no profile is called \"{name}\"", source.origin(value.span())),
                        format!("there are {}", known.join(", ")),
                    ));
                };
                self.profile = Some(profile);
            }
            "arguments" => self.arguments = source.texts(&full, value)?,
            "environment" => self.environment = variables(source, &full, value)?,
            "unset" => self.unset = source.texts(&full, value)?,
            "label" => self.label = Some(source.text(&full, value)?),
            "prompt_tool" => self.prompt_tool = source.switch(&full, value)?,
            _ => {
                let keys: Vec<&str> = AGENT_KEYS.iter().map(|(key, _)| *key).collect();
                bail!(advice(
                    format!("{}: unknown key {full}", source.origin(place)),
                    format!("an agent has {}", keys.join(", ")),
                ));
            }
        }
        Ok(())
    }
}

/// Variables can hold secrets, and so can arguments: neither is shown.
impl std::fmt::Debug for NamedAgent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NamedAgent")
            .field("name", &self.name)
            .field("program", &self.program)
            .finish_non_exhaustive()
    }
}

fn variables(
    source: &ConfigText<'_>,
    full: &str,
    value: &Spanned<DeValue<'_>>,
) -> anyhow::Result<Vec<(String, String)>> {
    let table: &DeTable<'_> = match value.get_ref() {
        DeValue::Table(table) => table,
        _ => bail!("{}: {full} must be a table, such as {{ NAME = \"value\" }}", source.origin(value.span())),
    };
    let mut variables = Vec::new();
    for (name, value) in table {
        let at = format!("{full}.{}", name.get_ref());
        ensure!(
            !name.get_ref().is_empty() && !name.get_ref().contains(['=', '\0']),
            "{}: {at} is not a variable name",
            source.origin(name.span())
        );
        variables.push((name.get_ref().to_string(), source.text(&at, value)?));
    }
    Ok(variables)
}
