use crate::table::names;

names! {
    /// Something a host can count on. An agent lists those that it honours, and a host looks here before
    /// it uses one.
    Capability<'a> {
        /// The answer to `interrupt` lists the messages that are still queued.
        "interrupt_receipt_v1" => InterruptReceipt,
        /// `interrupt` can drop the queued messages too.
        "interrupt_cancel_queued_v1" => InterruptCancelQueued,
        "interrupt_send_now_v1" => InterruptSendNow,
        "interrupt_requeue_taken_v1" => InterruptRequeueTaken,
        /// Messages with a `uuid` get `command_lifecycle` frames.
        "msg_lifecycle_v1" => MessageLifecycle,
        "lifecycle_wakeup_source_v1" => LifecycleWakeupSource,
        "request_marker_lists_v1" => RequestMarkerLists,
        "ask_user_question_unanswered_v1" => AskUserQuestionUnanswered,
        "sdk_mcp_tools_list_changed" => SdkMcpToolsListChanged,
        "sdk_mcp_manifests" => SdkMcpManifests,
        "mcp_read_resource_v1" => McpReadResource,
        "mcp_tool_ui_meta_v1" => McpToolUiMeta,
        "mcp_call_result_not_for_model_v1" => McpCallResultNotForModel,
        "mcp_call_check_permissions_v1" => McpCallCheckPermissions,
        "ui_surface_v1" => UiSurface,
        "ui_pane_widget_v1" => UiPaneWidget,
        "voice_call_talk_line_v1" => VoiceCallTalkLine,
        "withdrawn_files_note_v2" => WithdrawnFilesNote,
        "reload_plugins_refuse_if_busy_v1" => ReloadPluginsRefuseIfBusy,
        "queued_notifications" => QueuedNotifications,
    }
}
