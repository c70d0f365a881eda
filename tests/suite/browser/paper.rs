//! What can be taken away from a page: its PDF, the PDF's text, and a picture.
//!
//! The text of a PDF is read by `pdftotext` (Debian's `poppler-utils`), which `.ci/run`
//! installs: a second, unrelated reader of what Chromium wrote.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Once;

use serde_json::json;

use super::launch;
use super::page::Page;

impl Page {
    /// The text of the page as it would be printed; `None`, with one line that says so, when
    /// `pdftotext` is not on this machine.
    ///
    /// # Panics
    /// When it is not and `FOLDOUT_REQUIRE_BROWSER=1`.
    pub(crate) fn printed_text(&self) -> Option<String> {
        let printed = self.call("Page.printToPDF", json!({}));
        let pdf = decode_base64(printed["data"].as_str().expect("a PDF comes as base64"));
        let mut file = tempfile::Builder::new()
            .suffix(".pdf")
            .tempfile_in(env!("CARGO_TARGET_TMPDIR"))
            .expect("the target folder can be written");
        file.write_all(&pdf).expect("the PDF can be written");
        let read = Command::new("pdftotext")
            .args(["-enc", "UTF-8", "-q"])
            .arg(file.path())
            .arg("-")
            .output();
        match read {
            Ok(output) => {
                assert!(output.status.success(), "pdftotext: {}", output.status);
                Some(String::from_utf8(output.stdout).expect("UTF-8 was asked for"))
            }
            Err(why) if launch::is_required() => panic!("pdftotext is needed: {why}"),
            Err(why) => {
                static SAID: Once = Once::new();
                SAID.call_once(|| {
                    let mut stderr = std::io::stderr();
                    writeln!(stderr, "print tests did not run: pdftotext: {why}")
                        .expect("stderr is open");
                });
                None
            }
        }
    }

    /// Draws the whole page into `target/screenshots/<name>.png`, for people to look at.
    pub(crate) fn screenshot(&self, name: &str) -> PathBuf {
        let picture = self.call(
            "Page.captureScreenshot",
            json!({ "format": "png", "captureBeyondViewport": true }),
        );
        let png = decode_base64(picture["data"].as_str().expect("a picture comes as base64"));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("screenshots");
        std::fs::create_dir_all(&folder).expect("the target folder can be written");
        let path = folder.join(format!("{name}.png"));
        std::fs::write(&path, png).expect("the picture can be written");
        path
    }
}

/// The bytes of standard base64. Anything outside its alphabet is passed over.
fn decode_base64(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let mut bits = 0u32;
    let mut count = 0;
    for byte in text.bytes() {
        let six = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => continue,
        };
        bits = bits << 6 | u32::from(six);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}
