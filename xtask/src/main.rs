//! The project's build tool, which the Makefile calls. `xtask fetch` fetches the embedded parts, and `xtask build` builds
//! what browsers load, with `--server` next to the server. It never starts the server: `make` does.
#![allow(clippy::print_stdout, reason = "a build tool speaks on the terminal")]
#![allow(clippy::disallowed_methods, reason = "a build tool passes the developer's environment on to its tools")]

use std::process::ExitCode;

use clap::{Parser, Subcommand, ValueEnum};

use crate::error::Result;

mod build;
mod compress;
mod consoles;
mod error;
mod fetch;
mod fingerprint;
mod imports;
mod module;
mod npm;
mod process;
mod progress;
mod wasm;
mod weigh;
mod widget;
mod workspace;

/// Builds the consoles and the widget bundle, fetches the embedded parts.
#[derive(Debug, Parser)]
#[command(name = "xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Fetch the missing embedded parts (PostgreSQL, embedding model, JavaScript tools, documents).
    Fetch {
        /// Fetch groups of further parts instead, for example `llama-server model`.
        groups: Vec<String>,
    },
    /// Build what browsers load into dist/.
    Build {
        /// What to build.
        #[arg(value_enum, default_value = "all")]
        what: What,
        /// Build what is shipped: small files, whose sizes are checked.
        #[arg(long)]
        release: bool,
        /// Build the server as well, at the same time.
        #[arg(long)]
        server: bool,
        /// Build even when nothing changed.
        #[arg(long)]
        force: bool,
    },
    /// Compare the size of the consoles' first page with the smallest Leptos page.
    Weigh,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    /// The operator console and the tenant console.
    Consoles,
    /// The operator console alone.
    Operator,
    /// The tenant console alone.
    Tenant,
    /// The widget bundle.
    Widget,
    /// The page with every component, only compiled.
    Gallery,
    /// Everything.
    All,
}

fn main() -> ExitCode {
    match run(&Arguments::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: &Command) -> Result<()> {
    match command {
        Command::Weigh => weigh::run(),
        Command::Fetch { groups } if groups.is_empty() => fetch::run(),
        Command::Fetch { groups } => groups.iter().try_for_each(|group| fetch::group(group)),
        Command::Build { what: What::Gallery, .. } => wasm::build_gallery(),
        &Command::Build { what, release, server, force } => {
            let mode = if release { wasm::Mode::Release } else { wasm::Mode::Quick };
            let [operator, tenant] = &build::CONSOLES;
            let products_and_parts = [
                (operator, [What::Operator, What::Consoles]),
                (tenant, [What::Tenant, What::Consoles]),
                (&build::WIDGET, [What::Widget, What::Widget]),
            ];
            let products_and_parts =
                products_and_parts.into_iter().filter(|(_, parts)| what == What::All || parts.contains(&what));
            let products = products_and_parts.map(|(product, _)| product);
            if server { build::with_server(products, mode, force) } else { build::make_all(products, mode, force) }
        }
    }
}
