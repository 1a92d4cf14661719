//! A JSON endpoint that answers as a test says, and records its requests.

use std::sync::{Arc, Mutex};

use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

/// The status and the body of the response to a body; the status `silence` sends no response.
pub(crate) type Says = fn(&Value) -> (&'static str, Value);

/// Its address below `/v1/`, and the requests that it received.
pub(crate) async fn listen(says: Arc<Mutex<Says>>) -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base_url = format!("http://{}/v1/", listener.local_addr().unwrap());
    let received = Arc::new(Mutex::new(Vec::new()));
    let requests = Arc::clone(&received);
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            tokio::spawn(answer(socket, Arc::clone(&says), Arc::clone(&received)));
        }
    });
    (base_url, requests)
}

async fn answer(mut socket: TcpStream, says: Arc<Mutex<Says>>, received: Arc<Mutex<Vec<String>>>) {
    let (mut request, mut buffer) = (Vec::new(), [0; 8192]);
    let body: Value = loop {
        let read = socket.read(&mut buffer).await.unwrap();
        request.extend_from_slice(&buffer[..read]);
        let text = String::from_utf8_lossy(&request).into_owned();
        if let Some(Ok(body)) = text.split_once("\r\n\r\n").map(|(_, body)| serde_json::from_str(body)) {
            received.lock().unwrap().push(text);
            break body;
        }
    };
    let says = *says.lock().unwrap();
    let (status, body) = says(&body);
    let body = body.to_string();
    let length = body.len();
    let head = format!("HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}");
    if status == "silence" {
        let _ = socket.read(&mut buffer).await;
        return;
    }
    let _ = socket.write_all(head.as_bytes()).await;
}
