//! Recorded tokens and vectors of both models: an index that was written by an earlier version stays valid.

use std::{fs, path::PathBuf};

use encoder::{CompactFile, Encoder, Pooling, Safetensors, Tokenizer};
use serde::Deserialize;

/// A text, its tokens with begin and end, and the first numbers of its vector.
#[derive(Deserialize)]
struct Recorded {
    text: String,
    tokens: Vec<u32>,
    vector: Vec<f32>,
}

fn folder(variable: &str, name: &str) -> PathBuf {
    let default = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../var/parts").join(name);
    std::env::var_os(variable).map_or_else(default, PathBuf::from)
}

fn compare(recorded: &str, tokenizer: &Tokenizer, encoder: &Encoder) {
    let recorded: Vec<Recorded> = serde_json::from_str(recorded).unwrap();
    assert!(recorded.len() > 30);
    for Recorded { text, tokens, vector } in recorded {
        let input = tokenizer.single(&text, 512);
        assert_eq!(input.tokens, tokens, "{text:?}");
        let actual = encoder.encode(&[&input]).unwrap().remove(0);
        let is_near = vector.iter().zip(&actual).all(|(recorded, actual)| (recorded - actual).abs() < 1e-4);
        assert!(is_near, "{text:?}: {:?} instead of {vector:?}", &actual[..vector.len()]);
    }
}

#[test]
fn tokens_and_vectors_of_the_english_model_are_the_recorded_ones() {
    let folder = folder("MODEL_DIR", "all-minilm-l6-v2");
    let read = |file: &str| fs::read(folder.join(file)).unwrap();
    let weights = read("model.safetensors");
    let shape = serde_json::from_slice(&read("config.json")).unwrap();
    let encoder = Encoder::load(&shape, Pooling::Mean, &Safetensors::read(&weights).unwrap()).unwrap();
    let tokenizer = Tokenizer::read(&read("tokenizer.json")).unwrap();
    compare(include_str!("golden/all-minilm-l6-v2.json"), &tokenizer, &encoder);
}

#[test]
fn tokens_and_vectors_of_the_multilingual_model_are_the_recorded_ones() {
    let file = fs::read(folder("MULTILINGUAL_MODEL_DIR", "multilingual-e5-small").join("e5-small-q4.bin")).unwrap();
    let file = CompactFile::read(&file).unwrap();
    let encoder = Encoder::load(file.shape(), Pooling::Mean, &file).unwrap();
    compare(include_str!("golden/multilingual-e5-small.json"), &file.tokenizer().unwrap(), &encoder);
}
