//! The rules of all sources, and which of them a call or a part of it matches.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::bash::BashRule;
use crate::behavior::Behavior;
use crate::domain;
use crate::error::Error;
use crate::pattern::{Pattern, Reach, Roots, folded};
use crate::rule::Rule;
use crate::source::Source;
use crate::tool::{self, Kind};

/// One rule with its source.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Where it comes from.
    pub source: Source,
    /// What it makes of the calls it matches.
    pub behavior: Behavior,
    /// The rule as written.
    pub text: String,
    /// The rule, or why it can't be read.
    pub rule: Result<Rule, Error>,
    /// Why the rule is not in effect, if it is not.
    pub withheld: Option<&'static str>,
}

/// What a rule looks at.
#[derive(Debug, Clone)]
enum Matcher {
    /// Every call of the tool.
    Tool,
    Bash(BashRule),
    File(Pattern),
    Domain(String),
    /// A subagent type or a skill, with or without arguments.
    Named(String),
}

/// Rules of all sources with the indexes that make matching fast.
#[derive(Debug, Clone, Default)]
pub(crate) struct RuleSet {
    entries: Vec<Entry>,
    matchers: Vec<Option<Matcher>>,
    /// Rules for every call of a tool, by canonical name.
    whole_tools: HashMap<String, Vec<usize>>,
    mcp: Vec<usize>,
    /// Bash rules by the first word they need, and those that don't need one.
    bash: HashMap<String, Vec<usize>>,
    bash_open: Vec<usize>,
    /// Bash rules with content and file rules, by behavior.
    bash_of: [Vec<usize>; 3],
    files_of: [Vec<usize>; 3],
    /// File rules by a name that must stand in the path, and those that need none; by behavior.
    files_by_name: [HashMap<String, Vec<usize>>; 3],
    files_open: [Vec<usize>; 3],
    others: Vec<usize>,
    broken: Vec<usize>,
}

impl RuleSet {
    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    pub(crate) fn entry(&self, index: usize) -> &Entry {
        &self.entries[index]
    }

    /// Adds a rule and puts it into the indexes.
    pub(crate) fn push(&mut self, mut entry: Entry, roots: Roots<'_>) {
        let index = self.entries.len();
        let matcher = match &entry.rule {
            Ok(rule) => matcher(rule, entry.behavior, roots),
            Err(_) => None,
        };
        if matcher.is_none() && entry.rule.is_ok() {
            let problem = "has content that nothing can be compared with";
            entry.rule = Err(Error::Rule { rule: entry.text.clone(), problem });
        }
        if entry.withheld.is_none() {
            self.file(index, &entry, matcher.as_ref());
        }
        self.entries.push(entry);
        self.matchers.push(matcher);
    }

    fn file(&mut self, index: usize, entry: &Entry, matcher: Option<&Matcher>) {
        let (Ok(rule), Some(matcher)) = (&entry.rule, matcher) else {
            if entry.behavior != Behavior::Allow {
                self.broken.push(index);
            }
            return;
        };
        match matcher {
            Matcher::Tool if rule.tool_name.starts_with("mcp__") => self.mcp.push(index),
            Matcher::Tool => {
                let name = tool::canonical(&rule.tool_name).to_owned();
                self.whole_tools.entry(name).or_default().push(index);
            }
            Matcher::Bash(bash) => {
                self.bash_of[entry.behavior as usize].push(index);
                match bash.first_word() {
                    Some(word) => self.bash.entry(word.to_owned()).or_default().push(index),
                    None => self.bash_open.push(index),
                }
            }
            Matcher::File(pattern) => {
                let behavior = entry.behavior as usize;
                self.files_of[behavior].push(index);
                match pattern.required_name() {
                    Some(name) => {
                        self.files_by_name[behavior].entry(name.to_owned()).or_default().push(index)
                    }
                    None => self.files_open[behavior].push(index),
                }
            }
            Matcher::Domain(_) | Matcher::Named(_) => self.others.push(index),
        }
    }

    fn with(&self, behavior: Behavior, index: usize) -> Option<usize> {
        (self.entries[index].behavior == behavior).then_some(index)
    }

    /// A rule for every call of this tool.
    pub(crate) fn whole_tool(&self, behavior: Behavior, name: &str) -> Option<usize> {
        if name.starts_with("mcp__") {
            return self.mcp.iter().copied().find(|&index| {
                self.with(behavior, index).is_some() && mcp_covers(&self.tool_name(index), name)
            });
        }
        let named = |name: &str| self.whole_tools.get(name).into_iter().flatten().copied();
        named(tool::canonical(name)).find(|&index| self.with(behavior, index).is_some())
    }

    fn tool_name(&self, index: usize) -> String {
        self.entries[index].rule.as_ref().map(|rule| rule.tool_name.clone()).unwrap_or_default()
    }

    /// A Bash rule that one of these texts matches.
    pub(crate) fn bash(&self, behavior: Behavior, texts: &[String]) -> Option<usize> {
        texts.iter().find_map(|text| {
            let word = text.split(' ').next().unwrap_or_default();
            self.bash_for(behavior, word)
                .find(|&index| self.bash_rule(index).is_some_and(|rule| rule.matches(text)))
        })
    }

    /// Whether any Bash rule of this behavior could match a command that begins with one of these words.
    pub(crate) fn concerns(&self, behavior: Behavior, words: [&str; 2]) -> bool {
        words.into_iter().any(|word| self.bash_for(behavior, word).next().is_some())
    }

    fn bash_for(&self, behavior: Behavior, word: &str) -> impl Iterator<Item = usize> {
        let by_word = self.bash.get(word).into_iter().flatten().copied();
        by_word
            .chain(self.bash_open.iter().copied())
            .filter(move |&index| self.with(behavior, index).is_some())
    }

    pub(crate) fn bash_rule(&self, index: usize) -> Option<&BashRule> {
        match self.matchers.get(index)?.as_ref()? {
            Matcher::Bash(rule) => Some(rule),
            _ => None,
        }
    }

    /// Bash rules with content that a command beginning with this word could match; all of them where the
    /// word is not known.
    pub(crate) fn bash_candidates(&self, behavior: Behavior, word: Option<&str>) -> Vec<(usize, &BashRule)> {
        let indexes: Vec<usize> = match word {
            Some(word) => self.bash_for(behavior, word).collect(),
            None => self.bash_of[behavior as usize].clone(),
        };
        indexes.into_iter().filter_map(|index| Some((index, self.bash_rule(index)?))).collect()
    }

    /// Whether there are Bash rules with content of this behavior.
    pub(crate) fn has_bash_rules(&self, behavior: Behavior) -> bool {
        !self.bash_of[behavior as usize].is_empty()
    }

    /// Whether there are file rules of this behavior.
    pub(crate) fn has_file_rules(&self, behavior: Behavior) -> bool {
        !self.files_of[behavior as usize].is_empty()
    }

    /// A file rule that holds for this path.
    pub(crate) fn file_rule(&self, behavior: Behavior, access: FileAccess<'_>) -> Option<usize> {
        let of = behavior as usize;
        let holds = |index: &usize| {
            let (Ok(rule), Some(Matcher::File(pattern))) =
                (&self.entries[*index].rule, &self.matchers[*index])
            else {
                return false;
            };
            let matches = if access.glob {
                behavior != Behavior::Allow && pattern.could_match(access.path, access.working)
            } else {
                pattern.matches(access.path, access.working)
            };
            matches && access.is_meant_by(&rule.tool_name, behavior)
        };
        if access.glob {
            return self.files_of[of].iter().copied().find(|index| holds(index));
        }
        if let Some(index) = self.files_open[of].iter().copied().find(|index| holds(index)) {
            return Some(index);
        }
        let by_name = &self.files_by_name[of];
        if by_name.is_empty() {
            return None;
        }
        let path = if behavior == Behavior::Allow { Cow::Borrowed(access.path) } else { folded(access.path) };
        let mut names = path.split('/').filter(|name| !name.is_empty());
        names.find_map(|name| by_name.get(name)?.iter().copied().find(|index| holds(index)))
    }

    /// A rule for a host, a subagent type or a skill.
    pub(crate) fn named(&self, behavior: Behavior, tool_name: &str, subject: &str) -> Option<usize> {
        self.others.iter().copied().find(|&index| {
            let entry = &self.entries[index];
            let same = tool::canonical(&self.tool_name(index)) == tool::canonical(tool_name);
            let forbids = behavior != Behavior::Allow;
            same && entry.behavior == behavior
                && match &self.matchers[index] {
                    Some(Matcher::Domain(host)) => domain::covers(host, subject, forbids),
                    Some(Matcher::Named(name)) => names(name, subject, forbids),
                    _ => false,
                }
        })
    }

    /// A deny or ask rule that can't be read and may have been meant for this tool.
    pub(crate) fn broken_for(&self, name: &str) -> Option<usize> {
        self.broken.iter().copied().find(|&index| {
            let meant = Rule::intended_tool(&self.entries[index].text);
            meant.is_none_or(|meant| {
                tool::canonical(meant) == tool::canonical(name)
                    || (meant.starts_with("mcp__") && name.starts_with("mcp__"))
                    || covers_family(meant, name)
            })
        })
    }
}

/// Whether a rule for one tool is meant for another one too: Edit stands for all that edit, Read for all
/// that read.
fn covers_family(meant: &str, name: &str) -> bool {
    match tool::kind(name) {
        Kind::Edit(_) => matches!(tool::kind(meant), Kind::Edit(_)),
        Kind::Read(_) => matches!(tool::kind(meant), Kind::Read(_)),
        Kind::Shell => matches!(tool::kind(meant), Kind::Edit(_) | Kind::Read(_)),
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
        let reads = matches!(tool::kind(rule_tool), Kind::Read(_));
        let edits = matches!(tool::kind(rule_tool), Kind::Edit(_));
        match behavior {
            Behavior::Allow if self.edits => rule_tool == "Edit" || (edits && rule_tool == self.tool),
            Behavior::Allow => rule_tool == "Read" || (reads && rule_tool == self.tool),
            // The editing tools show what they edit; a command that only writes doesn't.
            Behavior::Deny => (reads && (!self.edits || self.tool != "Bash")) || (self.edits && edits),
            Behavior::Ask => (reads && !self.edits) || (edits && self.edits),
        }
    }
}

/// What a rule looks at; `None` when its content can't be compared with anything.
fn matcher(rule: &Rule, behavior: Behavior, roots: Roots<'_>) -> Option<Matcher> {
    let Some(content) = &rule.rule_content else { return Some(Matcher::Tool) };
    let reach = if behavior == Behavior::Allow { Reach::Narrow } else { Reach::Wide };
    match tool::kind(&rule.tool_name) {
        Kind::Shell => Some(match BashRule::new(&spaced(content, reach)) {
            BashRule::Every => Matcher::Tool,
            rule => Matcher::Bash(rule),
        }),
        Kind::Read(_) | Kind::Edit(_) => Pattern::new(content, roots, reach).map(Matcher::File),
        Kind::Fetch => Some(Matcher::Domain(content.trim_start_matches("domain:").to_owned())),
        Kind::Subagent | Kind::Skill => Some(Matcher::Named(content.clone())),
        Kind::Interactive | Kind::Harmless | Kind::Other => None,
    }
}

/// Commands are compared with single spaces between their words; a rule that forbids is read that way too.
fn spaced(content: &str, reach: Reach) -> String {
    match reach {
        Reach::Narrow => content.to_owned(),
        Reach::Wide => content.split_whitespace().collect::<Vec<_>>().join(" "),
    }
}

fn mcp_covers(rule: &str, name: &str) -> bool {
    let Some(rest) = name.strip_prefix(rule.trim_end_matches('*')) else { return rule == name };
    if rule.ends_with('*') {
        return true;
    }
    // `mcp__server` names the server, and with it all its tools.
    let is_server = !rule["mcp__".len()..].contains("__");
    rest.is_empty() || (is_server && rest.starts_with("__"))
}

fn names(rule: &str, subject: &str, forbids: bool) -> bool {
    let plain = |text: &str| text.trim_start_matches('/').to_owned();
    let rule = rule.strip_suffix(":*").or_else(|| rule.strip_suffix(" *")).unwrap_or(rule);
    let (rule, subject) = (plain(rule), plain(subject));
    rule == subject || rule == "*" || (forbids && rule.eq_ignore_ascii_case(&subject))
}
