//! Links that may stand in a page.

use std::fmt;

use askama::filters::HtmlSafe;
use askama::{FastWritable, Values};

use super::Plain;

/// An address that may stand in an `href` or `src`: parsed, of an allowed scheme, written in its
/// parsed form; or one of foldout's own relative addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SafeUrl(String);

impl SafeUrl {
    /// Parses a foreign address. `None` unless it is an absolute `http`, `https` or `mailto` URL
    /// without user information (which serves to fake a host).
    pub fn parse(address: &str) -> Option<Self> {
        let url = url::Url::parse(address.trim()).ok()?;
        let web = matches!(url.scheme(), "http" | "https");
        if web
            && (!url.username().is_empty() || url.password().is_some() || url.host_str().is_none())
        {
            return None;
        }
        (web || url.scheme() == "mailto").then(|| Self(url.into()))
    }

    /// Like [`SafeUrl::parse`], but for `http` and `https` alone: what tool views and source
    /// lists may link.
    pub fn web(address: &str) -> Option<Self> {
        Self::parse(address).filter(|url| url.0.starts_with("http"))
    }

    /// A relative address inside the site, optionally with a fragment.
    ///
    /// # Panics
    /// When `address` has a character that addresses of foldout never have: it must come from
    /// [`crate::addresses`], never from input.
    pub(crate) fn local(address: &str) -> Self {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | '/' | '#');
        assert!(
            address.chars().all(plain),
            "not one of foldout's own addresses: {address}"
        );
        Self(address.to_owned())
    }

    /// The address as it stands in the page.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The host without a leading `www.`, in ASCII (punycode) form. `None` for a local or mail
    /// address.
    pub fn host(&self) -> Option<String> {
        let url = url::Url::parse(&self.0).ok()?;
        let host = url.host_str()?;
        Some(host.strip_prefix("www.").unwrap_or(host).to_owned())
    }
}

impl fmt::Display for SafeUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Plain(&self.0).fmt(f)
    }
}

impl FastWritable for SafeUrl {
    fn write_into(&self, dest: &mut dyn fmt::Write, values: &dyn Values) -> askama::Result<()> {
        Plain(&self.0).write_into(dest, values)
    }
}

impl HtmlSafe for SafeUrl {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_absolute_web_and_mail_addresses_pass() {
        for address in [
            "javascript:alert(1)",
            "java\tscript:alert(1)",
            " JaVaScRiPt:x",
            "data:text/html,x",
            "vbscript:x",
            "file:///etc/passwd",
            "ftp://example.com/",
            "//example.com/x",
            "/x",
            "x",
            "",
            "http://",
            "intent://x#y",
            "https://example.com@evil.example/",
            "blob:https://example.com/x",
        ] {
            assert_eq!(SafeUrl::parse(address), None, "{address}");
        }
        assert_eq!(
            SafeUrl::parse("HTTPS://Example.com/a b\"<")
                .map(|u| u.to_string())
                .as_deref(),
            Some("https://example.com/a%20b%22%3C")
        );
        assert!(SafeUrl::parse("mailto:a@example.com").is_some());
        assert!(SafeUrl::web("mailto:a@example.com").is_none());
    }

    #[test]
    fn the_host_is_shown_without_www_and_in_ascii() {
        let host = |a: &str| SafeUrl::parse(a).and_then(|u| u.host());
        assert_eq!(
            host("https://www.example.com/x").as_deref(),
            Some("example.com")
        );
        assert_eq!(
            host("https://exämple.com/").as_deref(),
            Some("xn--exmple-cua.com")
        );
    }
}
