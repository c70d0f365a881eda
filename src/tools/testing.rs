//! What the views' tests read: a card's row and body as a reader sees them.

use crate::addresses::SideFile;
use crate::html::Html;
use crate::model::{Details, Input, ReplyStatus, ToolCall, ToolResult};

use super::{Act, Drawing, Limits, OwnViews, Registry, Sheet, card};

/// A call with an input as JSON text and a result's text; `Err` is an error result.
pub(super) fn call(tool: &str, input: &str, result: Option<Result<&str, &str>>) -> ToolCall {
    ToolCall {
        id: "call-1".into(),
        name: tool.into(),
        input: Some(Input::Json(input.into())),
        result: result.map(|result| ToolResult {
            text: result.unwrap_or_else(|error| error).into(),
            is_error: result.is_err(),
            ..ToolResult::default()
        }),
        ..ToolCall::default()
    }
}

/// The call with what its program recorded beyond its result's text.
pub(super) fn with_details(mut call: ToolCall, details: Details) -> ToolCall {
    let result = call.result.get_or_insert_default();
    result.details = Some(Box::new(details));
    call
}

/// The call's card, in a reply that ended so, with the files beside its page.
pub(super) fn draw(format: &str, call: &ToolCall, status: ReplyStatus) -> (Html, Vec<SideFile>) {
    drawn_by(&OwnViews::default(), format, call, status)
}

/// What is made with a drawing for one page.
pub(super) fn with_drawing<T>(make: impl FnOnce(&Drawing<'_>) -> T) -> T {
    let (sheet, none) = (Sheet::default(), OwnViews::default());
    let registry = Registry::new("x", &none);
    make(&Drawing::new(
        registry,
        None,
        Limits::of_page(1 << 20),
        &sheet,
    ))
}

/// The same where the user made views.
pub(super) fn drawn_by(
    own: &OwnViews,
    format: &str,
    call: &ToolCall,
    status: ReplyStatus,
) -> (Html, Vec<SideFile>) {
    drawn(
        Registry::new(format, own),
        Limits::of_page(1 << 20),
        call,
        status,
    )
}

/// The same with other limits.
pub(super) fn draw_within(
    limits: Limits,
    format: &str,
    call: &ToolCall,
    status: ReplyStatus,
) -> (Html, Vec<SideFile>) {
    let none = OwnViews::default();
    drawn(Registry::new(format, &none), limits, call, status)
}

fn drawn(
    registry: Registry<'_>,
    limits: Limits,
    call: &ToolCall,
    status: ReplyStatus,
) -> (Html, Vec<SideFile>) {
    let sheet = Sheet::default();
    let drawing = Drawing::new(registry, Some("/home/robin/shop"), limits, &sheet);
    let html = card::card(
        &Act::new(call, status, drawing.registry, drawing.project),
        &drawing,
        None,
        true,
    );
    (html, sheet.into_parts().0)
}

/// The card's markup, in a finished reply.
pub(super) fn html(format: &str, call: &ToolCall) -> String {
    draw(format, call, ReplyStatus::Complete).0.into_string()
}

/// The text of an opened card under its row, in a finished reply.
pub(super) fn body(format: &str, call: &ToolCall) -> String {
    let html = html(format, call);
    let start = html
        .find("<div class=\"body\">")
        .expect("a card has a body");
    let end = html
        .rfind("<p class=\"perma\">")
        .expect("a call has a link");
    text(&html[start..end]).trim().to_owned()
}

/// The row as it is read, without its label: `✓ run_shell bun run test → 42 lines`. Quotation
/// marks of a `<q>` are written “so”.
pub(super) fn row(format: &str, call: &ToolCall) -> String {
    row_of(&html(format, call))
}

/// The row of a card's markup.
pub(super) fn row_of(html: &str) -> String {
    let start = html.find("<summary>").expect("a card has a summary") + "<summary>".len();
    let end = html.find("</summary>").expect("a card has a summary");
    let mut row = html[start..end].to_owned();
    for class in ["vh", "label"] {
        let open = format!("<span class=\"{class}\">");
        if let Some(at) = row.find(&open) {
            let close =
                at + row[at..].find("</span>").expect("the span is closed") + "</span>".len();
            row.replace_range(at..close, "");
        }
    }
    let row = row.replace("<q ", "“<q ").replace("</q>", "”</q>");
    let row = row
        .replace("<span class=\"result\">", " ")
        .replace("<span class=\"wrench\"", " <span");
    text(&row).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text of some markup: tags dropped, entities undone.
pub(super) fn text(html: &str) -> String {
    let mut out = String::new();
    let mut in_tag = false;
    for c in html.chars() {
        match c {
            '<' => in_tag = true,
            '>' if in_tag => in_tag = false,
            c if !in_tag => out.push(c),
            _ => {}
        }
    }
    let out = out
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'");
    // askama's own escaper writes numeric entities.
    let out = out
        .replace("&#60;", "<")
        .replace("&#62;", ">")
        .replace("&#34;", "\"")
        .replace("&#38;", "&");
    out.replace("&amp;", "&")
}
