//! Names that say "this is a secret".

/// How the names of secrets end, without their separators and in lower case. Counts of tokens end in
/// `tokens`, and the place where a key comes from in `source`: neither is here.
const ENDINGS: &[&str] = &[
    "token",
    "apikey",
    "secret",
    "secrets",
    "password",
    "passwd",
    "passphrase",
    "authorization",
    "cookie",
    "cookies",
    "credential",
    "credentials",
    "privatekey",
    "secretkey",
    "accesskey",
    "signingkey",
    "encryptionkey",
];

/// Longer names are cut at the front; only their end matters.
const LONGEST: usize = 32;

/// Whether a value under this name is a secret: `authorization`, `x-api-key`, `refreshToken`, `DB_PASSWORD`.
pub(crate) fn is_secret(name: &str) -> bool {
    let mut end = [0; LONGEST];
    let mut at = LONGEST;
    for &byte in name.as_bytes().iter().rev() {
        if at == 0 {
            break;
        }
        if byte.is_ascii_alphanumeric() {
            at -= 1;
            end[at] = byte.to_ascii_lowercase();
        }
    }
    ENDINGS.iter().any(|ending| end[at..].ends_with(ending.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_known_by_their_name() {
        for name in [
            "Authorization",
            "proxy-authorization",
            "api_key",
            "apiKey",
            "x-api-key",
            "ANTHROPIC_API_KEY",
            "access_token",
            "refreshToken",
            "token",
            "client_secret",
            "AWS_SECRET_ACCESS_KEY",
            "password",
            "set-cookie",
        ] {
            assert!(is_secret(name), "{name}");
        }
    }

    #[test]
    fn counts_and_sources_are_no_secrets() {
        for name in [
            "input_tokens",
            "max_tokens",
            "tokens",
            "thinkingTokens",
            "apiKeySource",
            "tokenSource",
            "token_state",
            "key",
            "keyboard",
            "signature",
            "secretary",
        ] {
            assert!(!is_secret(name), "{name}");
        }
    }
}
