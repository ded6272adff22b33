//! Workers for tests: plain scoped threads that take tasks from a counter.

use std::sync::atomic::{AtomicUsize, Ordering};
use thalweg_core::workers::Workers;

/// A pool of a given number of threads, made anew for every call.
#[derive(Clone, Copy, Debug)]
pub struct TestThreads(pub usize);

impl Workers for TestThreads {
    fn threads(&self) -> usize {
        self.0.max(1)
    }

    fn run(&self, tasks: usize, task: &(dyn Fn(usize) + Sync)) {
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..self.threads() {
                scope.spawn(|| {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        if index >= tasks {
                            break;
                        }
                        task(index);
                    }
                });
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use thalweg_core::workers::for_each_part;

    #[test]
    fn every_task_runs_exactly_once_on_any_number_of_threads() {
        for threads in [1, 2, 8] {
            let mut counts = vec![0u32; 100];
            let parts: Vec<&mut u32> = counts.iter_mut().collect();
            for_each_part(&TestThreads(threads), parts, |_, count| *count += 1);
            assert!(counts.iter().all(|&count| count == 1), "{threads} threads");
        }
    }
}
