//! Tells words from drawn characters. People name things with words, in snake, kebab or camel case,
//! with a number now and then; machines draw letters that no language puts side by side.

/// How common each pair of letters is in the names and words of programs and their documents: one
/// row for each first letter, one digit for each second. 6 is as common as by chance; one less is
/// half as common, one more twice.
const PAIRS: [&[u8; 26]; 26] = [
    b"47884573725989171989665463",
    b"74547321642733640564620242",
    b"84648428717754942768642140",
    b"74469443822634641664642340",
    b"85897764534879575998575852",
    b"63457731801633730665602040",
    b"52328345600546531664511032",
    b"71248200702343720645501030",
    b"77877772224879862788370517",
    b"40105000300000400040400000",
    b"52237332600323431264313020",
    b"83469442914844840366642170",
    b"85348320713463770364611030",
    b"83888694726546752489663142",
    b"56774563535779670977767442",
    b"83448335704743761867623150",
    b"10012010000112100120600000",
    b"94669563806666851687654260",
    b"73749457815655773489734262",
    b"83659538902655860887634473",
    b"66656550602768460777111301",
    b"70318221600331510132200100",
    b"60136215600315520552101000",
    b"42535303500331260246111320",
    b"43324222400445460254112002",
    b"40027001400100300010100013",
];

/// What is as common as by chance.
const CHANCE: i32 = 6;

/// Whether a value is made of words and small numbers, as names and sentences are:
/// `customer_identifier_2025`, `keyVaultReference`, `Ed25519PrivateKey`.
pub(crate) fn is_wordy(value: &str) -> bool {
    Words::default().read(value, true)
}

/// The same, but a word with digits in it counts as no word: `Winter2025`.
pub(crate) fn is_only_words(value: &str) -> bool {
    let is_constant = value.contains('_') && !value.contains(|c: char| c.is_lowercase());
    Words::default().read(value, is_constant)
}

/// What was read of a value.
#[derive(Default)]
struct Words {
    count: usize,
    shorts: usize,
    letters: usize,
    digits: usize,
    /// How well the letters stand beside each other, summed up.
    score: i32,
}

impl Words {
    /// Reads a value; whether it is words.
    fn read(mut self, value: &str, takes_numbers: bool) -> bool {
        let chunks = value.split(is_separator).filter(|chunk| !chunk.is_empty());
        for chunk in chunks {
            if !self.chunk(chunk, takes_numbers) {
                return false;
            }
        }
        let count = i32::try_from(self.count).unwrap_or(i32::MAX);
        self.count == 0
            || (self.shorts * 2 <= self.count
                && self.letters * 3 >= self.digits * 2
                && self.score >= -1 - count)
    }

    /// Reads what stands between separators; `false` when it can be no word.
    fn chunk(&mut self, chunk: &str, takes_numbers: bool) -> bool {
        if !chunk.chars().all(char::is_alphanumeric) {
            return false;
        }
        if !chunk.is_ascii() {
            // Words of other languages; machines draw from ASCII.
            return true;
        }
        let bytes = chunk.as_bytes();
        let mut numbers = 0;
        for part in bytes.chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit()) {
            if part[0].is_ascii_digit() {
                numbers += 1;
                let is_alone = part.len() == bytes.len();
                if part.len() > 5 && !(is_alone && part.len() <= 8) {
                    return false;
                }
                if !is_alone {
                    self.digits += part.len();
                }
            } else {
                for word in humps(part) {
                    self.word(word);
                }
            }
        }
        let is_number = bytes.iter().all(u8::is_ascii_digit);
        numbers == 0 || is_number || (takes_numbers && numbers <= 2)
    }

    fn word(&mut self, word: &[u8]) {
        self.count += 1;
        self.letters += word.len();
        self.shorts += usize::from(word.len() < 3);
        let score: i32 = word
            .windows(2)
            .map(|pair| pair_score(pair[0], pair[1]))
            .sum();
        // One common word makes no drawn letters around it common.
        self.score += score.min(4);
    }
}

fn is_separator(c: char) -> bool {
    matches!(
        c,
        '_' | '-' | '.' | '/' | ':' | ' ' | '\\' | '(' | ')' | '[' | ']' | ',' | ';' | '"' | '\''
    )
}

fn pair_score(first: u8, second: u8) -> i32 {
    let place = |byte: u8| usize::from(byte.to_ascii_lowercase().wrapping_sub(b'a'));
    let row = PAIRS.get(place(first));
    let digit = row.and_then(|row| row.get(place(second)));
    digit.map_or(0, |digit| i32::from(digit - b'0') - CHANCE)
}

/// The words of camel case: a capital begins one, several in a row are one of their own.
fn humps(letters: &[u8]) -> Vec<&[u8]> {
    let mut humps = Vec::new();
    let mut start = 0;
    for at in 1..letters.len() {
        let begins = letters[at].is_ascii_uppercase()
            && (letters[at - 1].is_ascii_lowercase()
                || letters.get(at + 1).is_some_and(u8::is_ascii_lowercase));
        if begins {
            humps.push(&letters[start..at]);
            start = at;
        }
    }
    humps.push(&letters[start..]);
    humps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words() {
        for value in [
            "customer_identifier_2025",
            "keyVaultReference",
            "someone-with-a-long-name",
            "getAccessToken",
            "process.env.TOKEN",
            "v1-linux-cargo",
            "us-international",
            "src/app/main.rs",
            "sha256",
            "HttpStatusCode",
            "Ed25519PrivateKey",
            "Curve25519SeedBin",
            "X509HardwareKeyUsageFlags",
            "WIN32_ERROR",
            "D3DKMT_DEFRAG_ESCAPE_OPERATION",
            "getTokenById",
            "exports.Socks4Response",
            "utf8mb4_unicode_ci",
            "2026-01-02",
            "straße",
        ] {
            assert!(is_wordy(value), "{value}");
        }
        assert!(
            is_only_words("correct-horse")
                && is_only_words("WIN32_ERROR")
                && is_only_words("20260102")
        );
    }

    #[test]
    fn drawn_characters_are_none() {
        for value in [
            "kT9vLq2xPzR4mW8s",
            "a1b2c3d4e5f60718",
            "qZkLmXvRtYpWnBsDfGhJ",
            "MFRGGZDFMZTWQ2LK",
            "wlZ5qkiwrshjuiSguKyy",
            "p8Kd-x2Lm-q9Zr",
            "3f2a1b0c-9d8e-4f7a-8b6c-5d4e3f2a1b0c",
            "a!b",
        ] {
            assert!(!is_wordy(value), "{value}");
        }
        assert!(!is_only_words("Winter2025"));
    }
}
