//! What people wrote, and what stands around it.

use super::*;

#[test]
fn context_that_nobody_wrote_is_folded_away() {
    let instructions = json!({"content_type": "user_editable_context",
        "user_profile": "Keeps bees.", "user_instructions": "Be brief."});
    let memories =
        json!({"content_type": "model_editable_context", "model_set_context": "Likes tea."});
    let hidden = json!({"is_visually_hidden_from_conversation": true});
    let shown = lines(&[
        with(
            user(""),
            json!({"content": instructions, "metadata": hidden}),
        ),
        with(assistant(""), json!({"content": memories, "weight": 0})),
        with(user("secret plan"), json!({"author": {"role": "system"}})),
        user("hi"),
        with(assistant("unseen"), json!({"metadata": hidden})),
        assistant("hello"),
    ]);
    assert_eq!(
        shown,
        [
            "<Context Custom instructions>",
            "<Context Memories>",
            "<Context System message>",
            "person: \"hi\"",
            "<Context A hidden message>",
            "Complete: \"hello\"",
        ]
    );
}

#[test]
fn an_empty_root_of_the_program_is_counted_and_not_shown() {
    let conversation = chat(&[
        with(
            user(""),
            json!({"author": {"role": "system"}, "weight": 0.0}),
        ),
        user("hi"),
    ]);
    assert_eq!(outline(&conversation), ["person: \"hi\""]);
    assert_eq!(conversation.unshown["empty message of system"], 1);
}

#[test]
fn null_messages_and_odd_parts_lose_nothing_else() {
    let content = json!({"content_type": "multimodal_text", "parts": ["hi", null, 7, {"x": 1}]});
    let shown = lines(&[with(user(""), json!({"content": content}))]);
    assert_eq!(
        shown,
        ["person: \"hi\", <Unknown A part that is no text>, <Unknown A part without a kind>"]
    );
    let shown = lines(&[with(user(""), json!({"content": null})), user("ho")]);
    assert_eq!(shown, ["person: \"ho\""]);
    let shown = lines(&[with(user(""), json!({"content": {"parts": ["old"]}}))]);
    assert_eq!(shown, ["person: \"old\""]);
}

#[test]
fn what_was_said_aloud_stands_as_its_words() {
    let audio = json!({"content_type": "audio_asset_pointer", "asset_pointer": "sediment://file_a",
        "format": "wav", "metadata": {"start": 0.0, "end": 1.5}});
    let spoken = json!({"content_type": "multimodal_text", "parts": [
        {"content_type": "audio_transcription", "text": "Good morning", "direction": "in"},
        {"content_type": "real_time_user_audio_video_asset_pointer", "audio_asset_pointer": audio,
            "frames_asset_pointers": []},
    ]});
    let conversation = chat(&[with(user(""), json!({"content": spoken}))]);
    assert_eq!(
        outline(&conversation),
        ["person: \"Good morning\", file Recording"]
    );
}

#[test]
fn words_that_are_answered_stand_beside_the_answer() {
    let shown = lines(&[with(
        user("why?"),
        json!({"metadata": {"targeted_reply": "It rains."}}),
    )]);
    assert_eq!(
        shown,
        ["person: \"why?\", <Context In answer to these words>"]
    );
}

#[test]
fn a_content_of_an_unknown_type_is_data() {
    let whole = chain(&[with(
        user(""),
        json!({"content": {"content_type": "hologram", "beams": 3}}),
    )]);
    let (conversation, problems) = read_with(&whole.to_string(), &[]);
    let shown = outline(&conversation.expect("a conversation"));
    assert_eq!(
        shown,
        ["person: <Unknown A message of an unknown kind: hologram>"]
    );
    assert!(problems[0].contains("1 unknown content type: hologram"));
}

#[test]
fn times_are_numbers_or_their_texts() {
    let conversation = chat(&[
        with(user("a"), json!({"create_time": "1700000000.5"})),
        with(user("b"), json!({"create_time": 1_700_000_060})),
    ]);
    assert_eq!(
        conversation.start().map(|time| time.as_second()),
        Some(1_700_000_000)
    );
    assert_eq!(
        conversation.end().map(|time| time.as_second()),
        Some(1_700_000_060)
    );
    let whole = with(chain(&[user("a")]), json!({"create_time": 1_700_000_000}));
    let conversation = read_with(&whole.to_string(), &[])
        .0
        .expect("a conversation");
    assert!(conversation.start().is_some());
}

#[test]
fn a_gpt_that_somebody_made_is_named() {
    let whole = with(
        chain(&[user("a")]),
        json!({"gizmo_id": "g-1a", "gizmo_type": "gpt"}),
    );
    let conversation = read_with(&whole.to_string(), &[])
        .0
        .expect("a conversation");
    assert_eq!(outline(&conversation)[0], "<Info Custom GPT: g-1a>");
    let whole = with(
        whole,
        json!({"gizmo": {"display": {"name": "Tide Helper"}}}),
    );
    let conversation = read_with(&whole.to_string(), &[])
        .0
        .expect("a conversation");
    assert_eq!(outline(&conversation)[0], "<Info Custom GPT: Tide Helper>");
}
