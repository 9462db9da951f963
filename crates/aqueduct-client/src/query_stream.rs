use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_core::Stream;

use crate::callback::Answering;
use crate::close_guard::CloseGuard;
use crate::query::signed_in;
use crate::start::GuardedSession;
use crate::start_failure::StartTarget;
use crate::{Builder, Error, Event, Events, Outcome, Prompt, Session};

/// What happens in a query, event by event. See [`Query::stream`](crate::Query::stream).
///
/// It is a [`Stream`] too. Its reader sets the pace: events that are not read make the agent wait, and none is dropped. An
/// error is the last item. Dropped before [`Event::RunEnded`], it ends its agent as a dropped
/// [`Query`](crate::Query) does; dropped after it, it leaves the agent the time to end by itself that the builder's
/// [`ladder`](Builder::ladder) gives.
pub struct QueryStream {
    state: QueryState,
    outcome: Option<Outcome>,
}

enum QueryState {
    Starting(Answering<Result<Box<RunningQuery>, Error>>),
    Running(Box<RunningQuery>),
    /// The run has ended, and the agent ends.
    Ending(Answering<()>),
    Ended,
}

struct RunningQuery {
    session: Session,
    events: Events,
    /// The outcome of the prompt, until it has come.
    turn: Option<Answering<Result<Outcome, Error>>>,
    /// The outcome, once it has come.
    ended: Option<Result<Outcome, Error>>,
    guard: CloseGuard,
    target: StartTarget,
}

impl QueryStream {
    pub(crate) fn new(builder: Builder, prompt: Prompt) -> Self {
        let starting = async move {
            let GuardedSession { session, events, guard, target } = builder.start_guarded().await?;
            let handle = session.clone();
            let turn: Answering<_> = Box::pin(async move { handle.turn_beside_events(prompt, true).await });
            Ok(Box::new(RunningQuery { session, events, turn: Some(turn), ended: None, guard, target }))
        };
        QueryStream { state: QueryState::Starting(Box::pin(starting)), outcome: None }
    }

    /// The next event; `None` when the agent has ended. Nothing is lost when it is dropped before it is done.
    ///
    /// ```no_run
    /// # async fn example() -> Result<(), aqueduct_client::Error> {
    /// let mut stream = aqueduct_client::Session::builder().query("Say hello.").stream();
    /// while let Some(event) = stream.next().await {
    ///     println!("{:?}", event?);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub async fn next(&mut self) -> Option<Result<Event, Error>> {
        std::future::poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await
    }

    /// How the run ended, once [`Event::RunEnded`] has been read.
    ///
    /// ```no_run
    /// # async fn example() -> Result<(), aqueduct_client::Error> {
    /// let mut stream = aqueduct_client::Session::builder().query("Say hello.").stream();
    /// assert!(stream.outcome().is_none());
    /// while let Some(event) = stream.next().await {
    ///     event?;
    /// }
    /// assert!(stream.outcome().is_some());
    /// # Ok(())
    /// # }
    /// ```
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// Waits for the outcome and for the end of the agent. Events that have not been read are skipped.
    ///
    /// ```no_run
    /// # async fn example() -> Result<(), aqueduct_client::Error> {
    /// let mut stream = aqueduct_client::Session::builder().query("Say hello.").stream();
    /// let first = stream.next().await;
    /// println!("{}", stream.finish().await?);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn finish(mut self) -> Result<Outcome, Error> {
        while let Some(event) = self.next().await {
            event?;
        }
        self.outcome.take().ok_or_else(|| Error::InputClosed("the stream has failed before".to_owned()))
    }

    /// The session, once it has started: to interrupt it, or to ask something meanwhile.
    ///
    /// ```no_run
    /// # async fn example() -> Result<(), aqueduct_client::Error> {
    /// let mut stream = aqueduct_client::Session::builder().query("Tell me a long story.").stream();
    /// while let Some(event) = stream.next().await {
    ///     if event?.text().is_some_and(|text| text.contains("wolf"))
    ///         && let Some(session) = stream.session()
    ///     {
    ///         session.interrupt().await?;
    ///     }
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn session(&self) -> Option<&Session> {
        match &self.state {
            QueryState::Running(running) => Some(&running.session),
            _ => None,
        }
    }

    /// The run has ended: the rest is the end of the agent.
    fn end(&mut self, result: Result<Outcome, Error>) -> Result<Event, Error> {
        if let QueryState::Running(running) = std::mem::replace(&mut self.state, QueryState::Ended) {
            let RunningQuery { session, events, mut guard, .. } = *running;
            guard.close();
            drop(events);
            self.state = QueryState::Ending(Box::pin(async move {
                session.ended().await;
            }));
        }
        let outcome = result?;
        self.outcome = Some(outcome.clone());
        Ok(Event::RunEnded(outcome))
    }
}

impl RunningQuery {
    /// The next event, or how the run ended.
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Result<Event, Result<Outcome, Error>>> {
        // The first time, this sends the prompt.
        self.poll_turn(context);
        match Pin::new(&mut self.events).poll_next(context) {
            Poll::Ready(Some(Event::RunEnded(outcome))) => {
                // The outcome is there before the event.
                self.poll_turn(context);
                match &self.ended {
                    Some(Ok(ended)) if *ended == outcome => self.ended(),
                    // The agent ended a run of its own.
                    _ => Poll::Ready(Ok(Event::RunEnded(outcome))),
                }
            }
            // The outcome comes too, or is there.
            Poll::Ready(Some(Event::Ended(_)) | None) | Poll::Pending => self.ended(),
            Poll::Ready(Some(event)) => Poll::Ready(Ok(event)),
        }
    }

    fn poll_turn(&mut self, context: &mut Context<'_>) {
        if let Some(turn) = &mut self.turn
            && let Poll::Ready(ended) = turn.as_mut().poll(context)
        {
            self.turn = None;
            self.ended = Some(ended);
        }
    }

    /// How the run ended, if it did.
    fn ended(&mut self) -> Poll<Result<Event, Result<Outcome, Error>>> {
        match self.ended.take() {
            Some(ended) => Poll::Ready(Err(ended.and_then(|outcome| signed_in(&self.target, outcome)))),
            None => Poll::Pending,
        }
    }
}

impl Stream for QueryStream {
    type Item = Result<Event, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            match &mut self.state {
                QueryState::Starting(starting) => match ready!(starting.as_mut().poll(context)) {
                    Ok(running) => self.state = QueryState::Running(running),
                    Err(error) => {
                        self.state = QueryState::Ended;
                        return Poll::Ready(Some(Err(error)));
                    }
                },
                QueryState::Running(running) => {
                    return Poll::Ready(Some(match ready!(running.poll(context)) {
                        Ok(event) => Ok(event),
                        Err(ended) => self.end(ended),
                    }));
                }
                QueryState::Ending(ending) => {
                    ready!(ending.as_mut().poll(context));
                    self.state = QueryState::Ended;
                }
                QueryState::Ended => return Poll::Ready(None),
            }
        }
    }
}

impl fmt::Debug for QueryStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = match &self.state {
            QueryState::Starting(_) => "starting",
            QueryState::Running(_) => "running",
            QueryState::Ending(_) => "ending",
            QueryState::Ended => "ended",
        };
        f.debug_struct("QueryStream").field("state", &state).field("outcome", &self.outcome).finish()
    }
}
