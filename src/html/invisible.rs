//! Characters that a reader cannot see or that reorder what is seen: the table that makes them
//! visible.

/// Whether a character would be invisible, or would change the order of what stands around it,
/// and is therefore drawn as a mark.
///
/// Covers C0 and C1 controls (without tab and line feed), bidi embeddings, overrides and
/// isolates, zero-width and other format characters, fillers that draw nothing, variation
/// selectors beyond the emoji ones, noncharacters and the tag block. ZERO WIDTH JOINER and NON-JOINER,
/// which emoji and several scripts need, are judged by their neighbours in [`super::Text`].
pub fn is_hidden(c: char) -> bool {
    matches!(c,
        '\0'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0d}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{fffe}' | '\u{ffff}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Whether the byte may begin a character that needs a second look: a markup character, a
/// control, or the lead byte of a block in which hidden or combining characters live.
/// Every other byte is copied as it is.
pub(super) static LOOK: [bool; 256] = {
    let mut look = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        look[byte] = matches!(byte as u8,
            b'&' | b'<' | b'>' | b'"' | b'\''
            | 0..=8 | 0x0b..=0x1f | 0x7f
            | 0xc2 | 0xcc | 0xcd | 0xd2 | 0xd6..=0xdd | 0xe0..=0xe3 | 0xef | 0xf0 | 0xf3);
        byte += 1;
    }
    look
};

/// How many combining marks in a row are drawn: real scripts need four or five.
pub(super) const MARKS_IN_A_ROW: usize = 8;

/// Whether a character is drawn on top of the one before it.
pub(crate) fn is_combining(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5bd}' | '\u{610}'..='\u{61a}'
        | '\u{64b}'..='\u{65f}' | '\u{6d6}'..='\u{6dc}' | '\u{730}'..='\u{74a}'
        | '\u{e31}' | '\u{e34}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}' | '\u{eb4}'..='\u{ebc}'
        | '\u{f71}'..='\u{f84}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}')
}

/// Whether a joiner next to this character does its proper work: in emoji sequences and in
/// scripts that are written with joiners.
pub(super) fn takes_joiners(c: char) -> bool {
    matches!(c,
        '\u{600}'..='\u{8ff}' | '\u{900}'..='\u{dff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        | '\u{1800}'..='\u{18af}' | '\u{2190}'..='\u{2bff}' | '\u{fe0e}' | '\u{fe0f}'
        | '\u{1f000}'..='\u{1faff}')
}

/// The Unicode name of the hidden characters that matter most; `None` for the rest, for which
/// the code point has to do.
pub(super) fn name(c: char) -> Option<&'static str> {
    Some(match c {
        '\0' => "NULL",
        '\u{7}' => "BELL",
        '\u{8}' => "BACKSPACE",
        '\u{b}' => "LINE TABULATION",
        '\u{c}' => "FORM FEED",
        '\r' => "CARRIAGE RETURN",
        '\u{1b}' => "ESCAPE",
        '\u{7f}' => "DELETE",
        '\u{ad}' => "SOFT HYPHEN",
        '\u{61c}' => "ARABIC LETTER MARK",
        '\u{200b}' => "ZERO WIDTH SPACE",
        '\u{200c}' => "ZERO WIDTH NON-JOINER",
        '\u{200d}' => "ZERO WIDTH JOINER",
        '\u{200e}' => "LEFT-TO-RIGHT MARK",
        '\u{200f}' => "RIGHT-TO-LEFT MARK",
        '\u{2028}' => "LINE SEPARATOR",
        '\u{2029}' => "PARAGRAPH SEPARATOR",
        '\u{202a}' => "LEFT-TO-RIGHT EMBEDDING",
        '\u{202b}' => "RIGHT-TO-LEFT EMBEDDING",
        '\u{202c}' => "POP DIRECTIONAL FORMATTING",
        '\u{202d}' => "LEFT-TO-RIGHT OVERRIDE",
        '\u{202e}' => "RIGHT-TO-LEFT OVERRIDE",
        '\u{2060}' => "WORD JOINER",
        '\u{2066}' => "LEFT-TO-RIGHT ISOLATE",
        '\u{2067}' => "RIGHT-TO-LEFT ISOLATE",
        '\u{2068}' => "FIRST STRONG ISOLATE",
        '\u{2069}' => "POP DIRECTIONAL ISOLATE",
        '\u{feff}' => "BYTE ORDER MARK",
        '\u{e0000}'..='\u{e007f}' => "TAG CHARACTER",
        _ => return None,
    })
}
