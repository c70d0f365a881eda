//! The order in which records are read: that of the file, but for branches that were left by a
//! rewind or an edit.
//!
//! Records name the one that they follow. A branch is a record with two followers, each of which
//! leads to one that counts. In some formats all do; in others parallel calls fork too, and so do
//! hooks, and only what a person went on from counts.

use std::collections::HashMap;

use super::problems::Problems;

/// Branches within branches past this depth stay in the flow around them.
const DEEPEST: u32 = 16;

/// How a record hangs together with the others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link<'a> {
    /// Its line, counted from 1.
    pub(crate) line: u64,
    /// Its id; empty when it has none.
    pub(crate) id: &'a str,
    /// The record that it follows.
    pub(crate) parent: Parent<'a>,
    /// Whether followers that lead to it can be a branch.
    pub(crate) counts: bool,
}

/// The record that another follows.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Parent<'a> {
    /// There is none.
    None,
    /// The one of this id.
    Id(&'a str),
    /// The one that stands before it in the file.
    Before,
}

impl<'a> Parent<'a> {
    /// The record of this id; there is none when it is empty.
    pub(crate) fn of(id: &'a str) -> Self {
        if id.is_empty() {
            Parent::None
        } else {
            Parent::Id(id)
        }
    }
}

/// A step of the flow.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// The record of this index.
    Row(usize),
    /// Branches that were left here.
    Versions(Vec<Vec<Step>>),
}

/// What is said once of a file, over all the conversations in it.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    /// Calls without a result.
    pub(crate) open_calls: usize,
    /// Records that follow one which is not there.
    pub(crate) missing_parents: usize,
}

impl Counts {
    /// Says it.
    pub(crate) fn note(&self, problems: &mut Problems) {
        match self.open_calls {
            0 => {}
            1 => problems.note(None, "1 call without a result"),
            count => problems.note(None, format!("{count} calls without a result")),
        }
        match self.missing_parents {
            0 => {}
            1 => problems.note(None, "1 parent not in this file"),
            count => problems.note(None, format!("{count} parents not in this file")),
        }
    }
}

/// Arranges records.
pub(crate) fn arrange(
    rows: &[Link<'_>],
    counts: &mut Counts,
    problems: &mut Problems,
) -> Vec<Step> {
    let parents = parents(rows, counts, problems);
    let roots_last = leaves_first(&parents);
    let mut prompts: Vec<u32> = rows.iter().map(|row| u32::from(row.counts)).collect();
    let mut newest: Vec<usize> = (0..rows.len()).collect();
    for &at in &roots_last {
        if let Some(parent) = parents[at] {
            prompts[parent] = prompts[parent].saturating_add(prompts[at]);
            newest[parent] = newest[parent].max(newest[at]);
        }
    }
    let mut lines: HashMap<usize, Vec<usize>> = HashMap::new();
    for (at, parent) in parents.iter().enumerate() {
        if let Some(parent) = parent
            && prompts[at] > 0
        {
            lines.entry(*parent).or_default().push(at);
        }
    }
    lines.retain(|_, children| children.len() > 1);
    if lines.is_empty() {
        return (0..rows.len()).map(Step::Row).collect();
    }
    let mut branches = Branches::new(rows.len());
    for &at in roots_last.iter().rev() {
        branches.assign(at, parents[at]);
        if let Some(children) = lines.get(&at) {
            branches.fork(at, children, &newest);
        }
    }
    branches.steps()
}

/// The index of each row's parent. Links that lead nowhere or in a circle are undone.
fn parents(rows: &[Link<'_>], counts: &mut Counts, problems: &mut Problems) -> Vec<Option<usize>> {
    let mut by_id: HashMap<&str, usize> = HashMap::new();
    for (at, row) in rows.iter().enumerate() {
        if !row.id.is_empty() {
            by_id.entry(row.id).or_insert(at);
        }
    }
    let mut parents: Vec<Option<usize>> = Vec::with_capacity(rows.len());
    for (at, row) in rows.iter().enumerate() {
        let parent = match row.parent {
            Parent::None => None,
            Parent::Before => at.checked_sub(1),
            Parent::Id(id) => {
                let parent = by_id.get(id).copied();
                counts.missing_parents += usize::from(parent.is_none());
                parent
            }
        };
        if parent == Some(at) {
            problems.warn(row.line, "record is its own parent");
        }
        parents.push(parent.filter(|parent| *parent != at));
    }
    break_circles(rows, &mut parents, problems);
    parents
}

/// Undoes one link of each circle: that of its first row.
fn break_circles(rows: &[Link<'_>], parents: &mut [Option<usize>], problems: &mut Problems) {
    // The walk that first came by a row, counted from 1.
    let mut walks = vec![0_usize; rows.len()];
    for start in 0..rows.len() {
        let mut at = start;
        loop {
            if walks[at] == start + 1 {
                let first = circle(at, parents).min().unwrap_or(at);
                problems.warn(rows[first].line, "parent links run in a circle");
                parents[first] = None;
                break;
            }
            if walks[at] != 0 {
                break;
            }
            walks[at] = start + 1;
            let Some(parent) = parents[at] else {
                break;
            };
            at = parent;
        }
    }
}

/// The rows of the circle that `from` is on.
fn circle(from: usize, parents: &[Option<usize>]) -> impl Iterator<Item = usize> {
    let next = move |at: &usize| parents[*at].filter(|parent| *parent != from);
    std::iter::successors(Some(from), next)
}

/// All rows, each after every row that follows it.
fn leaves_first(parents: &[Option<usize>]) -> Vec<usize> {
    let mut waiting = vec![0_u32; parents.len()];
    for parent in parents.iter().flatten() {
        waiting[*parent] += 1;
    }
    let mut order: Vec<usize> = (0..parents.len()).filter(|at| waiting[*at] == 0).collect();
    let mut next = 0;
    while let Some(&at) = order.get(next) {
        next += 1;
        if let Some(parent) = parents[at] {
            waiting[parent] -= 1;
            if waiting[parent] == 0 {
                order.push(parent);
            }
        }
    }
    order
}

/// Which branch each row is on; branch 0 is the flow.
struct Branches {
    branch: Vec<usize>,
    depths: Vec<u32>,
    /// Branches that begin with a row which is not on its parent's.
    starts: HashMap<usize, usize>,
    /// The branches that stand before a row, in the order of the file.
    left: HashMap<usize, Vec<usize>>,
}

impl Branches {
    fn new(rows: usize) -> Self {
        Self {
            branch: vec![0; rows],
            depths: vec![0],
            starts: HashMap::new(),
            left: HashMap::new(),
        }
    }

    /// Puts a row on its branch; its parent has been put on one.
    fn assign(&mut self, at: usize, parent: Option<usize>) {
        let own = self.starts.get(&at).copied();
        self.branch[at] = own.unwrap_or_else(|| parent.map_or(0, |parent| self.branch[parent]));
    }

    /// Splits at a row whose followers lead to prompts: the newest stays, the others leave.
    fn fork(&mut self, at: usize, children: &[usize], newest: &[usize]) {
        let depth = self.depths[self.branch[at]] + 1;
        let Some(kept) = children.iter().copied().max_by_key(|child| newest[*child]) else {
            return;
        };
        if depth > DEEPEST {
            return;
        }
        for &child in children.iter().filter(|child| **child != kept) {
            let branch = self.depths.len();
            self.depths.push(depth);
            self.starts.insert(child, branch);
            self.left.entry(kept).or_default().push(branch);
        }
    }

    fn steps(mut self) -> Vec<Step> {
        let mut rows: Vec<Vec<usize>> = vec![Vec::new(); self.depths.len()];
        for (at, branch) in self.branch.iter().enumerate() {
            rows[*branch].push(at);
        }
        self.steps_of(0, &mut rows)
    }

    fn steps_of(&mut self, branch: usize, rows: &mut [Vec<usize>]) -> Vec<Step> {
        let mut steps = Vec::new();
        for at in std::mem::take(&mut rows[branch]) {
            if let Some(left) = self.left.remove(&at) {
                let versions = left.into_iter().map(|branch| self.steps_of(branch, rows));
                steps.push(Step::Versions(versions.collect()));
            }
            steps.push(Step::Row(at));
        }
        steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::File;

    /// Links out of `kind id parent`, the kind being `u` for a record that counts. A parent may be
    /// `^` for the one before.
    fn arranged(rows: &[&str]) -> (String, Vec<String>) {
        let links: Vec<Link<'_>> = rows
            .iter()
            .enumerate()
            .map(|(at, row)| {
                let mut words = row.split(' ');
                let kind = words.next();
                Link {
                    line: at as u64 + 1,
                    counts: kind == Some("u"),
                    id: words.next().unwrap_or_default(),
                    parent: match words.next().unwrap_or_default() {
                        "^" => Parent::Before,
                        id => Parent::of(id),
                    },
                }
            })
            .collect();
        let file = File::in_memory("f".into(), "f".into(), Vec::new());
        let mut problems = Problems::of(&file);
        let mut counts = Counts::default();
        let steps = arrange(&links, &mut counts, &mut problems);
        counts.note(&mut problems);
        let problems = problems.into_vec().into_iter().map(|p| p.to_string());
        (written(&steps, &links), problems.collect())
    }

    fn written(steps: &[Step], rows: &[Link<'_>]) -> String {
        let words: Vec<String> = steps
            .iter()
            .map(|step| match step {
                Step::Row(at) => rows[*at].id.to_owned(),
                Step::Versions(versions) => {
                    let versions: Vec<_> = versions.iter().map(|v| written(v, rows)).collect();
                    format!("({})", versions.join(" | "))
                }
            })
            .collect();
        words.join(" ")
    }

    #[test]
    fn an_edited_prompt_leaves_its_branch_before_the_newest() {
        let rows = [
            "u u1", "a a1 u1", "u u2 a1", "a a2 u2", "u u3 a1", "a a3 u3", "u u4 a1",
        ];
        assert_eq!(arranged(&rows).0, "u1 a1 (u2 a2 | u3 a3) u4");
    }

    #[test]
    fn going_on_with_the_older_branch_keeps_that_one() {
        let rows = ["u u1", "a a1 u1", "u u2 a1", "u u3 a1", "a a2 u2"];
        assert_eq!(arranged(&rows).0, "u1 a1 (u3) u2 a2");
    }

    #[test]
    fn parallel_calls_and_hooks_are_no_branches() {
        let rows = [
            "u u1", "a a1 u1", "a a2 a1", "x r1 a1", "x r2 a2", "x h1 r1", "a a3 r2", "u u2 a3",
        ];
        assert_eq!(arranged(&rows).0, "u1 a1 a2 r1 r2 h1 a3 u2");
    }

    #[test]
    fn answers_that_were_gone_on_from_twice_are_branches() {
        let rows = ["u u1", "a a1 u1", "a a2 u1", "u u2 a1", "u u3 a2"];
        assert_eq!(arranged(&rows).0, "u1 (a1 u2) a2 u3");
    }

    #[test]
    fn branches_fork_again() {
        let rows = [
            "u u1", "a a1 u1", "u u2 a1", "a a2 u2", "u u3 a2", "u u4 a2", "u u5 a1",
        ];
        assert_eq!(arranged(&rows).0, "u1 a1 (u2 a2 (u3) u4) u5");
    }

    #[test]
    fn a_record_may_follow_the_one_before_it() {
        let rows = ["u u1", "u a1 ^", "u u2 a1", "u a2 ^", "u u3 a1", "u x ^"];
        assert_eq!(arranged(&rows).0, "u1 a1 (u2 a2) u3 x");
        assert_eq!(arranged(&["u u1 ^"]).0, "u1");
    }

    #[test]
    fn circles_and_missing_parents_end_in_the_order_of_the_file() {
        let (order, problems) = arranged(&["u u1 u3", "a a1 u1", "u u3 a1"]);
        assert_eq!(order, "u1 a1 u3");
        assert_eq!(problems, ["f:1: parent links run in a circle"]);
        let (order, problems) = arranged(&["u u1 u1", "a a1 nope", "u u2"]);
        assert_eq!(order, "u1 a1 u2");
        assert_eq!(problems[0], "f:1: record is its own parent");
        assert!(problems[1].ends_with("1 parent not in this file"));
    }

    #[test]
    fn long_chains_and_deep_forks_end() {
        let rows: Vec<String> = (0..20_000).map(|n| format!("u u{n} u{}", n - 1)).collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        assert!(arranged(&rows).0.ends_with("u19999"));
        // Each row forks into a leaf and the next fork, and the leaves are the newest.
        let mut rows: Vec<String> = (0..2_000).map(|n| format!("u u{n} u{}", n - 1)).collect();
        rows.extend((0..2_000).rev().map(|n| format!("u v{n} u{n}")));
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let (order, _) = arranged(&rows);
        assert_eq!(order.matches('(').count(), 16);
        assert_eq!(order.matches('v').count(), 2_000);
    }
}
