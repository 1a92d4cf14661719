//! Evaluates sets of questions, and prints a report for each and a table of all.

use server::{
    cli::{CliError, with_temporary_platform},
    config::Config,
};

use super::{Arguments, other, stored, write, write_json};
use crate::measure::{self, SetReport, Sets};

/// Evaluates every set.
pub(super) async fn run(sets: &Sets, arguments: &Arguments, config: &Config) -> Result<(), CliError> {
    let print = |report: &SetReport| {
        println!("\n{}\n\n{}", report.name, measure::text(&report.outcomes, &report.figures));
    };
    let parts = &config.paths.parts_dir;
    let reports = with_temporary_platform(config, stored(config), async |app| {
        sets.run(app, parts, |line| println!("{line}"), print).await.map_err(other)
    });
    let reports = reports.await?;
    print!("{}", measure::summary(&reports));
    if let (Some(path), [report]) = (&arguments.html, reports.as_slice()) {
        let title = format!("Evaluation of {}", report.name);
        write(path, &measure::html(&title, &report.outcomes, &report.figures))?;
    }
    write_json(arguments, &measure::json(&reports))
}
