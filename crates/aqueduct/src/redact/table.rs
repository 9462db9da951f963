//! The kinds of secrets that are known by how they begin.
//!
//! Prefixes and lengths are those that the services document and that scanners for secrets know. A kind that has no
//! beginning of its own is known by the name it is assigned to, see [`super::name`].

use SecretBody::{Alphanumeric, Base64, Dotted, Hex, Upper, Word};

/// Which bytes a secret consists of after its beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SecretBody {
    /// Letters, digits, `_` and `-`.
    Word,
    /// Letters and digits.
    Alphanumeric,
    /// Digits and the letters to `f`.
    Hex,
    /// Capitals and digits.
    Upper,
    /// As `Word`, and `.`.
    Dotted,
    /// As `Word`, and `.`, `/`, `+`, `=`, `~`.
    Base64,
}

impl SecretBody {
    /// Whether a byte may be part of it.
    pub(super) fn fits(self, byte: u8) -> bool {
        let is_word = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        match self {
            Word => is_word,
            Alphanumeric => byte.is_ascii_alphanumeric(),
            Hex => byte.is_ascii_hexdigit(),
            Upper => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Dotted => is_word || byte == b'.',
            Base64 => is_word || matches!(byte, b'.' | b'/' | b'+' | b'=' | b'~'),
        }
    }
}

/// One kind of secret.
#[derive(Debug)]
pub(super) struct SecretKind {
    /// How it begins.
    pub(super) start: &'static str,
    /// What follows.
    pub(super) body: SecretBody,
    /// How many bytes follow at least.
    pub(super) least: usize,
    /// Whether exactly so many follow.
    pub(super) is_exact: bool,
    /// Whether a digit is among them: a beginning that is also one of words needs more to be known.
    pub(super) needs_digit: bool,
}

/// At least so many bytes. The service is for readers.
const fn kind(_service: &'static str, start: &'static str, body: SecretBody, least: usize) -> SecretKind {
    SecretKind { start, body, least, is_exact: false, needs_digit: false }
}

/// So many bytes and no more.
const fn exact(_service: &'static str, start: &'static str, body: SecretBody, least: usize) -> SecretKind {
    SecretKind { start, body, least, is_exact: true, needs_digit: false }
}

/// With a digit.
const fn digit(_service: &'static str, start: &'static str, body: SecretBody, least: usize) -> SecretKind {
    SecretKind { start, body, least, is_exact: false, needs_digit: true }
}

/// All of them. Of two that begin alike the longer one may come later: what they find is joined.
pub(super) const KINDS: &[SecretKind] = &[
    // This program.
    kind("Aqueduct token", "aq_", Word, 20),
    kind("Aqueduct pairing link", "#pair=", Word, 8),
    kind("Aqueduct pairing link", "?pair=", Word, 8),
    // Models.
    kind("Anthropic", "sk-ant-", Word, 8),
    digit("OpenAI and others", "sk-", Word, 20),
    digit("OpenAI session", "sess-", Alphanumeric, 40),
    kind("Hugging Face", "hf_", Alphanumeric, 30),
    kind("Hugging Face organization", "api_org_", Alphanumeric, 30),
    kind("Groq", "gsk_", Alphanumeric, 40),
    kind("xAI", "xai-", Alphanumeric, 40),
    kind("Replicate", "r8_", Alphanumeric, 30),
    kind("Perplexity", "pplx-", Alphanumeric, 40),
    kind("Fireworks", "fw_", Alphanumeric, 20),
    kind("Cerebras", "csk-", Alphanumeric, 40),
    kind("NVIDIA", "nvapi-", Word, 40),
    kind("LangSmith", "lsv2_", Word, 30),
    kind("Tavily", "tvly-", Word, 20),
    kind("ElevenLabs", "sk_", Hex, 40),
    kind("Pinecone", "pcsk_", Word, 40),
    digit("Voyage", "pa-", Word, 40),
    kind("Jina", "jina_", Word, 40),
    kind("Firecrawl", "fc-", Hex, 32),
    kind("E2B", "e2b_", Hex, 40),
    kind("Apify", "apify_api_", Alphanumeric, 30),
    // Code hosts.
    kind("GitHub", "ghp_", Word, 20),
    kind("GitHub", "gho_", Word, 20),
    kind("GitHub", "ghu_", Word, 20),
    kind("GitHub", "ghs_", Dotted, 20),
    kind("GitHub", "ghr_", Word, 20),
    kind("GitHub", "github_pat_", Word, 20),
    kind("GitLab", "glpat-", Dotted, 16),
    kind("GitLab", "gldt-", Dotted, 16),
    kind("GitLab", "glrt-", Dotted, 16),
    kind("GitLab", "glrtr-", Dotted, 16),
    kind("GitLab", "glcbt-", Dotted, 16),
    kind("GitLab", "glptt-", Word, 16),
    kind("GitLab", "glft-", Word, 16),
    kind("GitLab", "glimt-", Word, 16),
    kind("GitLab", "glagent-", Word, 16),
    kind("GitLab", "gloas-", Word, 16),
    kind("GitLab", "glsoat-", Word, 16),
    kind("GitLab", "glffct-", Word, 16),
    kind("GitLab runner", "GR1348941", Word, 16),
    kind("Atlassian", "ATATT3", Base64, 40),
    kind("Atlassian", "ATCTT3", Base64, 40),
    kind("Bitbucket", "ATBB", Alphanumeric, 28),
    kind("Sourcegraph", "sgp_", Word, 40),
    kind("GitLab session", "_gitlab_session=", Alphanumeric, 32),
    kind("Buildkite", "bkua_", Hex, 40),
    kind("CircleCI", "CCIPAT_", Word, 40),
    kind("SonarQube", "squ_", Alphanumeric, 40),
    kind("SonarQube", "sqp_", Alphanumeric, 40),
    kind("SonarQube", "sqa_", Alphanumeric, 40),
    digit("Harness", "pat.", Dotted, 60),
    digit("Harness", "sat.", Dotted, 60),
    exact("Octopus Deploy", "API-", Upper, 26),
    // Packages and images.
    kind("npm", "npm_", Word, 36),
    kind("PyPI", "pypi-", Word, 50),
    kind("RubyGems", "rubygems_", Hex, 40),
    kind("crates.io", "cio", Alphanumeric, 32),
    kind("Clojars", "CLOJARS_", Alphanumeric, 40),
    kind("Docker", "dckr_pat_", Word, 20),
    kind("Docker", "dckr_oat_", Word, 20),
    kind("JFrog", "AKCp", Alphanumeric, 60),
    exact("JFrog reference", "cmVmd", Alphanumeric, 59),
    // Clouds.
    exact("AWS", "AKIA", Upper, 16),
    exact("AWS", "ASIA", Upper, 16),
    exact("AWS", "ABIA", Upper, 16),
    exact("AWS", "ACCA", Upper, 16),
    kind("AWS session", "IQoJb3JpZ2lu", Base64, 60),
    kind("AWS session", "FwoGZXIvYXdz", Base64, 60),
    kind("Amazon Bedrock", "ABSK", Base64, 100),
    kind("Amazon Bedrock", "bedrock-api-key-", Base64, 30),
    kind("Google", "AIza", Word, 35),
    kind("Google OAuth code", "4/0A", Word, 30),
    kind("Google OAuth client", "GOCSPX-", Word, 20),
    kind("Google OAuth access", "ya29.", Dotted, 20),
    kind("Google OAuth refresh", "1//0", Word, 30),
    digit("Alibaba", "LTAI", Alphanumeric, 16),
    kind("DigitalOcean", "dop_v1_", Hex, 40),
    kind("DigitalOcean", "doo_v1_", Hex, 40),
    kind("DigitalOcean", "dor_v1_", Hex, 40),
    kind("Heroku", "HRKU-", Word, 30),
    kind("Cloudflare origin", "v1.0-", Word, 60),
    kind("Fly.io", "FlyV1 fm", Base64, 40),
    kind("Fly.io", "fo1_", Word, 40),
    kind("Fly.io", "fm1a_", Base64, 100),
    kind("Fly.io", "fm1r_", Base64, 100),
    kind("Fly.io", "fm2_", Base64, 100),
    kind("Yandex", "AQVN", Word, 35),
    kind("Yandex", "t1.", Base64, 86),
    exact("Yandex", "YC", Word, 38),
    kind("Scalingo", "tk-us-", Word, 48),
    kind("Render", "rnd_", Alphanumeric, 28),
    kind("Deno Deploy", "ddp_", Alphanumeric, 36),
    kind("Neon", "napi_", Alphanumeric, 40),
    exact("ClickHouse", "4b1d", Alphanumeric, 38),
    kind("OpenShift", "sha256~", Word, 43),
    kind("Netlify", "nfp_", Alphanumeric, 30),
    kind("Vercel", "vcp_", Alphanumeric, 20),
    kind("Vercel", "vck_", Alphanumeric, 20),
    kind("Supabase", "sbp_", Hex, 40),
    kind("Supabase", "sb_secret_", Word, 20),
    kind("PlanetScale", "pscale_tkn_", Dotted, 32),
    kind("PlanetScale", "pscale_pw_", Dotted, 32),
    kind("PlanetScale", "pscale_oauth_", Dotted, 32),
    kind("Databricks", "dapi", Hex, 32),
    kind("Tailscale", "tskey-", Word, 20),
    // Secrets and infrastructure.
    kind("Vault", "hvs.", Word, 20),
    kind("Vault", "hvb.", Word, 20),
    kind("Vault", "hvr.", Word, 20),
    kind("Doppler", "dp.pt.", Alphanumeric, 40),
    kind("Doppler", "dp.st.", Dotted, 40),
    kind("Doppler", "dp.ct.", Alphanumeric, 40),
    kind("Doppler", "dp.sa.", Alphanumeric, 40),
    kind("Pulumi", "pul-", Hex, 40),
    kind("1Password", "ops_eyJ", Base64, 100),
    digit("1Password", "A3-", Word, 34),
    kind("Authress", "scauth_", Dotted, 50),
    kind("Authress", "authress_", Dotted, 50),
    kind("age", "AGE-SECRET-KEY-1", Upper, 40),
    kind("Infracost", "ico-", Alphanumeric, 32),
    kind("Prefect", "pnu_", Alphanumeric, 36),
    // Observability.
    kind("New Relic", "NRAK-", Alphanumeric, 20),
    kind("New Relic", "NRII-", Word, 20),
    kind("New Relic", "NRJS-", Hex, 16),
    kind("Sentry", "sntrys_", Base64, 40),
    kind("Sentry", "sntryu_", Hex, 40),
    kind("Grafana", "glsa_", Word, 32),
    kind("Grafana", "glc_", Base64, 32),
    kind("Dynatrace", "dt0c01.", Dotted, 40),
    kind("Datadog", "ddapi_", Word, 20),
    kind("Grafana", "eyJrIjoi", Base64, 70),
    kind("PostHog", "phx_", Alphanumeric, 40),
    kind("Statsig", "secret-", Alphanumeric, 40),
    // Payment and shops.
    kind("Stripe", "sk_live_", Alphanumeric, 10),
    kind("Stripe", "sk_test_", Alphanumeric, 10),
    kind("Stripe", "rk_live_", Alphanumeric, 10),
    kind("Stripe", "rk_test_", Alphanumeric, 10),
    kind("Stripe", "sk_prod_", Alphanumeric, 10),
    kind("Stripe", "rk_prod_", Alphanumeric, 10),
    kind("Stripe webhook", "whsec_", Base64, 20),
    kind("Square", "sq0atp-", Word, 20),
    kind("Square", "sq0csp-", Word, 40),
    kind("Square", "EAAA", Base64, 56),
    kind("Shopify", "shpat_", Hex, 32),
    kind("Shopify", "shpca_", Hex, 32),
    kind("Shopify", "shppa_", Hex, 32),
    kind("Shopify", "shpss_", Hex, 32),
    kind("EasyPost", "EZAK", Alphanumeric, 50),
    kind("EasyPost", "EZTK", Alphanumeric, 50),
    kind("Shippo", "shippo_live_", Hex, 40),
    kind("Shippo", "shippo_test_", Hex, 40),
    kind("Duffel", "duffel_live_", Base64, 40),
    kind("Duffel", "duffel_test_", Base64, 40),
    kind("Flutterwave", "FLWSECK-", Word, 12),
    kind("Flutterwave", "FLWSECK_TEST-", Word, 12),
    exact("Lob", "live_", Hex, 35),
    exact("Lob", "test_", Hex, 35),
    digit("GoCardless", "live_", Word, 40),
    kind("Plaid", "access-production-", Word, 36),
    kind("Plaid", "access-development-", Word, 36),
    kind("Plaid", "access-sandbox-", Word, 36),
    kind("PayPal Braintree", "access_token$production$", Word, 20),
    // Messages and mail.
    kind("Slack", "xoxb-", Word, 10),
    kind("Slack", "xoxp-", Word, 10),
    kind("Slack", "xoxa-", Word, 10),
    kind("Slack", "xoxr-", Word, 10),
    kind("Slack", "xoxs-", Word, 10),
    kind("Slack", "xoxo-", Word, 10),
    kind("Slack", "xoxe-", Word, 10),
    kind("Slack", "xoxe.", Dotted, 10),
    kind("Slack", "xoxc-", Word, 10),
    kind("Slack", "xoxd-", Base64, 10),
    kind("Slack app", "xapp-", Word, 10),
    kind("Slack webhook", "hooks.slack.com/services/", Base64, 20),
    kind("Slack workflow", "hooks.slack.com/workflows/", Base64, 20),
    kind("Slack trigger", "hooks.slack.com/triggers/", Base64, 20),
    kind("Discord webhook", "discord.com/api/webhooks/", Base64, 40),
    kind("Discord webhook", "discordapp.com/api/webhooks/", Base64, 40),
    kind("Teams webhook", "webhook.office.com/webhookb2/", Base64, 40),
    exact("Twilio", "SK", Hex, 32),
    kind("SendGrid", "SG.", Dotted, 50),
    exact("Mailgun", "key-", Hex, 32),
    kind("Brevo", "xkeysib-", Word, 60),
    digit("Resend", "re_", Word, 30),
    kind("Facebook", "EAAM", Alphanumeric, 100),
    kind("Facebook", "EAAC", Alphanumeric, 100),
    kind("Discord account", "mfa.", Word, 80),
    // Work.
    kind("Linear", "lin_api_", Alphanumeric, 32),
    kind("Linear", "lin_oauth_", Alphanumeric, 32),
    kind("Notion", "ntn_", Alphanumeric, 32),
    exact("Notion", "secret_", Alphanumeric, 43),
    kind("Postman", "PMAK-", Word, 40),
    kind("Figma", "figd_", Word, 20),
    kind("HubSpot", "pat-na1-", Word, 30),
    kind("HubSpot", "pat-eu1-", Word, 30),
    kind("HubSpot", "pat-na2-", Word, 30),
    kind("HubSpot", "pat-ap1-", Word, 30),
    kind("Contentful", "CFPAT-", Word, 40),
    kind("Dropbox", "sl.", Base64, 130),
    kind("Mapbox", "sk.eyJ", Dotted, 40),
    kind("Adobe", "p8e-", Alphanumeric, 32),
    kind("Frame.io", "fio-u-", Base64, 60),
    kind("SettleMint", "sm_aat_", Alphanumeric, 16),
    kind("SettleMint", "sm_pat_", Alphanumeric, 16),
    kind("SettleMint", "sm_sat_", Alphanumeric, 16),
    kind("42", "s-s4t2ud-", Hex, 64),
    kind("42", "s-s4t2af-", Hex, 64),
    kind("Typeform", "tfp_", Dotted, 40),
    kind("ReadMe", "rdme_", Alphanumeric, 40),
    kind("Adafruit", "aio_", Alphanumeric, 28),
    kind("Okta", "SSWS ", Word, 30),
];
