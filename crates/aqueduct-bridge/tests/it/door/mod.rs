//! Who may come in.

mod devices;
mod gate;
mod parsing;
