use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hyper::StatusCode;

use super::response::{self, HttpResponse};
use crate::Failure;
use crate::hub::Hub;
use crate::log::{PageLimits, PagePosition};
use crate::message::http::IMAGE_TYPES;
use crate::message::{BridgeMessage, ErrorCode};

/// An image of a stored message.
pub(super) async fn image(
    hub: &Hub,
    session_id: &str,
    seq: &str,
    index: &str,
) -> Result<HttpResponse, Failure> {
    let missing = || Failure::new(ErrorCode::PathNotFound, "the message has no such image");
    let (Ok(seq), Ok(index)) = (seq.parse::<u64>(), index.parse::<usize>()) else { return Err(missing()) };
    let before = seq.checked_sub(1).ok_or_else(missing)?;
    let page =
        hub.log().page(session_id, PagePosition::After(before), PageLimits { count: 1, bytes: 1 }).await?;
    let event = page.events.first().filter(|event| event.seq == seq).ok_or_else(missing)?;
    let images = match BridgeMessage::parse(&event.payload) {
        Ok(BridgeMessage::UserInput(input)) => input.images,
        Ok(BridgeMessage::ToolResult(result)) => result.images,
        _ => None,
    };
    let image = images.unwrap_or_default().into_iter().nth(index).ok_or_else(missing)?;
    let data = image.data.as_deref().ok_or_else(missing)?;
    let bytes = STANDARD.decode(data.trim_ascii()).map_err(|_| missing())?;
    let known = IMAGE_TYPES.iter().find(|known| **known == &*image.media_type);
    Ok(response::of_type(StatusCode::OK, known.copied().unwrap_or("application/octet-stream"), bytes))
}
