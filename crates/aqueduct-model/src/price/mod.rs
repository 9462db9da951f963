//! What a model costs and how much it takes.
//!
//! ```
//! use aqueduct_model::price;
//! use aqueduct_wire::json::Raw;
//!
//! let card = price::card("claude-sonnet-4-5-20250929").ok_or("a known model")?;
//! let usage = Raw::parse(r#"{"input_tokens":1000,"output_tokens":200}"#)?;
//! let usage = usage.view().ok_or("usage")?;
//! assert_eq!(price::cost(&card, &usage), 0.006);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod card;
mod counts;
mod table;

pub use card::{LongPrompt, ModelCard, Rates, ThinkingSupport, cost};
pub use counts::UsageCounts;
pub use table::{LONG_WINDOW_BETA, LONG_WINDOW_SUFFIX, PriceTable};

/// What is known of a model, from the built-in table.
pub fn card(model: &str) -> Option<ModelCard> {
    PriceTable::default().card(model)
}

/// The full name behind an alias such as `opus`, from the built-in table. Other names come back as they are.
/// `planning`: whether plan mode is on: `opusplan` is another model there.
pub fn resolve(model: &str, planning: bool) -> String {
    PriceTable::default().resolve(model, planning)
}
