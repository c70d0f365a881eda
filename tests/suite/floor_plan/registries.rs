//! What stands beside what: rows of the registries, their files, templates and samples.

use std::collections::{BTreeMap, BTreeSet};

use super::Tree;
use super::rust_text::{closing, code, line, places, without_comments};

/// Folders of `sample-transcripts` that belong to no format.
const OF_NO_FORMAT: &[&str] = &["hostile"];

/// The views that have no tools by name, so that they need not be rows of the table: the one that
/// draws what no row claims, and what users make of the settings file.
const OF_NO_NAME: &[&str] = &["default", "own"];

/// Every row of `TOOL_VIEWS` without a module or a template of its stem, every view that is not
/// a row, and every template that no view draws with.
pub(super) fn views_and_templates_match(tree: &Tree) -> Vec<String> {
    let rows = match rows(tree, "tools", "TOOL_VIEWS") {
        Ok(rows) => rows,
        Err(broken) => return broken,
    };
    let mut broken = without_module(tree, "tools", &rows);
    let mut views: BTreeSet<_> = rows.iter().map(String::as_str).collect();
    for (path, text) in tree.rust("src/tools/") {
        if !code(text).contains("impl ToolView for ") {
            continue;
        }
        let stem = stem(path, "src/tools/");
        if OF_NO_NAME.contains(&stem) {
            views.insert(stem);
        } else if !views.contains(stem) {
            broken.push(format!("{path}: a view that TOOL_VIEWS does not list"));
        }
    }
    let templates: BTreeSet<_> = tree
        .under("templates/tools/")
        .map(|(path, _)| stem(path, "templates/tools/"))
        .collect();
    let missing = views.difference(&templates);
    broken.extend(missing.map(|view| format!("src/tools/{view}: no templates/tools/{view}.html")));
    let stray = templates.difference(&views);
    broken.extend(stray.map(|stem| format!("templates/tools/{stem}: no view draws with it")));
    broken
}

/// Every row of `FORMATS` without a module, a name or a sample of its name, and every folder of
/// samples that is no format's.
pub(super) fn formats_and_samples_match(tree: &Tree) -> Vec<String> {
    let rows = match rows(tree, "formats", "FORMATS") {
        Ok(rows) => rows,
        Err(broken) => return broken,
    };
    let mut broken = without_module(tree, "formats", &rows);
    let mut formats = BTreeSet::new();
    for row in &rows {
        let names = names_of(tree, "formats", row);
        if names.is_empty() {
            broken.push(format!(
                "src/formats/{row}: no fn name(&self) that says its name"
            ));
        }
        formats.extend(names);
    }
    let samples: BTreeSet<_> = tree
        .under("sample-transcripts/")
        .filter_map(|(path, _)| {
            path.split('/')
                .nth(1)
                .filter(|_| path.split('/').count() > 2)
        })
        .filter(|folder| !OF_NO_FORMAT.contains(folder))
        .map(str::to_owned)
        .collect();
    let missing = formats.difference(&samples);
    broken.extend(missing.map(|name| format!("sample-transcripts/{name}: no sample")));
    let stray = samples.difference(&formats);
    broken.extend(stray.map(|name| format!("sample-transcripts/{name}: no format of that name")));
    broken
}

/// Every name that two formats, two views or two themes share, and every tool name that two
/// views claim.
pub(super) fn names_are_unique(tree: &Tree) -> Vec<String> {
    let mut broken = Vec::new();
    for (folder, function) in [
        ("src/formats", "fn name(&self)"),
        ("src/tools", "fn name(&self)"),
        ("src/tools", "fn names(&self)"),
    ] {
        let said = tree.rust(folder).flat_map(|(path, text)| {
            let names = strings_of(text, function);
            names
                .into_iter()
                .map(move |(at, name)| (format!("{path}:{at}"), name))
        });
        broken.extend(twice(said));
    }
    let themes = tree.rust("src/themes").flat_map(|(path, text)| {
        let text = without_comments(text);
        let fields: Vec<_> = places(&text, "name:")
            .filter_map(|at| Some((line(&text, at), first_string(&text[at + 5..])?.to_owned())))
            .collect();
        fields
            .into_iter()
            .map(move |(at, name)| (format!("{path}:{at}"), name))
    });
    broken.extend(twice(themes));
    broken
}

/// The modules that the rows of a registry name, in its order. A registry whose folder is not
/// there yet has none; one that the folder lacks is a problem.
fn rows(tree: &Tree, folder: &str, registry: &str) -> Result<Vec<String>, Vec<String>> {
    let folder = format!("src/{folder}/");
    if tree.rust(&folder).next().is_none() {
        return Ok(Vec::new());
    }
    let path = format!("{folder}mod.rs");
    let code = code(tree.get(&path).unwrap_or(""));
    let table = places(&code, registry).find_map(|at| {
        let value = code[at + registry.len()..].strip_prefix(':')?;
        let value = &value[value.find('=')?..];
        let open = value.find('[')?;
        Some(&value[open + 1..closing(value, open) - 1])
    });
    let Some(table) = table else {
        return Err(vec![format!("{path}: no table {registry}")]);
    };
    let rows = table
        .split(',')
        .map(str::trim)
        .filter(|row| !row.is_empty());
    let modules = rows.map(|row| match row.trim_start_matches('&').split_once("::") {
        Some((module, _)) => Ok(module.to_owned()),
        None => Err(format!("{path}: row {row} names no module")),
    });
    let (modules, broken): (Vec<_>, Vec<_>) = modules.partition(Result::is_ok);
    if broken.is_empty() {
        Ok(modules.into_iter().flatten().collect())
    } else {
        Err(broken.into_iter().filter_map(Result::err).collect())
    }
}

fn without_module(tree: &Tree, folder: &str, rows: &[String]) -> Vec<String> {
    rows.iter()
        .filter(|row| {
            tree.rust(&format!("src/{folder}/{row}.rs"))
                .next()
                .is_none()
        })
        .filter(|row| tree.rust(&format!("src/{folder}/{row}/")).next().is_none())
        .map(|row| format!("src/{folder}/mod.rs: row {row} has no module"))
        .collect()
}

/// What a file below a folder is called there: its stem, or the folder that it is in.
fn stem<'a>(path: &'a str, folder: &str) -> &'a str {
    let inner = path.strip_prefix(folder).unwrap_or(path);
    let first = inner.split('/').next().unwrap_or(inner);
    first.split('.').next().unwrap_or(first)
}

/// The names that the `fn name(&self)` of a module give.
fn names_of(tree: &Tree, folder: &str, module: &str) -> Vec<String> {
    let files = tree.rust("src/").filter(|(path, _)| {
        let inner = path.strip_prefix(&format!("src/{folder}/{module}"));
        inner.is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
    });
    files
        .flat_map(|(_, text)| strings_of(text, "fn name(&self)"))
        .map(|(_, name)| name)
        .collect()
}

/// The strings in the body of every function of that head, each with its line. A head without a
/// body, as in a trait, has none.
fn strings_of(text: &str, head: &str) -> Vec<(usize, String)> {
    let spoken = without_comments(text);
    let code = code(text);
    let mut strings = Vec::new();
    for at in places(&code, head) {
        let Some(open) = code[at..].find(['{', ';']).map(|offset| at + offset) else {
            continue;
        };
        if code[open..].starts_with(';') {
            continue;
        }
        let mut rest = &spoken[open..closing(&code, open)];
        while let Some(string) = first_string(rest) {
            strings.push((line(text, at), string.to_owned()));
            let end = string.as_ptr() as usize - rest.as_ptr() as usize + string.len() + 1;
            rest = &rest[end..];
        }
    }
    strings
}

/// The first plain string of a text without its quotes.
fn first_string(text: &str) -> Option<&str> {
    let (_, after) = text.split_once('"')?;
    after.split_once('"').map(|(string, _)| string)
}

/// Every name that stands at more than one place.
fn twice(said: impl Iterator<Item = (String, String)>) -> Vec<String> {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (place, name) in said {
        places.entry(name).or_default().push(place);
    }
    places.retain(|_, places| places.len() > 1);
    let shared = places.into_iter();
    shared
        .map(|(name, places)| format!("{name}: {}", places.join(", ")))
        .collect()
}

const TOOLS: &str =
    "mod shell;\npub(crate) static TOOL_VIEWS: &[&dyn ToolView] = &[\n    &shell::Shell,\n];";
const SHELL: &str = "impl ToolView for Shell { fn names(&self) -> &[&str] { &[\"Bash\"] } }";
const FORMATS: &str = "static FORMATS: &[&dyn Format] = &[&codex::Codex]; // &gone::Gone";
const CODEX: &str = "impl Format for Codex { fn name(&self) -> &'static str { \"codex\" } }";

#[test]
fn a_view_with_its_template_is_fine() {
    let tree = Tree::of(&[
        ("src/tools/mod.rs", TOOLS),
        ("src/tools/shell.rs", SHELL),
        ("src/tools/default/mod.rs", "impl ToolView for Default {}"),
        ("src/tools/facts.rs", "fn lines() {}"),
        ("templates/tools/shell.html", ""),
        ("templates/tools/default.html", ""),
    ]);
    assert_eq!(views_and_templates_match(&tree), [""; 0]);
    assert_eq!(views_and_templates_match(&Tree::of(&[])), [""; 0]);
}

#[test]
fn views_rows_and_templates_that_stand_alone_are_found() {
    let missing = Tree::of(&[("src/tools/mod.rs", TOOLS), ("src/tools/shell.rs", SHELL)]);
    assert_eq!(
        views_and_templates_match(&missing),
        ["src/tools/shell: no templates/tools/shell.html"]
    );
    let stray = Tree::of(&[
        ("src/tools/mod.rs", TOOLS),
        ("src/tools/read.rs", SHELL),
        ("templates/tools/shell.html", ""),
        ("templates/tools/edit.html", ""),
    ]);
    assert_eq!(
        views_and_templates_match(&stray),
        [
            "src/tools/mod.rs: row shell has no module",
            "src/tools/read.rs: a view that TOOL_VIEWS does not list",
            "templates/tools/edit: no view draws with it"
        ]
    );
    let bare = Tree::of(&[("src/tools/mod.rs", "mod shell;")]);
    assert_eq!(
        views_and_templates_match(&bare),
        ["src/tools/mod.rs: no table TOOL_VIEWS"]
    );
    let short = TOOLS.replace("shell::Shell", "Shell");
    let nameless = Tree::of(&[("src/tools/mod.rs", short.as_str())]);
    assert_eq!(
        views_and_templates_match(&nameless),
        ["src/tools/mod.rs: row &Shell names no module"]
    );
}

#[test]
fn a_format_without_a_sample_and_a_sample_without_a_format_are_found() {
    let mut files = vec![
        ("src/formats/mod.rs", FORMATS),
        ("src/formats/codex/mod.rs", CODEX),
        ("sample-transcripts/codex/a.jsonl", ""),
        ("sample-transcripts/hostile/a.jsonl", ""),
        ("sample-transcripts/README.md", ""),
    ];
    assert_eq!(formats_and_samples_match(&Tree::of(&files)), [""; 0]);
    files[2].0 = "sample-transcripts/codec/a.jsonl";
    assert_eq!(
        formats_and_samples_match(&Tree::of(&files)),
        [
            "sample-transcripts/codex: no sample",
            "sample-transcripts/codec: no format of that name"
        ]
    );
    files[1].1 = "impl Format for Codex {}";
    assert_eq!(
        formats_and_samples_match(&Tree::of(&files))[0],
        "src/formats/codex: no fn name(&self) that says its name"
    );
}

#[test]
fn a_name_that_is_taken_twice_is_found() {
    let two = "static THEMES: &[Theme] = &[Theme { name: \"paper\" }, Theme { name: \"paper\" }];";
    let tree = Tree::of(&[
        ("src/formats/a.rs", CODEX),
        ("src/formats/b.rs", CODEX),
        (
            "src/formats/mod.rs",
            "trait Format { fn name(&self) -> &'static str; } // \"codex\"",
        ),
        ("src/themes.rs", two),
        (
            "src/tools/a.rs",
            "fn names(&self) -> &[&str] {\n&[\"Bash\", \"Read\"] }",
        ),
        (
            "src/tools/b.rs",
            "fn names(&self) -> &[&str] { &[\"Bash\"] }",
        ),
    ]);
    assert_eq!(
        names_are_unique(&tree),
        [
            "codex: src/formats/a.rs:1, src/formats/b.rs:1",
            "Bash: src/tools/a.rs:1, src/tools/b.rs:1",
            "paper: src/themes.rs:1, src/themes.rs:1"
        ]
    );
}
