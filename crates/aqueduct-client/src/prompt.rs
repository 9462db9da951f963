use aqueduct_wire::ToAgent;
use aqueduct_wire::block::{Content, ContentBlock};
use aqueduct_wire::frame::{Priority, UserFrame};
use aqueduct_wire::message::UserMessage;
use uuid::Uuid;

/// A prompt for the agent.
///
/// ```
/// use aqueduct_client::Prompt;
///
/// let prompt = Prompt::from("What does this project do?");
/// assert!(!prompt.id().is_empty());
///
/// // Text that looks like a command and is none, to be served before all others.
/// let urgent = Prompt::from("/etc/hosts is a file").verbatim().with_priority("now".into());
/// assert_ne!(urgent.id(), prompt.id());
/// ```
#[derive(Debug, Clone)]
pub struct Prompt {
    frame: UserFrame<'static>,
}

impl Prompt {
    /// A prompt made of text, images and documents.
    pub fn blocks(blocks: Vec<ContentBlock<'static>>) -> Self {
        Prompt::new(Content::Blocks(blocks))
    }

    fn new(content: Content<'static>) -> Self {
        let mut message = UserMessage::new(content);
        message.role = Some("user".into());
        let mut frame = UserFrame::new(message);
        frame.uuid = Some(Uuid::new_v4().to_string().into());
        frame.session_id = Some("".into());
        Prompt { frame }
    }

    /// The prompt's id. Agents that know prompts by id report their state with it, and serve a prompt
    /// that comes twice only once.
    pub fn id(&self) -> &str {
        self.frame.uuid.as_deref().unwrap_or_default()
    }

    /// Gives the prompt an id of the caller's: a UUID.
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.frame.uuid = Some(id.into().into());
        self
    }

    /// Sets when the prompt is served if it arrives during a run.
    pub fn with_priority(mut self, priority: Priority<'static>) -> Self {
        self.frame.priority = Some(priority);
        self
    }

    /// Takes the text literally: no slash command, no path expansion.
    pub fn verbatim(mut self) -> Self {
        self.frame.client_composed = Some(true);
        self
    }

    /// The frame that will be sent, for what has no method here.
    pub fn frame_mut(&mut self) -> &mut UserFrame<'static> {
        &mut self.frame
    }

    pub(crate) fn line(&self) -> String {
        ToAgent::User(Box::new(self.frame.clone())).to_line()
    }
}

impl<T: Into<String>> From<T> for Prompt {
    fn from(text: T) -> Self {
        let text: String = text.into();
        Prompt::new(Content::Text(text.into()))
    }
}
