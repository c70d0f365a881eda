//! The result of a call, or what stands in its place.

use crate::figures::lines;
use crate::html::Html;
use crate::model::ToolStatus;
use crate::tools::{Act, Drawing, json};

use super::{Tone, data, output, prose, remark};

/// What a card says in place of a result, by status: `running` while it runs, and a word for a
/// call that will never have one. Empty when there is a result.
pub(in crate::tools) fn no_result(act: &Act<'_>, running: &str) -> Html {
    match act.status {
        ToolStatus::Running => remark(running),
        _ if act.result().is_none() => remark("No result was recorded."),
        _ => Html::default(),
    }
}

/// The result as most views show it: the output in a box, tinted when it failed, its trailers
/// behind it; `running` while there is none.
pub(in crate::tools) fn result(act: &Act<'_>, running: &str, drawing: &Drawing<'_>) -> Html {
    let tone = if act.status == ToolStatus::Error {
        Tone::Failure
    } else {
        Tone::Output
    };
    result_as(act, running, drawing, &|text| output(text, tone, drawing))
}

/// The result with its text drawn by `draw`, unless it failed.
pub(in crate::tools) fn result_as(
    act: &Act<'_>,
    running: &str,
    drawing: &Drawing<'_>,
    draw: &dyn Fn(&str) -> Html,
) -> Html {
    let Some(result) = act.result() else {
        return no_result(act, running);
    };
    let text = act.output.text;
    let mut html = if lines(text).next().is_none() {
        if result.images.is_empty() {
            remark("No output.")
        } else {
            Html::default()
        }
    } else if act.status == ToolStatus::Error {
        output(text, Tone::Failure, drawing)
    } else {
        draw(text)
    };
    if !act.output.trailer.is_empty() {
        html.push(&remark(act.output.trailer));
    }
    html
}

/// The result with data indented and anything else as it is.
pub(in crate::tools) fn result_or_data(act: &Act<'_>, drawing: &Drawing<'_>) -> Html {
    result_as(act, "Running…", drawing, &|text| match json::pretty(text) {
        Some(_) => data(text, drawing),
        None => output(text, Tone::Output, drawing),
    })
}

/// The result as Markdown, for tools that answer in prose; data is indented.
pub(in crate::tools) fn result_as_prose(act: &Act<'_>, drawing: &Drawing<'_>) -> Html {
    result_as(act, "Running…", drawing, &|text| match json::pretty(text) {
        Some(_) => data(text, drawing),
        None => prose(text, drawing),
    })
}
