//! WebP: only the chunks that are drawn stay.

use img_parts::Bytes;
use img_parts::riff::RiffContent;
use img_parts::webp::{
    CHUNK_ALPH, CHUNK_ANIM, CHUNK_ANMF, CHUNK_ICCP, CHUNK_VP8, CHUNK_VP8L, CHUNK_VP8X, WebP,
};

use super::Raster;

/// What is drawn: pixels, transparency, colour profile, animation.
const DRAWN: [[u8; 4]; 7] = [
    CHUNK_ALPH, CHUNK_ANIM, CHUNK_ANMF, CHUNK_ICCP, CHUNK_VP8, CHUNK_VP8L, CHUNK_VP8X,
];
/// The bits by which the head announces EXIF and XMP data.
const METADATA: u8 = 0b1100;

/// Takes the metadata off; `None` when the file is damaged.
pub(super) fn strip(bytes: &[u8]) -> Option<Raster> {
    // Whatever follows the length that the file gives itself is not read at all.
    let mut webp = WebP::from_bytes(Bytes::copy_from_slice(bytes)).ok()?;
    webp.chunks_mut()
        .retain(|chunk| DRAWN.contains(&chunk.id()));
    for chunk in webp.chunks_mut() {
        if chunk.id() == CHUNK_VP8X
            && let RiffContent::Data(data) = chunk.content_mut()
        {
            let mut head = data.to_vec();
            *head.first_mut()? &= !METADATA;
            *data = head.into();
        }
    }
    let (width, height) = webp.dimensions()?;
    let has_pixels = [CHUNK_VP8, CHUNK_VP8L, CHUNK_ANMF]
        .into_iter()
        .any(|id| webp.has_chunk(id));
    has_pixels.then(|| Raster {
        extension: "webp",
        bytes: webp.encoder().bytes().to_vec(),
        width,
        height,
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    fn chunk(id: &[u8; 4], contents: &[u8]) -> Vec<u8> {
        let length = u32::try_from(contents.len()).expect("a small chunk");
        let padding = &[0][..contents.len() % 2];
        [&id[..], &length.to_le_bytes(), contents, padding].concat()
    }

    /// A picture of 3 × 2 pixels with metadata and a tail.
    pub(in crate::images) fn sample() -> Vec<u8> {
        let chunks = [
            chunk(b"VP8X", b"\x2c\0\0\0\x02\0\0\x01\0\0"),
            chunk(b"ICCP", b"profile"),
            chunk(b"VP8L", b"\x2f\x02\x40\0\0pixels"),
            chunk(b"EXIF", b"Exif\0\0SECRET"),
            chunk(b"XMP ", b"SECRET"),
            chunk(b"prvt", b"SECRET"),
        ];
        let mut file = chunk(b"RIFF", &[&b"WEBP"[..], &chunks.concat()].concat());
        file.extend(b"<script>SECRET");
        file
    }

    #[test]
    fn the_head_no_longer_announces_metadata() {
        let raster = strip(&sample()).expect("a good picture");
        let webp = WebP::from_bytes(raster.bytes.into()).expect("still a WebP");
        let ids: Vec<_> = webp.chunks().iter().map(|chunk| chunk.id()).collect();
        assert_eq!(ids, [CHUNK_VP8X, CHUNK_ICCP, CHUNK_VP8L]);
        let head = webp.chunks()[0].content().data().expect("a head");
        assert_eq!(head[0], 0x20);
    }
}
