//! Writes a tiny cross-encoder with predictable scores: every token attends to all alike, so that the first one sees
//! their mean, and the score grows with the share of the word `walrus`.

use std::{collections::HashMap, fs, path::Path};

use candle_core::{Device, Tensor, safetensors};
use serde_json::json;

const SIZE: usize = 4;
const POSITIONS: usize = 600;
/// In the order of their ids.
const WORDS: [&str; 7] = ["[PAD]", "[CLS]", "[SEP]", "[UNK]", "stone", "walrus", "sea"];

/// Writes `config.json`, `tokenizer.json` and `model.safetensors` of a model of `family`.
pub(crate) fn write(folder: &Path, family: &str) {
    let config = json!({
        "model_type": family, "vocab_size": WORDS.len(), "hidden_size": SIZE, "num_hidden_layers": 1,
        "num_attention_heads": 2, "intermediate_size": SIZE, "hidden_act": "gelu", "hidden_dropout_prob": 0.0,
        "attention_probs_dropout_prob": 0.0, "max_position_embeddings": POSITIONS, "type_vocab_size": 2,
        "initializer_range": 0.02, "layer_norm_eps": 1e-12, "pad_token_id": 0,
        "position_embedding_type": "absolute",
    });
    fs::write(folder.join("config.json"), config.to_string()).unwrap();
    fs::write(folder.join("tokenizer.json"), tokenizer().to_string()).unwrap();
    safetensors::save(&weights(family), folder.join("model.safetensors")).unwrap();
}

fn tokenizer() -> serde_json::Value {
    let vocabulary: serde_json::Map<_, _> =
        WORDS.iter().zip(0..).map(|(word, id)| ((*word).to_owned(), json!(id))).collect();
    json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": null,
        "pre_tokenizer": { "type": "Whitespace" },
        "post_processor": { "type": "BertProcessing", "sep": ["[SEP]", 2], "cls": ["[CLS]", 1] },
        "decoder": null,
        "model": { "type": "WordLevel", "vocab": vocabulary, "unk_token": "[UNK]" },
    })
}

fn weights(family: &str) -> HashMap<String, Tensor> {
    let (inner, head, last) = match family {
        "xlm-roberta" => ("roberta", "classifier.dense", "classifier.out_proj"),
        _ => ("bert", "bert.pooler.dense", "classifier"),
    };
    let zeros = |shape: &[usize]| Tensor::zeros(shape, candle_core::DType::F32, &Device::Cpu).unwrap();
    let ones = || Tensor::ones(SIZE, candle_core::DType::F32, &Device::Cpu).unwrap();
    let same = || Tensor::eye(SIZE, candle_core::DType::F32, &Device::Cpu).unwrap();
    let mut words = vec![[0.0_f32, 1.0, 0.0, 1.0]; WORDS.len()];
    words[5] = [8.0, 0.0, 1.0, 0.0];
    let mut all = HashMap::new();
    let mut add = |name: &str, tensor| all.insert(name.to_owned(), tensor);
    add(
        &format!("{inner}.embeddings.word_embeddings.weight"),
        Tensor::new(words.iter().map(|word| word.to_vec()).collect::<Vec<_>>(), &Device::Cpu).unwrap(),
    );
    // XLM-RoBERTa uses neither the position of the padding token nor the second token type.
    let unused = if family == "xlm-roberta" { 9.0 } else { 0.0 };
    let rows = |count: usize, unused_row: usize| {
        let mut rows = vec![vec![0.0_f32; SIZE]; count];
        rows[unused_row][0] = unused;
        Tensor::new(rows, &Device::Cpu).unwrap()
    };
    add(&format!("{inner}.embeddings.position_embeddings.weight"), rows(POSITIONS, 0));
    add(&format!("{inner}.embeddings.token_type_embeddings.weight"), rows(2, 1));
    let layer = format!("{inner}.encoder.layer.0");
    let linears = [
        ("attention.self.query", zeros(&[SIZE, SIZE])),
        ("attention.self.key", zeros(&[SIZE, SIZE])),
        ("attention.self.value", same()),
        ("attention.output.dense", same()),
        ("intermediate.dense", zeros(&[SIZE, SIZE])),
        ("output.dense", zeros(&[SIZE, SIZE])),
    ]
    .map(|(name, weight)| (format!("{layer}.{name}"), weight));
    for (name, weight) in linears.into_iter().chain([(head.to_owned(), same())]) {
        add(&format!("{name}.weight"), weight);
        add(&format!("{name}.bias"), zeros(&[SIZE]));
    }
    for name in [format!("{inner}.embeddings"), format!("{layer}.attention.output"), format!("{layer}.output")] {
        add(&format!("{name}.LayerNorm.weight"), ones());
        add(&format!("{name}.LayerNorm.bias"), zeros(&[SIZE]));
    }
    add(&format!("{last}.weight"), Tensor::new(&[[1.0_f32, 0.0, 0.0, 0.0]], &Device::Cpu).unwrap());
    add(&format!("{last}.bias"), zeros(&[1]));
    all
}
