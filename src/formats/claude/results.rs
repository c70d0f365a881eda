//! What a tool gave back, in the words of the model.

use serde_json::{Value, json};

use crate::figures::one_line;
use crate::formats::chat::{Losses, image_at};
use crate::formats::records::{Json, Object, items, text};
use crate::model::{Details, Image, ImageData, PageRead, SearchHit, ToolResult};

/// How much of a page's text is shown with its title in a list of pages, in characters.
const SNIPPET: usize = 240;

/// Reads the result of a call by this tool.
pub(super) fn of(block: &Object<'_>, tool: &str, losses: &mut Losses) -> ToolResult {
    let mut read = Read::default();
    if let Some(content) = block.get("content") {
        read.content(content);
    }
    let is_error = block.flag("is_error");
    let mut result = ToolResult {
        is_error,
        images: std::mem::take(&mut read.images),
        time: losses
            .time(block, "stop_timestamp")
            .or_else(|| losses.time(block, "start_timestamp")),
        ..ToolResult::default()
    };
    let mut details = Details::default();
    let is_fetch = tool.contains("fetch");
    if is_fetch && let [page] = read.pages.as_slice() {
        details.page = Some(PageRead {
            url: page.url.clone(),
            title: Some(page.title.clone()).filter(|title| !title.is_empty()),
            ..PageRead::default()
        });
        read.lines.push(page.text.clone());
    } else if !tool.contains("web") {
        read.lines.extend(read.pages.iter().map(Page::words));
    } else if !read.pages.is_empty() {
        // The pages stand as data in the text, so that what a list leaves out is not lost.
        let pages = read.pages.iter();
        let data: Vec<Value> = pages.clone().map(Page::data).collect();
        read.lines.push(Value::Array(data).to_string());
        details.hits = Some(pages.map(Page::hit).collect());
    }
    result.text = read.lines.join("\n");
    normalise(&mut result, &mut details);
    if result.text.is_empty() && result.images.is_empty() && details.hits.is_none() {
        result.text = displayed(block);
    }
    if details != Details::default() {
        result.details = Some(Box::new(details));
    }
    result
}

/// A page that was found or read.
struct Page {
    title: String,
    url: String,
    text: String,
}

impl Page {
    fn hit(&self) -> SearchHit {
        let snippet = one_line(&self.text, SNIPPET);
        SearchHit {
            title: self.title.clone(),
            url: self.url.clone(),
            snippet: Some(snippet).filter(|snippet| !snippet.is_empty()),
        }
    }

    fn words(&self) -> String {
        let pieces = [&self.title, &self.url, &self.text];
        let pieces = pieces.into_iter().filter(|piece| !piece.is_empty());
        pieces.map(String::as_str).collect::<Vec<_>>().join("\n")
    }

    fn data(&self) -> Value {
        json!({"title": self.title, "url": self.url, "text": self.text})
    }
}

#[derive(Default)]
struct Read {
    lines: Vec<String>,
    pages: Vec<Page>,
    images: Vec<Image>,
}

impl Read {
    fn content(&mut self, content: Json<'_>) {
        if let Some(words) = text(content) {
            self.lines.push(words.into_owned());
            return;
        }
        if content.get().starts_with('[') {
            items(content).into_iter().for_each(|item| self.item(item));
        } else {
            self.item(content);
        }
    }

    fn item(&mut self, value: Json<'_>) {
        let item = Object::of(value).unwrap_or_default();
        match item.text("type").as_deref() {
            Some("text") => self.lines.push(item.string("text")),
            Some("knowledge") => self.pages.push(Page {
                title: item.string("title"),
                url: item.string("url"),
                text: item.string("text"),
            }),
            Some("image") => self.images.push(image(&item)),
            Some("local_resource" | "file") => {
                let name = item.words("name").unwrap_or_default();
                let path = item.words("file_path").or_else(|| item.words("path"));
                let path = path.filter(|path| *path != name);
                let words = [Some(name), path];
                let words = words.into_iter().flatten().filter(|word| !word.is_empty());
                self.lines.push(words.collect::<Vec<_>>().join(": "));
            }
            _ => self.lines.push(value.get().to_owned()),
        }
    }
}

fn image(item: &Object<'_>) -> Image {
    let alt = item.words("title").or_else(|| item.words("alt_text"));
    if let Some(source) = item.object("source")
        && let Some(data) = source.words("data")
    {
        let media_type = source.string("media_type");
        let data = ImageData::Base64 { media_type, data };
        return Image { data, alt };
    }
    let keys = ["url", "image_url", "thumbnail_url"];
    let url = keys.into_iter().find_map(|key| item.words(key));
    match url {
        Some(url) => image_at(&url, alt),
        None => Image {
            data: ImageData::Missing("not in the export".to_owned()),
            alt,
        },
    }
}

/// Undoes what tools wrap their output in: `{"returncode":…,"stdout":…}`, `{"status":…,"logs":[…]}`,
/// `{"error_type":…,"error_message":…}`.
fn normalise(result: &mut ToolResult, details: &mut Details) {
    if !result.text.starts_with('{') {
        return;
    }
    let Ok(whole) = Object::parse(&result.text) else {
        return;
    };
    let only = |known: &[&str]| whole.entries().all(|(key, _)| known.contains(&key));
    let words = if only(&["returncode", "stdout", "stderr"]) && whole.has("stdout") {
        let code = whole.get("returncode").map(Json::get);
        details.exit_code = code.and_then(|code| code.parse().ok());
        result.is_error |= details.exit_code.is_some_and(|code| code != 0);
        joined([whole.words("stdout"), whole.words("stderr")])
    } else if only(&["status", "result", "logs", "error"]) && whole.has("logs") {
        result.is_error |= whole.text("status").as_deref() == Some("error");
        let logs = whole.items("logs").into_iter();
        let logs: Vec<String> = logs.map(value_text).collect();
        let of = |key| whole.get(key).map(value_text);
        joined([Some(logs.join("\n")), of("result"), of("error")])
    } else if only(&["error_type", "error_message"]) && whole.has("error_message") {
        let kind = whole.words("error_type").map(|kind| format!("{kind}: "));
        kind.unwrap_or_default() + &whole.string("error_message")
    } else {
        return;
    };
    result.text = words;
}

/// The texts that are not empty, each from a new line on.
fn joined<const N: usize>(texts: [Option<String>; N]) -> String {
    let texts = texts.into_iter().flatten();
    let texts = texts.map(|text| text.trim_end_matches('\n').to_owned());
    let texts: Vec<String> = texts.filter(|text| !text.is_empty()).collect();
    texts.join("\n")
}

/// A string's text, or the JSON of anything else.
fn value_text(value: Json<'_>) -> String {
    text(value).map_or_else(|| value.get().to_owned(), |text| text.into_owned())
}

/// What the program showed of a result that has no content of its own.
fn displayed(block: &Object<'_>) -> String {
    let shown = block.object("display_content").unwrap_or_default();
    let of_table = || {
        let rows = shown.items("table").into_iter();
        let rows = rows.map(|row| {
            let cells = items(row).into_iter();
            cells.map(value_text).collect::<Vec<_>>().join("\t")
        });
        let rows: Vec<_> = rows.collect();
        (!rows.is_empty()).then(|| rows.join("\n"))
    };
    let of_json = || {
        let json = shown.words("json_block")?;
        let whole = Object::parse(&json).ok()?.words("code");
        Some(whole.unwrap_or_else(|| json.clone()))
    };
    let of_links = || {
        let pages = shown.items("content").into_iter().filter_map(Object::of);
        let lines: Vec<String> = pages
            .chain(shown.object("link"))
            .map(|page| {
                let subtitles = page.items("subtitles").into_iter().map(value_text);
                let words = ["title", "url", "source"]
                    .into_iter()
                    .filter_map(|key| page.words(key));
                words.chain(subtitles).collect::<Vec<_>>().join(" · ")
            })
            .filter(|line| !line.is_empty())
            .collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    };
    let text = shown.words("text").or_else(|| shown.words("code"));
    let text = text.or_else(of_table).or_else(of_json).or_else(of_links);
    let text = text.or_else(|| block.get("structured_content").map(value_text));
    text.or_else(|| block.words("message")).unwrap_or_default()
}
