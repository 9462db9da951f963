//! Gives the linker the program's layout: functions that run in every session are next to one another.
//!
//! A page of code counts as memory once it is mapped, and the kernel maps the pages around each one that runs. The
//! layout is an optimization only: where the linker is not known to read it, the program is linked without it.
//!
//! Addresses in constants are relocated when the program starts. Their table has 24 bytes for each, all of which are
//! read then; packed it has a fiftieth of that. The loader of glibc reads packed tables since 2.36.

use std::env;
use std::path::Path;
use std::process::Command;

const LAYOUT: &str = "layout.ld";

/// The names under which `-fuse-ld` selects a linker that reads `INSERT` in a linker script.
const LINKERS: &[&str] = &["lld", "bfd"];

/// What the names of linkers that do not read it contain.
const OTHER_LINKERS: &[&str] = &["mold", "wild", "gold"];

/// The first version of glibc that reads packed tables of relocations.
const PACKED_SINCE: (u32, u32) = (2, 36);

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
    let packs = applies && loader_reads_packed_tables();
    println!("cargo::metadata=packs={packs}");
    if packs {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
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

/// Whether this machine's glibc does: programs are not expected to run on older ones than that they are built on.
fn loader_reads_packed_tables() -> bool {
    let is_native = variable("HOST") == variable("TARGET") && variable("CARGO_CFG_TARGET_ENV") == "gnu";
    is_native && glibc_version().is_some_and(|version| version >= PACKED_SINCE)
}

fn glibc_version() -> Option<(u32, u32)> {
    let output = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (major, rest) = text.trim().strip_prefix("glibc ")?.split_once('.')?;
    let minor = rest.split('.').next()?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_default()
}
