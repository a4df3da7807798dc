#!/usr/bin/env bash
# Every way to find feeler x shared and static x Makefiles and Ninja, then pkg-config, versions and the install tree.
source "$(dirname "$0")/common.sh"
check "install the library" install_library || finish "packaging"

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
minor=${version%.*} major=${version%%.*}
# A name with a blank finds paths that were not quoted.
moved="$output/moved prefix"
rm -rf "$moved" "$output/first prefix" "$output/clients"
cp -a "$prefix" "$output/first prefix" && mv "$output/first prefix" "$moved"

uses_shared() { ldd "$1" | grep -q "libfeeler.so.$major => /"; }
uses_static() { ! ldd "$1" | grep -q libfeeler; }

# client <way> <generator> <shared: ON or OFF> <more definitions...>: configures, builds, runs, looks at what is loaded.
client() {
    local way=$1 generator=$2 shared=$3 build
    build=$output/clients/$(printf %s "$*" | cksum | cut -d" " -f1)
    shift 3
    cmake -S tests/packaging -B "$build" -G "$generator" -DWAY="$way" -DBUILD_SHARED_LIBS="$shared" \
        -DCMAKE_C_FLAGS="$strict" -DCMAKE_CXX_FLAGS="$strict" -DFEELER_SOURCE="$root" "$@" &&
        cmake --build "$build" &&
        "$build/client" && "$build/client_shared" && "$build/client_static" &&
        uses_shared "$build/client_shared" && uses_static "$build/client_static" || return 1
    if [ "$shared" = ON ]; then uses_shared "$build/client"; else uses_static "$build/client"; fi
}

export CARGO_TARGET_DIR=$root/target # the builds that contain feeler reuse what is compiled
printf '%-22s %-16s %-8s %s\n' "found by" generator library result
rows=$output/rows
rm -rf "$rows"
mkdir -p "$rows"
started=()
# row <name> <arguments of client...>: starts a client; two run at a time, and report_rows tells how they ended.
row() {
    local number=${#started[@]}
    started+=("$1, $3, $([ "$4" = ON ] && echo shared || echo static)")
    shift
    { client "$@" >"$rows/$number.log" 2>&1; echo $? >"$rows/$number.status"; } &
    [ $((number % 2)) -eq 0 ] || wait
}
row_passed() { cat "$rows/$1.log"; [ "$(cat "$rows/$1.status")" -eq 0 ]; }
report_rows() {
    local number name generator kind result
    wait
    for number in "${!started[@]}"; do
        if check "${started[number]}" row_passed "$number"; then result=passed; else result=FAILED; fi
        IFS=, read -r name generator kind <<<"${started[number]}"
        printf '%-22s %-16s %-8s %s\n' "$name" "${generator# }" "${kind# }" $result
    done
}
for generator in "Unix Makefiles" Ninja; do
    for shared in ON OFF; do
        row "installed prefix" find_package "$generator" $shared -DCMAKE_PREFIX_PATH="$prefix"
        row "moved prefix" find_package "$generator" $shared -DCMAKE_PREFIX_PATH="$moved"
        row "build tree" find_package "$generator" $shared -Dfeeler_DIR="$library"
        row "add_subdirectory" add_subdirectory "$generator" $shared
        row "FetchContent" fetch_content "$generator" $shared
    done
done
report_rows
unset CARGO_TARGET_DIR

# pkg-config, from the moved prefix.
pkg_client() {
    local how=$1 libraries flags
    export PKG_CONFIG_PATH="$moved/lib/pkgconfig"
    flags=$(pkg-config --cflags feeler)
    if [ "$how" = shared ]; then
        libraries="$(pkg-config --libs feeler) -Wl,-rpath,'$moved/lib'"
    else # the archive by its file name, because both libraries are in the folder
        libraries=$(pkg-config --libs --static feeler | sed 's/-lfeeler/-l:libfeeler.a/')
    fi
    eval "gcc -c $strict $flags tests/packaging/client.c -o '$output/pkg_client.o'" &&
        eval "g++ -std=c++17 $strict $flags tests/packaging/between.cpp '$output/pkg_client.o' -o '$output/pkg_$how' $libraries" &&
        "$output/pkg_$how" && "uses_$how" "$output/pkg_$how"
}
for how in shared static; do
    if check "pkg-config, $how" pkg_client $how; then result=passed; else result=FAILED; fi
    printf '%-22s %-16s %-8s %s\n' "pkg-config, moved" "-" $how $result
done
pkg_version() { [ "$(PKG_CONFIG_PATH="$moved/lib/pkgconfig" pkg-config --modversion feeler)" = "$version" ]; }
check "pkg-config version" pkg_version
no_absolute_path() { ! grep -rIlE "$prefix|$root" "$prefix/lib/cmake" "$prefix/lib/pkgconfig"; }
check "package files name no absolute path" no_absolute_path

# What is installed.
for file in include/feeler.h include/feeler.hpp lib/libfeeler.a lib/libfeeler.so lib/libfeeler.so.$major \
    lib/libfeeler.so.$version lib/cmake/feeler/feelerConfig.cmake lib/cmake/feeler/feelerConfigVersion.cmake \
    lib/pkgconfig/feeler.pc share/doc/feeler/LICENSE-MIT share/doc/feeler/LICENSE-APACHE; do
    check "$file is installed" test -e "$prefix/$file"
done
soname_is_right() {
    readelf -d "$prefix/lib/libfeeler.so.$version" | grep -q "soname: \[libfeeler.so.$major\]" &&
        [ "$(readlink "$prefix/lib/libfeeler.so.$major")" = "libfeeler.so.$version" ] &&
        [ "$(readlink "$prefix/lib/libfeeler.so")" = "libfeeler.so.$major" ]
}
check "soname and links" soname_is_right

# What it weighs: debug lines are left out, or stand in a file of their own that the tools of debuggers find.
no_debug_lines() { ! readelf -SW "$1" | grep -E ' \.z?debug_'; }
weighs_at_most() {
    local bytes
    bytes=$(stat -c %s "$1")
    echo "$1: $bytes bytes"
    [ "$bytes" -le "$2" ]
}
for file in libfeeler.so.$version:4700000 libfeeler.a:12000000; do
    check "${file%:*} has no debug lines" no_debug_lines "$prefix/lib/${file%:*}"
    check "${file%:*} weighs at most ${file#*:} bytes" weighs_at_most "$prefix/lib/${file%:*}" "${file#*:}"
    printf '%-22s %s bytes\n' "${file%:*}" "$(stat -c %s "$prefix/lib/${file%:*}")"
done
debug_file() {
    local build=$output/with_debug_file installed=$output/prefix_with_debug_file address
    rm -rf "$installed"
    cmake -S . -B "$build" -DCMAKE_INSTALL_PREFIX="$installed" -DFEELER_CARGO_TARGET_DIR="$root/target" -DFEELER_DEBUG_FILE=ON &&
        cmake --build "$build" && cmake --install "$build" && no_debug_lines "$installed/lib/libfeeler.so.$version" || return 1
    address=$(nm -D "$installed/lib/libfeeler.so.$version" | sed -n 's/ T feeler_pair_distance$//p')
    addr2line -e "$installed/lib/libfeeler.so.$version" "$address" | tee /dev/stderr | grep -q 'src/ffi/' &&
        ! addr2line -e "$prefix/lib/libfeeler.so.$version" "$address" | grep -q 'src/ffi/'
}
check "FEELER_DEBUG_FILE keeps the debug lines" debug_file

# Versions: the same major version up to the present minor one is compatible, nothing else is; a wrong component and an
# unbuilt tree are told.
ask_for() {
    local project=$output/ask_for
    rm -rf "$project" && mkdir -p "$project"
    printf 'cmake_minimum_required(VERSION 3.16)\nproject(ask C)\nfind_package(feeler %s REQUIRED)\n' "$1" >"$project/CMakeLists.txt"
    cmake -S "$project" -B "$project/build" -DCMAKE_PREFIX_PATH="${2:-$prefix}"
}
check "version $minor is accepted" ask_for "$minor"
check "version $version is accepted" ask_for "$version EXACT"
check "version 0.1 is accepted" ask_for 0.1
for wrong in $major.$((${minor#*.} + 1)) $((major + 1)).0 $minor.99; do
    check "version $wrong is refused" refused 'compatible|version' ask_for $wrong
done
check "components" ask_for "$minor COMPONENTS shared static"
check "an unknown component is refused" refused 'components shared, static, pqp and rapid, not wings' ask_for "$minor COMPONENTS wings"
unbuilt=$output/unbuilt
rm -rf "$unbuilt"
check "configure without building" cmake -S . -B "$unbuilt"
check "an unbuilt tree is refused" refused 'build feeler first' ask_for "$minor" "$unbuilt"
check "no cargo is told" refused 'install Rust' env HOME=/nowhere CARGO_HOME=/nowhere cmake -S . -B "$output/no_cargo" \
    -DCMAKE_MAKE_PROGRAM="$(command -v make)" -DCMAKE_C_COMPILER="$(command -v gcc)" \
    -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF -DCMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH=OFF

# Building twice compiles and links nothing.
nothing_to_do() {
    local build=$output/clients/twice log
    cmake -S tests/packaging -B "$build" -G Ninja -DWAY=add_subdirectory -DFEELER_SOURCE="$root" \
        -DFEELER_CARGO_TARGET_DIR="$root/target" && cmake --build "$build" && log=$(cmake --build "$build" -v 2>&1) || return 1
    ! grep -E 'Compiling feeler v|Linking|Building' <<<"$log"
}
check "the second build does nothing" nothing_to_do

# The system libraries of the static library are those that rustc names, in its order.
link_list() {
    local said listed
    cargo clean --quiet -p feeler --target-dir target/link_list # the note is printed only when the crate is compiled
    said=$(FEELER_ONE_LEVEL=1 cargo rustc --quiet --lib --crate-type staticlib --target-dir target/link_list -- --print native-static-libs 2>&1 |
        sed -n 's/.*native-static-libs: //p')
    listed=$(PKG_CONFIG_PATH="$prefix/lib/pkgconfig" pkg-config --libs-only-l --static feeler | sed 's/^-lfeeler //; s/ *$//')
    echo "rustc: $said"; echo "ours:  $listed"
    [ -n "$said" ] && [ "$said" = "$listed" ] && grep -q "set(FEELER_SYSTEM_LIBRARIES $(sed 's/-l//g' <<<"$said"))" cmake/feelerPlatform.cmake
}
check "the static link list is rustc's" link_list
finish "packaging"
