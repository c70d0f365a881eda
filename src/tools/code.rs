//! Code that was run by an interpreter.

use askama::Template;

use crate::figures::lines;
use crate::highlight::Language;
use crate::html::Html;

use super::args::Args;
use super::{Act, Badge, Body, Drawing, Glimpse, Label, ToolView, boxes, outcome};

const CODE: &[&str] = &["code", "script", "source", "input", "python", "expression"];
/// The argument that lists several pieces of code.
const CELLS: &[&str] = &["cells"];
const LANGUAGE: &[&str] = &["language", "lang"];

/// Draws code with its output.
pub(crate) struct Code;

#[derive(Template)]
#[template(path = "tools/code.html")]
struct CodeTemplate {
    code: Html,
    call: Html,
    result: Html,
}

impl ToolView for Code {
    fn name(&self) -> &'static str {
        "code"
    }

    fn names(&self) -> &'static [&'static str] {
        &[
            "python",
            "execute_python",
            "code_interpreter",
            "open_webui:code_interpreter",
            "execute_code",
            "run_tools_with_code",
            "execute_ipython_cell",
            "run_ipython",
            "repl",
            "analysis_tool",
            "code_execution",
            "qwen_code/exec",
            "code_interpreter_call",
            "eval",
            "js",
            "js_repl",
            "codex/exec",
            "javascript_repl",
            "sandbox",
        ]
    }

    fn label(&self, _: &Act<'_>) -> Label {
        Label::words("Ran code")
    }

    fn activity(&self, _: &Act<'_>) -> String {
        "Running code".to_owned()
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        let cells = cells(act);
        let of_cell = cells.first().and_then(|cell| cell.words(CODE));
        let code = act.args.words_or_free(CODE).or(of_cell).unwrap_or_default();
        let first = lines(code).find(|line| !line.trim().is_empty());
        Glimpse::Code(first.unwrap_or_default().to_owned())
    }

    fn badges(&self, act: &Act<'_>) -> Vec<Badge> {
        language(act).map(Badge::plain).into_iter().collect()
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        Some(outcome::lines(act))
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        let cells = cells(act);
        if act.args.named(CODE).is_none() && !cells.is_empty() {
            let mut code = Html::default();
            for cell in &cells {
                let (name, text) = cell.named(CODE).unwrap_or_default();
                let own = cell.words(LANGUAGE).or_else(|| language(act));
                code.push(&boxes::fields(cell.rest(&[&[name]]), drawing));
                code.push(&boxes::code(
                    text,
                    own.and_then(Language::from_name),
                    drawing,
                ));
            }
            return Some(Body::whole(&CodeTemplate {
                code,
                call: boxes::fields(act.args.rest(&[CELLS]), drawing),
                result: boxes::result_or_data(act, drawing),
            }));
        }
        let code = act.args.named(CODE);
        let drawn = code.map_or("", |(name, _)| name);
        let code = code.map(|(_, code)| code).or(act.args.free.as_deref())?;
        let language = language(act).and_then(Language::from_name);
        Some(Body::whole(&CodeTemplate {
            code: boxes::code(code, language, drawing),
            call: boxes::fields(act.args.rest(&[&[drawn]]), drawing),
            result: boxes::result_or_data(act, drawing),
        }))
    }
}

/// The pieces of a call that runs several; none when it runs one.
fn cells(act: &Act<'_>) -> Vec<Args> {
    let has_code = |cell: &Args| cell.named(CODE).is_some();
    let cells = act.args.items(CELLS).iter();
    let cells = cells.map(|cell| Args::of_object(cell).filter(has_code));
    cells.collect::<Option<_>>().unwrap_or_default()
}

/// The language that is given, else the one that the tool runs.
fn language<'a>(act: &'a Act<'_>) -> Option<&'a str> {
    act.args.words(LANGUAGE).or_else(|| {
        let tool = act.call.name.to_lowercase();
        let is = |names: &[&str]| names.iter().any(|name| tool.contains(name));
        if is(&["python", "interpreter"]) {
            Some("python")
        } else if is(&["js", "javascript", "analysis"]) {
            Some("javascript")
        } else {
            None
        }
    })
}

#[cfg(test)]
mod tests {
    use crate::model::Input;
    use crate::tools::testing::{call, html, row, text};

    #[test]
    fn the_row_has_the_first_line_and_the_language() {
        let input = r#"{"lang":"rb","code":"\n  puts 1\nputs 2"}"#;
        let done = call("execute_code", input, Some(Ok("1\n2\n")));
        assert_eq!(
            row("librechat", &done),
            "✓ execute_code puts 1 rb → 2 lines"
        );
        let failed = call("python", r#"{"code":"1/0"}"#, Some(Err("a\nb\nc")));
        assert_eq!(
            row("chatgpt", &failed),
            "✗ python 1/0 python → failed · 3 lines"
        );
    }

    #[test]
    fn code_that_is_the_whole_input_is_shown_once() {
        let mut raw = call("python", "", Some(Ok("7")));
        raw.input = Some(Input::Text("print(3 + 4)\n".into()));
        let html = html("chatgpt", &raw);
        let body = &html[html.find("class=\"body\"").expect("a body")..];
        assert_eq!(text(body).matches("print(3 + 4)").count(), 1);
        assert!(body.contains("aria-label=\"Code, 1 line\""));
    }

    #[test]
    fn without_code_the_body_is_the_default_one() {
        let html = html("x", &call("eval", r#"{"a":1}"#, Some(Ok("b"))));
        assert!(html.contains("<p class=\"head\">Input</p>"));
    }
}
