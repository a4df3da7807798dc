#!/usr/bin/env bash
# feeler beside Embree (Debian: libembree-dev): builds the shipped library and the comparison, and prints the table.
#   benches/embree/run.sh [most triangles]
set -eu
cd "$(dirname "$0")/../.."
cargo rustc --quiet --release --lib --crate-type cdylib,staticlib
version=3
[ -e /usr/include/embree4/rtcore.h ] && version=4
mkdir -p target/embree
c++ -O3 -march=native -std=c++17 -Wall -Wextra -Iinclude benches/embree/beside_embree.cpp -o target/embree/beside_embree \
    -Ltarget/release target/release/libfeeler.a -lembree$version -lpthread -ldl -lm
target/embree/beside_embree "$@"
