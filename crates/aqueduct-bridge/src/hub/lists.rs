//! What clients look at: lists, histories, what the bridge is.

use aqueduct_wire::control::{ContextUsageReply, GetContextUsageRequest, HostRequest};
use aqueduct_wire::json::{IntoOwned, Number, Raw};
use aqueduct_wire::permission::PermissionMode;
use aqueduct_wire::rate_limit::RateLimitInfo;

use super::Hub;
use crate::auth::Principal;
use crate::failure::Failure;
use crate::log::{LogError, PageLimits, PagePosition, Time, UsageQuery};
use crate::message::bridge::{
    Agents, Commands, ContextReport, ContextShare, Done, Feature, Hello, HistoryPage, Limits as HelloLimits,
    Models, SessionInfo, SessionList, SessionStatus, StoredMessage, UsageRow, UsageSummary,
};
use crate::message::client::{GetHistory, GetUsage};
use crate::message::{BridgeMessage, ClientMessage, ErrorCode, PROTOCOL, Scope};
use crate::outbox::stamped;
use crate::session::{SessionCommand, SessionHost, info_of_row};

/// How many bytes one page of history has at most.
const PAGE_BYTES: u64 = 4 << 20;

/// How many days of usage are shown by default.
const DAYS: i64 = 30;

impl Hub {
    /// What this bridge is and what it can do, for one client.
    pub fn hello(&self, principal: &Principal) -> Hello<'static> {
        let settings = &self.shared.settings;
        let mut modes = vec![
            PermissionMode::Default,
            PermissionMode::AcceptEdits,
            PermissionMode::Plan,
            PermissionMode::DontAsk,
        ];
        let mut features = vec![Feature::Search, Feature::Adopt];
        if self.shared.push.is_some() {
            features.push(Feature::Push);
        }
        if settings.bypass && principal.grant.scope == Scope::Admin {
            modes.push(PermissionMode::BypassPermissions);
            features.push(Feature::Bypass);
        }
        if settings.trust.is_some() {
            features.push(Feature::Trust);
        }
        let limits = HelloLimits::new(
            settings.limits.message_bytes as u64,
            settings.limits.queued_inputs as u64,
            u64::from(settings.limits.history_page),
        );
        let roots = match &principal.grant.root {
            Some(_) => self.workspace_for(principal).roots().paths().to_vec(),
            None => settings.roots.clone(),
        };
        let mut hello = Hello::new(
            settings.version.clone(),
            PROTOCOL,
            self.shared.log.id().to_owned(),
            Time::now().0.unsigned_abs(),
            principal.info(),
            settings.agents.iter().map(|agent| agent.choice()).collect::<Vec<_>>(),
            settings.default_agent.clone(),
            roots.iter().map(|root| root.to_string_lossy().into_owned().into()).collect::<Vec<_>>(),
            modes,
            features,
            limits,
        );
        hello.host = settings.host.clone().map(Into::into);
        hello.push_key = self.shared.push.as_ref().map(|push| push.key().to_owned().into());
        hello
    }

    /// Does what changes nothing in a session, or needs none.
    pub(super) async fn look(
        &self,
        principal: &Principal,
        message: ClientMessage<'static>,
        meant: Option<String>,
    ) -> Result<BridgeMessage<'static>, Failure> {
        use ClientMessage as M;
        let root = principal.grant.root.as_deref();
        Ok(match message {
            M::GetHistory(message) => self.history(*message).await?.into(),
            M::ListSessions(_) => self.list_sessions(principal).into(),
            M::ListRecentSessions(message) => {
                self.shared.recents.list(&message, root, |row| self.info(row)).await?.into()
            }
            M::Search(message) => self.shared.recents.search(&message, root).await?.into(),
            M::ExportSession(message) => self.shared.recents.export(&message).await?.into(),
            M::DeleteSession(message) => {
                self.delete(&message.session_id).await?;
                Done::new().into()
            }
            M::ExpireSession(message) => {
                let before = Time(i64::try_from(message.before).unwrap_or(i64::MAX));
                self.expire(&message.session_id, before).await?;
                Done::new().into()
            }
            M::GetContext(message) => {
                let id = message.session_id.map(|id| id.into_string()).or(meant);
                let id = id.ok_or_else(|| {
                    Failure::new(ErrorCode::SessionNotFound, "name the session with `sessionId`")
                })?;
                self.context(id).await?.into()
            }
            M::ListMcpServers(message) => self.mcp_servers(message.session_id.into_string()).await?.into(),
            M::SignInMcpServer(message) => {
                let (session, server) = (message.session_id.into_string(), message.server.into_string());
                self.sign_in_mcp_server(session, server).await?.into()
            }
            M::FinishMcpSignIn(message) => {
                let (server, callback) = (message.server.into_string(), message.callback_url.into_string());
                self.finish_mcp_sign_in(&message.session_id, server, callback).await?;
                Done::new().into()
            }
            M::SignOutMcpServer(message) => {
                self.sign_out_mcp_server(&message.session_id, message.server.into_string()).await?;
                Done::new().into()
            }
            M::ListAgents(_) => {
                let settings = &self.shared.settings;
                let agents: Vec<_> = settings.agents.iter().map(|agent| agent.choice()).collect();
                Agents::new(agents, settings.default_agent.clone()).into()
            }
            M::ListCommands(message) => {
                self.commands(principal, message.session_id.map(|id| id.into_string())).await?.into()
            }
            M::ListModels(message) => {
                self.models(message.session_id.map(|id| id.into_string())).await?.into()
            }
            M::GetStatus(_) => self.status(principal).await.into(),
            M::GetStderr(message) => self.stderr(*message).await?.into(),
            M::GetUsage(message) => self.usage(principal, *message).await?.into(),
            M::ListDirectory(_) | M::ListFiles(_) | M::ReadFile(_) | M::GetDiff(_) | M::GetGitStatus(_) => {
                return self.files(principal, message, meant).await;
            }
            M::GetTrust(message) => self.get_trust(principal, &message.project_path).await?.into(),
            M::TrustFolder(message) => {
                self.trust_folder(principal, &message.project_path, message.digest.as_str().to_owned())
                    .await?;
                Done::new().into()
            }
            M::DistrustFolder(message) => {
                self.distrust_folder(principal, &message.project_path).await?;
                Done::new().into()
            }
            M::ListDevices(_) => self.devices(principal).await?.into(),
            M::RevokeDevice(message) => {
                self.check_managed(principal, &message.device_id).await?;
                self.revoke(&message.device_id).await?.into()
            }
            M::RenameDevice(message) => {
                self.check_managed(principal, &message.device_id).await?;
                self.shared.auth.rename(&message.device_id, &message.name).await?;
                Done::new().into()
            }
            M::PairDevice(message) => {
                let now = Time::now();
                let grant = self.granted(principal, &message, now).await?;
                self.shared.auth.create_pairing_for(message.name.as_deref(), grant, now).await?.into()
            }
            M::SubscribePush(_) | M::UnsubscribePush(_) | M::TestPush(_) => {
                self.notifications(principal, message).await?.into()
            }
            _ => return Err(Failure::new(ErrorCode::NotSupported, "this bridge can't do that")),
        })
    }

    async fn history(&self, message: GetHistory<'static>) -> Result<HistoryPage<'static>, Failure> {
        let id = message.session_id.into_string();
        let most = u64::from(self.shared.settings.limits.history_page);
        let count = message.limit.unwrap_or(most).min(most);
        let place = match (message.before_seq, message.since_seq) {
            (Some(before), _) => PagePosition::Before(before),
            (None, Some(since)) => PagePosition::After(since),
            (None, None) => PagePosition::Newest,
        };
        let limits = PageLimits { count: u32::try_from(count).unwrap_or(u32::MAX).max(1), bytes: PAGE_BYTES };
        let page = match self.shared.log.page(id.as_str(), place, limits).await {
            Ok(page) => page,
            // It may have been started in a terminal.
            Err(LogError::NoSession { .. }) => return self.shared.recents.history(&id, place, limits).await,
            Err(error) => return Err(error.into()),
        };
        let (first, last) = (page.events.first(), page.events.last());
        let (from, to) = (first.map(|event| event.seq), last.map(|event| event.seq));
        let messages = page.events.into_iter().filter_map(|event| {
            let text = stamped(&event.payload, &id, event.seq, event.time);
            drop(event);
            Some(StoredMessage(Raw::parse(&text).ok()?.into_owned()))
        });
        let mut history = HistoryPage::new(id.clone(), messages.collect::<Vec<_>>());
        history.from_seq = from;
        history.to_seq = to;
        history.more = Some(page.more);
        history.last_seq = Some(page.last_seq);
        Ok(history)
    }

    /// Those that wait for a user first, then the newest.
    pub(super) fn list_sessions(&self, principal: &Principal) -> SessionList<'static> {
        let mut sessions: Vec<SessionInfo<'static>> = self
            .shared
            .registry()
            .sessions
            .values()
            .filter(|held| principal.grant.holds(&held.folder))
            .filter_map(|held| held.info.clone())
            .collect();
        let waits = |session: &SessionInfo<'_>| session.status == SessionStatus::WaitingApproval;
        sessions.sort_by(|a, b| waits(b).cmp(&waits(a)).then(b.updated_at.cmp(&a.updated_at)));
        SessionList::new(sessions)
    }

    /// What lists show of a session: its actor's data, if it has one.
    fn info(&self, row: &crate::log::SessionRecord) -> SessionInfo<'static> {
        let held = self.shared.registry().sessions.get(row.id.as_str()).and_then(|held| held.info.clone());
        held.unwrap_or_else(|| info_of_row(row))
    }

    async fn context(&self, id: String) -> Result<ContextReport<'static>, Failure> {
        let ask = |reply| SessionCommand::Request {
            request: Box::new(HostRequest::GetContextUsage(GetContextUsageRequest::new())),
            reply,
        };
        let answer = self.ask(&id, ask).await?;
        let usage: ContextUsageReply<'_> = answer
            .view()
            .ok_or_else(|| Failure::agent("the agent's answer about its context can't be read"))?;
        let count = |number: &Option<Number<'_>>| number.as_ref().and_then(Number::as_u64);
        let mut report = ContextReport::new(id, count(&usage.total_tokens).unwrap_or_default());
        report.window = count(&usage.max_tokens);
        report.model = usage.model.clone().map(IntoOwned::into_owned);
        report.compact_at = count(&usage.auto_compact_threshold);
        let shares = usage.categories.iter().flatten().map(|category| {
            let tokens = category.tokens.as_ref().and_then(Number::as_u64).unwrap_or_default();
            ContextShare::new(category.name.as_deref().unwrap_or_default().to_owned(), tokens)
        });
        report.shares = Some(shares.collect());
        Ok(report)
    }

    async fn commands(
        &self,
        principal: &Principal,
        id: Option<String>,
    ) -> Result<Commands<'static>, Failure> {
        let known = match &id {
            Some(id) => self.ask(id, |reply| SessionCommand::Initialized { reply }).await?,
            // They may be those of another project.
            None if principal.grant.root.is_some() => None,
            None => self.shared.agent_info(&self.shared.settings.default_agent),
        };
        let commands = known.as_ref().and_then(|known| known.commands.clone()).unwrap_or_default();
        let mut reply = Commands::new(commands);
        reply.agents = known.as_ref().and_then(|known| known.agents.clone());
        reply.session_id = id.map(Into::into);
        Ok(reply)
    }

    async fn models(&self, id: Option<String>) -> Result<Models<'static>, Failure> {
        let (known, model) = match &id {
            Some(id) => {
                let known = self.ask(id, |reply| SessionCommand::Initialized { reply }).await?;
                (known, self.shared.log.session(id.as_str()).await?.model)
            }
            None => (self.shared.agent_info(&self.shared.settings.default_agent), None),
        };
        let models = known.as_ref().and_then(|known| known.models.clone()).unwrap_or_default();
        let mut reply = Models::new(models);
        reply.model = model.map(Into::into);
        reply.session_id = id.map(Into::into);
        Ok(reply)
    }

    async fn usage(
        &self,
        principal: &Principal,
        message: GetUsage<'static>,
    ) -> Result<UsageSummary<'static>, Failure> {
        let today = jiff::Zoned::now().date();
        let month_ago = today.checked_sub(jiff::Span::new().days(DAYS)).unwrap_or(today);
        let from = message.from.map_or_else(|| month_ago.to_string(), |from| from.into_string());
        let to = message.to.map_or_else(|| today.to_string(), |to| to.into_string());
        let query = UsageQuery {
            from: from.clone(),
            to: to.clone(),
            session_id: message.session_id.map(|id| id.into_string()),
            project: message.project_path.map(|path| path.into_string()),
        };
        let mut rows = self.shared.log.usage(query).await?;
        rows.retain(|row| principal.grant.holds(&row.project));
        let total: f64 = rows.iter().map(|row| row.cost).sum();
        let rows = rows.into_iter().map(|row| {
            let mut usage = UsageRow::new(row.day, row.project, row.model);
            usage.cost_usd = Number::from_f64(row.cost);
            usage.input_tokens = Some(row.tokens.input);
            usage.output_tokens = Some(row.tokens.output);
            usage.cache_read_tokens = Some(row.tokens.cache_read);
            usage.cache_write_tokens = Some(row.tokens.cache_write);
            usage.turns = Some(row.turns);
            usage
        });
        let mut summary = UsageSummary::new(from, to, rows.collect::<Vec<_>>());
        summary.cost_usd = Number::from_f64(total);
        let limits = self.shared.log.rate_limits().await?;
        let limits = limits.iter().filter_map(|limit| {
            let raw = Raw::parse(&limit.payload).ok()?;
            raw.view::<RateLimitInfo<'_>>().map(IntoOwned::into_owned)
        });
        summary.rate_limits = Some(limits.collect());
        Ok(summary)
    }
}
