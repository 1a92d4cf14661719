//! A cheap closed-loop load: a fixed number of keep-alive connections, each sending its next request as soon as the
//! answer has been read.

use std::{
    rc::Rc,
    time::{Duration, Instant},
};

use http::{Request, StatusCode};
use http_body_util::{BodyExt, Empty};
use hyper::{
    body::Bytes,
    client::conn::http1::{SendRequest, handshake},
};
use hyper_util::rt::TokioIo;
use tokio::{net::TcpStream, sync::Mutex, task::LocalSet};

use crate::{Result, figures::Times};

/// What is asked for, again and again.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    pub(crate) address: String,
    pub(crate) path: String,
    pub(crate) headers: Vec<(&'static str, String)>,
}

/// Asks for each of the targets in turn, one request at a time, after one round that is not counted; prints by name how long
/// the answers took.
pub(crate) async fn in_turn(targets: &[(&str, Target)], rounds: u64) -> Result<()> {
    let mut all = vec![Times::default(); targets.len()];
    for round in 0..=rounds {
        for ((_, target), times) in targets.iter().zip(&mut all) {
            let started = Instant::now();
            target.fetch().await?;
            if round > 0 {
                times.push(started.elapsed());
            }
        }
    }
    for ((name, _), times) in targets.iter().zip(&all) {
        println!("{name:<36} p50 {:>8.2} ms   p95 {:>8.2} ms", times.percentile(50), times.percentile(95));
    }
    Ok(())
}

/// What one round measured.
#[derive(Debug, Clone)]
pub(crate) struct Round {
    pub(crate) per_second: f64,
    pub(crate) times: Times,
}

impl Target {
    fn request(&self) -> Result<Request<Empty<Bytes>>> {
        let mut request = Request::get(&self.path).header("host", &self.address);
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        Ok(request.body(Empty::new())?)
    }

    /// One answer's body.
    pub(crate) async fn fetch(&self) -> Result<Bytes> {
        let mut sender = connect(&self.address).await?;
        let answer = sender.send_request(self.request()?).await?;
        let status = answer.status();
        let body = answer.into_body().collect().await?.to_bytes();
        if status == StatusCode::OK {
            return Ok(body);
        }
        Err(format!("{} answered {status}: {}", self.path, String::from_utf8_lossy(&body)).into())
    }

    /// Loads the target for `period` over `connections` connections.
    pub(crate) async fn load(&self, connections: usize, period: Duration) -> Result<Round> {
        let all = Rc::new(Mutex::new(Times::default()));
        let local = LocalSet::new();
        let mut senders = Vec::new();
        for _ in 0..connections {
            senders.push(connect(&self.address).await?);
        }
        let started = Instant::now();
        let tasks: Vec<_> = senders
            .into_iter()
            .map(|sender| {
                let (target, all) = (self.clone(), Rc::clone(&all));
                local.spawn_local(async move {
                    let times = target.repeat(sender, started + period).await.map_err(|error| error.to_string())?;
                    all.lock().await.extend(times);
                    Ok::<_, String>(())
                })
            })
            .collect();
        local.await;
        for task in tasks {
            task.await??;
        }
        let times = std::mem::take(&mut *all.lock().await);
        #[allow(clippy::cast_precision_loss, reason = "a count of calls")]
        let per_second = times.len() as f64 / started.elapsed().as_secs_f64();
        Ok(Round { per_second, times })
    }

    async fn repeat(&self, mut sender: SendRequest<Empty<Bytes>>, until: Instant) -> Result<Times> {
        let mut times = Times::default();
        while Instant::now() < until {
            let started = Instant::now();
            let answer = sender.send_request(self.request()?).await?;
            let status = answer.status();
            let mut body = answer.into_body();
            while let Some(frame) = body.frame().await {
                frame?;
            }
            if status != StatusCode::OK {
                return Err(format!("{} answered {status} under load", self.path).into());
            }
            times.push(started.elapsed());
        }
        Ok(times)
    }
}

async fn connect(address: &str) -> Result<SendRequest<Empty<Bytes>>> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let (sender, connection) = handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    Ok(sender)
}
