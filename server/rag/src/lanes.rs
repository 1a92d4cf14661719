//! Threads for the arithmetic of models. Each call has one thread for itself and never spreads over the others: what one
//! answer costs is one core, so that as many answers as there are cores do not slow each other down. Work that can wait has
//! threads of its own with a lower priority: it takes the cores that nothing else wants.

use std::{
    future::Future,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use rayon::{ThreadPool, ThreadPoolBuilder};
use thread_priority::{ThreadPriority, set_current_thread_priority};
use tokio::sync::{Semaphore, oneshot};

use crate::embed::EmbedError;

tokio::task_local! {
    static CAN_WAIT: ();
}

/// Runs `work` with whatever models in this process compute for it on threads that give way to all others.
pub fn giving_way<F: Future>(work: F) -> impl Future<Output = F::Output> {
    CAN_WAIT.scope((), work)
}

/// Threads of both kinds.
pub(crate) struct Lanes {
    ordinary: Row,
    giving_way: Row,
    count: usize,
}

/// As many threads as there are cores, at least two.
struct Row {
    free: Free,
    permits: Arc<Semaphore>,
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
        let count = std::thread::available_parallelism().map_or(1, usize::from).max(2);
        let ordinary = Row::new(count, "model", || ())?;
        let giving_way = Row::new(count, "model-late", give_way)?;
        Ok(Self { ordinary, giving_way, count })
    }

    /// How many threads there are of each kind.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Works on a thread of its own, as soon as one is free; within [`giving_way`] on one that gives way.
    ///
    /// # Errors
    /// The work's own; [`EmbedError::Interrupted`] when it panicked.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, EmbedError> + Send + 'static,
    ) -> Result<T, EmbedError> {
        let row = if CAN_WAIT.try_with(|()| ()).is_ok() { &self.giving_way } else { &self.ordinary };
        let permit = Arc::clone(&row.permits).acquire_owned().await.map_err(|_| EmbedError::Interrupted)?;
        let lane = row.free.take();
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

/// Gives the current thread the lowest priority; on Linux a nice value of 19.
fn give_way() {
    // Where the system does not allow it, the work takes turns with everything else.
    let _ = set_current_thread_priority(ThreadPriority::Min);
}

impl Row {
    fn new(count: usize, name: &'static str, begin: fn()) -> Result<Self, EmbedError> {
        let thread = |number| {
            let builder = ThreadPoolBuilder::new().num_threads(1).thread_name(move |_| format!("{name}-{number}"));
            // Whoever waits for the work is told by its end without a result.
            let builder = builder.start_handler(move |_| begin()).panic_handler(|_| ());
            builder.build().map(Arc::new).map_err(|_| EmbedError::Interrupted)
        };
        let threads = (0..count).map(thread).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { free: Free(Arc::new(Mutex::new(threads))), permits: Arc::new(Semaphore::new(count)) })
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

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn work_that_gives_way_has_threads_of_lower_priority_and_does_not_occupy_the_others() {
        let lanes = Lanes::new().unwrap();
        let nice = || {
            let status = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
            // Behind the name in brackets; `man proc_pid_stat`, field 19.
            Ok(status.rsplit(')').next().unwrap().split_whitespace().nth(16).unwrap().parse::<i32>().unwrap())
        };
        assert_eq!(giving_way(lanes.run(nice)).await.unwrap(), 19);
        let row = &lanes.giving_way;
        let _all = Arc::clone(&row.permits).acquire_many_owned(u32::try_from(lanes.count()).unwrap()).await.unwrap();
        assert!(lanes.run(nice).await.unwrap() < 19);
    }

    #[tokio::test]
    async fn work_keeps_to_one_thread_and_every_lane_comes_back_even_from_a_panic() {
        let lanes = Lanes::new().unwrap();
        let threads = lanes.count();
        for _ in 0..2 * threads {
            let width = lanes.run(|| Ok(rayon::current_num_threads())).await;
            assert_eq!(width.unwrap(), 1);
            let broken = lanes.run(|| -> Result<(), _> { panic!("on purpose") }).await;
            assert!(matches!(broken, Err(EmbedError::Interrupted)));
        }
        let row = &lanes.ordinary;
        let _all = Arc::clone(&row.permits).acquire_many_owned(u32::try_from(threads).unwrap()).await.unwrap();
        assert_eq!(row.free.lock().len(), threads);
    }
}
