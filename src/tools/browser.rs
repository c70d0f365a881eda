//! Browsers and screens that were used by hand.

use askama::Template;

use crate::html::Html;

use super::{Act, Body, Drawing, Glimpse, Label, ToolView, boxes, outcome};

const ACT: &[&str] = &["action", "op", "command", "type", "browser_actions"];
const TARGET: &[&str] = &[
    "url",
    "target",
    "selector",
    "ref",
    "coordinate",
    "pattern",
    "text",
    "id",
    "code",
];

/// Draws a step in a browser; what it looked like stands under it.
pub(crate) struct Browser;

#[derive(Template)]
#[template(path = "tools/browser.html")]
struct BrowserTemplate {
    call: Html,
    result: Html,
}

impl ToolView for Browser {
    fn name(&self) -> &'static str {
        "browser"
    }

    fn names(&self) -> &'static [&'static str] {
        &[
            "browser",
            "puppeteer",
            "browser_action",
            "browse",
            "browse_interactive",
            "web.click",
            "web.find",
            "web.screenshot",
            "web.run:screenshot",
            "browser.click",
            "browser.find",
            "browser.scroll",
            "browser.mclick",
            "browser.quote",
            "computer",
            "computer_use_preview",
            "computer_call",
        ]
    }

    fn label(&self, _: &Act<'_>) -> Label {
        Label::words("Used a browser")
    }

    fn activity(&self, _: &Act<'_>) -> String {
        "Using a browser".to_owned()
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        let parts = [act.args.told(ACT), act.args.told(TARGET)];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        if parts.is_empty() {
            return Glimpse::Code(act.args.free.clone().unwrap_or_default());
        }
        Glimpse::Code(parts.join(" "))
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        let images = act.result().map_or(&[][..], |result| &result.images);
        let is_picture = act.is_done() && act.output.text.trim().is_empty();
        boxes::image_fact(images)
            .filter(|_| is_picture)
            .or_else(|| Some(outcome::single(act)))
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        Some(Body::whole(&BrowserTemplate {
            call: boxes::rest(&act.args, &[], drawing),
            result: boxes::result_or_data(act, drawing),
        }))
    }
}

#[cfg(test)]
mod tests {
    use crate::model::{Image, ImageData};
    use crate::tools::testing::{call, row};

    #[test]
    fn the_row_has_the_step_and_its_target() {
        let click = call(
            "browser_action",
            r#"{"action":"click","coordinate":[3,4]}"#,
            Some(Ok("Clicked.")),
        );
        assert_eq!(
            row("cline", &click),
            "✓ browser_action click 3, 4 → Clicked."
        );
        let open = call(
            "browser",
            r#"{"action":"open","url":"https://example.com"}"#,
            None,
        );
        assert_eq!(
            row("oh_my_pi", &open),
            "◌ browser open https://example.com incomplete"
        );
    }

    #[test]
    fn a_screenshot_is_counted() {
        let mut shot = call("computer", r#"{"action":"screenshot"}"#, Some(Ok("")));
        shot.result.as_mut().expect("a result").images = vec![Image {
            data: ImageData::Missing("it was not saved".into()),
            alt: None,
        }];
        assert_eq!(row("claude", &shot), "✓ computer screenshot → 1 image");
    }
}
