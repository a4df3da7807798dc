#!/usr/bin/env bash
# Local minima and sweeps beside distance and contacts: builds the shipped library and the bench, and prints the tables.
#   benches/haptics/run.sh
set -eu
cd "$(dirname "$0")/../.."
cargo rustc --quiet --release --lib --crate-type cdylib,staticlib
mkdir -p target/haptics
c++ -O3 -std=c++17 -Wall -Wextra -Iinclude benches/haptics/queries.cpp target/release/libfeeler.a -lpthread -ldl -lm -o target/haptics/queries
target/haptics/queries
