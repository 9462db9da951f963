//! Memory files.
