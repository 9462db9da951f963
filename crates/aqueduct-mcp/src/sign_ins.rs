//! Sign-ins that a host asks for while the session runs.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use aqueduct_os::mutex::lock;
use tokio::task::AbortHandle;

use crate::auth::{SignIn, SignInError, SignInTarget};
use crate::servers::Mcp;

/// The sign-ins of a session that wait for the user, by the names of their servers. Dropping it ends them.
#[derive(Debug, Default)]
pub(crate) struct PendingSignIns(Mutex<HashMap<String, PendingSignIn>>);

#[derive(Debug)]
struct PendingSignIn {
    sign_in: Arc<SignIn>,
    /// Waits for a browser on this machine.
    waiting: AbortHandle,
}

impl Drop for PendingSignIn {
    fn drop(&mut self) {
        self.waiting.abort();
    }
}

impl PendingSignIns {
    /// Ends all of them.
    pub(crate) fn end(&self) {
        lock(&self.0).clear();
    }

    /// The sign-in to a server.
    fn get(&self, name: &str) -> Option<Arc<SignIn>> {
        lock(&self.0).get(name).map(|pending| pending.sign_in.clone())
    }

    /// Forgets a sign-in, unless another one has begun.
    fn remove(&self, name: &str, sign_in: &Arc<SignIn>) {
        let mut all = lock(&self.0);
        if all.get(name).is_some_and(|pending| Arc::ptr_eq(&pending.sign_in, sign_in)) {
            all.remove(name);
        }
    }
}

impl Mcp {
    /// Begins a sign-in; returns the link for the user. A browser on this machine ends it by itself, unless `redirect` sends
    /// it elsewhere; from other machines the address that the browser ended on comes with [`Mcp::finish_sign_in`].
    pub async fn begin_sign_in(&self, name: &str, redirect: Option<&str>) -> Result<String, SignInError> {
        let target = self.sign_in_target(name)?;
        let previous = lock(&self.sign_ins.0).remove(name);
        // Its port is free now, and may be the one that is registered.
        drop(previous);
        let sign_in = Arc::new(SignIn::begin(target, redirect).await?);
        let link = sign_in.url().to_owned();
        let (mcp, server, waited) = (self.clone(), name.to_owned(), sign_in.clone());
        let mut all = lock(&self.sign_ins.0);
        let waiting = tokio::spawn(async move {
            // What goes wrong shows in the state of the server: it still needs a sign-in.
            if let Ok(address) = waited.returned().await
                && waited.finish(&address).await.is_ok()
            {
                mcp.reconnect_signed_in(&server).await;
            }
            // Last, because it aborts this task.
            mcp.sign_ins.remove(&server, &waited);
        });
        all.insert(name.to_owned(), PendingSignIn { sign_in, waiting: waiting.abort_handle() });
        Ok(link)
    }

    /// Takes the address that the browser of a sign-in ended on, and connects to the server.
    pub async fn finish_sign_in(&self, name: &str, address: &str) -> Result<(), SignInError> {
        let Some(sign_in) = self.sign_ins.get(name) else {
            return Err(SignInError::NotBegun(name.to_owned()));
        };
        sign_in.finish(address).await?;
        self.sign_ins.remove(name, &sign_in);
        self.reconnect_signed_in(name).await;
        Ok(())
    }

    /// Revokes the tokens for a server, forgets them, and connects again without them.
    pub async fn sign_out(&self, name: &str) -> Result<(), SignInError> {
        let target = self.sign_in_target(name)?;
        lock(&self.sign_ins.0).remove(name);
        let out = target.sign_out().await?;
        self.reconnect_signed_in(name).await;
        out.revocation_error.map_or(Ok(()), Err)
    }

    /// The server that a user signs in to.
    fn sign_in_target(&self, name: &str) -> Result<SignInTarget, SignInError> {
        let server = self.find(name).ok_or_else(|| SignInError::NotFound(name.to_owned()))?;
        let store = self.shared.sign_ins.clone().ok_or(SignInError::NoStore)?;
        let mut target = SignInTarget::of(server.config(), store, self.shared.proxy.clone())?;
        target.challenge = server.challenge();
        Ok(target)
    }

    /// Connects after a sign-in or its end. A server that can't be connected reports that in its state.
    async fn reconnect_signed_in(&self, name: &str) {
        let _ = self.reconnect(name).await;
    }
}
