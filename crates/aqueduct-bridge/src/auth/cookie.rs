use hyper::HeaderMap;
use hyper::header::COOKIE as COOKIE_HEADER;

use super::{Authenticator, token};
use crate::Failure;
use crate::message::COOKIE;

/// How many cookies of our name are looked at. A browser may have one for a path or a domain besides ours.
const COOKIES: usize = 4;

/// The values that a `Cookie` header has for a name, in order. Anything that is not a cookie is skipped.
pub fn cookies<'a>(header: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    header.split(';').filter_map(move |pair| {
        let (key, value) = pair.trim_matches([' ', '\t']).split_once('=')?;
        let value = value.trim_matches([' ', '\t']);
        let bare = value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap_or(value);
        (key.trim_end_matches([' ', '\t']) == name).then_some(bare)
    })
}

/// Whether a browser sends the cookie in which earlier versions kept its token.
pub fn has_old_cookie(headers: &HeaderMap) -> bool {
    old_cookies(headers).next().is_some()
}

/// The `Set-Cookie` header that removes the cookie of earlier versions. This is the only cookie that the bridge ever
/// sets: browsers send a cookie to every port of a host, so a cookie can't hold a credential.
pub fn expired_cookie(secure: bool) -> String {
    let secure = if secure { "; Secure" } else { "" };
    format!("{COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict{secure}")
}

impl Authenticator {
    /// The devices whose tokens are in cookies of this request. Every server on this host name may have received
    /// them, so they are to be revoked.
    pub async fn exposed_devices(&self, headers: &HeaderMap) -> Result<Vec<String>, Failure> {
        let mut exposed = Vec::new();
        for shown in old_cookies(headers).filter(|shown| token::is_plausible(shown)).take(COOKIES) {
            exposed
                .extend(self.shared.log.device_of_token(token::hash(shown)).await?.map(|device| device.id));
        }
        Ok(exposed)
    }
}

fn old_cookies(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let headers = headers.get_all(COOKIE_HEADER).iter().filter_map(|header| header.to_str().ok());
    headers.flat_map(|header| cookies(header, COOKIE))
}
