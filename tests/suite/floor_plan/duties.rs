//! Who may do what: one room makes HTML, one writes files, one is parallel, the binary prints.

use super::rust_text::{is_word, line, places, shipped, without_bodies, without_comments};
use super::{Tree, room};

/// Ways to tell askama that a text is markup already.
const DECLARES_SAFE: &[&str] = &["HtmlSafe", "MaybeSafe", "filters::Safe"];

/// Ways to change what is on the disk.
const WRITES: &[&str] = &[
    ".persist",
    ".rename(",
    "DirBuilder",
    "File::create",
    "File::options",
    "NamedTempFile",
    "OpenOptions",
    "create_dir",
    "fs::copy",
    "fs::rename",
    "fs::write",
    "hard_link",
    "remove_dir",
    "remove_file",
    "set_permissions",
    "symlink(",
    "tempfile::",
];

const PARALLEL: &[&str] = &[
    "into_par_iter",
    "par_bridge",
    "par_iter",
    "par_sort",
    "rayon::",
];

const PRINTS: &[&str] = &[
    "dbg!",
    "eprint!",
    "eprintln!",
    "io::stderr",
    "io::stdout",
    "print!",
    "println!",
];

/// Ways to turn escaping off, once all white space is taken out.
const UNESCAPED: &[&str] = &[
    "%filtersafe",
    "(ext=\"",
    ",ext=\"",
    "askama(escape",
    "escape=\"none\"",
    "|safe",
];

/// Every place outside `src/html` where markup is made from a string or declared safe. A variant
/// of another type, such as `Event::Html(`, is none.
pub(super) fn only_html_makes_html(tree: &Tree) -> Vec<String> {
    let mut broken = uses(tree, DECLARES_SAFE, &["html"]);
    for (path, code) in shipped(tree) {
        if room(path) == "html" {
            continue;
        }
        let code = without_bodies(&code, "enum ");
        for at in places(&code, "Html(") {
            let owner = code[..at].strip_suffix("::").unwrap_or("");
            let owner = &owner[owner.rfind(|c| !is_word(c)).map_or(0, |at| at + 1)..];
            if !owner.starts_with(char::is_uppercase) {
                broken.push(format!("{path}:{}: Html(", line(&code, at)));
            }
        }
    }
    broken
}

/// Every place outside `src/site` where a file is written, moved or taken away.
pub(super) fn only_site_writes_files(tree: &Tree) -> Vec<String> {
    uses(tree, WRITES, &["site"])
}

/// Every place outside `src/pipeline` that hands out work to threads.
pub(super) fn only_pipeline_knows_rayon(tree: &Tree) -> Vec<String> {
    uses(tree, PARALLEL, &["pipeline"])
}

/// Every place in the library that speaks to the terminal.
pub(super) fn only_the_binary_prints(tree: &Tree) -> Vec<String> {
    uses(tree, PRINTS, &["cli", "main"])
}

/// Every `unwrap()` in what is shipped.
pub(super) fn nothing_is_unwrapped(tree: &Tree) -> Vec<String> {
    uses(tree, &[".unwrap()"], &[])
}

/// Every place in a template or in `src` that turns escaping off, and every template whose
/// ending would.
pub(super) fn nobody_turns_escaping_off(tree: &Tree) -> Vec<String> {
    let mut broken = Vec::new();
    let templates = tree
        .under("templates/")
        .map(|(path, text)| (path, text.to_owned()));
    let rust = tree
        .rust("src/")
        .map(|(path, text)| (path, without_comments(text)));
    for (path, text) in templates.chain(rust) {
        let dense: String = text.split_whitespace().collect();
        let found = UNESCAPED.iter().filter(|token| dense.contains(**token));
        broken.extend(found.map(|token| format!("{path}: {token}")));
    }
    let unescaped = tree
        .under("templates/")
        .filter(|(path, _)| !path.ends_with(".html") && !path.ends_with(".xml"));
    broken.extend(unescaped.map(|(path, _)| format!("{path}: escapes nothing")));
    broken
}

/// Every use of a token in what is shipped, outside the rooms that may.
fn uses(tree: &Tree, tokens: &[&str], rooms: &[&str]) -> Vec<String> {
    let mut broken = Vec::new();
    for (path, code) in shipped(tree) {
        if rooms.contains(&room(path)) {
            continue;
        }
        for token in tokens {
            let lines = places(&code, token).map(|at| line(&code, at));
            broken.extend(lines.map(|line| format!("{path}:{line}: {token}")));
        }
    }
    broken
}

fn broken_by(rule: fn(&Tree) -> Vec<String>, path: &str, text: &str) -> Vec<String> {
    rule(&Tree::of(&[(path, text)]))
}

#[test]
fn markup_made_elsewhere_is_found() {
    let rule = only_html_makes_html;
    let text = "fn a() { Html(s); html::Html(s); Event::Html(s); // Html(s)\n}\n\
                enum B { Html(Html) }\nimpl HtmlSafe for A {}";
    assert_eq!(
        broken_by(rule, "src/markdown.rs", text),
        [
            "src/markdown.rs:4: HtmlSafe",
            "src/markdown.rs:1: Html(",
            "src/markdown.rs:1: Html("
        ]
    );
    assert_eq!(broken_by(rule, "src/html/mod.rs", text), [""; 0]);
}

#[test]
fn files_written_elsewhere_are_found() {
    let rule = only_site_writes_files;
    for text in [
        "std::fs::write(a, b)",
        "File::create(a)",
        "fs::create_dir_all(a)",
        "fs::rename(a, b)",
        "file.persist(a)",
        "fs::remove_file(a)",
    ] {
        assert_eq!(broken_by(rule, "src/walk.rs", text).len(), 1, "{text}");
        assert_eq!(broken_by(rule, "src/site/mod.rs", text), [""; 0]);
        let test = format!("#[cfg(test)] mod tests {{ fn t() {{ {text} }} }}");
        assert_eq!(broken_by(rule, "src/walk.rs", &test), [""; 0]);
    }
    let harmless = "#[serde(rename = \"persistedOutputPath\")] persisted_output_path";
    assert_eq!(broken_by(rule, "src/formats/mod.rs", harmless), [""; 0]);
}

#[test]
fn threads_elsewhere_are_found() {
    let rule = only_pipeline_knows_rayon;
    let text = "use rayon::prelude::*;\nfn a() { b.par_iter() }";
    assert_eq!(broken_by(rule, "src/pages/mod.rs", text).len(), 2);
    assert_eq!(broken_by(rule, "src/pipeline.rs", text), [""; 0]);
}

#[test]
fn printing_in_the_library_is_found() {
    let rule = only_the_binary_prints;
    let text = "println!(\"a\"); io::stderr();";
    assert_eq!(broken_by(rule, "src/site.rs", text).len(), 2);
    assert_eq!(broken_by(rule, "src/cli.rs", text), [""; 0]);
    assert_eq!(
        broken_by(rule, "src/site.rs", "blueprint!(a); \"println!\""),
        [""; 0]
    );
}

#[test]
fn an_unwrap_is_found() {
    let rule = nothing_is_unwrapped;
    assert_eq!(
        broken_by(rule, "src/cli.rs", "\na.unwrap()"),
        ["src/cli.rs:2: .unwrap()"]
    );
    let fine = "a.unwrap_or(b); #[cfg(test)] mod tests { fn t() { a.unwrap() } }";
    assert_eq!(broken_by(rule, "src/cli.rs", fine), [""; 0]);
}

#[test]
fn escaping_that_is_turned_off_is_found() {
    let rule = nobody_turns_escaping_off;
    for (path, text) in [
        ("templates/card.html", "{{ a|safe }}"),
        ("templates/card.html", "{{ a | safe }}"),
        ("templates/card.html", "{% filter safe %}"),
        (
            "src/a.rs",
            "#[template(path = \"a.html\", escape = \"none\")]",
        ),
        ("src/a.rs", "#[template(source = \"a\", ext = \"txt\")]"),
        ("templates/card.txt", ""),
    ] {
        assert_eq!(broken_by(rule, path, text).len(), 1, "{text}");
    }
    assert_eq!(broken_by(rule, "src/a.rs", "// a|safe"), [""; 0]);
    assert_eq!(broken_by(rule, "templates/card.html", "{{ a }}"), [""; 0]);
}
