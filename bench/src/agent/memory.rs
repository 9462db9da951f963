//! What processes hold in memory, as the kernel counts it.

use std::fs;

use anyhow::{Context as _, Result};

/// The proportional set size of a process and everything that it started, in bytes.
pub(super) fn proportional(process: u32) -> Result<u64> {
    let of_it = kilobytes(&format!("/proc/{process}/smaps_rollup"), "Pss:")?;
    // A child may end while it is looked at: then it holds nothing.
    let of_children = children(process).into_iter().filter_map(|child| proportional(child).ok());
    Ok(of_it * 1024 + of_children.sum::<u64>())
}

/// The highest resident set size that a process ever had, in bytes.
pub(super) fn peak(process: u32) -> Result<u64> {
    Ok(kilobytes(&format!("/proc/{process}/status"), "VmHWM:")? * 1024)
}

/// Any thread may start children, and is then their parent here.
fn children(process: u32) -> Vec<u32> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    let ids = |list: String| list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>();
    lists.flat_map(ids).collect()
}

fn kilobytes(file: &str, field: &str) -> Result<u64> {
    let text = fs::read_to_string(file).with_context(|| format!("{file} could not be read"))?;
    let line = text.lines().find_map(|line| line.strip_prefix(field));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    number.with_context(|| format!("{file} has no number behind {field}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_holds_something() {
        let this = std::process::id();
        assert!(proportional(this).expect("is readable") > 0);
        assert!(peak(this).expect("is readable") > 0);
    }
}
