//! All calls of a conversation, for readers that have more to put into them.

use crate::model::{Entry, Part, ToolCall};

/// Goes over all calls of a conversation, those of branches too, in the order of the page.
pub(crate) fn each_call(entries: &mut [Entry], each: &mut dyn FnMut(&mut ToolCall)) {
    for entry in entries {
        match entry {
            Entry::Reply(reply) => {
                for part in &mut reply.parts {
                    if let Part::Tool(call) = part {
                        each(call);
                    }
                }
            }
            Entry::Versions(versions) => {
                for version in versions {
                    each_call(version, each);
                }
            }
            Entry::Prompt(_) | Entry::Notice(_) => {}
        }
    }
}
