use std::sync::Arc;

use aqueduct_mcp::ServedTool;
use aqueduct_wire::json::Raw;
use serde_json::Value;

use super::row::{ToolFacts, ToolNeed};
use super::{
    AnswerForm, BuiltInTool, InvalidInput, ModeChange, STRUCTURED_OUTPUT, ToolContext, ToolFuture,
    ToolInvocation,
};

/// A tool that the model may call, regardless of what runs it.
#[derive(Clone)]
pub enum OfferedTool {
    /// One of the table.
    Own(&'static BuiltInTool),
    /// One of an MCP server.
    Served(Arc<ServedTool>),
    /// The form that the answer must have.
    Form(Arc<AnswerForm>),
}

impl OfferedTool {
    /// The name by which the model and the rules know it.
    pub fn name(&self) -> &str {
        match self {
            OfferedTool::Own(tool) => tool.name,
            OfferedTool::Served(tool) => &tool.name,
            OfferedTool::Form(_) => STRUCTURED_OUTPUT,
        }
    }

    /// Whether a model may mean it by this name. Models know some tools by older names, too.
    pub fn answers_to(&self, name: &str) -> bool {
        match self {
            OfferedTool::Own(tool) => tool.answers_to(name),
            OfferedTool::Served(_) | OfferedTool::Form(_) => self.name() == name,
        }
    }

    /// What it does, for the model.
    pub fn description(&self) -> &str {
        match self {
            OfferedTool::Own(tool) => tool.description,
            OfferedTool::Served(tool) => &tool.description,
            OfferedTool::Form(_) => AnswerForm::DESCRIPTION,
        }
    }

    /// The same with what only this tool context knows: how commands are sandboxed.
    pub fn describe(&self, tool_context: &ToolContext) -> String {
        let briefing = self.facts().and_then(|facts| facts.briefing);
        let more = briefing.and_then(|briefing| briefing(tool_context));
        [self.description(), &more.unwrap_or_default()].concat()
    }

    /// The JSON Schema of its input.
    pub fn schema(&self) -> Raw<'static> {
        match self {
            OfferedTool::Own(tool) => Raw::parse(tool.schema).unwrap_or(Raw::NULL),
            OfferedTool::Served(tool) => tool.schema.clone().into_owned(),
            OfferedTool::Form(form) => form.raw.clone(),
        }
    }

    /// Whether several calls may run side by side.
    pub fn runs_beside(&self) -> bool {
        match self {
            OfferedTool::Own(tool) => tool.runs_beside(),
            OfferedTool::Served(tool) => tool.reads_only,
            OfferedTool::Form(_) => false,
        }
    }

    /// Compares an input with the schema. Servers check the inputs of their tools themselves.
    pub fn check_input(&self, input: &Value) -> Result<(), InvalidInput> {
        match self {
            OfferedTool::Own(tool) => tool.check_input(input),
            OfferedTool::Served(_) | OfferedTool::Form(_) => Ok(()),
        }
    }

    /// The input of a call as hooks, the host and the tool itself get it (see [`BuiltInTool::spelled_out`]).
    pub fn spelled_out(&self, tool_context: &ToolContext, input: Raw<'static>) -> Raw<'static> {
        match self {
            OfferedTool::Own(tool) => tool.spelled_out(tool_context, input),
            OfferedTool::Served(_) | OfferedTool::Form(_) => input,
        }
    }

    /// The tool of the table, if it is one.
    pub fn own(&self) -> Option<&'static BuiltInTool> {
        match self {
            OfferedTool::Own(tool) => Some(tool),
            OfferedTool::Served(_) | OfferedTool::Form(_) => None,
        }
    }

    /// Whether it takes the model's answer.
    pub fn is_form(&self) -> bool {
        matches!(self, OfferedTool::Form(_))
    }

    /// What is asked about a tool of the table.
    pub fn facts(&self) -> Option<&'static ToolFacts> {
        self.own().map(|tool| &tool.facts)
    }

    /// Whether one of the table has this property.
    pub fn is(&self, property: impl FnOnce(&ToolFacts) -> bool) -> bool {
        self.facts().is_some_and(property)
    }

    /// The name by which hosts look for it in `init`.
    pub fn listed_name(&self) -> &str {
        self.facts().and_then(|facts| facts.listed_as).unwrap_or(self.name())
    }

    /// What a call of it does to the permission mode, when it succeeds.
    pub fn mode_change(&self) -> Option<ModeChange> {
        self.facts()?.mode_change
    }

    /// The tool of a server, if it is one.
    pub fn served(&self) -> Option<&ServedTool> {
        match self {
            OfferedTool::Own(_) | OfferedTool::Form(_) => None,
            OfferedTool::Served(tool) => Some(tool),
        }
    }

    /// What a call waits for, for people, where that is an MCP server.
    pub fn awaited(&self) -> Option<String> {
        match self {
            OfferedTool::Served(tool) => {
                Some(format!("{} of the MCP server {}", tool.own_name(), tool.server))
            }
            OfferedTool::Own(tool) if tool.facts.needs == ToolNeed::Resources => {
                Some(format!("the MCP server that {} asks", tool.name))
            }
            OfferedTool::Own(_) | OfferedTool::Form(_) => None,
        }
    }

    /// Runs a call that has been allowed.
    pub fn run<'a>(&'a self, tool_context: &'a ToolContext, call: ToolInvocation<'a>) -> ToolFuture<'a> {
        match self {
            OfferedTool::Own(tool) => (tool.run)(tool_context, call),
            OfferedTool::Served(tool) => Box::pin(async move {
                let called = tool_context.mcp.call(
                    tool,
                    call.id,
                    &call.input,
                    &tool_context.commands.spool,
                    &call.cancel,
                );
                Ok(called.await?.into())
            }),
            OfferedTool::Form(form) => form.take(call),
        }
    }
}
