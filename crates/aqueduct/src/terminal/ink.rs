//! Colours, where they are wanted.

/// The style of a piece of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    Plain,
    Bold,
    Dim,
    Red,
    Green,
    Yellow,
    Cyan,
}

impl Tone {
    fn code(self) -> &'static str {
        match self {
            Tone::Plain => "0",
            Tone::Bold => "1",
            Tone::Dim => "2",
            Tone::Red => "31",
            Tone::Green => "32",
            Tone::Yellow => "33",
            Tone::Cyan => "36",
        }
    }
}

/// Whether and how to colour.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ink {
    is_on: bool,
}

impl Ink {
    pub(crate) fn new(is_on: bool) -> Self {
        Ink { is_on }
    }

    /// What begins a tone; empty without colours.
    pub(crate) fn begin(self, tone: Tone) -> String {
        if self.is_on && tone != Tone::Plain { format!("\x1b[{}m", tone.code()) } else { String::new() }
    }

    /// What ends a tone.
    pub(crate) fn end(self, tone: Tone) -> &'static str {
        if self.is_on && tone != Tone::Plain { "\x1b[0m" } else { "" }
    }

    fn paint(self, tone: Tone, text: &str) -> String {
        format!("{}{text}{}", self.begin(tone), self.end(tone))
    }

    pub(crate) fn bold(self, text: &str) -> String {
        self.paint(Tone::Bold, text)
    }

    pub(crate) fn dim(self, text: &str) -> String {
        self.paint(Tone::Dim, text)
    }

    pub(crate) fn red(self, text: &str) -> String {
        self.paint(Tone::Red, text)
    }

    pub(crate) fn green(self, text: &str) -> String {
        self.paint(Tone::Green, text)
    }

    pub(crate) fn yellow(self, text: &str) -> String {
        self.paint(Tone::Yellow, text)
    }
}
