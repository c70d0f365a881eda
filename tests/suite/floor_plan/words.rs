//! What files may say and how long they may be.

use super::Tree;
use super::rust_text::is_word;

/// The longest that a file may be, in lines.
const LINES: usize = 500;

/// Names of invented people, whose home folders may be written down; so may those of people
/// with one letter.
const INVENTED: &[&str] = &[
    "ada", "alice", "bob", "dev", "example", "jane", "me", "name", "robin", "runner", "sam",
    "Shared", "someone", "user", "username", "you",
];

/// Every Rust file and template that is longer than 500 lines.
pub(super) fn files_stay_short(tree: &Tree) -> Vec<String> {
    let folders = ["src/", "tests/", "templates/", "benches/", "fuzz/"];
    let files = folders.into_iter().flat_map(|folder| tree.under(folder));
    files
        .filter(|(path, _)| path.ends_with(".rs") || path.starts_with("templates/"))
        .map(|(path, text)| (path, text.lines().count()))
        .filter(|(_, lines)| *lines > LINES)
        .map(|(path, lines)| format!("{path}: {lines} lines"))
        .collect()
}

/// Every Rust file that does not begin by saying what it is for.
pub(super) fn files_say_what_they_are_for(tree: &Tree) -> Vec<String> {
    let silent = tree.rust("").filter(|(_, text)| {
        let words = text
            .strip_prefix("//!")
            .map(|text| text.lines().next().unwrap_or("").trim());
        words.is_none_or(str::is_empty)
    });
    silent
        .map(|(path, _)| format!("{path}: does not begin with //!"))
        .collect()
}

/// Every path of a machine that someone works on: into the superuser's home, a person's home, a
/// work folder at the root. The bare names may stand between quotes: foldout shortens homes.
pub(super) fn no_file_names_a_machine(tree: &Tree) -> Vec<String> {
    let mut broken = Vec::new();
    for (path, text) in tree.under("") {
        for (number, line) in text.lines().enumerate() {
            let people = ["/home/", "/Users/"].into_iter().flat_map(|home| {
                let names = after(line, home).filter_map(|rest| rest.split(|c| !is_word(c)).next());
                let real = names.filter(|name| name.len() > 1 && !INVENTED.contains(name));
                real.map(move |name| format!("{home}{name}"))
            });
            let folders = [concat!("/wo", "rk"), concat!("/ro", "ot")].into_iter();
            let folders = folders.filter(|folder| {
                let ends = |rest: &str| !rest.starts_with(|c| is_word(c) || "-\"".contains(c));
                after(line, folder).any(ends)
            });
            let found = people.chain(folders.map(str::to_owned));
            broken.extend(found.map(|what| format!("{path}:{}: {what}", number + 1)));
        }
    }
    broken
}

/// Every note of something that is left to do.
pub(super) fn nothing_is_left_to_do(tree: &Tree) -> Vec<String> {
    let notes = [
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
        concat!("XX", "X:"),
    ];
    let mut broken = Vec::new();
    for (path, text) in tree.under("") {
        let lines = text.lines().enumerate().filter(|(_, line)| {
            let mut found = notes.into_iter().flat_map(|note| after(line, note));
            found.any(|rest| !rest.starts_with(is_word))
        });
        broken.extend(lines.map(|(number, line)| format!("{path}:{}: {line}", number + 1)));
    }
    broken
}

/// The two commands that a newcomer needs, one to try foldout and one to test it, where the
/// README lacks one or names what is not there, and where `.ci/run` tests otherwise.
pub(super) fn the_readme_says_how_to_build_and_test(tree: &Tree) -> Vec<String> {
    let Some(readme) = tree.get("README.md") else {
        let is_needed = tree.rust("src/pipeline").next().is_some();
        return is_needed
            .then(|| "README.md: not there".to_owned())
            .into_iter()
            .collect();
    };
    let commands: Vec<_> = readme
        .lines()
        .map(|line| line.trim().trim_start_matches("$ "))
        .filter_map(|line| Some(line.split(" #").next()?.trim()))
        .collect();
    let mut broken = Vec::new();
    let build = "cargo run --release -- build ";
    let builds = commands.iter().filter_map(|line| line.strip_prefix(build));
    match builds.filter_map(|rest| rest.split(' ').next()).next() {
        Some(folder) if tree.under(&format!("{folder}/")).next().is_some() => {}
        Some(folder) => broken.push(format!("README.md: builds {folder}, which is not there")),
        None => broken.push(format!("README.md: no line {build:?}")),
    }
    if !commands.contains(&"cargo test") {
        broken.push("README.md: no line \"cargo test\"".to_owned());
    }
    let run = tree.get(".ci/run").unwrap_or("");
    if !run.lines().any(|line| line.trim().ends_with("cargo test")) {
        broken.push(".ci/run: does not end a line with \"cargo test\"".to_owned());
    }
    broken
}

/// What follows each `word` that is not the end of a longer path or name.
fn after<'a>(line: &'a str, word: &'a str) -> impl Iterator<Item = &'a str> {
    let whole = line.match_indices(word).filter(|(at, _)| {
        !line[..*at].ends_with(|c| is_word(c) || matches!(c, '/' | '.' | '-' | '~' | '}' | '>'))
    });
    whole.map(|(at, _)| &line[at + word.len()..])
}

#[test]
fn long_files_are_found() {
    let (short, long) = ("a\n".repeat(500), "a\n".repeat(501));
    let tree = Tree::of(&[
        ("src/a.rs", &short),
        ("src/b.rs", &long),
        ("templates/c.html", &long),
        ("tests/suite/snapshots/d.snap", &long),
    ]);
    let found = files_stay_short(&tree);
    assert_eq!(
        found,
        ["src/b.rs: 501 lines", "templates/c.html: 501 lines"]
    );
}

#[test]
fn silent_files_are_found() {
    let tree = Tree::of(&[
        ("src/a.rs", "//! What for."),
        ("src/b.rs", "//!\nuse c;"),
        ("tests/suite/d.rs", "// What for."),
    ]);
    assert_eq!(files_say_what_they_are_for(&tree).len(), 2);
}

#[test]
fn paths_of_a_machine_are_found() {
    let found = |line: &str| !no_file_names_a_machine(&Tree::of(&[("a.md", line)])).is_empty();
    let (work, root) = (concat!("/wo", "rk"), concat!("/ro", "ot"));
    for line in [
        format!("in {work}/main"),
        format!("cd {root}"),
        format!("\"{root}/.cargo\""),
        format!("/home/{}", "mallory/x"),
    ] {
        assert!(found(&line), "{line}");
    }
    for line in [
        "/home/ada/x",
        "/home/<name>",
        "/home/x",
        "/workspace/a",
        concat!("\"/ro", "ot\""),
        "../work/a",
        "/roots",
        "a/root/b",
    ] {
        assert!(!found(line), "{line}");
    }
}

#[test]
fn notes_are_found_and_tools_of_that_name_are_not() {
    let note = format!("// {}: later", concat!("TO", "DO"));
    let tree = Tree::of(&[
        ("a.rs", &note),
        ("b.rs", "TodoWrite, todo_write, TODOS, TODO_LIST"),
    ]);
    assert_eq!(nothing_is_left_to_do(&tree).len(), 1);
}

#[test]
fn a_readme_without_its_commands_is_found() {
    let rule = the_readme_says_how_to_build_and_test;
    let run = (".ci/run", "FOLDOUT_REQUIRE_BROWSER=1 cargo test\n");
    let sample = ("samples/a.jsonl", "");
    let build = "cargo run --release -- build samples -o site";
    let both = format!("```sh\n{build}\n$ cargo test   # all of it\n```");
    let readme = ("README.md", both.as_str());
    assert_eq!(rule(&Tree::of(&[readme, run, sample])), [""; 0]);
    assert_eq!(rule(&Tree::of(&[readme, sample])).len(), 1);
    assert_eq!(rule(&Tree::of(&[readme, run])).len(), 1);
    let halves = [("README.md", "cargo test"), ("README.md", build)];
    assert!(
        halves
            .iter()
            .all(|half| rule(&Tree::of(&[*half, run, sample])).len() == 1)
    );
    assert_eq!(rule(&Tree::of(&[run])), [""; 0]);
    let pipeline = Tree::of(&[("src/pipeline.rs", "")]);
    assert_eq!(rule(&pipeline), ["README.md: not there"]);
}
