//! Which files belong together: what the walk found becomes sources, each with its reader.

use std::collections::BTreeMap;

use crate::source::{File, Source};

use super::{Claim, FORMATS, Format, Head, Role};

/// What became of the files that were found.
#[derive(Default)]
pub struct Grouped {
    /// Sources with the formats that read them, sorted by the names of their main files.
    pub sources: Vec<(Source, &'static dyn Format)>,
    /// Files of no known format that belong to no source either, sorted by name.
    pub unknown: Vec<File>,
    /// Files without content, sorted by name.
    pub empty: Vec<File>,
}

/// Groups files, whatever order they come in. With `forced`, every file is of that format,
/// whether it looks so or not; a file that does not, inside the own folder of one that does, is
/// still a side file.
pub fn group(found: Vec<(File, Head)>, forced: Option<&'static dyn Format>) -> Grouped {
    let mut found = found;
    found.sort_by(|(one, _), (other, _)| (&one.name, &one.path).cmp(&(&other.name, &other.path)));
    let mut grouped = Grouped::default();
    let mut claimed = Claimed::new();
    let mut strangers = Vec::new();
    for (file, head) in found {
        let format = match forced {
            Some(format) => Some(format).filter(|format| format.recognises(&head)),
            None => recognise(&head),
        };
        match format {
            _ if head.empty => grouped.empty.push(file),
            Some(format) => add(&mut claimed, format, file, &head),
            None => strangers.push((file, head)),
        }
    }
    let folders = own_folders(&claimed);
    let mut side_files = Vec::new();
    for (file, head) in strangers {
        if is_below_any(&file, &folders) {
            side_files.push(file);
        } else if let Some(format) = forced {
            add(&mut claimed, format, file, &head);
        } else {
            grouped.unknown.push(file);
        }
    }
    let mut owners = Vec::new();
    for (_, (format, files)) in claimed {
        for (source, folder) in sources(files) {
            grouped.sources.push((source, format));
            owners.push(folder);
        }
    }
    for file in side_files {
        match owner(&file, &owners, &grouped.sources) {
            Some(at) => grouped.sources[at].0.side_files.push(file),
            None => grouped.unknown.push(file),
        }
    }
    let name = |source: &Source| (source.main.name.clone(), source.main.path.clone());
    grouped
        .sources
        .sort_by_cached_key(|(source, _)| name(source));
    grouped
}

/// Files by the format's name and the key of their source.
type Claimed = BTreeMap<(&'static str, String), (&'static dyn Format, Vec<(File, Claim)>)>;

fn recognise(head: &Head) -> Option<&'static dyn Format> {
    FORMATS
        .iter()
        .copied()
        .find(|format| format.recognises(head))
}

fn add(claimed: &mut Claimed, format: &'static dyn Format, file: File, head: &Head) {
    let claim = format.claim(&file, head);
    let key = (format.name(), claim.key.clone());
    let (_, files) = claimed.entry(key).or_insert_with(|| (format, Vec::new()));
    files.push((file, claim));
}

fn own_folders(claimed: &Claimed) -> Vec<String> {
    let claims = claimed.values().flat_map(|(_, files)| files);
    claims
        .filter_map(|(_, claim)| claim.own_folder.clone())
        .collect()
}

fn is_below_any(file: &File, folders: &[String]) -> bool {
    folders.iter().any(|folder| is_below(file, folder))
}

fn is_below(file: &File, folder: &str) -> bool {
    file.name
        .strip_prefix(folder)
        .is_some_and(|rest| rest.starts_with('/'))
}

/// The sources of one key, each with its own folder. Two main files under one key are two
/// sources; the members go to the one that is named as the key is, else to the first.
fn sources(files: Vec<(File, Claim)>) -> Vec<(Source, Option<String>)> {
    let (mains, members): (Vec<_>, Vec<_>) = files
        .into_iter()
        .partition(|(_, claim)| claim.role == Role::Main);
    if mains.is_empty() {
        // A member without its main file stands alone.
        let alone = |(file, claim): (File, Claim)| (Source::single(file), claim.own_folder);
        return members.into_iter().map(alone).collect();
    }
    let named = mains.iter().position(|(file, claim)| {
        let last = claim.key.rsplit('/').next();
        last == Some(file.stem())
    });
    let home = named.unwrap_or_default();
    let mut sources: Vec<_> = mains
        .into_iter()
        .map(|(file, claim)| (Source::single(file), claim.own_folder))
        .collect();
    sources[home].0.members = members.into_iter().map(|(file, _)| file).collect();
    sources
}

/// The source whose own folder a file is in: the innermost, and of several the one that the
/// file's name begins with.
fn owner(
    file: &File,
    owners: &[Option<String>],
    sources: &[(Source, &'static dyn Format)],
) -> Option<usize> {
    let rank = |at: usize| {
        let folder = owners[at]
            .as_deref()
            .filter(|folder| is_below(file, folder))?;
        let named = file.stem().starts_with(sources[at].0.main.stem());
        Some((folder.len(), named, std::cmp::Reverse(at)))
    };
    (0..owners.len())
        .filter_map(rank)
        .max()
        .map(|(_, _, at)| at.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SESSION: &str = "11111111-2222-4333-8444-555555555555";
    const OTHER: &str = "22222222-2222-4333-8444-555555555555";

    fn main_of(session: &str) -> String {
        format!(
            "{{\"type\":\"user\",\"sessionId\":\"{session}\",\"uuid\":\"u\",\
             \"message\":{{\"role\":\"user\",\"content\":\"hi\"}}}}\n"
        )
    }

    fn agent_of(session: &str) -> String {
        main_of(session).replacen('{', "{\"isSidechain\":true,\"agentId\":\"a1\",", 1)
    }

    fn grouped(files: &[(&str, String)], forced: Option<&'static dyn Format>) -> Grouped {
        let found = files.iter().rev().map(|(name, text)| {
            let file = File::in_memory(
                (*name).to_owned(),
                (*name).to_owned(),
                text.as_bytes().to_vec(),
            );
            let head = Head::of(&file).expect("memory can be read");
            (file, head)
        });
        group(found.collect(), forced)
    }

    fn written(grouped: &Grouped) -> Vec<String> {
        let names = |files: &[File]| {
            let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
            names.join(" ")
        };
        let mut lines: Vec<String> = grouped
            .sources
            .iter()
            .map(|(source, _)| {
                format!(
                    "{} [{}] [{}]",
                    source.main.name,
                    names(&source.members),
                    names(&source.side_files)
                )
            })
            .collect();
        lines.push(format!("unknown [{}]", names(&grouped.unknown)));
        lines.push(format!("empty [{}]", names(&grouped.empty)));
        lines
    }

    #[test]
    fn agents_below_a_session_and_its_side_files_belong_to_it() {
        let files = [
            (&*format!("p/{SESSION}.jsonl"), main_of(SESSION)),
            (
                &*format!("p/{SESSION}/subagents/agent-a1.jsonl"),
                agent_of(SESSION),
            ),
            (
                &*format!("p/{SESSION}/subagents/agent-a1.meta.json"),
                "{}".to_owned(),
            ),
            (
                &*format!("p/{SESSION}/subagents/workflows/w/agent-b2.jsonl"),
                agent_of(SESSION),
            ),
            (
                &*format!("p/{SESSION}/tool-results/x.txt"),
                "out".to_owned(),
            ),
            ("p/notes.txt", "mine".to_owned()),
            ("p/z.jsonl", "\n".to_owned()),
        ];
        assert_eq!(
            written(&grouped(&files, None)),
            [
                format!(
                    "p/{SESSION}.jsonl [p/{SESSION}/subagents/agent-a1.jsonl \
                     p/{SESSION}/subagents/workflows/w/agent-b2.jsonl] \
                     [p/{SESSION}/subagents/agent-a1.meta.json p/{SESSION}/tool-results/x.txt]"
                ),
                "unknown [p/notes.txt]".to_owned(),
                "empty [p/z.jsonl]".to_owned(),
            ]
        );
    }

    #[test]
    fn agents_beside_their_sessions_are_told_apart_by_the_id_inside() {
        let files = [
            (&*format!("{SESSION}.jsonl"), main_of(SESSION)),
            (&*format!("{OTHER}.jsonl"), main_of(OTHER)),
            ("agent-aa.jsonl", agent_of(OTHER)),
            ("agent-bb.jsonl", agent_of(SESSION)),
            ("agent-cc.jsonl", agent_of("gone")),
        ];
        assert_eq!(
            written(&grouped(&files, None)),
            [
                format!("{SESSION}.jsonl [agent-bb.jsonl] []"),
                format!("{OTHER}.jsonl [agent-aa.jsonl] []"),
                "agent-cc.jsonl [] []".to_owned(),
                "unknown []".to_owned(),
                "empty []".to_owned(),
            ]
        );
    }

    #[test]
    fn two_main_files_under_one_key_are_two_sources() {
        let files = [
            ("copy.jsonl", main_of(SESSION)),
            (&*format!("{SESSION}.jsonl"), main_of(SESSION)),
            (
                &*format!("{SESSION}/subagents/agent-a1.jsonl"),
                agent_of(SESSION),
            ),
        ];
        let lines = written(&grouped(&files, None));
        assert_eq!(
            lines[0],
            format!("{SESSION}.jsonl [{SESSION}/subagents/agent-a1.jsonl] []")
        );
        assert_eq!(lines[1], "copy.jsonl [] []");
    }

    #[test]
    fn a_forced_format_takes_what_it_does_not_recognise() {
        let forced = crate::formats::by_name("claude_code");
        let files = [
            ("a.log", "this is a log\n".to_owned()),
            (&*format!("{SESSION}.jsonl"), main_of(SESSION)),
            (&*format!("{SESSION}/tool-results/x.txt"), "out".to_owned()),
        ];
        let lines = written(&grouped(&files, forced));
        assert_eq!(
            lines[0],
            format!("{SESSION}.jsonl [] [{SESSION}/tool-results/x.txt]")
        );
        assert_eq!(lines[1..], ["a.log [] []", "unknown []", "empty []"]);
    }
}
