//! Hooks that skills and subagents define in their front matter.

use std::path::Path;

use aqueduct_rules::Source;
use serde_json::Value;

use super::configured::ConfiguredHook;
use super::read;
use crate::front_matter::FrontMatter;

/// Their key in front matter.
const KEY: &str = "hooks";

/// The hooks of front matter.
#[derive(Debug, Default)]
pub(crate) struct MatterHooks {
    /// Those that can be read. They run.
    pub(crate) hooks: Vec<ConfiguredHook>,
    /// A hook can't be read. It may have guarded what the file grants, so that the file must grant nothing.
    pub(crate) is_incomplete: bool,
}

/// Reads the hooks of front matter. Errors in them are reported as errors of the file.
pub(crate) fn of_front_matter(
    matter: &mut FrontMatter<'_>,
    source: Source,
    plugin: Option<&Path>,
) -> MatterHooks {
    let is_misspelt = matter.is_misspelt(KEY);
    let Some(text) = matter.nested(KEY) else {
        let is_incomplete = is_misspelt || !matter.is_empty(KEY);
        return MatterHooks { hooks: Vec::new(), is_incomplete };
    };
    // It was written as JSON.
    let value = serde_json::from_str(&text).unwrap_or(Value::Null);
    let read = read::read_lines(source, &text, &value);
    matter.diagnostics.extend(read.wrong);
    let root = plugin.map(Path::to_owned);
    let hooks = read.hooks.into_iter().map(|hook| ConfiguredHook { root: root.clone(), ..hook }).collect();
    MatterHooks { hooks, is_incomplete: is_misspelt || read.is_incomplete }
}
