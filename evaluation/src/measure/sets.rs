//! Evaluates several sets of questions in one run: each corpus becomes a separate chatbot, which is asked every set
//! about it.

use std::path::{Path, PathBuf};

use contract::chatbots::Chatbot;
use rag::{
    chunk::{ChunkLimits, chunk},
    discover::discover,
    document::read_document,
};
use serde::Deserialize;
use server::{
    demo,
    eval::{QuestionsError, corpus, read},
    state::App,
};

use super::{Error, Figures, ModelOutcome, ModelReport, Question, Recorder, Sample, SetReport, run_model};

/// Why a file of sets cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SetsError {
    /// The file could not be read.
    #[error("{0} cannot be read: {1}")]
    Io(String, std::io::Error),
    /// It is not a file of sets.
    #[error("{0}: {1}")]
    Format(String, toml::de::Error),
    /// A set refers to a corpus that the file does not have, or no set has the requested name.
    #[error("the file has no {0} \"{1}\"")]
    Unknown(&'static str, String),
    /// A corpus has no documents.
    #[error("{0} has no documents ending in \"{1}\". `make eval` fetches Debian's with apt-get.")]
    NoDocuments(String, String),
    /// The documents could not be listed.
    #[error(transparent)]
    Discover(#[from] rag::discover::DiscoverError),
    /// The questions of a set cannot be used.
    #[error("{0}: {1}")]
    Questions(String, QuestionsError),
}

/// Corpora, and sets of questions about them.
#[derive(Debug, Clone)]
pub struct Sets {
    /// The folder of the file, which its paths are relative to.
    folder: PathBuf,
    file: File,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "corpus")]
    corpora: Vec<Corpus>,
    #[serde(rename = "set")]
    sets: Vec<Set>,
}

/// Documents that one chatbot answers from.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Corpus {
    name: String,
    language: String,
    /// Files and folders of this repository.
    #[serde(default)]
    documents: Vec<PathBuf>,
    /// Folders of fetched documents.
    #[serde(default)]
    parts: Vec<Part>,
}

/// A folder below the fetched parts.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Part {
    folder: PathBuf,
    /// The suffix of the files to use.
    suffix: String,
}

/// Questions about a corpus.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Set {
    name: String,
    corpus: String,
    questions: PathBuf,
    /// The corpus' folder for a chatbot that knows little: nothing in it answers questions about other folders. No
    /// language model is asked such a set.
    about: Option<String>,
    /// Whether weights were chosen on it.
    #[serde(default)]
    tuned: bool,
}

impl Sets {
    /// Reads a file of sets.
    ///
    /// # Errors
    /// When it cannot be read, has another format, or a set refers to an unknown corpus.
    pub fn read(path: &Path) -> Result<Self, SetsError> {
        let text = std::fs::read_to_string(path).map_err(|error| SetsError::Io(path.display().to_string(), error))?;
        let file: File = toml::from_str(&text).map_err(|error| SetsError::Format(path.display().to_string(), error))?;
        let is_known = |set: &&Set| file.corpora.iter().any(|corpus| corpus.name == set.corpus);
        if let Some(set) = file.sets.iter().find(|set| !is_known(set)) {
            return Err(SetsError::Unknown("corpus", set.corpus.clone()));
        }
        Ok(Self { folder: path.parent().unwrap_or(Path::new("")).to_owned(), file })
    }

    /// Leaves all sets out but one.
    ///
    /// # Errors
    /// No set has this name.
    pub fn only(mut self, name: &str) -> Result<Self, SetsError> {
        self.file.sets.retain(|set| set.name == name);
        if self.file.sets.is_empty() { Err(SetsError::Unknown("set", name.to_owned())) } else { Ok(self) }
    }

    /// Creates a chatbot for each required corpus and asks it the questions. `notice` is called with what was ingested
    /// and with labels that the documents do not contain, one line each, and `finished` with each finished set.
    ///
    /// # Errors
    /// Documents or questions that cannot be read; a database or an embedder that fails.
    pub async fn run(
        &self,
        app: &App,
        parts_dir: &Path,
        mut notice: impl FnMut(String),
        mut finished: impl FnMut(&SetReport),
    ) -> Result<Vec<SetReport>, Error> {
        let mut reports = Vec::new();
        for (corpus, sets) in self.corpora() {
            let (chatbot, files, read) = corpus.prepare(app, &self.folder, parts_dir).await?;
            notice(read);
            let texts = texts(&files)?;
            for set in sets {
                let questions = self.questions(set)?;
                for question in unlabelled(&questions, &texts) {
                    notice(format!("{}: no document has the words labelled for \"{}\"", set.name, question.question));
                }
                let outcomes = super::run(app, &chatbot, questions).await?;
                let figures = Figures::of(&outcomes);
                let (name, language) = (set.name.clone(), corpus.language.clone());
                let report = SetReport { name, language, tuned: set.tuned, outcomes, figures };
                finished(&report);
                reports.push(report);
            }
        }
        Ok(reports)
    }

    /// Like [`Sets::run`], with a language model: a sample of the questions of each set, answered without and with it.
    ///
    /// # Errors
    /// Documents or questions that cannot be read; a database or an embedder that fails.
    pub async fn run_model(
        &self,
        app: &App,
        parts_dir: &Path,
        (sample, recorder): (Sample, &Recorder),
        mut notice: impl FnMut(String),
        mut answered: impl FnMut(&str, &ModelOutcome),
    ) -> Result<Vec<ModelReport>, Error> {
        let mut reports = Vec::new();
        let is_asked = |set: &&Set| set.about.is_none();
        for (corpus, sets) in self.corpora().filter(|(_, sets)| sets.iter().any(is_asked)) {
            let (chatbot, _, read) = corpus.prepare(app, &self.folder, parts_dir).await?;
            notice(read);
            let chatbot = store::widget::lookup::find(&app.db, chatbot.id).await?;
            let chatbot = chatbot.ok_or_else(|| Error::Refused("chatbot_not_found".to_owned()))?;
            for set in sets.into_iter().filter(is_asked) {
                let questions = sample.of(self.questions(set)?);
                let after_each = |outcome: &ModelOutcome| answered(&set.name, outcome);
                let outcomes = run_model(app, &chatbot, questions, recorder, after_each).await?;
                let (name, language) = (set.name.clone(), corpus.language.clone());
                reports.push(ModelReport { name, language, outcomes });
            }
        }
        Ok(reports)
    }

    /// The corpora that a set needs, with these sets.
    fn corpora(&self) -> impl Iterator<Item = (&Corpus, Vec<&Set>)> {
        let sets = |corpus: &Corpus| self.file.sets.iter().filter(|set| set.corpus == corpus.name).collect::<Vec<_>>();
        self.file.corpora.iter().map(move |corpus| (corpus, sets(corpus))).filter(|(_, sets)| !sets.is_empty())
    }

    fn questions(&self, set: &Set) -> Result<Vec<Question>, SetsError> {
        let questions = read(&self.folder.join(&set.questions))
            .map_err(|error| SetsError::Questions(set.questions.display().to_string(), error))?;
        Ok(match &set.about {
            Some(folder) => questions.into_iter().filter_map(|question| question.about(folder)).collect(),
            None => questions,
        })
    }
}

impl Corpus {
    /// A chatbot with the documents, the documents, and what was read.
    async fn prepare(
        &self,
        app: &App,
        folder: &Path,
        parts_dir: &Path,
    ) -> Result<(Chatbot, Vec<PathBuf>, String), Error> {
        let files = self.files(folder, parts_dir)?;
        let (chatbot, report) = corpus::prepare(app, &self.name, &self.language, &files).await?;
        let read = format!("{}: {} passages of {} documents", self.name, report.passages, report.added);
        Ok((chatbot, files, read))
    }

    /// The files and folders to ingest.
    fn files(&self, folder: &Path, parts_dir: &Path) -> Result<Vec<PathBuf>, SetsError> {
        let mut files: Vec<PathBuf> = self.documents.iter().map(|path| folder.join(path)).collect();
        for part in &self.parts {
            let folder = parts_dir.join(&part.folder);
            let documents = demo::files(&folder, &part.suffix);
            if documents.is_empty() {
                return Err(SetsError::NoDocuments(folder.display().to_string(), part.suffix.clone()));
            }
            files.extend(documents);
        }
        Ok(files)
    }
}

/// Path and text of each document, with its headings.
fn texts(files: &[PathBuf]) -> Result<Vec<(String, String)>, SetsError> {
    let read = |file: rag::discover::DiscoveredFile| {
        let document = read_document(&file.path, &file.root).ok()?;
        let passages = chunk(&document, &ChunkLimits::default());
        let text: Vec<String> =
            passages.into_iter().map(|passage| format!("{} {}", passage.heading, passage.content)).collect();
        Some((document.path, text.join(" ")))
    };
    Ok(discover(files)?.into_iter().filter_map(read).collect())
}

/// Questions with a label that no document fits.
fn unlabelled<'a>(questions: &'a [Question], texts: &[(String, String)]) -> Vec<&'a Question> {
    let fits = |question: &Question| {
        texts.iter().any(|(path, text)| question.is_answered_by(path, text) && question.has_words(text))
    };
    questions.iter().filter(|question| question.is_answerable() && !fits(question)).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::measure::Half;

    fn sets() -> Sets {
        Sets::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy/eval/sets.toml")).unwrap()
    }

    #[test]
    fn every_set_of_the_project_can_be_read() {
        let sets = sets();
        let count =
            |name: &str| sets.questions(sets.clone().only(name).unwrap().file.sets.first().unwrap()).unwrap().len();
        assert_eq!(["english", "german", "german-on-english"].map(count), [119, 119, 50]);
        assert!(matches!(sets.only("french"), Err(SetsError::Unknown("set", _))));
    }

    #[test]
    fn development_sets_have_their_kinds_in_equal_halves() {
        let sets = sets();
        for set in sets.file.sets.iter().filter(|set| ["english", "german"].contains(&set.name.as_str())) {
            let mut kinds: BTreeMap<(String, Option<&str>), usize> = BTreeMap::new();
            let questions = sets.questions(set).unwrap();
            for question in questions.iter().filter(|question| question.is_answerable()) {
                *kinds.entry((question.kind.clone(), question.half.map(Half::name))).or_default() += 1;
            }
            // direct, follow_up, independent, keyword, paraphrase and typo, in halves a and b
            let expected = [8, 8, 12, 12, 3, 3, 8, 8, 8, 8, 8, 8];
            assert_eq!(kinds.values().copied().collect::<Vec<_>>(), expected, "{kinds:?}");
            assert_eq!(questions.iter().filter(|question| !question.is_answerable()).count(), 25);
        }
    }

    #[test]
    fn development_sets_have_dialogues_of_one_turn_and_of_several() {
        let sets = sets();
        for set in sets.file.sets.iter().filter(|set| ["english", "german"].contains(&set.name.as_str())) {
            let questions = sets.questions(set).unwrap();
            let dialogues: Vec<&Question> = questions.iter().filter(|question| !question.history.is_empty()).collect();
            assert_eq!(dialogues.len(), 32, "{}", set.name);
            assert_eq!(dialogues.iter().filter(|question| question.history.len() > 1).count(), 8, "{}", set.name);
            let is_dialogue = |question: &&Question| ["follow_up", "independent"].contains(&question.kind.as_str());
            assert!(questions.iter().filter(is_dialogue).all(|question| !question.history.is_empty()), "{}", set.name);
        }
    }

    #[test]
    fn each_folder_of_documents_is_a_small_chatbot() {
        let sets = sets();
        let small: Vec<&Set> = sets.file.sets.iter().filter(|set| set.about.is_some()).collect();
        assert_eq!(small.len(), 8);
        for set in small {
            let questions = sets.questions(set).unwrap();
            let (answerable, others): (Vec<Question>, Vec<Question>) =
                questions.into_iter().partition(Question::is_answerable);
            assert!(answerable.len() >= 8 && others.len() >= 70, "{}: {}", set.name, answerable.len());
            assert!(others.iter().all(|question| question.history.is_empty()), "{}", set.name);
        }
    }

    #[test]
    fn labels_of_the_projects_own_documents_are_in_them() {
        let sets = sets();
        for set in sets.file.sets.iter().filter(|set| !set.tuned && set.about.is_none()) {
            let corpus = sets.file.corpora.iter().find(|corpus| corpus.name == set.corpus).unwrap();
            let folders: Vec<PathBuf> = corpus.documents.iter().map(|path| sets.folder.join(path)).collect();
            let texts = texts(&folders).unwrap();
            // Debian's documents lie in one folder each and need not be here.
            let is_own = |question: &Question| {
                question.document.as_deref().is_some_and(|path| corpus.parts.is_empty() || path.contains('/'))
            };
            let own: Vec<Question> = sets.questions(set).unwrap().into_iter().filter(is_own).collect();
            assert!(own.len() >= 15, "{}: {}", set.name, own.len());
            let missing: Vec<&str> = unlabelled(&own, &texts).iter().map(|missing| missing.question.as_str()).collect();
            assert_eq!(missing, Vec::<&str>::new(), "{}", set.name);
        }
    }
}
