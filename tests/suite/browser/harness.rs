//! Tests of the browser layer itself, over small pages made here.

use std::path::Path;

use tempfile::TempDir;

use super::{Key, Page, View, file_url};

/// A folder with one page, and that page opened in the browser.
struct Opened {
    page: Page,
    url: String,
    _folder: TempDir,
}

fn open(view: View, body: &str) -> Option<Opened> {
    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a temporary folder");
    let path = folder.path().join("page.html");
    let html = format!(
        "<!doctype html><html lang=en><meta charset=utf-8><title>A page</title>\n<body>{body}"
    );
    std::fs::write(&path, html).expect("the page can be written");
    let page = super::open(view)?;
    let url = file_url(&path);
    page.go(&url);
    Some(Opened {
        page,
        url,
        _folder: folder,
    })
}

const FOLD: &str = "<p>before<details><summary>Words</summary><p>folded</details><p>after";

#[test]
fn closed_folds_are_not_visible_text() {
    let Some(opened) = open(View::default(), FOLD) else {
        return;
    };
    assert_eq!(opened.page.text(), "before\nWords\nafter");
}

#[test]
fn a_click_opens_a_fold_and_another_closes_it() {
    let Some(Opened { page, .. }) = &open(View::default(), FOLD) else {
        return;
    };
    page.click("summary");
    page.wait_until("document.querySelector('details').open");
    assert_eq!(page.text(), "before\nWords\nfolded\nafter");
    page.click("summary");
    page.wait_until("!document.querySelector('details').open");
}

#[test]
fn the_keyboard_alone_opens_a_fold() {
    let Some(Opened { page, .. }) = &open(View::default(), FOLD) else {
        return;
    };
    page.press(Key::Tab);
    assert_eq!(page.focused(), "summary Words");
    page.press(Key::Enter);
    page.wait_until("document.querySelector('details').open");
    page.press(Key::Space);
    page.wait_until("!document.querySelector('details').open");
}

#[test]
fn tab_goes_on_and_shift_tab_goes_back() {
    let links = "<a id=one href=#x>one</a> <a id=two href=#x>two</a>";
    let Some(Opened { page, .. }) = &open(View::default(), links) else {
        return;
    };
    page.press(Key::Tab);
    page.press(Key::Tab);
    assert_eq!(page.focused(), "a#two two");
    page.press(Key::ShiftTab);
    assert_eq!(page.focused(), "a#one one");
}

/// A fold far below the window, with an anchor inside.
fn far_fold() -> String {
    let filler = "<p>filler</p>".repeat(200);
    format!(
        "{filler}<details><summary>Words</summary><span id=deep></span><p>needle in a fold</details>{filler}"
    )
}

#[test]
fn a_fragment_inside_a_closed_fold_opens_it_and_is_scrolled_to() {
    let Some(Opened { page, url, .. }) = &open(View::default(), &far_fold()) else {
        return;
    };
    assert_eq!(page.scrolled(), 0.0);
    page.go(&format!("{url}#deep"));
    page.wait_until("document.querySelector('details').open && scrollY > 1000");
    let fold = page.boxes("details")[0];
    assert!(fold.y.abs() < 100.0, "the fold is in sight: {fold:?}");
}

#[test]
fn a_text_fragment_opens_the_fold_that_hides_it() {
    let Some(Opened { page, url, .. }) = &open(View::default(), &far_fold()) else {
        return;
    };
    page.go("about:blank");
    page.go(&format!("{url}#:~:text=needle%20in%20a%20fold"));
    page.wait_until("document.querySelector('details').open && scrollY > 1000");
}

#[test]
fn scripts_are_off_and_tests_can_still_ask() {
    let body = "<p id=mark>quiet<script>document.getElementById('mark').textContent = 'loud'</script>\
                <img src=missing.png alt='' onerror=\"document.title = 'ran'\">";
    let Some(Opened { page, .. }) = &open(View::default(), body) else {
        return;
    };
    assert_eq!(page.text(), "quiet");
    assert_eq!(page.eval("document.title"), "A page");
    assert_eq!(page.scripts(), [""; 0]);

    let loud = View {
        scripts: true,
        ..View::default()
    };
    let Some(Opened { page, .. }) = &open(loud, body) else {
        return;
    };
    page.wait_until("document.title === 'ran'");
    assert_eq!(page.text(), "loud");
    assert_eq!(page.scripts().len(), 2, "{:?}", page.scripts());
}

#[test]
fn a_dialog_is_noted_and_does_not_hang_the_page() {
    let loud = View {
        scripts: true,
        ..View::default()
    };
    let Some(Opened { page, .. }) = &open(loud, "<script>alert('hello')</script><p>on") else {
        return;
    };
    assert_eq!(page.text(), "on");
    assert_eq!(page.console(), ["dialog: hello"]);
}

#[test]
fn requests_and_what_a_policy_stops_are_recorded() {
    let body = "<img src=\"http://pictures.example.com/a.png\" alt=''><img src=here.png alt=''>";
    let policy = "<meta http-equiv=Content-Security-Policy content=\"img-src 'self'\">";
    let Some(Opened { page, url, .. }) = &open(View::default(), &format!("{body}{policy}")) else {
        return;
    };
    let urls: Vec<_> = page.requests().into_iter().map(|r| r.url).collect();
    assert!(urls.contains(url), "{urls:?}");
    assert!(urls.iter().any(|u| u.ends_with("/here.png")), "{urls:?}");
    assert!(urls.iter().any(|u| u.starts_with("http:")), "{urls:?}");
    assert!(page.violations().is_empty());

    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a temporary folder");
    let path = folder.path().join("page.html");
    std::fs::write(&path, format!("<!doctype html>{policy}<body>{body}")).expect("written");
    page.go(&file_url(&path));
    assert_eq!(
        page.violations(),
        ["img-src stopped http://pictures.example.com/a.png"]
    );
}

#[test]
fn the_console_and_journeys_are_recorded() {
    let loud = View {
        scripts: true,
        ..View::default()
    };
    let body = "<script>console.log('words'); missing()</script>\
                <meta http-equiv=refresh content='500;url=elsewhere.html'>";
    let Some(Opened { page, .. }) = &open(loud, body) else {
        return;
    };
    let console = page.console().join("\n");
    assert!(console.contains("console: \"words\""), "{console}");
    assert!(console.contains("Uncaught"), "{console}");
    assert_eq!(page.journeys().len(), 1, "{:?}", page.journeys());
}

#[test]
fn width_scheme_and_motion_are_what_the_view_says() {
    let style = "<style>p{display:none}@media(prefers-color-scheme:dark){.dark{display:block}}\
                 @media(prefers-reduced-motion){.still{display:block}}</style>\
                 <p class=dark>dark<p class=still>still";
    let Some(Opened { page, .. }) = &open(View::default(), style) else {
        return;
    };
    assert_eq!(page.text(), "");
    assert_eq!(page.eval("innerWidth"), 1000);
    page.set_view(View {
        width: 360,
        dark: true,
        reduced_motion: true,
        ..View::default()
    });
    assert_eq!(page.text(), "dark\nstill");
    assert_eq!(page.eval("innerWidth"), 360);
}

#[test]
fn a_print_holds_what_its_style_unfolds() {
    let style = "<style>@media print{details::details-content{content-visibility:visible}}</style>";
    let Some(Opened { page, .. }) = &open(View::default(), &format!("{style}{FOLD}")) else {
        return;
    };
    let Some(text) = page.printed_text() else {
        return;
    };
    let words: Vec<_> = text.split_whitespace().collect();
    assert!(words.contains(&"folded"), "{text}");
    assert!(words.contains(&"after"), "{text}");
}

#[test]
fn a_screenshot_is_a_png_in_the_target_folder() {
    let Some(Opened { page, .. }) = &open(View::default(), FOLD) else {
        return;
    };
    let path = page.screenshot("harness-fold");
    let bytes = std::fs::read(&path).expect("the picture was written");
    assert!(bytes.starts_with(b"\x89PNG"));
    assert!(
        path.parent()
            .is_some_and(|p| p.ends_with(Path::new("screenshots")))
    );
}
