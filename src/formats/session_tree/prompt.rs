//! The words of a person's message, without what the program put around them: skills and files
//! that the person only named.

use crate::model::{Attachment, Body, Notice, NoticeKind, Part, Prompt};

/// A prompt out of a message's content.
pub(super) fn of(content: Vec<Part>) -> Prompt {
    let mut prompt = Prompt::default();
    let mut is_first = true;
    for part in content {
        match part {
            Part::Text(words) if is_first => {
                is_first = false;
                words_of(&words, &mut prompt);
            }
            Part::Text(words) => push(&mut prompt, &words),
            part => prompt.parts.push(part),
        }
    }
    prompt
}

/// Takes the text of the message apart.
fn words_of(words: &str, prompt: &mut Prompt) {
    let mut rest = words;
    while let Some((name, inner, after)) = file(rest) {
        rest = after;
        // A picture's own block follows; here is only its name, or its size.
        let is_picture = !inner.starts_with('\n');
        prompt.parts.push(Part::File(Attachment {
            name: name.to_owned(),
            media_type: None,
            text: Some(inner.trim_matches('\n').to_owned()).filter(|_| !is_picture),
            note: Some(inner.trim().to_owned()).filter(|note| is_picture && !note.is_empty()),
        }));
    }
    let Some(Skill {
        name,
        location,
        instructions,
        after,
    }) = skill(rest)
    else {
        return push(prompt, rest);
    };
    let typed = format!("/skill:{name} {}", after.trim());
    push(prompt, typed.trim_end());
    let notice = Notice::new(NoticeKind::Context, format!("Skill {name}"));
    let body = Body::Prose(format!("`{location}`\n\n{instructions}"));
    prompt.asides.push(notice.with_body(body));
}

fn push(prompt: &mut Prompt, words: &str) {
    if !words.trim().is_empty() {
        prompt.parts.push(Part::Text(words.to_owned()));
    }
}

/// A file at the start of a text: its name, what stands in its element, and what follows.
fn file(text: &str) -> Option<(&str, &str, &str)> {
    let rest = text.strip_prefix("<file name=\"")?;
    let (name, rest) = rest.split_once("\">")?;
    let (inner, rest) = rest.split_once("</file>")?;
    Some((name, inner, rest.strip_prefix('\n').unwrap_or(rest)))
}

/// A skill at the start of a text.
struct Skill<'a> {
    name: &'a str,
    location: &'a str,
    instructions: &'a str,
    /// What the person added.
    after: &'a str,
}

fn skill(text: &str) -> Option<Skill<'_>> {
    let rest = text.strip_prefix("<skill name=\"")?;
    let (name, rest) = rest.split_once("\" location=\"")?;
    let (location, rest) = rest.split_once("\">\n")?;
    let (instructions, after) = rest.split_once("\n</skill>")?;
    Some(Skill {
        name,
        location,
        instructions,
        after,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &str) -> Prompt {
        of(vec![Part::Text(words.to_owned())])
    }

    #[test]
    fn a_skill_is_what_the_person_typed() {
        let words =
            "<skill name=\"tides\" location=\"/s/SKILL.md\">\nRead the table.\n</skill>\n\nfor May";
        let prompt = read(words);
        assert_eq!(prompt.parts, [Part::Text("/skill:tides for May".into())]);
        assert_eq!(prompt.asides[0].title, "Skill tides");
        let body = prompt.asides[0].body.as_ref().map(Body::text);
        assert_eq!(body, Some("`/s/SKILL.md`\n\nRead the table."));
    }

    #[test]
    fn files_stand_before_the_words() {
        let words =
            "<file name=\"/a.txt\">\none\ntwo\n</file>\n<file name=\"/b.png\"></file>\nWhat is it?";
        let prompt = read(words);
        let [Part::File(text), Part::File(picture), Part::Text(words)] = &prompt.parts[..] else {
            panic!("{:?}", prompt.parts);
        };
        assert_eq!(text.text.as_deref(), Some("one\ntwo"));
        assert_eq!((picture.name.as_str(), &picture.text), ("/b.png", &None));
        assert_eq!(words, "What is it?");
    }

    #[test]
    fn elements_within_the_words_are_words() {
        let words = "see <file name=\"x\">y</file>";
        assert_eq!(read(words).parts, [Part::Text(words.into())]);
        let open = "<skill name=\"a\" location=\"b\">\nno end";
        assert_eq!(read(open).parts, [Part::Text(open.into())]);
    }
}
