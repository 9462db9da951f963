//! What the agent reports about the session, and about what runs in the background.

use std::time::Instant;

use aqueduct_wire::json::IntoOwned;
use aqueduct_wire::system::{SessionState, Status, SystemFrame, SystemInit};

use super::run::MAX_NOTED;
use super::tokens::count;
use super::{Compaction, Denial, ItemContent, Task, View, ViewState};

impl View {
    pub(super) fn system(&mut self, frame: &SystemFrame<'_>, now: Instant) {
        match frame {
            SystemFrame::Init(init) => self.init(init),
            SystemFrame::Status(status) => {
                self.is_compacting = status.status == Some(Status::Compacting);
                if let Some(mode) = &status.permission_mode {
                    self.mode = Some(mode.clone().into_owned());
                }
            }
            SystemFrame::SessionStateChanged(frame) => self.reported_state(&frame.state, now),
            SystemFrame::SessionTitleChanged(frame) => self.title = Some(frame.title.as_str().to_owned()),
            SystemFrame::ApiRetry(retry) => {
                self.run.retries += 1;
                self.run.retry = Some(Box::new((**retry).clone().into_owned()));
            }
            SystemFrame::CompactBoundary(frame) if self.run.compactions.len() < MAX_NOTED => {
                let data = &frame.compact_metadata;
                self.run.compactions.push(Compaction {
                    trigger: data.trigger.clone().map(IntoOwned::into_owned),
                    tokens_before: data.pre_tokens.as_ref().map(|tokens| count(Some(tokens))),
                    tokens_after: data.post_tokens.as_ref().map(|tokens| count(Some(tokens))),
                });
            }
            SystemFrame::LocalCommandOutput(frame) => {
                let content = ItemContent::Text(frame.content.as_str().to_owned());
                self.run.main.add(content, frame.uuid.as_deref(), &mut self.keys);
                self.run.trim(frame.content.len());
            }
            SystemFrame::PermissionDenied(frame) => {
                self.denied(Denial {
                    tool: frame.tool_name.as_str().to_owned(),
                    call: Some(frame.tool_use_id.as_str().to_owned()),
                    input: None,
                    message: frame.message.as_deref().map(str::to_owned),
                    reason: frame.decision_reason_type.as_deref().map(str::to_owned),
                });
            }
            other => self.task(other, now),
        }
    }

    fn init(&mut self, init: &SystemInit<'_>) {
        self.works();
        self.session_id = Some(init.session_id.as_str().to_owned());
        let known = |new: Option<&str>, slot: &mut Option<String>| {
            if let Some(new) = new {
                *slot = Some(new.to_owned());
            }
        };
        known(init.model.as_deref(), &mut self.model);
        known(init.cwd.as_deref(), &mut self.cwd);
        known(init.claude_code_version.as_deref(), &mut self.version);
        if let Some(mode) = &init.permission_mode {
            self.mode = Some(mode.clone().into_owned());
        }
    }

    fn reported_state(&mut self, state: &SessionState<'_>, now: Instant) {
        self.reports_state = true;
        let required_action = std::mem::take(&mut self.requires_action);
        match state {
            SessionState::Idle => self.end_run(now),
            SessionState::RequiresAction => {
                self.state = ViewState::Running;
                self.requires_action = true;
            }
            SessionState::Running => {
                self.state = ViewState::Running;
                // It continues: whatever it waited for has been answered.
                if required_action {
                    let answered: Vec<Box<str>> = self.waiting.keys().cloned().collect();
                    answered.iter().for_each(|request| self.stop_waiting(request, now));
                }
            }
            _ => {}
        }
    }

    /// Subagents and commands in the background.
    fn task(&mut self, frame: &SystemFrame<'_>, now: Instant) {
        match frame {
            SystemFrame::TaskStarted(frame) => {
                let Some(call) = frame.tool_use_id.as_deref() else { return };
                self.tasks.insert(frame.task_id.as_str().into(), call.into());
                self.run.calling(call, None, &mut self.keys).task = Some(Task::start(frame));
            }
            SystemFrame::TaskProgress(frame) => {
                if let Some(task) = self.task_of(&frame.task_id) {
                    task.progress(frame);
                }
            }
            SystemFrame::TaskUpdated(frame) => {
                if let Some(task) = self.task_of(&frame.task_id) {
                    task.update(frame);
                    self.end_task(&frame.task_id, now);
                }
            }
            SystemFrame::TaskNotification(frame) => {
                if let Some(task) = self.task_of(&frame.task_id) {
                    task.notify(frame);
                    self.end_task(&frame.task_id, now);
                }
            }
            SystemFrame::BackgroundTasksChanged(frame) => {
                for running in &frame.tasks {
                    if let Some(task) = self.task_of(&running.task_id) {
                        task.list(running);
                    }
                }
            }
            _ => {}
        }
    }

    fn task_of(&mut self, id: &str) -> Option<&mut Task> {
        let call = self.tasks.get(id)?;
        self.run.calls.get_mut(call)?.task.as_mut()
    }

    fn end_task(&mut self, id: &str, now: Instant) {
        let call = self.tasks.get(id).and_then(|call| self.run.calls.get_mut(call));
        if let Some(call) = call
            && call.task().is_some_and(Task::is_over)
        {
            call.end_task(now);
        }
    }
}
