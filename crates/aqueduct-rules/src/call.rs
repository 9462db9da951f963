//! The call that is decided.

use serde_json::Value;

/// A tool call and what the host knows about the paths in it.
#[derive(Debug, Clone, Copy)]
pub struct Call<'a> {
    /// The tool's name on the wire.
    pub tool: &'a str,
    /// Its input.
    pub input: &'a Value,
    /// Where paths really lead, as pairs of the path asked for and the path without symlinks. The paths to
    /// resolve are given by [`crate::paths`]. A path that is not listed is taken as it is written.
    pub resolved: &'a [(String, String)],
}

impl<'a> Call<'a> {
    /// A call with nothing known about symlinks.
    pub fn new(tool: &'a str, input: &'a Value) -> Self {
        Self { tool, input, resolved: &[] }
    }

    /// The same call with the real paths behind the paths in it.
    pub fn with_resolved(self, resolved: &'a [(String, String)]) -> Self {
        Self { resolved, ..self }
    }

    /// The path as written, and where it really leads if that is known to be elsewhere.
    pub(crate) fn places<'p>(&self, path: &'p str) -> impl Iterator<Item = &'p str>
    where
        'a: 'p,
    {
        let real = self.resolved.iter().filter(move |(asked, real)| asked == path && real != path);
        std::iter::once(path).chain(real.map(|(_, real)| real.as_str()))
    }
}
