//! The bridge with our agent behind it: sessions as clients see them.

mod days;
mod world;
