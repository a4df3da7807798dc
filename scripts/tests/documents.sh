#!/usr/bin/env bash
# What the documents say is true: the programs of the README run, its links lead somewhere, Doxygen has no complaint.
source "$(dirname "$0")/common.sh"
check "install the library" install_library || finish "documents"
work=$output/documents
rm -rf "$work"
mkdir -p "$work/project"

# block <name> [file]: the lines of the code block between the marks of that name in the README, or in another file.
block() { sed -n "/<!-- $1: begin/,/<!-- $1: end/p" "${2:-README.md}" | sed '/^```/d; /^<!--/d'; }
link=(-I"$prefix/include" -L"$prefix/lib" -lfeeler -Wl,-rpath,"$prefix/lib")

readme_has_example() { diff <(block closest_points.c) c_examples/closest_points.c; }
check "the C program of the README is closest_points.c" readme_has_example
readme_c() {
    block closest_points.c >"$work/readme.c" && gcc -std=c99 $strict "$work/readme.c" -o "$work/readme_c" "${link[@]}" &&
        diff <("$work/readme_c") <(grep -m1 '^distance ' README.md)
}
check "the C program of the README prints what the README says" readme_c
twenty_lines() { [ "$(block closest_points.c | grep -cvE '^$|^#include|^}$|^int main')" -le 20 ]; }
check "it has twenty lines" twenty_lines
readme_cpp() {
    block cpp >"$work/readme.cpp" && g++ -std=c++17 $strict "$work/readme.cpp" -o "$work/readme_cpp" "${link[@]}" &&
        [ "$("$work/readme_cpp")" = "distance 1.1547" ]
}
check "the C++ program of the README" readme_cpp
haptics_c() {
    block hand.c docs/haptics.md >"$work/hand.c" && gcc -std=c99 $strict "$work/hand.c" -o "$work/hand_c" "${link[@]}" &&
        diff <("$work/hand_c") <(block 'hand.c output' docs/haptics.md)
}
check "the C program of the guide prints what the guide says" haptics_c
haptics_cpp() {
    block hand.cpp docs/haptics.md >"$work/hand.cpp" && g++ -std=c++17 $strict "$work/hand.cpp" -o "$work/hand_cpp" "${link[@]}" &&
        diff <("$work/hand_cpp") <(block 'hand.cpp output' docs/haptics.md)
}
check "the C++ program of the guide prints what the guide says" haptics_cpp
readme_cmake() {
    { printf 'cmake_minimum_required(VERSION 3.16)\nproject(readme C)\nadd_executable(simulator ../readme.c)\n' && block cmake; } \
        >"$work/project/CMakeLists.txt" &&
        cmake -S "$work/project" -B "$work/project/build" -DCMAKE_PREFIX_PATH="$prefix" &&
        cmake --build "$work/project/build" && "$work/project/build/simulator"
}
check "the CMake lines of the README" readme_cmake

check "links lead somewhere" python3 scripts/tests/links.py README.md CONTRIBUTING.md CHANGELOG.md SECURITY.md docs/*.md
# Every feeler_ name in the documents exists in a header; feeler::names in the wrapper.
names_exist() {
    local name bad=0
    for name in $(grep -ohE '\b(feeler_[a-z0-9_]+|FEELER_[A-Z0-9_]+)\b' README.md docs/*.md CONTRIBUTING.md | sort -u); do
        case $name in
        feeler_DIR | FEELER_BLESS | FEELER_STATUS_ | FEELER_ISA | FEELER_INCLUDE | FEELER_LIBRARY | FEELER_DATA | FEELER_ONE_LEVEL | FEELER_DEBUG_FILE) ;;
        *) grep -q "\b$name" include/feeler.h || { echo "$name is in no header"; bad=1; } ;;
        esac
    done
    for name in $(grep -ohE '\bfeeler::[a-z0-9_]+\b' README.md docs/migrating.md docs/haptics.md | sort -u); do
        case $name in
        feeler::feeler | feeler::shared | feeler::static | feeler::pqp | feeler::rapid) ;;
        *) grep -q "\b${name#feeler::}\b" include/feeler.hpp || { echo "$name is not in feeler.hpp"; bad=1; } ;;
        esac
    done
    return $bad
}
check "names in the documents exist" names_exist
# Whoever clones the project has nothing but the project; only .ci/run looks beside the checkout.
stands_alone() { ! git grep -nE '[/]work/|[.][.]/shared' -- . ':!.ci'; }
! git rev-parse --git-dir >/dev/null 2>&1 || check "no file names a folder outside the project" stands_alone
check "the picture is there" test -s docs/images/haptic_loop.svg

no_complaint() {
    local log
    mkdir -p target/reference
    log=$(doxygen docs/Doxyfile 2>&1) || { echo "$log"; return 1; }
    [ -z "$(grep -i warning <<<"$log")" ] || { echo "$log"; return 1; }
}
check "Doxygen has no warning" no_complaint

comparison() {
    cp README.md "$work/README.md"
    printf '%s\n' workload,query,library,mean_us,fcl_ratio,pqp_ratio "rings,distance,feeler cold,8,12.5,10.6" \
        "rings,distance,feeler shipped,4,," "rings,distance,FCL,100,," >"$work/peers.csv"
    python3 scripts/comparison.py "$work/peers.csv" --readme "$work/README.md" &&
        grep -qF '| rings | 4 | 8 | 100 | 12.5 | 10.6 |' "$work/README.md" &&
        python3 scripts/comparison.py "$work/peers.csv" --readme "$work/README.md" &&
        [ "$(grep -c '| rings |' "$work/README.md")" -eq 1 ]
}
check "the comparison is written from a CSV file" comparison
: >"$work/empty.csv"
check "an empty CSV file is refused" refused 'has no columns' python3 scripts/comparison.py "$work/empty.csv"
check "a missing CSV file is refused" refused 'No such file' python3 scripts/comparison.py "$work/missing.csv"
finish "documents"
