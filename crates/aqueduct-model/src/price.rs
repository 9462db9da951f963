//! What a model costs and how much it takes.

/// What is known of a model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Card {
    /// How many tokens a conversation may have.
    pub context_window: u32,
    /// How many tokens an answer may have.
    pub max_output_tokens: u32,
}
