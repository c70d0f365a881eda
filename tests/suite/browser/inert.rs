//! The inertness check: nothing in a folder of pages runs, asks the network or leads nowhere.
//!
//! Every page is opened three times: as readers with scripts switched off see it, with scripts
//! allowed under the page's own policy, and with scripts allowed and the policy switched off.
//! The last shows that the page is inert by what it holds and not only by what the policy stops.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::thread;

use serde_json::json;
use tempfile::TempDir;
use url::Url;

use super::{Page, View, file_url};

/// Attributes that every element may carry, beside `aria-*` and `data-*`.
const EVERYWHERE: &[&str] = &[
    "class", "dir", "hidden", "id", "lang", "role", "tabindex", "title",
];

/// The elements that a page may hold, and the attributes that each may carry of its own.
const ELEMENTS: &[(&str, &[&str])] = &[
    ("a", &["href", "rel", "target"]),
    ("abbr", &[]),
    ("article", &[]),
    ("aside", &[]),
    ("b", &[]),
    ("bdi", &[]),
    ("blockquote", &[]),
    ("body", &[]),
    ("br", &[]),
    ("caption", &[]),
    ("cite", &[]),
    ("code", &[]),
    ("dd", &[]),
    ("del", &[]),
    ("details", &[]),
    ("div", &[]),
    ("dl", &[]),
    ("dt", &[]),
    ("em", &[]),
    ("fieldset", &[]),
    ("figcaption", &[]),
    ("figure", &[]),
    ("footer", &[]),
    ("h1", &[]),
    ("h2", &[]),
    ("h3", &[]),
    ("h4", &[]),
    ("h5", &[]),
    ("h6", &[]),
    ("head", &[]),
    ("header", &[]),
    ("hr", &[]),
    ("html", &[]),
    ("i", &[]),
    (
        "img",
        &["alt", "decoding", "height", "loading", "src", "width"],
    ),
    ("input", &["checked", "name", "type"]),
    ("ins", &[]),
    ("kbd", &[]),
    ("label", &["for"]),
    ("legend", &[]),
    ("li", &["value"]),
    ("link", &["href", "rel", "title", "type"]),
    ("main", &[]),
    ("mark", &[]),
    (
        "meta",
        &["charset", "content", "http-equiv", "name", "property"],
    ),
    ("nav", &[]),
    ("ol", &["reversed", "start"]),
    ("p", &[]),
    ("pre", &[]),
    ("q", &[]),
    ("s", &[]),
    ("samp", &[]),
    ("section", &[]),
    ("small", &[]),
    ("span", &[]),
    ("strong", &[]),
    // Of a page that is one file; its hash stands in the policy, which the browser checks.
    ("style", &[]),
    ("sub", &[]),
    ("summary", &[]),
    ("sup", &[]),
    ("table", &[]),
    ("tbody", &[]),
    ("td", &["colspan", "rowspan"]),
    ("tfoot", &[]),
    ("th", &["colspan", "rowspan", "scope"]),
    ("thead", &[]),
    ("time", &["datetime"]),
    ("title", &[]),
    ("tr", &[]),
    ("ul", &[]),
    ("wbr", &[]),
];

/// The narrowest window that a page must fit, in CSS pixels.
const NARROW: u32 = 360;

/// How many pages are looked at side by side.
const WORKERS: usize = 2;

/// What one page told about itself.
#[derive(Default, serde::Deserialize)]
struct Seen {
    problems: Vec<String>,
    ids: BTreeSet<String>,
    links: Vec<String>,
}

/// Every problem of the pages under a folder, as `page: what`; none when they are inert and
/// whole. Also none, with one line that says so, when there is no browser.
///
/// A page may ask for nothing but style sheets and images beside it; no script may be compiled,
/// the policy must have nothing to stop, the console nothing to say. Elements and attributes are
/// of a closed list; ids are unique; there is one `h1` and one `main`; every link inside the
/// folder finds its file and its anchor; and with all folds open nothing is wider than 360 px.
///
/// # Panics
/// When there is no browser and `FOLDOUT_REQUIRE_BROWSER=1`.
pub(crate) fn check(folder: &Path) -> Vec<String> {
    look(folder).unwrap_or_default()
}

/// The problems as [`check`] gives them; `None` when there is no browser.
fn look(folder: &Path) -> Option<Vec<String>> {
    let folder = folder.canonicalize().expect("the folder of pages is there");
    let pages = pages_under(&folder);
    if pages.is_empty() {
        return Some(vec![format!("{}: no page", folder.display())]);
    }
    let seen: Option<Vec<_>> = thread::scope(|scope| {
        let shares = pages.chunks(pages.len().div_ceil(WORKERS));
        let threads: Vec<_> = shares
            .map(|share| scope.spawn(|| look_at_all(share, &folder)))
            .collect();
        let joined = threads.into_iter().map(|thread| thread.join());
        joined
            .map(|done| done.unwrap_or_else(|why| std::panic::resume_unwind(why)))
            .collect()
    });
    let seen: BTreeMap<_, _> = seen?.into_iter().flatten().collect();
    let mut problems = Vec::new();
    for (path, page) in &seen {
        let name = path.strip_prefix(&folder).unwrap_or(path).display();
        let dead = page
            .links
            .iter()
            .filter_map(|link| dead(link, &folder, &seen));
        let all = page.problems.iter().cloned().chain(dead);
        problems.extend(all.map(|what| format!("{name}: {what}")));
    }
    Some(problems)
}

fn pages_under(folder: &Path) -> Vec<PathBuf> {
    let files = walkdir::WalkDir::new(folder).sort_by_file_name();
    files
        .into_iter()
        .map(|entry| entry.expect("the folder can be listed").into_path())
        .filter(|path| path.extension().is_some_and(|end| end == "html"))
        .collect()
}

/// Looks at some pages in each of the three ways; `None` when there is no browser.
fn look_at_all(paths: &[PathBuf], folder: &Path) -> Option<Vec<(PathBuf, Seen)>> {
    let narrow = View {
        width: NARROW,
        ..View::default()
    };
    let loud = View {
        scripts: true,
        ..narrow
    };
    let bare = View {
        policy: false,
        ..loud
    };
    let quiet = super::open(narrow)?;
    let allowed = [
        (super::open(loud)?, "scripts allowed"),
        (super::open(bare)?, "policy off"),
    ];
    let elements: BTreeMap<_, _> = ELEMENTS.iter().copied().collect();
    let closed_list = json!({ "everywhere": EVERYWHERE, "elements": elements });
    let inspect = format!("({})({closed_list})", include_str!("inspect.js").trim_end());
    let pages = paths.iter().map(|path| {
        let url = file_url(path);
        quiet.go(&url);
        let mut seen = match quiet.try_eval(&inspect) {
            Ok(seen) => serde_json::from_value(seen).expect("inspect.js answers in this shape"),
            Err(why) => Seen {
                problems: vec![format!("could not be read: {why}")],
                ..Seen::default()
            },
        };
        seen.problems.extend(acts(&quiet, &url, folder));
        for (page, how) in &allowed {
            page.go(&url);
            // A page that went elsewhere has been found out already, whatever this answers.
            let _ = page.open_all_folds();
            for what in acts(page, &url, folder) {
                seen.problems.push(format!("{what} ({how})"));
            }
        }
        (path.clone(), seen)
    });
    Some(pages.collect())
}

/// What a page did that an inert one does not.
fn acts(page: &Page, url: &str, folder: &Path) -> Vec<String> {
    let mut acts = Vec::new();
    for request in page.requests() {
        let stylish = matches!(request.kind.as_str(), "Stylesheet" | "Image");
        let near = is_inside(&request.url, folder) || request.url.starts_with("data:image/");
        if request.url != url && !(stylish && near) {
            acts.push(format!("asked for {} ({})", request.url, request.kind));
        }
    }
    let stopped = page.violations();
    acts.extend(stopped.iter().map(|what| format!("policy: {what}")));
    let scripts = page.scripts();
    acts.extend(scripts.iter().map(|at| format!("ran a script of {at}")));
    let console = page.console();
    acts.extend(console.iter().map(|line| format!("console: {line}")));
    let journeys = page.journeys();
    let away = journeys.iter().filter(|there| *there != url);
    acts.extend(away.map(|there| format!("went to {there}")));
    acts
}

fn is_inside(url: &str, folder: &Path) -> bool {
    let path = Url::parse(url).ok().and_then(|url| url.to_file_path().ok());
    path.is_some_and(|path| path.starts_with(folder))
}

/// Why a link inside the folder leads nowhere; `None` when it does not.
fn dead(link: &str, folder: &Path, seen: &BTreeMap<PathBuf, Seen>) -> Option<String> {
    let problem = |why: &str| Some(format!("link {why}: {link}"));
    let Ok(mut url) = Url::parse(link) else {
        return problem("does not parse");
    };
    let fragment = url.fragment().map(str::to_owned);
    url.set_fragment(None);
    let Ok(path) = url.to_file_path() else {
        return problem("names no file");
    };
    if !path.starts_with(folder) {
        return problem("leaves the folder");
    }
    if !path.is_file() {
        return problem("finds no file");
    }
    match (fragment, seen.get(&path)) {
        (Some(id), Some(page)) if !page.ids.contains(&id) => problem("finds no anchor"),
        _ => None,
    }
}

const HEAD: &str = "<!doctype html><html lang=en><head><meta charset=utf-8>\
    <meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'self'; img-src 'self' data:\">\
    <meta name=referrer content=no-referrer><meta name=viewport content='width=device-width'>\
    <title>A page</title><link rel=stylesheet href=style.css></head>";

/// Bodies that must be found out, each with words of the problem.
const BROKEN: &[(&str, &[&str])] = &[
    (
        "<script>1</script>",
        &[
            "<script> is not allowed",
            "ran a script of file:",
            "policy: script-src",
        ],
    ),
    (
        "<img src=x.png alt='' onerror=alert(1)>",
        &[
            "<img onerror> is not allowed",
            "console: dialog: 1 (policy off)",
            "console: Failed to load resource",
        ],
    ),
    (
        "<details ontoggle=alert(1)><summary>s</summary>b</details>",
        &["console: dialog: 1 (policy off)"],
    ),
    ("<p style='color:red'>p", &["<p style> is not allowed"]),
    ("<iframe src=b.html></iframe>", &["<iframe> is not allowed"]),
    ("<svg><path /></svg>", &["<svg> is not allowed"]),
    ("<form action=/x></form>", &["<form> is not allowed"]),
    ("<input type=text>", &["<input type=text> is not allowed"]),
    (
        "<meta http-equiv=refresh content='900;url=b.html'>",
        &["<meta http-equiv=refresh> is not allowed"],
    ),
    (
        "<meta http-equiv=refresh content='0;url=b.html'>",
        &["went to file:"],
    ),
    (
        "<img src=http://pictures.example.com/a.png alt=''>",
        &["asked for http://pictures.example.com/a.png (Image)"],
    ),
    (
        "<img src=data:image/svg+xml,x alt=''><img src=data:image/gif;base64,>",
        &["data that is not a raster image", "<img> lacks alt"],
    ),
    (
        "<a href='javascript:alert(1)'>a</a><a href=ftp://example.com/>a</a>",
        &["leads to javascript:", "leads to ftp:"],
    ),
    (
        "<a href=https://example.com/>a</a>",
        &["lacks rel=noreferrer"],
    ),
    (
        "<a href=gone.html>a</a><a href=b.html#gone>a</a><a href=../>a</a>",
        &[
            "link finds no file",
            "link finds no anchor",
            "link leaves the folder",
        ],
    ),
    ("<p id=twice><p id=twice>", &["id twice stands twice"]),
    (
        "<h1>again</h1></main><main>",
        &["2 <h1> instead of one", "2 <main> instead of one"],
    ),
    (
        "<details><p>p</details>",
        &["<details> does not begin with <summary>"],
    ),
    (
        "<p>a\u{202e}b<p>a\u{1b}[0m",
        &["raw bidi controls", "raw control characters"],
    ),
    (
        "<details><summary>s</summary><p class=wide>p</details>",
        &["<p class=\"wide\"> sticks out"],
    ),
];

/// A folder with pages of these names and bodies, a style sheet and a text file.
fn folder_of<'a>(pages: impl Iterator<Item = (String, &'a str)>) -> TempDir {
    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("the folder can be written");
    };
    for (name, body) in pages {
        let html = format!("{HEAD}<body><main><h1>Title</h1>{body}</main></body></html>");
        write(&name, &html);
    }
    write(
        "style.css",
        ".wide { width: 500px } .box { overflow-x: auto }",
    );
    write("note.txt", "text");
    folder
}

#[test]
fn an_inert_page_has_no_problem() {
    let body = "<p id=here>text <a href=#here>here</a> <a href=note.txt>note</a>\
        <a href=b.html#there>there</a> <a href=https://example.com/ rel=noreferrer>away</a>\
        <div class=box><p class=wide>in a box</div>\
        <img alt=dot src=data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==>\
        <details><summary>s</summary><ol start=3><li>l</ol></details>";
    let pages = [("a.html", body), ("b.html", "<p id=there>")];
    let pages = pages.map(|(name, body)| (name.to_owned(), body));
    let folder = folder_of(pages.into_iter());
    assert_eq!(check(folder.path()), [""; 0]);
}

#[test]
fn every_broken_page_is_found_out() {
    let name = |number: usize| format!("p{number}.html");
    let pages = BROKEN.iter().enumerate();
    let pages = pages.map(|(number, (body, _))| (name(number), *body));
    let other = [("b.html".to_owned(), "")];
    let folder = folder_of(pages.chain(other));
    let Some(problems) = look(folder.path()) else {
        return;
    };
    for (number, (body, words)) in BROKEN.iter().enumerate() {
        let page = name(number);
        let own: Vec<_> = problems.iter().filter(|p| p.starts_with(&page)).collect();
        for words in *words {
            let found = own.iter().any(|problem| problem.contains(words));
            assert!(found, "{body}: no {words:?} among {own:#?}");
        }
    }
    let blameless = problems.iter().filter(|p| p.starts_with("b.html"));
    assert_eq!(blameless.count(), 0, "{problems:#?}");
}

#[test]
fn a_folder_without_pages_and_a_page_without_policy_are_problems() {
    let folder = folder_of(std::iter::empty());
    let problems = check(folder.path());
    assert!(problems.len() == 1 && problems[0].ends_with("no page"));
    std::fs::write(folder.path().join("a.html"), "<p>bare").expect("written");
    let Some(problems) = look(folder.path()) else {
        return;
    };
    let problems = problems.join("\n");
    for words in [
        "policy does not follow",
        "referrer",
        "no title",
        "lang",
        "quirks",
        "0 <h1>",
    ] {
        assert!(problems.contains(words), "{words}: {problems}");
    }
}
