//! Documents that were written beside the conversation.

use askama::Template;
use serde_json::Value;

use crate::highlight::Language;
use crate::html::Html;
use crate::model::DocumentVersion;

use crate::diff;

use super::{Act, Badge, Body, Drawing, Glimpse, Label, ToolView, boxes, outcome};

const TITLE: &[&str] = &["title", "name", "id", "textdoc_id"];
const CONTENT: &[&str] = &["content", "file_text", "code"];
/// Arguments that say in other words what the row and the boxes show.
const TOLD: &[&str] = &[
    "id",
    "command",
    "title",
    "version_uuid",
    "source",
    "md_citations",
];
/// The pattern of an update that replaces the whole document.
const EVERYTHING: &str = ".*";
/// How many unchanged lines are shown around a change.
const AROUND: usize = 3;

/// Draws a document as the text it was written as; it is never run or rendered.
pub(crate) struct Artifact;

#[derive(Template)]
#[template(path = "tools/artifact.html")]
struct ArtifactTemplate {
    changes: Option<Html>,
    call: Html,
    content: Option<Html>,
    result: Html,
}

impl ToolView for Artifact {
    fn name(&self) -> &'static str {
        "artifact"
    }

    fn names(&self) -> &'static [&'static str] {
        &[
            "artifacts",
            "create_artifact",
            "record_artifact",
            "Artifact",
            "canmore.create_textdoc",
            "canmore.update_textdoc",
            "canmore.comment_textdoc",
            "canvas",
        ]
    }

    fn label(&self, _: &Act<'_>) -> Label {
        Label::words("Wrote a document")
    }

    fn activity(&self, _: &Act<'_>) -> String {
        "Writing a document".to_owned()
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        let known = document(act).and_then(|document| document.title.as_deref());
        let title = act.args.words(&["title"]).or(known);
        let title = title.or_else(|| act.args.words(TITLE));
        Glimpse::Words(title.unwrap_or_default().to_owned())
    }

    fn badges(&self, act: &Act<'_>) -> Vec<Badge> {
        let command = act.args.words(&["command"]).or_else(|| {
            let tool = act.call.name.strip_prefix("canmore.")?;
            Some(tool.trim_end_matches("_textdoc"))
        });
        let version = document(act).map(|document| format!("v{}", document.version));
        let command = command.map(str::to_owned);
        command
            .into_iter()
            .chain(version)
            .map(Badge::plain)
            .collect()
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        Some(outcome::single(act))
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        let content = act.args.named(CONTENT);
        let mut drawn = vec![content.map_or("", |(name, _)| name)];
        let mut changes = changed(act).map(|(old, new)| {
            drawn.extend(["old_str", "new_str"]);
            boxes::changes(None, &diff::between(old, new, AROUND), drawing)
        });
        let updates = updates(act);
        if let Some(updates) = &updates {
            drawn.push("updates");
            let all = changes.get_or_insert_default();
            for (old, new) in updates {
                match *old {
                    // Everything is written anew.
                    EVERYTHING => all.push(&boxes::code(new, language(act), drawing)),
                    old => all.push(&boxes::changes(
                        None,
                        &diff::between(old, new, AROUND),
                        drawing,
                    )),
                }
            }
        }
        let known = document(act);
        if known.is_some() {
            drawn.extend(TOLD);
        }
        let groups: Vec<&[&str]> = drawn.iter().map(std::slice::from_ref).collect();
        // Of a change the whole document is told as it then stood.
        let whole = || known?.text.as_deref();
        let content = content.map(|(_, content)| content).or_else(whole);
        Some(Body::whole(&ArtifactTemplate {
            changes,
            call: boxes::rest(&act.args, &groups, drawing),
            content: content.map(|content| boxes::code(content, language(act), drawing)),
            // That it was done says the version.
            result: match act.output.text.trim() {
                "" | "OK" if known.is_some() && act.is_done() => Html::default(),
                _ => boxes::result_or_data(act, drawing),
            },
        }))
    }
}

/// The document as it stood after the call, when that is recorded.
fn document<'a>(act: &Act<'a>) -> Option<&'a DocumentVersion> {
    act.details()?.document.as_ref()
}

/// The words that were replaced, and those that replace them.
fn changed<'a>(act: &'a Act<'_>) -> Option<(&'a str, &'a str)> {
    let text = |name| act.args.text(&[name]);
    text("old_str").zip(text("new_str"))
}

/// What each of a list of updates replaces (a pattern), and what stands there then; `None` when
/// there is more in one of them than a view shows.
fn updates<'a>(act: &'a Act<'_>) -> Option<Vec<(&'a str, &'a str)>> {
    let update = |update: &'a Value| {
        let update = update.as_object()?;
        let known = ["pattern", "replacement", "multiple"];
        let is_known = |key: &String| known.contains(&key.as_str());
        let text = |key| update.get(key)?.as_str();
        text("pattern")
            .zip(text("replacement"))
            .filter(|_| update.keys().all(is_known))
    };
    let updates: Option<Vec<_>> = act.args.items(&["updates"]).iter().map(update).collect();
    updates.filter(|updates| !updates.is_empty())
}

/// The language of the document: as given, else by its type, such as `code/python`,
/// `text/html` or `image/svg+xml`.
fn language(act: &Act<'_>) -> Option<Language> {
    let given = act.args.words(&["language"]);
    given.and_then(Language::from_name).or_else(|| {
        let known = document(act).and_then(|document| document.kind.as_deref());
        let (_, kind) = act.args.words(&["type"]).or(known)?.split_once('/')?;
        let kind = kind.rsplit(['.', '+']).next().unwrap_or(kind);
        Language::from_name(if kind == "react" { "jsx" } else { kind })
    })
}

#[cfg(test)]
mod tests {
    use crate::model::{Details, DocumentVersion};
    use crate::tools::testing::{call, html, row, text, with_details};

    #[test]
    fn a_document_is_shown_as_its_text() {
        let input = r#"{"id":"garden","title":"Garden","command":"create","type":"text/html","content":"<script>dig()</script>"}"#;
        let call = call("artifacts", input, Some(Ok("OK")));
        assert_eq!(row("claude", &call), "✓ artifacts Garden create → OK");
        let html = html("claude", &call);
        assert!(!html.contains("<script"));
        assert!(text(&html).contains("<script>dig()</script>"));
    }

    #[test]
    fn a_recorded_version_names_the_document_and_shows_the_whole_of_it() {
        let input = r#"{"id":"garden","command":"update","old_str":"roses","new_str":"beans"}"#;
        let details = Details {
            document: Some(DocumentVersion {
                title: Some("Garden".into()),
                kind: Some("text/markdown".into()),
                version: 2,
                text: Some("# Beds\nbeans and peas".into()),
            }),
            ..Details::default()
        };
        let changed = with_details(call("artifacts", input, Some(Ok("OK"))), details);
        assert_eq!(row("claude", &changed), "✓ artifacts Garden update v2 → OK");
        let words = text(&html("claude", &changed));
        assert!(words.contains("roses") && words.contains("beans and peas"));
    }

    #[test]
    fn updates_of_a_document_are_changes_or_the_whole_anew() {
        let input = r##"{"updates":[{"pattern":"roses","multiple":false,"replacement":"beans"},{"pattern":".*","replacement":"# All\nnew"}]}"##;
        let updated = call("canmore.update_textdoc", input, Some(Ok("ok")));
        let words = text(&html("chatgpt", &updated));
        assert!(words.contains("roses") && words.contains("beans") && words.contains("# All"));
        assert!(!words.contains("pattern"), "{words}");
    }

    #[test]
    fn a_change_of_a_document_shows_what_changed() {
        let input = r#"{"id":"garden","command":"update","old_str":"roses","new_str":"beans"}"#;
        let changed = call("artifacts", input, None);
        assert_eq!(
            row("claude", &changed),
            "◌ artifacts garden update incomplete"
        );
        let words = text(&html("claude", &changed));
        assert!(words.contains("roses") && words.contains("beans"));
        let canvas = call("canmore.update_textdoc", r#"{"updates":[]}"#, None);
        assert_eq!(
            row("chatgpt", &canvas),
            "◌ canmore.update_textdoc update incomplete"
        );
    }
}
