//! PNG: only the chunks that are drawn stay.

use img_parts::Bytes;
use img_parts::png::Png;

use super::Raster;

/// What is drawn: pixels, palette, transparency, colour space, density, animation. Text, times,
/// EXIF and every private chunk are not among them.
const DRAWN: &[&[u8; 4]] = &[
    b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"bKGD", b"sBIT", b"pHYs", b"cHRM", b"gAMA",
    b"iCCP", b"sRGB", b"cICP", b"mDCV", b"cLLI", b"acTL", b"fcTL", b"fdAT",
];

/// Takes the metadata off; `None` when the file is damaged.
pub(super) fn strip(bytes: &[u8]) -> Option<Raster> {
    // Whatever follows the end chunk is not read at all.
    let mut png = Png::from_bytes(Bytes::copy_from_slice(bytes)).ok()?;
    let (width, height) = png.dimensions()?;
    png.chunks_mut()
        .retain(|chunk| DRAWN.contains(&&chunk.kind()));
    let is_whole = png.chunks().first()?.kind() == *b"IHDR"
        && png.chunk_by_type(*b"IDAT").is_some()
        && png.chunks().last()?.kind() == *b"IEND";
    is_whole.then(|| Raster {
        extension: "png",
        bytes: png.encoder().bytes().to_vec(),
        width,
        height,
    })
}

#[cfg(test)]
pub(super) mod tests {
    use img_parts::png::PngChunk;

    use super::*;

    /// A picture of 3 × 2 pixels with metadata and a tail.
    pub(in crate::images) fn sample() -> Vec<u8> {
        let mut file = of_size(3, 2);
        file.extend(b"<script>SECRET</script>");
        file
    }

    pub(in crate::images) fn of_size(width: u32, height: u32) -> Vec<u8> {
        let header = [
            &width.to_be_bytes()[..],
            &height.to_be_bytes(),
            b"\x01\0\0\0\0",
        ]
        .concat();
        let chunks: [(&[u8; 4], Vec<u8>); 9] = [
            (b"IHDR", header),
            (b"tEXt", b"Comment\0SECRET".to_vec()),
            (b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0SECRET".to_vec()),
            (b"pHYs", vec![0; 9]),
            (b"eXIf", b"MM\0*\0\0\0\x08SECRET".to_vec()),
            (b"tIME", vec![0; 7]),
            (b"prVt", b"SECRET".to_vec()),
            // A zlib stream of two empty rows, stored without compression.
            (
                b"IDAT",
                b"\x78\x01\x01\x04\0\xfb\xff\0\0\0\0\0\x04\0\x01".to_vec(),
            ),
            (b"IEND", Vec::new()),
        ];
        let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
        for (kind, contents) in chunks {
            file.extend(PngChunk::new(*kind, contents.into()).encoder().bytes());
        }
        file
    }

    #[test]
    fn what_is_drawn_stays() {
        let raster = strip(&sample()).expect("a good picture");
        let png = Png::from_bytes(raster.bytes.into()).expect("still a PNG");
        let kinds: Vec<_> = png.chunks().iter().map(|chunk| chunk.kind()).collect();
        assert_eq!(kinds, [*b"IHDR", *b"pHYs", *b"IDAT", *b"IEND"]);
    }
}
