//! Compares quoted answers with those of a language model.

use std::{fs::File, io::Write, time::Duration};

use rag::generate::openai;
use server::{
    cli::{CliError, with_temporary_platform},
    config::Config,
    embedded::llama::{EmbeddedLlama, MODEL_NAME},
};

use super::{Arguments, other, stored, write_json};
use crate::measure::{self, Half, ModelOutcome, ModelReport, Recorder, Sample, Sets};

/// The longest pause of an endpoint. The recorder waits longer, because nobody waits for it.
const SILENCE: Duration = Duration::from_secs(20);

/// Asks a sample of every set and prints a table. The model's outputs are stored below the var folder, so that an
/// interrupted run can be continued.
pub(super) async fn run(sets: &Sets, arguments: &Arguments, config: &Config) -> Result<(), CliError> {
    let sample = sample(arguments)?;
    let llama = match &config.generator.url {
        Some(_) => None,
        None => {
            println!("Starting the model server ...");
            Some(EmbeddedLlama::start(&config.paths.parts_dir, &config.paths.var_dir).await.map_err(other)?)
        }
    };
    let reports = ask(sets, sample, config, llama.as_ref()).await;
    if let Some(llama) = llama {
        llama.stop().await;
    }
    let reports = reports?;
    print!("\n{}", measure::model_summary(&reports));
    write_json(arguments, &measure::model_json(&reports))
}

fn sample(arguments: &Arguments) -> Result<Sample, CliError> {
    let wrong = |what: &str| CliError::Other(format!("--{what} is not one of its values; see `evaluation --help`"));
    let count = match arguments.sample.as_str() {
        "all" => None,
        count => Some(count.parse().map_err(|_| wrong("sample"))?),
    };
    let half = match arguments.half.as_deref() {
        None => None,
        Some("a") => Some(Half::A),
        Some("b") => Some(Half::B),
        Some(_) => return Err(wrong("half")),
    };
    Ok(Sample { count, half })
}

async fn ask(
    sets: &Sets,
    sample: Sample,
    config: &Config,
    llama: Option<&EmbeddedLlama>,
) -> Result<Vec<ModelReport>, CliError> {
    let folder = config.paths.var_dir.join("eval-model");
    let recorder = Recorder::start(model(config, llama), folder.join("said")).await.map_err(CliError::file(&folder))?;
    let path = folder.join("answers.txt");
    with_temporary_platform(config, stored(config), async |app| {
        let mut file = File::create(&path).map_err(CliError::file(&path))?;
        let (mut count, mut failed) = (0, None);
        let answered = |set: &str, outcome: &ModelOutcome| {
            count += 1;
            println!("{count:>4} {set} {}", outcome.question.question);
            let written = writeln!(file, "{set} {}", measure::model_text(outcome));
            failed = failed.take().or(written.err());
        };
        let parts = &config.paths.parts_dir;
        let reports = sets.run_model(app, parts, (sample, &recorder), |line| println!("{line}"), answered).await;
        if let Some(error) = failed {
            return Err(CliError::file(&path)(error));
        }
        println!("\nEvery answer is in {}.", path.display());
        reports.map_err(other)
    })
    .await
}

/// The endpoint of the settings, or the embedded one.
fn model(config: &Config, llama: Option<&EmbeddedLlama>) -> openai::Settings {
    let settings = &config.generator;
    let url = settings.url.as_ref().map(|url| url.as_str().trim_end_matches('/').to_owned());
    openai::Settings {
        base_url: llama.map(|llama| llama.url().to_owned()).or(url).unwrap_or_default(),
        key: llama.map(EmbeddedLlama::key).or(settings.api_key.as_ref()).map(|key| key.expose().to_owned()),
        model: if llama.is_some() { MODEL_NAME.to_owned() } else { settings.model.clone() },
        timeout: Duration::from_secs(settings.timeout_seconds),
        first_token: Duration::from_secs(settings.first_token_seconds),
        silence: SILENCE,
        max_tokens: settings.max_tokens,
        max_concurrent: 1,
    }
}
