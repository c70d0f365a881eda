//! What a terminal showed, which the programs record as lines of tokens with their colours: made
//! the escapes again that such a text is elsewhere.

use crate::formats::records::{Json, Object, items};

/// A recorded screen.
#[derive(Debug, Default)]
pub(super) struct Screen {
    /// Its text.
    pub(super) plain: String,
    /// Its text with escapes for the colours.
    pub(super) coloured: String,
}

impl Screen {
    /// Reads a screen: an array of lines, or an object that holds one; `None` when it is neither.
    pub(super) fn read(value: Json<'_>) -> Option<Self> {
        let object = Object::of(value);
        let lines = match &object {
            Some(object) => object.get("ansiOutput")?,
            None => value,
        };
        if !lines.get().starts_with('[') {
            return None;
        }
        let mut screen = Screen::default();
        for line in items(lines) {
            if !line.get().starts_with('[') {
                return None;
            }
            screen.line(&items(line))?;
        }
        for text in [&mut screen.plain, &mut screen.coloured] {
            text.truncate(text.trim_end_matches('\n').len());
        }
        Some(screen)
    }

    fn line(&mut self, tokens: &[Json<'_>]) -> Option<()> {
        let mut plain = String::new();
        let mut coloured = String::new();
        for token in tokens {
            let token = Object::of(*token)?;
            let words = token.text("text")?;
            let style = style(&token);
            plain.push_str(&words);
            if style.is_empty() {
                coloured.push_str(&words);
            } else {
                coloured.push_str(&format!("\u{1b}[{style}m{words}\u{1b}[0m"));
            }
        }
        // A screen's lines are filled up with spaces.
        for (text, line) in [(&mut self.plain, plain), (&mut self.coloured, coloured)] {
            text.push_str(line.trim_end());
            text.push('\n');
        }
        Some(())
    }
}

/// The numbers of an escape that sets a token's style; empty for plain text.
fn style(token: &Object<'_>) -> String {
    let mut numbers: Vec<String> = Vec::new();
    for (key, number) in [
        ("bold", "1"),
        ("dim", "2"),
        ("italic", "3"),
        ("underline", "4"),
        ("inverse", "7"),
    ] {
        if token.flag(key) {
            numbers.push(number.to_owned());
        }
    }
    for (key, number) in [("fg", 38), ("bg", 48)] {
        let colour = token.text(key).unwrap_or_default();
        if let Some([red, green, blue]) = rgb(&colour) {
            numbers.push(format!("{number};2;{red};{green};{blue}"));
        }
    }
    numbers.join(";")
}

/// The colour that `#rrggbb` names.
fn rgb(colour: &str) -> Option<[u8; 3]> {
    let digits = colour.strip_prefix('#').filter(|hex| hex.len() == 6)?;
    let number = u32::from_str_radix(digits, 16).ok()?;
    let [_, red, green, blue] = number.to_be_bytes();
    Some([red, green, blue])
}
