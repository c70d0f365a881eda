//! Whole conversations: every text, every number, and JSON that stays JSON.

use proptest::prelude::*;

use crate::model::patch::{FilePatch, Hunk, Line, LineKind};
use crate::model::{
    Attachment, Body, Details, DocumentVersion, Entry, Input, Notice, NoticeKind, Part, Prompt,
    Reasoning, Reply, TodoItem, ToolCall, ToolResult,
};

use super::*;

/// Invented, and put together so that nobody takes it for a leak.
fn token() -> String {
    format!("ghp{}kT9vLq2xPzR4mW8sB6nC7d4b9c6f5dx2aQ3e", "_")
}

fn redact(conversation: &mut Conversation) -> Redactions {
    super::conversation(conversation, &Redactor::new(&Settings::default()))
}

fn text(words: &str) -> Vec<Part> {
    vec![Part::Text(words.to_owned())]
}

fn said(words: &str) -> Conversation {
    Conversation {
        entries: vec![Entry::Prompt(Prompt {
            parts: text(words),
            ..Prompt::default()
        })],
        ..Conversation::default()
    }
}

fn words_of(conversation: &Conversation) -> &str {
    let Entry::Prompt(prompt) = &conversation.entries[0] else {
        panic!("a prompt")
    };
    let Part::Text(text) = &prompt.parts[0] else {
        panic!("a text")
    };
    text
}

#[test]
fn every_text_of_a_conversation_is_a_sink() {
    let secret = token();
    let with = |place: &str| format!("{place} {secret}");
    let notice = |title: &str| {
        Notice::new(NoticeKind::Unknown, with(title)).with_body(Body::Data(with("body")))
    };
    let call = ToolCall {
        id: with("id"),
        name: with("name"),
        input: Some(Input::Json(format!(
            r#"{{"{secret}":"{secret}","a":["x {secret}"]}}"#
        ))),
        result: Some(ToolResult {
            text: with("result"),
            details: Some(Box::new(Details {
                background: Some(with("background")),
                patches: vec![FilePatch {
                    path: with("path"),
                    hunks: vec![Hunk {
                        lines: vec![Line {
                            kind: LineKind::Added,
                            text: with("line"),
                        }],
                        ..Hunk::default()
                    }],
                    ..FilePatch::default()
                }],
                answers: vec![(with("question"), with("answer"))],
                todos: Some(vec![TodoItem {
                    group: Some(with("group")),
                    text: with("to do"),
                    note: Some(with("note")),
                    ..TodoItem::default()
                }]),
                document: Some(DocumentVersion {
                    title: Some(with("document")),
                    text: Some(with("version")),
                    ..DocumentVersion::default()
                }),
                ..Details::default()
            })),
            ..ToolResult::default()
        }),
        notices: vec![notice("call")],
        child: Some(Box::new(said(&with("child")))),
        ..ToolCall::default()
    };
    let mut conversation = Conversation {
        id: with("id"),
        title: Some(with("title")),
        project: Some(with("project")),
        branch: Some(with("branch")),
        entries: vec![
            Entry::Prompt(Prompt {
                id: with("id"),
                parts: vec![Part::File(Attachment {
                    name: with("file"),
                    text: Some(with("text")),
                    ..Attachment::default()
                })],
                asides: vec![notice("aside")],
                ..Prompt::default()
            }),
            Entry::Reply(Reply {
                models: vec![with("model")],
                error: Some(with("error")),
                parts: vec![
                    Part::Reasoning(Reasoning {
                        text: with("thought"),
                        ..Reasoning::default()
                    }),
                    Part::Tool(Box::new(call)),
                    Part::Error {
                        message: with("message"),
                        code: Some(with("code")),
                    },
                ],
                ..Reply::default()
            }),
            Entry::Versions(vec![vec![Entry::Notice(notice("version"))]]),
        ],
        children: vec![said(&with("loose"))],
        unshown: [(with("kind"), 1)].into(),
        ..Conversation::default()
    };
    let redactions = redact(&mut conversation);
    let all = format!("{conversation:?}");
    assert!(!all.contains(&secret), "{all}");
    let markers = all.matches("[redacted: github-token #1]").count() as u64;
    assert_eq!(redactions.counts["github-token"], markers);
    assert_eq!(conversation.redactions, markers);
    assert_eq!(conversation.children[0].redactions, 1);
}

#[test]
fn a_value_found_once_is_replaced_everywhere() {
    let mut conversation = said(
        "export API_KEY=kT9vLq2xPzR4mW8sB6nC\nthen: kT9vLq2xPzR4mW8sB6nC, kT9vLq2xPzR4… and xkT9vLq2xPzR4mW8sB6nC",
    );
    redact(&mut conversation);
    let marker = "[redacted: api-key #1]";
    assert_eq!(
        words_of(&conversation),
        format!("export API_KEY={marker}\nthen: {marker}, {marker}… and x{marker}")
    );
}

#[test]
fn different_values_have_numbers_in_reading_order() {
    let mut conversation = said("password=kT9vLq2x! and password=zR4mW8sB? and password=kT9vLq2x!");
    redact(&mut conversation);
    let expected = "password=[redacted: password #1] and password=[redacted: password #2] and password=[redacted: password #1]";
    assert_eq!(words_of(&conversation).replace(['!', '?'], ""), expected);
}

#[test]
fn home_folders_become_a_tilde_and_their_owners_go_with_them() {
    let mut conversation = said(
        "/home/jane.doe/app, jane.doe@box, -home-jane-doe-app/x, C:\\Users\\jane.doe\\y, /home/runner/z",
    );
    let redactions = redact(&mut conversation);
    assert_eq!(
        words_of(&conversation),
        "~/app, user@box, ~-app/x, ~\\y, /home/runner/z"
    );
    assert!(redactions.counts.is_empty() && conversation.redactions == 0);
}

#[test]
fn the_values_of_a_file_of_credentials_are_masked_whatever_they_are() {
    let call = ToolCall {
        input: Some(Input::Json(r#"{"file_path":"/app/.env"}"#.to_owned())),
        result: Some(ToolResult {
            text: "     1\tMODE=blue\n     2\tPORT=3000\n".to_owned(),
            ..ToolResult::default()
        }),
        ..ToolCall::default()
    };
    let mut conversation = Conversation {
        entries: vec![Entry::Reply(Reply {
            parts: vec![
                Part::Tool(Box::new(call)),
                Part::Text("It is blue.".to_owned()),
            ],
            ..Reply::default()
        })],
        ..Conversation::default()
    };
    redact(&mut conversation);
    let all = format!("{conversation:?}");
    assert!(
        all.contains("MODE=[redacted: setting #1]")
            && all.contains("PORT=3000")
            && all.contains("It is blue."),
        "{all}"
    );
}

#[test]
fn json_stays_json() {
    for input in [
        r#"{"password":"kT9\"v\\Lq2x\u0021","n":{"password":40718263},"x":"\u0041PI_KEY=kT9vLq2xPzR4mW8s\n"}"#,
        r#"{"command":"curl -u a:kT9vLq2x! \"https://a:kT9vLq2x!@b\"","env":["API_KEY=kT9vLq2xPzR4mW8s"]}"#,
        "{\"cmd\":\"C:\\\\Users\\\\Jane Doe\\\\x -p /home/ada/y\"}",
    ] {
        let mut json = input.to_owned();
        let redactor = Redactor::new(&Settings::default());
        let mut values = Values::default();
        let edits: Vec<_> = redactor
            .look(&json, Place::Json(None))
            .into_iter()
            .map(|one| number(one, input, &mut values))
            .collect();
        json = edited(&json, &edits, &values.markers());
        assert!(
            serde_json::from_str::<serde_json::Value>(&json).is_ok(),
            "{json}"
        );
        assert!(
            !json.contains("kT9") && !json.contains("Jane") && !json.contains("40718263"),
            "{json}"
        );
    }
}

#[test]
fn what_is_allowed_stays() {
    let settings = Settings::read(
        FILE.as_ref(),
        "[redact]\nallow = ['kT9vLq2xPzR4mW8sB6nC']\n",
    )
    .expect("right");
    let mut conversation = said("API_KEY=kT9vLq2xPzR4mW8sB6nC");
    super::conversation(&mut conversation, &Redactor::new(&settings));
    assert_eq!(words_of(&conversation), "API_KEY=kT9vLq2xPzR4mW8sB6nC");
}

#[test]
fn own_rules_come_first() {
    let toml = "[[redact.rules]]\nname = 'acme-key'\npattern = 'acme-([a-z]{4}\\d{4})'\n";
    let settings = Settings::read(FILE.as_ref(), toml).expect("right");
    let mut conversation = said("password=acme-abcd1234 and acme-abcd1234");
    super::conversation(&mut conversation, &Redactor::new(&settings));
    assert!(
        words_of(&conversation)
            .contains("[redacted: acme-key #1] and acme-[redacted: acme-key #1]"),
        "{}",
        words_of(&conversation)
    );
}

#[test]
fn finished_bytes_are_searched_for_what_was_found_and_for_what_shows() {
    let redactor = Redactor::new(&Settings::default());
    let mut conversation = said("API_KEY=kT9vLq2xPzR4mW8sB6nC");
    let known = super::conversation(&mut conversation, &redactor);
    let kinds = |text: &str| -> Vec<String> {
        let leaks = redactor.leaks(text, &known).into_iter();
        leaks
            .map(|(span, kind)| format!("{kind} in {span:?}"))
            .collect()
    };
    assert_eq!(kinds("<p>kT9vLq2xPzR4mW8sB6nC</p>"), ["api-key in 3..23"]);
    let other = format!("ghp{}9sB6nC7d4b9c6f5dx2aQ3ekT9vLq2xPzR4mW", "_");
    assert_eq!(kinds(&other), ["github-token in 0..40"]);
    assert!(kinds("<p>[redacted: api-key #1] /home/ada</p>").is_empty());
    assert_eq!(
        known
            .lines(b"\n{\"a\":\"API_KEY=kT9vLq2xPzR4mW8sB6nC\"}\n")
            .keys()
            .next(),
        Some(&(2, "api-key".to_owned()))
    );
}

#[test]
fn nothing_is_redacted_when_nothing_is_asked_for() {
    let mut conversation = said(&format!("{} /home/ada", token()));
    let before = conversation.clone();
    super::conversation(&mut conversation, &Redactor::new(&Settings::nothing()));
    assert_eq!(conversation, before);
}

#[test]
fn what_was_redacted_once_stays_as_it_is() {
    let mut conversation = said(
        "password: kT9vLq2x!7, TOKEN=kT9vLq2xPzR4mW8sB6nC, Authorization: Bearer kT9vLq2xPzR4mW8sB6nD /home/ada/x",
    );
    redact(&mut conversation);
    let once = conversation.clone();
    let redactions = redact(&mut conversation);
    assert_eq!(words_of(&conversation), words_of(&once));
    assert!(redactions.counts.is_empty(), "{redactions:?}");
}

fn json_value() -> impl Strategy<Value = serde_json::Value> {
    let word = "(password|token|API_KEY=|kT9vLq2xPzR4mW8sB6nC|/home/ada/|\"|\\\\|\n|é|\u{200b}|[a-zA-Z0-9 ]{1,12}|https://a:kT9vLq2x!@b|Bearer ){0,6}";
    let leaf = prop_oneof![
        word.prop_map(serde_json::Value::from),
        any::<i64>().prop_map(serde_json::Value::from),
        Just(serde_json::Value::Null)
    ];
    leaf.prop_recursive(3, 24, 4, move |inner| {
        let key = prop_oneof![
            Just("password".to_owned()),
            Just("token".to_owned()),
            Just("content".to_owned()),
            "[a-z\"\\\\]{0,8}"
        ];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(serde_json::Value::from),
            prop::collection::vec((key, inner), 0..4)
                .prop_map(|pairs| pairs.into_iter().collect::<serde_json::Map<_, _>>().into()),
        ]
    })
}

proptest! {
    #[test]
    fn any_json_stays_json_and_any_text_stays_text(value in json_value(), result in "\\PC{0,80}") {
        let redactor = REDACTOR.get_or_init(|| Redactor::new(&Settings::default()));
        let call = ToolCall {
            input: Some(Input::Json(value.to_string())),
            result: Some(ToolResult { text: result, ..ToolResult::default() }),
            ..ToolCall::default()
        };
        let mut conversation = Conversation {
            entries: vec![Entry::Reply(Reply { parts: vec![Part::Tool(Box::new(call))], ..Reply::default() })],
            ..Conversation::default()
        };
        super::conversation(&mut conversation, redactor);
        let Entry::Reply(reply) = &conversation.entries[0] else { panic!("a reply") };
        let Part::Tool(call) = &reply.parts[0] else { panic!("a call") };
        let Some(Input::Json(json)) = &call.input else { panic!("an input") };
        prop_assert!(serde_json::from_str::<serde_json::Value>(json).is_ok(), "{}", json);
        prop_assert!(!json.contains("kT9vLq2x!@"), "{}", json);
    }
}

static REDACTOR: std::sync::OnceLock<Redactor> = std::sync::OnceLock::new();

#[test]
fn what_stands_before_a_value_in_json_tells_of_it() {
    let v = "kT9vLq2xPzR4mW8sB6nC7d4b";
    for input in [
        format!(r#"{{"env":[{{"name":"API_TOKEN","value":"{v}"}}]}}"#),
        format!(r#"{{"args":["--password","{v}","--verbose"]}}"#),
        format!(r#"{{"key":"password","value":"{v}"}}"#),
        format!(r#"{{"passwords":["{v}"]}}"#),
        format!(r#"{{"creds":{{"user":"a","pass":"{v}"}}}}"#),
    ] {
        let call = ToolCall {
            input: Some(Input::Json(input.clone())),
            ..ToolCall::default()
        };
        let mut conversation = Conversation {
            entries: vec![Entry::Reply(Reply {
                parts: vec![Part::Tool(Box::new(call))],
                ..Reply::default()
            })],
            ..Conversation::default()
        };
        redact(&mut conversation);
        assert!(!format!("{conversation:?}").contains(v), "{input}");
    }
}
