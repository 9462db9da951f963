//! Images: shown to the model as they are, after a look at what they are.

use aqueduct_model::image::{Image, SIDE_LIMIT, SIZE_LIMIT, block};
use aqueduct_wire::block::Content;
use aqueduct_wire::tool::{ImageDimensions, ReadImage, ReadImageFile, ReadResult};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::super::file_call::output;
use super::{CallOutput, ToolFailure};
use crate::file::{FileError, FileLocation, read_whole};

pub(super) fn read(place: &FileLocation) -> Result<CallOutput, ToolFailure> {
    let path = place.given.display();
    let (bytes, _) = read_whole(&place.real, SIZE_LIMIT).map_err(|error| match error {
        FileError::TooLarge { size, .. } => too_large(&path, &format!("{size} bytes")),
        error => error.into(),
    })?;
    let image = Image::recognise(&bytes).ok_or_else(|| {
        ToolFailure::Failed(format!(
            "{path} has the extension of an image, but its contents are not PNG, JPEG, GIF or WebP: they \
             begin with {}. Check its type with `file`.",
            beginning(&bytes)
        ))
    })?;
    if image.width > SIDE_LIMIT || image.height > SIDE_LIMIT {
        return Err(too_large(&path, &format!("{} by {} pixels", image.width, image.height)));
    }
    let data = STANDARD.encode(&bytes);
    let mut file = ReadImageFile::new(data.clone());
    file.kind = Some(image.media_type.into());
    file.original_size = Some(bytes.len().into());
    let mut dimensions = ImageDimensions::new();
    dimensions.original_width = Some(image.width.into());
    dimensions.original_height = Some(image.height.into());
    dimensions.display_width = Some(image.width.into());
    dimensions.display_height = Some(image.height.into());
    file.dimensions = Some(dimensions.into());
    let content = Content::Blocks(vec![block(data, image.media_type)]);
    output(content, &ReadResult::Image(ReadImage::new(file)))
}

/// Whether base64 text is an image that the model accepts.
pub(super) fn is_accepted(data: &str) -> bool {
    STANDARD.decode(data).is_ok_and(|bytes| Image::is_accepted(&bytes))
}

fn too_large(path: &std::path::Display<'_>, size: &str) -> ToolFailure {
    ToolFailure::Failed(format!(
        "{path} has {size}. Images of up to {SIZE_LIMIT} bytes and {SIDE_LIMIT} pixels a side can be shown: make \
         a smaller copy and read that, for example `magick IN -resize '2000x2000>' OUT.png`."
    ))
}

/// The first bytes, for people.
fn beginning(bytes: &[u8]) -> String {
    match bytes {
        [] => "nothing, it is empty".to_owned(),
        bytes => format!("{:?}", String::from_utf8_lossy(&bytes[..bytes.len().min(16)])),
    }
}
