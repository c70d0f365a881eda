//! Questions that were put to the person, with their answers.

use askama::Template;
use serde_json::{Map, Value};

use crate::figures::one_line;
use crate::html::{Html, Text};

use super::{Act, Badge, Body, Drawing, Glimpse, Label, ToolView, boxes, outcome};

const QUESTION: &[&str] = &["question", "prompt", "text", "message"];
const HEADER: &[&str] = &["header", "title"];
const OPTIONS: &[&str] = &["options", "choices", "follow_up", "suggestions"];
const OPTION: &[&str] = &["label", "text", "answer", "title", "value"];
/// What is drawn of a question, or says nothing that its options do not.
const DRAWN: &[&str] = &["multiSelect", "multiple", "allowMultiple", "multi"];
/// How many characters of the answers the row shows.
const ANSWER: usize = 60;

/// Draws questions with their options, those chosen marked.
pub(crate) struct Ask;

#[derive(Template)]
#[template(path = "tools/ask.html")]
struct AskTemplate<'a> {
    questions: Vec<QuestionHtml<'a>>,
    call: Html,
    given: Html,
    result: Html,
}

struct QuestionHtml<'a> {
    header: Option<Text<'a>>,
    text: Text<'a>,
    takes_several: bool,
    options: Vec<OptionHtml<'a>>,
    answer: Option<Text<'a>>,
}

struct OptionHtml<'a> {
    is_chosen: bool,
    label: Text<'a>,
    description: Option<Text<'a>>,
}

/// The questions of a call.
struct Questions {
    questions: Vec<Question>,
    /// Whether they hold nothing but what is drawn.
    is_plain: bool,
    /// The arguments that they were found in.
    drawn: [&'static str; 2],
}

#[derive(Default)]
struct Question {
    id: Option<String>,
    header: Option<String>,
    text: String,
    takes_several: bool,
    options: Vec<Choice>,
    answer: Option<String>,
}

struct Choice {
    label: String,
    description: Option<String>,
}

impl ToolView for Ask {
    fn name(&self) -> &'static str {
        "ask"
    }

    fn names(&self) -> &'static [&'static str] {
        &[
            "AskUserQuestion",
            "ask_user",
            "question",
            "ask_followup_question",
            "request_user_input",
            "ask",
            "vscode_askQuestions",
        ]
    }

    fn label(&self, _: &Act<'_>) -> Label {
        Label::words("Asked a question")
    }

    fn activity(&self, _: &Act<'_>) -> String {
        "Asking a question".to_owned()
    }

    fn glimpse(&self, act: &Act<'_>) -> Glimpse {
        let asked = questions(act);
        let first = asked.as_ref().and_then(|asked| asked.questions.first());
        first.map_or(Glimpse::None, |first| Glimpse::Words(first.text.clone()))
    }

    fn badges(&self, act: &Act<'_>) -> Vec<Badge> {
        match questions(act).map_or(0, |asked| asked.questions.len()) {
            0 | 1 => Vec::new(),
            questions => vec![Badge::plain(format!("{questions} questions"))],
        }
    }

    fn outcome(&self, act: &Act<'_>) -> Option<String> {
        let asked = questions(act);
        let answers: Vec<&str> = asked
            .iter()
            .flat_map(|asked| &asked.questions)
            .filter_map(|question| question.answer.as_deref())
            .collect();
        Some(if answers.is_empty() {
            outcome::single(act)
        } else {
            outcome::with(act, one_line(&answers.join(" · "), ANSWER))
        })
    }

    fn body(&self, act: &Act<'_>, drawing: &Drawing<'_>) -> Option<Body> {
        let asked = questions(act)?;
        let is_answered = asked
            .questions
            .iter()
            .all(|question| question.answer.is_some());
        let [first, second] = asked.drawn;
        let template = AskTemplate {
            questions: asked.questions.iter().map(Question::html).collect(),
            call: boxes::rest(&act.args, &[&[first, second]], drawing),
            given: if asked.is_plain {
                Html::default()
            } else {
                boxes::as_given(&act.args, &[first], drawing)
            },
            result: if is_answered {
                Html::default()
            } else {
                boxes::result(act, "Waiting for an answer…", drawing)
            },
        };
        Some(if is_answered {
            Body::derived(&template)
        } else {
            Body::whole(&template)
        })
    }
}

impl Question {
    fn html(&self) -> QuestionHtml<'_> {
        let answer = self.answer.as_deref();
        // Several choices are told in one text.
        let chosen: Vec<&str> = match answer {
            Some(answer) if self.options.iter().any(|option| option.label == answer) => {
                vec![answer]
            }
            Some(answer) => answer.split(", ").collect(),
            None => Vec::new(),
        };
        let options: Vec<OptionHtml<'_>> = self
            .options
            .iter()
            .map(|option| OptionHtml {
                is_chosen: chosen.contains(&option.label.as_str()),
                label: Text(&option.label),
                description: option.description.as_deref().map(Text),
            })
            .collect();
        let marked = options.iter().filter(|option| option.is_chosen).count();
        QuestionHtml {
            header: self.header.as_deref().map(Text),
            text: Text(&self.text),
            takes_several: self.takes_several,
            options,
            answer: answer.filter(|_| marked != chosen.len()).map(Text),
        }
    }
}

/// The questions that were asked, with the answers as far as they are known; `None` when there
/// is none.
fn questions(act: &Act<'_>) -> Option<Questions> {
    let list = act.args.items(&["questions"]);
    let mut asked = if list.is_empty() {
        let (question, is_plain) = Question::of(&act.args.map)?;
        let name = |names: &[&'static str]| {
            let mut names = names.iter().copied();
            names.find(|name| act.args.map.contains_key(*name))
        };
        let drawn = name(QUESTION).unwrap_or_default();
        let options = name(OPTIONS).filter(|_| !question.options.is_empty());
        Questions {
            // What else the call has stands among its arguments.
            is_plain: is_plain || question.options.is_empty(),
            questions: vec![question],
            drawn: [options.unwrap_or(drawn), drawn],
        }
    } else {
        let questions: Option<Vec<_>> = list
            .iter()
            .map(|question| Question::of(question.as_object()?))
            .collect();
        let questions = questions?;
        Questions {
            is_plain: questions.iter().all(|(_, is_plain)| *is_plain),
            questions: questions
                .into_iter()
                .map(|(question, _)| question)
                .collect(),
            drawn: ["questions", "questions"],
        }
    };
    if act.is_done() {
        answer(&mut asked.questions, act);
    }
    Some(asked)
}

impl Question {
    /// A question, and whether all that it holds is drawn.
    fn of(map: &Map<String, Value>) -> Option<(Self, bool)> {
        let (name, text) = first_text(map, QUESTION)?;
        let header = first_text(map, HEADER);
        let given = OPTIONS
            .iter()
            .find_map(|name| Some((*name, map.get(*name)?)));
        let options = given.and_then(|(_, options)| options_of(options));
        let mut drawn = vec![name];
        drawn.extend(DRAWN);
        drawn.extend(header.map(|(name, _)| name));
        drawn.extend(given.filter(|_| options.is_some()).map(|(name, _)| name));
        let (options, are_plain) = options.unwrap_or_default();
        let is_plain = are_plain && map.keys().all(|key| drawn.contains(&key.as_str()));
        let question = Question {
            id: map.get("id").and_then(Value::as_str).map(str::to_owned),
            header: header.map(|(_, header)| header.to_owned()),
            text: text.to_owned(),
            takes_several: DRAWN
                .iter()
                .any(|name| map.get(*name) == Some(&Value::Bool(true))),
            options,
            answer: None,
        };
        Some((question, is_plain))
    }
}

/// A question's options with what is said of them, and whether all that they hold is among it.
fn options_of(options: &Value) -> Option<(Vec<Choice>, bool)> {
    let parsed;
    let options = match options {
        Value::Array(options) => options,
        // A list inside a text.
        Value::String(text) => {
            parsed = serde_json::from_str::<Vec<Value>>(text).ok()?;
            &parsed
        }
        _ => return None,
    };
    let mut is_plain = true;
    let options: Option<Vec<_>> = options
        .iter()
        .map(|option| match option {
            Value::String(label) => Some(Choice {
                label: label.clone(),
                description: None,
            }),
            Value::Object(option) => {
                let (name, label) = first_text(option, OPTION)?;
                let description = option.get("description").and_then(Value::as_str);
                let drawn = [name, description.map_or(name, |_| "description")];
                is_plain &= option.keys().all(|key| drawn.contains(&key.as_str()));
                Some(Choice {
                    label: label.to_owned(),
                    description: description
                        .filter(|description| !description.is_empty())
                        .map(str::to_owned),
                })
            }
            _ => None,
        })
        .collect();
    Some((options?, is_plain))
}

/// The first of the names that is a text with something in it.
fn first_text<'a, 'n>(
    map: &'a Map<String, Value>,
    names: &[&'n str],
) -> Option<(&'n str, &'a str)> {
    let text = |name: &&'n str| Some((*name, map.get(*name)?.as_str()?));
    names
        .iter()
        .find_map(text)
        .filter(|(_, text)| !text.trim().is_empty())
}

/// Finds the answers: as the program recorded them, in a result that is JSON, or in its words.
fn answer(questions: &mut [Question], act: &Act<'_>) {
    let text = act.output.text.trim();
    let recorded = act.details().map_or(&[][..], |details| &details.answers);
    let json = serde_json::from_str::<Value>(text).unwrap_or_default();
    let answers = json.get("answers").unwrap_or(&json).as_object();
    let is_only = questions.len() == 1;
    for question in questions {
        let recorded = recorded.iter().find(|(asked, _)| *asked == question.text);
        question.answer = recorded
            .map(|(_, answer)| answer.clone())
            .or_else(|| {
                let mut names = [
                    question.id.as_deref(),
                    Some(question.text.as_str()),
                    question.header.as_deref(),
                ]
                .into_iter()
                .flatten();
                let answer = names.find_map(|name| answers?.get(name));
                answer.and_then(told)
            })
            .or_else(|| quoted_answer(text, &question.text))
            .or_else(|| {
                let is_short = is_only && answers.is_none() && text.lines().count() == 1;
                is_short.then(|| bare(text).to_owned())
            });
    }
}

/// The texts in a value, joined.
fn told(value: &Value) -> Option<String> {
    let texts: Vec<String> = match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(items) => items.iter().filter_map(told).collect(),
        Value::Object(map) => map.values().filter_map(told).collect(),
        _ => Vec::new(),
    };
    (!texts.is_empty()).then(|| texts.join(", "))
}

/// The answer in a text such as `… "question"="answer", …`.
fn quoted_answer(text: &str, question: &str) -> Option<String> {
    let (_, rest) = text.split_once(&format!("\"{question}\"=\""))?;
    let ends = ["\", \"", "\". "];
    let end = ends.iter().filter_map(|end| rest.find(end)).min();
    let answer = match end {
        Some(end) => &rest[..end],
        None => rest.trim_end_matches('.').trim_end_matches('"'),
    };
    Some(answer.to_owned())
}

/// An answer without the tags that some programs put around it.
fn bare(text: &str) -> &str {
    text.strip_prefix("<answer>")
        .and_then(|text| text.strip_suffix("</answer>"))
        .unwrap_or(text)
        .trim()
}

#[cfg(test)]
mod tests {
    use crate::model::{Details, ToolCall};
    use crate::tools::testing::{call, html, row, text};

    const TWO: &str = r#"{"questions":[{"question":"Which bed?","header":"Bed","multiSelect":false,"options":[{"label":"Left","description":"Sunny"},{"label":"Right","description":"Shady"}]},{"question":"Which plants?","header":"Plants","multiSelect":true,"options":[{"label":"Roses","description":""},{"label":"Beans","description":""},{"label":"Peas","description":""}]}]}"#;

    /// The words of the options that are marked.
    fn chosen(html: &str) -> Vec<String> {
        let options = html.split("<li class=\"chosen\">").skip(1);
        options
            .map(|option| {
                let option = option.split_once("</li>").expect("an end").0;
                let words = text(option);
                let (_, words) = words.split_once("Chosen: ").expect("the hidden words");
                words.to_owned()
            })
            .collect()
    }

    fn answered(answers: &[(&str, &str)]) -> ToolCall {
        let mut call = call("AskUserQuestion", TWO, Some(Ok("Answered.")));
        let answers = answers
            .iter()
            .map(|(question, answer)| ((*question).to_owned(), (*answer).to_owned()));
        call.result.as_mut().expect("a result").details = Some(Box::new(Details {
            answers: answers.collect(),
            ..Details::default()
        }));
        call
    }

    #[test]
    fn chosen_options_are_marked() {
        let call = answered(&[("Which bed?", "Left"), ("Which plants?", "Roses, Peas")]);
        assert_eq!(
            row("claude_code", &call),
            "✓ AskUserQuestion Which bed? 2 questions → Left · Roses, Peas"
        );
        let html = html("claude_code", &call);
        assert_eq!(chosen(&html), ["Left Sunny", "Roses", "Peas"]);
        let text = text(&html);
        assert!(
            text.contains("Shady") && text.contains("Result as recorded"),
            "{text}"
        );
    }

    #[test]
    fn an_answer_of_ones_own_is_shown() {
        let call = answered(&[
            ("Which bed?", "Neither, thanks"),
            ("Which plants?", "Beans"),
        ]);
        let html = html("claude_code", &call);
        assert_eq!(chosen(&html), ["Beans"]);
        assert!(text(&html).contains("Neither, thanks"));
    }

    #[test]
    fn answers_are_found_in_the_results_words() {
        let words = r#"User has answered your questions: "Which bed?"="Right", "Which plants?"="A \"big\" tree". You can now go on."#;
        let answered = call("AskUserQuestion", TWO, Some(Ok(words)));
        assert!(row("claude_code", &answered).contains("→ Right · A \\\"big\\\" tree"));
        let input = r#"{"questions":[{"id":"bed","question":"Which bed?"}]}"#;
        let json = r#"{"answers":{"bed":{"answers":["Left"]}}}"#;
        let json = call("request_user_input", input, Some(Ok(json)));
        assert!(row("codex", &json).ends_with("→ Left"));
        let input = r#"{"question":"Which bed?","follow_up":[{"text":"Left","mode":"code"},{"text":"Right"}]}"#;
        let tagged = call(
            "ask_followup_question",
            input,
            Some(Ok("<answer>Right</answer>")),
        );
        assert_eq!(chosen(&html("roo", &tagged)), ["Right"]);
        assert!(text(&html("roo", &tagged)).contains("Input as recorded"));
    }

    #[test]
    fn a_question_without_an_answer_waits_for_it() {
        let call = call("AskUserQuestion", TWO, None);
        let text = text(&html("claude_code", &call));
        assert!(text.contains("No result was recorded."));
        assert!(!text.contains("Chosen"));
    }

    #[test]
    fn another_shape_has_the_default_body() {
        for input in [
            "{}",
            r#"{"questions":[7]}"#,
            r#"{"questions":[{"header":"x"}]}"#,
            "[]",
        ] {
            let html = html("x", &call("ask_user", input, Some(Ok("yes"))));
            assert!(html.contains("<p class=\"head\">Output</p>"), "{input}");
        }
    }
}
