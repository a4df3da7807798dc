//! Nanoseconds for one probe and for one probe with one kernel of eight lanes, for every volume:
//! `cargo run --release -p feeler-tools --bin kernel_times -- [volume ...]`.

use feeler_tools::arguments::arguments;
use feeler_tools::kernels::kernel_times;
use feeler_tools::volumes::every_volume;

fn main() {
    let names = arguments();
    println!("ns for            probe  probe + separation  probe + lower bound");
    for (name, params) in every_volume() {
        if names.is_empty() || names.contains(&name) {
            let [probe, separation, bound] = kernel_times(&params);
            println!("{name:15} {probe:7.1} {separation:19.1} {bound:20.1}");
        }
    }
}
