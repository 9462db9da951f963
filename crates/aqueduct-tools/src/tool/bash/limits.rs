//! What bounds a command.

use std::time::Duration;

use aqueduct_os::environment::Environment;

/// The default timeout of a command, in milliseconds.
const DEFAULT_TIMEOUT: u64 = 120_000;
/// How long a command may take at all, in milliseconds.
const MAX_TIMEOUT: u64 = 600_000;
/// How many characters of output the model gets.
const MAX_SHOWN: usize = 30_000;
/// How many characters of output a user may ask the model to get.
const MOST_SHOWN: usize = 150_000;
/// How many bytes of output a command may write: a flood ends here, and not with the disk.
const MAX_OUTPUT: u64 = 1 << 30;

/// What bounds a command.
#[derive(Debug, Clone, Copy)]
pub(super) struct BashLimits {
    default_timeout: u64,
    max_timeout: u64,
    /// How many characters of output the model gets.
    pub(super) shown: usize,
    /// How many bytes of output a command may write.
    pub(super) output: u64,
}

impl BashLimits {
    /// The limits that the user set, and ours for the rest.
    pub(super) fn of(environment: &Environment) -> BashLimits {
        let set = |name| environment.variable(name)?.parse().ok().filter(|value: &u64| *value > 0);
        let default_timeout = set("BASH_DEFAULT_TIMEOUT_MS").unwrap_or(DEFAULT_TIMEOUT);
        let shown = set("BASH_MAX_OUTPUT_LENGTH").and_then(|shown| usize::try_from(shown).ok());
        let max_timeout = set("BASH_MAX_TIMEOUT_MS").unwrap_or(MAX_TIMEOUT.max(default_timeout));
        BashLimits {
            default_timeout,
            max_timeout,
            shown: shown.unwrap_or(MAX_SHOWN).min(MOST_SHOWN),
            output: set("AQUEDUCT_BASH_MAX_OUTPUT_BYTES").unwrap_or(MAX_OUTPUT),
        }
    }

    /// How long a command may take for which the model wants this many milliseconds.
    pub(super) fn timeout(&self, wanted: Option<u64>) -> Duration {
        Duration::from_millis(wanted.unwrap_or(self.default_timeout).min(self.max_timeout))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::BashLimits;
    use crate::tool::bash::tests::Bench;

    #[tokio::test]
    async fn what_the_model_wants_is_bounded_by_what_the_user_set() {
        let seconds = |variables: &[(&str, &str)], wanted| {
            let limits = BashLimits::of(&Bench::with(variables).tool_context.environment);
            limits.timeout(wanted).as_secs_f64()
        };
        assert_eq!(seconds(&[], None), 120.0);
        assert_eq!(seconds(&[], Some(9_999_999)), 600.0);
        assert_eq!(seconds(&[("BASH_MAX_TIMEOUT_MS", "1000")], Some(5_000)), 1.0);
        assert_eq!(seconds(&[("BASH_MAX_TIMEOUT_MS", "1000")], None), 1.0);
        assert_eq!(seconds(&[("BASH_DEFAULT_TIMEOUT_MS", "900000")], Some(800_000)), 800.0);
        assert_eq!(seconds(&[("BASH_DEFAULT_TIMEOUT_MS", "soon")], None), 120.0);
        let limits =
            BashLimits::of(&Bench::with(&[("BASH_MAX_OUTPUT_LENGTH", "999999999")]).tool_context.environment);
        assert_eq!(limits.shown, 150_000);
        assert_eq!(limits.timeout(Some(1)), Duration::from_millis(1));
    }
}
