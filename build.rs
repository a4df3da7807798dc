//! A switch for contributors: with FEELER_ONE_LEVEL=1 the library is compiled for AVX2 alone, in half the time
//! (CONTRIBUTING.md). And whether lanes are made of single numbers, on processors whose instructions the library does not know. The name of the shared library is an argument of those who build one (scripts/build_library.sh, CMake).

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=FEELER_ONE_LEVEL");
    println!("cargo::rustc-check-cfg=cfg(one_level, without_lanes)");
    let is_portable = std::env::var_os("CARGO_FEATURE_PORTABLE").is_some();
    if !is_portable && std::env::var("FEELER_ONE_LEVEL").is_ok_and(|value| value == "1") {
        println!("cargo::rustc-cfg=one_level");
    }
    let architecture = std::env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
    if is_portable || !["x86", "x86_64", "aarch64"].contains(&architecture.as_str()) {
        println!("cargo::rustc-cfg=without_lanes");
    }
}
