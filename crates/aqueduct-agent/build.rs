//! Gives the linker the program's layout: functions that run in every session are next to one another.
//!
//! A page of code counts as memory once it is mapped, and the kernel maps the pages around each one that runs. The
//! layout is an optimization only: where the linker is not known to read it, the program is linked without it.

use std::env;
use std::path::Path;

const LAYOUT: &str = "layout.ld";

/// The names under which `-fuse-ld` selects a linker that reads `INSERT` in a linker script.
const LINKERS: &[&str] = &["lld", "bfd"];

/// What the names of linkers that do not read it contain.
const OTHER_LINKERS: &[&str] = &["mold", "wild", "gold"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={LAYOUT}");
    let is_release = variable("PROFILE") == "release";
    let applies = is_release && variable("CARGO_CFG_TARGET_OS") == "linux" && linker_reads_layouts();
    // For the build scripts of programs that depend on this crate and have a layout too.
    println!("cargo::metadata=applies={applies}");
    if applies {
        let layout = Path::new(&variable("CARGO_MANIFEST_DIR")).join(LAYOUT);
        println!("cargo::rustc-link-arg-bins=-T{}", layout.display());
    }
}

/// Rust's own choice is lld or the system's GNU ld. Another one is chosen by a setting of cargo or a flag of rustc.
fn linker_reads_layouts() -> bool {
    let program = variable("RUSTC_LINKER");
    let name = Path::new(&program).file_name().unwrap_or_default().to_string_lossy();
    let flags = variable("CARGO_ENCODED_RUSTFLAGS");
    let mut chosen = flags.split('\u{1f}').flat_map(str::split_whitespace).filter_map(|flag| {
        let (_, linker) = flag.split_once("-fuse-ld=").or_else(|| flag.split_once("--ld-path="))?;
        Some(linker)
    });
    !OTHER_LINKERS.iter().any(|other| name.contains(other)) && chosen.all(|linker| LINKERS.contains(&linker))
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_default()
}
