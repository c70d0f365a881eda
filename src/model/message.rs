//! Prompts, replies, the parts that they are made of, and notices.

use std::fmt;

use super::ToolCall;

/// A moment, in UTC.
pub type Timestamp = jiff::Timestamp;

/// Where a message or call can be linked: eight hex digits of a hash of its id, and its number
/// among those that share them. Given by `addresses`, unique over a conversation with all its
/// subagents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Anchor {
    /// The hash of the id.
    pub hash: u32,
    /// 1 for the first with this hash, then 2, 3 …
    pub nth: u32,
}

impl fmt::Display for Anchor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x}", self.hash)?;
        if self.nth > 1 {
            write!(f, "-{}", self.nth)
        } else {
            Ok(())
        }
    }
}

/// What a person or a parent agent wrote.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Prompt {
    /// The format's id of the message; empty when it has none.
    pub id: String,
    /// Its place on the page.
    pub anchor: Anchor,
    /// When it was sent.
    pub time: Option<Timestamp>,
    /// Who wrote it.
    pub author: Author,
    /// Whether it was typed while the assistant was still at work.
    pub queued: bool,
    /// Text, images and files, in order.
    pub parts: Vec<Part>,
    /// What the program added around the words: reminders, context, command echoes.
    pub asides: Vec<Notice>,
}

/// Who wrote a prompt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Author {
    /// The person.
    #[default]
    Person,
    /// Another agent: the parent of a subagent (no name), or a team mate by name.
    Agent(Option<String>),
}

/// All that the assistant did between two prompts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    /// The format's id of the first message; empty when it has none.
    pub id: String,
    /// Its place on the page.
    pub anchor: Anchor,
    /// When its first part was written.
    pub start: Option<Timestamp>,
    /// When its last part was written.
    pub end: Option<Timestamp>,
    /// How long the program says it took, in milliseconds.
    pub ms: Option<u64>,
    /// The models that wrote it, in order of appearance.
    pub models: Vec<String>,
    /// How it ended.
    pub status: ReplyStatus,
    /// Text, reasoning, tool calls and the rest, in the order in which they were produced.
    pub parts: Vec<Part>,
    /// Pages that the reply cites, drawn once at its end.
    pub sources: Vec<SourceLink>,
    /// What went wrong, when it ended in an error.
    pub error: Option<String>,
    /// Tokens, each message counted once.
    pub usage: Option<Usage>,
}

impl Reply {
    /// How a model is named that was asked for a certain effort: `m-1 (high effort)`.
    pub fn model_name(id: String, effort: Option<&str>) -> String {
        match effort {
            Some(effort) if effort != "none" => format!("{id} ({effort} effort)"),
            _ => id,
        }
    }

    /// Whether the last thing in it says that it was stopped.
    pub fn tells_its_stop(&self) -> bool {
        let is_stop = |part: &Part| match part {
            Part::Notice(notice) => notice.kind == NoticeKind::Interruption,
            _ => false,
        };
        self.parts.last().is_some_and(is_stop)
    }
}

/// How a reply ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReplyStatus {
    /// Still being written.
    Pending,
    /// Finished.
    Complete,
    /// Ended by an error.
    Error,
    /// Stopped by the person.
    Cancelled,
    /// The file does not say.
    #[default]
    Unknown,
}

/// A page that a reply cites.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLink {
    /// The address as recorded; not checked.
    pub url: String,
    /// The page's title.
    pub title: Option<String>,
}

/// A piece of a prompt or a reply.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// What was said, as Markdown.
    Text(String),
    /// What the model thought.
    Reasoning(Reasoning),
    /// A tool call with its result.
    Tool(Box<ToolCall>),
    /// A picture.
    Image(Image),
    /// A file that was handed over.
    File(Attachment),
    /// Something that the program put between.
    Notice(Notice),
    /// An error in the flow.
    Error {
        /// What it says.
        message: String,
        /// The vendor's code.
        code: Option<String>,
    },
}

/// A stretch of reasoning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reasoning {
    /// The words; empty when the vendor hides them.
    pub text: String,
    /// Why there are no words, such as `encrypted` or `redacted`; `None` when there are, or when
    /// the file does not say.
    pub hidden: Option<&'static str>,
    /// How long it took, in milliseconds.
    pub ms: Option<u64>,
}

/// A picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Where its bytes are.
    pub data: ImageData,
    /// What it is said to show, or its file's name.
    pub alt: Option<String>,
}

/// Where a picture's bytes are.
#[derive(Clone, PartialEq, Eq)]
pub enum ImageData {
    /// In the transcript, as base64; the media type is what the file claims.
    Base64 {
        /// The claimed media type, not to be believed.
        media_type: String,
        /// The bytes in base64, possibly with line ends.
        data: String,
    },
    /// In a file beside the transcript.
    Bytes(Vec<u8>),
    /// On the web: never loaded, only named.
    Remote(String),
    /// Not saved; the words say why or where it was.
    Missing(String),
}

impl fmt::Debug for ImageData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ImageData::Base64 { media_type, data } => {
                write!(f, "Base64({media_type:?}, {} characters)", data.len())
            }
            ImageData::Bytes(bytes) => write!(f, "Bytes({} bytes)", bytes.len()),
            ImageData::Remote(url) => write!(f, "Remote({url:?})"),
            ImageData::Missing(why) => write!(f, "Missing({why:?})"),
        }
    }
}

/// A file that was handed over with a message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attachment {
    /// Its name.
    pub name: String,
    /// Its claimed media type.
    pub media_type: Option<String>,
    /// Its text, when the transcript has it.
    pub text: Option<String>,
    /// What else is said of it, such as `extracted by OCR` or `not saved`.
    pub note: Option<String>,
}

/// Something that neither person nor assistant said.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// What it is.
    pub kind: NoticeKind,
    /// One line that says it, in foldout's words or the program's.
    pub title: String,
    /// What is folded under that line.
    pub body: Option<Body>,
    /// When it happened.
    pub time: Option<Timestamp>,
}

impl Notice {
    /// A notice of one line.
    pub fn new(kind: NoticeKind, title: impl Into<String>) -> Self {
        Self {
            kind,
            title: title.into(),
            body: None,
            time: None,
        }
    }

    /// The same with a body folded under it; an empty body is none.
    pub fn with_body(mut self, body: Body) -> Self {
        self.body = Some(body).filter(|body| !body.text().trim().is_empty());
        self
    }

    /// The same with its time.
    pub fn at(mut self, time: Option<Timestamp>) -> Self {
        self.time = time;
        self
    }
}

/// What a notice is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoticeKind {
    /// Earlier messages were summarised.
    Compaction,
    /// The person stopped the assistant.
    Interruption,
    /// A command of the program, such as `/clear`, with its output.
    Command,
    /// A hook ran.
    Hook,
    /// Another model took over.
    ModelChange,
    /// Something failed.
    Error,
    /// The program reminded the model of something.
    Reminder,
    /// Context that the program put in: opened files, a skill's text, instructions.
    Context,
    /// A background task reported.
    Task,
    /// A remark of the program.
    Info,
    /// A record of a kind that the reader does not know.
    Unknown,
}

/// The folded text of a notice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// Markdown.
    Prose(String),
    /// A terminal's output.
    Output(String),
    /// JSON or other data.
    Data(String),
}

impl Body {
    /// The text, whatever it is.
    pub fn text(&self) -> &str {
        match self {
            Body::Prose(text) | Body::Output(text) | Body::Data(text) => text,
        }
    }
}

/// Tokens, as counted by the vendor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Tokens read, without those from a cache.
    pub input: u64,
    /// Tokens written, reasoning included.
    pub output: u64,
    /// Tokens read from a cache.
    pub cache_read: u64,
    /// Tokens written to a cache.
    pub cache_write: u64,
    /// Tokens of reasoning, a part of `output`.
    pub reasoning: u64,
}

impl Usage {
    /// All tokens that were read and written.
    pub fn total(&self) -> u64 {
        [self.output, self.cache_read, self.cache_write]
            .iter()
            .fold(self.input, |sum, n| sum.saturating_add(*n))
    }

    /// Adds another message's tokens.
    pub fn add(&mut self, other: &Usage) {
        self.input = self.input.saturating_add(other.input);
        self.output = self.output.saturating_add(other.output);
        self.cache_read = self.cache_read.saturating_add(other.cache_read);
        self.cache_write = self.cache_write.saturating_add(other.cache_write);
        self.reasoning = self.reasoning.saturating_add(other.reasoning);
    }
}
