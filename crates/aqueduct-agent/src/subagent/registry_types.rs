//! The registry, as the Agent tool uses it.

use aqueduct_tools::subagent::{SubagentType, SubagentTypes};

use super::subagent_registry::SubagentRegistry;

impl SubagentTypes for SubagentRegistry {
    fn find_type(&self, name: &str) -> Option<SubagentType> {
        let definition = self.find(name)?;
        Some(SubagentType {
            name: definition.name.clone(),
            is_background: definition.is_background,
            is_isolated: definition.is_isolated,
        })
    }

    fn reread(&self) -> bool {
        self.refresh().is_some()
    }

    fn type_names(&self) -> Vec<String> {
        self.all().iter().map(|definition| definition.name.clone()).collect()
    }
}
