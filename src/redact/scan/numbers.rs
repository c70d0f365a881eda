//! Numbers with a checksum that people pay with: cards and bank accounts.

use std::ops::Range;

use super::lines::line_after;

/// What stands before such numbers. Without one of these words digits are figures: one number in
/// ten passes the cards' checksum.
pub(super) const CARD_SIGNS: &[&str] = &[
    "card",
    "visa",
    "amex",
    "maestro",
    "kreditkarte",
    "cc:",
    "pan:",
    "carte",
    "tarjeta",
];
/// The same for accounts.
pub(super) const ACCOUNT_SIGNS: &[&str] = &["iban", "konto"];

/// The card's number within the same line after a sign.
pub(super) fn card(text: &str, sign: &Range<usize>) -> Option<Range<usize>> {
    let (start, rest) = first_digit(text, sign.end)?;
    let end = rest
        .bytes()
        .take(26)
        .take_while(|byte| byte.is_ascii_digit() || matches!(byte, b' ' | b'-'))
        .count();
    let number = rest[..end].trim_end_matches([' ', '-']);
    // An expiry date may follow; the number itself is the longest that fits.
    (0..=number.len())
        .rev()
        .filter(|len| number.is_char_boundary(*len))
        .find_map(|len| {
            let digits: Vec<u8> = number[..len]
                .bytes()
                .filter(u8::is_ascii_digit)
                .map(|byte| byte - b'0')
                .collect();
            let is_whole = !number.as_bytes().get(len).is_some_and(u8::is_ascii_digit)
                && number[..len].ends_with(|c: char| c.is_ascii_digit());
            (is_whole && is_card(&digits)).then(|| start..start + len)
        })
}

/// The account's number within the same line after a sign.
pub(super) fn account(text: &str, sign: &Range<usize>) -> Option<Range<usize>> {
    let line = line_after(text, sign.end);
    let (at, _) = line.char_indices().take(40).find(|(at, c)| {
        c.is_ascii_uppercase()
            && line
                .as_bytes()
                .get(at + 1)
                .is_some_and(u8::is_ascii_uppercase)
            && line.as_bytes().get(at + 2).is_some_and(u8::is_ascii_digit)
    })?;
    let len = line[at..]
        .bytes()
        .take(42)
        .take_while(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b' ')
        .count();
    let number = line[at..at + len].trim_end();
    let start = sign.end + at;
    (15..=number.len())
        .rev()
        .find(|len| !number[..*len].ends_with(' ') && is_account(&number[..*len]))
        .map(|len| start..start + len)
}

fn first_digit(text: &str, from: usize) -> Option<(usize, &str)> {
    let line = line_after(text, from);
    let (at, _) = line
        .char_indices()
        .take(32)
        .find(|(_, c)| c.is_ascii_digit())?;
    Some((from + at, &line[at..]))
}

/// Whether digits are a card's: a known beginning, its length, and Luhn's checksum.
fn is_card(digits: &[u8]) -> bool {
    let head = |len: usize| {
        digits
            .iter()
            .take(len)
            .fold(0_u32, |number, digit| number * 10 + u32::from(*digit))
    };
    let is_known = match digits.len() {
        13 | 19 => head(1) == 4,
        14 => matches!(head(2), 36 | 38 | 39) || (300..=305).contains(&head(3)),
        15 => matches!(head(2), 34 | 37),
        16 => {
            head(1) == 4
                || (51..=55).contains(&head(2))
                || (2_221..=2_720).contains(&head(4))
                || matches!(head(4), 6_011 | 3_528..=3_589)
                || matches!(head(2), 50 | 56..=58 | 60 | 62 | 63..=65 | 67)
        }
        _ => false,
    };
    is_known && luhn(digits) && digits.iter().any(|digit| *digit != digits[0])
}

fn luhn(digits: &[u8]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(at, digit)| {
            let digit = u32::from(*digit) * if at % 2 == 1 { 2 } else { 1 };
            if digit > 9 { digit - 9 } else { digit }
        })
        .sum();
    sum.is_multiple_of(10)
}

/// Whether letters and digits are an account's: ISO 13616's checksum.
fn is_account(number: &str) -> bool {
    let plain: Vec<u8> = number.bytes().filter(|byte| *byte != b' ').collect();
    if !(15..=34).contains(&plain.len()) || !plain[2..4].iter().all(u8::is_ascii_digit) {
        return false;
    }
    let rest = plain[4..]
        .iter()
        .chain(&plain[..4])
        .try_fold(0_u32, |rest, byte| {
            let digit = char::from(*byte).to_digit(36)?;
            Some(if digit > 9 {
                (rest * 100 + digit) % 97
            } else {
                (rest * 10 + digit) % 97
            })
        });
    rest == Some(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_and_accounts_with_right_checksums_are_found() {
        let find = |text: &str, word: &str| {
            text.find(word)
                .map(|at| at..at + word.len())
                .expect("there")
        };
        let text = "card 4242 4242 4242 4242 exp 12/29";
        assert_eq!(
            card(text, &find(text, "card")).map(|span| &text[span]),
            Some("4242 4242 4242 4242")
        );
        let text = "IBAN DE89 3704 0044 0532 0130 00, please";
        assert_eq!(
            account(text, &find(text, "IBAN")).map(|span| &text[span]),
            Some("DE89 3704 0044 0532 0130 00")
        );
        for text in [
            "card 4242 4242 4242 4243",
            "card number 20260102030405",
            "card 0000 0000 0000 0000",
        ] {
            assert_eq!(card(text, &find(text, "card")), None, "{text}");
        }
        let text = "IBAN DE89 3704 0044 0532 0130 01";
        assert_eq!(account(text, &find(text, "IBAN")), None);
    }
}
