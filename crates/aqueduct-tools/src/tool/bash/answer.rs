//! What a command gave, for the model and for hosts.

use std::path::{Path, PathBuf};

use aqueduct_wire::block::{Content, ContentBlock, MediaBlock};
use aqueduct_wire::json::{Raw, Str};
use aqueduct_wire::media::{Base64Source, MediaSource};
use aqueduct_wire::tool::BashResult;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::call::CallOutput;
use crate::command::Capture;

/// How many characters of a long output the model sees before it decides to read the file.
const PREVIEW: usize = 2_000;
/// How many characters of the beginning and of the end of a long output the model sees after a failure:
/// the end is where most programs say what was wrong.
const FAILURE_PART: usize = 5_000;
/// How large an image may be, in bytes of base64: what the Messages API takes.
const MAX_IMAGE: u64 = 5 * 1024 * 1024;

/// What was printed, ready to be shown.
#[derive(Default)]
pub(super) struct ShownOutput {
    /// The first characters, without blank lines around.
    text: String,
    /// The note about the rest, if there is one.
    rest: Option<UnshownOutput>,
    image: Option<MediaBlock<'static>>,
    /// What the model should know beside.
    pub(super) note: Option<String>,
}

/// What was printed beyond what is shown.
struct UnshownOutput {
    /// How many bytes there are in all.
    total: u64,
    /// Where they are, if they are anywhere.
    file: Option<PathBuf>,
    /// Where they are, or why they are not, in words.
    whereabouts: String,
    /// The end of it.
    tail: String,
}

impl ShownOutput {
    /// The first `shown` characters. What is longer is put into the file.
    pub(super) fn of(capture: &mut Capture, shown: usize) -> ShownOutput {
        let mut text = capture.head();
        text.truncate(text.trim_end().len());
        let image = image(capture, &text);
        let end = text.char_indices().nth(shown).map(|(at, _)| at);
        if end.is_none() && capture.is_in_memory() {
            return ShownOutput { text, rest: None, image, note: None };
        }
        if let Some(end) = end {
            text.truncate(end);
        }
        // The text reports a failure.
        let _ = capture.save();
        let rest = UnshownOutput {
            total: capture.total(),
            file: capture.file().map(Path::to_owned),
            whereabouts: whereabouts(capture),
            tail: capture.tail(FAILURE_PART),
        };
        ShownOutput { text, rest: Some(rest), image, note: None }
    }

    /// The visible output: the beginning, and for long output the end.
    pub(super) fn resolved(&self) -> String {
        [self.text.as_str(), self.rest.as_ref().map_or("", |rest| &rest.tail)].join("\n")
    }

    /// The text for the model after all went well.
    fn success(&self) -> String {
        let Some(rest) = &self.rest else { return self.text.clone() };
        let end = self.text.char_indices().nth(PREVIEW).map_or(self.text.len(), |(at, _)| at);
        let end = self.text[..end].rfind('\n').filter(|line| *line > end / 2).unwrap_or(end);
        format!(
            "<persisted-output>\nThe output is too long to show here ({}). {}\n\nPreview:\n{}\n...\n\
             </persisted-output>",
            size(rest.total),
            rest.whereabouts,
            &self.text[..end],
        )
    }

    /// The text for the model after a failure.
    pub(super) fn failure(&self) -> String {
        let Some(rest) = &self.rest else { return self.text.clone() };
        let end = self.text.char_indices().nth(FAILURE_PART).map_or(self.text.len(), |(at, _)| at);
        format!(
            "{}\n\n... ({} in all. {}) ...\n\n{}",
            &self.text[..end],
            size(rest.total),
            rest.whereabouts,
            rest.tail.trim_end(),
        )
    }
}

/// Where the whole output is, or why it is not.
fn whereabouts(capture: &Capture) -> String {
    match (capture.file(), capture.fault()) {
        (Some(path), None) => format!("Full output saved to: {}", path.display()),
        (Some(path), Some(error)) => {
            format!("Part of it is saved to {}; the rest was lost: {error}.", path.display())
        }
        (None, Some(error)) => format!("It could not be saved: {error}."),
        (None, None) => "The rest was not saved.".into(),
    }
}

/// A size for people.
fn size(bytes: u64) -> String {
    const KIB: f64 = 1024.0;
    let bytes_f = bytes as f64;
    match bytes {
        0..1024 => format!("{bytes} bytes"),
        1024..1_048_576 => format!("{:.1} KB", bytes_f / KIB),
        1_048_576..1_073_741_824 => format!("{:.1} MB", bytes_f / KIB / KIB),
        _ => format!("{:.1} GB", bytes_f / KIB / KIB / KIB),
    }
}

/// The notes beside a command's output.
#[derive(Default)]
pub(super) struct OutputRemarks<'a> {
    /// Where the working directory was set back to.
    pub(super) reset: Option<&'a Path>,
    /// What the exit code means.
    pub(super) interpretation: Option<&'static str>,
    /// Whether silence was to be expected.
    pub(super) silent: bool,
    /// The task that the command became, and what the model should know of it.
    pub(super) task: Option<(&'a str, String)>,
    /// After how many milliseconds it went to the background.
    pub(super) timed_out: Option<u64>,
    /// It ran outside of the sandbox because the model asked for that.
    pub(super) left: bool,
}

/// The answer to a call whose command succeeded, or continues in the background.
pub(super) fn success(printed: ShownOutput, remarks: OutputRemarks<'_>) -> CallOutput {
    let mut content = printed.success();
    if let Some(note) = &printed.note {
        content.push_str(if content.is_empty() { "" } else { "\n" });
        content.push_str(note);
    }
    let mut result = BashResult::new(printed.text);
    let reset = remarks.reset.map(|cwd| format!("\nShell cwd was reset to {}", cwd.display()));
    if let Some(note) = &reset {
        content.push_str(if content.is_empty() { note.trim_start() } else { note });
    }
    if let Some((_, note)) = &remarks.task {
        if !content.is_empty() {
            content.push('\n');
        }
        content.push_str(note);
    }
    if content.is_empty() {
        content.push_str("(Bash completed with no output)");
    }
    result.stderr = Some(reset.unwrap_or_default().into());
    result.interrupted = Some(false);
    result.is_image = Some(printed.image.is_some());
    result.no_output_expected = Some(remarks.silent);
    result.return_code_interpretation = remarks.interpretation.map(Str::from);
    result.background_task_id = remarks.task.as_ref().map(|(id, _)| Str::from(*id));
    result.dangerously_disable_sandbox = remarks.left.then_some(true);
    result.timed_out_after_ms = remarks.timed_out.map(Into::into);
    if let Some(UnshownOutput { total, file: Some(path), .. }) = &printed.rest {
        result.persisted_output_path = Some(path.display().to_string().into());
        result.persisted_output_size = Some((*total).into());
    }
    let content = match printed.image {
        Some(image) => Content::Blocks(vec![ContentBlock::Image(Box::new(image))]),
        None => Content::Text(content.into()),
    };
    CallOutput { content, result: Raw::written(&result), is_error: false }
}

/// The answer to a call whose command failed: `head` describes how.
pub(super) fn failure(head: String, printed: &ShownOutput) -> CallOutput {
    let mut text = head;
    for rest in [printed.failure(), printed.note.clone().unwrap_or_default()] {
        if !rest.is_empty() {
            text.push('\n');
            text.push_str(&rest);
        }
    }
    let result = Raw::from_serialize(&format!("Error: {text}")).unwrap_or(Raw::NULL);
    CallOutput { content: Content::Text(text.into()), result, is_error: true }
}

/// The text for the model after an interruption.
pub(super) fn interruption(printed: &ShownOutput) -> String {
    let mut text = printed.failure();
    if let Some(note) = &printed.note {
        text.push_str(if text.is_empty() { "" } else { "\n" });
        text.push_str(note);
    }
    text
}

/// The image that a command printed as a data address, and nothing else.
fn image(capture: &Capture, text: &str) -> Option<MediaBlock<'static>> {
    let media_type = text.strip_prefix("data:")?.split_once(";base64,")?.0;
    if !["image/png", "image/jpeg", "image/gif", "image/webp"].contains(&media_type) {
        return None;
    }
    let whole = String::from_utf8(capture.whole(MAX_IMAGE)?).ok()?;
    let data = whole.trim().split_once(";base64,")?.1;
    // The API refuses a whole request for one image that can't be decoded.
    STANDARD.decode(data).ok().filter(|bytes| !bytes.is_empty())?;
    let mut source = Base64Source::new(data.to_owned());
    source.media_type = Some(media_type.to_owned().into());
    Some(MediaBlock::new(MediaSource::Base64(source)))
}
