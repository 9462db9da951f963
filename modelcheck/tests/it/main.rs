//! The model is checked, and so is the check: it finds every seeded fault.

mod correct;
mod faults;
mod progress;
