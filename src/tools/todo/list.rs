//! The list that a call is about: given whole, changed, asked for, or recorded by the program.

use serde_json::{Map, Value};

use crate::model::{TodoItem, TodoState};
use crate::tools::Act;

/// Names of the argument that is the list.
pub(super) const LISTS: &[&str] = &[
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
pub(super) const STATUS: &[&str] = &["status", "state"];
/// Names of the arguments that change a list of which the whole is recorded.
pub(super) const CHANGES: &[&str] = &["list", "items", "ops", "todos"];

/// A list, as far as it is known.
pub(super) struct List {
    pub(super) items: Vec<Item>,
    /// Whether the items hold nothing but words and a state.
    pub(super) is_plain: bool,
    pub(super) place: Place,
}

/// Where a list was found.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// In the argument of this name.
    Argument(&'static str),
    /// In the arguments of a call that is about one item.
    OneItem,
    /// In the result of a call that only asked for it.
    Result,
    /// In what the program recorded beside the result.
    Recorded,
}

pub(super) struct Item {
    pub(super) text: String,
    pub(super) state: TodoState,
    pub(super) note: Option<String>,
    pub(super) group: Option<String>,
}

/// The list that the call is about.
pub(super) fn list(act: &Act<'_>) -> Option<List> {
    // A call may only say what changes: the list is then what the program recorded.
    let recorded = act.details().and_then(|details| details.todos.as_ref());
    if let Some(todos) = recorded.filter(|todos| !todos.is_empty()) {
        return Some(List {
            items: todos.iter().map(Item::recorded).collect(),
            is_plain: !CHANGES.iter().any(|name| act.args.get(&[name]).is_some()),
            place: Place::Recorded,
        });
    }
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
    let state = act.args.words(STATUS).map(state_of);
    let text = match act.args.words(&["subject", "title"]) {
        Some(subject) => subject.to_owned(),
        None => format!("Task {}", act.args.told(&["taskId", "task_id"])?),
    };
    Some(Item {
        text,
        state: state.flatten().unwrap_or(TodoState::Pending),
        note: None,
        group: None,
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
                    state: TodoState::Pending,
                    note: None,
                    group: None,
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
        let state = status.map_or(Some(TodoState::Pending), |(_, status)| state_of(status));
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
            state: state.unwrap_or(TodoState::Pending),
            note: priority.map(str::to_owned),
            group: None,
        };
        Some((item, is_plain))
    }

    /// An item as the program recorded it.
    fn recorded(item: &TodoItem) -> Self {
        Item {
            text: item.text.clone(),
            state: item.state,
            note: item.note.clone(),
            group: item.group.clone(),
        }
    }

    /// An item of a line such as `- [x] Dig`.
    fn of_line(line: &str) -> Option<Self> {
        let (bullet, rest) = line.split_once('[')?;
        let (mark, text) = rest.split_once(']')?;
        if bullet.len() > 4 {
            return None;
        }
        let state = match mark.trim() {
            "x" | "X" => TodoState::Done,
            "-" | "/" | "~" | ">" => TodoState::Doing,
            "" => TodoState::Pending,
            _ => return None,
        };
        Some(Item {
            text: text.trim().to_owned(),
            state,
            note: None,
            group: None,
        })
    }
}

/// The state of a vendor's word for it; `None` for a word that is not known.
fn state_of(word: &str) -> Option<TodoState> {
    Some(
        match word.to_lowercase().replace(['-', ' '], "_").as_str() {
            "completed" | "complete" | "done" | "finished" | "closed" => TodoState::Done,
            "in_progress" | "doing" | "active" | "started" | "running" | "current" => {
                TodoState::Doing
            }
            "pending" | "todo" | "not_started" | "open" | "queued" => TodoState::Pending,
            "cancelled" | "canceled" | "dropped" | "abandoned" | "deleted" | "skipped" => {
                TodoState::Dropped
            }
            _ => return None,
        },
    )
}
