//! The same attacks in every text of every format's samples: what a page may never become,
//! whatever it is made of.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use foldout::formats::{FORMATS, Format, Head, apart, group};
use foldout::pipeline::{Options, Report, build};
use foldout::source::File;
use rayon::prelude::*;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::browser::inert;

/// Markup, attribute breaks, schemes, Markdown, escapes, invisible and reordering characters.
const ATTACKS: &[&str] = &[
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(2)>",
    "' onmouseover='alert(3)",
    "</pre></details></main><iframe srcdoc=x>",
    "javascript:alert(4)",
    "[x](javascript:alert(5)) ![y](https://hx.invalid/6.png) <https://hx.invalid/7>",
    "<meta http-equiv=refresh content=\"0;url=https://hx.invalid/8\">",
    "<svg onload=alert(9)><style>@import 'https://hx.invalid/10'</style>",
    "\u{202e}gnp.exe\u{202c}\u{2066}\u{200b}\u{e0041}",
    "\u{1b}]8;;https://hx.invalid/11\u{7}link\u{1b}]8;;\u{7}\u{1b}[31mred\u{0}",
    "&lt;b&gt; &#60;script&#62; {{ 7 * 7 }} {% raw %}",
    "../../etc/passwd\\..\\x",
];

/// What an attack looks like where it has become markup.
const MARKUP: [&str; 8] = [
    "<script",
    "<img src=x",
    "<iframe",
    "<svg",
    "<style",
    "<meta http-equiv=refresh",
    "href=\"javascript:",
    "src=\"javascript:",
];

/// One format's samples: names below its folder, and bytes.
type Files = Vec<(String, Vec<u8>)>;

/// What a text becomes that stands under a key.
type Change<'a> = dyn Fn(&str, &str) -> Option<String> + 'a;

/// The samples of a format.
fn samples_of(format: &dyn Format) -> Files {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-transcripts");
    let folder = folder.join(format.name());
    let files = files(&folder);
    let read = |path: PathBuf| {
        let name = path.strip_prefix(&folder).expect("it is below");
        let bytes = fs::read(&path).expect("a sample can be read");
        (name.to_string_lossy().into_owned(), bytes)
    };
    files.into_iter().map(read).collect()
}

/// The files with each text in their JSON changed. A file that is not JSON, or a line of one, stays
/// as it is.
fn changed(files: &Files, change: &Change) -> Files {
    let change_file = |(name, bytes): &(String, Vec<u8>)| {
        let text = String::from_utf8_lossy(bytes);
        let document = |text: &str| {
            let value = serde_json::from_str(text).ok()?;
            Some(changed_value(&value, change, "").to_string())
        };
        let line = |line: &str| document(line).unwrap_or_else(|| line.to_owned()) + "\n";
        let bytes = match name.rsplit_once('.') {
            Some((_, "json")) => document(&text).map_or(bytes.clone(), String::into_bytes),
            Some((_, "jsonl")) => text.lines().map(line).collect::<String>().into_bytes(),
            _ => bytes.clone(),
        };
        (name.clone(), bytes)
    };
    files.iter().map(change_file).collect()
}

/// A value with its texts changed, those of JSON in a text too.
fn changed_value(value: &Value, change: &Change, key: &str) -> Value {
    match value {
        Value::String(text) => match serde_json::from_str(text) {
            Ok(inner @ (Value::Object(_) | Value::Array(_))) => {
                json!(changed_value(&inner, change, key).to_string())
            }
            _ => json!(change(key, text).unwrap_or_else(|| text.clone())),
        },
        Value::Array(items) => items
            .iter()
            .map(|item| changed_value(item, change, key))
            .collect(),
        Value::Object(map) => {
            let map = map.iter().map(|(name, item)| {
                // The arguments of a call have keys that the model chose.
                let is_free = ["input", "arguments", "args", "parameters"].contains(&key);
                let name = change("", name)
                    .filter(|_| is_free && name.len() > 12)
                    .unwrap_or_else(|| name.clone());
                let item = changed_value(item, change, &name);
                (name, item)
            });
            Value::Object(map.collect())
        }
        value => value.clone(),
    }
}

/// Every text, with the key that it stands under.
fn texts_of(files: &Files) -> BTreeSet<(String, String)> {
    let texts = RefCell::new(BTreeSet::new());
    changed(files, &|key, text| {
        texts.borrow_mut().insert((key.to_owned(), text.to_owned()));
        None
    });
    texts.into_inner()
}

/// What a reader makes of files, without any text.
fn shape(files: &Files) -> String {
    let found = files.iter().map(|(name, bytes)| {
        let file = File::in_memory(name.clone(), name.clone(), bytes.clone());
        let head = Head::of(&file).expect("memory can be read");
        (file, head)
    });
    let mut shape = String::new();
    for (source, format) in group(found.collect(), None).sources {
        for part in apart(source, format).0 {
            let reading = format!("{:?}", format.read(&part).conversation);
            shape += format.name();
            // Every other piece is a text, once the quotes in texts are gone.
            let pieces = reading.replace("\\\\", "").replace("\\\"", "");
            shape.extend(pieces.split('"').step_by(2));
        }
    }
    shape
}

/// The texts, each with its key, that can be others without a change of what is read beside them:
/// the rest tells a reader what is what.
fn free_texts(files: &Files) -> BTreeSet<(String, String)> {
    let before = shape(&changed(files, &|_, _| None));
    let is_free = |attacked: &BTreeSet<(String, String)>| {
        let change = |key: &str, text: &str| {
            let place = (key.to_owned(), text.to_owned());
            attacked.contains(&place).then(|| appended(text))
        };
        shape(&changed(files, &change)) == before
    };
    let mut free = BTreeSet::new();
    let mut left = Vec::new();
    let texts = texts_of(files);
    for key in texts.iter().map(|(key, _)| key).collect::<BTreeSet<_>>() {
        let of_key = texts.iter().filter(|(other, _)| other == key).cloned();
        left.push(of_key.collect());
    }
    while let Some(mut some) = left.pop() {
        if is_free(&some) {
            free.extend(some);
            continue;
        }
        // Words that are no name may be a person's or a model's, whatever others are.
        let count = some.len();
        some.retain(|(_, text)| text.contains(' '));
        if some.len() == count {
            let Some(middle) = some.iter().nth(count / 2).filter(|_| count > 1).cloned() else {
                continue;
            };
            left.push(some.split_off(&middle));
        }
        left.push(some);
    }
    free
}

/// A text with every attack behind it.
fn appended(text: &str) -> String {
    format!("{text}{}", ATTACKS.join(" "))
}

/// The samples of a format with attacks behind every text that is free; and those that have
/// another scheme before each of these, or attacks behind all texts of a key by which the reader
/// tells what is what.
fn variants(format: &dyn Format) -> (Files, Vec<Files>) {
    let files = samples_of(format);
    let free = free_texts(&files);
    let is_free = |key: &str, text: &str| free.contains(&(key.to_owned(), text.to_owned()));
    let behind = |key: &str, text: &str| is_free(key, text).then(|| appended(text));
    let scheme =
        |key: &str, text: &str| is_free(key, text).then(|| format!("javascript:alert(4)//{text}"));
    let texts = texts_of(&files);
    let telling: BTreeSet<_> = texts.difference(&free).map(|(key, _)| key).collect();
    let of_key = |telling: &String| {
        let is_meant = |key: &str, text: &str| key == telling && !is_free(key, text);
        changed(&files, &|key, text| {
            is_meant(key, text).then(|| appended(text))
        })
    };
    let mut odd = vec![changed(&files, &scheme)];
    odd.extend(telling.into_iter().map(of_key));
    (changed(&files, &behind), odd)
}

/// A site over these files, each of them an input of its own.
fn site(inputs: &[Files]) -> (TempDir, Report) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut options = Options {
        output: folder.path().join("site"),
        ..Options::default()
    };
    for (n, files) in inputs.iter().enumerate() {
        let input = folder.path().join(format!("in-{n}"));
        for (name, bytes) in files {
            let path = input.join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
            fs::write(path, bytes).expect("it can be written");
        }
        options.inputs.push(input);
    }
    let report = build(&options, &|_| {}).expect("the folder can be written");
    (folder, report)
}

#[test]
fn no_text_of_any_format_reaches_a_page_as_markup() {
    let formats: Vec<_> = FORMATS.to_vec();
    let variants: Vec<_> = formats.par_iter().map(|format| variants(*format)).collect();
    let (whole, odd): (Vec<_>, Vec<_>) = variants.into_iter().unzip();
    let as_before: Vec<_> = FORMATS.iter().map(|format| samples_of(*format)).collect();
    let conversations = site(&as_before).1.conversations;

    let (attacked, report) = site(&whole);
    assert_eq!(report.conversations, conversations, "{report:?}");
    let problems = inert::check(&attacked.path().join("site"));
    assert!(problems.is_empty(), "{problems:#?}");

    let (other, report) = site(&odd.concat());
    assert!(report.conversations > 3 * conversations, "{report:?}");
    for (page, html) in pages(attacked.path())
        .into_iter()
        .chain(pages(other.path()))
    {
        let raw = html.chars().find(|c| foldout::html::is_hidden(*c));
        assert_eq!(raw, None, "{}", page.display());
        let found = MARKUP.iter().find(|markup| html.contains(**markup));
        assert_eq!(found, None, "{}", page.display());
    }
}

/// The pages of a site, each with its HTML.
fn pages(folder: &Path) -> Vec<(PathBuf, String)> {
    let files = files(&folder.join("site")).into_iter();
    let pages = files.filter(|path| {
        path.extension()
            .is_some_and(|extension| extension == "html")
    });
    let read = |page: PathBuf| {
        let html = fs::read_to_string(&page).expect("pages are UTF-8");
        (page, html)
    };
    pages.map(read).collect()
}

/// The files below a folder, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = walkdir::WalkDir::new(folder).sort_by_file_name();
    let entries = entries.into_iter().filter_map(Result::ok);
    let files = entries.filter(|entry| entry.file_type().is_file());
    files.map(walkdir::DirEntry::into_path).collect()
}
