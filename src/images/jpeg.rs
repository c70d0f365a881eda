//! JPEG: tables, scans and the colour profile stay, and of the EXIF data the orientation alone,
//! without which a photograph would lie on its side.

use img_parts::jpeg::{Jpeg, JpegSegment, markers};
use img_parts::{Bytes, ImageEXIF};
use memchr::memchr;

use super::Raster;

/// Takes the metadata off; `None` when the file is damaged.
pub(super) fn strip(bytes: &[u8]) -> Option<Raster> {
    let mut jpeg = Jpeg::from_bytes(Bytes::copy_from_slice(bytes)).ok()?;
    let (width, height) = jpeg.dimensions()?;
    let (mut width, mut height) = (u32::from(width), u32::from(height));
    let turn = jpeg.exif().and_then(|exif| orientation(&exif));

    // The last segment that is read is the head of the first scan, behind which the file goes on.
    let last = jpeg.segments().last()?;
    if last.marker() != markers::SOS {
        return None;
    }
    // The part behind the head is only told by its length.
    let rest = bytes.get(
        bytes
            .len()
            .checked_sub(last.len_with_entropy() - last.len())?..,
    )?;
    let scans = JpegSegment::new_with_entropy(
        markers::SOS,
        last.contents().clone(),
        Bytes::from(scans(rest)?),
    );
    jpeg.segments_mut().pop();
    let mut segments: Vec<JpegSegment> = jpeg.segments().iter().filter_map(kept).collect();
    segments.push(scans);
    if let Some(turn) = turn {
        if turn >= 5 {
            (width, height) = (height, width);
        }
        let behind_jfif = usize::from(segments[0].marker() == markers::APP0);
        segments.insert(
            behind_jfif,
            JpegSegment::new_with_contents(markers::APP1, exif(turn)),
        );
    }
    *jpeg.segments_mut() = segments;
    Some(Raster {
        extension: "jpg",
        bytes: jpeg.encoder().bytes().to_vec(),
        width,
        height,
    })
}

/// The segment without what says nothing about the pixels; `None` when nothing of it does.
fn kept(segment: &JpegSegment) -> Option<JpegSegment> {
    let contents = segment.contents();
    let is_kept = match segment.marker() {
        markers::APP0 => {
            // The head of a JFIF file may carry a thumbnail of the picture before it was edited.
            let mut head = contents.get(..14)?.to_vec();
            head[12..].fill(0);
            return head
                .starts_with(b"JFIF\0")
                .then(|| JpegSegment::new_with_contents(markers::APP0, head.into()));
        }
        markers::APP2 => contents.starts_with(b"ICC_PROFILE\0"),
        // Says how the colours were turned into the three that are stored.
        markers::APP14 => contents.starts_with(b"Adobe"),
        marker => is_picture(marker),
    };
    is_kept.then(|| segment.clone())
}

/// Whether the marker begins a table, a frame or a scan.
fn is_picture(marker: u8) -> bool {
    matches!(marker, markers::SOF0..=markers::EXP)
}

/// The scans of a picture up to its end, without the metadata that may stand between them;
/// `None` when there is no end.
fn scans(rest: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(rest.len());
    let mut at = 0;
    let mut from = 0;
    loop {
        at += memchr(markers::P, rest.get(at..)?)?;
        match *rest.get(at + 1)? {
            // A byte of the picture, a restart, or a byte that only fills.
            markers::Z | markers::RST0..=markers::RST7 => at += 2,
            markers::P => at += 1,
            markers::EOI => {
                out.extend_from_slice(&rest[from..at + 2]);
                return Some(out);
            }
            marker => {
                let length = u16::from_be_bytes([*rest.get(at + 2)?, *rest.get(at + 3)?]);
                let end = at + 2 + usize::from(length).max(2);
                if !is_picture(marker) {
                    out.extend_from_slice(&rest[from..at]);
                    from = end;
                }
                at = end;
                rest.get(from..)?;
            }
        }
    }
}

/// The orientation that EXIF data has, unless it is the usual one: 2 to 8.
fn orientation(tiff: &[u8]) -> Option<u8> {
    let is_big = match tiff.get(..4)? {
        b"MM\0*" => true,
        b"II*\0" => false,
        _ => return None,
    };
    let short = |at: usize| -> Option<u16> {
        let bytes = [*tiff.get(at)?, *tiff.get(at + 1)?];
        Some(if is_big {
            u16::from_be_bytes(bytes)
        } else {
            u16::from_le_bytes(bytes)
        })
    };
    let (high, low) = if is_big { (4, 6) } else { (6, 4) };
    let directory = usize::from(short(high)?) << 16 | usize::from(short(low)?);
    let entries = usize::from(short(directory)?);
    (0..entries)
        .map(|index| directory + 2 + 12 * index)
        .map_while(|entry| Some((short(entry)?, short(entry + 8)?)))
        .find(|(tag, _)| *tag == 0x0112)
        .and_then(|(_, turn)| u8::try_from(turn).ok())
        .filter(|turn| (2..=8).contains(turn))
}

/// EXIF data that says the orientation and nothing else.
fn exif(turn: u8) -> Bytes {
    let head = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0";
    [&head[..], &[turn], b"\0\0\0\0\0\0"].concat().into()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    fn segment(marker: u8, contents: &[u8]) -> Vec<u8> {
        let length = u16::try_from(contents.len() + 2).expect("a small segment");
        [&[0xff, marker], &length.to_be_bytes()[..], contents].concat()
    }

    /// A picture of 3 × 2 pixels in two scans, with metadata before, between and behind them.
    fn with_exif(exif: &[u8]) -> Vec<u8> {
        [
            &[0xff, 0xd8][..],
            &segment(0xe0, b"JFIF\0\x01\x01\0\0\x01\0\x01\x01\x01SEC"),
            &segment(0xe1, exif),
            &segment(0xe1, b"http://ns.adobe.com/xap/1.0/\0SECRET"),
            &segment(0xe2, b"ICC_PROFILE\0\x01\x01profile"),
            &segment(0xe2, b"MPF\0SECRET"),
            &segment(0xed, b"Photoshop 3.0\0SECRET"),
            &segment(0xee, b"Adobe\0\x64\0\0\0\0\x01"),
            &segment(0xfe, b"SECRET"),
            &segment(0xc2, b"\x08\0\x02\0\x03\x01\x01\x11\0"),
            &segment(0xda, b"\x01\x01\0\0\0\0"),
            b"scan\xff\0one\xff\xd0",
            &segment(0xfe, b"SECRET\xff\xd9"),
            &segment(0xc4, b"table"),
            &segment(0xda, b"\x01\x01\0\0\0\0"),
            b"two\xff\xff\xd9<script>SECRET",
        ]
        .concat()
    }

    pub(in crate::images) fn sample() -> Vec<u8> {
        with_exif(b"Exif\0\0II*\0\x08\0\0\0\0\0SECRET")
    }

    #[test]
    fn profile_and_scans_stay() {
        let raster = strip(&sample()).expect("a good picture");
        let text = String::from_utf8_lossy(&raster.bytes);
        for part in [
            "ICC_PROFILE",
            "profile",
            "Adobe",
            "scan",
            "one",
            "table",
            "two",
        ] {
            assert!(text.contains(part), "{part}");
        }
        assert!(raster.bytes.ends_with(b"two\xff\xff\xd9"));
    }

    #[test]
    fn the_orientation_alone_is_kept_of_the_exif_data() {
        let little = b"Exif\0\0II*\0\x08\0\0\0\x02\0\x0f\x01\x02\0\x06\0\0\0SECR\x12\x01\x03\0\x01\0\0\0\x06\0\0\0";
        let raster = strip(&with_exif(little)).expect("a good picture");
        assert_eq!((raster.width, raster.height), (2, 3));
        let jpeg = Jpeg::from_bytes(raster.bytes.clone().into()).expect("still a JPEG");
        assert_eq!(jpeg.exif().and_then(|exif| orientation(&exif)), Some(6));
        assert!(!raster.bytes.windows(4).any(|bytes| bytes == b"SECR"));
        assert_eq!(strip(&raster.bytes), Some(raster));
    }
}
