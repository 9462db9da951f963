use std::fmt;

use crate::Outcome;

/// A run that is not done: [`Outcome::done`] as an error. It carries the outcome.
///
/// ```
/// use aqueduct_client::{Error, Outcome, Session};
///
/// # async fn example() -> Result<(), Error> {
/// let answered = Session::builder().max_turns(3_u32).query("What does this project do?").await?.into_result();
/// match answered {
///     Ok(report) => println!("{}", report.text()),
///     Err(error) if matches!(error.outcome(), Outcome::Limited(_)) => println!("It takes more than three turns."),
///     Err(error) => return Err(error.into()),
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq)]
pub struct NotDone {
    /// On the heap, so that results stay small.
    outcome: Box<Outcome>,
}

impl NotDone {
    pub(crate) fn new(outcome: Outcome) -> Self {
        NotDone { outcome: Box::new(outcome) }
    }

    /// How the run ended.
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// How the run ended, as a value.
    ///
    /// ```
    /// use aqueduct_client::Outcome;
    ///
    /// let error = Outcome::Interrupted(None).into_result().unwrap_err();
    /// assert_eq!(error.into_outcome(), Outcome::Interrupted(None));
    /// ```
    pub fn into_outcome(self) -> Outcome {
        *self.outcome
    }
}

impl fmt::Display for NotDone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.outcome {
            Outcome::Interrupted(_) => f.write_str("the run was interrupted"),
            outcome => outcome.fmt(f),
        }
    }
}

/// One line: `main` shows an error in this form, and a whole `result` frame would hide what happened.
impl fmt::Debug for NotDone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for NotDone {}
