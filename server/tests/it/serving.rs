//! Connections that stall, idle or vanish.
