//! Every kind of secret, and what must not be taken for one. Secrets are assembled here: none is in the source.

use super::table::{KINDS, SecretBody};
use super::{REDACTED, argv, json, text};

/// So many bytes of a kind, digits and letters of both cases where it has them.
fn body(body: SecretBody, length: usize) -> String {
    let letters = match body {
        SecretBody::Hex => "0a1b2c3d4e5f",
        SecretBody::Upper => "A1B2C3D4E5",
        _ => "a1B2c3D4e5F6",
    };
    letters.chars().cycle().take(length).collect()
}

/// A secret, and what is kept of it.
fn assert_gone(secret: &str, what: &str) {
    for given in [
        secret.to_owned(),
        format!("the key {secret} and more"),
        format!("a\\n{secret}\\nb"),
        format!("https://example.com/x?a={secret}"),
        format!("https://example.com/x?a=1&b={secret}&c=2"),
        format!("'{secret}'"),
        format!("X-Custom: {secret}\r\nHost: x"),
        format!("Authorization: Bearer {secret}"),
        format!("ANY_NAME={secret} command"),
        format!("ANY_NAME=\"{secret}\""),
        format!("[\\\"{secret}\\\"]"),
    ] {
        let kept = text(&given);
        assert!(!kept.contains(secret) && kept.contains(REDACTED), "{what}: {given} is kept as {kept}");
    }
    let flag = format!("--flag={secret}");
    let variable = format!("NAME={secret}");
    let settings = format!(r#"--settings={{"env":{{"NAME":"{secret}"}}}}"#);
    for kept in argv(["program", "--flag", secret, secret, &flag, &variable, &settings]).iter().skip(2) {
        assert!(!kept.contains(secret) && kept.contains(REDACTED), "{what}: {kept}");
    }
    let escaped: String = secret.chars().map(|letter| format!("\\u{:04x}", u32::from(letter))).collect();
    let kept = json(&format!(r#"{{"a":"{escaped}"}}"#)).into_owned();
    assert!(!kept.contains(&escaped) && kept.contains(REDACTED), "{what}: {kept}");
    let line = format!(r#"{{"message":{{"content":"use \"{secret}\" now"}}}}"#);
    let kept = json(&line);
    assert!(!kept.contains(secret) && kept.contains(REDACTED), "{what}: {kept}");
}

#[test]
fn every_kind_in_the_table_is_taken_out() {
    for kind in KINDS {
        let secret = format!("{}{}", kind.start, body(kind.body, kind.least));
        assert_gone(&secret, kind.start);
    }
}

#[test]
fn secrets_of_everyday_are_taken_out_everywhere() {
    let word = |length| body(SecretBody::Word, length);
    for (what, secret) in [
        ("our token", format!("aq_{}", word(43))),
        ("Stripe", format!("sk_live_{}", body(SecretBody::Alphanumeric, 24))),
        ("Hugging Face", format!("hf_{}", body(SecretBody::Alphanumeric, 34))),
        ("PyPI", format!("pypi-AgEIcHlwaS5vcmc{}", word(120))),
        ("Slack app", format!("xapp-1-A0123456789-1234567890123-{}", body(SecretBody::Hex, 64))),
        ("Google OAuth access", format!("ya29.a0{}", word(100))),
        ("Google OAuth refresh", format!("1//0g{}", word(60))),
        ("Google OAuth client", format!("GOCSPX-{}", word(28))),
        ("GitHub", format!("github_pat_{}", word(82))),
        ("Anthropic", format!("sk-ant-api03-{}AA", word(93))),
        ("OpenAI", format!("sk-proj-{}", word(100))),
    ] {
        assert_gone(&secret, what);
    }
}

#[test]
fn the_table_names_every_kind_once() {
    let mut starts: Vec<_> = KINDS.iter().map(|kind| (kind.start, kind.is_exact)).collect();
    starts.sort_unstable();
    starts.dedup();
    assert_eq!(starts.len(), KINDS.len());
    // CHANGELOG.md lists it.
    assert!(KINDS.len() > 200, "{}", KINDS.len());
}

#[test]
fn too_little_of_a_kind_stays() {
    for kind in KINDS.iter().filter(|kind| kind.least >= 16) {
        let short = format!("say {}{} x", kind.start, body(kind.body, 4));
        assert_eq!(text(&short), short, "{}", kind.start);
    }
}

#[test]
fn kinds_with_a_shape_are_taken_out() {
    let word = |length| body(SecretBody::Word, length);
    let hex = |length| body(SecretBody::Hex, length);
    for (what, secret) in [
        ("a pairing code", ["0123", "4567", "89AB", "CDEF"].join("-")),
        ("Telegram", format!("{}:AA{}", "123456789", word(33))),
        ("Telegram in an address", format!("bot{}:AA{}", "123456789", word(33))),
        ("Azure application", format!("{}8Q~{}", "abc", word(34))),
        ("Azure application with other signs", format!("{}7Q~{}~.{}", "a.b", word(20), word(12))),
        ("MaxMind", format!("{}_{}_mmk", word(6), word(29))),
        ("Terraform", format!("{}.atlasv1.{}", word(14), word(64))),
        ("Mailchimp", format!("{}-us12", hex(32))),
        ("Discord", format!("M{}.{}.{}", word(23), word(6), word(28))),
        ("Airtable", format!("pat{}.{}", body(SecretBody::Alphanumeric, 14), hex(64))),
        ("JWT", format!("eyJ{}.eyJ{}.{}", word(20), word(20), word(30))),
        ("JWE", format!("eyJ{}.{}.{}.{}.{}", word(20), word(20), word(9), word(30), word(9))),
    ] {
        assert_gone(&secret, what);
    }
}

#[test]
fn assigned_secrets_are_taken_out() {
    let secret = "correcthorse";
    let random = body(SecretBody::Alphanumeric, 40);
    for (given, secret) in [
        (format!("password={secret}"), secret),
        (format!("passwd={secret}"), secret),
        (format!("PGPASSWORD={secret} psql"), secret),
        (format!("Server=db;User Id=a;Password={secret};Encrypt=yes"), secret),
        (format!("Server=db;Uid=a;Pwd={secret};"), secret),
        (format!("https://example.com/login?user=a&password={secret}&x=1"), secret),
        (format!("https://example.com/?pwd={secret}"), secret),
        (format!(r#"{{\"password\": \"{secret}\"}}"#), secret),
        (format!("password: '{secret}'"), secret),
        ("password=p4ss$w^rd*x;".to_owned(), "$w^rd*x"),
        (format!("postgres://me:{secret}@db/x"), secret),
        (format!("redis://:{secret}@cache:6379"), secret),
        (format!("https://{random}@github.com/a/b"), random.as_str()),
        (format!("AWS_SECRET_ACCESS_KEY={random}"), &random),
        (format!("aws_session_token = {random}"), &random),
        (format!("AccountName=a;AccountKey={random}==;EndpointSuffix=x"), &random),
        (format!("https://a.blob.core.windows.net/c?sv=2024&sig={random}%3D"), &random),
        (format!("https://s3.example.com/x?X-Amz-Signature={random}"), &random),
        (format!("https://maps.example.com/?key={random}"), &random),
        (format!("HEROKU_API_KEY={random}"), &random),
        (format!("DD_API_KEY: {random}"), &random),
        (format!("DD_APP_KEY={random}"), &random),
        (format!("CLOUDFLARE_API_TOKEN={random}"), &random),
        (format!("FASTLY_API_TOKEN={random}"), &random),
        (format!("COHERE_API_KEY={random}"), &random),
        (format!("MISTRAL_API_KEY={random}"), &random),
        (format!("ALGOLIA_API_KEY={random}"), &random),
        (format!("TWILIO_AUTH_TOKEN={random}"), &random),
        (format!("client_secret={random}"), &random),
        (format!("//registry.npmjs.org/:_authToken={random}"), &random),
        (format!("Authorization: Basic {random}"), &random),
        (format!("Authorization: token {random}"), &random),
        (format!("X-Vault-Token: {random}"), &random),
        (format!("X-Auth-Token: {secret}"), secret),
        (format!("export DEPLOY_TOKEN={secret}"), secret),
        (format!("DEPLOY_SECRET=\\\"{secret}\\\""), secret),
        (
            format!("-----BEGIN PGP PRIVATE KEY BLOCK-----\\n{random}\\n-----END PGP PRIVATE KEY BLOCK-----"),
            &random,
        ),
        (format!("Set-Cookie: session={random}; HttpOnly"), &random),
        (format!("http://127.0.0.1:8765/#pair={}", "0123-4567-89AB-CDEF"), "0123-4567-89AB-CDEF"),
    ] {
        let kept = text(&given);
        assert!(!kept.contains(secret) && kept.contains(REDACTED), "{given} is kept as {kept}");
    }
}

#[test]
fn what_replay_and_readers_need_stays() {
    let image =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    for kept in [
        "toolu_01A09q90qw90lq917835lq9",
        "msg_01XFDUDYJgAACzvnptvVoYEL",
        "req_011CSHoEeqs5C35K2UUqR7Fy",
        "session 0b5c9f2e-7d2f-4a3b-9c1d-2e3f4a5b6c7d",
        "commit d163bc2f0a9b8c7d6e5f4a3b2c1d0e9f8a7b6c5d",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        image,
        "export PWD=/home/ada/project1 OLDPWD=/home/ada",
        "pwd: /home/ada/project1",
        "cd $PWD && key = 5",
        "let password = prompt_for_password();",
        "fn secret_sauce_number_42() {}",
        "https://example.com/search?q=key&page=12",
        "git diff HEAD~1 -- src/key-value-store-2.rs",
        "claude-sonnet-4-5-20250929",
        "the file is in /usr/share/doc/python3.11/README.gz",
        "pat.example.com and cio.example.org, npm_config_cache=/tmp/x",
        "version 1.2.3-us1",
        "0B5C9F2E-7D2F-4A3B-9C1D-2E3F4A5B6C7D",
        "2026-1116-2159-0001-0002",
        "MyModule.module.functionName_with_a_long_name_that_continues",
    ] {
        assert_eq!(text(kept), kept);
        let line = format!("{{\"a\":\"{kept}\"}}");
        assert_eq!(json(&line), line);
    }
}
