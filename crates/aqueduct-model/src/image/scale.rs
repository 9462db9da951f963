//! Images that are too large for the API, made smaller.
//!
//! Decoding is bounded: an image of a few kilobytes may have billions of pixels.

use std::borrow::Cow;
use std::io::Cursor;

use ::image::codecs::jpeg::JpegEncoder;
use ::image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits};

use super::{Image, SIZE_LIMIT};

/// The longest side of an image that was made smaller, in pixels. Models see no more of a larger one.
pub const SCALED_SIDE: u32 = 2000;

/// The largest image that is made smaller, in pixels.
pub const PIXEL_LIMIT: u64 = 64_000_000;

/// The largest image that is made smaller, in bytes.
pub const SCALED_SIZE_LIMIT: u64 = 64 << 20;

/// How much memory the pixels of an image may take.
const MEMORY_LIMIT: u64 = 256 << 20;

/// The quality of JPEG, in percent.
const QUALITY: u8 = 85;

/// An image that the API accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FittedImage<'b> {
    /// The bytes: those it was made of where they are accepted as they are.
    pub bytes: Cow<'b, [u8]>,
    /// What it was.
    pub original: Image,
    /// What it is now.
    pub shown: Image,
}

/// Why an image can't be made to fit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScaleError {
    /// The bytes are no PNG, JPEG, GIF or WebP.
    #[error("it is not PNG, JPEG, GIF or WebP")]
    NotAnImage,
    /// It has more pixels or bytes than are decoded.
    #[error("{0}")]
    TooLarge(String),
    /// It can't be decoded.
    #[error("it can't be decoded: {0}")]
    Broken(String),
}

impl<'b> FittedImage<'b> {
    /// The image as the API accepts it: as it is, or smaller. Of an animation that is too large the first picture is left.
    ///
    /// Decoding takes up to some seconds, so call it on a thread for blocking work.
    pub fn new(bytes: &'b [u8]) -> Result<Self, ScaleError> {
        let original = Image::recognise(bytes).ok_or(ScaleError::NotAnImage)?;
        if Image::is_accepted(bytes) {
            return Ok(FittedImage { bytes: Cow::Borrowed(bytes), original, shown: original });
        }
        let pixels = u64::from(original.width) * u64::from(original.height);
        if pixels > PIXEL_LIMIT {
            return Err(ScaleError::TooLarge(format!("{} by {} pixels", original.width, original.height)));
        }
        if bytes.len() as u64 > SCALED_SIZE_LIMIT {
            return Err(ScaleError::TooLarge(format!("{} bytes", bytes.len())));
        }
        let (picture, format) = decode(bytes)?;
        let mut side = SCALED_SIDE;
        // A picture that does not compress, such as noise, needs more than one step.
        loop {
            let (bytes, shown) = encode(&smaller(&picture, side), format)?;
            if bytes.len() as u64 <= SIZE_LIMIT {
                return Ok(FittedImage { bytes: Cow::Owned(bytes), original, shown });
            }
            side /= 2;
        }
    }

    /// Whether it was made smaller.
    pub fn is_scaled(&self) -> bool {
        matches!(self.bytes, Cow::Owned(_))
    }
}

fn decode(bytes: &[u8]) -> Result<(DynamicImage, ImageFormat), ScaleError> {
    let broken = |error: ::image::ImageError| ScaleError::Broken(error.to_string());
    let mut reader = ImageReader::new(Cursor::new(bytes))
        .with_guessed_format()
        .map_err(|error| ScaleError::Broken(error.to_string()))?;
    let format = reader.format().ok_or(ScaleError::NotAnImage)?;
    let mut limits = Limits::default();
    limits.max_alloc = Some(MEMORY_LIMIT);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(broken)?;
    if decoder.total_bytes() > MEMORY_LIMIT {
        return Err(ScaleError::TooLarge(format!("{} bytes of pixels", decoder.total_bytes())));
    }
    // A camera stores how it was held beside the pixels, and an encoder does not.
    let orientation = decoder.orientation().map_err(broken)?;
    let mut picture = DynamicImage::from_decoder(decoder).map_err(broken)?;
    if picture.width() > SCALED_SIDE || picture.height() > SCALED_SIDE {
        picture = picture.thumbnail(SCALED_SIDE, SCALED_SIDE);
    }
    picture.apply_orientation(orientation);
    Ok((picture, format))
}

fn smaller(picture: &DynamicImage, side: u32) -> Cow<'_, DynamicImage> {
    if picture.width() <= side && picture.height() <= side {
        return Cow::Borrowed(picture);
    }
    Cow::Owned(picture.thumbnail(side, side))
}

/// A photograph stays one; of other pictures the letters and lines are kept sharp, if that fits.
fn encode(picture: &DynamicImage, format: ImageFormat) -> Result<(Vec<u8>, Image), ScaleError> {
    let broken = |error: ::image::ImageError| ScaleError::Broken(error.to_string());
    let (width, height) = (picture.width(), picture.height());
    let shown = |media_type| Image { media_type, width, height };
    if format != ImageFormat::Jpeg {
        let mut bytes = Cursor::new(Vec::new());
        let eight_bits = match picture.color().has_alpha() {
            true => DynamicImage::ImageRgba8(picture.to_rgba8()),
            false => DynamicImage::ImageRgb8(picture.to_rgb8()),
        };
        eight_bits.write_to(&mut bytes, ImageFormat::Png).map_err(broken)?;
        if bytes.get_ref().len() as u64 <= SIZE_LIMIT {
            return Ok((bytes.into_inner(), shown("image/png")));
        }
    }
    let mut bytes = Vec::new();
    JpegEncoder::new_with_quality(&mut bytes, QUALITY).encode_image(&picture.to_rgb8()).map_err(broken)?;
    Ok((bytes, shown("image/jpeg")))
}

#[cfg(test)]
mod tests {
    use ::image::{Rgb, RgbImage, RgbaImage};

    use super::*;

    fn written(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        picture.write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    /// A picture that does not compress.
    fn noise(width: u32, height: u32) -> DynamicImage {
        let mut state = 1_u32;
        DynamicImage::ImageRgb8(RgbImage::from_fn(width, height, |_, _| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let [_, red, green, blue] = state.to_be_bytes();
            Rgb([red, green, blue])
        }))
    }

    #[test]
    fn what_is_accepted_stays_as_it_is() {
        let bytes = written(&DynamicImage::ImageRgba8(RgbaImage::new(10, 20)), ImageFormat::Png);
        let fitted = FittedImage::new(&bytes).unwrap();
        assert!(!fitted.is_scaled() && fitted.bytes == bytes);
        assert_eq!(FittedImage::new(b"<html>"), Err(ScaleError::NotAnImage));
    }

    #[test]
    fn wide_and_heavy_images_are_made_smaller() {
        let wide = DynamicImage::ImageRgba8(RgbaImage::new(9000, 90));
        for format in [ImageFormat::Png, ImageFormat::WebP] {
            let bytes = written(&wide, format);
            let fitted = FittedImage::new(&bytes).unwrap();
            assert_eq!((fitted.original.width, fitted.shown.width, fitted.shown.height), (9000, 2000, 20));
            assert_eq!(fitted.shown.media_type, "image/png");
            assert_eq!(Image::recognise(&fitted.bytes), Some(fitted.shown));
            assert!(Image::is_accepted(&fitted.bytes));
        }
        let heavy = written(&noise(1500, 1500), ImageFormat::Png);
        assert!(heavy.len() as u64 > SIZE_LIMIT);
        let fitted = FittedImage::new(&heavy).unwrap();
        assert!(Image::is_accepted(&fitted.bytes), "{:?}", fitted.shown);
        assert_eq!(fitted.shown.media_type, "image/jpeg");
    }

    #[test]
    fn a_photograph_keeps_its_orientation() {
        let mut bytes = Vec::new();
        JpegEncoder::new(&mut bytes).encode_image(&noise(8200, 10).to_rgb8()).unwrap();
        // EXIF of one entry: turn it by 90 degrees.
        let exif = b"\xff\xe1\0\x22Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
        let turned = [&bytes[..2], exif, &bytes[2..]].concat();
        let fitted = FittedImage::new(&turned).unwrap();
        assert_eq!((fitted.shown.width, fitted.shown.height), (2, 2000));
    }

    #[test]
    fn a_small_file_with_many_pixels_is_refused() {
        let mut bomb = written(&DynamicImage::ImageRgba8(RgbaImage::new(1, 1)), ImageFormat::Png);
        for (width, height) in [(100_000_u32, 100_000_u32), (u32::MAX, u32::MAX), (64_000, 1001)] {
            bomb[16..20].copy_from_slice(&width.to_be_bytes());
            bomb[20..24].copy_from_slice(&height.to_be_bytes());
            assert!(matches!(FittedImage::new(&bomb), Err(ScaleError::TooLarge(_))), "{width}");
        }
        // Within the limits, but its pixels are not there.
        bomb[16..20].copy_from_slice(&9000_u32.to_be_bytes());
        bomb[20..24].copy_from_slice(&10_u32.to_be_bytes());
        assert!(matches!(FittedImage::new(&bomb), Err(ScaleError::Broken(_))));
    }
}
