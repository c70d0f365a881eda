//! The languages as data: what each has beyond [`Code::PLAIN`](super::grammar::Code::PLAIN).

pub(super) mod data;
pub(super) mod managed;
pub(super) mod scripting;
pub(super) mod systems;
