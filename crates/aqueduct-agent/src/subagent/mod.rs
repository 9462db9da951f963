//! Subagents: agents that the model sends on errands, each with a conversation of its own.
//!
//! The [`Roster`] is which kinds there are. The Agent tool hands an [`Errand`] to the session's loop, which
//! does it beside everything else; [`Crew`] is who is at work, and who was.

mod built_in;
mod crew;
mod definition;
mod errand;
mod frames;
mod identity;
mod read;
mod report;
mod roster;
mod run;
mod servers;
mod told;
mod verifier;
mod wait;

pub(crate) use crew::{Crew, Member};
pub(crate) use definition::{Definition, EFFORTS, Whose};
pub(crate) use errand::{Errand, Order, Sender};
pub(crate) use frames::{Progress, TASK_TYPE};
pub(crate) use identity::{Identity, MAX_DEPTH};
pub(crate) use report::{Ended, Report};
pub(crate) use roster::{Roster, RosterSources, provided};
pub(crate) use run::Subagent;
pub(crate) use told::Place;
