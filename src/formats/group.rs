//! Which files belong together: what the walk found becomes sources, each with its reader.

use std::collections::BTreeMap;

use crate::source::{File, SideFiles, Source};

use super::{Claim, FORMATS, Format, Head, Role};

/// What became of the files that were found.
#[derive(Default)]
pub struct Grouped {
    /// Sources with the formats that read them, sorted by the names of their main files.
    pub sources: Vec<(Source, &'static dyn Format)>,
    /// Files of no known format that belong to no source either, sorted by name, each with why it
    /// was refused.
    pub unknown: Vec<(File, &'static str)>,
    /// Files without content, sorted by name.
    pub empty: Vec<File>,
}

/// Groups files, whatever order they come in. With `forced`, every file is of that format,
/// whether it looks so or not; a file that does not, inside the own folder of one that does, is
/// still a side file.
pub fn group(found: Vec<(File, Head)>, forced: Option<&'static dyn Format>) -> Grouped {
    let mut found = found;
    // What has one name under two inputs is not one thing.
    found.sort_by(|(one, _), (other, _)| order(one).cmp(&order(other)));
    let mut grouped = Grouped::default();
    let mut claimed = Claimed::new();
    let mut strangers = Vec::new();
    for (file, head) in found {
        let format = match forced {
            Some(format) => Some(format).filter(|format| format.recognises(&head)),
            None => recognise(&head),
        };
        let expected = || FORMATS.iter().find(|format| format.expects(&file)).copied();
        match format.or_else(|| expected().filter(|_| forced.is_none())) {
            None if head.empty => grouped.empty.push(file),
            Some(format) if head.empty && !format.expects(&file) => grouped.empty.push(file),
            Some(format) => add(&mut claimed, format, file, &head),
            None => strangers.push((file, head)),
        }
    }
    let formats = FORMATS.iter().copied();
    for format in formats.filter(|format| forced.is_none_or(|one| one.name() == format.name())) {
        add_remains(&mut claimed, format, &mut strangers);
    }
    let mut side_files = own_folders(&claimed);
    let mut shared = shared(&claimed);
    for (file, head) in strangers {
        let sharing = shared.iter_mut().find(|(format, _)| format.shares(&file));
        if let Some((_, files)) = sharing {
            files.push(file);
            continue;
        }
        if let Some(files) = innermost(&file, &mut side_files) {
            files.push(file);
        } else if let Some(format) = forced {
            add(&mut claimed, format, file, &head);
        } else {
            grouped.unknown.push((file, head.refusal()));
        }
    }
    let side_files: BTreeMap<Place, SideFiles> = side_files
        .into_iter()
        .map(|(folder, files)| (folder, files.into()))
        .collect();
    let shared: BTreeMap<&str, SideFiles> = shared
        .into_iter()
        .map(|(format, files)| (format.name(), files.into()))
        .collect();
    let origins = origins(&claimed);
    for (_, (format, files)) in claimed {
        for (mut source, folder) in sources(files) {
            source.shared_files = shared.get(format.name()).cloned().unwrap_or_default();
            let place = (source.main.input, source.main.path.clone());
            source.origin = origins.get(&place).cloned();
            let own = folder.and_then(|folder| side_files.get(&(source.main.input, folder)));
            source.side_files = own.cloned().unwrap_or_default();
            grouped.sources.push((source, format));
        }
    }
    grouped
        .sources
        .sort_by(|(one, _), (other, _)| order(&one.main).cmp(&order(&other.main)));
    grouped
}

/// By name, the same name by the path that it was found under, and by the input.
fn order(file: &File) -> (&str, &str, usize) {
    (&file.name, &file.path, file.input)
}

/// A key, or a folder, under the input of this number.
type Place = (usize, String);

/// Files by the format's name and the key of their source.
type Claimed = BTreeMap<(&'static str, Place), (&'static dyn Format, Vec<Claimant>)>;

/// A file, what it claims to be, and what more its head says.
struct Claimant {
    file: File,
    claim: Claim,
    /// Whether it is one JSON document.
    is_document: bool,
    /// The key of the conversation that it was forked from.
    origin: Option<String>,
}

fn recognise(head: &Head) -> Option<&'static dyn Format> {
    FORMATS
        .iter()
        .copied()
        .find(|format| format.recognises(head))
}

fn add(claimed: &mut Claimed, format: &'static dyn Format, file: File, head: &Head) {
    let claim = format.claim(&file, head);
    let key = (format.name(), (file.input, claim.key.clone()));
    let (_, files) = claimed.entry(key).or_insert_with(|| (format, Vec::new()));
    files.push(Claimant {
        file,
        claim,
        is_document: format.is_document(head),
        origin: format.origin(head),
    });
}

/// Adds the strangers that stand for conversations whose own files are missing.
fn add_remains(
    claimed: &mut Claimed,
    format: &'static dyn Format,
    strangers: &mut Vec<(File, Head)>,
) {
    let own = claimed
        .iter()
        .filter(|((name, _), _)| *name == format.name());
    let known: Vec<&File> = own
        .flat_map(|(_, (_, files))| files.iter().map(|one| &one.file))
        .collect();
    let others: Vec<&File> = strangers.iter().map(|(file, _)| file).collect();
    let remains = format.remains(&known, &others);
    for at in remains.into_iter().rev() {
        let (file, head) = strangers.remove(at);
        add(claimed, format, file, &head);
    }
}

/// The formats of which there are sources, with no files yet that those share.
fn shared(claimed: &Claimed) -> Vec<(&'static dyn Format, Vec<File>)> {
    let mut shared: Vec<(&'static dyn Format, Vec<File>)> = Vec::new();
    // The keys are sorted by the formats' names.
    for (format, _) in claimed.values() {
        if shared
            .last()
            .is_none_or(|(last, _)| last.name() != format.name())
        {
            shared.push((*format, Vec::new()));
        }
    }
    shared
}

/// The own folders of all sources, with no files in them yet.
fn own_folders(claimed: &Claimed) -> BTreeMap<Place, Vec<File>> {
    let claims = claimed.values().flat_map(|(_, files)| files);
    claims
        .filter_map(|one| Some(((one.file.input, one.claim.own_folder.clone()?), Vec::new())))
        .collect()
}

/// The files of the innermost own folder that a file is in.
fn innermost<'a>(
    file: &File,
    folders: &'a mut BTreeMap<Place, Vec<File>>,
) -> Option<&'a mut Vec<File>> {
    let mut place = (file.input, file.folder().to_owned());
    while !folders.contains_key(&place) {
        if place.1.is_empty() {
            return None;
        }
        let above = place.1.rfind('/').unwrap_or_default();
        place.1.truncate(above);
    }
    folders.get_mut(&place)
}

/// The sources of one key, each with its own folder. Two main files under one key are two
/// sources; the members go to the one that is named as the key is, else to the first.
fn sources(files: Vec<Claimant>) -> Vec<(Source, Option<String>)> {
    let (mains, members): (Vec<_>, Vec<_>) = files
        .into_iter()
        .partition(|one| one.claim.role == Role::Main);
    if mains.is_empty() {
        // A member without its main file stands alone.
        return members.into_iter().map(alone).collect();
    }
    let named = mains.iter().position(|one| {
        let last = one.claim.key.rsplit('/').next();
        last == Some(one.file.stem())
    });
    let home = named.unwrap_or_default();
    let mut sources: Vec<_> = mains.into_iter().map(alone).collect();
    sources[home].0.members = members.into_iter().map(|one| one.file).collect();
    sources
}

/// A source of one file, with its own folder.
fn alone(one: Claimant) -> (Source, Option<String>) {
    let source = Source {
        is_document: Some(one.is_document),
        ..Source::single(one.file)
    };
    (source, one.claim.own_folder)
}

/// The file of the conversation that each fork was made from, by the input and the path of the
/// fork's own.
fn origins(claimed: &Claimed) -> BTreeMap<Place, File> {
    let mut origins = BTreeMap::new();
    for ((format, _), (_, files)) in claimed {
        for fork in files {
            let Some(origin) = &fork.origin else {
                continue;
            };
            let key = (*format, (fork.file.input, origin.clone()));
            let others = claimed.get(&key).map_or(&[][..], |(_, files)| files);
            let main = others.iter().find(|one| one.claim.role == Role::Main);
            if let Some(main) = main.filter(|main| main.file != fork.file) {
                let place = (fork.file.input, fork.file.path.clone());
                origins.insert(place, main.file.clone());
            }
        }
    }
    origins
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
        fn names<'a>(files: impl IntoIterator<Item = &'a File>) -> String {
            let names: Vec<&str> = files.into_iter().map(|file| file.name.as_str()).collect();
            names.join(" ")
        }
        let mut lines: Vec<String> = grouped
            .sources
            .iter()
            .map(|(source, _)| {
                format!(
                    "{} [{}] [{}]",
                    source.main.name,
                    names(&source.members),
                    names(source.side_files.iter())
                )
            })
            .collect();
        lines.push(format!(
            "unknown [{}]",
            names(grouped.unknown.iter().map(|(file, _)| file))
        ));
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
    fn inputs_with_the_same_names_in_them_are_kept_apart() {
        let names = [
            (format!("{SESSION}.jsonl"), main_of(SESSION)),
            (
                format!("{SESSION}/subagents/agent-a1.jsonl"),
                agent_of(SESSION),
            ),
            (format!("{SESSION}/tool-results/x.txt"), "out".to_owned()),
        ];
        let found = [0, 1].into_iter().flat_map(|input| {
            names.iter().map(move |(name, text)| {
                let path = format!("root{input}/{name}");
                let bytes = text.as_bytes().to_vec();
                let file = File::in_memory(path, name.clone(), bytes).under(input);
                let head = Head::of(&file).expect("memory can be read");
                (file, head)
            })
        });
        let sources = group(found.collect(), None).sources;
        assert_eq!(sources.len(), 2);
        for (input, (source, _)) in sources.iter().enumerate() {
            let files = source.members.iter().chain(source.side_files.iter());
            let inputs: Vec<usize> = files.map(|file| file.input).collect();
            assert_eq!((source.main.input, inputs), (input, vec![input, input]));
        }
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

    #[test]
    fn sources_share_the_folder_that_is_beside_them() {
        let record = "{\"key\":\"k\",\"record\":{\"role\":\"user\",\"createdAt\":\"2026-01-01T00:00:00Z\",\
                      \"content\":{\"parts\":[]}}}\n";
        let files = [
            ("p/a.jsonl", record.to_owned()),
            ("p/b.jsonl", record.to_owned()),
            ("p/blobs/x.txt", "out".to_owned()),
            ("p/blobs.txt", "mine".to_owned()),
        ];
        assert_eq!(
            written(&grouped(&files, None)),
            [
                "p/a.jsonl [] [p/blobs/x.txt]",
                "p/b.jsonl [] [p/blobs/x.txt]",
                "unknown [p/blobs.txt]",
                "empty []",
            ]
        );
    }
}
