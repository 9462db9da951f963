use aqueduct_wire::json::Raw;

/// A tool that the model knows by name only.
#[derive(Debug, Clone)]
pub struct DeferredTool {
    /// The name by which the model calls it.
    pub name: String,
    /// The name that its server gives it.
    pub short_name: String,
    /// The search hint of its server.
    pub hint: String,
    /// What it does.
    pub description: String,
    /// The JSON Schema of its input.
    pub schema: Raw<'static>,
}

impl DeferredTool {
    /// Whether a name means it.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name) || self.short_name.eq_ignore_ascii_case(name)
    }

    /// How well a word fits: whole words of the name most, then parts of it, then its description.
    pub(crate) fn fit(&self, word: &str) -> u32 {
        if word.is_empty() {
            return 0;
        }
        let name = self.name.to_lowercase();
        if name.split(['_', '-', '.']).any(|part| part == word) {
            return 8;
        }
        if name.contains(word) {
            return 4;
        }
        let mentions = |text: &str| text.to_lowercase().contains(word);
        if mentions(&self.hint) { 3 } else { u32::from(mentions(&self.description)) }
    }
}
