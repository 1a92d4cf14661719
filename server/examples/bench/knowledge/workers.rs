//! How long a small document waits while another tenant has queued scans and archives: until it is read, and until a
//! question is answered from it.

use std::{
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::Value;

use super::{
    files,
    world::{Tenant, World, folder, succeeded},
};
use crate::{
    Result,
    answers::query,
    figures::{Times, sized},
};

/// The scanned PDFs of the loud tenant, and their pages.
const SCANS: (u64, usize) = (20, 100);
const SHORT_SCANS: (u64, usize) = (2, 3);
/// Its archives, and their files.
const ARCHIVES: (u64, u64) = (4, 500);
const SHORT_ARCHIVES: (u64, u64) = (1, 5);
/// Documents of the quiet tenant, one after the other.
const SAMPLES: (u64, u64) = (5, 2);
/// Numbers of its documents, which no other document has.
const FIRST_SAMPLE: u64 = 900_000;
/// Between two questions.
const PAUSE: Duration = Duration::from_millis(200);
/// What the quiet tenant may wait at most.
const BAR: Duration = Duration::from_secs(30);

/// Measures and prints.
pub(super) async fn run() -> Result<()> {
    let world = World::start(&[]).await?;
    // Chatbots of one model, which is loaded before anything is measured.
    let (quiet, loud) = (world.tenant("quiet", "de").await?, world.tenant("loud", "de").await?);
    let (samples, mut number) = (sized(SAMPLES.0, SAMPLES.1), FIRST_SAMPLE);
    let (mut alone, mut meanwhile) = (Times::default(), Times::default());
    let source = quiet.new_source().await?;
    answered(&world, &quiet, &source, number).await?;
    for _ in 0..samples {
        number += 1;
        alone.push(answered(&world, &quiet, &source, number).await?);
    }
    let queued = fill(&world, &loud).await?;
    let mut longest = Duration::ZERO;
    for _ in 0..samples {
        number += 1;
        let taken = answered(&world, &quiet, &source, number).await?;
        longest = longest.max(taken);
        meanwhile.push(taken);
    }
    let left = loud.get(&queued).await?["pending"].as_u64().unwrap_or_default();
    println!("files of the loud tenant that still wait or are read at the end: {left}");
    for (name, times) in [("alone", &alone), ("meanwhile", &meanwhile)] {
        let (half, most) = (times.percentile(50), times.percentile(100));
        println!("{name:<10} {} documents   until answered: p50 {half:>8.1} ms   longest {most:>8.1} ms", times.len());
    }
    let verdict = if longest <= BAR { "within" } else { "beyond" };
    println!("{verdict} {} s", BAR.as_secs());
    Ok(())
}

/// The time from the upload of a page to the first answer that quotes it.
async fn answered(world: &World, tenant: &Tenant, source: &str, number: u64) -> Result<Duration> {
    let (client, name) = (reqwest::Client::new(), format!("{number}.md"));
    let question = format!("Maintenance of station {number}");
    let started = Instant::now();
    tenant.put(source, &name, files::markdown(number)).await?;
    let mut last = Value::Null;
    while started.elapsed() < BAR * 20 {
        last = succeeded(query(&client, world.server.address(), tenant.chatbot, &question)).await?;
        let has_page = last["sources"].as_array().is_some_and(|sources| {
            sources.iter().any(|source| source.to_string().contains(&format!("Guide {number}")))
        });
        if has_page {
            return Ok(started.elapsed());
        }
        tokio::time::sleep(PAUSE).await;
    }
    Err(format!("{name} is not answered: {last}").into())
}

/// Queues the scans and the archives; returns the path of their source.
async fn fill(world: &World, loud: &Tenant) -> Result<String> {
    let source = loud.new_source().await?;
    let (archives, files) = sized(ARCHIVES, SHORT_ARCHIVES);
    let (scans, pages) = sized(SCANS, SHORT_SCANS);
    let recognition = loud.get("/health/ready").await?["details"]["text_recognition"].clone();
    if recognition == "ready" {
        let scanned: Vec<Vec<u8>> = (0..scans).map(|number| scan(number, pages)).collect::<Result<_>>()?;
        let file =
            |number: u64| (format!("{number}.pdf"), scanned[usize::try_from(number).unwrap_or_default()].clone());
        loud.put_all(&source, scans, file).await?;
        println!("the loud tenant has queued {scans} scans of {pages} pages and {archives} archives of {files} files");
    } else {
        println!("left out: scans, because text recognition is {recognition} on {}", world.server.address());
        println!("the loud tenant has queued {archives} archives of {files} files");
    }
    for number in 0..archives {
        loud.put(&source, &format!("{number}.tar"), files::archive(number * files, files)?).await?;
    }
    Ok(source)
}

/// A PDF whose pages show the same picture of a page.
fn scan(number: u64, pages: usize) -> Result<Vec<u8>> {
    let folder = folder()?;
    let (document, picture) = (folder.path().join("page.pdf"), folder.path().join("page"));
    std::fs::write(&document, files::pdf(number, 0))?;
    let mut render = Command::new("pdftoppm");
    render.args(["-singlefile", "-jpeg", "-gray", "-r", "150"]).args([&document, &picture]);
    let status = render.stdin(Stdio::null()).status()?;
    if !status.success() {
        return Err(format!("pdftoppm: {status}").into());
    }
    let picture = image::ImageReader::open(picture.with_extension("jpg"))?;
    let bytes = std::fs::read(folder.path().join("page.jpg"))?;
    Ok(files::scanned_pdf(&bytes, picture.into_dimensions()?, pages))
}
