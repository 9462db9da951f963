//! Images: shown to the model as they are, or smaller where the API would refuse them.

use std::path::Display;

use aqueduct_model::image::{
    FittedImage, Image, PIXEL_LIMIT, SCALED_SIZE_LIMIT, SIDE_LIMIT, SIZE_LIMIT, ScaleError, block,
};
use aqueduct_wire::block::Content;
use aqueduct_wire::tool::{ImageDimensions, ReadImage, ReadImageFile, ReadResult};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::super::file_call::output;
use super::{CallOutput, ToolFailure};
use crate::file::{FileError, FileLocation, read_whole};

pub(super) fn read(place: &FileLocation) -> Result<CallOutput, ToolFailure> {
    let path = place.given.display();
    let (bytes, _) = read_whole(&place.real, SCALED_SIZE_LIMIT).map_err(|error| match error {
        FileError::TooLarge { size, .. } => too_large(&path, &format!("{size} bytes")),
        error => error.into(),
    })?;
    let fitted = FittedImage::new(&bytes).map_err(|error| match error {
        ScaleError::NotAnImage => ToolFailure::Failed(format!(
            "{path} has the extension of an image, but its contents are not PNG, JPEG, GIF or WebP: they \
             begin with {}. Check its type with `file`.",
            beginning(&bytes)
        )),
        ScaleError::TooLarge(size) => too_large(&path, &size),
        ScaleError::Broken(why) => ToolFailure::Failed(format!(
            "{path} is too large to be shown as it is, with more than {SIZE_LIMIT} bytes or {SIDE_LIMIT} pixels a \
             side, and can't be made smaller: {why}. Check it with `file`."
        )),
    })?;
    let (original, shown) = (fitted.original, fitted.shown);
    let data = STANDARD.encode(&fitted.bytes);
    let mut file = ReadImageFile::new(data.clone());
    file.kind = Some(shown.media_type.into());
    file.original_size = Some(bytes.len().into());
    let mut dimensions = ImageDimensions::new();
    dimensions.original_width = Some(original.width.into());
    dimensions.original_height = Some(original.height.into());
    dimensions.display_width = Some(shown.width.into());
    dimensions.display_height = Some(shown.height.into());
    file.dimensions = Some(dimensions.into());
    let content = Content::Blocks(vec![block(data, shown.media_type)]);
    output(content, &ReadResult::Image(ReadImage::new(file)))
}

/// An image in base64 as the model accepts it, with its media type. `None` if it can't be made so.
pub(super) fn fitted(data: String, media_type: &'static str) -> Option<(String, &'static str)> {
    let bytes = STANDARD.decode(&data).ok()?;
    if Image::is_accepted(&bytes) {
        return Some((data, media_type));
    }
    let fitted = FittedImage::new(&bytes).ok()?;
    Some((STANDARD.encode(&fitted.bytes), fitted.shown.media_type))
}

fn too_large(path: &Display<'_>, size: &str) -> ToolFailure {
    ToolFailure::Failed(format!(
        "{path} has {size}. Images of up to {SCALED_SIZE_LIMIT} bytes and {PIXEL_LIMIT} pixels can be shown: make a \
         smaller copy and read that, for example `magick IN -resize '2000x2000>' OUT.png`."
    ))
}

/// The first bytes, for people.
fn beginning(bytes: &[u8]) -> String {
    match bytes {
        [] => "nothing, it is empty".to_owned(),
        bytes => format!("{:?}", String::from_utf8_lossy(&bytes[..bytes.len().min(16)])),
    }
}
