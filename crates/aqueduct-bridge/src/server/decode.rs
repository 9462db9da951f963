//! What URLs hide behind percent signs.

/// A part of a path. `None` if it is not text.
pub(super) fn path(part: &str) -> Option<String> {
    percent(part, false)
}

/// Names and values of a query. `None` if one is not text.
pub(super) fn query(query: &str) -> Option<Vec<(String, String)>> {
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    pairs
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            Some((percent(name, true)?, percent(value, true)?))
        })
        .collect()
}

fn percent(text: &str, plus_is_space: bool) -> Option<String> {
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        out.push(match byte {
            b'%' => {
                let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
                let (high, low) = (digit(bytes.next())?, digit(bytes.next())?);
                u8::try_from(high * 16 + low).ok()?
            }
            b'+' if plus_is_space => b' ',
            byte => byte,
        });
    }
    String::from_utf8(out).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_comes_out_or_nothing() {
        assert_eq!(path("a%20b+c%C3%A9").as_deref(), Some("a b+c\u{e9}"));
        for bad in ["%", "%2", "%zz", "%ff", "%+1"] {
            assert_eq!(path(bad), None, "{bad}");
        }
        let pairs = [("a", "1 2"), ("b", "="), ("c", "")].map(|(k, v)| (k.to_owned(), v.to_owned()));
        assert_eq!(query("a=1+2&&b=%3D&c"), Some(pairs.to_vec()));
        assert_eq!(query("a=%"), None);
        assert_eq!(query(""), Some(Vec::new()));
    }
}
