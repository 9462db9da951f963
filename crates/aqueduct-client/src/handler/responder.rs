use aqueduct_wire::control::{AgentRequest, PermissionReply};
use aqueduct_wire::json::{Json, Raw};
use aqueduct_wire::machine::{ControlError, RequestId};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// The code of a refusal: the host's own code failed.
const INTERNAL_ERROR: &str = "internal_error";

/// A request of the agent, and the one who answers it. See [`Responder`].
#[derive(Debug)]
pub struct Asked {
    /// What is asked.
    pub request: AgentRequest<'static>,
    /// Answers. Dropped, it answers for itself: the request is declined as its kind wants it.
    pub responder: Responder,
}

/// Answers one request of the agent, once, from anywhere.
///
/// ```
/// use aqueduct_client::wire::json::Raw;
/// use aqueduct_client::Session;
#[doc = include_str!("../../doc/agent.txt")]
/// # const ASKS: &str = r#"{"subtype":"from_the_future","x":1}"#;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), aqueduct_client::Error> {
/// # let (ours, theirs) = tokio::io::duplex(4096);
/// # tokio::spawn(agent(theirs, ASKS));
/// # let builder = Session::builder().transport(aqueduct_client::Transport::pipe(ours));
///
/// let (sender, mut requests) = tokio::sync::mpsc::channel(16);
/// // A request that finds no room is dropped, and has declined itself.
/// let builder = builder.on_request(move |asked| drop(sender.try_send(asked)));
/// tokio::spawn(async move {
///     while let Some(asked) = requests.recv().await {
///         println!("the agent asks for {}", asked.request.tag());
///         match Raw::parse(r#"{"granted":true}"#) {
///             Ok(answer) => asked.responder.answer(&answer),
///             Err(_) => drop(asked),
///         }
///     }
/// });
/// let outcome = builder.query("Do something new.").await?;
/// # assert!(outcome.report().is_some_and(|report| report.text().contains("granted")), "{outcome:?}");
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Responder {
    id: RequestId,
    /// The answer's place on the way to the agent; taken by the answer.
    place: Option<mpsc::OwnedPermit<SentReply>>,
    withdrawn: CancellationToken,
}

/// An answer on its way.
#[derive(Debug)]
pub(crate) struct SentReply {
    pub(crate) id: RequestId,
    pub(crate) reply: ResponderReply,
}

/// What a request is answered with.
#[derive(Debug)]
pub(crate) enum ResponderReply {
    Payload {
        payload: Raw<'static>,
        /// Whether the answer also ends the run.
        interrupts: bool,
    },
    Refusal(ControlError),
    /// No answer was given.
    Nothing,
}

impl Responder {
    pub(crate) fn new(
        id: RequestId,
        place: mpsc::OwnedPermit<SentReply>,
        withdrawn: CancellationToken,
    ) -> Self {
        Responder { id, place: Some(place), withdrawn }
    }

    /// The request's id, chosen by the agent.
    pub fn id(&self) -> &str {
        self.id.as_str()
    }

    /// Answers with a payload: one of the types that
    /// [`AGENT_REPLIES`](aqueduct_wire::control::AGENT_REPLIES) lists for the request.
    pub fn answer<'p>(self, payload: &impl Json<'p>) {
        self.payload(payload, false);
    }

    /// Answers a permission request.
    pub fn decide(self, reply: PermissionReply<'_>) {
        let interrupts = matches!(&reply, PermissionReply::Deny(deny) if deny.interrupt == Some(true));
        self.payload(&reply, interrupts);
    }

    /// Answers with an error.
    ///
    /// ```
    /// use aqueduct_client::Asked;
    /// use aqueduct_client::wire::machine::ControlError;
    ///
    /// async fn later(asked: Asked) {
    ///     tokio::select! {
    ///         () = asked.responder.withdrawn() => return,
    ///         () = tokio::time::sleep(std::time::Duration::from_secs(1)) => {}
    ///     }
    ///     asked.responder.refuse(ControlError::new("unavailable", "No user is present."));
    /// }
    /// ```
    pub fn refuse(mut self, error: ControlError) {
        self.send(ResponderReply::Refusal(error));
    }

    /// Resolves when the agent no longer wants the answer.
    pub async fn withdrawn(&self) {
        self.withdrawn.cancelled().await;
    }

    fn payload<'p>(mut self, payload: &impl Json<'p>, interrupts: bool) {
        let mut text = String::new();
        payload.write(&mut text);
        let reply = match Raw::parse(&text) {
            Ok(payload) => ResponderReply::Payload { payload: payload.into_owned(), interrupts },
            Err(error) => ResponderReply::Refusal(ControlError::new(INTERNAL_ERROR, error.to_string())),
        };
        self.send(reply);
    }

    fn send(&mut self, reply: ResponderReply) {
        if let Some(place) = self.place.take() {
            place.send(SentReply { id: self.id.clone(), reply });
        }
    }
}

impl Drop for Responder {
    fn drop(&mut self) {
        self.send(match std::thread::panicking() {
            true => {
                let message = "The host's callback panicked before it had an answer";
                ResponderReply::Refusal(ControlError::new(INTERNAL_ERROR, message))
            }
            false => ResponderReply::Nothing,
        });
    }
}
