//! Archives as they are made, and as somebody made them who means harm.

use std::io::Write;

use super::*;

/// A zip of these members, deflated by an encoder that is not ours to test.
fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut directory = Vec::new();
    for (name, bytes) in members {
        let packed = miniz_oxide::deflate::compress_to_vec(bytes, 6);
        let mut hash = crc32fast::Hasher::new();
        hash.update(bytes);
        let start = u32::try_from(out.len()).expect("small");
        let len = |n: usize| u32::try_from(n).expect("small").to_le_bytes();
        let mut about = Vec::new();
        about.extend([20, 0, 0, 0, 8, 0, 0, 0, 0x21, 0]);
        about.extend(hash.finalize().to_le_bytes());
        about.extend(len(packed.len()));
        about.extend(len(bytes.len()));
        about.extend(&len(name.len())[..2]);
        out.write_all(b"PK\x03\x04").expect("memory");
        out.extend(&about);
        out.extend([0, 0]);
        out.extend(name.as_bytes());
        out.extend(packed);
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(&about);
        directory.extend([0; 12]);
        directory.extend(start.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let (start, size) = (out.len(), directory.len());
    out.extend(directory);
    out.extend(b"PK\x05\x06\0\0\0\0");
    let count = u16::try_from(members.len()).expect("few").to_le_bytes();
    out.extend(count);
    out.extend(count);
    out.extend(u32::try_from(size).expect("small").to_le_bytes());
    out.extend(u32::try_from(start).expect("small").to_le_bytes());
    out.extend([0, 0]);
    out
}

fn listed(zip: Vec<u8>) -> Contents {
    contents(&Store::Memory(zip.into())).expect("an archive")
}

fn read(member: &Member, range: Range<u64>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    member.range(range)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn long() -> Vec<u8> {
    let lines = (0..300_000).map(|n: u64| format!("{} {}\n", n, n.wrapping_mul(0x9e37_79b9)));
    lines.collect::<String>().into_bytes()
}

#[test]
fn members_are_read_whole_and_in_parts_in_any_order() {
    let long = long();
    let contents = listed(zip(&[("a.txt", b"short"), ("b/c.txt", &long)]));
    assert!(contents.faults.is_empty(), "{:?}", contents.faults);
    let names: Vec<_> = contents
        .members
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(names, ["a.txt", "b/c.txt"]);
    let member = &contents.members[1].1;
    assert!(read(member, 0..u64::MAX).expect("sound") == long);
    let size = long.len() as u64;
    for start in [size - 10, 3 << 20, 5, (1 << 20) - 3, 2 << 20] {
        let end = (start + 100_000).min(size);
        let at = |n: u64| usize::try_from(n).expect("small");
        assert!(read(member, start..end).expect("sound") == long[at(start)..at(end)]);
    }
    assert_eq!(read(&contents.members[0].1, 1..3).expect("sound"), b"ho");
    assert_eq!(read(member, size + 5..size + 9).expect("sound"), b"");
}

#[test]
fn what_is_damaged_gives_nothing() {
    let sound = zip(&[("a.txt", &long())]);
    let mut damaged = sound.clone();
    damaged[200_000] ^= 1;
    let contents = listed(damaged);
    assert!(read(&contents.members[0].1, 0..10).is_err());
    let cut = Store::Memory(sound[..sound.len() - 30].into());
    assert!(super::contents(&cut).is_err());
}

#[test]
fn what_expands_out_of_all_proportion_is_stopped() {
    let contents = listed(zip(&[("a.txt", &vec![b'a'; 30 << 20])]));
    let error = read(&contents.members[0].1, 0..10).expect_err("a bomb");
    assert!(error.to_string().contains("1000:1"), "{error}");
}

#[test]
fn names_are_labels_and_never_paths() {
    let contents = listed(zip(&[
        ("../../x.json", b"{}"),
        ("/etc/y", b""),
        ("a\\b.json", b"{}"),
    ]));
    let names: Vec<_> = contents
        .members
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(names, ["x.json", "etc/y", "a/b.json"]);
    assert_eq!(contents.faults.len(), 2, "{:?}", contents.faults);
}

#[test]
fn an_archive_inside_another_is_read_within_what_memory_may_be_taken() {
    let inner = zip(&[("a.txt", b"in both")]);
    let outer = zip(&[("inner.zip", &inner)]);
    let file = crate::source::File::in_memory("o.zip".into(), "o.zip".into(), outer);
    let mut left = inner.len() as u64;
    let packed = file.members(&mut left).expect("an archive").files;
    assert!(packed[0].is_archive());
    let files = packed[0].members(&mut left).expect("an archive").files;
    assert_eq!(files[0].name, "o.zip/inner.zip/a.txt");
    assert_eq!(files[0].read().expect("memory"), b"in both");
    assert_eq!(left, 0);
    let refused = packed[0].members(&mut left).expect_err("nothing is left");
    assert!(refused.contains("too large"), "{refused}");
}

#[test]
fn an_archive_that_is_stored_in_another_is_read_where_it_is() {
    let inner = zip(&[("a.txt", b"one"), ("b.txt", b"two")]);
    let around = [b"before".as_slice(), &inner, b"behind"].concat();
    let store = Store::Within {
        store: Arc::new(Store::Memory(around.into())),
        start: 6,
        size: inner.len() as u64,
    };
    let contents = contents(&store).expect("an archive");
    let texts: Vec<_> = contents
        .members
        .iter()
        .map(|(_, member)| read(member, 0..9).expect("memory"))
        .collect();
    assert_eq!(texts, [b"one", b"two"]);
}
