//! How hard a model can be asked to think.

/// The levels, from the least to the most.
pub(crate) const EFFORTS: &[&str] = &["low", "medium", "high", "xhigh", "max"];
