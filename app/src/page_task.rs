//! API calls of a page's buttons. The response may come after the page is gone. Calls in the background make no button
//! busy. They use `spawn_local`, and must expect that their page is gone, too.

use std::future::Future;

use contract::Endpoint;
use leptos::{prelude::*, task::spawn_local};

use crate::{
    api,
    problem::Problem,
    ui::{Task, begin_result, end_result, toast_problem},
};

/// Runs a call while `busy` is true and passes its result to `done`. When the page that owns `busy` is gone by then, a
/// result is dropped, but an error is still shown as a toast. Errors that `done` shows as toasts are closed when a later call
/// with the same `busy` succeeds.
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
            (None, answer) => {
                begin_result(busy, answer.is_ok());
                done(answer);
                end_result();
            }
            (Some(_), Err(problem)) => toast_problem(&problem),
            (Some(_), Ok(_)) => {}
        }
    });
    spawn_local(task);
}

/// Downloads the response of an endpoint while `busy` is true. An error is shown as a toast.
pub fn download_on_page<E>(busy: RwSignal<bool>, path: E::Path, body: E::Body)
where
    E: Endpoint<Query = ()>,
    E::Path: 'static,
    E::Body: 'static,
{
    let call = async move { api::download::<E>(&path, &(), &body).await };
    spawn_on_page(busy, call, |result| {
        if let Err(problem) = result {
            toast_problem(&problem);
        }
    });
}
