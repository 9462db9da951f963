//! What the rules say about hosts, beyond what was asked about the call.

use std::sync::Arc;

use aqueduct_rules::{Behavior, Call, Context, decide};
use aqueduct_wire::control::DecisionReasonType;
use reqwest::Url;
use serde_json::json;

/// The tool whose rules say which pages may be fetched.
pub(crate) const WEB_FETCH: &str = "WebFetch";

/// What a rule about a host begins with.
const DOMAIN: &str = "domain:";

/// The rules, as they were when a call began.
#[derive(Debug, Clone)]
pub struct Permits(Arc<Context>);

impl Permits {
    /// Permits according to these rules.
    pub fn new(rules: Context) -> Self {
        Permits(Arc::new(rules))
    }

    /// Whether a rule allows exactly this host by its name. Only such a host may be on a private network: a rule for
    /// several or all hosts, or a mode without permission prompts, is not meant to include private networks.
    pub(super) fn names(&self, host: &str) -> bool {
        let host = plain(host);
        self.0.rules().filter(|entry| entry.behavior == Behavior::Allow && entry.withheld.is_none()).any(
            |entry| {
                let Ok(rule) = &entry.rule else { return false };
                let content = rule.rule_content.as_deref().unwrap_or_default();
                let named = content.strip_prefix(DOMAIN).map(plain);
                rule.tool_name == WEB_FETCH && named.is_some_and(|named| named == host)
            },
        )
    }

    /// Whether a rule denies an address. The call was asked about as it was written; this is how it is read.
    pub(super) fn denies(&self, url: &Url) -> bool {
        self.decides(url, |behavior| behavior == Behavior::Deny)
    }

    /// Whether a rule wants an address denied or asked about: it is not gone to without a call of its own.
    pub(super) fn wants_a_call(&self, url: &Url) -> bool {
        self.decides(url, |behavior| behavior != Behavior::Allow)
    }

    fn decides(&self, url: &Url, is_meant: impl Fn(Behavior) -> bool) -> bool {
        let input = json!({ "url": url.as_str() });
        let decision = decide(&self.0, &Call::new(WEB_FETCH, &input));
        is_meant(decision.behavior)
            && matches!(decision.reason_type, DecisionReasonType::Rule | DecisionReasonType::SafetyCheck)
    }
}

/// A host as it is compared.
fn plain(host: &str) -> String {
    host.trim().trim_end_matches('.').to_ascii_lowercase()
}
