use std::path::PathBuf;

use aqueduct_wire::ToAgent;
use aqueduct_wire::block::{Content, ContentBlock, TextBlock};
use aqueduct_wire::frame::{Priority, UserFrame};
use aqueduct_wire::message::UserMessage;
use uuid::Uuid;

use crate::Error;
use crate::attachment;

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
///
/// // Text, an image that is in memory, and a file that is read when the prompt is sent.
/// let png = [0x89, b'P', b'N', b'G'];
/// let looking = Prompt::text("What is different?").image("image/png", png).file("screen.png");
/// ```
#[derive(Debug, Clone)]
pub struct Prompt {
    frame: UserFrame<'static>,
    /// Files to read when the prompt is sent, in their order.
    files: Vec<AttachedFile>,
}

/// A file, and the position of its block in the content.
#[derive(Debug, Clone)]
struct AttachedFile {
    path: PathBuf,
    at: usize,
}

impl Prompt {
    /// A prompt that begins with text.
    ///
    /// ```
    /// use aqueduct_client::Prompt;
    ///
    /// let prompt = Prompt::text("Summarise this.").file("notes.md");
    /// ```
    pub fn text(text: impl Into<String>) -> Self {
        let text: String = text.into();
        Prompt::new(Content::Text(text.into()))
    }

    /// A prompt made of text, images and documents.
    ///
    /// ```
    /// use aqueduct_client::Prompt;
    /// use aqueduct_client::wire::block::{ContentBlock, TextBlock};
    ///
    /// let prompt = Prompt::blocks(vec![ContentBlock::Text(TextBlock::new("Hello"))]);
    /// ```
    pub fn blocks(blocks: Vec<ContentBlock<'static>>) -> Self {
        Prompt::new(Content::Blocks(blocks))
    }

    fn new(content: Content<'static>) -> Self {
        let mut message = UserMessage::new(content);
        message.role = Some("user".into());
        let mut frame = UserFrame::new(message);
        frame.uuid = Some(Uuid::new_v4().to_string().into());
        frame.session_id = Some("".into());
        Prompt { frame, files: Vec::new() }
    }

    /// Adds an image. Models take `image/png`, `image/jpeg`, `image/gif` and `image/webp`.
    ///
    /// ```
    /// use aqueduct_client::Prompt;
    ///
    /// let gif = b"GIF89a";
    /// let prompt = Prompt::text("What does this show?").image("image/gif", gif);
    /// ```
    pub fn image(mut self, media_type: impl Into<String>, bytes: impl AsRef<[u8]>) -> Self {
        self.insert(usize::MAX, attachment::image(media_type.into(), bytes.as_ref()));
        self
    }

    /// Adds a file: text, an image or a PDF. It is read when the prompt is sent, without blocking the runtime; what can't
    /// be read, has more than 20 MiB or is none of the three is [`Error::Attachment`], and nothing is sent. A relative path
    /// is counted from the directory of this process.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use aqueduct_client::{Error, Prompt, Session, Transport};
    /// # let (ours, _theirs) = tokio::io::duplex(4096);
    /// # let builder = Session::builder().transport(Transport::pipe(ours)).without_initialize();
    ///
    /// let outcome = builder.query(Prompt::text("Explain this.").file("no/such/file")).await;
    /// # assert!(matches!(&outcome, Err(Error::Attachment { .. })), "{outcome:?}");
    /// if let Err(Error::Attachment { path, problem, .. }) = outcome {
    ///     println!("{} can't be sent: {problem}", path.display());
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn file(mut self, path: impl Into<PathBuf>) -> Self {
        let blocks = self.take_blocks();
        let at = blocks.len() + self.files.len();
        self.frame.message.content = Content::Blocks(blocks);
        self.files.push(AttachedFile { path: path.into(), at });
        self
    }

    /// Puts a block into the content, at this position or at the end.
    fn insert(&mut self, at: usize, block: ContentBlock<'static>) {
        let mut blocks = self.take_blocks();
        blocks.insert(at.min(blocks.len()), block);
        self.frame.message.content = Content::Blocks(blocks);
    }

    /// Takes the content out, as blocks.
    fn take_blocks(&mut self) -> Vec<ContentBlock<'static>> {
        match std::mem::replace(&mut self.frame.message.content, Content::Blocks(Vec::new())) {
            Content::Text(text) if !text.is_empty() => vec![ContentBlock::Text(TextBlock::new(text))],
            Content::Blocks(blocks) => blocks,
            _ => Vec::new(),
        }
    }

    /// Reads the files.
    pub(crate) async fn load(mut self) -> Result<Self, Error> {
        for file in std::mem::take(&mut self.files) {
            let block = attachment::read(file.path).await?;
            self.insert(file.at, block);
        }
        Ok(self)
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
    ///
    /// ```
    /// use aqueduct_client::Prompt;
    ///
    /// let mut prompt = Prompt::text("Continue.").with_id("550e8400-e29b-41d4-a716-446655440000");
    /// prompt.frame_mut().parent_tool_use_id = None;
    /// assert_eq!(prompt.id(), "550e8400-e29b-41d4-a716-446655440000");
    /// ```
    pub fn frame_mut(&mut self) -> &mut UserFrame<'static> {
        &mut self.frame
    }

    pub(crate) fn line(&self) -> String {
        ToAgent::User(Box::new(self.frame.clone())).to_line()
    }
}

impl<T: Into<String>> From<T> for Prompt {
    fn from(text: T) -> Self {
        Prompt::text(text)
    }
}
