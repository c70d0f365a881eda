//! pi: sessions of the pi coding agent, in all three versions of its files, and those of programs
//! that write the same, such as OpenClaw.

#[cfg(test)]
mod tests;

use std::path::PathBuf;

use crate::source::Source;

use super::{Format, Head, Machine, Reading, session_tree};

/// pi.
pub(super) struct Pi;

impl Format for Pi {
    fn name(&self) -> &'static str {
        "pi"
    }

    fn program(&self) -> &'static str {
        "pi"
    }

    fn recognises(&self, head: &Head) -> bool {
        session_tree::recognises(head)
    }

    /// A lone record is a session of one line.
    fn is_document(&self, _: &Head) -> bool {
        false
    }

    fn places(&self, machine: &Machine) -> Vec<PathBuf> {
        let own = machine.folder("PI_CODING_AGENT_SESSION_DIR").or_else(|| {
            let folder = machine.folder_or("PI_CODING_AGENT_DIR", ".pi/agent");
            folder.map(|folder| folder.join("sessions"))
        });
        let claw = machine.folder_or("OPENCLAW_STATE_DIR", ".openclaw");
        let claw = claw.map(|folder| folder.join("agents/main/sessions"));
        own.into_iter().chain(claw).collect()
    }

    fn read(&self, source: &Source) -> Reading {
        session_tree::read(source, self.program())
    }
}
