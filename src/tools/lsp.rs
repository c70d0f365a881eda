//! What a language server was asked about code.

use askama::Template;

use crate::html::Html;

use super::args::PATH;
use super::{Act, Body, Drawing, Glimpse, Label, ToolView, boxes, outcome};

/// Draws a question to a language server.
pub(crate) struct Lsp;

const OPERATION: &[&str] = &["operation", "action", "method"];
const SYMBOL: &[&str] = &["symbol", "symbolName", "query"];
const LINE: &[&str] = &["line", "lineNumber", "startLine"];

#[derive(Template)]
#[template(path = "tools/lsp.html")]
struct LspTemplate {
    fields: Html,
    output: Html,
}

impl ToolView for Lsp {
    fn name(&self) -> &'static str {
        "lsp"
    }

    fn names(&self) -> &'static [&'static str] {
        &[
            "lsp",
            "LSP",
            "lsp_hover",
            "lsp_diagnostics",
            "get_errors",
            "copilot_getErrors",
            "list_code_usages",
        ]
    }

    fn label(&self, _: &Act<'_>) -> Label {
        Label::words("Looked up code")
    }

    fn activity(&self, _: &Act<'_>) -> String {
        "Looking up code".to_owned()
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        let words = [OPERATION, SYMBOL].map(|names| act.args.text(names).map(str::to_owned));
        let words = words.into_iter().flatten().chain(place(act));
        Glimpse::Code(words.collect::<Vec<_>>().join(" "))
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        Some(outcome::lines_or_failure(act))
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        Some(Body::whole(&LspTemplate {
            fields: boxes::rest(&act.args, &[], drawing),
            output: boxes::result(act, "Looking…", drawing),
        }))
    }
}

/// The place that was asked about: `src/a.rs:12`.
fn place(act: &Act<'_>) -> Option<String> {
    let files = act.args.items(&["filePaths", "paths"]);
    let path = act
        .args
        .text(PATH)
        .or_else(|| files.first().and_then(|file| file.as_str()))?;
    let path = act.short_path(path);
    Some(match act.args.number(LINE) {
        Some(line) => format!("{path}:{line}"),
        None => path,
    })
}

#[cfg(test)]
mod tests {
    use crate::tools::testing::{body, call, row};

    /// S1-10: the row of a language server's answer.
    #[test]
    fn s1_10_the_operation_stands_before_its_place() {
        let input = r#"{"operation":"references","path":"src/app/store.svelte.ts","line":12}"#;
        let call = call("lsp", input, Some(Ok(&"x\n".repeat(9))));
        assert_eq!(
            row("dispatch", &call),
            "✓ lsp references src/app/store.svelte.ts:12 → 9 lines"
        );
    }

    #[test]
    fn the_body_has_the_column_too() {
        let input = r#"{"operation":"hover","filePath":"a.rs","line":3,"character":14}"#;
        let call = call("LSP", input, Some(Err("no server")));
        assert_eq!(row("x", &call), "✗ LSP hover a.rs:3 → failed · no server");
        assert!(body("x", &call).contains("character14"));
    }

    #[test]
    fn a_symbol_or_a_list_of_files_will_do() {
        let usages = r#"{"symbolName":"total","filePaths":["/home/robin/shop/a.ts"]}"#;
        assert_eq!(
            row("x", &call("list_code_usages", usages, None)),
            "◌ list_code_usages total a.ts incomplete"
        );
        assert_eq!(
            row("x", &call("get_errors", "{}", None)),
            "◌ get_errors incomplete"
        );
    }
}
