//! A reply that is being put together: what the assistant said and thought, and its calls with
//! what the tools gave back.
//!
//! Calls have no ids. A result belongs to a call before it, behind what was last said: to one of
//! the tool that gave it, the first that has none yet, else the last. Tools may answer in any
//! order, several times, or unasked.

use super::calls::{self, Kin};
use super::content;
use super::flow::Flow;
use super::message::Message;
use super::{references, results, writing};
use crate::figures::counted;
use crate::formats::chat::cite;
use crate::formats::records::{Object, text};
use crate::model::{
    DocumentVersion, Input, Notice, NoticeKind, Part, Reasoning, Reply, ReplyStatus, ToolCall,
};

/// A reply that is not ended yet.
#[derive(Debug, Default)]
pub(super) struct Open {
    reply: Reply,
    /// The places of the calls since something was last said, each with the tool's own name.
    calls: Vec<(usize, String)>,
    /// The place of the last reasoning whose time is not known yet.
    thought: Option<usize>,
}

impl Open {
    /// A reply that begins with this message.
    pub(super) fn of(message: &Message<'_>) -> Self {
        Open {
            reply: Reply {
                id: message.id.clone(),
                start: message.time,
                ..Reply::default()
            },
            ..Open::default()
        }
    }

    /// Adds a part that is none of the assistant's.
    pub(super) fn push(&mut self, part: Part) {
        self.reply.parts.push(part);
    }

    /// The reply; `None` when nothing is in it.
    pub(super) fn into_reply(self) -> Option<Reply> {
        let is_empty = self.reply.parts.is_empty() && self.reply.error.is_none();
        (!is_empty).then_some(self.reply)
    }

    /// Adds what the assistant wrote.
    pub(super) fn assistant(&mut self, message: &Message<'_>, flow: &mut Flow<'_>) {
        self.seen(message);
        if let Some(recipient) = &message.recipient {
            // A call without a word is a stub that the program left.
            if !message.is_blank() {
                self.ask(calls::call(message, recipient), recipient);
                self.ended(message);
            }
            return;
        }
        self.ghost_search(message);
        match message.kind.as_str() {
            "thoughts" => {
                let thoughts = content::thoughts(message);
                if !thoughts.text.trim().is_empty() {
                    self.think(thoughts);
                }
            }
            "reasoning_recap" => self.recap(message),
            "code" => {
                if let Some(code) = content::fenced(message) {
                    self.say(Part::Text(code));
                }
            }
            "" | "text" | "multimodal_text" | "image_asset_pointer" => self.said(message, flow),
            "tether_quote"
            | "tether_browsing_display"
            | "execution_output"
            | "system_error"
            | "sonic_webpage"
            | "citable_code_output"
            | "computer_output" => {
                self.tool(message, flow);
            }
            _ => {
                if let Some(part) = flow.unknown_content(message) {
                    self.push(part);
                }
            }
        }
        self.ended(message);
    }

    /// Adds what a tool gave back.
    pub(super) fn tool(&mut self, message: &Message<'_>, flow: &mut Flow<'_>) {
        self.seen(message);
        if let Some(words) = message.metadata.words("finished_text")
            && message.metadata.has("initial_text")
        {
            // The first reasoning models thought in a tool of their own.
            let text = message.text();
            let ms = content::spoken_ms(&words);
            let text = match ms {
                Some(_) => text,
                None => format!("**{}**\n\n{text}", words.trim()),
            };
            self.think(Reasoning {
                text,
                hidden: None,
                ms,
            });
            self.thought = None;
            return;
        }
        let mut outcome = results::outcome(message, flow.assets, flow.losses);
        let place = match self.call_of(&message.name) {
            Some(place) => place,
            None => {
                let result = &outcome.result;
                let is_silent = result.text.trim().is_empty()
                    && result.images.is_empty()
                    && result.details.is_none();
                if is_silent {
                    flow.losses.skip("empty result");
                    return;
                }
                self.ask(calls::told(message), &message.name)
            }
        };
        let Some(Part::Tool(call)) = self.reply.parts.get_mut(place) else {
            return;
        };
        // A picture that was made is what the person asked for, and no step on the way.
        let made = match call.name.contains("image_gen") || call.name.starts_with("dalle") {
            true => std::mem::take(&mut outcome.result.images),
            false => Vec::new(),
        };
        if !made.is_empty() && outcome.result.text.trim().is_empty() {
            let title = message.metadata.words("image_gen_title");
            let count = || counted(made.len() as u64, "image", "images");
            outcome.result.text = title.unwrap_or_else(count);
        }
        call.ms = call.ms.or(outcome.ms);
        // Of several pages that one call opened each is told before its text.
        if !call.name.ends_with(".open_url") {
            results::name_page(&mut outcome.result);
        }
        match &mut call.result {
            Some(result) => results::add(result, outcome.result),
            None => call.result = Some(outcome.result),
        }
        // What found pages was a search, whatever it was called.
        let details = call
            .result
            .as_ref()
            .and_then(|result| result.details.as_ref());
        if matches!(call.name.as_str(), "browser" | "web")
            && details.is_some_and(|details| details.hits.is_some())
        {
            call.name.push_str(".search");
            call.input = call.input.take().or_else(|| queries(message));
        }
        annotate(call, message);
        self.reply.parts.extend(made.into_iter().map(Part::Image));
    }

    /// The place of the call that a result of this tool belongs to.
    fn call_of(&self, tool: &str) -> Option<usize> {
        let kin = |own: &str| match tool {
            // What no tool signed is of the one that was asked last.
            "" => Kin::Same,
            tool => calls::is_of(own, tool),
        };
        let is_open = |place: usize| match self.reply.parts.get(place) {
            Some(Part::Tool(call)) => call.result.is_none(),
            _ => false,
        };
        let near = |wanted| self.calls.iter().filter(move |(_, own)| kin(own) == wanted);
        for wanted in [Kin::Same, Kin::Family] {
            if let Some((place, _)) = near(wanted).find(|(place, _)| is_open(*place)) {
                return Some(*place);
            }
        }
        // What a tool said unasked takes what follows only where nothing was asked.
        let is_asked = |place: usize| match self.reply.parts.get(place) {
            Some(Part::Tool(call)) => call.input.is_some(),
            _ => false,
        };
        for asked in [true, false] {
            for wanted in [Kin::Same, Kin::Family] {
                let mut last = near(wanted).rev();
                if let Some((place, _)) = last.find(|(place, _)| !asked || is_asked(*place)) {
                    return Some(*place);
                }
            }
        }
        // A tool may go by another name than the one that it is called by: the one call that
        // waits is meant.
        let mut waiting = self.calls.iter().filter(|(place, _)| is_open(*place));
        match (waiting.next(), waiting.next()) {
            (Some((place, _)), None) => Some(*place),
            _ => None,
        }
    }

    fn ask(&mut self, call: ToolCall, tool: &str) -> usize {
        let place = self.reply.parts.len();
        self.reply.parts.push(Part::Tool(Box::new(call)));
        self.calls.push((place, tool.to_owned()));
        place
    }

    fn say(&mut self, part: Part) {
        self.reply.parts.push(part);
        self.calls.clear();
        self.thought = None;
    }

    fn think(&mut self, reasoning: Reasoning) {
        self.thought = Some(self.reply.parts.len());
        self.reply.parts.push(Part::Reasoning(reasoning));
    }

    /// How long was thought, over all that was thought and done since something was last said.
    fn recap(&mut self, message: &Message<'_>) {
        let (ms, words) = content::recap(message);
        let is_summary = !message.content.has("content");
        let own = match self.thought.take() {
            Some(place) => self.reply.parts.get_mut(place),
            None => None,
        };
        match (own, ms) {
            (Some(Part::Reasoning(thought)), Some(ms)) => {
                thought.ms = Some(ms);
                if is_summary && !words.trim().is_empty() {
                    thought.text = format!("{}\n\n{words}", thought.text);
                }
            }
            (_, Some(_)) => self.reply.parts.push(Part::Reasoning(Reasoning {
                text: if is_summary { words } else { String::new() },
                hidden: None,
                ms,
            })),
            (_, None) if words.trim().is_empty() => {}
            (_, None) => {
                let notice = Notice::new(NoticeKind::Info, words);
                self.reply.parts.push(Part::Notice(notice));
            }
        }
    }

    /// Words, pictures and files for the person; what came through the channel of thoughts is
    /// none of these.
    fn said(&mut self, message: &Message<'_>, flow: &mut Flow<'_>) {
        for part in content::parts(message, flow.assets) {
            let Part::Text(words) = part else {
                self.say(part);
                continue;
            };
            let resolved = references::resolved(&words, message, flow.found);
            for source in resolved.sources {
                cite(&mut self.reply.sources, &source.url, source.title);
            }
            if resolved.text.trim().is_empty() {
                continue;
            }
            match message.channel.as_str() {
                "analysis" => self.think(Reasoning {
                    text: resolved.text,
                    ..Reasoning::default()
                }),
                // Words on the way; how long was thought is told behind them.
                "commentary" => {
                    let thought = self.thought;
                    self.say(Part::Text(resolved.text));
                    self.thought = thought;
                }
                _ => self.say(Part::Text(writing::quoted(&resolved.text))),
            }
        }
    }

    /// Searches of which only the message that used them tells what was found: it stands with the
    /// last call that searched, unless one has found something, else with a call of its own.
    fn ghost_search(&mut self, message: &Message<'_>) {
        let hits = results::hits(&message.metadata);
        if hits.is_empty() {
            return;
        }
        let mut last = None;
        for (place, part) in self.reply.parts.iter().enumerate() {
            let Part::Tool(call) = part else { continue };
            if call.name != "browser" && !call.name.starts_with("web.") && call.name != "web" {
                continue;
            }
            let details = call
                .result
                .as_ref()
                .and_then(|result| result.details.as_ref());
            if details.is_some_and(|details| details.hits.is_some()) {
                return;
            }
            last = Some(place);
        }
        let place = last.unwrap_or_else(|| {
            let call = ToolCall {
                id: format!("{}-search", message.id),
                name: "web.search".to_owned(),
                input: queries(message),
                ..ToolCall::default()
            };
            self.ask(call, "web.search")
        });
        if let Some(Part::Tool(call)) = self.reply.parts.get_mut(place) {
            let result = call.result.get_or_insert_default();
            results::details(result).hits = Some(hits);
        }
    }

    /// Notes who wrote a message, and when.
    fn seen(&mut self, message: &Message<'_>) {
        self.reply.start = self.reply.start.or(message.time);
        self.reply.end = message.time.or(self.reply.end);
        let models = &mut self.reply.models;
        if let Some(model) = message.metadata.words("model_slug")
            && !models.contains(&model)
        {
            models.push(model);
        }
    }

    /// How the reply stands after this message. Replies that were stopped say that they were
    /// finished.
    fn ended(&mut self, message: &Message<'_>) {
        let details = message
            .metadata
            .object("finish_details")
            .unwrap_or_default();
        let finish = details.string("type");
        let remark = |title: &str| Part::Notice(Notice::new(NoticeKind::Info, title));
        self.reply.status = match (finish.as_str(), message.status.as_str()) {
            ("interrupted", _) => ReplyStatus::Cancelled,
            ("max_tokens", _) | (_, "finished_partial_completion") => {
                self.push(remark("The reply was cut at its longest"));
                ReplyStatus::Complete
            }
            (_, "error") => ReplyStatus::Error,
            (_, "in_progress") => {
                self.push(remark("The reply was not finished when it was saved"));
                ReplyStatus::Unknown
            }
            (_, "finished_successfully") => ReplyStatus::Complete,
            _ => self.reply.status,
        };
    }
}

/// What was searched for, as far as a message tells it.
fn queries(message: &Message<'_>) -> Option<Input> {
    let mut queries: Vec<String> = Vec::new();
    for query in message.metadata.items("search_queries") {
        let query = Object::of(query).unwrap_or_default();
        queries.extend(query.words("q"));
    }
    let model = message.metadata.object("search_model_queries");
    let model = model
        .map(|model| model.items("queries"))
        .unwrap_or_default();
    let model = model.into_iter().filter_map(text);
    queries.extend(model.map(|query| query.into_owned()));
    if queries.is_empty() {
        return None;
    }
    Some(Input::Json(
        serde_json::json!({ "queries": queries }).to_string(),
    ))
}

/// Adds what a result's message says of its call: the version of a document, the program that was
/// connected.
fn annotate(call: &mut ToolCall, message: &Message<'_>) {
    if let Some(canvas) = message.metadata.object("canvas")
        && let Some(version) = canvas.count("version")
        && let Some(result) = &mut call.result
    {
        results::details(result).document = Some(DocumentVersion {
            title: canvas.words("title"),
            kind: canvas.words("textdoc_type").map(|kind| {
                // Code is `code/python`; anything else is prose.
                if kind == "document" {
                    "text/markdown".to_owned()
                } else {
                    kind
                }
            }),
            version,
            text: None,
        });
    }
    let resource = message.metadata.object("invoked_resource");
    if let Some(app) = resource.and_then(|resource| resource.words("app_name")) {
        let notice = Notice::new(NoticeKind::Info, format!("Through {app}"));
        if !call.notices.contains(&notice) {
            call.notices.push(notice);
        }
    }
}
