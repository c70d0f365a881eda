//! For tests: a strict reader of foldout's own markup, which proves that it is well-formed and
//! made of the Markdown writer's closed list.

/// The tags that the Markdown writer may write, each with its attributes.
const TAGS: &[(&str, &[&str])] = &[
    ("a", &["href", "title", "rel", "aria-label"]),
    ("blockquote", &[]),
    ("br", &[]),
    ("code", &["class"]),
    ("dd", &["dir"]),
    ("del", &[]),
    ("div", &["class", "tabindex", "role", "aria-label"]),
    ("dl", &["class"]),
    ("dt", &["id"]),
    ("em", &[]),
    ("h3", &["dir"]),
    ("h4", &["dir"]),
    ("h5", &["dir"]),
    ("h6", &["dir"]),
    ("hr", &[]),
    ("li", &["value"]),
    ("ol", &["dir", "start"]),
    ("p", &["class", "dir"]),
    ("pre", &[]),
    ("small", &[]),
    ("span", &["class", "title", "aria-hidden"]),
    ("strong", &[]),
    ("sup", &["id"]),
    ("table", &["dir"]),
    ("tbody", &[]),
    ("td", &["class"]),
    ("th", &["class", "scope"]),
    ("thead", &[]),
    ("tr", &[]),
    ("ul", &["dir"]),
];

/// The classes that the Markdown writer may write; a language's begin with `lang-`.
const CLASSES: &[&str] = &[
    "ac", "al", "ar", "block", "box", "info", "inv", "math", "mono", "notes", "raw", "table",
    "typed", "vh",
];

/// The names of elements that may not stand inside one another.
const NOT_NESTED: &[&str] = &["a", "p", "table", "pre"];

/// What a page's markup holds.
#[derive(Debug, Default)]
pub(crate) struct Proof {
    /// The text, with entities turned back.
    pub(crate) text: String,
    /// The values of all `href`.
    pub(crate) links: Vec<String>,
    /// The values of all other attributes that input can reach.
    pub(crate) attributes: Vec<String>,
    /// The values of all `id`.
    pub(crate) ids: Vec<String>,
    /// The deepest nesting of elements.
    pub(crate) depth: usize,
}

/// Reads markup; panics with what is wrong when it is not what the writer may write.
pub(crate) fn read(markup: &str) -> Proof {
    let mut proof = Proof::default();
    let mut open: Vec<&str> = Vec::new();
    let mut rest = markup;
    while let Some(at) = rest.find('<') {
        proof.text.push_str(&unescaped(&rest[..at]));
        rest = &rest[at + 1..];
        let end = rest.find('>').expect("a tag ends");
        let tag = &rest[..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "a wrong end tag in {markup}");
            continue;
        }
        let name = tag.split(' ').next().unwrap_or_default();
        let known = TAGS.iter().find(|(known, _)| *known == name);
        let (name, allowed) = known.unwrap_or_else(|| panic!("the tag <{tag}> in {markup}"));
        proof.attributes(tag.strip_prefix(name).expect("the name is first"), allowed);
        assert!(
            !NOT_NESTED.contains(name) || !open.contains(name),
            "<{name}> inside itself in {markup}"
        );
        if !matches!(*name, "br" | "hr") {
            open.push(name);
        }
        proof.depth = proof.depth.max(open.len());
    }
    assert!(!rest.contains('>'), "a stray > in {markup}");
    proof.text.push_str(&unescaped(rest));
    assert!(open.is_empty(), "never closed: {open:?} in {markup}");
    let mut ids = proof.ids.clone();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), proof.ids.len(), "an id twice in {markup}");
    for link in &proof.links {
        match link.strip_prefix('#') {
            Some(id) => assert!(ids.iter().any(|known| known == id), "a dead link to {id}"),
            None => assert!(
                ["http://", "https://", "mailto:"]
                    .iter()
                    .any(|scheme| link.starts_with(scheme)),
                "a link to {link}"
            ),
        }
    }
    proof
}

impl Proof {
    fn attributes(&mut self, mut rest: &str, allowed: &[&str]) {
        let mut seen = Vec::new();
        while !rest.is_empty() {
            let (name, value) = rest.split_once("=\"").expect("an attribute has a value");
            let name = name.strip_prefix(' ').expect("a space before an attribute");
            let (value, after) = value.split_once('"').expect("a value ends");
            assert!(
                allowed.contains(&name) && !seen.contains(&name),
                "the attribute {name}=\"{value}\""
            );
            seen.push(name);
            let value = unescaped(value);
            match name {
                "href" => self.links.push(value),
                "id" => self.ids.push(value),
                "class" => {
                    for class in value.split(' ') {
                        let fits = CLASSES.contains(&class)
                            || class.strip_prefix("lang-").is_some_and(is_language);
                        assert!(fits, "the class {class}");
                    }
                }
                _ => self.attributes.push(value),
            }
            rest = after;
        }
    }
}

fn is_language(name: &str) -> bool {
    (1..=32).contains(&name.len())
        && name
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"+#-".contains(&b))
}

fn unescaped(text: &str) -> String {
    assert!(!text.contains(['"', '\'']), "a bare quote in {text}");
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&")
}
