//! Searches of the web.

use askama::Template;
use serde_json::Value;

use crate::figures::counted;
use crate::html::Html;
use crate::model::{SearchHit, ToolResult};

use super::args::QUERY;
use super::fold::{Link, fold};
use super::search_hits::{hits, linked};
use super::{Act, Badge, Body, Drawing, Glimpse, Label, ToolView, boxes, card, outcome, web_fetch};

/// Arguments that hold several queries.
const QUERIES: &[&str] = &["queries", "search_query", "search_queries", "image_query"];
const DOMAINS: &[&str] = &["allowed_domains", "domains", "allowedDomains"];

/// Draws a search with the pages that it found.
pub(crate) struct WebSearch;

#[derive(Template)]
#[template(path = "tools/web_search.html")]
struct WebSearchTemplate {
    call: Html,
    found: Option<Found>,
    nothing: Html,
}

struct Found {
    list: Option<Html>,
    words: Html,
}

impl ToolView for WebSearch {
    fn name(&self) -> &'static str {
        "web_search"
    }

    fn names(&self) -> &'static [&'static str] {
        &[
            "web_search",
            "x_search",
            "x_keyword_search",
            "x_semantic_search",
            "WebSearch",
            "google_web_search",
            "web.search",
            "web.run",
            "chatgpt/web",
            "browser.search",
            "tavily_search",
            "brave_web_search",
            "exa_search",
            "web_search_call",
            "web_search_preview",
            "web_search_fast",
            "google_search",
            "search_web",
            "claude/image_search",
        ]
    }

    fn label(&self, act: &Act<'_>) -> Label {
        if opens_page(act) {
            web_fetch::WebFetch.label(act)
        } else {
            Label::words("Searched the web")
        }
    }

    fn activity(&self, act: &Act<'_>) -> String {
        if opens_page(act) {
            web_fetch::WebFetch.activity(act)
        } else {
            "Searching the web".to_owned()
        }
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        match queries(act).first() {
            Some(query) => Glimpse::Quote((*query).to_owned()),
            None => web_fetch::WebFetch.glimpse(act),
        }
    }

    fn badges(&self, act: &Act<'_>) -> Vec<Badge> {
        let more = match queries(act).len() {
            0 | 1 => None,
            queries => Some(format!("+{}", queries - 1)),
        };
        let domains: Vec<&str> = act
            .args
            .items(DOMAINS)
            .iter()
            .filter_map(Value::as_str)
            .collect();
        let domains = match domains[..] {
            [] => None,
            [domain] => Some(format!("allowed_domains={domain}")),
            [first, ..] => Some(format!("allowed_domains={first} +{}", domains.len() - 1)),
        };
        more.into_iter().chain(domains).map(Badge::plain).collect()
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        Some(match hits(act) {
            Some((hits, _)) if hits.is_empty() => "no results".to_owned(),
            Some((hits, _)) => counted(hits.len() as u64, "result", "results"),
            None if is_silent(act) => "not recorded".to_owned(),
            None => outcome::lines_or_failure(act),
        })
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        let found = match hits(act) {
            Some((hits, words)) => Some(found(&hits, words.as_deref(), answer(act), drawing)),
            // A result of any other shape is shown as it is.
            None if act.result().is_some() && !is_silent(act) => return None,
            None => None,
        };
        let is_whole = answer(act).is_some();
        let template = WebSearchTemplate {
            call: call(act, drawing),
            found,
            nothing: if is_silent(act) {
                boxes::remark("What was found is not in the transcript.")
            } else {
                boxes::no_result(act, "Searching…")
            },
        };
        Some(match is_whole {
            true => Body::whole(&template),
            false => Body::derived(&template),
        })
    }
}

fn found(
    hits: &[SearchHit],
    words: Option<&str>,
    answer: Option<&str>,
    drawing: &Drawing<'_>,
) -> Found {
    let links: Vec<Link> = hits
        .iter()
        .map(|hit| Link::new(Some(&hit.title), &hit.url, hit.snippet.as_deref()))
        .collect();
    Found {
        list: (!links.is_empty()).then(|| fold(&links, &drawing.fresh_id())),
        words: match (answer, words) {
            (Some(answer), _) => boxes::prose(answer, drawing),
            (None, Some(words)) => boxes::words("Answer", words, drawing),
            (None, None) => Html::default(),
        },
    }
}

/// What the row does not show of the call.
fn call(act: &Act<'_>, drawing: &Drawing<'_>) -> Html {
    match act.args.named(QUERY) {
        Some((name, query)) if card::fits_glimpse(query) => {
            boxes::rest(&act.args, &[&[name]], drawing)
        }
        None if opens_page(act) => web_fetch::call(act, None, drawing),
        _ => match act.args.query_lines(QUERIES) {
            Some((name, lines)) => {
                let mut html = match &lines[..] {
                    [one] if card::fits_glimpse(one) => Html::default(),
                    lines => boxes::words("Searched for", &lines.join("\n"), drawing),
                };
                html.push(&boxes::rest(&act.args, &[&[name]], drawing));
                html
            }
            None => boxes::rest(&act.args, &[], drawing),
        },
    }
}

/// What was searched for, in the order given.
fn queries<'a>(act: &'a Act<'_>) -> Vec<&'a str> {
    if let Some(query) = act.args.words(QUERY) {
        return vec![query];
    }
    if let Some(free) = &act.args.free {
        // `search("a query", recency_days=7)`, as old tools of chat programs were called.
        return vec![free.split('"').nth(1).unwrap_or(free)];
    }
    let queries = act.args.items(QUERIES).iter();
    queries
        .filter_map(|query| match query {
            Value::Object(query) => QUERY.iter().find_map(|name| query.get(*name)?.as_str()),
            query => query.as_str(),
        })
        .collect()
}

/// Whether the search is done, and the program keeps nothing of what such a search finds.
fn is_silent(act: &Act<'_>) -> bool {
    let is_empty = |result: &ToolResult| {
        result.text.trim().is_empty() && result.images.is_empty() && result.full_output.is_none()
    };
    act.is_done() && act.result().is_some_and(is_empty) && hits(act).is_none()
}

/// Whether the search tool was asked to open a page instead.
fn opens_page(act: &Act<'_>) -> bool {
    queries(act).is_empty() && web_fetch::has_address(act)
}

/// The answer that the pages were found for, where it is all of the result's text: the pages were
/// recorded apart from it.
fn answer<'a>(act: &'a Act<'_>) -> Option<&'a str> {
    act.details()
        .filter(|details| details.hits.is_some() && act.is_done())?;
    let text = act.output.text.trim();
    let is_data = text.starts_with(['{', '[']) || linked(text).is_some();
    (!text.is_empty() && !is_data).then_some(text)
}

#[cfg(test)]
mod tests {
    use crate::model::{Details, ReplyStatus, TextFile};
    use crate::tools::testing::{call, draw, html, row, text};

    use super::*;

    const QUERY: &str = r#"{"query":"best espresso grinder 2026"}"#;

    fn results(count: usize) -> String {
        let item = |n| {
            format!(
                r#"{{"title":"Page {n}","url":"https://www.example.com/{n}","snippet":"About {n}"}}"#
            )
        };
        let items: Vec<_> = (1..=count).map(item).collect();
        format!(r#"{{"results":[{}]}}"#, items.join(","))
    }

    fn drawn(result: &str) -> String {
        html(
            "scn_chat",
            &crate::tools::testing::call("web_search", QUERY, Some(Ok(result))),
        )
    }

    /// Whether the card has the default body.
    fn is_default(html: &str) -> bool {
        html.contains("<p class=\"head\">Input</p>") && !html.contains("class=\"results\"")
    }

    /// S1-10, S2-07: the row of a search.
    #[test]
    fn s2_07_the_row_says_what_was_searched_for() {
        let lines = "- a result\n".repeat(37);
        let dispatch = call(
            "web_search",
            r#"{"query":"svelte 5 runes snippets"}"#,
            Some(Ok(&lines)),
        );
        assert_eq!(
            row("dispatch", &dispatch),
            "✓ web_search “svelte 5 runes snippets” → 37 lines"
        );
        let scn = call("web_search", QUERY, Some(Ok(&results(3))));
        assert_eq!(
            row("scn_chat", &scn),
            "✓ web_search “best espresso grinder 2026” → 3 results"
        );
        assert!(html("scn_chat", &scn).contains("<span class=\"label\">Searched the web</span>"));
    }

    /// S2-08: titles as links in a new tab, hosts without `www.`, snippets as plain text.
    #[test]
    fn s2_08_results_are_links_with_host_and_snippet() {
        let html = drawn(
            r#"{"results":[{"title":"A <b>","url":"https://www.example.com/a?b=c","snippet":"*x* <img src=y>"},{"title":"","url":"https://example.org/"}]}"#,
        );
        assert!(html.contains(
            "<li><a class=\"title\" href=\"https://www.example.com/a?b=c\" target=\"_blank\" rel=\"noreferrer noopener nofollow ugc\" dir=\"auto\">A &lt;b&gt;</a><span class=\"host\">example.com</span><p class=\"snippet\" dir=\"auto\">*x* &lt;img src=y&gt;</p></li>"
        ), "{html}");
        assert!(html.contains(">example.org</a>"), "{html}");
    }

    /// S2-09: the list folds, and two searches on a page have ids of their own.
    #[test]
    fn s2_09_many_results_fold() {
        assert!(!drawn(&results(8)).contains("Show"));
        let html = drawn(&results(10));
        assert_eq!(html.matches("Show 3 more").count(), 2);
        assert!(html.contains("href=\"#x1-8\"") && html.contains("id=\"x1-8\""));
    }

    #[test]
    fn s2_10_no_results_are_told() {
        let html = drawn(r#"{"results":[]}"#);
        assert!(text(&html).contains("No results."));
        let call = call("web_search", QUERY, Some(Ok(r#"{"results":[]}"#)));
        assert!(row("scn_chat", &call).ends_with("→ no results"));
    }

    #[test]
    fn s2_11_an_address_that_is_not_of_the_web_is_no_link() {
        for address in [
            "javascript:alert(1)",
            "data:,x",
            "ftp://example.com/",
            "/a",
            "http://",
        ] {
            let html = drawn(&format!(
                r#"{{"results":[{{"title":"T","url":"{address}"}}]}}"#
            ));
            assert!(
                html.contains("<li><span class=\"title\" dir=\"auto\">T</span></li>"),
                "{html}"
            );
        }
    }

    #[test]
    fn s2_12_a_running_search_says_so() {
        let running = call("web_search", QUERY, None);
        let html = draw("scn_chat", &running, ReplyStatus::Pending)
            .0
            .into_string();
        assert!(
            html.contains("<p class=\"quiet\" dir=\"auto\">Searching…</p>"),
            "{html}"
        );
        let stopped = draw("scn_chat", &running, ReplyStatus::Cancelled)
            .0
            .into_string();
        assert!(!stopped.contains("Searching…"));
    }

    /// S2-13: an error, an output in a file, no JSON, a field that is missing or of another kind.
    #[test]
    fn s2_13_any_other_shape_has_the_default_body() {
        for other in [
            "plain text",
            "7",
            r#"{"hits":[]}"#,
            r#"{"results":{}}"#,
            r#"{"results":[{"title":"T","url":"https://example.com"},{"title":"T"}]}"#,
            r#"{"results":[{"title":1,"url":"https://example.com"}]}"#,
            r#"{"results":[{"title":"T","url":"https://example.com","snippet":2}]}"#,
            r#"{"results":["T"]}"#,
        ] {
            assert!(is_default(&drawn(other)), "{other}");
        }
        let failed = call("web_search", QUERY, Some(Err(&results(1))));
        assert!(is_default(&html("scn_chat", &failed)));
        assert!(html("scn_chat", &failed).contains("<p class=\"head\">Error</p>"));
        let mut moved = call("web_search", QUERY, Some(Ok(&results(1))));
        moved.result.as_mut().expect("a result").full_output = Some(TextFile {
            name: "out.json".into(),
            text: None,
            bytes: None,
        });
        assert!(is_default(&html("scn_chat", &moved)));
    }

    #[test]
    fn several_queries_are_lines() {
        let input = r#"{"search_query":[{"q":"tide"},{"q":"moon","recency":7,"domains":["example.com"]}],"response_length":"short"}"#;
        let words = text(&html("chatgpt", &call("web.run", input, None)));
        assert!(words.contains("tide\nmoon · last 7 days · example.com"));
        assert!(words.contains("response_length") && !words.contains("search_query"));
    }

    /// S2-15: nothing that a page said becomes markup.
    #[test]
    fn s2_15_markup_in_results_shows_as_text() {
        let html = drawn(
            r#"{"results":[{"title":"<script>x</script>","url":"https://example.com/\"onclick=x","snippet":"<img src=x onerror=y>[a](javascript:z)"}]}"#,
        );
        for markup in [
            "<script",
            "<img",
            "<iframe",
            "\"onclick",
            "href=\"javascript",
        ] {
            assert!(!html.contains(markup), "{markup}: {html}");
        }
    }

    /// S2-17: a viewed card keeps its glimpse when it is open.
    #[test]
    fn s2_17_the_card_keeps_its_glimpse() {
        assert!(drawn(&results(1)).contains("<details class=\"card done lone\""));
    }

    #[test]
    fn links_in_a_text_are_a_list_and_the_words_stay() {
        let result = "Web search results for query: \"q\"\n\nLinks: [{\"title\":\"A\",\"url\":\"https://example.com/a\"}]\n\nIt says so.";
        let html = drawn(result);
        assert!(html.contains("href=\"https://example.com/a\""));
        assert_eq!(
            text(&html).matches("It says so.").count(),
            2,
            "in the body and as recorded"
        );
        let mut call = call("WebSearch", QUERY, Some(Ok("something else")));
        call.result.as_mut().expect("a result").details = Some(Box::new(Details {
            hits: Some(vec![SearchHit::default(); 2]),
            ..Details::default()
        }));
        assert!(row("claude_code", &call).ends_with("→ 2 results"));
    }

    #[test]
    fn a_search_whose_results_no_program_keeps_says_so() {
        let call = call("web_search_call", QUERY, Some(Ok("")));
        assert!(row("codex", &call).ends_with("→ not recorded"));
        assert!(text(&html("codex", &call)).contains("not in the transcript"));
    }

    #[test]
    fn several_queries_and_domains_are_counted() {
        let input = r#"{"search_query":[{"q":"one"},{"q":"two"},{"q":"three"}],"allowed_domains":["example.com","example.org"]}"#;
        let call = call("web.run", input, None);
        assert_eq!(
            row("chatgpt", &call),
            "◌ web.run “one” +2 allowed_domains=example.com +1 incomplete"
        );
        let html = text(&html("chatgpt", &call));
        assert!(html.contains("three") && html.contains("example.org"));
    }

    #[test]
    fn a_query_that_the_row_cuts_stands_in_the_body() {
        let long = "word ".repeat(60);
        let call = call("web_search", &format!(r#"{{"query":"{long}"}}"#), None);
        assert!(text(&html("scn_chat", &call)).contains(&long));
    }

    #[test]
    fn a_search_tool_that_opens_a_page_reads_a_page() {
        let call = call(
            "web_search_call",
            r#"{"type":"open_page","url":"https://example.com/a"}"#,
            None,
        );
        assert!(html("codex", &call).contains("<span class=\"label\">Read a page</span>"));
        assert_eq!(
            row("codex", &call),
            "◌ web_search_call example.com/a incomplete"
        );
    }
}
