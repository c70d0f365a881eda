//! Tokens: the program writes totals since the session began, so that what a turn took is the
//! difference to the count before.

use crate::formats::records::Object;
use crate::model::Usage;

/// The last total.
#[derive(Debug, Default)]
pub(super) struct Tokens {
    total: Option<Usage>,
}

impl Tokens {
    /// Takes a total, with what the last request alone took where that is said; gives what was
    /// added since the total before. `None` when that is nothing.
    pub(super) fn take(&mut self, total: &Object<'_>, last: Option<&Object<'_>>) -> Option<Usage> {
        let total = usage(total);
        let since = match self.total {
            Some(before) => since(&total, &before),
            // The first total of a file may be that of a session before it.
            None => None,
        };
        self.total = Some(total);
        let used = since.unwrap_or_else(|| last.map_or(total, usage));
        (used != Usage::default()).then_some(used)
    }
}

fn usage(counts: &Object<'_>) -> Usage {
    let count = |key: &str| counts.count(key).unwrap_or_default();
    let cache_read = count("cached_input_tokens");
    let cache_write = count("cache_write_input_tokens");
    Usage {
        // What came from a cache is a part of the vendor's number.
        input: count("input_tokens")
            .saturating_sub(cache_read)
            .saturating_sub(cache_write),
        output: count("output_tokens"),
        cache_read,
        cache_write,
        reasoning: count("reasoning_output_tokens"),
    }
}

/// The difference of two totals; `None` when a session began to count anew.
fn since(total: &Usage, before: &Usage) -> Option<Usage> {
    if total.total() < before.total() || total.output < before.output {
        return None;
    }
    Some(Usage {
        input: total.input.saturating_sub(before.input),
        output: total.output - before.output,
        cache_read: total.cache_read.saturating_sub(before.cache_read),
        cache_write: total.cache_write.saturating_sub(before.cache_write),
        reasoning: total.reasoning.saturating_sub(before.reasoning),
    })
}
