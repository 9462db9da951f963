use aqueduct_wire::json::{Map, Number, Raw, Str};
use serde_json::{Value, json};
use uuid::Uuid;

/// What the value of a member of a request has to be, beyond its shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Constraint {
    /// A text with more than white space in it.
    NotBlank,
    /// A number more than 0.
    MoreThanZero,
    /// A UUID in the form with hyphens.
    Uuid,
    /// A day, as `2026-01-31`.
    Day,
    /// One of these names.
    OneOf(&'static [&'static str]),
}

/// The members of requests with constraints: record, member, constraint. The bridge refuses what does not meet them, and
/// the OpenAPI document states them.
pub const CONSTRAINTS: &[(&str, &str, Constraint)] = &[
    ("Start", "sessionId", Constraint::Uuid),
    ("Start", "budgetUsd", Constraint::MoreThanZero),
    ("SetBudget", "budgetUsd", Constraint::MoreThanZero),
    ("Approve", "budgetUsd", Constraint::MoreThanZero),
    ("ApproveAlways", "destination", Constraint::OneOf(WRITABLE)),
    ("RenameDevice", "name", Constraint::NotBlank),
    ("GetUsage", "from", Constraint::Day),
    ("GetUsage", "to", Constraint::Day),
];

/// Where people can put rules.
const WRITABLE: &[&str] = &["session", "localSettings", "projectSettings", "userSettings"];

impl Constraint {
    /// The constraint of a member of a record.
    pub fn of(record: &str, member: &str) -> Option<Self> {
        CONSTRAINTS.iter().find(|row| (row.0, row.1) == (record, member)).map(|row| row.2)
    }

    /// The first member of a message that does not meet its constraint, with what it has to be.
    pub(super) fn unmet(record: &str, text: &str) -> Option<(&'static str, String)> {
        let mut rows = CONSTRAINTS.iter().filter(|row| row.0 == record).peekable();
        rows.peek()?;
        let raw = Raw::parse(text).ok()?;
        let members: Map<'_, Raw<'_>> = raw.view()?;
        let is_unmet =
            |value: &&Raw<'_>, constraint: Constraint| **value != Raw::NULL && !constraint.admits(value);
        rows.find_map(|&(_, member, constraint)| {
            members.get(member).filter(|value| is_unmet(value, constraint))?;
            Some((member, constraint.demand()))
        })
    }

    /// Whether a value of the member's shape meets it.
    fn admits(self, value: &Raw<'_>) -> bool {
        let text = || value.view::<Str<'_>>().map(Str::into_string).unwrap_or_default();
        match self {
            Constraint::NotBlank => !text().trim().is_empty(),
            Constraint::MoreThanZero => {
                let number = value.view::<Number<'_>>().map_or(0.0, |number| number.as_f64());
                number.is_finite() && number > 0.0
            }
            Constraint::Uuid => {
                let text = text();
                text.len() == 36 && Uuid::try_parse(&text).is_ok()
            }
            Constraint::Day => is_day(&text()),
            Constraint::OneOf(names) => names.contains(&text().as_str()),
        }
    }

    /// What the value has to be, for people.
    fn demand(self) -> String {
        match self {
            Constraint::NotBlank => "is empty".to_owned(),
            Constraint::MoreThanZero => "must be more than 0".to_owned(),
            Constraint::Uuid => "must be a UUID".to_owned(),
            Constraint::Day => "must be a day such as 2026-01-31".to_owned(),
            Constraint::OneOf(names) => match names.split_last() {
                Some((last, others)) => format!("must be {} or {last}", others.join(", ")),
                None => "is not taken".to_owned(),
            },
        }
    }

    /// The keyword of JSON Schema that states it, and the keyword's value.
    pub fn keyword(self) -> (&'static str, Value) {
        match self {
            Constraint::NotBlank => ("pattern", json!("\\S")),
            Constraint::MoreThanZero => ("exclusiveMinimum", json!(0)),
            Constraint::Uuid => ("pattern", json!("^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$")),
            Constraint::Day => ("pattern", json!("^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$")),
            Constraint::OneOf(names) => ("enum", json!(names)),
        }
    }
}

/// Whether a text has the form of a day. The last days of short months are not looked at.
fn is_day(text: &str) -> bool {
    let number = |digits: &str, length: usize| {
        let is_number = digits.len() == length && digits.bytes().all(|digit| digit.is_ascii_digit());
        is_number.then(|| digits.parse::<u32>().ok()).flatten()
    };
    let mut parts = text.split('-');
    let (Some(year), Some(month), Some(day), None) = (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    number(year, 4).is_some()
        && number(month, 2).is_some_and(|month| (1..=12).contains(&month))
        && number(day, 2).is_some_and(|day| (1..=31).contains(&day))
}
