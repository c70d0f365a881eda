//! To-do lists and plans of steps.

mod list;

use askama::Template;

use crate::figures::counted;
use crate::html::{Html, Text};
use crate::model::TodoState;

use super::{Act, Badge, Body, Drawing, Glimpse, Label, ToolView, boxes, outcome};
use list::{CHANGES, Item, LISTS, Place, STATUS, list};

/// Draws a to-do list with the state of each item.
pub(crate) struct Todo;

#[derive(Template)]
#[template(path = "tools/todo.html")]
struct TodoTemplate<'a> {
    items: Vec<ItemHtml<'a>>,
    call: Html,
    given: Html,
    result: Html,
}

struct ItemHtml<'a> {
    class: &'static str,
    glyph: &'static str,
    state: &'static str,
    text: Text<'a>,
    note: Option<Text<'a>>,
    /// The part of the work that begins with this item.
    group: Option<Text<'a>>,
}

impl ToolView for Todo {
    fn name(&self) -> &'static str {
        "todo"
    }

    fn names(&self) -> &'static [&'static str] {
        &[
            "todo_write",
            "TodoRead",
            "TodoList",
            "TaskCreate",
            "TaskUpdate",
            "write_todos",
            "tracker_create_task",
            "tracker_update_task",
            "tracker_get_task",
            "tracker_list_tasks",
            "tracker_add_dependency",
            "tracker_visualize",
            "update_todo",
            "update_todo_list",
            "manage_todo_list",
            "update_plan",
            "task_tracker",
            "task_tracking",
            "todo",
            "todos",
        ]
    }

    fn label(&self, _: &Act<'_>) -> Label {
        Label::words("Updated the to-do list")
    }

    fn activity(&self, _: &Act<'_>) -> String {
        "Updating the to-do list".to_owned()
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        let Some(list) = list(act) else {
            return Glimpse::None;
        };
        let of = |state| list.items.iter().find(|item| item.state == state);
        let one = list.items.first().filter(|_| list.place == Place::OneItem);
        one.or(of(TodoState::Doing))
            .or(of(TodoState::Pending))
            .map_or(Glimpse::None, |item| Glimpse::Words(item.text.clone()))
    }

    fn badges(&self, act: &Act<'_>) -> Vec<Badge> {
        let Some(list) = list(act) else {
            return Vec::new();
        };
        match list.items.as_slice() {
            [] => Vec::new(),
            [item] if list.place == Place::OneItem => act
                .args
                .words(STATUS)
                .map(|_| Badge::plain(words(item.state).to_lowercase()))
                .into_iter()
                .collect(),
            items => {
                let done = items.iter().filter(|item| item.state == TodoState::Done);
                vec![Badge::plain(format!("{}/{}", done.count(), items.len()))]
            }
        }
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        Some(match list(act) {
            Some(list) if list.place != Place::OneItem => {
                outcome::with(act, counted(list.items.len() as u64, "item", "items"))
            }
            _ => outcome::single(act),
        })
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        let list = list(act);
        let place = list.as_ref().map(|list| list.place);
        if place.is_none() && act.args.get(LISTS).is_some() {
            return None;
        }
        let drawn = match place {
            Some(Place::Argument(name)) => &[name][..],
            Some(Place::OneItem) => &["subject"],
            Some(Place::Recorded) => CHANGES,
            _ => &[],
        };
        let is_plain = list.as_ref().is_none_or(|list| list.is_plain);
        // What the program says beside the list that it recorded is the list once more.
        let is_derived = match place {
            Some(Place::Result) => true,
            Some(Place::Recorded) => act.is_done(),
            _ => false,
        };
        let items: Vec<&Item> = list.iter().flat_map(|list| &list.items).collect();
        let template = TodoTemplate {
            items: items
                .iter()
                .enumerate()
                .map(|(at, item)| {
                    let before = at.checked_sub(1).and_then(|at| items[at].group.as_ref());
                    item.html(item.group.as_ref() != before)
                })
                .collect(),
            call: boxes::rest(
                &act.args,
                &drawn.iter().map(std::slice::from_ref).collect::<Vec<_>>(),
                drawing,
            ),
            given: if is_plain {
                Html::default()
            } else {
                boxes::as_given(&act.args, drawn, drawing)
            },
            result: if is_derived {
                Html::default()
            } else {
                boxes::result_if_any(act, "Updating…", drawing)
            },
        };
        Some(if is_derived {
            Body::derived(&template)
        } else {
            Body::whole(&template)
        })
    }
}

impl Item {
    fn html(&self, begins_group: bool) -> ItemHtml<'_> {
        let (class, glyph) = match self.state {
            TodoState::Done => ("done", "✓"),
            TodoState::Doing => ("doing", "→"),
            TodoState::Pending => ("pending", "○"),
            TodoState::Dropped => ("dropped", "✕"),
        };
        ItemHtml {
            class,
            glyph,
            state: words(self.state),
            text: Text(&self.text),
            note: self.note.as_deref().map(Text),
            group: self.group.as_deref().filter(|_| begins_group).map(Text),
        }
    }
}

fn words(state: TodoState) -> &'static str {
    match state {
        TodoState::Done => "Done",
        TodoState::Doing => "In progress",
        TodoState::Pending => "Pending",
        TodoState::Dropped => "Dropped",
    }
}

#[cfg(test)]
mod tests {
    use crate::model::{Details, TodoItem, TodoState};
    use crate::tools::testing::{call, html, row, text, with_details};

    const LIST: &str = r#"{"todos":[{"content":"Dig","status":"completed"},{"content":"Plant","status":"in_progress"},{"content":"Water","status":"pending"},{"content":"Sing","status":"cancelled"}]}"#;

    #[test]
    fn the_row_has_what_is_in_progress_and_how_much_is_done() {
        let call_ = call("TodoWrite", LIST, Some(Ok("Done so.")));
        assert_eq!(
            row("claude_code", &call_),
            "✓ TodoWrite Plant 1/4 → 4 items"
        );
        let all = r#"{"plan":[{"step":"Dig","status":"completed"}],"explanation":"Why"}"#;
        let all = call("update_plan", all, Some(Ok("Plan updated")));
        assert_eq!(row("codex", &all), "✓ update_plan 1/1 → 1 item");
        assert!(text(&html("codex", &all)).contains("Why"));
    }

    #[test]
    fn states_are_signs_and_hidden_words() {
        let html = html("x", &call("todowrite", LIST, Some(Ok("Done so."))));
        let text = text(&html);
        for item in [
            "✓Done: Dig",
            "→In progress: Plant",
            "○Pending: Water",
            "✕Dropped: Sing",
        ] {
            assert!(text.contains(item), "{item}: {text}");
        }
        assert!(text.contains("Done so."));
        assert!(!text.contains("Input as recorded"));
    }

    #[test]
    fn what_the_list_does_not_show_is_there_as_recorded() {
        let input = r#"{"todos":[{"id":"7","content":"Dig","status":"blocked"}]}"#;
        let text = text(&html("x", &call("todowrite", input, None)));
        assert!(
            text.contains("Input as recorded") && text.contains("blocked"),
            "{text}"
        );
    }

    #[test]
    fn a_checklist_in_a_text_is_a_list() {
        let input = r#"{"todos":"[x] Dig\n- [-] Plant\n[ ] Water\n"}"#;
        let call = call("update_todo_list", input, None);
        assert_eq!(row("roo", &call), "◌ update_todo_list Plant 1/3 incomplete");
    }

    #[test]
    fn one_task_that_is_made_or_changed_is_the_row() {
        let made = r#"{"subject":"Dig","description":"Deep."}"#;
        let made = call("TaskCreate", made, Some(Ok("Task #1 created")));
        assert_eq!(
            row("claude_code", &made),
            "✓ TaskCreate Dig → Task #1 created"
        );
        assert!(text(&html("claude_code", &made)).contains("Deep."));
        let changed = call(
            "TaskUpdate",
            r#"{"taskId":"1","status":"in_progress","owner":"sam"}"#,
            None,
        );
        assert_eq!(
            row("claude_code", &changed),
            "◌ TaskUpdate Task 1 in progress incomplete"
        );
        assert!(text(&html("claude_code", &changed)).contains("sam"));
    }

    #[test]
    fn a_list_that_was_asked_for_stands_in_the_result() {
        let result = r#"[{"content":"Dig","status":"pending","id":"1"}]"#;
        let call = call("todoread", "{}", Some(Ok(result)));
        assert_eq!(row("opencode", &call), "✓ todoread Dig 0/1 → 1 item");
        assert!(text(&html("opencode", &call)).contains("Result as recorded"));
    }

    #[test]
    fn a_recorded_list_goes_before_what_changes_it() {
        let todo = |group: &str, text: &str, state| TodoItem {
            group: Some(group.to_owned()),
            text: text.to_owned(),
            state,
            note: None,
        };
        let todos = vec![
            todo("Garden", "Dig", TodoState::Done),
            todo("Garden", "Plant", TodoState::Doing),
            todo("House", "Paint", TodoState::Pending),
        ];
        let done = call(
            "todo",
            r#"{"op":"done","task":"Dig"}"#,
            Some(Ok("2 remain")),
        );
        let details = Details {
            todos: Some(todos),
            ..Details::default()
        };
        let done = with_details(done, details);
        assert_eq!(row("oh_my_pi", &done), "✓ todo Plant 1/3 → 3 items");
        let html = html("oh_my_pi", &done);
        assert_eq!(html.matches("class=\"phase\"").count(), 2, "{html}");
        let text = text(&html);
        assert!(
            text.contains("opdone") && text.contains("Result as recorded"),
            "{text}"
        );
    }

    #[test]
    fn another_shape_has_the_default_body() {
        for input in [
            r#"{"todos":7}"#,
            r#"{"todos":[[]]}"#,
            r#"{"todos":[{"x":"y"}]}"#,
            r#"{"todos":"words"}"#,
        ] {
            let html = html("x", &call("todowrite", input, Some(Ok(""))));
            assert!(html.contains("<p class=\"head\">Input</p>"), "{input}");
        }
    }
}
