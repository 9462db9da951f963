//! stream-json on the wire.
