//! A run of rules with the indexes that make matching fast.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Bound;

use crate::behavior::Behavior;
use crate::entry::Entry;
use crate::error::Error;
use crate::matcher::RuleMatcher;
use crate::pattern::PatternRoots;
use crate::source::Source;
use crate::tool;

/// Rules that were added one after the other. Indexes count from the first rule of the whole set.
#[derive(Debug, Clone, Default)]
pub(crate) struct RuleLayer {
    pub(crate) entries: Vec<Entry>,
    pub(crate) matchers: Vec<Option<RuleMatcher>>,
    /// The keys of the entries, by which most absent rules are ruled out at once.
    pub(crate) keys: HashSet<u64>,
    /// Rules for every call of a tool, by canonical name.
    pub(crate) whole_tools: HashMap<String, Vec<usize>>,
    pub(crate) mcp: Vec<usize>,
    /// Bash rules by the first word they need, and those that don't need one.
    pub(crate) bash: HashMap<String, Vec<usize>>,
    pub(crate) bash_open: Vec<usize>,
    /// Bash rules with content and file rules, by behavior.
    pub(crate) bash_of: [Vec<usize>; 3],
    pub(crate) files_of: [Vec<usize>; 3],
    /// File rules by a name that must occur in the path, and those that need none; by behavior.
    pub(crate) files_by_name: [BTreeMap<String, Vec<usize>>; 3],
    pub(crate) files_open: [Vec<usize>; 3],
    /// How long those names are, a bit for each length: most names of a path are ruled out by that.
    pub(crate) name_lengths: [u64; 3],
    /// Rules for hosts, subagents and skills.
    pub(crate) others: Vec<usize>,
    pub(crate) broken: Vec<usize>,
}

impl RuleLayer {
    /// Adds a rule and puts it into the indexes. `before` is how many rules the layers below hold. Returns why the rule
    /// can't be used, if it can't.
    pub(crate) fn push(&mut self, before: usize, mut entry: Entry, roots: PatternRoots<'_>) -> Option<Error> {
        let index = before + self.entries.len();
        let matcher = match &entry.rule {
            Ok(rule) => RuleMatcher::new(rule, entry.behavior, roots),
            Err(_) => None,
        };
        if matcher.is_none() && entry.rule.is_ok() {
            let problem = "has content that nothing can be compared with";
            entry.rule = Err(Error::Rule { rule: entry.text.clone(), problem });
        }
        if entry.withheld.is_none() {
            self.file(index, &entry, matcher.as_ref());
        }
        self.keys.insert(key(entry.source, entry.behavior, &entry.text));
        let error = entry.rule.as_ref().err().cloned();
        self.entries.push(entry);
        self.matchers.push(matcher);
        error
    }

    fn file(&mut self, index: usize, entry: &Entry, matcher: Option<&RuleMatcher>) {
        let (Ok(rule), Some(matcher)) = (&entry.rule, matcher) else {
            if entry.behavior != Behavior::Allow {
                self.broken.push(index);
            }
            return;
        };
        match matcher {
            RuleMatcher::Tool if rule.tool_name.starts_with("mcp__") => self.mcp.push(index),
            RuleMatcher::Tool => {
                let name = tool::canonical(&rule.tool_name).to_owned();
                self.whole_tools.entry(name).or_default().push(index);
            }
            RuleMatcher::Bash(bash) => {
                self.bash_of[entry.behavior as usize].push(index);
                match bash.first_word() {
                    Some(word) => self.bash.entry(word.to_owned()).or_default().push(index),
                    None => self.bash_open.push(index),
                }
            }
            RuleMatcher::File(pattern) => {
                let behavior = entry.behavior as usize;
                self.files_of[behavior].push(index);
                match pattern.required_name() {
                    Some(name) => {
                        self.name_lengths[behavior] |= length_bit(name);
                        self.files_by_name[behavior].entry(name.to_owned()).or_default().push(index)
                    }
                    None => self.files_open[behavior].push(index),
                }
            }
            RuleMatcher::Domain(_) | RuleMatcher::Named(_) => self.others.push(index),
        }
    }
}

impl RuleLayer {
    /// The file rules that need a name which a name with wildcards may match, and some others.
    pub(crate) fn files_like(&self, behavior: Behavior, wild: &str) -> impl Iterator<Item = usize> {
        let special = ['*', '?', '[', ']', '\\'];
        let begin = wild.split(special).next().unwrap_or_default();
        let end = wild.rsplit(special).next().unwrap_or_default();
        let from = (Bound::Included(begin), Bound::Unbounded);
        let named = self.files_by_name[behavior as usize].range::<str, _>(from);
        let named = named.take_while(move |(name, _)| name.starts_with(begin));
        named.filter(move |(name, _)| name.ends_with(end)).flat_map(|(_, rules)| rules).copied()
    }
}

/// The bit that represents the length of a name; very long ones share one.
pub(crate) fn length_bit(name: &str) -> u64 {
    1 << name.len().min(63)
}

/// A number that is the same for the same rule of the same source, and for few others.
pub(crate) fn key(source: Source, behavior: Behavior, text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (source as usize, behavior as usize, text).hash(&mut hasher);
    hasher.finish()
}
