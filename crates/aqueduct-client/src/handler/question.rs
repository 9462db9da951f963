use aqueduct_wire::control::{CanUseToolRequest, PermissionAllow, PermissionDeny, PermissionReply};
use aqueduct_wire::json::{IntoOwned, Json, Raw, Str};
use aqueduct_wire::question::{Answer, AskUserQuestionInput, Question};

use crate::profile::AnswersIn;

/// The model asks the user one to four questions. See [`Answers`].
#[derive(Debug, Clone)]
pub struct Questions {
    input: AskUserQuestionInput<'static>,
}

impl Questions {
    /// Reads the questions of a call; `None` if it holds none that can be read.
    pub(crate) fn of(request: &CanUseToolRequest<'static>) -> Option<Self> {
        let input = request.input.view::<AskUserQuestionInput<'_>>()?.into_owned();
        Some(Questions { input })
    }

    /// The questions, each with its options.
    pub fn questions(&self) -> &[Question<'static>] {
        &self.input.questions
    }

    /// The whole input of the call.
    pub fn input(&self) -> &AskUserQuestionInput<'static> {
        &self.input
    }
}

/// What the user answers.
///
/// ```
/// use aqueduct_client::{Answers, Questions, Session};
#[doc = include_str!("../../doc/agent.txt")]
/// # const ASKS: &str = r#"{"subtype":"can_use_tool","tool_name":"AskUserQuestion","input":{"questions":[
/// #   {"question":"Tea or coffee?","options":[{"label":"Tea"},{"label":"Coffee"}],"multiSelect":true}]}}"#;
///
/// async fn answer(asked: Questions) -> Answers {
///     let mut answers = Answers::new();
///     for question in asked.questions() {
///         match question.multi_select {
///             Some(true) => answers.choose(&question.question, question.options.iter().map(|option| &*option.label)),
///             _ => answers.say(&question.question, "Whatever you think is best."),
///         }
///     }
///     answers
/// }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), aqueduct_client::Error> {
/// # let (ours, theirs) = tokio::io::duplex(4096);
/// # tokio::spawn(agent(theirs, ASKS));
/// # let builder = Session::builder().transport(aqueduct_client::Transport::pipe(ours));
///
/// let outcome = builder.on_question(answer).query("Ask me something.").await?;
/// # assert!(outcome.report().is_some_and(|report| report.text().contains("Tea, Coffee")), "{outcome:?}");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Default)]
pub struct Answers {
    answers: Vec<(String, String)>,
    declined: Option<String>,
}

impl Answers {
    /// No answer yet.
    pub fn new() -> Self {
        Answers::default()
    }

    /// Chooses options of a question, by their labels.
    pub fn choose<'l>(&mut self, question: &str, labels: impl IntoIterator<Item = &'l str>) {
        let labels: Vec<&str> = labels.into_iter().collect();
        self.say(question, labels.join(", "));
    }

    /// Answers a question in the user's own words.
    pub fn say(&mut self, question: &str, words: impl Into<String>) {
        self.answers.push((question.to_owned(), words.into()));
    }

    /// The user does not want to answer. The model gets the message and continues.
    ///
    /// ```
    /// use aqueduct_client::{Answers, Session};
    ///
    /// let builder = Session::builder().on_question(|_| async { Answers::declined("Decide for yourself.") });
    /// ```
    pub fn declined(message: impl Into<String>) -> Self {
        Answers { answers: Vec::new(), declined: Some(message.into()) }
    }

    /// The answer on the wire: the input of the call with answers in it, or their text.
    pub(crate) fn into_reply(
        self,
        request: &CanUseToolRequest<'static>,
        way: AnswersIn,
    ) -> PermissionReply<'static> {
        let message = match way {
            AnswersIn::Denial if self.declined.is_none() => Some(self.text()),
            _ => self.declined.clone(),
        };
        if let Some(message) = message {
            let mut deny = PermissionDeny::new();
            deny.message = Some(message.into());
            deny.tool_use_id = request.tool_use_id.clone();
            return PermissionReply::Deny(deny);
        }
        let mut allow = PermissionAllow::new();
        allow.tool_use_id = request.tool_use_id.clone();
        allow.updated_input = Some(self.answered(&request.input));
        PermissionReply::Allow(allow)
    }

    /// The answers as text for the model.
    fn text(&self) -> String {
        let lines = self.answers.iter().map(|(question, answer)| format!("{question} {answer}"));
        format!("The user answered the questions:\n{}", lines.collect::<Vec<_>>().join("\n"))
    }

    fn answered(&self, input: &Raw<'static>) -> Raw<'static> {
        let Some(mut asked) = input.view::<AskUserQuestionInput<'_>>() else { return input.clone() };
        for (question, answer) in &self.answers {
            asked.answer(question.clone(), Answer::Text(Str::from(answer.clone())));
        }
        let mut text = String::new();
        asked.write(&mut text);
        Raw::parse(&text).map_or_else(|_| input.clone(), IntoOwned::into_owned)
    }
}
