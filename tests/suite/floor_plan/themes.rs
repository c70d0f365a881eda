//! Themes give exactly the values that the structure asks for, and are all built in.

use std::collections::BTreeSet;

use super::Tree;
use super::rust_text::is_word;

/// The structure, which uses custom properties and defines none of a theme's.
const BASE: &str = "themes/base.css";

/// Every custom property that a theme lacks or has for nothing, and every theme that is not a
/// row of `src/themes.rs`.
pub(super) fn themes_define_what_base_uses(tree: &Tree) -> Vec<String> {
    let rows: String = tree.rust("src/themes").map(|(_, text)| text).collect();
    let Some(base) = tree.get(BASE) else {
        let is_needed = rows.contains("THEMES");
        return is_needed
            .then(|| format!("{BASE}: not there"))
            .into_iter()
            .collect();
    };
    let base = without_comments(base);
    let own = defined(&base);
    let used: BTreeSet<_> = used(&base).difference(&own).copied().collect();
    let mut broken = Vec::new();
    let themes = tree.under("themes/").filter(|(path, _)| *path != BASE);
    for (path, text) in themes.filter(|(path, _)| path.ends_with(".css")) {
        let text = without_comments(text);
        let defined = defined(&text);
        let lacking = used.difference(&defined);
        broken.extend(lacking.map(|property| format!("{path}: lacks {property}")));
        let idle = defined.difference(&used);
        broken.extend(idle.map(|property| format!("{path}: base.css never uses {property}")));
        if !rows.contains(path) {
            broken.push(format!("{path}: no row of THEMES includes it"));
        }
    }
    broken
}

fn without_comments(css: &str) -> String {
    let mut parts = css.split("/*");
    let first = parts.next().unwrap_or("").to_owned();
    parts.fold(first, |mut text, part| {
        text.push_str(part.split_once("*/").map_or("", |(_, after)| after));
        text
    })
}

/// The custom properties that are asked for by `var(--name`.
fn used(css: &str) -> BTreeSet<&str> {
    let uses = css
        .match_indices("var(")
        .map(|(at, _)| css[at + 4..].trim_start());
    uses.filter_map(property).collect()
}

/// The custom properties that are given a value by `--name:`.
fn defined(css: &str) -> BTreeSet<&str> {
    let names = css.match_indices("--").map(|(at, _)| (at, &css[at..]));
    names
        .filter(|(at, _)| !css[..*at].ends_with(|c| is_word(c) || c == '-'))
        .filter_map(|(_, text)| property(text))
        .filter(|name| {
            let at = name.as_ptr() as usize - css.as_ptr() as usize;
            css[at + name.len()..].trim_start().starts_with(':')
        })
        .collect()
}

fn property(text: &str) -> Option<&str> {
    let end = text.find(|c| !is_word(c) && c != '-').unwrap_or(text.len());
    text[..end].starts_with("--").then_some(&text[..end])
}

#[test]
fn a_theme_that_lacks_or_adds_a_property_is_found() {
    let files = [
        (
            BASE,
            ".a--b { color: var( --ink, red); width: var(--own); --own: 2px } /* var(--no) */",
        ),
        ("themes/night.css", ":root { --paper: black }"),
        (
            "themes/paper.css",
            ":root { --ink: light-dark(black, white) /* --paper: */ }",
        ),
        (
            "src/themes.rs",
            "THEMES include_str!(\"../themes/paper.css\")",
        ),
    ];
    assert_eq!(
        themes_define_what_base_uses(&Tree::of(&files)),
        [
            "themes/night.css: lacks --ink",
            "themes/night.css: base.css never uses --paper",
            "themes/night.css: no row of THEMES includes it"
        ]
    );
}

#[test]
fn a_table_of_themes_needs_the_structure() {
    let tree = Tree::of(&[("src/themes.rs", "static THEMES")]);
    assert_eq!(
        themes_define_what_base_uses(&tree),
        ["themes/base.css: not there"]
    );
    assert_eq!(themes_define_what_base_uses(&Tree::of(&[])), [""; 0]);
}
