//! Images of prompts that the API would refuse, made smaller.

use aqueduct_model::image::{FittedImage, Image, ScaleError, block};
use aqueduct_wire::block::{Content, ContentBlock, TextBlock};
use aqueduct_wire::media::MediaSource;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::prompt_queue::QueuedPrompt;

/// Makes the images of a prompt fit. One image that is refused would make every later request of the conversation fail, so
/// one that can't be made to fit is replaced by a note.
pub(super) async fn fit(prompt: &mut QueuedPrompt) {
    let Content::Blocks(blocks) = &mut prompt.frame.message.content else { return };
    for part in blocks {
        let Some(data) = oversized(part) else { continue };
        let fitted = tokio::task::spawn_blocking(move || {
            let fitted = FittedImage::new(&data)?;
            Ok::<_, ScaleError>(block(STANDARD.encode(&fitted.bytes), fitted.shown.media_type))
        });
        *part = match fitted.await {
            Ok(Ok(fitted)) => fitted,
            Ok(Err(error)) => left_out(&error.to_string()),
            Err(_) => left_out("it can't be decoded"),
        };
    }
}

/// The bytes of an image that is too large for the API. What is no image is left to the API.
fn oversized(part: &ContentBlock<'_>) -> Option<Vec<u8>> {
    let ContentBlock::Image(image) = part else { return None };
    let MediaSource::Base64(source) = &image.source else { return None };
    let bytes = STANDARD.decode(source.data.as_bytes()).ok()?;
    let is_oversized = Image::recognise(&bytes).is_some() && !Image::is_accepted(&bytes);
    is_oversized.then_some(bytes)
}

fn left_out(why: &str) -> ContentBlock<'static> {
    let text =
        format!("[An image of this prompt was left out: it is too large, and can't be made smaller: {why}.]");
    ContentBlock::Text(TextBlock::new(text))
}

#[cfg(test)]
mod tests {
    use aqueduct_wire::ToAgent;
    use serde_json::{Value, json};

    use super::*;

    async fn fitted(bytes: &[u8]) -> Value {
        let source = json!({ "type": "base64", "media_type": "image/png", "data": STANDARD.encode(bytes) });
        let frame = json!({ "type": "user", "message": { "role": "user", "content": [{ "type": "image", "source": source }] } });
        let frame = frame.to_string();
        let ToAgent::User(frame) = ToAgent::parse(&frame).unwrap() else { panic!("{frame}") };
        let mut prompt = QueuedPrompt::new(*frame);
        fit(&mut prompt).await;
        let line = aqueduct_wire::json::Raw::written(&prompt.frame);
        serde_json::from_str::<Value>(line.as_str()).unwrap()["message"]["content"][0].clone()
    }

    #[tokio::test]
    async fn only_images_that_are_too_large_are_changed() {
        let mut bytes = std::io::Cursor::new(Vec::new());
        image::RgbImage::new(9000, 45).write_to(&mut bytes, image::ImageFormat::Png).unwrap();
        let mut bytes = bytes.into_inner();
        let scaled = fitted(&bytes).await;
        let data = STANDARD.decode(scaled["source"]["data"].as_str().unwrap()).unwrap();
        assert_eq!(Image::recognise(&data).map(|image| (image.width, image.height)), Some((2000, 10)));
        bytes[16..24].copy_from_slice(&[0, 1, 0, 0, 0, 1, 0, 0]);
        assert!(fitted(&bytes).await["text"].as_str().unwrap().contains("65536 by 65536 pixels"));
        assert_eq!(fitted(b"no image").await["source"]["data"], STANDARD.encode(b"no image"));
    }
}
