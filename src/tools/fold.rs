//! A list of links, folded after the seventh: what a search found, and what a reply cites.

use askama::Template;

use crate::html::{Html, SafeUrl, Text};

/// Links that show before the fold. A list that would hide only one more shows it.
const SHOWN: usize = 7;

/// A link to a page, as a list shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    /// Where it goes; `None` for an address that may not be linked.
    url: Option<SafeUrl>,
    /// What it is called: the page's title, else its host, else its address as recorded.
    title: String,
    /// The page's host; `None` when there is no link.
    host: Option<String>,
    /// Some of the page's text.
    snippet: Option<String>,
}

#[derive(Template)]
#[template(path = "link.html")]
struct LinkTemplate<'a> {
    url: Option<&'a SafeUrl>,
    id: Option<&'a str>,
    title: Text<'a>,
    host: Option<Text<'a>>,
    snippet: Option<Text<'a>>,
}

#[derive(Template)]
#[template(path = "fold.html")]
struct FoldTemplate {
    shown: Vec<Html>,
    folded: Vec<Html>,
    start: usize,
    target: String,
}

impl Link {
    /// A link to an address as recorded.
    pub(crate) fn new(title: Option<&str>, address: &str, snippet: Option<&str>) -> Self {
        let url = SafeUrl::web(address);
        let host = url.as_ref().and_then(SafeUrl::host);
        let title = title
            .filter(|title| !title.trim().is_empty())
            .or(host.as_deref())
            .unwrap_or(address)
            .to_owned();
        let snippet = snippet
            .filter(|snippet| !snippet.trim().is_empty())
            .map(str::to_owned);
        Self {
            url,
            title,
            host,
            snippet,
        }
    }

    /// Where it goes.
    pub(super) fn url(&self) -> Option<&SafeUrl> {
        self.url.as_ref()
    }

    /// The link over its host and its snippet. An `id` makes it a place that can be jumped to.
    pub(super) fn html(&self, id: Option<&str>) -> Html {
        Html::render(&LinkTemplate {
            url: self.url.as_ref(),
            id,
            title: Text(&self.title),
            host: self.host.as_deref().map(Text),
            snippet: self.snippet.as_deref().map(Text),
        })
    }
}

/// Draws links: all of up to eight, else the first seven and a fold. `id` is one that nothing
/// else on the page has; opening the fold leads to the first link in it by that id.
pub(crate) fn fold(links: &[Link], id: &str) -> Html {
    let (shown, folded) = if links.len() > SHOWN + 1 {
        links.split_at(SHOWN)
    } else {
        (links, &[][..])
    };
    let target = format!("{id}-{}", SHOWN + 1);
    let folded = folded.iter().enumerate();
    Html::render(&FoldTemplate {
        shown: shown.iter().map(|link| link.html(None)).collect(),
        folded: folded
            .map(|(index, link)| link.html((index == 0).then_some(&target)))
            .collect(),
        start: SHOWN + 1,
        target,
    })
}

#[cfg(test)]
mod tests {
    use crate::tools::testing::text;

    use super::*;

    fn links(count: usize) -> String {
        let links: Vec<_> = (1..=count)
            .map(|n| {
                Link::new(
                    Some(&format!("Page {n}.")),
                    "https://www.example.com/a",
                    None,
                )
            })
            .collect();
        fold(&links, "x1").into_string()
    }

    /// S2-09, S2-19: eight show as they are, from nine on the eighth begins the fold.
    #[test]
    fn s2_09_a_list_folds_after_the_seventh_of_more_than_eight() {
        let eight = links(8);
        assert_eq!(eight.matches("<li>").count(), 8);
        assert!(!eight.contains("<details"));
        for (count, words) in [(9, "Show 2 more"), (10, "Show 3 more")] {
            let html = links(count);
            assert_eq!(html.matches("<li>").count(), count);
            let (shown, folded) = html.split_once("<details").expect("a fold");
            assert_eq!(shown.matches("<li>").count(), 7);
            assert!(!folded.split_once('>').expect("a tag").0.contains("open"));
            assert_eq!(text(shown).matches(words).count(), 1);
            assert_eq!(text(folded).matches(words).count(), 1);
            assert_eq!(text(folded).matches("Show less").count(), 1);
        }
    }

    /// S2-09: the control leads to the first link that it shows, so that the focus goes there.
    #[test]
    fn s2_09_the_fold_leads_to_its_first_link() {
        let html = links(10);
        assert!(html.contains("href=\"#x1-8\""), "{html}");
        assert!(
            html.contains("<ol class=\"results\" role=\"list\" start=\"8\"><li><a id=\"x1-8\" "),
            "{html}"
        );
        assert_eq!(html.matches(" id=").count(), 1);
    }

    #[test]
    fn a_folded_entry_without_a_link_can_be_jumped_to_all_the_same() {
        let bad = vec![Link::new(Some("Page"), "ftp://example.com", None); 9];
        let html = fold(&bad, "x1").into_string();
        assert!(html.contains("<span id=\"x1-8\" tabindex=\"-1\""), "{html}");
    }

    /// S2-08, S2-11: only web addresses are linked; a page without a title goes by its host.
    #[test]
    fn s2_11_only_web_addresses_are_linked() {
        let link = Link::new(Some("T"), "https://www.example.com/x", Some("s")).html(None);
        let html = link.as_str();
        assert!(html.contains("href=\"https://www.example.com/x\" target=\"_blank\""));
        assert!(html.contains("rel=\"noreferrer noopener nofollow ugc\""));
        assert_eq!(text(html), "Texample.coms");
        for address in ["javascript:alert(1)", "data:text/html,x", "/x", "http://"] {
            let html = Link::new(Some("T"), address, None).html(None);
            assert_eq!(html.as_str(), "<span class=\"title\" dir=\"auto\">T</span>");
        }
        assert_eq!(
            Link::new(None, "https://example.com/x", None).title,
            "example.com"
        );
        assert_eq!(Link::new(Some(" "), "mailto:x", None).title, "mailto:x");
    }
}
