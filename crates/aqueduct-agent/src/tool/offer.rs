use std::sync::Arc;

use aqueduct_wire::IntoOwned as _;
use aqueduct_wire::json::Raw;
use serde_json::Value;

use super::{AGENT, Call, ModeChange, Running, Tool, Workshop};
use crate::mcp::ServedTool;

/// What the Agent tool was called once. Hosts look for it by this name.
pub(crate) const TASK: &str = "Task";

/// A tool that the model may call, whoever runs it.
#[derive(Clone)]
pub(crate) enum Offer {
    /// One of the table.
    Own(&'static Tool),
    /// One of an MCP server.
    Served(Arc<ServedTool>),
}

impl Offer {
    /// The name by which the model and the rules know it.
    pub(crate) fn name(&self) -> &str {
        match self {
            Offer::Own(tool) => tool.name,
            Offer::Served(tool) => &tool.name,
        }
    }

    /// Whether a model may mean it by this name. Models know the Agent tool by an older name, too.
    pub(crate) fn answers_to(&self, name: &str) -> bool {
        self.name() == name || (name == TASK && self.name() == AGENT)
    }

    /// What it does, for the model.
    pub(crate) fn description(&self) -> &str {
        match self {
            Offer::Own(tool) => tool.description,
            Offer::Served(tool) => &tool.description,
        }
    }

    /// The JSON Schema of its input.
    pub(crate) fn schema(&self) -> Raw<'static> {
        match self {
            Offer::Own(tool) => Raw::parse(tool.schema).unwrap_or(Raw::NULL),
            Offer::Served(tool) => tool.schema.clone().into_owned(),
        }
    }

    /// Whether several calls may run side by side.
    pub(crate) fn runs_beside(&self) -> bool {
        match self {
            Offer::Own(tool) => tool.runs_beside(),
            Offer::Served(tool) => tool.reads_only,
        }
    }

    /// What a call must have and has not, as text for the model. Servers look after their tools themselves.
    pub(crate) fn missing(&self, input: &Value) -> Option<String> {
        match self {
            Offer::Own(tool) => tool.missing(input),
            Offer::Served(_) => None,
        }
    }

    /// Whether the user's answer is the point of it.
    pub(crate) fn is_interactive(&self) -> bool {
        matches!(self, Offer::Own(tool) if tool.is_interactive())
    }

    /// What a call of it does to the permission mode, when it succeeds.
    pub(crate) fn mode_change(&self) -> Option<ModeChange> {
        match self {
            Offer::Own(tool) => tool.mode_change(),
            Offer::Served(_) => None,
        }
    }

    /// The tool of a server, if it is one.
    pub(crate) fn served(&self) -> Option<&ServedTool> {
        match self {
            Offer::Own(_) => None,
            Offer::Served(tool) => Some(tool),
        }
    }

    /// Runs a call that has been allowed.
    pub(crate) fn run<'a>(&'a self, workshop: &'a Workshop, call: Call<'a>) -> Running<'a> {
        match self {
            Offer::Own(tool) => (tool.run)(workshop, call),
            Offer::Served(tool) => Box::pin(workshop.mcp.call(tool, call, &workshop.spool)),
        }
    }
}
