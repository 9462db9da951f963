use std::sync::Arc;

use aqueduct_wire::IntoOwned as _;
use aqueduct_wire::json::Raw;
use serde_json::Value;

use super::{AGENT, BASH, Call, Form, ModeChange, Running, STRUCTURED_OUTPUT, Tool, Workshop};
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
    /// The form that the answer must have.
    Form(Arc<Form>),
}

impl Offer {
    /// The name by which the model and the rules know it.
    pub(crate) fn name(&self) -> &str {
        match self {
            Offer::Own(tool) => tool.name,
            Offer::Served(tool) => &tool.name,
            Offer::Form(_) => STRUCTURED_OUTPUT,
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
            Offer::Form(_) => Form::DESCRIPTION,
        }
    }

    /// The same with what only this workshop knows: how commands are held.
    pub(crate) fn told(&self, workshop: &Workshop) -> String {
        let more = match self {
            Offer::Own(tool) if tool.name == BASH => workshop.sandbox.briefing(&workshop.roots()),
            _ => None,
        };
        [self.description(), &more.unwrap_or_default()].concat()
    }

    /// The JSON Schema of its input.
    pub(crate) fn schema(&self) -> Raw<'static> {
        match self {
            Offer::Own(tool) => Raw::parse(tool.schema).unwrap_or(Raw::NULL),
            Offer::Served(tool) => tool.schema.clone().into_owned(),
            Offer::Form(form) => form.raw.clone(),
        }
    }

    /// Whether several calls may run side by side.
    pub(crate) fn runs_beside(&self) -> bool {
        match self {
            Offer::Own(tool) => tool.runs_beside(),
            Offer::Served(tool) => tool.reads_only,
            Offer::Form(_) => false,
        }
    }

    /// What a call must have and has not, as text for the model. Servers look after their tools themselves.
    pub(crate) fn missing(&self, input: &Value) -> Option<String> {
        match self {
            Offer::Own(tool) => tool.missing(input),
            Offer::Served(_) | Offer::Form(_) => None,
        }
    }

    /// Whether it takes the model's answer.
    pub(crate) fn is_form(&self) -> bool {
        matches!(self, Offer::Form(_))
    }

    /// Whether it asks a model about the web.
    pub(crate) fn is_web(&self) -> bool {
        matches!(self, Offer::Own(tool) if tool.is_web())
    }

    /// Whether the user's answer is the point of it.
    pub(crate) fn is_interactive(&self) -> bool {
        matches!(self, Offer::Own(tool) if tool.is_interactive())
    }

    /// What a call of it does to the permission mode, when it succeeds.
    pub(crate) fn mode_change(&self) -> Option<ModeChange> {
        match self {
            Offer::Own(tool) => tool.mode_change(),
            Offer::Served(_) | Offer::Form(_) => None,
        }
    }

    /// The tool of a server, if it is one.
    pub(crate) fn served(&self) -> Option<&ServedTool> {
        match self {
            Offer::Own(_) | Offer::Form(_) => None,
            Offer::Served(tool) => Some(tool),
        }
    }

    /// What a call waits for, for people, where that is an MCP server.
    pub(crate) fn awaited(&self) -> Option<String> {
        match self {
            Offer::Served(tool) => Some(format!("{} of the MCP server {}", tool.own_name(), tool.server)),
            Offer::Own(tool) if tool.asks_servers() => {
                Some(format!("the MCP server that {} asks", tool.name))
            }
            Offer::Own(_) | Offer::Form(_) => None,
        }
    }

    /// Runs a call that has been allowed.
    pub(crate) fn run<'a>(&'a self, workshop: &'a Workshop, call: Call<'a>) -> Running<'a> {
        match self {
            Offer::Own(tool) => (tool.run)(workshop, call),
            Offer::Served(tool) => Box::pin(workshop.mcp.call(tool, call, &workshop.spool)),
            Offer::Form(form) => form.take(call),
        }
    }
}
