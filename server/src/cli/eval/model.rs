//! `server eval --sets ... --model`: compares quoted answers with those of a language model.

use std::{fs::File, io::Write, path::Path, time::Duration};

use rag::generate::openai;

use crate::{
    config::Config,
    embedded::{
        llama::{EmbeddedLlama, MODEL_NAME},
        postgres::{EmbeddedPostgres, erase},
    },
    eval::{self, Half, ModelOutcome, ModelReport, Recorder, Sample, Sets},
};

use super::{
    super::{CliError, platform, with_postgres},
    Arguments, sets, write_json,
};

/// Asks a sample of every set, or of one of them, and prints a table. The model's outputs are stored below the var
/// folder, so that an interrupted run can be continued.
pub(super) async fn run(file: &Path, arguments: &Arguments, config: &Config) -> Result<(), CliError> {
    let read = sets::read(file, arguments.set.as_deref()).map_err(|error| CliError::Other(error.to_string()))?;
    let sample = sample(arguments)?;
    let llama = match &config.generator.url {
        Some(_) => None,
        None => {
            println!("Starting the model server ...");
            let started = EmbeddedLlama::start(&config.paths.parts_dir, &config.paths.var_dir).await;
            Some(started.map_err(|error| CliError::Other(error.to_string()))?)
        }
    };
    let reports = ask(&read, sample, config, llama.as_ref()).await;
    if let Some(llama) = llama {
        llama.stop().await;
    }
    let reports = reports?;
    print!("\n{}", eval::model_summary(&reports));
    write_json(arguments, &eval::model_json(&reports))
}

fn sample(arguments: &Arguments) -> Result<Sample, CliError> {
    let wrong = |what: &str| CliError::Other(format!("--{what} is not one of its values; see `server eval --help`"));
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
    read: &Sets,
    sample: Sample,
    config: &Config,
    llama: Option<&EmbeddedLlama>,
) -> Result<Vec<ModelReport>, CliError> {
    let folder = config.paths.var_dir.join("eval-model");
    let recorder = Recorder::start(model(config, llama), folder.join("said")).await.map_err(CliError::file(&folder))?;
    let settings = with_postgres::temporary_settings(config).await?;
    let server = EmbeddedPostgres::start(&settings).await?;
    let reports = on(read, &server, config, (sample, &recorder), &folder).await;
    server.stop().await;
    erase(&settings).await?;
    reports
}

async fn on(
    read: &Sets,
    server: &EmbeddedPostgres,
    config: &Config,
    asked: (Sample, &Recorder),
    folder: &Path,
) -> Result<Vec<ModelReport>, CliError> {
    let app = sets::app(server, config).await?;
    let path = folder.join("answers.txt");
    let mut file = File::create(&path).map_err(CliError::file(&path))?;
    let (mut count, mut failed) = (0, None);
    let answered = |set: &str, outcome: &ModelOutcome| {
        count += 1;
        println!("{count:>4} {set} {}", outcome.question.question);
        let written = writeln!(file, "{set} {}", eval::model_text(outcome));
        failed = failed.take().or(written.err());
    };
    let reports = read.run_model(&app, &config.paths.parts_dir, asked, |line| println!("{line}"), answered).await;
    app.db.close().await;
    if let Some(error) = failed {
        return Err(CliError::file(&path)(error));
    }
    println!("\nEvery answer is in {}.", path.display());
    reports.map_err(|error| CliError::Other(error.to_string()))
}

/// The endpoint of the settings, or the embedded one.
fn model(config: &Config, llama: Option<&EmbeddedLlama>) -> openai::Settings {
    let settings = &config.generator;
    let url = settings.url.as_ref().map(platform::without_trailing_slash);
    openai::Settings {
        base_url: llama.map(|llama| llama.url().to_owned()).or(url).unwrap_or_default(),
        key: llama.map(EmbeddedLlama::key).or(settings.api_key.as_ref()).map(|key| key.expose().to_owned()),
        model: if llama.is_some() { MODEL_NAME.to_owned() } else { settings.model.clone() },
        timeout: Duration::from_secs(settings.timeout_seconds),
        first_token: Duration::from_secs(settings.first_token_seconds),
        silence: platform::SILENCE,
        max_tokens: settings.max_tokens,
        max_concurrent: 1,
    }
}
