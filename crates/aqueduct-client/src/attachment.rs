//! Images and files of a prompt, as content blocks.

use std::path::{Path, PathBuf};

use aqueduct_os::regular_file;
use aqueduct_wire::block::{ContentBlock, MediaBlock};
use aqueduct_wire::media::{Base64Source, MediaSource, TextSource};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::Error;

/// How large an attached file may be. APIs of models take 32 MiB for a whole request, in base64.
const MAX_BYTES: u64 = 20 << 20;

/// The block of an image.
pub(crate) fn image(media_type: String, bytes: &[u8]) -> ContentBlock<'static> {
    ContentBlock::Image(Box::new(MediaBlock::new(base64(media_type, bytes))))
}

/// Reads a file into a block.
pub(crate) async fn read(path: PathBuf) -> Result<ContentBlock<'static>, Error> {
    let reading = tokio::task::spawn_blocking(move || block(&path));
    reading
        .await
        .unwrap_or_else(|error| Err(Error::options(format!("a file of the prompt was not read: {error}"))))
}

fn block(path: &Path) -> Result<ContentBlock<'static>, Error> {
    let wrong = |problem: String, hint| Error::Attachment { path: path.to_owned(), problem, hint };
    // Links are followed first: the file that they lead to is opened without any.
    let real = path.canonicalize().map_err(|error| wrong(error.to_string(), Some("Check the path")))?;
    let (bytes, _) =
        regular_file::read_whole(&real, MAX_BYTES).map_err(|error| wrong(error.to_string(), None))?;
    if let Some(media_type) = image_type(&bytes) {
        return Ok(image(media_type.to_owned(), &bytes));
    }
    let source = if bytes.starts_with(b"%PDF-") {
        base64("application/pdf".to_owned(), &bytes)
    } else {
        let text = String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'));
        let text = text.ok_or_else(|| {
            let problem = "it is neither text nor an image nor a PDF";
            wrong(problem.to_owned(), Some("Give its path in the prompt instead"))
        })?;
        let mut source = TextSource::new(text);
        source.media_type = Some("text/plain".into());
        MediaSource::Text(source)
    };
    let mut document = MediaBlock::new(source);
    document.title = path.file_name().map(|name| name.to_string_lossy().into_owned().into());
    Ok(ContentBlock::Document(Box::new(document)))
}

fn base64(media_type: String, bytes: &[u8]) -> MediaSource<'static> {
    let mut source = Base64Source::new(STANDARD.encode(bytes));
    source.media_type = Some(media_type.into());
    MediaSource::Base64(source)
}

/// The type of an image that models take, by its first bytes.
fn image_type(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ => None,
    }
}
