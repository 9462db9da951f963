//! What a session's agent is started with.

use std::path::PathBuf;

use aqueduct_client::{Profile, Session};
use aqueduct_wire::json::Str;
use aqueduct_wire::permission::PermissionMode;

use super::actor::SessionActor;
use crate::failure::Failure;
use crate::keeper::{KeeperJob, KeeperLimits};
use crate::message::ErrorCode;
use crate::settings::AgentSettings;

impl SessionActor {
    /// The agent that the session is set up with.
    pub(super) fn agent(&self) -> Result<AgentSettings, Failure> {
        let name = &self.row.agent;
        let agent = self.services.settings.agent(name).ok_or_else(|| {
            Failure::new(ErrorCode::AgentNotFound, format!("no agent named {name} is set up"))
                .sentence("Resume the session with one of those in `hello`")
        })?;
        match &agent.problem {
            Some(problem) => Err(Failure::agent(problem.clone())),
            None => Ok(agent.clone()),
        }
    }

    /// The dialect of the session's agent.
    pub(super) fn profile(&self) -> Profile {
        self.services.settings.agent(&self.row.agent).map_or(Profile::REFERENCE, AgentSettings::profile)
    }

    /// The keeper's job: the agent with all that it is started with.
    pub(super) fn job(&self, agent: AgentSettings, folder: PathBuf) -> Result<KeeperJob, Failure> {
        let profile = agent.profile();
        let mut builder = Session::builder()
            .profile(profile)
            .program(agent.program)
            .leading_arguments(agent.leading)
            .directory(&self.row.project)
            .partial_messages(true);
        if profile.has_option("replay_user_messages") {
            // A prompt that comes back is one that the agent has begun with, or had answered before.
            builder = builder.replay_user_messages(true);
        }
        if agent.asks && profile.has_option("permission_prompt_tool") {
            builder = builder.permission_prompt_tool("stdio");
        }
        if let Some(model) = &self.options.model {
            builder = builder.model(model.clone());
        }
        if let Some(mode) = &self.row.permission_mode {
            builder = builder.permission_mode(PermissionMode::from(Str::from(mode.clone())));
        }
        if self.services.settings.bypass && profile.has_option("allow_dangerously_skip_permissions") {
            builder = builder.allow_dangerously_skip_permissions(true);
        }
        if !self.options.allowed.is_empty() {
            builder = builder.allowed_tools(self.options.allowed.iter().cloned());
        }
        let id = self.row.agent_id.clone().unwrap_or_else(|| self.id.to_string());
        builder = match self.details.can_resume {
            true => builder.resume(id),
            false => builder.session_id(id),
        };
        for argument in agent.arguments {
            builder = builder.argument(argument);
        }
        let child = builder.child().map_err(|error| Failure::of(ErrorCode::AgentFailed, &error))?;
        let text = |value: std::ffi::OsString| value.to_string_lossy().into_owned();
        let (mut set, mut unset) = (agent.set, agent.unset);
        for (name, value) in child.environment {
            match value {
                Some(value) => set.push((text(name), text(value))),
                None => unset.push(text(name)),
            }
        }
        Ok(KeeperJob {
            folder,
            program: child.program.into(),
            arguments: child.arguments.into_iter().map(text).collect(),
            cwd: self.row.project.clone().into(),
            set,
            unset,
            limits: KeeperLimits::default(),
            unattended: self.services.settings.unattended,
        })
    }
}
