/// What a server that requires a sign-in reports about it: the `Bearer` challenge of `WWW-Authenticate`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SignInChallenge {
    /// Where the server describes how to sign in.
    pub resource_metadata: Option<String>,
    /// The permissions that the request takes.
    pub scope: Option<String>,
    /// What is wrong with the token that was sent.
    pub error: Option<String>,
}

impl SignInChallenge {
    /// Reads the value of a header, which may have several challenges; none, where it has no `Bearer` challenge.
    pub fn read(value: &str) -> Option<Self> {
        let mut rest = Scanner(value);
        let mut found: Option<SignInChallenge> = None;
        let mut is_bearer = false;
        loop {
            rest.skip(|c| c.is_ascii_whitespace() || c == ',');
            let word = rest.token();
            if word.is_empty() {
                match rest.0.chars().next() {
                    Some(c) => rest.0 = &rest.0[c.len_utf8()..],
                    None => return found,
                }
                continue;
            }
            let after = Scanner(rest.0.trim_start());
            let Some(value) = after.0.strip_prefix('=') else {
                is_bearer = word.eq_ignore_ascii_case("bearer");
                if is_bearer {
                    found.get_or_insert_default();
                }
                continue;
            };
            rest.0 = value.trim_start();
            let value = rest.value();
            let Some(challenge) = found.as_mut().filter(|_| is_bearer) else { continue };
            let member = match word.to_ascii_lowercase().as_str() {
                "resource_metadata" => &mut challenge.resource_metadata,
                "scope" => &mut challenge.scope,
                "error" => &mut challenge.error,
                _ => continue,
            };
            // The first counts, as for every parameter that must not be repeated.
            if member.is_none() && !value.is_empty() {
                *member = Some(value);
            }
        }
    }

    /// Whether the token lacks permissions.
    pub fn is_insufficient(&self) -> bool {
        self.error.as_deref() == Some("insufficient_scope")
    }
}

/// What is left of a header.
struct Scanner<'s>(&'s str);

impl<'s> Scanner<'s> {
    fn skip(&mut self, is_skipped: impl Fn(char) -> bool) {
        self.0 = self.0.trim_start_matches(is_skipped);
    }

    fn token(&mut self) -> &'s str {
        let is_token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~/".contains(c);
        let end = self.0.find(|c| !is_token(c)).unwrap_or(self.0.len());
        let (token, rest) = self.0.split_at(end);
        self.0 = rest;
        token
    }

    /// A token or a quoted string.
    fn value(&mut self) -> String {
        let Some(quoted) = self.0.strip_prefix('"') else { return self.token().to_owned() };
        let mut value = String::new();
        let mut characters = quoted.char_indices();
        while let Some((at, character)) = characters.next() {
            match character {
                '"' => {
                    self.0 = &quoted[at + 1..];
                    return value;
                }
                '\\' => value.extend(characters.next().map(|(_, escaped)| escaped)),
                other => value.push(other),
            }
        }
        // A string without an end is no value.
        self.0 = "";
        String::new()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::SignInChallenge;

    fn read(value: &str) -> (Option<String>, Option<String>, Option<String>) {
        let challenge = SignInChallenge::read(value).unwrap();
        (challenge.resource_metadata, challenge.scope, challenge.error)
    }

    #[test]
    fn parameters_are_tokens_or_quoted() {
        let (place, scope, error) = read(
            r#"Bearer realm="a, b", error=insufficient_scope , scope = "files:read \"x\"", resource_metadata="https://a/b""#,
        );
        assert_eq!(place.as_deref(), Some("https://a/b"));
        assert_eq!(scope.as_deref(), Some("files:read \"x\""));
        assert_eq!(error.as_deref(), Some("insufficient_scope"));
    }

    #[test]
    fn other_challenges_are_passed_over() {
        let value = r#"Basic realm="x", scope="no", DPoP algs="ES256", bearer scope=yes, scope=again, Digest scope=no"#;
        assert_eq!(read(value).1.as_deref(), Some("yes"));
        assert_eq!(SignInChallenge::read(r#"Basic scope="no""#), None);
        assert_eq!(SignInChallenge::read("Negotiate abc=="), None);
        assert_eq!(read("Bearer"), (None, None, None));
    }

    proptest! {
        #[test]
        fn any_header_can_be_read(value in "\\PC{0,60}|[ -~]{0,80}|(Bearer|scope|=|\"|\\\\|,| |a){0,20}") {
            let _ = SignInChallenge::read(&value);
        }

        #[test]
        fn a_quoted_value_is_read_as_it_was(scope in "[ -~]{1,40}") {
            let quoted = scope.replace('\\', "\\\\").replace('"', "\\\"");
            let read = SignInChallenge::read(&format!("Bearer error=x, scope=\"{quoted}\", y=z")).unwrap();
            prop_assert_eq!(read.scope, Some(scope));
            prop_assert_eq!(read.error.as_deref(), Some("x"));
        }
    }
}
