use std::fmt;

use aqueduct_wire::hint::{Hint, HintedError};
use thiserror::Error;
use uuid::Uuid;

/// The name of an input: an input is written to the agent once, however often it is sent under this name.
///
/// One to 64 printable ASCII characters without spaces.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct InputId(Box<str>);

/// Why a text can't name an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("an input is named by one to {} printable ASCII characters without spaces", InputId::LONGEST)]
pub struct NotAnId;

impl HintedError for NotAnId {
    fn hint(&self) -> Option<Hint> {
        Some(Hint::sentence("A UUID will do"))
    }
}

impl InputId {
    /// How long a name may be.
    pub const LONGEST: usize = 64;

    /// A name, if the text can be one.
    pub fn new(text: &str) -> Result<InputId, NotAnId> {
        let fits = (1..=InputId::LONGEST).contains(&text.len());
        if fits && text.bytes().all(|byte| byte.is_ascii_graphic()) {
            Ok(InputId(text.into()))
        } else {
            Err(NotAnId)
        }
    }

    /// A name that nothing else has.
    pub fn fresh() -> InputId {
        InputId::from(Uuid::new_v4())
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<Uuid> for InputId {
    fn from(uuid: Uuid) -> InputId {
        InputId(uuid.to_string().into())
    }
}

impl fmt::Display for InputId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
