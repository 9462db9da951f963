//! What a session can be asked: a method for each request that a host has use for. The others go through
//! [`Session::request`].

use aqueduct_wire::control::*;
use aqueduct_wire::json::{Map, Number, Raw};
use aqueduct_wire::mcp::McpServerConfig;
use aqueduct_wire::permission::{Destination, PermissionMode};

use crate::{Error, Session};

/// Makes methods of a table: what is asked, and what comes back.
macro_rules! controls {
    ($($(#[doc = $doc:literal])+ $name:ident($($arg:ident: $ty:ty),*) -> $reply:ident = $request:expr;)*) => {
        /// Requests. Each is answered at once, also in the middle of a run, and each fails with
        /// [`Error::Unsupported`] on an agent that is too old for it.
        ///
        /// ```no_run
        /// # async fn example(session: aqueduct_client::Session) -> Result<(), aqueduct_client::Error> {
        /// use aqueduct_client::wire::json::Map;
        /// use serde_json::json;
        ///
        /// // Runs and their queue.
        /// let prompt = session.send("Plan the next release.").await?;
        /// session.cancel_queued(&prompt).await?;
        /// session.interrupt().await?;
        /// session.interrupt_all().await?;
        /// // How the model works.
        /// session.set_model(Some("sonnet")).await?;
        /// session.set_max_thinking_tokens(Some(4000)).await?;
        /// session.set_permission_mode("plan".into()).await?;
        /// println!("{:?}", session.models().await?);
        /// // Settings.
        /// session.apply_settings(Map::default()).await?;
        /// session.update_settings("userSettings".into(), json!({"model": "sonnet"}).into()).await?;
        /// println!("{:?} {:?}", session.settings().await?, session.permission_rules().await?);
        /// println!("{:?}", session.hooks_listing().await?);
        /// // MCP servers.
        /// session.mcp_set_servers(Map::default()).await?;
        /// session.mcp_toggle("map", true).await?;
        /// session.mcp_reconnect("map").await?;
        /// println!("{:?}", session.mcp_sign_in("map").await?);
        /// session.mcp_finish_sign_in("map", "http://localhost:4000/callback?code=…").await?;
        /// session.mcp_sign_out("map").await?;
        /// println!("{:?}", session.mcp_status().await?);
        /// println!("{:?}", session.mcp_call("mcp__map__distance", json!({"to": "Rome"}).into()).await?);
        /// println!("{:?}", session.mcp_read_resource("map", "map://rome").await?);
        /// // Files and background tasks.
        /// println!("{:?}", session.rewind_files_dry(&prompt).await?);
        /// session.rewind_files(&prompt).await?;
        /// println!("{:?} {:?}", session.file_suggestions("mai").await?, session.read_file("main.rs").await?);
        /// session.background_tasks().await?;
        /// println!("{:?}", session.task_output("b1").await?);
        /// session.stop_task("b1").await?;
        /// // What it has used.
        /// println!("{:?} {:?}", session.context_usage().await?, session.usage().await?);
        /// println!("{:?} {:?}", session.session_cost().await?, session.binary_version().await?);
        /// // The session.
        /// session.reload_skills().await?;
        /// session.reload_plugins().await?;
        /// session.rename("The next release").await?;
        /// session.end_session().await?;
        /// # Ok(())
        /// # }
        /// ```
        impl Session {
            $($(#[doc = $doc])+
            pub async fn $name(&self, $($arg: $ty),*) -> Result<$reply<'static>, Error> {
                let answer = self.request($request).await?;
                match answer.view::<$reply<'_>>() {
                    Some(reply) => Ok(reply.into_owned()),
                    None => Err(Error::unreadable(stringify!($name), &answer)),
                }
            })*
        }
    };
}

controls! {
    /// Stops the run. The outcome of its turn is [`Interrupted`](crate::Outcome::Interrupted); the session
    /// lives on. Prompts in the queue are served next.
    interrupt() -> InterruptReply = HostRequest::Interrupt(InterruptRequest::new());

    /// Stops the run and empties the queue.
    interrupt_all() -> InterruptReply = HostRequest::Interrupt({
        let mut request = InterruptRequest::new();
        request.cancel_queued = Some(true);
        request
    });

    /// Takes a prompt from the queue, if it has not been taken up yet.
    cancel_queued(prompt_id: &str) -> CancelAsyncMessageReply = HostRequest::CancelAsyncMessage(
        CancelAsyncMessageRequest::new(prompt_id.to_owned())
    );

    /// Enters a permission mode.
    set_permission_mode(mode: PermissionMode<'static>) -> SetPermissionModeReply =
        HostRequest::SetPermissionMode(SetPermissionModeRequest::new(mode));

    /// Switches the model, from the next answer on; to the default where none is named.
    set_model(model: Option<&str>) -> SetModelReply = HostRequest::SetModel({
        let mut request = SetModelRequest::new();
        request.model = model.map(|model| model.to_owned().into());
        request
    });

    /// How many tokens the model may think with; no limit of its own where none is given.
    set_max_thinking_tokens(tokens: Option<u32>) -> Acknowledgement = HostRequest::SetMaxThinkingTokens({
        let mut request = SetMaxThinkingTokensRequest::new();
        request.max_thinking_tokens = tokens.map(|tokens| Number::from(u64::from(tokens)));
        request
    });

    /// Puts settings in place for this session, above all files.
    apply_settings(settings: Map<'static, Raw<'static>>) -> Acknowledgement =
        HostRequest::ApplyFlagSettings(ApplyFlagSettingsRequest::new(settings));

    /// The settings in effect, and where they come from.
    settings() -> GetSettingsReply = HostRequest::GetSettings(GetSettingsRequest::new());

    /// Writes settings to a file.
    update_settings(destination: Destination<'static>, settings: Raw<'static>) -> Acknowledgement =
        HostRequest::UpdateSettings({
            let mut request = UpdateSettingsRequest::new(settings);
            request.source = Some(destination);
            request
        });

    /// The permission rules in effect.
    permission_rules() -> ListPermissionRulesReply =
        HostRequest::ListPermissionRules(ListPermissionRulesRequest::new());

    /// The hooks in effect.
    hooks_listing() -> GetHooksListingReply = HostRequest::GetHooksListing(GetHooksListingRequest::new());

    /// The states of the MCP servers.
    mcp_status() -> McpStatusReply = HostRequest::McpStatus(McpStatusRequest::new());

    /// Connects to an MCP server anew.
    mcp_reconnect(server: &str) -> Acknowledgement =
        HostRequest::McpReconnect(McpReconnectRequest::new(server.to_owned()));

    /// Begins to sign in to an MCP server: the reply has the page for the user. A browser on the agent's machine ends it; from
    /// elsewhere the address that the browser ended on goes to [`Session::mcp_finish_sign_in`].
    mcp_sign_in(server: &str) -> McpAuthenticateReply =
        HostRequest::McpAuthenticate(McpAuthenticateRequest::new(server.to_owned()));

    /// Ends a sign-in with the address that the user's browser ended on.
    mcp_finish_sign_in(server: &str, callback_url: &str) -> Acknowledgement = HostRequest::McpOauthCallbackUrl(
        McpOauthCallbackUrlRequest::new(server.to_owned(), callback_url.to_owned())
    );

    /// Signs out of an MCP server.
    mcp_sign_out(server: &str) -> Acknowledgement =
        HostRequest::McpClearAuth(McpClearAuthRequest::new(server.to_owned()));

    /// Turns an MCP server on or off.
    mcp_toggle(server: &str, enabled: bool) -> Acknowledgement =
        HostRequest::McpToggle(McpToggleRequest::new(server.to_owned(), enabled));

    /// Puts these MCP servers in place of those that were set before.
    mcp_set_servers(servers: Map<'static, McpServerConfig<'static>>) -> McpSetServersReply =
        HostRequest::McpSetServers(McpSetServersRequest::new(servers));

    /// Calls a tool of an MCP server without the model.
    mcp_call(tool: &str, arguments: Raw<'static>) -> McpCallReply = HostRequest::McpCall({
        let mut request = McpCallRequest::new(tool.to_owned());
        request.arguments = Some(arguments);
        Box::new(request)
    });

    /// Reads a resource of an MCP server.
    mcp_read_resource(server: &str, uri: &str) -> McpReadResourceReply =
        HostRequest::McpReadResource(McpReadResourceRequest::new(server.to_owned(), uri.to_owned()));

    /// Brings files back to what they were before a prompt. Needs
    /// [`file_checkpoints`](crate::Builder::file_checkpoints).
    rewind_files(prompt_id: &str) -> RewindFilesReply =
        HostRequest::RewindFiles(RewindFilesRequest::new(prompt_id.to_owned()));

    /// Returns what [`rewind_files`](Session::rewind_files) would do.
    rewind_files_dry(prompt_id: &str) -> RewindFilesReply = HostRequest::RewindFiles({
        let mut request = RewindFilesRequest::new(prompt_id.to_owned());
        request.dry_run = Some(true);
        request
    });

    /// Stops a background task.
    stop_task(task_id: &str) -> Acknowledgement =
        HostRequest::StopTask(StopTaskRequest::new(task_id.to_owned()));

    /// The last output of a background task.
    task_output(task_id: &str) -> GetTaskOutputReply =
        HostRequest::GetTaskOutput(GetTaskOutputRequest::new(task_id.to_owned()));

    /// Sends what runs into the background.
    background_tasks() -> BackgroundTasksReply = HostRequest::BackgroundTasks(BackgroundTasksRequest::new());

    /// What fills the context.
    context_usage() -> ContextUsageReply = HostRequest::GetContextUsage(GetContextUsageRequest::new());

    /// What the session has cost, as text for people.
    session_cost() -> SessionCostReply = HostRequest::GetSessionCost(GetSessionCostRequest::new());

    /// What the session and the account have used.
    usage() -> UsageReply = HostRequest::GetUsage(GetUsageRequest::new());

    /// The version of the agent's program.
    binary_version() -> BinaryVersionReply = HostRequest::GetBinaryVersion(GetBinaryVersionRequest::new());

    /// The models that can be chosen.
    models() -> ListModelsReply = HostRequest::ListModels(ListModelsRequest::new());

    /// Files that a few letters may mean.
    file_suggestions(query: &str) -> FileSuggestionsReply =
        HostRequest::FileSuggestions(FileSuggestionsRequest::new(query.to_owned()));

    /// Reads a file where the agent is.
    read_file(path: &str) -> ReadFileReply = HostRequest::ReadFile(ReadFileRequest::new(path.to_owned()));

    /// Gives the session a title.
    rename(title: &str) -> Acknowledgement =
        HostRequest::RenameSession(RenameSessionRequest::new(title.to_owned()));

    /// Finds skills anew.
    reload_skills() -> ReloadSkillsReply = HostRequest::ReloadSkills(ReloadSkillsRequest::new());

    /// Finds plugins anew.
    reload_plugins() -> ReloadPluginsReply = HostRequest::ReloadPlugins(ReloadPluginsRequest::new());

    /// Ends the agent from inside: it answers and exits.
    end_session() -> Acknowledgement = HostRequest::EndSession(EndSessionRequest::new());
}
