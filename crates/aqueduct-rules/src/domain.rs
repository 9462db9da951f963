//! Hosts of web addresses.

/// The host of an address, in lower case and without a trailing dot. `None` when it has none or when
/// different programs would read different hosts out of it.
pub(crate) fn host(url: &str) -> Option<String> {
    let url = url.trim();
    if url.chars().any(|c| c.is_control() || c.is_whitespace() || c == '\\') {
        return None;
    }
    let (scheme, rest) = url.split_once("://")?;
    if !scheme.eq_ignore_ascii_case("http") && !scheme.eq_ignore_ascii_case("https") {
        return None;
    }
    let authority = rest.split(['/', '?', '#']).next()?;
    let place = authority.rsplit('@').next()?;
    let end =
        if place.starts_with('[') { place.find(']')? + 1 } else { place.find(':').unwrap_or(place.len()) };
    let (name, port) = place.split_at(end);
    let is_port = port.is_empty() || port.strip_prefix(':')?.bytes().all(|byte| byte.is_ascii_digit());
    if !is_port || !authority.is_ascii() {
        return None;
    }
    let name = name.trim_end_matches('.');
    let is_host = |c: char| c.is_ascii_alphanumeric() || "-._[]:".contains(c);
    let has_labels = name.starts_with('[') || name.split('.').all(|label| !label.is_empty());
    (has_labels && name.chars().all(is_host)).then(|| name.to_ascii_lowercase())
}

/// The host that the content of a rule names.
pub(crate) fn of_rule(content: &str) -> &str {
    content.trim_start_matches("domain:")
}

/// Whether a host is what `domain:` names. `*` matches any host and `*.example.com` for the hosts below
/// it. A plain name means that host alone when it permits, and the hosts below it too when it forbids.
pub(crate) fn covers(domain: &str, host: &str, forbids: bool) -> bool {
    let domain = domain.trim().trim_end_matches('.').to_ascii_lowercase();
    if domain == "*" || domain == host {
        return true;
    }
    let parent = match domain.strip_prefix("*.") {
        Some(parent) => parent,
        None if forbids => &domain,
        None => return false,
    };
    host.strip_suffix(parent).is_some_and(|rest| rest.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts() {
        assert_eq!(host("https://EXAMPLE.com.:8080/x").as_deref(), Some("example.com"));
        assert_eq!(host("https://example.com@evil.com/").as_deref(), Some("evil.com"));
        assert_eq!(host("http://[::1]:80/").as_deref(), Some("[::1]"));
        assert_eq!(host("example.com"), None);
        assert_eq!(host("file:///etc/passwd"), None);
        assert_eq!(host("https://example.com\\@evil.com/"), None);
    }

    #[test]
    fn subdomains() {
        assert!(covers("example.com", "example.com", false));
        assert!(!covers("example.com", "www.example.com", false));
        assert!(covers("example.com", "www.example.com", true));
        assert!(covers("*.example.com", "a.b.example.com", false));
        assert!(!covers("*.example.com", "example.com", false));
        assert!(!covers("example.com", "notexample.com", true));
    }
}
