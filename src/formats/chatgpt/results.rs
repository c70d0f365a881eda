//! What tools gave back: messages that a tool wrote.

use super::assets::Assets;
use super::content;
use super::markers::{Found, Page};
use super::message::{Message, moment};
use crate::formats::chat::{Losses, between};
use crate::formats::records::{Json, Object, items};
use crate::model::{Details, PageRead, SearchHit, ToolResult};

/// A result, and how long the tool says that it took, in milliseconds.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub(super) result: ToolResult,
    pub(super) ms: Option<u64>,
}

/// What a message of a tool says.
pub(super) fn outcome(message: &Message<'_>, assets: &Assets<'_>, losses: &mut Losses) -> Outcome {
    let mut outcome = Outcome::default();
    outcome.result.time = message.time;
    let result = &mut outcome.result;
    let content = &message.content;
    match message.kind.as_str() {
        "execution_output" => result.text = message.text(),
        "tether_quote" | "sonic_webpage" => quote(message, result),
        "tether_browsing_display" => display(message, result),
        "system_error" => {
            let name = content.words("name").filter(|name| name != "tool_error");
            let text = message.text();
            result.text = match name {
                Some(name) => format!("{name}: {text}"),
                None => text,
            };
            result.is_error = true;
        }
        "computer_output" => computer(content, assets, result),
        "citable_code_output" => {
            let about = content.object("metadata").unwrap_or_default();
            let title = about.words("display_title");
            let url = about.words("display_url");
            let head = title.into_iter().chain(url).collect::<Vec<_>>().join("\n");
            result.text = joined(&head, &content.string("output_str"));
        }
        "" | "text" | "code" | "multimodal_text" | "image_asset_pointer" => {
            (result.text, result.images) = content::pieces(message, assets);
        }
        _ => {
            let text = message.text();
            result.text = if text.trim().is_empty() {
                message.raw.to_owned()
            } else {
                text
            };
        }
    }
    if let Some(run) = message.metadata.object("aggregate_result") {
        aggregate(&run, assets, &mut outcome, losses);
    }
    let hits = hits(&message.metadata);
    if !hits.is_empty() {
        details(&mut outcome.result).hits = Some(hits);
    }
    outcome.result.is_error |= message.status == "error";
    let mut ignored = Vec::new();
    let text = &outcome.result.text;
    let text = super::markers::resolved(text, &Found::new(), &mut ignored);
    outcome.result.text = text;
    outcome
}

/// Adds what a further message says of the same call.
pub(super) fn add(to: &mut ToolResult, more: ToolResult) {
    let text = joined(&to.text, &more.text);
    to.text = text;
    to.is_error |= more.is_error;
    to.images.extend(more.images);
    to.time = more.time.or(to.time);
    let Some(more) = more.details else {
        return;
    };
    let own = details(to);
    if let Some(hits) = more.hits {
        own.hits.get_or_insert_default().extend(hits);
    }
    own.page = own.page.take().or(more.page);
    own.document = own.document.take().or(more.document);
    own.timed_out |= more.timed_out;
}

/// Puts the title and the address of the page that was read before its text.
pub(super) fn name_page(result: &mut ToolResult) {
    let page = result.details.as_mut();
    let Some(page) = page.and_then(|details| details.page.take()) else {
        return;
    };
    let head: Vec<String> = page.title.into_iter().chain([page.url]).collect();
    result.text = joined(&head.join("\n"), &result.text);
    if result.details.as_deref() == Some(&Details::default()) {
        result.details = None;
    }
}

/// What is recorded of a result beyond its text.
pub(super) fn details(result: &mut ToolResult) -> &mut Details {
    result.details.get_or_insert_default()
}

/// The pages that a search found, where the program keeps them beside the messages.
pub(super) fn hits(metadata: &Object<'_>) -> Vec<SearchHit> {
    let mut hits = Vec::new();
    for group in metadata.items("search_result_groups") {
        let group = Object::of(group).unwrap_or_default();
        for entry in group.items("entries") {
            let entry = Object::of(entry).unwrap_or_default();
            let Some(url) = entry.words("url") else {
                continue;
            };
            hits.push(SearchHit {
                title: entry.string("title"),
                url,
                snippet: entry.words("snippet"),
            });
        }
    }
    hits
}

/// The names that references have for the pages that were found.
pub(super) fn note_found(metadata: &Object<'_>, found: &mut Found) {
    for group in metadata.items("search_result_groups") {
        let group = Object::of(group).unwrap_or_default();
        for entry in group.items("entries") {
            let entry = Object::of(entry).unwrap_or_default();
            let Some((url, id)) = entry.words("url").zip(entry.object("ref_id")) else {
                continue;
            };
            let turn = id.count("turn_index").unwrap_or_default();
            let index = id.count("ref_index").unwrap_or_default();
            let name = format!("turn{turn}{}{index}", id.string("ref_type"));
            let title = entry.words("title");
            found.insert(name, Page { url, title });
        }
    }
}

/// A page or a file that was read: where it is from stands before its text.
fn quote(message: &Message<'_>, result: &mut ToolResult) {
    let content = &message.content;
    let url = content.words("url");
    let title = content.words("title");
    let is_web = url.as_ref().is_some_and(|url| url.starts_with("http"));
    result.text = message.text();
    if is_web {
        details(result).page = Some(PageRead {
            url: url.unwrap_or_default(),
            title,
            ..PageRead::default()
        });
    } else {
        // Of a file the domain is its name.
        let name = title.or_else(|| content.words("domain"));
        result.text = joined(&name.unwrap_or_default(), &result.text);
    }
}

/// A list of pages, as the first browsers wrote it: of each a heading with its number, title and
/// host, and what is said of it. Their addresses stand beside.
fn display(message: &Message<'_>, result: &mut ToolResult) {
    let text = message.content.string("result");
    let summary = message.content.string("summary");
    let known = message
        .metadata
        .object("_cite_metadata")
        .unwrap_or_default();
    let known: Vec<Object<'_>> = known
        .items("metadata_list")
        .into_iter()
        .filter_map(Object::of)
        .collect();
    let mut hits = Vec::new();
    let mut parts = text.split("# 【");
    let before = parts.next().unwrap_or_default();
    for part in parts {
        let heading = part.split_once('】');
        let hit = heading.and_then(|(heading, words)| {
            let mut heading = heading.split('†');
            let place: usize = heading.next()?.parse().ok()?;
            let page = known.get(place)?;
            Some(SearchHit {
                title: heading.next()?.to_owned(),
                url: page.words("url")?,
                snippet: Some(words.trim().to_owned()).filter(|words| !words.is_empty()),
            })
        });
        hits.extend(hit);
    }
    let is_whole = before.trim().is_empty() && hits.len() == text.matches("# 【").count();
    if !hits.is_empty() && is_whole {
        details(result).hits = Some(hits);
        result.text = summary;
    } else {
        result.text = joined(&text, &summary);
    }
}

/// A step in a browser: what it looked like, and where it was.
fn computer(content: &Object<'_>, assets: &Assets<'_>, result: &mut ToolResult) {
    let state = content.object("state").unwrap_or_default();
    let title = state.words("title");
    let lines: Vec<String> = title
        .clone()
        .into_iter()
        .chain(state.words("url"))
        .collect();
    result.text = lines.join("\n");
    if let Some(shot) = content.object("screenshot") {
        let pointer = shot.string("asset_pointer");
        let alt = title.unwrap_or_else(|| "Screenshot".to_owned());
        result.images.push(assets.image(&pointer, Some(alt)));
    }
}

/// What the interpreter recorded of a run.
fn aggregate(run: &Object<'_>, assets: &Assets<'_>, outcome: &mut Outcome, losses: &mut Losses) {
    let mut time = |key| moment(run.get(key)?, losses);
    let start = time("start_time");
    let end = time("end_time").or_else(|| time("update_time"));
    outcome.ms = start.zip(end).and_then(|(start, end)| between(start, end));
    let result = &mut outcome.result;
    let mut streams = String::new();
    for message in run.items("messages") {
        let message = Object::of(message).unwrap_or_default();
        if let Some(pointer) = message.words("image_url") {
            result.images.push(assets.image(&pointer, None));
        } else {
            streams.push_str(&message.string("text"));
        }
    }
    let said = [Some(streams), run.words("final_expression_output")];
    for text in said.into_iter().flatten() {
        if !result.text.contains(text.trim()) {
            result.text = joined(&text, &result.text);
        }
    }
    for key in ["in_kernel_exception", "system_exception"] {
        let Some(exception) = run.object(key) else {
            continue;
        };
        result.is_error = true;
        let traceback = exception.get("traceback").map(items).unwrap_or_default();
        let lines = traceback
            .into_iter()
            .filter_map(crate::formats::records::text);
        let mut words = lines
            .map(|line| line.into_owned())
            .collect::<Vec<_>>()
            .join("\n");
        if words.trim().is_empty() {
            let arguments = exception.get("args").map_or("", Json::get);
            words = format!("{}: {arguments}", exception.string("name"));
        }
        if !result.text.contains(words.trim()) {
            result.text = joined(&result.text, &words);
        }
    }
    let timed_out = run.get("timeout_triggered").map(Json::get);
    if timed_out.is_some_and(|value| !matches!(value, "false" | "0" | "0.0")) {
        details(result).timed_out = true;
    }
    let failed = matches!(
        run.text("status").as_deref(),
        Some("error" | "failed_with_in_kernel_exception" | "failed_with_system_exception")
    );
    result.is_error |= failed;
}

/// Two texts with an empty line between them; one when the other is blank.
fn joined(first: &str, second: &str) -> String {
    match (first.trim().is_empty(), second.trim().is_empty()) {
        (true, _) => second.to_owned(),
        (_, true) => first.to_owned(),
        _ => format!(
            "{}\n\n{}",
            first.trim_end(),
            second.trim_start_matches(['\n', '\r'])
        ),
    }
}
