//! Events of a session as a whole.

use std::path::Path;
use std::time::Duration;

use aqueduct_model::price::{self, ModelCard};
use aqueduct_wire::hook::{
    CacheLifetime, CompactTrigger, ConfigChangeInput, ConfigSource, CwdChangedInput, DirectoryAddedInput,
    DirectorySource, HookEvent, InstructionsLoadReason, InstructionsLoadedInput, MemoryType,
    ModelSwitchInput, ModelSwitchPricing, ModelSwitchSource, PostCompactInput, PreCompactInput,
    SessionEndInput, SessionEndReason, SessionStartInput, SessionStartSource, SetupInput, SetupTrigger,
};
use aqueduct_wire::json::{Number, Str};
use tokio_util::sync::CancellationToken;

use super::input::{HookInputBase, reported};
use super::occasion::HookOccurrence;
use super::outcome::HooksOutcome;
use crate::memory::{MemoryFile, MemoryKind};
use crate::session::AgentSession;

/// How long the API keeps a prompt.
const CACHE_LIFETIME: Duration = Duration::from_secs(300);

/// A change of the model, as hooks receive it.
#[derive(Debug, Clone)]
pub(crate) struct ModelSwitch {
    /// The model that was called so far.
    pub(crate) from: String,
    /// The model that is called from now on.
    pub(crate) to: String,
    /// The name that was asked for; `None` for the default.
    pub(crate) requested: Option<String>,
    /// Who changed it.
    pub(crate) source: ModelSwitchSource<'static>,
}

impl AgentSession {
    /// A session starts, resumes, or was compacted. At startup the host can't be called yet.
    pub(crate) async fn session_started(
        &self,
        source: SessionStartSource<'static>,
        cancel: &CancellationToken,
    ) -> HooksOutcome {
        let mut occasion = HookOccurrence::new(&HookEvent::SessionStart, Some(source.as_str()));
        let is_first = !matches!(source, SessionStartSource::Clear | SessionStartSource::Compact);
        if is_first {
            occasion = occasion.without_host();
        }
        self.fire(occasion, cancel, |base| {
            let mut input = SessionStartInput::new();
            input.model = Some(self.model().into());
            if matches!(source, SessionStartSource::Resume | SessionStartSource::Fork) {
                input.context_tokens = Some(self.usage.context_tokens().into());
            }
            input.source = Some(source);
            reported!(base, SessionStart(input))
        })
        .await
    }

    /// The project is set up or maintained. The host can't be called yet.
    pub(crate) async fn set_up(
        &self,
        trigger: SetupTrigger<'static>,
        cancel: &CancellationToken,
    ) -> HooksOutcome {
        let occasion = HookOccurrence::new(&HookEvent::Setup, Some(trigger.as_str())).without_host();
        self.fire(occasion, cancel, |base| {
            let mut input = SetupInput::new();
            input.trigger = Some(trigger);
            reported!(base, Setup(input))
        })
        .await
    }

    /// A session ends. The last of these events can't be sent to the host, which has disconnected.
    pub(crate) async fn session_ended(&self, reason: SessionEndReason<'static>, cancel: &CancellationToken) {
        let mut occasion = HookOccurrence::new(&HookEvent::SessionEnd, Some(reason.as_str()));
        if reason != SessionEndReason::Clear {
            occasion = occasion.without_host();
        }
        self.fire(occasion, cancel, |base| {
            let mut input = SessionEndInput::new();
            input.reason = Some(reason);
            reported!(base, SessionEnd(input))
        })
        .await;
    }

    /// The conversation is about to be compacted: hooks may block it, or add instructions on what to keep.
    pub(crate) async fn compacting(
        &self,
        trigger: &CompactTrigger<'static>,
        wishes: Option<&str>,
        cancel: &CancellationToken,
    ) -> HooksOutcome {
        let occasion = HookOccurrence::new(&HookEvent::PreCompact, Some(trigger.as_str()));
        self.fire(occasion, cancel, |base| {
            let mut input = PreCompactInput::new();
            input.trigger = Some(trigger.clone());
            input.custom_instructions = wishes.map(|wishes| wishes.to_owned().into());
            reported!(base, PreCompact(input))
        })
        .await
    }

    /// The conversation was compacted.
    pub(crate) fn compacted(&self, trigger: &CompactTrigger<'static>, summary: &str) {
        let occasion = HookOccurrence::new(&HookEvent::PostCompact, Some(trigger.as_str()));
        self.observe(occasion, |base| {
            let mut input = PostCompactInput::new();
            input.trigger = Some(trigger.clone());
            input.compact_summary = Some(summary.to_owned().into());
            reported!(base, PostCompact(input))
        });
    }

    /// Another model is about to take over: hooks may forbid it.
    pub(crate) async fn switching_model(
        &self,
        switch: &ModelSwitch,
        cancel: &CancellationToken,
    ) -> HooksOutcome {
        let occasion = HookOccurrence::new(&HookEvent::PreModelSwitch, Some(&switch.to));
        self.fire(occasion, cancel, |base| {
            let input = self.switch_input(switch);
            reported!(base, PreModelSwitch(input))
        })
        .await
    }

    /// Another model has taken over.
    pub(crate) fn switched_model(&self, switch: &ModelSwitch) {
        let occasion = HookOccurrence::new(&HookEvent::PostModelSwitch, Some(&switch.to));
        self.observe(occasion, |base| {
            let input = self.switch_input(switch);
            reported!(base, PostModelSwitch(input))
        });
    }

    fn switch_input(&self, switch: &ModelSwitch) -> ModelSwitchInput<'static> {
        let (tokens, answered) = (self.usage.context_tokens(), self.conversation.answered());
        let card = price::card(&switch.to);
        let rate = card.as_ref().unwrap_or(&ModelCard::UNKNOWN).rates.cache_write_5m;
        let mut input = ModelSwitchInput::new();
        input.from_model = Some(switch.from.clone().into());
        input.to_model = Some(switch.to.clone().into());
        input.requested_model = switch.requested.clone().map(Into::into);
        input.source = Some(switch.source.clone());
        input.context_tokens = Some(tokens.into());
        input.prompt_cache_warm = Some(answered.is_some_and(|time| time.elapsed() < CACHE_LIFETIME));
        input.cache_ttl = Some(CacheLifetime::FiveMinutes);
        input.estimated_cache_write_usd = Number::from_f64(tokens as f64 * rate / 1_000_000.0);
        input.pricing =
            Some(if card.is_some() { ModelSwitchPricing::Catalog } else { ModelSwitchPricing::Default });
        input
    }

    /// A memory file was read.
    pub(crate) fn instructions_loaded(&self, file: &MemoryFile) {
        let reason = match file.imported_by {
            Some(_) => InstructionsLoadReason::Include,
            None => InstructionsLoadReason::SessionStart,
        };
        let occasion =
            HookOccurrence::new(&HookEvent::InstructionsLoaded, Some(reason.as_str())).without_host();
        self.observe(occasion, |base| {
            let mut input = InstructionsLoadedInput::new();
            input.file_path = Some(path(&file.path));
            input.memory_type = Some(match file.kind {
                MemoryKind::Managed => MemoryType::Managed,
                MemoryKind::User => MemoryType::User,
                MemoryKind::Project => MemoryType::Project,
                MemoryKind::Local => MemoryType::Local,
            });
            input.load_reason = Some(reason.clone());
            input.parent_file_path = file.imported_by.as_deref().map(path);
            reported!(base, InstructionsLoaded(input))
        });
    }

    /// The working directory has changed.
    pub(crate) fn cwd_changed(&self, before: &Path, now: &Path) {
        // Hosts know it from `init`.
        let occasion = HookOccurrence::new(&HookEvent::CwdChanged, None).without_host();
        self.observe(occasion, |base| {
            let mut input = CwdChangedInput::new();
            input.old_cwd = Some(path(before));
            input.new_cwd = Some(path(now));
            reported!(base, CwdChanged(input))
        });
    }

    /// A working directory was added.
    pub(crate) fn directory_added(&self, directory: &Path, source: DirectorySource<'static>) {
        let occasion = HookOccurrence::new(&HookEvent::DirectoryAdded, Some(source.as_str()));
        self.observe(occasion, |base| {
            let mut input = DirectoryAddedInput::new();
            input.directory = Some(path(directory));
            input.source = Some(source.clone());
            reported!(base, DirectoryAdded(input))
        });
    }

    /// Commands or skills have changed.
    pub(crate) fn config_changed(&self, source: ConfigSource<'static>, file: Option<&Path>) {
        let occasion = HookOccurrence::new(&HookEvent::ConfigChange, Some(source.as_str()));
        self.observe(occasion, |base: &HookInputBase| {
            let mut input = ConfigChangeInput::new();
            input.source = Some(source.clone());
            input.file_path = file.map(path);
            reported!(base, ConfigChange(input))
        });
    }
}

fn path(path: &Path) -> Str<'static> {
    path.display().to_string().into()
}
