use anyhow::Context;
use aqueduct_bridge::server::{Listen, ReservedServer, ServerStartError};
use aqueduct_os::socket::{InheritedListener, inherited_listener};

use crate::config::{Config, SettingOrigin};

/// A socket that the service manager listens on for the bridge.
#[derive(Debug)]
pub(crate) struct ServiceSocket {
    listener: InheritedListener,
    place: Listen,
}

impl ServiceSocket {
    /// Those of this process. Without TLS, others than this machine must not reach them, as with `--listen`.
    pub(crate) fn of_this_process(config: &Config) -> anyhow::Result<Vec<Self>> {
        let numbers = sd_notify::listen_fds().context("the sockets of the service manager can't be used")?;
        let mut sockets = Vec::new();
        for number in numbers {
            let inherited = inherited_listener(number).and_then(|listener| {
                let place = Listen::of(&listener)?;
                Ok(ServiceSocket { listener, place })
            });
            let socket = inherited.with_context(|| {
                format!(
                    "the service manager's file descriptor {number} can't be listened on; use ListenStream= in the \
                     socket unit"
                )
            })?;
            socket.place.check(config.tls_cert.is_some(), config.insecure)?;
            sockets.push(socket);
        }
        Ok(sockets)
    }

    /// What is still to be listened on besides the sockets: nothing, unless `listen` is set.
    pub(crate) fn others(sockets: &[Self], config: &Config) -> Vec<Listen> {
        let is_default = *config.origin("listen") == SettingOrigin::Default;
        match sockets.is_empty() {
            true => config.listen.clone(),
            false if is_default => Vec::new(),
            false => {
                let is_taken = |place: &&Listen| sockets.iter().any(|socket| socket.place == **place);
                config.listen.iter().filter(|place| !is_taken(place)).cloned().collect()
            }
        }
    }

    /// Serves sockets with the others, in their order.
    pub(crate) fn serve(
        sockets: Vec<Self>,
        reserved: ReservedServer,
    ) -> Result<ReservedServer, ServerStartError> {
        sockets
            .into_iter()
            .rev()
            .try_fold(reserved, |reserved, socket| reserved.take_over(socket.listener, socket.place))
    }
}
