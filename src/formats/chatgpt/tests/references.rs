//! References and citations in the text.

use super::*;

fn said(text: &str, metadata: Value) -> Reply {
    reply(&[with(assistant(text), json!({ "metadata": metadata }))])
}

fn page(name: &str) -> Value {
    json!({"title": name, "url": format!("https://example.com/{name}"), "attribution": "Example"})
}

#[test]
fn places_are_counted_in_code_points_and_checked() {
    let text = "🚋🇨🇭 Trams \u{e200}cite\u{e202}turn0search1\u{e201} run \u{e200}cite\u{e202}turn0search1\u{e201}.";
    let at = text.chars().count() - 20;
    let reference = |start: usize| {
        json!({"content_references": [{"matched_text": "\u{e200}cite\u{e202}turn0search1\u{e201}",
            "start_idx": start, "end_idx": start + 19, "type": "grouped_webpages",
            "items": [page("a")]}]})
    };
    // The place tells which of two is meant; a wrong one is not believed.
    let second = said(text, reference(at));
    assert_eq!(
        words(&second),
        "🚋🇨🇭 Trams  run ([Example](https://example.com/a))."
    );
    let wrong = said(text, reference(3));
    assert_eq!(
        words(&wrong),
        "🚋🇨🇭 Trams ([Example](https://example.com/a)) run ."
    );
}

#[test]
fn references_become_links_and_sources() {
    let more = with(page("a"), json!({"supporting_websites": [page("b")]}));
    let reply = said(
        "See REF.",
        json!({"content_references": [
            {"matched_text": " ", "start_idx": 8, "end_idx": 8, "type": "sources_footnote",
                "sources": [page("c")]},
            {"matched_text": "REF", "start_idx": 4, "end_idx": 7, "type": "grouped_webpages",
                "items": [more], "alt": "([x](https://example.com/x))"},
        ]}),
    );
    assert_eq!(
        words(&reply),
        "See ([Example](https://example.com/a), [Example](https://example.com/b))."
    );
    let sources: Vec<_> = reply
        .sources
        .iter()
        .map(|source| source.title.as_deref())
        .collect();
    assert_eq!(sources, [Some("c"), Some("a"), Some("b")]);
}

#[test]
fn pictures_and_goods_that_were_shown_are_links_or_the_words_they_were_asked_by() {
    let goods = "\u{e200}products\u{e202}{\"selections\":[[\"turn0product1\",\"A shoe\"]]}\u{e201}";
    let pictures = "\u{e200}image_group\u{e202}{\"query\":[\"tide\",\"moon\"]}\u{e201}";
    let text = format!("See {goods} and {pictures}");
    let plain = said(&text, json!({}));
    assert_eq!(words(&plain), "See  (A shoe) and  (tide, moon)");
    let picture = json!({"image_result": {"title": "Tide", "url": "https://example.com/t"}});
    let shoe = json!({"title": "Shoe", "url": "https://example.com/s", "price": "$10"});
    let known = said(
        &text,
        json!({"content_references": [
            {"matched_text": goods, "type": "products", "products": [shoe]},
            {"matched_text": pictures, "type": "image_group", "images": [picture]},
        ]}),
    );
    assert_eq!(
        words(&known).trim_end(),
        "See [Shoe](https://example.com/s) and [Image: Tide](https://example.com/t)"
    );
    // What nothing is known of is left to its own words.
    let unknown = json!({"content_references": [{"matched_text": goods, "type": "products"}]});
    assert!(words(&said(&text, unknown)).contains("A shoe"));
}

#[test]
fn what_a_reference_reads_as_stands_where_there_is_no_page() {
    let reply = said(
        "In X, hidden Y, a picture Z and W.",
        json!({"content_references": [
            {"matched_text": "X", "type": "alt_text", "alt": "Zürich"},
            {"matched_text": "Y", "type": "hidden", "items": [page("a")]},
            {"matched_text": "Z", "type": "image_v2", "images": [page("b")],
                "alt": "![b](https://example.com/b.png)"},
            {"matched_text": "W", "type": "file", "name": "tides.pdf", "alt": null},
        ]}),
    );
    assert_eq!(
        words(&reply),
        "In Zürich, hidden , a picture [Image: b](https://example.com/b)\n\n and (tides.pdf)."
    );
}

#[test]
fn citations_of_the_older_kinds_are_links() {
    let reply = said(
        "It rains【7†source】 here【4:0†tides.pdf】.",
        json!({"citations": [
            {"start_ix": 8, "end_ix": 18, "citation_format_type": "tether_og",
                "metadata": {"type": "webpage", "title": "Rain", "url": "https://example.com/rain"}},
            {"start_ix": 23, "end_ix": 38, "metadata": {"type": "file", "name": "tides.pdf"}},
            {"start_ix": 0, "end_ix": 2, "invalid_reason": "Unsupported, please upgrade"},
        ]}),
    );
    assert_eq!(
        words(&reply),
        "It rains ([example.com](https://example.com/rain)) here (tides.pdf)."
    );
    assert_eq!(reply.sources.len(), 1);
}

#[test]
fn no_private_character_survives_and_no_marker_leaks() {
    let found = json!({"search_result_groups": [{"entries": [
        {"url": "https://example.com/a", "title": "A",
            "ref_id": {"turn_index": 0, "ref_type": "search", "ref_index": 1}}]}]});
    for (text, expected) in [
        (
            "a \u{e200}cite\u{e202}turn0search1\u{e202}turn9search9\u{e201}.",
            "a  ([example.com](https://example.com/a)).",
        ),
        ("a\u{e200}cite\u{e202}turn0search7\u{e201}.", "a."),
        (
            "in \u{e200}entity\u{e202}[\"city\",\"Zürich\",0]\u{e201}.",
            "in Zürich.",
        ),
        ("\u{e203}kept\u{e204} \u{e206}too", "kept too"),
        ("cut \u{e200}cite\u{e202}turn0sea", "cut "),
        ("cut \u{e200}cite\u{e202}turn0 and on", "cut  and on"),
        (
            "\u{e200}url\u{e202}Tides\u{e202}https://example.com/t\u{e201}",
            "[Tides](https://example.com/t)",
        ),
        (
            "\u{e200}filecite\u{e202}turn0search1†L1-L2\u{e201}",
            " ([example.com](https://example.com/a))",
        ),
    ] {
        let reply = reply(&[
            with(assistant("first"), json!({ "metadata": found })),
            assistant(text),
        ]);
        assert_eq!(words(&reply), format!("first|{expected}"));
    }
}

#[test]
fn addresses_and_names_cannot_break_out_of_a_link() {
    let made = crate::formats::chat::links::link("a](b)[c", "https://example.com/(x) y>");
    assert_eq!(made, "[a\\](b)\\[c](https://example.com/%28x%29%20y%3E)");
}
