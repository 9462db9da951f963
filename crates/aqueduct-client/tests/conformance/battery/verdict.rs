use aqueduct_client::Error;
use aqueduct_wire::hint::HintedError as _;

/// What a case shows.
#[derive(Debug)]
pub(crate) enum Verdict {
    /// It went as it must.
    Passed,
    /// The agent can't do this, and reports it.
    CanNot(String),
    /// It went otherwise.
    Failed(String),
}

impl Verdict {
    pub(crate) fn parts(self) -> (&'static str, String) {
        match self {
            Verdict::Passed => ("passed", String::new()),
            Verdict::CanNot(why) => ("can't", why),
            Verdict::Failed(why) => ("failed", why),
        }
    }

    /// A case that is written as a function with `?`.
    pub(crate) async fn of(case: impl Future<Output = Result<(), Trouble>>) -> Verdict {
        match case.await {
            Ok(()) => Verdict::Passed,
            Err(Trouble::CanNot(why)) => Verdict::CanNot(why),
            Err(Trouble::Failed(why)) => Verdict::Failed(why),
        }
    }
}

/// Why a case did not pass.
#[derive(Debug)]
pub(crate) enum Trouble {
    CanNot(String),
    Failed(String),
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        match error {
            Error::Unsupported { .. } => Trouble::CanNot(error.advised()),
            _ => Trouble::Failed(error.advised()),
        }
    }
}

impl From<std::io::Error> for Trouble {
    fn from(error: std::io::Error) -> Self {
        Trouble::Failed(error.to_string())
    }
}

/// Fails the case unless something holds.
macro_rules! ensure {
    ($holds:expr, $($why:tt)+) => {
        if !$holds {
            return Err($crate::verdict::Trouble::Failed(format!($($why)+)));
        }
    };
}

pub(crate) use ensure;

/// Reports that the agent can't do this.
pub(crate) fn can_not<T>(why: impl Into<String>) -> Result<T, Trouble> {
    Err(Trouble::CanNot(why.into()))
}
