use std::sync::Arc;

use aqueduct_wire::control::InitializeReply;
use aqueduct_wire::rate_limit::RateLimitInfo;

use crate::failure::Failure;
use crate::failures::Failures;
use crate::log::Log;
use crate::message::BridgeMessage;
use crate::message::bridge::SessionInfo;
use crate::metrics::Metrics;
use crate::push::PushNotification;
use crate::settings::BridgeSettings;
use crate::trust::TrustService;

/// What an actor uses of the bridge around it.
pub(crate) struct Services {
    pub(crate) log: Log,
    pub(crate) settings: Arc<BridgeSettings>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) failures: Arc<Failures>,
    pub(crate) trust: TrustService,
    pub(crate) host: Arc<dyn SessionHost>,
}

/// The owner of all sessions, as one of its actors sees it. The hub implements it, so that sessions do not depend on
/// the hub.
pub(crate) trait SessionHost: Send + Sync {
    /// Removes a session whose actor has ended.
    fn release(&self, session: &str);

    /// Updates what lists show of a session.
    fn update_info(&self, session: &str, info: &SessionInfo<'static>);

    /// Sends a message to every client that may see sessions in this folder.
    fn broadcast(&self, folder: &str, message: &BridgeMessage<'_>);

    /// Sends an error to the clients that use a session: its agent could not be started, or ended at once.
    fn report_failure(&self, session: &str, failure: &Failure);

    /// Sends a change of an account's rate limit to the clients that may see the session.
    fn rate_limit_changed(&self, limit: RateLimitInfo<'static>, session: &str, agent: &str);

    /// Notifies devices that do not watch the session. `attending` are the clients that do. The notification is only
    /// built if this bridge sends notifications.
    fn notify(&self, attending: &[u64], build: &dyn Fn() -> Option<PushNotification>);

    /// Stores what an agent reported when it was initialized.
    fn store_agent_info(&self, agent: &str, reply: Arc<InitializeReply<'static>>);

    /// What an agent reported when it was last initialized.
    fn agent_info(&self, agent: &str) -> Option<Arc<InitializeReply<'static>>>;
}
