//! What a reader of the pages can get to see, as one stream of letters and digits.

use std::cell::RefCell;
use std::path::Path;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    BufferQueue, CharacterTokens, EndTag, StartTag, Tag, TagToken, Token, TokenSink,
    TokenSinkResult, Tokenizer, TokenizerOpts,
};

use super::{letters, without_escapes};

/// Classes of elements that hold foldout's own words between those of the source: the marks of
/// hidden characters, words for screen readers, quiet remarks.
const OWN_WORDS: &[&str] = &["inv", "re", "vh"];

/// The pages and side files of a folder, ready to be searched.
#[derive(Debug, Default)]
pub(crate) struct Pages {
    /// The letters and digits of every text, in the order of the file names.
    pub(super) text: String,
    /// Those of every link's address and of every language of code, each between spaces.
    pub(super) asides: String,
}

impl Pages {
    /// Reads every `.html` and `.txt` file below a folder.
    ///
    /// # Panics
    /// When one cannot be read.
    pub(crate) fn read(folder: &Path) -> Self {
        let mut pages = Self::default();
        for entry in walkdir::WalkDir::new(folder).sort_by_file_name() {
            let path = entry.expect("the folder can be listed").into_path();
            let read = || std::fs::read_to_string(&path).expect("pages are UTF-8");
            match path.extension().and_then(|end| end.to_str()) {
                Some("html") => pages = pages.and_page(read()),
                Some("txt") => pages.text += &letters(&without_escapes(&read())),
                _ => {}
            }
        }
        pages
    }

    /// A page alone.
    pub(super) fn of_html(html: &str) -> Self {
        Self::default().and_page(html.to_owned())
    }

    fn and_page(self, html: String) -> Self {
        let reader = Reader(RefCell::new(State {
            pages: self,
            skipped: None,
        }));
        let tokenizer = Tokenizer::new(reader, TokenizerOpts::default());
        let input = BufferQueue::default();
        input.push_back(StrTendril::from(html));
        // It stops only where a script would run.
        while !input.is_empty() {
            let _ = tokenizer.feed(&input);
        }
        tokenizer.end();
        tokenizer.sink.0.into_inner().pages
    }
}

/// Takes the tokens of a page.
struct Reader(RefCell<State>);

struct State {
    pages: Pages,
    /// The element whose text is not the source's, and how many of its name are open in it.
    skipped: Option<(String, usize)>,
}

impl TokenSink for Reader {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let state = &mut *self.0.borrow_mut();
        match token {
            CharacterTokens(text) if state.skipped.is_none() => {
                state.pages.text += &letters(&text);
            }
            TagToken(tag) => return state.take(&tag),
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

impl State {
    fn take(&mut self, tag: &Tag) -> TokenSinkResult<()> {
        let name = &*tag.name;
        match (&mut self.skipped, tag.kind) {
            (Some((skipped, depth)), StartTag) if skipped == name => *depth += 1,
            (Some((skipped, 0)), EndTag) if skipped == name => self.skipped = None,
            (Some((skipped, depth)), EndTag) if skipped == name => *depth -= 1,
            (None, StartTag) => {
                let classes = attribute(tag, "class").unwrap_or("");
                let mut classes = classes.split_ascii_whitespace();
                let is_ours = classes.clone().any(|class| OWN_WORDS.contains(&class));
                if is_ours || matches!(name, "title" | "style") {
                    self.skipped = Some((name.to_owned(), 0));
                }
                let languages = classes.find_map(|class| class.strip_prefix("lang-"));
                let address = attribute(tag, "href").filter(|_| name == "a");
                for aside in languages.into_iter().chain(address) {
                    self.aside(aside);
                }
            }
            _ => {}
        }
        match name {
            "title" if tag.kind == StartTag => TokenSinkResult::RawData(RawKind::Rcdata),
            "style" if tag.kind == StartTag => TokenSinkResult::RawData(RawKind::Rawtext),
            _ => TokenSinkResult::Continue,
        }
    }

    /// Notes an address or a language, as it stands and with its percent escapes undone.
    fn aside(&mut self, text: &str) {
        let asides = &mut self.pages.asides;
        *asides += " ";
        *asides += &letters(text);
        if text.contains('%') {
            *asides += " ";
            *asides += &letters(&without_percents(text));
        }
        *asides += " ";
    }
}

fn attribute<'a>(tag: &'a Tag, name: &str) -> Option<&'a str> {
    let attribute = tag.attrs.iter().find(|one| &*one.name.local == name)?;
    Some(&attribute.value)
}

fn without_percents(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        let digits = rest.get(at + 1..at + 3);
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &rest[at + 3..];
            }
            None => {
                bytes.push(b'%');
                rest = &rest[at + 1..];
            }
        }
    }
    bytes.extend_from_slice(rest.as_bytes());
    String::from_utf8_lossy(&bytes).into_owned()
}
