//! The envelope in which tools of MCP servers answer: a list of blocks of text, pictures, links
//! and resources, when a program wrote it down as JSON instead of taking it apart.

use serde_json::{Map, Value};

use crate::model::{Image, ImageData};

/// Blocks that are drawn apart; an envelope with more is data.
const MOST: usize = 200;

/// What was in an envelope.
#[derive(Debug, PartialEq)]
pub(super) struct Blocks {
    /// The blocks, in their order.
    pub(super) blocks: Vec<Block>,
    /// What came beside the blocks as data for programs, unless a block says the same.
    pub(super) structured: Option<String>,
    /// Whether the blocks are all that was in it, so that the envelope itself need not be shown.
    pub(super) is_whole: bool,
}

/// One block.
#[derive(Debug, PartialEq)]
pub(super) enum Block {
    /// Words, or data as text.
    Text(String),
    /// A picture.
    Image(Image),
    /// A resource that is only named: its address, and what it is called.
    Link(String, Option<String>),
    /// A resource with its text: its address, and the text if it is one.
    Resource(String, Option<String>),
}

impl Blocks {
    /// Opens an envelope; `None` for any other text.
    pub(super) fn of(text: &str) -> Option<Self> {
        let trimmed = text.trim();
        // Most results are none, and parsing megabytes for nothing takes time.
        let start = trimmed.get(..trimmed.len().min(4_096)).unwrap_or(trimmed);
        if !trimmed.starts_with(['[', '{'])
            || !(start.contains("\"type\"") || start.contains("\"content\""))
        {
            return None;
        }
        match serde_json::from_str(trimmed).ok()? {
            Value::Array(items) => Self::of_items(&items),
            Value::Object(map) => Self::of_answer(&map),
            _ => None,
        }
    }

    /// All words, as one text.
    pub(super) fn text(&self) -> String {
        let texts = self.blocks.iter().filter_map(|block| match block {
            Block::Text(text) | Block::Resource(_, Some(text)) => Some(text.as_str()),
            _ => None,
        });
        texts.collect::<Vec<_>>().join("\n")
    }

    fn of_answer(map: &Map<String, Value>) -> Option<Self> {
        const KNOWN: [&str; 4] = ["content", "isError", "structuredContent", "_meta"];
        if !map.keys().all(|name| KNOWN.contains(&name.as_str())) {
            return None;
        }
        let mut blocks = Self::of_items(map.get("content")?.as_array()?)?;
        let structured = map.get("structuredContent").filter(|data| !data.is_null());
        if let Some(data) = structured {
            let is_said = |block: &Block| match block {
                Block::Text(text) => {
                    serde_json::from_str(text).is_ok_and(|said: Value| said == *data)
                }
                _ => false,
            };
            if !blocks.blocks.iter().any(is_said) {
                blocks.structured = Some(data.to_string());
            }
        }
        let has_meta = map.get("_meta").is_some_and(|meta| !meta.is_null());
        blocks.is_whole &= !has_meta;
        Some(blocks)
    }

    fn of_items(items: &[Value]) -> Option<Self> {
        let mut blocks = Vec::new();
        let mut is_whole = true;
        for item in items {
            let (block, is_all) = block(item.as_object()?)?;
            blocks.push(block);
            is_whole &= is_all;
        }
        (1..=MOST).contains(&blocks.len()).then_some(Self {
            blocks,
            structured: None,
            is_whole,
        })
    }
}

/// A block, and whether it has all that was said of it.
fn block(map: &Map<String, Value>) -> Option<(Block, bool)> {
    let text = |name: &str| map.get(name).and_then(Value::as_str).map(str::to_owned);
    let has_only = |names: &[&str]| {
        map.iter().all(|(name, value)| {
            name == "type" || names.contains(&name.as_str()) || value.is_null()
        })
    };
    Some(match map.get("type")?.as_str()? {
        "text" => (Block::Text(text("text")?), has_only(&["text"])),
        "image" => {
            let (media_type, data) = match map.get("source").and_then(Value::as_object) {
                Some(source) => (
                    source.get("media_type")?.as_str()?.to_owned(),
                    source.get("data")?.as_str()?.to_owned(),
                ),
                None => (text("mimeType")?, text("data")?),
            };
            let image = Image {
                data: ImageData::Base64 { media_type, data },
                alt: None,
            };
            let is_all = has_only(&["mimeType", "data", "source"]);
            (Block::Image(image), is_all)
        }
        "resource_link" => (
            Block::Link(text("uri")?, text("title").or_else(|| text("name"))),
            has_only(&["uri", "name"]),
        ),
        "resource" => {
            let inner = map.get("resource")?.as_object()?;
            let said = inner.get("text").and_then(Value::as_str);
            let uri = inner.get("uri")?.as_str()?.to_owned();
            let is_all = said.is_some()
                && has_only(&["resource"])
                && inner
                    .keys()
                    .all(|name| ["uri", "text", "mimeType"].contains(&name.as_str()));
            (Block::Resource(uri, said.map(str::to_owned)), is_all)
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_taken_out_of_its_envelope() {
        for envelope in [
            r#"[{"type":"text","text":"so"},{"type":"text","text":"on"}]"#,
            r#" {"content":[{"type":"text","text":"so"},{"type":"text","text":"on"}],"isError":false} "#,
        ] {
            let blocks = Blocks::of(envelope).expect("an envelope");
            assert_eq!(blocks.text(), "so\non");
            assert!(blocks.is_whole);
        }
    }

    #[test]
    fn what_blocks_do_not_show_is_known() {
        for envelope in [
            r#"[{"type":"text","text":"so","annotations":{"a":1}}]"#,
            r#"{"content":[{"type":"text","text":"so"}],"_meta":{"a":1}}"#,
            r#"[{"type":"resource","resource":{"uri":"plants://a","blob":"AAAA"}}]"#,
        ] {
            assert!(
                !Blocks::of(envelope).expect("an envelope").is_whole,
                "{envelope}"
            );
        }
    }

    #[test]
    fn data_beside_the_blocks_is_kept_unless_a_block_says_the_same() {
        let envelope = |text: &str| {
            let content = serde_json::json!([{"type": "text", "text": text}]);
            let answer =
                serde_json::json!({"content": content, "structuredContent": {"n": 1}}).to_string();
            Blocks::of(&answer).expect("an envelope").structured
        };
        assert_eq!(envelope(r#"{ "n": 1 }"#), None);
        assert_eq!(envelope("one").as_deref(), Some(r#"{"n":1}"#));
    }

    #[test]
    fn anything_else_is_no_envelope() {
        for text in [
            "",
            "[]",
            "so",
            r#"[{"type":"text"}]"#,
            r#"[{"type":"dance","text":"so"}]"#,
            r#"[{"type":"text","text":"so"},7]"#,
            r#"{"content":[{"type":"text","text":"so"}],"other":1}"#,
            r#"{"content":"so"}"#,
        ] {
            assert_eq!(Blocks::of(text), None, "{text}");
        }
    }
}
