//! Names the shared library for the dynamic linker, which cargo does not do.
//!
//! While the version is 0.x a new minor version may break clients, so the name carries both numbers.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // For contributors: compiling for AVX2 alone takes half the time (CONTRIBUTING.md).
    println!("cargo::rerun-if-env-changed=FEELER_ONE_LEVEL");
    println!("cargo::rustc-check-cfg=cfg(one_level)");
    if std::env::var("FEELER_ONE_LEVEL").is_ok_and(|value| value == "1") {
        println!("cargo::rustc-cfg=one_level");
    }
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let (major, minor) = (variable("CARGO_PKG_VERSION_MAJOR"), variable("CARGO_PKG_VERSION_MINOR"));
    let version = if major == "0" { format!("{major}.{minor}") } else { major };
    // The arguments matter to `cargo rustc --crate-type cdylib` only; the manifest names no cdylib (see Cargo.toml).
    match variable("CARGO_CFG_TARGET_OS").as_str() {
        "macos" | "ios" => {
            println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libfeeler.{version}.dylib");
        }
        "windows" => {}
        _ => println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libfeeler.so.{version}"),
    }
}
