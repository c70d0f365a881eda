//! Golden cards: every view in every shape that a call can have, as pages have them.
//!
//! `rows.jsonl` is the table. A row is one call: `view` (the one that has to draw it), `shape`
//! (what is particular about it), `tool`, `input`, and `result` or `error`. The first row of a
//! view is drawn in five more shapes: failed, running, without a result, and with an input and an
//! output that no view can expect. A view without a row fails. All of it stands on one page in
//! `tmp/cards` of the target folder, to be looked at.

mod conversation;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use foldout::OwnViews;
use foldout::pipeline::{Options, build};
use foldout::settings::Document;

use crate::golden_pages::in_lines;
use conversation::{Row, conversation};

/// What makes the view `own`.
const SETTINGS: &str = "[[tool-view]]\nnames = 'garden_*'\nlabel = 'Planned a bed'\n\
    activity = 'Planning a bed'\nglimpse = 'bed'\nbadges = ['deep']\n\
    result = { field = 'total', text = '{} plants' }\n\
    body = [{ field = 'note', as = 'prose' }, { field = 'script', as = 'code', language = 'python' }]\n\
    output = { as = 'table', field = 'plants' }\n";

#[test]
fn every_view_draws_every_shape_as_before() {
    let rows = rows();
    let missing: Vec<_> = views()
        .into_iter()
        .filter(|view| !rows.iter().any(|row| row.view == *view))
        .collect();
    assert!(missing.is_empty(), "no rows for {missing:?}");
    let page = page(&rows);
    let sections = page.split("<div class=\"prompt\"").skip(1);
    let mut seen = BTreeSet::new();
    for section in sections {
        let (prompt, cards) = section.split_once("<article").expect("a reply follows");
        let (_, view) = prompt.split_once("<p dir=\"auto\">").expect("a text");
        let (view, _) = view.split_once("</p>").expect("a text ends");
        for row in rows.iter().filter(|row| row.view == view) {
            let drawn = format!("data-view=\"{}\"", row.view);
            let tool = format!("aria-label=\"Tool call {}\"", row.tool);
            assert!(
                cards.contains(&drawn) && cards.contains(&tool),
                "{view} does not draw {} ({})",
                row.tool,
                row.shape
            );
        }
        let others = cards.matches("data-view=\"").count();
        let own = cards.matches(&format!("data-view=\"{view}\"")).count();
        // A call whose odd input does not say which of its tool's acts it is has the tool's view.
        assert!(others - own <= 1, "a call in {view} has another view");
        seen.insert(view.to_owned());
        insta::with_settings!({ snapshot_suffix => view, omit_expression => true }, {
            insta::assert_snapshot!(in_lines(cards));
        });
    }
    assert_eq!(seen, views());
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The views, which are the templates that they draw with.
fn views() -> BTreeSet<String> {
    let templates = fs::read_dir(root().join("templates/tools")).expect("templates");
    templates
        .map(|entry| {
            let path = entry.expect("a template").path();
            path.file_stem()
                .expect("a name")
                .to_string_lossy()
                .into_owned()
        })
        .collect()
}

fn rows() -> Vec<Row> {
    let table = fs::read_to_string(root().join("tests/suite/cards/rows.jsonl"));
    let table = table.expect("there is a table");
    let rows = table.lines().enumerate();
    rows.map(|(at, line)| {
        serde_json::from_str(line).unwrap_or_else(|error| panic!("row {}: {error}", at + 1))
    })
    .collect()
}

/// The page that holds all cards, one section for each view.
fn page(rows: &[Row]) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cards");
    let input = folder.join("every-view.json");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(&input, conversation(rows).to_string()).expect("a file");
    let settings = Path::new("foldout.toml");
    let document = Document::new(settings, SETTINGS).expect("right settings");
    let options = Options {
        inputs: vec![input],
        output: folder.join("site"),
        tool_views: OwnViews::of(&document).expect("a right view"),
        page_budget: 16 << 20,
        ..Options::default()
    };
    let report = build(&options, &|_| {}).expect("the cards become a page");
    assert!(report.problems.is_empty(), "{:?}", report.problems);
    let pages = walkdir::WalkDir::new(folder.join("site/scn_chat")).into_iter();
    let mut pages = pages
        .filter_map(Result::ok)
        .map(|entry| entry.into_path())
        .filter(|path| path.extension().is_some_and(|end| end == "html"));
    let page = pages.next().expect("a page");
    let page = fs::read_to_string(page).expect("a page");
    let (_, body) = page.split_once("<main").expect("a page has a conversation");
    let (body, _) = body.split_once("<footer").expect("a page has a footer");
    body.to_owned()
}
