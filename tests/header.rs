//! The header is generated from `src/ffi` and checked in; this proves it current, so that building the library needs
//! no generator. `FEELER_BLESS=1 cargo test --test header` writes it.

use std::fs;
use std::path::Path;

/// The files with exported items, in the order in which the header shows them.
const SOURCES: [&str; 10] = [
    "constants",
    "structs",
    "library",
    "initialise",
    "model",
    "transform",
    "one_model",
    "pair",
    "query",
    "minima_and_sweep",
];

/// The structs that have `feeler_<struct>_init` get a `feeler_<struct>_default` as well: as a static inline, because
/// a newer library that returned a grown struct by value would overrun the room that an older caller gave it.
const GROWING: [&str; 19] = [
    "mesh",
    "build_params",
    "model_info",
    "pair_params",
    "collide_params",
    "contacts_params",
    "distance_params",
    "tolerance_params",
    "collide_result",
    "contacts_result",
    "distance_result",
    "tolerance_result",
    "counters",
    "closest_params",
    "cast_params",
    "cast_result",
    "minima_params",
    "sweep_params",
    "sweep_result",
];

fn generated() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).expect("cbindgen.toml");
    let mut builder = cbindgen::Builder::new().with_config(config);
    for source in SOURCES {
        builder = builder.with_src(root.join("src/ffi").join(source).with_extension("rs"));
    }
    let mut bytes = Vec::new();
    builder.generate().expect("src/ffi is understood").write(&mut bytes);
    let defaults: String = GROWING
        .iter()
        .map(|name| {
            format!(
                "/// The defaults of feeler_{name}.\n\
                 static inline feeler_{name} feeler_{name}_default(void) {{\n    \
                     feeler_{name} value;\n    \
                     (void)feeler_{name}_init(&value, sizeof value);\n    \
                     return value;\n\
                 }}\n\n"
            )
        })
        .collect();
    let volumes: Vec<String> = feeler::internals::model::VolumeKind::ALL
        .iter()
        .map(|kind| format!("/// {}\n#define FEELER_VOLUME_{} {}\n", kind.description(), kind.name(), *kind as u32))
        .collect();
    let [major, minor, patch] =
        [env!("CARGO_PKG_VERSION_MAJOR"), env!("CARGO_PKG_VERSION_MINOR"), env!("CARGO_PKG_VERSION_PATCH")];
    let number = |part: &str| part.parse::<u32>().unwrap();
    let version = number(major) * 10_000 + number(minor) * 100 + number(patch);
    String::from_utf8(bytes)
        .unwrap()
        .replace("@MAJOR@", major)
        .replace("@MINOR@", minor)
        .replace("@PATCH@", patch)
        .replace("@VERSION@", &version.to_string())
        .replace("@VOLUMES@\n", &volumes.join("\n"))
        .replace("@DEFAULTS@\n", &defaults)
}

#[test]
fn the_header_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("include/feeler.h");
    let generated = generated();
    if std::env::var_os("FEELER_BLESS").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &generated).unwrap();
    }
    let checked_in = fs::read_to_string(&path).unwrap_or_default();
    assert!(checked_in == generated, "include/feeler.h is stale: FEELER_BLESS=1 cargo test --test header");
}

#[test]
fn every_exported_function_and_struct_is_in_the_header() {
    let generated = generated();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/ffi");
    let mut exported = 0;
    for entry in fs::read_dir(root).unwrap() {
        let source = fs::read_to_string(entry.unwrap().path()).unwrap();
        for after in source.split("#[unsafe(no_mangle)]").skip(1) {
            let name = after.split("extern \"C\" fn ").nth(1).unwrap().split('(').next().unwrap();
            assert!(generated.contains(&format!("{name}(")), "{name} is not in the header");
            exported += 1;
        }
    }
    assert!(exported >= 33, "only {exported} exported functions were seen");
    for name in GROWING {
        assert!(generated.contains(&format!("typedef struct feeler_{name} {{")), "{name}");
        assert!(generated.contains(&format!("feeler_{name}_init(")), "{name}");
    }
}

#[test]
fn the_version_of_the_library_is_that_of_the_header() {
    let version = feeler::internals::ffi::exported::feeler_version();
    assert!(generated().contains(&format!("#define FEELER_VERSION {version}\n")));
    // SAFETY: the string is a constant that ends with NUL.
    let text = unsafe { std::ffi::CStr::from_ptr(feeler::internals::ffi::exported::feeler_version_string()) };
    assert_eq!(text.to_str().unwrap(), env!("CARGO_PKG_VERSION"));
}
