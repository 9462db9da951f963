use aqueduct_wire::json::Number;
use aqueduct_wire::usage::{ModelUsage, Usage};

/// Tokens, counted by what they are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Tokens {
    /// Those that the model read, without what came from the cache or went there.
    pub input: u64,
    /// Those that the model wrote.
    pub output: u64,
    /// Those that came from the cache.
    pub cache_read: u64,
    /// Those that were put into the cache.
    pub cache_written: u64,
}

impl Tokens {
    /// All that the model read, cached or not.
    pub fn read(&self) -> u64 {
        self.input.saturating_add(self.cache_read).saturating_add(self.cache_written)
    }

    pub(super) fn of_usage(usage: &Usage<'_>) -> Self {
        Tokens {
            input: count(usage.input_tokens.as_ref()),
            output: count(usage.output_tokens.as_ref()),
            cache_read: count(usage.cache_read_input_tokens.as_ref()),
            cache_written: count(usage.cache_creation_input_tokens.as_ref()),
        }
    }

    pub(super) fn of_model(usage: &ModelUsage<'_>) -> Self {
        Tokens {
            input: count(usage.input_tokens.as_ref()),
            output: count(usage.output_tokens.as_ref()),
            cache_read: count(usage.cache_read_input_tokens.as_ref()),
            cache_written: count(usage.cache_creation_input_tokens.as_ref()),
        }
    }
}

impl std::ops::Add for Tokens {
    type Output = Tokens;

    fn add(self, other: Tokens) -> Tokens {
        Tokens {
            input: self.input.saturating_add(other.input),
            output: self.output.saturating_add(other.output),
            cache_read: self.cache_read.saturating_add(other.cache_read),
            cache_written: self.cache_written.saturating_add(other.cache_written),
        }
    }
}

impl std::iter::Sum for Tokens {
    fn sum<I: Iterator<Item = Tokens>>(counts: I) -> Tokens {
        counts.fold(Tokens::default(), std::ops::Add::add)
    }
}

/// A number that counts something; 0 where there is none.
pub(super) fn count(number: Option<&Number<'_>>) -> u64 {
    number.and_then(Number::as_u64).unwrap_or(0)
}
