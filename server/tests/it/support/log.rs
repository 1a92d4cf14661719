//! Captures the server's log, for tests of named events.

use std::{
    io::{self, Write},
    sync::{Arc, Mutex},
};

use serde_json::Value;
use tracing_subscriber::fmt::MakeWriter;

use super::{Subscription, subscribe};

/// Lines of JSON that this thread's tasks logged.
#[derive(Clone, Default)]
pub struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    /// Collects until the subscription is dropped.
    pub fn listen(&self) -> Subscription {
        subscribe(tracing_subscriber::fmt().json().with_writer(self.clone()).finish())
    }

    /// All that was logged.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap()).into_owned()
    }

    /// The fields of every event with this name.
    pub fn events(&self, name: &str) -> Vec<Value> {
        let text = self.0.lock().unwrap();
        let lines = text.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice::<Value>(line).ok());
        lines.map(|line| line["fields"].clone()).filter(|fields| fields["message"] == name).collect()
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Log {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}
