//! Questions before something is deleted.

use std::io::{self, BufRead as _};

use crate::output;

/// Asks on the terminal; anything but a yes is a no.
pub(super) fn is_confirmed(question: &str) -> anyhow::Result<bool> {
    output::question(&format!("{question} [y/N] "));
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}
