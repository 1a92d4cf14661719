//! The multilingual model in process. Needs its folder (`make setup` or `MULTILINGUAL_MODEL_DIR`); without it the tests
//! fail.

use std::{fs, path::PathBuf, sync::LazyLock, time::Instant};

use rag::embed::{EmbedError, Embedder, LocalEmbedder, MULTILINGUAL_MODEL, Purpose, cosine, verify};

const FILE: &str = "e5-small-q4.bin";

static EMBEDDER: LazyLock<LocalEmbedder> = LazyLock::new(|| {
    LocalEmbedder::load(&folder()).unwrap_or_else(|error| {
        panic!("{error}\nThe tests need the multilingual model: run `make setup`, or set MULTILINGUAL_MODEL_DIR.")
    })
});

fn folder() -> PathBuf {
    let default = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../var/parts").join(MULTILINGUAL_MODEL);
    std::env::var_os("MULTILINGUAL_MODEL_DIR").map_or_else(default, PathBuf::from)
}

async fn embed(purpose: Purpose, texts: &[&str]) -> Vec<Vec<f32>> {
    EMBEDDER.embed(texts.iter().map(|text| (*text).to_owned()).collect(), purpose).await.unwrap()
}

/// The reference numbers come from the package's own engine, which computes with 8-bit integers and therefore differs a
/// little.
#[tokio::test]
async fn vectors_agree_with_the_engine_of_the_package() {
    const QUESTION: [f32; 8] = [0.10371, -0.06862, 0.03070, -0.08507, 0.02976, -0.06182, -0.00261, 0.04447];
    const PASSAGE: [f32; 8] = [0.10277, -0.02493, -0.01007, -0.07792, 0.07108, -0.03889, -0.00437, 0.04710];
    const UNUSUAL: [f32; 8] = [0.02614, -0.01779, -0.06747, -0.05156, 0.04699, -0.02662, 0.01749, 0.03095];
    let question = embed(Purpose::Query, &["Wie setze ich mein Passwort zurück?"]).await;
    let passages = embed(
        Purpose::Document,
        &[
            "Klicken Sie auf „Passwort vergessen“ und geben Sie Ihre E-Mail-Adresse ein.",
            "Ｆｕｌｌ ｗｉｄｔｈ  text\twith ½ … 🦭🦭 and \"quotes\"",
        ],
    )
    .await;
    for (vector, expected) in [(&question[0], QUESTION), (&passages[0], PASSAGE), (&passages[1], UNUSUAL)] {
        let near = vector.iter().zip(expected).all(|(number, expected)| (number - expected).abs() < 0.01);
        assert!(near, "{:?} instead of {expected:?}", &vector[..8]);
    }
    assert!((cosine(&question[0], &passages[0]) - 0.8746).abs() < 0.02);
}

#[tokio::test]
async fn a_translation_is_closer_than_another_sentence() {
    let german = ["Wie setze ich mein Passwort zurück?", "Wann öffnet der Laden?", "Der Hund schläft im Garten."];
    let english = ["How do I reset my password?", "When does the shop open?", "The dog sleeps in the garden."];
    let german = embed(Purpose::Query, &german).await;
    let english = embed(Purpose::Query, &english).await;
    for (own, german) in german.iter().enumerate() {
        assert!((cosine(german, german) - 1.0).abs() < 1e-4);
        for other in (0..english.len()).filter(|other| *other != own) {
            let (translation, different) = (cosine(german, &english[own]), cosine(german, &english[other]));
            assert!(translation > different + 0.03, "{own} and {other}: {translation} and {different}");
        }
    }
}

#[tokio::test]
async fn a_german_question_finds_the_passage_that_answers_it() {
    let question = embed(Purpose::Query, &["Was kostet der Versand auf die Inseln?"]).await.remove(0);
    let passages = [
        "Pakete auf die Inseln kosten zwölf Euro und brauchen fünf Tage.",
        "Der Laden öffnet um neun Uhr und schließt um achtzehn Uhr.",
        "Senden Sie den Artikel innerhalb von dreißig Tagen zurück.",
    ];
    let passages = embed(Purpose::Document, &passages).await;
    let cosines: Vec<f32> = passages.iter().map(|passage| cosine(&question, passage)).collect();
    assert!(cosines[0] > cosines[1] + 0.02 && cosines[0] > cosines[2] + 0.02, "{cosines:?}");
}

#[tokio::test]
async fn a_text_has_the_same_vector_alone_and_in_any_batch() {
    let texts: Vec<String> = (1..40).map(|words| "Der Laden öffnet um neun. ".repeat(words % 13 + 1)).collect();
    let together = EMBEDDER.embed(texts.clone(), Purpose::Document).await.unwrap();
    for at in [0, 11, 38] {
        let alone = EMBEDDER.embed(vec![texts[at].clone()], Purpose::Document).await.unwrap().remove(0);
        assert!(cosine(&alone, &together[at]) > 0.99999, "text {at}");
    }
}

#[tokio::test]
async fn questions_and_passages_are_distinguished() {
    let text = ["Der Laden öffnet um neun."];
    let (question, passage) = (embed(Purpose::Query, &text).await, embed(Purpose::Document, &text).await);
    assert!(cosine(&question[0], &passage[0]) < 0.999);
}

#[tokio::test]
async fn odd_texts_have_vectors_in_bounded_time() {
    let (long, unbroken, emoji) = ("Wort ".repeat(2000), "ä".repeat(10_000), "🦭".repeat(5000));
    let texts = ["", " ", "x", "\0", "\u{2581}", "\u{301}", "日本語のテキスト", &long, &unbroken, &emoji];
    let start = Instant::now();
    let vectors = embed(Purpose::Query, &texts).await;
    assert!(vectors.iter().flatten().all(|number| number.is_finite()));
    assert!(start.elapsed().as_secs() < 120, "{:?}", start.elapsed());
    let long_text = embed(Purpose::Query, &[&"Wort ".repeat(3000)]).await;
    assert!(cosine(&long_text[0], &vectors[7]) > 0.99999, "what is longer than the model's 512 tokens is not read");
}

#[tokio::test]
async fn german_words_of_like_meaning_are_alike() {
    let passages = ["Kinder zahlen die Hälfte.", "Das Schiff legt mittags ab.", "Ein Passwort hat acht Zeichen."];
    for (question, best) in [("mein Kind", 0), ("mit dem Boot", 1), ("acht Buchstaben", 2)] {
        let texts = passages.iter().map(|text| (*text).to_owned()).collect();
        let scores = EMBEDDER.likeness(question.to_owned(), texts).await.unwrap().unwrap();
        assert!((0..3).all(|other| other == best || scores[best] > scores[other]), "{question}: {scores:?}");
    }
}

#[test]
fn a_damaged_file_is_refused_with_its_name_and_the_expected_sum() {
    let parent = tempfile::tempdir().unwrap();
    let damaged = parent.path().join(MULTILINGUAL_MODEL);
    fs::create_dir(&damaged).unwrap();
    let file = fs::read(folder().join(FILE)).unwrap();
    for length in [0, 3, 40, 4_000_000, file.len() / 2, file.len() - 1] {
        fs::write(damaged.join(FILE), &file[..length]).unwrap();
        let error = LocalEmbedder::load(&damaged).err().unwrap_or_else(|| panic!("loaded {length} bytes"));
        assert!(matches!(&error, EmbedError::File { file, .. } if file.ends_with(FILE)), "{error}");
        let error = verify(&damaged).unwrap_err();
        assert!(matches!(error, EmbedError::Checksum { .. }), "{error}");
        assert!(error.to_string().contains("1571fc9827503943b6bb2e2c03c071f7"), "{error}");
    }
    assert!(verify(&folder()).is_ok());
}
