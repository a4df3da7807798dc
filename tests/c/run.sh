#!/usr/bin/env bash
# The boundary as C sees it: compiles the header and the programs of this folder and runs them against a library:
#   tests/c/run.sh            the shipped one, plainly, under valgrind and under sanitizers
#   tests/c/run.sh checked    one with debug assertions and overflow checks
#   tests/c/run.sh address    one whose Rust code is watched by the address sanitizer
#   tests/c/run.sh thread     one whose Rust code is watched by the thread sanitizer: the programs with threads;
#                             `thread all`: the others and C++, too, whose builds have threads
#   tests/c/run.sh undefined  the checked one, and the programs watched for undefined behaviour
# Prints "N passed, N failed" and fails if anything does.
set -u
cd "$(dirname "$0")/../.." || exit 1

kind=${1:-release}
output=target/c_tests/$kind
libraries=$(bash scripts/build_library.sh "$([ "$kind" = undefined ] && echo checked || echo "$kind")") || exit 1
strict="-Wall -Wextra -Wpedantic -Werror -Iinclude"
link="-L$libraries -lfeeler -Wl,-rpath,$(realpath $libraries) -lm -pthread"
passed=0 failed=0

# run <what> <command...>: one check; the output is shown when it fails, and its summary lines always.
run() {
    local what=$1 log status
    shift
    if declare -F "$1" >/dev/null; then log=$("$@" 2>&1); else log=$(timeout ${FEELER_TEST_SECONDS:-170} "$@" 2>&1); fi
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

# plain <compiler> <flags...>: what every library has to pass.
plain() {
    local compiler=$1 name
    shift
    for name in smoke layout misuse misuse_haptics clients threads deforming stress volumes float_environment; do
        program $name "$compiler" "$@" && run "$name ($compiler)" $output/$name
    done
    # A client that was compiled with the header of version 0.1.
    run "compile the client of 0.1 by $compiler" $compiler -std=c11 -O1 -g $strict "$@" tests/abi/client.c \
        -o $output/client $link && run "the client of 0.1 ($compiler)" $output/client
    run "compile dynamic_loading by $compiler" $compiler -std=gnu11 -O1 -g -Wall -Wextra -Werror -Iinclude "$@" \
        tests/c/dynamic_loading.c -o $output/dynamic_loading -ldl -lm &&
        run "dynamic_loading ($compiler)" $output/dynamic_loading "$(realpath $libraries)/libfeeler.so"
    # The static library, with the system libraries that rustc names.
    run "compile misuse, static" $compiler -std=c11 -D_GNU_SOURCE -O1 -g $strict "$@" tests/c/misuse.c \
        -o $output/misuse_static $libraries/libfeeler.a -lgcc_s -lutil -lrt -lpthread -lm -ldl -lc &&
        run "misuse, static" $output/misuse_static
    [ "${FEELER_ONE_LEVEL:-0}" = 1 ] || run "float_environment on sse2" env FEELER_ISA=sse2 $output/float_environment
}

# own_memory <compiler>: programs that stand in for the allocator or count what the system does, for which a sanitizer
# leaves no room.
own_memory() {
    program page_faults $1 && run "page_faults ($1)" $output/page_faults
    program cycles $1 && run "cycles ($1)" $output/cycles
    program host_threads $1 && run "host_threads ($1)" $output/host_threads
    # Stacks are promised for optimised code only.
    program real_time $1 -Wl,-E -Wl,-z,now &&
        run "real_time ($1)" $output/real_time $([ "$kind" = release ] && echo $((16 * 1024)) $((16 * 1024)))
    program allocations $1 -Wl,-E && run "allocations ($1)" $output/allocations
    run "compile loaded_late by $1" $1 -std=gnu11 -O1 -g -Wall -Wextra -Werror -Iinclude tests/c/loaded_late.c \
        -o $output/loaded_late -Wl,-E -ldl -lm -pthread &&
        run "loaded_late ($1)" $output/loaded_late "$(realpath $libraries)/libfeeler.so"
}

# cpp <compiler> <flags...>: the header and the owners of feeler.hpp from C++.
cpp() {
    local compiler=$1
    shift
    run "compile smoke.cpp" $compiler -std=c++17 $strict "$@" tests/c/smoke.cpp -o $output/smoke_cpp $link &&
        run "smoke.cpp" $output/smoke_cpp
    run "compile wrapper.cpp" $compiler -std=c++17 $strict "$@" tests/cpp/wrapper.cpp -o $output/wrapper $link &&
        run "wrapper" $output/wrapper
}

# noticed <program> <what the sanitizer calls it>: the program breaks a rule, and the report names the Rust code.
noticed() {
    local log
    ! log=$($output/$1 2>&1) && grep -q "$2" <<<"$log" && grep -q 'src/ffi/[a-z]*.rs' <<<"$log" || { echo "$log"; return 1; }
}

run "exported symbols" only_our_symbols
case $kind in
release)
    header_alone
    for compiler in gcc clang; do
        plain $compiler
        program small_stack $compiler && run "small_stack ($compiler)" $output/small_stack
    done
    cpp g++
    own_memory gcc
    for name in misuse clients smoke volumes deforming; do
        run "$name under valgrind" \
            valgrind --quiet --error-exitcode=99 --leak-check=full --show-leak-kinds=all --errors-for-leak-kinds=all \
            $output/$name
    done
    for name in misuse clients threads deforming; do
        program $name gcc -fsanitize=address,undefined -fno-sanitize-recover=all &&
            run "$name under ASan and UBSan" $output/$name
    done
    ;;
checked)
    plain gcc
    cpp g++
    own_memory gcc
    ;;
address)
    export ASAN_OPTIONS=detect_leaks=1
    plain gcc -fsanitize=address,undefined -fno-sanitize-recover=all
    program overrun gcc -fsanitize=address && run "the sanitizer watches the Rust code" noticed overrun heap-buffer-overflow
    program leak gcc -fsanitize=address && run "leaks of the Rust code are noticed" noticed leak 'detected memory leaks'
    cpp g++ -fsanitize=address,undefined -fno-sanitize-recover=all
    ;;
thread)
    # No suppression is needed: all that threads share is behind atomics that the sanitizer understands.
    with_sanitizer="-fsanitize=thread -Wl,-E tests/c/thread_sanitizer.c"
    names=(threads stress)
    [ "${2:-}" = all ] && names+=(deforming clients volumes misuse misuse_haptics)
    for name in "${names[@]}"; do
        program $name gcc $with_sanitizer && run "$name under TSan" $output/$name
    done
    [ "${2:-}" = all ] && gcc -fsanitize=thread -c tests/c/thread_sanitizer.c -o $output/thread_sanitizer.o &&
        cpp g++ -fsanitize=thread -Wl,-E $output/thread_sanitizer.o
    program race gcc $with_sanitizer && run "the sanitizer watches the Rust code" noticed race 'data race'
    ;;
undefined)
    plain gcc -fsanitize=undefined -fno-sanitize-recover=all
    cpp g++ -fsanitize=undefined -fno-sanitize-recover=all
    ;;
*)
    echo "no such library: $kind"
    exit 2
    ;;
esac

echo "C boundary, $kind: $passed passed, $failed failed"
[ $failed -eq 0 ]
