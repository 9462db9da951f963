//! What can be seen of the bridge from outside.

mod message;
