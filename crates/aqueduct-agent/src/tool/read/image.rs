//! Images: shown to the model as they are, after a look at what they are.

use aqueduct_wire::block::{Content, ContentBlock, MediaBlock};
use aqueduct_wire::media::{Base64Source, MediaSource};
use aqueduct_wire::tool::{ImageDimensions, ReadImage, ReadImageFile, ReadResult};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::super::file_call::output;
use super::{Failure, Output};
use crate::file::{FileError, Place, read_whole};

/// The longest side that the model's side takes.
const SIDE_LIMIT: u32 = 8000;

/// The largest image it takes: 5 MB as base64.
const SIZE_LIMIT: u64 = 5 * 1024 * 1024 / 4 * 3;

pub(super) fn read(place: &Place) -> Result<Output, Failure> {
    let path = place.given.display();
    let (bytes, _) = read_whole(&place.real, SIZE_LIMIT).map_err(|error| match error {
        FileError::TooLarge { size, .. } => too_large(&path, &format!("{size} bytes")),
        error => error.into(),
    })?;
    let image = Image::recognise(&bytes).ok_or_else(|| {
        Failure::Failed(format!(
            "{path} has the name of an image, but its contents are none that can be shown (PNG, JPEG, GIF, \
             WebP): they begin with {}. See what it is with `file`.",
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

/// The image for the model.
pub(crate) fn block(data: String, media_type: &str) -> ContentBlock<'static> {
    let mut source = Base64Source::new(data);
    source.media_type = Some(media_type.to_owned().into());
    ContentBlock::Image(Box::new(MediaBlock::new(MediaSource::Base64(source))))
}

/// Whether base64 text is an image that the model's side takes.
pub(crate) fn is_sound(data: &str) -> bool {
    let Ok(bytes) = STANDARD.decode(data) else { return false };
    let fits = |image: &Image| image.width <= SIDE_LIMIT && image.height <= SIDE_LIMIT;
    bytes.len() as u64 <= SIZE_LIMIT && Image::recognise(&bytes).as_ref().is_some_and(fits)
}

fn too_large(path: &std::path::Display<'_>, size: &str) -> Failure {
    Failure::Failed(format!(
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

/// What an image says of itself.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Image {
    pub(super) media_type: &'static str,
    pub(super) width: u32,
    pub(super) height: u32,
}

impl Image {
    /// Reads the header of an image.
    pub(super) fn recognise(bytes: &[u8]) -> Option<Image> {
        let (media_type, (width, height)) = if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
            ("image/png", (big(bytes, 16, 4)?, big(bytes, 20, 4)?))
        } else if bytes.starts_with(b"\xff\xd8\xff") {
            ("image/jpeg", jpeg(bytes)?)
        } else if bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a") {
            ("image/gif", (little(bytes, 6, 2)?, little(bytes, 8, 2)?))
        } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
            ("image/webp", webp(bytes)?)
        } else {
            return None;
        };
        (width > 0 && height > 0).then_some(Image { media_type, width, height })
    }
}

/// A number of `size` bytes, the highest first.
fn big(bytes: &[u8], at: usize, size: usize) -> Option<u32> {
    Some(bytes.get(at..at + size)?.iter().fold(0, |number, byte| number << 8 | u32::from(*byte)))
}

/// A number of `size` bytes, the lowest first.
fn little(bytes: &[u8], at: usize, size: usize) -> Option<u32> {
    Some(bytes.get(at..at + size)?.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte)))
}

/// Goes from marker to marker until the frame header, which has the size.
fn jpeg(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut at = 2;
    loop {
        match (big(bytes, at, 1)?, big(bytes, at + 1, 1)?) {
            // Any number of these may stand before a marker.
            (0xff, 0xff) => at += 1,
            // Markers without contents.
            (0xff, 0x01 | 0xd0..=0xd8) => at += 2,
            // Frame headers: all of C0 to CF but the three that define tables.
            (0xff, 0xc0..=0xc3 | 0xc5..=0xc7 | 0xc9..=0xcb | 0xcd..=0xcf) => {
                return Some((big(bytes, at + 7, 2)?, big(bytes, at + 5, 2)?));
            }
            (0xff, _) => at += 2 + usize::try_from(big(bytes, at + 2, 2)?).ok()?,
            _ => return None,
        }
    }
}

/// Three forms: lossy, lossless, and extended with a canvas.
fn webp(bytes: &[u8]) -> Option<(u32, u32)> {
    match bytes.get(12..16)? {
        b"VP8 " => Some((little(bytes, 26, 2)? & 0x3fff, little(bytes, 28, 2)? & 0x3fff)),
        b"VP8L" => {
            let bits = little(bytes, 21, 4)?;
            Some(((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1))
        }
        b"VP8X" => Some((little(bytes, 24, 3)? + 1, little(bytes, 27, 3)? + 1)),
        _ => None,
    }
}
