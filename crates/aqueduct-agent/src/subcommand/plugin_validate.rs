//! `plugin validate`: whether a folder or a file is the manifest of a plugin.

use std::path::{Component, Path, PathBuf};

use serde::Serialize;
use serde_json::Value;

use super::context::{Console, SubcommandContext};
use super::error::SubcommandError;
use super::parse::GivenArguments;
use crate::front_matter::read_file;
use crate::plugin::{MANIFEST, Plugins};

/// What hosts read. The order and the names of the members are theirs. This agent inspects the manifest alone: what it
/// does not inspect is empty.
#[derive(Debug, Serialize)]
struct ValidationReport<'r> {
    success: bool,
    strict: bool,
    target: &'r Path,
    manifest: ManifestReport<'r>,
    contents: [(); 0],
    advice: [(); 0],
    directory: Option<()>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ManifestReport<'m> {
    file: &'m Path,
    r#type: &'static str,
    errors: &'m [Finding],
    warnings: &'m [Finding],
    notes: [(); 0],
    gating_hooks: [(); 0],
}

/// One thing that is wrong.
#[derive(Debug, Serialize)]
struct Finding {
    /// The member, or what else it is about.
    path: String,
    message: String,
    code: Option<()>,
}

impl Finding {
    fn new(path: &str, message: impl Into<String>) -> Self {
        Finding { path: path.to_owned(), message: message.into(), code: None }
    }
}

/// What a manifest must and should have.
#[derive(Debug, Default)]
struct ManifestFindings {
    errors: Vec<Finding>,
    warnings: Vec<Finding>,
}

/// What a member of a manifest must be.
#[derive(Debug, Clone, Copy)]
enum ManifestMemberKind {
    Text,
    Texts,
    Object,
    /// A path or several, or an object.
    Places,
}

/// The members of a manifest.
const MEMBERS: &[(&str, ManifestMemberKind)] = &[
    ("name", ManifestMemberKind::Text),
    ("version", ManifestMemberKind::Text),
    ("description", ManifestMemberKind::Text),
    ("displayName", ManifestMemberKind::Text),
    ("author", ManifestMemberKind::Object),
    ("homepage", ManifestMemberKind::Text),
    ("repository", ManifestMemberKind::Text),
    ("license", ManifestMemberKind::Text),
    ("keywords", ManifestMemberKind::Texts),
    ("commands", ManifestMemberKind::Places),
    ("agents", ManifestMemberKind::Places),
    ("skills", ManifestMemberKind::Places),
    ("hooks", ManifestMemberKind::Places),
    ("outputStyles", ManifestMemberKind::Places),
    ("mcpServers", ManifestMemberKind::Places),
    ("lspServers", ManifestMemberKind::Places),
    ("$schema", ManifestMemberKind::Text),
];

/// Members that people look for.
const WANTED: [(&str, &str); 3] = [
    ("version", "there is none; \"1.0.0\" would be one"),
    ("description", "there is none; it helps users to choose"),
    ("author", "there is none; users want to know who wrote it"),
];

/// `plugin validate <path>`.
pub(super) fn validate(
    context: &SubcommandContext,
    given: &GivenArguments,
    console: &mut Console<'_>,
) -> Result<u8, SubcommandError> {
    let target = plain(&context.environment.cwd.join(given.operand(0)));
    let (target, findings) = inspect(context, target);
    let is_strict = given.has("--strict");
    let is_valid = findings.errors.is_empty() && (!is_strict || findings.warnings.is_empty());
    if given.has("--json") {
        let manifest = ManifestReport {
            file: &target,
            r#type: "plugin",
            errors: &findings.errors,
            warnings: &findings.warnings,
            notes: [],
            gating_hooks: [],
        };
        let report = ValidationReport {
            success: is_valid,
            strict: is_strict,
            target: &target,
            manifest,
            contents: [],
            advice: [],
            directory: None,
        };
        let text = serde_json::to_string_pretty(&report).map_err(SubcommandError::Output)?;
        console.print(&format!("{text}\n"));
        return Ok(u8::from(!is_valid));
    }
    console.print(&format!("Validating plugin manifest: {}\n\n", target.display()));
    for (sign, name, list) in [("✘", "error", &findings.errors), ("⚠", "warning", &findings.warnings)] {
        if list.is_empty() {
            continue;
        }
        let plural = if list.len() == 1 { "" } else { "s" };
        console.print(&format!("{sign} Found {} {name}{plural}:\n\n", list.len()));
        for finding in list {
            console.print(&format!("  ❯ {}: {}\n", finding.path, finding.message));
        }
        console.print("\n");
    }
    console.print(match (is_valid, findings.warnings.is_empty()) {
        (true, true) => "✔ Validation passed\n",
        (true, false) => "✔ Validation passed with warnings\n",
        (false, _) => "✘ Validation failed\n",
    });
    Ok(u8::from(!is_valid))
}

/// The manifest that a path means, and what is wrong with it.
fn inspect(context: &SubcommandContext, target: PathBuf) -> (PathBuf, ManifestFindings) {
    let mut findings = ManifestFindings::default();
    let (file, folder) = if target.is_dir() {
        (target.join(MANIFEST), Some(target.clone()))
    } else {
        let folder = target.ends_with(MANIFEST).then(|| target.ancestors().nth(2)).flatten();
        (target.clone(), folder.map(Path::to_owned))
    };
    if !file.exists() {
        findings.errors.push(match target.is_dir() {
            true => Finding::new("directory", format!("there is no manifest {MANIFEST}")),
            false => Finding::new("file", format!("there is no file {}", target.display())),
        });
        return (target, findings);
    }
    let text = match read_file(&file) {
        Ok(text) => text,
        Err(error) => {
            findings.errors.push(Finding::new("file", format!("can't be read: {error}")));
            return (file, findings);
        }
    };
    match serde_json::from_str::<Value>(&text) {
        Err(error) => findings.errors.push(Finding::new("json", format!("is not valid JSON: {error}"))),
        Ok(Value::Object(members)) => {
            findings.check(&Value::Object(members), folder.as_deref());
            // What loads is what counts: a fault that keeps the plugin from loading is an error as well.
            let plugins = folder.map(|folder| Plugins::read(&context.environment, &[folder], &[]));
            let broken = plugins.into_iter().flat_map(|plugins| plugins.broken);
            if findings.errors.is_empty() {
                findings
                    .errors
                    .extend(broken.map(|broken| Finding::new("name", broken.fault.diagnostic().to_string())));
            }
        }
        Ok(_) => findings.errors.push(Finding::new("root", "the manifest must be an object")),
    }
    (file, findings)
}

impl ManifestFindings {
    fn check(&mut self, manifest: &Value, folder: Option<&Path>) {
        match manifest.get("name").map(Value::as_str) {
            None => self.errors.push(Finding::new("name", "a plugin needs this text")),
            Some(Some("")) => self.errors.push(Finding::new("name", "must not be empty")),
            Some(Some(name)) if name.contains(char::is_whitespace) => {
                self.errors.push(Finding::new("name", "must not contain blanks, as in \"my-plugin\""));
            }
            Some(_) => (),
        }
        for (name, value) in manifest.as_object().into_iter().flatten() {
            match MEMBERS.iter().find(|(known, _)| known == name) {
                None => self.warnings.push(Finding::new(name, "is not known and is ignored")),
                Some((_, kind)) => {
                    if let Some(must) = kind.refuses(value) {
                        self.errors.push(Finding::new(name, format!("must be {must}")));
                    } else if matches!(kind, ManifestMemberKind::Places) {
                        self.check_places(name, value, folder);
                    }
                }
            }
        }
        if manifest.get("author").is_some_and(|author| author.is_object() && !author["name"].is_string()) {
            self.errors.push(Finding::new("author.name", "an author needs this text"));
        }
        // Hints are for a manifest that is right otherwise.
        if self.errors.is_empty() {
            let absent = WANTED.iter().filter(|(name, _)| manifest.get(name).is_none());
            self.warnings.extend(absent.map(|(name, why)| Finding::new(name, *why)));
        }
    }

    /// Paths are below the plugin's folder, and lead to something.
    fn check_places(&mut self, name: &str, value: &Value, folder: Option<&Path>) {
        let several = value.as_array().map(Vec::as_slice).unwrap_or_default();
        for place in several.iter().chain(Some(value)).filter_map(Value::as_str) {
            let climbs = Path::new(place).components().any(|part| part == Component::ParentDir);
            if climbs || !place.starts_with("./") {
                self.errors
                    .push(Finding::new(name, format!("{place}: must begin with ./ and stay in the folder")));
            } else if folder.is_some_and(|folder| !folder.join(place).exists()) {
                self.errors.push(Finding::new(name, format!("{place}: there is no such file or folder")));
            }
        }
    }
}

impl ManifestMemberKind {
    /// What a value must be that is something else.
    fn refuses(self, value: &Value) -> Option<&'static str> {
        let are_texts = |value: &Value| value.as_array().is_some_and(|all| all.iter().all(Value::is_string));
        let (fits, must) = match self {
            ManifestMemberKind::Text => (value.is_string(), "a text"),
            ManifestMemberKind::Texts => (are_texts(value), "a list of texts"),
            ManifestMemberKind::Object => (value.is_object(), "an object, {…}"),
            ManifestMemberKind::Places => (
                value.is_string() || value.is_object() || value.is_array(),
                "a path, a list of paths, or an object",
            ),
        };
        (!fits).then_some(must)
    }
}

/// A path without `.` and `..`, as it is written.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => (),
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
}
