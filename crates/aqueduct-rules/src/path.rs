//! Paths as text. Nothing here accesses a disk; the caller provides the targets of symlinks.

/// Makes a path absolute and removes `.`, `..` and doubled slashes. `None` for another user's home, which
/// only the system can resolve.
pub(crate) fn absolute(path: &str, cwd: &str, home: Option<&str>) -> Option<String> {
    if let Some(rest) = path.strip_prefix('~') {
        let home = home.filter(|_| rest.is_empty() || rest.starts_with('/'))?;
        return Some(normalized(&[home, "/", rest].concat(), cwd));
    }
    if path.starts_with('/') {
        return Some(normalized(path, cwd));
    }
    Some(normalized(&[cwd, "/", path].concat(), cwd))
}

/// A path from the root as it was written, with every `..` in it: where that leads only the disk knows.
pub(crate) fn as_written(path: &str, cwd: &str, home: Option<&str>) -> Option<String> {
    match path.strip_prefix('~') {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => Some(format!("{}{rest}", home?)),
        Some(_) => None,
        None if path.starts_with('/') => Some(path.to_owned()),
        None => Some(format!("{}/{path}", cwd.trim_end_matches('/'))),
    }
}

fn normalized(path: &str, cwd: &str) -> String {
    // The descriptors of a process are a link into the process directory.
    let clean = match path.strip_prefix("/dev/fd/..") {
        Some(rest) => lexical(&format!("/proc/self/{rest}")),
        None => lexical(path),
    };
    // The process directory holds links to the root and to the working directory of every process, and so
    // do the directories of its threads.
    let Some(rest) = clean.strip_prefix("/proc/") else { return clean };
    let mut parts = rest.splitn(3, '/');
    let (_process, link, below) = (parts.next(), parts.next(), parts.next().unwrap_or_default());
    match link {
        Some("root") => normalized(&format!("/{below}"), cwd),
        Some("cwd") => lexical(&format!("{cwd}/{below}")),
        Some("task") => normalized(&format!("/proc/{below}"), cwd),
        _ => clean,
    }
}

/// Removes `.`, `..` and doubled slashes from an absolute path, without regard to symlinks.
pub(crate) fn lexical(path: &str) -> String {
    let mut clean = String::with_capacity(path.len());
    for component in path.split('/') {
        match component {
            "" | "." => {}
            ".." => clean.truncate(clean.rfind('/').unwrap_or(0)),
            other => {
                clean.push('/');
                clean.push_str(other);
            }
        }
    }
    if clean.is_empty() {
        clean.push('/');
    }
    clean
}

/// Whether a normalized path is a directory or is below it.
pub(crate) fn is_within(path: &str, directory: &str) -> bool {
    below(path, directory).is_some()
}

/// The part of a path below a directory, without a leading slash; empty for the directory itself.
pub(crate) fn below<'a>(path: &'a str, directory: &str) -> Option<&'a str> {
    let directory = directory.trim_end_matches('/');
    let rest = path.strip_prefix(directory)?;
    match rest.strip_prefix('/') {
        Some(rest) => Some(rest),
        None => rest.is_empty().then_some(""),
    }
}

/// The directory that contains a path.
pub(crate) fn parent(path: &str) -> &str {
    match path.rfind('/') {
        None | Some(0) => "/",
        Some(slash) => &path[..slash],
    }
}

/// Whether `..` follows a named directory: if that directory is a symlink, the path leads elsewhere than
/// its text shows.
pub(crate) fn climbs_after_descent(path: &str) -> bool {
    let mut descended = false;
    for component in path.split('/') {
        match component {
            "" | "." => {}
            ".." if descended => return true,
            ".." => {}
            _ => descended = true,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absolute_paths() {
        let at = |path| absolute(path, "/proj", Some("/home/me"));
        assert_eq!(at("a/./b//c/").as_deref(), Some("/proj/a/b/c"));
        assert_eq!(at("../../../x").as_deref(), Some("/x"));
        assert_eq!(at("~").as_deref(), Some("/home/me"));
        assert_eq!(at("~/x").as_deref(), Some("/home/me/x"));
        assert_eq!(at("~root/x"), None);
        assert_eq!(at("/proc/self/root/etc/passwd").as_deref(), Some("/etc/passwd"));
        assert_eq!(at("/proc/1/root/proc/2/root/x").as_deref(), Some("/x"));
        assert_eq!(at("/proc/self/cwd/.env").as_deref(), Some("/proj/.env"));
    }

    #[test]
    fn climbing() {
        assert!(climbs_after_descent("src/../x"));
        assert!(!climbs_after_descent("../../x"));
        assert!(!climbs_after_descent("/../x"));
    }
}
