//! Waits until a platform has reached a state, and reports what is missing on a timeout.

use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

use contract::ChatbotId;
use futures::FutureExt;
use server::service::worker;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::{Platform, TestResponse};

/// The longest wait for something that must happen, also on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A pause between two looks at a condition: the processor is left to what brings the condition about.
pub async fn moment() {
    tokio::time::sleep(Duration::from_millis(5)).await;
}

/// Waits for the next day in UTC if this one ends soon: what follows happens within one day, and one month.
pub async fn within_one_day() {
    const DAY: i64 = 24 * 60 * 60;
    let seconds_left = DAY - chrono::Utc::now().timestamp() % DAY;
    if seconds_left < 180 {
        tokio::time::sleep(Duration::from_secs(u64::try_from(seconds_left).unwrap() + 1)).await;
    }
}

/// Listens at an address that was given up a moment ago: another test may have it meanwhile.
pub async fn listen_again(address: SocketAddr) -> TcpListener {
    let deadline = Instant::now() + TIMEOUT;
    loop {
        match TcpListener::bind(address).await {
            Ok(listener) => return listener,
            Err(error) => assert!(Instant::now() < deadline, "{address}: {error}"),
        }
        moment().await;
    }
}

impl Platform {
    /// Polls readiness until a check has this state; a result is cached for a second.
    pub async fn ready_when(&self, check: &str, word: &str) -> TestResponse {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            let ready = self.anonymous().get("/health/ready").await;
            if ready.body["checks"][check] == word {
                return ready;
            }
            assert!(Instant::now() < deadline, "{check} is not {word}: {}", ready.text);
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Waits until a chatbot's collection is ready.
    pub async fn provisioned(&self, chatbot: ChatbotId) {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            let state: String = sqlx::query_scalar("select provisioning from chatbots where id = $1")
                .bind(chatbot.0)
                .fetch_one(self.everything())
                .await
                .unwrap();
            if state == "ready" {
                return;
            }
            assert!(Instant::now() < deadline, "the chatbot {chatbot} is {state}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Waits until a connection to the platform's database waits for a lock.
    pub async fn until_somebody_waits(&self) {
        self.until_waiting(1).await;
    }

    /// Waits until this many connections to the platform's database wait for a lock.
    pub async fn until_waiting(&self, count: i64) {
        let deadline = Instant::now() + TIMEOUT;
        let waiting = "select count(*) from pg_stat_activity
                       where datname = current_database() and wait_event_type = 'Lock'";
        while sqlx::query_scalar::<_, i64>(waiting).fetch_one(self.everything()).await.unwrap() < count {
            assert!(Instant::now() < deadline, "fewer than {count} wait for a lock");
            moment().await;
        }
    }

    /// Runs jobs until none is queued or running, and the workers have done what follows their last transactions.
    pub async fn work_off_jobs(&self) {
        let stop = CancellationToken::new();
        let workers = tokio::spawn(worker::run_until(self.app.clone(), stop.clone()));
        let deadline = Instant::now() + Duration::from_secs(600);
        let open = "select count(*) from jobs where state = 'running' or (state = 'queued' and run_after <= now())";
        while sqlx::query_scalar::<_, i64>(open).fetch_one(self.everything()).await.unwrap() > 0 || !self.workers_wait()
        {
            assert!(Instant::now() < deadline, "jobs do not end");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        stop.cancel();
        workers.await.unwrap();
    }

    /// Whether all workers wait for the next job. Wakes them.
    fn workers_wait(&self) -> bool {
        let queued = self.app.job_queued();
        (0..self.app.settings.jobs.workers).all(|_| {
            queued.notify_one();
            // It comes back when no worker waited for it.
            queued.notified().now_or_never().is_none()
        })
    }
}
