/// Why a case did not pass.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The agent can't do this, and reports it.
    CanNot(String),
    /// It went otherwise than it must.
    Failed(String),
}

impl Trouble {
    pub(crate) fn failed(why: impl Into<String>) -> Trouble {
        Trouble::Failed(why.into())
    }

    pub(crate) fn can_not(why: impl Into<String>) -> Trouble {
        Trouble::CanNot(why.into())
    }
}

impl From<std::io::Error> for Trouble {
    fn from(error: std::io::Error) -> Self {
        Trouble::Failed(error.to_string())
    }
}

impl From<tokio_tungstenite::tungstenite::Error> for Trouble {
    fn from(error: tokio_tungstenite::tungstenite::Error) -> Self {
        Trouble::Failed(format!("the connection broke: {error}"))
    }
}

/// A verdict in a word, and its explanation.
pub(crate) fn parts(outcome: Result<(), Trouble>) -> (&'static str, String) {
    match outcome {
        Ok(()) => ("passed", String::new()),
        Err(Trouble::CanNot(why)) => ("can't", why),
        Err(Trouble::Failed(why)) => ("failed", why),
    }
}

/// Fails the case unless something holds.
macro_rules! ensure {
    ($holds:expr, $($why:tt)+) => {{
        let holds: bool = $holds;
        if !holds {
            return Err($crate::verdict::Trouble::Failed(format!($($why)+)));
        }
    }};
}

pub(crate) use ensure;
