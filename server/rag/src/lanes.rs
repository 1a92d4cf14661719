//! Threads for the arithmetic of models. Each call has one thread for itself and never spreads over the others: what one
//! answer costs is one core, so that as many answers as there are cores do not slow each other down.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};
use tokio::sync::{Semaphore, oneshot};

use crate::embed::EmbedError;

/// As many threads as there are cores, at least two.
pub(crate) struct Lanes {
    free: Free,
    permits: Arc<Semaphore>,
    count: usize,
}

/// Threads that have nothing to do; a matrix product is kept within the pool that it is begun in.
#[derive(Clone)]
struct Free(Arc<Mutex<Vec<Arc<ThreadPool>>>>);

/// A thread that works; it is free again when this is dropped.
struct Lane {
    thread: Arc<ThreadPool>,
    free: Free,
}

impl Lanes {
    /// # Errors
    /// When the system gives no thread.
    pub(crate) fn new() -> Result<Self, EmbedError> {
        let lanes = std::thread::available_parallelism().map_or(1, usize::from).max(2);
        let thread = |number| {
            let builder = ThreadPoolBuilder::new().num_threads(1).thread_name(move |_| format!("model-{number}"));
            // Whoever waits for the work is told by its end without a result.
            builder.panic_handler(|_| ()).build().map(Arc::new).map_err(|_| EmbedError::Interrupted)
        };
        let threads = (0..lanes).map(thread).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { free: Free(Arc::new(Mutex::new(threads))), permits: Arc::new(Semaphore::new(lanes)), count: lanes })
    }

    /// How many threads there are.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Works on a thread of its own, as soon as one is free.
    ///
    /// # Errors
    /// The work's own; [`EmbedError::Interrupted`] when it panicked.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, EmbedError> + Send + 'static,
    ) -> Result<T, EmbedError> {
        let permit = Arc::clone(&self.permits).acquire_owned().await.map_err(|_| EmbedError::Interrupted)?;
        let lane = self.free.take();
        let thread = Arc::clone(&lane.thread);
        let (done, result) = oneshot::channel();
        thread.spawn(move || {
            let _held = (lane, permit);
            // Whoever asked may have left.
            drop(done.send(work()));
        });
        result.await.map_err(|_| EmbedError::Interrupted)?
    }
}

impl Free {
    fn take(&self) -> Lane {
        let thread =
            self.lock().pop().expect("there are as many threads as permits, and a lane ends before its permit");
        Lane { thread, free: self.clone() }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<ThreadPool>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Lane {
    fn drop(&mut self) {
        self.free.lock().push(Arc::clone(&self.thread));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_keeps_to_one_thread_and_every_lane_comes_back_even_from_a_panic() {
        let lanes = Lanes::new().unwrap();
        let threads = lanes.permits.available_permits();
        for _ in 0..2 * threads {
            let width = lanes.run(|| Ok(rayon::current_num_threads())).await;
            assert_eq!(width.unwrap(), 1);
            let broken = lanes.run(|| -> Result<(), _> { panic!("on purpose") }).await;
            assert!(matches!(broken, Err(EmbedError::Interrupted)));
        }
        let _all = Arc::clone(&lanes.permits).acquire_many_owned(u32::try_from(threads).unwrap()).await.unwrap();
        assert_eq!(lanes.free.lock().len(), threads);
    }
}
