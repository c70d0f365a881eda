//! What the reader makes of logs of Gemini's API.

use serde_json::{Value, json};

use super::GeminiApi;
use crate::formats::api::tests::read_with;
use crate::formats::outline::{call, outline, replies};
use crate::model::{Conversation, Input};

fn one(document: &Value) -> Conversation {
    let (mut all, problems) = read_with(&GeminiApi, &document.to_string());
    assert_eq!((all.len(), problems.len()), (1, 0), "{problems:?}");
    all.remove(0)
}

fn answer(parts: &Value) -> Value {
    json!({"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP"}],
        "modelVersion": "g", "usageMetadata": {"promptTokenCount": 3, "candidatesTokenCount": 4, "thoughtsTokenCount": 5}})
}

#[test]
fn results_are_paired_by_id_else_by_name_and_order() {
    let told = one(
        &json!({"systemInstruction": {"parts": [{"text": "Be brief."}]}, "contents": [
        {"role": "user", "parts": [{"text": "Weather?"}, {"inlineData": {"mimeType": "image/png", "data": "AAAA"}}]},
        {"role": "model", "parts": [{"functionCall": {"id": "1", "name": "weather", "args": {"city": "Port"}}},
            {"functionCall": {"id": "2", "name": "weather", "args": {}}},
            {"functionCall": {"name": "tide", "args": {}}}, {"functionCall": {"name": "tide", "args": {"n": 2}}}]},
        {"role": "user", "parts": [{"functionResponse": {"id": "2", "name": "weather", "response": {"name": "weather", "content": "fog"}}},
            {"functionResponse": {"id": "1", "name": "weather", "response": {"error": "down"}}},
            {"functionResponse": {"name": "tide", "response": {"output": "high"}}},
            {"functionResponse": {"name": "tide", "response": {"metres": 2}}}]}]}),
    );
    let expected = [
        "<Context Instructions for the assistant>",
        "person: \"Weather?\", picture",
        "Unknown: weather → !\"down\", weather → \"fog\", tide → \"high\", tide → \"{\\\"metres\\\":2}\"",
    ];
    assert_eq!(outline(&told), expected);
}

#[test]
fn keys_may_be_written_as_the_python_library_does() {
    let told = one(
        &json!({"contents": [{"role": "user", "parts": [{"text": "Sum?"}]}],
        "response": {"model_version": "g", "candidates": [{"finish_reason": "MAX_TOKENS", "content": {"role": "model", "parts": [
            {"text": "hm", "thought": true},
            {"executable_code": {"language": "PYTHON", "code": "print(1)"}},
            {"code_execution_result": {"outcome": "OUTCOME_FAILED", "output": "no"}},
            {"text": "One."}]}}]}}),
    );
    let expected = [
        "person: \"Sum?\"",
        "Complete: thought, code_execution → !\"no\", \"One.\", <Info The reply was cut at its longest>",
    ];
    assert_eq!(outline(&told), expected);
    let given = r#"{"language":"python","code":"print(1)"}"#;
    let given = [
        given.to_owned(),
        r#"{"code":"print(1)","language":"python"}"#.to_owned(),
    ];
    let input = call(&told, "code_execution").input.clone();
    assert!(matches!(input, Some(Input::Json(json)) if given.contains(&json)));
}

#[test]
fn a_grounded_answer_has_its_search_and_its_pages() {
    let mut response = answer(&json!([{"text": "Zürich won."}]));
    response["candidates"][0]["groundingMetadata"] = json!({"webSearchQueries": ["zürich"],
        "searchEntryPoint": {"renderedContent": "<div>"},
        "groundingChunks": [{"web": {"uri": "https://example.com/z", "title": "example.com"}}],
        "groundingSupports": [{"segment": {"startIndex": 0, "endIndex": 12}, "groundingChunkIndices": [0, 9]}]});
    let told = one(&response);
    let result = call(&told, "google_search")
        .result
        .as_ref()
        .expect("a result");
    assert_eq!(
        result
            .details
            .as_ref()
            .and_then(|one| one.hits.as_ref())
            .map(Vec::len),
        Some(1)
    );
    let reply = replies(&told).next().expect("a reply");
    assert_eq!(reply.sources[0].url, "https://example.com/z");
    let usage = reply.usage.expect("it is counted");
    assert_eq!((usage.input, usage.output, usage.reasoning), (3, 9, 5));
}

#[test]
fn a_blocked_prompt_says_why() {
    let told = one(
        &json!({"contents": [{"role": "user", "parts": [{"text": "x"}]}],
        "response": {"promptFeedback": {"blockReason": "SAFETY"}}}),
    );
    assert_eq!(
        outline(&told)[1],
        "Error: error The prompt was blocked: SAFETY"
    );
}

#[test]
fn a_search_that_is_recorded_behind_its_answer_stands_before_it() {
    let told = one(
        &json!({"object": "interaction", "id": "i", "status": "completed", "model": "g",
        "created": "2026-05-15T18:52:36Z", "steps": [
            {"type": "user_input", "content": [{"type": "text", "text": "News?"}]},
            {"type": "thought", "signature": "x"},
            {"type": "model_output", "content": [{"type": "text", "text": "None.",
                "annotations": [{"type": "url_citation", "url": "https://example.com/n", "title": "N"}]}]},
            {"type": "google_search_call", "id": "s", "arguments": {"queries": ["news"]}},
            {"type": "google_search_result", "call_id": "s", "result": [{"search_suggestions": "<style>"}]}]}),
    );
    let expected = [
        "person: \"News?\"",
        "Complete: thought, google_search → \"\", \"None.\"",
    ];
    assert_eq!(outline(&told), expected);
    assert_eq!(told.unshown.get("search suggestions"), Some(&1));
    assert_eq!(
        replies(&told).next().map(|reply| reply.sources.len()),
        Some(1)
    );
}

#[test]
fn a_streamed_answer_is_put_together() {
    let piece = |part: Value| {
        json!({"candidates": [{"content": {"role": "model", "parts": [part]}, "index": 0}],
            "modelVersion": "g", "responseId": "r1"})
    };
    let mut last = piece(json!({"text": "tide."}));
    last["candidates"][0]["finishReason"] = "STOP".into();
    last["usageMetadata"] = json!({"promptTokenCount": 3, "candidatesTokenCount": 4});
    let pieces = [
        piece(json!({"text": "Hmm.", "thought": true})),
        piece(json!({"text": "High "})),
        last,
    ];
    let events: String = pieces
        .iter()
        .map(|piece| format!("data: {piece}\r\n\r\n"))
        .collect();
    let (told, problems) = read_with(&GeminiApi, &events);
    assert_eq!(problems, [""; 0]);
    let answer = "Complete: thought, \"High tide.\"";
    assert_eq!(outline(&told[0]), [answer]);
    let request = json!({"contents": [{"role": "user", "parts": [{"text": "When?"}]}]});
    let told = one(&json!({"request": request, "response": pieces}));
    assert_eq!(outline(&told), ["person: \"When?\"", answer]);
}
