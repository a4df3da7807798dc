//! Nanoseconds for one probe and for one probe with one kernel of eight lanes, for every volume:
//! `cargo run --release --example kernel_times [volume ...]`.

#[allow(dead_code)] // the table needs more
mod measure;

fn main() {
    let names: Vec<String> = std::env::args().skip(1).collect();
    println!("ns for            probe  probe + separation  probe + lower bound");
    for (name, params) in measure::every_volume() {
        if names.is_empty() || names.contains(&name) {
            let [probe, separation, bound] = measure::kernels::kernel_times(&params);
            println!("{name:15} {probe:7.1} {separation:19.1} {bound:20.1}");
        }
    }
}
