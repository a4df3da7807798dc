#!/bin/sh
# Writes the workloads that the project makes itself as files, for programs in other languages:
#   scripts/export_workloads.sh [folder]     (default: target/workloads)
set -eu
folder=${1:-}
case $folder in "" | /*) ;; *) folder=$PWD/$folder ;; esac
cd "$(dirname -- "$0")/.."
exec cargo run --quiet --profile quick -p feeler-tools --bin export_workloads -- "${folder:-$PWD/target/workloads}"
