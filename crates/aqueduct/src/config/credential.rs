use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::Path;

use anyhow::{Context, bail};

/// The variable with the folder of credentials, which systemd sets (`LoadCredential`).
const FOLDER: &str = "CREDENTIALS_DIRECTORY";

/// The credentials that are read, and the variable that each of them takes the place of.
const CREDENTIALS: &[(&str, &str)] = &[
    ("anthropic-api-key", "ANTHROPIC_API_KEY"),
    ("anthropic-auth-token", "ANTHROPIC_AUTH_TOKEN"),
    ("anthropic-foundry-api-key", "ANTHROPIC_FOUNDRY_API_KEY"),
    ("aqueduct-otlp-headers", "AQUEDUCT_OTLP_HEADERS"),
    ("aqueduct-token", "AQUEDUCT_TOKEN"),
];

/// A secret from the service manager, as the variable that it takes the place of.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Credential {
    /// The variable.
    pub(crate) variable: &'static str,
    /// Its value.
    pub(crate) value: String,
}

/// A secret is not shown.
impl std::fmt::Debug for Credential {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Credential").field("variable", &self.variable).finish_non_exhaustive()
    }
}

/// The credentials of this process, without those whose variable is set: a variable is stronger.
pub(super) fn read(variables: &BTreeMap<OsString, OsString>) -> anyhow::Result<Vec<Credential>> {
    let set = |name: &str| variables.get(OsStr::new(name)).filter(|value| !value.is_empty());
    let Some(folder) = set(FOLDER) else { return Ok(Vec::new()) };
    let mut credentials = Vec::new();
    for (name, variable) in CREDENTIALS.iter().filter(|(_, variable)| set(variable).is_none()) {
        let path = Path::new(folder).join(name);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => {
                return Err(error).with_context(|| format!("can't read the credential {}", path.display()));
            }
        };
        let value = text.trim();
        if value.is_empty() || value.contains(char::is_control) {
            bail!(
                "the credential {} has to be one line of text: correct the file that LoadCredential names",
                path.display()
            );
        }
        credentials.push(Credential { variable, value: value.to_owned() });
    }
    Ok(credentials)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_from(files: &[(&str, &str)], variables: &[(&str, &str)]) -> anyhow::Result<Vec<Credential>> {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        let own = [(FOLDER, folder.path().to_str().unwrap())];
        let all = own.iter().chain(variables).map(|(name, value)| (name.into(), value.into()));
        read(&all.collect())
    }

    #[test]
    fn a_credential_takes_the_place_of_its_variable() {
        let found = read_from(&[("anthropic-api-key", "sk-1\n"), ("other", "x")], &[]).unwrap();
        assert_eq!(found, [Credential { variable: "ANTHROPIC_API_KEY", value: "sk-1".to_owned() }]);
        assert!(!format!("{found:?}").contains("sk-1"));
        let set = read_from(&[("anthropic-api-key", "sk-1")], &[("ANTHROPIC_API_KEY", "sk-2")]).unwrap();
        assert_eq!(set, [], "a variable is stronger");
        assert_eq!(read(&BTreeMap::new()).unwrap(), [], "there is no service manager");
    }

    /// docs/operations.md lists them. When this fails, it prints what the page should have.
    #[test]
    fn the_page_has_the_credentials() {
        let mut table = String::from("| credential | takes the place of |\n|---|---|\n");
        CREDENTIALS.iter().for_each(|(name, variable)| {
            table.push_str(&format!("| `{name}` | `{variable}` |\n"));
        });
        let page = include_str!("../../../../docs/operations.md");
        assert!(page.contains(&table), "docs/operations.md should have:\n{table}");
    }

    #[test]
    fn a_broken_credential_is_refused_without_its_text() {
        for text in ["", " \n", "sk-1\nsk-2\n"] {
            let error = read_from(&[("aqueduct-token", text)], &[]).unwrap_err().to_string();
            assert!(error.contains("aqueduct-token has to be one line"), "{error}");
            assert!(!error.contains("sk-1"), "{error}");
        }
    }
}
