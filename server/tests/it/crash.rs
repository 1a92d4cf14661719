//! Killed servers leave a mutation and its audit row, or neither.
