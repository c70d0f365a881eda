//! Calls, which result is whose, and what views are given.

use super::*;
use crate::model::{Input, ToolResult};

fn output(text: &str) -> Value {
    json!({"content_type": "execution_output", "text": text})
}

fn input(call: &ToolCall) -> &str {
    match call.input.as_ref().expect("an input") {
        Input::Json(text) | Input::Text(text) => text,
    }
}

fn answer(call: &ToolCall) -> &ToolResult {
    call.result.as_ref().expect("a result")
}

#[test]
fn a_message_for_a_tool_is_a_call_and_what_the_tool_says_its_result() {
    let reply = reply(&[
        call("python", "print(2)"),
        result("python", output("2")),
        assistant("two"),
    ]);
    let calls = calls(&reply);
    assert_eq!(
        (calls[0].name.as_str(), input(calls[0])),
        ("python", "print(2)")
    );
    assert_eq!(answer(calls[0]).text, "2");
    assert_eq!(reply.parts.len(), 2);
}

#[test]
fn what_came_before_a_call_takes_none_of_its_results() {
    let reply = reply(&[
        result("file_search", text("All files are loaded.")),
        call("file_search.msearch", r#"{"queries":["q"]}"#),
        result("file_search", text("found")),
        result("file_search", text("more")),
    ]);
    let texts: Vec<_> = calls(&reply)
        .iter()
        .map(|call| answer(call).text.clone())
        .collect();
    assert_eq!(texts, ["All files are loaded.", "found\n\nmore"]);
}

#[test]
fn results_in_the_order_of_completion_find_their_calls() {
    let reply = reply(&[
        call("python", "a"),
        call("file_search.msearch", r#"{"queries":["q"]}"#),
        call("python", "b"),
        result("file_search", text("found")),
        result("python", output("of a")),
        result("python", output("of b")),
    ]);
    let texts: Vec<_> = calls(&reply)
        .iter()
        .map(|call| answer(call).text.clone())
        .collect();
    assert_eq!(texts, ["of a", "found", "of b"]);
}

#[test]
fn one_call_may_have_many_results_and_a_result_no_call() {
    let quote = |title: &str| {
        json!({"content_type": "tether_quote", "url": format!("https://example.com/{title}"),
            "domain": "example.com", "title": title, "text": "\nwords"})
    };
    let reply = reply(&[
        call("browser", "mclick([0, 3])"),
        result("browser", quote("a")),
        result("browser", quote("b")),
        assistant("so"),
        result(
            "file_search",
            with(quote("c"), json!({"url": "file-1", "domain": "c.pdf"})),
        ),
    ]);
    let calls = calls(&reply);
    assert_eq!(input(calls[0]), r#"{"action":"mclick","id":"0, 3"}"#);
    assert_eq!(
        answer(calls[0]).text,
        "a\nhttps://example.com/a\n\nwords\n\nb\nhttps://example.com/b\n\nwords"
    );
    assert!(calls[1].input.is_none());
    assert_eq!(answer(calls[1]).text, "c\n\nwords");
}

#[test]
fn what_comes_behind_words_belongs_to_no_call_before_them() {
    let reply = reply(&[
        call("python", "a"),
        assistant("so"),
        result("python", output("late")),
    ]);
    let calls = calls(&reply);
    assert!(calls[0].result.is_none());
    assert_eq!(answer(calls[1]).text, "late");
}

#[test]
fn calls_that_look_like_code_are_given_their_arguments_by_name() {
    for (text, name, expected) in [
        (
            r#"search("a (b), c", recency_days=7)"#,
            "browser.search",
            r#"{"query":"a (b), c","recency_days":7}"#,
        ),
        (
            r#"open_url("https://example.com/a")"#,
            "browser.open_url",
            r#"{"url":"https://example.com/a"}"#,
        ),
        (
            "scroll(-1)",
            "browser",
            r#"{"action":"scroll","amount":-1}"#,
        ),
        ("back()", "browser", r#"{"action":"back"}"#),
        (
            r#"quote("from", 'to')"#,
            "browser",
            r#"{"action":"quote","text":"from","to":"to"}"#,
        ),
        ("dance(1)", "browser", "dance(1)"),
        (r#"search("open"#, "browser", r#"search("open"#),
        ("search", "browser", "search"),
    ] {
        let reply = reply(&[call("browser", text)]);
        let calls = calls(&reply);
        assert_eq!((calls[0].name.as_str(), input(calls[0])), (name, expected));
    }
    let reply = reply(&[call("myfiles_browser", r#"msearch(["a", "b"])"#)]);
    assert_eq!(input(calls(&reply)[0]), r#"{"queries":["a","b"]}"#);
}

#[test]
fn a_search_of_the_first_browser_has_its_pages() {
    let display = with(
        result(
            "browser",
            json!({"content_type": "tether_browsing_display",
                "result": "# 【0†Tides†example.com】\nHigh at six.\n\n# 【1†Moon†example.org】\nFull.",
                "summary": null}),
        ),
        json!({"metadata": {"_cite_metadata": {"metadata_list": [
            {"title": "Tides", "url": "https://example.com/tides", "text": "High"},
            {"title": "Moon", "url": "https://example.org/moon", "text": "Full"},
        ]}}}),
    );
    let reply = reply(&[call("browser", "search(\"tides\")"), display]);
    let calls = calls(&reply);
    let details = answer(calls[0]).details.as_ref().expect("details");
    let hits = details.hits.as_ref().expect("pages");
    assert_eq!(hits[0].snippet.as_deref(), Some("High at six."));
    assert_eq!(
        (hits.len(), hits[1].url.as_str()),
        (2, "https://example.org/moon")
    );
    assert_eq!(answer(calls[0]).text, "");
}

#[test]
fn a_result_without_its_call_tells_what_was_asked_for() {
    let told = json!({"command": "search", "args": ["wet (sand)"], "status": "finished"});
    let display = json!({"content_type": "tether_browsing_display", "result": "nothing"});
    let reply = reply(&[with(result("browser", display), json!({"metadata": told}))]);
    let calls = calls(&reply);
    assert_eq!(calls[0].name, "browser.search");
    assert_eq!(input(calls[0]), r#"{"query":"wet (sand)"}"#);
}

fn groups() -> Value {
    json!({"search_result_groups": [{"domain": "example.com", "entries": [
        {"url": "https://example.com/a", "title": "A", "snippet": "s",
            "ref_id": {"turn_index": 0, "ref_type": "search", "ref_index": 1}}]}],
        "search_queries": [{"type": "search", "q": "tides"}]})
}

#[test]
fn what_a_search_found_stands_with_it_wherever_it_is_kept() {
    let run = r#"{"search_query":[{"q":"tides"}]}"#;
    let with_tool = reply(&[
        call("web.run", run),
        with(result("web.run", text("")), json!({"metadata": groups()})),
    ]);
    let with_answer = reply(&[
        call("web", "search(\"tides\")"),
        result("web", json!({"content_type": "code", "text": ""})),
        with(assistant("high"), json!({"metadata": groups()})),
    ]);
    let alone = reply(&[with(assistant("high"), json!({"metadata": groups()}))]);
    for reply in [with_tool, with_answer, alone] {
        let calls = calls(&reply);
        assert_eq!(calls.len(), 1);
        let details = answer(calls[0]).details.as_ref().expect("details");
        assert_eq!(details.hits.as_ref().map(Vec::len), Some(1));
        assert!(input(calls[0]).contains("tides"));
    }
}

#[test]
fn a_run_of_code_has_its_output_pictures_time_and_error() {
    let run = json!({"aggregate_result": {"status": "success", "start_time": 1_700_000_000.0,
        "end_time": 1_700_000_002.5, "messages": [
            {"message_type": "stream", "stream_name": "stdout", "text": "hi\n"},
            {"message_type": "image", "image_url": "file-service://file-p", "width": 4}]}});
    let made = reply(&[
        call("python", "plot()"),
        with(
            result("python", output("<Figure>")),
            json!({"metadata": run}),
        ),
    ]);
    let call_of = calls(&made)[0];
    assert_eq!(
        (answer(call_of).text.as_str(), call_of.ms),
        ("hi\n\n<Figure>", Some(2_500))
    );
    assert_eq!(answer(call_of).images.len(), 1);
    let failure = json!({"aggregate_result": {"status": "error", "in_kernel_exception":
        {"name": "ValueError", "args": ["no"], "traceback": []}}});
    let failed = reply(&[
        call("python", "x"),
        with(result("python", output("")), json!({"metadata": failure})),
    ]);
    let failed = answer(calls(&failed)[0]).clone();
    assert!(failed.is_error);
    assert_eq!(failed.text, "ValueError: [\"no\"]");
}

#[test]
fn an_error_of_the_system_is_a_failed_result_though_it_was_finished() {
    let error =
        json!({"content_type": "system_error", "name": "GetDownloadLinkError", "text": "gone"});
    let reply = reply(&[
        call("container.exec", "ls"),
        result("container.exec", error),
    ]);
    let call = calls(&reply)[0];
    assert!(answer(call).is_error);
    assert_eq!(answer(call).text, "GetDownloadLinkError: gone");
    assert_eq!(input(call), r#"{"command":"ls"}"#);
}

#[test]
fn a_document_has_its_versions_and_a_cut_call_its_text() {
    let canvas = json!({"metadata": {"canvas": {"textdoc_id": "t", "textdoc_type": "code/python",
        "version": 2, "title": "Tides"}}});
    let reply = reply(&[
        call(
            "canmore.create_textdoc",
            "{\"name\":\"tides\",\"content\":\"cut of",
        ),
        result("canmore.create_textdoc", text("failed")),
        call("canmore.update_textdoc", "{\"updates\":[]}"),
        with(result("canmore.update_textdoc", text("ok")), canvas),
    ]);
    let calls = calls(&reply);
    assert!(matches!(&calls[0].input, Some(Input::Text(text)) if text.ends_with("cut of")));
    let details = answer(calls[1]).details.as_ref().expect("details");
    let document = details.document.as_ref().expect("a document");
    assert_eq!(
        (document.version, document.kind.as_deref()),
        (2, Some("code/python"))
    );
}

#[test]
fn memories_pictures_and_connectors_are_known_by_their_names() {
    let picture = json!({"content_type": "multimodal_text", "parts": [
        {"content_type": "image_asset_pointer", "asset_pointer": "sediment://file_1",
            "metadata": {"dalle": {"prompt": "A tram."}}}]});
    let found = json!({"content_type": "citable_code_output", "output_str": "{}",
        "metadata": {"display_title": "Harbour"}});
    let through = json!({"metadata": {"invoked_resource": {"app_name": "Harbour"}}});
    let reply = reply(&[
        call("bio", "Likes trams."),
        result("bio", text("Model set context updated.")),
        call("t2uay3k.sj1i4kz", "{\"prompt\":\"a tram\"}"),
        result("t2uay3k.sj1i4kz", picture),
        call(
            "api_tool.call_tool",
            "{\"path\":\"/Harbour/search\",\"args\":{}}",
        ),
        with(result("api_tool.call_tool", found), through),
        result("q7dr546", text("A note.")),
    ]);
    let calls = calls(&reply);
    let names: Vec<_> = calls.iter().map(|call| call.name.as_str()).collect();
    assert_eq!(names, ["bio", "image_gen", "api_tool.call_tool", "q7dr546"]);
    assert_eq!(answer(calls[1]).text, "1 image");
    let pictures = reply.parts.iter().filter_map(|part| match part {
        Piece::Image(image) => image.alt.as_deref(),
        _ => None,
    });
    assert_eq!(pictures.collect::<Vec<_>>(), ["A tram."]);
    assert_eq!(answer(calls[2]).text, "Harbour\n\n{}");
    assert_eq!(calls[2].notices[0].title, "Through Harbour");
}

#[test]
fn a_step_in_a_browser_says_where_it_was() {
    let step = json!({"content_type": "computer_output", "computer_id": "c",
        "screenshot": {"asset_pointer": "file-service://file-s"},
        "state": {"type": "browser_state", "url": "https://example.com/", "title": "Tides"}});
    let reply = reply(&[
        call("computer.do", "{\"action\":\"click\"}"),
        result("computer.do", step),
    ]);
    let result = answer(calls(&reply)[0]);
    assert_eq!(result.text, "Tides\nhttps://example.com/");
    assert_eq!(result.images[0].alt.as_deref(), Some("Tides"));
}
