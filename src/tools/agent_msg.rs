//! Messages to agents.

use askama::Template;

use crate::html::Html;
use crate::markdown;

use super::{Act, Badge, Body, Drawing, Glimpse, Label, ToolView, boxes, card, outcome};

const MESSAGE: &[&str] = &["message", "content", "text", "input", "prompt", "summary"];
const RECEIVER: &[&str] = &[
    "to",
    "recipient",
    "target",
    "conversationId",
    "agentId",
    "agent_id",
    "id",
];

/// Draws a message to an agent with the answer.
pub(crate) struct AgentMsg;

#[derive(Template)]
#[template(path = "tools/agent_msg.html")]
struct AgentMsgTemplate {
    call: Html,
    result: Html,
}

impl ToolView for AgentMsg {
    fn name(&self) -> &'static str {
        "agent_msg"
    }

    fn names(&self) -> &'static [&'static str] {
        &[
            "send_agent_message",
            "SendMessage",
            "send_input",
            "resume_agent",
            "irc",
            "vibe_send",
        ]
    }

    fn label(&self, _: &Act<'_>) -> Label {
        Label::words("Messaged an agent")
    }

    fn activity(&self, _: &Act<'_>) -> String {
        "Messaging an agent".to_owned()
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        let message = act.args.words_or_free(MESSAGE).unwrap_or_default();
        Glimpse::Words(markdown::first_line(message, card::GLIMPSE))
    }

    fn badges(&self, act: &Act<'_>) -> Vec<Badge> {
        // A badge, since the end of a long message is cut off.
        let receiver = act.args.told(RECEIVER);
        receiver
            .map(|receiver| Badge::plain(format!("→ {receiver}")))
            .into_iter()
            .collect()
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        Some(outcome::single(act))
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        Some(Body::whole(&AgentMsgTemplate {
            call: boxes::rest(&act.args, &[], drawing),
            result: boxes::result_or_data(act, drawing),
        }))
    }
}

#[cfg(test)]
mod tests {
    use crate::tools::testing::{call, html, row, text};

    #[test]
    fn the_row_has_the_message_and_who_gets_it() {
        let input = r#"{"to":"scout","summary":"again","message":"Go on.\nNow."}"#;
        let call = call("SendMessage", input, Some(Ok("Sent.")));
        assert_eq!(
            row("claude_code", &call),
            "✓ SendMessage Go on. → scout → Sent."
        );
        assert!(text(&html("claude_code", &call)).contains("Go on.\nNow."));
    }

    #[test]
    fn a_message_that_is_no_text_is_shown_as_data() {
        let input = r#"{"to":"scout","message":{"type":"stop"}}"#;
        let html = text(&html("claude_code", &call("SendMessage", input, None)));
        assert!(html.contains("\"type\": \"stop\""), "{html}");
    }
}
