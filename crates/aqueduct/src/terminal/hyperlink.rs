//! Which terminals show links (OSC 8). The others may print the sequence as text, so only known ones get it.

use std::ffi::OsString;

/// What a variable of a terminal with links is.
enum Mark {
    /// Anything.
    Set,
    /// One of these.
    OneOf(&'static [&'static str]),
    /// A number that is not smaller.
    AtLeast(u32),
}

/// Variables by which terminals with links are recognized.
const TERMINALS: &[(&str, Mark)] = &[
    ("DOMTERM", Mark::Set),
    ("GHOSTTY_RESOURCES_DIR", Mark::Set),
    ("KITTY_WINDOW_ID", Mark::Set),
    ("KONSOLE_VERSION", Mark::AtLeast(201_200)),
    ("TERM", Mark::OneOf(&["alacritty", "contour", "foot", "xterm-ghostty", "xterm-kitty"])),
    ("TERM_PROGRAM", Mark::OneOf(&["Hyper", "WezTerm", "ghostty", "iTerm.app", "rio", "vscode"])),
    ("VTE_VERSION", Mark::AtLeast(5000)),
    ("WEZTERM_PANE", Mark::Set),
    ("WT_SESSION", Mark::Set),
];

/// Multiplexers keep the variables of the terminal around them and may not pass links on.
const MULTIPLEXERS: [&str; 2] = ["screen", "tmux"];

/// Whether the terminal of this environment shows links.
pub(crate) fn shows_links(variable: impl Fn(&str) -> Option<OsString>) -> bool {
    let text = |name: &str| variable(name).and_then(|value| value.into_string().ok()).unwrap_or_default();
    let term = text("TERM");
    if MULTIPLEXERS.iter().any(|name| term.starts_with(name)) {
        return false;
    }
    TERMINALS.iter().any(|(name, mark)| {
        let value = text(name);
        match mark {
            Mark::Set => !value.is_empty(),
            Mark::OneOf(values) => values.contains(&value.as_str()),
            Mark::AtLeast(least) => value.parse::<u32>().is_ok_and(|version| version >= *least),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shows(variables: &[(&str, &str)]) -> bool {
        shows_links(|name| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into()))
    }

    #[test]
    fn only_known_terminals_get_links() {
        assert!(shows(&[("TERM", "xterm-kitty")]));
        assert!(shows(&[("TERM", "xterm-256color"), ("VTE_VERSION", "7600")]));
        assert!(shows(&[("TERM_PROGRAM", "vscode")]));
        assert!(!shows(&[("TERM", "xterm-256color")]));
        assert!(!shows(&[("VTE_VERSION", "4900")]) && !shows(&[("TERM_PROGRAM", "Apple_Terminal")]));
        assert!(!shows(&[("TERM", "tmux-256color"), ("VTE_VERSION", "7600")]));
    }
}
