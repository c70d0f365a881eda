//! Pages of the web that were read.

use askama::Template;
use serde_json::Value;

use crate::figures::{count, counted, size};
use crate::html::{Html, SafeUrl};
use crate::model::PageRead;

use super::fold::Link;
use super::{Act, Badge, Body, Drawing, Glimpse, Label, ToolView, boxes, outcome};

/// Names of the argument that is an address.
const ADDRESS: &[&str] = &["url", "uri", "link", "href"];
/// Arguments that hold several addresses, or what a search called its results.
const ADDRESSES: &[&str] = &["urls", "open", "click", "find"];

/// Draws a page with the text that was read of it.
pub(crate) struct WebFetch;

#[derive(Template)]
#[template(path = "tools/web_fetch.html")]
struct WebFetchTemplate {
    call: Html,
    title: Html,
    range: Option<String>,
    facts: Option<String>,
    text: Html,
}

/// A page as the tool of SCN Chat gives it.
struct Page {
    link: Link,
    content: String,
    offset: u64,
    next: Option<u64>,
    total: u64,
}

impl ToolView for WebFetch {
    fn name(&self) -> &'static str {
        "web_fetch"
    }

    fn names(&self) -> &'static [&'static str] {
        &[
            "web_fetch",
            "WebFetch",
            "fetch_webpage",
            "copilot_fetchWebPage",
            "vscode_fetchWebPage_internal",
            "fetch",
            "FetchURL",
            "fetch_url",
            "fetch_web_content",
            "web.open",
            "web.open_url",
            "browser.open",
            "browser.open_url",
            "web_read",
            "read_url",
            "read_web_page",
            "url_context",
        ]
    }

    fn label(&self, _: &Act<'_>) -> Label {
        Label::words("Read a page")
    }

    fn activity(&self, _: &Act<'_>) -> String {
        "Reading a page".to_owned()
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        match addresses(act).first() {
            Some(address) => Glimpse::Code(short(address)),
            None => Glimpse::Words(act.args.words(&["prompt"]).unwrap_or_default().to_owned()),
        }
    }

    fn badges(&self, act: &Act<'_>) -> Vec<Badge> {
        match addresses(act).len() {
            0 | 1 => Vec::new(),
            addresses => vec![Badge::plain(format!("+{}", addresses - 1))],
        }
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        Some(match page(act) {
            Some(page) => counted(page.total, "character", "characters"),
            None => outcome::lines_or_failure(act),
        })
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        if act.result().is_none() {
            return Some(Body::derived(&WebFetchTemplate {
                call: call(act, None, drawing),
                title: Html::default(),
                range: None,
                facts: None,
                text: boxes::no_result(act, "Reading…"),
            }));
        }
        if let Some(page) = page(act) {
            return Some(Body::derived(&WebFetchTemplate {
                call: call(act, page.link.url(), drawing),
                title: page.link.html(None),
                range: page.range(),
                facts: None,
                text: boxes::words("Page text", &page.content, drawing),
            }));
        }
        // Text with what the program recorded about the page beside it.
        let read = act.details()?.page.as_ref().filter(|_| is_plain(act))?;
        let link = Link::new(read.title.as_deref(), &read.url, None);
        Some(Body::whole(&WebFetchTemplate {
            call: call(act, link.url(), drawing),
            title: link.html(None),
            range: None,
            facts: facts(read),
            // Asked a question, such a tool answers in its own words.
            text: match act.args.words(&["prompt"]) {
                Some(_) => boxes::result_as_prose(act, drawing),
                None => boxes::result_as(act, "Reading…", drawing, &|text| {
                    boxes::words("Page text", text, drawing)
                }),
            },
        }))
    }
}

/// What neither the row nor the link to the page shows of the call. The row shows an address
/// without its scheme, so that it is told whole only by a link to just this address.
pub(super) fn call(act: &Act<'_>, link: Option<&SafeUrl>, drawing: &Drawing<'_>) -> Html {
    match act.args.named(ADDRESS) {
        Some((name, address)) if link.is_some() && SafeUrl::web(address).as_ref() == link => {
            boxes::rest(&act.args, &[&[name]], drawing)
        }
        _ => boxes::rest(&act.args, &[], drawing),
    }
}

/// Whether the call names a page.
pub(super) fn has_address(act: &Act<'_>) -> bool {
    !addresses(act).is_empty()
}

/// The pages that were asked for, in the order given.
fn addresses<'a>(act: &'a Act<'_>) -> Vec<&'a str> {
    if let Some(address) = act.args.words(ADDRESS) {
        return vec![address];
    }
    let listed = act.args.items(ADDRESSES).iter();
    let listed: Vec<&str> = listed
        .filter_map(|address| match address {
            Value::Object(address) => {
                let mut names = ["url", "ref_id"].iter();
                names.find_map(|name| address.get(*name)?.as_str())
            }
            address => address.as_str(),
        })
        .collect();
    if !listed.is_empty() {
        return listed;
    }
    // A tool that takes its addresses out of the words it is given.
    let words = act.args.words(&["prompt"]).unwrap_or_default();
    words
        .split(|c: char| c.is_whitespace() || "()<>\"'`".contains(c))
        .map(|word| word.trim_end_matches(['.', ',', ';', ':', '!', '?']))
        .filter(|word| word.starts_with("https://") || word.starts_with("http://"))
        .collect()
}

/// An address as a row shows it: host, path and query, without `www.` and a bare `/`. One that
/// is not of the web stays as it is.
fn short(address: &str) -> String {
    let Some(url) = SafeUrl::web(address) else {
        return address.to_owned();
    };
    let rest = url.as_str();
    let rest = rest.split_once("://").map_or(rest, |(_, rest)| rest);
    let rest = rest.split_once('#').map_or(rest, |(rest, _)| rest);
    let rest = rest.strip_prefix("www.").unwrap_or(rest);
    match rest.split_once('/') {
        Some((host, "")) => host.to_owned(),
        Some((host, path)) if path.starts_with('?') => format!("{host}{path}"),
        _ => rest.to_owned(),
    }
}

/// Whether the result is there, no error, and not moved into a file.
fn is_plain(act: &Act<'_>) -> bool {
    act.is_done()
        && act
            .result()
            .is_some_and(|result| result.full_output.is_none())
}

/// The page that the result holds; `None` when it has another shape.
fn page(act: &Act<'_>) -> Option<Page> {
    if !is_plain(act) {
        return None;
    }
    let value: Value = serde_json::from_str(act.output.text.trim()).ok()?;
    let title = match value.get("title") {
        Some(title) => Some(title.as_str()?),
        None => None,
    };
    Some(Page {
        link: Link::new(title, value.get("url")?.as_str()?, None),
        content: value.get("content")?.as_str()?.to_owned(),
        offset: whole(value.get("offset")?)?,
        next: match value.get("nextOffset") {
            Some(next) => Some(whole(next)?),
            None => None,
        },
        total: whole(value.get("totalCharacters")?)?,
    })
}

/// A number that counts something.
fn whole(value: &Value) -> Option<u64> {
    let float = || {
        let float = value.as_f64()?;
        (float >= 0.0 && float.fract() == 0.0).then_some(float as u64)
    };
    value.as_u64().or_else(float)
}

impl Page {
    /// Which characters were read, when it was not the whole page.
    fn range(&self) -> Option<String> {
        (self.offset > 0 || self.next.is_some()).then(|| {
            format!(
                "Characters {}–{} of {}",
                count(self.offset.saturating_add(1)),
                count(self.next.unwrap_or(self.total)),
                count(self.total)
            )
        })
    }
}

/// What is known of how the page was loaded: `HTTP 200 · 12.0 KB`.
fn facts(read: &PageRead) -> Option<String> {
    let status = read.status.map(|status| format!("HTTP {status}"));
    let facts: Vec<_> = status.into_iter().chain(read.bytes.map(size)).collect();
    (!facts.is_empty()).then(|| facts.join(" · "))
}

#[cfg(test)]
mod tests {
    use crate::model::{Details, ReplyStatus};
    use crate::tools::testing::{call, draw, html, row, text};

    use super::*;

    const INPUT: &str = r#"{"url":"https://www.example.com/a?b=c"}"#;

    fn drawn(result: &str) -> String {
        html("scn_chat", &call("web_fetch", INPUT, Some(Ok(result))))
    }

    /// S2-07: the row of a fetch.
    #[test]
    fn s2_07_the_row_says_which_page_was_read() {
        let page =
            r#"{"url":"https://example.com/b","content":"x","offset":0,"totalCharacters":48213}"#;
        let done = call("web_fetch", INPUT, Some(Ok(page)));
        assert_eq!(
            row("scn_chat", &done),
            "✓ web_fetch example.com/a?b=c → 48,213 characters"
        );
        assert!(html("scn_chat", &done).contains("<span class=\"label\">Read a page</span>"));
        let text = call("WebFetch", INPUT, Some(Ok("a\nb")));
        assert_eq!(
            row("claude_code", &text),
            "✓ WebFetch example.com/a?b=c → 2 lines"
        );
    }

    #[test]
    fn s2_07_an_address_loses_scheme_www_and_a_bare_path() {
        assert_eq!(short("https://www.example.com/"), "example.com");
        assert_eq!(short("http://example.com:81/a/?b#c"), "example.com:81/a/?b");
        assert_eq!(short("https://example.com/?q=1"), "example.com?q=1");
        assert_eq!(short("https://exämple.com/ä"), "xn--exmple-cua.com/%C3%A4");
        assert_eq!(short("javascript:alert(1)"), "javascript:alert(1)");
    }

    #[test]
    fn s2_12_a_running_fetch_says_so() {
        let call = call("web_fetch", INPUT, None);
        let html = draw("scn_chat", &call, ReplyStatus::Pending)
            .0
            .into_string();
        assert!(
            html.contains("<p class=\"quiet\" dir=\"auto\">Reading…</p>"),
            "{html}"
        );
    }

    /// S2-13: as for a search, and a title or a next offset of another kind.
    #[test]
    fn s2_13_any_other_shape_has_the_default_body() {
        for other in [
            "plain text",
            r#"{"content":"x","offset":0,"totalCharacters":1}"#,
            r#"{"url":"u","offset":0,"totalCharacters":1}"#,
            r#"{"url":"u","content":"x","totalCharacters":1}"#,
            r#"{"url":"u","content":"x","offset":"0","totalCharacters":1}"#,
            r#"{"url":"u","content":"x","offset":0}"#,
            r#"{"url":"u","content":"x","offset":0,"totalCharacters":1,"title":null}"#,
            r#"{"url":"u","content":"x","offset":0,"totalCharacters":1,"nextOffset":"2"}"#,
        ] {
            assert!(
                drawn(other).contains("<p class=\"head\">Output</p>"),
                "{other}"
            );
        }
        let good = r#"{"url":"u","content":"x","offset":0,"totalCharacters":1}"#;
        assert!(!drawn(good).contains("<p class=\"head\">Output</p>"));
        let failed = call("web_fetch", INPUT, Some(Err(good)));
        assert!(html("scn_chat", &failed).contains("<p class=\"head\">Error</p>"));
    }

    /// S2-14, S2-16: title, host, which characters, and the text as it was read.
    #[test]
    fn s2_14_the_body_is_the_page() {
        let html = drawn(
            r##"{"url":"https://www.example.com/final","title":"T","content":"# Not a heading\n<b>","offset":20000,"nextOffset":40000,"totalCharacters":48213}"##,
        );
        assert!(html.contains("<a class=\"title\" href=\"https://www.example.com/final\" target=\"_blank\" rel=\"noreferrer"));
        assert!(html.contains(">T</a><span class=\"host\">example.com</span>"));
        assert!(text(&html).contains("Characters 20,001–40,000 of 48,213"));
        assert!(html.contains("<div class=\"box out\" dir=\"auto\""));
        assert!(html.contains("# Not a heading\n&lt;b&gt;"));
        let last =
            drawn(r#"{"url":"u","title":"","content":"x","offset":40000,"totalCharacters":48213}"#);
        assert!(text(&last).contains("Characters 40,001–48,213 of 48,213"));
        let whole =
            drawn(r#"{"url":"https://example.com","content":"x","offset":0,"totalCharacters":1}"#);
        assert!(!text(&whole).contains("Characters 1"));
        assert!(whole.contains(">example.com</a><span class=\"host\">example.com</span>"));
    }

    /// S2-15: nothing that a page said becomes markup.
    #[test]
    fn s2_15_markup_in_a_page_shows_as_text() {
        let html = drawn(
            r#"{"url":"javascript:alert(1)","title":"<script>","content":"<img src=x>![a](https://example.com/i.png)","offset":0,"totalCharacters":1}"#,
        );
        for markup in ["<script", "<img", "href=\"javascript"] {
            assert!(!html.contains(markup), "{markup}: {html}");
        }
        assert!(html.contains("<span class=\"title\" dir=\"auto\">&lt;script&gt;</span>"));
    }

    #[test]
    fn a_text_with_a_recorded_page_has_its_title_and_its_text() {
        let mut call = call(
            "WebFetch",
            r#"{"url":"https://example.com/a","prompt":"What?"}"#,
            Some(Ok("Answer.")),
        );
        call.result.as_mut().expect("a result").details = Some(Box::new(Details {
            page: Some(PageRead {
                url: "https://example.com/b".into(),
                title: None,
                status: Some(200),
                bytes: Some(2_048),
            }),
            ..Details::default()
        }));
        let html = html("claude_code", &call);
        assert!(html.contains("href=\"https://example.com/b\""));
        assert!(text(&html).contains("HTTP 200 · 2.0 KB"));
        assert_eq!(text(&html).matches("Answer.").count(), 1);
        assert!(text(&html).contains("What?"));
    }

    #[test]
    fn an_address_that_the_row_does_not_tell_stands_in_the_body() {
        for address in [
            "https://example.com/a#part",
            "ftp://example.com",
            "https://a@example.com/",
        ] {
            let html = html(
                "x",
                &call("web_fetch", &format!(r#"{{"url":"{address}"}}"#), None),
            );
            let body = &html[html.find("class=\"body\"").expect("a body")..];
            assert!(text(body).contains(address), "{address}");
        }
    }

    #[test]
    fn several_pages_are_counted() {
        let call = call(
            "fetch_webpage",
            r#"{"urls":["https://example.com/a","https://example.com/b"]}"#,
            None,
        );
        assert_eq!(
            row("copilot", &call),
            "◌ fetch_webpage example.com/a +1 incomplete"
        );
        let asked = crate::tools::testing::call(
            "web_fetch",
            r#"{"prompt":"Sum up https://example.com/c."}"#,
            None,
        );
        assert_eq!(
            row("gemini", &asked),
            "◌ web_fetch example.com/c incomplete"
        );
    }
}
