//! Gives the linker the program's layout: functions that run whenever the bridge starts lie next to one another.
//!
//! The build script of `aqueduct-agent` finds out whether the linker reads layouts and the loader packed tables of
//! relocations, and explains why that matters.

use std::env;
use std::path::Path;

const LAYOUT: &str = "layout.ld";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={LAYOUT}");
    if is_true("DEP_AQUEDUCT_LAYOUT_APPLIES") {
        let folder = env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
        println!("cargo::rustc-link-arg-bins=-T{}", Path::new(&folder).join(LAYOUT).display());
    }
    if is_true("DEP_AQUEDUCT_LAYOUT_PACKS") {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

fn is_true(variable: &str) -> bool {
    env::var(variable).is_ok_and(|value| value == "true")
}
