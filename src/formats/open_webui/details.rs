//! What a reply did, as the older ages write it into its text: elements of HTML whose attributes
//! hold JSON in JSON. Only such elements are taken, by [`blocks`]'s strict reading; what a person
//! or a model wrote to look alike stays text.

use crate::formats::chat::{Block, blocks, image_at, unescaped};
use crate::formats::records::{Json, Object, items, text};
use crate::model::{Image, Input, Part, Reasoning, ToolCall, ToolResult};

/// Marks that models put around their thoughts and that the program may have left in the text.
const THOUGHTS: [(&str, &str); 7] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<reason>", "</reason>"),
    ("<reasoning>", "</reasoning>"),
    ("<thought>", "</thought>"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("◁think▷", "◁/think▷"),
];

/// The parts of a reply's text.
pub(super) fn parts(content: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    for block in blocks(content, "details") {
        match block {
            Block::Text(text) => words(text, &mut parts),
            Block::Element {
                attributes,
                inner,
                whole,
            } => {
                let element = Element { attributes, inner };
                parts.push(match element.attribute("type").as_deref() {
                    Some("reasoning") => Part::Reasoning(element.thought()),
                    Some("tool_calls") => Part::Tool(Box::new(element.call())),
                    Some("code_interpreter") => Part::Tool(Box::new(element.code())),
                    _ => Part::Text(whole.to_owned()),
                });
            }
        }
    }
    parts
}

/// Words, with the thoughts at their start apart.
fn words(text: &str, parts: &mut Vec<Part>) {
    let trimmed = text.trim_start();
    let thought = THOUGHTS
        .iter()
        .find_map(|(open, close)| trimmed.strip_prefix(open)?.split_once(close));
    let Some((thought, rest)) = thought else {
        parts.push(Part::Text(text.to_owned()));
        return;
    };
    parts.push(Part::Reasoning(Reasoning {
        text: thought.trim().to_owned(),
        ..Reasoning::default()
    }));
    if !rest.trim().is_empty() {
        parts.push(Part::Text(rest.trim_start_matches('\n').to_owned()));
    }
}

struct Element<'a> {
    attributes: Vec<(&'a str, &'a str)>,
    inner: &'a str,
}

impl Element<'_> {
    fn attribute(&self, name: &str) -> Option<String> {
        let found = self.attributes.iter().find(|(key, _)| *key == name);
        found.map(|(_, value)| unescaped(value))
    }

    fn ms(&self) -> Option<u64> {
        let seconds: f64 = self.attribute("duration")?.parse().ok()?;
        let ms = seconds * 1_000.0;
        (ms > 0.0 && ms < 1e12).then_some(ms as u64)
    }

    /// The line that is always shown, and what is folded under it.
    fn summary_and_body(&self) -> (&str, &str) {
        let inner = self.inner.trim_start();
        let cut = inner
            .strip_prefix("<summary>")
            .and_then(|rest| rest.split_once("</summary>"));
        let (summary, body) = cut.unwrap_or(("", inner));
        (summary.trim(), body.trim_matches('\n'))
    }

    /// The quoted lines are the thought; later versions escape them as well.
    fn thought(&self) -> Reasoning {
        let (summary, body) = self.summary_and_body();
        let body = match body.trim_start().starts_with("&gt;") {
            true => unescaped(body),
            false => body.to_owned(),
        };
        let lines = body.lines().map(|line| {
            let bare = line.strip_prefix("> ");
            bare.or_else(|| line.strip_prefix('>')).unwrap_or(line)
        });
        let text = lines.collect::<Vec<_>>().join("\n").trim().to_owned();
        // The program's own line says no more than the time.
        let is_own = summary.starts_with("Thought for") || summary.starts_with("Thinking");
        Reasoning {
            text: match summary {
                "" => text,
                _ if is_own => text,
                summary => format!("**{}**\n\n{text}", unescaped(summary)),
            },
            hidden: None,
            ms: self.ms(),
        }
    }

    fn call(&self) -> ToolCall {
        let given = decoded(&self.attribute("arguments").unwrap_or_default());
        let is_done = self.attribute("done").as_deref() != Some("false");
        let (_, body) = self.summary_and_body();
        let in_body = || Some(body.trim().to_owned()).filter(|body| !body.is_empty());
        let text = self
            .attribute("result")
            .map(|result| decoded(&result))
            .or_else(in_body);
        let mut images = Vec::new();
        if let Ok(files) = Json::parse(&self.attribute("files").unwrap_or_default()) {
            images.extend(items(files).into_iter().filter_map(image));
        }
        let result = text
            .or_else(|| is_done.then(String::new))
            .map(|text| ToolResult {
                text: without_images(&text, &mut images),
                images,
                ..ToolResult::default()
            });
        ToolCall {
            id: self.attribute("id").unwrap_or_default(),
            name: self.attribute("name").unwrap_or_default(),
            input: Some(input(given)),
            result,
            ms: self.ms(),
            ..ToolCall::default()
        }
    }

    fn code(&self) -> ToolCall {
        let (_, body) = self.summary_and_body();
        let fence = body
            .trim()
            .strip_prefix("```")
            .and_then(|rest| rest.split_once('\n'));
        let (language, code) = fence.unwrap_or(("", body));
        let code = code.trim_end().strip_suffix("```").unwrap_or(code);
        let output = self.attribute("output");
        run(
            language.trim(),
            code.trim_end_matches('\n'),
            output.as_deref(),
            self.ms(),
        )
    }
}

/// Code that the interpreter ran. Its output is JSON with what was printed, or a text.
pub(super) fn run(language: &str, code: &str, output: Option<&str>, ms: Option<u64>) -> ToolCall {
    let input = serde_json::json!({"code": code, "language": language});
    let result = output.map(|output| {
        let mut images = Vec::new();
        let (texts, is_error) = match Object::parse(output) {
            Ok(object) => {
                let [stdout, stderr, result] = ["stdout", "stderr", "result"].map(|key| {
                    let value = object.get(key)?;
                    let words = text(value).map(|text| text.into_owned());
                    let words = words.unwrap_or_else(|| value.get().to_owned());
                    Some(words).filter(|words| !words.trim().is_empty())
                });
                let is_error = stderr.is_some() && stdout.is_none() && result.is_none();
                (vec![stdout, stderr, result], is_error)
            }
            Err(_) => (vec![Some(decoded(output))], false),
        };
        let texts = texts.into_iter().flatten();
        let texts = texts.map(|text| without_images(text.trim_end_matches('\n'), &mut images));
        ToolResult {
            text: texts
                .filter(|text| !text.is_empty())
                .collect::<Vec<_>>()
                .join("\n"),
            is_error,
            images,
            ..ToolResult::default()
        }
    });
    ToolCall {
        name: "code_interpreter".to_owned(),
        input: Some(Input::Json(input.to_string())),
        result,
        ms,
        ..ToolCall::default()
    }
}

/// What an attribute says: JSON whose string is what was meant, or, where it is no JSON, itself.
fn decoded(value: &str) -> String {
    let string = Json::parse(value).ok().and_then(text);
    string.map_or_else(|| value.to_owned(), |text| text.into_owned())
}

/// What a tool was given: JSON where it is an object or a list.
pub(super) fn input(given: String) -> Input {
    let is_container = given.trim_start().starts_with(['{', '[']);
    match is_container && Json::parse(&given).is_ok() {
        true => Input::Json(given),
        false => Input::Text(given),
    }
}

/// A picture among the files of a call: its address, or an object with it.
pub(super) fn image(value: Json<'_>) -> Option<Image> {
    if let Some(url) = text(value) {
        return Some(image_at(&url, None));
    }
    let file = Object::of(value)?;
    let url = file.words("url").or_else(|| file.words("image_url"))?;
    Some(image_at(&url, file.words("name")))
}

/// The text without the pictures in it, which are drawn behind it.
fn without_images(text: &str, images: &mut Vec<Image>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("![") {
        let found = rest[at + 2..].split_once("](").and_then(|(alt, after)| {
            let (url, after) = after.split_once(')')?;
            let is_image = !alt.contains('\n') && !url.contains(char::is_whitespace);
            is_image.then_some((alt, url, after))
        });
        let Some((alt, url, after)) = found else {
            break;
        };
        out.push_str(&rest[..at]);
        let alt = Some(alt.to_owned()).filter(|alt| !alt.is_empty());
        images.push(image_at(url, alt));
        rest = after;
    }
    out.push_str(rest);
    match images.is_empty() {
        true => out,
        false => out.trim().to_owned(),
    }
}
