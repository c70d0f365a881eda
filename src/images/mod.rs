//! Raster images out of transcripts: known by their first bytes, never by what is claimed of them.
//! What says where, when and by whom a picture was made is taken off, and so is whatever stands
//! behind its end; the pixels are not touched.

mod gif;
mod jpeg;
mod png;
mod webp;

use base64::Engine;
use base64::alphabet::{STANDARD, URL_SAFE};
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// The most pixels that a side may have: beyond it browsers give up, and the file is a trap.
const SIDE: u32 = 20_000;

/// A picture that may be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Raster {
    /// The extension of its real kind.
    pub(crate) extension: &'static str,
    /// The file without metadata.
    pub(crate) bytes: Vec<u8>,
    /// Its width in pixels, as it is shown.
    pub(crate) width: u32,
    /// Its height in pixels, as it is shown.
    pub(crate) height: u32,
}

/// Decodes a picture from base64, with or without line ends, padding and the head of a `data:`
/// address.
///
/// # Errors
/// Why the picture cannot be shown, as the end of a sentence: `it is an SVG`.
pub(crate) fn from_base64(data: &str) -> Result<Raster, &'static str> {
    let data = data.trim_start();
    let data = match data.get(..5) {
        Some(head) if head.eq_ignore_ascii_case("data:") => {
            data.split_once(',').map_or("", |(_, data)| data)
        }
        _ => data,
    };
    let letters: Vec<u8> = data
        .bytes()
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect();
    let alphabet = if letters.iter().any(|byte| matches!(byte, b'-' | b'_')) {
        URL_SAFE
    } else {
        STANDARD
    };
    let lenient = GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true);
    let bytes = GeneralPurpose::new(&alphabet, lenient)
        .decode(letters)
        .map_err(|_| "its data is not base64")?;
    from_bytes(&bytes)
}

/// Takes a picture from the bytes of its file.
///
/// # Errors
/// Why the picture cannot be shown, as the end of a sentence: `it is an SVG`.
pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Raster, &'static str> {
    let raster = match bytes {
        [] => return Err("it is empty"),
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => png::strip(bytes),
        [0xff, 0xd8, 0xff, ..] => jpeg::strip(bytes),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => gif::strip(bytes),
        [
            b'R',
            b'I',
            b'F',
            b'F',
            _,
            _,
            _,
            _,
            b'W',
            b'E',
            b'B',
            b'P',
            ..,
        ] => webp::strip(bytes),
        _ if is_svg(bytes) => return Err("it is an SVG"),
        _ => return Err("its bytes are not a PNG, JPEG, GIF or WebP image"),
    };
    let raster = raster.ok_or("it is damaged")?;
    match raster.width.max(raster.height) {
        0 => Err("it is damaged"),
        side if side > SIDE => Err("it is more than 20,000 pixels long"),
        _ => Ok(raster),
    }
}

/// Whether the bytes begin as an SVG document does.
fn is_svg(bytes: &[u8]) -> bool {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(1_024)]);
    let head = head.trim_start_matches('\u{feff}').trim_start();
    head.starts_with('<') && head.to_ascii_lowercase().contains("<svg")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// One picture of each kind, with a secret in its metadata and another behind its end.
    fn samples() -> Vec<Vec<u8>> {
        let samples = [
            png::tests::sample(),
            jpeg::tests::sample(),
            gif::tests::sample(),
            webp::tests::sample(),
        ];
        samples.into_iter().collect()
    }

    /// Security a, 3, 15: the kind is known by its bytes, and no metadata is left.
    #[test]
    fn pictures_lose_their_metadata_and_what_follows_them() {
        for (sample, extension) in samples().iter().zip(["png", "jpg", "gif", "webp"]) {
            let raster = from_bytes(sample).expect(extension);
            assert_eq!(raster.extension, extension);
            assert_eq!((raster.width, raster.height), (3, 2), "{extension}");
            for secret in ["SECRET", "Exif", "<script>"] {
                let found = raster
                    .bytes
                    .windows(secret.len())
                    .any(|bytes| bytes == secret.as_bytes());
                assert!(!found, "{extension} still has {secret}");
            }
            let again = from_bytes(&raster.bytes).expect(extension);
            assert_eq!(again, raster, "{extension}");
        }
    }

    #[test]
    fn a_picture_that_was_cut_off_is_damaged() {
        for sample in samples() {
            let raster = from_bytes(&sample).expect("a good picture");
            let half = &raster.bytes[..raster.bytes.len() / 2];
            assert_eq!(
                from_bytes(half),
                Err("it is damaged"),
                "{}",
                raster.extension
            );
        }
    }

    /// Security a, 8: what claims to be a picture and is not is refused with the reason.
    #[test]
    fn what_is_no_raster_image_is_refused_in_plain_words() {
        let no_image = Err("its bytes are not a PNG, JPEG, GIF or WebP image");
        let svg = b"<?xml version=\"1.0\"?>\n<!-- x --><svg onload=\"alert(1)\"></svg>";
        assert_eq!(from_bytes(svg), Err("it is an SVG"));
        assert_eq!(from_bytes(b"\xef\xbb\xbf <SVG>"), Err("it is an SVG"));
        assert_eq!(from_bytes(b"BM\x36\0\0\0"), no_image);
        assert_eq!(from_bytes(b"<html>"), no_image);
        assert_eq!(from_bytes(b""), Err("it is empty"));
        assert_eq!(from_base64("!!!"), Err("its data is not base64"));
        assert_eq!(from_base64("data:image/png"), Err("it is empty"));
    }

    #[test]
    fn base64_may_have_line_ends_no_padding_and_a_data_address() {
        let png = png::tests::sample();
        let expected = from_bytes(&png).expect("a good picture");
        let text = base64::prelude::BASE64_STANDARD.encode(&png);
        let lines: Vec<&str> = text
            .as_bytes()
            .chunks(20)
            .map(|line| std::str::from_utf8(line).expect("base64 is ASCII"))
            .collect();
        let safe = base64::prelude::BASE64_URL_SAFE_NO_PAD.encode(&png);
        for data in [
            text.clone(),
            lines.join("\r\n"),
            text.trim_end_matches('=').to_owned(),
            format!(" DATA:image/gif;base64,{text}"),
            safe,
        ] {
            assert_eq!(from_base64(&data).as_ref(), Ok(&expected));
        }
    }

    #[test]
    fn sizes_out_of_all_proportion_are_refused() {
        let size = |width, height| from_bytes(&png::tests::of_size(width, height));
        assert!(size(20_000, 1).is_ok());
        assert_eq!(size(20_001, 1), Err("it is more than 20,000 pixels long"));
        assert_eq!(size(0, 1), Err("it is damaged"));
    }

    proptest! {
        #[test]
        fn no_bytes_cause_a_panic(bytes: Vec<u8>, text: String) {
            let _ = from_bytes(&bytes);
            let _ = from_base64(&text);
            for sample in samples() {
                let _ = from_bytes(&[&sample[..12], &bytes].concat());
            }
        }

        #[test]
        fn no_damage_causes_a_panic(at: prop::sample::Index, value: u8, cut: prop::sample::Index) {
            for mut sample in samples() {
                let index = at.index(sample.len());
                sample[index] = value;
                if let Ok(raster) = from_bytes(&sample) {
                    prop_assert_eq!(from_bytes(&raster.bytes), Ok(raster));
                }
                let _ = from_bytes(&sample[..cut.index(sample.len())]);
            }
        }
    }
}
