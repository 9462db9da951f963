//! Output styles: how the model writes, from files of user and project.

use std::fs;
use std::path::{Path, PathBuf};

use crate::diagnostic::Diagnostic;
use crate::environment::Environment;
use crate::front_matter::{FrontMatter, read_file};

/// The style if none is selected.
pub(crate) const DEFAULT_STYLE: &str = "default";

/// What means something in the front matter of a style.
const KEYS: &[&str] = &["name", "description", "keep-coding-instructions"];

/// How many files are looked at.
const FILES_LIMIT: usize = 100;

/// The styles that come with the agent.
const BUILT_IN: &[(&str, &str)] = &[
    (
        "Explanatory",
        "The user wants to learn from the work. Before and after you change code, explain in two or three points why it \
         is done in this way: the conventions of the project, the alternatives, and the pitfalls. Explain in the \
         conversation, not in code comments, and leave out common knowledge.",
    ),
    (
        "Learning",
        "The user wants to learn by doing. Where there is a decision to make or a short piece of code that teaches \
         something (five to ten lines, with more than one good way), prepare everything around it, mark the place with \
         a comment that begins with YOUR TURN, describe what to write and which trade-offs to consider, and stop there: \
         the user writes it. Then review it together. Do the rest yourself.",
    ),
];

/// How the model writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OutputStyle {
    /// Its name.
    pub(crate) name: String,
    /// The text for the model.
    pub(crate) text: String,
    /// Whether the agent's own instructions are sent as well.
    pub(crate) keeps_instructions: bool,
    /// The folder that contains it, if it came from one.
    folder: Option<PathBuf>,
}

/// The styles there are.
#[derive(Debug, Default)]
pub(crate) struct OutputStyles {
    styles: Vec<OutputStyle>,
    /// What is wrong with files.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Which files count.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StyleSources {
    /// The user's.
    pub(crate) user: bool,
    /// The project's.
    pub(crate) project: bool,
}

impl OutputStyles {
    /// Those of user and project, beside those that come with the agent. Of two with one name the project's counts,
    /// then the user's.
    pub(crate) fn read(environment: &Environment, sources: StyleSources) -> Self {
        let mut found = OutputStyles::default();
        if sources.project {
            found.add(&environment.cwd.join(".claude/output-styles"));
        }
        if sources.user {
            found.add(&environment.config.join("output-styles"));
        }
        for (name, text) in BUILT_IN {
            found.push(OutputStyle {
                name: (*name).to_owned(),
                text: (*text).to_owned(),
                keeps_instructions: true,
                folder: None,
            });
        }
        found
    }

    /// The style of a name; none, where it is the usual one or not there.
    pub(crate) fn find(&self, name: &str) -> Option<&OutputStyle> {
        self.styles.iter().find(|style| style.name == name)
    }

    /// The names of all, the usual one first.
    pub(crate) fn names(&self) -> Vec<String> {
        let own = self.styles.iter().map(|style| style.name.clone());
        std::iter::once(DEFAULT_STYLE.to_owned()).chain(own).collect()
    }

    fn push(&mut self, style: OutputStyle) {
        if self.find(&style.name).is_none() && style.name != DEFAULT_STYLE {
            self.styles.push(style);
        }
    }

    fn add(&mut self, folder: &Path) {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|ending| ending == "md"));
        paths.sort();
        paths.truncate(FILES_LIMIT);
        for path in paths {
            let text = match read_file(&path) {
                Ok(text) => text,
                Err(error) => {
                    self.diagnostics.push(error.describe(&path));
                    continue;
                }
            };
            let mut matter = FrontMatter::read(&text);
            matter.know(KEYS);
            let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            let name = matter.text("name").unwrap_or_else(|| stem.to_owned());
            let keeps_instructions = matter.truth("keep-coding-instructions").unwrap_or(false);
            let body = matter.body.trim().to_owned();
            matter.text("description");
            if body.is_empty() {
                matter.lacks("", "it is empty: write the instructions for the model below the front matter");
            }
            if self.styles.iter().any(|known| known.name == name && known.folder.as_deref() == Some(folder)) {
                matter.wrong(matter.line("name"), format!("there is another style {name:?}, which is used"));
            }
            self.diagnostics.extend(matter.take_diagnostics(&path));
            let folder = Some(folder.to_owned());
            self.push(OutputStyle { name, text: body, keeps_instructions, folder });
        }
    }
}
