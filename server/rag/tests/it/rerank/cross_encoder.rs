//! Writes a tiny cross-encoder with predictable scores: every token attends to all alike, so that the first one sees
//! their mean, and the score grows with the share of the word `walrus`.

use std::{collections::HashMap, fs, path::Path};

use safetensors::{Dtype, tensor::TensorView};
use serde_json::{Value, json};

const SIZE: usize = 4;
const POSITIONS: usize = 600;
/// In the order of their ids.
const WORDS: [&str; 7] = ["[PAD]", "[CLS]", "[SEP]", "[UNK]", "stone", "walrus", "sea"];
const PIECES: [&str; 7] = ["<pad>", "<s>", "</s>", "<unk>", "▁stone", "▁walrus", "▁sea"];

/// The shape of a tensor and its numbers.
type Tensor = (Vec<usize>, Vec<f32>);

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
    fs::write(folder.join("tokenizer.json"), tokenizer(family).to_string()).unwrap();
    let bytes = |(shape, numbers): Tensor| (shape, numbers.into_iter().flat_map(f32::to_le_bytes).collect::<Vec<u8>>());
    let tensors: HashMap<_, _> = weights(family).into_iter().map(|(name, tensor)| (name, bytes(tensor))).collect();
    let views: HashMap<_, _> = tensors
        .iter()
        .map(|(name, (shape, bytes))| (name, TensorView::new(Dtype::F32, shape.clone(), bytes).unwrap()))
        .collect();
    safetensors::serialize_to_file(views, None, &folder.join("model.safetensors")).unwrap();
}

fn tokenizer(family: &str) -> Value {
    if family == "xlm-roberta" {
        let vocabulary = PIECES.map(|piece| json!([piece, -1.0]));
        return json!({ "normalizer": null, "model": { "type": "Unigram", "unk_id": 3, "vocab": vocabulary } });
    }
    let vocabulary: serde_json::Map<_, _> =
        WORDS.iter().zip(0..).map(|(word, id)| ((*word).to_owned(), json!(id))).collect();
    json!({
        "added_tokens": [],
        "normalizer": {
            "type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": null,
            "lowercase": true,
        },
        "model": {
            "type": "WordPiece", "vocab": vocabulary, "unk_token": "[UNK]", "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
        },
    })
}

fn weights(family: &str) -> HashMap<String, Tensor> {
    let (inner, head, last) = match family {
        "xlm-roberta" => ("roberta", "classifier.dense", "classifier.out_proj"),
        _ => ("bert", "bert.pooler.dense", "classifier"),
    };
    let zeros = |shape: &[usize]| (shape.to_vec(), vec![0.0; shape.iter().product()]);
    let ones = || (vec![SIZE], vec![1.0; SIZE]);
    let same = || {
        let (shape, mut numbers) = zeros(&[SIZE, SIZE]);
        numbers.iter_mut().step_by(SIZE + 1).for_each(|number| *number = 1.0);
        (shape, numbers)
    };
    let mut words = vec![[0.0_f32, 1.0, 0.0, 1.0]; WORDS.len()];
    words[5] = [8.0, 0.0, 1.0, 0.0];
    let mut all = HashMap::new();
    let mut add = |name: &str, tensor| all.insert(name.to_owned(), tensor);
    add(&format!("{inner}.embeddings.word_embeddings.weight"), (vec![WORDS.len(), SIZE], words.concat()));
    // XLM-RoBERTa uses neither the position of the padding token nor the second token type.
    let unused = if family == "xlm-roberta" { 9.0 } else { 0.0 };
    let rows = |count: usize, unused_row: usize| {
        let (shape, mut rows) = zeros(&[count, SIZE]);
        rows[unused_row * SIZE] = unused;
        (shape, rows)
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
    add(&format!("{last}.weight"), (vec![1, SIZE], vec![1.0, 0.0, 0.0, 0.0]));
    add(&format!("{last}.bias"), zeros(&[1]));
    all
}
