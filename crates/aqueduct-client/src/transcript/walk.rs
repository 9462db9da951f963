//! A conversation from beginning to end, with its subagents where they were called.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use aqueduct_wire::block::ContentBlock;
use aqueduct_wire::json::{Map, Raw, Str};
use aqueduct_wire::transcript::TranscriptLine;

use super::TranscriptError;
use super::message::Message;
use super::reading::{ReadOptions, Transcript};
use super::session::StoredSession;
use super::subagent::Subagent;

/// How deep subagents of subagents are followed.
const DEEPEST: usize = 16;

/// A step of the way through a conversation.
#[derive(Debug)]
#[non_exhaustive]
pub enum ConversationStep<'s> {
    /// A message, and its depth among the subagents.
    Message {
        /// The message.
        message: &'s Message,
        /// 0 for the main conversation.
        depth: usize,
    },
    /// A subagent's messages begin, at this depth.
    SubagentBegins {
        /// The subagent; `None` for one whose lines are in the session's own file.
        subagent: Option<&'s Subagent>,
        /// At least 1.
        depth: usize,
    },
    /// The subagent's messages end.
    SubagentEnds {
        /// At least 1.
        depth: usize,
    },
}

/// Why a way ended before its end.
enum WalkError {
    /// The callback stopped the walk.
    Enough,
    Failed(TranscriptError),
}

impl From<TranscriptError> for WalkError {
    fn from(error: TranscriptError) -> Self {
        WalkError::Failed(error)
    }
}

impl StoredSession {
    /// Goes through a conversation, with the conversations of its subagents where they were called; those whose
    /// call is not known come at the end. `visit` may break off.
    pub fn walk(
        &self,
        options: &ReadOptions,
        visit: impl FnMut(ConversationStep<'_>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, TranscriptError> {
        self.walk_through(&self.open_with(options)?, visit)
    }

    /// As [`StoredSession::walk`], through a conversation of this session that is open already.
    pub fn walk_through(
        &self,
        transcript: &Transcript,
        mut visit: impl FnMut(ConversationStep<'_>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, TranscriptError> {
        let subagents = self.subagents()?;
        let numbered = || subagents.iter().enumerate();
        let call = |(number, subagent): (usize, &'_ Subagent)| {
            Some((subagent.meta().tool_use_id.as_ref()?.to_string(), number))
        };
        let mut walk = ConversationWalk {
            by_call: numbered().filter_map(call).collect(),
            by_id: numbered().map(|(number, subagent)| (subagent.id(), number)).collect(),
            subagents: &subagents,
            seen: HashSet::new(),
            visit: &mut visit,
        };
        let walked = walk.through(transcript, None, 0).and_then(|()| match transcript.is_part() {
            // Those that were called in it have been seen.
            true => Ok(()),
            false => walk.rest(transcript),
        });
        match walked {
            Ok(()) => Ok(ControlFlow::Continue(())),
            Err(WalkError::Enough) => Ok(ControlFlow::Break(())),
            Err(WalkError::Failed(error)) => Err(error),
        }
    }
}

struct ConversationWalk<'s, F> {
    subagents: &'s [Subagent],
    /// Which subagent a call started.
    by_call: HashMap<String, usize>,
    by_id: HashMap<&'s str, usize>,
    /// Those that have been gone through.
    seen: HashSet<usize>,
    visit: &'s mut F,
}

impl<F: FnMut(ConversationStep<'_>) -> ControlFlow<()>> ConversationWalk<'_, F> {
    fn visit_step(&mut self, step: ConversationStep<'_>) -> Result<(), WalkError> {
        match (self.visit)(step) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(WalkError::Enough),
        }
    }

    /// Goes through one conversation.
    fn through(
        &mut self,
        transcript: &Transcript,
        call: Option<&str>,
        depth: usize,
    ) -> Result<(), WalkError> {
        for message in transcript.messages() {
            self.message(message?, call, depth)?;
        }
        Ok(())
    }

    fn message(&mut self, message: Message, call: Option<&str>, depth: usize) -> Result<(), WalkError> {
        let message = match call {
            Some(call) => message.of_subagent(call),
            None => message,
        };
        if depth < DEEPEST && self.seen.len() < self.subagents.len() {
            self.answered(&message, depth)?;
            self.visit_step(ConversationStep::Message { message: &message, depth })?;
            return self.called(&message, depth);
        }
        self.visit_step(ConversationStep::Message { message: &message, depth })
    }

    /// The subagents that a message has called.
    fn called(&mut self, message: &Message, depth: usize) -> Result<(), WalkError> {
        let Some(TranscriptLine::Assistant(line)) = message.typed() else { return Ok(()) };
        for block in line.message.view().iter().flat_map(|message| &message.content) {
            if let ContentBlock::ToolUse(call) = block
                && let Some(&number) = self.by_call.get(call.id.as_str())
            {
                self.subagent(number, &call.id, depth)?;
            }
        }
        Ok(())
    }

    /// The subagent whose answer a message has, where only that identifies the called one.
    fn answered(&mut self, message: &Message, depth: usize) -> Result<(), WalkError> {
        let Some(TranscriptLine::User(line)) = message.typed() else { return Ok(()) };
        let result = line.tool_use_result.as_ref().and_then(|result| result.view::<Map<'_, Raw<'_>>>());
        let id = result.as_ref().and_then(|result| result.get("agentId")?.view::<Str<'_>>());
        let Some(&number) = id.and_then(|id| self.by_id.get(id.as_str())) else { return Ok(()) };
        let message = line.message.view();
        let blocks = message.as_ref().map(|message| message.content.blocks()).unwrap_or_default();
        let call = blocks.iter().find_map(|block| match block {
            ContentBlock::ToolResult(block) => Some(block.tool_use_id.as_str()),
            _ => None,
        });
        self.subagent(number, call.unwrap_or_default(), depth)
    }

    /// Goes through a subagent's conversation, once.
    fn subagent(&mut self, number: usize, call: &str, depth: usize) -> Result<(), WalkError> {
        let Some(subagent) = self.subagents.get(number).filter(|_| self.seen.insert(number)) else {
            return Ok(());
        };
        let (transcript, depth) = (subagent.open()?, depth + 1);
        self.visit_step(ConversationStep::SubagentBegins { subagent: Some(subagent), depth })?;
        self.through(&transcript, Some(call), depth)?;
        self.visit_step(ConversationStep::SubagentEnds { depth })
    }

    /// The subagents whose call was not found.
    fn rest(&mut self, transcript: &Transcript) -> Result<(), WalkError> {
        for number in 0..self.subagents.len() {
            self.subagent(number, "", 0)?;
        }
        for chain in transcript.sidechains() {
            self.visit_step(ConversationStep::SubagentBegins { subagent: None, depth: 1 })?;
            for message in chain.into_iter().map(|number| transcript.message(number)) {
                let message = message?;
                if message.kind().is_said() {
                    self.message(message, Some(""), 1)?;
                }
            }
            self.visit_step(ConversationStep::SubagentEnds { depth: 1 })?;
        }
        Ok(())
    }
}
