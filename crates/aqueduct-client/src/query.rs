//! One prompt to an agent that is started for it.

use std::future::IntoFuture;

use crate::callback::Answering;
use crate::query_stream::QueryStream;
use crate::start::GuardedSession;
use crate::start_failure::StartTarget;
use crate::{Builder, Error, Event, Outcome, Prompt};

/// One prompt to an agent that is started for it, made by [`Builder::query`]. Awaited, it gives the [`Outcome`];
/// [`stream`](Query::stream) gives what happens on the way.
///
/// Nothing happens before it is awaited or read. Dropped before it is done, it ends its agent: the process group gets
/// SIGTERM at once, and SIGKILL a second later at most.
///
/// ```
/// use aqueduct_client::Session;
#[doc = include_str!("../doc/agent.txt")]
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), aqueduct_client::Error> {
/// # let (ours, theirs) = tokio::io::duplex(4096);
/// # tokio::spawn(agent(theirs, ""));
/// # let builder = Session::builder().transport(aqueduct_client::Transport::pipe(ours));
///
/// let query = builder.query("Say hello.");
/// // A task takes a future; `await` and the macros of tokio take the query itself.
/// let outcome = tokio::spawn(query.into_future()).await.expect("no panic")?;
/// assert_eq!(outcome.done()?.text(), "Hello!");
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "a query does nothing until it is awaited or streamed"]
pub struct Query {
    builder: Builder,
    prompt: Prompt,
}

impl Builder {
    /// Starts an agent for one prompt, waits for the outcome, and ends the agent. To read what happens meanwhile, call
    /// [`stream`](Query::stream) on it.
    ///
    /// An agent that is not signed in starts all the same, and its first run fails: this is an
    /// [`Error::Start`] here too.
    ///
    /// ```no_run
    /// # async fn example() -> Result<(), aqueduct_client::Error> {
    /// let outcome = aqueduct_client::Session::builder().query("What does this project do?").await?;
    /// println!("{}", outcome.done()?.text());
    /// # Ok(())
    /// # }
    /// ```
    pub fn query(self, prompt: impl Into<Prompt>) -> Query {
        Query { builder: self, prompt: prompt.into() }
    }

    /// Like [`query`](Builder::query), with a function that is called for each event, as [`Query::stream`] gives them.
    ///
    /// ```no_run
    /// # async fn example() -> Result<(), aqueduct_client::Error> {
    /// use aqueduct_client::Session;
    ///
    /// let mut calls = 0;
    /// let outcome = Session::builder()
    ///     .query_with("What does this project do?", |event| {
    ///         if let Some(text) = event.text() {
    ///             print!("{text}");
    ///         }
    ///         calls += event.tool_calls().count();
    ///     })
    ///     .await?;
    /// println!("{outcome} after {calls} calls");
    /// # Ok(())
    /// # }
    /// ```
    pub async fn query_with(
        self,
        prompt: impl Into<Prompt>,
        mut each: impl FnMut(Event),
    ) -> Result<Outcome, Error> {
        let mut stream = self.query(prompt).stream();
        while let Some(event) = stream.next().await {
            each(event?);
        }
        stream.finish().await
    }
}

impl Query {
    /// The events of the query, as a [`Stream`](futures_core::Stream). The last one is [`Event::RunEnded`]; then the agent
    /// is ended.
    ///
    /// Text comes piece by piece: [`partial_messages`](Builder::partial_messages) is on, unless the builder sets it.
    ///
    /// ```
    /// use aqueduct_client::Session;
    #[doc = include_str!("../doc/agent.txt")]
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), aqueduct_client::Error> {
    /// # let (ours, theirs) = tokio::io::duplex(4096);
    /// # tokio::spawn(agent(theirs, ""));
    /// # let builder = Session::builder().transport(aqueduct_client::Transport::pipe(ours));
    ///
    /// let mut stream = builder.query("Say hello.").stream();
    /// while let Some(event) = stream.next().await {
    ///     let event = event?;
    ///     if let Some(text) = event.text() {
    ///         print!("{text}");
    ///     }
    ///     for call in event.tool_calls() {
    ///         println!("> {} {}", call.name, call.input.as_str());
    ///     }
    /// }
    /// assert_eq!(stream.finish().await?.done()?.text(), "Hello!");
    /// # Ok(())
    /// # }
    /// ```
    pub fn stream(mut self) -> QueryStream {
        let options = &mut self.builder.options;
        if options.partial_messages.is_none() && self.builder.chosen_profile().has_option("partial_messages")
        {
            self.builder.options.partial_messages = Some(true);
        }
        QueryStream::new(self.builder, self.prompt)
    }

    async fn run(self) -> Result<Outcome, Error> {
        let GuardedSession { session, events, guard, target } = self.builder.start_guarded().await?;
        drop(events);
        let outcome = session.turn(self.prompt).await;
        session.close().await;
        guard.dismiss();
        signed_in(&target, outcome?)
    }
}

impl IntoFuture for Query {
    type Output = Result<Outcome, Error>;
    type IntoFuture = Answering<Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.run())
    }
}

/// The outcome of an agent's first run, unless it shows that the agent has no access to a model.
pub(crate) fn signed_in(target: &StartTarget, outcome: Outcome) -> Result<Outcome, Error> {
    match &outcome {
        Outcome::ApiError(report) => target.signed_out(report).map_or(Ok(outcome), Err),
        _ => Ok(outcome),
    }
}
