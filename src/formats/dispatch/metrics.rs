//! The metrics of turns: tokens and durations, which are saved beside the rows and name no row.

use std::collections::{BTreeMap, BTreeSet};

use crate::formats::records::Object;
use crate::model::{Reply, Usage};

/// What was measured over one turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Metrics {
    usage: Option<Usage>,
    ms: Option<u64>,
    steps: BTreeSet<String>,
}

impl Metrics {
    /// The metrics that a JSON object holds.
    pub(super) fn of(turn: &Object<'_>) -> Self {
        let steps: Vec<_> = turn
            .items("steps")
            .into_iter()
            .filter_map(Object::of)
            .collect();
        // A turn that ended early may have only what its steps used.
        let of_steps = steps
            .iter()
            .filter_map(|step| step.object("usage"))
            .map(|step| usage(&step))
            .reduce(|mut sum, step| {
                sum.add(&step);
                sum
            });
        Metrics {
            usage: turn.object("usage").map(|turn| usage(&turn)).or(of_steps),
            ms: turn.count("durationMs"),
            steps: steps
                .iter()
                .filter_map(|step| step.words("stepId"))
                .collect(),
        }
    }
}

fn usage(usage: &Object<'_>) -> Usage {
    let count = |key| usage.count(key).unwrap_or_default();
    Usage {
        input: count("inputTokens"),
        output: count("outputTokens"),
        cache_read: count("cacheReadTokens"),
        cache_write: count("cacheWriteTokens"),
        reasoning: 0,
    }
}

/// Gives the turns' metrics to their replies, and returns how many found none. A step that both
/// name decides; the others go by the order of turns. `steps` holds each reply's step ids.
pub(super) fn place(
    metrics: Vec<Metrics>,
    mut replies: Vec<&mut Reply>,
    steps: &[BTreeSet<String>],
) -> u64 {
    let fixed = named_places(&metrics, steps);
    // Where the next turn with a known place stands: those before it must stand before that.
    let mut limits = vec![replies.len(); metrics.len()];
    for index in (1..metrics.len()).rev() {
        limits[index - 1] = fixed[index].unwrap_or(limits[index]);
    }
    // When the file holds only the end of a conversation, metrics of earlier turns may be left.
    let mut surplus = if fixed.iter().all(Option::is_none) {
        metrics.len().saturating_sub(replies.len())
    } else {
        0
    };
    let (mut next, mut left) = (0, 0);
    for ((turn, fixed), limit) in metrics.into_iter().zip(fixed).zip(limits) {
        let free = (next < limit && surplus == 0).then_some(next);
        surplus = surplus.saturating_sub(1);
        let Some((place, reply)) = fixed
            .or(free)
            .and_then(|place| Some((place, replies.get_mut(place)?)))
        else {
            left += 1;
            continue;
        };
        reply.usage = turn.usage;
        reply.ms = turn.ms;
        next = place + 1;
    }
    left
}

/// For each turn the reply that took one of its steps, as far as that keeps the order.
fn named_places(metrics: &[Metrics], steps: &[BTreeSet<String>]) -> Vec<Option<usize>> {
    let mut reply_of = BTreeMap::new();
    for (reply, steps) in steps.iter().enumerate() {
        for step in steps {
            reply_of.entry(step).or_insert(reply);
        }
    }
    let mut next = 0;
    let place = |turn: &Metrics| {
        let places = turn.steps.iter().filter_map(|step| reply_of.get(step));
        let place = places.copied().filter(|place| *place >= next).min()?;
        next = place + 1;
        Some(place)
    };
    metrics.iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metrics(json: &str) -> Metrics {
        Metrics::of(&Object::parse(json).expect("an object"))
    }

    fn turn(ms: u64, step: &str) -> Metrics {
        Metrics {
            ms: Some(ms),
            steps: BTreeSet::from([step.to_owned()]),
            ..Metrics::default()
        }
    }

    fn placed(turns: Vec<Metrics>, steps: &[&str]) -> (Vec<Option<u64>>, u64) {
        let mut replies = vec![Reply::default(); steps.len()];
        let steps: Vec<_> = steps
            .iter()
            .map(|step| BTreeSet::from([(*step).to_owned()]))
            .collect();
        let left = place(turns, replies.iter_mut().collect(), &steps);
        (replies.into_iter().map(|reply| reply.ms).collect(), left)
    }

    #[test]
    fn a_turn_without_its_own_sum_has_that_of_its_steps() {
        let own = metrics(
            r#"{"turnId":"t","usage":{"inputTokens":5,"outputTokens":2,"cacheReadTokens":9},"durationMs":1500,"steps":[]}"#,
        );
        assert_eq!(own.ms, Some(1500));
        assert_eq!(own.usage.map(|usage| usage.total()), Some(16));
        let summed = metrics(
            r#"{"steps":[{"stepId":"a","usage":{"inputTokens":1,"outputTokens":2}},{"stepId":"b","usage":{"inputTokens":3,"outputTokens":"?"}}]}"#,
        );
        assert_eq!(
            summed.usage.map(|usage| (usage.input, usage.output)),
            Some((4, 2))
        );
        assert_eq!(metrics("{}").usage, None);
    }

    #[test]
    fn metrics_go_by_the_order_of_turns() {
        let turns = vec![turn(1, "x"), turn(2, "y")];
        assert_eq!(
            placed(turns, &["a", "b", "c"]),
            (vec![Some(1), Some(2), None], 0)
        );
    }

    #[test]
    fn a_named_step_decides_the_place() {
        let turns = vec![turn(1, "x"), turn(2, "b"), turn(3, "y"), turn(4, "c")];
        assert_eq!(
            placed(turns, &["a", "b", "c"]),
            (vec![Some(1), Some(2), Some(4)], 1)
        );
    }

    #[test]
    fn metrics_of_turns_before_the_window_are_left() {
        let turns = vec![turn(1, "x"), turn(2, "y"), turn(3, "z")];
        assert_eq!(placed(turns, &["a", "b"]), (vec![Some(2), Some(3)], 1));
    }
}
