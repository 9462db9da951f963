//! What a settings file loosens of the sandbox. A project folder may do so only with the user's trust.

use super::settings::SandboxSettings;

impl SandboxSettings {
    /// The members that loosen something, with their values.
    pub fn loosening(&self) -> Vec<(&'static str, String)> {
        // Every field is named, so that a new one has to be put on one side or the other.
        let SandboxSettings {
            enabled,
            required,
            auto_allows,
            unix_sockets,
            excluded,
            allowed,
            writable,
            readable,
            unreported,
            // These tighten, or mean something only in the organisation's settings.
            may_leave: _,
            denied: _,
            unwritable: _,
            unreadable: _,
            managed_domains_only: _,
            managed_reads_only: _,
        } = self;
        let mut loose = Vec::new();
        let flags = [
            ("enabled", enabled, false),
            ("failIfUnavailable", required, false),
            ("autoAllowBashIfSandboxed", auto_allows, true),
            ("network.allowAllUnixSockets", unix_sockets, true),
        ];
        for (name, value, is_loose) in flags {
            if *value == Some(is_loose) {
                loose.push((name, is_loose.to_string()));
            }
        }
        let domains: Vec<String> = allowed.iter().map(ToString::to_string).collect();
        let lists = [
            ("excludedCommands", excluded),
            ("network.allowedDomains", &domains),
            ("filesystem.allowWrite", writable),
            ("filesystem.allowRead", readable),
        ];
        for (name, values) in lists {
            loose.extend(values.iter().map(|value| (name, value.clone())));
        }
        for (command, texts) in unreported {
            loose.push(("ignoreViolations", format!("{command}: {}", texts.join(", "))));
        }
        loose
    }

    /// Takes away what loosens something and is not among what `keeps` accepts.
    pub fn tighten(&mut self, keeps: impl Fn(&str, &str) -> bool) {
        let flags = [
            ("enabled", &mut self.enabled, false),
            ("failIfUnavailable", &mut self.required, false),
            ("autoAllowBashIfSandboxed", &mut self.auto_allows, true),
            ("network.allowAllUnixSockets", &mut self.unix_sockets, true),
        ];
        for (name, value, is_loose) in flags {
            *value = value.filter(|value| *value != is_loose || keeps(name, &is_loose.to_string()));
        }
        let lists = [
            ("excludedCommands", &mut self.excluded),
            ("filesystem.allowWrite", &mut self.writable),
            ("filesystem.allowRead", &mut self.readable),
        ];
        for (name, values) in lists {
            values.retain(|value| keeps(name, value));
        }
        self.allowed.retain(|domain| keeps("network.allowedDomains", &domain.to_string()));
        self.unreported.retain(|(command, texts)| {
            keeps("ignoreViolations", &format!("{command}: {}", texts.join(", ")))
        });
    }
}
