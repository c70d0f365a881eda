//! Pictures that were looked at.

use askama::Template;

use crate::html::Html;

use super::args::PATH;
use super::{Act, Body, Drawing, Glimpse, Label, ToolView, boxes, outcome};

/// Draws which picture was looked at; the picture stands under it.
pub(crate) struct ImageView;

#[derive(Template)]
#[template(path = "tools/image_view.html")]
struct ImageViewTemplate {
    call: Html,
    result: Html,
}

impl ToolView for ImageView {
    fn name(&self) -> &'static str {
        "image_view"
    }

    fn names(&self) -> &'static [&'static str] {
        &[
            "view_image",
            "inspect_image",
            "look_at",
            "ReadMediaFile",
            "display_image",
            "zoom_image",
        ]
    }

    fn label(&self, _: &Act<'_>) -> Label {
        Label::words("Looked at an image")
    }

    fn activity(&self, _: &Act<'_>) -> String {
        "Looking at an image".to_owned()
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        match act.args.words(&["url", "image_url"]) {
            Some(address) => Glimpse::Code(address.to_owned()),
            None => {
                let path = act.args.text(PATH).or(act.args.free.as_deref());
                Glimpse::Path(act.short_path(path.unwrap_or_default()), String::new())
            }
        }
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        let images = act.result().map_or(&[][..], |result| &result.images);
        boxes::image_fact(images)
            .filter(|_| act.is_done())
            .or_else(|| Some(outcome::single(act)))
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        Some(Body::whole(&ImageViewTemplate {
            call: boxes::rest(&act.args, &[], drawing),
            result: boxes::result_or_data(act, drawing),
        }))
    }
}

#[cfg(test)]
mod tests {
    use crate::model::{Image, ImageData};
    use crate::tools::testing::{call, html, row, text};

    #[test]
    fn the_row_has_the_path_and_how_many_pictures_came() {
        let mut seen = call(
            "view_image",
            r#"{"path":"/home/robin/shop/a.png"}"#,
            Some(Ok("attached")),
        );
        assert_eq!(row("codex", &seen), "✓ view_image a.png → attached");
        seen.result.as_mut().expect("a result").images = vec![Image {
            data: ImageData::Remote("https://example.com/a.png".into()),
            alt: None,
        }];
        assert_eq!(row("codex", &seen), "✓ view_image a.png → 1 image");
        let html = html("codex", &seen);
        assert!(!html.contains("<img"));
        assert!(text(&html).contains("Image not loaded"));
        assert!(text(&html).contains("/home/robin/shop/a.png"));
    }
}
