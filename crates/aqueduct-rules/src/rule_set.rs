//! The rules of all sources, and which of them a call or a part of it matches.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

use crate::bash_rule::BashRule;
use crate::behavior::Behavior;
use crate::domain;
use crate::entry::Entry;
use crate::error::Error;
use crate::folding::folded;
use crate::layer::{self, RuleLayer};
use crate::matcher::{RuleMatcher, mcp_covers, names};
use crate::pattern::PatternRoots;
use crate::rule::Rule;
use crate::source::Source;
use crate::tool::{self, ToolKind};

/// Rules of all sources. Clones share the rules they have; what is added to one of them afterwards is in
/// a layer of its own, so that a changed clone is cheap to make. The position of a rule makes no difference.
#[derive(Debug, Clone, Default)]
pub(crate) struct RuleSet {
    shared: Arc<RuleLayer>,
    own: RuleLayer,
}

impl RuleSet {
    /// Every rule, in the order in which it was added.
    pub(crate) fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.layers().into_iter().flat_map(|layer| &layer.entries)
    }

    /// Whether a rule of this text is there already.
    pub(crate) fn holds(&self, source: Source, behavior: Behavior, text: &str) -> bool {
        let key = layer::key(source, behavior, text);
        let same = |entry: &Entry| entry.source == source && entry.behavior == behavior && entry.text == text;
        self.layers().iter().any(|layer| layer.keys.contains(&key) && layer.entries.iter().any(same))
    }

    pub(crate) fn entry(&self, index: usize) -> &Entry {
        let (layer, at) = self.find(index);
        &layer.entries[at]
    }

    fn matcher(&self, index: usize) -> Option<&RuleMatcher> {
        let (layer, at) = self.find(index);
        layer.matchers[at].as_ref()
    }

    /// The layer of a rule, and its position in it.
    fn find(&self, index: usize) -> (&RuleLayer, usize) {
        match index.checked_sub(self.shared.entries.len()) {
            Some(at) => (&self.own, at),
            None => (&self.shared, index),
        }
    }

    fn layers(&self) -> [&RuleLayer; 2] {
        [&self.shared, &self.own]
    }

    /// The rules of one index, those of the lower layer first.
    fn all<'s>(&'s self, index: impl Fn(&'s RuleLayer) -> &'s [usize]) -> impl Iterator<Item = usize> {
        let [shared, own] = self.layers().map(index);
        shared.iter().chain(own).copied()
    }

    /// The rules that an index keeps under a name.
    fn under<'s>(
        &'s self,
        name: &str,
        index: impl Fn(&'s RuleLayer) -> &'s HashMap<String, Vec<usize>>,
    ) -> impl Iterator<Item = usize> {
        let [shared, own] = self.layers().map(|layer| index(layer).get(name).map_or(&[][..], Vec::as_slice));
        shared.iter().chain(own).copied()
    }

    /// Adds a rule. Returns why it can't be used, if it can't.
    pub(crate) fn push(&mut self, entry: Entry, roots: PatternRoots<'_>) -> Option<Error> {
        match Arc::get_mut(&mut self.shared) {
            Some(layer) if self.own.entries.is_empty() => layer.push(0, entry, roots),
            _ => self.own.push(self.shared.entries.len(), entry, roots),
        }
    }

    fn has(&self, index: usize, behavior: Behavior) -> bool {
        self.entry(index).behavior == behavior
    }

    /// A rule for every call of this tool.
    pub(crate) fn whole_tool(&self, behavior: Behavior, name: &str) -> Option<usize> {
        if name.starts_with("mcp__") {
            return self
                .all(|layer| &layer.mcp)
                .find(|&index| self.has(index, behavior) && mcp_covers(self.tool_name(index), name));
        }
        let mut named = self.under(tool::canonical(name), |layer| &layer.whole_tools);
        named.find(|&index| self.has(index, behavior))
    }

    fn tool_name(&self, index: usize) -> &str {
        self.entry(index).rule.as_ref().map_or("", |rule| &rule.tool_name)
    }

    /// A Bash rule that one of these texts matches.
    pub(crate) fn bash(&self, behavior: Behavior, texts: &[String]) -> Option<usize> {
        texts.iter().find_map(|text| {
            let word = text.split(' ').next().unwrap_or_default();
            self.bash_for(behavior, word)
                .find(|&index| self.bash_rule(index).is_some_and(|rule| rule.matches(text)))
        })
    }

    /// The rule that fixes most of the first of these texts which any rule of this behavior matches.
    pub(crate) fn narrowest_bash(&self, behavior: Behavior, texts: &[String]) -> Option<usize> {
        let narrowness = |index: usize| match self.bash_rule(index) {
            Some(BashRule::Exact(_)) => usize::MAX,
            Some(BashRule::Prefix(text)) => text.len(),
            Some(BashRule::Wildcard(pieces, _)) => pieces.iter().map(String::len).sum(),
            _ => 0,
        };
        texts.iter().find_map(|text| {
            let word = text.split(' ').next().unwrap_or_default();
            let matching = self
                .bash_for(behavior, word)
                .filter(|&index| self.bash_rule(index).is_some_and(|rule| rule.matches(text)));
            matching.min_by_key(|&index| Reverse(narrowness(index)))
        })
    }

    /// Whether any Bash rule of this behavior could match a command that begins with this word.
    pub(crate) fn concerns(&self, behavior: Behavior, word: &str) -> bool {
        self.bash_for(behavior, word).next().is_some()
    }

    fn bash_for(&self, behavior: Behavior, word: &str) -> impl Iterator<Item = usize> {
        let by_word = self.under(word, |layer| &layer.bash);
        by_word.chain(self.all(|layer| &layer.bash_open)).filter(move |&index| self.has(index, behavior))
    }

    pub(crate) fn bash_rule(&self, index: usize) -> Option<&BashRule> {
        match self.matcher(index)? {
            RuleMatcher::Bash(rule) => Some(rule),
            _ => None,
        }
    }

    /// Bash rules with content that a command beginning with this word could match; all of them where the
    /// word is not known.
    pub(crate) fn bash_candidates(&self, behavior: Behavior, word: Option<&str>) -> Vec<(usize, &BashRule)> {
        let indexes: Vec<usize> = match word {
            Some(word) => self.bash_for(behavior, word).collect(),
            None => self.all(|layer| &layer.bash_of[behavior as usize]).collect(),
        };
        indexes.into_iter().filter_map(|index| Some((index, self.bash_rule(index)?))).collect()
    }

    /// Whether there are Bash rules with content of this behavior.
    pub(crate) fn has_bash_rules(&self, behavior: Behavior) -> bool {
        self.layers().iter().any(|layer| !layer.bash_of[behavior as usize].is_empty())
    }

    /// Whether there are file rules of this behavior.
    pub(crate) fn has_file_rules(&self, behavior: Behavior) -> bool {
        self.layers().iter().any(|layer| !layer.files_of[behavior as usize].is_empty())
    }

    /// A file rule that holds for this path.
    pub(crate) fn file_rule(&self, behavior: Behavior, access: FileAccess<'_>) -> Option<usize> {
        let of = behavior as usize;
        let holds = |index: &usize| {
            let (Ok(rule), Some(RuleMatcher::File(pattern))) =
                (&self.entry(*index).rule, self.matcher(*index))
            else {
                return false;
            };
            let matches = if access.glob {
                pattern.could_match(access.path, access.working)
            } else {
                pattern.matches(access.path, access.working)
            };
            matches && access.is_meant_by(&rule.tool_name, behavior)
        };
        if access.glob && behavior == Behavior::Allow {
            return None;
        }
        if let Some(index) = self.all(|layer| &layer.files_open[of]).find(holds) {
            return Some(index);
        }
        let lengths = self.shared.name_lengths[of] | self.own.name_lengths[of];
        if lengths == 0 {
            return None;
        }
        let path = if behavior == Behavior::Allow { Cow::Borrowed(access.path) } else { folded(access.path) };
        if access.glob && path.split('/').any(|name| name == "**") {
            return self.all(|layer| &layer.files_of[of]).find(holds);
        }
        let named = |name: &str| {
            let layers = self.layers().into_iter();
            if access.glob && name.contains(['*', '?', '[']) {
                return layers.flat_map(|layer| layer.files_like(behavior, name)).find(holds);
            }
            let mut layers = layers.filter(|_| lengths & layer::length_bit(name) != 0);
            layers.find_map(|layer| layer.files_by_name[of].get(name)?.iter().copied().find(holds))
        };
        path.split('/').find_map(named)
    }

    /// An allow rule that names this credential: its file, or a folder that holds nothing but credentials.
    pub(crate) fn names_credential(
        &self,
        access: FileAccess<'_>,
        is_credential: impl Fn(&str) -> bool,
    ) -> Option<usize> {
        let allow = Behavior::Allow;
        self.all(|layer| &layer.files_of[allow as usize]).find(|&index| {
            let (Ok(rule), Some(RuleMatcher::File(pattern))) = (&self.entry(index).rule, self.matcher(index))
            else {
                return false;
            };
            access.is_meant_by(&rule.tool_name, allow)
                && pattern.matches(access.path, access.working)
                && pattern
                    .named(access.working)
                    .is_some_and(|named| named == access.path || is_credential(&named))
        })
    }

    /// A rule for a host, a subagent type or a skill.
    pub(crate) fn named(&self, behavior: Behavior, tool_name: &str, subject: &str) -> Option<usize> {
        self.all(|layer| &layer.others).find(|&index| {
            let same = tool::canonical(self.tool_name(index)) == tool::canonical(tool_name);
            let forbids = behavior != Behavior::Allow;
            same && self.has(index, behavior)
                && match self.matcher(index) {
                    Some(RuleMatcher::Domain(host)) => domain::covers(host, subject, forbids),
                    Some(RuleMatcher::Named(name)) => names(name, subject, forbids),
                    _ => false,
                }
        })
    }

    /// A deny or ask rule that can't be read and may have been meant for this tool.
    pub(crate) fn broken_for(&self, name: &str) -> Option<usize> {
        self.all(|layer| &layer.broken).find(|&index| {
            let meant = Rule::intended_tool(&self.entry(index).text);
            meant.is_none_or(|meant| {
                tool::canonical(meant) == tool::canonical(name)
                    || (meant.starts_with("mcp__") && name.starts_with("mcp__"))
                    || covers_family(meant, name)
            })
        })
    }
}

/// Whether a rule for one tool is meant for another one too: Edit represents all that edit, Read all
/// that read.
fn covers_family(meant: &str, name: &str) -> bool {
    match tool::kind(name) {
        ToolKind::Edit(_) => matches!(tool::kind(meant), ToolKind::Edit(_)),
        ToolKind::Read(_) => matches!(tool::kind(meant), ToolKind::Read(_)),
        ToolKind::Shell => matches!(tool::kind(meant), ToolKind::Edit(_) | ToolKind::Read(_)),
        _ => false,
    }
}

/// A path and what is done with it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FileAccess<'a> {
    pub(crate) path: &'a str,
    /// Whether the path has shell wildcards in it.
    pub(crate) glob: bool,
    pub(crate) edits: bool,
    /// The tool that is called.
    pub(crate) tool: &'a str,
    /// The working directories, the current one first.
    pub(crate) working: &'a [String],
}

impl FileAccess<'_> {
    /// Whether a rule for `rule_tool` is about this access. A denied reading forbids editing as well.
    fn is_meant_by(&self, rule_tool: &str, behavior: Behavior) -> bool {
        let reads = matches!(tool::kind(rule_tool), ToolKind::Read(_));
        let edits = matches!(tool::kind(rule_tool), ToolKind::Edit(_));
        match behavior {
            Behavior::Allow if self.edits => rule_tool == "Edit" || (edits && rule_tool == self.tool),
            Behavior::Allow => rule_tool == "Read" || (reads && rule_tool == self.tool),
            // The editing tools show what they edit; a command that only writes doesn't.
            Behavior::Deny => (reads && (!self.edits || self.tool != "Bash")) || (self.edits && edits),
            Behavior::Ask => (reads && !self.edits) || (edits && self.edits),
        }
    }
}
