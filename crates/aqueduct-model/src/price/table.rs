//! The table of models, and how a name finds its row.

use super::{LongPrompt, ModelCard, Rates, ThinkingSupport};

/// Behind a model's name it asks for a window of a million tokens, where the model has that as an option.
pub const LONG_WINDOW_SUFFIX: &str = "[1m]";

/// The beta feature that such a window is.
pub const LONG_WINDOW_BETA: &str = "context-1m-2025-08-07";

const LONG_WINDOW: u32 = 1_000_000;
const WINDOW: u32 = 200_000;

/// A row: the model's names without dates, its own first.
type PriceRow = (&'static [&'static str], ModelCard);

const fn row(names: &'static [&'static str], rates: Rates, window: u32, output: u32) -> PriceRow {
    let card = ModelCard {
        context_window: window,
        max_output_tokens: output,
        rates,
        long_prompt: None,
        fast: 1.0,
        thinks: ThinkingSupport::Never,
        effort: None,
    };
    (names, card)
}

const fn fast(mut row: PriceRow, times: f64) -> PriceRow {
    row.1.fast = times;
    row
}

const fn long_prompt(mut row: PriceRow, over: u64, times: f64) -> PriceRow {
    row.1.long_prompt = Some(LongPrompt { over, times });
    row
}

const fn budget(mut row: PriceRow, effort: Option<&'static str>) -> PriceRow {
    row.1.thinks = ThinkingSupport::Budget;
    row.1.effort = effort;
    row
}

const fn always(row: PriceRow, effort: &'static str) -> PriceRow {
    let mut row = adaptive(row, effort);
    row.1.thinks = ThinkingSupport::Always;
    row
}

const fn adaptive(mut row: PriceRow, effort: &'static str) -> PriceRow {
    row.1.thinks = ThinkingSupport::Adaptive;
    row.1.effort = Some(effort);
    row
}

/// List prices in dollars for a million tokens: input, output, cache read. Checked against what the reference
/// CLI 2.1.325 reports for each.
#[rustfmt::skip]
const ROWS: &[PriceRow] = &[
    fast(always(row(&["claude-fable-5-2"], Rates::new(8.0, 40.0, 0.2), LONG_WINDOW, 128_000), "medium"), 2.0),
    always(row(&["claude-fable-5-1"], Rates::new(10.0, 50.0, 0.25), LONG_WINDOW, 64_000), "high"),
    always(row(&["claude-fable-5"], Rates::new(10.0, 50.0, 1.0), LONG_WINDOW, 64_000), "high"),
    fast(always(row(&["claude-mythos-5-2"], Rates::new(8.0, 40.0, 0.2), LONG_WINDOW, 128_000), "medium"), 2.0),
    always(row(&["claude-mythos-5-1"], Rates::new(10.0, 50.0, 0.25), LONG_WINDOW, 64_000), "high"),
    always(row(&["claude-mythos-5"], Rates::new(10.0, 50.0, 1.0), LONG_WINDOW, 64_000), "high"),

    fast(always(row(&["claude-opus-5-5"], Rates::new(4.0, 20.0, 0.2), LONG_WINDOW, 128_000), "medium"), 2.0),
    fast(adaptive(row(&["claude-opus-5"], Rates::new(5.0, 25.0, 0.5), LONG_WINDOW, 64_000), "high"), 2.0),
    fast(adaptive(row(&["claude-opus-4-8"], Rates::new(5.0, 25.0, 0.5), LONG_WINDOW, 64_000), "high"), 2.0),
    fast(adaptive(row(&["claude-opus-4-7"], Rates::new(5.0, 25.0, 0.5), LONG_WINDOW, 64_000), "xhigh"), 6.0),
    fast(adaptive(row(&["claude-opus-4-6"], Rates::new(5.0, 25.0, 0.5), WINDOW, 64_000), "high"), 6.0),
    budget(row(&["claude-opus-4-5"], Rates::new(5.0, 25.0, 0.5), WINDOW, 32_000), Some("high")),
    budget(row(&["claude-opus-4-1"], Rates::new(15.0, 75.0, 1.5), WINDOW, 32_000), None),
    budget(row(&["claude-opus-4-0", "claude-opus-4"], Rates::new(15.0, 75.0, 1.5), WINDOW, 32_000), None),

    always(row(&["claude-sonnet-5-5"], Rates::new(2.0, 10.0, 0.1), LONG_WINDOW, 128_000), "medium"),
    adaptive(row(&["claude-sonnet-5"], Rates::new(2.0, 10.0, 0.2), LONG_WINDOW, 64_000), "high"),
    adaptive(row(&["claude-sonnet-4-6"], Rates::new(3.0, 15.0, 0.3), WINDOW, 32_000), "high"),
    budget(row(&["claude-sonnet-4-5"], Rates::new(3.0, 15.0, 0.3), WINDOW, 32_000), None),
    budget(row(&["claude-sonnet-4-0", "claude-sonnet-4"], Rates::new(3.0, 15.0, 0.3), WINDOW, 32_000), None),
    row(&["claude-3-7-sonnet"], Rates::new(3.0, 15.0, 0.3), WINDOW, 32_000),
    row(&["claude-3-5-sonnet"], Rates::new(3.0, 15.0, 0.3), WINDOW, 8_192),

    long_prompt(always(row(&["claude-haiku-5-5"], Rates::new(0.1, 0.5, 0.01), LONG_WINDOW, 128_000), "medium"), 100_000, 5.0),
    budget(row(&["claude-haiku-4-5"], Rates::new(1.0, 5.0, 0.1), WINDOW, 32_000), None),
    row(&["claude-3-5-haiku"], Rates::new(0.8, 4.0, 0.08), WINDOW, 8_192),
];

/// Short names and what they denote: a model, or another short name.
const ALIASES: &[(&str, &str)] = &[
    ("default", "opus"),
    ("best", "opus"),
    ("fable", "claude-fable-5-2"),
    ("opus", "claude-opus-5-5"),
    ("sonnet", "claude-sonnet-5-5"),
    ("haiku", "claude-haiku-5-5"),
    (PLANNED, "sonnet"),
];

/// The alias that is `opus` in plan mode.
const PLANNED: &str = "opusplan";

/// Models and their aliases: the built-in ones, and those that settings add.
#[derive(Debug, Clone, Default)]
pub struct PriceTable {
    cards: Vec<(String, ModelCard)>,
    aliases: Vec<(String, String)>,
}

impl PriceTable {
    /// Adds a model, or puts another card in place of a built-in one. The name matches as the built-in names do:
    /// with a date or a provider's prefix around it too.
    pub fn add_card(&mut self, name: &str, card: ModelCard) {
        self.cards.push((normal(name), card));
    }

    /// Gives a short name another meaning. `default` and `opusplan` follow what they denote.
    pub fn add_alias(&mut self, alias: &str, model: &str) {
        self.aliases.push((alias.trim().to_lowercase(), model.to_owned()));
    }

    /// What is known of a model. Aliases count as what they denote.
    pub fn card(&self, model: &str) -> Option<ModelCard> {
        let model = self.resolve(model, false);
        let (name, suffix) = split(&model);
        let (_, mut card) = self.find(name)?;
        if suffix {
            card.context_window = card.context_window.max(LONG_WINDOW);
        }
        Some(card)
    }

    /// The model's own name, without date, provider and window.
    pub fn canonical(&self, model: &str) -> Option<String> {
        let model = self.resolve(model, false);
        self.find(split(&model).0).map(|(name, _)| name.to_owned())
    }

    /// The full name behind an alias; other names come back as they are. `[1m]` stays where it makes a
    /// difference. `planning`: whether plan mode is on.
    pub fn resolve(&self, model: &str, planning: bool) -> String {
        let model = model.trim();
        let (name, suffix) = split(model);
        let full = self.meaning(&name.to_lowercase(), planning).unwrap_or_else(|| name.to_owned());
        let needs_suffix =
            suffix && self.find(&full).is_none_or(|(_, card)| card.context_window < LONG_WINDOW);
        if needs_suffix { full + LONG_WINDOW_SUFFIX } else { full }
    }

    /// What an alias denotes.
    fn meaning(&self, alias: &str, planning: bool) -> Option<String> {
        if let Some((_, model)) = self.aliases.iter().rev().find(|(name, _)| name == alias) {
            return Some(model.clone());
        }
        let (_, model) = ALIASES.iter().find(|(name, _)| *name == alias)?;
        let model = if alias == PLANNED && planning { "opus" } else { model };
        Some(self.meaning(model, planning).unwrap_or_else(|| model.to_owned()))
    }

    /// The row that a name belongs to: added ones first, the last one before the others.
    fn find(&self, model: &str) -> Option<(&str, ModelCard)> {
        let model = normal(model);
        let added = self.cards.iter().rev().find(|(name, _)| denoted_by(name, &model));
        if let Some((name, card)) = added {
            return Some((name, *card));
        }
        let (names, card) =
            ROWS.iter().find(|(names, _)| names.iter().any(|name| denoted_by(name, &model)))?;
        Some((names[0], *card))
    }
}

/// A name without the window's suffix, and whether it had one.
fn split(model: &str) -> (&str, bool) {
    match model.len().checked_sub(LONG_WINDOW_SUFFIX.len()).and_then(|at| model.split_at_checked(at)) {
        Some((name, suffix)) if suffix.eq_ignore_ascii_case(LONG_WINDOW_SUFFIX) => (name, true),
        _ => (model, false),
    }
}

/// Gateways write `Claude-Opus-4.5` for the same model.
fn normal(name: &str) -> String {
    name.trim().to_lowercase().replace('.', "-")
}

/// Whether `model` is the model `name`, with a provider before it, or with a date or variant behind it. A short
/// number behind it makes another version of it: `claude-opus-5-6` is not `claude-opus-5`.
fn denoted_by(name: &str, model: &str) -> bool {
    model.match_indices(name).any(|(at, _)| {
        let before = model[..at].chars().next_back();
        let after = &model[at + name.len()..];
        let version = after.strip_prefix('-').unwrap_or_default();
        let digits = version.bytes().take_while(u8::is_ascii_digit).count();
        !before.is_some_and(char::is_alphanumeric)
            && !after.starts_with(char::is_alphanumeric)
            && !(1..=2).contains(&digits)
    })
}
