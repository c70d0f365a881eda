//! What a language can be made of, as data, and the tables the lexer reads while it runs.

use std::cmp::Reverse;

use crate::html::Class;

/// A language of words, strings and comments. The languages are constants in
/// [`super::grammars`], each written as what it has beyond [`Code::PLAIN`]. Lists of words are
/// strings with spaces between the words.
#[derive(Debug)]
pub(super) struct Code {
    /// What opens a comment that ends with its line.
    pub(super) line_comments: &'static [&'static str],
    /// What opens and closes a comment over lines.
    pub(super) block_comments: &'static [(&'static str, &'static str)],
    /// Whether block comments may stand in block comments.
    pub(super) nested_comments: bool,
    /// Whether a line comment needs white space or the line's start before it.
    pub(super) spaced_comments: bool,
    pub(super) quotes: &'static [Quote],
    /// Words that make a string of a special kind when a quote follows at once, in any case.
    pub(super) prefixes: &'static str,
    pub(super) keywords: &'static str,
    /// Words for built-in types.
    pub(super) types: &'static str,
    /// Words for fixed values.
    pub(super) constants: &'static str,
    /// Keywords after which the name of a function stands.
    pub(super) before_functions: &'static str,
    /// Keywords after which the name of a type stands.
    pub(super) before_types: &'static str,
    /// Whether the case of keywords does not matter.
    pub(super) any_case: bool,
    pub(super) capitals: Capitals,
    /// Whether a word before `(` is a function.
    pub(super) calls: bool,
    /// Whether `name!` is a call.
    pub(super) macros: bool,
    /// What a word may hold besides letters, digits, `_` and everything beyond ASCII.
    pub(super) in_words: &'static str,
    /// Signs that make the word after them a variable or a decorator, painted with it.
    pub(super) sigils: &'static str,
    /// Whether `#[` and `#![` open an attribute.
    pub(super) hash_attributes: bool,
    /// Whether `/…/` can be a regular expression.
    pub(super) regexes: bool,
    /// Whether a string before `:` is a key.
    pub(super) string_keys: bool,
    /// Whether `:name` is a symbol.
    pub(super) symbols: bool,
    /// What opens a here-document.
    pub(super) heredocs: &'static [&'static str],
    pub(super) line_starts: LineStarts,
}

/// A kind of string.
#[derive(Debug)]
pub(super) struct Quote {
    pub(super) open: &'static str,
    pub(super) close: Close,
    pub(super) escape: Escape,
    /// Whether it may hold line feeds. A string that may not ends with its line, closed or not.
    pub(super) lines: bool,
    /// What begins a piece of code inside it, which ends with `}`; empty for none.
    pub(super) code: &'static str,
}

/// How a string ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Close {
    /// By this text.
    Text(&'static str),
    /// A character literal: one character or escape and the quote again, or else no string at
    /// all (Rust's lifetimes).
    Character,
    /// Rust's raw strings: a quote and as many `#` as after the opening letter.
    Hashes,
    /// Lua's long brackets: `]`, as many `=` as in the opening one, `]`.
    Brackets,
}

/// How a string holds its own closing quote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Escape {
    None,
    /// After this byte, `\` mostly.
    Byte(u8),
    /// Written twice.
    Doubled,
}

/// What a capital letter at a word's start means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Capitals {
    Nothing,
    Type,
    /// A type, unless it is called.
    TypeUnlessCalled,
    /// A command, if a hyphen follows: `Verb-Noun`.
    VerbNoun,
}

/// What stands at the start of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineStarts {
    Nothing,
    /// `#include` and its like.
    Directives,
    /// `[section]` and `key =`.
    Keys,
    /// `key:` and block scalars.
    Yaml,
    /// `target:` and `NAME =`.
    Targets,
}

impl Code {
    /// A language that has nothing.
    pub(super) const PLAIN: Self = Self {
        line_comments: &[],
        block_comments: &[],
        nested_comments: false,
        spaced_comments: false,
        quotes: &[],
        prefixes: "",
        keywords: "",
        types: "",
        constants: "",
        before_functions: "",
        before_types: "",
        any_case: false,
        capitals: Capitals::Nothing,
        calls: false,
        macros: false,
        in_words: "",
        sigils: "",
        hash_attributes: false,
        regexes: false,
        string_keys: false,
        symbols: false,
        heredocs: &[],
        line_starts: LineStarts::Nothing,
    };
}

impl Quote {
    /// `open…open` on one line, `\` escapes.
    pub(super) const fn line(quote: &'static str) -> Self {
        Self {
            open: quote,
            close: Close::Text(quote),
            escape: Escape::Byte(b'\\'),
            lines: false,
            code: "",
        }
    }

    /// `open…open` over lines, `\` escapes.
    pub(super) const fn block(quote: &'static str) -> Self {
        Self {
            lines: true,
            ..Self::line(quote)
        }
    }

    /// `open…close` over lines, nothing escapes.
    pub(super) const fn raw(open: &'static str, close: &'static str) -> Self {
        Self {
            open,
            close: Close::Text(close),
            escape: Escape::None,
            lines: true,
            code: "",
        }
    }

    /// `'…''…'` over lines.
    pub(super) const fn doubled(open: &'static str, close: &'static str) -> Self {
        Self {
            escape: Escape::Doubled,
            ..Self::raw(open, close)
        }
    }

    /// A string that does not close with the text that opens it.
    pub(super) const fn special(open: &'static str, close: Close) -> Self {
        Self {
            close,
            ..Self::block(open)
        }
    }

    /// `open…close` on one line, `\` escapes.
    pub(super) const fn between(open: &'static str, close: &'static str) -> Self {
        Self {
            close: Close::Text(close),
            ..Self::line(open)
        }
    }

    /// The same string, with code inside.
    pub(super) const fn with_code(self, code: &'static str) -> Self {
        Self { code, ..self }
    }
}

/// What a known word is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meaning {
    pub(super) class: Class,
    /// The class of the name that follows.
    pub(super) then: Option<Class>,
}

/// Something that a sign opens.
#[derive(Clone, Copy, Debug)]
pub(super) enum Opener {
    LineComment,
    /// Index in [`Code::block_comments`].
    BlockComment(usize),
    Quote(&'static Quote),
    Sigil,
    HashAttribute,
    Regex,
    Symbol,
    Heredoc,
}

/// What the lexer does at a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// Nothing begins here.
    Plain,
    Newline,
    Word,
    Digit,
    /// A curly bracket, which may end a piece of code in a string.
    Curly,
    /// One of the openers may stand here.
    Opener,
}

/// A [`Code`] made ready to run: built at a language's first use.
pub(super) struct Tables {
    pub(super) start: [Start; 256],
    /// Whether a byte may stand inside a word.
    pub(super) word: [bool; 256],
    /// Ordered by first byte; among those with the same one, the longest first.
    openers: Vec<(&'static str, Opener)>,
    /// Where in `openers` those with a first byte stand.
    openers_by_first: [(u16, u16); 256],
    /// Ordered by first byte.
    words: Vec<(&'static str, Meaning)>,
    /// Where in `words` those with a first byte stand.
    words_by_first: [(u16, u16); 256],
    /// Which lengths the words with a first byte have: bit n for n bytes.
    lengths: [u32; 256],
    any_case: bool,
}

/// No keyword is longer.
const LONGEST_WORD: usize = 31;

impl Tables {
    pub(super) fn new(code: &'static Code) -> Self {
        let openers = openers(code);
        let openers_by_first = by_first(&openers);
        let mut word = [false; 256];
        let mut start = [Start::Plain; 256];
        for byte in 0..=u8::MAX {
            let index = usize::from(byte);
            let extra = code.in_words.as_bytes().contains(&byte);
            let letter = byte.is_ascii_alphabetic()
                || byte == b'_'
                || !byte.is_ascii()
                || (byte == b'$' && extra);
            word[index] = letter || byte.is_ascii_digit() || extra;
            start[index] = match byte {
                b'\n' => Start::Newline,
                _ if openers_by_first[index].1 > 0 => Start::Opener,
                b'{' | b'}' => Start::Curly,
                b'0'..=b'9' => Start::Digit,
                _ if letter => Start::Word,
                _ => Start::Plain,
            };
        }
        let words = words(code);
        let mut lengths = [0; 256];
        for (known, _) in &words {
            lengths[usize::from(known.as_bytes()[0])] |= 1 << known.len().min(LONGEST_WORD);
        }
        Self {
            start,
            word,
            openers,
            openers_by_first,
            words_by_first: by_first(&words),
            words,
            lengths,
            any_case: code.any_case,
        }
    }

    /// What the word means in the language.
    pub(super) fn meaning(&self, word: &[u8]) -> Option<Meaning> {
        let first = word.first()?;
        let first = usize::from(if self.any_case {
            first.to_ascii_lowercase()
        } else {
            *first
        });
        // Most words are no keywords, and most of these are told by their first byte and length.
        if word.len() > LONGEST_WORD || self.lengths[first] & (1 << word.len()) == 0 {
            return None;
        }
        let (from, to) = self.words_by_first[first];
        self.words[usize::from(from)..usize::from(to)]
            .iter()
            .find(|(known, _)| {
                known.as_bytes() == word
                    || (self.any_case && known.as_bytes().eq_ignore_ascii_case(word))
            })
            .map(|(_, meaning)| *meaning)
    }

    /// The openers that stand at the start of `rest`, the longest first.
    pub(super) fn openers<'r>(
        &'r self,
        rest: &'r [u8],
    ) -> impl Iterator<Item = (&'static str, Opener)> + 'r {
        let (from, to) = rest
            .first()
            .map_or((0, 0), |byte| self.openers_by_first[usize::from(*byte)]);
        self.openers[usize::from(from)..usize::from(to)]
            .iter()
            .filter(|(open, _)| rest.starts_with(open.as_bytes()))
            .copied()
    }
}

/// Where in a list, ordered by first byte, the entries with each first byte stand.
fn by_first<T>(list: &[(&str, T)]) -> [(u16, u16); 256] {
    let mut ranges = [(0, 0); 256];
    for (after, (text, _)) in (1..).zip(list) {
        let range = &mut ranges[usize::from(text.as_bytes()[0])];
        if range.1 == 0 {
            range.0 = after - 1;
        }
        range.1 = after;
    }
    ranges
}

fn words(code: &'static Code) -> Vec<(&'static str, Meaning)> {
    let mut words = Vec::new();
    for (list, class) in [
        (code.keywords, Class::Keyword),
        (code.types, Class::Type),
        (code.constants, Class::Number),
    ] {
        for known in list.split_ascii_whitespace() {
            let has = |list: &str| list.split_ascii_whitespace().any(|word| word == known);
            let then = if has(code.before_functions) {
                Some(Class::Function)
            } else if has(code.before_types) {
                Some(Class::Type)
            } else {
                None
            };
            words.push((known, Meaning { class, then }));
        }
    }
    words.sort_by_key(|(known, _)| known.as_bytes()[0]);
    words
}

fn openers(code: &'static Code) -> Vec<(&'static str, Opener)> {
    let mut openers = Vec::new();
    for open in code.line_comments {
        openers.push((*open, Opener::LineComment));
    }
    for (index, (open, _)) in code.block_comments.iter().enumerate() {
        openers.push((*open, Opener::BlockComment(index)));
    }
    for quote in code.quotes {
        openers.push((quote.open, Opener::Quote(quote)));
    }
    for at in 0..code.sigils.len() {
        openers.push((&code.sigils[at..=at], Opener::Sigil));
    }
    if code.hash_attributes {
        openers.push(("#[", Opener::HashAttribute));
        openers.push(("#![", Opener::HashAttribute));
    }
    if code.regexes {
        openers.push(("/", Opener::Regex));
    }
    if code.symbols {
        openers.push((":", Opener::Symbol));
    }
    for open in code.heredocs {
        openers.push((*open, Opener::Heredoc));
    }
    // Among equally long ones the first that was listed is tried first: the sort is stable.
    openers.sort_by_key(|(open, _)| (open.as_bytes()[0], Reverse(open.len())));
    openers
}
