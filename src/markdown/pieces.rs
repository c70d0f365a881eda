//! The parser's events, made ready for the writer: tokens turned back, code blocks drawn, and
//! what the parser drops picked up from the source.

use std::collections::VecDeque;
use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, CowStr, Event, LinkType, OffsetIter, Options, Parser};
use pulldown_cmark::{Tag, TagEnd};

use super::code_block;
use super::protect::{Protected, Span};
use crate::html::{Kept, Piece};

/// The pieces of a Markdown text, in order.
pub(super) struct Pieces<'a> {
    protected: &'a Protected<'a>,
    /// `None` once the parser is through.
    events: Option<OffsetIter<'a>>,
    /// What is ready to be handed out.
    ready: VecDeque<Piece<'a>>,
    /// Up to where the source has been handed out.
    seen: usize,
    /// Whether the text defines link references at all.
    definitions: bool,
    /// How many links and images are open.
    links: usize,
    /// The numbering of each open list.
    lists: Vec<Numbers>,
    in_table: bool,
    /// Whether the end of a table cell is held back, because surplus cells may follow.
    cell_ends: bool,
}

/// How an ordered list counts.
struct Numbers {
    first: u64,
    next: u64,
    /// Whether every item so far repeats the first number, which means "count for me".
    repeats: bool,
}

impl<'a> Pieces<'a> {
    pub(super) fn new(protected: &'a Protected<'a>) -> Self {
        let extensions = Options::ENABLE_TABLES
            | Options::ENABLE_STRIKETHROUGH
            | Options::ENABLE_TASKLISTS
            | Options::ENABLE_FOOTNOTES;
        let parser = Parser::new_ext(&protected.text, extensions);
        let definitions = parser.reference_definitions().iter().next().is_some();
        Self {
            protected,
            definitions,
            events: Some(parser.into_offset_iter()),
            ready: VecDeque::new(),
            seen: 0,
            links: 0,
            lists: Vec::new(),
            in_table: false,
            cell_ends: false,
        }
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        while self.ready.is_empty() {
            match self.events.as_mut()?.next() {
                Some((event, range)) => self.take(event, range),
                None => {
                    self.events = None;
                    self.dropped_before(self.protected.text.len());
                }
            }
        }
        self.ready.pop_front()
    }
}

impl<'a> Pieces<'a> {
    fn take(&mut self, event: Event<'a>, range: Range<usize>) {
        let stays_open = matches!(event, Event::Start(_));
        let ends_block = matches!(
            event,
            Event::End(
                TagEnd::Item | TagEnd::List(_) | TagEnd::BlockQuote(_) | TagEnd::FootnoteDefinition
            )
        );
        if self.definitions && !self.in_table {
            self.dropped_before(if ends_block { range.end } else { range.start });
        }
        let source = range.clone();
        let end = if stays_open { range.start } else { range.end };
        match event {
            Event::Text(text) => self.text(text, range),
            Event::Code(text) => self.event(Event::Code(self.protected.restore(text))),
            Event::Html(text) => self.event(Event::Html(self.protected.restore(text))),
            Event::InlineHtml(text) => self.event(Event::InlineHtml(self.protected.restore(text))),
            Event::FootnoteReference(label) => {
                self.event(Event::FootnoteReference(self.protected.restore(label)));
            }
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(tag, range),
            other => self.event(other),
        }
        // A code block has been taken whole; what holds others has only begun.
        self.seen = self.seen.max(end).max(source.start);
    }

    fn event(&mut self, event: Event<'a>) {
        self.ready.push_back(Piece::Event(event));
    }

    fn start(&mut self, tag: Tag<'a>, range: Range<usize>) {
        let tag = match tag {
            Tag::CodeBlock(kind) => return self.code(kind, range),
            Tag::Item => return self.item(range),
            Tag::Strikethrough if !self.is_struck(&range) => return self.plain("~"),
            Tag::List(first) => {
                let first = first.unwrap_or(0);
                self.lists.push(Numbers {
                    first,
                    next: first,
                    repeats: true,
                });
                tag
            }
            Tag::Link {
                link_type,
                dest_url,
                title,
                id,
            } => {
                self.links += 1;
                Tag::Link {
                    link_type,
                    dest_url: self.protected.restore(dest_url),
                    title: self.protected.restore(title),
                    id,
                }
            }
            Tag::Image {
                link_type,
                dest_url,
                title,
                id,
            } => {
                self.links += 1;
                Tag::Image {
                    link_type,
                    dest_url: self.protected.restore(dest_url),
                    title: self.protected.restore(title),
                    id,
                }
            }
            Tag::FootnoteDefinition(label) => {
                // Its own `[^label]:` is no definition of a link.
                let source = &self.protected.text[range.clone()];
                let head = source.find("]:").map_or(0, |at| at + 2);
                self.seen = self.seen.max(range.start + head);
                Tag::FootnoteDefinition(self.protected.restore(label))
            }
            Tag::Table(_) => {
                self.in_table = true;
                tag
            }
            Tag::TableCell => {
                self.end_cell("");
                tag
            }
            tag => tag,
        };
        self.event(Event::Start(tag));
    }

    fn end(&mut self, tag: TagEnd, range: Range<usize>) {
        match tag {
            TagEnd::Strikethrough if !self.is_struck(&range) => return self.plain("~"),
            TagEnd::Link | TagEnd::Image => self.links -= 1,
            TagEnd::List(_) => {
                self.lists.pop();
            }
            TagEnd::TableCell => {
                self.cell_ends = true;
                return;
            }
            TagEnd::TableHead | TagEnd::TableRow => {
                let source: &'a str = &self.protected.text;
                self.end_cell(source.get(self.seen..range.end).unwrap_or_default());
            }
            TagEnd::Table => self.in_table = false,
            _ => {}
        }
        self.event(Event::End(tag));
    }

    /// One tilde mostly means "about", so only two strike out.
    fn is_struck(&self, range: &Range<usize>) -> bool {
        self.protected.text[range.start..].starts_with("~~")
    }

    fn plain(&mut self, text: &'static str) {
        self.event(Event::Text(CowStr::Borrowed(text)));
    }

    /// Hands out text: an entity as it was written, tokens as math and links.
    fn text(&mut self, text: CowStr<'a>, range: Range<usize>) {
        let source = &self.protected.text[range];
        if source.starts_with('&') && source.ends_with(';') && source != &*text {
            return self.event(Event::Text(CowStr::Borrowed(source)));
        }
        let Some(_) = self.protected.split(&text) else {
            return self.event(Event::Text(text));
        };
        let protected = self.protected;
        let mut rest: &str = &text;
        while let Some((before, span, after)) = protected.split(rest) {
            self.owned_text(before);
            let source = span.source();
            match span {
                Span::Math(_, block) => self.ready.push_back(Piece::Math {
                    source: CowStr::Borrowed(source),
                    block: *block,
                }),
                Span::Address(_) if self.links == 0 => {
                    self.ready.extend(bare_link(CowStr::Borrowed(source)));
                }
                Span::Address(_) | Span::Text(_) => {
                    self.event(Event::Text(CowStr::Borrowed(source)));
                }
            }
            rest = after;
        }
        self.owned_text(rest);
    }

    fn owned_text(&mut self, text: &str) {
        if !text.is_empty() {
            self.event(Event::Text(text.to_owned().into()));
        }
    }

    /// Takes a whole code block.
    fn code(&mut self, kind: CodeBlockKind<'a>, range: Range<usize>) {
        let mut code = CowStr::Borrowed("");
        let events = self.events.as_mut().into_iter().flatten();
        for (event, _) in events {
            match event {
                Event::Text(text) if code.is_empty() => code = text,
                Event::Text(text) => {
                    let mut longer = code.into_string();
                    longer.push_str(&text);
                    code = longer.into();
                }
                Event::End(TagEnd::CodeBlock) => break,
                _ => {}
            }
        }
        let code = self.protected.restore(code);
        let info = match kind {
            CodeBlockKind::Fenced(info) => self.protected.restore(info),
            CodeBlockKind::Indented => CowStr::Borrowed(""),
        };
        self.ready.extend(code_pieces(&code, info));
        self.seen = self.seen.max(range.end);
    }

    fn item(&mut self, range: Range<usize>) {
        let source = self.protected.text[range].trim_start_matches([' ', '\t']);
        let digits = source.bytes().take_while(u8::is_ascii_digit).count();
        let written = source[..digits].parse::<u64>().ok();
        let shown = match (self.lists.last_mut(), written) {
            (Some(numbers), Some(written)) => numbers.count(written),
            _ => None,
        };
        self.ready.push_back(Piece::Item(shown));
    }

    /// Ends the cell that is held back; `surplus` is what the row still has behind its columns.
    fn end_cell(&mut self, surplus: &'a str) {
        if !self.cell_ends {
            return;
        }
        self.cell_ends = false;
        let surplus = surplus.trim_matches(|c: char| c.is_whitespace() || c == '|');
        if !surplus.is_empty() {
            self.plain(" | ");
            self.event(Event::Text(
                self.protected.restore(CowStr::Borrowed(surplus)),
            ));
        }
        self.event(Event::End(TagEnd::TableCell));
    }

    /// Shows the definitions of link references between what has been handed out and `end`. The
    /// parser drops them, those that nothing refers to as well.
    fn dropped_before(&mut self, end: usize) {
        let source: &'a str = &self.protected.text;
        let Some(gap) = source.get(self.seen..end).filter(|gap| gap.contains("]:")) else {
            return;
        };
        let shown = gap.trim_start_matches(|c: char| c != '[').trim_end();
        if shown.is_empty() {
            return;
        }
        self.seen = end;
        self.ready.push_back(Piece::Kept(Kept::Source));
        for (index, line) in shown.lines().enumerate() {
            if index > 0 {
                self.plain("\n");
            }
            let line = line.trim_start_matches([' ', '\t', '>']);
            self.text(CowStr::Borrowed(line), 0..0);
        }
        self.event(Event::End(TagEnd::Paragraph));
    }
}

impl Numbers {
    /// Counts an item, and returns its number when counting on would show another one.
    fn count(&mut self, written: u64) -> Option<u64> {
        self.repeats &= written == self.first;
        let expected = self.next;
        if self.repeats || written == expected {
            self.next = expected.saturating_add(1);
            return None;
        }
        self.next = written.saturating_add(1);
        Some(written)
    }
}

/// The pieces of a bare address.
pub(super) fn bare_link(address: CowStr<'_>) -> [Piece<'_>; 3] {
    let link = Tag::Link {
        link_type: LinkType::Autolink,
        dest_url: address.clone(),
        title: CowStr::Borrowed(""),
        id: CowStr::Borrowed(""),
    };
    [
        Piece::Event(Event::Start(link)),
        Piece::Event(Event::Text(address)),
        Piece::Event(Event::End(TagEnd::Link)),
    ]
}

/// The pieces of a code block.
pub(super) fn code_pieces<'a>(code: &str, info: CowStr<'a>) -> [Piece<'a>; 3] {
    let html = code_block(code, &info);
    [
        Piece::Event(Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info)))),
        Piece::Html(html),
        Piece::Event(Event::End(TagEnd::CodeBlock)),
    ]
}
