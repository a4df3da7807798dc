#!/usr/bin/env bash
# The boundary as C sees it: compiles the header and the programs of this folder against the shipped library and runs
# them plainly, under valgrind and under sanitizers. Prints "N passed, N failed" and fails if anything does.
set -u
cd "$(dirname "$0")/../.." || exit 1

output=target/c_tests
libraries=target/release
strict="-Wall -Wextra -Wpedantic -Werror -Iinclude"
link="-L$libraries -lfeeler -Wl,-rpath,$PWD/$libraries -lm -pthread"
passed=0 failed=0

# run <what> <command...>: one check; the output is shown when it fails, and its summary lines always.
run() {
    local what=$1 log status
    shift
    if declare -F "$1" >/dev/null; then log=$("$@" 2>&1); else log=$(timeout 170 "$@" 2>&1); fi
    status=$?
    if [ $status -eq 0 ]; then
        passed=$((passed + 1))
        printf '%s\n' "$log" | grep -E '^  |passed, ' | sed "s|^|    |" || true
    else
        failed=$((failed + 1))
        printf 'FAILED (%s): %s\n    %s\n%s\n' "$status" "$what" "$*" "$log"
    fi
    return $status
}

# The shipped library is built without the rlib, because cargo drops link-time optimisation beside it.
cargo rustc --quiet --release --lib --crate-type cdylib,staticlib || exit 1
soname=$(readelf -d $libraries/libfeeler.so | sed -n 's/.*soname: \[\(.*\)\]/\1/p')
[ -n "$soname" ] || { echo "libfeeler.so has no soname"; exit 1; }
ln -sf libfeeler.so "$libraries/$soname"
mkdir -p $output

header_alone() {
    local compiler standard
    for compiler in gcc clang; do
        for standard in c99 c11; do
            run "header as $standard by $compiler" \
                $compiler -std=$standard $strict -Wpadded -c tests/c/header_alone.c -o $output/header_alone.o
        done
    done
    for compiler in g++ clang++; do
        for standard in c++11 c++17; do
            run "header as $standard by $compiler" \
                $compiler -x c++ -std=$standard $strict -Wpadded -c tests/c/header_alone.c -o $output/header_alone.o
        done
    done
}

only_our_symbols() {
    local others
    others=$(nm -D --defined-only $libraries/libfeeler.so | awk '{ print $3 }' | grep -v '^feeler_')
    [ -z "$others" ] || { echo "exported besides feeler_...: $others"; return 1; }
    # Every function that the header declares is there, and none besides.
    diff <(nm -D --defined-only $libraries/libfeeler.so | awk '{ print $3 }' | sort) \
        <(grep -oE '^[a-z].*[ *](feeler_[a-z0-9_]+)\(' include/feeler.h | grep -v '^static' |
            grep -oE 'feeler_[a-z0-9_]+\($' | tr -d '(' | sort)
}

# program <name> <compiler> <extra flags...>: compiles a test; leaves it at $output/<name>.
program() {
    local name=$1 compiler=$2
    shift 2
    run "compile $name by $compiler" \
        $compiler -std=c11 -D_GNU_SOURCE -O1 -g $strict "$@" tests/c/$name.c -o $output/$name $link
}

header_alone
run "exported symbols" only_our_symbols
for compiler in gcc clang; do
    for name in smoke layout misuse misuse_haptics clients threads volumes small_stack float_environment page_faults; do
        program $name $compiler && run "$name ($compiler)" $output/$name
    done
done
run "compile smoke.cpp" g++ -std=c++17 $strict tests/c/smoke.cpp -o $output/smoke_cpp $link &&
    run "smoke.cpp" $output/smoke_cpp
program allocations gcc -Wl,-E && run "allocations" $output/allocations
run "compile dynamic_loading" gcc -std=gnu11 -O1 -g -Wall -Wextra -Werror -Iinclude tests/c/dynamic_loading.c \
    -o $output/dynamic_loading -ldl -lm && run "dynamic_loading" $output/dynamic_loading "$PWD/$libraries/libfeeler.so"
# The static library, with the system libraries that rustc names.
run "compile misuse, static" gcc -std=c11 -D_GNU_SOURCE -O1 -g $strict tests/c/misuse.c -o $output/misuse_static \
    $libraries/libfeeler.a -lgcc_s -lutil -lrt -lpthread -lm -ldl -lc && run "misuse, static" $output/misuse_static
# Both instruction sets.
run "float_environment on sse2" env FEELER_ISA=sse2 $output/float_environment

for name in misuse misuse_haptics clients smoke volumes; do
    run "$name under valgrind" \
        valgrind --quiet --error-exitcode=99 --leak-check=full --show-leak-kinds=all --errors-for-leak-kinds=all \
        $output/$name
done
for name in misuse misuse_haptics clients threads; do
    program $name gcc -fsanitize=address,undefined -fno-sanitize-recover=all &&
        run "$name under ASan and UBSan" $output/$name
done

echo "C boundary: $passed passed, $failed failed"
[ $failed -eq 0 ]
