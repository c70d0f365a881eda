//! Pictures that were made.

use askama::Template;

use crate::html::Html;

use super::{Act, Badge, Body, Drawing, Glimpse, Label, ToolView, boxes, outcome};

const PROMPT: &[&str] = &["prompt", "revised_prompt", "subject", "description", "text"];
const SHAPE: &[&str] = &["aspect_ratio", "aspectRatio", "aspect", "size"];

/// Draws what a picture was to show; the picture stands under it.
pub(crate) struct ImageGen;

#[derive(Template)]
#[template(path = "tools/image_gen.html")]
struct ImageGenTemplate {
    call: Html,
    result: Html,
}

impl ToolView for ImageGen {
    fn name(&self) -> &'static str {
        "image_gen"
    }

    fn names(&self) -> &'static [&'static str] {
        &[
            "image_gen",
            "image_gen.text2im",
            "image_gen.edit_image",
            "dalle.text2im",
            "image_generation",
            "image_generation_call",
            "image_gen_oai",
            "image_edit_oai",
            "gemini_image_gen",
            "generate_image",
            "edit_image",
            "dalle",
            "flux",
            "stable-diffusion",
            "t2uay3k.sj1i4kz",
        ]
    }

    fn label(&self, _: &Act<'_>) -> Label {
        Label::words("Made an image")
    }

    fn activity(&self, _: &Act<'_>) -> String {
        "Making an image".to_owned()
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        Glimpse::Words(
            act.args
                .words_or_free(PROMPT)
                .unwrap_or_default()
                .to_owned(),
        )
    }

    fn badges(&self, act: &Act<'_>) -> Vec<Badge> {
        act.args.told(SHAPE).map(Badge::plain).into_iter().collect()
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        let images = act.result().map_or(&[][..], |result| &result.images);
        boxes::image_fact(images)
            .filter(|_| act.is_done())
            .or_else(|| Some(outcome::single(act)))
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        Some(Body::whole(&ImageGenTemplate {
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
    fn the_row_has_the_prompt_and_the_shape() {
        let input = r#"{"prompt":"A red rose.","size":"1024x1024"}"#;
        let mut made = call("image_gen_oai", input, Some(Ok("")));
        made.result.as_mut().expect("a result").images = vec![
            Image {
                data: ImageData::Missing("it was not saved".into()),
                alt: None,
            };
            2
        ];
        assert_eq!(
            row("librechat", &made),
            "✓ image_gen_oai A red rose. 1024x1024 → 2 images"
        );
        assert!(text(&html("librechat", &made)).contains("it was not saved"));
    }
}
