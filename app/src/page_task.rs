//! Calls that a button of a page makes. The answer may come when the page is gone.

use std::future::Future;

use contract::Endpoint;
use leptos::{prelude::*, task::spawn_local};

use crate::{
    api,
    problem::Problem,
    ui::{Task, toast_problem},
};

/// Makes a call while `busy` holds and hands its answer to `done`. When the page that owns `busy` is gone by then, nobody
/// hears the answer; a failure is shown as a message all the same.
pub fn spawn_on_page<T: 'static>(
    busy: RwSignal<bool>,
    call: impl Future<Output = Result<T, Problem>> + 'static,
    done: impl FnOnce(Result<T, Problem>) + 'static,
) {
    busy.set(true);
    // Boxed, so that the browser's side of a task is compiled once.
    let task: Task = Box::pin(async move {
        let answer = call.await;
        match (busy.try_set(false), answer) {
            (None, answer) => done(answer),
            (Some(_), Err(problem)) => toast_problem(&problem),
            (Some(_), Ok(_)) => {}
        }
    });
    spawn_local(task);
}

/// Lets the browser save what an endpoint streams, while `busy` holds. A failure is shown as a message.
pub fn download_on_page<E>(busy: RwSignal<bool>, path: E::Path, query: E::Query)
where
    E: Endpoint<Body = ()>,
    E::Path: 'static,
    E::Query: 'static,
{
    let call = async move { api::download::<E>(&path, &query, &()).await };
    spawn_on_page(busy, call, |result| {
        if let Err(problem) = result {
            toast_problem(&problem);
        }
    });
}
