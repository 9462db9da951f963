//! Requests and answers in the words of a profile.

use aqueduct_wire::control::{CanUseToolRequest, HostRequest};

use super::Profile;
use crate::Error;

impl Profile {
    /// A request of the host in the agent's words. One that the agent does not have is refused.
    ///
    /// ```
    /// use aqueduct_client::Profile;
    /// use aqueduct_client::wire::control::{HostRequest, SetPermissionModeRequest};
    ///
    /// let request = HostRequest::SetPermissionMode(SetPermissionModeRequest::new("acceptEdits"));
    /// let translated = Profile::QWEN.translate(request);
    /// assert!(translated.is_ok());
    /// ```
    pub fn translate(&self, request: HostRequest<'static>) -> Result<HostRequest<'static>, Error> {
        if !self.has_request(request.tag()) {
            return Err(self.lacks(format!("request {}", request.tag()), "Do without, or use another agent"));
        }
        match request {
            HostRequest::SetPermissionMode(mut request) => {
                request.mode = self.mode(&request.mode)?;
                Ok(HostRequest::SetPermissionMode(request))
            }
            HostRequest::SetModel(request) if !self.is_versioned && request.model.is_none() => {
                Err(self.lacks("default model to return to", "Name the model"))
            }
            request => Ok(request),
        }
    }

    /// A permission request with what this side can use: suggestions of another form can't be sent back.
    ///
    /// ```
    /// use aqueduct_client::Profile;
    /// use aqueduct_client::wire::control::CanUseToolRequest;
    ///
    /// fn read(profile: Profile, mut request: CanUseToolRequest<'static>) -> CanUseToolRequest<'static> {
    ///     profile.normalize(&mut request);
    ///     request
    /// }
    /// ```
    pub fn normalize(&self, request: &mut CanUseToolRequest<'static>) {
        if !self.suggests {
            request.permission_suggestions = None;
        }
    }
}
