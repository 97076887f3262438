//! Reading, judging, archives, writing and kernels of the engine, each alone: `make bench-engine`, or with a name,
//! `cargo bench --manifest-path engine/benches/Cargo.toml -- judging`.

use _engine::workloads::{self, Workload};
use divan::{Bencher, counter::ItemsCount};

fn main() {
    divan::main();
}

/// Topics with a thousand lines each.
const TOPICS: usize = 50;

#[divan::bench]
fn reading(bencher: Bencher) {
    measure(bencher, &workloads::reading(TOPICS));
}

#[divan::bench]
fn judging(bencher: Bencher) {
    measure(bencher, &workloads::judging(TOPICS));
}

#[divan::bench]
fn judging_gzip(bencher: Bencher) {
    measure(bencher, &workloads::judging_gzip(TOPICS));
}

#[divan::bench]
fn writing(bencher: Bencher) {
    measure(bencher, &workloads::writing(TOPICS));
}

#[divan::bench]
fn list_sums(bencher: Bencher) {
    measure(bencher, &workloads::sum_lists(TOPICS));
}

#[divan::bench]
fn running_sums(bencher: Bencher) {
    measure(bencher, &workloads::running_sums(TOPICS));
}

#[divan::bench]
fn exact_sums(bencher: Bencher) {
    measure(bencher, &workloads::exact_sums(TOPICS));
}

fn measure(bencher: Bencher, workload: &Workload) {
    bencher.counter(ItemsCount::new(workload.items)).bench_local(|| (workload.run)());
}
