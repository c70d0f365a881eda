//! Every mistake that an entry can have is told with its file and line.

use super::views;

/// What is said of a file.
fn said(text: &str) -> String {
    match views(text) {
        Ok(_) => panic!("no mistake was found in {text}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn every_mistake_is_told_at_its_line() {
    let head = "[[tool-view]]\nnames = 'dig'\nlabel = 'Dug'\n";
    for (line, entry, what) in [
        (4, "colour = 'red'", "unknown field"),
        (4, "glimpse = 3", "a text or a list of texts"),
        (4, "glimpse = ['a', 3]", "expected a string"),
        (
            4,
            "glimpse = 'a..b'",
            "a part of this field's name is empty",
        ),
        (4, "glimpse = ''", "a part of this field's name is empty"),
        (4, "glimpse-as = 'loud'", "unknown variant"),
        (4, "activity = ''", "one line of 1 to 60 characters"),
        (4, "badges = 'a'", "expected a sequence"),
        (4, "badges = [{ text = 'a' }]", "missing field"),
        (
            4,
            "badges = [{ field = 'a', tone = 'loud' }]",
            "unknown variant",
        ),
        (
            4,
            "badges = [{ field = '.a' }]",
            "a part of this field's name is empty",
        ),
        (4, "badges = [{ field = 'a', size = 3 }]", "unknown field"),
        (4, "result = 'words'", "a result is \"lines\""),
        (4, "result = {}", "either a field or a pattern"),
        (
            4,
            "result = { field = 'a', pattern = 'b' }",
            "either a field or a pattern",
        ),
        (4, "result = { pattern = '(' }", "no pattern"),
        (4, "result = { pattern = 'a', group = 1 }", "unknown field"),
        (4, "body = 'a'", "expected a sequence"),
        (5, "body = [\n{ field = 'a' }]", "missing field"),
        (
            5,
            "body = [\n{ field = 'a', as = 'film' }]",
            "unknown variant",
        ),
        (5, "body = [\n{ as = 'prose' }]", "this part has no field"),
        (
            5,
            "body = [\n{ field = '', as = 'prose' }]",
            "a part of this field's name is empty",
        ),
        (
            5,
            "body = [\n{ field = 'a', as = 'prose', language = 'rust' }]",
            "only code and a diff",
        ),
        (
            5,
            "body = [\n{ field = 'a', as = 'code', language = 'elvish' }]",
            "no language",
        ),
        (
            5,
            "body = [\n{ field = 'a', as = 'code', language = 'rust', path = 'b' }]",
            "either a language or a path",
        ),
        (
            5,
            "body = [\n{ field = 'a', as = 'code', old = 'b' }]",
            "only a diff has old and new",
        ),
        (
            5,
            "body = [\n{ as = 'diff', old = 'b' }]",
            "either a field, or old and new",
        ),
        (
            5,
            "body = [\n{ field = 'a', as = 'diff', old = 'b', new = 'c' }]",
            "either a field, or old and new",
        ),
        (4, "output = 'film'", "an output is \"text\""),
        (4, "output = { field = 'a' }", "missing field"),
        (
            4,
            "output = { as = 'text', language = 'rust' }",
            "only code has a language",
        ),
        (
            4,
            "output = { as = 'code', language = 'elvish' }",
            "no language",
        ),
        (
            4,
            "output = { as = 'json', field = 'a.' }",
            "a part of this field's name is empty",
        ),
        (4, "label = 'again'", "duplicate key"),
    ] {
        let said = said(&format!("{head}{entry}\n"));
        let place = format!("foldout.toml:{line}: ");
        assert!(said.starts_with(&place), "{place} for {entry}: {said}");
        assert!(said.contains(what), "{what} for {entry}: {said}");
    }
}

#[test]
fn names_and_labels_are_looked_at_too() {
    let long = "x".repeat(61);
    for (line, text, what) in [
        (1, "[[tool-view]]\nlabel = 'a'\n", "missing field `names`"),
        (1, "[[tool-view]]\nnames = 'a'\n", "missing field `label`"),
        (1, "[[tool-view]]\nnames = []\nlabel = 'a'\n", "no names"),
        (
            2,
            "[[tool-view]]\nnames = ''\nlabel = 'a'\n",
            "a name is empty",
        ),
        (
            4,
            "[[tool-view]]\nnames = [\n'a',\n' ']\nlabel = 'a'\n",
            "a name is empty",
        ),
        (
            3,
            "[[tool-view]]\nnames = 'a'\nlabel = ''\n",
            "a label is one line",
        ),
        (
            3,
            &format!("[[tool-view]]\nnames = 'a'\nlabel = '{long}'\n"),
            "a label is one line",
        ),
        (
            3,
            "[[tool-view]]\nnames = 'a'\nlabel = \"a\\nb\"\n",
            "a label is one line",
        ),
        (
            5,
            "[[tool-view]]\nnames = 'a'\nlabel = 'a'\n[[tool-view]]\nnames = 'a'\nlabel = 'b'\n",
            "in line 2",
        ),
        (1, "[tool-view]\nnames = 'a'\n", "expected a sequence"),
        (1, "tool-view = 3\n", "expected a sequence"),
        (2, "[redact]\n[[toolview]]\n", "unknown field"),
    ] {
        let said = said(text);
        let place = format!("foldout.toml:{line}: ");
        assert!(said.starts_with(&place), "{place} for {text}: {said}");
        assert!(said.contains(what), "{what} for {text}: {said}");
    }
}
