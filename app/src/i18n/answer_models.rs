//! Names of the language models in lists.

use contract::answer_models::{AnswerModel, QUOTED};

use super::{Localized, Text};

const NAMED: Text = Text::new("{0} ({1})", "{0} ({1})");

/// The choice of no model.
pub const NO_MODEL: Text = Text::new("None, quote the documents", "Keines, aus den Dokumenten zitieren");

/// A model by its name in the settings and what its endpoint calls it.
pub fn label(model: &AnswerModel) -> Localized {
    NAMED.with(&[&model.name, &model.model])
}

/// The options: the models, and none.
pub fn options(models: &[AnswerModel]) -> Vec<(String, Localized)> {
    let none = (QUOTED.to_owned(), NO_MODEL.into());
    models.iter().map(|model| (model.name.clone(), label(model))).chain([none]).collect()
}
