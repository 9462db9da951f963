//! What the trust store records of one folder.

use std::collections::HashSet;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::provision::{Provision, ProvisionDigest, ProvisionKind, digest_of};

/// What is recorded of one folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct TrustEntry {
    /// What the user has trusted.
    pub(super) trusted: Option<TrustedProvisions>,
    /// What the user has granted by itself, such as a rule with "always allow".
    pub(super) granted: Vec<RecordedProvision>,
    /// The user has taken trust back: other programs' records don't count.
    pub(super) is_revoked: bool,
}

/// A folder's provisions as the user has trusted them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TrustedProvisions {
    pub(super) by: String,
    pub(super) at: String,
    pub(super) provisions: Vec<RecordedProvision>,
}

impl TrustedProvisions {
    /// The digest of all of them.
    pub(super) fn digest(&self) -> ProvisionDigest {
        digest_of(self.provisions.iter().map(|provision| provision.digest))
    }
}

/// A provision as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RecordedProvision {
    pub(super) kind: ProvisionKind,
    pub(super) name: String,
    pub(super) detail: String,
    pub(super) file: PathBuf,
    pub(super) line: usize,
    pub(super) digest: ProvisionDigest,
}

impl From<&Provision> for RecordedProvision {
    fn from(provision: &Provision) -> Self {
        let Provision { kind, name, detail, file, line, digest } = provision.clone();
        RecordedProvision { kind, name, detail, file, line, digest }
    }
}

impl RecordedProvision {
    fn read(value: &Value) -> Option<Self> {
        let text = |name: &str| value.get(name)?.as_str();
        Some(RecordedProvision {
            kind: ProvisionKind::from_name(text("kind")?)?,
            name: text("name")?.to_owned(),
            detail: text("detail")?.to_owned(),
            file: text("file")?.into(),
            line: usize::try_from(value.get("line")?.as_u64()?).ok()?,
            digest: ProvisionDigest::parse(text("digest")?)?,
        })
    }

    fn written(&self) -> Value {
        json!({
            "kind": self.kind.name(),
            "name": self.name,
            "detail": self.detail,
            "file": self.file.to_string_lossy(),
            "line": self.line,
            "digest": self.digest.to_string(),
        })
    }
}

impl TrustEntry {
    /// Reads an entry. Trust whose provisions can't all be read, or don't have the recorded digest, is none.
    pub(super) fn read(value: &Value) -> Self {
        let list = |value: &Value| -> Option<Vec<RecordedProvision>> {
            value.as_array()?.iter().map(RecordedProvision::read).collect()
        };
        let trusted = value.get("trusted").and_then(|trusted| {
            let text = |name: &str| Some(trusted.get(name)?.as_str()?.to_owned());
            let read = TrustedProvisions {
                by: text("by")?,
                at: text("at")?,
                provisions: list(trusted.get("provisions")?)?,
            };
            (text("digest")? == read.digest().to_string()).then_some(read)
        });
        TrustEntry {
            trusted,
            granted: value.get("granted").and_then(list).unwrap_or_default(),
            is_revoked: value.get("revoked") == Some(&Value::Bool(true)),
        }
    }

    /// Writes the entry into a value, whose other members stay.
    pub(super) fn write(&self, value: &mut Value) {
        if !value.is_object() {
            *value = json!({});
        }
        let Value::Object(members) = value else { return };
        let mut put = |name: &str, member: Option<Value>| match member {
            Some(member) => drop(members.insert(name.to_owned(), member)),
            None => drop(members.remove(name)),
        };
        let written =
            |list: &[RecordedProvision]| Value::Array(list.iter().map(RecordedProvision::written).collect());
        put(
            "trusted",
            self.trusted.as_ref().map(|trusted| {
                json!({
                    "by": trusted.by,
                    "at": trusted.at,
                    "digest": trusted.digest().to_string(),
                    "provisions": written(&trusted.provisions),
                })
            }),
        );
        put("granted", (!self.granted.is_empty()).then(|| written(&self.granted)));
        put("revoked", self.is_revoked.then_some(Value::Bool(true)));
    }

    /// Whether nothing is recorded.
    pub(super) fn is_empty(&self) -> bool {
        *self == TrustEntry::default()
    }

    /// The digests of what was granted by itself.
    pub(super) fn granted(&self) -> HashSet<ProvisionDigest> {
        self.granted.iter().map(|granted| granted.digest).collect()
    }

    /// Records a grant.
    pub(super) fn grant(&mut self, provision: &Provision) {
        self.granted.retain(|granted| granted.digest != provision.digest);
        self.granted.push(provision.into());
    }

    /// Forgets provisions that the user has taken away, as if they had never been accepted.
    pub(super) fn forget(&mut self, is_gone: impl Fn(&RecordedProvision) -> bool) {
        self.granted.retain(|granted| !is_gone(granted));
        if let Some(trusted) = &mut self.trusted {
            trusted.provisions.retain(|provision| !is_gone(provision));
        }
    }
}
