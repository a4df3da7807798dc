#!/usr/bin/env bash
# Compiles the library for 64-bit ARM and runs a part of the tests under emulation: the pinned bits, lanes against
# scalars, and the C boundary with its floating-point registers.
# `scripts/arm64.sh --lib --test engine` runs what `cargo test` would with these arguments; expect 60 times the time.
# Installs linker and emulator; the compiler is unpacked under target/arm64 and meets no other.
source "$(dirname "$0")/tests/common.sh"
work=$root/target/arm64
package=$work/package
emulator="qemu-aarch64 -L /usr/aarch64-linux-gnu"

install_tools() {
    local packages=()
    command -v aarch64-linux-gnu-gcc >/dev/null || packages+=(gcc-aarch64-linux-gnu)
    [ -e /usr/aarch64-linux-gnu/include/fenv.h ] || packages+=(libc6-dev-arm64-cross)
    command -v qemu-aarch64 >/dev/null || packages+=(qemu-user)
    [ ${#packages[@]} -eq 0 ] && return
    if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
        echo "arm64: please install: ${packages[*]}"
        return 1
    fi
    echo "arm64: installing ${packages[*]}"
    apt-get update -qq &&
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null
}

# Debian's newest compiler with the standard libraries of both machines. Unpacked, because installing it would remove
# other Rusts; with lists of our own, because those of the system need not know ARM.
unpack_compiler() {
    local apt=(-qq -o APT::Architectures::=amd64 -o APT::Architectures::=arm64 -o APT::Sandbox::User=
        -o Dir::State::lists="$work/apt/lists" -o Dir::Cache="$work/apt")
    local version standard llvm deb
    depends() { apt-cache "${apt[@]}" depends "$1" | sed -n "s/.*Depends: \($2.*\)/\1/p"; }
    [ -x "$work/compiler/rustc" ] && return
    echo "arm64: unpacking a compiler"
    rm -rf "$work/apt" "$work/compiler"
    mkdir -p "$work/apt/lists/partial" "$work/apt/archives/partial"
    (
        cd "$work/apt" && apt-get "${apt[@]}" update || exit 1
        version=$(apt-cache "${apt[@]}" policy rustc-web | sed -n 's/.*Candidate: //p')
        standard=$(depends "libstd-rust-web-dev=$version" libstd-rust-web)
        llvm=$(depends "$standard" libllvm)
        apt-get "${apt[@]}" download "$llvm" "$standard" \
            {rustc-web,libstd-rust-web-dev,libstd-rust-web-dev:arm64}"=$version" || exit 1
        for deb in *.deb; do dpkg -x "$deb" "$work/compiler" || exit 1; done
    ) || return 1
    rm -rf "$work/apt"
    printf '#!/bin/sh\nLD_LIBRARY_PATH=%s exec %s "$@"\n' "$work/compiler/usr/lib/x86_64-linux-gnu" \
        "$work/compiler/usr/bin/rustc" >"$work/compiler/rustc"
    chmod +x "$work/compiler/rustc"
}

# The same package without what only benchmarks and the header need; rlib and static library by one compilation.
make_package() {
    mkdir -p "$package/tools" && ln -sfn "$root"/{src,tests,include,build.rs} "$package" && cp Cargo.lock "$package" &&
        ln -sfn "$root"/tools/{src,data,Cargo.toml} "$package/tools" &&
        sed -e '/^criterion\|^cbindgen/d' -e '/^\[\[bench\]\]/,/^$/d' -e 's/^crate-type.*/crate-type = ["lib", "staticlib"]/' \
            Cargo.toml >"$package/Cargo.toml"
}

# for_arm <cargo command> <arguments>: release code, without debug information.
for_arm() {
    (cd "$package" && RUSTC=$work/compiler/rustc CARGO_TARGET_DIR=$work CARGO_BUILD_TARGET=aarch64-unknown-linux-gnu \
        CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc \
        CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER=$emulator CARGO_PROFILE_QUICK_DEBUG=false \
        cargo "$1" --quiet --profile quick "${@:2}")
}

c_program() {
    aarch64-linux-gnu-gcc -std=c11 -D_GNU_SOURCE -O1 $strict -Iinclude "tests/c/$1.c" -o "$work/$1" \
        "$work/aarch64-unknown-linux-gnu/quick/libfeeler.a" -lm -pthread && $emulator "$work/$1"
}

install_tools && unpack_compiler && make_package || exit 1
if [ $# -gt 0 ]; then
    for_arm test "$@"
    exit
fi
check "compile" for_arm build --lib || finish arm64
check "the pinned bits" for_arm test --test determinism a_part
check "four lanes are four single pairs" for_arm test --test lanes_match_scalar
for name in layout smoke misuse clients threads small_stack float_environment; do
    check "$name" c_program $name
done
finish arm64
