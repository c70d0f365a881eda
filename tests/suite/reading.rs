//! foldout's own pages in a real browser: what a reader does with them, without any script.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::browser::{self, Key, Page, View};

/// A site with one Dispatch conversation, whose three steps are folded into a run, and one of SCN
/// Chat with a search that found ten pages.
struct Fixture {
    _folder: TempDir,
    dispatch: PathBuf,
    scn: PathBuf,
}

fn fixture() -> &'static Fixture {
    static FIXTURE: OnceLock<Fixture> = OnceLock::new();
    FIXTURE.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let input = folder.path().join("in");
        fs::create_dir(&input).expect("a folder");
        fs::write(input.join("cart.jsonl"), dispatch_rows()).expect("a file");
        fs::write(input.join("grinder.json"), scn_conversation().to_string()).expect("a file");
        let site = folder.path().join("site");
        let built = Command::new(env!("CARGO_BIN_EXE_foldout"))
            .arg("build")
            .arg(&input)
            .args(["--fold", "always", "-o"])
            .arg(&site)
            .stdout(Stdio::null())
            .status()
            .expect("the binary can be run");
        assert!(built.success());
        let page = |format: &str| only_page(&site.join(format));
        Fixture {
            dispatch: page("dispatch"),
            scn: page("scn_chat"),
            _folder: folder,
        }
    })
}

/// The `index.html` of the only conversation of a format.
fn only_page(format: &Path) -> PathBuf {
    let mut folders = fs::read_dir(format).expect("the format has a folder");
    let folder = folders
        .next()
        .expect("it has a conversation")
        .expect("an entry")
        .path();
    folder.join("index.html")
}

fn dispatch_rows() -> String {
    let output: Vec<String> = (1..=42).map(|n| format!("row number {n}.")).collect();
    let mut rows = Vec::new();
    let mut add = |role: &str, chunk: Value| {
        rows.push(json!({"seq": rows.len() + 1, "role": role, "chunk": chunk}).to_string());
    };
    add("user", json!({"type": "text", "text": "Count the rows."}));
    for (id, command, content) in [
        ("short", "wc -l rows".to_owned(), "42".to_owned()),
        ("long", "cat rows".to_owned(), output.join("\n")),
        (
            "wide",
            format!("echo {}", "wide ".repeat(400)),
            "x".repeat(500),
        ),
    ] {
        let input = json!({"command": command});
        add(
            "assistant",
            json!({"type": "tool-call", "toolCallId": id, "toolName": "run_shell", "input": input}),
        );
        add(
            "tool",
            json!({"type": "tool-result", "toolCallId": id, "toolName": "run_shell", "content": content, "isError": false}),
        );
    }
    add(
        "assistant",
        json!({"type": "text", "text": "There are 42."}),
    );
    for n in 0..40 {
        add(
            "user",
            json!({"type": "text", "text": format!("And then, for the {n}th time?")}),
        );
        add(
            "assistant",
            json!({"type": "text", "text": "Still 42.\n\nNot one more."}),
        );
    }
    rows.join("\n")
}

fn scn_conversation() -> Value {
    let kind = |name: &str| format!("network.sharedcomputer.chat.defs#{name}");
    let results: Vec<Value> = (1..=10)
        .map(|n| json!({"title": format!("Grinder {n}"), "url": format!("https://example.com/grinder/{n}"), "snippet": "Burrs."}))
        .collect();
    let parts = json!([
        {"$type": kind("toolCallPart"), "callId": "s1", "tool": "web_search", "input": r#"{"query":"best grinder"}"#},
        {"$type": kind("toolResultPart"), "callId": "s1", "output": json!({"results": results}).to_string()},
        {"$type": kind("textPart"), "text": "Ten were found."},
    ]);
    json!({"conversation": {"title": "Grinders"}, "messages": [
        {"key": "a", "record": {"role": "user", "createdAt": "2026-03-01T10:00:00Z",
            "content": {"$type": kind("plainContent"), "parts": [{"$type": kind("textPart"), "text": "Which grinder?"}]}}},
        {"key": "a.r1", "record": {"role": "assistant", "parent": "a", "createdAt": "2026-03-01T10:00:09Z", "status": "complete",
            "content": {"$type": kind("plainContent"), "parts": parts}}},
    ]})
}

/// Opens a page of the fixture; `None` when there is no browser.
fn open(page: impl Fn(&Fixture) -> &PathBuf, view: View) -> Option<(Page, String)> {
    let opened = browser::open(view)?;
    let url = browser::file_url(page(fixture()));
    opened.go(&url);
    Some((opened, url))
}

/// The id inside the body of the card whose row has these words.
fn anchor_of(page: &Page, words: &str) -> String {
    let script = format!(
        "[...document.querySelectorAll('.card')].find(card => card.querySelector('summary').textContent.includes({}))
            .querySelector('.anchor').id",
        json!(words)
    );
    page.eval(&script)
        .as_str()
        .expect("a card has an anchor")
        .to_owned()
}

/// J-02: with the mouse and with the keyboard every fold opens and closes.
#[test]
fn j_02_folds_open_and_close_by_mouse_and_keyboard() {
    let Some((page, _)) = open(|f| &f.dispatch, View::default()) else {
        return;
    };
    assert!(page.text().contains("Ran a command ×3"), "{}", page.text());
    assert!(!page.text().contains("wc -l rows"));
    page.click(".run>summary");
    page.wait_until("document.querySelector('.run').open");
    assert!(page.text().contains("wc -l rows"));
    page.click(".run>summary");
    page.wait_until("!document.querySelector('.run').open");
    page.press(Key::Enter);
    page.wait_until("document.querySelector('.run').open");
    page.press(Key::Tab);
    page.press(Key::Space);
    page.wait_until("document.querySelector('.card').open");
    assert!(page.focused().contains("wc -l rows"), "{}", page.focused());
}

/// S1-13, S1-14: a long output shows six lines, a toggle, six lines; the toggle opens to the
/// whole output in order and closes again.
#[test]
fn s1_14_the_toggle_between_head_and_tail_opens_to_the_whole_output() {
    let Some((page, _)) = open(|f| &f.dispatch, View::default()) else {
        return;
    };
    page.click(".run>summary");
    page.click(".steps>li:nth-child(2) .card>summary");
    page.wait_until("document.querySelectorAll('.card')[1].open");
    let seen = || {
        page.text()
            .lines()
            .filter(|line| line.starts_with("row number"))
            .count()
    };
    assert_eq!(seen(), 12);
    assert!(page.text().contains("⋯ 30 more lines"), "{}", page.text());
    let before = page.boxes(".more>summary")[0].y;
    page.click(".more>summary");
    page.wait_until("document.querySelector('.more').open");
    let text = page.text();
    let numbers: Vec<usize> = text
        .lines()
        .filter_map(|line| {
            line.strip_prefix("row number ")?
                .strip_suffix('.')?
                .parse()
                .ok()
        })
        .collect();
    assert_eq!(numbers, (1..=42).collect::<Vec<_>>());
    assert!(text.contains("⋯ hide 30 lines"));
    let after = page.boxes(".more>summary")[0].y;
    assert!(
        (before - after).abs() < 2.0,
        "the toggle jumped from {before} to {after}"
    );
    page.click(".more>summary");
    page.wait_until("!document.querySelector('.more').open");
    assert_eq!(seen(), 12);
}

/// S1-07: a row is one line of one height, however long what it says, at every width.
#[test]
fn s1_07_rows_are_one_line_at_every_width() {
    for width in [320, 360, 560, 1280] {
        let Some((page, _)) = open(
            |f| &f.dispatch,
            View {
                width,
                ..View::default()
            },
        ) else {
            return;
        };
        page.click(".run>summary");
        page.wait_until("document.querySelector('.run').open");
        let heights: Vec<f64> = page
            .boxes(".card>summary")
            .into_iter()
            .map(|row| row.height)
            .collect();
        assert_eq!(heights.len(), 3);
        assert!(
            heights
                .iter()
                .all(|height| (height - heights[0]).abs() < 0.5),
            "{width}: {heights:?}"
        );
        let chevrons = "[...document.querySelectorAll('.card>summary')].every(row =>
            row.lastElementChild.getBoundingClientRect().right <= row.getBoundingClientRect().right)";
        assert_eq!(
            page.eval(chevrons),
            json!(true),
            "a chevron is cut off at {width}"
        );
        let overflow = page.eval("document.documentElement.scrollWidth > innerWidth");
        assert_eq!(overflow, json!(false), "{width}");
    }
}

/// S2-09: ten results show seven and "Show 3 more", which opens in place, moves the focus to the
/// first new link, and becomes "Show less".
#[test]
fn s2_09_show_more_moves_the_focus_to_the_first_new_link() {
    let Some((page, _)) = open(|f| &f.scn, View::default()) else {
        return;
    };
    page.click(".card>summary");
    page.wait_until("document.querySelector('.card').open");
    let links = || {
        page.text()
            .lines()
            .filter(|line| line.starts_with("Grinder "))
            .count()
    };
    assert_eq!(links(), 7, "{}", page.text());
    assert_eq!(page.text().matches("Show 3 more").count(), 1);
    page.click(".fold-go");
    page.wait_until("document.querySelector('.fold-rest').open");
    assert_eq!(links(), 10);
    assert!(page.focused().contains("Grinder 8"), "{}", page.focused());
    assert!(page.text().contains("Show less") && !page.text().contains("Show 3 more"));
    page.click(".fold-rest>summary");
    page.wait_until("!document.querySelector('.fold-rest').open");
    assert_eq!(links(), 7);
    page.click(".fold-go");
    page.wait_until("document.querySelector('.fold-rest').open");
    assert!(
        page.focused().contains("Grinder 8"),
        "the second time too: {}",
        page.focused()
    );
}

/// J-06: a link to a call opens the card and the run around it, and scrolls there.
#[test]
fn j_06_a_permalink_opens_the_folds_around_it_and_is_scrolled_to() {
    let view = View {
        height: 300,
        ..View::default()
    };
    let Some((page, url)) = open(|f| &f.dispatch, view) else {
        return;
    };
    let anchor = anchor_of(&page, "cat rows");
    page.go(&format!("{url}#{anchor}"));
    page.wait_until(&format!(
        "document.getElementById('{anchor}').closest('.card').open"
    ));
    assert_eq!(
        page.eval("document.querySelector('.run').open"),
        json!(true)
    );
    page.wait_until(&format!(
        "(() => {{ const top = document.getElementById('{anchor}').getBoundingClientRect().top; return top >= 0 && top < innerHeight / 2 }})()"
    ));
    assert!(page.scrolled() > 0.0);
}

/// A link to a prompt far down lands on it.
#[test]
fn a_permalink_to_a_prompt_is_scrolled_to() {
    let Some((page, url)) = open(|f| &f.dispatch, View::default()) else {
        return;
    };
    let id = page.eval("[...document.querySelectorAll('.prompt')].at(-8).id");
    let id = id.as_str().expect("a prompt has an id");
    page.go(&format!("{url}#{id}"));
    page.wait_until(&format!(
        "Math.abs(document.getElementById('{id}').getBoundingClientRect().top) < 40"
    ));
}

/// J-05: the browser's search reaches the middle of a folded output in a closed card in a closed
/// run, and opens all three. A text fragment takes the same way.
#[test]
fn j_05_found_text_opens_all_the_folds_around_it() {
    let Some((page, url)) = open(|f| &f.dispatch, View::default()) else {
        return;
    };
    page.go(&format!("{url}#:~:text=row%20number%2020."));
    page.wait_until("document.querySelector('.more').open");
    assert_eq!(
        page.eval("document.querySelector('.run').open"),
        json!(true)
    );
    assert_eq!(
        page.eval("document.querySelectorAll('.card')[1].open"),
        json!(true)
    );
}

/// The three view modes work by the style sheet alone.
#[test]
fn the_view_modes_hide_and_open_steps() {
    let Some((page, _)) = open(|f| &f.dispatch, View::default()) else {
        return;
    };
    page.click("label:has(#view-all)");
    page.wait_until("document.getElementById('view-all').checked");
    let text = page.text();
    assert!(text.contains("row number 20."), "everything is open");
    assert!(
        !text.contains("more lines"),
        "no control says what is no longer true"
    );
    page.click("label:has(#view-talk)");
    page.wait_until("document.getElementById('view-talk').checked");
    let text = page.text();
    assert!(
        !text.contains("Ran a command") && text.contains("There are 42."),
        "only the talk"
    );
    page.click("label:has(#view-steps)");
    page.wait_until("document.getElementById('view-steps').checked");
    assert!(page.text().contains("Ran a command ×3"));
}

/// A link to a step is followed even where the reader chose to see the conversation alone.
#[test]
fn a_permalink_into_hidden_steps_is_shown() {
    let Some((page, url)) = open(|f| &f.dispatch, View::default()) else {
        return;
    };
    let anchor = anchor_of(&page, "cat rows");
    page.click("label:has(#view-talk)");
    page.wait_until("document.getElementById('view-talk').checked");
    page.go(&format!("{url}#{anchor}"));
    page.wait_until(&format!(
        "document.getElementById('{anchor}').closest('.card').open"
    ));
    assert!(page.text().contains("row number 1."), "{}", page.text());
}

/// J-03: print has all text, from the closed page, and no control.
#[test]
fn j_03_print_has_all_text_and_no_controls() {
    let Some((page, _)) = open(|f| &f.dispatch, View::default()) else {
        return;
    };
    let Some(text) = page.printed_text() else {
        return;
    };
    for n in 1..=42 {
        assert!(
            text.contains(&format!("row number {n}.")),
            "row {n} is not printed"
        );
    }
    assert!(!text.contains("more lines") && !text.contains("Everything"));
    let Some((page, _)) = open(|f| &f.scn, View::default()) else {
        return;
    };
    let Some(text) = page.printed_text() else {
        return;
    };
    assert!(
        text.contains("Grinder 10") && !text.contains("Show 3 more"),
        "{text}"
    );
}

/// J-04: with reduced motion the chevron does not turn and nothing spins.
#[test]
fn j_04_reduced_motion_stops_what_moves() {
    let moving =
        "getComputedStyle(document.querySelector('.run .chev'), '::before').transitionDuration";
    let Some((page, _)) = open(|f| &f.dispatch, View::default()) else {
        return;
    };
    assert_ne!(page.eval(moving), json!("0s"));
    page.set_view(View {
        reduced_motion: true,
        ..View::default()
    });
    assert_eq!(page.eval(moving), json!("0s"));
}

/// S1-06: nothing is open in the markup.
#[test]
fn s1_06_no_fold_is_open_in_a_written_page() {
    for page in [&fixture().dispatch, &fixture().scn] {
        let html = fs::read_to_string(page).expect("the page is there");
        let opened = html.split("<details").skip(1).any(|rest| {
            rest.split('>')
                .next()
                .is_some_and(|tag| tag.split_whitespace().any(|word| word.starts_with("open")))
        });
        assert!(!opened, "{}", page.display());
    }
}
