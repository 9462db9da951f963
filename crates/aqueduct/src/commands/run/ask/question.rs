//! What the model wants to know of the user.

use std::io;

use aqueduct_client::{Answers, Questions};
use aqueduct_wire::question::Question;

use super::tty::Tty;
use crate::terminal::{Ink, plain};

/// What the model receives if the user answers nothing.
const UNANSWERED: &str =
    "The user did not answer. Continue with your best judgment, or state what you need to know.";

/// An answer to one question.
#[derive(Debug, Clone, PartialEq, Eq)]
enum QuestionChoice {
    /// Options, by their places.
    Options(Vec<usize>),
    Words(String),
    Nothing,
    /// It can't be made out, and why.
    Unclear(&'static str),
}

/// Asks one question after the other.
pub(super) async fn ask(questions: &Questions, tty: &mut Tty, ink: Ink) -> io::Result<Answers> {
    let mut answers = Answers::new();
    let mut is_answered = false;
    for question in questions.questions() {
        tty.write(&text(question, ink))?;
        loop {
            let line = match tty.takes_keys() && takes_key(question) {
                true => key(tty, ink).await?,
                false => tty.line(&format!("{} ", ink.bold(prompt(question)))).await?,
            };
            match line.map_or(QuestionChoice::Nothing, |line| read(question, &line)) {
                QuestionChoice::Options(places) => {
                    let labels = places.iter().filter_map(|place| question.options.get(*place));
                    answers.choose(&question.question, labels.map(|option| &*option.label));
                    is_answered = true;
                }
                QuestionChoice::Words(words) => {
                    answers.say(&question.question, words);
                    is_answered = true;
                }
                QuestionChoice::Nothing => {}
                QuestionChoice::Unclear(why) => {
                    tty.write(&format!("  {why}\n"))?;
                    continue;
                }
            }
            break;
        }
    }
    Ok(if is_answered { answers } else { Answers::declined(UNANSWERED) })
}

/// Whether a single key answers a question: one option is chosen, and each has a digit.
fn takes_key(question: &Question<'_>) -> bool {
    question.multi_select != Some(true) && (1..=9).contains(&question.options.len())
}

/// Asks for the key of an option, or for words after `w`.
async fn key(tty: &mut Tty, ink: Ink) -> io::Result<Option<String>> {
    loop {
        let prompt = format!("{} ", ink.bold("  [a number, w for your own words, Enter for no answer]"));
        match tty.key(&prompt).await? {
            Some('w' | 'W') => return tty.line(&format!("{} ", ink.bold("  [your words]"))).await,
            Some('\n') => return Ok(Some(String::new())),
            Some(digit) if digit.is_ascii_digit() => return Ok(Some(digit.to_string())),
            Some(_) => tty.write("  Press the number of an option, w or Enter.\n")?,
            None => return Ok(None),
        }
    }
}

/// A question with its options. Text of the model in it is made harmless.
fn text(question: &Question<'_>, ink: Ink) -> String {
    let header = question.header.as_deref().filter(|header| !header.is_empty());
    let header = header.map(|header| ink.dim(&format!("  {}", plain(header)))).unwrap_or_default();
    let mut text = format!("{} {}{header}\n", ink.yellow("?"), ink.bold(&plain(&question.question)));
    for (number, option) in question.options.iter().enumerate() {
        text.push_str(&format!("  {}  {}", number + 1, plain(&option.label)));
        if let Some(description) = option.description.as_deref().filter(|text| !text.is_empty()) {
            text.push_str(&ink.dim(&format!("  {}", plain(description))));
        }
        text.push('\n');
        for line in option.preview.as_deref().unwrap_or_default().lines() {
            text.push_str(&format!("     {}\n", ink.dim(&plain(line))));
        }
    }
    text
}

fn prompt(question: &Question<'_>) -> &'static str {
    match (question.options.is_empty(), question.multi_select) {
        (true, _) => "  [your words]",
        (false, Some(true)) => "  [numbers such as 1,3, or your own words]",
        (false, _) => "  [a number, or your own words]",
    }
}

fn read(question: &Question<'_>, line: &str) -> QuestionChoice {
    if line.is_empty() {
        return QuestionChoice::Nothing;
    }
    let numbers: Option<Vec<usize>> =
        line.split([',', ' ']).filter(|word| !word.is_empty()).map(|word| word.parse().ok()).collect();
    let Some(mut numbers) = numbers.filter(|_| !question.options.is_empty()) else {
        return QuestionChoice::Words(line.to_owned());
    };
    numbers.dedup();
    if numbers.iter().any(|number| *number == 0 || *number > question.options.len()) {
        return QuestionChoice::Unclear("No option has that number.");
    }
    match (numbers.len(), question.multi_select) {
        (2.., Some(false) | None) => QuestionChoice::Unclear("Choose one of them."),
        _ => QuestionChoice::Options(numbers.iter().map(|number| number - 1).collect()),
    }
}

#[cfg(test)]
mod tests {
    use aqueduct_wire::json::Raw;

    use super::*;

    fn question(more: &str) -> Question<'static> {
        let json = format!(
            r#"{{"question":"Which blue?","header":"Colour","options":[{{"label":"Navy","description":"dark"}},{{"label":"Sky\u001b[2J"}}]{more}}}"#
        );
        aqueduct_wire::IntoOwned::into_owned(Raw::parse(&json).unwrap().view::<Question<'_>>().unwrap())
    }

    #[test]
    fn a_question_has_its_options_by_number() {
        insta::assert_snapshot!(text(&question(""), Ink::new(false)), @r"
        ? Which blue?  Colour
          1  Navy  dark
          2  Sky\x1b[2J
        ");
    }

    #[test]
    fn answers_are_numbers_or_words() {
        let (one, many) = (question(""), question(r#","multiSelect":true"#));
        assert_eq!(read(&one, "2"), QuestionChoice::Options(vec![1]));
        assert_eq!(read(&many, "2, 1"), QuestionChoice::Options(vec![1, 0]));
        assert_eq!(read(&many, "1 2"), QuestionChoice::Options(vec![0, 1]));
        assert_eq!(read(&one, "teal, please"), QuestionChoice::Words("teal, please".to_owned()));
        assert_eq!(read(&one, ""), QuestionChoice::Nothing);
        assert!(matches!(read(&one, "1,2"), QuestionChoice::Unclear(_)));
        assert!(matches!(read(&one, "3"), QuestionChoice::Unclear(_)));
        assert!(matches!(read(&one, "0"), QuestionChoice::Unclear(_)));
    }
}
