use std::fmt;
use std::sync::Arc;

/// Log lines for the operator of the bridge: refused connections, paired and revoked devices,
/// what failed. The program that starts the bridge decides where lines go.
///
/// A line never holds a token or a pairing code, and never ends with a line break.
#[derive(Clone)]
pub struct ServerLog {
    write: Arc<dyn Fn(&str) + Send + Sync>,
}

impl ServerLog {
    /// Lines go to this function. It must not block for long.
    pub fn new(write: impl Fn(&str) + Send + Sync + 'static) -> Self {
        ServerLog { write: Arc::new(write) }
    }

    /// Discards all lines.
    pub fn silent() -> Self {
        ServerLog::new(|_| {})
    }

    /// Notes a line. What came from elsewhere may have control characters in it; they are made visible, so
    /// that a peer can't inject lines.
    pub fn note(&self, line: impl fmt::Display) {
        let line = line.to_string();
        match line.contains(char::is_control) {
            false => (self.write)(&line),
            true => {
                let visible: String = line.chars().flat_map(visible).collect();
                (self.write)(&visible);
            }
        }
    }
}

fn visible(character: char) -> impl Iterator<Item = char> {
    let (escaped, plain) = match character.is_control() {
        true => (Some(character.escape_default()), None),
        false => (None, Some(character)),
    };
    escaped.into_iter().flatten().chain(plain)
}

impl Default for ServerLog {
    fn default() -> Self {
        ServerLog::silent()
    }
}

impl fmt::Debug for ServerLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ServerLog")
    }
}
