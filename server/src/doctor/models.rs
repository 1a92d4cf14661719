//! Checks the models with one real call each.

use std::time::{Duration, Instant};

use contract::answer_models::DEFAULT_MODEL;
use futures::future::join_all;
use rag::{
    embed::Purpose,
    generate::{
        openai::{GenerateError, Generator},
        prompt::{Message, Role},
    },
};

use super::{Check, Subject, http::reason, names, text::Text};
use crate::state::embedders::Embedders;

/// The longest wait for one call.
const TIMEOUT: Duration = Duration::from_secs(20);

pub(super) async fn check(subject: &Subject) -> Vec<Check> {
    let (embeddings, generators, reranker) = tokio::join!(embeddings(subject), generators(subject), reranker(subject));
    let collections = collections(subject).await;
    embeddings.into_iter().chain(collections).chain(generators).chain([reranker]).collect()
}

async fn embeddings(subject: &Subject) -> Vec<Check> {
    let remedy = || {
        text!(
            "Check embeddings.url, embeddings.api_key and embeddings.model; or run `make setup` for the models that come with the platform.",
            "Prüfen Sie embeddings.url, embeddings.api_key und embeddings.model; oder führen Sie `make setup` für die mitgelieferten Modelle aus."
        )
    };
    let embedders = match &subject.embedders {
        Ok(embedders) => embedders,
        Err(error) => return vec![Check::failed(names::EMBEDDINGS, Text::error(error), remedy())],
    };
    let mut checks = Vec::new();
    for (embedder, _) in embedders.all() {
        let started = Instant::now();
        let call = embedder.embed(vec!["How can I check this?".to_owned()], Purpose::Query);
        let dimensions = embedder.dimensions();
        let check = match tokio::time::timeout(TIMEOUT, call).await {
            Ok(Ok(vectors)) if vectors.first().is_some_and(|vector| vector.len() == dimensions) => {
                let took = millis(started);
                Check::ok(
                    names::EMBEDDINGS,
                    text!("{dimensions} dimensions in {took} ms.", "{dimensions} Dimensionen in {took} ms."),
                )
            }
            Ok(Ok(_)) => Check::failed(
                names::EMBEDDINGS,
                text!("A vector has another length than before.", "Ein Vektor hat eine andere Länge als zuvor."),
                remedy(),
            ),
            Ok(Err(error)) => Check::failed(names::EMBEDDINGS, Text::error(&error), remedy()),
            Err(_) => Check::failed(names::EMBEDDINGS, too_long(), remedy()),
        };
        checks.push(check.of(embedder.model()));
    }
    checks
}

fn millis(started: Instant) -> u128 {
    started.elapsed().as_millis()
}

fn too_long() -> Text {
    let seconds = TIMEOUT.as_secs();
    text!("It took longer than {seconds} s.", "Es hat länger als {seconds} s gedauert.")
}

/// Checks that the platform has the models of its chatbots' vectors.
async fn collections(subject: &Subject) -> Option<Check> {
    let (Ok(db), Ok(embedders)) = (&subject.database, &subject.embedders) else { return None };
    let in_use = async {
        let mut tx = db.read(&store::Scope::system()).await?;
        store::chatbots::embeddings_in_use(&mut tx).await
    };
    let missing = missing_models(&in_use.await.ok()?, embedders);
    if missing.is_empty() {
        return Some(Check::ok(
            names::COLLECTIONS,
            text!("The platform has the models of all chatbots.", "Die Plattform hat die Modelle aller Chatbots."),
        ));
    }
    let missing = missing.join(", ");
    Some(Check::failed(
        names::COLLECTIONS,
        text!(
            "Not there, but used by chatbots: {missing}.",
            "Nicht vorhanden, aber von Chatbots verwendet: {missing}."
        ),
        text!(
            "Set embeddings.* or rag.model_dir back to these models.",
            "Setzen Sie embeddings.* oder rag.model_dir auf diese Modelle zurück."
        ),
    ))
}

fn missing_models(in_use: &[(String, i32, i64)], embedders: &Embedders) -> Vec<String> {
    let is_there = |model: &str, length: i32| {
        let embedder = embedders.find(model);
        embedder
            .is_some_and(|embedder| i32::try_from(embedder.dimensions()).is_ok_and(|dimensions| dimensions == length))
    };
    let missing = in_use.iter().filter(|(model, length, _)| !is_there(model, *length));
    missing.map(|(model, length, _)| format!("{model} ({length})")).collect()
}

/// Asks each language model: that of `generator.url`, and those of `[[generator.endpoint]]`.
async fn generators(subject: &Subject) -> Vec<Check> {
    let (default, endpoints) = match (&subject.generator, &subject.endpoints) {
        (Ok(default), Ok(endpoints)) => (default, endpoints),
        (Err(error), _) | (_, Err(error)) => {
            return vec![Check::failed(names::GENERATOR, Text::error(error), generator_remedy(DEFAULT_MODEL))];
        }
    };
    let default = default.iter().map(|generator| (DEFAULT_MODEL, generator));
    let all = default.chain(endpoints.iter().map(|endpoint| (endpoint.name.as_str(), &endpoint.generator)));
    let checks = join_all(all.map(|(name, model)| generator(name, model))).await;
    if checks.is_empty() {
        let finding = text!("Not used: answers are quoted.", "Nicht verwendet: Antworten werden zitiert.");
        return vec![Check::ok(names::GENERATOR, finding)];
    }
    checks
}

async fn generator(name: &str, generator: &Generator) -> Check {
    let started = Instant::now();
    let check = match tokio::time::timeout(TIMEOUT, first_word(generator)).await {
        Ok(Ok(true)) => {
            let took = millis(started);
            Check::ok(names::GENERATOR, text!("First word after {took} ms.", "Erstes Wort nach {took} ms."))
        }
        Ok(Ok(false)) => Check::failed(
            names::GENERATOR,
            text!("The answer was empty.", "Die Antwort war leer."),
            generator_remedy(name),
        ),
        Ok(Err(error @ GenerateError::Busy)) => {
            let setting = if name == DEFAULT_MODEL { "generator.max_concurrent" } else { "max_concurrent" };
            Check::warning(
                names::GENERATOR,
                text!("{error}", "Es war kein Platz für eine weitere Antwort frei."),
                text!(
                    "Try again; raise {setting} if the endpoint can do more.",
                    "Versuchen Sie es erneut; erhöhen Sie {setting}, wenn der Endpunkt mehr leisten kann."
                ),
            )
        }
        Ok(Err(error)) => {
            Check::failed(names::GENERATOR, generator_fault(&error, generator.model()), generator_remedy(name))
        }
        Err(_) => Check::failed(names::GENERATOR, too_long(), generator_remedy(name)),
    };
    check.of(name)
}

fn generator_remedy(name: &str) -> Text {
    if name == DEFAULT_MODEL {
        return text!(
            "Check generator.url, generator.api_key and generator.model, and that the endpoint runs.",
            "Prüfen Sie generator.url, generator.api_key und generator.model und ob der Endpunkt läuft."
        );
    }
    text!(
        "Check url, api_key and model of this [[generator.endpoint]], and that the endpoint runs.",
        "Prüfen Sie url, api_key und model dieses [[generator.endpoint]] und ob der Endpunkt läuft."
    )
}

/// Why a language model gave no answer.
fn generator_fault(error: &GenerateError, model: &str) -> Text {
    match error {
        GenerateError::Connect(error) => {
            let why = reason(error);
            text!("The address cannot be reached: {why}.", "Die Adresse ist nicht erreichbar: {why}.")
        }
        // Endpoints answer so to a model that they do not have, and web servers to an address that they do not have.
        GenerateError::Status(404) => text!(
            "Status 404: the endpoint has no model “{model}”, or the address is not that of a chat endpoint.",
            "Status 404: Der Endpunkt hat kein Modell „{model}“, oder die Adresse ist nicht die eines Chat-Endpunkts."
        ),
        error => Text::error(error),
    }
}

/// Whether a first word was received. Dropping the rest stops the model.
async fn first_word(generator: &Generator) -> Result<bool, GenerateError> {
    let message = Message { role: Role::User, content: "Reply with the word OK.".to_owned() };
    let mut words = generator.start(&[message]).await?;
    Ok(words.next().await?.is_some())
}

async fn reranker(subject: &Subject) -> Check {
    let remedy = || {
        text!(
            "Check reranker.url, reranker.api_key, reranker.model and reranker.protocol, or reranker.model_dir.",
            "Prüfen Sie reranker.url, reranker.api_key, reranker.model und reranker.protocol oder reranker.model_dir."
        )
    };
    let reranking = match &subject.reranking {
        Ok(Some(reranking)) => reranking,
        Ok(None) => return Check::ok(names::RERANKER, text!("Not used.", "Nicht verwendet.")),
        Err(error) => return Check::failed(names::RERANKER, Text::error(error), remedy()),
    };
    let texts = vec!["The office opens at nine.".to_owned(), "Parcels are free.".to_owned()];
    let started = Instant::now();
    let call = reranking.reranker.scores("When do you open?".to_owned(), texts);
    match tokio::time::timeout(TIMEOUT, call).await {
        Ok(Ok(_)) => {
            let took = millis(started);
            let finding = text!("Two passages in {took} ms.", "Zwei Abschnitte in {took} ms.");
            let max_wait = reranking.timeout.as_millis();
            if took <= max_wait {
                return Check::ok(names::RERANKER, finding);
            }
            Check::warning(
                names::RERANKER,
                finding,
                text!(
                    "That is longer than reranker.timeout_ms ({max_wait}): the platform does not wait that long.",
                    "Das ist länger als reranker.timeout_ms ({max_wait}): So lange wartet die Plattform nicht."
                ),
            )
        }
        Ok(Err(error)) => Check::failed(names::RERANKER, Text::error(&error), remedy()),
        Err(_) => Check::failed(names::RERANKER, too_long(), remedy()),
    }
}
