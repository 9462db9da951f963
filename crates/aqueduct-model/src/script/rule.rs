//! When a script of a file counts.

use aqueduct_wire::json::{Raw, Str};

use super::talk::Talk;
use super::turns::Turns;

/// A script and when it counts.
#[derive(Debug, Clone)]
pub(super) struct Rule {
    pub(super) heading: Heading,
    pub(super) turns: Turns,
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
    field: Field,
    test: Test,
    value: String,
}

/// What is looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Field {
    Prompt,
    System,
    Result,
    Model,
}

/// How it is compared.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Test {
    Contains,
    Is,
    StartsWith,
    Like,
}

const FIELDS: [(&str, Field); 4] = [
    ("prompt", Field::Prompt),
    ("system", Field::System),
    ("result", Field::Result),
    ("model", Field::Model),
];
const TESTS: [(&str, Test); 4] =
    [("contains", Test::Contains), ("is", Test::Is), ("starts-with", Test::StartsWith), ("like", Test::Like)];

impl Heading {
    /// Reads a heading; `None` if the line is none.
    pub(super) fn parse(line: &str) -> Option<Result<Self, String>> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "when" => Some(when(rest)),
            "otherwise" if rest.trim().is_empty() => Some(Ok(Heading::Otherwise)),
            "otherwise" => Some(Err("nothing may follow otherwise".to_owned())),
            _ => None,
        }
    }

    /// Whether the conditions hold.
    pub(super) fn holds(&self, talk: &Talk<'_>) -> bool {
        match self {
            Heading::When { conditions, .. } => conditions.iter().all(|condition| condition.holds(talk)),
            Heading::Otherwise => true,
        }
    }

    /// Whether the heading is about what a tool gave back. Such a script begins with that, others with the
    /// prompt.
    pub(super) fn is_about_results(&self) -> bool {
        let Heading::When { conditions, .. } = self else { return false };
        conditions.iter().any(|condition| condition.field == Field::Result)
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
    fn holds(&self, talk: &Talk<'_>) -> bool {
        let text = match self.field {
            Field::Prompt => talk.prompt().text,
            Field::System => talk.system(),
            Field::Model => talk.model().to_owned(),
            Field::Result => match talk.results() {
                Some(results) => results,
                None => return false,
            },
        };
        match self.test {
            Test::Contains => text.contains(&self.value),
            Test::Is => text == self.value,
            Test::StartsWith => text.starts_with(&self.value),
            Test::Like => is_like(&text, &self.value),
        }
    }
}

fn when(rest: &str) -> Result<Heading, String> {
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
                let count: u64 = count.parse().map_err(|_| format!("times wants a number, not {count:?}"))?;
                times = Some(count);
                match word(&mut rest) {
                    "" => break,
                    other => return Err(format!("nothing may follow times N, but {other:?} does")),
                }
            }
            other => return Err(format!("and, times or the end must follow, not {other:?}")),
        }
    }
    Ok(Heading::When { conditions, times })
}

fn pick<T: Copy>(rest: &mut &str, table: &[(&str, T)]) -> Result<T, String> {
    let found = word(rest);
    table.iter().find(|(name, _)| *name == found).map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = table.iter().map(|(name, _)| *name).collect();
        format!("one of {} must stand here, not {found:?}", names.join(", "))
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
fn quoted(rest: &mut &str) -> Result<String, String> {
    let line = rest.trim_start();
    let bytes = line.as_bytes();
    let mut end = 1;
    while bytes.first() == Some(&b'"') && end < bytes.len() && bytes[end] != b'"' {
        end += if bytes[end] == b'\\' { 2 } else { 1 };
    }
    let token = line.get(..=end).and_then(|token| Raw::parse(token).ok());
    let text = token.as_ref().and_then(|token| token.view::<Str<'_>>());
    let text = text.ok_or_else(|| format!("a text in quotes must stand here, not {line:?}"))?.into_string();
    *rest = &line[end + 1..];
    Ok(text)
}

/// Whether a text has the form of a pattern in which `*` stands for anything and `?` for one character.
fn is_like(text: &str, pattern: &str) -> bool {
    let (text, pattern): (Vec<char>, Vec<char>) = (text.chars().collect(), pattern.chars().collect());
    let (mut at, mut place) = (0, 0);
    // Where the last star stood, and how far it reached.
    let mut star = None;
    while at < text.len() {
        match pattern.get(place) {
            Some('*') => {
                star = Some((place, at));
                place += 1;
            }
            Some('?') => (at, place) = (at + 1, place + 1),
            Some(one) if *one == text[at] => (at, place) = (at + 1, place + 1),
            _ => {
                let Some((stood, reached)) = star else { return false };
                star = Some((stood, reached + 1));
                (at, place) = (reached + 1, stood + 1);
            }
        }
    }
    pattern[place..].iter().all(|one| *one == '*')
}
