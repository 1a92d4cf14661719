//! Converts an uploaded picture for delivery: detects its kind by its first bytes, decodes it within limits, rotates it
//! upright, scales it down, and encodes it again. None of the file's original bytes are served. The child converts, and
//! the parent checks the result.

use std::io::Cursor;

use contract::branding::PICTURE_PIXELS;
use image::{
    DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits,
    codecs::{
        jpeg::JpegEncoder,
        png::{CompressionType, FilterType, PngEncoder},
    },
    imageops,
};
use serde::{Deserialize, Serialize};

/// Maximum pixels of the longer side when served. The widget shows pictures much smaller.
const MAX_SIDE: u32 = 320;
/// Maximum bytes for decoding.
const MAX_DECODING: u64 = 128 * 1024 * 1024;
/// The quality of photos, of 100.
const QUALITY: u8 = 85;

/// Maximum bytes of a picture that is served: more than its pixels have without compression.
const MAX_SERVED: usize = 512 * 1024;

/// A picture that can be served.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picture {
    /// The format of its bytes.
    pub format: PictureFormat,
    /// The file.
    pub bytes: Vec<u8>,
}

/// The formats in which pictures are served.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PictureFormat {
    /// For photos.
    Jpeg,
    /// For everything else, because it supports transparency.
    Png,
}

impl PictureFormat {
    /// The extension of a file's name.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Jpeg => "jpg",
            Self::Png => "png",
        }
    }

    const fn of_decoder(self) -> ImageFormat {
        match self {
            Self::Jpeg => ImageFormat::Jpeg,
            Self::Png => ImageFormat::Png,
        }
    }
}

/// Why a file is not a picture for a branding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PictureError {
    /// Neither PNG nor JPEG nor WebP.
    Format,
    /// Its sides are too short or too long.
    Size,
    /// It cannot be decoded.
    Broken,
}

/// Makes the picture that is served of an uploaded file.
///
/// # Errors
/// When the file is not such a picture.
pub(super) fn prepare(file: &[u8]) -> Result<Picture, PictureError> {
    let format = image::guess_format(file).map_err(|_| PictureError::Format)?;
    if !matches!(format, ImageFormat::Png | ImageFormat::Jpeg | ImageFormat::WebP) {
        return Err(PictureError::Format);
    }
    let mut decoder =
        ImageReader::with_format(Cursor::new(file), format).into_decoder().map_err(|_| PictureError::Broken)?;
    let (width, height) = decoder.dimensions();
    if !PICTURE_PIXELS.contains(&width) || !PICTURE_PIXELS.contains(&height) {
        return Err(PictureError::Size);
    }
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_DECODING);
    decoder.set_limits(limits).map_err(|_| PictureError::Size)?;
    let orientation = decoder.orientation().map_err(|_| PictureError::Broken)?;
    let mut image = DynamicImage::from_decoder(decoder).map_err(|_| PictureError::Broken)?;
    image.apply_orientation(orientation);
    if image.width().max(image.height()) > MAX_SIDE {
        image = image.resize(MAX_SIDE, MAX_SIDE, imageops::FilterType::Lanczos3);
    }
    let format = if format == ImageFormat::Jpeg { PictureFormat::Jpeg } else { PictureFormat::Png };
    let bytes = encode(&image, format).map_err(|_| PictureError::Broken)?;
    Ok(Picture { format, bytes })
}

fn encode(image: &DynamicImage, format: PictureFormat) -> Result<Vec<u8>, ImageError> {
    let mut bytes = Vec::new();
    if format == PictureFormat::Jpeg {
        image.to_rgb8().write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, QUALITY))?;
        return Ok(bytes);
    }
    let encoder = PngEncoder::new_with_quality(&mut bytes, CompressionType::Best, FilterType::Adaptive);
    if image.color().has_alpha() {
        image.to_rgba8().write_with_encoder(encoder)?;
    } else {
        image.to_rgb8().write_with_encoder(encoder)?;
    }
    Ok(bytes)
}

impl Picture {
    /// Whether the child could have made it. Looks only at its length and its first bytes.
    pub(super) fn is_plausible(&self) -> bool {
        let format = image::guess_format(&self.bytes);
        self.bytes.len() <= MAX_SERVED && format.is_ok_and(|format| format == self.format.of_decoder())
    }
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage, Rgba, RgbaImage};

    use super::*;

    fn file(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        image.write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    fn opaque(width: u32, height: u32) -> DynamicImage {
        RgbImage::from_pixel(width, height, Rgb([15, 92, 140])).into()
    }

    #[test]
    fn a_large_picture_becomes_small_and_keeps_its_proportions() {
        for (format, served) in [
            (ImageFormat::Png, PictureFormat::Png),
            (ImageFormat::Jpeg, PictureFormat::Jpeg),
            (ImageFormat::WebP, PictureFormat::Png),
        ] {
            let picture = prepare(&file(&opaque(1600, 800), format)).unwrap();
            assert!(picture.format == served && picture.is_plausible(), "{format:?}");
            let read = image::load_from_memory(&picture.bytes).unwrap();
            assert_eq!((read.width(), read.height()), (320, 160), "{format:?}");
        }
    }

    #[test]
    fn what_is_transparent_stays_transparent() {
        let clear: DynamicImage = RgbaImage::from_pixel(32, 32, Rgba([0, 0, 0, 0])).into();
        let picture = prepare(&file(&clear, ImageFormat::WebP)).unwrap();
        assert_eq!(image::load_from_memory(&picture.bytes).unwrap().to_rgba8().get_pixel(5, 5).0[3], 0);
    }

    #[test]
    fn bytes_behind_the_picture_are_not_served() {
        let mut polyglot = file(&opaque(32, 32), ImageFormat::Png);
        polyglot.extend(b"<script>alert(1)</script>");
        let picture = prepare(&polyglot).unwrap();
        assert!(!picture.bytes.windows(6).any(|part| part == b"script"));
    }

    #[test]
    fn the_largest_picture_is_plausible_and_others_are_not() {
        let mut seed = 1_u32;
        let noise = RgbaImage::from_fn(1000, 1000, |_, _| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            Rgba(seed.to_be_bytes())
        });
        let small = DynamicImage::from(noise).crop_imm(0, 0, MAX_SIDE, MAX_SIDE);
        let picture = prepare(&file(&small, ImageFormat::Png)).unwrap();
        assert!(picture.bytes.len() > 300_000 && picture.is_plausible(), "{}", picture.bytes.len());
        let Picture { format, mut bytes } = picture;
        assert!(!Picture { format: PictureFormat::Jpeg, bytes: bytes.clone() }.is_plausible());
        bytes.resize(MAX_SERVED + 1, 0);
        assert!(!Picture { format, bytes }.is_plausible());
        assert!(!Picture { format, bytes: b"<html>".to_vec() }.is_plausible());
    }

    #[test]
    fn files_that_are_no_pictures_are_refused() {
        let whole = file(&opaque(64, 64), ImageFormat::Png);
        for (bytes, fault) in [
            (&b"<svg xmlns='http://www.w3.org/2000/svg'/>"[..], PictureError::Format),
            (b"GIF89a", PictureError::Format),
            (b"", PictureError::Format),
            (&whole[..whole.len() / 2], PictureError::Broken),
            (&file(&opaque(15, 64), ImageFormat::Png), PictureError::Size),
            (&file(&opaque(4097, 16), ImageFormat::Png), PictureError::Size),
        ] {
            assert_eq!(prepare(bytes).unwrap_err(), fault, "{} bytes", bytes.len());
        }
    }
}
