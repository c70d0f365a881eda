//! Programs that were run under a debugger.

use askama::Template;

use crate::html::Html;

use super::{Act, Body, Drawing, Glimpse, Label, ToolView, boxes, outcome};

const ACT: &[&str] = &["action", "op", "command"];
const TARGET: &[&str] = &[
    "program",
    "file",
    "function",
    "expression",
    "name",
    "memory_reference",
    "instruction_reference",
    "pid",
    "command",
];

/// Draws a step in a debugger.
pub(crate) struct Debug;

#[derive(Template)]
#[template(path = "tools/debug.html")]
struct DebugTemplate {
    call: Html,
    result: Html,
}

impl ToolView for Debug {
    fn name(&self) -> &'static str {
        "debug"
    }

    fn names(&self) -> &'static [&'static str] {
        &["debug", "debugger"]
    }

    fn label(&self, _: &Act<'_>) -> Label {
        Label::words("Used a debugger")
    }

    fn activity(&self, _: &Act<'_>) -> String {
        "Using a debugger".to_owned()
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        let mut parts: Vec<String> = act.args.told(ACT).into_iter().collect();
        if let Some(target) = act.args.told(TARGET) {
            let line = act.args.number(&["line"]);
            parts.push(match line {
                Some(line) => format!("{}:{line}", act.short_path(&target)),
                None => act.short_path(&target),
            });
        }
        parts.dedup();
        if parts.is_empty() {
            parts.extend(act.args.free.clone());
        }
        Glimpse::Code(parts.join(" "))
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        Some(outcome::single(act))
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        Some(Body::whole(&DebugTemplate {
            call: boxes::rest(&act.args, &[], drawing),
            result: boxes::result_or_data(act, drawing),
        }))
    }
}

#[cfg(test)]
mod tests {
    use crate::tools::testing::{call, row};

    #[test]
    fn the_row_has_the_step_and_where() {
        for (input, glimpse) in [
            (
                r#"{"action":"set_breakpoint","file":"/home/robin/shop/src/a.rs","line":12}"#,
                "set_breakpoint src/a.rs:12",
            ),
            (
                r#"{"action":"evaluate","expression":"tide + 1"}"#,
                "evaluate tide + 1",
            ),
            (r#"{"action":"continue"}"#, "continue"),
        ] {
            let row = row("oh_my_pi", &call("debug", input, Some(Ok("stopped"))));
            assert_eq!(row, format!("✓ debug {glimpse} → stopped"));
        }
    }
}
