//! Converts an uploaded picture for delivery: detects its kind by its first bytes, decodes it within limits, rotates it
//! upright, scales it down, and encodes it again. None of the file's original bytes are served.

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
use sha2::{Digest, Sha256};

use crate::hex;

/// Maximum pixels of the longer side when served. The widget shows pictures much smaller.
const LONGEST_SIDE: u32 = 320;
/// Maximum bytes for decoding.
const MAX_DECODING: u64 = 128 * 1024 * 1024;
/// The quality of photos, of 100.
const QUALITY: u8 = 85;

/// A picture that can be served.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Picture {
    /// The sum of its bytes with its extension.
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
}

/// Why a file is not a picture for a branding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PictureError {
    /// Neither PNG nor JPEG nor WebP.
    Format,
    /// Its sides are too short or too long.
    Size,
    /// It cannot be decoded.
    Broken,
}

/// Makes the picture that is served of an uploaded file.
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
    if image.width().max(image.height()) > LONGEST_SIDE {
        image = image.resize(LONGEST_SIDE, LONGEST_SIDE, imageops::FilterType::Lanczos3);
    }
    let (bytes, extension) = encode(&image, format).map_err(|_| PictureError::Broken)?;
    Ok(Picture { name: format!("{}.{extension}", hex::encode(&Sha256::digest(&bytes))), bytes })
}

/// Photos stay JPEG; everything else becomes PNG, which supports transparency.
fn encode(image: &DynamicImage, format: ImageFormat) -> Result<(Vec<u8>, &'static str), ImageError> {
    let mut bytes = Vec::new();
    if format == ImageFormat::Jpeg {
        image.to_rgb8().write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, QUALITY))?;
        return Ok((bytes, "jpg"));
    }
    let encoder = PngEncoder::new_with_quality(&mut bytes, CompressionType::Best, FilterType::Adaptive);
    if image.color().has_alpha() {
        image.to_rgba8().write_with_encoder(encoder)?;
    } else {
        image.to_rgb8().write_with_encoder(encoder)?;
    }
    Ok((bytes, "png"))
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
        for (format, extension) in
            [(ImageFormat::Png, ".png"), (ImageFormat::Jpeg, ".jpg"), (ImageFormat::WebP, ".png")]
        {
            let made = prepare(&file(&opaque(1600, 800), format)).unwrap();
            assert!(made.name.ends_with(extension) && made.name.len() == 68, "{}", made.name);
            let read = image::load_from_memory(&made.bytes).unwrap();
            assert_eq!((read.width(), read.height()), (320, 160), "{format:?}");
        }
    }

    #[test]
    fn what_is_transparent_stays_transparent() {
        let clear: DynamicImage = RgbaImage::from_pixel(32, 32, Rgba([0, 0, 0, 0])).into();
        let made = prepare(&file(&clear, ImageFormat::WebP)).unwrap();
        assert_eq!(image::load_from_memory(&made.bytes).unwrap().to_rgba8().get_pixel(5, 5).0[3], 0);
    }

    #[test]
    fn bytes_behind_the_picture_are_not_served() {
        let mut polyglot = file(&opaque(32, 32), ImageFormat::Png);
        polyglot.extend(b"<script>alert(1)</script>");
        let made = prepare(&polyglot).unwrap();
        assert!(!made.bytes.windows(6).any(|part| part == b"script"));
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
