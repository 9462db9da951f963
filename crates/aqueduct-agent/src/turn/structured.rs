//! Answers in a form: what becomes of them, and what is done where there is none.

use aqueduct_wire::json::Raw;

use super::call::Unformed;
use super::{Turn, TurnEnd};

/// How many answers may have another form than the host wants.
const MOST_FAULTS: u32 = 5;

/// The variable that sets another number.
const FAULTS: &str = "MAX_STRUCTURED_OUTPUT_RETRIES";

/// The prompt for a model that ends without structured output.
const ASK: &str = "Structured output is required: call StructuredOutput with the answer now.";

/// What has become of the answer so far.
#[derive(Debug, Default)]
pub(super) struct StructuredAnswer {
    /// The answer.
    pub(super) answer: Option<Raw<'static>>,
    /// How many had another form, and what the last one lacked.
    faults: u32,
    fault: String,
    /// The model has been prompted for the missing output.
    is_asked_for: bool,
}

impl Turn<'_> {
    /// Stores an answer, or why it does not match the form.
    pub(super) fn note_answer(&mut self, answer: Result<Raw<'static>, Unformed>) {
        match answer {
            Ok(answer) => self.structured.answer = Some(answer),
            Err(unformed) => {
                self.structured.faults += 1;
                self.structured.fault = unformed.to_string();
            }
        }
    }

    /// How the turn ends after calls, where the answer decides about it: it is there, or it never comes.
    pub(super) fn answered(&self) -> Option<TurnEnd> {
        if self.structured.answer.is_some() {
            return Some(TurnEnd::Completed);
        }
        let set = self.session.environment.variable(FAULTS).and_then(|text| text.parse().ok());
        let (faults, most) = (self.structured.faults, set.unwrap_or(MOST_FAULTS).max(1));
        (faults >= most).then(|| TurnEnd::Unformed { tries: faults, fault: self.structured.fault.clone() })
    }

    /// Asks once for an answer in the form, where the model is done without one; whether it did.
    pub(super) async fn ask_for_form(&mut self) -> Result<bool, TurnEnd> {
        let is_wanted = match self.by {
            Some(by) => by.form.is_some(),
            None => self.session.host_options.form().is_some(),
        };
        if !is_wanted || self.structured.answer.is_some() || self.structured.is_asked_for {
            return Ok(false);
        }
        self.structured.is_asked_for = true;
        self.say_for_user(ASK).await?;
        Ok(true)
    }
}
