//! Tests of the script.
