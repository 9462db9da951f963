//! What a credential allows, and what it may pass on.

use std::path::Path;

use jiff::Timestamp;

use crate::Failure;
use crate::log::{Grant, Time};
use crate::message::bridge::DeviceInfo;
use crate::message::{ErrorCode, Scope};

impl Grant {
    /// Everything, for ever, everywhere.
    pub fn full() -> Self {
        Grant::of(Scope::Admin)
    }

    /// A scope without expiry and root.
    pub fn of(scope: Scope) -> Self {
        Grant { scope, expires: None, root: None }
    }

    /// Writes it into what clients see of a credential.
    pub(crate) fn describe(&self, info: &mut DeviceInfo<'static>) {
        info.scope = Some(self.scope.into());
        info.expires_at = self.expires.and_then(|expires| u64::try_from(expires.0).ok());
        info.root = self.root.clone().map(Into::into);
    }

    /// Refuses what needs a larger scope.
    pub(crate) fn require(&self, needed: Scope) -> Result<(), Failure> {
        if self.scope >= needed {
            return Ok(());
        }
        let (needed_name, own) = (needed.as_str(), self.scope.as_str());
        let message = format!("this needs the scope `{needed_name}`, and this credential has `{own}`");
        let mut failure = Failure::new(ErrorCode::Forbidden, message).clause(format!(
            "on the bridge's machine, `aqueduct pair --scope {needed_name}` or `aqueduct token new --scope \
             {needed_name}` makes one that has it"
        ));
        failure.scope = Some(needed);
        Err(failure)
    }

    /// Whether it has ended.
    pub(crate) fn has_expired(&self, now: Time) -> bool {
        self.expires.is_some_and(|expires| expires <= now)
    }

    /// Refuses everything once it has ended.
    pub(crate) fn require_time(&self, now: Time) -> Result<(), Failure> {
        let Some(expires) = self.expires.filter(|_| self.has_expired(now)) else { return Ok(()) };
        let when =
            Timestamp::from_millisecond(expires.0).map(|time| format!("{time:.0}")).unwrap_or_default();
        Err(Failure::new(ErrorCode::Unauthorized, format!("this credential expired {when}"))
            .clause("pair the device again, or make a new token"))
    }

    /// Whether a folder is in the root. The folder has no symlinks left in its path.
    pub(crate) fn holds(&self, folder: &str) -> bool {
        self.root.as_deref().is_none_or(|root| Path::new(folder).starts_with(root))
    }

    /// Whether the holder may see and revoke a credential that is limited to `root`.
    pub(crate) fn manages(&self, root: Option<&str>) -> bool {
        match root {
            Some(root) => self.holds(root),
            None => self.root.is_none(),
        }
    }

    /// The grant of a credential that is created with this one: what is requested, and never more than this
    /// one has. Expiry and root are inherited unless requested.
    pub(crate) fn pass_on(&self, wished: Grant, now: Time) -> Result<Grant, Failure> {
        self.require(wished.scope)?;
        if wished.has_expired(now) {
            return Err(Failure::new(ErrorCode::InvalidMessage, "`expiresAt` is in the past")
                .clause("choose a later time"));
        }
        let expires = match (self.expires, wished.expires) {
            (Some(own), Some(wished)) if wished > own => {
                let message = "a credential can't outlive the one that makes it";
                return Err(
                    Failure::new(ErrorCode::Forbidden, message).clause("choose an earlier `expiresAt`")
                );
            }
            (own, wished) => wished.or(own),
        };
        let root = match wished.root {
            Some(root) if !self.holds(&root) => {
                let message = "the root must be in the root of the credential that makes the new one";
                return Err(Failure::new(ErrorCode::Forbidden, message));
            }
            root => root.or_else(|| self.root.clone()),
        };
        Ok(Grant { scope: wished.scope, expires, root })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_grant() -> impl Strategy<Value = Grant> {
        let roots = prop::option::of(prop::sample::select(vec!["/a", "/a/b", "/a/bc", "/a/b/c", "/d"]));
        let scopes = prop::sample::select(Scope::ALL);
        (scopes, prop::option::of(1_i64..20), roots).prop_map(|(scope, expires, root)| Grant {
            scope,
            expires: expires.map(Time),
            root: root.map(str::to_owned),
        })
    }

    proptest! {
        #[test]
        fn a_credential_never_grants_more_than_it_has(own in any_grant(), wished in any_grant(), now in 0_i64..20) {
            if let Ok(given) = own.pass_on(wished.clone(), Time(now)) {
                prop_assert!(given.scope <= own.scope && given.scope == wished.scope);
                prop_assert!(own.expires.is_none_or(|own| given.expires.is_some_and(|given| given <= own)));
                prop_assert!(!given.has_expired(Time(now)) || wished.expires.is_none());
                prop_assert!(own.manages(given.root.as_deref()));
                for folder in ["/a", "/a/b", "/a/bc/x", "/a/b/c/d", "/d", "/"] {
                    prop_assert!(!given.holds(folder) || own.holds(folder), "{folder}");
                }
            }
        }
    }

    #[test]
    fn a_root_ends_at_a_slash() {
        let grant = Grant { root: Some("/proj/a".into()), ..Grant::full() };
        for (folder, held) in [
            ("/proj/a", true),
            ("/proj/a/b", true),
            ("/proj/ab", false),
            ("/proj", false),
            ("/", false),
            ("", false),
        ] {
            assert_eq!(grant.holds(folder), held, "{folder}");
        }
        assert!(Grant::full().holds("/anything"));
        assert!(!grant.manages(None), "a limited grant manages no unlimited one");
    }
}
