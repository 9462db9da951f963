//! The address of an API.

use reqwest::Url;

use crate::error::{Error, ErrorKind};

/// How much of an address is shown.
const SHOWN: usize = 200;

/// The address of a path below a base, which `variable` names. A query stays behind the path: some gateways want one.
pub(super) fn below(base: &str, variable: &str, path: &str) -> Result<Url, Error> {
    let bad = |why: &str| {
        let message = format!("{variable} is not a server address: {why}");
        Error::plain(ErrorKind::Connection, message).with_hint("Write it as https://HOST/PATH.")
    };
    let mut url = Url::parse(base).map_err(|error| bad(&error.to_string()))?;
    if !is_http(&url) {
        return Err(bad("it begins with neither https:// nor http://"));
    }
    let path = format!("{}{path}", url.path().trim_end_matches('/'));
    url.set_path(&path);
    url.set_fragment(None);
    Ok(url)
}

/// An address for people: without what may be a password in it. Where it makes no sense, all of it may be one.
pub(super) fn shown(address: &str) -> Option<String> {
    let mut url = Url::parse(address).ok().filter(is_http)?;
    // Addresses of servers take all three.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.set_query(None);
    url.set_fragment(None);
    Some(url.as_str().chars().take(SHOWN).collect())
}

/// Whether a server can be reached there at all.
fn is_http(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https") && url.has_host()
}
