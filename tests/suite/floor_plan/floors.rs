//! Who may import whom: a room imports from the floors below its own, and from nowhere else.

use super::rust_text::{closing, code, is_word, line, places, without_bodies};
use super::{Tree, room};

/// The floors, ground floor first.
const FLOORS: &[&[&str]] = &[
    &["error", "figures", "html", "model", "source", "themes"],
    &[
        "addresses",
        "ansi",
        "diff",
        "formats",
        "highlight",
        "images",
        "settings",
        "walk",
    ],
    &["markdown", "redact"],
    &["tools"],
    &["steps"],
    &["pages"],
    &["site"],
    &["pipeline"],
    &["lib"],
];

/// The rooms of the binary, which know the library from outside, as `foldout::`.
const BINARY: &[&str] = &["cli", "main"];

/// Every import (`crate::a`, `use crate::{a, b::{c}}`) from a room that is not on a lower floor,
/// and every room that has no floor.
pub(super) fn rooms_import_only_from_below(tree: &Tree) -> Vec<String> {
    let mut broken = Vec::new();
    for (path, text) in tree.rust("src/") {
        let here = room(path);
        let code = code(text);
        let is_binary = BINARY.contains(&here);
        if !is_binary && floor(here).is_none() {
            broken.push(format!("{path}: {here} has no floor"));
        }
        for (at, there) in imports(&code) {
            let is_fine = there == here
                || if is_binary {
                    there == "cli"
                } else {
                    there != "lib" && floor(there) < floor(here) && floor(there).is_some()
                };
            if !is_fine {
                broken.push(format!("{path}:{}: {here} -> {there}", line(&code, at)));
            }
        }
        if is_crate_root_child(path) {
            // Here `super` is the crate, so that this would be an import without its name.
            let outside = without_bodies(&code, "mod ");
            let climbs = places(&outside, "super::").map(|at| line(&code, at));
            broken.extend(climbs.map(|line| format!("{path}:{line}: {here} -> super")));
        }
        if here == "main" {
            let modules = places(&code, "mod ").filter(|at| !code[at + 4..].starts_with("cli;"));
            let lines = modules.map(|at| line(&code, at));
            broken.extend(lines.map(|line| format!("{path}:{line}: main has a room but cli")));
        }
    }
    broken
}

/// Every `super::super::`, by which an import could hide its room.
pub(super) fn nobody_climbs_by_super(tree: &Tree) -> Vec<String> {
    let mut broken = Vec::new();
    for (path, text) in tree.rust("src/") {
        let code: String = code(text);
        let climbs = places(&code, "super::super").map(|at| line(&code, at));
        broken.extend(climbs.map(|line| format!("{path}:{line}: super::super")));
    }
    broken
}

fn floor(room: &str) -> Option<usize> {
    FLOORS.iter().position(|rooms| rooms.contains(&room))
}

/// Whether a file is the root of a room.
fn is_crate_root_child(path: &str) -> bool {
    let inner = path.strip_prefix("src/").unwrap_or(path);
    match inner.split_once('/') {
        None => !matches!(inner, "lib.rs" | "main.rs"),
        Some((_, rest)) => rest == "mod.rs",
    }
}

/// What follows each `crate::`, with its place: the first name of a path or of each member of a
/// group.
fn imports(code: &str) -> Vec<(usize, &str)> {
    let mut rooms = Vec::new();
    for at in places(code, "crate") {
        let after = code[at + "crate".len()..].trim_start();
        if after.starts_with("as ") {
            rooms.push((at, "lib"));
        }
        let Some(path) = after.strip_prefix("::").map(str::trim_start) else {
            continue;
        };
        if path.starts_with('{') {
            let group = &path[1..closing(path, 0) - 1];
            rooms.extend(members(group).map(|member| (at, first_name(member))));
        } else {
            rooms.push((at, first_name(path)));
        }
    }
    rooms
}

/// The members of a group, whole: `a`, `b::{c, d}`.
fn members(group: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0usize;
    let members = group.split(move |c| {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    members.map(str::trim).filter(|member| !member.is_empty())
}

/// The first name of a path. `self` and `*` are the crate itself.
fn first_name(path: &str) -> &str {
    let name = &path[..path.find(|c| !is_word(c)).unwrap_or(path.len())];
    if matches!(name, "" | "self") {
        "lib"
    } else {
        name
    }
}

fn broken(path: &str, text: &str) -> Vec<String> {
    rooms_import_only_from_below(&Tree::of(&[(path, text)]))
}

#[test]
fn an_import_from_above_or_beside_is_found() {
    let up = broken("src/formats/codex.rs", "\nuse crate::pages::Page;");
    assert_eq!(up, ["src/formats/codex.rs:2: formats -> pages"]);
    let beside = broken("src/walk.rs", "use crate::formats::Format;");
    assert_eq!(beside, ["src/walk.rs:1: walk -> formats"]);
    let inline = broken("src/tools/shell.rs", "fn a() -> crate::steps::Step {}");
    assert_eq!(inline, ["src/tools/shell.rs:1: tools -> steps"]);
}

#[test]
fn groups_are_taken_apart() {
    let text = "use crate::{\n  html::{Html, a::{b}}, site, model::{self, pages}, steps as s\n};";
    assert_eq!(
        broken("src/tools/mod.rs", text),
        [
            "src/tools/mod.rs:1: tools -> site",
            "src/tools/mod.rs:1: tools -> steps"
        ]
    );
}

#[test]
fn imports_from_below_and_from_the_own_room_are_fine() {
    let text = "use crate::html::Html;\nuse crate::tools::card;\n/* crate::site */ // crate::site\n\
                const A: &str = \"crate::site\"; pub(crate) fn a() {}";
    assert_eq!(broken("src/tools/mod.rs", text), [""; 0]);
    assert_eq!(broken("src/lib.rs", "use crate::pipeline;"), [""; 0]);
}

#[test]
fn the_crate_root_is_not_imported_from() {
    for text in [
        "use crate::Problem;",
        "use crate::*;",
        "use crate::{self, html};",
        "use crate as foldout;",
        "use super::site::write;",
    ] {
        assert_eq!(broken("src/steps.rs", text).len(), 1, "{text}");
    }
    let tests = "use self::a; mod tests { use super::*; }";
    assert_eq!(broken("src/steps.rs", tests), [""; 0]);
    assert_eq!(broken("src/tools/shell.rs", "use super::card;"), [""; 0]);
}

#[test]
fn the_binary_is_an_outsider() {
    assert_eq!(broken("src/cli.rs", "use foldout::pipeline;"), [""; 0]);
    assert_eq!(broken("src/main.rs", "mod cli;\nuse crate::cli;"), [""; 0]);
    assert_eq!(broken("src/main.rs", "mod cli;\nmod site;").len(), 1);
    assert_eq!(broken("src/cli/list.rs", "use crate::walk;").len(), 1);
}

#[test]
fn a_room_without_a_floor_is_found() {
    assert_eq!(
        broken("src/helpers.rs", ""),
        ["src/helpers.rs: helpers has no floor"]
    );
}

#[test]
fn climbing_twice_is_found() {
    let tree = Tree::of(&[("src/a/b.rs", "// super::super\nuse super::super::c;")]);
    assert_eq!(
        nobody_climbs_by_super(&tree),
        ["src/a/b.rs:2: super::super"]
    );
}
