//! Images as the Messages API accepts them.

#[cfg(feature = "images")]
mod scale;

#[cfg(feature = "images")]
pub use scale::{FittedImage, PIXEL_LIMIT, SCALED_SIDE, SCALED_SIZE_LIMIT, ScaleError};

use aqueduct_wire::block::{ContentBlock, MediaBlock};
use aqueduct_wire::media::{Base64Source, MediaSource};

/// The longest side of an image, in pixels.
pub const SIDE_LIMIT: u32 = 8000;

/// The largest image in bytes: 5 MB as base64.
pub const SIZE_LIMIT: u64 = 5 * 1024 * 1024 / 4 * 3;

/// The block that shows an image to the model; `data` is base64.
pub fn block(data: String, media_type: &str) -> ContentBlock<'static> {
    let mut source = Base64Source::new(data);
    source.media_type = Some(media_type.to_owned().into());
    ContentBlock::Image(Box::new(MediaBlock::new(MediaSource::Base64(source))))
}

/// The header of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Image {
    /// Its media type.
    pub media_type: &'static str,
    /// Its width in pixels.
    pub width: u32,
    /// Its height in pixels.
    pub height: u32,
}

impl Image {
    /// Reads the header of an image; nothing, where it is none that the API accepts.
    pub fn recognise(bytes: &[u8]) -> Option<Image> {
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

    /// Whether the API accepts an image of these bytes.
    pub fn is_accepted(bytes: &[u8]) -> bool {
        let fits = |image: Image| image.width <= SIDE_LIMIT && image.height <= SIDE_LIMIT;
        bytes.len() as u64 <= SIZE_LIMIT && Image::recognise(bytes).is_some_and(fits)
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
            // Any number of these may precede a marker.
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
