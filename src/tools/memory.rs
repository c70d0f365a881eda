//! What was remembered, and what was looked up in memory.

use askama::Template;

use crate::html::Html;

use super::{Act, Body, Drawing, Glimpse, Label, ToolView, boxes, outcome};

const WHAT: &[&str] = &[
    "fact",
    "query",
    "content",
    "memory",
    "data",
    "text",
    "replacement",
    "path",
    "key",
    "command",
];

/// Draws a use of a memory.
pub(crate) struct Memory;

#[derive(Template)]
#[template(path = "tools/memory.html")]
struct MemoryTemplate {
    call: Html,
    result: Html,
}

impl ToolView for Memory {
    fn name(&self) -> &'static str {
        "memory"
    }

    fn names(&self) -> &'static [&'static str] {
        &[
            "save_memory",
            "chatgpt/bio",
            "memory_user_edits",
            "conversation_search",
            "recent_chats",
            "memory",
            "retain",
            "recall",
            "reflect",
            "memory_edit",
            "learn",
            "context_notes",
            "store_memory",
            "add_memory",
            "search_memories",
            "set_memory",
            "update_memory",
            "search_chats",
            "view_chat",
            "search_notes",
            "delete_memory",
            "oh_my_pi/link",
            "oh_my_pi/related",
            "oh_my_pi/forget",
            "memory__remember_memory",
            "memory__retrieve_memories",
            "memory__remove_memory_category",
            "memory__remove_specific_memory",
        ]
    }

    fn label(&self, _: &Act<'_>) -> Label {
        Label::words("Used memory")
    }

    fn activity(&self, _: &Act<'_>) -> String {
        "Using memory".to_owned()
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        let first = act.args.items(&["items"]).first();
        let first = first.and_then(|item| item.get("content")?.as_str());
        let what = act.args.words_or_free(WHAT).or(first);
        Glimpse::Words(what.unwrap_or_default().to_owned())
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        Some(outcome::single(act))
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        Some(Body::whole(&MemoryTemplate {
            call: boxes::rest(&act.args, &[], drawing),
            result: boxes::result_or_data(act, drawing),
        }))
    }
}

#[cfg(test)]
mod tests {
    use crate::model::Input;
    use crate::tools::testing::{call, html, row, text};

    #[test]
    fn the_row_has_what_is_remembered() {
        let fact = call(
            "save_memory",
            r#"{"fact":"Likes tea."}"#,
            Some(Ok("Saved.")),
        );
        assert_eq!(row("gemini", &fact), "✓ save_memory Likes tea. → Saved.");
        let mut bio = call("bio", "", None);
        bio.input = Some(Input::Text("Grows roses.".into()));
        assert_eq!(row("chatgpt", &bio), "◌ bio Grows roses. incomplete");
        assert!(text(&html("chatgpt", &bio)).matches("Grows roses.").count() >= 2);
    }
}
