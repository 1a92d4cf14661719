//! The real model: embeddings, and answers from a small set of documents. Needs the model folder (`make setup` or
//! `MODEL_DIR`); without it the tests fail.

use std::{path::PathBuf, sync::LazyLock};

use rag::{
    chunk::{ChunkLimits, Passage, chunk},
    document::read_document,
    embed::{EmbedError, Embedder, LocalEmbedder, Purpose, cosine},
    generate::{Answer, extractive},
    retrieve::{Calibration, Candidate, Confidence, rank},
    terms::{overlap, terms},
};
use uuid::Uuid;

pub(crate) static EMBEDDER: LazyLock<LocalEmbedder> = LazyLock::new(load);

fn model_folder() -> PathBuf {
    let default = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../var/parts/all-minilm-l6-v2");
    std::env::var_os("MODEL_DIR").map_or_else(default, PathBuf::from)
}

fn load() -> LocalEmbedder {
    LocalEmbedder::load(&model_folder()).unwrap_or_else(|error| {
        panic!("{error}\nThe tests need the embedding model: run `make setup`, or set MODEL_DIR to its folder.")
    })
}

async fn embed(texts: &[&str]) -> Vec<Vec<f32>> {
    EMBEDDER.embed(texts.iter().map(|text| (*text).to_owned()).collect(), Purpose::Query).await.unwrap()
}

#[tokio::test]
async fn vectors_have_norm_one_and_like_texts_lie_closer() {
    let vectors =
        embed(&["How do I reset my password?", "I forgot my login credentials.", "The ferry leaves at noon."]).await;
    assert_eq!((EMBEDDER.model(), EMBEDDER.dimensions(), vectors[0].len()), ("all-minilm-l6-v2", 384, 384));
    assert!(vectors.iter().all(|vector| (cosine(vector, vector) - 1.0).abs() < 1e-4));
    assert!(cosine(&vectors[0], &vectors[1]) > cosine(&vectors[0], &vectors[2]) + 0.3);
}

#[tokio::test]
async fn a_text_has_the_same_vector_alone_and_in_any_batch() {
    let long = "many words that make a text of some length ".repeat(12);
    let texts: Vec<String> = (0..40).map(|n| format!("Text {n}. {}", &long[..(n * 10) % long.len()])).collect();
    let together = EMBEDDER.embed(texts.clone(), Purpose::Document).await.unwrap();
    for at in [0, 7, 39] {
        let alone = EMBEDDER.embed(vec![texts[at].clone()], Purpose::Document).await.unwrap().remove(0);
        assert!(cosine(&alone, &together[at]) > 0.99999, "text {at}");
    }
    let on_all_cores = load().without_questions().embed(texts, Purpose::Document).await.unwrap();
    assert!(on_all_cores.iter().zip(&together).all(|(one, other)| cosine(one, other) > 0.99999));
    assert!(EMBEDDER.embed(Vec::new(), Purpose::Query).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_text_beyond_the_models_length_is_cut_and_not_refused() {
    let long = "word ".repeat(5000);
    let vectors = embed(&[&long, &"word ".repeat(510), ""]).await;
    assert!(cosine(&vectors[0], &vectors[1]) > 0.99999);
    assert!(vectors[2].iter().all(|value| value.is_finite()));
}

#[test]
fn a_missing_model_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let Err(EmbedError::File { file, .. }) = LocalEmbedder::load(folder.path()) else { panic!("loaded nothing") };
    assert!(file.ends_with("config.json"), "{file}");
}

async fn likeness(question: &str, passages: &[&str]) -> Vec<f32> {
    let passages = passages.iter().map(|text| (*text).to_owned()).collect();
    EMBEDDER.likeness(question.to_owned(), passages).await.unwrap().unwrap()
}

#[tokio::test]
async fn words_of_like_meaning_are_alike() {
    let passages = ["Children pay half.", "The boat leaves at noon.", "A password has eight letters."];
    for (question, best) in [("my kids", 0), ("a ship", 1), ("the login passcode", 2), ("When does the boat leave?", 1)]
    {
        let scores = likeness(question, &passages).await;
        assert!((0..3).all(|other| other == best || scores[best] > scores[other]), "{question}: {scores:?}");
        assert!(scores.iter().all(|likeness| (0.0..=1.0001).contains(likeness)), "{scores:?}");
    }
    assert!(likeness("The boat leaves at noon.", &passages).await[1] > 0.999, "all of its tokens are there");
}

#[tokio::test]
async fn odd_texts_are_compared_in_bounded_time() {
    let (long, seals) = ("word ".repeat(4000), "🦭".repeat(4000));
    let start = std::time::Instant::now();
    for question in ["", " ", "\0", &long, &seals] {
        let scores = likeness(question, &["", "A passage.", &long, &seals]).await;
        assert!(scores.len() == 4 && scores.iter().all(|likeness| likeness.is_finite()), "{scores:?}");
    }
    assert_eq!(likeness("a", &[]).await, [0.0; 0]);
    assert!(start.elapsed().as_secs() < 120, "{:?}", start.elapsed());
}

#[test]
fn a_model_that_was_cut_off_is_named() {
    let folder = tempfile::tempdir().unwrap();
    for file in ["config.json", "tokenizer.json"] {
        std::fs::copy(model_folder().join(file), folder.path().join(file)).unwrap();
    }
    let weights = std::fs::read(model_folder().join("model.safetensors")).unwrap();
    for length in [0, 7, 4000, weights.len() / 2, weights.len() - 1] {
        std::fs::write(folder.path().join("model.safetensors"), &weights[..length]).unwrap();
        let Err(EmbedError::File { file, .. }) = LocalEmbedder::load(folder.path()) else { panic!("{length} bytes") };
        assert!(file.ends_with("model.safetensors"), "{file}");
    }
}

const GUIDE: &str = "# Harbor guide\n\n## Opening hours\n\nThe shop opens at nine in the morning. It closes at six in \
the evening. On Sundays the shop stays closed.\n\n## How do I return an item?\n\nSend the item back within thirty \
days. Print the label first:\n\n```\nharbor label --order 42\n```\n\nThe refund arrives within a week [1].\n\n## \
Shipping\n\nParcels are sent on the day of the order when it arrives before noon:\n\n- inland parcels take two days\n\
- parcels to islands take five days\n\n## Anchors\n\nWe stock galvanised anchors from two to forty kilograms, with \
chains to match.\n";

async fn ask(question: &str) -> Option<Answer> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("guide.md");
    std::fs::write(&path, GUIDE).unwrap();
    let document = read_document(&path, folder.path()).unwrap();
    let limits = ChunkLimits { min_tokens: 10, ..ChunkLimits::default() };
    let passages = chunk(&document, &limits);
    let texts: Vec<String> = passages.iter().map(|passage| passage.embedding_text(&document.title)).collect();
    let alike = EMBEDDER.likeness(question.to_owned(), texts.clone()).await.unwrap().unwrap();
    let vectors = EMBEDDER.embed(texts, Purpose::Document).await.unwrap();
    let vector = embed(&[question]).await.remove(0);
    let candidate = |(id, (passage, passage_vector)): (usize, (Passage, Vec<f32>))| {
        let Passage { heading, content, .. } = passage;
        let words = overlap(&terms(question), &format!("{heading}\n{content}"));
        let cosine = cosine(&vector, &passage_vector);
        let likeness = alike[id];
        Candidate {
            cosine,
            words,
            coverage: words,
            likeness,
            ..Candidate::new(Uuid::from_u64_pair(0, id as u64), &document.title, heading, content)
        }
    };
    let mut candidates: Vec<_> = passages.into_iter().zip(vectors).enumerate().map(candidate).collect();
    candidates.sort_by(|a, b| b.cosine.total_cmp(&a.cosine));
    let calibration = Calibration::of(EMBEDDER.model(), 0.45);
    let mut candidates = rank(&candidates, &[], &calibration);
    candidates.truncate(6);
    if calibration.confidence(&candidates) != Confidence::High {
        return None;
    }
    extractive::answer(question, "en", &vector, &candidates, &[], &*EMBEDDER).await.unwrap()
}

#[tokio::test]
async fn an_answer_quotes_the_passage_and_cites_it() {
    let answer = ask("When does the shop open?").await.expect("the guide answers this");
    assert!(answer.text.starts_with("The shop opens at nine in the morning. It closes at six"), "{}", answer.text);
    assert_eq!(answer.citations[0].marker, "[1]");
    assert_eq!(answer.sources[answer.citations[0].source_index].heading, "Opening hours");
}

#[tokio::test]
async fn code_is_quoted_whole_and_a_texts_own_brackets_cite_nothing() {
    let answer = ask("How do I return an item?").await.expect("the guide answers this");
    assert!(answer.text.contains("```\nharbor label --order 42\n```"), "{}", answer.text);
    assert!(answer.text.contains("The refund arrives within a week"), "{}", answer.text);
    assert_eq!(answer.text.matches("[1]").count(), 1, "{}", answer.text);
}

#[tokio::test]
async fn an_announced_list_is_quoted_with_its_announcement() {
    let answer = ask("How long does shipping of parcels take?").await.expect("the guide answers this");
    let list = "- inland parcels take two days\n- parcels to islands take five days [1]";
    assert!(answer.text.contains(list), "{}", answer.text);
}

#[tokio::test]
async fn no_word_of_an_answer_is_invented() {
    for question in ["When is the shop closed?", "Which anchors are in stock?", "How do I get a refund for an item?"] {
        let answer = ask(question).await.expect("the guide answers this");
        let quotations = answer.text.replace("[1]", "").replace("[2]", "");
        for line in quotations.lines().flat_map(|line| line.split(". ")).map(|part| part.trim().trim_end_matches('.')) {
            assert!(GUIDE.contains(line), "{line:?} in the answer to {question:?}");
        }
    }
}

#[tokio::test]
async fn a_question_outside_the_documents_has_no_answer() {
    for question in ["What is the capital of France?", "How do I bake sourdough bread?", "Write me a poem"] {
        assert_eq!(ask(question).await.map(|answer| answer.text), None, "{question}");
    }
}

#[tokio::test]
async fn a_question_is_not_stuck_behind_an_ingestion() {
    let texts: Vec<String> = (0..48).map(|n| format!("{n} {}", "some longer passage of text ".repeat(40))).collect();
    let long = EMBEDDER.embed(texts, Purpose::Document);
    let question = async {
        tokio::task::yield_now().await;
        EMBEDDER.embed(vec!["When does the shop open?".to_owned()], Purpose::Query).await.unwrap()
    };
    let (question, long) = (std::pin::pin!(question), std::pin::pin!(long));
    let asked_first = matches!(futures::future::select(question, long).await, futures::future::Either::Left(_));
    assert!(asked_first, "the ingestion ended before the question");
}
