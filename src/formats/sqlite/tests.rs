//! Databases: read, and never more than that.

use super::*;
