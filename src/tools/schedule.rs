//! Things that were set to happen later.

use askama::Template;

use crate::figures::duration;
use crate::html::Html;

use super::{Act, Badge, Body, Drawing, Glimpse, Label, ToolView, boxes, outcome};

const WHEN: &[&str] = &["cron", "schedule"];
const DELAY: &[&str] = &["delaySeconds", "delay_seconds"];
const WHAT: &[&str] = &["prompt", "message", "title", "reason", "body", "name", "id"];

/// Draws what was scheduled.
pub(crate) struct Schedule;

#[derive(Template)]
#[template(path = "tools/schedule.html")]
struct ScheduleTemplate {
    call: Html,
    result: Html,
}

impl ToolView for Schedule {
    fn name(&self) -> &'static str {
        "schedule"
    }

    fn names(&self) -> &'static [&'static str] {
        &[
            "CronCreate",
            "CronDelete",
            "CronList",
            "ScheduleWakeup",
            "loop_wakeup",
            "RemoteTrigger",
            "PushNotification",
            "automations",
        ]
    }

    fn label(&self, _: &Act<'_>) -> Label {
        Label::words("Set a schedule")
    }

    fn activity(&self, _: &Act<'_>) -> String {
        "Setting a schedule".to_owned()
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        match act.args.told(WHEN) {
            Some(when) => Glimpse::Code(when),
            None => Glimpse::Words(act.args.words_or_free(WHAT).unwrap_or_default().to_owned()),
        }
    }

    fn badges(&self, act: &Act<'_>) -> Vec<Badge> {
        let delay = act
            .args
            .number(DELAY)
            .and_then(|delay| u64::try_from(delay).ok());
        let delay = delay.map(|delay| format!("in {}", duration(delay.saturating_mul(1_000))));
        delay.map(Badge::plain).into_iter().collect()
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        Some(outcome::single(act))
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        Some(Body::whole(&ScheduleTemplate {
            call: boxes::rest(&act.args, &[], drawing),
            result: boxes::result_or_data(act, drawing),
        }))
    }
}

#[cfg(test)]
mod tests {
    use crate::tools::testing::{call, html, row, text};

    #[test]
    fn the_row_has_the_time_or_what_is_to_be_done() {
        let input = r#"{"cron":"*/2 * * * *","prompt":"Look again."}"#;
        let timed = call("CronCreate", input, Some(Ok("Scheduled.")));
        assert_eq!(
            row("claude_code", &timed),
            "✓ CronCreate */2 * * * * → Scheduled."
        );
        assert!(text(&html("claude_code", &timed)).contains("Look again."));
        let later = r#"{"delaySeconds":240,"reason":"It rains.","prompt":"Dig."}"#;
        let later = call("ScheduleWakeup", later, None);
        assert_eq!(
            row("claude_code", &later),
            "◌ ScheduleWakeup Dig. in 4m incomplete"
        );
        let note = call("PushNotification", r#"{"message":"Done."}"#, None);
        assert_eq!(
            row("claude_code", &note),
            "◌ PushNotification Done. incomplete"
        );
    }
}
