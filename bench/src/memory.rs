//! What processes hold, as the kernel counts it.

use std::fs;

use anyhow::{Context as _, Result};

/// The proportional set size of a process and everything that it started, in bytes.
pub(crate) fn proportional(process: u32) -> Result<u64> {
    // A child may end while it is looked at: then it holds nothing.
    let of_children = children(process).into_iter().filter_map(|child| proportional(child).ok());
    Ok(own(process)? + of_children.sum::<u64>())
}

/// The proportional set size of a process alone, in bytes.
pub(crate) fn own(process: u32) -> Result<u64> {
    Ok(kilobytes(&format!("/proc/{process}/smaps_rollup"), "Pss:")? * 1024)
}

/// The resident set size of a process, in bytes.
pub(crate) fn resident(process: u32) -> Result<u64> {
    Ok(kilobytes(&format!("/proc/{process}/status"), "VmRSS:")? * 1024)
}

/// What a process holds that comes from no file, in bytes. Beside the proportional set size this does not change
/// with how many others run the same program.
pub(crate) fn anonymous(process: u32) -> Result<u64> {
    Ok(kilobytes(&format!("/proc/{process}/status"), "RssAnon:")? * 1024)
}

/// The highest resident set size that a process had since its start or the last [`forget_peak`], in bytes.
pub(crate) fn peak(process: u32) -> Result<u64> {
    Ok(kilobytes(&format!("/proc/{process}/status"), "VmHWM:")? * 1024)
}

/// Lets the peak begin again with what is resident now.
pub(crate) fn forget_peak(process: u32) -> Result<()> {
    let file = format!("/proc/{process}/clear_refs");
    fs::write(&file, "5").with_context(|| format!("{file} could not be written"))
}

/// How many files a process has open.
pub(crate) fn open_files(process: u32) -> Result<usize> {
    let folder = format!("/proc/{process}/fd");
    Ok(fs::read_dir(&folder).with_context(|| format!("{folder} could not be read"))?.count())
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
        assert!(peak(this).expect("is readable") >= resident(this).expect("is readable"));
        assert!(open_files(this).expect("is readable") > 0);
    }
}
