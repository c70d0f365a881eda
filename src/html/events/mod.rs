//! The Markdown writer: pulldown-cmark's events become tags from a closed list.
//!
//! The writer spells every tag and attribute itself. Raw HTML is written as text, images become
//! links, and text passes through the escaper of this module's parent. Levels past [`DEEPEST`]
//! are drawn flat, so that no input makes a page that a browser chokes on.

mod links;
mod notes;
#[cfg(test)]
mod tests;

use std::fmt::Write;
use std::mem;

use pulldown_cmark::{Alignment, CodeBlockKind, CowStr, Event, HeadingLevel, Tag};

use self::links::Link;
use self::notes::Notes;
use super::text::write_text;
use super::{Html, Plain};

/// A header cell's tag, without its brackets.
const HEADER: &str = "th scope=\"col\"";

/// What the Markdown writer takes: a parser's event, or what a caller puts in its place.
#[derive(Debug)]
pub(crate) enum Piece<'a> {
    /// An event of pulldown-cmark. Raw HTML events are written as text.
    Event(Event<'a>),
    /// The start of a list item, instead of the parser's own event: with the number that was
    /// written, where counting on from the item before would show another.
    Item(Option<u64>),
    /// The start of a paragraph whose spaces and line ends are kept; the parser's end of a
    /// paragraph closes it.
    Kept(Kept),
    /// Math in its source form, delimiters included.
    Math {
        /// The source, as written.
        source: CowStr<'a>,
        /// Whether it stands on lines of its own.
        block: bool,
    },
    /// Finished HTML: the coloured text of a code block, between that block's start and end.
    Html(Html),
}

/// Why a paragraph keeps its spaces and line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    /// A person typed it.
    Typed,
    /// A person pasted it, and its columns matter: code, a log.
    Pasted,
    /// It is markup that is shown as its source.
    Source,
}

/// How many levels of quotes, lists and stresses are drawn; what lies deeper is drawn at the last.
const DEEPEST: usize = 32;

/// The longest language name that becomes a class.
const LANGUAGE_BYTES: usize = 32;

/// Writes the pieces as HTML. They must be balanced and nested as pulldown-cmark nests them.
///
/// `scope` begins the ids of footnotes: an anchor of foldout's own that no other text on the page
/// is given. `bytes` is about how much text there is.
pub(crate) fn from_events<'a>(
    pieces: impl Iterator<Item = Piece<'a>>,
    scope: &str,
    bytes: usize,
) -> Html {
    let mut writer = Writer {
        out: String::with_capacity(bytes + bytes / 4 + 64),
        scope,
        open: Vec::new(),
        depth: 0,
        text: CowStr::Borrowed(""),
        merged: String::new(),
        words: String::new(),
        links: 0,
        anchors: 0,
        headings: Vec::new(),
        table: Table::default(),
        notes: Notes::default(),
    };
    for piece in pieces {
        writer.piece(piece);
    }
    writer.finish()
}

/// The state of one text's writing.
struct Writer<'a, 's> {
    out: String,
    scope: &'s str,
    open: Vec<Open<'a>>,
    /// How many of `open` count as levels.
    depth: usize,
    /// Text that is not written yet: the parser cuts text in the middle of words, and the
    /// escaper has to see a character's neighbours.
    text: CowStr<'a>,
    merged: String,
    /// The words of the links that are open, to compare them with where the links lead.
    words: String,
    /// How many links and images are open, drawn as links or not.
    links: usize,
    /// How many `<a>` are open: at most one.
    anchors: usize,
    /// The levels of the headings that the next one stands under.
    headings: Vec<HeadingLevel>,
    table: Table,
    notes: Notes,
}

/// Where the writer is in a table.
#[derive(Default)]
struct Table {
    alignments: Vec<Alignment>,
    column: usize,
    head: bool,
    cell: bool,
}

/// What the next end event closes.
enum Open<'a> {
    /// An element, by its end tag.
    Element(&'static str),
    /// An element that counts as a level, by its end tag.
    Level(&'static str),
    /// A level that is too deep to be drawn.
    Flat,
    /// A list that is too deep to be drawn; its items go on lines of their own.
    FlatList,
    Link(Link<'a>),
    Image(Link<'a>),
    /// A footnote, by its number, with the page that was put aside to write it.
    Note(usize, String),
}

impl<'a> Writer<'a, '_> {
    fn piece(&mut self, piece: Piece<'a>) {
        if let Piece::Event(Event::Text(text)) = piece {
            self.hold(text);
            return;
        }
        self.flush();
        match piece {
            Piece::Event(event) => self.event(event),
            Piece::Item(number) => self.item(number),
            Piece::Kept(kept) => self.kept(kept),
            Piece::Math { source, block } => {
                self.out.push_str(if block {
                    "<span class=\"math block\">"
                } else {
                    "<span class=\"math\">"
                });
                self.write(&source);
                self.out.push_str("</span>");
            }
            Piece::Html(html) => self.out.push_str(html.as_str()),
        }
    }

    fn event(&mut self, event: Event<'a>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(_) => self.end(),
            Event::Text(text) | Event::Html(text) => self.write(&text),
            Event::InlineMath(text) => self.delimited("$", &text),
            Event::DisplayMath(text) => self.delimited("$$", &text),
            Event::Code(text) => {
                self.out.push_str("<code>");
                self.write(&text);
                self.out.push_str("</code>");
            }
            // A cell has no other way to break a line.
            Event::InlineHtml(text) if self.table.cell && is_line_break(&text) => {
                self.out.push_str("<br>");
            }
            Event::InlineHtml(text) => self.write(&text),
            Event::FootnoteReference(label) => self.reference(&label),
            Event::SoftBreak => self.write("\n"),
            Event::HardBreak => self.out.push_str("<br>\n"),
            Event::Rule => self.out.push_str("<hr>\n"),
            Event::TaskListMarker(done) => self.out.push_str(if done {
                "<span aria-hidden=\"true\">☑</span><span class=\"vh\">done: </span> "
            } else {
                "<span aria-hidden=\"true\">☐</span><span class=\"vh\">to do: </span> "
            }),
        }
    }

    fn start(&mut self, tag: Tag<'a>) {
        match tag {
            Tag::Paragraph => self.element("<p dir=\"auto\">", "</p>\n"),
            Tag::Heading { level, .. } => self.heading(level),
            Tag::BlockQuote(_) => self.level("<blockquote>\n", "</blockquote>\n"),
            Tag::CodeBlock(kind) => self.code_block(&kind),
            Tag::HtmlBlock | Tag::MetadataBlock(_) => self.kept(Kept::Source),
            Tag::List(start) => self.list(start),
            Tag::Item => self.item(None),
            Tag::FootnoteDefinition(label) => self.note(&label),
            Tag::Table(alignments) => {
                self.table.alignments = alignments;
                self.element(
                    "<div class=\"table\" tabindex=\"0\" role=\"group\" aria-label=\"Table\"><table dir=\"auto\">\n",
                    "</tbody></table></div>\n",
                );
            }
            Tag::TableHead => {
                self.table.column = 0;
                self.table.head = true;
                self.element("<thead><tr>", "</tr></thead><tbody>\n");
            }
            Tag::TableRow => {
                self.table.column = 0;
                self.table.head = false;
                self.element("<tr>", "</tr>\n");
            }
            Tag::TableCell => self.cell(),
            Tag::Emphasis => self.level("<em>", "</em>"),
            Tag::Strong => self.level("<strong>", "</strong>"),
            Tag::Strikethrough => self.level("<del>", "</del>"),
            Tag::Superscript => self.level("<sup>", "</sup>"),
            Tag::Link {
                link_type,
                dest_url,
                title,
                ..
            } => {
                let link = self.open_link(link_type, dest_url, title);
                self.open.push(Open::Link(link));
            }
            Tag::Image {
                link_type,
                dest_url,
                title,
                ..
            } => {
                let link = self.open_link(link_type, dest_url, title);
                self.open.push(Open::Image(link));
            }
            // Extensions that foldout does not switch on: what they hold is shown.
            Tag::Subscript
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition => self.open.push(Open::Flat),
        }
    }

    /// Whether the markup so far ends in an opening tag that begins so.
    fn is_at_the_tag(&self, start: &str) -> bool {
        let last = self.out.rfind('<').map_or("", |at| &self.out[at..]);
        last.starts_with(start) && last.ends_with('>')
    }

    fn end(&mut self) {
        let Some(open) = self.open.pop() else {
            return;
        };
        match open {
            Open::Element(tag) => {
                self.table.cell = false;
                // The last line of kept text needs no line end.
                if tag.starts_with("</p>") && self.out.ends_with('\n') {
                    self.out.pop();
                }
                // A header cell without words heads nothing.
                if tag == "</th>" && self.is_at_the_tag("<th") {
                    let at = self.out.rfind(HEADER).unwrap_or(self.out.len());
                    self.out.replace_range(at..at + HEADER.len(), "td");
                    self.out.push_str("</td>");
                    return;
                }
                self.out.push_str(tag);
            }
            Open::Level(tag) => {
                self.depth -= 1;
                self.out.push_str(tag);
            }
            Open::Flat | Open::FlatList => {}
            Open::Link(link) => self.close_link(link),
            Open::Image(link) => self.close_image(link),
            Open::Note(number, page) => {
                let note = mem::replace(&mut self.out, page);
                self.notes.define(number, note);
            }
        }
    }

    fn element(&mut self, start: &str, end: &'static str) {
        self.out.push_str(start);
        self.open.push(Open::Element(end));
    }

    /// Opens an element that counts as a level, unless there are too many already.
    fn level(&mut self, start: &str, end: &'static str) {
        if self.depth >= DEEPEST {
            self.open.push(Open::Flat);
            return;
        }
        self.depth += 1;
        self.out.push_str(start);
        self.open.push(Open::Level(end));
    }

    /// Headings begin below the page's own two levels and never skip one, whatever levels the
    /// text uses: each stands one below the nearest heading before it that is of a higher rank.
    fn heading(&mut self, level: HeadingLevel) {
        while self.headings.last().is_some_and(|above| *above >= level) {
            self.headings.pop();
        }
        self.headings.push(level);
        let (start, end) = match self.headings.len() {
            1 => ("<h3 dir=\"auto\">", "</h3>\n"),
            2 => ("<h4 dir=\"auto\">", "</h4>\n"),
            3 => ("<h5 dir=\"auto\">", "</h5>\n"),
            _ => ("<h6 dir=\"auto\">", "</h6>\n"),
        };
        self.element(start, end);
    }

    fn list(&mut self, start: Option<u64>) {
        if self.depth >= DEEPEST {
            self.open.push(Open::FlatList);
            return;
        }
        match start {
            None => self.level("<ul dir=\"auto\">\n", "</ul>\n"),
            Some(1) => self.level("<ol dir=\"auto\">\n", "</ol>\n"),
            Some(first) => self.level(&format!("<ol dir=\"auto\" start=\"{first}\">\n"), "</ol>\n"),
        }
    }

    fn item(&mut self, number: Option<u64>) {
        if matches!(self.open.last(), Some(Open::FlatList)) {
            if !["<br>", "<li>"].iter().any(|tag| self.out.ends_with(tag)) {
                self.out.push_str("<br>");
            }
            self.open.push(Open::Flat);
            return;
        }
        match number {
            Some(number) => self.element(&format!("<li value=\"{number}\">"), "</li>\n"),
            None => self.element("<li>", "</li>\n"),
        }
    }

    fn kept(&mut self, kept: Kept) {
        let start = match kept {
            Kept::Typed => "<p class=\"typed\" dir=\"auto\">",
            Kept::Pasted => "<p class=\"typed mono\" dir=\"auto\">",
            Kept::Source => "<p class=\"asis\" dir=\"auto\">",
        };
        self.element(start, "</p>\n");
    }

    fn cell(&mut self) {
        let (name, end) = if self.table.head {
            (HEADER, "</th>")
        } else {
            ("td", "</td>")
        };
        let class = match self.table.alignments.get(self.table.column) {
            Some(Alignment::Left) => " class=\"al\"",
            Some(Alignment::Center) => " class=\"ac\"",
            Some(Alignment::Right) => " class=\"ar\"",
            Some(Alignment::None) | None => "",
        };
        write!(self.out, "<{name}{class}>").expect("writing to a String cannot fail");
        self.open.push(Open::Element(end));
        self.table.column += 1;
        self.table.cell = true;
    }

    /// Opens a code block's box. What a fence says beyond its language is shown above the code.
    fn code_block(&mut self, kind: &CodeBlockKind<'_>) {
        let info = match kind {
            CodeBlockKind::Fenced(info) => info.trim(),
            CodeBlockKind::Indented => "",
        };
        let language = language_name(info);
        self.out
            .push_str("<div class=\"box\" tabindex=\"0\" role=\"group\" aria-label=\"Code");
        if let Some(language) = &language {
            self.out.push_str(", ");
            self.out.push_str(language);
        }
        self.out.push_str("\">");
        if !info.is_empty()
            && !language
                .as_ref()
                .is_some_and(|language| info.eq_ignore_ascii_case(language))
        {
            self.out.push_str("<p class=\"info\">");
            self.write(info);
            self.out.push_str("</p>");
        }
        self.out.push_str("<pre><code");
        if let Some(language) = &language {
            self.out.push_str(" class=\"lang-");
            self.out.push_str(language);
            self.out.push('"');
        }
        self.out.push('>');
        self.open.push(Open::Element("</code></pre></div>\n"));
    }

    fn delimited(&mut self, delimiter: &str, text: &str) {
        self.write(delimiter);
        self.write(text);
        self.write(delimiter);
    }

    /// Keeps text back until something else comes.
    fn hold(&mut self, text: CowStr<'a>) {
        if self.text.is_empty() && self.merged.is_empty() {
            self.text = text;
            return;
        }
        self.merged.push_str(&self.text);
        self.merged.push_str(&text);
        self.text = CowStr::Borrowed("");
    }

    /// Writes the text that was kept back.
    fn flush(&mut self) {
        if !self.merged.is_empty() {
            let mut merged = mem::take(&mut self.merged);
            self.write(&merged);
            merged.clear();
            self.merged = merged;
        } else if !self.text.is_empty() {
            let text = mem::replace(&mut self.text, CowStr::Borrowed(""));
            self.write(&text);
        }
    }

    /// Writes foreign text, and notes it down for the links that it stands in.
    fn write(&mut self, text: &str) {
        write_text(text, &mut self.out).expect("writing to a String cannot fail");
        if self.links > 0 {
            self.words.push_str(text);
        }
    }

    /// Writes foreign text inside a tag's quotes.
    fn attribute(&mut self, text: &str) {
        write!(self.out, "{}", Plain(text)).expect("writing to a String cannot fail");
    }

    fn finish(mut self) -> Html {
        self.flush();
        while !self.open.is_empty() {
            self.end();
        }
        self.notes.write(self.scope, &mut self.out);
        Html(self.out)
    }
}

/// The language that a fence's info string begins with, in lower case; `None` unless it is made of
/// characters that can be a class.
fn language_name(info: &str) -> Option<String> {
    let name = info.split([' ', '\t', ',', '{', ':', ';']).next()?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'#' | b'-');
    let fits = (1..=LANGUAGE_BYTES).contains(&name.len()) && name.bytes().all(plain);
    fits.then(|| name.to_ascii_lowercase())
}

/// Whether a raw tag is a line break.
fn is_line_break(tag: &str) -> bool {
    let name = tag
        .trim_start_matches('<')
        .trim_end_matches('>')
        .trim_end_matches('/')
        .trim_end();
    name.eq_ignore_ascii_case("br")
}
