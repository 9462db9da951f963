use std::sync::{Mutex, MutexGuard, PoisonError};

use aqueduct_wire::control::{HostRequest, InitializeReply};
use aqueduct_wire::system::SystemInit;
use aqueduct_wire::table::Definition;

use crate::{Error, Version};

/// What is known of an agent: what it reported, and what it answered.
#[derive(Debug, Default)]
pub(crate) struct SharedAgentFacts {
    facts: Mutex<AgentFacts>,
}

#[derive(Debug, Default)]
struct AgentFacts {
    version: Option<Version>,
    capabilities: Vec<String>,
    session_id: Option<String>,
}

/// What an agent can do, as far as it has reported.
///
/// ```
/// # use aqueduct_client::Capabilities;
/// fn describe(capabilities: &Capabilities) -> String {
///     match capabilities.version() {
///         Some(version) if capabilities.has("interrupt_receipt_v1") => format!("{version}, reports what it interrupts"),
///         Some(version) if capabilities.knows("get_context_usage") == Some(true) => format!("{version}, counts tokens"),
///         Some(_) if !capabilities.named().is_empty() => capabilities.named().join(", "),
///         Some(version) => version.to_string(),
///         None => "unknown version".to_owned(),
///     }
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Capabilities {
    version: Option<Version>,
    named: Vec<String>,
}

impl Capabilities {
    /// The agent's version.
    pub fn version(&self) -> Option<Version> {
        self.version
    }

    /// Whether the agent names a capability. Agents before 2.1.325 name none.
    pub fn has(&self, name: &str) -> bool {
        self.named.iter().any(|named| named == name)
    }

    /// The capabilities that the agent names.
    pub fn named(&self) -> &[String] {
        &self.named
    }

    /// Whether the agent knows a kind of control request; `None` where its version is not known.
    pub fn knows(&self, subtype: &str) -> Option<bool> {
        self.version?.knows(subtype)
    }
}

/// The first version that knows a kind of control request; `None` where this crate does not.
pub(crate) fn request_since(subtype: &str) -> Option<Version> {
    let Definition::Union(union) = HostRequest::DEFINITION else { return None };
    union.variants.iter().find(|variant| variant.tag == subtype)?.since.parse().ok()
}

impl SharedAgentFacts {
    pub(crate) fn learn_init(&self, init: &SystemInit<'_>) {
        let mut facts = self.facts();
        if let Some(version) = init.claude_code_version.as_deref().and_then(|text| text.parse().ok()) {
            facts.version = Some(version);
        }
        if let Some(named) = &init.capabilities {
            facts.capabilities = named.iter().map(|name| name.as_str().to_owned()).collect();
        }
        if facts.session_id.as_deref() != Some(init.session_id.as_str()) {
            facts.session_id = Some(init.session_id.as_str().to_owned());
        }
    }

    pub(crate) fn learn_reply(&self, reply: &InitializeReply<'_>) {
        let mut facts = self.facts();
        if let Some(version) = reply.claude_code_version.as_deref().and_then(|text| text.parse().ok()) {
            facts.version = Some(version);
        }
        if let Some(named) = &reply.capabilities {
            facts.capabilities = named.iter().map(|name| name.as_str().to_owned()).collect();
        }
    }

    pub(crate) fn learn_version(&self, version: Version) {
        self.facts().version.get_or_insert(version);
    }

    pub(crate) fn capabilities(&self) -> Capabilities {
        let facts = self.facts();
        Capabilities { version: facts.version, named: facts.capabilities.clone() }
    }

    pub(crate) fn session_id(&self) -> Option<String> {
        self.facts().session_id.clone()
    }

    /// Whether the agent may be notified that a request is cancelled: the oldest agents crash on it.
    pub(crate) fn takes_cancels(&self) -> bool {
        self.facts().version.is_some_and(|version| version > Version::OLDEST)
    }

    /// Refuses what a version does not know. Where it is not known which one this is, nothing is refused.
    pub(crate) fn check(&self, subtype: &str) -> Result<(), Error> {
        match (self.facts().version, request_since(subtype)) {
            (Some(has), Some(needs)) if has < needs => {
                Err(Error::Unsupported { what: format!("the request {subtype}"), needs, has })
            }
            _ => Ok(()),
        }
    }

    fn facts(&self) -> MutexGuard<'_, AgentFacts> {
        self.facts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
