//! Agents that break, in every way that was thought of. Each time: the right outcome, no hang, nothing left behind.

mod callbacks;
mod closing;
mod endings;
mod floods;
mod garbage;
mod input;
mod owners;
mod random;
