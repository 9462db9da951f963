use super::Token;
use crate::message::COOKIE;

const A_YEAR: u64 = 365 * 24 * 60 * 60;

/// The values that a `Cookie` header has for a name, in order. What is no cookie is passed over.
pub fn cookies<'a>(header: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    header.split(';').filter_map(move |pair| {
        let (key, value) = pair.trim_matches([' ', '\t']).split_once('=')?;
        let value = value.trim_matches([' ', '\t']);
        let bare = value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap_or(value);
        (key.trim_end_matches([' ', '\t']) == name).then_some(bare)
    })
}

/// The `Set-Cookie` header that gives a browser its token. Scripts can't read it, and pages from elsewhere can't
/// make a browser send it.
pub fn set_cookie(token: &Token, secure: bool) -> String {
    let secure = if secure { "; Secure" } else { "" };
    let token = token.reveal();
    format!("{COOKIE}={token}; Path=/; Max-Age={A_YEAR}; HttpOnly; SameSite=Strict{secure}")
}
