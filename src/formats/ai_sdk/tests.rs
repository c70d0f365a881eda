//! What the reader makes of messages of the Vercel AI SDK.

use serde_json::{Value, json};

use super::AiSdk;
use crate::formats::api::tests::read_with;
use crate::formats::outline::{call, outline, replies};
use crate::model::{Conversation, Input, Part};

fn one(document: &Value) -> Conversation {
    let (mut all, problems) = read_with(&AiSdk, &document.to_string());
    assert_eq!((all.len(), problems.len()), (1, 0), "{problems:?}");
    all.remove(0)
}

fn of_parts(parts: &Value) -> Conversation {
    one(&json!({"id": "c", "messages": [{"id": "m", "role": "assistant", "parts": parts}]}))
}

#[test]
fn parts_count_where_the_text_beside_them_says_less() {
    let told = one(&json!([
        {"id": "u", "role": "user", "content": "When?", "createdAt": "2026-02-01T10:00:00.000Z",
            "parts": [{"type": "text", "text": "When?"}],
            "experimental_attachments": [{"name": "notes.txt", "contentType": "text/plain", "url": "data:text/plain;base64,aGVsbG8="}]},
        {"id": "a", "role": "assistant", "content": "Then.", "toolInvocations": [{"state": "result", "toolCallId": "1", "toolName": "f", "args": {}, "result": 1}],
            "parts": [{"type": "step-start"}, {"type": "reasoning", "reasoning": "hm", "details": [{"type": "text", "text": "hm"}]},
                {"type": "text", "text": "Looking. "},
                {"type": "tool-invocation", "toolInvocation": {"state": "result", "toolCallId": "1", "toolName": "f", "args": {"a": 1}, "result": {"b": 2}}},
                {"type": "text", "text": "Then."},
                {"type": "source", "source": {"sourceType": "url", "id": "s", "url": "https://example.com/s", "title": "S"}},
                {"type": "tool-invocation", "toolInvocation": {"state": "partial-call", "toolCallId": "2", "toolName": "g", "args": {}}},
                {"type": "tool-invocation", "toolInvocation": {"state": "call", "toolCallId": "3", "toolName": "h", "args": {}}}]}]));
    let expected = [
        "person: \"When?\", file notes.txt",
        "Unknown: thought, \"Looking. \", f → \"{\\\"b\\\":2}\", \"Then.\", g → -, h → -",
    ];
    assert_eq!(outline(&told), expected);
    let prompt = format!("{:?}", told.entries[0]);
    assert!(prompt.contains("hello"), "{prompt}");
    assert_eq!(
        replies(&told).next().map(|reply| reply.sources.len()),
        Some(1)
    );
}

#[test]
fn without_parts_the_calls_stand_before_the_text() {
    let told = one(
        &json!([{"id": "a", "role": "assistant", "content": "So.", "reasoning": "hm",
        "toolInvocations": [{"state": "result", "toolCallId": "1", "toolName": "f", "args": {}, "result": "r"}]}]),
    );
    assert_eq!(outline(&told), ["Complete: thought, f → \"r\", \"So.\""]);
}

#[test]
fn every_state_of_a_call_is_told() {
    let part = |state: &str, more: Value| {
        let mut part = json!({"type": format!("tool-{state}"), "toolCallId": state, "state": state, "input": {"a": 1}});
        for (key, value) in more.as_object().expect("an object") {
            part[key] = value.clone();
        }
        part
    };
    let told = of_parts(&json!([
        part("input-streaming", json!({})),
        part("input-available", json!({})),
        part("approval-requested", json!({"approval": {"id": "p"}})),
        part("approval-responded", json!({"approval": {"id": "p", "approved": true}})),
        part("output-available", json!({"output": "fine"})),
        {"type": "dynamic-tool", "toolName": "output-error", "toolCallId": "e", "state": "output-error", "rawInput": "{a", "errorText": "no"},
        part("output-denied", json!({"approval": {"approved": false, "reason": "not now"}}))]));
    let expected = "Unknown: input-streaming → -, input-available → -, approval-requested → -, \
        approval-responded → -, output-available → \"fine\", output-error → !\"no\", output-denied → !\"Not allowed: not now\"";
    assert_eq!(outline(&told), [expected]);
    assert_eq!(
        call(&told, "output-error").input,
        Some(Input::Text("{a".into()))
    );
    assert_eq!(
        call(&told, "approval-requested").notices[0].title,
        "Waits for permission"
    );
    assert_eq!(
        call(&told, "approval-responded").notices[0].title,
        "Permission was given"
    );
}

#[test]
fn hosted_tools_say_in_their_output_what_they_were_given() {
    let hosted = |tool: &str, output: Value| {
        json!({"type": format!("tool-{tool}"), "toolCallId": tool,
        "state": "output-available", "input": {}, "output": output, "providerExecuted": true})
    };
    let told = of_parts(&json!([
        hosted("webSearch", json!({"action": {"type": "search", "query": "tide"}, "sources": [{"type": "url", "url": "https://example.com/t"}]})),
        hosted("fileSearch", json!({"queries": ["q"], "results": [{"filename": "a.pdf", "score": 0.5, "text": "t"}]})),
        hosted("imageGeneration", json!({"result": "AAAA"})),
        {"type": "dynamic-tool", "toolName": "mcp.open", "toolCallId": "m", "state": "output-available", "input": {},
            "output": {"type": "call", "serverLabel": "box", "name": "open", "arguments": "{\"lid\":1}", "output": "ok"}}]));
    assert_eq!(
        call(&told, "webSearch").input,
        Some(Input::Json("{\"query\":\"tide\"}".into()))
    );
    assert_eq!(
        call(&told, "fileSearch").input,
        Some(Input::Json("{\"queries\":[\"q\"]}".into()))
    );
    let image = call(&told, "imageGeneration")
        .result
        .as_ref()
        .expect("a result");
    assert_eq!(image.images.len(), 1);
    let open = call(&told, "mcp__box__open");
    assert_eq!(open.input, Some(Input::Json("{\"lid\":1}".into())));
    assert_eq!(
        open.result.as_ref().map(|result| result.text.as_str()),
        Some("ok")
    );
}

#[test]
fn a_sentence_in_pieces_is_joined_and_other_parts_stand_where_they_are() {
    let told = of_parts(&json!([
        {"type": "reasoning", "text": "", "providerMetadata": {"openai": {"reasoningEncryptedContent": "x"}}},
        {"type": "text", "text": "The tide "}, {"type": "source-url", "sourceId": "s", "url": "https://example.com/t"},
        {"type": "text", "text": "is high."},
        {"type": "source-document", "sourceId": "d", "mediaType": "text/plain", "title": "Table"},
        {"type": "file", "mediaType": "image/png", "url": "data:image/png;base64,AAAA"},
        {"type": "data-weather", "data": {"sky": "clear"}}]));
    let expected = "Unknown: thought, \"The tide is high.\", file Table, picture, <Info Data of the program: weather>";
    assert_eq!(outline(&told), [expected]);
    let reply = replies(&told).next().expect("a reply");
    assert!(
        matches!(&reply.parts[0], Part::Reasoning(thought) if thought.hidden == Some("encrypted"))
    );
}

#[test]
fn messages_of_models_are_paired_by_id_whatever_their_order() {
    let told = one(&json!([
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "Both?"}, {"type": "image", "image": "AAAA", "mediaType": "image/png"}]},
        {"role": "assistant", "content": [{"type": "reasoning", "text": "hm"},
            {"type": "tool-call", "toolCallId": "1", "toolName": "f", "input": {}},
            {"type": "tool-call", "toolCallId": "2", "toolName": "g", "args": {"b": 1}},
            {"type": "tool-call", "toolCallId": "3", "toolName": "h", "input": {}},
            {"type": "tool-result", "toolCallId": "3", "toolName": "h", "output": {"type": "json", "value": {"c": 3}}}]},
        {"role": "tool", "content": [
            {"type": "tool-result", "toolCallId": "2", "toolName": "g", "result": "old"},
            {"type": "tool-result", "toolCallId": "1", "toolName": "f", "output": {"type": "error-text", "value": "no"}}]}]));
    let expected = [
        "<Context Instructions for the assistant>",
        "person: \"Both?\", picture",
        "Unknown: thought, f → !\"no\", g → \"old\", h → \"{\\\"c\\\":3}\"",
    ];
    assert_eq!(outline(&told), expected);
}

#[test]
fn rows_of_a_database_hold_their_parts_as_text() {
    let parts = json!([{"type": "text", "text": "So."}]).to_string();
    let row = json!({"id": "1", "chatId": "c", "role": "assistant", "parts": parts, "createdAt": "2026-02-01T10:00:00Z"});
    assert_eq!(outline(&one(&json!([row]))), ["Complete: \"So.\""]);
}

#[test]
fn a_list_of_chats_gives_a_conversation_for_each() {
    let chat = |id: &str| json!({"id": id, "title": id, "messages": [{"id": "m", "role": "user", "parts": [{"type": "text", "text": "Hi."}]}]});
    let (told, _) = read_with(&AiSdk, &json!([chat("a"), chat("b")]).to_string());
    assert_eq!(told.len(), 2);
    let (told, _) = read_with(&AiSdk, &format!("{}\n{}\n", chat("a"), chat("b")));
    assert_eq!((told.len(), told[1].title.as_deref()), (2, Some("b")));
}
