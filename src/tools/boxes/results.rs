//! The result of a call, or what stands in its place.

use std::cell::Cell;

use crate::figures::lines;
use crate::html::Html;
use crate::model::ToolStatus;
use crate::tools::blocks::{Block, Blocks};
use crate::tools::fold::{Link, fold};
use crate::tools::{Act, Drawing, json, pictures};

use super::{Drawn, Tone, data, output, path, prose, records, remark, table};

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

/// The result, but nothing where a call that is done says nothing: what it did is shown.
pub(in crate::tools) fn result_if_any(act: &Act<'_>, running: &str, drawing: &Drawing<'_>) -> Html {
    let is_silent = act.is_done() && lines(act.output.text).next().is_none();
    match is_silent && act.output.trailer.is_empty() {
        true => Html::default(),
        false => result(act, running, drawing),
    }
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

/// The result of a tool of which nothing is known: blocks out of their envelope, records as a
/// table, other data folded by depth, anything else as it is.
pub(in crate::tools) fn result_as_data(act: &Act<'_>, drawing: &Drawing<'_>) -> Drawn {
    let Some(blocks) = Blocks::of(act.output.text) else {
        let is_whole = Cell::new(true);
        let html = result_as(act, "Running…", drawing, &|text| {
            let drawn = text_or_data(text, drawing);
            is_whole.set(drawn.is_whole);
            drawn.html
        });
        return Drawn {
            html,
            is_whole: is_whole.get(),
        };
    };
    let mut is_whole = blocks.is_whole;
    let mut html = Html::default();
    for block in &blocks.blocks {
        let drawn = block_of(block, act, drawing);
        html.push(&drawn.html);
        is_whole &= drawn.is_whole;
    }
    if let Some(structured) = &blocks.structured {
        html.push(&data(structured, drawing));
    }
    if !act.output.trailer.is_empty() {
        html.push(&remark(act.output.trailer));
    }
    Drawn { html, is_whole }
}

/// One block of an answer.
fn block_of(block: &Block, act: &Act<'_>, drawing: &Drawing<'_>) -> Drawn {
    let html = match block {
        Block::Text(text) if lines(text).next().is_none() => remark("No output."),
        Block::Text(text) if act.status == ToolStatus::Error => {
            output(text, Tone::Failure, drawing)
        }
        Block::Text(text) => return text_or_data(text, drawing),
        Block::Image(image) => pictures(std::slice::from_ref(image), drawing),
        Block::Link(address, name) => {
            let link = Link::new(name.as_deref(), address, Some(address));
            fold(&[link], &drawing.fresh_id())
        }
        Block::Resource(address, text) => {
            let mut html = path(address);
            if let Some(text) = text {
                html.push(&text_or_data(text, drawing).html);
            }
            html
        }
    };
    Drawn {
        html,
        is_whole: true,
    }
}

/// Records as a table, other data folded by depth, anything else as it is.
fn text_or_data(text: &str, drawing: &Drawing<'_>) -> Drawn {
    let table = records(text).and_then(|records| table(&records));
    table.unwrap_or_else(|| Drawn {
        html: match json::pretty(text) {
            Some(_) => data(text, drawing),
            None => output(text, Tone::Output, drawing),
        },
        is_whole: true,
    })
}

/// The result as Markdown, for tools that answer in prose; data is indented.
pub(in crate::tools) fn result_as_prose(act: &Act<'_>, drawing: &Drawing<'_>) -> Html {
    result_as(act, "Running…", drawing, &|text| match json::pretty(text) {
        Some(_) => data(text, drawing),
        None => prose(text, drawing),
    })
}
