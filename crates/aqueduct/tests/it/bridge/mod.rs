//! The bridge with our agent behind it: sessions as clients see them.

mod crash;
mod days;
mod lives;
mod ordering;
mod storage;
mod terminals;
mod world;
