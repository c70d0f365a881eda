//! GIF: frames, their timing and the repeat of an animation stay.

use super::Raster;

/// Applications whose extension says how often an animation repeats.
const REPEATERS: [&[u8]; 2] = [b"NETSCAPE2.0", b"ANIMEXTS1.0"];

/// Takes the metadata off; `None` when the file is damaged.
pub(super) fn strip(bytes: &[u8]) -> Option<Raster> {
    let mut reader = Reader { bytes, at: 0 };
    let head = reader.take(13)?;
    let side = |at: usize| u32::from(u16::from_le_bytes([head[at], head[at + 1]]));
    reader.colours(head[10])?;
    let mut out = bytes[..reader.at].to_vec();
    // How the next frame is timed; without a frame behind it, it says nothing.
    let mut timing: &[u8] = &[];
    let mut has_frame = false;
    loop {
        let start = reader.at;
        match reader.take(1) {
            // Programs forget the end as often as they write it.
            None if has_frame => break,
            Some([0x3b]) => break,
            Some([0x2c]) => {
                let descriptor = reader.take(9)?;
                reader.colours(descriptor[8])?;
                reader.take(1)?;
                reader.blocks()?;
                out.extend_from_slice(timing);
                out.extend_from_slice(&bytes[start..reader.at]);
                timing = &[];
                has_frame = true;
            }
            Some([0x21]) => {
                let label = reader.take(1)?[0];
                let data = reader.blocks()?;
                match label {
                    0xf9 => timing = &bytes[start..reader.at],
                    0xff => out.extend(repeat(data)),
                    _ => {}
                }
            }
            Some([0]) => {}
            _ => return None,
        }
    }
    out.push(0x3b);
    has_frame.then(|| Raster {
        extension: "gif",
        bytes: out,
        width: side(6),
        height: side(8),
    })
}

/// The extension that says how often to repeat, written anew, so that nothing hides in it.
fn repeat(blocks: &[u8]) -> Vec<u8> {
    match blocks {
        [11, name @ ..] if name.len() >= 15 && REPEATERS.contains(&&name[..11]) => {
            match name[11..] {
                [3, 1, low, high, ..] => {
                    [b"\x21\xff\x0b", &name[..11], &[3, 1, low, high, 0]].concat()
                }
                _ => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let taken = self.bytes.get(self.at..self.at + count)?;
        self.at += count;
        Some(taken)
    }

    /// Passes the colour table that the flags announce.
    fn colours(&mut self, flags: u8) -> Option<()> {
        if flags & 0x80 != 0 {
            self.take(3 << ((flags & 7) + 1))?;
        }
        Some(())
    }

    /// Passes a row of blocks, each behind its length, and gives them with the lengths.
    fn blocks(&mut self) -> Option<&'a [u8]> {
        let start = self.at;
        loop {
            let length = self.take(1)?[0];
            if length == 0 {
                return Some(&self.bytes[start..self.at]);
            }
            self.take(usize::from(length))?;
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A picture of 3 × 2 pixels with metadata and a tail.
    pub(in crate::images) fn sample() -> Vec<u8> {
        [
            &b"GIF89a\x03\0\x02\0\x80\0\0\0\0\0\xff\xff\xff"[..],
            b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x05\0\x06SECRET\0",
            b"\x21\xff\x0bXMP DataXMP\x06SECRET\0",
            b"\x21\xfe\x06SECRET\0",
            b"\x21\xf9\x04\0\x0a\0\0\0",
            b"\x21\xfe\x06SECRET\0",
            b"\x2c\0\0\0\0\x03\0\x02\0\0\x02\x02\x44\x01\0",
            b"\x3b<script>SECRET",
        ]
        .concat()
    }

    #[test]
    fn frames_timing_and_repeat_stay() {
        let raster = strip(&sample()).expect("a good picture");
        let expected = [
            &b"GIF89a\x03\0\x02\0\x80\0\0\0\0\0\xff\xff\xff"[..],
            b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x05\0\0",
            b"\x21\xf9\x04\0\x0a\0\0\0",
            b"\x2c\0\0\0\0\x03\0\x02\0\0\x02\x02\x44\x01\0",
            b"\x3b",
        ]
        .concat();
        assert_eq!(raster.bytes, expected);
    }

    #[test]
    fn a_missing_end_is_put_there() {
        let whole = strip(&sample()).expect("a good picture").bytes;
        let raster = strip(&whole[..whole.len() - 1]).expect("all but the end is there");
        assert_eq!(raster.bytes, whole);
    }
}
