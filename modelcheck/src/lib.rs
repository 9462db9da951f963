//! A model of how an input reaches the agent and how its output reaches the log, for exhaustive checking.
//!
//! The model has the processes of the bridge's design: client, bridge, keeper and agent. Each transition is
//! one atomic step of one process: one commit of the log, one record of the journal, one message. Between
//! any two steps a process may crash or freeze. [`Delivery`] is the model, [`System`] its state, [`Fault`]
//! a deliberate error in one step, which the checker must find.
//!
//! The model shares no code with the bridge. It checks the protocol: which step follows which, and what is
//! durable at each point. Tests of the bridge check that the code takes these steps.
//!
//! | file | contents |
//! |---|---|
//! | `delivery.rs` | [`Delivery`] and [`Bounds`]: the model, and how many crashes and messages it explores |
//! | `system.rs`, `log.rs`, `keeper.rs`, `queue.rs` | the state: what is durable, what is lost with a process, what is in flight |
//! | `step/` | the atomic steps, a file for each process: when each is possible, what it does. `ending.rs` is what the bridge commits when an agent has ended, `accident.rs` what fails |
//! | `property.rs` | the properties, and the situations that the model must be able to reach |
//! | `fault.rs` | the seeded faults; each is one changed step |
//! | `tests/it/` | the correct model within several bounds, every fault with the property that it breaks, and that no run is endless |

mod delivery;
mod fault;
mod keeper;
mod log;
mod property;
mod queue;
mod step;
mod system;

pub use delivery::{Bounds, Delivery};
pub use fault::Fault;
pub use keeper::{Activity, Agent, Entry, Fate, Folder, Frame, Keeper, Line, Process, Write, Writing};
pub use log::{Decision, InputState, Log, Row};
pub use property::{
    AT_REST, DECIDED_ONCE, DONE_WAS_GIVEN, NO_OUTPUT_LOST, NOTHING_LOST, ONE_AGENT, ORDERED, RUNS_ONCE,
};
pub use queue::Queue;
pub use step::{Accident, Action, AgentStep, BridgeStep, KeeperStep, UserStep};
pub use system::{Bridge, Budget, Client, Closing, History, Phase, System};

/// How many inputs the client sends.
pub const INPUTS: usize = 2;

/// How many inputs the log can hold: those of the client, and one that the user resends.
pub const ROWS: usize = INPUTS + 1;

/// How many keepers can exist at once, folders of dead ones included.
pub const KEEPERS: usize = 3;

/// The row whose turn asks for permission.
pub const ASKING: u8 = 0;
