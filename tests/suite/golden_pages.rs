//! One page of each format, and the index above them, as they are written: what a change does to
//! pages is seen in these snapshots before anybody publishes it.

use std::fs;
use std::path::Path;

use foldout::formats::FORMATS;
use foldout::pipeline::{Options, build};

/// Where a line of a snapshot begins: at each tag that stands for itself on a page.
const OPENERS: [&str; 17] = [
    "<article",
    "<details",
    "<div",
    "<fieldset",
    "<figure",
    "<h1",
    "<h2",
    "<header",
    "<label",
    "<li",
    "<nav",
    "<ol",
    "<p",
    "<section",
    "<table",
    "<tr",
    "<ul",
];

#[test]
fn a_page_of_each_format_and_the_index_are_written_as_before() {
    let site = tempfile::tempdir().expect("a temporary folder");
    let options = Options {
        inputs: vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-transcripts")],
        output: site.path().to_owned(),
        ..Options::default()
    };
    build(&options, &|_| {}).expect("the samples become a site");
    same_as_before("index", &page(site.path()));
    for format in FORMATS {
        same_as_before(format.name(), &longest(&site.path().join(format.name())));
    }
}

/// The page that shows the most of a format.
fn longest(folder: &Path) -> String {
    let conversations = fs::read_dir(folder).expect("each format has a sample");
    let pages = conversations.map(|entry| page(&entry.expect("a folder").path()));
    let longest = pages.max_by_key(|page| (page.len(), page.clone()));
    longest.expect("a conversation")
}

fn page(folder: &Path) -> String {
    fs::read_to_string(folder.join("index.html")).expect("a page")
}

fn same_as_before(name: &str, page: &str) {
    // What is above differs with the style sheet's hash, and other tests look at it.
    let (_, body) = page.split_once("<body>").expect("a page has a body");
    insta::with_settings!({ snapshot_suffix => name, omit_expression => true }, {
        insta::assert_snapshot!(in_lines(body));
    });
}

/// HTML with a line for each block, so that the difference of two is readable.
pub(crate) fn in_lines(html: &str) -> String {
    let mut lines = html.to_owned();
    for opener in OPENERS {
        lines = lines.replace(opener, &format!("\n{opener}"));
    }
    let lines = lines.lines().filter(|line| !line.trim().is_empty());
    lines.collect::<Vec<_>>().join("\n")
}
