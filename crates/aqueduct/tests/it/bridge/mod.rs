//! The bridge with our agent behind it: sessions as clients see them.

mod days;
mod terminals;
mod world;
