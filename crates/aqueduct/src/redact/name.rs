//! Names of secrets.

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
    "accountkey",
    "sharedaccesskey",
    "applicationkey",
    "appkey",
    "authkey",
    "masterkey",
    "licensekey",
    "pwd",
    "pairingcode",
    "passcode",
    "xamzsignature",
    "webhookurl",
    "databaseurl",
    "connectionstring",
];

/// How the names of passwords end. Their values may be words.
const PASSWORDS: &[&str] = &["password", "passwd", "passphrase", "pwd", "passcode"];

/// Names that are those of secrets in the query of an address only.
const QUERY: &[&str] = &["sig", "signature", "key", "auth", "pair", "hmac", "pwd"];

/// Longer names are cut at the front; only their end matters.
const LONGEST: usize = 32;

/// Whether a value under this name is a secret: `authorization`, `x-api-key`, `refreshToken`, `DB_PASSWORD`.
pub(crate) fn is_secret(name: &str) -> bool {
    // The folders of a shell.
    !matches!(name, "PWD" | "OLDPWD" | "pwd" | "cwd") && ends(name, ENDINGS)
}

/// Whether a value under this name is a password.
pub(super) fn is_password(name: &str) -> bool {
    is_secret(name) && ends(name, PASSWORDS)
}

/// Whether a value under this name in an address's query is a secret.
pub(super) fn is_secret_in_query(name: &str) -> bool {
    QUERY.iter().any(|known| name.eq_ignore_ascii_case(known))
}

fn ends(name: &str, endings: &[&str]) -> bool {
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
    endings.iter().any(|ending| end[at..].ends_with(ending.as_bytes()))
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
            "DB_PWD",
            "AccountKey",
            "DD_APP_KEY",
            "set-cookie",
        ] {
            assert!(is_secret(name), "{name}");
        }
    }

    #[test]
    fn counts_and_sources_are_not_secrets() {
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
            "PWD",
            "OLDPWD",
            "cwd",
        ] {
            assert!(!is_secret(name), "{name}");
        }
    }
}
