//! To-do lists and plans of steps.

use askama::Template;
use serde_json::{Map, Value};

use crate::figures::counted;
use crate::html::{Html, Text};

use super::{Act, Badge, Body, Drawing, Glimpse, Label, ToolView, boxes, outcome};

/// Names of the argument that is the list.
const LISTS: &[&str] = &[
    "todos",
    "plan",
    "todoList",
    "todo_list",
    "task_list",
    "newTodos",
    "tasks",
    "items",
];
/// Names of what an item says.
const WORDS: &[&str] = &[
    "content",
    "step",
    "subject",
    "title",
    "text",
    "description",
    "name",
    "task",
];
const STATUS: &[&str] = &["status", "state"];

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
    priority: Option<Text<'a>>,
}

/// A list, as far as it is known.
struct List {
    items: Vec<Item>,
    /// Whether the items hold nothing but words and a state.
    is_plain: bool,
    place: Place,
}

/// Where a list was found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In the argument of this name.
    Argument(&'static str),
    /// In the arguments of a call that is about one item.
    OneItem,
    /// In the result of a call that only asked for it.
    Result,
}

struct Item {
    text: String,
    state: State,
    /// How much it matters, in the vendor's word.
    priority: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Done,
    Doing,
    Pending,
    Dropped,
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
        one.or(of(State::Doing))
            .or(of(State::Pending))
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
                .map(|_| Badge::plain(item.state.words().to_lowercase()))
                .into_iter()
                .collect(),
            items => {
                let done = items.iter().filter(|item| item.state == State::Done);
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
            Some(Place::Argument(name)) => name,
            Some(Place::OneItem) => "subject",
            _ => "",
        };
        let is_plain = list.as_ref().is_none_or(|list| list.is_plain);
        let items = list.iter().flat_map(|list| &list.items);
        let template = TodoTemplate {
            items: items.map(Item::html).collect(),
            call: boxes::rest(&act.args, &[&[drawn]], drawing),
            given: if is_plain {
                Html::default()
            } else {
                boxes::as_given(&act.args, &[drawn], drawing)
            },
            result: if place == Some(Place::Result) {
                Html::default()
            } else {
                boxes::result(act, "Updating…", drawing)
            },
        };
        Some(if place == Some(Place::Result) {
            Body::derived(&template)
        } else {
            Body::whole(&template)
        })
    }
}

/// The list that the call is about.
fn list(act: &Act<'_>) -> Option<List> {
    let given = LISTS.iter().copied().find_map(|name| {
        let value = act.args.map.get(name).filter(|value| !value.is_null())?;
        Some((name, value))
    });
    if let Some((name, value)) = given {
        return items(value, Place::Argument(name));
    }
    if let Some(item) = one_item(act) {
        return Some(List {
            items: vec![item],
            is_plain: true,
            place: Place::OneItem,
        });
    }
    let asks = act.is_done() && act.args.is_empty();
    let result: Value = serde_json::from_str(act.output.text.trim())
        .ok()
        .filter(|_| asks)?;
    let inner = LISTS.iter().find_map(|name| result.get(*name));
    items(inner.unwrap_or(&result), Place::Result)
}

/// The item of a call that makes or changes one.
fn one_item(act: &Act<'_>) -> Option<Item> {
    let state = act.args.words(STATUS).map(State::of);
    let text = match act.args.words(&["subject", "title"]) {
        Some(subject) => subject.to_owned(),
        None => format!("Task {}", act.args.told(&["taskId", "task_id"])?),
    };
    Some(Item {
        text,
        state: state.flatten().unwrap_or(State::Pending),
        priority: None,
    })
}

/// The items of a list, or of a text with a checkbox on each line; `None` when it is neither.
fn items(value: &Value, place: Place) -> Option<List> {
    let mut is_plain = true;
    let items: Option<Vec<Item>> = match value {
        Value::Array(items) => items
            .iter()
            .map(|item| match item {
                Value::String(text) => Some(Item {
                    text: text.clone(),
                    state: State::Pending,
                    priority: None,
                }),
                Value::Object(item) => {
                    let (item, plain) = Item::of(item)?;
                    is_plain &= plain;
                    Some(item)
                }
                _ => None,
            })
            .collect(),
        Value::String(text) => {
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
            lines.map(Item::of_line).collect()
        }
        _ => None,
    };
    Some(List {
        items: items?,
        is_plain,
        place,
    })
}

impl Item {
    /// An item, and whether all that it holds is shown.
    fn of(item: &Map<String, Value>) -> Option<(Self, bool)> {
        let (name, text) = WORDS
            .iter()
            .find_map(|name| Some((*name, item.get(*name)?.as_str()?)))?;
        let status = STATUS
            .iter()
            .find_map(|name| Some((*name, item.get(*name)?.as_str()?)));
        let state = status.map_or(Some(State::Pending), |(_, status)| State::of(status));
        let priority = item.get("priority").and_then(Value::as_str);
        // An id is for the program alone.
        let drawn = [
            name,
            status.map_or(name, |(name, _)| name),
            "id",
            "priority",
        ];
        let is_scalar = |key: &str| item.get(key).is_none_or(|value| !value.is_object());
        let is_plain = state.is_some()
            && item.keys().all(|key| drawn.contains(&key.as_str()))
            && (priority.is_some() || item.get("priority").is_none())
            && is_scalar("id");
        let item = Item {
            text: text.to_owned(),
            state: state.unwrap_or(State::Pending),
            priority: priority.map(str::to_owned),
        };
        Some((item, is_plain))
    }

    /// An item of a line such as `- [x] Dig`.
    fn of_line(line: &str) -> Option<Self> {
        let (bullet, rest) = line.split_once('[')?;
        let (mark, text) = rest.split_once(']')?;
        if bullet.len() > 4 {
            return None;
        }
        let state = match mark.trim() {
            "x" | "X" => State::Done,
            "-" | "/" | "~" | ">" => State::Doing,
            "" => State::Pending,
            _ => return None,
        };
        Some(Item {
            text: text.trim().to_owned(),
            state,
            priority: None,
        })
    }

    fn html(&self) -> ItemHtml<'_> {
        let (class, glyph) = match self.state {
            State::Done => ("done", "✓"),
            State::Doing => ("doing", "→"),
            State::Pending => ("pending", "○"),
            State::Dropped => ("dropped", "✕"),
        };
        ItemHtml {
            class,
            glyph,
            state: self.state.words(),
            text: Text(&self.text),
            priority: self.priority.as_deref().map(Text),
        }
    }
}

impl State {
    /// The state of a vendor's word for it; `None` for a word that is not known.
    fn of(word: &str) -> Option<Self> {
        Some(
            match word.to_lowercase().replace(['-', ' '], "_").as_str() {
                "completed" | "complete" | "done" | "finished" | "closed" => State::Done,
                "in_progress" | "doing" | "active" | "started" | "running" | "current" => {
                    State::Doing
                }
                "pending" | "todo" | "not_started" | "open" | "queued" => State::Pending,
                "cancelled" | "canceled" | "dropped" | "abandoned" | "deleted" | "skipped" => {
                    State::Dropped
                }
                _ => return None,
            },
        )
    }

    fn words(self) -> &'static str {
        match self {
            State::Done => "Done",
            State::Doing => "In progress",
            State::Pending => "Pending",
            State::Dropped => "Dropped",
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::tools::testing::{call, html, row, text};

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
