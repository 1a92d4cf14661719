//! Threads for model computations. Each piece of work runs on one thread and never uses others, so that as many answers
//! as there are cores do not slow each other down; a call may have a piece for each idle thread. Work of low priority has
//! its own threads, which get only idle processor time.

use std::{
    future::Future,
    sync::{Arc, OnceLock},
};

use parking_lot::Mutex;
use rayon::{ThreadPool, ThreadPoolBuilder};
use thread_priority::{ThreadPriority, set_current_thread_priority};
use tokio::sync::{Semaphore, oneshot};

use crate::embed_error::EmbedError;

tokio::task_local! {
    static LOW_PRIORITY: ();
}

/// Runs `work`; its model computations run on threads of low priority.
pub fn with_low_priority<F: Future>(work: F) -> impl Future<Output = F::Output> {
    LOW_PRIORITY.scope((), work)
}

/// The threads of both priorities.
pub(crate) struct ModelThreads {
    ordinary: Pool,
    low_priority: Pool,
    count: usize,
}

/// One thread per core, at least two.
struct Pool {
    idle: IdleThreads,
    permits: Arc<Semaphore>,
}

/// Each thread is its own rayon pool, because a matrix product stays within the pool that it starts in.
#[derive(Clone)]
struct IdleThreads(Arc<Mutex<Vec<Arc<ThreadPool>>>>);

/// A busy thread, which is returned to the idle ones on drop.
struct ThreadGuard {
    thread: Arc<ThreadPool>,
    idle: IdleThreads,
}

impl ModelThreads {
    /// The threads shared by all models of this process.
    ///
    /// # Errors
    /// When the system cannot start a thread.
    pub(crate) fn shared() -> Result<Arc<Self>, EmbedError> {
        static SHARED: OnceLock<Arc<ModelThreads>> = OnceLock::new();
        match SHARED.get() {
            Some(threads) => Ok(Arc::clone(threads)),
            None => {
                let threads = Arc::new(Self::new()?);
                Ok(Arc::clone(SHARED.get_or_init(|| threads)))
            }
        }
    }

    pub(crate) fn new() -> Result<Self, EmbedError> {
        let count = std::thread::available_parallelism().map_or(1, usize::from).max(2);
        let ordinary = Pool::new(count, "model", || ())?;
        let low_priority = Pool::new(count, "model-background", lower_priority)?;
        Ok(Self { ordinary, low_priority, count })
    }

    /// Number of threads of each priority.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Number of idle threads of the caller's priority, at least 1.
    pub(crate) fn idle(&self) -> usize {
        self.pool().permits.available_permits().max(1)
    }

    /// The threads of the caller's priority.
    fn pool(&self) -> &Pool {
        if LOW_PRIORITY.try_with(|()| ()).is_ok() { &self.low_priority } else { &self.ordinary }
    }

    /// Takes the ordinary threads except for one, while the result lives.
    #[cfg(test)]
    pub(crate) async fn occupy_all_but_one(&self) -> tokio::sync::OwnedSemaphorePermit {
        let all = u32::try_from(self.count).unwrap();
        Arc::clone(&self.ordinary.permits).acquire_many_owned(all - 1).await.unwrap()
    }

    /// Runs `work` on an idle thread, waiting for one if necessary; within [`with_low_priority`] on one of low
    /// priority.
    ///
    /// # Errors
    /// The error of the work, or [`EmbedError::Interrupted`] when it panicked.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, EmbedError> + Send + 'static,
    ) -> Result<T, EmbedError> {
        let pool = self.pool();
        let permit = Arc::clone(&pool.permits).acquire_owned().await.map_err(|_| EmbedError::Interrupted)?;
        let guard = pool.idle.take();
        let thread = Arc::clone(&guard.thread);
        let (done, result) = oneshot::channel();
        thread.spawn(move || {
            let _held = (guard, permit);
            // The caller may have disconnected.
            drop(done.send(work()));
        });
        result.await.map_err(|_| EmbedError::Interrupted)?
    }
}

/// Gives the current thread the lowest priority; on Linux a nice value of 19.
pub fn lower_priority() {
    // If the system does not allow it, the work runs at normal priority.
    let _ = set_current_thread_priority(ThreadPriority::Min);
}

impl Pool {
    fn new(count: usize, name: &'static str, begin: fn()) -> Result<Self, EmbedError> {
        let thread = |number| {
            let builder = ThreadPoolBuilder::new().num_threads(1).thread_name(move |_| format!("{name}-{number}"));
            // The waiting caller sees a closed channel without a result.
            let builder = builder.start_handler(move |_| begin()).panic_handler(|_| ());
            builder.build().map(Arc::new).map_err(|_| EmbedError::Interrupted)
        };
        let threads = (0..count).map(thread).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { idle: IdleThreads(Arc::new(Mutex::new(threads))), permits: Arc::new(Semaphore::new(count)) })
    }
}

impl IdleThreads {
    fn take(&self) -> ThreadGuard {
        let thread =
            self.0.lock().pop().expect("there are as many threads as permits, and a guard ends before its permit");
        ThreadGuard { thread, idle: self.clone() }
    }
}

impl Drop for ThreadGuard {
    fn drop(&mut self) {
        self.idle.0.lock().push(Arc::clone(&self.thread));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn work_of_low_priority_has_threads_of_its_own() {
        let threads = ModelThreads::new().unwrap();
        let nice = || {
            let status = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
            // Behind the name in brackets; `man proc_pid_stat`, field 19.
            Ok(status.rsplit(')').next().unwrap().split_whitespace().nth(16).unwrap().parse::<i32>().unwrap())
        };
        assert_eq!(with_low_priority(threads.run(nice)).await.unwrap(), 19);
        let pool = &threads.low_priority;
        let _all = Arc::clone(&pool.permits).acquire_many_owned(u32::try_from(threads.count()).unwrap()).await.unwrap();
        assert!(threads.run(nice).await.unwrap() < 19);
    }

    #[tokio::test]
    async fn work_keeps_to_one_thread_which_survives_a_panic() {
        let threads = ModelThreads::new().unwrap();
        let count = threads.count();
        for _ in 0..2 * count {
            let width = threads.run(|| Ok(rayon::current_num_threads())).await;
            assert_eq!(width.unwrap(), 1);
            let broken = threads.run(|| -> Result<(), _> { panic!("on purpose") }).await;
            assert!(matches!(broken, Err(EmbedError::Interrupted)));
        }
        let pool = &threads.ordinary;
        let _all = Arc::clone(&pool.permits).acquire_many_owned(u32::try_from(count).unwrap()).await.unwrap();
        assert_eq!(pool.idle.0.lock().len(), count);
    }
}
