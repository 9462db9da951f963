//! When a script of a file counts.

use aqueduct_wire::json::{Json as _, Raw, Str};

use super::error::ScriptLineError;
use super::talk::ScriptConversation;
use super::turns::ScriptTurns;

/// A script and when it counts.
#[derive(Debug, Clone)]
pub(super) struct ScriptRule {
    pub(super) heading: Heading,
    /// Its lines, each with its number.
    pub(super) lines: Vec<(usize, String)>,
    pub(super) turns: ScriptTurns,
}

/// Lines in which what a `*` matched is text and not JSON.
const PLAIN: &[&str] = &["@say ", "@think "];

impl ScriptRule {
    /// The script with what the stars of its heading matched: `{1}` is the first.
    pub(super) fn turns(&self, talk: &ScriptConversation<'_>) -> ScriptTurns {
        let found = self.heading.found(talk);
        if found.is_empty() {
            return self.turns.clone();
        }
        let filled: Vec<(usize, String)> =
            self.lines.iter().map(|(number, line)| (*number, fill(line, &found))).collect();
        ScriptTurns::parse(filled.iter().map(|(number, line)| (*number, line.as_str())))
    }
}

fn fill(line: &str, found: &[String]) -> String {
    let is_plain = PLAIN.iter().any(|start| line.starts_with(start));
    let mut filled = line.to_owned();
    for (index, text) in found.iter().enumerate() {
        let name = format!("{{{}}}", index + 1);
        let text = if is_plain { text.clone() } else { inside_quotes(text) };
        filled = filled.replace(&name, &text);
    }
    filled
}

/// A text as it is between the quotes of a JSON string.
fn inside_quotes(text: &str) -> String {
    let mut json = String::new();
    Str::from(text).write(&mut json);
    json[1..json.len() - 1].to_owned()
}

/// The line above a script.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Heading {
    /// `when …`: all conditions hold, for the first calls of which they do.
    When { conditions: Vec<Condition>, times: Option<u64> },
    /// `otherwise`: nothing else counts.
    Otherwise,
}

/// Something that must be so.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Condition {
    field: ConditionField,
    test: Comparison,
    value: String,
}

/// What is looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
enum ConditionField {
    Prompt,
    System,
    Result,
    Model,
}

/// How it is compared.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Comparison {
    Contains,
    Is,
    StartsWith,
    Like,
}

const FIELDS: [(&str, ConditionField); 4] = [
    ("prompt", ConditionField::Prompt),
    ("system", ConditionField::System),
    ("result", ConditionField::Result),
    ("model", ConditionField::Model),
];
const TESTS: [(&str, Comparison); 4] = [
    ("contains", Comparison::Contains),
    ("is", Comparison::Is),
    ("starts-with", Comparison::StartsWith),
    ("like", Comparison::Like),
];

impl Heading {
    /// Reads a heading; `None` if the line is none.
    pub(super) fn parse(line: &str) -> Option<Result<Self, ScriptLineError>> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "when" => Some(when(rest)),
            "otherwise" if rest.trim().is_empty() => Some(Ok(Heading::Otherwise)),
            "otherwise" => Some(Err(ScriptLineError::AfterOtherwise)),
            _ => None,
        }
    }

    /// Whether the conditions hold.
    pub(super) fn holds(&self, talk: &ScriptConversation<'_>) -> bool {
        match self {
            Heading::When { conditions, .. } => conditions.iter().all(|condition| condition.holds(talk)),
            Heading::Otherwise => true,
        }
    }

    /// What the stars matched, in their order.
    fn found(&self, talk: &ScriptConversation<'_>) -> Vec<String> {
        let Heading::When { conditions, .. } = self else { return Vec::new() };
        let found = conditions.iter().filter(|condition| condition.test == Comparison::Like);
        found.filter_map(|condition| like(&condition.text(talk)?, &condition.value)).flatten().collect()
    }

    /// Whether the heading is about what a tool gave back. Such a script begins with that, others with the
    /// prompt.
    pub(super) fn is_about_results(&self) -> bool {
        let Heading::When { conditions, .. } = self else { return false };
        conditions.iter().any(|condition| condition.field == ConditionField::Result)
    }

    /// How many calls the script is for.
    pub(super) fn times(&self) -> Option<u64> {
        match self {
            Heading::When { times, .. } => *times,
            Heading::Otherwise => None,
        }
    }
}

impl Condition {
    /// What is looked at, if it is there.
    fn text(&self, talk: &ScriptConversation<'_>) -> Option<String> {
        match self.field {
            ConditionField::Prompt => Some(talk.prompt().text),
            ConditionField::System => Some(talk.system()),
            ConditionField::Model => Some(talk.model().to_owned()),
            ConditionField::Result => talk.results(),
        }
    }

    fn holds(&self, talk: &ScriptConversation<'_>) -> bool {
        let Some(text) = self.text(talk) else { return false };
        match self.test {
            Comparison::Contains => text.contains(&self.value),
            Comparison::Is => text == self.value,
            Comparison::StartsWith => text.starts_with(&self.value),
            Comparison::Like => like(&text, &self.value).is_some(),
        }
    }
}

fn when(rest: &str) -> Result<Heading, ScriptLineError> {
    let (mut conditions, mut times) = (Vec::new(), None);
    let mut rest = rest;
    loop {
        let field = pick(&mut rest, &FIELDS)?;
        let test = pick(&mut rest, &TESTS)?;
        conditions.push(Condition { field, test, value: quoted(&mut rest)? });
        match word(&mut rest) {
            "" => break,
            "and" => {}
            "times" => {
                let count = word(&mut rest);
                let count: u64 = count.parse().map_err(|_| ScriptLineError::Times(count.to_owned()))?;
                times = Some(count);
                match word(&mut rest) {
                    "" => break,
                    other => return Err(ScriptLineError::AfterTimes(other.to_owned())),
                }
            }
            other => return Err(ScriptLineError::AfterCondition(other.to_owned())),
        }
    }
    Ok(Heading::When { conditions, times })
}

fn pick<T: Copy>(rest: &mut &str, table: &[(&str, T)]) -> Result<T, ScriptLineError> {
    let found = word(rest);
    table.iter().find(|(name, _)| *name == found).map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = table.iter().map(|(name, _)| *name).collect();
        ScriptLineError::Word { expected: names.join(", "), found: found.to_owned() }
    })
}

/// Takes the next word; it is empty at the end.
fn word<'l>(rest: &mut &'l str) -> &'l str {
    let line = rest.trim_start();
    let (word, left) = line.split_at(line.find(char::is_whitespace).unwrap_or(line.len()));
    *rest = left;
    word
}

/// Takes a text in quotes, with the escapes of JSON.
fn quoted(rest: &mut &str) -> Result<String, ScriptLineError> {
    let line = rest.trim_start();
    let bytes = line.as_bytes();
    let mut end = 1;
    while bytes.first() == Some(&b'"') && end < bytes.len() && bytes[end] != b'"' {
        end += if bytes[end] == b'\\' { 2 } else { 1 };
    }
    let token = line.get(..=end).and_then(|token| Raw::parse(token).ok());
    let text = token.as_ref().and_then(|token| token.view::<Str<'_>>());
    let text = text.ok_or_else(|| ScriptLineError::Quoted(line.to_owned()))?.into_string();
    *rest = &line[end + 1..];
    Ok(text)
}

/// What the stars of a pattern match in a text: `*` is anything, `?` one character. `None` if the text has
/// another form.
fn like(text: &str, pattern: &str) -> Option<Vec<String>> {
    let (text, pattern): (Vec<char>, Vec<char>) = (text.chars().collect(), pattern.chars().collect());
    let (mut at, mut place) = (0, 0);
    // The position of the last star, and how far it matched.
    let mut star = None;
    let mut found: Vec<(usize, usize)> = Vec::new();
    while at < text.len() {
        match pattern.get(place) {
            Some('*') => {
                star = Some((place, at));
                found.push((at, at));
                place += 1;
            }
            Some('?') => (at, place) = (at + 1, place + 1),
            Some(one) if *one == text[at] => (at, place) = (at + 1, place + 1),
            _ => {
                let (star_at, reached) = star?;
                star = Some((star_at, reached + 1));
                if let Some((_, end)) = found.last_mut() {
                    *end = reached + 1;
                }
                (at, place) = (reached + 1, star_at + 1);
            }
        }
    }
    let rest = &pattern[place..];
    if rest.iter().any(|one| *one != '*') {
        return None;
    }
    found.extend(rest.iter().map(|_| (at, at)));
    Some(found.into_iter().map(|(start, end)| text[start..end].iter().collect()).collect())
}
