#!/usr/bin/env bash
# Installs what the tests need and a new machine lacks. Does nothing when everything is there.
# `scripts/setup.sh demo` installs only what the demo needs.
set -euo pipefail

# command:package
needed=(clang:clang valgrind:valgrind cmake:cmake ninja:ninja-build doxygen:doxygen pkg-config:pkg-config
    readelf:binutils abidiff:abigail-tools)
[ "${1:-}" = demo ] && needed=(cmake:cmake)
packages=()
for entry in "${needed[@]}"; do
    command -v "${entry%%:*}" >/dev/null || packages+=("${entry##*:}")
done
# OMPL for the planner of legacy/example: 14 MB to fetch, 167 MB on disk with Eigen and Boost, 12 s.
if [ "${1:-}" != demo ] && ! compgen -G '/usr/include/ompl*' >/dev/null; then packages+=(libompl-dev); fi
for tool in cargo gcc g++ make python3; do
    command -v $tool >/dev/null || { echo "setup: $tool is missing and has to be installed by hand"; exit 1; }
done
[ ${#packages[@]} -eq 0 ] && exit 0

if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    echo "setup: please install: ${packages[*]}"
    echo "       (on Debian: sudo apt-get install --no-install-recommends ${packages[*]})"
    exit 1
fi
echo "setup: installing ${packages[*]}"
export DEBIAN_FRONTEND=noninteractive
# Another process may hold apt's locks: the package lock is waited for by apt itself, that of the lists by trying again.
waiting=(-o DPkg::Lock::Timeout=600)
for attempt in $(seq 60); do
    if log=$(apt-get "${waiting[@]}" update -qq 2>&1); then break; fi
    grep -q 'Could not get lock\|Unable to lock' <<<"$log" || { echo "$log"; exit 1; }
    [ "$attempt" = 1 ] && echo "setup: waiting for another apt-get"
    sleep 10
done
apt-get "${waiting[@]}" install -y -qq --no-install-recommends "${packages[@]}" >/dev/null
