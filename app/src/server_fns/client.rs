//! Calls server functions like any other endpoint, with the token in the header.

use std::future::Future;

use leptos::server_fn::{
    Bytes,
    client::{Client, browser::BrowserClient},
    error::FromServerFnError,
    request::browser::BrowserRequest,
    response::browser::BrowserResponse,
};

/// Sends the access token with every server function call.
#[derive(Debug)]
pub struct ConsoleClient;

impl<E, I, O> Client<E, I, O> for ConsoleClient
where
    E: FromServerFnError,
    I: FromServerFnError,
    O: FromServerFnError,
{
    type Request = BrowserRequest;
    type Response = BrowserResponse;

    fn send(request: Self::Request) -> impl Future<Output = Result<Self::Response, E>> + Send {
        if let Some(token) = crate::bearer::current() {
            request.headers().set("authorization", &format!("Bearer {token}"));
        }
        <BrowserClient as Client<E, I, O>>::send(request)
    }

    fn open_websocket(
        path: &str,
    ) -> impl Future<
        Output = Result<
            (
                impl futures::Stream<Item = Result<Bytes, Bytes>> + Send + 'static,
                impl futures::Sink<Bytes> + Send + 'static,
            ),
            E,
        >,
    > + Send {
        <BrowserClient as Client<E, I, O>>::open_websocket(path)
    }

    fn spawn(future: impl Future<Output = ()> + Send + 'static) {
        <BrowserClient as Client<E, I, O>>::spawn(future);
    }
}
