//! Which terminals show links (OSC 8). The others may print the sequence as text, so only known ones get it.

use std::ffi::OsString;

/// What a variable of a terminal with links is.
enum EnvironmentMark {
    /// Anything.
    Set,
    /// One of these.
    OneOf(&'static [&'static str]),
    /// A number that is not smaller.
    AtLeast(u32),
}

/// Variables by which terminals with links are recognized.
const TERMINALS: &[(&str, EnvironmentMark)] = &[
    ("DOMTERM", EnvironmentMark::Set),
    ("GHOSTTY_RESOURCES_DIR", EnvironmentMark::Set),
    ("KITTY_WINDOW_ID", EnvironmentMark::Set),
    ("KONSOLE_VERSION", EnvironmentMark::AtLeast(201_200)),
    ("TERM", EnvironmentMark::OneOf(&["alacritty", "contour", "foot", "xterm-ghostty", "xterm-kitty"])),
    ("TERM_PROGRAM", EnvironmentMark::OneOf(&["Hyper", "WezTerm", "ghostty", "iTerm.app", "rio", "vscode"])),
    ("VTE_VERSION", EnvironmentMark::AtLeast(5000)),
    ("WEZTERM_PANE", EnvironmentMark::Set),
    ("WT_SESSION", EnvironmentMark::Set),
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
            EnvironmentMark::Set => !value.is_empty(),
            EnvironmentMark::OneOf(values) => values.contains(&value.as_str()),
            EnvironmentMark::AtLeast(least) => value.parse::<u32>().is_ok_and(|version| version >= *least),
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
