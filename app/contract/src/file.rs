//! Bodies and replies that are files instead of JSON.

use serde::{Deserialize, Serialize};

use crate::validate::Validate;

/// Marks a body that is a file, whatever its content type is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct File;

impl Validate for File {}

/// Marks a body that is a form with files (`multipart/form-data`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Multipart;

impl Validate for Multipart {}
