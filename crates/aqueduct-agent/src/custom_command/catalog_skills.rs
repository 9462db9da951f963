//! The catalog, as tools use it.

use std::path::Path;

use aqueduct_tools::SkillCatalog;

use super::command_catalog::CommandCatalog;

impl SkillCatalog for CommandCatalog {
    fn skill_named(&self, name: &str) -> Option<String> {
        self.find(name).map(|custom_command| custom_command.name)
    }

    fn callable(&self) -> Vec<String> {
        self.for_model().into_iter().map(|custom_command| custom_command.name).collect()
    }

    fn note_file(&self, file: &Path, is_sandboxed: bool) {
        self.visit(file, is_sandboxed);
    }

    fn note_directory(&self, directory: &Path) {
        self.add_directory(directory);
    }
}
