//! A terminal's style, as far as it is shown, and what changes it.

use anstyle_parse::{Params, Parser, Perform};

use crate::html::Class;

/// What text looks like at some place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Style {
    pub(super) bold: bool,
    pub(super) underline: bool,
    faint: bool,
    italic: bool,
    struck: bool,
    reverse: bool,
    /// 0 to 15.
    foreground: Option<u8>,
    /// 0 to 7.
    background: Option<u8>,
}

impl Style {
    /// Changes the style by the parameters of a "select graphic rendition" sequence. What they
    /// ask for beyond the fields, conceal and blink above all, is not done.
    pub(super) fn select(&mut self, parser: &mut Parser, parameters: &[u8]) {
        let mut selection = Selection { style: self };
        for byte in b"\x1b[".iter().chain(parameters).chain(b"m") {
            parser.advance(&mut selection, *byte);
        }
    }

    /// The classes that draw it. Text in the colour of its background keeps the background
    /// alone, since it could not be read.
    pub(super) fn classes(self) -> Vec<Class> {
        let hidden = self.foreground.is_some() && self.foreground == self.background;
        [
            self.bold.then_some(Class::Bold),
            self.faint.then_some(Class::Faint),
            self.italic.then_some(Class::Italic),
            self.underline.then_some(Class::Underline),
            self.struck.then_some(Class::Struck),
            self.reverse.then_some(Class::Reverse),
            self.foreground.filter(|_| !hidden).map(Class::Foreground),
            self.background.map(Class::Background),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

struct Selection<'s> {
    style: &'s mut Style,
}

impl Perform for Selection<'_> {
    fn csi_dispatch(&mut self, params: &Params, intermediates: &[u8], _: bool, action: u8) {
        // With a private sign in it the sequence means something else.
        if action != b'm' || !intermediates.is_empty() {
            return;
        }
        let mut params = params.iter();
        while let Some(param) = params.next() {
            let style = &mut *self.style;
            let Some(&code) = param.first() else {
                continue;
            };
            match code {
                0 => *style = Style::default(),
                1 => style.bold = true,
                2 => style.faint = true,
                3 => style.italic = true,
                4 => style.underline = param.get(1) != Some(&0),
                7 => style.reverse = true,
                9 => style.struck = true,
                21 => style.underline = true,
                22 => (style.bold, style.faint) = (false, false),
                23 => style.italic = false,
                24 => style.underline = false,
                27 => style.reverse = false,
                29 => style.struck = false,
                30..=37 => style.foreground = Some(low(code - 30)),
                38 => style.foreground = colour(param, &mut params).or(style.foreground),
                39 => style.foreground = None,
                40..=47 => style.background = Some(low(code - 40)),
                48 => {
                    let colour = colour(param, &mut params).map(|colour| colour & 7);
                    style.background = colour.or(style.background);
                }
                49 => style.background = None,
                58 => {
                    // An underline's own colour: its numbers must not be taken for codes.
                    let _ = colour(param, &mut params);
                }
                90..=97 => style.foreground = Some(low(code - 90) | 8),
                100..=107 => style.background = Some(low(code - 100)),
                _ => {}
            }
        }
    }
}

/// One of eight.
fn low(number: u16) -> u8 {
    (number & 7) as u8
}

/// The nearest of the sixteen colours to what follows 38, 48 or 58: `5;n` or `2;r;g;b`, as
/// parameters of their own or behind colons.
fn colour<'p>(param: &[u16], params: &mut impl Iterator<Item = &'p [u16]>) -> Option<u8> {
    if param.len() > 1 {
        return match *param {
            [_, 5, n] => indexed(n),
            [_, 2, r, g, b] | [_, 2, _, r, g, b, ..] => Some(nearest(r, g, b)),
            _ => None,
        };
    }
    let mut next = || params.next().and_then(|param| param.first().copied());
    match next()? {
        5 => indexed(next()?),
        2 => Some(nearest(next()?, next()?, next()?)),
        _ => None,
    }
}

/// One of the 256 colours: the sixteen, a cube of six steps a side, a row of greys.
fn indexed(n: u16) -> Option<u8> {
    let step = |n: u16| if n == 0 { 0 } else { 55 + 40 * n };
    match n {
        0..=15 => Some((n & 15) as u8),
        16..=231 => {
            let n = n - 16;
            Some(nearest(step(n / 36), step(n / 6 % 6), step(n % 6)))
        }
        232..=255 => {
            let grey = 8 + 10 * (n - 232);
            Some(nearest(grey, grey, grey))
        }
        _ => None,
    }
}

/// The colour of the sixteen that reads most like this one: the same hue before the same
/// brightness, since orange is meant as a colour and not as a grey.
fn nearest(r: u16, g: u16, b: u16) -> u8 {
    let [r, g, b] = [r, g, b].map(|part| part.min(255));
    let (least, most) = (r.min(g).min(b), r.max(g).max(b));
    if most - least < 48 {
        return match most {
            0..64 => 0,
            64..160 => 8,
            160..224 => 7,
            _ => 15,
        };
    }
    let middle = u16::midpoint(least, most);
    let hue = u8::from(r > middle) | u8::from(g > middle) << 1 | u8::from(b > middle) << 2;
    hue | if most >= 230 { 8 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_keeps_its_hue() {
        assert_eq!(nearest(215, 119, 87), 1);
        assert_eq!(nearest(255, 0, 0), 9);
        assert_eq!(nearest(255, 165, 0), 11);
        assert_eq!(nearest(0, 120, 0), 2);
        assert_eq!(nearest(128, 128, 128), 8);
        assert_eq!(nearest(250, 250, 255), 15);
        assert_eq!(nearest(9999, 0, 9999), 13);
        assert_eq!(indexed(196), Some(9));
        assert_eq!(indexed(244), Some(8));
        assert_eq!(indexed(256), None);
    }
}
