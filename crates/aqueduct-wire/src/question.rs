//! Questions to the user: the tool `AskUserQuestion`, its input and its answers.
//!
//! The model calls the tool with `questions`. A host answers the permission request for that call with the
//! same input and `answers` added: the tool's result is made from them.

use std::borrow::Cow;

use crate::json::{Map, Number, Str};
use crate::table::{either, names, record};

record! {
    /// One to four questions, and, once a host has put them in, the answers.
    AskUserQuestionInput<'a> {
        essential { questions: Vec<Question<'a>> }
        "2.1.37" {
            /// By the question's text.
            optional answers: Map<'a, Answer<'a>>,
            optional metadata: Box<QuestionMetadata<'a>>,
        }
        "2.1.74" {
            /// By the question's text.
            optional annotations: Map<'a, AnswerAnnotation<'a>>,
        }
    }
}

impl<'a> AskUserQuestionInput<'a> {
    /// Answers a question, by its text. An answer that is there already counts no more.
    pub fn answer(&mut self, question: impl Into<Str<'a>>, answer: impl Into<Answer<'a>>) {
        self.answers.get_or_insert_default().push(question, answer.into());
    }
}

record! {
    /// What the tool gives back: the questions with their answers.
    AskUserQuestionResult<'a> {
        essential { questions: Vec<Question<'a>> }
        "2.1.37" {
            always answers: Map<'a, Answer<'a>>,
        }
        "2.1.74" {
            optional annotations: Map<'a, AnswerAnnotation<'a>>,
        }
        "2.1.325" {
            /// The user's own text instead of a choice.
            optional response: Str<'a>,
            optional afk_timeout_ms = "afkTimeoutMs": Number<'a>,
        }
    }
}

record! {
    /// A question with two to four options. The user may always enter another answer.
    Question<'a> {
        essential {
            question: Str<'a>,
            options: Vec<QuestionOption<'a>>,
        }
        "2.1.37" {
            /// A word or two to put above the question.
            always header: Str<'a>,
            always multi_select = "multiSelect": bool,
        }
    }
}

record! {
    /// Something to choose.
    QuestionOption<'a> {
        essential { label: Str<'a> }
        "2.1.37" {
            always description: Str<'a>,
        }
        "2.1.74" {
            /// What choosing it would look like, to be shown beside the options.
            optional preview: Str<'a>,
        }
    }
}

either! {
    /// The answer to a question: labels of options, or the user's own words.
    Answer<'a> {
        /// One string. Several labels are joined with commas: send this form.
        Text(Str<'a>),
        /// A list of labels. It is understood too.
        Many(Vec<Str<'a>>),
    }
}

impl Answer<'_> {
    /// The answer as one string, several labels joined with `, `.
    pub fn joined(&self) -> Cow<'_, str> {
        match self {
            Answer::Text(text) => Cow::Borrowed(text),
            Answer::Many(labels) => Cow::Owned(labels.iter().map(Str::as_str).collect::<Vec<_>>().join(", ")),
        }
    }
}

record! {
    /// What belongs to an answer beside the answer.
    AnswerAnnotation<'a> {
        "2.1.74" {
            /// The preview of the option that was chosen.
            optional preview: Str<'a>,
            optional notes: Str<'a>,
        }
        "2.1.325" {
            optional unanswered: Unanswered<'a>,
        }
    }
}

names! {
    /// Why a question has no answer.
    Unanswered<'a> {
        "skipped" => Skipped,
        "replied_in_chat" => RepliedInChat,
        "dismissed" => Dismissed,
    }
}

record! {
    /// What made the model ask.
    QuestionMetadata<'a> {
        "2.1.37" {
            /// Such as the name of a slash command.
            optional source: Str<'a>,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Raw;

    #[test]
    fn an_answer_is_joined_whichever_form_it_has() {
        let answers = Raw::parse(r#"{"Which rooms?":["Lamp","Store"],"Which blue?":"Navy"}"#).unwrap();
        let answers: Map<'_, Answer<'_>> = answers.view().unwrap();

        assert_eq!(answers.get("Which rooms?").unwrap().joined(), "Lamp, Store");
        assert_eq!(answers.get("Which blue?").unwrap().joined(), "Navy");
    }

    #[test]
    fn a_host_answers_by_adding_to_the_input() {
        let input =
            Raw::parse(r#"{"questions":[{"question":"Which blue?","options":[]}],"later":1e2}"#).unwrap();
        let mut input: AskUserQuestionInput<'_> = input.view().unwrap();

        input.answer("Which blue?", Str::from("Navy"));

        let mut out = String::new();
        crate::json::Json::write(&input, &mut out);
        assert_eq!(
            out,
            r#"{"questions":[{"question":"Which blue?","options":[]}],"answers":{"Which blue?":"Navy"},"later":1e2}"#
        );
    }
}
