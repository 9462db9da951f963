//! Events around what MCP servers ask the user.

use std::sync::{Arc, Mutex};

use aqueduct_wire::hook::{ElicitationInput, ElicitationResultInput, HookEvent};
use aqueduct_wire::json::Raw;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use super::input::told;
use super::occasion::Occasion;
use super::outcome::Outcome;
use super::run::lock;
use crate::session::Session;
use crate::tool::Notice;

/// What an MCP server asks, or was answered: for the hooks of the session, whose word is waited for.
#[derive(Debug, Clone)]
pub(crate) struct Consultation {
    about: About,
    word: Arc<Mutex<Option<Listener>>>,
}

/// Who waits for the word: gets the hooks that run, if there are any.
type Listener = oneshot::Sender<Option<oneshot::Receiver<Outcome>>>;

#[derive(Debug, Clone)]
enum About {
    Question(Box<ElicitationInput<'static>>),
    Answer(Box<ElicitationResultInput<'static>>),
}

impl PartialEq for Consultation {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.word, &other.word)
    }
}

/// What hooks say about a question or an answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Word {
    /// Nothing.
    Nothing,
    /// The server gets no answer.
    Decline,
    /// The server gets this answer.
    Answer(Raw<'static>),
}

impl Word {
    /// What hooks say about a question of a server, in the user's place.
    pub(crate) async fn on_question(to: &mpsc::Sender<Notice>, question: ElicitationInput<'static>) -> Self {
        Word::on(to, About::Question(Box::new(question))).await
    }

    /// What hooks say about what a server is to be answered.
    pub(crate) async fn on_answer(
        to: &mpsc::Sender<Notice>,
        answer: ElicitationResultInput<'static>,
    ) -> Self {
        Word::on(to, About::Answer(Box::new(answer))).await
    }

    async fn on(to: &mpsc::Sender<Notice>, about: About) -> Self {
        let (sender, receiver) = oneshot::channel();
        let consultation = Consultation { about, word: Arc::new(Mutex::new(Some(sender))) };
        // Only a session that ends does not listen.
        if to.send(Notice::Consulted(consultation)).await.is_err() {
            return Word::Nothing;
        }
        let Ok(Some(running)) = receiver.await else { return Word::Nothing };
        match running.await {
            Ok(outcome) if !outcome.blocks.is_empty() => Word::Decline,
            Ok(Outcome { elicited: Some(answer), .. }) => Word::Answer(answer),
            _ => Word::Nothing,
        }
    }
}

impl Session {
    /// Sets off the hooks that somebody waits for.
    pub(crate) fn consult(&self, consultation: Consultation) {
        let never = CancellationToken::new();
        let running = match consultation.about {
            About::Question(question) => {
                let server = question.mcp_server_name.as_deref().unwrap_or_default().to_owned();
                let occasion = Occasion::new(&HookEvent::Elicitation, Some(&server));
                self.fire_apart(occasion, &never, |base| told!(base, Elicitation(*question)))
            }
            About::Answer(answer) => {
                let server = answer.mcp_server_name.as_deref().unwrap_or_default().to_owned();
                let occasion = Occasion::new(&HookEvent::ElicitationResult, Some(&server));
                self.fire_apart(occasion, &never, |base| told!(base, ElicitationResult(*answer)))
            }
        };
        if let Some(word) = lock(&consultation.word).take() {
            // Whoever waited may have gone.
            let _ = word.send(running);
        }
    }
}
