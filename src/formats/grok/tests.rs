//! What the reader makes of exports of Grok.

use serde_json::{Value, json};

use super::*;
use crate::formats::apart;
use crate::formats::outline::{outline, replies};
use crate::source::File;

fn all(document: &Value) -> Vec<Conversation> {
    let bytes = document.to_string().into_bytes();
    let file = File::in_memory("x.json".into(), "x.json".into(), bytes);
    let head = Head::of(&file).expect("memory can be read");
    assert!(Grok.recognises(&head), "it is recognised");
    let (sources, problem) = apart(Source::single(file), &Grok);
    assert!(problem.is_none());
    let readings = sources.iter().map(|source| Grok.read(source));
    readings
        .filter_map(|reading| reading.conversation)
        .collect()
}

fn of(responses: Value, leaf: Value) -> Conversation {
    let about = json!({"conversation_id": "c", "title": "Beds", "leaf_response_id": leaf});
    let mut all = all(&json!({"conversations": [{"conversation": about, "responses": responses}]}));
    assert_eq!(all.len(), 1);
    all.remove(0)
}

fn response(id: &str, parent: Value, sender: &str, more: Value) -> Value {
    let mut response = json!({"_id": id, "parent_response_id": parent, "sender": sender,
        "message": id, "create_time": {"$date": {"$numberLong": "1772359200000"}}});
    for (key, value) in more.as_object().expect("an object") {
        response[key] = value.clone();
    }
    json!({ "response": response })
}

#[test]
fn senders_are_known_in_each_case_and_the_shown_branch_is_read() {
    let responses = json!([
        response("u", Value::Null, "human", json!({})),
        response("a", json!("u"), "ASSISTANT", json!({})),
        response("b", json!("u"), "assistant", json!({"error": "busy"})),
    ]);
    let expected = [
        "person: \"u\"",
        "version",
        "  Error: \"b\", error busy",
        "Complete: \"a\"",
    ];
    let read = of(responses, json!("a"));
    assert_eq!(outline(&read), expected);
    assert!(read.start().is_some());
}

#[test]
fn cards_in_the_text_become_links_or_nothing() {
    let card = |id: &str| format!("<grok:render card_id=\"{id}\" type=\"x\">y</grok:render>");
    let words = format!("One{} two{}.", card("1"), card("2"));
    let read = of(
        json!([response(
            "a",
            Value::Null,
            "assistant",
            json!({"message": words,
        "card_attachments_json": ["{\"id\":\"1\",\"url\":\"https://example.com/a\"}"],
        "web_search_results": [{"url": "https://example.com/a", "title": "A"}]})
        )]),
        Value::Null,
    );
    let reply = replies(&read).next().expect("a reply");
    let words = "One [\\[1\\]](<https://example.com/a>) two.";
    assert_eq!(reply.parts.last(), Some(&Part::Text(words.to_owned())));
    assert_eq!(reply.sources[0].title.as_deref(), Some("A"));
}

#[test]
fn files_are_out_of_the_export_where_they_lie_in_it() {
    let asked = json!({"image_attachments": ["i-1", "i-2"], "file_attachments": ["f-1"]});
    let about = json!({"conversation_id": "c", "title": "Beds"});
    let responses = [response("u", Value::Null, "human", asked)];
    let whole = json!({"conversations": [{"conversation": about, "responses": responses}]});
    let file = |name: &str, bytes: &[u8]| {
        let name = format!("export/{name}");
        File::in_memory(name.clone(), name, bytes.to_vec())
    };
    let files = [
        file(EXPORT, whole.to_string().as_bytes()),
        file("prod-mc-asset-server/i-1/content", b"\x89PNG bytes"),
        file("prod-mc-asset-server/f-1/content", b"words"),
    ];
    let looked = files.map(|file| {
        let head = Head::of(&file).expect("memory can be read");
        (file, head)
    });
    let grouped = crate::formats::group(looked.into(), None);
    let (source, format) = &grouped.sources[0];
    let (sources, _) = apart(source.clone(), *format);
    let read = Grok.read(&sources[0]).conversation.expect("one");
    let Some(Entry::Prompt(prompt)) = read.entries.first() else {
        panic!("a prompt");
    };
    let [_, Part::Image(image), Part::File(missing), Part::File(text)] = &prompt.parts[..] else {
        panic!("a picture and two files: {:?}", prompt.parts);
    };
    assert_eq!(
        image.data,
        crate::model::ImageData::Bytes(b"\x89PNG bytes".to_vec())
    );
    assert_eq!(missing.note.as_deref(), Some("not in the export"));
    assert_eq!(text.text.as_deref(), Some("words"));
}

#[test]
fn calls_and_documents_in_the_text_are_what_they_say() {
    let card = |args: &str| {
        format!(
            "<xai:tool_usage_card><xai:tool_name>web_search</xai:tool_name>\
             <xai:tool_args><![CDATA[{args}]]></xai:tool_args></xai:tool_usage_card>"
        )
    };
    let document = "<xaiArtifact artifact_id=\"x\" title=\"Beds\" contentType=\"text/code\">\ndig()\n</xaiArtifact>";
    let words = format!(
        "One {} two.\n{document}\nEnd. <xai:tool_usage_card>cut",
        card("{\"query\":\"beds\"}")
    );
    let read = of(
        json!([response(
            "a",
            Value::Null,
            "assistant",
            json!({ "message": words })
        )]),
        Value::Null,
    );
    assert_eq!(
        outline(&read),
        [
            "Complete: \"One \", web_search → -, \" two.\", artifacts → \"\", \"End. <xai:tool_usage_card>cut\""
        ]
    );
}

#[test]
fn steps_and_posts_are_shown() {
    let step = json!({"text": ["Looking.", "Known."], "web_search_results": [
        {"url": "https://example.com/s", "title": "S"}]});
    let post = json!({"username": "robin", "text": "Dig deep.", "postId": "9"});
    let more = json!({"thinking_trace": "Known. So.", "steps": [step], "xposts": [post]});
    let read = of(
        json!([response("a", Value::Null, "assistant", more)]),
        Value::Null,
    );
    let reply = replies(&read).next().expect("a reply");
    let written = format!("{:?}", reply.parts);
    for word in [
        "Looking.",
        "https://example.com/s",
        "https://x.com/robin/status/9",
        "Dig deep.",
    ] {
        assert!(written.contains(word), "{word}");
    }
    assert_eq!(written.matches("Known.").count(), 1);
}
